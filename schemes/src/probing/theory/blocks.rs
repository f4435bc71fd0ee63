//! Blocks of linear probing: the clusters, none between two empty slots included, each with the empty slot behind it.
//!
//! Cut the circle behind one of its m − n empty slots: that leaves m − n blocks. The l elements of a cluster may have come in
//! (l + 1)^(l − 1) orders of hash values, so that blocks are independent but for the number of all elements: P(no block is
//! of a certain kind) = [z^n] T_0(z)^(m − n) / [z^n] T(z)^(m − n), where T has the weights (l + 1)^(l − 1)/l! and T_0 the parts of them
//! that are of another kind (the weights are in Knuth, "The Art of Computer Programming", volume 3, Section 6.4, in the proof of
//! Theorem K). Which empty slot is the last makes no difference, as their number is fixed and all slots are alike.

use std::f64::consts::TAU;

use libm::lgamma;
use nalgebra::Complex;

use crate::math::complex;
use crate::math::elementary::{exp, ln};

/// Below this expected number of blocks it is the probability of one, to ten digits.
const FEW: f64 = 1e-10;

/// Terms of the integral below e^−44 of the first are left out.
const NEGLIGIBLE: f64 = -44.0;

/// Nodes times elements beyond which the integral is not computed.
const MOST_TERMS: f64 = 2e6;

/// Some kind of blocks, and the probability that there is one.
///
/// It is Cauchy's integral for the coefficient of z^n in T^(m − n) − T_0^(m − n) over the unit circle, by the trapezoidal rule.
/// The weights are those of the Borel law of the load, so that the circle goes through the saddle point.
#[derive(Debug)]
pub struct Blocks {
    buckets: u32,
    elements: u32,
    nodes: Vec<Node>,
    /// By what the sum over the nodes is multiplied.
    scale: f64,
    /// Expected number of blocks of the kind.
    expected: f64,
    /// Elements of the shortest of them.
    shortest: u32,
}

#[derive(Debug)]
struct Node {
    angle: f64,
    /// T.
    all: Complex<f64>,
    /// ln T^(m − n).
    ln_power: Complex<f64>,
    /// T − T_0.
    of_kind: Complex<f64>,
}

impl Blocks {
    /// No block is of the kind yet. `None` where the integral takes too long, near load 1 in large tables, and with
    /// fewer than two empty slots.
    pub fn new(buckets: u32, elements: u32) -> Option<Self> {
        if buckets < elements + 2 {
            return None;
        }
        let [m, n, blocks] = [buckets, elements, buckets - elements].map(f64::from);
        // Two nodes are too many.
        if n > MOST_TERMS {
            return None;
        }
        let load = n / m;
        let weights: Vec<f64> = (0..=elements).map(|length| borel(load, length.into())).collect();
        let pairs = pairs_of_nodes(load, m, blocks);
        let mut nodes = Vec::new();
        for node in 0..=pairs as u64 {
            if nodes.len() as f64 * n > MOST_TERMS {
                return None;
            }
            let angle = node as f64 * TAU / (2.0 * pairs + 1.0);
            let z = complex::exp(Complex::new(0.0, angle));
            let all = weights.iter().rev().fold(Complex::default(), |sum, weight| sum * z + weight);
            let ln_power = complex::ln(all) * blocks;
            if ln_power.re < NEGLIGIBLE {
                break;
            }
            nodes.push(Node { angle, all, ln_power, of_kind: Complex::default() });
        }
        let ln_all_elements = n * ln(n) - n - lgamma(n + 1.0);
        let scale = 2.0 / (2.0 * pairs + 1.0) * m / blocks / exp(ln_all_elements);
        Some(Self { buckets, elements, nodes, scale, expected: 0.0, shortest: elements })
    }

    /// This share of the clusters of so many elements, at least one, is of the kind.
    pub fn add(&mut self, length: u32, share: f64) {
        let load = f64::from(self.elements) / f64::from(self.buckets);
        let weight = share * borel(load, length.into());
        for node in &mut self.nodes {
            let turned = Complex::new(0.0, node.angle * f64::from(length));
            node.of_kind += complex::exp(turned) * weight;
        }
        let clusters = f64::from(self.buckets) * begins(length, self.buckets, self.elements);
        self.expected += share * clusters;
        self.shortest = self.shortest.min(length);
    }

    /// The probability that some block is of the kind, with nine digits however small it is.
    pub fn some(&self) -> f64 {
        // There is no room for two blocks that have more than half of all elements each.
        let one_at_most = 2 * u64::from(self.shortest) > self.elements.into();
        match one_at_most || self.expected < FEW {
            true => self.expected,
            false => self.integral().clamp(0.0, 1.0),
        }
    }

