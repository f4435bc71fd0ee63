//! How close a table that is being filled is to a crisis, or its summary to a failure.
//!
//! The elements that T_1..T_i leave over are all that decides what T_{i+1}..T_d do. So the expected number of events from
//! a state on follows sub-table by sub-table from the last one back, with a Poisson number of elements that a sub-table
//! still leaves over.

use crate::math::elementary::{exp_m1, ln, ln_1p};
use crate::rare::score::CERTAIN;
use crate::summaries::Multilevel;

/// Standard deviations to both sides of a mean within which Poisson numbers are summed.
const DEVIATIONS: f64 = 9.0;

/// And beside these, so that small means have their tails too.
const TERMS: f64 = 30.0;

/// The share of a sum below which a term, and those that follow as they become smaller, say nothing.
const NEGLIGIBLE: f64 = 1e-9;

/// What is expected after one sub-table, by the number of elements that it leaves over.
#[derive(Debug, Clone)]
struct AfterSubTable {
    /// The least number that is looked at; below it the same is said as of it, as above the greatest.
    first: u32,
    /// The probability that an element of the sub-table fails.
    failing: Vec<f64>,
    /// Expected events of the sub-tables that follow.
    to_come: Vec<f64>,
}

impl AfterSubTable {
    /// Expected events of this sub-table, to which `coming` elements came, and of those that follow.
    fn events(&self, coming: u32, left: u32) -> f64 {
        let place = (left.saturating_sub(self.first) as usize).min(self.failing.len() - 1);
        f64::from(coming - left) * self.failing[place] + self.to_come[place]
    }
}

/// The buckets of a sub-table.
#[derive(Debug, Clone, Copy)]
struct Buckets {
    number: f64,
    /// The logarithm of the probability that an element chooses another one than a given bucket.
    ln_other: f64,
}

impl Buckets {
    fn new(number: f64) -> Self {
        Self { number, ln_other: ln_1p((-1.0 / number).max(-1.0)) }
    }

    /// The mean number of `coming` elements that find no empty bucket where so many of all are occupied.
    fn left_over(&self, coming: f64, occupied: f64) -> f64 {
        let newly_occupied = -(self.number - occupied) * exp_m1(coming * self.ln_other);
        (coming - newly_occupied).max(0.0)
    }
}

/// The logarithm of the number of events that are expected, as a function of how far a table is filled.
#[derive(Debug, Clone)]
pub(super) struct Score {
    buckets: Vec<Buckets>,
    after: Vec<AfterSubTable>,
}

/// A sub-table that is being filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filling {
    /// Counted from 0.
    pub(super) sub_table: usize,
    /// Elements that come to it.
    pub(super) coming: u32,
    /// Those that are still to come.
    pub(super) to_come: u32,
    /// Those that it left over so far.
    pub(super) left: u32,
}

impl Score {
    /// Of a crisis of more elements than that.
    pub(super) fn of_crisis(table: &Multilevel, beyond: u64) -> Self {
        let is_crisis = |left: u32| f64::from(u8::from(u64::from(left) > beyond));
        Self::new(table, |_, _| 0.0, is_crisis)
    }

    /// Of elements that fail: one of type `own` with this probability, where so many are of later types.
    pub(super) fn of_failure(table: &Multilevel, chance: impl Fn(u8, u32) -> f64) -> Self {
        let last = table.types();
        let of_type = |own: u8, later: u32| if own < last { chance(own, later) } else { 0.0 };
        Self::new(table, of_type, |_| 0.0)
    }

    fn new(
        table: &Multilevel,
        failing: impl Fn(u8, u32) -> f64,
        at_end: impl Fn(u32) -> f64,
    ) -> Self {
        let numbers: Vec<f64> = table.sizes().into_iter().map(f64::from).collect();
        let windows = windows(table.elements(), &numbers);
        let buckets: Vec<Buckets> = numbers.into_iter().map(Buckets::new).collect();
        let mut after: Vec<AfterSubTable> = Vec::new();
        for (own, &(first, last)) in (1..=table.types()).zip(&windows).rev() {
            let numbers = first..=last;
            let to_come = |coming: u32| match after.last() {
                None => at_end(coming),
                Some(next) => {
                    let mean = buckets[usize::from(own)].left_over(coming.into(), 0.0);
                    expected(mean, |left| next.events(coming, left.min(coming)))
                }
            };
            let to_come = numbers.clone().map(to_come).collect();
            let failing = numbers.map(|left| failing(own, left)).collect();
            after.push(AfterSubTable { first, failing, to_come });
        }
        after.reverse();
        Self { buckets, after }
    }

