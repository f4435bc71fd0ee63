//! How long the overflow list gets.

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::theory::multilevel::{
    Count, InsertionRule, OverflowLaw, overflow_law, small_table, standard_law,
};

use super::extrapolated::Extrapolated;
use super::{FiniteTable, Sample, Seen, whole};

/// The law of the overflow list's length.
#[derive(Debug, Clone)]
pub struct List {
    law: Law,
    /// Elements moved, per insertion, where they come with the law.
    moves: Option<f64>,
}

#[derive(Debug, Clone)]
enum Law {
    Exact(Count),
    Saddlepoint(OverflowLaw),
    Simulated(Extrapolated),
    /// A Poisson number of no less than the mean that may have been overlooked.
    Bounded {
        mean: f64,
    },
}

impl Law {
    fn without_moves(self) -> List {
        List { law: self, moves: None }
    }
}

impl List {
    /// No element.
    pub(super) fn none() -> Self {
        Law::Exact(Count::certain(0)).without_moves()
    }

    /// The law after a static fill; `None` where it would take long or is not found.
    pub(super) fn after_static_fill(rule: InsertionRule, table: &FiniteTable) -> Option<Self> {
        let FiniteTable { elements, buckets, .. } = table;
        let work = libm::pow((*elements).into(), 1.5) * buckets.len() as f64;
        if rule == (InsertionRule::Standard { bucket_size: 1 }) && work < MOST_WORK {
            let law = standard_law(*elements, buckets)?;
            return Some(Law::Exact(law.overflow).without_moves());
        }
        if whole::are_few(*elements) {
            let small = small_table(rule, *elements, buckets)?;
            return Some(Self { law: Law::Exact(small.overflow), moves: Some(small.moves) });
        }
        let feasible = buckets.len() <= most_sub_tables(rule);
        let law = feasible.then(|| overflow_law(rule, *elements, buckets).ok())??;
        Some(Law::Saddlepoint(law).without_moves())
    }

    /// The law that is extrapolated from what was seen of the list, and of that of a smaller table of the same
    /// kind, if there is one. Where nothing overflowed, it is a Poisson number of the mean that would have been
    /// seen with a probability of 95 %.
    pub(super) fn of_simulation(seen: &Seen, smaller: Option<&Sample>) -> Self {
        let shape = smaller.filter(|smaller| smaller.mean().value > 0.0).unwrap_or(&seen.sample);
        let law = Extrapolated::cautious(seen.mean, shape).map(Law::Simulated);
        let bounded = Law::Bounded { mean: UNSEEN * seen.times / seen.sample.trials as f64 };
        law.unwrap_or(bounded).without_moves()
    }

    /// Elements.
    pub fn mean(&self) -> f64 {
        match &self.law {
            Law::Exact(law) => law.mean(),
            Law::Saddlepoint(law) => law.mean(),
            Law::Simulated(law) => law.mean(),
            Law::Bounded { mean } => *mean,
        }
    }

    /// Elements².
    pub fn variance(&self) -> f64 {
        match &self.law {
            Law::Exact(law) => law.variance(),
            Law::Saddlepoint(law) => law.variance(),
            Law::Simulated(law) => law.variance(),
            Law::Bounded { mean } => *mean,
        }
    }

    /// Elements moved, per insertion, where they come with the law.
    pub fn moves(&self) -> Option<f64> {
        self.moves
    }

    /// Probability of more than `k` elements.
    pub fn exceeds(&self, k: u32) -> f64 {
        match &self.law {
            Law::Exact(law) => law.exceeds(k),
            Law::Saddlepoint(law) => law.exceeds(k),
            Law::Simulated(law) => law.exceeds(k),
            Law::Bounded { mean } => poisson::exceeds(*mean, k),
        }
    }

    /// Whether it is extrapolated from a simulation.
    pub fn is_simulated(&self) -> bool {
        !matches!(self.law, Law::Exact(_) | Law::Saddlepoint(_))
    }

    /// Where nothing overflowed in a simulation, the mean of the list that is feared all the same.
    pub fn feared(&self) -> Option<f64> {
        match self.law {
            Law::Bounded { mean } => Some(mean),
            _ => None,
        }
    }

    /// Where it comes from.
    pub fn source(&self) -> &'static str {
        match &self.law {
            Law::Exact(_) => "computed exactly",
            Law::Saddlepoint(_) => "computed (saddlepoint approximation)",
            Law::Simulated(_) => "extrapolated from a simulation",
            Law::Bounded { .. } => "a bound",
        }
    }
}

/// −ln 5 %: the mean of a Poisson number that is 0 once in twenty times.
const UNSEEN: f64 = 2.995_732_273_553_991;

/// `n·√n` times sub-tables up to which the exact law takes less than a second.
const MOST_WORK: f64 = 2e7;

/// Sub-tables up to which the law is computed within seconds.
fn most_sub_tables(rule: InsertionRule) -> usize {
    match rule {
        InsertionRule::Standard { bucket_size } => 10 / usize::from(bucket_size),
        InsertionRule::Conservative => 8,
        InsertionRule::SecondChance => 7,
        InsertionRule::SecondChanceOfTwo | InsertionRule::ExtremeSecondChance => 5,
    }
}
