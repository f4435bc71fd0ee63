//! The overflow list of one trial and its CAM, where the loads of buckets are all that is known of other elements: M-B.
//!
//! Whoever waits does so for buckets that are full. These are told apart as long as somebody waits for them: they have the first
//! ranks among the full buckets of their sub-table. Any other full bucket is one of those that nobody waits for, whichever.
//!
//! The rank of a bucket changes where nobody waits for another one any more, so that an element keeps a name of each bucket that it
//! waits for. Who waits for a bucket is found by going through the list, as many elements at a time as a register has numbers of 16
//! bits. Bits that say where to look would do it sooner for one list, but take more memory, which 16 lists share.

#[cfg(test)]
mod tests;

use std::array;
use std::hint::select_unpredictable;

use pulp::{Simd, bytemuck};

use super::ByLoad;

/// Buckets that an element waits for at most.
pub(super) const MOST_AWAITED: usize = 4;

/// Elements of a page.
const PAGE: usize = 32;

/// In place of a bucket where an element has none.
const NONE: u16 = u16::MAX;

/// Elements and buckets at most. Names and entries are numbers of 16 bits below `NONE`, and where all buckets have names, there are
/// buckets and entries among them.
pub(super) const MOST: u32 = 1 << 14;

/// Whether there may be so many elements and buckets.
pub(super) fn fits(elements: u32, buckets: u32) -> bool {
    elements <= MOST && buckets <= MOST
}

/// Bytes that a list takes at most, of so many elements and buckets: what grows doubles, and there is a register for it.
pub(super) fn bytes(elements: u32, buckets: u32) -> u64 {
    let doubled = |number: u32| u64::from(number).next_power_of_two().max(4);
    let pages = doubled(elements.div_ceil(PAGE as u32)) * size_of::<Page>() as u64;
    let of_row = 64 * size_of::<u16>() + size_of::<u64>();
    let rows = doubled(elements.div_ceil(64)) * of_row as u64;
    let of_name = size_of::<u16>() + size_of::<OfBucket>();
    let names = (u64::from(buckets) + 1) * of_name as u64;
    pages + rows + names + size_of::<Waiting>() as u64 + 64
}

/// A number of each element of a page.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct OfPage([u16; PAGE]);

impl OfPage {
    const NONE: Self = Self([NONE; PAGE]);

    /// In registers.
    #[inline(always)]
    fn registers<S: Simd>(&self) -> &[S::u16s] {
        bytemuck::cast_slice(&self.0)
    }
}

/// Elements on the list that have ranks in a row. Behind the last one, nobody waits for anything.
#[derive(Debug, Clone)]
struct Page {
    /// The buckets that each waits for.
    buckets: [OfPage; MOST_AWAITED],
    /// The entry of each in the CAM.
    entries: OfPage,
}

/// The buckets that an element waits for.
type Own = [u16; MOST_AWAITED];

impl Page {
    /// Nobody.
    const EMPTY: Self = Self { buckets: [OfPage::NONE; MOST_AWAITED], entries: OfPage::NONE };

    /// The buckets that one of them waits for, and its entry.
    #[inline(always)]
    fn get(&self, at: usize) -> (Own, u16) {
        let mut own = [NONE; MOST_AWAITED];
        for (own, buckets) in own.iter_mut().zip(&self.buckets) {
            *own = buckets.0[at];
        }
        (own, self.entries.0[at])
    }

    #[inline(always)]
    fn set(&mut self, at: usize, own: Own, entry: u16) {
        for (buckets, own) in self.buckets.iter_mut().zip(own) {
            buckets.0[at] = own;
        }
        self.entries.0[at] = entry;
    }
}

/// Names of buckets, as many numbers in a row for each sub-table as it has buckets.
#[derive(Debug, Clone)]
struct Names {
    /// The names of each sub-table where it has them, but those in use first, by the ranks of their buckets. One number more is
    /// behind them: it is read, and means nothing, where all names are in use.
    by_rank: Vec<u16>,
    of_buckets: Vec<OfBucket>,
    /// The first place of each sub-table.
    first: [u16; MOST_AWAITED],
    /// Names of each that are in use.
    used: [u16; MOST_AWAITED],
}

