//! The interpolation-search summary of Section 4.6.

use super::metrics::{
    FAILING_ELEMENTS, FAILING_FRACTION, FAILURE_OR_CRISIS_FRACTION, PROBES_PER_HIT,
    PROBES_PER_MISS, SUMMARY_FAILURE_FRACTION,
};
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, STRING_BITS, SUB_TABLE_BUCKETS};
use super::strings::{Strings, TYPE_BITS};
use super::theory::interpolation as theory;
use super::theory::law::FillLaw;
use super::{Answers, Asked, Census, Given, Hashing, Multilevel, Summary};
use crate::Rng;
use crate::filters::metrics::{FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS};
use crate::hash::{Choices, Source};
use crate::info::SchemeInfo;
use crate::math::elementary::{exp_m1, exp2, ln_1p};
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;
use rand::Rng as _;

/// A sorted array of strings of b bits, each beside the type of its element.
#[derive(Debug, Clone)]
pub struct Interpolation {
    elements: u32,
    types: u8,
    /// b.
    bits: u32,
}

/// What a look-up tells of a string that several elements have.
const SHARED: u8 = u8::MAX;

/// Bits of a string that one choice makes at most.
const OF_CHOICE: u32 = 31;

impl Interpolation {
    /// The string of an element of these choices.
    #[inline]
    fn string(&self, mut choices: impl Choices) -> u64 {
        let behind = self.bits.min(OF_CHOICE);
        let front = u64::from(choices.next(1 << (self.bits - behind)));
        front << behind | u64::from(choices.next(1 << behind))
    }

    /// The logarithm of the probability that an element does not have a given string.
    fn ln_not_this(&self) -> f64 {
        ln_1p(-exp2(-f64::from(self.bits)))
    }

    /// The probability that an absent key has the string of an element.
    fn false_positive(&self) -> f64 {
        -exp_m1(f64::from(self.elements) * self.ln_not_this())
    }

    /// 0 for an absent string, and no type for one that several elements have.
    fn told(strings: &Strings, string: u64) -> u8 {
        match strings.find(string).kind {
            None => 0,
            Some(_) if strings.is_shared(string) => SHARED,
            Some(kind) => kind,
        }
    }

    /// What so many different strings say, of whose elements these were found to fail.
    fn given_of(&self, distinct: u32, failing: &[u32]) -> Given {
        let failure = f64::from(u8::from(failing.iter().any(|&own| own > 0)));
        let failing: Vec<f64> = failing.iter().map(|&own| own.into()).collect();
        let range = (1_u64 << self.bits) as f64;
        Given { failing, failure, false_positive: Some(f64::from(distinct) / range) }
    }
}

impl Summary for Interpolation {
    const INFO: SchemeInfo = SchemeInfo {
        name: "interpolation-summary",
        summary: "A sorted array of strings of b bits, one for each element, with its type beside it in 3 bits. A look-up finds the string by interpolation search. Two elements of one string are a failure, and an absent key of an element's string is a false positive.",
        source: "Kirsch, thesis, Section 4.6",
        params: &[ELEMENTS, SUB_TABLE_BUCKETS, BUCKETS_PER_ELEMENT, STRING_BITS],
        predictions: &[
            "failures and false positives: exact (Section 4.6), also where elements were replaced",
            "entries read: lg lg n, to leading order",
        ],
    };

    const REMOVES: bool = true;

    const DRAWN_ALONE: &[Metric] =
        &[FALSE_POSITIVE_RATE_GIVEN_BITS, PROBES_PER_HIT, PROBES_PER_MISS];

    type Store = Strings;

