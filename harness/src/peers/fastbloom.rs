//! The Bloom filter of the crate fastbloom.

use ::fastbloom::BloomFilter;
use loadfactor_schemes::info::SchemeInfo;

use super::beside::{Beside as _, Filter};
use super::case::Peer;
use super::set::{Key, Set};

/// A filter whose choices follow from one value of 64 bits.
#[derive(Debug)]
pub(super) struct Bits(BloomFilter);

impl Set for Bits {
    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn insert(&mut self, key: &Key, hash: impl Fn(&Key) -> u64) {
        self.0.insert_hash(hash(key));
    }

    #[inline(always)]
    fn contains(&self, key: &Key, hash: impl Fn(&Key) -> u64) -> bool {
        self.0.contains_hash(hash(key))
    }

    fn bytes(&self) -> u64 {
        self.0.num_bits() as u64 / 8
    }
}

/// The filter of the definition's size.
#[derive(Debug)]
pub(super) struct Fastbloom;

impl Peer for Fastbloom {
    type Beside = Filter;
    type Set = Bits;

    const INFO: SchemeInfo = SchemeInfo {
        name: "fastbloom",
        summary: "The Bloom filter of the Rust crate fastbloom: each choice follows from the one before, from one hash value of 64 bits. The number of bits is rounded up to whole words.",
        source: "https://github.com/tomtomwombat/fastbloom",
        params: Filter::PARAMS,
        predictions: &[],
    };

    fn set(beside: &Filter) -> Bits {
        let size = &beside.size;
        // The seed is that of a hash function which is not asked.
        Bits(BloomFilter::with_num_bits(size.bits as usize).seed(&0).hashes(size.choices))
    }
}
