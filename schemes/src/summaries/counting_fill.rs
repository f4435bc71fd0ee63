//! How elements come to a filter that counts.

use super::filter_sizes::FilterSize;
use super::tallies::{Count, Tallies, Tally, Throws};
use crate::Rng;
use crate::hash::Choices;
use crate::occupancy::Occupancy;
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
    /// Of each filter.
    places: Vec<Places>,
    tallies: Tallies,
}

/// What chooses among the counters of a filter.
#[derive(Debug)]
enum Places {
    /// Where each choice counts, it does not matter whose it is.
    Many(Occupancy),
    /// Where an element counts once in each counter.
    Once(Uniform),
}

impl DrawnCounters {
    /// Of filters of these sizes.
    pub(super) fn new<'s>(sizes: impl IntoIterator<Item = &'s CountingSize>) -> Self {
        let places = |own: &CountingSize| match own.once {
            true => Places::Once(Uniform::dense(own.size.places)),
            false => Places::Many(Occupancy::new(own.size.places)),
        };
        Self { places: sizes.into_iter().map(places).collect(), tallies: Tallies::default() }
    }

    /// Fills the filter of this number with so many elements and nothing else.
    pub(super) fn fill(
        &mut self,
        FilterSize { places: counters, choices }: FilterSize,
        own: u8,
        elements: u32,
        rng: &mut Rng,
    ) -> Tally {
        match &mut self.places[usize::from(own)] {
            Places::Many(occupancy) => {
                occupancy.choose(u64::from(elements) * u64::from(choices), rng);
                let greatest = u32::try_from(occupancy.greatest()).unwrap_or(u32::MAX);
                Tally { distinct: occupancy.distinct(), greatest }
            }
            Places::Once(uniform) => {
                let (choices, mut after) = (choices as usize, rng.clone());
                let once =
                    Once { elements, choices, places: *uniform, before: rng, after: &mut after };
                let tally = self.tallies.count(counters as usize, once);
                *rng = after;
                tally
            }
        }
    }
}

/// Elements each of which counts once at most in each counter.
struct Once<'e> {
    elements: u32,
    choices: usize,
    places: Uniform,
    /// The generator of their choices, and what becomes of it.
    before: &'e Rng,
    after: &'e mut Rng,
}

impl Throws for Once<'_> {
    fn throw<C: Count>(&mut self, counts: &mut [C]) -> u64 {
        let mut rng = self.before.clone();
        let (mut chosen, mut thrown) = (Vec::with_capacity(self.choices), 0);
        for _ in 0..self.elements {
            chosen.clear();
            self.places.each(self.choices, &mut rng, |place| {
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            });
            chosen.iter().for_each(|&place| counts[place as usize].add());
            thrown += chosen.len() as u64;
        }
        *self.after = rng;
        thrown
    }
}
