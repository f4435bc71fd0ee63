//! How far a finite table may be from its fluid limit, on average.
//!
//! For MULTIPLE, d-random and d-left the allowance has two parts:
//!
//! - twice the deviation to first order in `1/m`, the response of the fluid model to its own
//!   fluctuations and to the granularity of a finite table (derived in `finite_size.rs`), and `2/m` of
//!   the quantity itself;
//! - for overflow and accesses, what the fluctuation of the number of full buckets adds beyond second
//!   order: where `d` is not small beside `√m`, or overflow is rare, it dominates.
//!
//! This is not a proven bound. The tests hold it against exact chains for buckets of one and two, with
//! up to 512 choices in 64 to 1,024 buckets: it covers every deviation, and is never wider than twenty
//! times the deviation and `10/m` of the quantity, down to overflow fractions of 2e-6.
//!
//! In an equilibrium with more than 64 levels the covariances are those of independent buckets, which
//! is cruder; a static fill and a relaxation with so many levels have no allowance.
//!
//! No allowance of accesses exceeds their range, up to `alpha·d`: with choices as many as buckets the
//! first order in `1/m` says nothing.
//!
//! SINGLE is known exactly, and its allowance is the distance to the exact value.
//!
//! Allowances are absolute, in units of the quantity, so that they stay meaningful where a limit
//! is 0.

use super::d_left::{DLeft, Leftmost};
use super::d_random::LeastLoaded;
use super::finite_size::{Deviation, Model, Rule};
use super::multiple::{FirstFree, tries};
use super::occupancy::Demand;
use super::start::Start;
use super::sub_tables::{self, Chain, SubTables};
use super::{FluidLimit, ode, power_slopes, tails, trials};

/// How far the means of a finite table may be from those of its fluid limit, absolute.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowance {
    /// Of the overflow fraction.
    pub overflow: f64,
    /// Of the accesses per insertion.
    pub accesses: f64,
    /// Of the fraction of buckets with exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<f64>,
}

/// A finite table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finite {
    /// Elements.
    pub n: u64,
    /// Buckets.
    pub m: u64,
    /// Choices.
    pub d: u32,
    /// Insertion probability.
    pub alpha: f64,
}

impl Finite {
    /// For MULTIPLE under alternation.
    ///
    /// # Errors
    /// [`ode::Error::Unstable`] when `limit` is no stable equilibrium.
    pub fn multiple_alternation(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        self.alternation(&FirstFree { d: self.d }, &tails(&limit.occupancy), limit)
    }

    /// For MULTIPLE after a static fill.
    ///
    /// # Errors
    /// [`ode::Error`] when the equations cannot be integrated.
    pub fn multiple_static_fill(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        self.static_fill(&FirstFree { d: self.d }, limit.occupancy.len() - 1, limit)
    }

    /// For d-random under alternation. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`].
    pub fn d_random_alternation(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        let rule = LeastLoaded { d: self.d };
        Ok(without_accesses(self.alternation(&rule, &tails(&limit.occupancy), limit)?))
    }

