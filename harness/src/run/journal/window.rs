//! A file through a buffer that moves over it.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use crate::files;

/// Bytes read at once where what is asked for lies behind what is in the buffer.
const LONG: usize = 1 << 18;

/// Bytes read at once after a leap: those who leap from record to record want no more.
const SHORT: usize = 1 << 12;

/// A regular file of which a part is in memory: that which was asked for last and some bytes behind it. It ends
/// where it ended when it was opened, though another process may append to it meanwhile.
#[derive(Debug)]
pub(in super::super) struct Window {
    file: File,
    /// Bytes of the file.
    length: u64,
    /// Where the buffer begins in the file.
    start: u64,
    buffer: Vec<u8>,
    /// Bytes to read at once.
    ahead: usize,
}

impl Window {
    /// Opens the file.
    ///
    /// # Errors
    /// Any error of opening, also where it is no regular file.
    pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = files::open_regular(File::options().read(true), path)?;
        let length = file.metadata()?.len();
        if length == 0 {
            // A file that cannot be read may look like one that is empty.
            file.read_exact(&mut [0]).or_else(end_is_no_error)?;
        }
        Ok(Self { file, length, start: 0, buffer: Vec::new(), ahead: LONG })
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// `count` bytes from `at` on, or fewer where the file ends before.
    ///
    /// # Errors
    /// Any error of reading.
    pub(in super::super) fn bytes(&mut self, at: u64, count: usize) -> io::Result<&[u8]> {
        let at = at.min(self.length);
        let end = self.length.min(at.saturating_add(count as u64));
        if at < self.start || end > self.end() {
            self.read(at, end)?;
        }
        let [from, to] = [at, end].map(|place| (place.min(self.end()) - self.start) as usize);
        Ok(&self.buffer[from..to])
    }

    fn end(&self) -> u64 {
        self.start + self.buffer.len() as u64
    }

    /// Moves the buffer to begin at `at` and reach `end`; a file that has become shorter ends where it does now.
    fn read(&mut self, at: u64, end: u64) -> io::Result<()> {
        self.move_to(at);
        let wanted = (end - at).max(self.ahead as u64).min(self.length - at);
        let missing = wanted - self.buffer.len() as u64;
        self.file.seek(SeekFrom::Start(self.end()))?;
        let read = (&self.file).take(missing).read_to_end(&mut self.buffer)?;
        if (read as u64) < missing {
            self.length = self.end();
        }
        Ok(())
    }

    /// Drops what stands before `at`. Reading ahead grows as long as one part follows the other.
    fn move_to(&mut self, at: u64) {
        if (self.start..=self.end()).contains(&at) {
            self.buffer.drain(..(at - self.start) as usize);
            self.ahead = (self.ahead * 2).min(LONG);
        } else {
            self.buffer.clear();
            self.ahead = SHORT;
        }
        self.start = at;
    }
}

fn end_is_no_error(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::UnexpectedEof { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn window_of(bytes: &[u8]) -> (tempfile::TempDir, Window) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        let window = Window::open(&path).unwrap();
        (folder, window)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        /// Whatever was asked for before, the bytes are those of the file.
        #[test]
        fn any_part_is_that_of_the_file(
            parts in prop::collection::vec((0u64..1_000_000, 0usize..600_000), 1..12),
        ) {
            let bytes: Vec<u8> = (0u32..900_000).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            let (_folder, mut window) = window_of(&bytes);
            for (at, count) in parts {
                let from = bytes.len().min(at as usize);
                let to = bytes.len().min(from + count);
                prop_assert!(window.bytes(at, count).unwrap() == &bytes[from..to]);
            }
        }
    }

    #[test]
    fn a_file_that_becomes_shorter_ends_there() {
        let (folder, mut window) = window_of(&[7; 10]);
        File::options().write(true).open(folder.path().join("file")).unwrap().set_len(4).unwrap();
        assert_eq!(window.bytes(2, 100).unwrap(), [7; 2]);
        assert_eq!(window.length(), 4);
        assert!(window.bytes(6, 1).unwrap().is_empty());
    }
}
