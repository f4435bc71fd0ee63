//! Static fills sub-table by sub-table, with the same law as element by element but much faster.
//!
//! Where nothing is deleted and all choices are random, elements need no names, and a choice need not
//! be drawn before it is looked at (the principle of deferred decisions, as in "The Power of One Move",
//! Section 5.6). What is in a sub-table then depends only on the elements that got past the earlier
//! ones, and on their order of arrival: so all of them can be taken to the first sub-table, those
//! that it has no room for to the second, and so on. Each pass is one loop without branches that depend on
//! chance. Where nobody moves, all that matters of a bucket is how often it is chosen, and of many elements most choices are
//! made at once: see [`Occupancy`](crate::occupancy::Occupancy). Where elements move, buckets need no names either: see [`level`].

mod anywhere;
mod chosen;
mod conservative;
mod level;
mod one_move;
mod throws;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use std::iter;

use self::anywhere::Everywhere;
use self::chosen::Chosen;
use self::level::{Level, Row};
use self::throws::Counts;
use super::sub_tables::SubTables;
use super::{Geometry, SubTableUse};
use crate::Rng;
use crate::tables::theory::multilevel::InsertionRule;

/// Sub-tables that a rule with moves may have: its loops are built for each number.
const MOST_SUB_TABLES: usize = 8;

/// Elements for which choices are drawn at a time.
const CHUNK: usize = 128;

/// Elements of which most choices are made at once, where none moves. With fewer, a choice takes hardly longer in lockstep.
const MANY: u32 = 1 << 14;

/// Elements that go through all sub-tables together: what is kept of them stays in the first-level cache.
const BLOCK: usize = 4096;

/// What n insertions into an empty table did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// Buckets looked up: own choices of the elements, and choices of elements in the way.
    pub accesses: u64,
    /// Elements moved from bucket to bucket.
    pub moves: u64,
    /// Elements on the overflow list.
    pub overflow: u32,
}

/// A table of sub-tables, filled with n elements again and again.
#[derive(Debug, Clone)]
pub struct StaticFill {
    rule: InsertionRule,
    /// n.
    elements: u32,
    sub_tables: Kept,
    /// Whether the table is divided into its sub-tables, be it into one.
    divided: bool,
}

/// What is kept of sub-tables.
#[derive(Debug, Clone)]
enum Kept {
    /// How many elements are in each bucket, where none moves.
    Counts(Vec<Counts>),
    /// How many buckets are chosen how often, where none of many moves.
    Chosen(Vec<Chosen>),
    /// Numbers alone, where elements may move.
    Numbers(Vec<Level>, Vec<Row>),
    /// Who is where, where elements in the way are asked for all sub-tables.
    Residents(Everywhere),
}

impl Kept {
    /// Of a rule by which no element moves.
    fn thrown(elements: u32, sizes: impl Iterator<Item = u32>) -> Self {
        match at_once(elements) {
            true => Self::Chosen(sizes.map(Chosen::new).collect()),
            false => Self::Counts(sizes.map(Counts::new).collect()),
        }
    }
}

/// Whether most choices of so many elements are made at once, if none moves.
pub(super) fn at_once(elements: u32) -> bool {
    elements >= MANY
}

impl StaticFill {
    /// Empty sub-tables for `elements` elements. `None` where a rule with moves has too many of them.
    pub(super) fn new(rule: InsertionRule, elements: u32, sub_tables: &SubTables) -> Option<Self> {
        Self::of_sizes(rule, elements, sub_tables.iter().map(|sub_table| sub_table.buckets))
    }

    /// The same with so many buckets each.
    fn of_sizes(
        rule: InsertionRule,
        elements: u32,
        sizes: impl ExactSizeIterator<Item = u32>,
    ) -> Option<Self> {
        let possible = !moves(rule) || sizes.len() <= MOST_SUB_TABLES;
        let sub_tables = if moves(rule) {
            let rows = vec![[0; BLOCK]; sizes.len()];
            Kept::Numbers(sizes.map(Level::new).collect(), rows)
        } else {
            Kept::thrown(elements, sizes)
        };
        possible.then_some(Self { rule, elements, sub_tables, divided: true })
    }

