//! The files of a measurement.

use std::path::{Path, PathBuf};

use super::plan::TimedPlan;
use super::record::{Circumstances, record};
use super::table::{self, Row};
use super::{TimingError, figure, history};
use crate::files::{create_folder, write_atomic};

/// Name of the file of rows.
pub const TIMINGS: &str = "timings.csv";
const RECORD: &str = "timings.json";
const HISTORY: &str = "timings-history.csv";

/// Writes rows, record, history and figure into `folder`; the files, and the reason why there is no figure.
///
/// # Errors
/// The first file that cannot be written, or a file that is there and is not ours.
pub fn write(
    plan: &TimedPlan<'_>,
    rows: &[Row],
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<(Vec<PathBuf>, Option<String>), TimingError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| TimingError::File { path, source }
    };
    create_folder(folder).map_err(failed(folder))?;
    let timings = folder.join(TIMINGS);
    if timings.exists() {
        table::read(&timings)?;
    }
    let history = folder.join(HISTORY);
    let is_ours = timings.exists() || history.exists();
    let record = format!("{:#}\n", record(plan, circumstances));
    let mut files = vec![(timings, table::csv(rows)?), (folder.join(RECORD), record.into_bytes())];
    let undrawn = match figure::pictures(plan, rows, circumstances) {
        Ok(pictures) => {
            files.extend(pictures.map(|(name, bytes)| (folder.join(name), bytes)));
            None
        }
        Err(error) => Some(error.to_string()),
    };
    let foreign = files.iter().map(|(path, _)| path).find(|path| !is_ours && path.exists());
    if let Some(path) = foreign {
        let reason = "the folder has no timings".to_owned();
        return Err(TimingError::NotOurs { path: path.clone(), reason });
    }
    history::append(&history, rows, circumstances)?;
    for (path, bytes) in &files {
        write_atomic(path, bytes).map_err(failed(path))?;
    }
    Ok((files.into_iter().map(|(path, _)| path).collect(), undrawn))
}
