//! Arriving elements with their choices behind a pointer, so that the loop over them is compiled once and not for each
//! hash function and source of keys again.

use super::{Arrivals, Seeds, seed_of_pass};
use crate::hash::{Choices, HashSpec, Source};

/// Arriving elements with their choices, which are `CHEAP` or not.
pub(crate) trait Stream<const CHEAP: bool> {
    /// Starts a trial.
    fn begin(&mut self, seeds: &Seeds);

    /// Makes room for the elements `0..elements`.
    fn reserve(&mut self, elements: u32);

    /// What is drawn from here on follows from other seeds: keys where choices are made of these, under the hash function
    /// of the trial, else the choices themselves.
    fn branch(&mut self, seeds: &Seeds);

    /// Has `insert` called with the choices of this element; whether another stored element has its key.
    fn arrive(&mut self, element: u32, insert: &mut dyn FnMut(Behind<'_, CHEAP>)) -> bool;

    /// The element departs.
    fn depart(&mut self, element: u32);
}

/// The choices of one element behind a pointer.
pub(crate) struct Behind<'c, const CHEAP: bool>(&'c mut dyn FnMut(u32) -> u32);

impl<const CHEAP: bool> Choices for Behind<'_, CHEAP> {
    const CHEAP: bool = CHEAP;

    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        (self.0)(buckets)
    }
}

/// Arrivals of one type with a source of choices of another.
pub(crate) struct Streamed<S, A> {
    hash: HashSpec,
    hash_seed: u64,
    passes: u64,
    source: S,
    arrivals: A,
}

impl<S: Source, A: Arrivals> Streamed<S, A> {
    /// Before the first trial.
    pub(crate) fn new(hash: HashSpec, arrivals: A) -> Self {
        Self { hash, hash_seed: 0, passes: 0, source: S::new(&hash, 0), arrivals }
    }
}

impl<const CHEAP: bool, S: Source, A: Arrivals> Stream<CHEAP> for Streamed<S, A> {
    fn begin(&mut self, seeds: &Seeds) {
        (self.hash_seed, self.passes) = (seeds.hash, 0);
        self.source = S::new(&self.hash, seeds.hash);
        self.arrivals.begin(seeds.keys);
    }

    fn reserve(&mut self, elements: u32) {
        self.arrivals.reserve(elements);
    }

    fn branch(&mut self, seeds: &Seeds) {
        match S::LOOKS_AT_KEYS {
            true => self.arrivals.branch(seeds.keys),
            false => self.source = S::new(&self.hash, seeds.hash),
        }
    }

    fn arrive(&mut self, element: u32, insert: &mut dyn FnMut(Behind<'_, CHEAP>)) -> bool {
        if self.arrivals.left() == 0 && self.arrivals.next_pass() {
            self.passes += 1;
            self.source = S::new(&self.hash, seed_of_pass(self.hash_seed, self.passes));
        }
        let (key, repeated) = self.arrivals.arrive(element);
        let mut choices = self.source.element(key);
        insert(Behind(&mut |buckets| choices.next(buckets)));
        repeated
    }

    fn depart(&mut self, element: u32) {
        self.arrivals.depart(element);
    }
}
