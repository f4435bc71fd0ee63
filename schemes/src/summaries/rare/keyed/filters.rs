//! Failures of the filters of a summary, whose hash functions become known choice by choice.
//!
//! With `choices_from = "seeds"` each choice of a filter has a function of its own, with a seed of its own, so that the
//! seeds of those that follow are fresh chance. With slices and progressions one value of one function makes all of them,
//! and they become known at once.

use std::ops::Range;

use super::Branches;
use super::functions::{self, Function};
use super::score::Score;
use super::table::Filled;
use crate::hash::{Derivation, HashSpec, derive_seed};
use crate::keys::Seeds;
use crate::math::elementary::{exp_m1, pow};
use crate::rare::Peak;
use crate::summaries::members::Members;
use crate::summaries::summary::TypeFilter;

/// Steps of a filter.
const OF_FILTER: u32 = 9;

/// The filters of a summary with what a trial works in.
pub(super) struct Filters {
    filters: Vec<OneFilter>,
    /// The greatest type of the elements that chose a cell of the filter at hand.
    cells: Vec<u8>,
    candidates: Vec<Candidate>,
}

struct OneFilter {
    of: TypeFilter,
    function: Box<dyn Function>,
    /// Choices that become known together.
    part: u32,
}

/// An element that may still fail.
#[derive(Debug)]
struct Candidate {
    element: u32,
    /// Its type.
    own: u8,
    /// Its cells that no element of a later type chose so far.
    open: Vec<u32>,
}

impl Filters {
    /// Of a table without a summary.
    pub(super) fn none() -> Self {
        Self::new(Vec::new(), &[])
    }

    /// Those of a summary with these hash functions.
    pub(super) fn new(filters: Vec<TypeFilter>, functions: &[HashSpec]) -> Self {
        let filter = |of: TypeFilter| {
            let spec = &functions[of.function];
            let part = if spec.derivation() == Derivation::Seeds { 1 } else { of.choices };
            OneFilter { function: functions::of(spec), of, part }
        };
        let filters = filters.into_iter().map(filter).collect();
        Self { filters, cells: Vec::new(), candidates: Vec::new() }
    }

    /// Bytes of a candidate of so many choices, at most.
    pub(super) fn bytes_per_candidate(choices: u32) -> u64 {
        (size_of::<Candidate>() + size_of::<u32>() * choices as usize) as u64
    }

    /// Whether an element of a full table fails.
    pub(super) fn fail(
        &mut self,
        (members, filled): (&Members, &Filled),
        (score, peak): (&Score, &mut Peak<'_>),
        (first_step, branches): (u64, &mut Branches<'_>),
    ) -> bool {
        for number in 0..self.filters.len() {
            let first = first_step + ((number as u64) << OF_FILTER);
            branches.reach(first);
            self.begin(number, members, branches.seed);
            let later = self.filters[number + 1..].iter().map(|own| own.expected(score, filled));
            let later: f64 = later.sum();
            let parts = self.filters[number].of.choices / self.filters[number].part;
            for part in 0..parts {
                let step = first + u64::from(part);
                if branches.reach(step) {
                    self.filters[number].follow(branches.seed);
                }
                self.choose(number, part, members);
                let here = self.expected(number, part + 1, filled);
                peak.look_at(step, Score::of_events(here + later));
            }
            if self.candidates.iter().any(|own| own.open.is_empty()) {
                return true;
            }
        }
        false
    }

    /// All elements that may fail by this filter are candidates, and no cell is chosen.
    fn begin(&mut self, number: usize, members: &Members, seed: u64) {
        let Self { filters, cells, candidates } = self;
        let filter = &mut filters[number];
        filter.follow(seed);
        let groups = if filter.of.grouped { filter.of.choices } else { 1 };
        cells.clear();
        cells.resize(groups as usize * filter.of.places as usize, 0);
        candidates.clear();
        for (element, (_, member)) in (0..).zip(members.iter()) {
            if filter.of.types.contains(&member.own) {
                candidates.push(Candidate { element, own: member.own, open: Vec::new() });
            }
        }
    }

    /// The choices of this part become known.
    fn choose(&mut self, number: usize, part: u32, members: &Members) {
        let Self { filters, cells, candidates } = self;
        let filter = &mut filters[number];
        let choices = part * filter.part..(part + 1) * filter.part;
        let first_type = *filter.of.types.start();
        for (key, member) in members.iter().filter(|(_, own)| own.own >= first_type) {
            filter.each_cell(key, choices.clone(), |cell| {
                let cell = &mut cells[cell as usize];
                *cell = member.own.max(*cell);
            });
        }
        for candidate in &mut *candidates {
            let (key, _) = members.get(candidate.element);
            let open = &mut candidate.open;
            filter.each_cell(key, choices.clone(), |cell| open.push(cell));
            open.retain(|&cell| cells[cell as usize] <= candidate.own);
        }
        if filter.of.grouped {
            // No later choice is among the cells of an earlier group.
            candidates.retain(|own| own.open.is_empty());
        }
    }

    /// How many of the candidates are expected to fail when so many parts are known.
    fn expected(&self, number: usize, parts: u32, filled: &Filled) -> f64 {
        let OneFilter { of, part, .. } = &self.filters[number];
        let to_come = f64::from(of.choices - parts * part);
        let of_type = |own: u8| {
            let later = f64::from(later_than(own, filled));
            // Open cells that are still chosen, and the share of cells of the choices to come.
            let (closed, share) = match of.grouped {
                true => (0.0, hit(later, of.places)),
                false => {
                    let closed = hit(to_come * later, of.places);
                    let chosen = self.cells.iter().filter(|&&cell| cell > own).count() as f64;
                    let share = chosen / f64::from(of.places);
                    (closed, share + (1.0 - share) * closed)
                }
            };
            let of_choices = pow(share, to_come);
            let own = self.candidates.iter().filter(|candidate| candidate.own == own);
            own.map(|own| of_choices * pow(closed, own.open.len() as f64)).sum::<f64>()
        };
        of.types.clone().map(of_type).sum()
    }
}

impl OneFilter {
    /// Takes its function from a branch of this seed.
    fn follow(&mut self, seed: u64) {
        // The seeds of a trial's functions begin with that of the table.
        let number = self.of.function as u64 + 1;
        self.function.follow(derive_seed(Seeds::of(seed, 0).hash, number));
    }

    /// Shows the cells of these choices of a key.
    fn each_cell(&mut self, key: &[u8], choices: Range<u32>, mut see: impl FnMut(u32)) {
        let mut group = if self.of.grouped { choices.start * self.of.places } else { 0 };
        let stride = if self.of.grouped { self.of.places } else { 0 };
        self.function.choose(key, choices, self.of.places, &mut |choice| {
            see(group + choice);
            group += stride;
        });
    }

    /// How many elements are expected to fail by it, where nothing of it is known.
    fn expected(&self, score: &Score, filled: &Filled) -> f64 {
        let of_type = |own: u8| {
            let elements = f64::from(filled.elements[usize::from(own) - 1]);
            elements * score.failure_chance(own, later_than(own, filled))
        };
        self.of.types.clone().map(of_type).sum()
    }
}

/// Elements of later types than this one, below d.
fn later_than(own: u8, filled: &Filled) -> u32 {
    filled.elements[usize::from(own)..].iter().sum::<u32>() + filled.crisis
}

/// The probability that one of so many choices is a given place.
fn hit(choices: f64, places: u32) -> f64 {
    -exp_m1(-choices / f64::from(places))
}
