//! The overflow list of one trial and its CAM, where the loads of buckets are all that is known of other elements: M-B.
//!
//! Whoever waits does so for buckets that are full. These are told apart as long as somebody waits for them: they have the first
//! ranks among the full buckets of their sub-table. Any other full bucket is one of those that nobody waits for, whichever.
//!
//! The rank of a bucket changes where nobody waits for another one any more, so that an element keeps a name of each bucket that it
//! waits for. Who waits for a bucket is found by going through the list, 32 elements at a time: with tables that say where to look
//! it would be fewer instructions, but the lists of all lanes would not fit in the first-level cache.

use std::array;
use std::hint::select_unpredictable;

use pulp::{Simd, bytemuck};

use super::ByLoad;
use crate::tables::CamUse;

/// Buckets that an element waits for at most.
pub(super) const MOST_AWAITED: usize = 4;

/// Elements of a page.
const PAGE: usize = 32;

/// In place of a bucket where an element has none.
const NONE: u16 = u16::MAX;

/// Bytes that a list takes at most, of so many elements and buckets.
pub(super) fn bytes(elements: u32, buckets: u32) -> u64 {
    let pages = elements.div_ceil(PAGE as u32);
    let names = 3 * size_of::<u16>() as u64 * u64::from(buckets);
    u64::from(pages) * size_of::<Page>() as u64 + 3 * u64::from(elements) + names
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

/// Names of buckets. Those of a sub-table are as many numbers in a row as it has buckets, and in the same places are those in use
/// by rank, and then the others.
#[derive(Debug, Clone)]
struct Names {
    /// And one number behind them that means nothing.
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

    /// An element no longer waits for the bucket of this name; where `counts` does not say so, it did not. Where nobody does any
    /// more, the name with the last rank takes its rank.
    #[inline(always)]
    fn let_go(&mut self, table: usize, name: u16, counts: bool) {
        let own = &mut self.of_buckets[usize::from(name)];
        own.waiting -= u16::from(counts);
        let given_back = counts & (own.waiting == 0);
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
    /// Choices of an element, and the sub-table of each.
    choices: usize,
    sub_tables: [usize; MOST_AWAITED],
    names: Names,
    pages: Vec<Page>,
    /// Elements on the list.
    number: usize,
    /// The rank on the list of the element in each entry.
    ranks: Vec<u16>,
    /// A bit for each entry in use.
    used: Vec<u64>,
    in_use: CamUse,
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
            in_use: CamUse::default(),
        }
    }

    /// Buckets of each sub-table that somebody waits for.
    #[inline(always)]
    pub(super) fn awaited(&self) -> &[u16; MOST_AWAITED] {
        &self.names.used
    }

    /// How much of the CAM is in use.
    #[inline(always)]
    pub(super) fn in_use(&self) -> CamUse {
        self.in_use
    }

    /// An element with choices of these ranks, all of them full, comes on the list.
    #[inline(never)]
    pub(super) fn wait(&mut self, ranks: &[u32; MOST_AWAITED]) {
        match self.choices {
            1 => self.wait_for::<1>(ranks),
            2 => self.wait_for::<2>(ranks),
            3 => self.wait_for::<3>(ranks),
            _ => self.wait_for::<MOST_AWAITED>(ranks),
        }
    }

    /// The same with D choices.
    #[inline(always)]
    fn wait_for<const D: usize>(&mut self, ranks: &[u32; MOST_AWAITED]) {
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
        self.in_use.entries += D as u32;
        self.put(own);
    }

    /// An element that waits for no bucket comes on the list.
    pub(super) fn put_without_choices(&mut self) {
        self.put([NONE; MOST_AWAITED]);
    }

    /// It gets the last rank and the lowest free entry.
    #[inline(always)]
    fn put(&mut self, own: Own) {
        let entry = self.enter();
        let (page, at) = (self.number / PAGE, self.number % PAGE);
        if page == self.pages.len() {
            self.pages.push(Page::EMPTY);
        }
        self.pages[page].set(at, own, entry as u16);
        self.ranks[entry] = self.number as u16;
        self.number += 1;
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
        let entry = 64 * row as u32 + bit;
        self.in_use.extent = self.in_use.extent.max(entry + 1);
        entry as usize
    }

    /// The element of this rank leaves the list.
    #[inline(never)]
    pub(super) fn leave(&mut self, rank: u32) {
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
        self.free(entry.into());
    }

    /// Frees the entry.
    #[inline(always)]
    fn free(&mut self, entry: u32) {
        let row = entry as usize / 64;
        self.used[row] &= !(1 << (entry % 64));
        if entry + 1 == self.in_use.extent {
            let last = self.used[..=row].iter().rposition(|&used| used != 0);
            let end = |row: usize| 64 * (row as u32 + 1) - self.used[row].leading_zeros();
            self.in_use.extent = last.map_or(0, end);
        }
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
            self.names.let_go(self.sub_tables[choice], own[choice], !again);
        }
        self.in_use.entries -= D as u32;
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use pulp::{Arch, WithSimd};

    use super::*;
    use crate::tables::Geometry;

    #[derive(Debug, Clone, Copy)]
    enum Step {
        /// An element comes with choices of these ranks, or if it has none.
        Wait(Option<[u32; MOST_AWAITED]>),
        /// The element at this part of the list leaves it.
        Leave(f64),
        /// The bucket at this part of those that somebody waits for has room, in the sub-table of this choice.
        MoveBack(usize, f64),
    }

    /// Choices, full buckets of each sub-table, and what happens: first a long list, and then one that is now longer, now shorter.
    fn histories() -> impl Strategy<Value = (usize, Vec<u32>, Vec<Step>)> {
        let tables = prop_oneof![vec(1..40_u32, 1), vec(1..40_u32, MOST_AWAITED)];
        (1..=MOST_AWAITED, tables).prop_flat_map(|(choices, mut full)| {
            let choices = if full.len() > 1 { choices.max(2) } else { choices };
            full.truncate(choices);
            let below: [u32; MOST_AWAITED] =
                array::from_fn(|choice| full[choice.min(full.len() - 1)]);
            let ranks = below.map(|below| 0..below);
            let wait = proptest::option::weighted(0.9, ranks).prop_map(Step::Wait);
            let step = prop_oneof![
                4 => wait.clone(),
                3 => (0.0..1.0).prop_map(Step::Leave),
                2 => (0..choices, 0.0..1.0).prop_map(|(choice, part)| Step::MoveBack(choice, part)),
            ];
            let steps = (vec(wait, 0..200), vec(step, 0..400));
            let steps = steps.prop_map(|(first, then)| [first, then].concat());
            (Just(choices), Just(full), steps)
        })
    }

    /// The same with buckets that have numbers for good: a list of elements by rank, each with its entry and its buckets.
    struct ByNumber {
        tables: Vec<usize>,
        /// Buckets of each sub-table that somebody waits for, by rank.
        awaited: Vec<Vec<u32>>,
        listed: Vec<(u32, Vec<u32>)>,
        next: u32,
    }

    impl ByNumber {
        fn wait(&mut self, ranks: Option<&[u32]>) {
            let before: Vec<usize> = self.awaited.iter().map(Vec::len).collect();
            let mut own: Vec<u32> = Vec::new();
            let ranks = ranks.unwrap_or_default();
            for (choice, &rank) in ranks.iter().enumerate() {
                let table = self.tables[choice];
                let same = |&other: &usize| self.tables[other] == table && ranks[other] == rank;
                let bucket = match (0..choice).find(same) {
                    Some(other) => own[other],
                    None if (rank as usize) < before[table] => self.awaited[table][rank as usize],
                    None => {
                        self.next += 1;
                        self.awaited[table].push(self.next);
                        self.next
                    }
                };
                own.push(bucket);
            }
            let free = |entry: &u32| self.listed.iter().all(|(other, _)| other != entry);
            let entry = (0..).find(free).unwrap();
            self.listed.push((entry, own));
        }

        fn leave(&mut self, rank: usize) {
            let (_, own) = self.listed.swap_remove(rank);
            for (choice, bucket) in own.iter().enumerate() {
                let waits = self.listed.iter().any(|(_, other)| other.contains(bucket));
                if !waits && !own[..choice].contains(bucket) {
                    let awaited = &mut self.awaited[self.tables[choice]];
                    let place = awaited.iter().position(|other| other == bucket).unwrap();
                    awaited.swap_remove(place);
                }
            }
        }

        fn move_back(&mut self, table: usize, rank: usize) {
            let bucket = self.awaited[table][rank];
            let of_bucket =
                self.listed.iter().enumerate().filter(|(_, (_, own))| own.contains(&bucket));
            let (rank, _) = of_bucket.min_by_key(|(_, (entry, _))| *entry).unwrap();
            self.leave(rank);
        }

        fn in_use(&self) -> CamUse {
            CamUse {
                entries: self.listed.iter().map(|(_, own)| own.len() as u32).sum(),
                extent: self.listed.iter().map(|(entry, _)| entry + 1).max().unwrap_or(0),
            }
        }
    }

    /// What a list tells after each step.
    type Told = (Vec<u16>, CamUse);

    struct Through<'a>(usize, &'a [u32], &'a [Step]);

    impl WithSimd for Through<'_> {
        type Output = Vec<[Told; 2]>;

        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let Self(choices, full, steps) = self;
            let geometry = Geometry { elements: 4096, buckets: full.iter().sum(), bucket_size: 1 };
            let by_load = match full.len() {
                1 => ByLoad::anywhere(&geometry, choices as u32),
                _ => ByLoad::in_turn(&geometry, full.to_vec()),
            };
            let mut list = Waiting::new(&by_load.unwrap());
            let mut by_number = ByNumber {
                tables: (0..choices).map(|choice| choice.min(full.len() - 1)).collect(),
                awaited: vec![Vec::new(); full.len()],
                listed: Vec::new(),
                next: 0,
            };
            let part = |part: f64, of: usize| ((part * of as f64) as usize).min(of - 1);
            let mut told = Vec::new();
            for &step in steps {
                match step {
                    Step::Wait(Some(ranks)) => {
                        list.wait(&ranks);
                        by_number.wait(Some(&ranks[..choices]));
                    }
                    Step::Wait(None) => {
                        list.put_without_choices();
                        by_number.wait(None);
                    }
                    Step::Leave(at) if !by_number.listed.is_empty() => {
                        let rank = part(at, by_number.listed.len());
                        list.leave(rank as u32);
                        by_number.leave(rank);
                    }
                    Step::MoveBack(choice, at)
                        if let table = by_number.tables[choice]
                            && !by_number.awaited[table].is_empty() =>
                    {
                        let rank = part(at, by_number.awaited[table].len());
                        list.move_back(simd, table, rank as u32);
                        by_number.move_back(table, rank);
                    }
                    Step::Leave(_) | Step::MoveBack(..) => {}
                }
                let expected = by_number.awaited.iter().map(|awaited| awaited.len() as u16);
                told.push([
                    (list.awaited()[..full.len()].to_vec(), list.in_use()),
                    (expected.collect(), by_number.in_use()),
                ]);
            }
            told
        }
    }

    proptest! {
        /// In registers and without: who leaves the list, who moves back, and which buckets somebody waits for then.
        #[test]
        fn is_a_list_of_buckets_with_numbers((choices, full, steps) in histories()) {
            for arch in [Arch::Scalar, Arch::new()] {
                for [found, expected] in arch.dispatch(Through(choices, &full, &steps)) {
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
