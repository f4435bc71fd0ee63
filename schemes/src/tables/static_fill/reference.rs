//! The rules as "The Power of One Move" describes them, element by element.

use super::Filled;
use crate::tables::theory::multilevel::InsertionRule;

/// Sub-tables T₁, …, `T_d` of buckets of h, and what is in them.
pub(super) struct Reference<'c> {
    /// By element, one in each sub-table.
    choices: &'c [Vec<usize>],
    /// The elements in each bucket of each sub-table.
    buckets: Vec<Vec<Vec<usize>>>,
    marked: Vec<Vec<bool>>,
    h: usize,
    filled: Filled,
}

impl<'c> Reference<'c> {
    /// Inserts elements with these choices; what that did, and how many are in each bucket.
    pub(super) fn fill(
        rule: InsertionRule,
        sizes: &[usize],
        choices: &'c [Vec<usize>],
    ) -> (Filled, Vec<Vec<usize>>) {
        let mut table = Self::empty(rule, sizes, choices);
        for x in 0..choices.len() {
            let stored = match rule {
                InsertionRule::Standard { .. } => table.first_free(x, 0),
                InsertionRule::Conservative => table.first_free(x, 0) || table.bump(x),
                InsertionRule::SecondChance | InsertionRule::SecondChanceOfTwo => {
                    table.second_chance(x, |level| level.saturating_sub(1)..level)
                }
                InsertionRule::ExtremeSecondChance => table.second_chance(x, |level| 0..level),
            };
            table.filled.overflow += u32::from(!stored);
        }
        table.done()
    }

    fn empty(rule: InsertionRule, sizes: &[usize], choices: &'c [Vec<usize>]) -> Self {
        Self {
            choices,
            buckets: sizes.iter().map(|&size| vec![Vec::new(); size]).collect(),
            marked: sizes.iter().map(|&size| vec![false; size]).collect(),
            h: rule.bucket_size().into(),
            filled: Filled::default(),
        }
    }

    fn done(self) -> (Filled, Vec<Vec<usize>>) {
        let counts = self.buckets.iter().map(|level| level.iter().map(Vec::len).collect());
        (self.filled, counts.collect())
    }

    /// As [`fill`](Self::fill) by extreme second chance with moves to any sub-table: elements whose first
    /// choice is full read all their choices, and those in the way are asked for all sub-tables.
    pub(super) fn fill_anywhere(
        sizes: &[usize],
        choices: &'c [Vec<usize>],
    ) -> (Filled, Vec<Vec<usize>>) {
        let mut table = Self::empty(InsertionRule::ExtremeSecondChance, sizes, choices);
        for x in 0..choices.len() {
            let stored = table.put(x, 0) || table.anywhere(x);
            table.filled.overflow += u32::from(!stored);
        }
        table.done()
    }

    /// Inserts an element whose first choice is full.
    fn anywhere(&mut self, x: usize) -> bool {
        let d = self.buckets.len();
        self.filled.accesses += d as u64 - 1;
        (0..d).any(|level| {
            let bucket = &mut self.buckets[level][self.choices[x][level]];
            if bucket.is_empty() {
                bucket.push(x);
                return true;
            }
            (0..d).filter(|&other| other != level).any(|other| self.make_room(x, other, level))
        })
    }

    /// Puts the element into its choice in a sub-table if that is not full.
    fn put(&mut self, x: usize, level: usize) -> bool {
        self.filled.accesses += 1;
        let bucket = &mut self.buckets[level][self.choices[x][level]];
        let stored = bucket.len() < self.h;
        if stored {
            bucket.push(x);
        }
        stored
    }

    /// From the sub-table `start` on.
    fn first_free(&mut self, x: usize, start: usize) -> bool {
        (start..self.buckets.len()).any(|level| self.put(x, level))
    }

    fn bump(&mut self, x: usize) -> bool {
        let searched = 0..self.buckets.len() - 1;
        let unmarked = |&level: &usize| !self.marked[level][self.choices[x][level]];
        let Some(level) = searched.into_iter().find(unmarked) else { return false };
        self.marked[level][self.choices[x][level]] = true;
        let y = self.buckets[level][self.choices[x][level]][0];
        let moved = self.first_free(y, level + 1);
        if moved {
            self.replace(y, x, level);
        }
        moved
    }

    /// `window` are the sub-tables from which elements may move to a sub-table.
    fn second_chance(&mut self, x: usize, window: fn(usize) -> std::ops::Range<usize>) -> bool {
        (0..self.buckets.len()).any(|level| {
            self.put(x, level) || window(level).any(|before| self.make_room(x, before, level))
        })
    }

    /// Moves an element in the way of x to the sub-table `to`.
    fn make_room(&mut self, x: usize, from: usize, to: usize) -> bool {
        let in_the_way = self.buckets[from][self.choices[x][from]].clone();
        let moved = in_the_way.into_iter().find(|&y| self.put(y, to));
        moved.inspect(|&y| self.replace(y, x, from)).is_some()
    }

    /// Puts x in the place that y left.
    fn replace(&mut self, y: usize, x: usize, level: usize) {
        self.filled.moves += 1;
        let bucket = &mut self.buckets[level][self.choices[x][level]];
        bucket.iter_mut().filter(|element| **element == y).for_each(|element| *element = x);
    }
}
