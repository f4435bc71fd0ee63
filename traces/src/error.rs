//! Why a file gave no trace at all.

use std::io;
use std::path::{Path, PathBuf};

use crate::key::KeyKind;
use crate::keys::TooManyKeys;
use crate::layout::Layout;
use crate::source::compression::Compression;

/// A file from which nothing can be read, or not what was asked.
///
/// Damage inside a file is not an error: what is whole is used, and the rest is reported in a
/// [`DamageLog`](crate::DamageLog).
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened. Check its name and permissions.
    #[error("cannot open {path}: {source}", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A folder or pattern stands for no file. Check it, or name the files.
    #[error("cannot read {path}: {reason}; name the files themselves", path = path.display())]
    NoFiles {
        /// The folder or pattern.
        path: PathBuf,
        /// What is missing.
        reason: &'static str,
    },
    /// Standard input is one of several files, whose order in time is to be found first. Read it alone.
    #[error("- (standard input) cannot be read together with other files; join them before it")]
    NotAlone,
    /// One of several captures is a pipe, whose packets are gone once its time was looked up. Read it
    /// alone, or keep what it gives in a file.
    #[error(
        "{path} is a pipe, device or socket, which can be read once; of several captures the first \
         packets are read before: save it to a file, or read it alone",
        path = path.display()
    )]
    ReadOnce {
        /// The pipe.
        path: PathBuf,
    },
    /// No time lies between the two that are asked for. Exchange them.
    #[error(
        "no packet can be of the time --from or later, and of a time before --to: exchange them"
    )]
    VoidSpan,
    /// Records have no time. Select by number.
    #[error(
        "{path}: records of flow keys have no times; select them with --packets",
        path = path.display()
    )]
    NoTimes {
        /// The file.
        path: PathBuf,
    },
    /// The content is neither pcap nor pcapng. A file of flow keys has no header: name its layout.
    #[error(
        "cannot read {path} as a capture: it is neither pcap nor pcapng{found}; \
         if it is a file of flow keys, give its layout with --layout ({layouts})",
        path = path.display(),
        layouts = Layout::names()
    )]
    NotACapture {
        /// The file.
        path: PathBuf,
        /// What was found instead, in words, or empty.
        found: String,
    },
    /// The file looks compressed, and cannot be decompressed from its very beginning.
    #[error(
        "cannot decompress {path} as {compression}: {reason}; if it is not compressed, but a file \
         of flow keys that happens to begin like it, give --compression none and its layout with \
         --layout ({layouts})",
        path = path.display(),
        layouts = Layout::names()
    )]
    Compressed {
        /// The file.
        path: PathBuf,
        /// How it seems to be compressed.
        compression: Compression,
        /// What the decoder says.
        reason: String,
    },
    /// A file of records has none. Fetch it again, or leave it out.
    #[error("cannot read {path}: it is empty", path = path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A capture was given with a layout of records. Leave the layout out.
    #[error(
        "cannot read {path} as flow keys: it is a capture, which has no layout; leave --layout out",
        path = path.display()
    )]
    IsACapture {
        /// The file.
        path: PathBuf,
    },
    /// The files hold no packet, or record, that can be read. Fetch them again, or see whether they are
    /// what they are said to be.
    #[error("nothing of {path} can be read: {why}", path = path.display())]
    Nothing {
        /// The first of the files.
        path: PathBuf,
        /// What is wrong at the first place.
        why: String,
    },
    /// The capture's file header is cut off or cannot be decompressed. Fetch the file again.
    #[error("cannot read {path}: {reason}; fetch the file again", path = path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong with the header.
        reason: String,
    },
    /// The capture's link type is not among those read. Capture on another interface, or translate its
    /// headers: to write another number into the file, as `editcap -T` does, translates nothing.
    #[error(
        "cannot read {path}: its link type {number} is unknown; known are {known}",
        path = path.display(),
        known = crate::link::LinkType::names()
    )]
    LinkType {
        /// The file.
        path: PathBuf,
        /// The link type's number in the registry of link-layer header types.
        number: u32,
    },
    /// The first line of a text names no columns of the key. Name them there, or ask for another key.
    #[error(
        "{path}: the first line, `{found}`, does not name the columns {columns}",
        path = path.display()
    )]
    NoColumns {
        /// The file.
        path: PathBuf,
        /// The columns asked for.
        columns: String,
        /// The beginning of the line.
        found: String,
    },
    /// The layout's records do not hold the key. Take one of the keys it can give, or the capture.
    #[error(
        "{path}: records of layout `{layout}` hold no `{kind}` key; they can give {available}",
        path = path.display(),
        available = layout.key_names()
    )]
    KeyNotInLayout {
        /// The file.
        path: PathBuf,
        /// The key asked for.
        kind: KeyKind,
        /// The layout of the file.
        layout: Layout,
    },
    /// The trace has more distinct keys than can be numbered. Read fewer packets of it.
    #[error(transparent)]
    TooManyKeys(#[from] TooManyKeys),
}

impl TraceError {
    /// A stream that fails at its very beginning.
    pub(crate) fn undecodable(path: &Path, compression: Compression, reason: &str) -> Self {
        let (path, reason) = (path.to_owned(), reason.to_owned());
        match compression {
            Compression::Plain => TraceError::Open { path, source: io::Error::other(reason) },
            _ => TraceError::Compressed { path, compression, reason },
        }
    }
}
