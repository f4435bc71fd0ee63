//! The rows as JSON, with the fields of `timings.csv`.

use serde_json::{Value, json};

use super::table::Row;

/// The rows of an experiment.
pub fn entry(experiment: &str, rows: &[Row]) -> Value {
    json!({ "name": experiment, "timings": rows })
}
