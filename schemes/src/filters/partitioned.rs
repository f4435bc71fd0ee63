//! The partitioned Bloom filter: a slice of the bits for each choice.

use super::bits::Bits;
use super::drawn::Ranges;
use super::params::{BITS, BITS_PER_ELEMENT, ELEMENTS, SLICES, Size};
use super::{Filter, Taken, Workload, metrics, theory};
use crate::case::Record;
use crate::hash::{Choices, HashSpec, Together};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// A Bloom filter whose bits are split into k slices of ⌊m/k⌋ bits, the j-th choice of an element being in
/// the j-th slice, so that an element sets k different bits. What is left of the bits is not used.
#[derive(Debug, Clone)]
pub struct Partitioned {
    size: Size,
    /// Bits of a slice.
    slice: u32,
}

impl Filter for Partitioned {
    type Store = Bits;

    const TAKES: &'static [Taken] = &[Taken::Independent, Taken::Progressions];

    const INFO: SchemeInfo = SchemeInfo {
        name: "partitioned-bloom-filter",
        summary: "The bits are split into k slices of ⌊m/k⌋ bits, and the j-th choice of an element is in the j-th slice. With `choices_from = \"double\"` it is the partition scheme of two hash functions.",
        source: "Kirsch and Mitzenmacher, \"Less Hashing, Same Performance: Building a Better Bloom Filter\", Section 3",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BITS, SLICES],
        predictions: &[
            "membership: bits set, 1 − (1 − 1/b)^n in slices of b bits, and false positive probability, its k-th power, exact; with double and enhanced double hashing the probability by inclusion and exclusion",
            "stream: false positive rate, the mean over the elements so far of these probabilities",
            "membership: the same, asymptotic (1 − e^(−k·n/m) and its k-th power)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let size = Size::from_params(params)?;
        if size.bits < size.choices {
            let reason = format!("{} bits cannot be split into {} slices", size.bits, size.choices);
            return Err(ParamError::new(BITS.name, reason));
        }
        Ok(Self { size, slice: size.bits / size.choices })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        Self { size: Size { elements, ..self.size }, ..*self }
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        vec![(self.slice, "bits of a slice")]
    }

    fn store(&self) -> Bits {
        Bits::new(self.size.bits)
    }

    fn clear(&self, bits: &mut Bits, _seed: u64) {
        bits.clear();
    }

    #[inline(always)]
    fn insert(&self, bits: &mut Bits, mut choices: impl Choices) {
        choices.among(self.slice);
        let mut bits = bits.words();
        for first in self.ranges_of_choices().firsts() {
            bits.set(first + choices.next(self.slice));
        }
    }

    fn insert_drawn(&self, bits: &mut Bits, elements: u32, from: Together<'_>) -> bool {
        self.ranges_of_choices().insert(bits, elements, from);
        true
    }

    fn ask_drawn(&self, bits: &Bits, keys: u64, from: Together<'_>) -> Option<u64> {
        Some(self.ranges_of_choices().ask(bits, keys, from))
    }

    #[inline(always)]
    fn contains(&self, bits: &Bits, mut choices: impl Choices) -> bool {
        choices.among(self.slice);
        for first in self.ranges_of_choices().firsts() {
            if !bits.is_set(first + choices.next(self.slice)) {
                return false;
            }
        }
        true
    }

    fn rate(&self, bits: &Bits) -> f64 {
        let slice = self.slice;
        let share = |first| bits.count_in(first..first + slice) as f64 / f64::from(slice);
        self.ranges_of_choices().firsts().map(share).product()
    }

    fn record(&self, bits: &Bits, _rate: Option<f64>, out: &mut dyn Record) {
        metrics::bits_set(bits.count(), self.size.bits, out);
    }

    fn outlook(&self, workload: &Workload, hash: &HashSpec) -> Outlook {
        theory::partitioned(&self.size, workload, hash)
    }
}

impl Partitioned {
    /// A slice for each choice.
    #[inline]
    fn ranges_of_choices(&self) -> Ranges {
        Ranges { bits: self.slice, apart: self.slice, choices: self.size.choices }
    }
}
