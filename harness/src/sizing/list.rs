//! How long the overflow list gets.

use loadfactor_schemes::math::fitted::Fitted;
use loadfactor_schemes::tables::theory::multilevel::{
    Count, InsertionRule, OverflowLaw, overflow_law, standard_law,
};

use super::{FiniteTable, Measured};

/// The law of the overflow list's length.
#[derive(Debug, Clone)]
pub struct List(Law);

#[derive(Debug, Clone)]
enum Law {
    Exact(Count),
    Saddlepoint(OverflowLaw),
    Simulated(Fitted),
}

impl List {
    /// The law after a static fill; `None` where it would take long or is not found.
    pub(super) fn after_static_fill(rule: InsertionRule, table: &FiniteTable) -> Option<Self> {
        let FiniteTable { elements, buckets, .. } = table;
        let work = libm::pow((*elements).into(), 1.5) * buckets.len() as f64;
        if rule == (InsertionRule::Standard { bucket_size: 1 }) && work < MOST_WORK {
            return standard_law(*elements, buckets).map(|law| Self(Law::Exact(law.overflow)));
        }
        let feasible = *elements >= LEAST_ELEMENTS && buckets.len() <= most_sub_tables(rule);
        let law = feasible.then(|| overflow_law(rule, *elements, buckets).ok())??;
        Some(Self(Law::Saddlepoint(law)))
    }

    /// The law fitted to the measured mean and to a cautious variance: two standard errors above the
    /// measured one, and at least that of elements that overflow independently. With less, a fitted law may
    /// end short of lists that do occur. `None` where nothing overflowed, or with too few trials.
    pub(super) fn of_simulation(measured: &Measured, elements: u32) -> Option<Self> {
        let (mean, variance) = (measured.overflow()?.mean()?, measured.variance()?);
        let independent = mean * (1.0 - mean / f64::from(elements));
        let cautious = variance.mean()? + 2.0 * variance.std_error()?;
        Fitted::new(mean, cautious.max(independent)).map(Law::Simulated).map(Self)
    }

    /// Elements.
    pub fn mean(&self) -> f64 {
        match &self.0 {
            Law::Exact(law) => law.mean(),
            Law::Saddlepoint(law) => law.mean(),
            Law::Simulated(law) => law.mean,
        }
    }

    /// Elements².
    pub fn variance(&self) -> f64 {
        match &self.0 {
            Law::Exact(law) => law.variance(),
            Law::Saddlepoint(law) => law.variance(),
            Law::Simulated(law) => law.variance,
        }
    }

    /// Probability of more than `k` elements.
    pub fn exceeds(&self, k: u32) -> f64 {
        match &self.0 {
            Law::Exact(law) => law.exceeds(k),
            Law::Saddlepoint(law) => law.exceeds(k),
            Law::Simulated(law) => law.exceeds(k),
        }
    }

    /// The shortest list that is exceeded with at most this probability.
    pub fn cam_size(&self, failure: f64) -> u32 {
        match &self.0 {
            Law::Exact(law) => exact_cam_size(law, failure),
            Law::Saddlepoint(law) => law.cam_size(failure),
            Law::Simulated(law) => law.upper_quantile(failure),
        }
    }

    /// Whether it is extrapolated from a simulation.
    pub fn is_simulated(&self) -> bool {
        matches!(self.0, Law::Simulated(_))
    }

    /// Where it comes from.
    pub fn source(&self) -> &'static str {
        match &self.0 {
            Law::Exact(_) => "computed exactly",
            Law::Saddlepoint(_) => "computed (saddlepoint approximation)",
            Law::Simulated(_) => "extrapolated from a simulation",
        }
    }
}

fn exact_cam_size(law: &Count, failure: f64) -> u32 {
    let mut beyond = 0.0;
    for (number, probability) in law.values().rev() {
        beyond += probability;
        if beyond > failure {
            return number;
        }
    }
    0
}

/// `n·√n` times sub-tables up to which the exact law takes less than a second.
const MOST_WORK: f64 = 2e7;

/// Elements below which the approximation is not good.
const LEAST_ELEMENTS: u32 = 100;

/// Sub-tables up to which the law is computed within seconds.
fn most_sub_tables(rule: InsertionRule) -> usize {
    match rule {
        InsertionRule::Standard { bucket_size } => 10 / usize::from(bucket_size),
        InsertionRule::Conservative => 8,
        InsertionRule::SecondChance => 6,
        InsertionRule::SecondChanceOfTwo | InsertionRule::ExtremeSecondChance => 5,
    }
}
