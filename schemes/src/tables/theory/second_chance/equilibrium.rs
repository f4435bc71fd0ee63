//! The equilibrium of second chance under alternation, one sub-table after the other.
//!
//! An element of `T_{i−1}` whose choice in `T_i` has been looked at points to that bucket. A bucket of `T_i`
//! is free or taken, and any number of elements point to it: a Markov chain whose rates contain means over
//! all buckets of `T_{i−1}` and `T_i`, which in turn follow from its distribution. What is in `T_i`
//! does not act back on `T_{i−1}`, so that one fixed point has to be found per sub-table.

use super::buckets::{PointerLaw, Rates};
use super::hop::Hop;
use crate::math::bisect::bisect;
use crate::tables::theory::TheoryError;

/// Elements with the same next choice up to which the equations of alternation are tried.
pub const MOST_POINTERS: usize = 10_000;

/// What insertions do between one sub-table and the next in equilibrium.
///
/// # Errors
/// [`TheoryError::TooLarge`] when more pointers than [`MOST_POINTERS`] can be expected at one bucket.
pub(super) fn hops(sub_tables: &[f64]) -> Result<Vec<Hop>, TheoryError> {
    let mut hops: Vec<Hop> = Vec::with_capacity(sub_tables.len());
    for sizes in sub_tables.windows(2) {
        let (passed, taken) = match hops.last() {
            Some(hop) => (hop.passed_on(), hop.next),
            None => (1.0, first_taken(sub_tables)),
        };
        hops.push(Before { passed, taken, sizes: [sizes[0], sizes[1]] }.equilibrium()?);
    }
    Ok(hops)
}

/// Buckets taken in the first sub-table under alternation.
pub(super) fn first_taken(sub_tables: &[f64]) -> f64 {
    sub_tables.first().map_or(1.0, |size| 1.0 / (1.0 + size))
}

/// What `T_i` sees of `T_{i−1}`.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// That a new element gets past the sub-tables before `T_{i−1}`.
    passed: f64,
    /// Buckets taken in `T_{i−1}`.
    taken: f64,
    /// Buckets per element of `T_{i−1}` and of `T_i`.
    sizes: [f64; 2],
}

impl Before {
    /// What insertions do between `T_{i−1}` and `T_i` in equilibrium.
    ///
    /// The fraction of `T_i` that is taken lies between what new elements alone would fill and 1, and
    /// the chain has more of it than was assumed below the fixed point, and less above.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] when more pointers than [`MOST_POINTERS`] can be expected at one bucket.
    fn equilibrium(self) -> Result<Hop, TheoryError> {
        let arriving = self.passed * self.taken / self.sizes[1];
        let most = most_pointers(arriving)?;
        let lowest = arriving / (1.0 + arriving);
        let next = bisect(lowest, 1.0, |next| next - self.rates(next).equilibrium(most)[0]);
        let pointed = self.rates(next).equilibrium(most)[1];
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

    fn rates(self, next: f64) -> Rates {
        let known = [self.seen(next), self.stuck(next)];
        Rates::after(&Hop::new(self.passed, [self.taken, next], known), self.sizes)
    }
}

/// The laws of the pointers to the buckets of each sub-table but the first.
///
/// # Errors
/// As [`hops`].
pub(super) fn laws(hops: &[Hop], sub_tables: &[f64]) -> Result<Vec<PointerLaw>, TheoryError> {
    let law = |(hop, sizes): (&Hop, &[f64])| {
        let most = most_pointers(hop.passed * hop.taken / sizes[1])?;
        Ok(Rates::after(hop, [sizes[0], sizes[1]]).law(most).cut(NEGLIGIBLE))
    };
    hops.iter().zip(sub_tables.windows(2)).map(law).collect()
}

/// The share of buckets with more pointers than a law has.
const NEGLIGIBLE: f64 = 1e-12;

/// The number beyond which pointers are negligible: there are no more than Poisson-many.
fn most_pointers(mean: f64) -> Result<usize, TheoryError> {
    let most = (mean + 12.0 * mean.sqrt() + 40.0) as usize;
    if most > MOST_POINTERS {
        return Err(TheoryError::TooLarge { states: most, most: MOST_POINTERS });
    }
    Ok(most)
}
