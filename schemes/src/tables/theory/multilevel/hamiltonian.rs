//! The cumulant generating function of one insertion, and its derivatives.
//!
//! An insertion into a table whose sets of buckets have `n·u` members adds `j` to the counts with
//! probability `p_j(u)`. `H(u, p) = ln Σ p_j(u)·e^(p·j)` is the Hamiltonian of the paths that the
//! counts take (Freidlin and Wentzell): along the fluid limit the momentum `p` is 0, `∂H/∂p` is the
//! drift and `∂²H/∂p²` the covariance of the jump.

use nalgebra::{DMatrix, DVector};

use super::graph::Edge;
use super::outcomes::Outcomes;
use crate::math::elementary::{exp, ln};

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
    /// `∂²H/∂u²`.
    pub(super) bend: DMatrix<f64>,
}

impl<'a> Hamiltonian<'a> {
    pub(super) fn new(outcomes: &'a Outcomes, sizes: &[f64]) -> Self {
        Self { outcomes, of_each_set: outcomes.sets.of_each_set(sizes) }
    }

    /// About the operations that an expansion and products of its matrices take, up to a constant.
    pub(super) fn work(&self) -> f64 {
        let sets = self.outcomes.sets.len() as f64;
        self.outcomes.graph.edges().count() as f64 * 2.0 * sets + sets.powi(3)
    }

    /// The factors of the outcomes' probabilities, those for the states that grow being `e^p`. The last
    /// components of `p` may be left out where they are 0.
    pub(super) fn weights(&self, means: &[f64], momentum: &[f64]) -> Vec<f64> {
        let mut weights = vec![1.0; self.outcomes.sets.states() + self.outcomes.shares.len()];
        weights.iter_mut().zip(momentum).for_each(|(weight, p)| *weight = exp(*p));
        self.write_shares(means, &mut weights);
        weights
    }

    /// Writes the factors that do not depend on `p`.
    pub(super) fn write_shares(&self, means: &[f64], weights: &mut [f64]) {
        let fraction = |set: usize| means[set] / self.of_each_set[set];
        let weights = &mut weights[self.outcomes.sets.states()..];
        for (weight, share) in weights.iter_mut().zip(&self.outcomes.shares) {
            *weight = share.value(fraction);
        }
    }

    /// `∂H/∂p` for the first components of `p` that are given; the others are 0 and left out.
    pub(super) fn drift(&self, means: &[f64], momentum: &[f64]) -> DVector<f64> {
        let weights = self.weights(means, momentum);
        let ends = self.outcomes.graph.ends(&weights);
        let slopes = self.outcomes.graph.slopes(&weights, &ends);
        let total = total(&ends);
        DVector::from_fn(momentum.len(), |state, _| slopes[state] * weights[state] / total)
    }

    /// `H` and its derivatives; of `p` as in [`drift`](Self::drift).
    pub(super) fn expand(&self, means: &[f64], momentum: &[f64]) -> Expansion {
        let (states, sets) = (momentum.len(), self.outcomes.sets.len());
        let weights = self.weights(means, momentum);
        let ends = self.outcomes.graph.ends(&weights);
        let slopes = self.outcomes.graph.slopes(&weights, &ends);
        let derivatives = self.factor_derivatives(&weights, states);
        let total = total(&ends);
        let mut slope = DVector::zeros(states + sets);
        for (of_factor, by) in slopes.iter().zip(&derivatives) {
            by.iter().for_each(|&(variable, by)| slope[variable] += of_factor * by / total);
        }
        let pairs = self.pairs(&weights, &ends, &derivatives, states + sets) / total;
        let mut bend = &pairs + pairs.transpose();
        bend.ger(-1.0, &slope, &slope, 1.0);
        (0..states).for_each(|state| bend[(state, state)] += slope[state]);
        Expansion {
            value: ln(total),
            drift: slope.rows(0, states).clone_owned(),
            slope: slope.rows(states, sets).clone_owned(),
            noise: bend.view((0, 0), (states, states)).clone_owned(),
            mixed: bend.view((0, states), (states, sets)).clone_owned(),
            bend: bend.view((states, states), (sets, sets)).clone_owned(),
        }
    }

    /// The derivatives of each factor: by the given `states` components of `p`, and then by `u`.
    fn factor_derivatives(&self, weights: &[f64], states: usize) -> Vec<Vec<(usize, f64)>> {
        let all = self.outcomes.sets.states();
        let grown = (0..all).map(|state| {
            let counted = (state, weights[state]);
            (state < states).then_some(counted).into_iter().collect()
        });
        let shares = self.outcomes.shares.iter().map(|share| {
            share.signs().map(|(set, sign)| (states + set, sign / self.of_each_set[set])).collect()
        });
        grown.chain(shares).collect()
    }

    /// The second derivatives of the sum over all outcomes that come from a factor, a row for what it
    /// depends on, and one after it.
    fn pairs(
        &self,
        weights: &[f64],
        ends: &[f64],
        derivatives: &[Vec<(usize, f64)>],
        variables: usize,
    ) -> DMatrix<f64> {
        let graph = &self.outcomes.graph;
        let starts = graph.starts(weights);
        // Of the ends.
        let mut slopes = DMatrix::<f64>::zeros(variables, graph.nodes());
        let mut after = DMatrix::<f64>::zeros(variables, weights.len());
        for Edge { from, factor, to } in graph.edges() {
            let (done, mut open) = slopes.columns_range_pair_mut(..from, from..=from);
            let of_end = done.column(to);
            open.column_mut(0).axpy(weights[factor], &of_end, 1.0);
            for &(variable, by) in &derivatives[factor] {
                open[(variable, 0)] += by * ends[to];
            }
            after.column_mut(factor).axpy(starts[from], &of_end, 1.0);
        }
        let mut pairs = DMatrix::zeros(variables, variables);
        for (after, by) in after.column_iter().zip(derivatives) {
            by.iter().for_each(|&(variable, by)| pairs.column_mut(variable).axpy(by, &after, 1.0));
        }
        pairs
    }
}

/// The sum over all outcomes.
fn total(ends: &[f64]) -> f64 {
    ends.last().copied().unwrap_or(1.0)
}
