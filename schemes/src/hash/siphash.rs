//! SipHash-2-4.

use siphasher::sip::SipHasher24;

use super::{HashFamily, HashInfo, derive_seed};

/// SipHash-2-4, the pseudorandom function of the paper, with a key of 128 bits
/// derived from the seed.
pub struct SipHash {
    keyed: SipHasher24,
}

impl HashFamily for SipHash {
    const INFO: HashInfo = HashInfo {
        name: "siphash",
        bits: 64,
        summary: "SipHash-2-4 with a key derived from the seed",
        source: "Aumasson and Bernstein, \"SipHash: a Fast Short-Input PRF\", Indocrypt 2012",
        guarantee: "none proved; believed to be a pseudorandom function",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self::with_key(derive_seed(seed, 0), derive_seed(seed, 1))
    }

    // Long enough to be worth a call, and a copy in every loop costs the compiler dearly.
    #[inline(never)]
    fn hash(&self, key: &[u8]) -> u64 {
        self.keyed.hash(key)
    }
}

impl SipHash {
    /// The function of the secret key whose little-endian words are `k0`, `k1`.
    fn with_key(k0: u64, k1: u64) -> Self {
        Self { keyed: SipHasher24::new_with_keys(k0, k1) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// The paper's example (appendix A), and others of the reference implementation.
    #[test]
    fn published_values() {
        let hash = SipHash::with_key(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
        let bytes: Vec<u8> = (0..15).collect();
        assert_eq!(hash.hash(&bytes), 0xa129_ca61_49be_45e5);
        assert_eq!(hash.hash(&[]), 0x726f_db47_dd0e_0e31);
        assert_eq!(hash.hash(&[0]), 0x74f8_39c5_93dc_67fd);
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<SipHash>();
    }
}
