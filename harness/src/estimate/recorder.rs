//! From the readings of trials to moments over the trials.

use loadfactor_schemes::case::Record;
use loadfactor_schemes::metric::Metric;

use super::moments::Moments;

/// The moments of each metric over the trials recorded so far.
///
/// A trial is one observation of each metric, whatever the length of its window. Trials hand their readings
/// over in the same order, so that the place of a metric is guessed before it is looked for.
#[derive(Debug, Default)]
pub struct Recorder {
    moments: Vec<(Metric, Moments)>,
    /// Place of the next reading.
    next: usize,
}

impl Recorder {
    /// The metrics that had a value in some trial, in the order in which trials read them.
    pub fn moments(self) -> Vec<(Metric, Moments)> {
        self.moments.into_iter().filter(|(_, moments)| moments.count() > 0).collect()
    }
}

impl Record for Recorder {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        let guessed = self.moments.get(self.next).is_some_and(|(known, _)| *known == metric);
        let place = if guessed { self.next } else { self.place_of(metric) };
        self.moments[place].1.extend(value);
        self.next = place + 1;
    }

    fn end_of_trial(&mut self) {
        self.next = 0;
    }
}

impl Recorder {
    /// The place of a metric, at the end if it is new.
    fn place_of(&mut self, metric: Metric) -> usize {
        let known = self.moments.iter().position(|(known, _)| *known == metric);
        known.unwrap_or_else(|| {
            self.moments.push((metric, Moments::default()));
            self.moments.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::tables::metrics;

    #[test]
    fn a_reading_that_a_trial_leaves_out_is_not_taken_for_another() {
        let (first, second) = (metrics::OVERFLOW_FRACTION, metrics::MAX_LOAD);
        let mut recorder = Recorder::default();
        for trial in [vec![(first, 1.0), (second, 4.0)], vec![(second, 6.0)], vec![(first, 3.0)]] {
            trial.into_iter().for_each(|(metric, value)| recorder.reading(metric, Some(value)));
            recorder.end_of_trial();
        }
        let means: Vec<_> = recorder
            .moments()
            .into_iter()
            .map(|(metric, moments)| (metric, moments.mean()))
            .collect();
        assert_eq!(means, [(first, Some(2.0)), (second, Some(5.0))]);
    }
}
