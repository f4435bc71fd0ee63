//! The loop of a trial that follows a course.
//!
//! Its events come out of a heap or of a law of many flows, which takes longer than an indirect call. So
//! it is compiled once for each table, with hash function and keys behind a pointer, and not once for
//! each of some twenty pairs of them as the loops of rounds are.

use rand::SeedableRng;

use super::Table;
use super::trial::Sums;
use super::workloads::course::{Course, Step};
use crate::Rng;
use crate::hash::{Choices, HashSpec, Source, derive_seed};
use crate::keys::{Arrivals, Seeds};

/// Arriving elements with their choices, which are `CHEAP` or not.
pub(super) trait Stream<const CHEAP: bool> {
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
pub(super) struct Behind<'c, const CHEAP: bool>(&'c mut dyn FnMut(u32) -> u32);

impl<const CHEAP: bool> Choices for Behind<'_, CHEAP> {
    const CHEAP: bool = CHEAP;

    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        (self.0)(buckets)
    }
}

/// Arrivals of one type with a source of choices of another.
pub(super) struct Streamed<S, A> {
    hash: HashSpec,
    hash_seed: u64,
    passes: u64,
    source: S,
    arrivals: A,
}

impl<S: Source, A: Arrivals> Streamed<S, A> {
    /// Before the first trial.
    pub(super) fn new(hash: HashSpec, arrivals: A) -> Self {
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
            self.source = S::new(&self.hash, derive_seed(self.hash_seed, self.passes));
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

/// Runs one trial on an empty table, with a stream and a course that were begun.
pub(super) fn follow<const CHEAP: bool, T: Table>(
    table: &mut T,
    stream: &mut dyn Stream<CHEAP>,
    course: &mut Course<'_>,
    seeds: &Seeds,
) -> Sums {
    let mut chance = Rng::seed_from_u64(seeds.scheme);
    let mut sums = Sums::default();
    while let Some(step) = course.next() {
        match step {
            Step::Insert(element) => {
                if let Some(room) = course.more_room(element) {
                    table.reserve(room);
                    stream.reserve(room);
                }
                sums.arrivals += 1;
                let mut insertion = None;
                let repeated = stream.arrive(element, &mut |choices| {
                    insertion = Some(table.insert::<false>(element, choices, &mut chance));
                });
                sums.add(insertion.unwrap_or_default(), repeated);
                sums.read(table);
            }
            Step::Delete(element) => {
                sums.departures += 1;
                sums.delete(table.delete(element));
                stream.depart(element);
            }
            Step::Measure => sums = Sums::default(),
            Step::Read(weight) => course.read(weight, table),
        }
    }
    sums
}
