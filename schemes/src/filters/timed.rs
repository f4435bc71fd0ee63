//! Any filter, to be timed.

use super::Filter;
use crate::hash::{
    Derivation, FamilyVisitor, HashFamily, HashSpec, Increment, Progression, Seeds as OfSeeds,
    Slices, Source,
};
use crate::keys::{KeySource, Seeds};
use crate::timed::{Structure, Timed, TimedKeys, Untimed, WithKeys};

/// The filter with the keys and the hash functions of a trial of this seed, and with at most so many absent keys.
///
/// # Errors
/// Where choices are drawn: no key is found again by them; and where a trace has too few different keys.
pub(super) fn filter<F: Filter>(
    filter: F,
    hash: HashSpec,
    keys: &KeySource,
    absent: u64,
    seed: u64,
) -> Result<Box<dyn Timed>, Untimed> {
    let seeds = Seeds::of(seed, 0);
    let keys = TimedKeys::of(keys, filter.size().elements, absent, seeds.keys);
    let keys = keys.ok_or(Untimed::TOO_FEW_KEYS)?;
    hash.hash().visit(Keyed { filter, hash, keys, seeds }).map_err(|_| Untimed::NO_KEYS)
}

/// A filter whose hash function has no type yet.
struct Keyed<F> {
    filter: F,
    hash: HashSpec,
    keys: TimedKeys,
    seeds: Seeds,
}

impl<F: Filter> FamilyVisitor for Keyed<F> {
    type Output = Box<dyn Timed>;

    /// Each derivation has loops of its own, as it would have in a program. Trials look it up for every element: their
    /// choices then stand in memory, where a progression takes several times as long.
    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        match self.hash.derivation() {
            Derivation::Seeds => self.with_source::<OfSeeds<H>>(),
            Derivation::Slices { .. } => self.with_source::<Slices<H>>(),
            Derivation::Progression(Increment::None) => self.with_source::<Progression<H, 1>>(),
            Derivation::Progression(_) => self.with_source::<Progression<H>>(),
        }
    }
}

impl<F: Filter> Keyed<F> {
    fn with_source<S: Source>(self) -> Box<dyn Timed> {
        let Self { filter, hash, keys, seeds } = self;
        let (source, mut store) = (S::new(&hash, seeds.hash), filter.store());
        filter.clear(&mut store, seeds.scheme);
        let structure = Hashing { filter, store, source, seed: seeds.scheme };
        Box::new(WithKeys { structure, keys })
    }
}

/// A filter with its hash functions.
struct Hashing<F: Filter, S> {
    filter: F,
    store: F::Store,
    source: S,
    seed: u64,
}

impl<F: Filter, S: Source> Structure for Hashing<F, S> {
    fn clear(&mut self) {
        self.filter.clear(&mut self.store, self.seed);
    }

    #[inline(always)]
    fn insert(&mut self, key: &[u8]) {
        self.filter.insert(&mut self.store, self.source.element(key));
    }

    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        self.filter.contains(&self.store, self.source.element(key))
    }

    #[inline(always)]
    fn delete(&mut self, key: &[u8]) {
        self.filter.remove(&mut self.store, self.source.element(key));
    }

    fn bytes(&self) -> u64 {
        self.filter.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::timed::Operation;

    fn timed(scheme: &str, hash: &str, from: &str) -> Result<Box<dyn Timed>, Untimed> {
        let given = [
            ("elements", 1000_i64.into()),
            ("bits", 10_000_i64.into()),
            ("choices", 5_i64.into()),
            ("choices_from", from.into()),
            ("queries", 20_000_i64.into()),
        ];
        let case = families::case(scheme, "membership", hash, &given).unwrap();
        case.timed(&KeySource::Random, 7)
    }

    /// The structure that is timed is the filter: it knows each of its elements, and is wrong about as many
    /// absent keys as trials of the same filter are.
    #[test]
    fn every_element_is_found_and_few_absent_keys_are() {
        for scheme in ["bloom-filter", "partitioned-bloom-filter"] {
            for from in ["seeds", "double"] {
                let mut filter = timed(scheme, "xxh3", from).unwrap();
                assert_eq!(filter.run(Operation::Hit, 1000), 0, "it is empty");
                assert_eq!(filter.run(Operation::Insert, 400), 400);
                assert_eq!(filter.run(Operation::Insert, 4000), 600);
                assert_eq!(filter.run(Operation::Hit, 2500), 2500);
                let rate = filter.answers().false_positive_rate().unwrap();
                // (1 - e^(-1/2))^5 = 0.0094, and five standard errors of 20,000 answers.
                assert!((rate - 0.0094).abs() < 0.0035, "{scheme} {from} {rate}");
                filter.clear();
                assert_eq!(filter.run(Operation::Miss, 100), 0);
                assert_eq!(filter.run(Operation::Insert, 5), 5);
            }
        }
    }

    /// A counter of four bits for each bit of the plain filter, in words of 64.
    #[test]
    fn counters_take_more_than_bits() {
        let bytes = |scheme| timed(scheme, "xxh3", "seeds").unwrap().bytes();
        assert_eq!(bytes("bloom-filter"), 1256);
        assert!(bytes("counting-bloom-filter") >= 10_000 / 2, "{}", bytes("counting-bloom-filter"));
    }

    #[test]
    fn drawn_choices_are_no_set() {
        for from in ["seeds", "double"] {
            assert_eq!(timed("bloom-filter", "random", from).err(), Some(Untimed::NO_KEYS));
        }
    }

    /// Ten thousand bits are 2500 counters of four bits, which are stored in two bytes each beside a bit that says
    /// whether the counter overflowed: what is told is the memory that the times are those of.
    #[test]
    fn a_counting_filter_forgets_what_is_deleted() {
        let mut filter = timed("counting-bloom-filter", "xxh3", "seeds").unwrap();
        assert_eq!(filter.bytes(), 2500 * 17 / 8);
        assert_eq!(filter.run(Operation::Delete, 1), 0, "it is empty");
        assert_eq!(filter.run(Operation::Insert, 1000), 1000);
        assert_eq!(filter.run(Operation::Delete, 700), 700);
        let left = filter.run(Operation::Hit, 1000);
        // The 300 that are left, and false positives among the others: (1 - e^(-0.6))^5 = 0.019.
        assert!((300..340).contains(&left), "{left}");
        assert_eq!(filter.run(Operation::Delete, 700), 300);
        // A counter at its greatest value stays there; of 2500 with 2 elements on average, hardly any is.
        assert_eq!(filter.run(Operation::Hit, 1000), 0);
    }
}
