//! The cumulant generating function of one insertion, and its derivatives.
//!
//! An insertion into a table whose sets of buckets have `n·u` members adds `j` to the counts with
//! probability `p_j(u)`. `H(u, p) = ln Σ p_j(u)·e^(p·j)` is the Hamiltonian of the paths that the
//! counts take (Freidlin and Wentzell): along the fluid limit the momentum `p` is 0, `∂H/∂p` is the
//! drift and `∂²H/∂p²` the covariance of the jump.

use nalgebra::{DMatrix, DVector};

use super::outcomes::{Outcome, Outcomes};

pub(super) struct Hamiltonian<'a> {
    pub(super) outcomes: &'a Outcomes,
    /// The buckets per element that each set is a part of.
    pub(super) of_each_set: Vec<f64>,
}

/// `H` at one point and its derivatives.
pub(super) struct Expansion {
    pub(super) value: f64,
    /// `∂H/∂p`, the drift of the tilted process.
    pub(super) drift: DVector<f64>,
    /// `∂H/∂u`.
    pub(super) slope: DVector<f64>,
    /// `∂²H/∂p²`, the covariance of the tilted jump.
    pub(super) noise: DMatrix<f64>,
    /// `∂²H/∂p∂u`, a row for each component of `p`.
    pub(super) mixed: DMatrix<f64>,
}

impl<'a> Hamiltonian<'a> {
    pub(super) fn new(outcomes: &'a Outcomes, sizes: &[f64]) -> Self {
        Self { outcomes, of_each_set: outcomes.of_each_set(sizes) }
    }

    /// The probabilities of the outcomes' factors.
    pub(super) fn shares(&self, means: &[f64]) -> Vec<f64> {
        let fractions: Vec<f64> = means.iter().zip(&self.of_each_set).map(|(u, m)| u / m).collect();
        self.outcomes.shares.iter().map(|share| share.of(&fractions)).collect()
    }

    /// `∂H/∂p` for the first components of `p` that are given; the others are 0 and left out.
    pub(super) fn drift(&self, means: &[f64], momentum: &[f64]) -> DVector<f64> {
        let shares = self.shares(means);
        let mut drift = DVector::zeros(momentum.len());
        let mut total = 0.0;
        for outcome in &self.outcomes.all {
            let weight = outcome.probability(&shares) * outcome.tilt(momentum);
            total += weight;
            outcome.counted(momentum.len()).for_each(|state| drift[state] += weight);
        }
        drift / total
    }

    /// `H` and its derivatives but `∂²H/∂u²`; of `p` as in [`drift`](Self::drift).
    pub(super) fn expand(&self, means: &[f64], momentum: &[f64]) -> Expansion {
        let (states, sets) = (momentum.len(), self.outcomes.sets());
        let shares = self.shares(means);
        let mut total = 0.0;
        let mut drift = DVector::zeros(states);
        let mut slope = DVector::zeros(sets);
        let mut noise = DMatrix::zeros(states, states);
        let mut mixed = DMatrix::zeros(states, sets);
        for outcome in &self.outcomes.all {
            let tilt = outcome.tilt(momentum);
            let after = products_after(outcome, &shares);
            let weight = tilt * after[0];
            total += weight;
            for state in outcome.counted(states) {
                drift[state] += weight;
                outcome.counted(states).for_each(|other| noise[(state, other)] += weight);
            }
            let mut before = tilt;
            for (&factor, after) in outcome.factors.iter().zip(&after[1..]) {
                for (set, sign) in self.outcomes.shares[factor].signs() {
                    let change = before * after * sign / self.of_each_set[set];
                    slope[set] += change;
                    outcome.counted(states).for_each(|state| mixed[(state, set)] += change);
                }
                before *= shares[factor];
            }
        }
        drift /= total;
        slope /= total;
        noise /= total;
        noise.ger(-1.0, &drift, &drift, 1.0);
        mixed /= total;
        mixed.ger(-1.0, &drift, &slope, 1.0);
        Expansion { value: total.ln(), drift, slope, noise, mixed }
    }

    /// `∂²H/∂u²`, at the point of the expansion.
    pub(super) fn curvature(
        &self,
        means: &[f64],
        momentum: &[f64],
        at: &Expansion,
    ) -> DMatrix<f64> {
        let sets = self.outcomes.sets();
        let shares = self.shares(means);
        let mut sum = DMatrix::zeros(sets, sets);
        for outcome in &self.outcomes.all {
            let after = products_after(outcome, &shares);
            let mut before = outcome.tilt(momentum);
            for (i, &first) in outcome.factors.iter().enumerate() {
                let mut without = before;
                for (k, &second) in outcome.factors.iter().enumerate().skip(i + 1) {
                    self.add_pair(&mut sum, [first, second], without * after[k + 1]);
                    without *= shares[second];
                }
                before *= shares[first];
            }
        }
        let sum = (&sum + sum.transpose()) / at.value.exp();
        sum - &at.slope * at.slope.transpose()
    }

    fn add_pair(&self, sum: &mut DMatrix<f64>, factors: [usize; 2], weight: f64) {
        let [first, second] = factors.map(|factor| self.outcomes.shares[factor]);
        for (set, sign) in first.signs() {
            for (other, other_sign) in second.signs() {
                let sizes = self.of_each_set[set] * self.of_each_set[other];
                sum[(set, other)] += weight * sign * other_sign / sizes;
            }
        }
    }
}

impl Outcome {
    pub(super) fn probability(&self, shares: &[f64]) -> f64 {
        self.factors.iter().map(|&factor| shares[factor]).product()
    }

    /// `e^(p·j)`.
    pub(super) fn tilt(&self, momentum: &[f64]) -> f64 {
        let sum: f64 = self.counted(momentum.len()).map(|state| momentum[state]).sum();
        sum.exp()
    }

    /// The states that grow, among the first ones.
    fn counted(&self, states: usize) -> impl Iterator<Item = usize> + '_ {
        self.grows.iter().copied().filter(move |&state| state < states)
    }
}

/// For each factor the product of it and those after it, and at the end 1.
fn products_after(outcome: &Outcome, shares: &[f64]) -> Vec<f64> {
    let mut products = vec![1.0; outcome.factors.len() + 1];
    for (i, &factor) in outcome.factors.iter().enumerate().rev() {
        products[i] = products[i + 1] * shares[factor];
    }
    products
}
