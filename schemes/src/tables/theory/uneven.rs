//! Buckets that are not chosen alike, in the fluid limit: two kinds of them, as a hash function of few bits makes.
//!
//! A choice falls on a bucket of kind `i` with `w_i` times the mean probability, and the share of such buckets is
//! `q_i`, so that a choice is of kind `i` with probability `q_i·w_i`. With `s_{i,k}` the fraction of the buckets of
//! kind `i` with at least `k` elements, a choice is a bucket with at least `k` elements with probability
//! `t_k = Σ q_i·w_i·s_{i,k}`. Per insertion and bucket,
//! - MULTIPLE: `ds_{i,k}/dt = w_i·g·(s_{i,k−1} − s_{i,k})`, with `g = alpha·(1 + t_h + … + t_h^(d−1))`;
//! - d-random: the same with `g_k = alpha·Σ_j t_{k−1}^j·t_k^(d−1−j)` in place of `g`: of the choices with the
//!   least load, any one gets the element.
//!
//! In both, an insertion overflows with probability `1 − alpha + alpha·t_h^d`.

use super::relaxation::{Course, Start};
use super::{FluidLimit, RELAXATION, exact_from_tails, trials};
use crate::hash::Spread;
use crate::math::elementary::pow;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Which of an element's choices gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The first that is not full.
    FirstFree,
    /// The least loaded.
    LeastLoaded,
}

/// A table whose buckets are not chosen alike.
#[derive(Debug, Clone, Copy)]
pub struct Uneven {
    /// How choices fall on buckets.
    pub spread: Spread,
    /// The rule of insertions.
    pub rule: Rule,
    /// Choices of an element, d.
    pub choices: u32,
    /// Insertion probability.
    pub alpha: f64,
    /// Bucket size, h.
    pub bucket_size: u32,
    /// Load, c.
    pub load: f64,
}

/// Kinds of bucket.
const KINDS: usize = 2;

impl Uneven {
    /// State after a static fill.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated.
    pub fn static_fill(&self) -> Result<FluidLimit, TheoryError> {
        let (levels, per_bucket) = (self.levels(), self.per_bucket());
        let start = vec![0.0; levels + 2];
        let end = ode::integrate(start, per_bucket, ode::Precision::Fine, |state, rate| {
            self.arrivals(&state[..levels], &mut rate[..=levels]);
            rate[levels + 1] = self.reads(&state[..levels]);
        })?;
        let overflow = 1.0 - self.alpha + end[levels] / per_bucket;
        Ok(self.limit(&end[..levels], overflow, end[levels + 1] / per_bucket))
    }

    /// Equilibrium under alternation.
    ///
    /// # Errors
    /// As [`static_fill`](Self::static_fill).
    pub fn alternation(&self) -> Result<FluidLimit, TheoryError> {
        self.relaxation(Start::OverflowList, RELAXATION)
    }

    /// After `lifetimes` of alternation.
    ///
    /// # Errors
    /// As [`static_fill`](Self::static_fill).
    pub fn relaxation(&self, start: Start, lifetimes: f64) -> Result<FluidLimit, TheoryError> {
        let (per_bucket, alpha) = (self.per_bucket(), self.alpha);
        let course = Course { per_bucket, alpha, sub_tables: KINDS, lifetimes };
        let before = match start {
            Start::OverflowList => course.empty(self.levels()),
            Start::Filled => self.filled(&course)?,
        };
        let (tails, overflow) =
            course.follow(before, |state, rate| self.arrivals(&state[..self.levels()], rate))?;
        Ok(self.limit(&tails, overflow, self.reads(&tails)))
    }

    fn filled(&self, course: &Course) -> Result<Vec<f64>, TheoryError> {
        let levels = self.levels();
        let start = vec![0.0; levels + 1];
        let end = ode::integrate(start, self.per_bucket(), ode::Precision::Fine, |state, rate| {
            self.arrivals(&state[..levels], rate);
        })?;
        let overflow = 1.0 - self.alpha + end[levels] / self.per_bucket();
        Ok(course.state(end[..levels].to_vec(), overflow))
    }

    /// Tails, those of both kinds level by level.
    fn levels(&self) -> usize {
        self.bucket_size as usize * KINDS
    }

    fn per_bucket(&self) -> f64 {
        self.load * f64::from(self.bucket_size)
    }

    /// `t_k` from the tails of level k.
    fn met(&self, tails: &[f64]) -> f64 {
        self.spread.chances().iter().zip(tails).map(|(chance, tail)| chance * tail).sum()
    }

    fn full(&self, tails: &[f64]) -> f64 {
        tails.chunks(KINDS).next_back().map_or(1.0, |full| self.met(full))
    }

    /// Buckets read per insertion.
    fn reads(&self, tails: &[f64]) -> f64 {
        match self.rule {
            Rule::FirstFree => self.tries(tails),
            Rule::LeastLoaded => self.alpha * f64::from(self.choices),
        }
    }

