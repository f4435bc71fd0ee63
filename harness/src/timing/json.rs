//! What was measured as JSON, with the fields of the files.

use serde_json::{Value, json};

use super::write::Timings;

/// What was measured of an experiment.
pub fn entry(experiment: &str, timings: &Timings) -> Value {
    json!({ "name": experiment, "timings": timings.rows, "beside": timings.beside })
}
