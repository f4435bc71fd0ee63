//! What becomes of elements that overflow: they stay on the overflow list until they depart, or they move back.

use std::array;

use pulp::Simd;

use super::ByLoad;
use super::lanes::{Lanes, MOST_LANES, Numbers};
use super::loads::Loads;
use super::waiting::{MOST_AWAITED, OnList, OverflowList, empty_list};
use crate::tables::CamUse;
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
/// That happens now and then, and in one lane rather than in all. So it is done lane by lane, as in any table.
pub(super) struct ToMoveBack<S: Simd, const G: usize> {
    lists: Vec<Box<dyn OverflowList>>,
    /// What is on each of them.
    on_lists: Vec<OnList>,
    bucket_size: u32,
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
        let new = || empty_list(by_load.elements, by_load.choices(), &by_load.buckets);
        let number = Lanes::<S, G>::NUMBER;
        Self {
            lists: (0..number).map(|_| new()).collect(),
            on_lists: vec![OnList::default(); number],
            bucket_size: by_load.bucket_size.into(),
            in_awaited: [none; MOST_AWAITED],
            entries: none,
            entries_read: none,
            lookups: none,
            moves: [0; MOST_LANES],
            extents: [0; MOST_LANES],
            begun: false,
        }
    }

    /// Takes over what changed in a lane.
    #[inline(always)]
    fn update(&mut self, lane: usize, on_list: OnList) {
        for (in_awaited, buckets) in self.in_awaited.iter_mut().zip(on_list.awaited) {
            in_awaited.of_lanes_mut()[lane] = (buckets * self.bucket_size).cast_signed();
        }
        self.entries.of_lanes_mut()[lane] = on_list.cam.entries.cast_signed();
        self.on_lists[lane] = on_list;
    }

    /// The element of this rank is on the list, or departs from a bucket that somebody waits for, who takes its place. Of each
    /// sub-table, `elements` are in it.
    #[inline(always)]
    fn leave(&mut self, lane: usize, mut rank: u32, elements: impl Iterator<Item = i32>) {
        for (sub_table, elements) in elements.enumerate() {
            let bucket = rank / self.bucket_size;
            if bucket < self.on_lists[lane].awaited[sub_table] {
                self.moves[lane] += 1;
                let on_list = self.lists[lane].move_back(sub_table, bucket);
                return self.update(lane, on_list);
            }
            rank -= elements.cast_unsigned();
        }
        let on_list = self.lists[lane].leave(rank);
        self.update(lane, on_list);
    }

    /// An element with choices of these ranks comes on the list.
    #[inline(always)]
    fn wait(&mut self, lane: usize, ranks: impl Iterator<Item = i32>) {
        let mut own = [0; MOST_AWAITED];
        own.iter_mut().zip(ranks).for_each(|(own, rank)| *own = rank.cast_unsigned());
        let on_list = self.lists[lane].wait(&own);
        self.extents[lane] = self.extents[lane].max(on_list.cam.extent);
        self.update(lane, on_list);
    }
}

impl<S: Simd, const H: usize, const G: usize> AfterOverflow<S, H, G> for ToMoveBack<S, G> {
    fn put_without_choices(&mut self, elements: u32) {
        for (list, on_list) in self.lists.iter_mut().zip(&mut self.on_lists) {
            (0..elements).for_each(|_| *on_list = list.put_without_choices());
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
            let [_, in_full] = loads.elements();
            self.lookups = lanes.sub(self.lookups, lanes.less(left, in_full));
            // Somebody takes the place, so that the bucket stays full.
            let taken = lanes.less(left, *in_awaited);
            let [departed, rest] = loads.depart(lanes.select(taken, lanes.all(i32::MAX), left));
            gone = lanes.add(gone, departed);
            left = rest;
        }
        if lanes.any(gone) {
            for (lane, _) in gone.of_lanes().iter().enumerate().filter(|&(_, &gone)| gone != 0) {
                let rank = rank.of_lanes()[lane].cast_unsigned();
                self.leave(
                    lane,
                    rank,
                    loads.iter().map(|loads| loads.elements()[0].of_lanes()[lane]),
                );
            }
        }
        gone
    }

    #[inline(always)]
    fn arrived(&mut self, lanes: Lanes<S, G>, choices: &[Numbers<S, G>], overflows: Numbers<S, G>) {
        if lanes.any(overflows) {
            let of_lanes = overflows.of_lanes().iter().enumerate();
            for (lane, _) in of_lanes.filter(|&(_, &overflows)| overflows != 0) {
                self.wait(lane, choices.iter().map(|choices| choices.of_lanes()[lane]));
            }
        }
        self.entries_read = lanes.add(self.entries_read, self.entries);
        if !self.begun {
            self.begun = true;
            self.extents = array::from_fn(|lane| {
                self.on_lists.get(lane).map_or(0, |on_list| on_list.cam.extent)
            });
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
            let CamUse { entries, extent } = self.on_lists[lane].cam;
            (sums.cam_entries, sums.cam_extent) = (entries.into(), extent);
        }
    }
}
