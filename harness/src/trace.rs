//! The trace of an experiment: found or made, digested, its keys read once per kind of key.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;

use loadfactor_schemes::keys::{Attributes, LONGEST_TRACE_KEY, TraceKeys};
use loadfactor_traces::{Input, KeyKind, LONGEST_KEY, SynthError, TraceError, create};

use crate::definition::{Reading, TraceOrigin, TraceSource};
use crate::files::create_folder;

mod kept;
mod parsed;
mod synthetic;

use kept::KeptKeys;
use parsed::Parsed;
pub use synthetic::{Unmade, unmade};

// Hash functions are made for keys of the greatest length that a trace may give.
const _: () = assert!(LONGEST_TRACE_KEY == LONGEST_KEY);

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// A trace that cannot be used.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read as a trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The folder of the synthetic traces cannot be made. Choose another or change its permissions.
    #[error("cannot create the folder {}: {source}; choose another with --out", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A synthetic trace cannot be made.
    #[error("cannot make the synthetic trace {}: {source}", path.display())]
    Synthetic {
        /// The file.
        path: PathBuf,
        /// Why.
        source: SynthError,
    },
    /// No packet has the key that the experiment stores.
    #[error(
        "{label}: none of its {packets} packets has a `{kind}` key{}; choose other `key_fields` or another trace",
        left_out(*untimed)
    )]
    NoKeys {
        /// The files.
        label: String,
        /// The fields asked for.
        kind: KeyKind,
        /// Packets read.
        packets: u64,
        /// Packets that no span of times holds, because they have none.
        untimed: u64,
    },
}

/// What is said of packets without a time where times are asked for.
fn left_out(untimed: u64) -> String {
    match untimed {
        0 => String::new(),
        _ => format!(", and {untimed} are left out, which have no time"),
    }
}

/// A trace with the keys that an experiment needs of it.
#[derive(Debug)]
pub struct LoadedTrace {
    /// The files, in the order in which they are read.
    pub files: Vec<PathBuf>,
    /// SHA-256 of the files one behind the other, in hexadecimal.
    pub digest: String,
    /// How they were read.
    pub reading: Reading,
    /// The keys, by kind.
    pub keys: BTreeMap<String, KeysOfKind>,
}

/// The keys of one kind, with and without repeats.
#[derive(Debug)]
pub struct KeysOfKind {
    /// Every packet that has such a key.
    pub all: Arc<TraceKeys>,
    /// The first packet of each key.
    pub distinct: Arc<TraceKeys>,
    /// Packets in the file.
    pub packets: u64,
    /// Packets without such a key.
    pub without_key: u64,
    /// Packets that no span of times holds, because they have none; 0 where no times are asked for.
    pub untimed: u64,
    /// Parts of the files that could not be read.
    pub damages: Vec<String>,
    /// What the packets without IP headers carry, the most frequent first, and how many they are.
    pub unread: Vec<(String, u64)>,
    /// Whether many records have protocols that do not exist: their layout may be another one.
    pub layout_is_doubtful: bool,
}

/// Loads the trace with these kinds of keys and, where its files have them, these attributes of its packets; a synthetic
/// one is made below `folder` first, unless it is already there. The keys of long captures are kept there for the
/// next time, where that can be written.
///
/// # Errors
/// Where the trace cannot be made, read, or has none of the keys.
pub fn load(
    source: &TraceSource,
    kinds: &[KeyKind],
    attributes: Attributes,
    folder: &Path,
) -> Result<LoadedTrace, LoadError> {
    let (words, layout) = match &source.origin {
        TraceOrigin::Files(paths) => (paths.clone(), source.reading.layout),
        TraceOrigin::Synthetic(trace) => (vec![synthetic::made(*trace, folder)?], None),
    };
    let lasts = !words.iter().any(|word| is_read_once(word));
    let words = words
        .into_iter()
        .enumerate()
        .map(
            |(place, word)| if is_read_once(&word) { kept(&word, place, folder) } else { Ok(word) },
        )
        .collect::<Result<Vec<_>, _>>()?;
    let reading = Reading { layout, ..source.reading };
    let Reading { decoding, span, .. } = reading;
    let input = Input { files: Vec::new(), layout, decoding, span }.of_words(&words)?;
    let kept = if lasts { KeptKeys::of(&input, folder) } else { None };
    let keys = kinds
        .iter()
        .map(|&kind| Ok((kind.to_string(), keys_of(&input, kind, attributes, kept.as_ref())?)))
        .collect::<Result<_, LoadError>>()?;
    let digest = match kept {
        Some(kept) => kept.digest,
        None => digest_of(&input.files)?,
    };
    Ok(LoadedTrace { files: input.files, digest, reading, keys })
}

impl LoadedTrace {
    /// The files as one name: the first, and how many more there are.
    pub fn label(&self) -> String {
        label(&self.files)
    }

    /// Bytes that its keys take in memory, which all threads share.
    pub fn bytes(&self) -> u64 {
        self.keys.values().map(|keys| keys.all.bytes() + keys.distinct.bytes()).sum()
    }
}

fn label(files: &[PathBuf]) -> String {
    let first = files.first().map(|first| first.display().to_string()).unwrap_or_default();
    match files.len() {
        0 | 1 => first,
        number => format!("{first} and {} more", number - 1),
    }
}

fn keys_of(
    input: &Input,
    kind: KeyKind,
    attributes: Attributes,
    kept: Option<&KeptKeys>,
) -> Result<KeysOfKind, LoadError> {
    let parsed = match kept {
        Some(kept) => kept.read_or_parse(input, kind, attributes)?,
        None => Parsed::read(input, kind, attributes)?,
    };
    let (packets, untimed) = (parsed.packets, parsed.untimed);
    let none = || LoadError::NoKeys { label: label(&input.files), kind, packets, untimed };
    parsed.in_memory().ok_or_else(none)
}

/// Whether what was read of it is gone: a trace is read several times.
fn is_read_once(word: &Path) -> bool {
    word == Path::new(STANDARD_INPUT) || is_pipe(word)
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata().is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Keeps what standard input or a pipe gives beside the synthetic traces.
fn kept(word: &Path, place: usize, folder: &Path) -> Result<PathBuf, LoadError> {
    let kept = match word == Path::new(STANDARD_INPUT) {
        true => folder.join("standard-input"),
        false => folder.join(format!("pipe-{}", place + 1)),
    };
    create_folder(folder)
        .map_err(|source| LoadError::Folder { path: folder.to_owned(), source })?;
    let copied = create(&kept, |output| match word == Path::new(STANDARD_INPUT) {
        true => io::copy(&mut io::stdin().lock(), output),
        false => io::copy(&mut File::open(word)?, output),
    });
    copied.map_err(|source| LoadError::File { path: word.to_owned(), source })?;
    Ok(kept)
}

fn digest(path: &Path) -> io::Result<String> {
    let mut writer = DigestWriter(Sha256::new());
    io::copy(&mut File::open(path)?, &mut writer)?;
    Ok(writer.digest())
}

/// The digest of the files one behind the other.
fn digest_of(files: &[PathBuf]) -> Result<String, LoadError> {
    let mut writer = DigestWriter(Sha256::new());
    for path in files {
        let copied = File::open(path).and_then(|mut file| io::copy(&mut file, &mut writer));
        copied.map_err(|source| LoadError::File { path: path.clone(), source })?;
    }
    Ok(writer.digest())
}

/// Digests what is written to it.
struct DigestWriter(Sha256);

impl DigestWriter {
    /// In hexadecimal.
    fn digest(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl io::Write for DigestWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
