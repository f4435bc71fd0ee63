//! The spectral Bloom filter: counters from which it is told how often an element was inserted.

use super::counters::OverflowRule;
use super::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS, Size};
use super::theory::{self, Counted};
use super::{Filter, Workload, metrics};
use crate::case::Record;
use crate::hash::{Choices, HashSpec};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::Outlook;

/// Most choices of an element.
const MOST_CHOICES: usize = 64;

const COUNTER_BITS: Param = Param {
    name: "counter_bits",
    domain: Domain::Integer { min: 1, max: 32 },
    absent: Absent::Integer(16),
    doc: "Bits of a counter, b. The filter has ⌊`bits`/b⌋ counters. They are taken for wide enough: none overflows, whatever b is.",
};

const INCREASE: Param = Param {
    name: "increase",
    domain: Domain::Word(&["all", "least"]),
    absent: Absent::Word("all"),
    doc: "Which counters of an element an insertion adds 1 to: all of them, or those alone that have the least value (minimal increase).",
};

/// Counters of which the least of an element says its multiplicity, or more.
#[derive(Debug, Clone)]
pub struct Spectral {
    size: Size,
    /// m.
    counters: u32,
    /// Whether only the least counters are increased.
    least: bool,
}

/// The counters of one element, each once.
struct Own {
    counters: [u32; MOST_CHOICES],
    number: usize,
}

impl Own {
    fn counters(&self) -> &[u32] {
        &self.counters[..self.number]
    }
}

impl Filter for Spectral {
    type Store = Vec<u32>;

    const COUNTS: bool = true;

    const INFO: SchemeInfo = SchemeInfo {
        name: "spectral-bloom-filter",
        summary: "Each of the k choices of an element is among all ⌊m/b⌋ counters, and an insertion adds 1 to each of its counters, or to the least of them. The least of a key's counters estimates how often it was inserted, and is never too small.",
        source: "Cohen and Matias, \"Spectral Bloom Filters\", 2003",
        params: &[ELEMENTS, BITS_PER_ELEMENT, BITS, CHOICES, COUNTER_BITS, INCREASE],
        predictions: &[
            "membership, stream and multiset: counters above 0 and false positive probability, exact (as the standard filter)",
            "multiset: estimates that are wrong where all counters are increased, exact (all counters of an element are those of others)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let size = Size::from_params(params)?;
        let counters = size.bits / params.small(COUNTER_BITS.name)?;
        if counters < 2 {
            return Err(size.too_few_counters(counters));
        }
        Ok(Self { size, counters, least: params.word(INCREASE.name)? == "least" })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        Self { size: Size { elements, ..self.size }, ..self.clone() }
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        vec![(self.counters, "counters")]
    }

    fn work(&self) -> f64 {
        theory::work_of(&self.of_counters())
    }

    fn limit(&self) -> Option<f64> {
        Some(self.of_counters().limit())
    }

    fn bytes(&self) -> u64 {
        4 * u64::from(self.counters)
    }

    fn number_of(&self, things: &str) -> Option<f64> {
        (things == metrics::COUNTERS).then(|| self.counters.into())
    }

    fn store(&self) -> Vec<u32> {
        vec![0; self.counters as usize]
    }

    fn clear(&self, counters: &mut Vec<u32>, _seed: u64) {
        counters.fill(0);
    }

    #[inline]
    fn insert(&self, counters: &mut Vec<u32>, choices: impl Choices) {
        let own = self.own(choices);
        let least = least_of(counters, own.counters());
        for &counter in own.counters() {
            let value = &mut counters[counter as usize];
            if !self.least || *value == least {
                *value += 1;
            }
        }
    }

    #[inline]
    fn contains(&self, counters: &Vec<u32>, mut choices: impl Choices) -> bool {
        (0..self.size.choices).all(|_| counters[choices.next(self.counters) as usize] > 0)
    }

    fn estimate(&self, counters: &Vec<u32>, choices: impl Choices) -> u32 {
        least_of(counters, self.own(choices).counters())
    }

    fn rate(&self, counters: &Vec<u32>) -> f64 {
        theory::all_set(nonzero(counters), self.counters, self.size.choices)
    }

    fn record(&self, counters: &Vec<u32>, _rate: Option<f64>, out: &mut dyn Record) {
        let share = nonzero(counters) as f64 / f64::from(self.counters);
        out.reading(metrics::COUNTERS_SET_FRACTION, Some(share));
        let most = counters.iter().max().copied().unwrap_or_default();
        out.reading(metrics::MAX_COUNTER, Some(most.into()));
    }

    fn outlook(&self, workload: &Workload, hash: &HashSpec) -> Outlook {
        // A counter is above 0 if one of bits would be set, whatever is added to it later.
        let as_bits =
            Counted { size: self.of_counters(), range: u32::MAX, rule: OverflowRule::Sticky };
        as_bits.estimates(workload, hash, !self.least)
    }
}

impl Spectral {
    /// With counters in place of bits.
    fn of_counters(&self) -> Size {
        Size { bits: self.counters, ..self.size }
    }

    #[inline]
    fn own(&self, mut choices: impl Choices) -> Own {
        let mut own = Own { counters: [0; MOST_CHOICES], number: 0 };
        for _ in 0..self.size.choices {
            let counter = choices.next(self.counters);
            if !own.counters().contains(&counter) {
                own.counters[own.number] = counter;
                own.number += 1;
            }
        }
        own
    }
}

#[inline]
fn least_of(counters: &[u32], own: &[u32]) -> u32 {
    own.iter().map(|&counter| counters[counter as usize]).min().unwrap_or_default()
}

fn nonzero(counters: &[u32]) -> u64 {
    counters.iter().filter(|&&value| value > 0).count() as u64
}