/// What is kept of the bucket of a name.
#[derive(Debug, Clone, Copy)]
struct OfBucket {
    /// Where the name is among those by rank.
    place: u16,
    /// Elements that wait for it.
    waiting: u16,
}

impl Names {
    fn new(sub_tables: &[u32]) -> Self {
        let mut first = [0; MOST_AWAITED];
        for (table, &buckets) in sub_tables.iter().enumerate().take(MOST_AWAITED - 1) {
            first[table + 1] = first[table] + buckets as u16;
        }
        let by_rank: Vec<u16> = (0..=sub_tables.iter().sum::<u32>() as u16).collect();
        let of_bucket = |&place: &u16| OfBucket { place, waiting: 0 };
        let of_buckets = by_rank.iter().map(of_bucket).collect();
        Self { by_rank, of_buckets, first, used: [0; MOST_AWAITED] }
    }

    /// The name of this rank, or for as many as are in use the next one that is not, if there is one.
    #[inline(always)]
    fn of(&self, table: usize, rank: u16) -> u16 {
        self.by_rank[usize::from(self.first[table] + rank)]
    }

    /// An element no longer waits for the bucket of this name, of which it has told already if it does so `again`. Where nobody
    /// waits for it any more, the name with the last rank takes its rank.
    #[inline(always)]
    fn give_back(&mut self, table: usize, name: u16, again: bool) {
        let own = &mut self.of_buckets[usize::from(name)];
        own.waiting -= u16::from(!again);
        let given_back = !again & (own.waiting == 0);
        let last = self.first[table] + self.used[table].saturating_sub(1);
        let place = select_unpredictable(given_back, own.place, last);
        let [name, other] = [place, last].map(|place| self.by_rank[usize::from(place)]);
        self.by_rank[usize::from(place)] = other;
        self.by_rank[usize::from(last)] = name;
        self.of_buckets[usize::from(name)].place = last;
        self.of_buckets[usize::from(other)].place = place;
        self.used[table] -= u16::from(given_back);
    }
}

/// The list.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    /// Choices of an element.
    choices: usize,
    /// The sub-table of each.
    sub_tables: [usize; MOST_AWAITED],
    names: Names,
    pages: Vec<Page>,
    /// Elements on the list.
    number: usize,
    /// The rank on the list of the element in each entry.
    ranks: Vec<u16>,
    /// A bit for each entry in use.
    used: Vec<u64>,
}

