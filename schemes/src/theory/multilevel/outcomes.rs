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
//! the questions it asks about buckets ([`Inquiry`]).

use super::{InsertionRule, MOST_OUTCOMES, MOST_SETS, ode};

/// The outcomes of an insertion.
#[derive(Debug, Clone)]
pub(super) struct Outcomes {
    /// For each sub-table, the state that its first set of buckets has, and at the end the number of
    /// sets.
    starts: Vec<usize>,
    /// h.
    bucket_size: usize,
    /// The different probabilities that the factors of the outcomes have.
    pub(super) shares: Vec<Share>,
    pub(super) all: Vec<Outcome>,
}

/// The probability that a uniform bucket is in one set but not in the next smaller one: every bucket
/// is in the set `None` of `within`, and no bucket in that of `without`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) within: Option<usize>,
    pub(super) without: Option<usize>,
}

/// One outcome of an insertion.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// The factors of its probability, as positions in [`Outcomes::shares`].
    pub(super) factors: Vec<usize>,
    /// The states that grow by one.
    pub(super) grows: Vec<usize>,
}

impl Outcomes {
    /// Of `rule` with `d` sub-tables, unless they are too many.
    pub(super) fn new(rule: InsertionRule, d: usize) -> Result<Self, ode::Error> {
        let starts = starts(rule, d)?;
        let bucket_size = rule.bucket_size().into();
        let mut outcomes = Self { starts, bucket_size, shares: Vec::new(), all: Vec::new() };
        let mut answers = Some(Vec::new());
        while let Some(given) = answers {
            at_most(MOST_OUTCOMES, outcomes.all.len() + 1)?;
            let mut inquiry = Inquiry::new(&outcomes, given);
            inquiry.insert(rule);
            let Inquiry { answers: taken, draws, grows, .. } = inquiry;
            let factors = draws.iter().filter_map(|draw| outcomes.factor(draw)).collect();
            outcomes.all.push(Outcome { factors, grows });
            answers = next(taken);
        }
        Ok(outcomes)
    }

    /// d.
    pub(super) fn sub_tables(&self) -> usize {
        self.starts.len() - 1
    }

    /// The sets of buckets: the states without the overflow list and the moves.
    pub(super) fn sets(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The state that is the length of the overflow list.
    pub(super) fn overflow(&self) -> usize {
        self.sets()
    }

    /// The state that is the number of moves.
    pub(super) fn moves(&self) -> usize {
        self.sets() + 1
    }

    /// The states whose sum is the number of elements in `T_i`.
    pub(super) fn elements(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i] + self.bucket_size
    }

    /// The buckets that each of the sets is a part of, from those of each sub-table.
    pub(super) fn of_each_set(&self, sub_tables: &[f64]) -> Vec<f64> {
        let widths = self.starts.windows(2).map(|pair| pair[1] - pair[0]);
        sub_tables.iter().zip(widths).flat_map(|(&m, sets)| std::iter::repeat_n(m, sets)).collect()
    }

    /// What is known of a bucket, as a factor; none if that is nothing.
    fn factor(&mut self, draw: &Draw) -> Option<usize> {
        let (first, end) = (self.starts[draw.sub_table], self.starts[draw.sub_table + 1]);
        let share = Share {
            within: draw.level.checked_sub(1).map(|level| first + level),
            without: Some(first + draw.below).filter(|&set| set < end),
        };
        if share == (Share { within: None, without: None }) {
            return None;
        }
        let known = self.shares.iter().position(|other| *other == share);
        Some(known.unwrap_or_else(|| {
            self.shares.push(share);
            self.shares.len() - 1
        }))
    }
}

impl Share {
    /// From the sizes of the sets as fractions of the buckets of their sub-tables.
    pub(super) fn of(self, fractions: &[f64]) -> f64 {
        self.within.map_or(1.0, |set| fractions[set])
            - self.without.map_or(0.0, |set| fractions[set])
    }

    /// The derivative: the states that it depends on, with the signs.
    pub(super) fn signs(self) -> impl Iterator<Item = (usize, f64)> + Clone {
        let within = self.within.map(|set| (set, 1.0));
        within.into_iter().chain(self.without.map(|set| (set, -1.0)))
    }
}

fn starts(rule: InsertionRule, d: usize) -> Result<Vec<usize>, ode::Error> {
    let mut starts = vec![0];
    for i in 0..d {
        starts.push(starts[i] + sets(rule, i, d));
        at_most(MOST_SETS, starts[i + 1])?;
    }
    Ok(starts)
}

fn at_most(most: usize, states: usize) -> Result<(), ode::Error> {
    if states > most { Err(ode::Error::TooLarge { states, most }) } else { Ok(()) }
}

/// Nested sets of buckets in `T_i`.
fn sets(rule: InsertionRule, i: usize, d: usize) -> usize {
    let h = usize::from(rule.bucket_size());
    match rule {
        InsertionRule::Standard { .. } => h,
        InsertionRule::ExtremeSecondChance => d - i,
        _ if i + 1 == d => h,
        _ => 2 * h,
    }
}

/// The sequence of answers after this one, with "no" before "yes".
fn next(mut answers: Vec<bool>) -> Option<Vec<bool>> {
    while answers.pop()? {}
    answers.push(true);
    Some(answers)
}

/// A bucket that somebody looks at: it is in the first `level` sets of its sub-table, and not in the
/// one after the first `below`.
#[derive(Debug)]
struct Draw {
    sub_table: usize,
    level: usize,
    below: usize,
}

/// A run of an insertion rule with given answers to its questions, and "no" to all further ones.
#[derive(Debug)]
struct Inquiry<'a> {
    outcomes: &'a Outcomes,
    answers: Vec<bool>,
    asked: usize,
    draws: Vec<Draw>,
    grows: Vec<usize>,
}

