//! A counting Bloom filter for each type, so that elements can be taken out again.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::counter_use::{COUNTER_LAW, CounterLaw, CounterUse};
use super::counting_fill::{CountingSize, DrawnCounters};
use super::filter_sizes::{self, FILTER_CHOICES, FilterSize};
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use super::predicted::{self, PREDICTIONS};
use super::theory::counters::CounterArray;
use super::theory::law::FillLaw;
use super::{Answers, Asked, Census, Given, Hashing, Multilevel, Summary, TypeFilter, metrics};
use crate::Rng;
use crate::case::Record;
use crate::filters::{Counters, OverflowRule};
use crate::hash::{Choices as _, Source};
use crate::info::SchemeInfo;
use crate::occupancy;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const FILTER_COUNTERS: Param = Param {
    name: "filter_counters",
    domain: Domain::Numbers,
    absent: Absent::Required,
    doc: "Counters of each filter, from B_0 on, with spaces between, such as \"106000 87500 5500 500 100\"; there is one filter for each sub-table.",
};

const FILTER_COUNTER_BITS: Param = Param {
    name: "filter_counter_bits",
    domain: Domain::Numbers,
    absent: Absent::Required,
    doc: "Bits of a counter in each filter, 1 to 16, from B_0 on, with spaces between, such as \"4 4 4 4 2\". A counter that reaches its greatest value stays there for ever.",
};

const ONCE: Param = Param {
    name: "once",
    domain: Domain::Integer { min: 0, max: 64 },
    absent: Absent::Integer(0),
    doc: "So many of the last filters count an element at most once in each counter, however many of its choices fall there; the others count every choice.",
};

const LAW_OF_FILTER: Param = Param {
    name: "law_of_filter",
    domain: Domain::Integer { min: 0, max: 63 },
    absent: Absent::Optional,
    doc: "The one filter that is looked at, from 0 on: a trial measures how far its counters count, and nothing of the others; no element or key is asked for. `counter_law` is about it. Without it a trial is about all filters, and `counter_law` about B_0.",
};

/// The summary of Section 4.10.2: as [`MultipleFilters`](super::MultipleFilters), with a counter in place of each bit.
#[derive(Debug, Clone)]
pub struct CountingFilters {
    filters: Vec<CountingSize>,
    law: CounterLaw,
    /// Whether the filter of this law is the only one that is looked at.
    one_alone: bool,
}

/// The filters of elements with keys.
#[derive(Debug)]
pub struct CountingStore {
    filters: Vec<Counters>,
    greatest: Vec<u16>,
    /// Choices of the element at hand.
    chosen: Vec<u32>,
}

impl Summary for CountingFilters {
    const INFO: SchemeInfo = SchemeInfo {
        name: "counting-filter-summary",
        summary: "A multilevel table with a summary of d counting Bloom filters of their own sizes and choices. B_j holds the elements that the first j sub-tables left over, so that an element is taken out as it was inserted. A counter that has reached its greatest value stays there: no element is denied, and some may be told too high a type.",
        source: "Kirsch, thesis, Section 4.10.2",
        params: &[
            ELEMENTS,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
            FILTER_COUNTERS,
            FILTER_CHOICES,
            FILTER_COUNTER_BITS,
            ONCE,
            LAW_OF_FILTER,
            COUNTER_LAW,
        ],
        predictions: PREDICTIONS,
    };

    const FAILS_BY_LATER_TYPES: bool = true;

    const REMOVES: bool = true;

    type Store = CountingStore;

