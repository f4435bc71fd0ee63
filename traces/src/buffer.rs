//! A window over a stream, of the size that its longest record needs.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use crate::source::is_of_checksum;

/// Bytes held at once at first: room for the longest record of nearly all files, and for a read after it.
pub(crate) const CAPACITY: usize = 512 * 1024;

/// Most bytes asked of the stream at a time.
const STEP: usize = 64 * 1024;

/// The bytes of a stream that are in memory now: at most [`CAPACITY`], or what was [wanted](Self::fill) at once,
/// whatever the stream's length.
pub(crate) struct Buffer {
    reader: Box<dyn Read + Send>,
    bytes: Vec<u8>,
    window: Range<usize>,
    /// Offset in the stream of the window's first byte.
    offset: u64,
    ended: bool,
    failure: Option<Failure>,
}

/// What ended a stream early.
#[derive(Debug)]
pub(crate) struct Failure {
    /// In the words of the system, or of the decoder.
    pub(crate) why: String,
    /// Whether it says that something before is wrong.
    pub(crate) is_of_checksum: bool,
}

impl Buffer {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Self {
        Buffer {
            reader,
            bytes: vec![0; CAPACITY],
            window: 0..0,
            offset: 0,
            ended: false,
            failure: None,
        }
    }

    /// The bytes that are in memory and not yet consumed.
    #[inline]
    pub(crate) fn data(&self) -> &[u8] {
        &self.bytes[self.window.clone()]
    }

    /// Offset in the stream of the first byte of [`data`](Self::data).
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// What ended the stream early, if anything did.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Moves past `length` bytes of the data; they stay [`at`](Self::at) their place until the next
    /// call of [`fill`](Self::fill).
    #[inline]
    pub(crate) fn consume(&mut self, length: usize) -> Range<usize> {
        let start = self.window.start;
        self.window.start = (start + length).min(self.window.end);
        self.offset += (self.window.start - start) as u64;
        start..self.window.start
    }

    /// Bytes that were just consumed.
    #[inline]
    pub(crate) fn at(&self, place: Range<usize>) -> &[u8] {
        &self.bytes[place]
    }

    /// Reads until at least `wanted` bytes are there; false if the stream ends before.
    pub(crate) fn fill(&mut self, wanted: usize) -> bool {
        if self.window.start + wanted > self.bytes.len() {
            self.bytes.copy_within(self.window.clone(), 0);
            self.window = 0..self.window.len();
        }
        while self.window.len() < wanted && !self.ended {
            if self.window.end == self.bytes.len() {
                self.grow(wanted);
            }
            self.read_once();
        }
        self.window.len() >= wanted
    }

    /// Makes room for more of what is wanted: for no more than was read already, since a length that a damaged
    /// file states need not be there.
    #[cold]
    fn grow(&mut self, wanted: usize) {
        self.bytes.resize(wanted.min(2 * self.bytes.len()), 0);
    }

    /// Moves past `length` bytes that need not fit in memory; returns how many there were.
    pub(crate) fn skip(&mut self, length: u64) -> u64 {
        let mut left = length;
        while left > 0 && (!self.data().is_empty() || self.fill(1)) {
            let step = left.min(self.data().len() as u64);
            self.consume(step as usize);
            left -= step;
        }
        length - left
    }

    fn read_once(&mut self) {
        let free = self.window.end..self.bytes.len().min(self.window.end + STEP);
        match self.reader.read(&mut self.bytes[free]) {
            Ok(0) => self.ended = true,
            Ok(length) => self.window.end += length,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                self.ended = true;
                let is_of_checksum = is_of_checksum(&error);
                self.failure = Some(Failure { why: error.to_string(), is_of_checksum });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(length: usize) -> Buffer {
        let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        Buffer::new(Box::new(std::io::Cursor::new(bytes)))
    }

    #[test]
    fn gives_every_byte_once_and_in_order() {
        let mut buffer = counting(3 * CAPACITY + 17);
        let mut seen = 0;
        while buffer.fill(1000) {
            assert_eq!(buffer.data()[0], (seen % 251) as u8);
            assert_eq!(buffer.offset(), seen as u64);
            buffer.consume(997);
            seen += 997;
        }
        assert_eq!(seen + buffer.data().len(), 3 * CAPACITY + 17);
    }

    #[test]
    fn grows_for_what_is_wanted_and_there() {
        let mut buffer = counting(5 * CAPACITY);
        assert!(buffer.fill(17));
        buffer.consume(17);
        assert!(buffer.fill(4 * CAPACITY));
        let seen = &buffer.data()[..4 * CAPACITY];
        assert!(seen.iter().enumerate().all(|(i, &byte)| byte == ((i + 17) % 251) as u8));
        assert_eq!(buffer.bytes.len(), 4 * CAPACITY);
        assert!(!buffer.fill(1000 * CAPACITY));
        assert_eq!(buffer.data().len(), 5 * CAPACITY - 17);
        assert!(buffer.bytes.len() <= 8 * CAPACITY, "{}", buffer.bytes.len());
    }

    #[test]
    fn skips_more_than_it_holds() {
        let mut buffer = counting(3 * CAPACITY);
        assert_eq!(buffer.skip(2 * CAPACITY as u64), 2 * CAPACITY as u64);
        assert!(buffer.fill(1));
        assert_eq!(buffer.data()[0], (2 * CAPACITY % 251) as u8);
        assert_eq!(buffer.skip(u64::MAX), CAPACITY as u64);
    }
}
