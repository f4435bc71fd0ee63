//! One sub-table: its loads, and how many of the attempts on it are refused.

use super::number::{self, Number};
use super::one_choice::{self, Taking};
use crate::math::elementary::pow;
use crate::tables::theory::list_of_one_choice::OneChoice;

/// A sub-table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) buckets: u32,
    pub(super) taking: Taking,
    /// The work, in steps of its own, up to which the refused are counted bucket by bucket.
    pub(super) few: f64,
}

/// A function of the load of a bucket.
pub(super) type OfLoad<'a> = &'a dyn Fn(u32) -> f64;

/// So many steps take some hundredths of a second: 45 buckets of eight elements, or twelve of fifty.
const FEW: f64 = 65_000.0;

/// Less probable outcomes are left out.
const NEGLIGIBLE: f64 = 1e-17;

/// In standard deviations: the law of a sub-table that is tried for certain is known to its ends.
const REACH: f64 = 8.0;

impl Part {
    pub(super) fn new(buckets: u32, taking: Taking) -> Self {
        Self { buckets, taking, few: FEW }
    }

    /// Whether the law of the refused is counted, bucket by bucket.
    pub(super) fn is_small(&self, attempts: &Number) -> bool {
        let (buckets, attempts) = (f64::from(self.buckets), attempts.mean());
        buckets * attempts * (1.0 + (attempts / buckets).sqrt()) <= self.few
    }

    /// The law of the load of a bucket, given the number of attempts.
    pub(super) fn law(&self, attempts: u64) -> Vec<f64> {
        one_choice::law(&one_choice::binomial(attempts, self.buckets, self.taking), self.taking)
    }

    /// The mean of a function of the load, given the number of attempts.
    pub(super) fn mean_of(&self, attempts: u64, function: OfLoad<'_>) -> f64 {
        (0..).zip(self.law(attempts)).map(|(load, p)| p * function(load)).sum()
    }

    /// How many are refused.
    pub(super) fn refused(&self, attempts: &Number) -> Number {
        if self.is_small(attempts) {
            return self.counted(attempts, &|_| 1.0);
        }
        let mut values = attempts.values();
        match (values.next(), values.next(), self.taking.0) {
            (Some((elements, _)), None, Some(threshold)) => self.of_so_many(elements, threshold),
            _ => self.of_any(attempts),
        }
    }

    /// Of this number of attempts, by the generating function.
    fn of_so_many(&self, attempts: u64, threshold: u32) -> Number {
        let Part { buckets, taking: (_, probability), .. } = *self;
        let elements = u32::try_from(attempts).unwrap_or(u32::MAX);
        let list = OneChoice { elements, buckets, threshold, probability, tried: 1.0 };
        let weighed = list.law(|mean, deviation| number::grid(mean, deviation, REACH).collect());
        Number::weighed(weighed).normalised()
    }

    /// Of a number that scatters: with the mean and the variance that they have.
    fn of_any(&self, attempts: &Number) -> Number {
        let refused = |attempts: u64| {
            attempts as f64 - f64::from(self.buckets) * one_choice::mean(&self.law(attempts))
        };
        let given = attempts.values().map(|(number, weight)| (weight, refused(number)));
        let (mean, square) = given.fold((0.0, 0.0), |(mean, square), (weight, refused)| {
            (mean + weight * refused, square + weight * refused * refused)
        });
        let m = f64::from(self.buckets);
        let within = m * variance_of_refused(attempts.mean() / m, self.taking);
        Number::with_moments(mean, (square - mean * mean).max(0.0) + within)
    }

    /// How many are refused where each number counts as much as the mean over the buckets of a function of the load.
    /// Where there are many buckets, that mean is linear in the number, of which `all` is the law.
    pub(super) fn marked(&self, attempts: &Number, all: &Number, mark: OfLoad<'_>) -> Number {
        if self.is_small(&attempts.clone().normalised()) {
            return self.counted(attempts, mark);
        }
        let mut total = 0.0;
        let mut refused = 0.0;
        for (number, weight) in attempts.values() {
            let of_buckets = self.mean_of(number, mark);
            let stored = f64::from(self.buckets) * one_choice::mean(&self.law(number));
            total += weight * of_buckets;
            refused += weight * of_buckets * (number as f64 - stored);
        }
        let usual = attempts.clone().normalised().mean() / f64::from(self.buckets);
        refused += attempts.total() * covariance_with_refused(usual, self.taking, mark);
        let (mean, variance) = (all.mean(), all.variance());
        if variance == 0.0 {
            return all.times(|_| total);
        }
        let slope = (refused - total * mean) / variance;
        all.times(|number| total + slope * (number - mean))
    }

