//! Sets of keys that are built against a family of hash functions.

use std::sync::Arc;

use super::{KeySource, MADE_KEY_BYTES, Places, TraceKeys};

/// How a set of keys is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySet {
    /// Those of {0, 1}^16, a digit in each byte, by which simple tabulation and H3 are linear.
    CrossProduct,
    /// Consecutive numbers in one word of eight bytes, the least significant first, by which a·x + b makes steps of one length.
    Progression,
}

impl KeySet {
    /// The most keys of the set.
    pub fn most(self) -> u64 {
        match self {
            Self::CrossProduct => 1 << MADE_KEY_BYTES,
            Self::Progression => u64::MAX,
        }
    }

    /// The first so many keys.
    pub fn keys(self, number: u64) -> KeySource {
        let all = match self {
            Self::CrossProduct => written(number, MADE_KEY_BYTES, digits),
            Self::Progression => written(number, 8, |number| number.to_le_bytes().to_vec()),
        };
        let trace = |keys| KeySource::Trace { keys: Arc::new(keys), renew: false, shuffled: false };
        all.map_or(KeySource::Random, trace)
    }
}

/// The keys of the numbers from 0 on, each of so many bytes.
fn written(number: u64, width: usize, key: impl Fn(u64) -> Vec<u8>) -> Option<TraceKeys> {
    let ids = (0..).take(number as usize).collect();
    TraceKeys::new((0..number).flat_map(key).collect(), Places::Width(width), ids)
}

/// The binary digits of a number, the least significant first, each in a byte.
fn digits(number: u64) -> Vec<u8> {
    (0..MADE_KEY_BYTES).map(|digit| u8::from(number >> digit & 1 == 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_product_has_each_key_once() {
        let KeySource::Trace { keys, .. } = KeySet::CrossProduct.keys(1 << 16) else {
            panic!("no keys")
        };
        let all: std::collections::BTreeSet<&[u8]> = (0..1 << 16).map(|i| keys.key(i)).collect();
        assert_eq!(all.len(), 1 << 16);
        assert!(all.iter().all(|key| key.iter().all(|&digit| digit < 2)));
    }
}
