//! What of a trial is left to chance, with a hash function that draws choices and with one that looks at keys.

use rand::SeedableRng;

use crate::Rng;
use crate::hash::{RandomSource, Source};
use crate::keys::{Seeds, Stream};
use crate::rare::{Boxed, MadeFor};
use crate::tables::Table;

/// Arriving elements with their choices, in one trial.
pub(super) trait Chance: Sized + Send + 'static {
    /// At the beginning of the trial with these seeds.
    fn new(of: &MadeFor, seeds: &Seeds) -> Self;

    /// Follows from other seeds from here on; a hash function that looks at keys stays.
    fn branch(&mut self, of: &MadeFor, seeds: &Seeds);

    /// A copy, where it is small.
    fn copy(&self) -> Option<Self>;

    /// Inserts the next arrival as this element.
    fn insert<T: Table>(&mut self, element: u32, table: &mut T);

    /// The element departs.
    fn depart(&mut self, element: u32);

    /// Makes room for the elements `0..elements`.
    fn reserve(&mut self, elements: u32);
}

/// Choices that are drawn.
#[derive(Clone)]
pub(super) struct DrawnChoices {
    source: RandomSource,
    scheme: Rng,
}

impl Chance for DrawnChoices {
    fn new(of: &MadeFor, seeds: &Seeds) -> Self {
        let source = RandomSource::new(&of.hash, seeds.hash);
        Self { source, scheme: Rng::seed_from_u64(seeds.scheme) }
    }

    fn branch(&mut self, of: &MadeFor, seeds: &Seeds) {
        *self = Self::new(of, seeds);
    }

    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline(always)]
    fn insert<T: Table>(&mut self, element: u32, table: &mut T) {
        table.insert::<false>(element, self.source.element(&[]), &mut self.scheme);
    }

    #[inline(always)]
    fn depart(&mut self, _element: u32) {}

    fn reserve(&mut self, _elements: u32) {}
}

/// Choices of keys, behind a pointer, so that a trial is compiled once for all hash functions.
pub(super) struct HashedChoices {
    stream: Box<dyn Stream<false> + Send>,
    scheme: Rng,
}

impl Chance for HashedChoices {
    fn new(of: &MadeFor, seeds: &Seeds) -> Self {
        let mut stream = of.hash.visit(Boxed(of));
        stream.begin(seeds);
        Self { stream, scheme: Rng::seed_from_u64(seeds.scheme) }
    }

    fn branch(&mut self, _of: &MadeFor, seeds: &Seeds) {
        self.stream.branch(seeds);
        self.scheme = Rng::seed_from_u64(seeds.scheme);
    }

    /// A hash function may be tables of many kilobytes.
    fn copy(&self) -> Option<Self> {
        None
    }

    fn insert<T: Table>(&mut self, element: u32, table: &mut T) {
        let Self { stream, scheme } = self;
        stream.arrive(element, &mut |choices| {
            table.insert::<false>(element, choices, scheme);
        });
    }

    fn depart(&mut self, element: u32) {
        self.stream.depart(element);
    }

    fn reserve(&mut self, elements: u32) {
        self.stream.reserve(elements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Choices as _, Derivation, HashKind, HashSpec};
    use crate::keys::Made;

    /// The choices of ten elements, of which the last six come after a branch where there is one.
    fn choices(sequential: bool, branch: Option<u64>) -> [u32; 10] {
        let hash = HashSpec::new(HashKind::Xxh3, Derivation::Seeds, 1, 16).unwrap();
        let of = MadeFor { hash, keys: Made::new(sequential) };
        let mut chance = HashedChoices::new(&of, &Seeds::of(1, 0));
        let mut choices = [0; 10];
        for (element, choice) in (0..).zip(&mut choices) {
            if let Some(seed) = branch.filter(|_| element == 4) {
                chance.branch(&of, &Seeds::of(seed, 0));
            }
            chance.stream.arrive(element, &mut |mut made| *choice = made.next(1 << 30));
        }
        choices
    }

    /// Counted keys go on under the same function, drawn ones are others.
    #[test]
    fn a_hash_function_stays_and_drawn_keys_do_not() {
        assert_eq!(choices(true, None), choices(true, Some(2)));
        let [plain, branched, other] = [None, Some(2), Some(3)].map(|seed| choices(false, seed));
        assert_eq!((&plain[..4], &branched[..4]), (&branched[..4], &other[..4]));
        assert!((4..10).all(|i| plain[i] != branched[i] && branched[i] != other[i]));
        assert_eq!(branched, choices(false, Some(2)));
    }
}
