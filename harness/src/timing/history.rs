//! `timings-history.csv`: the rows of every measurement in a folder, each with its date, revision and machine.

use std::path::Path;

use serde::Serialize;

use super::TimingError;
use super::record::Circumstances;
use super::table::Row;
use crate::files::{read_regular, write_atomic};
use crate::machine;
use crate::report::manifest::REVISION;

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
    let mut writer = csv::Writer::from_writer(Vec::new());
    let processor = machine::processor();
    for row in rows {
        let ended_unix = circumstances.ended;
        let when = When { ended_unix, revision: REVISION, processor: processor.clone() };
        writer.serialize((when, row))?;
    }
    let own = writer.into_inner().map_err(|error| TimingError::Csv(error.into_error().into()))?;
    let before = if path.exists() { read_regular(path).map_err(failed)? } else { Vec::new() };
    if before.is_empty() {
        return write_atomic(path, &own).map_err(failed);
    }
    let header = header(&own);
    let Some(rows) = own.strip_prefix(header).filter(|_| before.starts_with(header)) else {
        let reason = "it does not begin with the columns of a history as they are today".to_owned();
        return Err(TimingError::NotOurs { path: path.to_owned(), reason });
    };
    write_atomic(path, &[&before[..], rows].concat()).map_err(failed)
}

/// The first line.
fn header(csv: &[u8]) -> &[u8] {
    csv.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default()
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
    fn a_file_without_the_columns_of_a_history_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings-history.csv");
        for text in ["my notes\n", "ended_unix,revision,processor,experiment\n5,x,y,z\n"] {
            fs::write(&path, text).unwrap();
            let error = append(&path, &[made::row("A", 1.0)], &at(5)).unwrap_err();
            assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