    type Drawn = DrawnCounters;

    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        let sizes = filter_sizes::sizes(params, &FILTER_COUNTERS, table)?;
        let bits = filter_sizes::whole(params, &FILTER_COUNTER_BITS, table, 16)?;
        let many_choices = sizes.len().saturating_sub(params.small(ONCE.name)? as usize);
        let filter = |(own, (size, bits)): (usize, (FilterSize, u32))| CountingSize {
            size,
            bits,
            greatest: u16::MAX >> (u16::BITS - bits),
            once: own >= many_choices,
        };
        let filters = sizes.into_iter().zip(bits).enumerate().map(filter).collect();
        let one_alone = params.get(LAW_OF_FILTER.name).is_some();
        let law_of = if one_alone { params.small(LAW_OF_FILTER.name)? } else { 0 };
        if law_of >= table.types().into() {
            let reason =
                format!("there is no filter {law_of}: they are 0 to {}", table.types() - 1);
            return Err(ParamError::new(LAW_OF_FILTER.name, reason));
        }
        Ok(Self { filters, law: CounterLaw::from_params(params, law_of)?, one_alone })
    }

    fn hashes(&self) -> Vec<Hashing> {
        filter_sizes::hashes(&self.sizes(), "counters")
    }

    fn choices_per_element(&self) -> u32 {
        filter_sizes::choices_per_element(
            self.looked_at().map(|own| (own, &self.filters[own].size)),
        )
    }

    fn bytes(&self, _elements: u32) -> Option<u64> {
        let bits = |own: &CountingSize| u64::from(own.size.places) * u64::from(own.bits);
        Some(self.filters.iter().map(bits).sum::<u64>().div_ceil(8))
    }

    fn working_bytes(&self, _elements: u32) -> u64 {
        self.filters.iter().map(|own| u64::from(own.size.places) * 17 / 8).sum()
    }

    fn store(&self) -> CountingStore {
        let counters =
            |own: &CountingSize| Counters::new(own.size.places, own.greatest, OverflowRule::Sticky);
        let filters = self.filters.iter().map(counters).collect();
        CountingStore { filters, greatest: vec![0; self.filters.len()], chosen: Vec::new() }
    }

    fn clear(&self, store: &mut CountingStore) {
        store.filters.iter_mut().for_each(Counters::clear);
        store.greatest.fill(0);
    }

    #[inline]
    fn insert<S: Source>(&self, store: &mut CountingStore, own: u8, key: &[u8], sources: &mut [S]) {
        let CountingStore { filters, greatest, chosen } = store;
        let parts = filters.iter_mut().zip(greatest).zip(sources);
        for (size, ((counters, greatest), source)) in
            self.filters.iter().zip(parts).take(own.into())
        {
            size.choose(chosen, source.element(key));
            for &counter in &*chosen {
                counters.add(counter);
                *greatest = (*greatest).max(counters.value(counter));
            }
        }
    }

    #[inline]
    fn remove<S: Source>(&self, store: &mut CountingStore, own: u8, key: &[u8], sources: &mut [S]) {
        let CountingStore { filters, chosen, .. } = store;
        let parts = self.filters.iter().zip(filters).zip(sources).take(own.into());
        for ((size, counters), source) in parts {
            size.choose(chosen, source.element(key));
            chosen.iter().for_each(|&counter| counters.take(counter));
        }
    }

    #[inline]
    fn look_up<S: Source>(&self, store: &CountingStore, key: &[u8], sources: &mut [S]) -> u8 {
        let parts = (0..).zip(self.filters.iter().zip(&store.filters).zip(sources));
        for (own, ((CountingSize { size, .. }, counters), source)) in parts {
            let mut choices = source.element(key);
            choices.among(size.places);
            if !(0..size.choices).all(|_| counters.value(choices.next(size.places)) > 0) {
                return own;
            }
        }
        self.filters.len() as u8
    }

    fn given(&self, store: &CountingStore, census: &Census, _failing: &[u32]) -> Option<Given> {
        let set = self.filters.iter().zip(&store.filters);
        let set = set.map(|(own, counters)| counters.nonzero() as f64 / f64::from(own.size.places));
        Some(filter_sizes::given(&self.sizes(), set, census, true))
    }

    fn counters(&self, store: &CountingStore) -> Option<CounterUse> {
        let own = self.looked_at();
        let overflowed = store.filters[own.clone()].iter().any(|own| own.overflowed() > 0);
        Some(CounterUse { greatest: store.greatest[own].to_vec(), overflowed })
    }

    fn is_asked(&self) -> bool {
        !self.one_alone
    }

    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction> {
        let filters = filter_sizes::in_theory(&self.sizes());
        let mut predictions = match self.is_asked() {
            true => predicted::of_filters(law, &filters, asked.queries > 0),
            false => Vec::new(),
        };
        predictions.extend((1..=self.last_foreseen(law)).map(|value| self.reaches(law, value)));
        predictions
    }

    fn missing(&self, law: &FillLaw) -> Option<String> {
        let (last, wanted) = (self.last_foreseen(law), self.last_possible());
        (last < wanted)
            .then(|| format!("that a counter has more than {last} would take too long to work out"))
    }

    /// Drawn counters of 16 bits did not overflow once.
    fn revision(&self) -> u32 {
        u32::from(self.filters.iter().any(|own| own.greatest == u16::MAX))
    }

    fn failure_chance(&self, own: u8, later: u32) -> f64 {
        filter_sizes::in_theory(&self.sizes())[usize::from(own)].chance_in_groups(later)
    }

    fn type_filters(&self) -> Vec<TypeFilter> {
        filter_sizes::type_filters(&self.sizes())
    }

    fn failure_outlook(&self, law: &FillLaw) -> Outlook {
        predicted::failures_of_filters(law, &filter_sizes::in_theory(&self.sizes()))
    }

    fn drawn(&self) -> DrawnCounters {
        DrawnCounters::new(&self.filters)
    }

    /// Which elements choose a counter does not matter, but where an element counts once.
    fn operations_of_drawn(&self, elements: u32) -> f64 {
        let of_filter = |own: usize| {
            let CountingSize { size, once, .. } = self.filters[own];
            let choices = filter_sizes::choices_per_element([(own, &size)]);
            let choices = f64::from(elements) * f64::from(choices);
            match once {
                true => choices + f64::from(size.places) / 8.0,
                false => occupancy::operations(choices),
            }
        };
        self.looked_at().map(of_filter).sum()
    }

    /// All filters that are looked at are filled, whatever is asked: their counters are read.
    fn ask_drawn(
        &self,
        drawn: &mut DrawnCounters,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers {
        let (mut counters, mut set, mut passing) = (CounterUse::default(), Vec::new(), Vec::new());
        for own in self.looked_at() {
            let (filter, own) = (&self.filters[own], own as u8);
            let tally = drawn.fill(filter.size, own, census.left_after(own), rng);
            counters.look_at(tally.greatest, filter.greatest);
            if self.is_asked() {
                let keys = if own == 0 { asked.queries } else { census.of_type(own).into() };
                passing.push(filter.size.passing(tally.distinct, keys, rng));
                set.push(f64::from(tally.distinct) / f64::from(filter.size.places));
            }
        }
        let answers = Answers { counters: Some(counters), ..Answers::default() };
        if !self.is_asked() {
            return answers;
        }
        let given = filter_sizes::given(&self.sizes(), set.into_iter(), census, true);
        Answers { given: Some(given), ..answers }.of_filters(asked.queries, &passing)
    }

    fn record(&self, answers: &Answers, out: &mut dyn Record) {
        if let Some(counters) = &answers.counters {
            let first = self.looked_at().start;
            let law = CounterLaw { of: self.law.of - first, ..self.law };
            counters.record(first as u16, law, out);
        }
    }
}

