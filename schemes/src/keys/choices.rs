//! Elements as a structure sees them that asks for all choices of an element: by their choices alone.
//!
//! The loops over a structure are then compiled once, and not for each hash function and source of keys again; a call
//! through the trait hands out the choices of many elements.

use super::{Arrivals, KeySource, Keyed, Seeds, seed_of_pass, visit};
use crate::hash::{Choices as _, HashSpec, Source};

/// The choices of the elements of one trial after the other.
pub trait ChoiceStream {
    /// Starts a trial.
    fn begin(&mut self, seeds: &Seeds);

    /// Elements arrive that get the numbers `first..`, each with a key that no stored element has: the choices of as
    /// many as `choices` has room for. How many there were: fewer where a whole pass over a trace has no such key. A
    /// trace that ended begins again, as its parameter `trace_end` says.
    fn arrive(&mut self, first: u32, choices: &mut [u32]) -> u32;

    /// The same elements arrive, but the choices of those alone are wanted of which `wanted` is true; what stands in place
    /// of the others is not specified. What is drawn is drawn for all of them, so that the wanted ones have the choices
    /// that [`arrive`](Self::arrive) gives.
    fn arrive_where(&mut self, first: u32, choices: &mut [u32], wanted: &[bool]) -> u32;

    /// Likewise the choices of keys that no stored element has, each another one.
    fn strangers(&mut self, choices: &mut [u32]) -> u32;

    /// The element departs: its key may arrive again.
    fn depart(&mut self, element: u32);
}

/// The stream of these keys under this hash function; the i-th choice of an element is below the i-th of `ranges`, and
/// elements have numbers below `elements`.
pub fn choice_stream(
    hash: &HashSpec,
    keys: &KeySource,
    elements: u32,
    ranges: Vec<u32>,
    with: &mut dyn FnMut(&mut dyn ChoiceStream),
) {
    visit(hash, keys, elements, Streamed { hash: *hash, ranges, with });
}

struct Streamed<'w> {
    hash: HashSpec,
    ranges: Vec<u32>,
    with: &'w mut dyn FnMut(&mut dyn ChoiceStream),
}

impl Keyed for Streamed<'_> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, arrivals: A) {
        let Self { hash, ranges, with } = self;
        let source = S::new(&hash, 0);
        with(&mut Stream { hash, ranges, arrivals, source, seed: 0, passes: 0 });
    }
}

struct Stream<S, A> {
    hash: HashSpec,
    ranges: Vec<u32>,
    arrivals: A,
    source: S,
    seed: u64,
    /// Passes over a trace that were begun under hash functions of their own.
    passes: u64,
}

impl<S: Source, A: Arrivals> Stream<S, A> {
    /// Begins the next pass over a trace that ended.
    fn next_pass(&mut self) {
        if self.arrivals.next_pass() {
            self.passes += 1;
            self.source = S::new(&self.hash, seed_of_pass(self.seed, self.passes));
        }
    }

    /// The choices of the next element that arrives, if they are wanted; whether there is one.
    fn arrive_one(&mut self, element: u32, choices: &mut [u32], is_wanted: bool) -> bool {
        let Some(key) = self.arrivals.newcomer(element) else { return false };
        if is_wanted || !S::LOOKS_AT_KEYS {
            make(&mut self.source, &self.ranges, key, choices);
        }
        true
    }

    /// The choices of as many elements as there is room for, if `is_wanted` says so of their place among them.
    #[inline(always)]
    fn arrive_each(
        &mut self,
        first: u32,
        choices: &mut [u32],
        is_wanted: impl Fn(usize) -> bool,
    ) -> u32 {
        let mut element = first;
        for (place, own) in choices.chunks_exact_mut(self.ranges.len()).enumerate() {
            let is_wanted = is_wanted(place);
            if !self.arrive_one(element, own, is_wanted) {
                self.next_pass();
                if !self.arrive_one(element, own, is_wanted) {
                    break;
                }
            }
            element += 1;
        }
        element - first
    }
}

impl<S: Source, A: Arrivals> ChoiceStream for Stream<S, A> {
    fn begin(&mut self, seeds: &Seeds) {
        self.arrivals.begin(seeds.keys);
        self.source = S::new(&self.hash, seeds.hash);
        (self.seed, self.passes) = (seeds.hash, 0);
    }

    fn arrive(&mut self, first: u32, choices: &mut [u32]) -> u32 {
        self.arrive_each(first, choices, |_| true)
    }

