//! Records the revision of the sources and the version of the compiler in the binary.

#![expect(clippy::disallowed_macros, reason = "cargo reads standard output")]

use std::path::Path;
use std::process::Command;

/// What the binary is built from.
const SOURCES: [&str; 7] = [
    "src",
    "assets",
    "build.rs",
    "../schemes/src",
    "../traces/src",
    "../Cargo.toml",
    "../Cargo.lock",
];

fn main() {
    SOURCES.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    // Changes with every commit; absent where the sources are no checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rustc-env=LOADFACTOR_REVISION={}", revision());
    println!("cargo::rustc-env=LOADFACTOR_COMPILER={}", compiler());
}

/// What the compiler says of itself.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output(Command::new(rustc).arg("--version")).unwrap_or_else(|| "unknown compiler".to_owned())
}

/// The commit, marked where the sources differ from it.
fn revision() -> String {
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown revision".to_owned();
    };
    let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "--"];
    let changed = git(&[&status[..], &SOURCES[..]].concat());
    if changed.is_none_or(|files| files.is_empty()) { commit } else { format!("{commit}-dirty") }
}

/// What git prints, or nothing where it fails.
fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a program prints, or nothing where it fails.
fn output(program: &mut Command) -> Option<String> {
    let output = program.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