    fn integral(&self) -> f64 {
        let (elements, blocks) =
            (f64::from(self.elements), f64::from(self.buckets - self.elements));
        let term = |node: &Node| {
            let some = -complex::exp_m1(complex::ln_1p(-node.of_kind / node.all) * blocks);
            let turned = Complex::new(0.0, elements * node.angle);
            (complex::exp(node.ln_power - turned) * some).re
        };
        let half = self.nodes.first().map_or(0.0, |first| 0.5 * term(first));
        self.scale * (half + self.nodes.iter().skip(1).map(term).sum::<f64>())
    }
}

/// Half of so many nodes that the coefficients that they confuse with the n-th are below the last digit: by the scatter of
/// the sum over blocks, by the law of one block, or as there are none.
fn pairs_of_nodes(load: f64, buckets: f64, blocks: f64) -> f64 {
    let scatter = 24.0 * (buckets * load).sqrt() / (1.0 - load);
    let one_block = 80.0 / (1.0 - load).powi(2);
    (f64::max(scatter, one_block).min(blocks * buckets * load) / 2.0).ceil() + 1.0
}

/// The probability that a cluster of exactly l ≥ 1 slots begins at a given slot, where n ≤ m − 2:
/// C(n, l)·(l + 1)^(l − 1)·(m − n − 1)·(m − l − 1)^(n − l − 1)/mⁿ, there.
pub(super) fn begins(length: u32, buckets: u32, elements: u32) -> f64 {
    let [m, n, l] = [buckets, elements, length].map(f64::from);
    let ways = lgamma(n + 1.0) - lgamma(l + 1.0) - lgamma(n - l + 1.0);
    let inside = (l - 1.0) * ln(l + 1.0);
    let outside = ln(m - n - 1.0) + (n - l - 1.0) * ln(m - l - 1.0);
    exp(ways + inside + outside - n * ln(m))
}

/// The probability of a cluster of l elements between two empty slots, none included, in the limit of large tables.
fn borel(load: f64, length: f64) -> f64 {
    let slots = length + 1.0;
    exp(length * ln(load) - load * slots + (length - 1.0) * ln(slots) - lgamma(slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Block after block, sums of positive terms: the weight of all ways, and of those with a block of the kind.
    fn summed(shares: &[f64], buckets: u32, elements: u32) -> f64 {
        let n = elements as usize;
        let weights: Vec<f64> = (0..=n).map(|length| borel(0.5, length as f64)).collect();
        let mut ways = vec![[0.0; 2]; n + 1];
        ways[0][0] = 1.0;
        for _ in 0..buckets - elements {
            let mut next = vec![[0.0; 2]; n + 1];
            for (before, [none, some]) in ways.iter().enumerate() {
                for length in 0..=n - before {
                    let next = &mut next[before + length];
                    next[0] += none * weights[length] * (1.0 - shares[length]);
                    next[1] += (none * shares[length] + some) * weights[length];
                }
            }
            ways = next;
        }
        ways[n][1] / (ways[n][0] + ways[n][1])
    }

    /// Clusters beyond a length, and a hundredth of those of even length.
    #[test]
    fn probabilities_are_sums_over_blocks() {
        let mut least = 1.0_f64;
        for (m, n) in [(6, 4), (12, 3), (20, 17), (60, 45), (200, 60), (150, 140)] {
            for k in 0..=n as usize {
                let beyond = |length: usize| if length >= k.max(1) { 1.0 } else { 0.0 };
                let even = |length: usize| {
                    if length.is_multiple_of(2) { 0.01 * beyond(length) } else { 0.0 }
                };
                for share in [&beyond as &dyn Fn(usize) -> f64, &even] {
                    let shares: Vec<f64> = (0..=n as usize).map(share).collect();
                    let mut blocks = Blocks::new(m, n).unwrap();
                    (1..=n).for_each(|length| blocks.add(length, shares[length as usize]));
                    let (found, expected) = (blocks.some(), summed(&shares, m, n));
                    let room = 2e-9 * expected;
                    assert!((found - expected).abs() <= room, "{m} {n} {k}: {found} {expected}");
                    least = if expected > 0.0 { least.min(expected) } else { least };
                }
            }
        }
        assert!(least < 1e-30, "{least}");
    }

    #[test]
    fn what_takes_too_long_is_not_computed() {
        assert!(Blocks::new(1 << 22, (1 << 22) - 40).is_none());
        assert!(Blocks::new(9, 8).is_none());
        // At once, without a weight for each of a billion lengths.
        assert!(Blocks::new(1 << 30, 1 << 29).is_none());
    }
}
