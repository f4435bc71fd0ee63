//! How close a table whose elements come one by one is to a crisis, or its summary to a failure.
//!
//! The events that are expected from here on follow sub-table by sub-table, with the mean of a Poisson number of elements
//! that come to each.

use super::table::Filled;
use crate::math::elementary::{exp_m1, ln};
use crate::rare::score::CERTAIN;
use crate::summaries::Multilevel;
use crate::summaries::rare::score::{expected, windows};

/// Elements that are still to come up to which their Poisson law is summed.
const FEW: f64 = 16.0;

/// What is counted.
#[derive(Debug, Clone)]
enum Goal {
    /// More elements than that without a bucket.
    Crisis { beyond: u64 },
    /// The probability that an element of type 1, 2, .. d − 1 fails, by the number of elements of later types.
    Failure(Vec<Vec<f64>>),
}

/// The logarithm of what is expected.
#[derive(Debug, Clone)]
pub(super) struct Score {
    buckets: Vec<f64>,
    goal: Goal,
}

/// An element of which it is known that it found its buckets in the sub-tables before this one taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    /// Counted from 0.
    pub(super) sub_table: usize,
    /// How probable it is that its bucket there is taken too.
    pub(super) taken: f64,
}

/// What is expected of a sub-table in the rest of a trial.
struct Expected {
    /// Elements that it takes.
    own: f64,
    /// Elements that it leaves over.
    left: f64,
}

impl Score {
    /// Of a crisis of more elements than that.
    pub(super) fn of_crisis(table: &Multilevel, beyond: u64) -> Self {
        Self { buckets: buckets(table), goal: Goal::Crisis { beyond } }
    }

    /// Of elements that fail: one of type `own` with this probability, where so many are of later types.
    pub(super) fn of_failure(table: &Multilevel, chance: impl Fn(u8, u32) -> f64) -> Self {
        let buckets = buckets(table);
        let windows = windows(table.elements(), &buckets);
        let of_type = |(own, &(_, last)): (u8, &(u32, u32))| {
            (0..=last).map(|later| chance(own, later)).collect()
        };
        let chances = (1..table.types()).zip(&windows).map(of_type).collect();
        Self { buckets, goal: Goal::Failure(chances) }
    }

    /// The score of a table with an element that is on its way.
    pub(super) fn after(&self, filled: &Filled, flight: Option<Flight>) -> f64 {
        let expected = self.expected(filled, flight);
        match &self.goal {
            Goal::Crisis { beyond } => {
                let missing = (beyond + 1).saturating_sub(filled.crisis.into());
                let more = expected.last().map_or(0.0, |last| last.left);
                Self::of_tail(missing as f64, more)
            }
            Goal::Failure(chances) => Self::of_events(self.failing(chances, filled, &expected)),
        }
    }

    /// The logarithm of the first term of a Poisson tail from `missing` on, with Stirling's k! ≈ (k/e)^k·e, which is
    /// exact for 1.
    fn of_tail(missing: f64, mean: f64) -> f64 {
        if missing == 0.0 {
            return CERTAIN;
        }
        (missing * ln(mean / missing) + missing - 1.0).min(CERTAIN)
    }

    /// The score of so many expected events.
    pub(super) fn of_events(events: f64) -> f64 {
        ln(events).min(CERTAIN)
    }

    /// The probability that an element of type `own`, below d, fails where so many are of later types.
    pub(super) fn failure_chance(&self, own: u8, later: u32) -> f64 {
        match &self.goal {
            Goal::Crisis { .. } => 0.0,
            Goal::Failure(chances) => at(&chances[usize::from(own) - 1], later),
        }
    }

    /// What each sub-table does in the rest of a trial.
    fn expected(&self, filled: &Filled, flight: Option<Flight>) -> Vec<Expected> {
        let (mut coming, mut of_flight) = (f64::from(filled.to_come), 0.0);
        let mut all = Vec::with_capacity(self.buckets.len());
        for (i, (&buckets, &elements)) in self.buckets.iter().zip(&filled.elements).enumerate() {
            let elements = f64::from(elements);
            of_flight = match flight {
                Some(flight) if i < flight.sub_table => 1.0,
                Some(flight) if i == flight.sub_table => flight.taken,
                _ => of_flight * ((elements + coming) / buckets).min(1.0),
            };
            let left = left_over(coming, elements, buckets);
            all.push(Expected { own: coming - left, left: left + of_flight });
            coming = left;
        }
        all
    }

    /// The number of elements that are expected to fail in the end.
    fn failing(&self, chances: &[Vec<f64>], filled: &Filled, rest: &[Expected]) -> f64 {
        let mut later = filled.elements.iter().sum::<u32>() + filled.crisis;
        let mut events = 0.0;
        for ((chances, &elements), rest) in chances.iter().zip(&filled.elements).zip(rest) {
            later -= elements;
            events += (f64::from(elements) + rest.own) * mean(chances, later, rest.left);
        }
        events
    }
}

fn buckets(table: &Multilevel) -> Vec<f64> {
    table.sizes().into_iter().map(f64::from).collect()
}

/// The probability for so many elements; above the last one that is known, that of the last.
fn at(chances: &[f64], later: u32) -> f64 {
    chances.get(later as usize).or(chances.last()).copied().unwrap_or_default()
}

/// The mean probability where elements of a Poisson law of this mean are added to those that there are.
fn mean(chances: &[f64], later: u32, more: f64) -> f64 {
    if more < FEW {
        return expected(more, |more| at(chances, later + more));
    }
    let whole = later + more as u32;
    let (low, high) = (at(chances, whole), at(chances, whole + 1));
    low + more.fract() * (high - low)
}

/// The mean number of a Poisson number of elements of this mean that find no empty bucket where so many of all are
/// occupied: λ − (m − o)(1 − e^(−λ/m)).
fn left_over(coming: f64, occupied: f64, buckets: f64) -> f64 {
    let each = coming / buckets;
    coming * occupied / buckets + (buckets - occupied) * beyond_linear(each)
}

/// x − (1 − e^−x), without cancellation where x is small.
fn beyond_linear(x: f64) -> f64 {
    if x < 1e-4 { x * x * (0.5 - x / 6.0) } else { x + exp_m1(-x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both forms agree where one takes over from the other, to 1e-8.
    #[test]
    fn what_is_beyond_the_linear_term_has_no_gap() {
        for x in [0.99e-4, 1.01e-4, 3e-4_f64] {
            let series = x * x * (0.5 - x / 6.0 + x * x / 24.0);
            assert!((beyond_linear(x) / series - 1.0).abs() < 1e-8, "{x}");
        }
        assert!((beyond_linear(2.0) - 1.135_335_283_236_612_7).abs() < 1e-14);
    }

    /// An element that is known to have found its first bucket taken adds itself to what the first sub-table leaves over,
    /// and what the second has of elements to what this one does.
    #[test]
    fn an_element_on_its_way_counts_as_far_as_it_is_known() {
        let score = Score { buckets: vec![8.0, 4.0], goal: Goal::Crisis { beyond: 0 } };
        let filled = Filled { elements: vec![5, 1], crisis: 0, to_come: 0 };
        let left = |flight| {
            let all = score.expected(&filled, flight);
            [all[0].left, all[1].left]
        };
        assert_eq!(left(None), [0.0, 0.0]);
        assert_eq!(left(Some(Flight { sub_table: 0, taken: 0.5 })), [0.5, 0.125]);
        assert_eq!(left(Some(Flight { sub_table: 1, taken: 0.5 })), [1.0, 0.5]);
    }
}
