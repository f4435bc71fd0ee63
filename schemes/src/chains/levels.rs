//! How close a fill with several choices is to a long chain.

use super::point::{Kind, Point};
use crate::math::elementary::{exp, ln, ln_1p};

/// The numbers of buckets with at least 1, 2, … elements in each group of buckets, and what they let expect.
///
/// The groups are the sub-tables of d-left, or all buckets of the d-way table. An element makes a chain of j + 1 if all of
/// its choices have j elements or more. From the buckets that have so many now, the expected number of those that
/// will have one more follows, and so on up to the event; its logarithm is the score. The lowest level of this ladder is the
/// first that fewer than half of the buckets have reached.
#[derive(Debug)]
pub(super) struct Levels {
    /// For each group and level j from 0 on, buckets with at least j elements.
    reached: Vec<Vec<u32>>,
    /// Buckets of a group.
    buckets: u32,
    /// d.
    choices: u32,
    beyond: u32,
    /// Chains of fewer elements are too common to be looked at.
    shortest: f64,
    /// For each group, the logarithm of the expected number of buckets of the level at hand.
    expected: Vec<f64>,
    /// The lowest level of the ladder when the score was last worked out.
    first: u32,
    /// Unless another level has become the lowest since, the score is no higher than that.
    at_most: f64,
}

/// More than what rounding makes of a score.
const ROUNDING: f64 = 1e-9;

impl Levels {
    /// No bucket has an element yet.
    pub(super) fn new(point: &Point, beyond: u32) -> Self {
        let groups = if point.kind == Kind::Left { point.ranges.len() } else { 1 };
        let buckets = point.size.buckets / groups as u32;
        let shortest = f64::min(point.size.load() + 1.0, f64::from(beyond));
        let reached = vec![vec![0; beyond as usize + 2]; groups];
        let (choices, expected) = (point.ranges.len() as u32, vec![0.0; groups]);
        let (first, at_most) = (1, f64::INFINITY);
        let mut levels =
            Self { reached, buckets, choices, beyond, shortest, expected, first, at_most };
        levels.clear();
        levels
    }

    /// Empties all buckets.
    pub(super) fn clear(&mut self) {
        for group in &mut self.reached {
            group.fill(0);
            group[0] = self.buckets;
        }
        (self.first, self.at_most) = (1, f64::INFINITY);
    }

    /// Another bucket has so many elements, one that was this choice.
    #[inline]
    pub(super) fn count(&mut self, choice: usize, load: u32) {
        let groups = self.reached.len();
        let group = if groups > 1 { choice } else { 0 };
        let number = &mut self.reached[group][load as usize];
        // What is expected at a level grows at most as the d-th power of what is at the one below, in all groups, and the
        // logarithm of (n + 1)/n is at most 1/n. This number is of one group: where there are others, it counts once in what
        // is expected at the next level.
        if load >= self.first {
            let above = self.beyond + 1 - load - u32::from(groups > 1);
            self.at_most += f64::from(self.choices).powi(above as i32) / f64::from(*number);
        }
        *number += 1;
    }

    /// What the score after an element is no higher than: it falls as fewer elements are still to come.
    #[inline]
    pub(super) fn at_most(&self) -> f64 {
        // With another first level the ladder is another.
        if self.is_rare(self.first) { self.at_most } else { f64::INFINITY }
    }

    fn is_rare(&self, level: u32) -> bool {
        2 * self.all_at(level) <= self.buckets * self.reached.len() as u32
    }

