//! MD5.

use md5::{Digest as _, Md5 as State};

use super::{HashFamily, HashInfo};

/// The first eight bytes, big-endian, of the MD5 digest of the seed (eight bytes, little-endian) and the key.
///
/// It is no longer safe against forgery, which does not matter here; it is the expensive function that
/// measurements of Bloom filters used, and whose cost double hashing saves.
pub struct Md5 {
    /// With the seed taken in.
    seeded: State,
}

impl HashFamily for Md5 {
    const INFO: HashInfo = HashInfo {
        name: "md5",
        bits: 64,
        summary: "the first 64 bits of the MD5 digest of seed and key",
        source: "Rivest, \"The MD5 Message-Digest Algorithm\", RFC 1321, 1992",
        guarantee: "none proved; collisions can be made on purpose, with effort",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { seeded: State::new_with_prefix(seed.to_le_bytes()) }
    }

    #[inline(never)]
    fn hash(&self, key: &[u8]) -> u64 {
        first_bits(self.seeded.clone().chain_update(key))
    }
}

fn first_bits(state: State) -> u64 {
    let digest = state.finalize();
    let (first, _) = digest.split_first_chunk().unwrap_or((&[0; 8], &[]));
    u64::from_be_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// The test suite of RFC 1321, appendix A.5, cut to 64 bits.
    #[test]
    fn published_values() {
        for (message, expected) in [
            ("", 0xd41d_8cd9_8f00_b204),
            ("a", 0x0cc1_75b9_c0f1_b6a8),
            ("abc", 0x9001_5098_3cd2_4fb0),
            ("message digest", 0xf96b_697d_7cb7_938d),
        ] {
            assert_eq!(first_bits(State::new_with_prefix(message)), expected, "{message}");
        }
    }

    #[test]
    fn the_seed_comes_first() {
        let whole = State::new_with_prefix([7, 0, 0, 0, 0, 0, 0, 0, b'k']);
        assert_eq!(Md5::with_seed(7, 8).hash(b"k"), first_bits(whole));
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Md5>();
    }
}
