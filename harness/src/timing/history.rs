//! `timings-history.csv`: the rows of every measurement in a folder, each with its date, revision and machine.

use std::path::Path;

use serde::Serialize;

use super::TimingError;
use super::record::Circumstances;
use super::table::Row;
use crate::files::{read_regular, write_atomic};
use crate::machine;
use crate::report::manifest::REVISION;

/// The first column, by which a history is known.
const FIRST: &str = "ended_unix";

/// What a row of the history has beside that of the measurement.
#[derive(Debug, Serialize)]
struct When<'c> {
    ended_unix: u64,
    revision: &'c str,
    processor: Option<String>,
}

/// Appends the rows to the history, which is whole at every moment.
pub(super) fn append(
    path: &Path,
    rows: &[Row],
    circumstances: &Circumstances,
) -> Result<(), TimingError> {
    let failed = |source| TimingError::File { path: path.to_owned(), source };
    let before = if path.exists() { read_regular(path).map_err(failed)? } else { Vec::new() };
    if !before.is_empty() && !before.starts_with(FIRST.as_bytes()) {
        let reason = format!("its first column is not `{FIRST}`");
        return Err(TimingError::NotOurs { path: path.to_owned(), reason });
    }
    let mut writer = csv::WriterBuilder::new().has_headers(before.is_empty()).from_writer(before);
    let processor = machine::processor();
    for row in rows {
        let ended_unix = circumstances.ended;
        let when = When { ended_unix, revision: REVISION, processor: processor.clone() };
        writer.serialize((when, row))?;
    }
    let text = writer.into_inner().map_err(|error| TimingError::Csv(error.into_error().into()))?;
    write_atomic(path, &text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::compare::made;
    use super::*;

    fn at(ended: u64) -> Circumstances {
        Circumstances { scale: "quick", started: ended - 1, ended }
    }

    #[test]
    fn a_history_grows_and_has_one_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings-history.csv");
        append(&path, &[made::row("A", 1.0)], &at(5)).unwrap();
        append(&path, &[made::row("A", 1.0), made::row("B", 2.0)], &at(9)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("ended_unix,revision,processor,experiment,series,"));
        let begins: Vec<&str> = lines[1..].iter().map(|line| &line[..2]).collect();
        assert_eq!(begins, ["5,", "9,", "9,"]);
    }

    #[test]
    fn a_file_that_is_no_history_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings-history.csv");
        fs::write(&path, "my notes\n").unwrap();
        let error = append(&path, &[made::row("A", 1.0)], &at(5)).unwrap_err();
        assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes\n");
    }
}
