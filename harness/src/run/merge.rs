//! Joining the journals of shards.

use std::path::{Path, PathBuf};

use super::error::RunError;
use super::index::{Added, Index, Place};
use super::journal::{self, Damage, Failure, Found};
use super::lock::FolderLock;

mod part;

use part::Part;

/// What a merge found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Batches in the joint journal.
    pub batches: u64,
    /// Batches that were found more than once.
    pub duplicates: u64,
    /// What could not be read, with its journal.
    pub damage: Vec<(PathBuf, Damage)>,
}

/// Joins the journals in the folders `sources` into one in the folder `out`, together with what
/// `out` holds already.
///
/// The joint journal does not depend on the order of the sources. It is written whole or not at
/// all.
///
/// The sources are read twice: first for where each batch stands, then, in parts of the joint journal, for the
/// batches themselves. Memory is about a hundred bytes for each batch and those of one part, and one source is open
/// at a time.
///
/// # Errors
/// [`RunError`] where a source has no journal or one that cannot be read, two hold
/// different results of the same batch, a source changes meanwhile, or `out` is in use or cannot be written.
pub fn merge(sources: &[&Path], out: &Path) -> Result<Merged, RunError> {
    merge_in_parts(sources, out, PART)
}

/// Bytes of the joint journal that are put together in memory.
const PART: usize = 64 << 20;

/// As [`merge`], in parts of so many bytes, or of one batch where that is longer.
pub(super) fn merge_in_parts(
    sources: &[&Path],
    out: &Path,
    part: usize,
) -> Result<Merged, RunError> {
    let paths: Vec<PathBuf> =
        sources.iter().map(|folder| existing(folder)).collect::<Result<_, _>>()?;
    let _lock = FolderLock::take(out)?;
    let target = journal::path_in(out);
    let mut union = Union::default();
    union.add(&target)?;
    let saved = union.index.len() as u64;
    for path in paths.iter().filter(|path| **path != target) {
        union.add(path)?;
    }
    union.write(&target, saved, part)?;
    union.merged.batches = union.index.len() as u64;
    Ok(union.merged)
}

fn existing(folder: &Path) -> Result<PathBuf, RunError> {
    match journal::is_in(folder)? {
        true => Ok(journal::path_in(folder)),
        false => Err(RunError::NoJournal { folder: folder.to_owned() }),
    }
}

/// Where the batches of all journals stand, each in the journal that it was first found in.
#[derive(Default)]
struct Union {
    journals: Vec<PathBuf>,
    index: Index,
    merged: Merged,
}

impl Union {
    fn add(&mut self, path: &Path) -> Result<(), RunError> {
        let number = self.journals.len() as u32;
        self.journals.push(path.to_owned());
        let mut conflict = None;
        let scan = journal::scan::<RunError>(path, |found| {
            if let Err(error) = self.insert(&found, number) {
                conflict.get_or_insert(error);
            }
            Ok(())
        })?;
        if scan.unknown > 0 {
            let records = scan.unknown as usize;
            return Err(RunError::Unknown { path: path.to_owned(), records });
        }
        let damage = scan.damage.into_iter();
        self.merged.damage.extend(damage.map(|damage| (path.to_owned(), damage)));
        conflict.map_or(Ok(()), Err)
    }

    fn insert(&mut self, found: &Found<'_>, journal: u32) -> Result<(), RunError> {
        let Some(record) = &found.record else { return Ok(()) };
        match self.index.add(record.key(), Place::new(journal, found.offset, found.payload)) {
            Added::New => {}
            Added::Repeated => self.merged.duplicates += 1,
            Added::Contradicts(first) => {
                return Err(RunError::Conflict {
                    first: self.journals[first as usize].clone(),
                    second: self.journals[journal as usize].clone(),
                    batch: record.batch,
                });
            }
        }
        Ok(())
    }

    fn write(&self, target: &Path, saved: u64, bytes: usize) -> Result<(), RunError> {
        let written = journal::write_anew(target, saved, |output| {
            let mut places = self.index.places().peekable();
            let mut part = Part::default();
            while places.peek().is_some() {
                part.take(&mut places, bytes);
                output.write_all(part.read(&self.journals)?)?;
            }
            Ok::<(), Failure>(())
        });
        written.map(drop)
    }
}
