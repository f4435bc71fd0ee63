//! MULTIPLE on sub-tables of any sizes, the j-th choice in the j-th: a chain of loss systems.
//!
//! Each sub-table is SINGLE for the elements that found all before it full. Theorem 8 of "Hash
//! Tables With Finite Buckets Are Less Resistant to Deletions" is about such uses of several
//! distributions: its bound is that of one table, and is reached only where all buckets are used
//! alike, which sub-tables of this chain are not unless the later ones are so small that they fill
//! to the same load.

use nalgebra::{DMatrix, DVector};

use super::finite_size::{FluidRule, Limit};
use super::{FluidLimit, erlang, tails};
use crate::math::demand::{self, Demand};
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// The limit of the table and of its sub-tables.
#[derive(Debug, Clone, PartialEq)]
pub struct SubTables {
    /// Of all sub-tables together.
    pub table: FluidLimit,
    /// Fraction of the buckets of each sub-table that hold exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<Vec<f64>>,
    /// Share of all buckets that each sub-table has.
    pub shares: Vec<f64>,
}

impl SubTables {
    fn new(overflow: f64, accesses: f64, occupancy: Vec<Vec<f64>>, shares: &[f64]) -> Self {
        let levels = occupancy.first().map_or(0, Vec::len);
        let of_level = |k: usize| shares.iter().zip(&occupancy).map(|(s, law)| s * law[k]).sum();
        let whole = (0..levels).map(of_level).collect();
        let table = FluidLimit { overflow, accesses, occupancy: whole };
        Self { table, occupancy, shares: shares.to_vec() }
    }
}

impl Limit for SubTables {
    fn table(&self) -> &FluidLimit {
        &self.table
    }

    fn tails(&self) -> Vec<f64> {
        let own: Vec<_> = self.occupancy.iter().map(|law| tails(law)).collect();
        let levels = own.first().map_or(0, Vec::len);
        (0..levels).flat_map(|k| own.iter().map(move |tails| tails[k])).collect()
    }
}

/// Equilibrium of alternation at load `c`, with these `shares` of all buckets, which sum up to 1:
/// sub-table `i` is offered `r_i = alpha·c·h/share_i·B_1⋯B_{i−1}` elements per bucket and has
/// Erlang's occupancy, of which `B_i` is full.
pub fn alternation(c: f64, h: u32, shares: &[f64], alpha: f64) -> SubTables {
    let mut passed = 1.0;
    let mut accesses = 0.0;
    let mut occupancy = Vec::with_capacity(shares.len());
    for share in shares {
        accesses += alpha * passed;
        let rate = alpha * c * f64::from(h) / share * passed;
        occupancy.push(erlang::occupancy(rate, h));
        passed *= erlang::blocking(rate, h);
    }
    SubTables::new(1.0 - alpha + alpha * passed, accesses, occupancy, shares)
}

/// Places of one bucket of each sub-table up to which a static fill is computed, in seconds.
const MOST_PLACES: usize = 8_192;

/// After a static fill up to load `c`: with `u_i` attempts per bucket of sub-table `i`, whose buckets
/// are full with probability `p_i`, that of a Poisson number of at least `h`, time `t` being
/// insertions per bucket, `u_i' = alpha/share_i·p_1⋯p_{i−1}`.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated, or one bucket of each sub-table makes more
/// than 8,192 places together.
pub fn static_fill(c: f64, h: u32, shares: &[f64], alpha: f64) -> Result<SubTables, TheoryError> {
    let places = h as usize * shares.len();
    if places > MOST_PLACES {
        return Err(TheoryError::TooLarge { states: places, most: MOST_PLACES });
    }
    let per_bucket = c * f64::from(h);
    let start = vec![0.0; shares.len() + 1];
    let end = ode::integrate(start, per_bucket, ode::Precision::Fine, |attempts, rate| {
        let mut passed = alpha;
        for ((rate, attempts), share) in rate.iter_mut().zip(attempts).zip(shares) {
            *rate = passed / share;
            passed *= demand::poisson_at_least(*attempts, h);
        }
        rate[shares.len()] = passed;
    })?;
    let attempts = &end[..shares.len()];
    let accesses = attempts.iter().zip(shares).map(|(u, s)| u * s).sum::<f64>() / per_bucket;
    let occupancy = attempts.iter().map(|&u| Demand::poisson(u, h).kept(h)).collect();
    let overflow = 1.0 - alpha + end[shares.len()] / per_bucket;
    Ok(SubTables::new(overflow, accesses, occupancy, shares))
}

/// The first non-full of `d` choices, each in its sub-table: the obstacles are the levels of the first
/// sub-table, then those of the second. With `f_i` the fraction of full buckets in sub-table `i` and
/// `s` the tail of a state in sub-table `j`, `W = f_1⋯f_{j−1}·s`.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'s> {
    /// Share of all buckets that each sub-table has.
    pub shares: &'s [f64],
}

impl Chain<'_> {
    /// Of each state, the tails of which `W` is the product.
    fn factors(&self, states: usize) -> impl Iterator<Item = Vec<usize>> {
        let d = self.shares.len();
        let full = states.saturating_sub(d);
        (0..states).map(move |i| (full..full + i % d).chain([i]).collect())
    }

    /// The states past which another bucket is read.
    fn full(&self, states: usize) -> std::ops::Range<usize> {
        states.saturating_sub(self.shares.len())..states.saturating_sub(1)
    }
}

/// The product of all tails but those at two positions.
fn product_without(tails: &[f64], factors: &[usize], a: usize, b: usize) -> f64 {
    factors.iter().filter(|&&i| i != a && i != b).map(|&i| tails[i]).product()
}

