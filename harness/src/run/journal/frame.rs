//! Frames: payloads that can be told from torn or damaged ones, and found behind damage.

/// First bytes of every frame: a record separator, which is in no text, and three letters.
const MARK: [u8; 4] = *b"\x1eLFB";

/// Bytes of a frame besides its payload: mark, length, checksum.
const OVERHEAD: usize = 12;

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

/// The payload of the frame that `bytes` opens with, or `None` where it opens with no whole and
/// undamaged frame.
pub(super) fn decode(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(&MARK)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (payload, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (crc, _) = rest.split_first_chunk()?;
    (checksum(*length, payload) == u32::from_le_bytes(*crc)).then_some(payload)
}

/// Bytes that the frame of a payload takes.
pub(super) fn size(payload: &[u8]) -> usize {
    payload.len() + OVERHEAD
}

/// Where the first whole and undamaged frame at or after `from` begins.
pub(super) fn find(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find(|&at| decode(&bytes[at..]).is_some())
}

fn checksum(length: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_and_every_missing_byte_is_noticed() {
        let frame = encode(b"payload");
        assert_eq!(decode(&frame), Some(&b"payload"[..]));
        assert_eq!(size(b"payload"), frame.len());
        for bit in 0..frame.len() * 8 {
            let mut damaged = frame.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&damaged), None, "bit {bit}");
        }
        for length in 0..frame.len() {
            assert_eq!(decode(&frame[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn the_next_frame_is_found_behind_garbage() {
        let bytes = [&b"\x1eLF\x1eLFBgarbage"[..], &encode(b"payload")].concat();
        assert_eq!(find(&bytes, 0), Some(14));
        assert_eq!(find(&bytes, 15), None);
    }
}
