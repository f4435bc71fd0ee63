//! What becomes of elements that overflow: they stay on the overflow list until they depart, or they move back.

use std::array;

use pulp::Simd;

use super::ByLoad;
use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};
use super::loads::Loads;
use super::waiting::{MOST_AWAITED, Waiting};
use crate::tables::trial::Sums;

/// What trials keep of the elements on their overflow lists.
pub(super) trait AfterOverflow<S: Simd, const H: usize, const G: usize> {
    /// So many elements are on the list that never move back.
    fn put_without_choices(&mut self, elements: u32);

    /// The element of this rank departs, of those in the sub-tables and then those on the list: 1 where the list gets shorter.
    fn departs(
        &mut self,
        lanes: Lanes<S, G>,
        loads: &mut [Loads<S, H, G>],
        rank: Numbers<S, G>,
    ) -> Numbers<S, G>;

    /// An element with these choices arrived, and came on the list where it overflowed.
    fn arrived(&mut self, lanes: Lanes<S, G>, choices: &[Numbers<S, G>], overflows: Numbers<S, G>);

    /// Begins to count for a window.
    fn begin(&mut self);

    /// Adds what was counted since to the sums of each lane.
    fn add_to(&mut self, lanes: Lanes<S, G>, sums: &mut [Sums]);

    /// In place of all readings before, one as it is.
    fn look(&self, sums: &mut [Sums]);
}

/// They stay there.
pub(super) struct ToStay;

impl<S: Simd, const H: usize, const G: usize> AfterOverflow<S, H, G> for ToStay {
    fn put_without_choices(&mut self, _elements: u32) {}

    #[inline(always)]
    fn departs(
        &mut self,
        lanes: Lanes<S, G>,
        loads: &mut [Loads<S, H, G>],
        rank: Numbers<S, G>,
    ) -> Numbers<S, G> {
        let (mut listed, mut left) = (lanes.all(1), rank);
        for loads in loads {
            let [departed, rest] = loads.depart(left);
            listed = lanes.add(listed, departed);
            left = rest;
        }
        listed
    }

    #[inline(always)]
    fn arrived(&mut self, _: Lanes<S, G>, _: &[Numbers<S, G>], _: Numbers<S, G>) {}

    fn begin(&mut self) {}

    #[inline(always)]
    fn add_to(&mut self, _lanes: Lanes<S, G>, _sums: &mut [Sums]) {}

    fn look(&self, _sums: &mut [Sums]) {}
}

/// They move back when an element departs from a full bucket among their choices.
///
/// That happens in some lanes of a round, and seldom in all. So it is done lane by lane, as in any table.
pub(super) struct ToMoveBack<S: Simd, const G: usize> {
    lists: Vec<Waiting>,
    /// What is true in one lane alone.
    one_by_one: Vec<Numbers<S, G>>,
    sub_tables: usize,
    /// Choices of an element.
    choices: i32,
    /// Elements in buckets of each sub-table that somebody waits for.
    in_awaited: [Numbers<S, G>; MOST_AWAITED],
    /// Entries of the auxiliary CAM.
    entries: Numbers<S, G>,
    /// What happened in the window: sums of the entries, look-ups, elements that moved back, and the greatest extent of the CAM
    /// after a round.
    entries_read: Numbers<S, G>,
    lookups: Numbers<S, G>,
    moves: [u64; MOST_LANES],
    extents: [u32; MOST_LANES],
    /// Whether a round of the window is over.
    begun: bool,
}

impl<S: Simd, const G: usize> ToMoveBack<S, G> {
    pub(super) fn new(lanes: Lanes<S, G>, by_load: &ByLoad) -> Self {
        let none = lanes.all(0);
        Self {
            lists: vec![Waiting::new(by_load); Lanes::<S, G>::NUMBER],
            one_by_one: lanes.one_by_one(),
            sub_tables: by_load.buckets.len(),
            choices: by_load.choices() as i32,
            in_awaited: [none; MOST_AWAITED],
            entries: none,
            entries_read: none,
            lookups: none,
            moves: [0; MOST_LANES],
            extents: [0; MOST_LANES],
            begun: false,
        }
    }

    /// Takes over what changed in a lane. Its number is not written alone: a processor has to wait for what was written before it
    /// reads more than that at once.
    #[inline(always)]
    fn update<const H: usize>(&mut self, lanes: Lanes<S, G>, lane: usize) {
        let (here, list) = (self.one_by_one[lane], &self.lists[lane]);
        for (in_awaited, &buckets) in
            self.in_awaited[..self.sub_tables].iter_mut().zip(list.awaited())
        {
            let elements = lanes.all(i32::from(buckets) * H as i32);
            *in_awaited = lanes.select(here, elements, *in_awaited);
        }
    }

