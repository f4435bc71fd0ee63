//! The file of the keys of a trace.
//!
//! A line of JSON says what follows: the bytes of the keys, the end of each where they have several widths, then number,
//! length and time of each packet, in little-endian. The last 16 bytes are the 128 bits of XXH3 of all before. A file
//! that is not exactly so is not used.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use loadfactor_schemes::keys::Places;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::super::parsed::Parsed;
use crate::files::open_in_place;

/// Version of the format that is read and written.
pub(super) const VERSION: u32 = 1;

/// Bytes of the checksum.
const CHECKSUM: u64 = 16;

/// Most bytes of the first line; the damages that it names are some dozen.
const LONGEST_LINE: u64 = 1 << 20;

/// Bytes that are converted at once.
const PIECE: usize = 1 << 16;

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    version: u32,
    /// Digest of all that decides what is read.
    of: String,
    /// Packets with a key.
    keys: u64,
    /// Bytes of all keys.
    bytes: u64,
    /// Bytes of each key, where they have one width.
    width: Option<u64>,
    lengths: bool,
    times: bool,
    packets: u64,
    without_key: u64,
    untimed: u64,
    damages: Vec<String>,
    unread: Vec<(String, u64)>,
    layout_is_doubtful: bool,
}

impl Header {
    fn new(of: &str, parsed: &Parsed) -> Self {
        Self {
            version: VERSION,
            of: of.to_owned(),
            keys: parsed.ids.len() as u64,
            bytes: parsed.bytes.len() as u64,
            width: match parsed.places {
                Places::Width(width) => Some(width as u64),
                Places::Ends(_) => None,
            },
            lengths: parsed.lengths.is_some(),
            times: parsed.times.is_some(),
            packets: parsed.packets,
            without_key: parsed.without_key,
            untimed: parsed.untimed,
            damages: parsed.damages.clone(),
            unread: parsed.unread.clone(),
            layout_is_doubtful: parsed.layout_is_doubtful,
        }
    }

    /// Bytes behind the first line; `None` where there cannot be so many.
    fn size(&self) -> Option<u64> {
        let per_key = [(self.width.is_none(), 8), (true, 4), (self.lengths, 4), (self.times, 8)];
        let per_key: u64 = per_key.iter().filter(|(is_there, _)| *is_there).map(|(_, n)| n).sum();
        self.keys.checked_mul(per_key)?.checked_add(self.bytes)?.checked_add(CHECKSUM)
    }
}

/// Writes the file of these keys, which are those of what `of` digests.
pub(super) fn write(output: &mut dyn Write, of: &str, parsed: &Parsed) -> io::Result<()> {
    let mut output = Checked { inner: output, hasher: Xxh3::new() };
    serde_json::to_writer(&mut output, &Header::new(of, parsed))?;
    output.write_all(b"\n")?;
    output.write_all(&parsed.bytes)?;
    if let Places::Ends(ends) = &parsed.places {
        write_words(&mut output, ends.iter().map(|&end| (end as u64).to_le_bytes()))?;
    }
    write_words(&mut output, parsed.ids.iter().map(|id| id.to_le_bytes()))?;
    if let Some(lengths) = &parsed.lengths {
        write_words(&mut output, lengths.iter().map(|length| length.to_le_bytes()))?;
    }
    if let Some(times) = &parsed.times {
        write_words(&mut output, times.iter().map(|time| time.to_le_bytes()))?;
    }
    let checksum = output.hasher.digest128().to_le_bytes();
    output.inner.write_all(&checksum)
}

/// The keys in the file at `path`; `None` where there is none, or it is not whole or not of what `of` digests.
pub(super) fn read(path: &Path, of: &str) -> Option<Parsed> {
    let file = open_in_place(File::options().read(true), path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut input = Checked { inner: BufReader::new(file), hasher: Xxh3::new() };
    let mut line = Vec::new();
    (&mut input.inner).take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    input.hasher.update(&line);
    let header: Header = serde_json::from_slice(&line).ok()?;
    // The length first, so that no file makes a reader take memory for what it does not hold.
    let is_this = header.version == VERSION
        && header.of == of
        && header.size()?.checked_add(line.len() as u64)? == length;
    let parsed = if is_this { body(&mut input, header).ok()? } else { return None };
    let mut checksum = [0; CHECKSUM as usize];
    input.inner.read_exact(&mut checksum).ok()?;
    let is_whole = input.hasher.digest128().to_le_bytes() == checksum;
    (is_whole && is_sound(&parsed)).then_some(parsed)
}

fn body(input: &mut impl Read, header: Header) -> io::Result<Parsed> {
    let keys = header.keys as usize;
    let mut bytes = vec![0; header.bytes as usize];
    input.read_exact(&mut bytes)?;
    let places = match header.width {
        Some(width) => Places::Width(width as usize),
        None => Places::Ends(read_words(input, keys, |end| u64::from_le_bytes(end) as usize)?),
    };
    Ok(Parsed {
        bytes,
        places,
        ids: read_words(input, keys, u32::from_le_bytes)?,
        lengths: header.lengths.then(|| read_words(input, keys, u32::from_le_bytes)).transpose()?,
        times: header.times.then(|| read_words(input, keys, u64::from_le_bytes)).transpose()?,
        packets: header.packets,
        without_key: header.without_key,
        untimed: header.untimed,
        damages: header.damages,
        unread: header.unread,
        layout_is_doubtful: header.layout_is_doubtful,
    })
}

/// Whether each packet has a key, and keys are numbered in the order of first occurrence.
fn is_sound(parsed: &Parsed) -> bool {
    let (bytes, keys) = (parsed.bytes.len(), parsed.ids.len());
    let have_places = match &parsed.places {
        Places::Width(width) => *width > 0 && width.checked_mul(keys) == Some(bytes),
        Places::Ends(ends) => ends.is_sorted() && ends.last() == Some(&bytes),
    };
    let mut distinct = 0;
    let mut are_dense = parsed.ids.iter().map(|&id| {
        let is_next = u64::from(id) == distinct;
        distinct += u64::from(is_next);
        is_next || u64::from(id) < distinct
    });
    keys > 0 && have_places && are_dense.all(|is_dense| is_dense)
}

/// Bytes on their way, with their checksum.
struct Checked<T> {
    inner: T,
    hasher: Xxh3,
}

impl<T: Read> Read for Checked<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}

