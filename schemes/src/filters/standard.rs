//! The standard Bloom filter.

use super::bits::Bits;
use super::drawn::Ranges;
use super::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS, Size};
use super::{Filter, Taken, Workload, metrics, theory};
use crate::case::Record;
use crate::hash::{Choices, HashSpec, Together};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;

/// Bloom's filter: each of k choices is among all m bits.
#[derive(Debug, Clone)]
pub struct Standard {
    size: Size,
}

impl Filter for Standard {
    type Store = Bits;

    const TAKES: &'static [Taken] = &[Taken::Independent, Taken::Progressions];

    const INFO: SchemeInfo = SchemeInfo {
        name: "bloom-filter",
        summary: "Each of the k choices of an element is among all m bits, and several may be the same.",
        source: "Bloom, \"Space/Time Trade-offs in Hash Coding with Allowable Errors\", 1970",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BITS, CHOICES],
        predictions: &[
            "membership: bits set and false positive probability, exact (k·n balls into m bins; Bose et al., \"On the False-Positive Rate of Bloom Filters\", in positive terms)",
            "membership: the same of double and enhanced double hashing, exact (inclusion and exclusion), up to 16 choices and where it takes no more than about a tenth of a second",
            "membership: the same of these and of triple hashing, refined (first order in 1/m), where it is not known exactly",
            "stream: false positive rate, the mean over the elements so far of these probabilities",
            "membership: the same, asymptotic (1 − e^(−k·n/m) and its k-th power)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { size: Size::from_params(params)? })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        Self { size: Size { elements, ..self.size } }
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        vec![(self.size.bits, "bits")]
    }

    fn store(&self) -> Bits {
        Bits::new(self.size.bits)
    }

    fn clear(&self, bits: &mut Bits, _seed: u64) {
        bits.clear();
    }

    #[inline(always)]
    fn insert(&self, bits: &mut Bits, mut choices: impl Choices) {
        choices.among(self.size.bits);
        let mut bits = bits.words();
        for _ in 0..self.size.choices {
            bits.set(choices.next(self.size.bits));
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
        choices.among(self.size.bits);
        for _ in 0..self.size.choices {
            if !bits.is_set(choices.next(self.size.bits)) {
                return false;
            }
        }
        true
    }

    fn rate(&self, bits: &Bits) -> f64 {
        theory::all_set(bits.count(), self.size.bits, self.size.choices)
    }

    fn record(&self, bits: &Bits, _rate: Option<f64>, out: &mut dyn Record) {
        metrics::bits_set(bits.count(), self.size.bits, out);
    }

    fn outlook(&self, workload: &Workload, hash: &HashSpec) -> Outlook {
        theory::standard(&self.size, workload, hash)
    }
}

impl Standard {
    /// All bits for each choice.
    fn ranges_of_choices(&self) -> Ranges {
        Ranges { bits: self.size.bits, apart: 0, choices: self.size.choices }
    }
}
