//! Static fills sub-table by sub-table, with the same law as element by element but much faster.
//!
//! Where nothing is deleted and all choices are random, elements need no names, and a choice need not
//! be drawn before it is looked at (the principle of deferred decisions, as in "The Power of One Move",
//! Section 5.6). What is in a sub-table then depends only on the elements that got past the earlier
//! ones, and on their order of arrival: so all of them can be taken to the first sub-table, those
//! that it has no room for to the second, and so on. Each pass is one loop over a few kilobytes,
//! without branches that depend on chance.

mod anywhere;
mod conservative;
mod one_move;
mod throws;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use self::anywhere::{Everywhere, Residents};
use super::buckets::occupancy;
use super::sub_tables::SubTables;
use super::{Geometry, SubTableUse};
use crate::Rng;
use crate::tables::theory::multilevel::InsertionRule;
use crate::uniform::Uniform;

/// Sub-tables that a rule with moves may have: its loops are built for each number.
const MOST_SUB_TABLES: usize = 8;

/// Elements for which choices are drawn at a time.
const CHUNK: usize = 128;

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
    levels: Vec<Level>,
    /// Whether the table is divided into its levels, be it into one.
    divided: bool,
    /// Where elements in the way are asked for all sub-tables.
    everywhere: Option<Everywhere>,
}

/// One sub-table.
#[derive(Debug, Clone)]
struct Level {
    uniform: Uniform,
    /// Elements in each bucket.
    counts: Vec<u8>,
    /// What the rule remembers of each bucket: the mark of the conservative scheme, or, with second chance,
    /// a bit for each element that is known to find its next choice full.
    seen: Vec<u8>,
    /// The buckets, all full, of the elements that go on to the next sub-table, in order of arrival.
    passed: Vec<u32>,
    /// Who is in it, where that matters to look-ups.
    residents: Residents,
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
        sizes: impl IntoIterator<Item = u32>,
    ) -> Option<Self> {
        let kept = if moves(rule) { elements } else { 0 };
        let levels: Vec<Level> = sizes.into_iter().map(|size| Level::new(size, kept)).collect();
        let possible = !moves(rule) || levels.len() <= MOST_SUB_TABLES;
        possible.then_some(Self { rule, elements, levels, divided: true, everywhere: None })
    }

    /// One choice among all buckets.
    pub(super) fn single(&Geometry { elements, buckets, bucket_size }: &Geometry) -> Self {
        let rule = InsertionRule::Standard { bucket_size };
        let levels = vec![Level::new(buckets, 0)];
        Self { rule, elements, levels, divided: false, everywhere: None }
    }

    /// Inserts n elements into the empty table.
    pub fn run(&mut self, rng: &mut Rng) -> Filled {
        self.levels.iter_mut().for_each(Level::clear);
        if let Some(everywhere) = &mut self.everywhere {
            return everywhere.fill(&mut self.levels, self.elements, rng);
        }
        match self.rule {
            InsertionRule::Standard { bucket_size } => self.throw(bucket_size, rng),
            InsertionRule::Conservative => self.bump(rng),
            InsertionRule::SecondChance => self.next_level::<1>(rng),
            InsertionRule::SecondChanceOfTwo => self.next_level::<2>(rng),
            InsertionRule::ExtremeSecondChance => self.first_level(rng),
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
        for level in &self.levels {
            let counted = occupancy(&level.counts, h);
            all.iter_mut().zip(counted).for_each(|(all, buckets)| *all += buckets);
        }
        all
    }

    /// How full each sub-table is; empty where there are no sub-tables.
    pub fn sub_tables(&self) -> Vec<SubTableUse> {
        let h = usize::from(self.rule.bucket_size());
        let in_use = |level: &Level| SubTableUse {
            elements: level.stored().into(),
            places: (level.counts.len() * h) as u64,
        };
        self.levels.iter().filter(|_| self.divided).map(in_use).collect()
    }
}

fn moves(rule: InsertionRule) -> bool {
    !matches!(rule, InsertionRule::Standard { .. })
}

impl Level {
    /// Empty buckets, with room for the choices of up to `passing` elements that go on: 0 for a rule that
    /// needs neither those nor what it has seen of each bucket.
    fn new(buckets: u32, passing: u32) -> Self {
        let remembered = if passing > 0 { buckets } else { 0 };
        Self {
            uniform: Uniform::new(buckets),
            counts: vec![0; buckets as usize],
            seen: vec![0; remembered as usize],
            passed: vec![0; passing as usize],
            residents: Residents::default(),
        }
    }

    /// Throws all n elements at the empty first sub-table; keeps the choices of those whose bucket of H was
    /// full, in order of arrival, and returns how many they are.
    fn open<const H: usize>(&mut self, rng: &mut Rng) -> u32 {
        let Self { uniform, counts, passed: own, .. } = self;
        let (counts, own) = (&mut counts[..], &mut own[..]);
        let mut passed = 0;
        uniform.each(own.len(), rng, |choice| {
            own[passed] = choice;
            passed += usize::from(put::<H>(&mut counts[choice as usize]));
        });
        passed as u32
    }

    fn clear(&mut self) {
        self.counts.fill(0);
        self.seen.fill(0);
    }

    /// Elements in the sub-table.
    fn stored(&self) -> u32 {
        // Sums of 16 bits are added many at a time; 255 full buckets of 255 still fit.
        let blocks = self.counts.chunks(u8::MAX.into());
        blocks
            .map(|block| u32::from(block.iter().map(|&count| u16::from(count)).sum::<u16>()))
            .sum()
    }
}

/// Puts an element into a bucket; 1 where that is full. A number in place of a `bool`, as it is used in sums
/// rather than branches: whether a bucket is full is chance, which the processor cannot predict.
#[inline(always)]
fn put<const H: usize>(count: &mut u8) -> u8 {
    let full = u8::from(usize::from(*count) >= H);
    *count += 1 - full;
    full
}
