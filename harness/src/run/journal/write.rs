//! Appending to a journal so that it is valid at every moment.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loadfactor_traces::create;
use sha2::{Digest, Sha256};

use super::super::error::RunError;
use super::super::work::Identity;
use super::read::{Scan, scan};
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
    /// Opens the journal at `path` behind what `scan` found in it, and cuts off what
    /// follows. A journal that is damaged inside is written anew first, without the damage. Where nothing was found
    /// it starts anew.
    pub(in super::super) fn open(path: &Path, scan: &Scan) -> Result<Self, RunError> {
        let saved = scan.records;
        let whole = match scan.is_damaged_inside() {
            true => rewrite(path, saved, |_| true)?,
            false => scan.whole,
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

/// Why a journal was not written anew.
#[derive(Debug)]
pub(in super::super) enum Failure {
    /// What it was to be made of cannot be read.
    Source(RunError),
    /// It cannot be written.
    Output(io::Error),
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Failure::Source(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// Writes a journal of the frames that `frames` writes: whole, or not at all; then the one at `path` still has its
/// `saved` batches. Its length in bytes.
pub(in super::super) fn write_anew(
    path: &Path,
    saved: u64,
    frames: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<u64, RunError> {
    let written = create(path, |output| {
        let mut counted = Counted { output, bytes: 0 };
        counted.write_all(&header())?;
        frames(&mut counted)?;
        Ok(counted.bytes)
    });
    written.map_err(|failure| match failure {
        Failure::Source(error) => error,
        Failure::Output(source) => RunError::Rewrite { path: path.to_owned(), saved, source },
    })
}

/// An output that counts its bytes.
struct Counted<'o> {
    output: &'o mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Writes the journal at `path` anew with the payloads that `keep` wants of those that it holds, which are
/// `saved` batches. Its length in bytes.
fn rewrite(path: &Path, saved: u64, mut keep: impl FnMut(&[u8]) -> bool) -> Result<u64, RunError> {
    write_anew(path, saved, |output| {
        let kept = scan::<Failure>(path, |found| match keep(found.payload) {
            true => Ok(output.write_all(&frame::encode(found.payload))?),
            false => Ok(()),
        });
        kept.map(drop)
    })
}

/// Writes the journal at `path`, which holds `saved` batches, anew with each of its records once.
pub(in super::super) fn compact(path: &Path, saved: u64) -> Result<(), RunError> {
    let mut known = BTreeSet::new();
    rewrite(path, saved, |payload| known.insert(Sha256::digest(payload))).map(drop)
}

/// Writes the journal at `path` anew without the batches of these points. Records of other points
/// stay, those that this version cannot read among them; damage goes.
///
/// A journal of another version is replaced, and a file that is none is refused.
pub(in super::super) fn forget(path: &Path, points: &[Identity]) -> Result<(), RunError> {
    let saved = match scan::<RunError>(path, |_| Ok(())) {
        Err(RunError::Version { .. }) => return write_anew(path, 0, |_| Ok(())).map(drop),
        scan => scan?.records,
    };
    let points: BTreeSet<&Identity> = points.iter().collect();
    // A record opens with the identity of its point.
    let is_other =
        |payload: &[u8]| payload.first_chunk().is_none_or(|identity| !points.contains(identity));
    rewrite(path, saved, is_other).map(drop)
}

/// Writes a journal of these records, for tests.
#[cfg(test)]
pub(in super::super) fn write_whole<'a>(
    path: &Path,
    records: impl IntoIterator<Item = &'a Record>,
    saved: u64,
) -> Result<(), RunError> {
    let frames = records.into_iter().map(|record| frame::encode(&record.encode()));
    let frames: Vec<u8> = frames.flatten().collect();
    write_anew(path, saved, |output| Ok(output.write_all(&frames)?)).map(drop)
}

/// Appends a frame of any payload, for tests of records that nobody writes yet.
#[cfg(test)]
pub(in super::super) fn append_payload(path: &Path, payload: &[u8]) {
    let mut file = File::options().append(true).open(path).unwrap();
    file.write_all(&frame::encode(payload)).unwrap();
}
