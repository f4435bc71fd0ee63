//! Multilevel tables without names: an element has the number of the slot that it is in.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::decisions::{Decision, Decisions};
use super::rule::{MultilevelRule, Target};
use super::sizes::Sizes;
use super::view::View;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::{SubTable, SubTables};
use crate::tables::{Deletion, Insertion, SubTableUse, Table};

/// Sub-tables of buckets with `H` slots, as those of [`Levels`](super::Levels), of which each slot knows whether an
/// element is in it and what the D choices of that element are. What a deletion empties stays empty.
#[derive(Debug, Clone)]
pub(crate) struct Unnamed<R, const D: usize, const H: usize = 1> {
    levels: UnnamedLevels<D, H>,
    rule: R,
    /// What the rule decides, where that can be looked up.
    decisions: Option<Arc<Decisions>>,
}

/// Behind the last bucket stands one more, whose slots take what is put nowhere: so nobody asks whether it is.
#[derive(Debug, Clone)]
struct UnnamedLevels<const D: usize, const H: usize> {
    sub_tables: SubTables,
    /// m.
    buckets: u32,
    taken: Vec<bool>,
    /// Of the element that is or was in each slot.
    choices: Vec<[u32; D]>,
    overflow: u32,
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Unnamed<R, D, H> {
    /// An empty table of this size.
    pub(crate) fn new(sizes: &Sizes, rule: R) -> Self {
        let buckets = sizes.geometry.buckets;
        let slots = (buckets as usize + 1) * H;
        let levels = UnnamedLevels {
            sub_tables: sizes.sub_tables.clone(),
            buckets,
            taken: vec![false; slots],
            choices: vec![[0; D]; slots],
            overflow: 0,
        };
        Self { levels, decisions: Decisions::of::<R, D, H>(&rule), rule }
    }
}

impl<const D: usize, const H: usize> UnnamedLevels<D, H> {
    #[inline]
    fn slots(&self, bucket: u32) -> &[bool; H] {
        let (buckets, _) = self.taken.as_chunks();
        &buckets[bucket as usize]
    }

    /// The first empty slot of a bucket that is not full.
    #[inline]
    fn free_slot(&self, bucket: u32) -> u32 {
        let before_last = &self.slots(bucket)[..H - 1];
        let taken = before_last.iter().take_while(|&&taken| taken).count();
        bucket * H as u32 + taken as u32
    }

    /// Does what was decided in advance, which depends on L looks.
    #[inline(always)]
    fn decide<const L: usize>(&mut self, own: [u32; D], decisions: &Decisions) -> Insertion {
        let Some(looks) = decisions.looks.first_chunk::<L>() else { return Insertion::default() };
        let nowhere = self.buckets;
        let mut full = 0;
        for (level, &bucket) in own.iter().enumerate() {
            full |= usize::from((&*self).is_full(bucket)) << level;
        }
        let found = looks.map(|look| {
            let in_the_way = own[usize::from(look.way) % D] * H as u32 + u32::from(look.slot);
            self.choices[in_the_way as usize][usize::from(look.level) % D]
        });
        for (i, &bucket) in found.iter().enumerate() {
            full |= usize::from((&*self).is_full(bucket)) << (D + i);
        }
        let Decision { way, slot, look, accesses } = decisions.answers[full];
        let (way, slot, look) = (usize::from(way), usize::from(slot), usize::from(look));
        let (stored, moves) = (way < D, look < L);
        let bucket = select_unpredictable(stored, own[way % D], nowhere);
        let place = match H {
            1 => bucket,
            _ => {
                let taken = bucket * H as u32 + slot as u32;
                select_unpredictable(slot == H, self.free_slot(bucket), taken)
            }
        };
        let to = select_unpredictable(moves, found[look % L], nowhere);
        let moved = self.choices[place as usize];
        self.put(moved, self.free_slot(to));
        self.put(own, place);
        self.overflow += u32::from(!stored);
        Insertion { accesses: accesses.into(), stored, moves: moves.into(), ..Insertion::default() }
    }

    #[inline]
    fn put(&mut self, own: [u32; D], slot: u32) {
        self.taken[slot as usize] = true;
        self.choices[slot as usize] = own;
    }

