//! The limit of peeling: which share of the flows is decoded from a large table.
//!
//! Flows are the edges of a random hypergraph whose vertices are the m cells, k of them for each flow. A cell with one
//! flow gives it away; what is left when no such cell remains is the 2-core. With n = c·m flows and m → ∞, a cell has a
//! Poisson number of flows of mean kc. Let x be the probability that a cell does not give away a flow in it: another flow
//! is left there, one that none of its other k − 1 cells gives away, so that x = 1 − exp(−kc·x^{k−1}), and x is the greatest
//! solution. A flow is left with probability x^k. With y = kc·x^{k−1} the equation is c = y/(k(1 − e^{−y})^{k−1}), which has
//! one minimum: the threshold, below which all but o(n) flows are decoded.
//!
//! Molloy, "Cores in Random Hypergraphs and Boolean Formulas", 2005; Goodrich and Mitzenmacher, "Invertible Bloom Lookup
//! Tables", 2011.

use crate::math::bisect::bisect;
use crate::math::elementary::{exp_m1, ln, pow};

/// Flows per cell at which a cell has y undecoded flows on average.
fn load_at(choices: f64, y: f64) -> f64 {
    y / (choices * pow(-exp_m1(-y), choices - 1.0))
}

/// y at the threshold: the positive solution of e^y − 1 = (k − 1)·y, for k of 3 or more.
fn critical(choices: f64) -> f64 {
    let slope = choices - 1.0;
    // The difference is least at ln(k − 1) and positive at twice ln k.
    bisect(ln(slope), 1.0 + 2.0 * ln(choices), |y| exp_m1(y) - slope * y)
}

/// Flows per cell up to which nearly all flows are decoded, c*, with k cells for each flow, 3 or more.
pub fn threshold(choices: u32) -> f64 {
    let choices = f64::from(choices);
    load_at(choices, critical(choices))
}

/// The share of the flows that is decoded in the limit of many cells with this number of flows per cell.
pub fn decoded_share(choices: u32, load: f64) -> f64 {
    if load < threshold(choices) {
        return 1.0;
    }
    let k = f64::from(choices);
    // Not more flows of a cell are left than it had, kc on average.
    let y = bisect(critical(k), k * load, |y| load_at(k, y) - load);
    1.0 - pow(-exp_m1(-y), k)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Molloy's values for 3 to 5 cells, and those of Goodrich and Mitzenmacher for the cells per flow, as printed.
    #[test]
    fn thresholds_are_those_that_are_published() {
        for (choices, flows, cells) in [(3, 0.818, 1.222), (4, 0.772, 1.295), (5, 0.702, 1.425)] {
            let own = threshold(choices);
            assert!((own - flows).abs() < 6e-4, "{choices}: {own}");
            assert!((1.0 / own - cells).abs() < 6e-4, "{choices}: {}", 1.0 / own);
        }
    }

    /// Rounds of peeling in the limit: from x = 1 on, x ← 1 − exp(−kc·x^{k−1}) falls to the greatest solution.
    #[test]
    fn shares_are_those_that_rounds_of_peeling_leave() {
        for choices in [3, 4, 7] {
            let k = f64::from(choices);
            for step in 1..40 {
                let load = 0.05 * f64::from(step);
                let mut x = 1.0_f64;
                for _ in 0..20_000 {
                    x = 1.0 - (-k * load * x.powf(k - 1.0)).exp();
                }
                let (own, expected) = (decoded_share(choices, load), 1.0 - x.powf(k));
                assert!((own - expected).abs() < 1e-9, "{choices}, {load}: {own} {expected}");
            }
        }
    }
}
