//! Mail and invitations of random bookings with hostile text, read back by three readers that
//! share no code with the writer: our line checker, Python's e-mail package with icalendar, and
//! ical.js. All accept every file, and what they read is what the booking says.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod hostile;
mod model;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use holdfast_tests::ics_check;
use serde_json::Value;
use shared::mail::message::{Composed, compose};
use shared::mail::view::MailView;

/// How many bookings, unless `HOLDFAST_TEST_INVITATIONS` asks for more.
const BOOKINGS: usize = 400;

#[test]
fn random_bookings_are_read_as_they_were_meant() {
    let count = env::var("HOLDFAST_TEST_INVITATIONS")
        .ok()
        .map_or(BOOKINGS, |count| count.parse().expect("a number"));
    let (python, node_modules) = (python(), node_modules());
    let folder = env::temp_dir().join(format!("holdfast-invitations-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();

    let mut random = hostile::Random::new(0x0040_1DFA_57B0_0C1A);
    let mut mails: BTreeMap<String, (MailView, Composed)> = BTreeMap::new();
    for at in 0..count {
        let view = hostile::view(&mut random, at);
        let mail = compose(&view).expect("a mail");
        let name = format!("{at:05}");
        fs::write(folder.join(format!("{name}.eml")), &mail.bytes).unwrap();
        if let Some(ics) = &mail.calendar {
            let faults = ics_check::check(ics.as_bytes());
            assert!(faults.is_empty(), "{faults:?}\n{ics}");
            fs::write(folder.join(format!("{name}.ics")), ics).unwrap();
        }
        mails.insert(name, (view, mail));
    }

    let root = root();
    let by_python = run(Command::new(python)
        .arg(root.join("tests/python/check_ics.py"))
        .arg(&folder));
    let by_node = run(Command::new("node")
        .arg(node_modules.with_file_name("check-ics.mjs"))
        .arg(&folder));
    for (name, (view, mail)) in &mails {
        let message = &by_python[format!("{name}.eml")];
        let found = format!(
            "{name}: {message:#}\n{}",
            String::from_utf8_lossy(&mail.bytes)
        );
        model::assert_message(view, mail, message, &found);
        let file = format!("{name}.ics");
        let Some(expected) = model::calendar(view) else {
            assert!(mail.calendar.is_none() && by_node.get(&file).is_none());
            assert!(message["calendar"].is_null(), "{found}");
            continue;
        };
        let readers = [
            ("the mail, by Python", &message["calendar"]),
            ("the file, by Python", &by_python[&file]),
            ("the file, by ical.js", &by_node[&file]),
        ];
        for (reader, facts) in readers {
            let mut facts = facts.clone();
            let description = facts
                .as_object_mut()
                .and_then(|facts| facts.remove("description"))
                .unwrap_or_default();
            assert_eq!(facts, expected, "{reader}: {found}");
            model::assert_description(view, description.as_str().unwrap_or_default());
        }
    }
    let written: usize = mails.values().filter(|(_, m)| m.calendar.is_some()).count();
    assert!(
        written > count / 2,
        "{written} of {count} carry an invitation"
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// What a reader prints.
fn run(command: &mut Command) -> Value {
    let output = command.output().expect("the reader starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a workspace").to_path_buf()
}

/// A Python that has icalendar.
fn python() -> PathBuf {
    let python = env::var_os("HOLDFAST_PYTHON").map_or_else(
        || root().join("target/python-venv/bin/python"),
        PathBuf::from,
    );
    let ready = Command::new(&python)
        .args(["-c", "import icalendar"])
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        ready,
        "no Python with icalendar at {} (HOLDFAST_PYTHON): run `make test`, which sets it up",
        python.display()
    );
    python
}

/// Where ical.js is installed.
fn node_modules() -> PathBuf {
    let folder = root().join("tests/browser/node_modules");
    let node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        node && folder.join("ical.js").is_dir(),
        "no node, or no ical.js in {}: run `make test`, which sets them up",
        folder.display()
    );
    folder
}
