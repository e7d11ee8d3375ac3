//! The programs that read our files: Python's e-mail package with icalendar, ical.js, and libical.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use holdfast_tests::python;
use serde_json::Value;

/// The three readers, found on this machine.
pub(super) struct Readers {
    python: PathBuf,
    tests: PathBuf,
}

/// What each of them says about the files of one folder, by the file's name.
pub(super) struct Facts {
    /// About every `.eml`.
    pub(super) python: Value,
    /// About every `.ics`.
    pub(super) ical_js: Value,
    /// About every `.ics`.
    pub(super) libical: Value,
}

impl Readers {
    /// Panics, and says what to do, where one is missing.
    pub(super) fn find() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = python::with("icalendar");
        let modules = here.join("browser/node_modules");
        assert!(
            runs(Path::new("node"), &["--version"]) && modules.join("ical.js").is_dir(),
            "no node, or no ical.js in {}: run `make test`, which sets them up",
            modules.display()
        );
        Self {
            python,
            tests: here.to_path_buf(),
        }
    }

    /// Lets all three read a folder, at the same time.
    pub(super) fn read(&self, folder: &Path) -> Facts {
        thread::scope(|scope| {
            let node = scope.spawn(|| {
                let script = self.tests.join("browser/check-ics.mjs");
                answer(Command::new("node").arg(script).arg(folder))
            });
            let libical = scope.spawn(|| self.libical(folder));
            let python = self.messages(folder);
            Facts {
                python,
                ical_js: node.join().expect("ical.js answers"),
                libical: libical.join().expect("libical answers"),
            }
        })
    }

    /// Python's alone, of every `.eml`.
    pub(super) fn messages(&self, folder: &Path) -> Value {
        self.python("check_ics.py", folder)
    }

    /// libical alone, of every `.ics`.
    pub(super) fn libical(&self, folder: &Path) -> Value {
        self.python("check_libical.py", folder)
    }

    fn python(&self, script: &str, folder: &Path) -> Value {
        let script = self.tests.join("python").join(script);
        // No compiled copies of our scripts in the working copy.
        answer(Command::new(&self.python).arg("-B").arg(script).arg(folder))
    }
}

fn runs(program: &Path, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

fn answer(command: &mut Command) -> Value {
    let output = command.output().expect("the reader starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}
