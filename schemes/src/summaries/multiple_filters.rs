//! A Bloom filter for each type: the j-th holds the elements that the first j sub-tables left over.

use super::filter_sizes::{self, FILTER_CHOICES, FilterSize};
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use super::predicted::{self, PREDICTIONS};
use super::theory::law::FillLaw;
use super::{Answers, Asked, Census, Given, Hashing, Multilevel, Summary, TypeFilter};
use crate::Rng;
use crate::filters::Bits;
use crate::hash::{Choices as _, Source};
use crate::info::SchemeInfo;
use crate::occupancy::{self, Occupancy};
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const FILTER_BITS: Param = Param {
    name: "filter_bits",
    domain: Domain::Numbers,
    absent: Absent::Required,
    doc: "Bits of each filter, from B_0 on, with spaces between, such as \"106000 87500 5500 500 100\"; there is one for each sub-table.",
};

/// The summary of Section 4.7.2: unpartitioned Bloom filters B_0..B_{d−1}, of which B_j holds the elements of types
/// above j. A key that B_0 does not hold is absent; else its type is the first j ≥ 1 whose filter does not hold it.
#[derive(Debug, Clone)]
pub struct MultipleFilters {
    filters: Vec<FilterSize>,
}

/// The filters of a trial of drawn choices.
#[derive(Debug)]
pub struct DrawnFilters(Vec<Occupancy>);

impl Summary for MultipleFilters {
    const INFO: SchemeInfo = SchemeInfo {
        name: "multiple-filter-summary",
        summary: "A multilevel table with a summary of d Bloom filters of their own sizes and choices, each of which is among all bits of its filter. B_j holds the elements that the first j sub-tables left over. A key that B_0 does not hold is absent; else the first filter after it that does not hold the key tells the sub-table.",
        source: "Kirsch, thesis, Section 4.7.2",
        params: &[ELEMENTS, SUB_TABLE_BUCKETS, BUCKETS_PER_ELEMENT, FILTER_BITS, FILTER_CHOICES],
        predictions: PREDICTIONS,
    };

    const FAILS_BY_LATER_TYPES: bool = true;

    type Store = Vec<Bits>;

    type Drawn = DrawnFilters;

    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        Ok(Self { filters: filter_sizes::sizes(params, &FILTER_BITS, table)? })
    }

    fn hashes(&self) -> Vec<Hashing> {
        filter_sizes::hashes(&self.filters, "bits")
    }

    fn choices_per_element(&self) -> u32 {
        filter_sizes::choices_per_element(self.filters.iter().enumerate())
    }

    fn bytes(&self, _elements: u32) -> Option<u64> {
        let bits: u64 = self.filters.iter().map(|own| u64::from(own.places)).sum();
        Some(bits.div_ceil(8))
    }

    fn working_bytes(&self, _elements: u32) -> u64 {
        self.filters.iter().map(|own| 8 * u64::from(own.places.div_ceil(u64::BITS))).sum()
    }

    fn store(&self) -> Vec<Bits> {
        self.filters.iter().map(|own| Bits::new(own.places)).collect()
    }

    fn clear(&self, filters: &mut Vec<Bits>) {
        filters.iter_mut().for_each(Bits::clear);
    }

    #[inline]
    fn insert<S: Source>(&self, filters: &mut Vec<Bits>, own: u8, key: &[u8], sources: &mut [S]) {
        let parts = self.filters.iter().zip(filters).zip(sources).take(own.into());
        for ((size, filter), source) in parts {
            let mut choices = source.element(key);
            choices.among(size.places);
            for _ in 0..size.choices {
                filter.set(choices.next(size.places));
            }
        }
    }

    #[inline]
    fn look_up<S: Source>(&self, filters: &Vec<Bits>, key: &[u8], sources: &mut [S]) -> u8 {
        let parts = (0..).zip(self.filters.iter().zip(filters).zip(sources));
        for (own, ((size, filter), source)) in parts {
            let mut choices = source.element(key);
            choices.among(size.places);
            if !(0..size.choices).all(|_| filter.is_set(choices.next(size.places))) {
                return own;
            }
        }
        self.filters.len() as u8
    }

    fn given(&self, filters: &Vec<Bits>, census: &Census, _failing: &[u32]) -> Option<Given> {
        let of = |(own, bits): (&FilterSize, &Bits)| bits.count() as f64 / f64::from(own.places);
        let set = self.filters.iter().zip(filters).map(of);
        Some(filter_sizes::given(&self.filters, set, census, true))
    }

    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction> {
        predicted::of_filters(law, &filter_sizes::in_theory(&self.filters), asked.queries > 0)
    }

    fn failure_chance(&self, own: u8, later: u32) -> f64 {
        filter_sizes::in_theory(&self.filters)[usize::from(own)].chance_in_groups(later)
    }

    fn type_filters(&self) -> Vec<TypeFilter> {
        filter_sizes::type_filters(&self.filters)
    }

    fn failure_outlook(&self, law: &FillLaw) -> Outlook {
        predicted::failures_of_filters(law, &filter_sizes::in_theory(&self.filters))
    }

    fn drawn(&self) -> DrawnFilters {
        DrawnFilters(self.filters.iter().map(|own| Occupancy::new(own.places)).collect())
    }

    /// Which elements choose a place does not matter.
    fn operations_of_drawn(&self, elements: u32) -> f64 {
        occupancy::operations(f64::from(elements) * f64::from(self.choices_per_element()))
    }

    /// Elements of type i are asked for in B_i, which they are not in, so that how many pass depends on the number of
    /// its set bits alone. Of absent keys, B_0 alone says whether they pass.
    fn ask_drawn(
        &self,
        drawn: &mut DrawnFilters,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers {
        let with_absent = asked.queries > 0;
        let (mut set, mut passing) = (Vec::new(), Vec::new());
        let parts = (0..).zip(self.filters.iter().zip(&mut drawn.0));
        for (own, (size, bits)) in parts {
            let (elements, keys) = match own {
                0 if !with_absent => (0, 0),
                0 => (census.left_after(0), asked.queries),
                own => (census.left_after(own), census.of_type(own).into()),
            };
            bits.choose(u64::from(elements) * u64::from(size.choices), rng);
            let chosen = bits.distinct();
            passing.push(size.passing(chosen, keys, rng));
            set.push(f64::from(chosen) / f64::from(size.places));
        }
        let given = filter_sizes::given(&self.filters, set.into_iter(), census, with_absent);
        let answers = Answers { given: Some(given), ..Answers::default() };
        answers.of_filters(asked.queries, &passing)
    }
}

