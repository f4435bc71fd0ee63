//! Exit statuses, and errors as a person reads them.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use thiserror::Error as ThisError;

use crate::pipeline::PipelineError;
use crate::terminal::tell;

/// Something failed at run time.
pub(super) const FAILED: u8 = 1;
/// Bad usage or a bad definition.
pub(super) const BAD_INPUT: u8 = 2;
/// With `--strict`, not every row agrees that should; in `compare`, something moved, changed or is missing.
pub(super) const DIFFERS: u8 = 3;
/// The user interrupted the run.
pub(super) const INTERRUPTED: u8 = 130;

/// A mistake of the user's, already rendered with its remedy.
#[derive(Debug, ThisError)]
#[error("{0}")]
pub(super) struct BadInput(pub(super) String);

/// The exit status of an experiment that did not come to its end.
pub(super) fn status_of(error: &PipelineError) -> u8 {
    match error {
        PipelineError::Plan(_) | PipelineError::Timing(_) => BAD_INPUT,
        _ => FAILED,
    }
}

/// The exit code of several failures: what failed at run time counts before a definition that could
/// not be run.
pub(super) fn exit_code(failures: impl IntoIterator<Item = u8>) -> ExitCode {
    failures.into_iter().min().map_or(ExitCode::SUCCESS, ExitCode::from)
}

/// Prints the error with its causes and returns its exit status.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    match error.downcast_ref::<BadInput>() {
        Some(BadInput(text)) => {
            tell!("{}", text.trim_end());
            ExitCode::from(BAD_INPUT)
        }
        None => {
            tell!("error: {}", one_line(error));
            ExitCode::from(FAILED)
        }
    }
}

/// The error and its causes, those left out that the error before already tells.
pub(super) fn one_line(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether whoever read our output has heard enough, as `head` does.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(closed)
}
