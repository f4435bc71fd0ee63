//! How far a finite table may be from its fluid limit, on average.
//!
//! For MULTIPLE, d-random and d-left the deviation is known to first order in `1/m`, the response of the
//! fluid model to its own fluctuations and to the granularity of a finite table (derived in
//! `finite_size.rs`). A limit with this deviation is a refined limit. Its allowance is what the deviation
//! does to itself, the square of the part that it is of the limit (`Shift::refine`), and the rare
//! fluctuations below, and the limit is allowed the deviation and that. Where the part is large, or choices are many beside `√m`, there is no
//! refined limit, and the allowance of the limit has two parts:
//!
//! - twice the deviation to first order in `1/m`, and `2/m` of the quantity itself;
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

use super::finite_size::{Deviation, FluidRule, Limit, Model};
use super::multiple::tries;
use super::refined::{Refined, Shift, Size};
use super::start::Start;
use super::{FluidLimit, power_slopes, trials};
use crate::math::demand::Demand;
use crate::math::elementary::pow;
use crate::tables::theory::TheoryError;

/// How far the means of a finite table may be from those of its fluid limit, absolute.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowance {
    /// Of the overflow fraction.
    pub overflow: f64,
    /// Of the accesses per insertion.
    pub accesses: f64,
    /// Of the fraction of buckets with exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<f64>,
    /// What first order says of them.
    pub refined: FirstOrder,
}

/// Limits with their deviation of first order, where that says anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FirstOrder {
    /// Of the overflow fraction.
    pub overflow: Option<Refined>,
    /// Of the accesses per insertion.
    pub accesses: Option<Refined>,
    /// Of the fraction of buckets with exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<Option<Refined>>,
    /// Of the load of each sub-table.
    pub loads: Vec<Option<Refined>>,
}

/// A finite table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finite {
    /// Elements.
    pub n: u64,
    /// Buckets.
    pub m: u64,
    /// Insertion probability.
    pub alpha: f64,
}

/// What happens to the elements of a table before it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Regime {
    /// They have been inserted into an empty table.
    StaticFill,
    /// Alternation, in its equilibrium.
    Alternation,
    /// Alternation, on the way to its equilibrium.
    Relaxation {
        /// What it begins with.
        start: Start,
        /// How long it lasts: `n` rounds are one lifetime.
        lifetimes: f64,
    },
    /// The open model in its equilibrium, whose limit is that of alternation.
    Open,
}

impl Finite {
    /// For a table that `rule` fills in this `regime`, whose limit is `limit`. Where all choices are
    /// read, the accesses are exact; where buckets are not alike, the allowance is to first order alone.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations of a fill or a relaxation cannot be integrated, or `limit` is no
    /// stable equilibrium; [`TheoryError::TooLarge`] above 64 states, `h·d` with sub-tables, but for an
    /// equilibrium of buckets that are alike.
    pub fn allowance<R: FluidRule>(
        &self,
        rule: &R,
        regime: Regime,
        limit: &R::Limit,
    ) -> Result<Allowance, TheoryError> {
        let (tails, limit) = (limit.tails(), limit.table());
        let deviation = self.deviation(rule, regime, &tails)?;
        let mut allowance = self.twice_first_order(&deviation, limit);
        let loads = loads(&tails, rule.sub_tables());
        let mut refined = self.refined(&deviation, limit, &loads, rule.choices());
        if R::ALIKE {
            let [overflow, accesses] = self.rare_fluctuations(&deviation, rule.choices());
            let most = self.alpha * f64::from(rule.choices());
            allowance.overflow += overflow;
            allowance.accesses = (allowance.accesses + accesses).min(most);
            refined.allow_further(overflow, accesses);
        }
        allowance.refine(refined);
        if R::READS_ALL {
            allowance.accesses = 0.0;
            allowance.refined.accesses = None;
        }
        Ok(allowance)
    }

    /// To first order, as a coefficient of `1/m`.
    fn deviation<R: FluidRule>(
        &self,
        rule: &R,
        regime: Regime,
        tails: &[f64],
    ) -> Result<Deviation, TheoryError> {
        let per_bucket = self.n as f64 / self.m as f64;
        let model = Model { rule, alpha: self.alpha, per_bucket };
        match regime {
            Regime::StaticFill => model.static_fill(tails.len()),
            Regime::Alternation => model.alternation(tails),
            Regime::Relaxation { start, lifetimes } => {
                model.relaxation(tails.len(), start, lifetimes)
            }
            Regime::Open => model.open(tails),
        }
    }