impl Waiting {
    /// An empty list of such trials.
    pub(super) fn new(by_load: &ByLoad) -> Self {
        let tables = by_load.buckets.len();
        Self {
            choices: by_load.choices().min(MOST_AWAITED),
            sub_tables: array::from_fn(|choice| choice.min(tables - 1)),
            names: Names::new(&by_load.buckets),
            pages: Vec::new(),
            number: 0,
            ranks: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Buckets of each sub-table that somebody waits for.
    #[inline(always)]
    pub(super) fn awaited(&self) -> &[u16; MOST_AWAITED] {
        &self.names.used
    }

    /// Entries of the CAM up to the last in use.
    pub(super) fn extent(&self) -> u32 {
        let end = |row: usize| 64 * (row as u32 + 1) - self.used[row].leading_zeros();
        self.used.iter().rposition(|&used| used != 0).map_or(0, end)
    }

    /// An element with choices of these ranks, all of them full, comes on the list; its entry.
    #[inline(never)]
    pub(super) fn wait(&mut self, ranks: &[u32; MOST_AWAITED]) -> u32 {
        match self.choices {
            1 => self.wait_for::<1>(ranks),
            2 => self.wait_for::<2>(ranks),
            3 => self.wait_for::<3>(ranks),
            _ => self.wait_for::<MOST_AWAITED>(ranks),
        }
    }

    /// The same with D choices.
    #[inline(always)]
    fn wait_for<const D: usize>(&mut self, ranks: &[u32; MOST_AWAITED]) -> u32 {
        let names = &mut self.names;
        let (before, mut own) = (names.used, [NONE; MOST_AWAITED]);
        for choice in 0..D {
            let (table, rank) = (self.sub_tables[choice], ranks[choice] as u16);
            let is_known = rank < before[table];
            // Any other is one of those that nobody waited for, or of those that this element has already.
            let mut name = names.of(table, select_unpredictable(is_known, rank, names.used[table]));
            let (mut is_new, mut again) = (!is_known, false);
            for other in 0..choice {
                let same = ranks[other] as u16 == rank && self.sub_tables[other] == table;
                name = select_unpredictable(same, own[other], name);
                is_new &= !same;
                again |= same;
            }
            names.used[table] += u16::from(is_new);
            names.of_buckets[usize::from(name)].waiting += u16::from(!again);
            own[choice] = name;
        }
        self.put(own)
    }

    /// An element that waits for no bucket comes on the list.
    pub(super) fn put_without_choices(&mut self) {
        self.put([NONE; MOST_AWAITED]);
    }

    /// It gets the last rank and the lowest free entry.
    #[inline(always)]
    fn put(&mut self, own: Own) -> u32 {
        let entry = self.enter();
        let (page, at) = (self.number / PAGE, self.number % PAGE);
        if page == self.pages.len() {
            self.pages.push(Page::EMPTY);
        }
        self.pages[page].set(at, own, entry as u16);
        self.ranks[entry] = self.number as u16;
        self.number += 1;
        entry as u32
    }

    /// Takes the lowest free entry.
    #[inline(always)]
    fn enter(&mut self) -> usize {
        let row = self.used.iter().position(|&used| used != u64::MAX);
        let row = row.unwrap_or_else(|| {
            self.used.push(0);
            self.ranks.resize(64 * self.used.len(), 0);
            self.used.len() - 1
        });
        let bit = (!self.used[row]).trailing_zeros();
        self.used[row] |= 1 << bit;
        64 * row + bit as usize
    }

    /// The element of this rank leaves the list; whether it waited for buckets.
    #[inline(never)]
    pub(super) fn leave(&mut self, rank: u32) -> bool {
        let rank = rank as usize;
        let (page, at) = (rank / PAGE, rank % PAGE);
        let (own, entry) = self.pages[page].get(at);
        if own[0] != NONE {
            match self.choices {
                1 => self.let_go::<1>(own),
                2 => self.let_go::<2>(own),
                3 => self.let_go::<3>(own),
                _ => self.let_go::<MOST_AWAITED>(own),
            }
        }
        self.number -= 1;
        let (last_page, last) = (self.number / PAGE, self.number % PAGE);
        let (moved, its_entry) = self.pages[last_page].get(last);
        self.pages[page].set(at, moved, its_entry);
        self.pages[last_page].set(last, [NONE; MOST_AWAITED], NONE);
        self.ranks[usize::from(its_entry)] = rank as u16;
        self.used[usize::from(entry) / 64] &= !(1 << (entry % 64));
        own[0] != NONE
    }

    /// The first in the CAM that waits for the bucket of this rank leaves the list.
    #[inline(always)]
    pub(super) fn move_back<S: Simd>(&mut self, simd: S, sub_table: usize, rank: u32) {
        let bucket = simd.splat_u16s(self.names.of(sub_table, rank as u16));
        let (none, one) = (simd.splat_u16s(0), simd.splat_u16s(1));
        let mut lowest = simd.splat_u16s(NONE);
        for page in &self.pages[..self.number.div_ceil(PAGE)] {
            let entries = page.entries.registers::<S>();
            for (i, &entries) in entries.iter().enumerate() {
                // 0 where one of the choices is the bucket.
                let mut apart = simd.splat_u16s(NONE);
                for choice in 0..self.choices {
                    let own = page.buckets[choice].registers::<S>()[i];
                    apart = simd.min_u16s(apart, simd.xor_u16s(own, bucket));
                }
                let other = simd.sub_u16s(none, simd.min_u16s(apart, one));
                lowest = simd.min_u16s(lowest, simd.or_u16s(entries, other));
            }
        }
        let lowest = bytemuck::cast_slice::<_, u16>(&[lowest]).iter().fold(NONE, |a, &b| a.min(b));
        self.leave(self.ranks[usize::from(lowest)].into());
    }

    /// An element no longer waits for these.
    #[inline(always)]
    fn let_go<const D: usize>(&mut self, own: Own) {
        for choice in 0..D {
            let mut again = false;
            for other in 0..choice {
                again |= own[other] == own[choice];
            }
            self.names.give_back(self.sub_tables[choice], own[choice], again);
        }
    }
}
