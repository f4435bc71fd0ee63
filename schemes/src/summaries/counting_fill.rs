//! How elements come to a filter that counts.

use super::filter_sizes::FilterSize;
use super::tallies::{Count, Tallies, Tally, Throws};
use crate::Rng;
use crate::hash::Choices;
use crate::uniform::Uniform;

/// Counters and choices of one filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountingSize {
    pub(super) size: FilterSize,
    /// The greatest value of a counter.
    pub(super) greatest: u16,
    pub(super) bits: u32,
    /// Whether an element counts once in each counter.
    pub(super) once: bool,
}

impl CountingSize {
    /// The counters that an element of these choices counts in, those of several choices as often as that or once.
    #[inline]
    pub(super) fn choose(&self, chosen: &mut Vec<u32>, mut choices: impl Choices) {
        chosen.clear();
        choices.among(self.size.places);
        for _ in 0..self.size.choices {
            let counter = choices.next(self.size.places);
            if !(self.once && chosen.contains(&counter)) {
                chosen.push(counter);
            }
        }
    }
}

/// What a trial of drawn choices works in.
#[derive(Debug)]
pub struct DrawnCounters {
    /// What draws the choices among the counters of each filter.
    places: Vec<Uniform>,
    tallies: Tallies,
}

impl DrawnCounters {
    /// Of filters of these sizes.
    pub(super) fn new<'s>(sizes: impl IntoIterator<Item = &'s CountingSize>) -> Self {
        let places = sizes.into_iter().map(|own| Uniform::dense(own.size.places)).collect();
        Self { places, tallies: Tallies::default() }
    }

    /// Fills the filter of this number with so many elements and nothing else.
    pub(super) fn fill(
        &mut self,
        size: &CountingSize,
        own: u8,
        elements: u32,
        rng: &mut Rng,
    ) -> Tally {
        let places = self.places[usize::from(own)];
        let mut after = rng.clone();
        let throws = Elements { size, elements, places, before: rng, after: &mut after };
        let tally = self.tallies.count(size.size.places as usize, throws);
        *rng = after;
        tally
    }
}

/// Elements that come to a filter.
struct Elements<'e> {
    size: &'e CountingSize,
    elements: u32,
    places: Uniform,
    /// The generator of their choices, and what becomes of it.
    before: &'e Rng,
    after: &'e mut Rng,
}

impl Throws for Elements<'_> {
    fn throw<C: Count>(&mut self, counts: &mut [C]) -> u64 {
        let (mut rng, elements) = (self.before.clone(), self.elements as usize);
        let choices = self.size.size.choices as usize;
        let thrown = if self.size.once {
            self.throw_once(choices, counts, &mut rng)
        } else {
            let all = elements * choices;
            self.places.each(all, &mut rng, |place| counts[place as usize].add());
            all as u64
        };
        *self.after = rng;
        thrown
    }
}

impl Elements<'_> {
    /// Counts each element once at most in each counter.
    fn throw_once<C: Count>(&self, choices: usize, counts: &mut [C], rng: &mut Rng) -> u64 {
        let (mut chosen, mut thrown) = (Vec::with_capacity(choices), 0);
        for _ in 0..self.elements {
            chosen.clear();
            self.places.each(choices, rng, |place| {
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            });
            chosen.iter().for_each(|&place| counts[place as usize].add());
            thrown += chosen.len() as u64;
        }
        thrown
    }
}
