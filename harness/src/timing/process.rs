//! A process of its own for each layout.
//!
//! Layouts that one process measures share their memory: what the first one gives back the next one is given. Where that
//! memory lies in the machine is part of what a time depends on, and is drawn anew for a new process alone.
//!
//! A job goes to the standard input of the process as a line of JSON, and what it measured comes back from its standard
//! output as another one. Its standard input stays open meanwhile, so that the process ends as soon as nobody waits for
//! it any more.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Output, Stdio, exit};
use std::thread;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::layout::{Observed, Task};
use super::plan::TimedPlan;
use crate::definition::{Experiment, TraceOrigin};
use crate::report::manifest::sha256;

/// The file that this process runs, as Linux tells it: also where another program has taken its place since.
const OWN_FILE: &str = "/proc/self/exe";

/// Exit status of a process that nobody waits for.
const ABANDONED: i32 = 1;

/// A layout that was not measured.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// No process can be started, or it cannot be talked to.
    #[error("layout {layout} cannot be measured by a process of its own: {source}")]
    System {
        /// The layout.
        layout: u32,
        /// Why.
        source: io::Error,
    },
    /// It ended without an answer, such as by a signal or for want of memory.
    #[error(
        "the process that measured layout {layout} ended without times ({status}): measure again"
    )]
    Ended {
        /// The layout.
        layout: u32,
        /// How.
        status: ExitStatus,
    },
    /// It says why it could not measure.
    #[error("{0}")]
    Failed(String),
    /// What it answers is no answer.
    #[error("the process that measured layout {layout} gave no times: {source}")]
    Garbled {
        /// The layout.
        layout: u32,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// Why a process cannot do its job.
#[derive(Debug, Error)]
pub enum JobError {
    /// Its line cannot be read.
    #[error("no job came on standard input: {0}")]
    Unread(#[from] io::Error),
    /// It is none.
    #[error("what came on standard input is no job: {0}")]
    NoJob(#[from] serde_json::Error),
}

/// What a process is to measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The definition.
    pub definition: PathBuf,
    /// Digest of its text.
    sha256: String,
    /// The files of its trace and their digest.
    trace: Option<(Vec<PathBuf>, String)>,
    /// The layout.
    pub task: Task,
}

impl Job {
    /// The job of a task of the plan.
    pub fn new(plan: &TimedPlan<'_>, task: &Task) -> Self {
        let Experiment { path, text, .. } = plan.experiment;
        Self {
            definition: path.clone(),
            sha256: sha256(text),
            trace: plan.trace.map(|trace| (trace.files.clone(), trace.digest.clone())),
            task: task.clone(),
        }
    }

    /// Takes the files that were read for the first layout, as standard input can be read once.
    pub fn name_files(&self, experiment: &mut Experiment) {
        if let (Some((files, _)), Some(source)) = (&self.trace, &mut experiment.trace)
            && let TraceOrigin::Files(words) = &mut source.origin
        {
            words.clone_from(files);
        }
    }

    /// Whether the plan is the one that the job is of: a definition or a trace may have been written over since.
    pub fn is_of(&self, plan: &TimedPlan<'_>) -> bool {
        *self == Self::new(plan, &self.task)
    }

    /// Has the layout measured by a process of this program with these arguments.
    ///
    /// # Errors
    /// Where the process cannot be started, fails or is ended.
    pub fn run(&self, arguments: &[OsString]) -> Result<Vec<Observed>, ProcessError> {
        let layout = self.task.layout;
        let own = own_file().map_err(|source| ProcessError::System { layout, source })?;
        self.run_by(&own, arguments)
    }

    /// Has the layout measured by a process of this or another program with these arguments.
    ///
    /// # Errors
    /// Those of [`Job::run`].
    pub fn run_by(
        &self,
        program: &Path,
        arguments: &[OsString],
    ) -> Result<Vec<Observed>, ProcessError> {
        let layout = self.task.layout;
        let system = |source| ProcessError::System { layout, source };
        let Output { status, stdout, .. } = self.answered(program, arguments).map_err(system)?;
        if !status.success() {
            return Err(ProcessError::Ended { layout, status });
        }
        read_answer(&stdout)
            .map_err(|source| ProcessError::Garbled { layout, source })?
            .map_err(ProcessError::Failed)
    }

    /// What the process leaves behind. Its standard error is ours.
    fn answered(&self, program: &Path, arguments: &[OsString]) -> io::Result<Output> {
        let line = format!("{}\n", serde_json::to_string(self)?);
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::inherit()).spawn()?;
        // Held until the process has ended: waiting for it would close it first. Where the job does not arrive, it is
        // closed at once, and how the process ends then says more than the pipe.
        let tell = |mut input: ChildStdin| input.write_all(line.as_bytes()).map(|()| input);
        let held = process.stdin.take().map(tell);
        let output = process.wait_with_output();
        drop(held);
        output
    }

    /// The job that standard input has. From then on this process ends when standard input does.
    ///
    /// # Errors
    /// Where there is none.
    pub fn receive() -> Result<Self, JobError> {
        let mut input = BufReader::new(stdin());
        let mut line = String::new();
        input.read_line(&mut line)?;
        let job = serde_json::from_str(&line)?;
        thread::spawn(move || {
            let _ = io::copy(&mut input, &mut io::sink());
            exit(ABANDONED)
        });
        Ok(job)
    }

    /// Answers with what was measured, or with the reason why nothing was.
    ///
    /// # Errors
    /// Where standard output is closed.
    pub fn answer(measured: &Result<Vec<Observed>, String>) -> io::Result<()> {
        let mut output = stdout().lock();
        serde_json::to_writer(&mut output, measured)?;
        output.flush()
    }
}

/// What a process says of its layout: what it measured, or why it did not.
///
/// # Errors
/// Where it says something else.
pub(super) fn read_answer(
    stdout: &[u8],
) -> Result<Result<Vec<Observed>, String>, serde_json::Error> {
    serde_json::from_slice(stdout)
}

fn own_file() -> io::Result<PathBuf> {
    let linked = Path::new(OWN_FILE);
    if linked.exists() { Ok(linked.to_owned()) } else { env::current_exe() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This very program, which is one of tests here, is no process that measures.
    fn error(arguments: &[&str]) -> ProcessError {
        let task = Task { place: 0, layout: 3, counts: None };
        let (definition, sha256) = (PathBuf::from("timed.toml"), String::new());
        let job = Job { definition, sha256, trace: None, task };
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        job.run(&arguments).unwrap_err()
    }

    /// A process that fails or says something else is told, with its layout, and no times are made up.
    #[test]
    fn a_process_without_an_answer_is_an_error() {
        let ended = error(&["--no-such-option"]);
        assert!(matches!(ended, ProcessError::Ended { layout: 3, .. }), "{ended:?}");
        assert!(ended.to_string().contains("layout 3 ended without times (exit status: "));
        let other = error(&["--list"]);
        assert!(matches!(other, ProcessError::Garbled { layout: 3, .. }), "{other:?}");
    }
}
