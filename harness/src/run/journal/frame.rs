//! Frames: payloads that can be told from torn or damaged ones, and found behind damage.

use std::io;

use super::window::Window;

/// First bytes of every frame: a record separator, which is in no text, and three letters.
const MARK: [u8; 4] = *b"\x1eLFB";

/// Bytes of a frame before its payload: mark and length.
const BEFORE: usize = 8;

/// Bytes of a frame besides its payload: mark, length, checksum.
const OVERHEAD: usize = 12;

/// Bytes of a file that are looked at together. A longer frame is checked piece by piece before it is
/// read whole, so that a length that damage made up takes no memory.
const PIECE: usize = 1 << 16;

/// A payload, framed.
pub(super) fn encode(payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    let mut frame = Vec::with_capacity(payload.len() + OVERHEAD);
    frame.extend(MARK);
    frame.extend(length);
    frame.extend(payload);
    frame.extend(checksum(length, payload).to_le_bytes());
    frame
}

/// Bytes that the frame of a payload of so many bytes takes.
pub(super) fn size(payload: usize) -> u64 {
    (payload + OVERHEAD) as u64
}

/// Bytes of the payload of the frame that begins at `at`, or `None` where no whole and undamaged frame begins.
pub(super) fn at(file: &mut Window, at: u64) -> io::Result<Option<usize>> {
    let Some(length) = stated_length(file.bytes(at, BEFORE)?) else { return Ok(None) };
    let payload = u32::from_le_bytes(length) as usize;
    if at + size(payload) > file.length() {
        return Ok(None);
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    let from = at + BEFORE as u64;
    for done in (0..payload).step_by(PIECE) {
        hasher.update(file.bytes(from + done as u64, PIECE.min(payload - done))?);
    }
    let stated = file.bytes(from + payload as u64, OVERHEAD - BEFORE)?;
    Ok((stated == hasher.finalize().to_le_bytes()).then_some(payload))
}

/// The length in the beginning of a frame.
fn stated_length(beginning: &[u8]) -> Option<[u8; 4]> {
    beginning.strip_prefix(&MARK)?.first_chunk().copied()
}

/// The payload, of so many bytes, of the frame that begins at `at`; fewer bytes where the file has become shorter.
pub(super) fn payload(file: &mut Window, at: u64, length: usize) -> io::Result<&[u8]> {
    file.bytes(at + BEFORE as u64, length)
}

/// Where the first whole and undamaged frame at or after `from` begins.
pub(super) fn find(file: &mut Window, mut from: u64) -> io::Result<Option<u64>> {
    loop {
        let bytes = file.bytes(from, PIECE)?;
        let is_end = bytes.len() < PIECE;
        match bytes.windows(MARK.len()).position(|four| four == MARK) {
            Some(ahead) => {
                from += ahead as u64;
                if at(file, from)?.is_some() {
                    return Ok(Some(from));
                }
                from += 1;
            }
            None if is_end => return Ok(None),
            // A mark may lie across the end of the piece.
            None => from += (PIECE - MARK.len() + 1) as u64,
        }
    }
}

fn checksum(length: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What `look` sees in a file of these bytes.
    fn in_file<T>(bytes: &[u8], look: impl FnOnce(&mut Window) -> io::Result<T>) -> T {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        fs::write(&path, bytes).unwrap();
        look(&mut Window::open(&path).unwrap()).unwrap()
    }

    fn is_frame(bytes: &[u8]) -> bool {
        in_file(bytes, |file| at(file, 0)).is_some()
    }

    #[test]
    fn every_changed_bit_and_every_missing_byte_is_noticed() {
        let frame = encode(b"payload");
        let read = in_file(&frame, |file| Ok((at(file, 0)?, payload(file, 0, 7)?.to_vec())));
        assert_eq!(read, (Some(7), b"payload".to_vec()));
        assert_eq!(size(7), frame.len() as u64);
        for bit in 0..frame.len() * 8 {
            let mut damaged = frame.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_frame(&damaged), "bit {bit}");
        }
        for length in 0..frame.len() {
            assert!(!is_frame(&frame[..length]), "{length} bytes");
        }
    }

    #[test]
    fn the_next_frame_is_found_behind_garbage() {
        let bytes = [&b"\x1eLF\x1eLFBgarbage"[..], &encode(b"payload")].concat();
        assert_eq!(in_file(&bytes, |file| find(file, 0)), Some(14));
        assert_eq!(in_file(&bytes, |file| find(file, 15)), None);
    }

    /// Also where the mark lies across two pieces of the file, and the frame is longer than a piece.
    #[test]
    fn long_frames_are_found_behind_long_garbage() {
        let frame = encode(&[0x1e; 3 * PIECE]);
        for garbage in PIECE - 5..PIECE + 2 {
            let mut bytes = [vec![b'L'; garbage], frame.clone()].concat();
            assert_eq!(in_file(&bytes, |file| find(file, 0)), Some(garbage as u64));
            bytes[garbage + 2 * PIECE] ^= 1;
            assert_eq!(in_file(&bytes, |file| find(file, 0)), None);
        }
    }
}
