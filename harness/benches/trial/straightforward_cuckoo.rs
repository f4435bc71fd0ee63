//! Cuckoo hashing with a stash, two choices and buckets of one, as one would first write it in C++: slots hold element
//! numbers, and elements keep their two choices, by which they are also found.
//!
//! The draws are those of the harness, so that both must come to the same totals.

use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// No element.
const NONE: u32 = u32::MAX;

/// An insertion gives up after `LIMIT` evictions.
struct Table<const LIMIT: u32> {
    slots: Vec<u32>,
    /// Of each element.
    choices: Vec<[u32; 2]>,
    /// Elements in the stash.
    overflow: u64,
    accesses: u64,
    moves: u64,
}

impl<const LIMIT: u32> Table<LIMIT> {
    fn new(problem: &Problem) -> Self {
        Self {
            slots: vec![NONE; problem.buckets as usize],
            choices: vec![[0; 2]; problem.elements as usize],
            overflow: 0,
            accesses: 0,
            moves: 0,
        }
    }

    fn clear(&mut self) {
        self.slots.fill(NONE);
        (self.overflow, self.accesses, self.moves) = (0, 0, 0);
    }

    #[inline(always)]
    fn insert(&mut self, x: u32, rng: &mut Rng) {
        let choices = [0; 2].map(|_| reduce(rng.next_u64(), self.slots.len() as u32));
        self.choices[x as usize] = choices;
        let [mut bucket, _] = choices;
        let mut on_hand = x;
        for evictions in 0..=LIMIT {
            let y = self.slots[bucket as usize];
            if y == NONE || evictions < LIMIT {
                self.slots[bucket as usize] = on_hand;
            }
            if y == NONE {
                self.accesses += u64::from(evictions) + 1;
                self.moves += u64::from(evictions);
                return;
            }
            if evictions < LIMIT {
                // Its other bucket.
                let [first, second] = self.choices[y as usize];
                bucket ^= first ^ second;
                on_hand = y;
            }
        }
        self.accesses += u64::from(LIMIT) + 1;
        self.moves += u64::from(LIMIT) - 1;
        self.overflow += 1;
    }

    #[inline(always)]
    fn delete(&mut self, x: u32) {
        let choices = self.choices[x as usize];
        match choices.into_iter().find(|&bucket| self.slots[bucket as usize] == x) {
            Some(bucket) => self.slots[bucket as usize] = NONE,
            None => self.overflow -= 1,
        }
    }
}

/// Static fill.
pub fn fill<const LIMIT: u32>(problem: &Problem, trials: Range<u64>) -> Totals {
    let mut table = Table::<LIMIT>::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let mut rng = choices_of(problem.seed, trial);
        (0..problem.elements).for_each(|x| table.insert(x, &mut rng));
        totals.overflow += table.overflow;
        totals.accesses += table.accesses;
        totals.moves += table.moves;
    }
    totals
}

/// Alternation.
pub fn alternate<const LIMIT: u32>(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, warm_up, rounds, seed, .. } = problem;
    let mut table = Table::<LIMIT>::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let mut rng = choices_of(seed, trial);
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        (0..elements).for_each(|x| table.insert(x, &mut rng));
        for round in 0..warm_up + rounds {
            if round == warm_up {
                (table.accesses, table.moves) = (0, 0);
            }
            let x = reduce(departures.next_u64(), elements);
            table.delete(x);
            table.insert(x, &mut rng);
            totals.overflow += if round < warm_up { 0 } else { table.overflow };
        }
        totals.accesses += table.accesses;
        totals.moves += table.moves;
    }
    totals
}

fn choices_of(seed: u64, trial: u64) -> Rng {
    Rng::seed_from_u64(derive_seed(Seeds::of(seed, trial).hash, 0))
}
