//! Elements that arrive with made keys and their choices in the table.

use crate::hash::{Choices as _, HashSpec, Source, SourceVisitor, derive_seed};
use crate::keys::{Arrivals as _, Made, Seeds};
use crate::rare::MadeFor;

/// What is done with a key and its choices, each of which is asked for with the number of buckets.
pub(super) type With<'w> = dyn FnMut(&[u8], &mut dyn FnMut(u32) -> u32) + 'w;

/// Newcomers behind a pointer, so that a trial is compiled once for all hash functions.
pub(super) trait Newcomers: Send {
    /// From here on chance follows from these seeds. At the beginning of a trial that is also the hash function, which
    /// then stays where it looks at keys.
    fn follow(&mut self, seeds: &Seeds, begins: bool);

    /// Hands over the next key with its choices.
    fn next(&mut self, with: &mut With<'_>);
}

/// Those of this hash function and these keys.
pub(super) fn of(of: &MadeFor) -> Box<dyn Newcomers> {
    of.hash.visit(Boxed(of))
}

struct Boxed<'m>(&'m MadeFor);

impl SourceVisitor for Boxed<'_> {
    type Output = Box<dyn Newcomers>;

    fn visit<S: Source>(self) -> Self::Output {
        let MadeFor { hash, keys } = self.0;
        Box::new(Hashed { hash: *hash, source: S::new(hash, 0), keys: keys.clone() })
    }
}

struct Hashed<S> {
    hash: HashSpec,
    source: S,
    keys: Made,
}

impl<S: Source> Newcomers for Hashed<S> {
    fn follow(&mut self, seeds: &Seeds, begins: bool) {
        if begins || !S::LOOKS_AT_KEYS {
            // The seed of the table is the first of those of a trial's functions.
            self.source = S::new(&self.hash, derive_seed(seeds.hash, 0));
        }
        match begins {
            true => self.keys.begin(seeds.keys),
            false => self.keys.branch(seeds.keys),
        }
    }

    fn next(&mut self, with: &mut With<'_>) {
        let (key, _) = self.keys.arrive(0);
        let mut choices = self.source.element(key);
        with(key, &mut |buckets| choices.next(buckets));
    }
}
