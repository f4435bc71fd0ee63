//! xxHash3.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{HashFamily, HashInfo};

/// The 64-bit function of xxHash3, with its own seed.
pub struct Xxh3 {
    seed: u64,
}

impl HashFamily for Xxh3 {
    const INFO: HashInfo = HashInfo {
        name: "xxh3",
        bits: 64,
        summary: "XXH3_64bits_withSeed of xxHash",
        source: "Collet, xxHash 0.8, 2020",
        guarantee: "none",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { seed }
    }

    #[inline(always)]
    fn hash(&self, key: &[u8]) -> u64 {
        xxh3_64_with_seed(key, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// The buffer of xxHash's own sanity check.
    fn sanity_buffer(length: usize) -> Vec<u8> {
        let mut generator: u64 = 2_654_435_761;
        (0..length)
            .map(|_| {
                let byte = (generator >> 56) as u8;
                generator = generator.wrapping_mul(11_400_714_785_074_694_797);
                byte
            })
            .collect()
    }

    /// Values of xxHash's sanity check (`XSUM_sanityCheck`).
    #[test]
    fn published_values() {
        const SEED: u64 = 0x9e37_79b1_85eb_ca8d;
        let cases = [
            (0, 0, 0x2d06_8005_38d3_94c2),
            (0, SEED, 0xa8a6_b918_b2f0_364a),
            (1, 0, 0xc44b_dff4_074e_ecdb),
            (1, SEED, 0x032b_e332_dd76_6ef8),
            (6, 0, 0x27b5_6a84_cd2d_7325),
            (6, SEED, 0x8458_9c11_6ab5_9ab9),
            (12, 0, 0xa713_daf0_dfbb_77e7),
            (12, SEED, 0xe730_3e1b_2336_de0e),
            (24, 0, 0xa3fe_70bf_9d35_10eb),
            (24, SEED, 0x850e_80fc_35bd_d690),
        ];
        for (length, seed, expected) in cases {
            assert_eq!(Xxh3::with_seed(seed, length).hash(&sanity_buffer(length)), expected);
        }
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Xxh3>();
    }
}
