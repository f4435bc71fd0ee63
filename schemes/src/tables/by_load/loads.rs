//! How full the buckets are.

use pulp::Simd;

use super::lanes::{Lanes, MOST_LANES, Numbers};

/// Those of one sub-table, or of the table, with room for H elements each. What is said of "more than `j`" has the index `j`.
#[derive(Clone, Copy)]
pub(super) struct Loads<S: Simd, const H: usize, const G: usize> {
    lanes: Lanes<S, G>,
    /// Buckets with more than `j` elements; unused where they have room for one, as each of those holds one element.
    buckets: [Numbers<S, G>; H],
    /// Elements in such buckets.
    elements: [Numbers<S, G>; H],
}

impl<S: Simd, const H: usize, const G: usize> Loads<S, H, G> {
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>) -> Self {
        Self { lanes, buckets: [lanes.all(0); H], elements: [lanes.all(0); H] }
    }

    /// Buckets with more than `j` elements.
    #[inline(always)]
    fn buckets(&self, j: usize) -> Numbers<S, G> {
        if H == 1 { self.elements[j] } else { self.buckets[j] }
    }

    /// Buckets with 0, 1, … elements, of so many.
    #[inline(always)]
    pub(super) fn with(&self, buckets: u32) -> Vec<[i32; MOST_LANES]> {
        let mut at_least = self.lanes.all(buckets as i32);
        let mut all = Vec::with_capacity(H + 1);
        for j in 0..H {
            let more = self.buckets(j);
            all.push(self.lanes.to_array(self.lanes.sub(at_least, more)));
            at_least = more;
        }
        all.push(self.lanes.to_array(at_least));
        all
    }

    /// Elements, and those of them in full buckets, which have the first ranks.
    #[inline(always)]
    pub(super) fn elements(&self) -> [Numbers<S, G>; 2] {
        [self.elements[0], self.elements[H - 1]]
    }

    /// The element of this rank departs, where so many are here; whether they are, and what is left of the rank: that
    /// among elements elsewhere, and after a departure one that nobody has.
    #[inline(always)]
    pub(super) fn depart(&mut self, rank: Numbers<S, G>) -> [Numbers<S, G>; 2] {
        let lanes = self.lanes;
        let elsewhere = lanes.sub(rank, self.elements[0]);
        let mut more = lanes.all(0);
        for j in (0..H).rev() {
            let at_least = lanes.less(rank, self.elements[j]);
            let from = lanes.sub(at_least, more);
            if H > 1 {
                self.buckets[j] = lanes.add(self.buckets[j], from);
            }
            let left = lanes.and(from, lanes.all(j as i32 + 1));
            self.elements[j] = lanes.sub(lanes.add(self.elements[j], more), left);
            more = at_least;
        }
        [more, lanes.select(more, lanes.all(i32::MAX), elsewhere)]
    }

    /// Whether the bucket of this rank is full.
    #[inline(always)]
    pub(super) fn is_full(&self, rank: Numbers<S, G>) -> Numbers<S, G> {
        self.lanes.less(rank, self.buckets(H - 1))
    }

    /// The number of elements in the bucket of this rank.
    #[inline(always)]
    pub(super) fn load(&self, rank: Numbers<S, G>) -> Numbers<S, G> {
        let mut load = self.lanes.all(0);
        for j in 0..H {
            load = self.lanes.sub(load, self.lanes.less(rank, self.buckets(j)));
        }
        load
    }

    /// An element gets into the bucket of this rank, which has room, where it does.
    #[inline(always)]
    pub(super) fn put(&mut self, rank: Numbers<S, G>, gets_in: Numbers<S, G>) {
        let lanes = self.lanes;
        if H == 1 {
            self.elements[0] = lanes.sub(self.elements[0], gets_in);
            return;
        }
        let mut at_least = lanes.all(-1);
        for j in 0..H {
            let more = lanes.less(rank, self.buckets(j));
            let to = lanes.and(lanes.and_not(at_least, more), gets_in);
            let with_it = lanes.and(to, lanes.all(j as i32 + 1));
            let elements = lanes.sub(self.elements[j], lanes.and(more, gets_in));
            self.elements[j] = lanes.add(elements, with_it);
            self.buckets[j] = lanes.sub(self.buckets[j], to);
            at_least = more;
        }
    }

    /// An element arrives at the bucket of this rank where `goes` says so, and gets into it if it is not full; whether it was.
    #[inline(always)]
    pub(super) fn arrive(&mut self, rank: Numbers<S, G>, goes: Numbers<S, G>) -> Numbers<S, G> {
        let stuck = self.lanes.and(goes, self.is_full(rank));
        self.put(rank, self.lanes.and_not(goes, stuck));
        stuck
    }

    /// The same where no element departs, so that those in the buckets need not be counted beside the buckets.
    #[inline(always)]
    pub(super) fn throw(&mut self, rank: Numbers<S, G>, goes: Numbers<S, G>) -> Numbers<S, G> {
        if H == 1 {
            return self.arrive(rank, goes);
        }
        let lanes = self.lanes;
        let mut stuck = goes;
        for buckets in &mut self.buckets {
            let more = lanes.and(stuck, lanes.less(rank, *buckets));
            *buckets = lanes.sub(*buckets, lanes.and_not(stuck, more));
            stuck = more;
        }
        stuck
    }
}