    /// `g` of MULTIPLE.
    fn tries(&self, tails: &[f64]) -> f64 {
        let full = self.full(tails);
        self.alpha * trials(full, 1.0 - full, self.choices)
    }

    /// Writes the derivatives per insertion and bucket; the last one is the overflow.
    fn arrivals(&self, tails: &[f64], rate: &mut [f64]) {
        let first = self.tries(tails);
        let mut below = [1.0; KINDS];
        for (level, rate) in tails.chunks(KINDS).zip(rate.chunks_mut(KINDS)) {
            let attempts = match self.rule {
                Rule::FirstFree => first,
                Rule::LeastLoaded => {
                    self.alpha * least(self.met(&below), self.met(level), self.choices)
                }
            };
            for (i, group) in self.spread.groups.iter().enumerate() {
                rate[i] = group.weight * attempts * (below[i] - level[i]);
                below[i] = level[i];
            }
        }
        rate[tails.len()] = self.alpha * pow(self.full(tails), f64::from(self.choices));
    }

    fn limit(&self, tails: &[f64], overflow: f64, accesses: f64) -> FluidLimit {
        let levels = tails.chunks(KINDS);
        let mean = |level: &[f64]| {
            self.spread.groups.iter().zip(level).map(|(group, tail)| group.share * tail).sum()
        };
        let tails: Vec<f64> = levels.map(mean).collect();
        FluidLimit { overflow, accesses, occupancy: exact_from_tails(&tails) }
    }
}

/// `Σ_j a^j·b^(d−1−j)`, which is `(a^d − b^d)/(a − b)`.
fn least(a: f64, b: f64, d: u32) -> f64 {
    let (sum, _) = (0..d).fold((0.0, 1.0), |(sum, power), _| (sum * b + power, power * a));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Group;
    use crate::tables::theory::{d_random, engset, erlang, multiple};

    const RULES: [Rule; 2] = [Rule::FirstFree, Rule::LeastLoaded];

    fn spread(share: f64, weight: f64) -> Spread {
        let rest = (1.0 - share * weight) / (1.0 - share);
        Spread { groups: [Group { share, weight }, Group { share: 1.0 - share, weight: rest }] }
    }

    fn uneven(rule: Rule, choices: u32, (load, bucket_size): (f64, u32), spread: Spread) -> Uneven {
        Uneven { spread, rule, choices, alpha: 0.9, bucket_size, load }
    }

    #[track_caller]
    fn close(a: &FluidLimit, b: &FluidLimit) {
        assert!((a.overflow - b.overflow).abs() < 1e-9, "{a:?} {b:?}");
        assert!((a.accesses - b.accesses).abs() < 1e-9, "{a:?} {b:?}");
        a.occupancy.iter().zip(&b.occupancy).for_each(|(a, b)| assert!((a - b).abs() < 1e-9));
    }

    /// Kinds of the same weight are no kinds.
    #[test]
    fn kinds_that_are_alike_are_one() {
        for (d, c, h) in [(2, 0.7, 1), (3, 0.9, 4), (1, 0.5, 2)] {
            let [first, least] = RULES.map(|rule| uneven(rule, d, (c, h), spread(0.3, 1.0)));
            close(&first.alternation().unwrap(), &multiple::alternation(c, h, d, 0.9));
            close(&first.static_fill().unwrap(), &multiple::static_fill(c, h, d, 0.9).unwrap());
            close(&least.alternation().unwrap(), &d_random::alternation(c, h, d, 0.9));
            close(&least.static_fill().unwrap(), &d_random::static_fill(c, h, d, 0.9).unwrap());
        }
    }

    /// With one choice each kind is an Erlang system of its own.
    #[test]
    fn one_choice_is_theorem_5_for_each_kind() {
        let (c, h, spread) = (0.8, 3, spread(0.4, 0.5));
        let expected = spread.mean(|weight| erlang::overflow(c, h, 0.9 * weight));
        for rule in RULES {
            let found = uneven(rule, 1, (c, h), spread).alternation().unwrap();
            assert!((found.overflow - expected).abs() < 1e-10, "{found:?} {expected}");
        }
        let finite = spread.mean(|weight| engset::overflow(240_000, 100_000, h, 0.9 * weight));
        assert!((finite - expected).abs() < 1e-5, "{finite} {expected}");
    }

    /// A kind that is never chosen halves the table.
    #[test]
    fn buckets_that_are_never_chosen_are_not_there() {
        for rule in RULES {
            let half = uneven(rule, 2, (0.4, 2), spread(0.5, 0.0));
            let limit = half.alternation().unwrap();
            let expected = match rule {
                Rule::FirstFree => multiple::alternation(0.8, 2, 2, 0.9),
                Rule::LeastLoaded => d_random::alternation(0.8, 2, 2, 0.9),
            };
            assert!((limit.overflow - expected.overflow).abs() < 1e-9, "{limit:?}");
            assert!((limit.occupancy[2] - expected.occupancy[2] / 2.0).abs() < 1e-9);
        }
    }
}
