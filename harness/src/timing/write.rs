//! The files of a measurement.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::figure::{self, PICTURES, figure_operation};
use super::paired::{self, PairedRow};
use super::plan::TimedPlan;
use super::record::{self, Circumstances};
use super::table::{self, Row};
use super::{TimingError, history};
use crate::files::{read_regular, write_atomic};
use crate::run::FolderLock;

/// Name of the file of rows.
pub const TIMINGS: &str = "timings.csv";
/// Name of the file of rows that another program measured as well.
pub const BESIDE: &str = "timings-beside.csv";
const RECORD: &str = "timings.json";
const HISTORY: &str = "timings-history.csv";

/// What was measured of an experiment, place by place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timings {
    /// The rows of this program.
    pub rows: Vec<Row>,
    /// The same rows beside those of another program, if one measured them as well.
    pub beside: Option<Vec<PairedRow>>,
}

/// The folder of a measurement, into which nobody else writes meanwhile.
#[derive(Debug)]
pub struct MeasurementFolder(FolderLock);

impl MeasurementFolder {
    /// Makes the folder if need be and takes its lock, before anything is measured.
    ///
    /// # Errors
    /// Where it cannot be made, another process is at work in it, or a file there has the name of one of ours and is
    /// none.
    pub fn take(path: &Path) -> Result<Self, TimingError> {
        check(path)?;
        Ok(Self(FolderLock::take(path)?))
    }

    /// The file of rows.
    pub fn timings(&self) -> PathBuf {
        self.0.path().join(TIMINGS)
    }

    /// Writes the rows that there are so far, with their record. The pictures of an earlier measurement go, and its rows
    /// beside another program, as they are of other times.
    ///
    /// # Errors
    /// The first file that cannot be written.
    pub fn write(
        &self,
        plan: &TimedPlan<'_>,
        timings: &Timings,
        circumstances: &Circumstances,
    ) -> Result<(), TimingError> {
        for name in PICTURES.into_iter().chain([BESIDE]) {
            let path = self.0.path().join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                done => done.map_err(failed(&path))?,
            }
        }
        let record = format!("{:#}\n", record::record(plan, circumstances));
        if let Some(rows) = &timings.beside {
            self.put(BESIDE, &table::csv(rows)?)?;
        }
        self.put(TIMINGS, &table::csv(&timings.rows)?)?;
        self.put(RECORD, record.as_bytes())
    }

    /// Draws the figure of all rows, and then appends them to the history; the reason why there is no figure.
    ///
    /// # Errors
    /// The first file that cannot be written, or a history that is damaged.
    pub fn finish(
        &self,
        plan: &TimedPlan<'_>,
        rows: &[Row],
        circumstances: &Circumstances,
    ) -> Result<Option<String>, TimingError> {
        let undrawn = match figure::pictures(plan, rows, circumstances) {
            Ok(pictures) => {
                pictures.iter().try_for_each(|(name, bytes)| self.put(name, bytes))?;
                None
            }
            Err(_) if !plan.timing.operations.contains(&figure_operation(rows)) => {
                let operation = figure_operation(rows);
                Some(format!("it is of times of `{operation}`, which `operations` lacks"))
            }
            Err(error) => Some(error.to_string()),
        };
        history::append(&self.0.path().join(HISTORY), rows, circumstances)?;
        Ok(undrawn)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), TimingError> {
        let path = self.0.path().join(name);
        write_atomic(&path, bytes).map_err(failed(&path))
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> TimingError {
    let path = path.to_owned();
    move |source| TimingError::File { path, source }
}

/// Whether our files may be written into the folder, which need not exist.
fn check(folder: &Path) -> Result<(), TimingError> {
    let mut is_ours = false;
    for (name, check) in CHECKS {
        let path = folder.join(name);
        if let Some(bytes) = content(&path)? {
            let found = check(&bytes);
            found.map_err(|reason| TimingError::NotOurs { path: path.clone(), reason })?;
            is_ours = true;
        }
    }
    let mut pictures = PICTURES.iter().map(|name| folder.join(name));
    match pictures.find(|path| !is_ours && path.symlink_metadata().is_ok()) {
        Some(picture) => Err(TimingError::Picture(picture)),
        None => Ok(()),
    }
}

/// Refuses content that is not ours, with the reason.
type Check = fn(&[u8]) -> Result<(), String>;

/// By what each of our files is known.
const CHECKS: [(&str, Check); 4] = [
    (TIMINGS, table::check_columns),
    (BESIDE, paired::check_columns),
    (RECORD, record::check),
    (HISTORY, history::check),
];

/// What is in a file, if it is there. A symbolic link is refused: what it leads to is somebody else's.
fn content(path: &Path) -> Result<Option<Vec<u8>>, TimingError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path)(error)),
        Ok(found) if found.is_symlink() => {
            let reason = "it is a symbolic link, which is not followed".to_owned();
            Err(TimingError::NotOurs { path: path.to_owned(), reason })
        }
        Ok(_) => read_regular(path).map(Some).map_err(failed(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that somebody else may have under the name of one of our files is told, and left as it is.
    #[test]
    fn what_is_not_ours_is_left_alone() {
        let foreign = [
            (TIMINGS, "my notes\n"),
            (TIMINGS, "a,b,c\n"),
            (BESIDE, "a,b,c\n"),
            (RECORD, "my own data"),
            (RECORD, "{}"),
            (HISTORY, "my notes\n"),
            (HISTORY, "ended_unix,foo\n"),
            (PICTURES[0], "<svg/>"),
        ];
        for (name, text) in foreign {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let error = MeasurementFolder::take(folder.path()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("move it away"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target.txt");
        for is_there in [false, true] {
            if is_there {
                fs::write(&target, "keep me").unwrap();
            }
            let link = folder.path().join("link");
            fs::create_dir(&link).unwrap();
            std::os::unix::fs::symlink(&target, link.join(TIMINGS)).unwrap();
            let error = MeasurementFolder::take(&link).unwrap_err();
            assert!(matches!(error, TimingError::NotOurs { .. }), "{error}");
            fs::remove_dir_all(&link).unwrap();
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "keep me");
    }

    #[test]
    fn two_measurements_at_once_take_two_folders() {
        let folder = tempfile::tempdir().unwrap();
        let first = MeasurementFolder::take(folder.path()).unwrap();
        let second = MeasurementFolder::take(folder.path()).unwrap_err();
        assert!(matches!(second, TimingError::Folder(_)), "{second}");
        drop(first);
        MeasurementFolder::take(folder.path()).unwrap();
    }
}