    /// The element of this rank is on the list, or departs from a bucket that somebody waits for, who takes its place. Of each
    /// sub-table, `elements` are in it.
    #[inline(always)]
    fn leave<const H: usize>(
        &mut self,
        lanes: Lanes<S, G>,
        lane: usize,
        mut rank: u32,
        elements: impl Iterator<Item = i32>,
    ) {
        let list = &mut self.lists[lane];
        for (sub_table, elements) in elements.enumerate() {
            let bucket = rank / H as u32;
            if bucket < list.awaited()[sub_table].into() {
                self.moves[lane] += 1;
                list.move_back(lanes.simd, sub_table, bucket);
                return self.update::<H>(lanes, lane);
            }
            rank -= elements.cast_unsigned();
        }
        if !list.leave(rank) {
            // It came without choices, and had no entries.
            self.entries.of_lanes_mut()[lane] += self.choices;
        }
        self.update::<H>(lanes, lane);
    }

    /// An element with choices of these ranks comes on the list.
    #[inline(always)]
    fn wait<const H: usize>(
        &mut self,
        lanes: Lanes<S, G>,
        lane: usize,
        ranks: impl Iterator<Item = i32>,
    ) {
        let mut own = [0; MOST_AWAITED];
        own.iter_mut().zip(ranks).for_each(|(own, rank)| *own = rank.cast_unsigned());
        let entry = self.lists[lane].wait(&own);
        self.extents[lane] = self.extents[lane].max(entry + 1);
        self.update::<H>(lanes, lane);
    }
}

impl<S: Simd, const H: usize, const G: usize> AfterOverflow<S, H, G> for ToMoveBack<S, G> {
    fn put_without_choices(&mut self, elements: u32) {
        for list in &mut self.lists {
            (0..elements).for_each(|_| list.put_without_choices());
        }
    }

    #[inline(always)]
    fn departs(
        &mut self,
        lanes: Lanes<S, G>,
        loads: &mut [Loads<S, H, G>],
        rank: Numbers<S, G>,
    ) -> Numbers<S, G> {
        let (mut gone, mut left) = (lanes.all(1), rank);
        for (loads, in_awaited) in loads.iter_mut().zip(&self.in_awaited) {
            self.lookups = lanes.sub(self.lookups, lanes.less(left, loads.in_full()));
            // Somebody takes the place, so that the bucket stays full.
            let taken = lanes.less(left, *in_awaited);
            let [departed, rest] = loads.depart(lanes.select(taken, lanes.all(i32::MAX), left));
            gone = lanes.add(gone, departed);
            left = rest;
        }
        let choices = lanes.and(lanes.less(lanes.all(0), gone), lanes.all(self.choices));
        self.entries = lanes.sub(self.entries, choices);
        let mut elements = [lanes.all(0); MOST_AWAITED];
        for (elements, loads) in elements.iter_mut().zip(&*loads) {
            *elements = loads.elements();
        }
        for lane in Ones(lanes.bits(gone)) {
            let rank = rank.of_lanes()[lane].cast_unsigned();
            let elements = elements[..self.sub_tables].iter();
            self.leave::<H>(lanes, lane, rank, elements.map(|elements| elements.of_lanes()[lane]));
        }
        gone
    }

    #[inline(always)]
    fn arrived(&mut self, lanes: Lanes<S, G>, choices: &[Numbers<S, G>], overflows: Numbers<S, G>) {
        for lane in Ones(lanes.bits(overflows)) {
            self.wait::<H>(lanes, lane, choices.iter().map(|choices| choices.of_lanes()[lane]));
        }
        self.entries = lanes.add(self.entries, lanes.and(overflows, lanes.all(self.choices)));
        self.entries_read = lanes.add(self.entries_read, self.entries);
        if !self.begun {
            self.begun = true;
            self.extents = array::from_fn(|lane| self.lists.get(lane).map_or(0, Waiting::extent));
        }
    }

    fn begin(&mut self) {
        (self.moves, self.extents, self.begun) = ([0; MOST_LANES], [0; MOST_LANES], false);
    }

    #[inline(always)]
    fn add_to(&mut self, lanes: Lanes<S, G>, sums: &mut [Sums]) {
        let (entries, lookups) = (lanes.to_array(self.entries_read), lanes.to_array(self.lookups));
        (self.entries_read, self.lookups) = (lanes.all(0), lanes.all(0));
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.cam_entries += entries[lane] as u64;
            sums.lookups += lookups[lane] as u64;
            (sums.moves_back, sums.cam_extent) = (self.moves[lane], self.extents[lane]);
        }
    }

    fn look(&self, sums: &mut [Sums]) {
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.cam_entries = self.entries.of_lanes()[lane] as u64;
            sums.cam_extent = self.lists[lane].extent();
        }
    }
}

/// Which bits are set, from the lowest on.
pub(super) struct Ones(pub(super) u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lowest = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    }
}
