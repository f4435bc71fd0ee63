//! The blocked Bloom filter: all bits of an element in one block.

use super::params::{BITS_PER_ELEMENT, BLOCK_BITS, BLOCKS, CHOICES_OR_BEST, ELEMENTS, Size};
use super::theory::blocks::{self, Local};
use super::{Bits, Filter, Workload, metrics};
use crate::case::Record;
use crate::hash::{Choices, HashSpec};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// A Bloom filter in blocks of B bits: an element chooses a block, and k of its bits.
#[derive(Debug, Clone)]
pub struct Blocked {
    size: Size,
    blocks: u32,
    local: Local,
}

impl Filter for Blocked {
    type Store = Bits;

    const INFO: SchemeInfo = SchemeInfo {
        name: "blocked-bloom-filter",
        summary: "The bits are in blocks of B, such as a cache line. An element chooses one block and sets k bits of it, so that it is looked for with one access. Blocks that get more elements than others have more false positives.",
        source: "Putze, Sanders and Singler, \"Cache-, Hash- and Space-Efficient Bloom Filters\", 2007; \"Access-Efficient Balanced Bloom Filters\", Section 9.1",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BLOCKS, BLOCK_BITS, CHOICES_OR_BEST],
        predictions: &[
            "membership: bits set and false positive probability, exact (binomially many elements in a block, each with k balls into B bins)",
            "membership: the same of double and enhanced double hashing within a block, exact (inclusion and exclusion), where it takes no more than about a tenth of a second",
            "membership: false positive probability, asymptotic for many blocks (Poisson)",
            "membership: false positive probability, approximate (equation (9) of \"Access-Efficient Balanced Bloom Filters\")",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let size = Size::in_blocks(params)?;
        let local = Local { bits: params.small(BLOCK_BITS.name)?, choices: size.choices };
        Ok(Self { size, blocks: size.bits / local.bits, local })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        Self { size: Size { elements, ..self.size }, ..*self }
    }

    fn limit(&self) -> Option<f64> {
        None
    }

    fn hash_choices(&self) -> u32 {
        1 + self.size.choices
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        vec![(self.blocks, "blocks"), (self.local.bits, "bits of a block")]
    }

    fn work(&self) -> f64 {
        blocks::work(&self.size, &self.local)
    }

    fn store(&self) -> Bits {
        Bits::new(self.size.bits)
    }

    fn clear(&self, bits: &mut Bits, _seed: u64) {
        bits.clear();
    }

    #[inline(always)]
    fn insert(&self, bits: &mut Bits, mut choices: impl Choices) {
        let first = choices.block(self.blocks) * self.local.bits;
        choices.among(self.local.bits);
        let mut bits = bits.words();
        for _ in 0..self.local.choices {
            bits.set(first + choices.next(self.local.bits));
        }
    }

    #[inline(always)]
    fn contains(&self, bits: &Bits, mut choices: impl Choices) -> bool {
        let first = choices.block(self.blocks) * self.local.bits;
        choices.among(self.local.bits);
        for _ in 0..self.local.choices {
            if !bits.is_set(first + choices.next(self.local.bits)) {
                return false;
            }
        }
        true
    }

    fn rate(&self, bits: &Bits) -> f64 {
        let sum: f64 = (0..self.blocks).map(|block| self.local.rate(bits, block)).sum();
        sum / f64::from(self.blocks)
    }

    fn record(&self, bits: &Bits, _rate: Option<f64>, out: &mut dyn Record) {
        metrics::bits_set(bits.count(), self.size.bits, out);
    }

    fn outlook(&self, _workload: &Workload, hash: &HashSpec) -> Outlook {
        blocks::blocked(&self.size, &self.local, hash)
    }
}
