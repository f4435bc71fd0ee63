//! Points in words.

use std::ops::Range;

use crate::definition::{Experiment, varying};

/// The words for a point in whose series nothing varies.
pub const ONLY_POINT: &str = "its only point";

/// What tells the points of each series apart.
#[derive(Debug)]
pub struct Varying<'e> {
    experiment: &'e Experiment,
    /// For each series the settings that vary in it.
    names: Vec<Vec<String>>,
}

impl<'e> Varying<'e> {
    /// Looks at all points of the experiment.
    pub fn new(experiment: &'e Experiment) -> Self {
        let series = 0..experiment.series.len();
        let of_series = |series| &experiment.points[points_of(experiment, series)];
        let names = series.map(|series| varying(of_series(series).iter()));
        Self { experiment, names: names.collect() }
    }

    /// The settings of a point that vary within its series.
    pub fn describe(&self, point: usize) -> String {
        let point = &self.experiment.points[point];
        let varying = &self.names[point.series];
        if varying.is_empty() {
            return ONLY_POINT.into();
        }
        let named = varying.iter().filter_map(|n| Some(format!("{n} = {}", point.value(n)?)));
        named.collect::<Vec<_>>().join(", ")
    }
}

/// The indices of the points of a series, which stand together.
pub fn points_of(experiment: &Experiment, series: usize) -> Range<usize> {
    let points = &experiment.points;
    points.partition_point(|p| p.series < series)..points.partition_point(|p| p.series <= series)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(series: &str) -> Experiment {
        let text = format!(
            "title = \"t\"\ntrials = 1\n[workload]\nkind = \"static-fill\"\n\
             [point]\nelements = 100\nbuckets = 100\n{series}"
        );
        Experiment::from_text("test", &text).unwrap()
    }

    #[test]
    fn a_swept_hash_function_tells_points_apart() {
        let series =
            "[[series]]\nlabel = \"a\"\nscheme = \"single\"\nhash = [\"random\", \"xxh3\"]\n";
        let experiment = experiment(series);
        assert_eq!(varying(experiment.points.iter()), ["hash"]);
        assert_eq!(Varying::new(&experiment).describe(1), "hash = xxh3");
    }

    /// The first series has no choices, which the second says.
    #[test]
    fn what_only_some_points_have_varies() {
        let experiment = experiment(
            "[[series]]\nlabel = \"a\"\nscheme = \"single\"\n\
             [[series]]\nlabel = \"b\"\nscheme = \"multiple\"\nchoices = 2\n",
        );
        let names = varying(experiment.points.iter());
        assert_eq!(names[0], "scheme");
        assert!(names.iter().any(|name| name == "choices"), "{names:?}");
        assert_eq!(Varying::new(&experiment).describe(1), "its only point");
    }
}
