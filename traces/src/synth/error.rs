//! Why no synthetic capture was written.

use std::io;

/// Why no synthetic capture was written.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// A parameter is out of range.
    #[error("{parameter} must be {range}")]
    Parameter {
        /// Name of the parameter.
        parameter: &'static str,
        /// Values it may have.
        range: &'static str,
    },
    /// A parameter cannot be reached together with the others, of which it says what can be.
    #[error("{parameter} = {asked} cannot be reached: {reach}")]
    Unreachable {
        /// Name of the parameter.
        parameter: &'static str,
        /// Its value.
        asked: f64,
        /// What can be reached.
        reach: String,
    },
    /// The output failed.
    #[error("cannot write the capture: {0}")]
    Write(#[from] io::Error),
}
