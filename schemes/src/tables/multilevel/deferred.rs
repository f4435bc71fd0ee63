//! Multilevel tables without names, for second chance.
//!
//! The rule of second chance asks an element in the way for one of its choices alone: that in the sub-table after its own.
//! So a slot needs to know no more of its element than that choice, drawn with those of the insertion that put it there: it
//! has not been looked at before, or was found full. An element that is pushed on gets its next one from the insertion
//! that pushes it, which does not come to look at it (the principle of deferred decisions, "The Power of One Move",
//! Section 5.6).

use super::rule::{MultilevelRule, Target};
use super::sizes::Sizes;
use super::view::View;
use crate::Rng;
use crate::hash::Choices;
use crate::tables::nameless::Nameless;
use crate::tables::sub_tables::{SubTable, SubTables};
use crate::tables::{Deletion, Insertion, SubTableUse, Table};

/// No element.
const EMPTY: u32 = u32::MAX;

/// D sub-tables of buckets with `H` slots, as those of [`Levels`](super::Levels), filled by a rule that asks elements in
/// the way for their next choice only. An element has the number of the slot that it is in. What a deletion empties
/// stays empty.
#[derive(Debug, Clone)]
pub(crate) struct Deferred<R, const D: usize, const H: usize = 1> {
    slots: NextChoices<H>,
    sub_tables: SubTables,
    firsts: [u32; D],
    overflow: u32,
    rule: R,
}

/// The next choice of the element in each slot; some bucket where it is in the last sub-table, or [`EMPTY`].
#[derive(Debug, Clone)]
struct NextChoices<const H: usize>(Vec<u32>);

impl<const H: usize> NextChoices<H> {
    #[inline]
    fn of(&self, bucket: u32) -> &[u32; H] {
        let (buckets, _) = self.0.as_chunks();
        &buckets[bucket as usize]
    }

    /// Puts an element with this next choice into the first empty slot of a bucket that is not full.
    #[inline]
    fn put(&mut self, bucket: u32, next: u32) {
        let (buckets, _) = self.0.as_chunks_mut::<H>();
        let slots = &mut buckets[bucket as usize];
        let taken = slots[..H - 1].iter().take_while(|&&next| next != EMPTY).count();
        slots[taken] = next;
    }
}

impl<const H: usize> View<H> for &NextChoices<H> {
    #[inline]
    fn is_full(&self, bucket: u32) -> bool {
        self.of(bucket).iter().all(|&next| next != EMPTY)
    }

    #[inline]
    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32> {
        (self.of(bucket)[slot] != EMPTY).then_some(bucket * H as u32 + slot as u32)
    }

    #[inline]
    fn choice(&mut self, element: u32, _level: usize) -> u32 {
        self.0[element as usize]
    }
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Deferred<R, D, H> {
    /// An empty table of this size; `None` where it has not D sub-tables.
    pub(crate) fn new(sizes: &Sizes, rule: R) -> Option<Self> {
        let sub_tables = sizes.sub_tables.clone();
        let firsts: Vec<u32> = sub_tables.iter().map(|sub_table| sub_table.first).collect();
        let slots = NextChoices(vec![EMPTY; sizes.geometry.buckets as usize * H]);
        Some(Self { slots, sub_tables, firsts: firsts.try_into().ok()?, overflow: 0, rule })
    }

    /// Puts the element with the choices `own` where it belongs. Its next choice, and that of whoever it pushes on, are
    /// those of the sub-table after theirs; in the last one nobody asks.
    #[inline]
    fn settle(&mut self, own: &[u32; D], target: Target) {
        // Buckets are numbered through, so that choices are in order.
        let after = |bucket: u32, by: usize| {
            let level = own.iter().filter(|&&other| other < bucket).count();
            own[(level + by).min(D - 1)]
        };
        match target {
            Target::Bucket(bucket) => self.slots.put(bucket, after(bucket, 1)),
            Target::PlaceOf { pushed, to } => {
                let bucket = pushed / H as u32;
                self.slots.put(to, after(bucket, 2));
                self.slots.0[pushed as usize] = after(bucket, 1);
            }
            Target::OverflowList => self.overflow += 1,
        }
    }
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Table for Deferred<R, D, H> {
    const MOVES: bool = true;

    fn reserve(&mut self, _elements: u32) {}

    fn clear(&mut self) {
        self.slots.0.fill(EMPTY);
        self.overflow = 0;
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
        let own = self.firsts.map(|first| first + choices.next(0));
        let (target, accesses) = self.rule.target(&own, &mut &self.slots);
        self.settle(&own, target);
        Insertion {
            accesses,
            stored: target != Target::OverflowList,
            moves: u32::from(matches!(target, Target::PlaceOf { .. })),
            ..Insertion::default()
        }
    }

    #[inline]
    fn insert_overflowed(&mut self, _element: u32) {
        self.overflow += 1;
    }

    /// The element has the number of its slot, or any further one on the overflow list.
    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        match self.slots.0.get_mut(element as usize) {
            Some(next) => *next = EMPTY,
            None => self.overflow -= 1,
        }
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.overflow
    }

    fn occupancy(&self) -> Vec<u64> {
        let mut buckets = vec![0; H + 1];
        let (slots, _) = self.slots.0.as_chunks::<H>();
        slots.iter().for_each(|slots| buckets[taken(slots)] += 1);
        buckets
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let (first, places) = (first as usize * H, buckets as usize * H);
            let elements = taken(&self.slots.0[first..first + places]);
            SubTableUse { elements: elements as u64, places: places as u64 }
        };
        self.sub_tables.iter().map(in_use).collect()
    }
}

impl<R: MultilevelRule<H>, const D: usize, const H: usize> Nameless for Deferred<R, D, H> {
    #[inline]
    fn entries(&self) -> u32 {
        self.overflow
    }

    #[inline(always)]
    fn vacate(&mut self, bucket: u32, slot: u32) -> Option<Deletion> {
        let next = &mut self.slots.0[(bucket * H as u32 + slot) as usize];
        let taken = *next != EMPTY;
        *next = EMPTY;
        taken.then(Deletion::default)
    }

    #[inline]
    fn unlist(&mut self, entry: u32) -> Option<Deletion> {
        let taken = entry < self.overflow;
        self.overflow -= u32::from(taken);
        taken.then(Deletion::default)
    }
}

fn taken(slots: &[u32]) -> usize {
    slots.iter().filter(|&&next| next != EMPTY).count()
}