    type Drawn = Strings;

    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        let types = table.types();
        if types > 1 << TYPE_BITS {
            let reason = format!("{types} sub-tables; a type has 3 bits, for at most 8");
            return Err(ParamError::new(SUB_TABLE_BUCKETS.name, reason));
        }
        Ok(Self { elements: table.elements(), types, bits: params.small(STRING_BITS.name)? })
    }

    fn hashes(&self) -> Vec<Hashing> {
        vec![Hashing { choices: 2, places: 1 << self.bits.min(OF_CHOICE), are: "half strings" }]
    }

    fn bytes(&self, elements: u32) -> Option<u64> {
        let bits = u64::from(elements) * u64::from(self.bits + TYPE_BITS);
        Some(bits.div_ceil(8))
    }

    fn working_bytes(&self, elements: u32) -> u64 {
        24 * u64::from(elements)
    }

    fn store(&self) -> Strings {
        Strings::new(self.bits, self.elements)
    }

    fn clear(&self, store: &mut Strings) {
        store.clear();
    }

    fn insert<S: Source>(&self, store: &mut Strings, own: u8, key: &[u8], sources: &mut [S]) {
        let Some(source) = sources.first_mut() else { return };
        store.insert(self.string(source.element(key)), own);
    }

    fn remove<S: Source>(&self, store: &mut Strings, own: u8, key: &[u8], sources: &mut [S]) {
        let Some(source) = sources.first_mut() else { return };
        store.remove(self.string(source.element(key)), own);
    }

    fn look_up<S: Source>(&self, store: &Strings, key: &[u8], sources: &mut [S]) -> u8 {
        let Some(source) = sources.first_mut() else { return 0 };
        Self::told(store, self.string(source.element(key)))
    }

    fn given(&self, _store: &Strings, _census: &Census, _failing: &[u32]) -> Option<Given> {
        None
    }

    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction> {
        let exact = |metric, value| Prediction::exact(metric, value, "Section 4.6");
        let (failure, crisis) =
            (theory::failure(law.elements(), self.bits), law.crisis_probability());
        let mut predictions = self.predictions_of_any_table(asked);
        predictions.extend([
            exact(FAILURE_OR_CRISIS_FRACTION, failure + (1.0 - failure) * crisis),
            exact(FALSE_POSITIVE_RATE_GIVEN_BITS, self.false_positive()),
        ]);
        if asked.queries > 0 {
            let probes = theory::leading_probes(law.elements());
            predictions.extend(
                [PROBES_PER_HIT, PROBES_PER_MISS]
                    .map(|metric| Prediction::approximate(metric, probes, "lg lg n")),
            );
        }
        predictions
    }

    /// Strings know nothing of types: those of elements that came in place of others are as good as those before.
    fn predictions_of_any_table(&self, asked: &Asked) -> Vec<Prediction> {
        let exact = |metric, value| Prediction::exact(metric, value, "Section 4.6");
        let elements = f64::from(self.elements);
        let shared = -exp_m1((elements - 1.0) * self.ln_not_this());
        let mut predictions = vec![
            exact(SUMMARY_FAILURE_FRACTION, theory::failure(self.elements, self.bits)),
            exact(FAILING_FRACTION, shared),
            exact(FAILING_ELEMENTS, elements * shared),
        ];
        if asked.queries > 0 {
            predictions.push(exact(FALSE_POSITIVE_RATE, self.false_positive()));
        }
        predictions
    }

    fn drawn(&self) -> Strings {
        self.store()
    }

    fn ask_drawn(
        &self,
        strings: &mut Strings,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers {
        strings.clear();
        let unused = u64::BITS - self.bits;
        for own in 1..=self.types {
            for _ in 0..census.of_type(own) {
                strings.push(rng.next_u64() >> unused, own);
            }
        }
        strings.sort();
        let mut answers =
            Answers { failing: vec![0; usize::from(self.types)], ..Answers::default() };
        let distinct = strings.distinct();
        if distinct < census.left_after(0) {
            strings.count_shared(&mut answers.failing);
        }
        let mut of_misses = 0;
        for _ in 0..asked.queries {
            let found = strings.find(rng.next_u64() >> unused);
            answers.positive += u64::from(found.kind.is_some());
            of_misses += u64::from(found.probes);
        }
        answers.asked = asked.queries;
        if asked.queries > 0 {
            let of_hits = strings.iter().map(|own| u64::from(strings.find(own).probes)).sum();
            answers.probes = Some([of_hits, of_misses]);
        }
        answers.given = Some(self.given_of(distinct, &answers.failing));
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Scalar;
    use crate::summaries::tests::not_measured;
    use rand::SeedableRng;

    fn summary(bits: u32) -> Interpolation {
        Interpolation { elements: 20, types: 2, bits }
    }

    fn census() -> Census {
        let mut census = Census::new(2);
        census.begin(20);
        census.place(1, 15);
        census.place(2, 5);
        census
    }

    /// Twenty strings of eight bits are all different with probability Π (1 − i/256), within four standard errors of
    /// 20,000 trials; those that are not make all who share them fail, and each string is one in 256 absent keys.
    #[test]
    fn equal_strings_are_a_birthday() {
        let summary = summary(8);
        let (mut drawn, mut rng) = (summary.drawn(), Rng::seed_from_u64(2));
        let (trials, mut failed, mut positive) = (20_000, 0, 0);
        for _ in 0..trials {
            let answers = summary.ask_drawn(
                &mut drawn,
                &census(),
                &Asked { queries: 5, ..Asked::default() },
                &mut rng,
            );
            let failing: u32 = answers.failing.iter().sum();
            assert_ne!(failing, 1, "a string is shared by two at least");
            failed += u32::from(failing > 0);
            positive += answers.positive;
            let given = answers.given.unwrap();
            assert_eq!(given.failure > 0.0, failing > 0);
        }
        let different: f64 = (0..20).map(|own| 1.0 - f64::from(own) / 256.0).product();
        let share = f64::from(failed) / f64::from(trials);
        let error = (different * (1.0 - different) / f64::from(trials)).sqrt();
        assert!((share - (1.0 - different)).abs() < 4.0 * error, "{share}");
        let expected = 1.0 - (255.0_f64 / 256.0).powi(20);
        assert!((positive as f64 / (5.0 * f64::from(trials)) - expected).abs() < 4.0 * 0.001);
    }

    /// Twenty elements, sixty of which are replaced: their strings of eight bits have the law of the first ones, and each
    /// that is not shared is told with the type of its element.
    #[test]
    fn strings_of_replaced_elements_are_as_good_as_new() {
        let given = [
            ("elements", Scalar::from(20_i64)),
            ("sub_table_buckets", "15 8 4".into()),
            ("string_bits", 8_i64.into()),
            ("rounds", 60_i64.into()),
            ("queries", 30_i64.into()),
        ];
        let of = ("interpolation-summary", "counted-deletion", "siphash");
        assert_eq!(not_measured(of, &given, 4000), [""; 0]);
    }

    /// Section 4.6: 61 bits and a type fill a word of 64; Table 4.3 adds the bit table to these.
    #[test]
    fn bytes_are_those_of_section_4_8() {
        assert_eq!(summary(61).bytes(100_000), Some(800_000));
        assert_eq!(summary(55).bytes(10_000), Some(72_500));
    }
}