    /// The same, exactly: one bucket after the other takes its share of the attempts that are left. As all buckets are
    /// alike, the function is that of the first one's load.
    fn counted(&self, attempts: &Number, mark: OfLoad<'_>) -> Number {
        let mut left = Table::default();
        attempts.values().for_each(|(number, weight)| left.add(number, 0, &[weight]));
        let most = left.rows.len() as u64;
        let fates: Vec<Fate> = (0..most).map(|chose| Fate::new(chose, self.taking)).collect();
        for bucket in (1..=self.buckets).rev() {
            let is_first = bucket == self.buckets;
            let mark: OfLoad<'_> = if is_first { mark } else { &|_| 1.0 };
            left = with_bucket(&left, bucket, &fates, mark);
        }
        let all = left.rows.into_iter().next().unwrap_or_default();
        Number::weighed((all.first..).zip(all.weights).collect())
    }
}

/// One of so many buckets takes its share, where these are the fates by how many elements chose it.
fn with_bucket(before: &Table, buckets: u32, fates: &[Fate], mark: OfLoad<'_>) -> Table {
    let mut after = Table::default();
    for (attempts, row) in (0..).zip(&before.rows) {
        if row.weights.is_empty() {
            continue;
        }
        let demand = one_choice::binomial(attempts, buckets, (None, 1.0));
        for (chose, p) in demand.counts().filter(|(_, p)| *p > NEGLIGIBLE) {
            for &(load, refused, share) in &fates[chose as usize].0 {
                let weight = p * share * mark(load);
                if weight != 0.0 {
                    after.add_times(attempts - chose, row, refused, weight);
                }
            }
        }
    }
    after.rows.iter_mut().for_each(Row::trim);
    after
}

/// By attempts that are left, how many were refused, with weights.
#[derive(Debug, Default)]
struct Table {
    rows: Vec<Row>,
}

#[derive(Debug, Default)]
struct Row {
    first: u64,
    weights: Vec<f64>,
}

impl Table {
    fn add_times(&mut self, left: u64, from: &Row, refused: u64, weight: f64) {
        let row = self.row(left);
        row.reach(from.first + refused, from.weights.len());
        let at = (from.first + refused - row.first) as usize;
        let own = &mut row.weights[at..];
        own.iter_mut().zip(&from.weights).for_each(|(own, other)| *own += weight * other);
    }

    fn add(&mut self, left: u64, refused: u64, weights: &[f64]) {
        let from = Row { first: 0, weights: weights.to_vec() };
        self.add_times(left, &from, refused, 1.0);
    }

    fn row(&mut self, left: u64) -> &mut Row {
        let left = left as usize;
        if self.rows.len() <= left {
            self.rows.resize_with(left + 1, Row::default);
        }
        &mut self.rows[left]
    }
}

impl Row {
    /// Makes room for so many numbers from this one on.
    fn reach(&mut self, first: u64, length: usize) {
        if self.weights.is_empty() {
            self.first = first;
        }
        if first < self.first {
            let more = (self.first - first) as usize;
            self.weights.splice(0..0, std::iter::repeat_n(0.0, more));
            self.first = first;
        }
        let end = (first - self.first) as usize + length;
        self.weights.resize(self.weights.len().max(end), 0.0);
    }

    /// Leaves out what is next to impossible at both ends.
    fn trim(&mut self) {
        let matters = |weight: &f64| weight.abs() > NEGLIGIBLE;
        let end = self.weights.iter().rposition(matters).map_or(0, |last| last + 1);
        self.weights.truncate(end);
        let begin = self.weights.iter().position(matters).unwrap_or(0);
        self.weights.drain(..begin);
        self.first += begin as u64;
    }
}

