//! A counting Bloom filter for each type, so that elements can be taken out again.

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

#[cfg(test)]
mod tests {
    use crate::families;
    use crate::params::Scalar;
    use crate::summaries::metrics;
    use crate::summaries::tests::{assert_one_law, not_measured, trials};

    /// A table whose elements are of three types, and counters of which some overflow.
    fn small() -> Vec<(&'static str, Scalar)> {
        vec![
            ("elements", 30_i64.into()),
            ("sub_table_buckets", "30 8 4".into()),
            ("filter_counters", "100 60 12".into()),
            ("filter_choices", "2 3 4".into()),
            ("filter_counter_bits", "2 16 2".into()),
            ("once", 1_i64.into()),
            ("counter_law", 5_i64.into()),
            ("queries", 40_i64.into()),
        ]
    }

    #[test]
    fn counters_of_keys_and_drawn_ones_answer_alike() {
        assert_one_law("counting-filter-summary", "summary-fill", &small(), 20_000);
    }

    /// A filter that is looked at alone has the law of that filter among all, and nothing else is measured of the summary.
    #[test]
    fn one_filter_alone_counts_as_it_does_among_all() {
        let all = trials(("counting-filter-summary", "summary-fill", "random"), &small(), 20_000);
        for own in 0..3_u16 {
            let mut given = small();
            given.push(("law_of_filter", i64::from(own).into()));
            assert_one_law("counting-filter-summary", "summary-fill", &given, 20_000);
            let of = ("counting-filter-summary", "summary-fill", "random");
            assert_eq!(not_measured(of, &given, 20_000), [""; 0]);
            let alone = trials(of, &given, 20_000);
            let metric = metrics::max_counter(own);
            let ((a, error_of_a), (b, error_of_b)) = (all.mean(metric), alone.mean(metric));
            assert!((a - b).abs() < 4.5 * error_of_a.hypot(error_of_b), "{own}: {a} {b}");
            let others = [metrics::FAILING_ELEMENTS, metrics::max_counter((own + 1) % 3)];
            assert!(others.iter().all(|metric| !alone.of.contains_key(metric)));
        }
    }

    /// Without deletions a counter answers as a bit does.
    #[test]
    fn counters_answer_as_bits_do() {
        let counting = trials(("counting-filter-summary", "summary-fill", "xxh3"), &small(), 300);
        let mut given = small();
        given.truncate(4);
        given[2].0 = "filter_bits";
        given.push(("queries", 40_i64.into()));
        let bits = trials(("multiple-filter-summary", "summary-fill", "xxh3"), &given, 300);
        let answers = [
            metrics::FAILING_ELEMENTS,
            metrics::SUMMARY_FAILURE_GIVEN_CELLS,
            crate::filters::metrics::FALSE_POSITIVE_RATE,
        ];
        for metric in answers {
            assert_eq!(bits.mean(metric), counting.mean(metric), "{metric}");
        }
    }

    /// Of the last filter, which at most one element comes to, no counter counts its forty choices twice.
    #[test]
    fn an_element_counts_once_where_it_is_to() {
        let greatest = |once: i64| {
            let mut given = small();
            given[0].1 = 3_i64.into();
            given[1].1 = "1 2 4".into();
            given[3].1 = "2 3 40".into();
            given[4].1 = "16 16 16".into();
            given[5].1 = once.into();
            given.push(("left_after", true.into()));
            let sums = trials(("counting-filter-summary", "summary-fill", "random"), &given, 200);
            (sums.mean(metrics::max_counter(2)).0, sums.mean(metrics::left_after(2)).0)
        };
        let (once, left) = greatest(1);
        assert!(once == left && greatest(0).0 > 4.0 * left, "{once} {left}");
    }

    /// Counters of 16 bits forget who left: a table whose elements were all replaced answers for those that are there.
    /// A sticky counter of one bit forgets nobody.
    #[test]
    fn who_was_taken_out_is_forgotten() {
        let replaced = |bits: &str, rounds: i64| {
            let mut given = small();
            given[4].1 = bits.into();
            given.push(("rounds", rounds.into()));
            trials(("counting-filter-summary", "counted-deletion", "xxh3"), &given, 2000)
        };
        let rate = crate::filters::metrics::FALSE_POSITIVE_RATE;
        let ((at_first, error), (later, error_later)) =
            (replaced("16 16 16", 0).mean(rate), replaced("16 16 16", 300).mean(rate));
        assert!((at_first - later).abs() < 4.5 * error.hypot(error_later), "{at_first} {later}");
        let stuck = replaced("1 1 1", 300);
        assert!(stuck.mean(rate).0 > 2.0 * at_first, "{:?}", stuck.mean(rate));
        let failing = metrics::SUMMARY_FAILURE_FRACTION;
        assert!(stuck.mean(failing).0 > replaced("1 1 1", 0).mean(failing).0);
    }

