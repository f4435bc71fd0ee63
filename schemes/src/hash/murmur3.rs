//! MurmurHash3.

use super::{HashFamily, HashInfo};

/// MurmurHash3 in its variant x64_128, of which the first 64 bits are used.
///
/// The published function has seeds of 32 bits; the seed's lower half counts.
pub struct Murmur3 {
    seed: u32,
}

impl HashFamily for Murmur3 {
    const INFO: HashInfo = HashInfo {
        name: "murmur3",
        bits: 64,
        summary: "MurmurHash3 x64_128, its first 64 bits; seeds of 32 bits",
        source: "Appleby, SMHasher, 2011",
        guarantee: "none",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { seed: seed as u32 }
    }

    // Long enough to be worth a call, and a copy in every loop costs the compiler dearly.
    #[inline(never)]
    fn hash(&self, key: &[u8]) -> u64 {
        wide(key, self.seed) as u64
    }
}

/// All 128 bits; the first eight bytes of the digest are the lower half.
#[inline]
#[expect(clippy::expect_used, reason = "reading from a slice cannot fail")]
fn wide(mut key: &[u8], seed: u32) -> u128 {
    murmur3::murmur3_x64_128(&mut key, seed).expect("a slice is read without errors")
}

#[cfg(test)]
mod tests {
    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// SMHasher's verification value for MurmurHash3_x64_128: the digest of the
    /// digests of the keys 0, 0..=1, ..., each with another seed.
    #[test]
    fn verification_value_of_smhasher() {
        let bytes: Vec<u8> = (0..=255).collect();
        let digests: Vec<u8> =
            (0_u32..256).flat_map(|i| wide(&bytes[..i as usize], 256 - i).to_le_bytes()).collect();
        assert_eq!(wide(&digests, 0) as u32, 0x6384_ba69);
    }

    #[test]
    fn the_hash_is_the_first_half() {
        let key = b"hello";
        assert_eq!(Murmur3::with_seed(0, 5).hash(key), 0xcbd8_a7b3_41bd_9b02);
        assert_eq!(Murmur3::with_seed(7, 5).hash(key), wide(key, 7) as u64);
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Murmur3>();
    }
}
