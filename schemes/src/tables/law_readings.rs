//! Reads the distributions that a definition asks for: how long the overflow list is at the end of a
//! trial, and how many elements a sub-table has.

use super::laws::{Laws, SubTableLaw};
use super::metrics;
use super::readings::{Outcome, Reading};

/// Reads the end of one trial after the other.
///
/// A variance is estimated from disjoint pairs of consecutive trials: of a pair with x and y
/// elements ½(x − y)² is an observation whose mean is the variance, and observations of different
/// pairs are independent, so that their moments also give its standard error.
pub(super) struct LawReader {
    laws: Laws,
    /// What the first trial of a pair ended with, until the second has ended.
    first: Option<End>,
}

/// What a trial ended with.
struct End {
    overflow: u32,
    /// Elements in each sub-table.
    sub_tables: Vec<u64>,
}

impl LawReader {
    /// Before the first trial.
    pub(super) fn new(laws: Laws) -> Self {
        Self { laws, first: None }
    }

    /// Each metric of the laws with its value, in the same order for every trial.
    pub(super) fn of(&mut self, outcome: &Outcome) -> Vec<Reading> {
        if !self.laws.any() {
            return Vec::new();
        }
        let sub_tables = outcome.sub_tables.iter().map(|in_use| in_use.elements).collect();
        self.read(End { overflow: outcome.overflow, sub_tables })
    }

    fn read(&mut self, end: End) -> Vec<Reading> {
        let first = self.first.take();
        let mut readings = Vec::new();
        if let Some(largest) = self.laws.overflow {
            let before = first.as_ref().map(|first| f64::from(first.overflow));
            readings.push((metrics::OVERFLOW_VARIANCE, halved_square(before, end.overflow.into())));
            let at_most = |k| (metrics::overflow_at_most(k), share(end.overflow <= k.into()));
            readings.extend((0..=largest).map(at_most));
        }
        if let Some(law) = &self.laws.sub_table {
            readings.extend(sub_table_readings(law, first.as_ref(), &end));
        }
        self.first = if first.is_none() { Some(end) } else { None };
        readings
    }
}

fn sub_table_readings(law: &SubTableLaw, first: Option<&End>, end: &End) -> Vec<Reading> {
    let mut readings = Vec::new();
    for (i, &elements) in (0..).zip(&end.sub_tables) {
        let before = first.and_then(|first| first.sub_tables.get(usize::from(i)));
        let variance = halved_square(before.map(|&x| x as f64), elements as f64);
        readings.push((metrics::sub_table_elements(i + 1), Some(elements as f64)));
        readings.push((metrics::sub_table_variance(i + 1), variance));
    }
    if let Some(&elements) = end.sub_tables.get(usize::from(law.sub_table) - 1) {
        let at_most = |x| (metrics::sub_table_elements_at_most(x), share(elements <= x.into()));
        readings.extend(law.counts.iter().map(at_most));
    }
    readings
}

fn halved_square(x: Option<f64>, y: f64) -> Option<f64> {
    x.map(|x| 0.5 * (x - y) * (x - y))
}

fn share(is: bool) -> Option<f64> {
    Some(f64::from(u8::from(is)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::laws::Counts;

    #[test]
    fn each_pair_of_trials_gives_one_observation_of_a_variance() {
        let counts = Counts { from: 4, to: 6, step: 2 };
        let sub_table = Some(SubTableLaw { sub_table: 2, counts });
        let mut reader = LawReader::new(Laws { overflow: Some(1), sub_table });
        let mut read = |overflow, in_second| {
            let readings = reader.read(End { overflow, sub_tables: vec![9, in_second] });
            readings.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        let (no, yes) = (Some(0.0), Some(1.0));
        assert_eq!(read(0, 4), [None, yes, yes, Some(9.0), None, Some(4.0), None, yes, yes]);
        assert_eq!(
            read(3, 6),
            [Some(4.5), no, no, Some(9.0), Some(0.0), Some(6.0), Some(2.0), no, yes]
        );
        assert_eq!(read(1, 7), [None, no, yes, Some(9.0), None, Some(7.0), None, no, no]);
    }
}
