//! A file as a stream of decompressed bytes; the compression is told by content, never by name.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use crate::error::TraceError;

/// Compressed bytes read at a time: larger steps gain nothing for any of the decoders.
const READ_SIZE: usize = 64 * 1024;

/// Bytes looked at to tell the compression: the longest magic, that of xz.
const MAGIC_LENGTH: usize = 6;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    Plain,
    /// gzip (RFC 1952), any number of members.
    Gzip,
    /// Zstandard (RFC 8878), any number of frames.
    Zstd,
    /// xz, any number of streams.
    Xz,
    /// LZ4 frames.
    Lz4,
}

impl Compression {
    /// Tells the compression from the first bytes of a file.
    ///
    /// Four bytes decide for all but xz, so that a headerless file of flow keys is mistaken for a
    /// compressed one only if its first address happens to be a magic number.
    pub fn of_magic(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, 0x08, flags, ..] if flags & 0xe0 == 0 => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            [0x04, 0x22, 0x4d, 0x18, ..] => Compression::Lz4,
            _ => Compression::Plain,
        }
    }

    fn decoder<R: Read + Send + 'static>(self, raw: R) -> io::Result<Box<dyn Read + Send>> {
        let buffered = |raw| BufReader::with_capacity(READ_SIZE, raw);
        Ok(match self {
            Compression::Plain => Box::new(raw),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(raw))),
            Compression::Zstd => Box::new(zstd::Decoder::with_buffer(buffered(raw))?),
            Compression::Xz => {
                Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(buffered(raw)))
            }
            Compression::Lz4 => {
                Box::new(Lz4Frames(lz4_flex::frame::FrameDecoder::new(buffered(raw))))
            }
        })
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Plain => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Xz => "xz",
            Compression::Lz4 => "lz4",
        })
    }
}

/// LZ4 frames one after the other.
///
/// The decoder says "end" after each frame and starts the next one on the read that follows.
struct Lz4Frames<R: Read>(lz4_flex::frame::FrameDecoder<R>);

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 => self.0.read(into),
            length => Ok(length),
        }
    }
}

/// A decompressed stream, and how it was compressed.
pub(crate) struct Source {
    pub(crate) compression: Compression,
    pub(crate) reader: Box<dyn Read + Send>,
}

impl Source {
    /// Opens a file. A pipe will do: nothing is read twice.
    pub(crate) fn open(path: &Path) -> Result<Self, TraceError> {
        File::open(path)
            .and_then(Self::new)
            .map_err(|source| TraceError::Open { path: path.to_owned(), source })
    }

    /// Takes any stream of bytes.
    pub(crate) fn new(mut raw: impl Read + Send + 'static) -> io::Result<Self> {
        let mut start = Vec::with_capacity(MAGIC_LENGTH);
        raw.by_ref().take(MAGIC_LENGTH as u64).read_to_end(&mut start)?;
        let compression = Compression::of_magic(&start);
        let reader = compression.decoder(Cursor::new(start).chain(raw))?;
        Ok(Source { compression, reader })
    }
}
