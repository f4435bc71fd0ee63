//! Checksums that do not match: faults of what stands before them.

use std::io::{self, ErrorKind};

/// A checksum of the compression that does not match what was decompressed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongChecksum(String);

/// The error that a decoder gives where a checksum does not match, or may not.
pub(super) fn of_checksum(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, WrongChecksum(why.to_owned()))
}

/// Whether an error is one of a checksum.
pub(crate) fn is_of_checksum(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<WrongChecksum>())
}
