//! The counting Bloom filter: a counter in place of each bit, so that elements can be taken out again.

use super::counters::{Counters, OverflowRule};
use super::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS, Size, last_of_law, unknown};
use super::rare::{self, Fill};
use super::theory::{self, Counted};
use super::{Filter, Taken, Workload, metrics};
use crate::case::Record;
use crate::chance::Chance;
use crate::hash::{Choices, HashSpec, Together};
use crate::info::SchemeInfo;
use crate::occupancy::Occupancy;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::Outlook;
use crate::rare::{Event, MadeFor, NotRare, Rare};

const COUNTER_BITS: Param = Param {
    name: "counter_bits",
    domain: Domain::Integer { min: 1, max: 16 },
    absent: Absent::Integer(4),
    doc: "Bits of a counter, b. The filter has ⌊`bits`/b⌋ counters.",
};

const OVERFLOW_RULE: Param = Param {
    name: "overflow_rule",
    domain: Domain::Word(OverflowRule::NAMES),
    absent: Absent::Word("sticky"),
    doc: "What a counter does beyond its greatest value, 2^b − 1: it stays there for ever, also when elements are taken out; or it goes on from 0, and below 0 from its greatest value.",
};

const COUNTER_LAW: Param = Param {
    name: "counter_law",
    domain: Domain::Integer { min: 0, max: 999 },
    absent: Absent::Optional,
    doc: "Greatest value i of a counter for which `counters_at_<i>` is measured. Without it none is.",
};

/// A Bloom filter of counters, each of which says how often the elements chose it.
#[derive(Debug, Clone)]
pub struct Counting {
    /// With all bits of all counters.
    size: Size,
    counted: Counted,
    counter_bits: u32,
    law: Option<u16>,
}

impl Filter for Counting {
    type Store = Counters;

    const REMOVES: bool = true;

    const TAKES: &'static [Taken] = &[Taken::Independent];

