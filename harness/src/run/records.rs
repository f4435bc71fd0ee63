//! The batches that a journal holds, read from it when they are asked for.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::error::RunError;
use super::index::{Added, Index, Place};
use super::journal::{self, Record, Scan, Window};
use super::work::{BatchResult, Identity};

/// The batches of a journal by point, number and trials. In memory is where they stand, and not what they measured.
#[derive(Debug)]
pub(super) struct Records {
    path: PathBuf,
    /// The journal as it was found, also after it was written anew or something was appended.
    journal: Option<Window>,
    index: Index,
}

impl Records {
    /// The batches of the journal at `path`, none where there is no journal; and what else was found in it.
    ///
    /// # Errors
    /// [`RunError`] where it cannot be read; [`RunError::Contradiction`] where two of the records are different results
    /// of the same batch.
    pub(super) fn read(path: &Path) -> Result<(Self, Scan), RunError> {
        let mut index = Index::default();
        let mut journal = journal::open(path)?;
        let take = |found: journal::Found<'_>| {
            let Some(record) = found.record else { return Ok(()) };
            let place = Place::new(0, found.offset, found.payload);
            match index.add(record.key(), place) {
                Added::New | Added::Repeated => Ok(()),
                Added::Contradicts(_) => {
                    Err(RunError::Contradiction { path: path.to_owned(), batch: record.batch })
                }
            }
        };
        let scan = match &mut journal {
            Some(journal) => journal::scan_opened(journal, path, take)?,
            None => Scan::default(),
        };
        Ok((Self { path: path.to_owned(), journal, index }, scan))
    }

    /// What a batch of so many trials measured; `None` where the journal does not hold it.
    ///
    /// # Errors
    /// Where the journal cannot be read any more.
    pub(super) fn get(
        &mut self,
        identity: Identity,
        batch: u64,
        trials: u64,
    ) -> Result<Option<BatchResult>, RunError> {
        let (Some(place), Some(journal)) =
            (self.index.get(&(identity, batch, trials)), &mut self.journal)
        else {
            return Ok(None);
        };
        match result_at(journal, place) {
            Ok(result) => Ok(Some(result)),
            Err(source) => Err(RunError::Read { path: self.path.clone(), source }),
        }
    }

    /// Whether the journal holds a batch of so many trials.
    pub(super) fn holds(&self, identity: Identity, batch: u64, trials: u64) -> bool {
        self.index.get(&(identity, batch, trials)).is_some()
    }

    /// Number of different batches.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Number of points that they belong to.
    pub(super) fn points(&self) -> usize {
        self.index.keys().map(|(identity, ..)| identity).collect::<BTreeSet<_>>().len()
    }

    /// How many are of points that `known` does not hold.
    pub(super) fn foreign_to(&self, known: &BTreeSet<Identity>) -> u64 {
        self.index.keys().filter(|(identity, ..)| !known.contains(identity)).count() as u64
    }
}

fn result_at(journal: &mut Window, place: &Place) -> io::Result<BatchResult> {
    let payload = journal::payload_at(journal, place.offset, place.length)?;
    match Record::decode(payload) {
        Some(record) if place.holds(payload) => Ok(record.result),
        _ => Err(journal::changed()),
    }
}
