//! What one insertion can do to a multilevel table, and with which probability.
//!
//! The sub-tables are described by nested sets of buckets. In `T_i` these are the buckets with at
//! least `1..=h` elements, and of the full ones those with elements that have been looked at before:
//!
//! - Cons: the marked ones (not in the last sub-table);
//! - SC and SC2: those of which at least one, or both, elements have had their choice in `T_{i+1}`
//!   found full (not in the last sub-table);
//! - SCExt: those whose element has had its choices in `T_1..T_j` found full, `j = i+1..d`.
//!
//! The sizes of these sets are the state of the table, one after the other, followed by the length of
//! the overflow list and the number of moves. With independent uniform choices they are a Markov
//! chain, not only in the limit: a choice that nobody has looked at is in each set of buckets with
//! the probability of the set, and one that was found full stays full.
//!
//! The outcomes come from running the insertion rule itself, once for every sequence of answers to
//! the questions it asks about buckets ([`Inquiry`]). Many of these sequences end alike; the [`Graph`] of
//! all outcomes holds each such end once.

use super::graph::Graph;
use super::inquiry::{Draw, Inquiry, Step, next};
use super::sets::Sets;
use super::{InsertionRule, MOST_OUTCOMES};
use crate::tables::theory::TheoryError;

/// The outcomes of an insertion.
#[derive(Debug, Clone)]
pub(super) struct Outcomes {
    /// What the states are.
    pub(super) sets: Sets,
    /// The different probabilities that are factors of those of the outcomes.
    pub(super) shares: Vec<Share>,
    /// The outcomes as sequences of factors: first come those for states that grow by one, one for
    /// each state, then the shares.
    pub(super) graph: Graph,
}

/// The probability that a uniform bucket is in the set `within` but not in the smaller set `without`.
/// `within: None` means all buckets, `without: None` the empty set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) within: Option<usize>,
    pub(super) without: Option<usize>,
}

impl Outcomes {
    /// Of `rule` with `d` sub-tables, unless they are too many.
    pub(super) fn new(rule: InsertionRule, d: usize) -> Result<Self, TheoryError> {
        let (sets, graph) = (Sets::new(rule, d)?, Graph::default());
        let mut outcomes = Self { sets, shares: Vec::new(), graph };
        let mut words = Vec::new();
        let mut answers = Some(Vec::new());
        while let Some(given) = answers {
            if words.len() == MOST_OUTCOMES {
                return Err(TheoryError::TooManyOutcomes { most: MOST_OUTCOMES });
            }
            let mut inquiry = Inquiry::new(&outcomes.sets, given);
            inquiry.insert(rule);
            answers = next(inquiry.answers.clone());
            let steps = inquiry.steps();
            words.push(steps.iter().map(|step| outcomes.factor(step)).collect());
        }
        outcomes.graph = Graph::from_words(words);
        Ok(outcomes)
    }

    fn factor(&mut self, step: &Step) -> usize {
        match step {
            Step::Grows(state) => *state,
            Step::Known(draw) => self.sets.states() + self.share(draw),
        }
    }

    /// The position of the probability of what is known of a bucket.
    fn share(&mut self, draw: &Draw) -> usize {
        let (first, end) = (self.sets.starts[draw.sub_table], self.sets.starts[draw.sub_table + 1]);
        let share = Share {
            within: draw.level.checked_sub(1).map(|level| first + level),
            without: Some(first + draw.below).filter(|&set| set < end),
        };
        let known = self.shares.iter().position(|other| *other == share);
        known.unwrap_or_else(|| {
            self.shares.push(share);
            self.shares.len() - 1
        })
    }
}

impl Share {
    /// From the sizes of the sets as fractions of the buckets of their sub-tables.
    pub(super) fn value(self, fraction: impl Fn(usize) -> f64) -> f64 {
        self.within.map_or(1.0, &fraction) - self.without.map_or(0.0, &fraction)
    }

