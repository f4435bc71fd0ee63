//! Thomas Wang's 64-bit mix.

use super::words::for_each_word;
use super::{HashFamily, HashInfo};

/// Thomas Wang's 64-bit mix, keyed by XOR.
///
/// The published function maps a word to a word. A key of exactly eight bytes is
/// one (little-endian) word w, and its hash is mix(w ^ seed): with seed 0, the
/// published function itself. Any other key is folded word by word, the last
/// padded with zeros, and closed with its length: h = seed, then
/// h = mix(h ^ w) for each word, then h = mix(h ^ length in bytes).
pub struct Wang {
    seed: u64,
}

impl HashFamily for Wang {
    const INFO: HashInfo = HashInfo {
        name: "wang",
        bits: 64,
        summary: "Thomas Wang's 64-bit mix of shifts and additions, word by word",
        source: "Wang, \"Integer Hash Function\", 2007 (hash64shift)",
        guarantee: "none; each member is a bijection on keys of eight bytes",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { seed }
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        let mut hash = self.seed;
        for_each_word(key, |word| hash = mix(hash ^ word));
        match key.len() {
            8 => hash,
            length => mix(hash ^ length as u64),
        }
    }
}

/// Wang's `hash64shift`.
#[inline]
const fn mix(word: u64) -> u64 {
    let mut z = (!word).wrapping_add(word << 21);
    z ^= z >> 24;
    z = z.wrapping_mul(1 + (1 << 3) + (1 << 8));
    z ^= z >> 14;
    z = z.wrapping_mul(1 + (1 << 2) + (1 << 4));
    z ^= z >> 28;
    z.wrapping_add(z << 31)
}

#[cfg(test)]
mod tests {
    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// The function as published, statement by statement.
    fn hash64shift(mut key: u64) -> u64 {
        key = (!key).wrapping_add(key << 21);
        key = key ^ (key >> 24);
        key = (key.wrapping_add(key << 3)).wrapping_add(key << 8);
        key = key ^ (key >> 14);
        key = (key.wrapping_add(key << 2)).wrapping_add(key << 4);
        key = key ^ (key >> 28);
        key.wrapping_add(key << 31)
    }

    #[test]
    fn seed_zero_is_the_published_function() {
        let wang = Wang::with_seed(0, 8);
        assert_eq!(wang.hash(&0_u64.to_le_bytes()), 0x77cf_a1ee_f01b_ca90);
        assert_eq!(wang.hash(&1_u64.to_le_bytes()), 0x5bca_7c69_b794_f8ce);
        for word in [2, 0xdead_beef, u64::MAX, 1 << 63] {
            assert_eq!(wang.hash(&word.to_le_bytes()), hash64shift(word));
        }
    }

    #[test]
    fn longer_keys_fold_their_words_and_length() {
        let mut key = [0; 13];
        key[..8].copy_from_slice(&77_u64.to_le_bytes());
        key[8] = 5;
        let by_hand = hash64shift(hash64shift(hash64shift(3 ^ 77) ^ 5) ^ 13);
        assert_eq!(Wang::with_seed(3, 13).hash(&key), by_hand);
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Wang>();
    }
}
