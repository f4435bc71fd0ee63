//! Records the revision of the sources in the binary.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Changes with every commit; absent where the sources are no checkout.
    if std::path::Path::new("../.git/logs/HEAD").exists() {
        println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    }
    let git = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let revision = git
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown revision".to_owned(), |text| text.trim().to_owned());
    println!("cargo::rustc-env=LOADFACTOR_REVISION={revision}");
}