    /// The derivative: the states that it depends on, with the signs.
    pub(super) fn signs(self) -> impl Iterator<Item = (usize, f64)> + Clone {
        let within = self.within.map(|set| (set, 1.0));
        within.into_iter().chain(self.without.map(|set| (set, -1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{conservative, extreme, pairs};
    use super::*;
    use crate::tables::theory::second_chance;
    use proptest::prelude::*;

    /// The mean change of each state by one insertion.
    fn drift(outcomes: &Outcomes, fractions: &[f64]) -> (f64, Vec<f64>) {
        let states = outcomes.sets.states();
        let shares = outcomes.shares.iter().map(|share| share.value(|set| fractions[set]));
        let weights: Vec<f64> = std::iter::repeat_n(1.0, states).chain(shares).collect();
        let ends = outcomes.graph.ends(&weights);
        let slopes = outcomes.graph.slopes(&weights, &ends);
        (*ends.last().unwrap(), slopes[..states].to_vec())
    }

    type Fill = fn(&[f64], &[f64], &mut [f64]);

    /// Compares the rates of the fluid limit, whose state has `states` components, of which that at
    /// `place(i, level)` belongs to set `level` of `T_i`, counted from 0.
    fn compare(
        rule: InsertionRule,
        (fill, states): (Fill, usize),
        (sizes, chance): (&[f64], &[f64]),
        place: impl Fn(usize, usize) -> usize,
    ) {
        let outcomes = Outcomes::new(rule, sizes.len()).unwrap();
        let mut fractions = Vec::new();
        let mut state = vec![0.0; states];
        for i in 0..sizes.len() {
            let mut fraction = 1.0;
            for level in 0..outcomes.sets.starts[i + 1] - outcomes.sets.starts[i] {
                fraction *= chance[fractions.len()];
                fractions.push(fraction);
                state[place(i, level)] = fraction;
            }
        }
        let (total, drift) = drift(&outcomes, &fractions);
        let mut rate = vec![0.0; states];
        fill(sizes, &state, &mut rate);
        assert!((total - 1.0).abs() < 1e-12);
        for (i, size) in sizes.iter().enumerate() {
            for set in outcomes.sets.starts[i]..outcomes.sets.starts[i + 1] {
                let expected = rate[place(i, set - outcomes.sets.starts[i])] * size;
                assert!(
                    (drift[set] - expected).abs() < 1e-12,
                    "{rule:?} {i}: {} {expected}",
                    drift[set]
                );
            }
        }
        let lists = if rule == InsertionRule::SecondChance { states - 3 } else { states - 2 };
        assert!((drift[outcomes.sets.overflow()] - rate[lists]).abs() < 1e-12);
        assert!((drift[outcomes.sets.moves()] - rate[lists + 1]).abs() < 1e-12);
    }

    fn standard_of_two(sizes: &[f64], state: &[f64], rate: &mut [f64]) {
        let d = sizes.len();
        let mut passed = 1.0;
        for i in 0..d {
            rate[2 * i] = passed * (1.0 - state[2 * i]) / sizes[i];
            rate[2 * i + 1] = passed * (state[2 * i] - state[2 * i + 1]) / sizes[i];
            passed *= state[2 * i + 1];
        }
        rate[2 * d] = passed;
    }

    proptest! {
        #[test]
        fn the_mean_outcome_is_the_fluid_limit(
            sizes in prop::collection::vec(0.05..2.0, 1..=5),
            chance in prop::collection::vec(0.0..=1.0, 20),
        ) {
            let d = sizes.len();
            let point = (&sizes[..], &chance[..]);
            let apart = |i, level| level * d + i;
            compare(InsertionRule::Standard { bucket_size: 2 }, (standard_of_two, 2 * d + 2), point, |i, level| 2 * i + level);
            compare(InsertionRule::Conservative, (conservative::fill, 2 * d + 2), point, apart);
            compare(InsertionRule::SecondChance, (second_chance::fill, 2 * d + 3), point, apart);
            compare(InsertionRule::ExtremeSecondChance, (extreme::fill, d * d + 2), point, |i, level| i * d + i + level);
            compare(InsertionRule::SecondChanceOfTwo, (pairs::fill, 4 * d + 2), point, |i, level| 4 * i + level);
        }
    }

    #[test]
    fn standard_has_one_outcome_per_place() {
        for (d, h) in [(1, 1), (4, 1), (3, 2), (2, 5)] {
            let rule = InsertionRule::Standard { bucket_size: h };
            let graph = Outcomes::new(rule, d).unwrap().graph;
            assert_eq!(graph.ends(&[1.0; 100]).last(), Some(&((d * usize::from(h) + 1) as f64)));
        }
    }
}
