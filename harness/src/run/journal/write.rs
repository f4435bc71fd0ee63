//! Appending to a journal so that it is valid at every moment.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::super::error::RunError;
use super::super::work::Identity;
use super::read::{Contents, read};
use super::record::Record;
use super::{frame, header};
use crate::files;

/// How long a record may wait for the records that it is synced with.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A journal open for appending.
#[derive(Debug)]
pub(in super::super) struct Writer {
    path: PathBuf,
    file: File,
    /// Bytes up to the end of the last whole record.
    whole: u64,
    saved: u64,
    synced: Instant,
}

impl Writer {
    /// Opens the journal at `path` behind `contents`, which were read from it, and cuts off what
    /// follows. A journal that is damaged inside is written anew first, without the damage. Empty contents
    /// start it anew.
    pub(in super::super) fn open(path: &Path, contents: &Contents) -> Result<Self, RunError> {
        let saved = contents.saved();
        let whole = match contents.is_damaged_inside() {
            true => write_payloads(path, contents.payloads(), saved)?,
            false => contents.whole as u64,
        };
        Self::open_at(path, whole, saved).map_err(|source| RunError::Write {
            path: path.to_owned(),
            saved,
            source,
        })
    }

    fn open_at(path: &Path, whole: u64, saved: u64) -> io::Result<Self> {
        let file = files::open_regular(File::options().append(true).create(true), path)?;
        file.set_len(whole)?;
        let mut writer = Self { path: path.to_owned(), file, whole, saved, synced: Instant::now() };
        if whole == 0 {
            writer.write(&header())?;
            files::sync_folder_of(path)?;
        }
        Ok(writer)
    }

    /// Appends a record; it is safe from a crash of the process at once, and from one of the
    /// machine after the next sync.
    pub(in super::super) fn append(&mut self, record: &Record) -> Result<(), RunError> {
        let frame = frame::encode(&record.encode());
        self.append_or_cut(&frame).map_err(|source| self.failed(source))?;
        match self.synced.elapsed() >= SYNC_EVERY {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Makes everything appended safe from a crash of the machine.
    pub(in super::super) fn sync(&mut self) -> Result<(), RunError> {
        self.synced = Instant::now();
        let path = || self.path.clone();
        self.file.sync_data().map_err(|source| RunError::Sync { path: path(), source })
    }

    /// Lets the next record go elsewhere, for tests of failure.
    #[cfg(test)]
    pub(in super::super) fn replace_file(&mut self, file: File) {
        self.file = file;
    }

    fn append_or_cut(&mut self, frame: &[u8]) -> io::Result<()> {
        if let Err(error) = self.write(frame) {
            // Should this fail too, the reader still tells the torn end from a record.
            let _ = self.file.set_len(self.whole);
            return Err(error);
        }
        self.saved += 1;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.whole += bytes.len() as u64;
        Ok(())
    }

    fn failed(&self, source: io::Error) -> RunError {
        RunError::Write { path: self.path.clone(), saved: self.saved, source }
    }
}

/// Writes a journal of these records in one go: whole, or not at all; then the one at `path` still has its `saved`.
pub(in super::super) fn write_whole<'a>(
    path: &Path,
    records: impl IntoIterator<Item = &'a Record>,
    saved: u64,
) -> Result<(), RunError> {
    write_payloads(path, records.into_iter().map(Record::encode), saved).map(drop)
}

/// Writes the journal at `path` anew with all that `contents` hold, each record once.
pub(in super::super) fn compact(path: &Path, contents: &Contents) -> Result<(), RunError> {
    let mut known = BTreeSet::new();
    let once = contents.payloads().filter(|payload| known.insert(Sha256::digest(payload)));
    write_payloads(path, once, contents.saved()).map(drop)
}

/// Writes the journal at `path` anew without the batches of these points. Records of other points
/// stay, those that this version cannot read among them; damage goes.
///
/// A journal of another version is replaced, and a file that is none is refused.
pub(in super::super) fn forget(path: &Path, points: &[Identity]) -> Result<(), RunError> {
    let contents = match read(path) {
        Err(RunError::Version { .. }) => Contents::default(),
        contents => contents?,
    };
    let points: BTreeSet<&Identity> = points.iter().collect();
    let saved = contents.saved();
    let known = contents.records.iter().map(Record::encode);
    let others = known.chain(contents.unknown).filter(|payload| {
        // A record opens with the identity of its point.
        payload.first_chunk().is_none_or(|identity| !points.contains(identity))
    });
    write_payloads(path, others, saved).map(drop)
}

/// Writes a journal of these payloads in one go, in the place of one with `saved` batches; its length in bytes.
fn write_payloads(
    path: &Path,
    payloads: impl Iterator<Item = Vec<u8>>,
    saved: u64,
) -> Result<u64, RunError> {
    let mut bytes = header();
    payloads.for_each(|payload| bytes.extend(frame::encode(&payload)));
    files::write_atomic(path, &bytes).map_err(|source| RunError::Rewrite {
        path: path.to_owned(),
        saved,
        source,
    })?;
    Ok(bytes.len() as u64)
}

/// Appends a frame of any payload, for tests of records that nobody writes yet.
#[cfg(test)]
pub(in super::super) fn append_payload(path: &Path, payload: &[u8]) {
    let mut file = File::options().append(true).open(path).unwrap();
    file.write_all(&frame::encode(payload)).unwrap();
}
