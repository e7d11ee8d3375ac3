//! The source tree, for the tests that read it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One file of the tree.
pub struct Source {
    /// Its path below the workspace, such as `shared/src/slots/mod.rs`.
    pub path: String,
    pub text: String,
}

/// The workspace's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A file of the workspace.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file with that ending below a folder of the workspace, in order.
pub fn files(folder: &str, ending: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), ending, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "no {ending} below {folder}");
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<Source>) {
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, ending, found);
        } else if path.to_str().is_some_and(|path| path.ends_with(ending)) {
            let below = path
                .strip_prefix(root())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            found.push(Source {
                path: below,
                text: fs::read_to_string(&path).unwrap(),
            });
        }
    }
}

impl Source {
    /// The lines that are compiled outside tests, with their numbers; comments are left out.
    pub fn code(&self) -> Vec<(usize, &str)> {
        if self.is_test() {
            return Vec::new();
        }
        let mut code = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if line.trim() == "#[cfg(test)]" {
                // A test module of its own file takes one line, one in this file the rest.
                match lines.next() {
                    Some((_, next)) if next.ends_with(';') => continue,
                    _ => break,
                }
            }
            if !line.trim_start().starts_with("//") {
                code.push((number + 1, line));
            }
        }
        code
    }

    /// Whether the file is compiled for tests alone.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
            || self.path.ends_with("_tests.rs")
    }
}
