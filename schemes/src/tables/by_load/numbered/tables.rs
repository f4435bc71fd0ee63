//! A table in each lane, with its overflow list.

use std::mem;

use super::find;
use super::free::Free;
use super::waiters::Waiters;
use crate::tables::by_load::AT_ONCE;
use crate::tables::by_load::waiting::{self, MOST_AWAITED};

/// Elements and buckets at most.
const MOST: usize = waiting::MOST as usize;

/// In place of a bucket. It is full, and whoever waits for it never moves back.
pub(super) const NO_BUCKET: u16 = 0;

/// The number of the first bucket.
pub(super) const FIRST: u16 = 1;

/// Numbers from here on are entries of the CAM. Whoever is in one is treated as if it were in a bucket of its own, for which it
/// waits. What is kept of the first buckets and of the first entries is not as far apart as would put them into the same lines
/// of a cache.
pub(super) const LISTED: u16 = (1 << 13) + 1280;

const NUMBERS: usize = 1 << 14;

/// Bytes behind what is kept for a lane, so that the lanes are not as far apart either.
const APART: usize = 23 * 64;

/// Numbers that are kept for a lane.
const LOADS: usize = NUMBERS + APART;
const WAITERS: usize = NUMBERS + APART / size_of::<u64>();
const ELEMENTS: usize = MOST + APART / size_of::<u16>();

/// The load of a full bucket; that of an empty one is less by its size. So one bit tells.
pub(super) const FULL: u8 = 1 << 7;

/// What is read or written at a number is at its rest, which it is itself: so the compiler knows that it is there.
#[inline(always)]
fn at<const N: usize>(number: u16) -> usize {
    usize::from(number) % N
}

/// Bytes that a table takes at most, of so many elements and buckets.
pub(in crate::tables::by_load) fn bytes(elements: u32, buckets: u32) -> u64 {
    let number = (size_of::<u8>() + size_of::<u64>()) as u64;
    let element = number + 2 * size_of::<u16>() as u64 + (MOST_AWAITED * size_of::<u16>()) as u64;
    u64::from(elements) * element + (u64::from(buckets) + 1) * number + size_of::<Free>() as u64
}

/// Tables of which an element has D choices.
///
/// There is room for as many elements and buckets as there may be. The system keeps no memory for what is never used.
#[derive(Debug)]
pub(super) struct Tables<const D: usize> {
    loads: Vec<u8>,
    waiters: Vec<u64>,
    places: Vec<u16>,
    own: Vec<u16>,
    elements: Vec<u16>,
    free: [Free; AT_ONCE],
}

/// What all of them consist of, lane by lane.
pub(super) struct OfLanes<'t, const D: usize> {
    loads: &'t mut [[u8; LOADS]; AT_ONCE],
    waiters: &'t mut [[u64; WAITERS]; AT_ONCE],
    places: &'t mut [[u16; ELEMENTS]; AT_ONCE],
    own: &'t mut [[[u16; D]; ELEMENTS]; AT_ONCE],
    elements: &'t mut [[u16; ELEMENTS]; AT_ONCE],
    free: &'t mut [Free; AT_ONCE],
}

/// One of them.
pub(super) struct Table<'t, const D: usize> {
    /// The load of each bucket, and 0 for each entry.
    loads: &'t mut [u8; LOADS],
    /// Who waits for each.
    waiters: &'t mut [u64; WAITERS],
    /// The bucket or entry in which each element is.
    places: &'t mut [u16; ELEMENTS],
    /// The buckets that whoever is in an entry waits for; `NO_BUCKET` where there is none.
    own: &'t mut [[u16; D]; ELEMENTS],
    /// Which element that is.
    elements: &'t mut [u16; ELEMENTS],
    free: &'t mut Free,
}

/// Where an element was that departs.
pub(super) struct Left {
    /// Whether it was a full bucket.
    pub(super) was_full: bool,
    /// Whether it was on the list, or somebody waits for its bucket.
    pub(super) concerns_list: bool,
}

impl<const D: usize> Tables<D> {
    /// Empty ones, of so many buckets of this size.
    pub(super) fn new(buckets: u32, bucket_size: u8) -> Self {
        let mut tables = Self {
            loads: vec![0; AT_ONCE * LOADS],
            waiters: vec![0; AT_ONCE * WAITERS],
            places: vec![0; AT_ONCE * ELEMENTS],
            own: vec![0; AT_ONCE * ELEMENTS * D],
            elements: vec![0; AT_ONCE * ELEMENTS],
            free: [Free::ALL; AT_ONCE],
        };
        for loads in tables.of_lanes().loads {
            loads[usize::from(NO_BUCKET)] = FULL;
            loads[usize::from(FIRST)..][..buckets as usize].fill(FULL - bucket_size);
        }
        tables
    }

