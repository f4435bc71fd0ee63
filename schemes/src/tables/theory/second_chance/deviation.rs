//! The term of order `1/n` by which second chance in equilibrium differs from its limit on average.
//!
//! It is the refined mean field of Gast and Van Houdt ("A Refined Mean Field Approximation") for the
//! [counts](super::counts). Let `n·u + V` be their means after an insertion, `n·Σ` their covariance, `F(u)` the mean
//! change by an insertion and `−u·L` that by a deletion, so that `F = L·u` in equilibrium, and `A = F' − L`.
//! - `A·Σ + Σ·Aᵀ + Q = 0`: the counts alone do not say what a deletion changes, as that depends on which elements
//!   point where, but they do on average, and `Q` takes the [mean](super::noise) of squares over these pairs.
//! - Fluctuation: `A·V + ½·F'':Σ = 0`. Deletions are linear in the counts, and `F` is a polynomial.
//! - Granularity: an insertion sees the table without the deleted element, so that `A·V − F'·F = 0`.
//!
//! One for one, the number of elements is fixed: an element that is not deleted from one sub-table is from another, and
//! `Q` has `−2·F·Fᵀ` beside the squares. Poisson arrivals vary that number, and see the table as it is.

use nalgebra::{DMatrix, DVector};

use super::counts::Counts;
use super::equilibrium::{first_taken, hops, laws};
use super::hop::Hop;
use super::jumps::Table;
use super::noise;
use crate::tables::theory::TheoryError;
use crate::tables::theory::covariance::stationary;
use crate::tables::theory::differences::{curvature, slopes};
use crate::tables::theory::refined::Shift;

/// How elements come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrivals {
    /// A new one for each that is deleted: alternation.
    OneForOne,
    /// A Poisson process, while each departs after an exponential time of its own.
    Poisson,
}

/// Coefficients of `1/n`, in equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// Of the elements on the overflow list, per element in the limit.
    pub overflow: Shift,
    /// Of the elements moved, per insertion.
    pub moves: Shift,
    /// Of the buckets read, per insertion.
    pub accesses: Shift,
    /// Of the fraction of buckets taken in each sub-table.
    pub occupancy: Vec<Shift>,
    /// Half the variance of an insertion's probability of an overflow, as a part of its square.
    pub spread: f64,
}

/// Counts up to which the deviation is computed: a tenth of a second.
const MOST_COUNTS: usize = 128;

/// The deviation in the equilibrium of `sub_tables`, given as buckets per element: at least one, each more than 0.
///
/// # Errors
/// [`TheoryError`] when there is no equilibrium, or there are too many counts: of many sub-tables, or of buckets to
/// which many elements point.
pub fn deviation(sub_tables: &[f64], arrivals: Arrivals) -> Result<Deviation, TheoryError> {
    let hops = hops(sub_tables)?;
    let laws = laws(&hops, sub_tables)?;
    let counts = Counts::new(sub_tables, &laws);
    let states = counts.len();
    if states > MOST_COUNTS {
        return Err(TheoryError::TooLarge { states, most: MOST_COUNTS });
    }
    let state = counts.state(first_taken(sub_tables), &laws);
    let limit = Limit { counts: &counts, state: &state, arrivals };
    Ok(limit.deviation(&limit.expansion(&hops)?))
}

/// The counts that large tables have.
struct Limit<'a> {
    counts: &'a Counts,
    state: &'a DVector<f64>,
    arrivals: Arrivals,
}

/// Where the overflow is among what an insertion does, after the counts; then moves and accesses.
const OVERFLOW: usize = 0;
const MOVES: usize = 1;
const ACCESSES: usize = 2;

/// How finite tables differ from the limit.
struct Expansion {
    /// Of the counts.
    covariance: DMatrix<f64>,
    fluctuation: DVector<f64>,
    granularity: DVector<f64>,
    /// What insertions see is less than what is there after them.
    missing: DVector<f64>,
    /// Derivatives of what an insertion does.
    slopes: DMatrix<f64>,
    /// Half of the second ones, times the covariance.
    curvature: DVector<f64>,
}

