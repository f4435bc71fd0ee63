//! A part of a joint journal, put together from the journals that its records stand in.

use std::iter::Peekable;
use std::path::{Path, PathBuf};

use super::super::error::RunError;
use super::super::index::Place;
use super::super::journal::{self, Window};

/// Consecutive records of a joint journal.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Where the records stand, and where in the part they go.
    records: Vec<(Place, usize)>,
    /// The frames of the records.
    bytes: Vec<u8>,
}

impl Part {
    /// Takes the next records in place of those before: as many as fit into so many bytes, and one at least.
    pub(super) fn take<'p>(
        &mut self,
        places: &mut Peekable<impl Iterator<Item = &'p Place>>,
        bytes: usize,
    ) {
        self.records.clear();
        let mut end = 0;
        while let Some(place) =
            places.next_if(|place| end == 0 || end + journal::size(place.length) as usize <= bytes)
        {
            self.records.push((*place, end));
            end += journal::size(place.length) as usize;
        }
        self.bytes.resize(end, 0);
    }

    /// Reads the records, from one journal after the other and from its beginning to its end; their frames.
    pub(super) fn read(&mut self, journals: &[PathBuf]) -> Result<&[u8], RunError> {
        self.records.sort_unstable_by_key(|(place, _)| (place.journal, place.offset));
        for of_journal in self.records.chunk_by(|(a, _), (b, _)| a.journal == b.journal) {
            let path = &journals[of_journal[0].0.journal as usize];
            let mut journal = open(path)?;
            for (place, at) in of_journal {
                let frame = frame_at(&mut journal, place, path)?;
                self.bytes[*at..*at + frame.len()].copy_from_slice(&frame);
            }
        }
        Ok(&self.bytes)
    }
}

fn open(path: &Path) -> Result<Window, RunError> {
    Window::open(path).map_err(|source| RunError::Read { path: path.to_owned(), source })
}

/// The frame of the record that stood there when its journal was read first.
fn frame_at(journal: &mut Window, place: &Place, path: &Path) -> Result<Vec<u8>, RunError> {
    let failed = |source| RunError::Read { path: path.to_owned(), source };
    let payload = journal::payload_at(journal, place.offset, place.length).map_err(failed)?;
    match place.holds(payload) {
        true => Ok(journal::framed(payload)),
        false => Err(failed(journal::changed())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A shard that still runs may cut off a torn end and write over it.
    #[test]
    fn a_record_that_is_not_there_any_more_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let place = Place::new(0, 3, b"payload");
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let mut part = Part::default();
            part.take(&mut [place].iter().peekable(), 1);
            part.read(std::slice::from_ref(&path)).map(<[u8]>::to_vec)
        };
        let frame = journal::framed(b"payload");
        assert_eq!(read(&[b"abc", &frame[..]].concat()).unwrap(), frame);
        for changed in [&journal::framed(b"another")[..], &frame[..9], b""] {
            let error = read(&[b"abc", changed].concat()).unwrap_err().to_string();
            assert!(error.contains("changed while it was read"), "{error}");
        }
    }
}
