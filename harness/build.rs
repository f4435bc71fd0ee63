//! Records the revision of the sources and the version of the compiler in the binary.

#![expect(clippy::disallowed_macros, reason = "cargo reads standard output")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the binary is built from.
const SOURCES: [&str; 10] = [
    "src",
    "assets",
    "build.rs",
    "Cargo.toml",
    "../schemes/src",
    "../schemes/Cargo.toml",
    "../traces/src",
    "../traces/Cargo.toml",
    "../Cargo.toml",
    "../Cargo.lock",
];

/// What decides which keys a capture gives.
const READER: [&str; 4] = ["../traces/src", "src/trace.rs", "src/trace", "../Cargo.lock"];

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
    println!("cargo::rustc-env=LOADFACTOR_BUILD={}", digest_of(&SOURCES, &compiler()));
    println!("cargo::rustc-env=LOADFACTOR_READER={}", digest_of(&READER, ""));
}

/// A digest of sources and of what is said beside them. The revision would not do: it is the same of all that is changed
/// and not committed.
fn digest_of(sources: &[&str], beside: &str) -> String {
    let mut hasher = DefaultHasher::new();
    sources.iter().for_each(|path| digest(Path::new(path), &mut hasher));
    beside.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Adds a file, or all files of a folder in the order of their names.
fn digest(path: &Path, hasher: &mut DefaultHasher) {
    match fs::read_dir(path) {
        Ok(entries) => {
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            paths.iter().for_each(|path| digest(path, hasher));
        }
        Err(_) => (path, fs::read(path).unwrap_or_default()).hash(hasher),
    }
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
