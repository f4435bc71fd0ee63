//! From compressed bytes to the bytes of the file, within a limit of memory.

use std::io::{self, BufReader, Read};

use liblzma::stream::{CONCATENATED, Error as XzError, Stream};

use super::Decoding;
use super::compression::Compression;
use super::lz4::Lz4Frames;

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
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(raw)?;
            decoder.window_log_max(memory.max(1024).ilog2().min(31))?;
            Box::new(Limited { decoder, memory })
        }
        Compression::Xz => {
            let stream = Stream::new_stream_decoder(memory, CONCATENATED)?;
            let decoder = liblzma::bufread::XzDecoder::new_stream(raw, stream);
            Box::new(Limited { decoder, memory })
        }
        Compression::Lz4 => Box::new(Lz4Frames::new(raw)),
    })
}

/// A decoder that says what to do where a file asks for more memory than allowed.
struct Limited<R> {
    decoder: R,
    memory: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(into).map_err(|error| match asks_for_too_much(&error) {
            true => io::Error::other(format!(
                "it asks for more memory than the {} MiB that a decoder may take; allow more with \
                 --decoder-memory",
                self.memory >> 20
            )),
            false => error,
        })
    }
}

fn asks_for_too_much(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<XzError>());
    let of_xz = inner.is_some_and(|inner| *inner == XzError::MemLimit);
    // zstd gives its errors as text alone.
    of_xz || error.to_string() == "Frame requires too much memory for decoding"
}