impl Limit<'_> {
    fn expansion(&self, hops: &[Hop]) -> Result<Expansion, TheoryError> {
        let states = self.counts.len();
        let slopes = slopes(|state| self.insertion(state), self.state);
        let of_counts = slopes.rows(0, states);
        let drift = of_counts + self.deletion_slopes();
        let inserted = self.insertion(self.state).rows(0, states).into_owned();
        let covariance = stationary(&drift, self.noise(hops, &inserted)?, 1.0)?;
        let curvature = curvature(|state| self.insertion(state), self.state, &covariance);
        let missing = match self.arrivals {
            Arrivals::OneForOne => -inserted,
            Arrivals::Poisson => DVector::zeros(states),
        };
        let inverse = drift.lu();
        let answer = |force: DVector<f64>| inverse.solve(&-force).ok_or(TheoryError::Unstable);
        Ok(Expansion {
            fluctuation: answer(curvature.rows(0, states).into_owned())?,
            granularity: answer(of_counts * &missing)?,
            covariance,
            missing,
            curvature,
            slopes,
        })
    }

    fn table<'s>(&'s self, state: &'s DVector<f64>) -> Table<'s> {
        Table { counts: self.counts, state }
    }

    /// What an insertion does on average: how it changes the counts, then whether it overflows, what it moves and
    /// what it reads.
    fn insertion(&self, state: &DVector<f64>) -> DVector<f64> {
        let hops = self.counts.hops(state);
        let changes = self.table(state).insertion(&hops);
        let last = self.counts.taken(state, self.counts.sub_tables() - 1);
        let overflow = hops.last().map_or(1.0, Hop::passed_on) * last;
        let moves: f64 = hops.iter().map(Hop::moved).sum();
        let accesses = hops.iter().fold(1.0, |sum, hop| sum + hop.reads());
        changes.push(overflow).push(moves).push(accesses)
    }

    fn deletion_slopes(&self) -> DMatrix<f64> {
        slopes(|state| self.table(state).deletion(), self.state)
    }

    fn noise(&self, hops: &[Hop], inserted: &DVector<f64>) -> Result<DMatrix<f64>, TheoryError> {
        let table = self.table(self.state);
        let squares = noise::of_insertion(table, hops) + noise::of_deletion(table, hops)?;
        Ok(match self.arrivals {
            Arrivals::OneForOne => squares - inserted * inserted.transpose() * 2.0,
            Arrivals::Poisson => squares,
        })
    }

    fn deviation(&self, expansion: &Expansion) -> Deviation {
        let states = self.counts.len();
        let overflow = self.insertion(self.state)[states + OVERFLOW];
        Deviation {
            overflow: expansion.of_insertion(states + OVERFLOW),
            moves: expansion.of_insertion(states + MOVES),
            accesses: expansion.of_insertion(states + ACCESSES),
            occupancy: (0..self.counts.sub_tables()).map(|i| self.of_taken(i, expansion)).collect(),
            spread: expansion.variance(states + OVERFLOW) / 2.0 / (overflow * overflow),
        }
    }

    fn of_taken(&self, sub_table: usize, expansion: &Expansion) -> Shift {
        let taken = self.counts.buckets(sub_table, true);
        let places: Vec<usize> = taken.filter_map(|bucket| self.counts.place(bucket)).collect();
        let causes = [&expansion.fluctuation, &expansion.granularity];
        let sums = causes.map(|cause| places.iter().map(|place| cause[*place]).sum::<f64>());
        Shift::of(sums).per(self.counts.sizes[sub_table])
    }
}

