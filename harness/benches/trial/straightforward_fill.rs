//! Static fills of multilevel tables as one would first write them in C++: element after element draws all
//! its choices, slots hold element numbers, and elements that may move keep their choices.
//!
//! Two choices come from each word, and nothing but the choices is drawn: as fast as this goes without a
//! thought about the order of things.

use std::array;
use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::derive_seed;
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// No element.
const NONE: u32 = u32::MAX;

/// D sub-tables of buckets of H.
struct Table<const D: usize, const H: usize> {
    sizes: [u32; D],
    buckets: [Vec<[u32; H]>; D],
    marks: [Vec<bool>; D],
    /// Of each element, where elements may move.
    choices: Vec<[u32; D]>,
    list: Vec<u32>,
    totals: Totals,
}

impl<const D: usize, const H: usize> Table<D, H> {
    fn new(problem: &Problem) -> Self {
        let sizes = array::from_fn(|i| problem.sub_tables[i]);
        let elements = problem.elements as usize;
        Self {
            sizes,
            buckets: sizes.map(|size| vec![[NONE; H]; size as usize]),
            marks: sizes.map(|size| vec![false; size as usize]),
            choices: vec![[0; D]; elements],
            list: Vec::with_capacity(elements),
            totals: Totals::default(),
        }
    }

    fn clear(&mut self) {
        self.buckets.iter_mut().for_each(|buckets| buckets.fill([NONE; H]));
        self.marks.iter_mut().for_each(|marks| marks.fill(false));
        self.list.clear();
    }

    #[inline(always)]
    fn draw(&self, rng: &mut Rng) -> [u32; D] {
        let mut word = 0;
        array::from_fn(|i| {
            word = if i % 2 == 0 { rng.next_u64() } else { word >> 32 };
            let half = word & u64::from(u32::MAX);
            ((half * u64::from(self.sizes[i])) >> 32) as u32
        })
    }

    /// Puts x into its bucket in a sub-table if that is not full.
    #[inline(always)]
    fn put(&mut self, x: u32, level: usize, bucket: u32) -> bool {
        self.totals.accesses += 1;
        let slots = &mut self.buckets[level][bucket as usize];
        let free = slots.iter_mut().find(|slot| **slot == NONE);
        free.map(|slot| *slot = x).is_some()
    }

    /// From the sub-table `start` on.
    #[inline(always)]
    fn first_free(&mut self, x: u32, choices: &[u32; D], start: usize) -> bool {
        (start..D).any(|level| self.put(x, level, choices[level]))
    }

    /// Moves an element in the way of x in one sub-table to another.
    #[inline(always)]
    fn make_room(&mut self, x: u32, choices: &[u32; D], from: usize, to: usize) -> bool {
        (0..H).any(|slot| {
            let y = self.buckets[from][choices[from] as usize][slot];
            let moved = self.put(y, to, self.choices[y as usize][to]);
            if moved {
                self.buckets[from][choices[from] as usize][slot] = x;
                self.totals.moves += 1;
            }
            moved
        })
    }

    #[inline(always)]
    fn second_chance(
        &mut self,
        x: u32,
        choices: &[u32; D],
        window: impl Fn(usize) -> Range<usize>,
    ) -> bool {
        (0..D).any(|level| {
            self.put(x, level, choices[level])
                || window(level).any(|before| self.make_room(x, choices, before, level))
        })
    }

    fn bump(&mut self, x: u32, choices: &[u32; D]) -> bool {
        let unmarked = |&level: &usize| !self.marks[level][choices[level] as usize];
        let Some(level) = (0..D - 1).find(unmarked) else { return false };
        self.marks[level][choices[level] as usize] = true;
        let y = self.buckets[level][choices[level] as usize][0];
        let of_y = self.choices[y as usize];
        let moved = self.first_free(y, &of_y, level + 1);
        if moved {
            self.buckets[level][choices[level] as usize][0] = x;
            self.totals.moves += 1;
        }
        moved
    }
}

/// All trials; `insert` puts an element with these choices into a bucket, if it can.
#[inline(always)]
fn fill<const D: usize, const H: usize, const KEPT: bool>(
    problem: &Problem,
    trials: Range<u64>,
    insert: impl Fn(&mut Table<D, H>, u32, &[u32; D]) -> bool,
) -> Totals {
    let mut table = Table::new(problem);
    for trial in trials {
        table.clear();
        let mut rng = Rng::seed_from_u64(derive_seed(Seeds::of(problem.seed, trial).hash, 0));
        for x in 0..problem.elements {
            let choices = table.draw(&mut rng);
            if KEPT {
                table.choices[x as usize] = choices;
            }
            if !insert(&mut table, x, &choices) {
                table.list.push(x);
            }
        }
        table.totals.overflow += table.list.len() as u64;
    }
    table.totals
}

/// Std, Std2, and SINGLE with one sub-table.
pub fn standard<const D: usize, const H: usize>(problem: &Problem, trials: Range<u64>) -> Totals {
    fill::<D, H, false>(problem, trials, |table, x, choices| table.first_free(x, choices, 0))
}

/// Cons.
pub fn conservative(problem: &Problem, trials: Range<u64>) -> Totals {
    fill::<4, 1, true>(problem, trials, |table, x, choices| {
        table.first_free(x, choices, 0) || table.bump(x, choices)
    })
}

/// SC and SC2.
pub fn second_chance<const H: usize>(problem: &Problem, trials: Range<u64>) -> Totals {
    fill::<4, H, true>(problem, trials, |table, x, choices| {
        table.second_chance(x, choices, |level| level.saturating_sub(1)..level)
    })
}

/// SCExt.
pub fn extreme_second_chance(problem: &Problem, trials: Range<u64>) -> Totals {
    fill::<4, 1, true>(problem, trials, |table, x, choices| {
        table.second_chance(x, choices, |level| 0..level)
    })
}
