//! sqlx reads these at build time, and cargo does not know.
fn main() {
    for path in ["sqlx.toml", "../migrations", "../.sqlx"] {
        #[expect(clippy::print_stdout, reason = "cargo reads a build script's output")]
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
