//! Journals looked at, mended and made shorter, apart from any run.

use std::path::{Path, PathBuf};

use super::error::RunError;
use super::journal::{self, Damage};
use super::lock::FolderLock;
use super::records::Records;

/// What a journal holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// Whole records of batches.
    pub batches: usize,
    /// Of these, records that repeat another one.
    pub repeated: usize,
    /// Points that they belong to.
    pub points: usize,
    /// Whole records that this version cannot make sense of.
    pub unknown: usize,
    /// What could not be read.
    pub damage: Vec<Damage>,
}

/// What the journal in `folder` holds; nothing is written.
///
/// # Errors
/// [`RunError`] where there is no journal, it cannot be read, or it contradicts itself.
pub fn inspect(folder: &Path) -> Result<Inspection, RunError> {
    let path = existing(folder)?;
    let (records, scan) = Records::read(&path)?;
    let batches = scan.records as usize;
    Ok(Inspection {
        batches,
        repeated: batches - records.len(),
        points: records.points(),
        unknown: scan.unknown as usize,
        damage: scan.damage,
    })
}

/// Writes the journal in `folder` anew, each whole record once and without damage; what it held before.
///
/// # Errors
/// As [`inspect`]; and where the folder is in use or the journal cannot be written.
pub fn compact(folder: &Path) -> Result<Inspection, RunError> {
    let path = existing(folder)?;
    let _lock = FolderLock::take(folder)?;
    let before = inspect(folder)?;
    journal::compact(&path, before.batches as u64)?;
    Ok(before)
}

/// Writes a damaged journal anew without the damage; what it held before.
///
/// # Errors
/// As [`compact`].
pub fn repair(folder: &Path) -> Result<Inspection, RunError> {
    let found = inspect(folder)?;
    if found.damage.is_empty() { Ok(found) } else { compact(folder) }
}

fn existing(folder: &Path) -> Result<PathBuf, RunError> {
    match journal::is_in(folder)? {
        true => Ok(journal::path_in(folder)),
        false => Err(RunError::NoJournal { folder: folder.to_owned() }),
    }
}
