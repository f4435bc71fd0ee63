//! A file as a stream of decompressed bytes; the compression is told by content, never by name.

mod checksum;
mod codecs;
pub(crate) mod compression;
mod decoder;
mod lz4;
mod members;

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

use crate::error::TraceError;
pub(crate) use checksum::is_of_checksum;
pub use compression::Compression;
use compression::skippable;

/// Bytes looked at to tell the compression: the longest magic, that of xz.
const MAGIC_LENGTH: usize = 6;

/// The path that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// How the bytes of a file are decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoding {
    /// The compression, where content is not to tell it: headerless records may look compressed.
    pub compression: Option<Compression>,
    /// Most bytes of memory that a decoder may take; a file that asks for more is not read.
    pub memory: u64,
}

impl Default for Decoding {
    /// Told by content, in at most 256 MiB: `xz -9` takes 65 MiB, `zstd --ultra -22` 128 MiB.
    fn default() -> Self {
        Decoding { compression: None, memory: 256 << 20 }
    }
}

/// A decompressed stream, and how it was compressed.
pub(crate) struct Source {
    pub(crate) compression: Compression,
    pub(crate) reader: Box<dyn Read + Send>,
}

impl Source {
    /// Opens a file, or standard input for `-`. A pipe will do: nothing is read twice.
    pub(crate) fn open(path: &Path, decoding: &Decoding) -> Result<Self, TraceError> {
        let opened = match path == Path::new(STANDARD_INPUT) {
            true => Self::new(io::stdin(), decoding),
            false => File::open(path).and_then(|file| Self::new(file, decoding)),
        };
        opened.map_err(|source| TraceError::Open { path: path.to_owned(), source })
    }

    /// Takes any stream of bytes.
    pub(crate) fn new(raw: impl Read + Send + 'static, decoding: &Decoding) -> io::Result<Self> {
        match decoding.compression {
            Some(compression) => Self::decoded(compression, raw, decoding),
            None => Self::told_by_content(raw, decoding),
        }
    }

    fn told_by_content(
        mut raw: impl Read + Send + 'static,
        decoding: &Decoding,
    ) -> io::Result<Self> {
        let mut start = magic(&mut raw)?;
        if !skippable(&start) {
            let compression = Compression::of_magic(&start);
            return Self::decoded(compression, Cursor::new(start).chain(raw), decoding);
        }
        while skippable(&start) {
            start = after_skippable(start, &mut raw)?;
        }
        let compression = match Compression::of_magic(&start) {
            found @ (Compression::Zstd | Compression::Lz4) => found,
            _ if start.is_empty() => Compression::Zstd,
            _ => return Err(neither_zstd_nor_lz4()),
        };
        Self::decoded(compression, Cursor::new(start).chain(raw), decoding)
    }

    fn decoded(
        compression: Compression,
        raw: impl Read + Send + 'static,
        decoding: &Decoding,
    ) -> io::Result<Self> {
        let reader = decoder::decoder(compression, raw, decoding)?;
        Ok(Source { compression, reader })
    }
}

fn neither_zstd_nor_lz4() -> io::Error {
    let reason = "it begins with a skippable frame, as zstd and lz4 have them, but neither follows; \
                  if it is not compressed, say so with --compression none";
    io::Error::new(ErrorKind::InvalidData, reason)
}

fn magic(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(MAGIC_LENGTH);
    raw.take(MAGIC_LENGTH as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The first bytes behind the skippable frame that begins with `start`.
fn after_skippable(start: Vec<u8>, raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut frame = Cursor::new(start).chain(raw);
    let mut header = [0; 8];
    frame.read_exact(&mut header)?;
    let [_, _, _, _, a, b, c, d] = header;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    if io::copy(&mut (&mut frame).take(length), &mut io::sink())? < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    magic(&mut frame)
}
