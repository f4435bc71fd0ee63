//! Multilevel tables with keys in their slots, to be timed.

use super::shelf::Shelf;
use super::view::View;
use super::{KeyLevels, MultilevelRule, Refill, Sizes, settle};
use crate::hash::Source;
use crate::tables::timed::{FIRST_ROOM, NamedList, key, named_footprint};
use crate::tables::{Footprint, Key, KeyTable};

/// A key that is about to be put somewhere has no number yet.
const ARRIVING: u32 = 0;

/// Bytes of such a table for each bucket, and for each element on the overflow list, without what rule and refill
/// remember.
pub(in crate::tables) fn key_footprint(sizes: &Sizes) -> Footprint {
    named_footprint(&sizes.geometry)
}

/// Keys where the rule `R` puts them, in buckets of `H`; emptied slots are filled by `F`. A key in the way of another is
/// hashed again to find its other choices, as a table has no other place to know them from.
pub(in crate::tables) struct MultilevelKeys<R, F, const H: usize = 1> {
    levels: KeyLevels<H>,
    list: NamedList,
    /// Elements that `refill` has room for on the list.
    room: u32,
    rule: R,
    refill: F,
    /// The buckets of the key that arrives.
    choices: Vec<u32>,
}

impl<R: MultilevelRule<H>, F: Refill<H>, const H: usize> MultilevelKeys<R, F, H> {
    /// An empty table of this size. `refill` has room for [`FIRST_ROOM`] elements.
    pub(in crate::tables) fn new(sizes: &Sizes, rule: R, refill: F) -> Self {
        Self {
            levels: KeyLevels::new(&sizes.geometry, &sizes.sub_tables),
            list: NamedList::new(),
            room: FIRST_ROOM,
            rule,
            refill,
            choices: Vec::with_capacity(sizes.choices as usize),
        }
    }

    /// Makes room for one more element on the list.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.list.greatest_len() == self.room {
            self.room *= 2;
            self.refill.reserve(self.room);
        }
    }
}

impl<R: MultilevelRule<H>, F: Refill<H>, const H: usize> KeyTable for MultilevelKeys<R, F, H> {
    fn clear(&mut self, _seed: u64) {
        self.levels.clear();
        self.list.clear();
        self.rule.clear();
        self.refill.clear();
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        self.make_room();
        let Self { levels, list, rule, refill, choices, .. } = self;
        choices.clear();
        choices.extend(levels.buckets(source.element(bytes)));
        let (choices, key, width) = (&choices[..], key(bytes), bytes.len());
        let mut on_hand = OnHand { levels, list, key, choices, source, width };
        let (target, _) = rule.target(choices, &mut on_hand);
        settle(&mut on_hand, refill, ARRIVING, target);
    }

    #[inline(always)]
    fn contains<S: Source>(&self, bytes: &[u8], source: &mut S) -> bool {
        let key = key(bytes);
        self.levels.find(key, source.element(bytes)).is_some() || self.list.contains(key)
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Self { levels, list, rule, refill, choices, .. } = self;
        let key = key(bytes);
        if let Some(slot) = levels.find(key, source.element(bytes)) {
            levels.empty(slot);
            rule.emptied(slot);
            let width = bytes.len();
            let mut on_hand = OnHand { levels, list, key, choices, source, width };
            refill.refill(&mut on_hand, slot);
        } else if let Some(number) = list.remove(key) {
            refill.unlisted(number);
        }
    }

    fn overflow(&self) -> usize {
        self.list.len()
    }

    fn bytes(&self) -> u64 {
        self.levels.bytes() + self.list.bytes() + self.rule.bytes() + self.refill.bytes()
    }
}

/// The table while a key is on hand. A key in a bucket has the number of its slot, one on the list that of the list.
struct OnHand<'t, S, const H: usize> {
    levels: &'t mut KeyLevels<H>,
    list: &'t mut NamedList,
    /// The key that arrives.
    key: Key,
    /// Its buckets.
    choices: &'t [u32],
    source: &'t mut S,
    /// Bytes of a key.
    width: usize,
}

impl<S: Source, const H: usize> View<H> for OnHand<'_, S, H> {
    #[inline(always)]
    fn is_full(&self, bucket: u32) -> bool {
        self.levels.is_full(bucket)
    }

    #[inline(always)]
    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32> {
        self.element_at(bucket * H as u32 + slot as u32)
    }

    #[inline(always)]
    fn choice(&mut self, slot: u32, level: usize) -> u32 {
        let bytes = self.levels.key(slot).to_ne_bytes();
        self.levels.bucket_in(level, self.source.element(&bytes[..self.width]))
    }
}

impl<S: Source, const H: usize> Shelf<H> for OnHand<'_, S, H> {
    fn choices_of_arriving(&self, _arriving: u32) -> &[u32] {
        self.choices
    }

    #[inline(always)]
    fn free_slot(&self, bucket: u32) -> u32 {
        self.levels.free_slot(bucket)
    }

    #[inline(always)]
    fn put(&mut self, _arriving: u32, slot: u32) {
        self.levels.put(self.key, slot);
    }

    fn overflow_with(&mut self, _arriving: u32) -> u32 {
        self.list.insert(self.key)
    }

    #[inline(always)]
    fn relocate(&mut self, left: u32, slot: u32) -> u32 {
        self.levels.put(self.levels.key(left), slot);
        self.levels.empty(left);
        left
    }

    fn move_back(&mut self, number: u32, slot: u32) {
        self.levels.put(self.list.take(number), slot);
    }

    #[inline(always)]
    fn element_at(&self, slot: u32) -> Option<u32> {
        self.levels.is_taken(slot).then_some(slot)
    }

    #[inline(always)]
    fn place(&self, slot: u32) -> Option<u32> {
        self.element_at(slot)
    }

    fn may_be_in(&mut self, slot: u32, bucket: u32) -> bool {
        let bytes = self.levels.key(slot).to_ne_bytes();
        self.levels.buckets(self.source.element(&bytes[..self.width])).any(|own| own == bucket)
    }
}
