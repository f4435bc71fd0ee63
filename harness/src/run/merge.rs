//! Joining the journals of shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::error::RunError;
use super::journal::{self, Damage, Record};
use super::lock::FolderLock;
use super::work::Identity;

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
/// # Errors
/// [`RunError`] where a source has no journal or one that cannot be read, two hold
/// different results of the same batch, or `out` is in use or cannot be written.
pub fn merge(sources: &[&Path], out: &Path) -> Result<Merged, RunError> {
    let paths: Vec<PathBuf> =
        sources.iter().map(|folder| existing(folder)).collect::<Result<_, _>>()?;
    let _lock = FolderLock::take(out)?;
    let target = journal::path_in(out);
    let mut union = Union::default();
    union.add(&target)?;
    let saved = union.records.len() as u64;
    for path in paths.iter().filter(|path| **path != target) {
        union.add(path)?;
    }
    journal::write_whole(&target, union.records.values().map(|(record, _)| record), saved)?;
    union.merged.batches = union.records.len() as u64;
    Ok(union.merged)
}

fn existing(folder: &Path) -> Result<PathBuf, RunError> {
    match journal::is_in(folder)? {
        true => Ok(journal::path_in(folder)),
        false => Err(RunError::NoJournal { folder: folder.to_owned() }),
    }
}

/// The records so far, each with the journal that it was first found in.
#[derive(Default)]
struct Union {
    records: BTreeMap<(Identity, u64, u64), (Record, PathBuf)>,
    merged: Merged,
}

impl Union {
    fn add(&mut self, path: &Path) -> Result<(), RunError> {
        let contents = journal::read(path)?;
        if !contents.unknown.is_empty() {
            let records = contents.unknown.len();
            return Err(RunError::Unknown { path: path.to_owned(), records });
        }
        let damage = contents.damage.into_iter();
        self.merged.damage.extend(damage.map(|damage| (path.to_owned(), damage)));
        contents.records.into_iter().try_for_each(|record| self.insert(record, path))
    }

    fn insert(&mut self, record: Record, path: &Path) -> Result<(), RunError> {
        match self.records.entry((record.identity, record.batch, record.result.trials)) {
            Entry::Vacant(entry) => {
                entry.insert((record, path.to_owned()));
            }
            // Encoded, because two NaN are the same result and yet not equal.
            Entry::Occupied(entry) if entry.get().0.encode() == record.encode() => {
                self.merged.duplicates += 1;
            }
            Entry::Occupied(entry) => {
                return Err(RunError::Conflict {
                    first: entry.get().1.clone(),
                    second: path.to_owned(),
                    batch: record.batch,
                });
            }
        }
        Ok(())
    }
}