    /// The score after an element that made a chain of this length, with so many that are still to come and itself;
    /// `None` where the chain is too common, or no element may join one yet.
    pub(super) fn score(&mut self, left: f64, load: u32) -> Option<f64> {
        if f64::from(load) < self.shortest {
            return None;
        }
        let groups = self.reached.len();
        let first = (1..=self.beyond).find(|&level| self.is_rare(level)).unwrap_or(self.beyond);
        for (expected, own) in self.expected.iter_mut().zip(&self.reached) {
            *expected = ln(own[first as usize].into());
        }
        let for_each_group = ln(left) - ln(groups as f64);
        for level in first + 1..=self.beyond + 1 {
            let joining = for_each_group + self.ln_all_long(&self.expected);
            for (expected, own) in self.expected.iter_mut().zip(&self.reached) {
                *expected = ln_sum(own[level as usize].into(), joining);
            }
        }
        let expected = &self.expected;
        let highest = expected.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (self.first, self.at_most) = (first, f64::INFINITY);
        if highest == f64::NEG_INFINITY {
            return None;
        }
        let ln_number = highest + ln(expected.iter().map(|own| exp(own - highest)).sum());
        // A number λ is made a probability, λ/(1 + λ).
        let score = ln_number - ln_1p(exp(ln_number));
        if score.is_finite() {
            self.at_most = score + ROUNDING;
        }
        Some(score)
    }

    /// Buckets of all groups with at least so many elements.
    fn all_at(&self, level: u32) -> u32 {
        self.reached.iter().map(|own| own[level as usize]).sum()
    }

    /// ln P(all choices of an element are long), given the logarithms of the numbers of long buckets. Less than one is
    /// expected where there is none as a rule and one now and then: in the d-way table all choices may be that one.
    fn ln_all_long(&self, expected: &[f64]) -> f64 {
        let every = -f64::from(self.choices) * ln(self.buckets.into());
        match expected {
            [own] if *own < 0.0 => own + every,
            [own] => f64::from(self.choices) * own + every,
            groups => groups.iter().sum::<f64>() + every,
        }
    }
}

/// ln(a + e^b).
fn ln_sum(a: f64, b: f64) -> f64 {
    if a == 0.0 { b } else { ln(a) + ln_1p(exp(b - ln(a))) }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng};

    use super::*;
    use crate::Rng;
    use crate::hash::reduce;

    /// Elements go to the least loaded of their choices, one by one. What a score is said to be at most holds however many came
    /// since one was worked out; some need not be, as they are below one of before.
    #[test]
    fn no_score_is_above_what_it_is_at_most() {
        let mut rng = Rng::seed_from_u64(1);
        let mut passed = 0;
        for (groups, choices, buckets) in
            [(1_u32, 2_u32, 60_u32), (1, 3, 200), (2, 2, 40), (4, 4, 20)]
        {
            let (beyond, elements) = (4, groups * buckets * 3 / 2);
            let mut levels = Levels {
                reached: vec![vec![0; beyond as usize + 2]; groups as usize],
                buckets,
                choices,
                beyond,
                shortest: 1.0,
                expected: vec![0.0; groups as usize],
                first: 1,
                at_most: f64::INFINITY,
            };
            levels.clear();
            let mut loads = vec![vec![0_u32; buckets as usize]; groups as usize];
            let mut highest = f64::NEG_INFINITY;
            for step in 0..elements {
                let own: Vec<[usize; 2]> = (0..choices)
                    .map(|choice| {
                        [choice % groups, reduce(rng.next_u64(), buckets)].map(|at| at as usize)
                    })
                    .collect();
                let load_of = |&[group, bucket]: &[usize; 2]| loads[group][bucket];
                let [group, bucket] = own.iter().copied().min_by_key(load_of).unwrap();
                if loads[group][bucket] == beyond {
                    continue;
                }
                loads[group][bucket] += 1;
                levels.count(group, loads[group][bucket]);
                let at_most = levels.at_most();
                let (first, kept) = (levels.first, levels.at_most);
                let score =
                    levels.score((elements - step).into(), beyond).unwrap_or(f64::NEG_INFINITY);
                assert!(score <= at_most, "{groups} {choices} {step}: {score} {at_most}");
                if at_most > highest {
                    highest = highest.max(score);
                } else {
                    passed += 1;
                    (levels.first, levels.at_most) = (first, kept);
                }
            }
        }
        assert!(passed > 0);
    }
}