impl FluidRule for Chain<'_> {
    type Limit = SubTables;
    const ALIKE: bool = false;

    fn choices(&self) -> u32 {
        self.shares.len() as u32
    }

    fn sub_tables(&self) -> usize {
        self.shares.len()
    }

    fn share(&self, i: usize) -> f64 {
        self.shares[i % self.shares.len()]
    }

    fn before(&self, i: usize, states: usize) -> Option<usize> {
        let d = self.shares.len();
        i.checked_sub(d).or_else(|| Some(states - d + i.checked_sub(1)?))
    }

    fn passed(&self, tails: &[f64]) -> DVector<f64> {
        let product = |factors: Vec<usize>| factors.into_iter().map(|i| tails[i]).product();
        DVector::from_vec(self.factors(tails.len()).map(product).collect())
    }

    fn slopes(&self, tails: &[f64]) -> DMatrix<f64> {
        let mut slopes = DMatrix::zeros(tails.len(), tails.len());
        for (i, factors) in self.factors(tails.len()).enumerate() {
            for &j in &factors {
                slopes[(i, j)] = product_without(tails, &factors, j, j);
            }
        }
        slopes
    }

    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64> {
        let curvature = self.factors(tails.len()).map(|factors| {
            let pairs = factors
                .iter()
                .enumerate()
                .flat_map(|(end, &a)| factors[..end].iter().map(move |&b| (a, b)));
            let of_pair = |(a, b)| covariance[(a, b)] * product_without(tails, &factors, a, b);
            pairs.map(of_pair).sum::<f64>()
        });
        DVector::from_vec(curvature.collect())
    }

    fn reads(&self, tails: &[f64]) -> f64 {
        let passed = self.passed(tails);
        1.0 + self.full(tails.len()).map(|i| passed[i]).sum::<f64>()
    }

    fn reads_slopes(&self, tails: &[f64]) -> DVector<f64> {
        let slopes = self.slopes(tails);
        let zero = DVector::zeros(tails.len());
        self.full(tails.len()).fold(zero, |sum, i| sum + slopes.row(i).transpose())
    }

    fn reads_curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> f64 {
        let curvature = self.curvature(tails, covariance);
        self.full(tails.len()).map(|i| curvature[i]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bisect::bisect;
    use crate::tables::theory::{bounds, d_left};
    use proptest::prelude::*;

    #[test]
    fn one_sub_table_is_single() {
        let dynamic = alternation(0.9, 4, &[1.0], 0.7).table;
        assert!((dynamic.overflow - erlang::overflow(0.9, 4, 0.7)).abs() < 1e-14);
        let fill = static_fill(0.9, 4, &[1.0], 0.7).unwrap().table;
        assert!((fill.overflow - bounds::fill(0.7, 0.9, 4)).abs() < 1e-10);
    }

    /// With buckets of one, d-left reads all but does the same.
    #[test]
    fn single_slots_are_d_left() {
        let (c, shares) = (0.8, [1.0 / 3.0; 3]);
        let (own, theirs) = (alternation(c, 1, &shares, 1.0), d_left::alternation(c, 1, 3, 1.0));
        let theirs = theirs.unwrap().table;
        assert!((own.table.overflow - theirs.overflow).abs() < 1e-10);
        let (own, theirs) = (static_fill(c, 1, &shares, 1.0), d_left::static_fill(c, 1, 3, 1.0));
        assert!((own.unwrap().table.overflow - theirs.unwrap().table.overflow).abs() < 1e-10);
    }

    /// Theorem 8: sub-tables of such sizes that all buckets are used alike reach the bound.
    #[test]
    fn even_use_reaches_the_bound() {
        let (c, h) = (0.9, 4);
        // Offered alike if the second has the first's overflow and as many fewer buckets.
        let offered = |full: f64| c * f64::from(h) * (1.0 + full);
        let full = bisect(0.0, 1.0, |full| full - erlang::blocking(offered(full), h));
        let shares = [1.0 / (1.0 + full), full / (1.0 + full)];
        let limit = alternation(c, h, &shares, 1.0);
        assert!((limit.occupancy[0][4] - limit.occupancy[1][4]).abs() < 1e-12);
        let bound = bounds::dynamic(limit.table.accesses, c, h);
        assert!((limit.table.overflow - bound).abs() < 1e-12);
        let uneven = alternation(c, h, &[0.5, 0.5], 1.0).table;
        assert!(uneven.overflow > bounds::dynamic(uneven.accesses, c, h) + 1e-3);
    }

    proptest! {
        #[test]
        fn elements_are_conserved(c in 0.1..2.0, h in 1_u32..9, first in 0.2..0.8, alpha in 0.1..=1.0) {
            let shares = [first, 0.7 * (1.0 - first), 0.3 * (1.0 - first)];
            for limit in [alternation(c, h, &shares, alpha), static_fill(c, h, &shares, alpha).unwrap()] {
                let stored: f64 = (0_u32..).zip(&limit.table.occupancy).map(|(k, p)| f64::from(k) * p).sum();
                prop_assert!((1.0 - stored / (c * f64::from(h)) - limit.table.overflow).abs() < 1e-9);
            }
        }

        #[test]
        fn the_bound_holds(c in 0.1..2.0, h in 1_u32..9, first in 0.1..0.9) {
            let limit = alternation(c, h, &[first, 1.0 - first], 1.0).table;
            prop_assert!(limit.overflow >= bounds::dynamic(limit.accesses, c, h) - 1e-12);
        }
    }
}