/// What may become of a bucket that some elements chose: its load, how many it refused, and the probability.
struct Fate(Vec<(u32, u64, f64)>);

impl Fate {
    /// What may become of a bucket that so many elements chose.
    fn new(chose: u64, (threshold, p): Taking) -> Self {
        let whole = |load: u64| u32::try_from(load).unwrap_or(u32::MAX);
        let h = threshold.map_or(u64::MAX, u64::from);
        let beyond = chose.saturating_sub(h);
        if beyond == 0 {
            return Self(vec![(whole(chose), 0, 1.0)]);
        }
        let taken = Refused { h, p }.one_was_taken(chose);
        Self(vec![(whole(h), beyond, 1.0 - taken), (whole(h + 1), beyond - 1, taken)])
    }
}

/// The covariance, given the number of attempts on many buckets, of the attempts refused and the mean over the buckets
/// of a function of the load.
fn covariance_with_refused(attempts: f64, taking: Taking, function: OfLoad<'_>) -> f64 {
    let demand = one_choice::poisson(attempts, taking);
    let fates: Vec<(u64, f64, Fate)> =
        demand.counts().map(|(chose, p)| (chose, p, Fate::new(chose, taking))).collect();
    let mean = |of: &dyn Fn(u64, u32, f64) -> f64| -> f64 {
        let given = |chose: u64, fate: &Fate| -> f64 {
            fate.0.iter().map(|&(load, refused, p)| p * of(chose, load, refused as f64)).sum()
        };
        fates.iter().map(|(chose, p, fate)| p * given(*chose, fate)).sum()
    };
    let (own, refused) = (mean(&|_, load, _| function(load)), mean(&|_, _, refused| refused));
    let both = mean(&|_, load, refused| function(load) * refused) - own * refused;
    let own_and_chose = mean(&|chose, load, _| function(load) * chose as f64) - own * attempts;
    let refused_and_chose = mean(&|chose, _, refused| refused * chose as f64) - refused * attempts;
    let explained = own_and_chose * refused_and_chose / attempts;
    if attempts > 0.0 { both - explained } else { 0.0 }
}

/// The variance of the attempts that a bucket refuses, in a table of many buckets of which the number of attempts
/// is given: of Poisson many attempts, less what their number explains.
pub(crate) fn variance_of_refused(attempts: f64, taking: Taking) -> f64 {
    let demand = one_choice::poisson(attempts, taking);
    let (Some(h), p) = taking else { return 0.0 };
    let refused = Refused { h: h.into(), p };
    let (mut mean, mut square, mut with_attempts) = (0.0, 0.0, 0.0);
    for (x, p) in demand.counts() {
        let taken = refused.one_was_taken(x);
        let of_x = refused.mean(x, taken);
        mean += p * of_x;
        square += p * refused.mean_square(x, taken);
        with_attempts += p * (of_x * x as f64);
    }
    let covariance = with_attempts - mean * attempts;
    let explained = if attempts > 0.0 { covariance * covariance / attempts } else { 0.0 };
    (square - mean * mean - explained).max(0.0)
}

/// Of x attempts on one bucket all beyond the first h are refused, but for one if a coin said so.
struct Refused {
    h: u64,
    p: f64,
}

impl Refused {
    /// The mean number that is refused, where one of those beyond the first h is taken with this probability.
    fn mean(&self, attempts: u64, taken: f64) -> f64 {
        let beyond = attempts.saturating_sub(self.h) as f64;
        beyond - taken
    }

    /// The mean of its square, likewise.
    fn mean_square(&self, attempts: u64, taken: f64) -> f64 {
        let beyond = attempts.saturating_sub(self.h) as f64;
        (1.0 - taken) * beyond * beyond + taken * (beyond - 1.0) * (beyond - 1.0)
    }

    fn one_was_taken(&self, attempts: u64) -> f64 {
        match attempts.saturating_sub(self.h) {
            0 => 0.0,
            beyond => 1.0 - pow(1.0 - self.p, beyond as f64),
        }
    }
}
