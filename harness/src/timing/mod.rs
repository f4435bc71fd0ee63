//! From a definition with `[time]` to nanoseconds per operation: plan → measure → estimate → table → report.
//!
//! Times are numbers of one machine at one hour. They stand in files of their own, beside the tables of trials and
//! never among them, which are the same on every machine.

mod bench;
mod beside;
mod clock;
pub mod compare;
mod figure;
mod history;
pub mod json;
mod layout;
#[cfg(test)]
mod made;
mod measure;
mod paired;
mod plan;
mod process;
mod program;
mod record;
mod statistics;
mod subject;
mod table;
mod text;
mod verdict;
mod write;

use std::io;
use std::path::PathBuf;

use loadfactor_schemes::timed::{Operation, Untimed};
use thiserror::Error;

use crate::memory::in_words;
use crate::plan::PlanError;
use crate::run::RunError;

pub use beside::{Programs, measure_beside};
pub use clock::{Clock, Monotonic};
pub use layout::{FullStructure, MetricName, Observed, Samples, Task, measure_layout};
pub use measure::{Full, MeasureLayout, Measured, Sampled, measure};
pub use paired::{PairedRow, is_slower, paired_rows, text_beside};
pub use plan::{Place, TimedPlan, check_definition};
pub use process::{Job, JobError, ProcessError};
pub use program::{ONE_LAYOUT, Program, ProgramError};
pub use record::Circumstances;
pub use statistics::{Centre, centre_of, centre_of_pairs, ratios};
pub use table::{Row, read, rows};
pub use text::text;
pub use verdict::Verdict;
pub use write::{BESIDE, MeasurementFolder, TIMINGS, Timings};

/// Operations that cannot be timed, or times that cannot be written or read.
#[derive(Debug, Error)]
pub enum TimingError {
    /// The definition is one of trials.
    #[error("{0} has no `[time]`: its trials are run with `loadfactor run {0}`")]
    NoTime(String),
    /// A series has no structure that can be timed.
    #[error("the series `{series}` has nothing to time: {reason}")]
    NotTimed {
        /// The series.
        series: String,
        /// Why.
        reason: Untimed,
    },
    /// No sample of an operation can be had.
    #[error("the series `{series}`: `{operation}` cannot be timed: {reason}")]
    Unsampled {
        /// The series.
        series: String,
        /// The operation.
        operation: Operation,
        /// Why.
        reason: Unsampled,
    },
    /// An insertion stores a key that is not yet there, and the trace has too few different ones.
    #[error(
        "the series `{series}` stores more elements than the trace has distinct keys, {distinct}: store fewer, or take another trace or other `key_fields`"
    )]
    TooFewKeys {
        /// The series.
        series: String,
        /// Distinct keys of the trace.
        distinct: usize,
    },
    /// Its keys cannot be had.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The structures of a place do not fit into memory together.
    #[error(
        "the structures that are timed in turn need about {} with their keys, and {} are available: use smaller ones, or fewer series",
        in_words(*bytes as f64), in_words(*available as f64)
    )]
    Memory {
        /// Bytes of all of them.
        bytes: u64,
        /// Bytes that there are.
        available: u64,
    },
    /// A file that is not one of timings has the name of one.
    #[error("{} is no file of timings ({reason}): move it away, or choose another folder", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Pictures of the names of ours are there, and nothing says that they are.
    #[error(
        "{} would be written over, and no file of timings stands beside it: move it away, or choose another folder with --out",
        .0.display()
    )]
    Picture(PathBuf),
    /// The folder cannot be made or locked, or another process is at work in it.
    #[error(transparent)]
    Folder(#[from] RunError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A layout was not measured by its process.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The other program cannot be measured beside this one.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The rows cannot be written as CSV.
    #[error("the timings cannot be written as CSV: {0}")]
    Csv(#[from] csv::Error),
}

/// Why an operation of a structure gives no sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unsampled {
    /// It is asked for no absent key.
    #[error(
        "there is no absent key to ask for: set `workload.queries`, with a trace store fewer elements than it has distinct keys, or leave `miss` out of `time.operations`"
    )]
    NothingAbsent,
    /// It stores nothing.
    #[error("the structure stores nothing")]
    NothingStored,
    /// So few elements go into so large a structure that a sample consists of emptying it.
    #[error(
        "the structure is so large for its few elements that a sample would take more than {0} times as long to empty it: store more elements, make it smaller, or leave `insert` out of `time.operations`"
    )]
    Emptying(u32),
    /// The clock does not move.
    #[error("{0} operations take no time that the clock could tell")]
    NoTime(u64),
}

#[cfg(test)]
mod tests;