    #[inline]
    fn settle(&mut self, own: [u32; D], target: Target) {
        match target {
            Target::Bucket(bucket) => self.put(own, self.free_slot(bucket)),
            Target::PlaceOf { pushed, to } => {
                let moved = self.choices[pushed as usize];
                self.put(moved, self.free_slot(to));
                self.choices[pushed as usize] = own;
            }
            Target::OverflowList => self.overflow += 1,
        }
    }
}

impl<const D: usize, const H: usize> View<H> for &UnnamedLevels<D, H> {
    #[inline]
    fn is_full(&self, bucket: u32) -> bool {
        self.slots(bucket).iter().all(|&taken| taken)
    }

    #[inline]
    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32> {
        let taken = self.slots(bucket)[slot];
        taken.then_some(bucket * H as u32 + slot as u32)
    }

    #[inline]
    fn choice(&mut self, element: u32, level: usize) -> u32 {
        self.choices[element as usize][level]
    }
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Table for Unnamed<R, D, H> {
    const MOVES: bool = true;

    fn reserve(&mut self, _elements: u32) {}

    fn clear(&mut self) {
        self.levels.taken.fill(false);
        self.levels.overflow = 0;
        self.rule.clear();
    }

    fn is_certain(&self) -> bool {
        true
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        _element: u32,
        mut choices: impl Choices,
        _rng: &mut Rng,
    ) -> Insertion {
        let Self { levels, rule, decisions } = self;
        let mut own = [0; D];
        for (bucket, sub_table) in own.iter_mut().zip(levels.sub_tables.iter()) {
            *bucket = sub_table.first + choices.next(sub_table.buckets);
        }
        if let Some(decisions) = decisions {
            match decisions.looks.len() {
                1 => return levels.decide::<1>(own, decisions),
                2 => return levels.decide::<2>(own, decisions),
                3 => return levels.decide::<3>(own, decisions),
                6 => return levels.decide::<6>(own, decisions),
                12 => return levels.decide::<12>(own, decisions),
                _ => {}
            }
        }
        let (target, accesses) = rule.target(&own, &mut &*levels);
        levels.settle(own, target);
        Insertion {
            accesses,
            stored: target != Target::OverflowList,
            moves: u32::from(matches!(target, Target::PlaceOf { .. })),
            ..Insertion::default()
        }
    }

    #[inline]
    fn insert_overflowed(&mut self, _element: u32) {
        self.levels.overflow += 1;
    }

    /// The element has the number of its slot, or any further one on the overflow list.
    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        match element < self.levels.buckets * H as u32 {
            true => {
                self.levels.taken[element as usize] = false;
                self.rule.emptied(element);
            }
            false => self.levels.overflow -= 1,
        }
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.levels.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        let mut buckets = vec![0; H + 1];
        let (slots, _) = self.levels.taken.as_chunks::<H>();
        let slots = &slots[..self.levels.buckets as usize];
        slots.iter().for_each(|slots| buckets[count(slots)] += 1);
        buckets
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let (first, slots) = (first as usize * H, buckets as usize * H);
            let elements = count(&self.levels.taken[first..first + slots]);
            SubTableUse { elements: elements as u64, places: slots as u64 }
        };
        self.levels.sub_tables.iter().map(in_use).collect()
    }
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Nameless for Unnamed<R, D, H> {
    #[inline]
    fn entries(&self) -> u32 {
        self.levels.overflow
    }

    #[inline(always)]
    fn vacate(&mut self, bucket: u32, slot: u32) -> Option<Deletion> {
        let element = bucket * H as u32 + slot;
        let taken = std::mem::replace(&mut self.levels.taken[element as usize], false);
        taken.then(|| {
            self.rule.emptied(element);
            Deletion::default()
        })
    }

    #[inline]
    fn unlist(&mut self, entry: u32) -> Option<Deletion> {
        let taken = entry < self.levels.overflow;
        self.levels.overflow -= u32::from(taken);
        taken.then(Deletion::default)
    }
}

fn count(taken: &[bool]) -> usize {
    taken.iter().filter(|&&taken| taken).count()
}