    /// For d-random after a static fill. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn d_random_static_fill(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        let rule = LeastLoaded { d: self.d };
        Ok(without_accesses(self.static_fill(&rule, limit.occupancy.len() - 1, limit)?))
    }

    /// For d-left under alternation. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`].
    pub fn d_left_alternation(&self, limit: &DLeft) -> Result<Allowance, ode::Error> {
        let rule = Leftmost { d: self.d as usize };
        Ok(without_accesses(self.alternation(&rule, &limit.tails(), &limit.table)?))
    }

    /// For d-left after a static fill. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn d_left_static_fill(&self, limit: &DLeft) -> Result<Allowance, ode::Error> {
        let rule = Leftmost { d: self.d as usize };
        let states = (limit.table.occupancy.len() - 1) * self.d as usize;
        Ok(without_accesses(self.static_fill(&rule, states, &limit.table)?))
    }

    /// For MULTIPLE after `lifetimes` of alternation from `start`.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn multiple_relaxation(
        &self,
        start: Start,
        lifetimes: f64,
        limit: &FluidLimit,
    ) -> Result<Allowance, ode::Error> {
        let rule = FirstFree { d: self.d };
        let states = limit.occupancy.len() - 1;
        Ok(self.allowance(self.model(&rule).relaxation(states, start, lifetimes)?, limit))
    }

    /// For d-random after `lifetimes` of alternation from `start`. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn d_random_relaxation(
        &self,
        start: Start,
        lifetimes: f64,
        limit: &FluidLimit,
    ) -> Result<Allowance, ode::Error> {
        let rule = LeastLoaded { d: self.d };
        let states = limit.occupancy.len() - 1;
        let first_order = self.model(&rule).relaxation(states, start, lifetimes)?;
        Ok(without_accesses(self.allowance(first_order, limit)))
    }

    /// For d-left after `lifetimes` of alternation from `start`. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn d_left_relaxation(
        &self,
        start: Start,
        lifetimes: f64,
        limit: &DLeft,
    ) -> Result<Allowance, ode::Error> {
        let rule = Leftmost { d: self.d as usize };
        let states = (limit.table.occupancy.len() - 1) * self.d as usize;
        let first_order = self.model(&rule).relaxation(states, start, lifetimes)?;
        Ok(without_accesses(self.allowance(first_order, &limit.table)))
    }

    /// For MULTIPLE in the open model, with `limit` that of alternation.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`].
    pub fn multiple_open(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        let rule = FirstFree { d: self.d };
        Ok(self.allowance(self.model(&rule).open(&tails(&limit.occupancy))?, limit))
    }

    /// For d-random in the open model, with `limit` that of alternation. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`].
    pub fn d_random_open(&self, limit: &FluidLimit) -> Result<Allowance, ode::Error> {
        let rule = LeastLoaded { d: self.d };
        let first_order = self.model(&rule).open(&tails(&limit.occupancy))?;
        Ok(without_accesses(self.allowance(first_order, limit)))
    }

    /// For d-left in the open model, with `limit` that of alternation. Its accesses are exact.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`].
    pub fn d_left_open(&self, limit: &DLeft) -> Result<Allowance, ode::Error> {
        let rule = Leftmost { d: self.d as usize };
        let first_order = self.model(&rule).open(&limit.tails())?;
        Ok(without_accesses(self.allowance(first_order, &limit.table)))
    }

    /// For MULTIPLE on sub-tables under alternation, to first order alone.
    ///
    /// # Errors
    /// As [`Self::multiple_alternation`], and [`ode::Error::TooLarge`] above 64 states, `h·d`.
    pub fn sub_tables_alternation(&self, limit: &SubTables) -> Result<Allowance, ode::Error> {
        let tails = chain_tails(limit)?;
        let rule = Chain { shares: &limit.shares };
        Ok(self.first_order(&self.model(&rule).alternation(&tails)?, &limit.table))
    }

    /// For MULTIPLE on sub-tables after a static fill, to first order alone.
    ///
    /// # Errors
    /// As [`Self::multiple_static_fill`].
    pub fn sub_tables_static_fill(&self, limit: &SubTables) -> Result<Allowance, ode::Error> {
        let states = chain_tails(limit)?.len();
        let rule = Chain { shares: &limit.shares };
        Ok(self.first_order(&self.model(&rule).static_fill(states)?, &limit.table))
    }

    fn alternation<R: Rule>(
        &self,
        rule: &R,
        tails: &[f64],
        limit: &FluidLimit,
    ) -> Result<Allowance, ode::Error> {
        Ok(self.allowance(self.model(rule).alternation(tails)?, limit))
    }

    fn static_fill<R: Rule>(
        &self,
        rule: &R,
        states: usize,
        limit: &FluidLimit,
    ) -> Result<Allowance, ode::Error> {
        Ok(self.allowance(self.model(rule).static_fill(states)?, limit))
    }

    fn model<'r, R>(&self, rule: &'r R) -> Model<'r, R> {
        Model { rule, alpha: self.alpha, per_bucket: self.n as f64 / self.m as f64 }
    }

    fn allowance(&self, first_order: Deviation, limit: &FluidLimit) -> Allowance {
        let m = self.m as f64;
        let own = self.first_order(&first_order, limit);
        let [full, variance] = first_order.full;
        let weight = self.alpha * first_order.share;
        let full = Full { mean: full, variance: variance / m };
        let all_full = |p: f64| p.powf(f64::from(self.d));
        let reads = |p: f64| trials(p, 1.0 - p, self.d);
        Allowance {
            overflow: own.overflow
                + weight * full.beyond(all_full, power_slopes(full.mean, self.d)[1]),
            accesses: (own.accesses + weight * full.beyond(reads, tries(full.mean, self.d)[2]))
                .min(self.alpha * f64::from(self.d)),
            ..own
        }
    }

    /// Twice the deviation to first order, and `2/m` of the quantity.
    fn first_order(&self, deviation: &Deviation, limit: &FluidLimit) -> Allowance {
        let of = |deviation: f64, value: f64| 2.0 * (deviation + value) / self.m as f64;
        let shares = deviation.occupancy.iter().zip(&limit.occupancy);
        Allowance {
            overflow: of(deviation.overflow, limit.overflow),
            accesses: of(deviation.accesses, limit.accesses),
            occupancy: shares.map(|(&deviation, &share)| of(deviation, share)).collect(),
        }
    }
}

/// The fraction of full buckets in a finite table.
struct Full {
    mean: f64,
    variance: f64,
}

/// Poisson means above which relative fluctuations are too small to matter beyond second order.
const MOST_COUNTS: f64 = 1e8;

impl Full {
    /// By how much the mean of a function of the fraction is above what its value and its second
    /// derivative `bend` make it: where choices are many, rare fluctuations dominate.
    ///
    /// The fraction is taken as a multiple of a Poisson number, with the right mean and variance.
    fn beyond(&self, function: impl Fn(f64) -> f64, bend: f64) -> f64 {
        let count = self.mean * self.mean / self.variance;
        if !(count > 0.0 && count < MOST_COUNTS) {
            return 0.0;
        }
        let unit = self.mean / count;
        let mean = Demand::poisson(count, 1).mean_of(|k| function((k as f64 * unit).min(1.0)));
        (mean - function(self.mean) - bend / 2.0 * self.variance).max(0.0)
    }
}

fn chain_tails(limit: &SubTables) -> Result<Vec<f64>, ode::Error> {
    let tails = limit.tails();
    match tails.len() {
        ..=sub_tables::MOST_STATES => Ok(tails),
        states => Err(ode::Error::TooLarge { states, most: sub_tables::MOST_STATES }),
    }
}

/// The distance of `limit` from an exact overflow fraction and occupancy, where accesses are exact.
pub fn from_exact(overflow: f64, occupancy: &[f64], limit: &FluidLimit) -> Allowance {
    let shares = occupancy.iter().zip(&limit.occupancy);
    Allowance {
        overflow: (overflow - limit.overflow).abs(),
        accesses: 0.0,
        occupancy: shares.map(|(exact, share)| (exact - share).abs()).collect(),
    }
}

fn without_accesses(allowance: Allowance) -> Allowance {
    Allowance { accesses: 0.0, ..allowance }
}

#[cfg(test)]
mod tests;