impl<T: Write> Write for Checked<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn write_words<const N: usize>(
    output: &mut impl Write,
    words: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut piece = Vec::with_capacity(PIECE + N);
    for word in words {
        piece.extend(word);
        if piece.len() >= PIECE {
            output.write_all(&piece)?;
            piece.clear();
        }
    }
    output.write_all(&piece)
}

fn read_words<const N: usize, T>(
    input: &mut impl Read,
    count: usize,
    word: impl Fn([u8; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut words = Vec::with_capacity(count);
    let mut piece = vec![0; PIECE / N * N];
    while words.len() < count {
        let bytes = ((count - words.len()) * N).min(piece.len());
        input.read_exact(&mut piece[..bytes])?;
        let (whole, _) = piece[..bytes].as_chunks();
        words.extend(whole.iter().map(|bytes| word(*bytes)));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn one_width() -> Parsed {
        Parsed {
            bytes: b"xxyyxx".to_vec(),
            places: Places::Width(2),
            ids: vec![0, 1, 0],
            lengths: None,
            times: None,
            packets: 5,
            without_key: 2,
            untimed: 1,
            damages: vec!["record 3 at byte 9: cut\nshort".to_owned()],
            unread: vec![("ARP (ethertype 0x0806)".to_owned(), 2)],
            layout_is_doubtful: true,
        }
    }

    fn several_widths() -> Parsed {
        Parsed {
            bytes: b"xxyyyxx".to_vec(),
            places: Places::Ends(vec![2, 5, 7]),
            lengths: Some(vec![60, 1500, 60]),
            times: Some(vec![7, u64::MAX, 0]),
            layout_is_doubtful: false,
            ..one_width()
        }
    }

    fn written(parsed: &Parsed) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, "digest", parsed).unwrap();
        bytes
    }

    /// What is read of a file of these bytes.
    fn read_bytes(bytes: &[u8], of: &str) -> Option<Parsed> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        fs::write(&path, bytes).unwrap();
        read(&path, of)
    }

    #[test]
    fn keys_read_back_to_the_bit_and_damaged_ones_not_at_all() {
        for parsed in [one_width(), several_widths()] {
            let bytes = written(&parsed);
            assert_eq!(read_bytes(&bytes, "digest").as_ref(), Some(&parsed));
            assert_eq!(read_bytes(&bytes, "another"), None);
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(read_bytes(&damaged, "digest"), None, "byte {at}");
                assert_eq!(read_bytes(&bytes[..at], "digest"), None, "{at} bytes");
            }
            assert_eq!(read_bytes(&[&bytes[..], b"x"].concat(), "digest"), None);
        }
    }

    /// Keys by which a trial would reach beyond the bytes, or take one key for two.
    #[test]
    fn keys_that_contradict_themselves_are_not_read() {
        for unsound in [
            Parsed { places: Places::Width(3), ..one_width() },
            Parsed { places: Places::Width(0), bytes: Vec::new(), ..one_width() },
            Parsed { ids: vec![0, 2, 1], ..one_width() },
            Parsed { ids: vec![1, 0, 1], ..one_width() },
            Parsed { places: Places::Ends(vec![5, 2, 7]), ..several_widths() },
            Parsed { places: Places::Ends(vec![2, 5, 9]), ..several_widths() },
            Parsed { ids: Vec::new(), bytes: Vec::new(), ..one_width() },
        ] {
            assert_eq!(read_bytes(&written(&unsound), "digest"), None, "{unsound:?}");
        }
    }

    #[test]
    fn numbers_of_several_pieces_are_read_in_order() {
        let numbers: Vec<u64> = (0..30_001).map(|at| at * at).collect();
        let mut bytes = Vec::new();
        write_words(&mut bytes, numbers.iter().map(|number| number.to_le_bytes())).unwrap();
        let read = read_words(&mut &bytes[..], numbers.len(), u64::from_le_bytes).unwrap();
        assert_eq!(read, numbers);
        assert!(read_words(&mut &bytes[1..], numbers.len(), u64::from_le_bytes).is_err());
    }
}