/// A bucket in an [`Inquiry`].
#[derive(Debug, Clone, Copy)]
struct Bucket(usize);

impl<'a> Inquiry<'a> {
    fn new(outcomes: &'a Outcomes, answers: Vec<bool>) -> Self {
        Self { outcomes, answers, asked: 0, draws: Vec::new(), grows: Vec::new() }
    }

    fn insert(&mut self, rule: InsertionRule) {
        let stored = match rule {
            InsertionRule::Standard { .. } => self.standard(),
            InsertionRule::Conservative => self.conservative(),
            InsertionRule::SecondChance | InsertionRule::SecondChanceOfTwo => self.second_chance(),
            InsertionRule::ExtremeSecondChance => self.extreme_second_chance(),
        };
        if !stored {
            self.grows.push(self.outcomes.overflow());
        }
    }

    /// Whether the bucket is in the first `level` sets of its sub-table.
    fn is_in(&mut self, Bucket(bucket): Bucket, level: usize) -> bool {
        let draw = &mut self.draws[bucket];
        if level <= draw.level || level > draw.below {
            return level <= draw.level;
        }
        if self.asked == self.answers.len() {
            self.answers.push(false);
        }
        let answer = self.answers[self.asked];
        self.asked += 1;
        if answer {
            draw.level = level;
        } else {
            draw.below = level - 1;
        }
        answer
    }

    /// A bucket of `T_i` that is in the first `level − 1` sets is now in the next as well.
    fn grow(&mut self, i: usize, level: usize) {
        self.grows.push(self.outcomes.starts[i] + level - 1);
    }

    /// An element looks at its choice in `T_i` and is put there, unless it is full: then this is it.
    fn offer(&mut self, i: usize) -> Option<Bucket> {
        let below = self.outcomes.starts[i + 1] - self.outcomes.starts[i];
        self.draws.push(Draw { sub_table: i, level: 0, below });
        let bucket = Bucket(self.draws.len() - 1);
        let free = (1..=self.outcomes.bucket_size).find(|&level| !self.is_in(bucket, level));
        let Some(level) = free else { return Some(bucket) };
        self.grow(i, level);
        None
    }

    /// An element that is in the way looks at its choice in `T_i`, and is moved there if it can be.
    fn makes_way(&mut self, i: usize) -> bool {
        let moves = self.offer(i).is_none();
        if moves {
            self.grows.push(self.outcomes.moves());
        }
        moves
    }

    fn standard(&mut self) -> bool {
        (0..self.outcomes.sub_tables()).any(|i| self.offer(i).is_none())
    }

    fn conservative(&mut self) -> bool {
        let d = self.outcomes.sub_tables();
        let mut choices = Vec::with_capacity(d);
        for i in 0..d {
            let Some(full) = self.offer(i) else { return true };
            choices.push(full);
        }
        let Some(bumped) = (0..d.saturating_sub(1)).find(|&i| !self.is_in(choices[i], 2)) else {
            return false;
        };
        self.grow(bumped, 2);
        (bumped + 1..d).any(|i| self.makes_way(i))
    }

    fn second_chance(&mut self) -> bool {
        let h = self.outcomes.bucket_size;
        let Some(mut here) = self.offer(0) else { return true };
        for i in 1..self.outcomes.sub_tables() {
            let Some(next) = self.offer(i) else { return true };
            for level in h + 1..=2 * h {
                if !self.is_in(here, level) {
                    // Looked at, or replaced by the new element, which has found its choice full.
                    self.grow(i - 1, level);
                    if self.makes_way(i) {
                        return true;
                    }
                }
            }
            here = next;
        }
        false
    }

    fn extreme_second_chance(&mut self) -> bool {
        let mut choices = Vec::new();
        for j in 0..self.outcomes.sub_tables() {
            let Some(full) = self.offer(j) else { return true };
            for (i, &in_the_way) in choices.iter().enumerate() {
                let level = j - i + 1;
                if !self.is_in(in_the_way, level) {
                    self.grow(i, level);
                    if self.makes_way(j) {
                        return true;
                    }
                }
            }
            choices.push(full);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::{conservative, extreme, pairs};
    use super::*;
    use crate::theory::second_chance;
    use proptest::prelude::*;

    /// The mean change of each state by one insertion.
    fn drift(outcomes: &Outcomes, fractions: &[f64]) -> (f64, Vec<f64>) {
        let mut drift = vec![0.0; outcomes.sets() + 2];
        let mut total = 0.0;
        for outcome in &outcomes.all {
            let p: f64 =
                outcome.factors.iter().map(|&f| outcomes.shares[f].of(fractions)).product();
            total += p;
            outcome.grows.iter().for_each(|&state| drift[state] += p);
        }
        (total, drift)
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
            for level in 0..outcomes.starts[i + 1] - outcomes.starts[i] {
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
            for set in outcomes.starts[i]..outcomes.starts[i + 1] {
                let expected = rate[place(i, set - outcomes.starts[i])] * size;
                assert!(
                    (drift[set] - expected).abs() < 1e-12,
                    "{rule:?} {i}: {} {expected}",
                    drift[set]
                );
            }
        }
        let lists = if rule == InsertionRule::SecondChance { states - 3 } else { states - 2 };
        assert!((drift[outcomes.overflow()] - rate[lists]).abs() < 1e-12);
        assert!((drift[outcomes.moves()] - rate[lists + 1]).abs() < 1e-12);
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
            assert_eq!(Outcomes::new(rule, d).unwrap().all.len(), d * usize::from(h) + 1);
        }
    }
}
