//! A table in each lane, with its overflow list.

use std::mem;

use super::find;
use super::waiters::Waiters;
use crate::tables::by_load::AT_ONCE;
use crate::tables::by_load::waiting::{self, MOST_AWAITED};
use crate::tables::free::Free;

/// Elements and buckets at most.
const MOST: usize = waiting::MOST as usize;

/// In place of a bucket. It is full, and whoever waits for it never moves back.
pub(super) const NO_BUCKET: u16 = 0;

/// The number of the first bucket.
pub(super) const FIRST: u16 = 1;

/// Numbers from here on are entries of the CAM. Whoever is in one is treated as if it were in a bucket of its own, for which it
/// waits. What is kept of the first buckets and of the first entries is not as far apart as would put them into the same lines
/// of a cache.
pub(super) const LISTED: u16 = (1 << 14) + 1280;

/// All that 16 bits tell apart.
const NUMBERS: usize = 1 << u16::BITS;

/// Bytes behind what is kept for a lane, so that the lanes are not as far apart either.
const APART: usize = 23 * 64;

/// Numbers that are kept for a lane.
const LOADS: usize = NUMBERS + APART;
const WAITERS: usize = NUMBERS + APART / size_of::<u64>();
const ELEMENTS: usize = MOST + APART / size_of::<u16>();

/// The load of a full bucket; that of an empty one is less by its size. So one bit tells.
pub(super) const FULL: u8 = 1 << 7;

/// A number modulo N, which is the number itself: so the compiler knows that an index is within bounds.
#[inline(always)]
fn at<const N: usize>(number: u16) -> usize {
    usize::from(number) % N
}

// Entries are as many as `Free` and `Waiters` are for, and numbers of buckets are below `LISTED`.
const _: () = assert!(MOST == Free::NUMBER as usize && MOST == Waiters::ENTRIES as usize);
const _: () = assert!((LISTED as usize) > MOST && LISTED as usize + MOST <= NUMBERS);

/// Bytes of the memory.
pub(in crate::tables::by_load) const BYTES: u64 = {
    let of_elements = (2 + MOST_AWAITED) * size_of::<u16>() * ELEMENTS;
    (AT_ONCE * (LOADS + size_of::<u64>() * WAITERS + of_elements + size_of::<Free>())) as u64
};

/// Memory for a table in each lane, of as many elements and buckets as there may be. Of a small table, only a small part is used.
#[derive(Debug)]
pub(in crate::tables::by_load) struct Memory {
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

impl Default for Memory {
    fn default() -> Self {
        Self {
            loads: vec![0; AT_ONCE * LOADS],
            waiters: vec![0; AT_ONCE * WAITERS],
            places: vec![0; AT_ONCE * ELEMENTS],
            own: vec![0; AT_ONCE * ELEMENTS * MOST_AWAITED],
            elements: vec![0; AT_ONCE * ELEMENTS],
            free: [Free::ALL; AT_ONCE],
        }
    }
}

impl Memory {
    /// Makes empty tables of so many elements, with D choices each, and buckets of this size.
    pub(super) fn clear<const D: usize>(&mut self, elements: u32, buckets: u32, bucket_size: u8) {
        let all = self.of_lanes::<D>();
        for (loads, waiters) in all.loads.iter_mut().zip(all.waiters) {
            loads[usize::from(NO_BUCKET)] = FULL;
            loads[usize::from(FIRST)..][..buckets as usize].fill(FULL - bucket_size);
            waiters[..=buckets as usize].fill(Waiters::NONE.0);
        }
        // Of no more entries than there are elements.
        all.own.iter_mut().for_each(|own| own[..elements as usize].fill([NO_BUCKET; D]));
        *all.free = [Free::ALL; AT_ONCE];
    }

    #[inline(always)]
    pub(super) fn of_lanes<const D: usize>(&mut self) -> OfLanes<'_, D> {
        let own = &mut self.own[..AT_ONCE * ELEMENTS * D];
        OfLanes {
            loads: by_lane(&mut self.loads),
            waiters: by_lane(&mut self.waiters),
            places: by_lane(&mut self.places),
            own: by_lane(own.as_chunks_mut().0),
            elements: by_lane(&mut self.elements),
            free: &mut self.free,
        }
    }
}

/// N of them for each lane.
#[expect(clippy::expect_used, reason = "all that it is called with are of this length")]
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
        self.free.give_back(entry.into());
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
        let entry = self.free.take() as u16;
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
        let entry = self.free.take() as u16;
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
        self.free.extent(MOST as u32)
    }
}
