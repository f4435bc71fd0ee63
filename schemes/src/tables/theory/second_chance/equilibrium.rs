//! The equilibrium of second chance under alternation, one sub-table after the other.
//!
//! An element of `T_{i−1}` whose choice in `T_i` has been looked at points to that bucket. A bucket of `T_i`
//! is free or taken, and any number of elements point to it: a Markov chain whose rates contain means over
//! all buckets of `T_{i−1}` and `T_i`, which in turn follow from its distribution. What is in `T_i`
//! does not act back on `T_{i−1}`, so that one fixed point has to be found per sub-table.

use super::{Hop, MOST_POINTERS};
use crate::math::bisect::bisect;
use crate::tables::theory::TheoryError;

/// What `T_i` sees of `T_{i−1}`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// That a new element gets past the sub-tables before `T_{i−1}`.
    pub(super) passed: f64,
    /// Buckets taken in `T_{i−1}`.
    pub(super) taken: f64,
    /// Buckets per element of `T_{i−1}` and of `T_i`.
    pub(super) sizes: [f64; 2],
}

impl Before {
    /// What insertions do between `T_{i−1}` and `T_i` in equilibrium.
    ///
    /// The fraction of `T_i` that is taken lies between what new elements alone would fill and 1, and
    /// the chain has more of it than was assumed below the fixed point, and less above.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] when more pointers than [`MOST_POINTERS`] can be expected at one bucket.
    pub(super) fn equilibrium(self) -> Result<Hop, TheoryError> {
        let arriving = self.passed * self.taken / self.sizes[1];
        let most = most_pointers(arriving)?;
        let lowest = arriving / (1.0 + arriving);
        let next = bisect(lowest, 1.0, |next| next - self.buckets(next).equilibrium(most)[0]);
        let pointed = self.buckets(next).equilibrium(most)[1];
        let stuck = pointed * self.sizes[1] / self.sizes[0];
        Ok(Hop::new(self.passed, [self.taken, next], [self.seen(next), stuck]))
    }

    /// Buckets of `T_{i−1}` whose element points to `T_i` if `next` of it are taken: as many per lifetime
    /// as elements that begin to.
    fn seen(self, next: f64) -> f64 {
        let looks = self.passed * next;
        self.taken * looks / (self.sizes[0] + looks)
    }

    /// The pointers to taken buckets, per bucket of `T_{i−1}`, with which as many elements get into `T_i`
    /// as are deleted there.
    fn stuck(self, next: f64) -> f64 {
        let seen = self.seen(next);
        let unseen_moves = (self.taken - seen) * (1.0 - next);
        let new = self.taken * (1.0 - next) / next;
        (seen + unseen_moves + new - self.sizes[1] / self.passed).min(seen).max(0.0)
    }

    fn buckets(self, next: f64) -> Buckets {
        let unseen = self.taken - self.seen(next);
        Buckets {
            filled: self.passed * (self.taken + next * unseen) / self.sizes[1],
            followed: self.passed * next / self.sizes[0],
            pointed_at: self.passed * (self.taken - self.stuck(next)) / self.sizes[1],
        }
    }
}

/// The number beyond which pointers are negligible: there are no more than Poisson-many.
fn most_pointers(mean: f64) -> Result<usize, TheoryError> {
    let most = (mean + 12.0 * mean.sqrt() + 40.0) as usize;
    if most > MOST_POINTERS {
        return Err(TheoryError::TooLarge { states: most, most: MOST_POINTERS });
    }
    Ok(most)
}

/// The rates at which a bucket changes, per lifetime. Its element goes away at rate 1, as does each that
/// points to it.
struct Buckets {
    /// A free bucket is filled by an element that does not point to it.
    filled: f64,
    /// It is filled by a given one of those that do, which then points to it no more.
    followed: f64,
    /// A taken bucket gets another pointer.
    pointed_at: f64,
}

impl Buckets {
    /// The fraction of taken buckets and the mean number of pointers to those.
    ///
    /// From the most pointers down: as many buckets per lifetime change from `j` pointers to `j + 1` as
    /// back, and as many become free with `j` pointers as cease to be. Nothing is subtracted. Sums
    /// are kept in relation to the sum over the levels seen so far.
    fn equilibrium(&self, most: usize) -> [f64; 2] {
        // Where nobody points, one pointer would be as rare as it gets.
        let pointed_at = self.pointed_at.max(1e-200);
        let lost = 1.0 + self.followed;
        // Buckets with j pointers: taken, and free per taken one.
        let mut level = 1.0;
        let mut free = 1.0 / (most as f64 * lost + self.filled);
        let [mut taken, mut pointers] = [1.0 / (1.0 + free); 2];
        level *= taken;
        pointers *= most as f64;
        for j in (0..most).rev() {
            let above = (j + 1) as f64;
            let ratio = above * (1.0 + lost * free) / pointed_at;
            free = (1.0 + above * free / ratio) / (j as f64 * lost + self.filled);
            level *= ratio;
            let sum = 1.0 + level * (1.0 + free);
            taken = (taken + level) / sum;
            pointers = (pointers + j as f64 * level) / sum;
            level /= sum;
        }
        [taken, pointers]
    }
}
