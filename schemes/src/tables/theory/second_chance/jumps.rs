//! What a round of alternation changes: steps of single buckets, and how probable they are.
//!
//! An insertion ends where the new element `x`, or the one in its way, is stored. Before, it leaves a pointer for
//! each element in its way that had not been looked at. All choices are independent of each other and of the
//! table, so that what happens between two sub-tables depends on what happened before only in that `x` gets there.

use nalgebra::DVector;

use super::buckets::Bucket;
use super::counts::Counts;
use super::hop::Hop;

/// A bucket is counted elsewhere from now on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) from: Bucket,
    to: Bucket,
}

impl Step {
    /// Another element points to it, unless the bucket has as many pointers as are counted.
    fn pointed_at(from: Bucket, counts: &Counts) -> Self {
        Self { from, to: from.with_pointers(counts.with_another(from)) }
    }

    /// By an element that did not point to it.
    fn filled(from: Bucket) -> Self {
        Self { from, to: from.now(true) }
    }

    /// By an element that pointed to it.
    fn followed(from: Bucket) -> Self {
        Self { from, to: from.now(true).with_pointers(from.pointers - 1) }
    }

    /// Its element is deleted.
    pub(super) fn emptied(from: Bucket) -> Self {
        Self { from, to: from.now(false) }
    }

    /// An element that points to it is deleted.
    pub(super) fn forgotten(from: Bucket) -> Self {
        Self { from, to: from.with_pointers(from.pointers - 1) }
    }

    /// The counts that change, and by how much.
    pub(super) fn changes(self, counts: &Counts) -> impl Iterator<Item = (usize, f64)> {
        let [from, to] = [self.from, self.to].map(|bucket| counts.place(bucket));
        from.map(|place| (place, -1.0)).into_iter().chain(to.map(|place| (place, 1.0)))
    }
}

/// A mean of changes.
pub(super) struct MeanChange<'a> {
    counts: &'a Counts,
    pub(super) sum: DVector<f64>,
}

impl<'a> MeanChange<'a> {
    pub(super) fn new(counts: &'a Counts) -> Self {
        Self { counts, sum: DVector::zeros(counts.len()) }
    }

    pub(super) fn add(&mut self, weight: f64, step: Step) {
        for (place, change) in step.changes(self.counts) {
            self.sum[place] += weight * change;
        }
    }

    pub(super) fn add_all(&mut self, weight: f64, steps: &[Step]) {
        steps.iter().for_each(|step| self.add(weight, *step));
    }
}

/// The counts at one time.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) counts: &'a Counts,
    pub(super) state: &'a DVector<f64>,
}

impl Table<'_> {
    /// Calls `found` with what an insertion may do in the first sub-table alone.
    pub(super) fn first(self, mut found: impl FnMut(f64, &[Step])) {
        for (free, to_free) in self.shares(0, false) {
            found(to_free, &[Step::filled(free)]);
        }
    }

    /// Calls `found` with the ways in which an insertion may end between the sub-table before and `next`, and
    /// their probabilities among those that get past the sub-tables before.
    ///
    /// The choice of `x` may be free. If it is taken, that of the element in its way may be free, whether it has been
    /// looked at or not: then it moves there, and `x` in its place points to its own choice.
    pub(super) fn ends(self, next: usize, hop: &Hop, mut found: impl FnMut(f64, &[Step])) {
        let taken_choices = self.shares(next, true);
        for (free, to_free) in self.shares(next, false) {
            found(hop.taken * to_free, &[Step::filled(free)]);
            let freed = self.counts.pointing(self.state, free);
            for (taken, to_taken) in &taken_choices {
                let pointed_at = Step::pointed_at(*taken, self.counts);
                found(hop.unseen * to_free * to_taken, &[Step::filled(free), pointed_at]);
                if free.pointers > 0 {
                    found(freed * to_taken, &[Step::followed(free), pointed_at]);
                }
            }
        }
    }

    /// Calls `found` with the pointers that an insertion may leave on its way past the sub-table before `next`, and
    /// their probabilities among those that get past the sub-tables before that.
    pub(super) fn passes(self, next: usize, hop: &Hop, mut found: impl FnMut(f64, Step)) {
        for (taken, to_taken) in self.shares(next, true) {
            found(hop.unseen * to_taken, Step::pointed_at(taken, self.counts));
        }
    }

    /// Buckets and their fractions of the sub-table.
    fn shares(self, sub_table: usize, taken: bool) -> Vec<(Bucket, f64)> {
        let with_share = |bucket| (bucket, self.counts.share(self.state, bucket));
        self.counts.buckets(sub_table, taken).map(with_share).collect()
    }

    /// Calls `found` with the steps of the buckets in which elements are, and how many these are per element.
    pub(super) fn emptied(self, mut found: impl FnMut(f64, Step)) {
        for sub_table in 0..self.counts.sub_tables() {
            for taken in self.counts.buckets(sub_table, true) {
                found(self.counts.number(self.state, taken), Step::emptied(taken));
            }
        }
    }

    /// Calls `found` with the steps of the buckets to which elements point, and how many these are per element.
    pub(super) fn forgotten(self, mut found: impl FnMut(f64, Step)) {
        for sub_table in 1..self.counts.sub_tables() {
            for to in self.counts.pointed(sub_table) {
                let elements = to.pointers as f64 * self.counts.number(self.state, to);
                found(elements, Step::forgotten(to));
            }
        }
    }

    /// The mean change by an insertion.
    pub(super) fn insertion(self, hops: &[Hop]) -> DVector<f64> {
        let mut mean = MeanChange::new(self.counts);
        self.first(|p, steps| mean.add_all(p, steps));
        for (next, hop) in (1..).zip(hops) {
            self.ends(next, hop, |p, steps| mean.add_all(hop.passed * p, steps));
            self.passes(next, hop, |p, step| mean.add(hop.passed * p * hop.next, step));
        }
        mean.sum
    }

    /// The mean change by a deletion.
    pub(super) fn deletion(self) -> DVector<f64> {
        let mut mean = MeanChange::new(self.counts);
        self.emptied(|elements, step| mean.add(elements, step));
        self.forgotten(|elements, step| mean.add(elements, step));
        mean.sum
    }
}
