//! From a definition with `[time]` to nanoseconds per operation: plan → measure → estimate → table → report.
//!
//! Times are numbers of one machine at one hour. They stand in files of their own, beside the tables of trials and
//! never among them, which are the same on every machine.

pub mod compare;
mod figure;
mod history;
pub mod json;
mod measure;
mod plan;
mod record;
mod statistics;
mod table;
mod text;
mod write;

use std::io;
use std::path::PathBuf;

use loadfactor_schemes::timed::Untimed;
use thiserror::Error;

use crate::memory::in_words;
use crate::plan::PlanError;

pub use measure::{Clock, Measured, Monotonic, Sampled, measure};
pub use plan::{Place, TimedPlan};
pub use record::Circumstances;
pub use statistics::{Median, median_of, ratios};
pub use table::{Row, read, rows};
pub use text::text;
pub use write::{TIMINGS, write};

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
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The rows cannot be written as CSV.
    #[error("the timings cannot be written as CSV: {0}")]
    Csv(#[from] csv::Error),
}

#[cfg(test)]
mod tests;
