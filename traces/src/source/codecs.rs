//! The libraries that decode a member, step by step.

use std::io;

use flate2::FlushDecompress;
use liblzma::stream::{Action, Error as XzError, Stream};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, InBuffer, Operation, OutBuffer};

use super::checksum::of_checksum;
use super::members::{Codec, Step};

/// Bits of the window of gzip.
const GZIP_WINDOW: u8 = 15;
/// Bytes that begin a frame of zstd; how many it wants next it says itself.
const ZSTD_START: usize = 5;
/// Bytes of the header of a block of zstd.
const ZSTD_BLOCK_HEADER: usize = 3;

pub(super) struct Gzip(flate2::Decompress);

impl Gzip {
    pub(super) fn new() -> Self {
        Gzip(flate2::Decompress::new_gzip(GZIP_WINDOW))
    }
}

impl Codec for Gzip {
    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new();
        Ok(())
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = [self.0.total_in(), self.0.total_out()];
        let result = self.0.decompress(input, output, FlushDecompress::None);
        let outcome = match result {
            Ok(status) => Ok(status == flate2::Status::StreamEnd),
            Err(fault) => Err(match fault.message() {
                Some(why @ ("incorrect data check" | "incorrect length check")) => of_checksum(why),
                _ => fault.into(),
            }),
        };
        step(before, [self.0.total_in(), self.0.total_out()], outcome)
    }
}

pub(super) struct Bzip2(bzip2::Decompress);

impl Bzip2 {
    pub(super) fn new() -> Self {
        Bzip2(bzip2::Decompress::new(false))
    }
}

impl Codec for Bzip2 {
    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new();
        Ok(())
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = [self.0.total_in(), self.0.total_out()];
        let outcome = match self.0.decompress(input, output) {
            Ok(status) => Ok(status == bzip2::Status::StreamEnd),
            // One number for both; a block is given before its checksum is looked at.
            Err(bzip2::Error::Data) => Err(of_checksum("corrupt bzip2 data")),
            Err(fault) => Err(fault.into()),
        };
        step(before, [self.0.total_in(), self.0.total_out()], outcome)
    }
}

pub(super) struct Xz {
    stream: Stream,
    memory: u64,
}

impl Xz {
    pub(super) fn new(memory: u64) -> io::Result<Self> {
        Ok(Xz { stream: Stream::new_stream_decoder(memory, 0)?, memory })
    }
}

impl Codec for Xz {
    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new(self.memory)?;
        Ok(())
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = [self.stream.total_in(), self.stream.total_out()];
        let outcome = match self.stream.process(input, output, Action::Run) {
            Ok(status) => Ok(status == liblzma::stream::Status::StreamEnd),
            // One number for both; a block is given before its checksum is looked at.
            Err(XzError::Data) => Err(of_checksum("corrupt xz data")),
            Err(XzError::MemLimit) => Err(asks_for_too_much(self.memory)),
            Err(fault) => Err(fault.into()),
        };
        step(before, [self.stream.total_in(), self.stream.total_out()], outcome)
    }
}

/// The library drops what it has written when it meets a fault: so it is given one block at a time, and
/// none as long as it has something left to write.
pub(super) struct Zstd {
    decoder: ZstdDecoder<'static>,
    memory: u64,
    /// Bytes that the decoder wants next.
    wanted: usize,
    has_rest: bool,
}

impl Zstd {
    pub(super) fn new(memory: u64) -> io::Result<Self> {
        let mut decoder = ZstdDecoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(memory.max(1024).ilog2().min(31)))?;
        Ok(Zstd { decoder, memory, wanted: ZSTD_START, has_rest: false })
    }
}

impl Codec for Zstd {
    fn restart(&mut self) -> io::Result<()> {
        self.wanted = ZSTD_START;
        self.has_rest = false;
        self.decoder.reinit()
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let wanted = if self.has_rest { 0 } else { self.wanted.min(input.len()) };
        let mut from = InBuffer::around(&input[..wanted]);
        let mut to = OutBuffer::around(output);
        let result = self.decoder.run(&mut from, &mut to);
        let (read, written, room) = (from.pos(), to.pos(), to.capacity());
        self.has_rest = written == room;
        let outcome = match result {
            Ok(wanted) => {
                // It asks for a block with the header of the next, which may be at fault.
                let is_block = wanted > ZSTD_BLOCK_HEADER;
                self.wanted = if is_block { wanted - ZSTD_BLOCK_HEADER } else { wanted };
                Ok(wanted == 0)
            }
            // The library gives its errors as text alone.
            Err(fault) => Err(match fault.to_string().as_str() {
                "Frame requires too much memory for decoding" => asks_for_too_much(self.memory),
                why @ "Restored data doesn't match checksum" => of_checksum(why),
                _ => fault,
            }),
        };
        Step { read, written, outcome }
    }
}

/// What was read and written between two states of the sums.
fn step(before: [u64; 2], after: [u64; 2], outcome: io::Result<bool>) -> Step {
    // Both are differences of places in slices.
    let [read, written] = [0, 1].map(|sum| (after[sum] - before[sum]) as usize);
    Step { read, written, outcome }
}

fn asks_for_too_much(memory: u64) -> io::Error {
    io::Error::other(format!(
        "it asks for more memory than the {} MiB that a decoder may take; allow more with \
         --decoder-memory",
        memory >> 20
    ))
}
