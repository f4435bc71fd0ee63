//! How long the overflow list gets.

use loadfactor_schemes::math::fitted::Fitted;
use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::theory::multilevel::{
    Count, InsertionRule, OverflowLaw, overflow_law, small_table, standard_law,
};

use super::{FiniteTable, Measured, whole};

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
    Simulated(Fitted),
    /// A Poisson number of this variance, and the rest of the mean beside it.
    Shifted {
        mean: f64,
        variance: f64,
    },
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

    /// The law fitted to the measured mean and to a cautious variance, two standard errors above the measured
    /// one. Where the list scatters less than Poisson's, it is continued as a Poisson number of that
    /// variance, which is more cautious than a binomial one. Where nothing overflowed, it is a Poisson number
    /// of the mean that would have been seen with a probability of 95 %. `None` with too few trials.
    pub(super) fn of_simulation(measured: &Measured) -> Option<Self> {
        let (mean, variance) = (measured.overflow()?.mean()?, measured.variance()?);
        if mean == 0.0 {
            let mean = UNSEEN / measured.trials as f64;
            return Some(Law::Bounded { mean }.without_moves());
        }
        let cautious = variance.mean()? + 2.0 * variance.std_error()?;
        Self::fitted(mean, cautious)
    }

    fn fitted(mean: f64, variance: f64) -> Option<Self> {
        let law = if variance < mean {
            Law::Shifted { mean, variance }
        } else {
            Law::Simulated(Fitted::new(mean, variance)?)
        };
        Some(law.without_moves())
    }

    /// Elements.
    pub fn mean(&self) -> f64 {
        match &self.law {
            Law::Exact(law) => law.mean(),
            Law::Saddlepoint(law) => law.mean(),
            Law::Simulated(law) => law.mean,
            Law::Shifted { mean, .. } | Law::Bounded { mean } => *mean,
        }
    }

    /// Elements².
    pub fn variance(&self) -> f64 {
        match &self.law {
            Law::Exact(law) => law.variance(),
            Law::Saddlepoint(law) => law.variance(),
            Law::Simulated(law) => law.variance,
            Law::Shifted { variance, .. } | Law::Bounded { mean: variance } => *variance,
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
            Law::Shifted { mean, variance } => {
                let scattered = f64::from(k) - (mean - variance);
                if scattered < 0.0 { 1.0 } else { poisson::exceeds(*variance, scattered as u32) }
            }
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
            Law::Simulated(_) | Law::Shifted { .. } => "extrapolated from a simulation",
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

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::math::bisect::smallest;

    /// Lists that scatter less than Poisson's, whose law is known: what would be extrapolated from their mean and
    /// variance is never too short, and longer by little.
    #[test]
    fn extrapolated_lists_are_long_enough_where_the_law_is_known() {
        for (n, buckets) in [
            (1000, &[600, 400][..]),
            (1000, &[400, 300, 200]),
            (2000, &[1110, 775, 515]),
            (300, &[100, 80, 60, 40]),
            (5000, &[2500, 1500, 600, 300]),
        ] {
            let law = standard_law(n, buckets).unwrap().overflow;
            assert!(law.variance() < law.mean());
            let list = List::fitted(law.mean(), law.variance()).unwrap();
            for failure in [1e-3, 1e-6, 1e-12] {
                let known = smallest(n, |k| law.exceeds(k) <= failure);
                let fitted = smallest(n, |k| list.exceeds(k) <= failure);
                let beyond = f64::from(fitted - known) / law.variance().sqrt();
                assert!(
                    fitted >= known && beyond < 2.0,
                    "{n} {buckets:?} {failure}: {fitted} {known}"
                );
            }
        }
    }
}