    #[inline(always)]
    pub(super) fn of_lanes(&mut self) -> OfLanes<'_, D> {
        OfLanes {
            loads: by_lane(&mut self.loads),
            waiters: by_lane(&mut self.waiters),
            places: by_lane(&mut self.places),
            own: by_lane(self.own.as_chunks_mut().0),
            elements: by_lane(&mut self.elements),
            free: &mut self.free,
        }
    }
}

/// What is `N` for each of `AT_ONCE` lanes.
#[expect(clippy::expect_used, reason = "all of this length are made above")]
#[inline(always)]
fn by_lane<T, const N: usize>(all: &mut [T]) -> &mut [[T; N]; AT_ONCE] {
    all.as_chunks_mut().0.try_into().expect("as many as there are lanes")
}

impl<const D: usize> OfLanes<'_, D> {
    #[inline(always)]
    pub(super) fn table(&mut self, lane: usize) -> Table<'_, D> {
        Table {
            loads: &mut self.loads[lane],
            waiters: &mut self.waiters[lane],
            places: &mut self.places[lane],
            own: &mut self.own[lane],
            elements: &mut self.elements[lane],
            free: &mut self.free[lane],
        }
    }
}

impl<const D: usize> Table<'_, D> {
    /// The load of each bucket.
    pub(super) fn loads(&self, first: u16, buckets: u32) -> &[u8] {
        &self.loads[usize::from(first)..][..buckets as usize]
    }

    /// The load of a bucket, `FULL` of a full one.
    #[inline(always)]
    pub(super) fn load(&self, bucket: u16) -> u8 {
        self.loads[at::<NUMBERS>(bucket)]
    }

    /// Where an element is.
    #[inline(always)]
    pub(super) fn place(&self, element: u16) -> u16 {
        self.places[at::<MOST>(element)]
    }

    /// This element departs. Where that concerns the list nothing changes yet.
    #[inline(always)]
    pub(super) fn depart(&mut self, element: u16) -> Left {
        let place = self.place(element);
        let concerns_list = self.waiters[at::<NUMBERS>(place)] != Waiters::NONE.0;
        let load = &mut self.loads[at::<NUMBERS>(place)];
        let was_full = *load >= FULL;
        *load -= u8::from(!concerns_list);
        Left { was_full, concerns_list }
    }

    /// The lowest entry that waits for this bucket, or is this place; and whether it has to be searched for, and this is none.
    #[inline(always)]
    pub(super) fn lowest(&self, place: u16) -> (u16, bool) {
        Waiters(self.waiters[at::<NUMBERS>(place)]).lowest()
    }

    /// The lowest entry that waits for this bucket, of which there are some.
    #[inline(always)]
    pub(super) fn search(&self, bucket: u16) -> u16 {
        (find::first(bucket, self.own.as_flattened()) / D) as u16
    }

    /// Whoever is in this entry leaves the list: which element that is, and whether it had choices.
    #[inline(always)]
    pub(super) fn leave(&mut self, entry: u16) -> (u16, bool) {
        let own = mem::replace(&mut self.own[at::<MOST>(entry)], [NO_BUCKET; D]);
        for bucket in own {
            let waiters = &mut self.waiters[at::<NUMBERS>(bucket)];
            *waiters = Waiters(*waiters).remove(Waiters::entry(entry)).0;
        }
        self.free.give_back(entry);
        (self.elements[at::<MOST>(entry)], own[0] != NO_BUCKET)
    }

    /// This element is in this bucket, which gets so many elements more: none where it is full.
    #[inline(always)]
    pub(super) fn put(&mut self, element: u16, bucket: u16, more: u8) {
        self.loads[at::<NUMBERS>(bucket)] += more;
        self.places[at::<MOST>(element)] = bucket;
    }

    /// This element comes on the list, in the lowest free entry, and waits for these buckets; which entry it is.
    #[inline(always)]
    pub(super) fn wait(&mut self, element: u16, own: [u16; D]) -> u16 {
        let entry = self.free.take();
        for bucket in own {
            let waiters = &mut self.waiters[at::<NUMBERS>(bucket)];
            *waiters = Waiters(*waiters).add(Waiters::entry(entry)).0;
        }
        self.own[at::<MOST>(entry)] = own;
        self.enter(element, entry);
        entry
    }

    /// The same of one that waits for none.
    pub(super) fn wait_for_none(&mut self, element: u16) {
        let entry = self.free.take();
        self.enter(element, entry);
    }

    #[inline(always)]
    fn enter(&mut self, element: u16, entry: u16) {
        let place = LISTED + entry;
        self.waiters[at::<NUMBERS>(place)] = Waiters::entry(entry).0;
        self.elements[at::<MOST>(entry)] = element;
        self.places[at::<MOST>(element)] = place;
    }

    /// Entries up to the last in use.
    pub(super) fn extent(&self) -> u32 {
        self.free.extent()
    }
}
