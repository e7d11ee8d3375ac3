//! The Python of the tests, with what `tests/python/requirements.txt` pins.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The working copy.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a workspace").to_path_buf()
}

/// A Python that has a module: `HOLDFAST_PYTHON`, which `make test` sets, or the one it made.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn with(module: &str) -> PathBuf {
    let python = env::var_os("HOLDFAST_PYTHON").map_or_else(
        || root().join("target/python-venv/bin/python"),
        PathBuf::from,
    );
    let ready = Command::new(&python)
        .args(["-B", "-c", &format!("import {module}")])
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        ready,
        "no Python with {module} at {} (HOLDFAST_PYTHON): run `make test`, which sets it up",
        python.display()
    );
    python
}
