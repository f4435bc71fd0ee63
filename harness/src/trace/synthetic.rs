//! Synthetic traces: made below the folder of traces, and known again there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loadfactor_traces::{SynthError, SynthSpec, SynthSummary, create, synth, synth_link_beginning};
use sha2::{Digest, Sha256};

use super::kept::{FOLDER, LEAST_BYTES, READER};
use super::{DigestWriter, LoadError, digest};
use crate::definition::{SyntheticTrace, TraceOrigin, TraceSource};
use crate::files::{create_folder, write_atomic};

/// A synthetic trace that a run would make first.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmade {
    /// The file that it would make.
    pub path: PathBuf,
    /// Packets in it.
    pub packets: u64,
    /// Bytes that it would take, about.
    pub bytes: f64,
}

/// Packets from which the size of a synthetic trace is told.
const SAMPLE: u64 = 10_000;

/// The trace that would be made below `folder`, unless there is a file of its name already.
///
/// # Errors
/// Where its parameters are impossible.
pub fn unmade(source: &TraceSource, folder: &Path) -> Result<Option<Unmade>, LoadError> {
    let TraceOrigin::Synthetic(trace) = source.origin else { return Ok(None) };
    let path = synthetic_path(trace, folder);
    if path.exists() {
        return Ok(None);
    }
    let mut sample = Vec::new();
    let written = write_beginning(trace, SAMPLE, &mut sample)
        .map_err(|source| LoadError::Synthetic { path: path.clone(), source })?;
    let packets = trace.packets;
    let bytes = sample.len() as f64 / written.packets.max(1) as f64 * packets as f64;
    Ok(Some(Unmade { path, packets, bytes }))
}

fn synthetic_path(trace: SyntheticTrace, folder: &Path) -> PathBuf {
    let SyntheticTrace { packets, seed, preset } = trace;
    let link = preset.map(|preset| format!("{preset}-")).unwrap_or_default();
    folder.join(format!("synthetic-{link}{packets}-{seed}.pcap"))
}

/// Writes the first packets of a synthetic capture, at most so many.
fn write_beginning(
    trace: SyntheticTrace,
    packets: u64,
    output: impl io::Write,
) -> Result<SynthSummary, SynthError> {
    let packets = trace.packets.min(packets);
    match trace.link() {
        Some(link) => synth_link_beginning(&link, packets, output),
        None => synth(&uniform(trace, packets), output),
    }
}

/// What is written of a capture that is like no link.
fn uniform(trace: SyntheticTrace, packets: u64) -> SynthSpec {
    SynthSpec { packets, seed: trace.seed, ..SynthSpec::default() }
}

/// The file of a synthetic capture, made unless it is there byte by byte: a damaged file, or one
/// of another version of the generator, is made again.
pub(super) fn made(trace: SyntheticTrace, folder: &Path) -> Result<PathBuf, LoadError> {
    let path = synthetic_path(trace, folder);
    let failed = |source| LoadError::Synthetic { path: path.clone(), source };
    let (found, known) = (digest(&path).ok(), KnownDigest::of(trace, folder));
    if found.is_some() && found == known.read() {
        return Ok(path);
    }
    let mut wanted = DigestWriter(Sha256::new());
    write_beginning(trace, trace.packets, &mut wanted).map_err(failed)?;
    let wanted = wanted.digest();
    if found.as_ref() != Some(&wanted) {
        create_folder(folder)
            .map_err(|source| LoadError::Folder { path: folder.to_owned(), source })?;
        create(&path, |output| write_beginning(trace, trace.packets, output)).map_err(failed)?;
    }
    if fs::metadata(&path).is_ok_and(|file| file.len() >= LEAST_BYTES) {
        // The folder may be write-protected or full: then the next process makes the capture again to compare.
        let _ = known.keep(&wanted);
    }
    Ok(path)
}

/// The digest of a synthetic capture, kept from one process to the next, so that the capture need not be made again to
/// know whether a file is it.
struct KnownDigest(PathBuf);

impl KnownDigest {
    /// The file is named by all that decides what is made: the parameters, and the program that makes it.
    fn of(trace: SyntheticTrace, folder: &Path) -> Self {
        let said = match trace.link() {
            Some(link) => format!("{READER} {link:?}"),
            None => format!("{READER} {:?}", uniform(trace, trace.packets)),
        };
        let name = DigestWriter(Sha256::new_with_prefix(said)).digest();
        Self(folder.join(FOLDER).join(format!("synthetic-{name}")))
    }

    /// `None` where it was not kept.
    fn read(&self) -> Option<String> {
        fs::read_to_string(&self.0).ok()
    }

    fn keep(&self, digest: &str) -> io::Result<()> {
        self.0.parent().map_or(Ok(()), create_folder)?;
        write_atomic(&self.0, digest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: SyntheticTrace = SyntheticTrace { packets: 20_000, seed: 3, preset: None };

    /// A folder with the capture in it, and the file with its digest.
    fn case() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let capture = made(TRACE, folder.path()).unwrap();
        let known = KnownDigest::of(TRACE, folder.path()).0;
        (folder, capture, known)
    }

    /// A capture that was cut short, or a digest that was kept of another, gives no other keys.
    #[test]
    fn a_damaged_capture_or_digest_is_made_again() {
        let (folder, capture, known) = case();
        let whole = [&capture, &known].map(|path| fs::read(path).unwrap());
        for damaged in [&capture, &known] {
            let bytes = fs::read(damaged).unwrap();
            fs::write(damaged, &bytes[..bytes.len() - 1]).unwrap();
            made(TRACE, folder.path()).unwrap();
            assert!([&capture, &known].map(|path| fs::read(path).unwrap()) == whole);
        }
    }

    /// That the digest is used at all is seen where it is of other bytes.
    #[test]
    fn a_capture_of_the_known_digest_is_not_made_again() {
        let (folder, capture, known) = case();
        fs::write(&capture, "another").unwrap();
        fs::write(&known, digest(&capture).unwrap()).unwrap();
        made(TRACE, folder.path()).unwrap();
        assert_eq!(fs::read(&capture).unwrap(), b"another");
    }

    #[test]
    fn other_captures_have_digests_of_their_own() {
        let link = Some(loadfactor_traces::Preset::Caida);
        let others = [
            TRACE,
            SyntheticTrace { packets: 20_001, ..TRACE },
            SyntheticTrace { seed: 4, ..TRACE },
            SyntheticTrace { preset: link, ..TRACE },
        ];
        let mut names = others.map(|trace| KnownDigest::of(trace, Path::new("")).0).to_vec();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), others.len());
    }

    #[test]
    fn short_captures_are_made_again_to_compare() {
        let folder = tempfile::tempdir().unwrap();
        made(SyntheticTrace { packets: 100, ..TRACE }, folder.path()).unwrap();
        assert!(!folder.path().join(FOLDER).exists());
    }
}
