//! How full the buckets are.

use pulp::Simd;

use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};

/// Those of one sub-table, or of the table, with room for H elements each.
#[derive(Clone, Copy)]
pub(super) struct Loads<S: Simd, const H: usize, const G: usize> {
    lanes: Lanes<S, G>,
    /// Buckets with more than `j` elements, at the index `j`.
    buckets: [Numbers<S, G>; H],
}

impl<S: Simd, const H: usize, const G: usize> Loads<S, H, G> {
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>) -> Self {
        Self { lanes, buckets: [lanes.all(0); H] }
    }

    /// Buckets with 0, 1, … elements, of so many.
    #[inline(always)]
    pub(super) fn with(&self, buckets: u32) -> Vec<[i32; MOST_LANES]> {
        let mut at_least = self.lanes.all(buckets as i32);
        let mut all = Vec::with_capacity(H + 1);
        for more in self.buckets {
            all.push(self.lanes.to_array(self.lanes.sub(at_least, more)));
            at_least = more;
        }
        all.push(self.lanes.to_array(at_least));
        all
    }

    /// Elements.
    #[inline(always)]
    pub(super) fn elements(&self) -> Numbers<S, G> {
        let mut elements = self.lanes.all(0);
        for buckets in self.buckets {
            elements = self.lanes.add(elements, buckets);
        }
        elements
    }

    /// Those of them in full buckets, which have the first ranks.
    #[inline(always)]
    pub(super) fn in_full(&self) -> Numbers<S, G> {
        self.lanes.times(self.buckets[H - 1], H)
    }

    /// The element of this rank departs, where so many are here; whether they are, and what is left of the rank: that
    /// among elements elsewhere, and after a departure one that nobody has.
    #[inline(always)]
    pub(super) fn depart(&mut self, rank: Numbers<S, G>) -> [Numbers<S, G>; 2] {
        let lanes = self.lanes;
        let (mut more, mut above) = (lanes.all(0), lanes.all(0));
        for j in (0..H).rev() {
            // Elements in buckets with more than `j`: `j` and one in each of these, and one more in each that has it.
            let buckets = self.buckets[j];
            above = lanes.add(above, buckets);
            let elements = lanes.add(above, lanes.times(buckets, j));
            let at_least = lanes.less(rank, elements);
            self.buckets[j] = lanes.add(buckets, lanes.sub(at_least, more));
            more = at_least;
        }
        let elsewhere = lanes.sub(rank, above);
        [more, lanes.select(more, lanes.all(i32::MAX), elsewhere)]
    }

    /// Whether the bucket of this rank is full.
    #[inline(always)]
    pub(super) fn is_full(&self, rank: Numbers<S, G>) -> Numbers<S, G> {
        self.lanes.less(rank, self.buckets[H - 1])
    }

    /// The number of elements in the bucket of this rank.
    #[inline(always)]
    pub(super) fn load(&self, rank: Numbers<S, G>) -> Numbers<S, G> {
        let mut load = self.lanes.all(0);
        for buckets in self.buckets {
            load = self.lanes.sub(load, self.lanes.less(rank, buckets));
        }
        load
    }

    /// An element arrives at the bucket of this rank where `goes` says so, and gets into it if it is not full; whether it was.
    #[inline(always)]
    pub(super) fn arrive(&mut self, rank: Numbers<S, G>, goes: Numbers<S, G>) -> Numbers<S, G> {
        let lanes = self.lanes;
        let mut at_least = lanes.all(-1);
        for buckets in &mut self.buckets {
            let more = lanes.less(rank, *buckets);
            let to = lanes.and(goes, lanes.and_not(at_least, more));
            *buckets = lanes.sub(*buckets, to);
            at_least = more;
        }
        lanes.and(goes, at_least)
    }
}
