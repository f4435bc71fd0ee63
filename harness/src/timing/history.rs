//! `timings-history.csv`: the rows of every measurement in a folder, each with its date, revision and machine.

use std::path::Path;

use serde::Serialize;

use super::TimingError;
use super::record::Circumstances;
use super::table::{COLUMNS, Row, has_columns};
use crate::files::{read_regular, write_atomic};
use crate::machine;
use crate::report::manifest::REVISION;

/// The columns before those of a measurement, which are the fields of [`When`].
const WHEN: [&str; 3] = ["ended_unix", "revision", "processor"];

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
    check(&before).map_err(|reason| TimingError::NotOurs { path: path.to_owned(), reason })?;
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

/// Refuses what is no history, or not a whole one: a row behind it would be glued to a stump.
pub(super) fn check(history: &[u8]) -> Result<(), String> {
    if history.is_empty() {
        return Ok(());
    }
    let mut reader = csv::Reader::from_reader(history);
    let header = reader.headers().map_err(|error| error.to_string())?;
    has_columns(header, WHEN.into_iter().chain(COLUMNS))?;
    reader.into_byte_records().try_for_each(|row| match row {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    })?;
    match history.ends_with(b"\n") {
        true => Ok(()),
        false => {
            let lines = history.split(|&byte| byte == b'\n').count();
            Err(format!("line {lines} is cut off"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::made;
    use super::*;

    fn at(ended: u64) -> Circumstances {
        Circumstances { scale: "quick", started: ended - 1, ended, beside: None }
    }

    #[test]
    fn a_history_grows_and_has_one_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings-history.csv");
        append(&path, &[made::row("A", 1.0)], &at(5)).unwrap();
        append(&path, &[made::row("A", 1.0), made::row("B", 2.0)], &at(9)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], [&WHEN[..], &COLUMNS].concat().join(","));
        let begins: Vec<&str> = lines[1..].iter().map(|line| &line[..2]).collect();
        assert_eq!(begins, ["5,", "9,", "9,"]);
    }

    /// Nothing is appended to a file that is none of ours, or that was cut anywhere.
    #[test]
    fn what_is_no_whole_history_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timings-history.csv");
        append(&path, &[made::row("A", 1.0), made::row("B", 2.0)], &at(5)).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        let row = whole.lines().next().unwrap().len() + 1;
        let damaged = [
            "my notes\n".to_owned(),
            "ended_unix,foo\n".to_owned(),
            whole[..20].to_owned(),
            whole[..row + 20].to_owned(),
            whole[..whole.len() - 1].to_owned(),
            format!("{whole}5,revision\n"),
        ];
        for text in damaged {
            fs::write(&path, &text).unwrap();
            let error = append(&path, &[made::row("A", 1.0)], &at(5)).unwrap_err();
            assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let error = check(&whole.as_bytes()[..whole.len() - 1]).unwrap_err();
        assert_eq!(error, "line 3 is cut off");
    }
}
