//! The term of order `1/n` by which a finite multilevel table differs from its fluid limit on average.
//!
//! It is the expansion of [`finite_size`](crate::tables::theory::finite_size) for the counts of
//! [`outcomes`](super::outcomes). With `n·u + b` the mean counts after `t·n` insertions, `F` the drift and
//! `Σ` the covariance of [`fluctuations`](super::fluctuations), `b` is the sum of two parts:
//!
//! - fluctuation, `b' = A·b + ½·Σ_kl ∂²F/∂u_k∂u_l·Σ_kl`, as probabilities are not linear in the counts;
//! - granularity, `b' = A·(b − ½F)`, as insertions are steps, not a flow.
//!
//! The drift is a polynomial, and so its second differences along the columns of a factor of `Σ` are
//! second derivatives up to a small term.

use nalgebra::{DMatrix, DVector};

use super::InsertionRule;
use super::hamiltonian::Hamiltonian;
use super::outcomes::Outcomes;
use crate::math::ode;
use crate::tables::theory::TheoryError;
use crate::tables::theory::differences::{along, curvature};
use crate::tables::theory::refined::Shift;
use crate::tables::theory::second_chance;

/// Coefficients of `1/n`, after a static fill.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Deviation {
    /// Of the elements on the overflow list, per element.
    pub(super) overflow: Shift,
    /// Of the elements moved, per insertion.
    pub(super) moves: Shift,
    /// Of the buckets read per insertion by [`InsertionRule::SecondChance`]; 0 for other rules.
    pub(super) reads: Shift,
    /// Of the fraction of the buckets of each sub-table that hold exactly `k` elements, `k = 0..=h`.
    pub(super) occupancy: Vec<Vec<Shift>>,
    /// Half the variance of the last insertion's probability of an overflow, as a part of its square.
    pub(super) spread: f64,
}

/// Work of one expansion above which deviations are not computed: they would take a second.
const MOST_WORK: f64 = 3e5;

impl InsertionRule {
    /// The deviation after a static fill of sub-tables with `sizes` buckets per element: at least one, each
    /// more than 0.
    ///
    /// # Errors
    /// As [`InsertionRule::fluctuations`], and [`TheoryError::TooLong`] where an insertion has very many
    /// outcomes.
    pub(super) fn deviation(self, sizes: &[f64]) -> Result<Deviation, TheoryError> {
        let outcomes = Outcomes::new(self, sizes.len())?;
        let hamiltonian = Hamiltonian::new(&outcomes, sizes);
        if hamiltonian.work() > MOST_WORK {
            return Err(TheoryError::TooLong);
        }
        let drift = Drift { rule: self, sizes, hamiltonian };
        let layout = Layout { counts: drift.counts(), sets: outcomes.sets.len() };
        let start = vec![0.0; layout.length()];
        let end = ode::integrate(start, 1.0, ode::Precision::Rough, |state, rate| {
            layout.write(rate, &drift.rate(&layout.read(state)));
        })?;
        Ok(drift.found(&layout.read(&end)))
    }
}

/// How the counts grow: the sets of buckets, the overflow list, the moves, and the buckets read.
struct Drift<'a> {
    rule: InsertionRule,
    /// Buckets of each sub-table per element.
    sizes: &'a [f64],
    hamiltonian: Hamiltonian<'a>,
}

/// The counts per element and their deviation by cause, or how all of that changes.
struct Filling {
    counts: DVector<f64>,
    fluctuation: DVector<f64>,
    granularity: DVector<f64>,
    /// Of the sets alone: nothing depends on the other counts.
    covariance: DMatrix<f64>,
}

