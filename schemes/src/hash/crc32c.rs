//! CRC-32C.

use super::{HashFamily, HashInfo};

/// CRC-32C (Castagnoli), the seed being the checksum of what came before.
///
/// Seed 0 is the published checksum; the seed's lower 32 bits count.
///
/// **Members are not independent of each other.** A CRC is affine in its initial
/// value: for two seeds s and t, the XOR of the two checksums of a key depends on
/// s, t and the key's length, and not on its bytes. With keys of one length,
/// every further "hash function" is the first one XOR a constant, so that the
/// first choice determines all the others and two keys that collide in one
/// choice collide in all. Hardware that seeds one CRC several times does just
/// this, and this family shows what it costs; `slices` avoids it.
pub struct Crc32c {
    before: u32,
}

impl HashFamily for Crc32c {
    const INFO: HashInfo = HashInfo {
        name: "crc32c",
        bits: 32,
        summary: "CRC-32C with the seed as initial value; seeds are affinely related",
        source: "Castagnoli, Braeuer and Herrmann, \"Optimization of Cyclic Redundancy-Check \
                 Codes with 24 and 32 Parity Bits\", 1993; RFC 3720, section B.4",
        guarantee: "none; for keys of one length, two members differ by a constant XOR",
    };

    fn with_seed(seed: u64, _max_key_bytes: usize) -> Self {
        Self { before: seed as u32 }
    }

    // Long enough to be worth a call, and a copy in every loop costs the compiler dearly.
    #[inline(never)]
    fn hash(&self, key: &[u8]) -> u64 {
        u64::from(crc32c::crc32c_append(self.before, key)) << 32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::statistics::assert_even_on_counters;
    use super::*;

    fn checksum(key: &[u8]) -> u64 {
        Crc32c::with_seed(0, key.len()).hash(key) >> 32
    }

    /// The check value, and the examples of RFC 3720, section B.4.
    #[test]
    fn published_checksums() {
        let ascending: Vec<u8> = (0..32).collect();
        let descending: Vec<u8> = (0..32).rev().collect();
        assert_eq!(checksum(b"123456789"), 0xe306_9283);
        assert_eq!(checksum(&[0; 32]), 0x8a91_36aa);
        assert_eq!(checksum(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(checksum(&ascending), 0x46dd_794e);
        assert_eq!(checksum(&descending), 0x113f_db5c);
    }

    proptest! {
        #[test]
        fn members_differ_by_a_constant(s: u64, t: u64, x: [u8; 13], y: [u8; 13]) {
            let (first, second) = (Crc32c::with_seed(s, 13), Crc32c::with_seed(t, 13));
            let difference = |key: &[u8]| first.hash(key) ^ second.hash(key);
            prop_assert_eq!(difference(&x), difference(&y));
        }
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Crc32c>();
    }
}
