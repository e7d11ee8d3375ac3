//! sqlx reads these at build time, and cargo does not know.
fn main() {
    for path in ["sqlx.toml", "../migrations", "../.sqlx"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
