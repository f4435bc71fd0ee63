//! Alternation in four sub-tables of buckets of one as one would first write it in C++: slots hold element numbers,
//! elements keep their choices and know where they are, and the overflow list is an array of elements.
//!
//! Two choices come from each word, as in the static fills beside it. Where there are hints, each slot keeps the number
//! of an element.

use std::array;
use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// No element.
const NONE: u32 = u32::MAX;
/// The sub-table of an element on the overflow list.
const LIST: usize = 4;

struct Table<const HINTED: bool> {
    sizes: [u32; 4],
    slots: [Vec<u32>; 4],
    /// The newest hint in each slot.
    hints: [Vec<u32>; 4],
    /// Of each element.
    choices: Vec<[u32; 4]>,
    /// The sub-table that each element is in, and where there; or the overflow list.
    places: Vec<(usize, u32)>,
    list: Vec<u32>,
    accesses: u64,
    moves: u64,
    moves_on_deletion: u64,
}

impl<const HINTED: bool> Table<HINTED> {
    fn new(problem: &Problem) -> Self {
        let sizes = array::from_fn(|i| problem.sub_tables[i]);
        let elements = problem.elements as usize;
        Self {
            sizes,
            slots: sizes.map(|size| vec![NONE; size as usize]),
            hints: sizes.map(|size| vec![NONE; size as usize]),
            choices: vec![[0; 4]; elements],
            places: vec![(LIST, 0); elements],
            list: Vec::with_capacity(elements),
            accesses: 0,
            moves: 0,
            moves_on_deletion: 0,
        }
    }

    fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slots| slots.fill(NONE));
        if HINTED {
            self.hints.iter_mut().for_each(|hints| hints.fill(NONE));
        }
        self.list.clear();
    }

    #[inline(always)]
    fn draw(&mut self, x: u32, rng: &mut Rng) {
        let mut word = 0;
        self.choices[x as usize] = array::from_fn(|i| {
            word = if i % 2 == 0 { rng.next_u64() } else { word >> 32 };
            let half = word & u64::from(u32::MAX);
            ((half * u64::from(self.sizes[i])) >> 32) as u32
        });
    }

    /// Puts x into its bucket in a sub-table if that is empty.
    #[inline(always)]
    fn put(&mut self, x: u32, level: usize) -> bool {
        self.accesses += 1;
        let bucket = self.choices[x as usize][level];
        let slot = &mut self.slots[level][bucket as usize];
        let empty = *slot == NONE;
        if empty {
            *slot = x;
            self.places[x as usize] = (level, bucket);
        }
        empty
    }

    /// Moves the element in the way of x in one sub-table to another one.
    #[inline(always)]
    fn make_room(&mut self, x: u32, from: usize, to: usize) -> bool {
        let bucket = self.choices[x as usize][from];
        let y = self.slots[from][bucket as usize];
        let moved = self.put(y, to);
        if moved {
            self.slots[from][bucket as usize] = x;
            self.places[x as usize] = (from, bucket);
            self.moves += 1;
            if HINTED {
                self.hints[from][bucket as usize] = y;
            }
        }
        moved
    }

    /// Those in the way in the sub-tables `window` may move to the one that x comes to.
    #[inline(always)]
    fn insert(&mut self, x: u32, rng: &mut Rng, window: impl Fn(usize) -> Range<usize>) {
        self.draw(x, rng);
        let stored = (0..4).any(|level| {
            self.put(x, level) || window(level).any(|before| self.make_room(x, before, level))
        });
        if !stored {
            self.list(x);
        } else if HINTED {
            for before in 0..self.places[x as usize].0 {
                self.hints[before][self.choices[x as usize][before] as usize] = x;
            }
        }
    }

    /// Those in the way in all other sub-tables may move to the one that x comes to. Where the first bucket is full all are read
    /// at once.
    #[inline(always)]
    fn insert_anywhere(&mut self, x: u32, rng: &mut Rng) {
        self.draw(x, rng);
        if self.put(x, 0) {
            return;
        }
        self.accesses += 3;
        let own = self.choices[x as usize];
        let stored = (0..4).any(|level| {
            // Its bucket was read.
            let before = self.accesses;
            let is_put = level > 0 && self.put(x, level);
            self.accesses = before;
            let occupied =
                |table: &Self, other: usize| table.slots[other][own[other] as usize] != NONE;
            is_put
                || (0..4).any(|other| {
                    other != level && occupied(self, other) && self.make_room(x, other, level)
                })
        });
        if !stored {
            self.list(x);
        }
    }

    #[inline(always)]
    fn list(&mut self, x: u32) {
        self.places[x as usize] = (LIST, self.list.len() as u32);
        self.list.push(x);
    }

    #[inline(always)]
    fn delete(&mut self, x: u32) {
        let (level, place) = self.places[x as usize];
        if level < LIST {
            self.slots[level][place as usize] = NONE;
            if HINTED {
                self.follow_hint(level, place);
            }
            return;
        }
        self.list.swap_remove(place as usize);
        if let Some(&last) = self.list.get(place as usize) {
            self.places[last as usize].1 = place;
        }
    }

    /// Moves the element that the hint names into the slot, which is empty, if it is in a later sub-table and may.
    #[inline(always)]
    fn follow_hint(&mut self, level: usize, place: u32) {
        let y = self.hints[level][place as usize];
        if y == NONE {
            return;
        }
        let (from, left) = self.places[y as usize];
        if level < from && from < LIST && self.choices[y as usize][level] == place {
            self.slots[from][left as usize] = NONE;
            self.slots[level][place as usize] = y;
            self.places[y as usize] = (level, place);
            self.moves_on_deletion += 1;
        }
    }
}

#[inline(always)]
fn alternate<const HINTED: bool>(
    problem: &Problem,
    trials: Range<u64>,
    insert: impl Fn(&mut Table<HINTED>, u32, &mut Rng),
) -> Totals {
    let &Problem { elements, warm_up, rounds, seed, .. } = problem;
    let mut table = Table::<HINTED>::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let mut rng = Rng::seed_from_u64(derive_seed(Seeds::of(seed, trial).hash, 0));
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        (0..elements).for_each(|x| insert(&mut table, x, &mut rng));
        for round in 0..warm_up + rounds {
            if round == warm_up {
                (table.accesses, table.moves, table.moves_on_deletion) = (0, 0, 0);
            }
            let x = reduce(departures.next_u64(), elements);
            table.delete(x);
            insert(&mut table, x, &mut rng);
            if round >= warm_up {
                totals.overflow += table.list.len() as u64;
            }
        }
        totals.accesses += table.accesses;
        totals.moves += table.moves;
        totals.moves_on_deletion += table.moves_on_deletion;
    }
    totals
}

/// Elements move to the next sub-table alone.
#[inline(always)]
fn next_level(level: usize) -> Range<usize> {
    level.saturating_sub(1)..level
}

/// Std.
pub fn standard(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<false>(problem, trials, |table, x, rng| table.insert(x, rng, |_| 0..0))
}

/// SC.
pub fn second_chance(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<false>(problem, trials, |table, x, rng| table.insert(x, rng, next_level))
}

/// SC with hints to elements.
pub fn hinted_second_chance(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<true>(problem, trials, |table, x, rng| table.insert(x, rng, next_level))
}

/// SCExt, moves to later sub-tables.
pub fn extreme_second_chance(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<false>(problem, trials, |table, x, rng| table.insert(x, rng, |level| 0..level))
}

/// SCExt, moves to any sub-table.
pub fn extreme_second_chance_anywhere(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<false>(problem, trials, Table::insert_anywhere)
}