    /// Of 1000 elements with 256 choices each in one counter, drawn or of keys, none is lost in a wider number.
    #[test]
    fn counters_of_16_bits_overflow() {
        let overflowed = |elements: i64, hash| {
            let given = [
                ("elements", elements.into()),
                ("sub_table_buckets", "2000 500".into()),
                ("filter_counters", "1 50".into()),
                ("filter_choices", "256 1".into()),
                ("filter_counter_bits", "16 16".into()),
            ];
            let sums = trials(("counting-filter-summary", "summary-fill", hash), &given, 2);
            let greatest = sums.mean(metrics::max_counter(0)).0;
            (sums.mean(crate::filters::metrics::FILTER_OVERFLOW_FRACTION).0, greatest)
        };
        for hash in ["random", "xxh3"] {
            assert_eq!(overflowed(1000, hash), (1.0, 65_535.0), "{hash}");
            assert_eq!(overflowed(255, hash), (0.0, 65_280.0), "{hash}");
        }
    }

    /// Elements that were replaced by later types leave a type without an element, and the bits of its filter set.
    #[test]
    fn a_type_without_elements_does_not_fail() {
        let given = [
            ("elements", 3_i64.into()),
            ("sub_table_buckets", "2 1 1".into()),
            ("filter_counters", "9 9 1".into()),
            ("filter_choices", "1 1 1".into()),
            ("filter_counter_bits", "4 4 4".into()),
            ("rounds", 20_i64.into()),
            ("queries", 1_i64.into()),
        ];
        let sums = trials(("counting-filter-summary", "counted-deletion", "xxh3"), &given, 500);
        for (metric, (sum, _)) in &sums.of {
            assert!(sum.is_finite(), "{metric}");
        }
        assert!(sums.mean(metrics::SUMMARY_FAILURE_GIVEN_CELLS).0 > 0.0);
    }

    /// The law of the greatest counter up to 999, of 10,000 elements of which each counts once, would take hours.
    #[test]
    fn no_more_is_predicted_than_can_be_worked_out() {
        let outlook = |law: i64| {
            let given = [
                ("elements", 10_000_i64.into()),
                ("sub_table_buckets", "40000 10000".into()),
                ("filter_counters", "1 1000".into()),
                ("filter_choices", "1 7".into()),
                ("filter_counter_bits", "16 16".into()),
                ("once", 2_i64.into()),
                ("counter_law", law.into()),
            ];
            let case = families::case("counting-filter-summary", "summary-fill", "random", &given);
            let outlook = case.unwrap().outlook(&|_| None);
            let of_counters = |value| {
                let metric = metrics::max_counter_at_least(value);
                outlook.predictions.iter().any(|told| told.metric == metric)
            };
            ([1, 3, 999].map(of_counters), outlook.missing.is_some())
        };
        assert_eq!(outlook(3), ([true, true, false], false));
        assert_eq!(outlook(999), ([true, true, false], true));
    }

    /// The two configurations of Section 4.10.2, and the 7,500 bytes of the bit table.
    #[test]
    fn bytes_are_those_of_section_4_10_2() {
        for (bits, printed) in [("4 4 4 4 2", 99_775.0), ("4 4 4 3 1", 99_700.0)] {
            let given = [
                ("elements", 10_000_i64.into()),
                ("sub_table_buckets", "40000 10000 5000 2500 2500".into()),
                ("filter_counters", "106000 87500 5500 500 100".into()),
                ("filter_choices", "7 49 49 49 49".into()),
                ("filter_counter_bits", bits.into()),
                ("once", 2_i64.into()),
            ];
            let sums = trials(("counting-filter-summary", "summary-fill", "random"), &given, 1);
            assert_eq!(sums.mean(metrics::SUMMARY_BYTES).0, printed + 7500.0);
        }
    }
}