    /// The score of so many expected events.
    pub(super) fn of_events(events: f64) -> f64 {
        ln(events).min(CERTAIN)
    }

    /// The score where `before` events are expected of the sub-tables before this one.
    pub(super) fn of(&self, before: f64, filling: &Filling) -> f64 {
        Self::of_events(self.events(before, filling))
    }

    /// Expected events, `before` of them of the sub-tables before this one.
    pub(super) fn events(&self, before: f64, filling: &Filling) -> f64 {
        let Filling { sub_table, coming, to_come, left } = *filling;
        let occupied = f64::from(coming - to_come) - f64::from(left);
        let mean = self.buckets[sub_table].left_over(to_come.into(), occupied);
        let after = &self.after[sub_table];
        before + expected(mean, |more| after.events(coming, (left + more).min(coming)))
    }

    /// Elements that a sub-table is expected to leave over of so many that come.
    pub(super) fn left_over(&self, sub_table: usize, coming: u32) -> f64 {
        self.buckets[sub_table].left_over(coming.into(), 0.0)
    }

    /// Expected events of a sub-table that is filled.
    pub(super) fn events_of(&self, sub_table: usize, coming: u32, left: u32) -> f64 {
        let after = &self.after[sub_table];
        let place = (left.saturating_sub(after.first) as usize).min(after.failing.len() - 1);
        f64::from(coming - left) * after.failing[place]
    }
}

/// The numbers of elements that each sub-table leaves over, as far as they matter.
pub(super) fn windows(elements: u32, buckets: &[f64]) -> Vec<(u32, u32)> {
    let mut coming = f64::from(elements);
    let mut windows = Vec::new();
    for &buckets in buckets {
        coming = Buckets::new(buckets).left_over(coming, 0.0);
        let around = DEVIATIONS * coming.sqrt() + 2.0 * TERMS;
        let last = (coming + around).min(elements.into());
        windows.push(((coming - around).max(0.0) as u32, last as u32));
    }
    windows
}

/// The mean of a function of a Poisson number.
pub(super) fn expected(mean: f64, of: impl Fn(u32) -> f64) -> f64 {
    if mean <= 0.0 {
        return of(0);
    }
    let around = DEVIATIONS * mean.sqrt() + TERMS;
    let first = (mean - around).max(0.0) as u32;
    let last = (mean + around) as u32;
    let mode = mean as u32;
    // Terms as multiples of that of the mode, which the sum over all of them scales.
    let (mut all, mut sum) = (0.0, 0.0);
    let mut before = 0.0;
    // Whether what follows is of no account.
    let mut add = |number: u32, term: f64| {
        let own = term * of(number);
        all += term;
        sum += own;
        let falls = own < std::mem::replace(&mut before, own);
        falls && own < NEGLIGIBLE * sum && term < NEGLIGIBLE * all
    };
    let mut term = 1.0;
    for number in (first..=mode).rev() {
        if add(number, term) {
            break;
        }
        term *= f64::from(number) / mean;
    }
    let mut term = 1.0;
    for number in mode + 1..=last {
        term *= mean / f64::from(number);
        if add(number, term) {
            break;
        }
    }
    sum / all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E(x^N) = exp(λ·(x − 1)), where most of it is far above the mean too.
    #[test]
    fn means_of_powers_are_those_of_the_poisson_law() {
        for (mean, base) in [(1e-3, 50.0), (0.7, 12.0), (40.0, 1.5), (40.0, 0.5), (3000.0, 1.02)] {
            let found = expected(mean, |number| f64::powi(base, number as i32));
            let exact = f64::exp(mean * (base - 1.0));
            assert!((found / exact - 1.0).abs() < 1e-7, "{mean} {base}: {found} {exact}");
        }
    }
}
