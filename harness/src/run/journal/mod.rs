//! The file of finished batches.
//!
//! It opens with a line that names the format and its version; after that come frames, one for
//! each batch, appended as batches finish. A frame is a mark, the length of its payload, the
//! payload, and the CRC-32 of length and payload. The mark lets a reader find the next frame behind
//! damage. Nothing in the file is ever changed, except that a torn end is cut off before
//! something is appended, and that a file with damage inside is written anew, whole or not at all,
//! as it is where batches are forgotten.

mod frame;
mod read;
mod record;
mod write;

use std::path::{Path, PathBuf};

use super::error::RunError;

#[cfg(test)]
pub(super) use read::Contents;
pub use read::Damage;
pub(super) use read::read;
pub(super) use record::Record;
#[cfg(test)]
pub(super) use write::append_payload;
pub(super) use write::{Writer, compact, forget, write_whole};

/// Version of the format that is read and written.
const VERSION: u32 = 1;

/// The first line, without the version.
const TITLE: &str = "loadfactor journal ";

/// Name of the journal in a folder of results.
pub const JOURNAL: &str = "journal";

/// The journal of a folder of results.
pub(super) fn path_in(folder: &Path) -> PathBuf {
    folder.join(JOURNAL)
}

/// Whether a folder of results has a journal, whatever its state.
///
/// # Errors
/// Where the folder cannot be looked into, so that nobody knows.
pub fn is_in(folder: &Path) -> Result<bool, RunError> {
    let path = path_in(folder);
    path.try_exists().map_err(|source| RunError::Read { path, source })
}

/// Whether a folder has a journal, and not another file of its name; one that cannot be read counts, as whoever
/// needs it will say why.
pub fn is_ours_in(folder: &Path) -> bool {
    let path = path_in(folder);
    path.exists() && !matches!(read(&path), Err(RunError::NotAJournal { .. }))
}

/// The first line.
fn header() -> Vec<u8> {
    format!("{TITLE}{VERSION}\n").into_bytes()
}