#[cfg(test)]
mod tests {
    use crate::params::Scalar;
    use crate::summaries::metrics;
    use crate::summaries::tests::{assert_one_law, trials};

    /// A table whose elements are of three types, and filters that fail often.
    fn small() -> Vec<(&'static str, Scalar)> {
        vec![
            ("elements", 30_i64.into()),
            ("sub_table_buckets", "30 8 4".into()),
            ("filter_bits", "100 60 12".into()),
            ("filter_choices", "2 3 2".into()),
            ("queries", 40_i64.into()),
        ]
    }

    #[test]
    fn filters_of_keys_and_drawn_ones_answer_alike() {
        assert_one_law("multiple-filter-summary", "summary-fill", &small(), 20_000);
    }

    /// What is expected given the bits has the mean of what is counted.
    #[test]
    fn what_bits_say_is_what_elements_find() {
        let sums = trials(("multiple-filter-summary", "summary-fill", "random"), &small(), 20_000);
        let pairs = [
            (metrics::FAILING_ELEMENTS, metrics::FAILING_ELEMENTS_GIVEN_CELLS),
            (metrics::SUMMARY_FAILURE_FRACTION, metrics::SUMMARY_FAILURE_GIVEN_CELLS),
        ];
        for (counted, expected) in pairs {
            let ((a, error_of_a), (b, error_of_b)) = (sums.mean(counted), sums.mean(expected));
            assert!(a > 0.1 && error_of_b < error_of_a, "{counted}: {a} ± {error_of_a}");
            assert!((a - b).abs() < 4.5 * error_of_a.hypot(error_of_b), "{counted}: {a} {b}");
        }
    }

    /// 199,600 bits and the bit table of Section 4.8.
    #[test]
    fn bytes_are_those_of_section_4_8() {
        let given = [
            ("elements", 10_000_i64.into()),
            ("sub_table_buckets", "40000 10000 5000 2500 2500".into()),
            ("filter_bits", "106000 87500 5500 500 100".into()),
            ("filter_choices", "7 49 49 49 49".into()),
        ];
        let sums = trials(("multiple-filter-summary", "summary-fill", "random"), &given, 1);
        assert_eq!(sums.mean(metrics::SUMMARY_BYTES).0, 32_450.0);
    }

    #[test]
    fn there_is_a_filter_for_each_sub_table() {
        for (number, value) in [(2, "100 60"), (2, "100 60 0.5"), (3, "2 3 1000"), (3, "7")] {
            let mut given = small();
            given[number].1 = value.into();
            let name = given[number].0;
            let made =
                crate::families::case("multiple-filter-summary", "summary-fill", "random", &given);
            assert_eq!(made.unwrap_err().name, name);
        }
    }
}
