//! A key read as little-endian words of 64 bits, the last one padded with zeros.

/// Calls `take` with each word of `key`, in order.
#[inline]
pub(super) fn for_each_word(key: &[u8], mut take: impl FnMut(u64)) {
    let (words, rest) = key.as_chunks::<8>();
    for word in words {
        take(u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        take(last_word(key, rest));
    }
}

/// The padded word of the `rest` (1 to 7 bytes) at the end of `key`.
///
/// Reading the key's last eight bytes and shifting out those already taken
/// avoids a copy of variable length, which would cost more than most hashes.
#[inline]
fn last_word(key: &[u8], rest: &[u8]) -> u64 {
    match key.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::for_each_word;

    fn words(key: &[u8]) -> Vec<u64> {
        let mut words = Vec::new();
        for_each_word(key, |word| words.push(word));
        words
    }

    #[test]
    fn full_words_are_little_endian() {
        assert_eq!(words(&[1, 0, 0, 0, 0, 0, 0, 2]), [0x0200_0000_0000_0001]);
    }

    #[test]
    fn the_last_word_is_padded_with_zeros() {
        assert!(words(&[]).is_empty());
        assert_eq!(words(&[1, 2, 3]), [0x03_0201]);
        assert_eq!(words(&[9; 13]), [0x0909_0909_0909_0909, 0x09_0909_0909]);
        let key: Vec<u8> = (1..=15).collect();
        assert_eq!(words(&key), [0x0807_0605_0403_0201, 0x0f_0e0d_0c0b_0a09]);
    }
}