    const INFO: SchemeInfo = SchemeInfo {
        name: "counting-bloom-filter",
        summary: "Each of the k choices of an element is among all ⌊m/b⌋ counters of b bits, and adds 1 to its counter; where an element is taken out they take it off again. A key is said to be in the set if none of its counters is 0.",
        source: "Fan, Cao, Almeida, and Broder, \"Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol\", 2000",
        params: &[
            ELEMENTS,
            BITS_PER_ELEMENT,
            BITS,
            CHOICES,
            COUNTER_BITS,
            OVERFLOW_RULE,
            COUNTER_LAW,
        ],
        predictions: &[
            "membership, and churn with wrapping counters: law of a counter, exact (binomial)",
            "membership: counters that overflowed, exact, and no more than Fan et al. say; churn: no more than a union bound",
            "all: filters in which a counter overflowed, upper bound (union; membership: Poisson, \"Less Hashing, Same Performance\", Section 2.1.2 of the thesis)",
            "membership, and churn with wrapping counters: false positive probability, exact; churn with sticky ones: no less than that of the standard filter, and no more than that and a union bound on counters that stay at their greatest value",
            "churn: members denied, none (sticky) or exact but for choices of one element that are the same (wrapping)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let size = Size::from_params(params)?;
        let counter_bits = params.small(COUNTER_BITS.name)?;
        let counters = size.bits / counter_bits;
        if counters < 2 {
            return Err(size.too_few_counters(counters));
        }
        let name = params.word(OVERFLOW_RULE.name)?;
        let rule = OverflowRule::named(name).ok_or_else(|| unknown(&OVERFLOW_RULE, name))?;
        let law = last_of_law(&COUNTER_LAW, params)?;
        let counted =
            Counted { size: Size { bits: counters, ..size }, range: 1 << counter_bits, rule };
        Ok(Self { size, counted, counter_bits, law })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        let counted = Counted { size: Size { elements, ..self.counted.size }, ..self.counted };
        Self { size: Size { elements, ..self.size }, counted, ..self.clone() }
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        vec![(self.counters(), "counters")]
    }

    fn work(&self) -> f64 {
        theory::work_of(&self.counted.size)
    }

    /// A counter that goes on from 0 denies members.
    fn answers_as_a_set(&self) -> bool {
        self.counted.rule == OverflowRule::Sticky
    }

    fn limit(&self) -> Option<f64> {
        Some(self.counted.size.limit())
    }

    /// The simulated counters have two bytes each, and one bit that says whether they overflowed.
    fn bytes(&self) -> u64 {
        u64::from(self.counters()) * 17 / 8
    }

    fn number_of(&self, things: &str) -> Option<f64> {
        (things == metrics::COUNTERS).then(|| self.counters().into())
    }

    fn store(&self) -> Counters {
        let greatest = u16::MAX >> (u16::BITS - self.counter_bits);
        Counters::new(self.counters(), greatest, self.counted.rule)
    }

    fn clear(&self, counters: &mut Counters, _seed: u64) {
        counters.clear();
    }

    #[inline]
    fn insert(&self, counters: &mut Counters, mut choices: impl Choices) {
        for _ in 0..self.size.choices {
            counters.add(choices.next(self.counters()));
        }
    }

    /// Which counters are chosen does not matter, as absent keys may choose any.
    fn insert_drawn(&self, counters: &mut Counters, elements: u32, from: Together<'_>) -> bool {
        let Together::Choices(rng) = from else { return false };
        let mut occupancy = Occupancy::new(self.counters());
        occupancy.choose(u64::from(elements) * u64::from(self.size.choices), rng);
        occupancy.equally_often().for_each(|(own, often)| counters.add_to_new(own, often));
        true
    }

    fn ask_drawn(&self, counters: &Counters, keys: u64, from: Together<'_>) -> Option<u64> {
        let Together::Choices(rng) = from else { return None };
        let chance = Chance { hits: counters.nonzero() as u32, of: self.counters() };
        Some(chance.left_after(self.size.choices, keys, rng))
    }

    #[inline]
    fn remove(&self, counters: &mut Counters, mut choices: impl Choices) {
        for _ in 0..self.size.choices {
            counters.take(choices.next(self.counters()));
        }
    }

    #[inline]
    fn contains(&self, counters: &Counters, mut choices: impl Choices) -> bool {
        (0..self.size.choices).all(|_| counters.value(choices.next(self.counters())) > 0)
    }

    fn rate(&self, counters: &Counters) -> f64 {
        theory::all_set(counters.nonzero(), self.counters(), self.size.choices)
    }

    fn record(&self, counters: &Counters, _rate: Option<f64>, out: &mut dyn Record) {
        let share = |number: u64| number as f64 / f64::from(self.counters());
        let overflowed = counters.overflowed();
        out.reading(metrics::COUNTERS_SET_FRACTION, Some(share(counters.nonzero())));
        out.reading(metrics::COUNTER_OVERFLOW_FRACTION, Some(share(overflowed)));
        let any = f64::from(u8::from(overflowed > 0));
        out.reading(metrics::FILTER_OVERFLOW_FRACTION, Some(any));
        let most = counters.values().iter().max().copied().unwrap_or_default();
        out.reading(metrics::MAX_COUNTER, Some(most.into()));
        for value in self.law.iter().flat_map(|&last| 0..=last) {
            let at = counters.values().iter().filter(|&&own| own == value).count() as u64;
            out.reading(metrics::counters_at(value), Some(share(at)));
        }
    }

    fn rare(
        &self,
        workload: &Workload,
        of: MadeFor,
        event: &Event,
    ) -> Result<Box<dyn Rare>, NotRare> {
        let Workload::Membership(_) = workload else { return Err(NotRare::nothing()) };
        let Size { elements, choices, .. } = self.size;
        let greatest = u16::MAX >> (u16::BITS - self.counter_bits);
        let fill = Fill { elements, choices, counters: self.counters(), greatest };
        rare::trials(fill, of, event)
    }

    fn outlook(&self, workload: &Workload, hash: &HashSpec) -> Outlook {
        self.counted.outlook(workload, hash, self.law)
    }
}

impl Counting {
    /// m.
    fn counters(&self) -> u32 {
        self.counted.size.bits
    }
}
