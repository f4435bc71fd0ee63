//! What is the same for all points that are looked at.

use loadfactor_schemes::params::Scalar;

use super::names::{axes_of, parameter};
use super::number::short;
use crate::definition::Point;

/// Values of one quantity that a subtitle lists.
const FEW: usize = 3;

/// A quantity that all of the points share.
#[derive(Debug, PartialEq)]
pub(super) struct Fixed {
    /// Its name in a definition.
    pub(super) name: String,
    pub(super) value: Scalar,
}

/// The parameters and columns that all points have with one value: those with a symbol first, in the order
/// in which families declare them.
pub(super) fn fixed(points: &[&Point]) -> Vec<Fixed> {
    let Some(first) = points.first() else { return Vec::new() };
    let mut names: Vec<String> = axes_of(points)
        .filter(|axis| axis.symbol.is_some())
        .map(|axis| axis.name.to_owned())
        .collect();
    names.extend(first.params.iter().map(|(name, _)| name.to_owned()));
    let mut found: Vec<Fixed> = Vec::new();
    for name in names {
        let same = |value: &Scalar| {
            points.iter().all(|point| value_of(point, &name).as_ref() == Some(value))
        };
        if let Some(value) = value_of(first, &name).filter(same)
            && found.iter().all(|known| known.name != name)
        {
            found.push(Fixed { name, value });
        }
    }
    found
}

/// The value of a column, else of a parameter, else what the point itself says of the name.
pub(super) fn value_of(point: &Point, name: &str) -> Option<Scalar> {
    let columns = point.case.columns();
    if let Some((_, value)) = columns.into_iter().find(|(column, _)| *column == name) {
        return value;
    }
    let own = || point.case.place(name).map(Scalar::Number);
    point.params.get(name).cloned().or_else(own)
}

/// What has a symbol and few values where it has any, such as `n = 10000, h = 1 or 2`, without what is along the
/// axis `x`; then the workloads. What only some points have is left out at its usual value.
pub(super) fn in_short(points: &[&Point], x: &str) -> String {
    let axes = axes_of(points).filter(|axis| axis.name != x);
    let symbols = axes.filter_map(|axis| {
        let own = points.iter().filter_map(|point| Some((point, value_of(point, axis.name)?)));
        let own: Vec<(&&Point, Scalar)> = own.collect();
        let usual = |(point, value): &(&&Point, Scalar)| {
            let declared = parameter(&point.scheme, &point.workload, axis.name);
            declared.and_then(|param| param.absent.value()).as_ref() == Some(value)
        };
        if own.len() < points.len() && own.iter().all(usual) {
            return None;
        }
        let values = own.iter().map(|(_, value)| short(value)).collect();
        Some(format!("{} {}", axis.symbol?, few(values)?))
    });
    let workloads = few(points.iter().map(|point| point.workload.clone()).collect());
    let mut all: Vec<String> = symbols.collect();
    all.dedup();
    all.extend(workloads);
    all.join(", ")
}

/// The different values, in the order in which they are met; `None` where they are none or more than
/// [`FEW`].
fn few(values: Vec<String>) -> Option<String> {
    let mut different: Vec<String> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
        if different.len() > FEW {
            return None;
        }
    }
    (!different.is_empty()).then(|| different.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Experiment;

    /// The sizes of two series differ, the load is along the axis, and choices are those of the sub-tables.
    #[test]
    fn a_subtitle_has_what_points_share_and_the_few_values_of_what_they_do_not() {
        let text = "title = \"t\"\ntrials = 1\n[workload]\nkind = \"static-fill\"\n[point]\n\
                    scheme = \"multiple\"\nelements = 1000\n\
                    [[series]]\nlabel = \"a\"\nbuckets_per_element = \"0.5 0.25\"\n\
                    [[series]]\nlabel = \"b\"\nbucket_size = 2\nbuckets_per_element = \"0.3 0.2\"\n";
        let experiment = Experiment::from_text("test", text).unwrap();
        let points: Vec<&Point> = experiment.points.iter().collect();
        let found = in_short(&points, "load");
        assert_eq!(found, "n = 1000, m = 750 or 500, h = 1 or 2, d = 2, α = 1, static-fill");
        let names: Vec<String> = fixed(&points).into_iter().map(|fixed| fixed.name).collect();
        assert_eq!(names[..2], ["elements", "choices"]);
        assert!(!names.iter().any(|name| name == "bucket_size" || name == "buckets"));
    }

    /// One choice is no setting of SINGLE, yet a reader must learn the number of those of MULTIPLE.
    #[test]
    fn a_subtitle_has_what_only_some_schemes_have() {
        let text = "title = \"t\"\ntrials = 1\n[workload]\nkind = \"static-fill\"\n[point]\n\
                    elements = 1000\nbuckets = 1000\n\
                    [[series]]\nlabel = \"a\"\nscheme = \"single\"\n\
                    [[series]]\nlabel = \"b\"\nscheme = \"multiple\"\nchoices = 4\n";
        let experiment = Experiment::from_text("test", text).unwrap();
        let points: Vec<&Point> = experiment.points.iter().collect();
        let found = in_short(&points, "load");
        assert_eq!(found, "n = 1000, m = 1000, h = 1, d = 4, α = 1, static-fill");
    }

    #[test]
    fn many_values_are_not_listed() {
        let few =
            |values: &[&str]| super::few(values.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(few(&["1", "2", "1"]).as_deref(), Some("1 or 2"));
        assert_eq!(few(&["1", "2", "3", "4"]), None);
        assert_eq!(few(&[]), None);
    }
}
