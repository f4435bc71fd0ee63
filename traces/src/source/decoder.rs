//! From compressed bytes to the bytes of the file, within a limit of memory.

use std::io::{self, BufReader, Read};

use super::Decoding;
use super::codecs::{Bzip2, Gzip, Xz, Zstd};
use super::compression::Compression;
use super::lz4::Lz4Frames;
use super::members::Members;

/// Compressed bytes read at a time: larger steps gain nothing for any of the decoders.
const READ_SIZE: usize = 64 * 1024;

/// The bytes behind the compression of a stream.
///
/// zstd and xz let a file ask for gigabytes; they are held to the limit. The other decoders take
/// less than 20 MB whatever the file says.
pub(super) fn decoder<R: Read + Send + 'static>(
    compression: Compression,
    raw: R,
    decoding: &Decoding,
) -> io::Result<Box<dyn Read + Send>> {
    let raw = BufReader::with_capacity(READ_SIZE, raw);
    let memory = decoding.memory;
    Ok(match compression {
        Compression::Plain => Box::new(raw.into_inner()),
        Compression::Gzip => Box::new(Members::new(raw, Gzip::new())),
        Compression::Bzip2 => Box::new(Members::new(raw, Bzip2::new())),
        Compression::Zstd => Box::new(Members::new(raw, Zstd::new(memory)?)),
        Compression::Xz => Box::new(Members::new(raw, Xz::new(memory)?)),
        Compression::Lz4 => Box::new(Lz4Frames::new(raw)),
    })
}
