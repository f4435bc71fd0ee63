//! The Bloom filter of the crate fastbloom.

use ::fastbloom::BloomFilter;
use loadfactor_schemes::filters::Size;
use loadfactor_schemes::filters::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS};
use loadfactor_schemes::info::SchemeInfo;

use super::case::{Key, Peer};

/// A filter whose choices follow from one value of 64 bits.
#[derive(Debug)]
pub(super) struct Filter(BloomFilter);

impl Peer for Filter {
    const INFO: SchemeInfo = SchemeInfo {
        name: "fastbloom",
        summary: "The Bloom filter of the Rust crate fastbloom: each choice follows from the one before, from one hash value of 64 bits. The number of bits is rounded up to whole words.",
        source: "https://github.com/tomtomwombat/fastbloom",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BITS, CHOICES],
        predictions: &[],
    };

    fn new(size: &Size) -> Self {
        // The seed is that of a hash function which is not asked.
        Self(BloomFilter::with_num_bits(size.bits as usize).seed(&0).hashes(size.choices))
    }

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