    fn arrive_where(&mut self, first: u32, choices: &mut [u32], wanted: &[bool]) -> u32 {
        self.arrive_each(first, choices, |place| wanted.get(place) == Some(&true))
    }

    fn strangers(&mut self, choices: &mut [u32]) -> u32 {
        let mut number = 0;
        for own in choices.chunks_exact_mut(self.ranges.len()) {
            let Some(key) = self.arrivals.stranger() else { break };
            make(&mut self.source, &self.ranges, key, own);
            number += 1;
        }
        number
    }

    fn depart(&mut self, element: u32) {
        self.arrivals.depart(element);
    }
}

/// The choices of a key.
#[inline]
fn make<S: Source>(source: &mut S, ranges: &[u32], key: &[u8], choices: &mut [u32]) {
    let mut made = source.element(key);
    choices.iter_mut().zip(ranges).for_each(|(choice, &range)| *choice = made.next(range));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{MADE_KEY_BYTES, TraceKeys};
    use super::*;
    use crate::hash::{Derivation, HashKind, Increment};

    fn trace(renew: bool) -> KeySource {
        let keys: TraceKeys = [b"a", b"b", b"a", b"c"].map(|key| &key[..]).into_iter().collect();
        KeySource::Trace { keys: Arc::new(keys), renew, shuffled: false }
    }

    /// Three elements, two of which depart and come back.
    fn arrived(renew: bool) -> [Vec<u32>; 2] {
        let hash = HashSpec::new(HashKind::Murmur3, Derivation::Seeds, 2, 2).unwrap();
        let mut both = [vec![0; 8], vec![0; 8]];
        choice_stream(&hash, &trace(renew), 4, vec![1 << 20; 2], &mut |stream| {
            stream.begin(&Seeds::of(1, 2));
            assert_eq!(stream.arrive(0, &mut both[0]), if renew { 4 } else { 3 });
            (0..2).for_each(|element| stream.depart(element));
            assert_eq!(stream.arrive(0, &mut both[1][..4]), 2);
        });
        both
    }

    /// A key has the same choices in each pass, until hash functions are renewed.
    #[test]
    fn a_trace_that_ended_begins_again() {
        let [first, again] = arrived(false);
        assert_eq!(first[..4], again[..4]);
        let [first, again] = arrived(true);
        assert!(first[..2] != first[6..] && first[..4] != again[..4]);
    }

    /// Those that are wanted have the choices that they have among all, whatever draws or makes them.
    #[test]
    fn choices_that_are_not_wanted_change_no_others() {
        let wanted = [true, false, false, true, false, true];
        for (kind, derivation) in [
            (HashKind::Random, Derivation::Seeds),
            (HashKind::Random, Derivation::Progression(Increment::None)),
            (HashKind::Murmur3, Derivation::Seeds),
            (HashKind::SimpleTabulation, Derivation::Slices { bits: 16 }),
        ] {
            let hash = HashSpec::new(kind, derivation, 2, MADE_KEY_BYTES).unwrap();
            choice_stream(&hash, &KeySource::Random, 6, vec![1 << 16; 2], &mut |stream| {
                let (mut all, mut some, mut next) = ([0; 12], [7; 12], [[0; 2]; 2]);
                stream.begin(&Seeds::of(1, 2));
                assert_eq!(stream.arrive(0, &mut all), 6);
                stream.strangers(&mut next[0]);
                stream.begin(&Seeds::of(1, 2));
                assert_eq!(stream.arrive_where(0, &mut some, &wanted), 6);
                stream.strangers(&mut next[1]);
                assert_eq!(next[0], next[1], "{hash:?}");
                let places = (0..12).filter(|place| wanted[place / 2]);
                assert!(places.into_iter().all(|place| all[place] == some[place]), "{hash:?}");
                // Only functions of keys can leave the others out.
                assert_eq!(some[2..6] == [7; 4], kind != HashKind::Random, "{hash:?}");
            });
        }
    }

    #[test]
    fn strangers_are_absent() {
        let hash = HashSpec::new(HashKind::Murmur3, Derivation::Seeds, 1, 2).unwrap();
        choice_stream(&hash, &trace(false), 4, vec![1 << 30], &mut |stream| {
            stream.begin(&Seeds::of(1, 2));
            let (mut own, mut strangers) = ([0; 2], [0; 2]);
            assert_eq!(stream.arrive(0, &mut own), 2);
            assert_eq!(stream.strangers(&mut strangers), 1);
            assert!(!own.contains(&strangers[0]) && strangers[1] == 0);
        });
    }
}
