//! Small tables, searched in whole numbers: bucket by bucket.
//!
//! The limit for many elements says little of a few, and proportions say little of a few buckets. Where the law of
//! the list is not known, each table is simulated.

use loadfactor_schemes::tables::sizing::Goal;
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::budget::Budget;
use super::observation::observe;
use super::{Error, Part, Question, Seen};

/// Whether so few elements are sized in whole numbers.
pub(super) fn are_few(elements: u32) -> bool {
    elements < FEW
}

/// Elements below which proportions are not all that matters, and the approximation of the list's law is not
/// good.
pub(super) const FEW: u32 = 100;

/// Tables that are tried.
const MOST_TRIED: u32 = 400;

/// The table to which leaving out single buckets, and moving them from one sub-table to another, leads.
pub(super) fn improved(
    question: &Question,
    rule: InsertionRule,
    start: Part,
    budget: Budget<'_>,
) -> Result<Part, Error> {
    let mut best = start;
    let is_known = best.law().is_some();
    if !is_known {
        best = looked_at(question, rule, best.table.buckets, budget)?;
    }
    let mut left = MOST_TRIED;
    'again: loop {
        for buckets in neighbours(&best.table.buckets, question.goal) {
            if left == 0 || budget.is_over() {
                return Ok(best);
            }
            left -= 1;
            let part = match is_known {
                true => Part::of(question, rule, buckets)?,
                false => looked_at(question, rule, buckets, budget)?,
            };
            if part.reaches(question) && part.is_better_than(&best, question.goal) {
                best = part;
                continue 'again;
            }
        }
        return Ok(best);
    }
}

/// A table whose list was simulated roughly, with the same random numbers as those of all others.
fn looked_at(
    question: &Question,
    rule: InsertionRule,
    buckets: Vec<u32>,
    budget: Budget<'_>,
) -> Result<Part, Error> {
    let mut part = Part::without_law(question, rule, buckets)?;
    let trials = question.trials.unwrap_or(TRIALS);
    let sample = observe(&part.definition(question, rule), trials, budget.silent())?;
    part.seen = Some(Seen::of_itself(sample));
    Ok(part)
}

/// Trials that take some hundredths of a second.
const TRIALS: u64 = 10_000;

impl Part {
    fn reaches(&self, question: &Question) -> bool {
        match question.goal {
            Goal::Overflow(share) => self.overflow() <= share * f64::from(question.elements),
            Goal::Space(_) => true,
        }
    }
}

/// The tables with one bucket less, from the last sub-table on, then those of the same size with one bucket
/// elsewhere. A given space is used up.
fn neighbours(buckets: &[u32], goal: Goal) -> impl Iterator<Item = Vec<u32>> + use<> {
    let d = buckets.len();
    let buckets = buckets.to_vec();
    let less = match goal {
        Goal::Overflow(_) => d,
        Goal::Space(_) => 0,
    };
    let fewer = (0..less).rev().map(|i| (i, None));
    let moved =
        (0..d).flat_map(move |i| (0..d).filter(move |&j| j != i).map(move |j| (i, Some(j))));
    fewer.chain(moved).filter_map(move |(from, to)| {
        let mut changed = buckets.clone();
        changed[from] = changed[from].checked_sub(1).filter(|&left| left > 0)?;
        if let Some(to) = to {
            changed[to] += 1;
        }
        Some(changed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_have_one_bucket_less_or_elsewhere() {
        let all: Vec<Vec<u32>> = neighbours(&[2, 1], Goal::Overflow(0.1)).collect();
        assert_eq!(all, [[1, 1], [1, 2]]);
        let same: Vec<Vec<u32>> = neighbours(&[2, 2], Goal::Space(1.0)).collect();
        assert_eq!(same, [[1, 3], [3, 1]]);
    }
}
