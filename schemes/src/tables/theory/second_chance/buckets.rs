//! A bucket and the elements that point to it: a Markov chain, its rates and its law.

use super::hop::Hop;

/// What is known of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bucket {
    /// From 0.
    pub(super) sub_table: usize,
    /// Elements of the sub-table before that point to it.
    pub(super) pointers: usize,
    pub(super) taken: bool,
}

impl Bucket {
    pub(super) fn now(self, taken: bool) -> Self {
        Self { taken, ..self }
    }

    pub(super) fn with_pointers(self, pointers: usize) -> Self {
        Self { pointers, ..self }
    }
}

/// The rates at which a bucket changes, per lifetime. Its element goes away at rate 1, as does each that
/// points to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    /// A free bucket is filled by an element that does not point to it.
    pub(super) filled: f64,
    /// It is filled by a given one of those that do, which then points to it no more.
    pub(super) followed: f64,
    /// A taken bucket gets another pointer.
    pub(super) pointed_at: f64,
}

/// Where nobody points, one pointer is as rare as it gets.
const LEAST_RATE: f64 = 1e-200;

impl Rates {
    /// Of a sub-table, with what insertions do between the one before and it, of these `sizes`.
    pub(super) fn after(hop: &Hop, sizes: [f64; 2]) -> Self {
        Self {
            filled: hop.passed * (hop.taken + hop.next * hop.unseen) / sizes[1],
            followed: hop.passed * hop.next / sizes[0],
            pointed_at: hop.passed * (hop.taken - hop.stuck) / sizes[1],
        }
    }

    /// The fraction of taken buckets and the mean number of pointers to those.
    ///
    /// From the most pointers down. Sums are kept in relation to the sum over the levels seen so far.
    pub(super) fn equilibrium(&self, most: usize) -> [f64; 2] {
        let mut level = 1.0;
        let mut free = self.free_at(most);
        let [mut taken, mut pointers] = [1.0 / (1.0 + free); 2];
        level *= taken;
        pointers *= most as f64;
        for j in (0..most).rev() {
            let ratio;
            (ratio, free) = self.below(j + 1, free);
            level *= ratio;
            let sum = 1.0 + level * (1.0 + free);
            taken = (taken + level) / sum;
            pointers = (pointers + j as f64 * level) / sum;
            level /= sum;
        }
        [taken, pointers]
    }

    /// The law of the pointers to a bucket, of which there are not more than `most`.
    pub(super) fn law(&self, most: usize) -> PointerLaw {
        let mut free = vec![self.free_at(most)];
        let mut ratios = Vec::with_capacity(most);
        for j in (0..most).rev() {
            let (ratio, below) = self.below(j + 1, free[most - j - 1]);
            ratios.push(ratio);
            free.push(below);
        }
        let mut taken = vec![1.0];
        for (j, ratio) in ratios.iter().rev().enumerate() {
            taken.push(taken[j] / ratio);
        }
        let free: Vec<f64> =
            free.iter().rev().zip(&taken).map(|(free, taken)| free * taken).collect();
        let sum: f64 = taken.iter().chain(&free).sum();
        let shares = |weights: Vec<f64>| weights.into_iter().map(|weight| weight / sum).collect();
        PointerLaw { free: shares(free), taken: shares(taken) }
    }

    /// Free buckets with the most pointers, per taken one.
    fn free_at(&self, most: usize) -> f64 {
        1.0 / (most as f64 * self.lost() + self.filled)
    }

    /// Taken buckets with one pointer less than `above`, per taken one with so many, and the free ones per
    /// taken one among them, from the `free` ones per taken one at `above`.
    ///
    /// As many buckets per lifetime change from `j` pointers to `j + 1` as back, and as many become free with
    /// `j` pointers as cease to be. Nothing is subtracted.
    fn below(&self, above: usize, free: f64) -> (f64, f64) {
        let lost = self.lost();
        let ratio = above as f64 * (1.0 + lost * free) / self.pointed_at.max(LEAST_RATE);
        let filled = (above - 1) as f64 * lost + self.filled;
        (ratio, (1.0 + above as f64 * free / ratio) / filled)
    }

    /// The rate at which a free bucket loses each pointer.
    fn lost(&self) -> f64 {
        1.0 + self.followed
    }
}

/// Fractions of buckets by the number of elements that point to them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PointerLaw {
    free: Vec<f64>,
    taken: Vec<f64>,
}

impl PointerLaw {
    /// The greatest number of pointers that is in it.
    pub(super) fn most(&self) -> usize {
        self.taken.len() - 1
    }

    /// Of such buckets.
    pub(super) fn share(&self, Bucket { pointers, taken, .. }: Bucket) -> f64 {
        if taken { self.taken[pointers] } else { self.free[pointers] }
    }

    /// Without the greatest numbers of pointers, as long as these are `negligible` together.
    pub(super) fn cut(mut self, negligible: f64) -> Self {
        let mut tail = 0.0;
        while self.most() > 0 {
            tail += self.taken[self.most()] + self.free[self.most()];
            if tail > negligible {
                break;
            }
            self.free.pop();
            self.taken.pop();
        }
        self
    }
}
