//! Trials that go through a round step by step, all of them through each step.

use std::array;
use std::hint::select_unpredictable;
use std::ops::Range;

use pulp::Simd;

use super::counts::{Counts, RoundsLeft};
use super::rows::Row;
use super::some_lanes::SomeLanes;
use super::tables::{FULL, LISTED, OfLanes};
use crate::tables::by_load::AT_ONCE;

/// Those in some of the lanes, and what a step leaves for the next.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The element that departs and, after it, the number that the one that arrives gets.
    elements: [u16; AT_ONCE],
    /// The lanes whose list a departure concerns, and who leaves it.
    concerned: SomeLanes,
    leaving: [u16; AT_ONCE],
    /// Those of them where that has to be searched for.
    searching: SomeLanes,
    /// The lanes in which an element overflows.
    overflowing: SomeLanes,
}

impl Group {
    /// An element departs.
    #[inline(always)]
    pub(super) fn depart<S: Simd, const G: usize, const D: usize>(
        &mut self,
        lanes: Range<usize>,
        tables: &mut OfLanes<'_, D>,
        row: &Row<S, G>,
        counts: &mut Counts,
    ) {
        let mut concerned = SomeLanes::default();
        for lane in lanes {
            let element = row.departing(lane);
            let left = tables.table(lane).depart(element);
            counts.lookups[lane] += u32::from(left.was_full);
            self.elements[lane] = element;
            concerned.add_if(left.concerns_list, lane);
        }
        self.concerned = concerned;
    }

    /// Who leaves the list, as far as that is known at once.
    #[inline(always)]
    pub(super) fn look_up<const D: usize>(
        &mut self,
        tables: &mut OfLanes<'_, D>,
        counts: &mut Counts,
    ) {
        let mut searching = SomeLanes::default();
        for lane in self.concerned.iter() {
            let table = tables.table(lane);
            let place = table.place(self.elements[lane]);
            let many;
            (self.leaving[lane], many) = table.lowest(place);
            searching.add_if(many, lane);
            counts.moves[lane] += u32::from(place < LISTED);
        }
        self.searching = searching;
    }

    /// They leave it. One that moves back gets the number of the element whose place it takes, and the one that arrives its own:
    /// so only what is written for that one changes, and all are as likely to depart as before.
    #[inline(always)]
    pub(super) fn leave<const D: usize>(
        &mut self,
        tables: &mut OfLanes<'_, D>,
        left: RoundsLeft,
        counts: &mut Counts,
    ) {
        for lane in self.searching.iter() {
            let table = tables.table(lane);
            self.leaving[lane] = table.search(table.place(self.elements[lane]));
        }
        for lane in self.concerned.iter() {
            let waited;
            (self.elements[lane], waited) = tables.table(lane).leave(self.leaving[lane]);
            counts.leaves(lane, left, waited);
        }
    }

    /// An element arrives, and looks for a bucket: the least loaded of its choices, or else the first with room.
    #[inline(always)]
    pub(super) fn arrive<S: Simd, const G: usize, const D: usize, const LEAST: bool>(
        &mut self,
        lanes: Range<usize>,
        tables: &mut OfLanes<'_, D>,
        row: &Row<S, G>,
        counts: &mut Counts,
    ) {
        let mut overflowing = SomeLanes::default();
        for lane in lanes {
            let mut table = tables.table(lane);
            let choices = array::from_fn::<_, D, _>(|choice| {
                let bucket = row.choice(choice, lane);
                (bucket, table.load(bucket as u16))
            });
            let found = if LEAST { least_loaded(choices) } else { first_with_room(choices) };
            counts.accesses[lane] += found.accesses;
            table.put(self.elements[lane], found.bucket as u16, found.room);
            overflowing.add_if(found.room == 0, lane);
        }
        self.overflowing = overflowing;
    }

    /// Those for which there was no room come on the list.
    #[inline(always)]
    pub(super) fn overflow<S: Simd, const G: usize, const D: usize>(
        &self,
        tables: &mut OfLanes<'_, D>,
        row: &Row<S, G>,
        left: RoundsLeft,
        counts: &mut Counts,
    ) {
        for lane in self.overflowing.iter() {
            let entry = tables.table(lane).wait(self.elements[lane], row.choices(lane));
            counts.comes(lane, left, entry);
        }
    }

    /// The next elements of a filling get this number.
    pub(super) fn number(&mut self, element: u16) {
        self.elements = [element; AT_ONCE];
    }
}

/// Where an element gets in.
struct Found {
    /// One of its choices.
    bucket: u32,
    /// How many elements that gets: 0 where all of them are full.
    room: u8,
    /// Buckets that it looked at.
    accesses: u32,
}

/// Of these buckets with their loads.
#[inline(always)]
fn first_with_room<const D: usize>(choices: [(u32, u8); D]) -> Found {
    // 1 as long as all before were full.
    let (mut goes_on, mut accesses) = (1, 0);
    for (_, load) in choices {
        accesses += u32::from(goes_on);
        goes_on &= load / FULL;
    }
    let mut bucket = choices[D - 1].0;
    for (before, load) in choices.into_iter().rev().skip(1) {
        bucket = select_unpredictable(load < FULL, before, bucket);
    }
    Found { bucket, room: 1 - goes_on, accesses }
}

/// The first of several.
#[inline(always)]
fn least_loaded<const D: usize>(choices: [(u32, u8); D]) -> Found {
    let (mut bucket, mut least) = choices[0];
    for (other, load) in choices.into_iter().skip(1) {
        let less = load < least;
        bucket = select_unpredictable(less, other, bucket);
        least = select_unpredictable(less, load, least);
    }
    Found { bucket, room: 1 - least / FULL, accesses: D as u32 }
}
