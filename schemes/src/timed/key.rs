//! Keys as a slot holds them.

use crate::keys::MADE_KEY_BYTES;

/// A key of at most 16 bytes, zeros behind it, as the bytes of a number in the order of memory. Keys of one width are
/// equal where these are.
pub type Key = u128;

/// Whether keys of this width fit into slots.
pub(super) fn fits(width: usize) -> bool {
    width <= MADE_KEY_BYTES
}

/// The key of these bytes, of which there are at most 16.
#[inline(always)]
pub(crate) fn key(bytes: &[u8]) -> Key {
    let whole = bytes.as_array().copied();
    Key::from_ne_bytes(whole.unwrap_or_else(|| padded(bytes)))
}

fn padded(bytes: &[u8]) -> [u8; MADE_KEY_BYTES] {
    let mut all = [0; MADE_KEY_BYTES];
    all.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = byte);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_its_bytes() {
        let bytes: [u8; 16] = std::array::from_fn(|i| i as u8 + 1);
        for width in [1, 13, 16] {
            let kept = key(&bytes[..width]).to_ne_bytes();
            assert_eq!(kept[..width], bytes[..width]);
            assert!(kept[width..].iter().all(|&byte| byte == 0));
        }
        assert!(fits(16) && !fits(17));
    }
}