    /// Twice the deviation to first order, and `2/m` of the quantity.
    fn twice_first_order(&self, deviation: &Deviation, limit: &FluidLimit) -> Allowance {
        let of = |shift: Shift, value: f64| 2.0 * (shift.by.abs() + value) / self.m as f64;
        let shares = deviation.occupancy.iter().zip(&limit.occupancy);
        Allowance {
            overflow: of(deviation.overflow, limit.overflow),
            accesses: of(deviation.accesses, limit.accesses),
            occupancy: shares.map(|(&shift, &share)| of(shift, share)).collect(),
            refined: FirstOrder::default(),
        }
    }

    /// Limits and their deviation. What goes to the list without a try is known exactly. With choices that
    /// are many beside `√m`, a table may be full before or after the limit says so, and nothing is said.
    fn refined(
        &self,
        deviation: &Deviation,
        limit: &FluidLimit,
        loads: &[f64],
        choices: u32,
    ) -> FirstOrder {
        let (m, spread) = (self.m as f64, &deviation.spread);
        if f64::from(choices).powi(2) > m / LEAST_BUCKETS {
            return FirstOrder::default();
        }
        let table = Size { per: m, least: self.n.min(self.m) as f64 };
        let all = |shifts: &[Shift], values: &[f64], spreads: &[f64]| {
            let each = shifts.iter().zip(values).zip(spreads);
            each.map(|((&shift, &value), &spread)| shift.refine(value, spread, table)).collect()
        };
        let tried = limit.overflow - (1.0 - self.alpha);
        FirstOrder {
            overflow: deviation.overflow.refine(tried, spread.overflow, table),
            accesses: deviation.accesses.refine(limit.accesses, spread.accesses, table),
            occupancy: all(&deviation.occupancy, &limit.occupancy, &spread.occupancy),
            loads: all(&deviation.loads, loads, &spread.loads),
        }
    }

    /// What the fluctuation of the number of full buckets adds beyond second order to overflow and accesses,
    /// with `d` choices.
    fn rare_fluctuations(&self, deviation: &Deviation, d: u32) -> [f64; 2] {
        let [full, variance] = deviation.full;
        let weight = self.alpha * deviation.share;
        let full = Full { mean: full, variance: variance / self.m as f64 };
        let all_full = |p: f64| pow(p, f64::from(d));
        let reads = |p: f64| trials(p, 1.0 - p, d);
        let overflow = full.beyond(all_full, power_slopes(full.mean, d)[1]);
        let accesses = full.beyond(reads, tries(full.mean, d)[2]);
        [weight * overflow, weight * accesses]
    }
}

impl FirstOrder {
    /// Allows the overflow and the accesses as much more.
    fn allow_further(&mut self, overflow: f64, accesses: f64) {
        for (refined, further) in [(&mut self.overflow, overflow), (&mut self.accesses, accesses)] {
            if let Some(refined) = refined {
                refined.allowance += further;
            }
        }
    }
}

impl Allowance {
    /// Takes what first order says where that is less than twice it.
    fn refine(&mut self, refined: FirstOrder) {
        let replace = |allowance: &mut f64, refined: &Option<Refined>| {
            *allowance = refined.map_or(*allowance, |refined| refined.from_limit().min(*allowance));
        };
        replace(&mut self.overflow, &refined.overflow);
        replace(&mut self.accesses, &refined.accesses);
        self.occupancy.iter_mut().zip(&refined.occupancy).for_each(|(a, r)| replace(a, r));
        self.refined = refined;
    }
}

/// Buckets per squared choice from which on first order is taken at its word.
pub(super) const LEAST_BUCKETS: f64 = 2.0;

/// The loads of the sub-tables with these tails.
fn loads(tails: &[f64], sub_tables: usize) -> Vec<f64> {
    let levels = (tails.len() / sub_tables) as f64;
    let load = |j| tails.iter().skip(j).step_by(sub_tables).sum::<f64>() / levels;
    (0..sub_tables).map(load).collect()
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

/// The distance of `limit` from an exact overflow fraction and occupancy, where accesses are exact.
pub fn from_exact(overflow: f64, occupancy: &[f64], limit: &FluidLimit) -> Allowance {
    let shares = occupancy.iter().zip(&limit.occupancy);
    Allowance {
        overflow: (overflow - limit.overflow).abs(),
        accesses: 0.0,
        occupancy: shares.map(|(exact, share)| (exact - share).abs()).collect(),
        refined: FirstOrder::default(),
    }
}

#[cfg(test)]
mod tests;
