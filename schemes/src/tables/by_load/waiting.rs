//! The elements of one trial that wait for a bucket, where the loads of buckets are all that is known of the others: M-B.
//!
//! Whoever waits does so for buckets that are full. These have names as long as somebody waits for them, and the first ranks among
//! the full buckets of their sub-table; any other full bucket is one of those that nobody waits for, whichever.

use std::hint::select_unpredictable;

use crate::tables::small_cam::{self, SmallCam};
use crate::tables::{CamUse, Footprint, Geometry};

/// Buckets that an element waits for at most.
pub(super) const MOST_AWAITED: usize = 4;

/// Bytes that a list takes at most, of so many elements and buckets.
pub(super) fn bytes(elements: u32, buckets: u32) -> u64 {
    let geometry = Geometry { elements, buckets, bucket_size: 1 };
    let names = Footprint { element: 8, bucket: 8 };
    let Footprint { element, bucket } =
        small_cam::footprint(&geometry, MOST_AWAITED as u32) + names;
    element * u64::from(elements) + bucket * u64::from(buckets)
}

/// Names of which some are in use, each with a rank among these.
#[derive(Debug, Clone, Default)]
struct Names {
    /// All names that ever were in use, those that are first.
    by_rank: Vec<u32>,
    /// The place of each name there.
    ranks: Vec<u32>,
    used: u32,
}

impl Names {
    /// Takes a name into use.
    #[inline(always)]
    fn take(&mut self) -> u32 {
        let next = self.used;
        if next as usize == self.by_rank.len() {
            self.by_rank.push(next);
            self.ranks.push(next);
        }
        self.used += 1;
        self.by_rank[next as usize]
    }

    /// Gives back a name where it is `given`, without a branch on that; the name is in use then.
    #[inline(always)]
    fn give_back(&mut self, name: u32, given: bool) {
        let last = self.used.saturating_sub(1);
        let rank = select_unpredictable(given, self.ranks[name as usize], last);
        let [name, other] = [rank, last].map(|rank| self.by_rank[rank as usize]);
        self.by_rank[rank as usize] = other;
        self.by_rank[last as usize] = name;
        self.ranks[name as usize] = last;
        self.ranks[other as usize] = rank;
        self.used -= u32::from(given);
    }
}

/// An overflow list and its CAM.
pub(super) trait OverflowList {
    /// An element with choices of these ranks, all of them full, comes on the list.
    fn wait(&mut self, ranks: &[u32; MOST_AWAITED]) -> OnList;

    /// An element that waits for no bucket comes on the list.
    fn put_without_choices(&mut self) -> OnList;

    /// The element of this rank leaves the list.
    fn leave(&mut self, rank: u32) -> OnList;

    /// The first in the CAM that waits for the bucket of this rank leaves the list.
    fn move_back(&mut self, sub_table: usize, rank: u32) -> OnList;
}

/// What is on a list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OnList {
    /// Buckets of each sub-table that somebody waits for.
    pub(super) awaited: [u32; MOST_AWAITED],
    pub(super) cam: CamUse,
}

/// An empty list for the elements `0..elements` with so many choices, of sub-tables of these sizes.
pub(super) fn empty_list(
    elements: u32,
    choices: usize,
    sub_tables: &[u32],
) -> Box<dyn OverflowList> {
    match choices {
        1 => Box::new(Waiting::<1>::new(elements, sub_tables)),
        2 => Box::new(Waiting::<2>::new(elements, sub_tables)),
        3 => Box::new(Waiting::<3>::new(elements, sub_tables)),
        _ => Box::new(Waiting::<MOST_AWAITED>::new(elements, sub_tables)),
    }
}

/// The same of elements with D choices.
struct Waiting<const D: usize> {
    cam: SmallCam<D>,
    elements: Names,
    /// Of each sub-table, the buckets that somebody waits for, and its first bucket by the names in the CAM.
    sub_tables: Vec<(Names, u32)>,
}

impl<const D: usize> Waiting<D> {
    fn new(elements: u32, sub_tables: &[u32]) -> Self {
        let buckets = sub_tables.iter().sum();
        let names = |first: &mut u32, &buckets: &u32| {
            *first += buckets;
            Some((Names::default(), *first - buckets))
        };
        Self {
            cam: SmallCam::new(&Geometry { elements, buckets, bucket_size: 1 }),
            elements: Names::default(),
            sub_tables: sub_tables.iter().scan(0, names).collect(),
        }
    }

    /// In which sub-table a choice is.
    #[inline(always)]
    fn of_choice(&self, choice: usize) -> usize {
        choice.min(self.sub_tables.len() - 1)
    }

    #[inline(always)]
    fn free(&mut self, entry: u32) {
        let buckets = self.cam.buckets_of(entry);
        self.elements.give_back(self.cam.free_entry(entry), true);
        if let Some(buckets) = buckets {
            for (choice, &bucket) in buckets.iter().enumerate() {
                let again = buckets[..choice].contains(&bucket);
                let given = !again & !self.cam.holds(bucket);
                let sub_table = self.of_choice(choice);
                let (names, first) = &mut self.sub_tables[sub_table];
                names.give_back(bucket - *first, given);
            }
        }
    }

    #[inline(always)]
    fn on_list(&self) -> OnList {
        let mut awaited = [0; MOST_AWAITED];
        for (awaited, (names, _)) in awaited.iter_mut().zip(&self.sub_tables) {
            *awaited = names.used;
        }
        OnList { awaited, cam: self.cam.in_use() }
    }
}

impl<const D: usize> OverflowList for Waiting<D> {
    fn wait(&mut self, ranks: &[u32; MOST_AWAITED]) -> OnList {
        let before = self.on_list().awaited;
        let mut buckets = [0; D];
        for choice in 0..D {
            let (rank, sub_table) = (ranks[choice], self.of_choice(choice));
            let same = (0..choice)
                .find(|&other| ranks[other] == rank && self.of_choice(other) == sub_table);
            let (names, first) = &mut self.sub_tables[sub_table];
            buckets[choice] = match same {
                Some(other) => buckets[other],
                None if rank < before[sub_table] => *first + names.by_rank[rank as usize],
                None => *first + names.take(),
            };
        }
        self.cam.insert(self.elements.take(), buckets);
        self.on_list()
    }

    fn put_without_choices(&mut self) -> OnList {
        self.cam.insert_without_buckets(self.elements.take());
        self.on_list()
    }

    fn leave(&mut self, rank: u32) -> OnList {
        let element = self.elements.by_rank[rank as usize];
        self.free(self.cam.entry_of(element));
        self.on_list()
    }

    fn move_back(&mut self, sub_table: usize, rank: u32) -> OnList {
        let (names, first) = &self.sub_tables[sub_table];
        self.free(self.cam.lowest(*first + names.by_rank[rank as usize]));
        self.on_list()
    }
}
