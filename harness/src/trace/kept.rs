//! The keys of captures kept from one process to the next.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use loadfactor_schemes::keys::Attributes;
use loadfactor_traces::{Input, KeyKind, TraceError, create};
use sha2::{Digest, Sha256};

use super::parsed::Parsed;
use super::{DigestWriter, digest_of};
use crate::files::create_folder;

mod file;

/// Bytes of a capture from which its keys are kept: shorter ones are parsed in some milliseconds.
pub(super) const LEAST_BYTES: u64 = 1 << 20;

/// Folder of the keys beside the synthetic traces. Hidden folders and their files are no part of a trace, whatever
/// folder or pattern names it.
pub(super) const FOLDER: &str = ".keys";

/// A digest of the sources that read captures: other ones may give other keys.
pub(super) const READER: &str = env!("LOADFACTOR_READER");

/// The kept keys of a trace, or the place for them.
///
/// Each kind of key has a file, named by a digest of all that decides its content: the content of the trace's files,
/// their names and lengths, how they are read, and the program that reads them.
#[derive(Debug, Clone)]
pub(super) struct KeptKeys {
    /// SHA-256 of the files one behind the other, in hexadecimal.
    pub(super) digest: String,
    /// The files as they were before they were digested.
    before: Vec<Look>,
    folder: PathBuf,
}

/// The length of a file and when it was written to.
type Look = (u64, Option<SystemTime>);

impl KeptKeys {
    /// Those of a trace whose files are regular and long enough to be worth it. The files are digested, so that
    /// one that was changed has no keys yet.
    pub(super) fn of(input: &Input, folder: &Path) -> Option<Self> {
        let before = looks(&input.files).ok()?;
        let bytes: u64 = before.iter().map(|(length, _)| length).sum();
        if bytes < LEAST_BYTES {
            return None;
        }
        // Who reads the files says what is wrong with them.
        let digest = digest_of(&input.files).ok()?;
        Some(Self { digest, before, folder: folder.join(FOLDER) })
    }

    /// The keys as they were kept, else as the files give them, which are then kept.
    ///
    /// # Errors
    /// As [`Parsed::read`]. That keys cannot be kept is none.
    pub(super) fn read_or_parse(
        &self,
        input: &Input,
        kind: KeyKind,
        attributes: Attributes,
    ) -> Result<Parsed, TraceError> {
        let name = self.name(input, kind, attributes);
        let path = self.folder.join(format!("{kind}-{name}"));
        if let Some(kept) = file::read(&path, &name) {
            return Ok(kept);
        }
        let parsed = Parsed::read(input, kind, attributes)?;
        // A capture that is still being written would leave the keys of more packets than were digested.
        if !parsed.ids.is_empty() && looks(&input.files).is_ok_and(|now| now == self.before) {
            // The folder may be write-protected or full: then the next process parses the files too.
            let _ = self.keep(&path, &name, &parsed);
        }
        Ok(parsed)
    }

    fn keep(&self, path: &Path, name: &str, parsed: &Parsed) -> io::Result<()> {
        create_folder(&self.folder)?;
        create(path, |output| file::write(output, name, parsed))
    }

    /// A digest of all that decides what is read.
    fn name(&self, input: &Input, kind: KeyKind, attributes: Attributes) -> String {
        let lengths: Vec<u64> = self.before.iter().map(|(length, _)| *length).collect();
        let said = format!(
            "{} {READER} {} {lengths:?} {input:?} {kind} {attributes:?}",
            file::VERSION,
            self.digest
        );
        DigestWriter(Sha256::new_with_prefix(said)).digest()
    }
}

/// The files as they are now.
fn looks(files: &[PathBuf]) -> io::Result<Vec<Look>> {
    let look = |path: &PathBuf| {
        let found: Metadata = fs::metadata(path)?;
        match found.is_file() {
            true => Ok((found.len(), found.modified().ok())),
            false => Err(io::Error::from(io::ErrorKind::InvalidInput)),
        }
    };
    files.iter().map(look).collect()
}

#[cfg(test)]
mod tests;