    /// One choice among all buckets.
    pub(super) fn single(&Geometry { elements, buckets, bucket_size }: &Geometry) -> Self {
        let rule = InsertionRule::Standard { bucket_size };
        let sub_tables = Kept::thrown(elements, iter::once(buckets));
        Self { rule, elements, sub_tables, divided: false }
    }

    /// The same fill, with the look-ups of a rule that asks the elements in the way for all sub-tables.
    pub(super) fn asking_everywhere(self) -> Self {
        let Kept::Numbers(levels, _) = &self.sub_tables else { return self };
        let everywhere = Everywhere::new(levels.iter().map(|level| level.size), self.elements);
        Self { sub_tables: Kept::Residents(everywhere), ..self }
    }

    /// The rule, n, and the buckets of each sub-table, where elements move and numbers are all that is kept of them.
    pub(super) fn moving(&self) -> Option<(InsertionRule, u32, Vec<u32>)> {
        let Kept::Numbers(levels, _) = &self.sub_tables else { return None };
        Some((self.rule, self.elements, levels.iter().map(|level| level.size).collect()))
    }

    /// Inserts n elements into the empty table.
    pub fn run(&mut self, rng: &mut Rng) -> Filled {
        let elements = self.elements;
        match &mut self.sub_tables {
            Kept::Counts(levels) => throws::throw(levels, elements, self.rule.bucket_size(), rng),
            Kept::Chosen(levels) => throws::throw(levels, elements, self.rule.bucket_size(), rng),
            Kept::Residents(everywhere) => everywhere.fill(elements, rng),
            Kept::Numbers(levels, rows) => {
                levels.iter_mut().for_each(Level::clear);
                let insert = match self.rule {
                    InsertionRule::Conservative => conservative::bump,
                    InsertionRule::SecondChanceOfTwo => one_move::next_level::<2, 3>,
                    InsertionRule::ExtremeSecondChance => one_move::first_level,
                    _ => one_move::next_level::<1, 2>,
                };
                insert(levels, rows, elements, rng)
            }
        }
    }

    /// Whether an insertion may move elements from bucket to bucket.
    pub fn moves(&self) -> bool {
        moves(self.rule)
    }

    /// How many buckets hold exactly k elements, for k = 0..=h.
    pub fn occupancy(&self) -> Vec<u64> {
        let h = self.rule.bucket_size();
        let mut all = vec![0; usize::from(h) + 1];
        let mut add = |counted: Vec<u64>| {
            all.iter_mut().zip(counted).for_each(|(all, buckets)| *all += buckets);
        };
        match &self.sub_tables {
            Kept::Counts(levels) => levels.iter().for_each(|level| add(level.occupancy(h))),
            Kept::Chosen(levels) => levels.iter().for_each(|level| add(level.occupancy(h))),
            Kept::Numbers(levels, _) => levels.iter().for_each(|level| add(level.occupancy(h))),
            Kept::Residents(all) => all.levels().for_each(|level| add(level.occupancy(h))),
        }
        all
    }

    /// How full each sub-table is; empty where there are no sub-tables.
    pub fn sub_tables(&self) -> Vec<SubTableUse> {
        let h = self.rule.bucket_size();
        match &self.sub_tables {
            _ if !self.divided => Vec::new(),
            Kept::Counts(levels) => levels.iter().map(|level| level.in_use(h)).collect(),
            Kept::Chosen(levels) => levels.iter().map(|level| level.in_use(h)).collect(),
            Kept::Numbers(levels, _) => levels.iter().map(|level| level.in_use(h)).collect(),
            Kept::Residents(all) => all.levels().map(|level| level.in_use(h)).collect(),
        }
    }
}

fn moves(rule: InsertionRule) -> bool {
    !matches!(rule, InsertionRule::Standard { .. })
}
