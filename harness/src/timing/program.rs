//! Another build of this program, beside which layouts are measured.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use thiserror::Error;

use super::layout::Observed;
use super::process::{Job, ProcessError, read_answer};
use crate::report::manifest::sha256;

/// What `--version` of every build begins with.
const NAME: &str = concat!(env!("CARGO_PKG_NAME"), " ");

/// The arguments with which a process takes a job.
pub const ONE_LAYOUT: [&str; 2] = ["bench", "--one-layout"];

/// Another program beside which nothing can be measured.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// There is none, or it may not be run.
    #[error("{} cannot be run: {source}; name the file of a build of loadfactor", path.display())]
    NotRun {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is another one.
    #[error("{} is no loadfactor: name the file of a build of it", .0.display())]
    Foreign(PathBuf),
    /// It cannot be asked for a layout.
    #[error(
        "{} ({version}) is too old to measure a layout on request: build it from sources that have `bench --one-layout`",
        path.display()
    )]
    TooOld {
        /// Its file.
        path: PathBuf,
        /// What it calls itself.
        version: String,
    },
    /// It does not measure what this program does.
    #[error(
        "{} cannot measure what this program does: {source}; measure with a definition and options that both know, or build it from newer sources",
        path.display()
    )]
    Job {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: ProcessError,
    },
    /// It answers about something else.
    #[error(
        "{} answers with {what}: build it from sources to which the definition means what it means to this program",
        path.display()
    )]
    Unlike {
        /// Its file.
        path: PathBuf,
        /// What is different.
        what: &'static str,
    },
}

/// Another build of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    version: String,
    sha256: String,
}

impl Program {
    /// The program of this file, which is asked whether it can measure a layout.
    ///
    /// # Errors
    /// Where it is not there, is something else, or does not know how.
    pub fn find(file: &Path) -> Result<Self, ProgramError> {
        let not_run = |source| ProgramError::NotRun { path: file.to_owned(), source };
        let path = fs::canonicalize(file).map_err(not_run)?;
        let version = said(&path, &["--version"]).map_err(not_run)?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        if !version.starts_with(NAME) {
            return Err(ProgramError::Foreign(path));
        }
        let sha256 = sha256(fs::read(&path).map_err(not_run)?);
        // Without a job, a program that knows of jobs answers that there is none.
        let answer = said(&path, &ONE_LAYOUT).map_err(not_run)?;
        match answer.status.success() && matches!(read_answer(&answer.stdout), Ok(Err(_))) {
            true => Ok(Self { path, version, sha256 }),
            false => Err(ProgramError::TooOld { path, version }),
        }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Has the layout measured by a process of this program with these arguments.
    ///
    /// # Errors
    /// Where the process cannot be started, fails or is ended.
    pub fn measure(
        &self,
        job: &Job,
        arguments: &[OsString],
    ) -> Result<Vec<Observed>, ProgramError> {
        let measured = job.run_by(&self.path, arguments);
        measured.map_err(|source| ProgramError::Job { path: self.path.clone(), source })
    }

    /// For the record of a measurement.
    pub(super) fn json(&self) -> Value {
        let Self { path, version, sha256 } = self;
        json!({ "program": path.display().to_string(), "version": version, "sha256": sha256 })
    }
}

/// What a program says that is told nothing.
fn said(path: &Path, arguments: &[&str]) -> io::Result<Output> {
    Command::new(path).args(arguments).stdin(Stdio::null()).output()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    /// A program that is this script.
    fn script(text: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        (folder, path)
    }

    fn error(text: &str) -> ProgramError {
        let (_folder, path) = script(text);
        Program::find(&path).unwrap_err()
    }

    /// Whatever is no build that can measure a layout is told apart, and named.
    #[test]
    fn what_cannot_measure_is_found_before_anything_is_measured() {
        let absent = Program::find(Path::new("no/such/program")).unwrap_err();
        assert!(matches!(absent, ProgramError::NotRun { .. }), "{absent:?}");
        assert!(absent.to_string().starts_with("no/such/program cannot be run: "), "{absent}");
        let foreign = error("echo 'cat (GNU coreutils) 9.1'");
        assert!(matches!(foreign, ProgramError::Foreign(_)), "{foreign:?}");
        for answer in ["exit 2", "echo '{\"Err\": \"none\"}'; exit 1", "echo 'what job?'"] {
            let old =
                error(&format!("[ $1 = --version ] && echo loadfactor 0.0.9 || {{ {answer}; }}"));
            assert!(matches!(old, ProgramError::TooOld { .. }), "{old:?}");
            assert!(old.to_string().contains("(loadfactor 0.0.9) is too old"), "{old}");
        }
    }

    #[test]
    fn a_program_that_answers_that_it_has_no_job_knows_of_jobs() {
        let known = "[ $1 = --version ] && echo loadfactor 0.0.9 || echo '{\"Err\": \"none\"}'";
        let (_folder, path) = script(known);
        assert_eq!(Program::find(&path).unwrap().version, "loadfactor 0.0.9");
    }
}
