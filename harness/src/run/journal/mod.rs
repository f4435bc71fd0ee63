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
mod window;
mod write;

use std::io;
use std::path::{Path, PathBuf};

use super::error::RunError;

pub use read::Damage;
#[cfg(test)]
pub(super) use read::{Contents, read};
pub(super) use read::{Found, Scan, open, scan, scan_opened};
pub(super) use record::Record;
pub(super) use window::Window;
pub(super) use write::{Failure, Writer, compact, forget, write_anew};
#[cfg(test)]
pub(super) use write::{append_payload, write_whole};

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
    path.exists() && read::is_journal(&path).unwrap_or(true)
}

/// The first line.
fn header() -> Vec<u8> {
    format!("{TITLE}{VERSION}\n").into_bytes()
}

/// Bytes that the record of a payload takes in a journal.
pub(super) fn size(payload: u32) -> u64 {
    frame::size(payload as usize)
}

/// A payload as a journal has it.
pub(super) fn framed(payload: &[u8]) -> Vec<u8> {
    frame::encode(payload)
}

/// The payload, of so many bytes, of the record at `offset`; fewer where the file has become shorter since.
///
/// # Errors
/// Any error of reading.
pub(super) fn payload_at(journal: &mut Window, offset: u64, length: u32) -> io::Result<&[u8]> {
    frame::payload(journal, offset, length as usize)
}

/// What is said of a journal that does not hold any more what it held.
pub(super) fn changed() -> io::Error {
    io::Error::other("it was changed while it was read; run the same command again")
}