impl Expansion {
    /// Of something that an insertion does.
    fn of_insertion(&self, row: usize) -> Shift {
        let slope = self.slopes.row(row).transpose();
        let fluctuation = slope.dot(&self.fluctuation) + self.curvature[row];
        Shift::of([fluctuation, slope.dot(&(&self.granularity + &self.missing))])
    }

    /// Of its probability.
    fn variance(&self, row: usize) -> f64 {
        let slope = self.slopes.row(row).transpose();
        slope.dot(&(&self.covariance * &slope))
    }
}

#[cfg(test)]
mod tests {
    use super::super::alternation;
    use super::super::small_table::SmallTable;
    use super::*;
    use crate::tables::theory::single_slot;

    /// The exact mean above its limit with the deviation, of overflow, moves, accesses and both loads.
    fn left_over(n: u32, buckets: [u32; 2]) -> [f64; 5] {
        let size = f64::from(n);
        let sizes = buckets.map(|m| f64::from(m) / size);
        let limit = alternation(&sizes).unwrap();
        let found = deviation(&sizes, Arrivals::OneForOne).unwrap();
        let exact = SmallTable { n, buckets }.alternation();
        let quantities = [
            (exact.overflow, limit.overflow, found.overflow),
            (exact.moves, limit.moves, found.moves),
            (exact.accesses, limit.accesses, found.accesses),
            (exact.loads[0], limit.occupancy[0], found.occupancy[0]),
            (exact.loads[1], limit.occupancy[1], found.occupancy[1]),
        ];
        quantities.map(|(exact, limit, shift)| exact - limit - shift.by / size)
    }

    /// Twice as many elements leave a quarter of it.
    #[test]
    fn what_is_left_of_an_exact_chain_is_of_second_order() {
        for [n, first, second] in [[4, 2, 2], [6, 3, 3], [6, 2, 4]] {
            let small = left_over(n, [first, second]);
            let large = left_over(2 * n, [2 * first, 2 * second]);
            for (small, large) in small.into_iter().zip(large) {
                assert!(large.abs() < 0.26 * small.abs(), "{n}: {small} {large}");
            }
        }
    }

    /// One sub-table of single slots is known exactly.
    #[test]
    fn one_sub_table_deviates_as_its_exact_law() {
        for (n, m) in [(400_u32, 300_u32), (1000, 1500)] {
            let (size, sizes) = (f64::from(n), [f64::from(m) / f64::from(n)]);
            let limit = alternation(&sizes).unwrap().overflow;
            let [n, m] = [n, m].map(u64::from);
            for (arrivals, exact) in [
                (Arrivals::OneForOne, single_slot::alternation(n, m, 1, 1.0)),
                (Arrivals::Poisson, single_slot::open(n, m, 1, 1.0)),
            ] {
                let found = limit + deviation(&sizes, arrivals).unwrap().overflow.by / size;
                let room = 2.0 / (size * size);
                assert!((exact.overflow - found).abs() < room, "{arrivals:?} {found} {exact:?}");
            }
        }
    }

    /// Of one sub-table, `b` of whose m single slots are taken: a birth and death process with n·(1 − b/m) arrivals
    /// stored and b departures in n rounds. Its variance is that of a binomial law, of which one for one takes the
    /// part that the number of elements has.
    #[test]
    fn one_sub_table_spreads_as_a_birth_and_death_process() {
        for (n, m) in [(400.0, 300.0), (1000.0, 1500.0)] {
            let of = |arrivals| deviation(&[m / n], arrivals).unwrap().spread;
            let (fixed, poisson) = (of(Arrivals::OneForOne), of(Arrivals::Poisson));
            assert!((poisson - 0.5).abs() < 1e-9, "{poisson}");
            assert!((fixed - 0.5 * n / (n + m)).abs() < 1e-9, "{fixed}");
        }
    }

    #[test]
    fn too_many_counts_are_refused() {
        assert!(matches!(
            deviation(&[1.0, 1e-3], Arrivals::OneForOne),
            Err(TheoryError::TooLarge { .. })
        ));
    }
}
