//! Buckets counted by how many elements point to them: what a round of alternation changes.
//!
//! For each sub-table but the first: its buckets with `k` pointers, free or taken, per element in the system.
//! Of the first: those taken. Free buckets without pointers are what the other counts leave.

use nalgebra::DVector;

use super::buckets::{Bucket, PointerLaw, Rates};
use super::hop::Hop;

/// Where each count is in the state.
pub(super) struct Counts {
    /// Buckets of each sub-table per element.
    pub(super) sizes: Vec<f64>,
    /// Of each sub-table, the most elements that point to one bucket.
    pub(super) most: Vec<usize>,
    /// Of each sub-table, its first count; then how many counts there are.
    starts: Vec<usize>,
}

impl Counts {
    /// The laws are those of the sub-tables from the second one on.
    pub(super) fn new(sizes: &[f64], laws: &[PointerLaw]) -> Self {
        let most: Vec<usize> =
            std::iter::once(0).chain(laws.iter().map(PointerLaw::most)).collect();
        let mut starts = vec![0];
        starts.extend(most.iter().scan(0, |end, most| {
            *end += 2 * most + 1;
            Some(*end)
        }));
        Self { sizes: sizes.to_vec(), most, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts[self.sizes.len()]
    }

    pub(super) fn sub_tables(&self) -> usize {
        self.sizes.len()
    }

    /// `None` for free buckets without pointers.
    pub(super) fn place(&self, bucket: Bucket) -> Option<usize> {
        let Bucket { sub_table, pointers, taken } = bucket;
        let start = self.starts[sub_table];
        match (taken, pointers) {
            (true, _) => Some(start + pointers),
            (false, 0) => None,
            (false, _) => Some(start + self.most[sub_table] + pointers),
        }
    }

    pub(super) fn buckets(&self, sub_table: usize, taken: bool) -> impl Iterator<Item = Bucket> {
        (0..=self.most[sub_table]).map(move |pointers| Bucket { sub_table, pointers, taken })
    }

    /// The buckets to which elements point.
    pub(super) fn pointed(&self, sub_table: usize) -> impl Iterator<Item = Bucket> {
        [false, true].into_iter().flat_map(move |taken| self.buckets(sub_table, taken).skip(1))
    }

    /// Its pointers with another one, unless these are more than are counted.
    pub(super) fn with_another(&self, bucket: Bucket) -> usize {
        (bucket.pointers + 1).min(self.most[bucket.sub_table])
    }

    /// Such buckets per element.
    pub(super) fn number(&self, state: &DVector<f64>, bucket: Bucket) -> f64 {
        match self.place(bucket) {
            Some(place) => state[place],
            None => {
                let own = self.starts[bucket.sub_table]..self.starts[bucket.sub_table + 1];
                self.sizes[bucket.sub_table] - own.map(|place| state[place]).sum::<f64>()
            }
        }
    }

    /// The fraction of the buckets of its sub-table.
    pub(super) fn share(&self, state: &DVector<f64>, bucket: Bucket) -> f64 {
        self.number(state, bucket) / self.sizes[bucket.sub_table]
    }

    /// The fraction of buckets taken.
    pub(super) fn taken(&self, state: &DVector<f64>, sub_table: usize) -> f64 {
        self.buckets(sub_table, true).map(|bucket| self.share(state, bucket)).sum()
    }

    /// Pointers to such buckets, as a fraction of the buckets of the sub-table before: those whose elements point.
    pub(super) fn pointing(&self, state: &DVector<f64>, to: Bucket) -> f64 {
        to.pointers as f64 * self.number(state, to) / self.sizes[to.sub_table - 1]
    }

    /// What an insertion does between each sub-table and the next.
    pub(super) fn hops(&self, state: &DVector<f64>) -> Vec<Hop> {
        let mut passed = 1.0;
        let mut hops: Vec<Hop> = Vec::with_capacity(self.sub_tables());
        for next in 1..self.sub_tables() {
            let taken = [next - 1, next].map(|sub_table| self.taken(state, sub_table));
            let pointing = |taken: bool| -> f64 {
                self.buckets(next, taken).map(|bucket| self.pointing(state, bucket)).sum()
            };
            let stuck = pointing(true);
            let hop = Hop::new(passed, taken, [stuck + pointing(false), stuck]);
            passed = hop.passed_on();
            hops.push(hop);
        }
        hops
    }

    /// How the buckets change of each sub-table but the first.
    pub(super) fn rates(&self, hops: &[Hop]) -> Vec<Rates> {
        let sizes = self.sizes.windows(2);
        hops.iter().zip(sizes).map(|(hop, sizes)| Rates::after(hop, [sizes[0], sizes[1]])).collect()
    }

    /// The state in which the first sub-table is taken to this fraction, and the others have these laws.
    pub(super) fn state(&self, first: f64, laws: &[PointerLaw]) -> DVector<f64> {
        let mut state = DVector::zeros(self.len());
        state[0] = first * self.sizes[0];
        for (sub_table, law) in (1..).zip(laws) {
            for taken in [false, true] {
                for bucket in self.buckets(sub_table, taken) {
                    let number = law.share(bucket) * self.sizes[sub_table];
                    self.place(bucket).into_iter().for_each(|place| state[place] = number);
                }
            }
        }
        state
    }
}