impl Drift<'_> {
    fn counts(&self) -> usize {
        self.hamiltonian.outcomes.sets.states() + 1
    }

    fn sets(&self) -> usize {
        self.hamiltonian.outcomes.sets.len()
    }

    /// The mean change of each count by one insertion.
    fn of(&self, counts: &DVector<f64>) -> DVector<f64> {
        let none = vec![0.0; self.counts() - 1];
        let drift = self.hamiltonian.drift(counts.as_slice(), &none);
        drift.push(self.reads(counts))
    }

    fn reads(&self, counts: &DVector<f64>) -> f64 {
        if self.rule != InsertionRule::SecondChance {
            return 0.0;
        }
        let (d, starts) = (self.sizes.len(), &self.hamiltonian.outcomes.sets.starts);
        let mut state = vec![0.0; 2 * d + 3];
        for (i, size) in self.sizes.iter().enumerate() {
            state[i] = counts[starts[i]] / size;
            state[d + i] = if i + 1 < d { counts[starts[i] + 1] / size } else { 0.0 };
        }
        let mut rate = vec![0.0; 2 * d + 3];
        second_chance::fill(self.sizes, &state, &mut rate);
        rate[2 * d + 2]
    }

    fn rate(&self, now: &Filling) -> Filling {
        let (states, sets) = (self.counts() - 1, self.sets());
        let at = &now.counts;
        let step = self.hamiltonian.expand(at.as_slice(), &vec![0.0; states]);
        let slopes = step.mixed.rows(0, sets);
        let spread = slopes * &now.covariance;
        let noise = step.noise.view((0, 0), (sets, sets));
        let counts = self.of(at);
        Filling {
            fluctuation: self.along(at, &now.fluctuation) + self.curvature(at, &now.covariance),
            granularity: self.along(at, &(&now.granularity - &counts / 2.0)),
            covariance: noise + &spread + spread.transpose(),
            counts,
        }
    }

    /// The derivative along `direction`.
    fn along(&self, at: &DVector<f64>, direction: &DVector<f64>) -> DVector<f64> {
        let length = direction.rows(0, self.sets()).norm();
        if length == 0.0 {
            return DVector::zeros(self.counts());
        }
        along(|counts| self.of(counts), at, direction, length)
    }

    /// Half of the second derivatives, times the covariance of the sets.
    fn curvature(&self, at: &DVector<f64>, covariance: &DMatrix<f64>) -> DVector<f64> {
        curvature(|counts| self.of(counts), at, covariance)
    }

    fn spread(&self, end: &Filling) -> f64 {
        let none = vec![0.0; self.counts() - 1];
        let last = self.hamiltonian.expand(end.counts.as_slice(), &none);
        let overflow = self.hamiltonian.outcomes.sets.overflow();
        let slope = last.mixed.row(overflow);
        let probability = last.drift[overflow];
        (slope * &end.covariance * slope.transpose())[0] / 2.0 / (probability * probability)
    }

    fn found(&self, end: &Filling) -> Deviation {
        let sets = &self.hamiltonian.outcomes.sets;
        let of = |state: usize| Shift::of([end.fluctuation[state], end.granularity[state]]);
        let occupancy = |(i, size): (usize, &f64)| {
            let (first, h) = (sets.starts[i], sets.bucket_size);
            let at_least = |causes: &DVector<f64>, k: usize| match k {
                1.. if k <= h => causes[first + k - 1] / size,
                _ => 0.0,
            };
            let exactly = |k| {
                let causes = [&end.fluctuation, &end.granularity];
                Shift::of(causes.map(|cause| at_least(cause, k) - at_least(cause, k + 1)))
            };
            (0..=h).map(exactly).collect()
        };
        Deviation {
            spread: self.spread(end),
            overflow: of(sets.overflow()),
            moves: of(sets.moves()),
            reads: of(sets.states()),
            occupancy: self.sizes.iter().enumerate().map(occupancy).collect(),
        }
    }
}

/// Where [`Filling`] is in the state of an integration.
struct Layout {
    counts: usize,
    sets: usize,
}

impl Layout {
    fn length(&self) -> usize {
        3 * self.counts + self.sets * self.sets
    }

    fn read(&self, state: &[f64]) -> Filling {
        let (counts, rest) = state.split_at(self.counts);
        let (fluctuation, rest) = rest.split_at(self.counts);
        let (granularity, covariance) = rest.split_at(self.counts);
        Filling {
            counts: DVector::from_column_slice(counts),
            fluctuation: DVector::from_column_slice(fluctuation),
            granularity: DVector::from_column_slice(granularity),
            covariance: DMatrix::from_column_slice(self.sets, self.sets, covariance),
        }
    }

    fn write(&self, state: &mut [f64], filling: &Filling) {
        let Filling { counts, fluctuation, granularity, covariance } = filling;
        let parts = [counts.as_slice(), fluctuation.as_slice(), granularity.as_slice()];
        let values = parts.into_iter().flatten().chain(covariance.as_slice());
        for (place, value) in state.iter_mut().zip(values) {
            *place = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::standard_law;
    use super::*;

    const STANDARD: InsertionRule = InsertionRule::Standard { bucket_size: 1 };

    /// The exact law has overflow and loads; what is left of them is of order 1/n².
    #[test]
    fn the_exact_law_deviates_as_computed() {
        for (n, buckets) in [
            (200_u32, &[120_u32, 80][..]),
            (1000, &[787, 515, 315, 178]),
            (1000, &[400, 300, 200]),
            (300, &[300, 100, 50, 20]),
        ] {
            let size = f64::from(n);
            let sizes: Vec<f64> = buckets.iter().map(|&m| f64::from(m) / size).collect();
            let (limit, found) =
                (STANDARD.static_fill(&sizes).unwrap(), STANDARD.deviation(&sizes).unwrap());
            let law = standard_law(n, buckets).unwrap();
            let by = (law.overflow.mean() / size - limit.overflow) * size;
            assert!(
                (by / found.overflow.by - 1.0).abs() < 30.0 / size,
                "{by} {:?}",
                found.overflow
            );
            for (i, (count, m)) in law.sub_tables.iter().zip(buckets).enumerate() {
                let by = (count.mean() / f64::from(*m) - limit.occupancy[i][1]) * size;
                let shift = found.occupancy[i][1];
                assert!((by - shift.by).abs() < 10.0 * shift.size / size, "{by} {shift:?}");
            }
        }
    }
}