/// Steps after which no more of the law of the greatest counter is worked out, which take some seconds.
const STEPS: f64 = 2e9;

/// Steps that take as long as the law of all counters of a given number of elements, about.
const STEPS_PER_LAW: f64 = 5000.0;

impl CountingFilters {
    /// The filters that a trial looks at.
    fn looked_at(&self) -> Range<usize> {
        match self.one_alone {
            true => self.law.of..self.law.of + 1,
            false => 0..self.filters.len(),
        }
    }

    /// The greatest value whose probability is wanted and not 0 by the width of the counters.
    fn last_possible(&self) -> u16 {
        self.law.last.min(self.filters[self.law.of].greatest)
    }

    /// The greatest value such that the probabilities up to it take no more than [`STEPS`].
    fn last_foreseen(&self, law: &FillLaw) -> u16 {
        let left = law.left_law(self.law.of);
        let of_value = |value: u16| match self.filters[self.law.of].once {
            true => f64::from(left.last()) * (f64::from(value) + 1.0).powi(2),
            false => left.probabilities().len() as f64 * STEPS_PER_LAW,
        };
        let mut steps = 0.0;
        let lasts = |value: &u16| {
            steps += of_value(*value);
            steps <= STEPS
        };
        (1..=self.last_possible()).take_while(lasts).last().unwrap_or(0)
    }

    /// The probability that some counter of the filter that is looked at has at least this value.
    fn reaches(&self, law: &FillLaw, value: u16) -> Prediction {
        let CountingSize { size, once, .. } = self.filters[self.law.of];
        let counters = CounterArray { counters: size.places, choices: size.choices };
        let (left, metric) = (law.left_law(self.law.of), metrics::max_counter_at_least(value));
        match once {
            true => predicted::between(metric, counters.reaches_once_after(left, value.into())),
            false => {
                let reaches = counters.reaches_after(left, value.into());
                Prediction::exact(metric, reaches, "k·|S_j| balls into m bins")
            }
        }
    }

    fn sizes(&self) -> Vec<FilterSize> {
        self.filters.iter().map(|own| own.size).collect()
    }
}
