//! What families compute as best.

use loadfactor_schemes::aim::{Aim, NoOptimum, Optimum};
use loadfactor_schemes::prediction::Kind;
use rayon::prelude::*;

use super::row::DerivedRow;
use crate::definition::{self, Derivation, Derived, Experiment};
use crate::estimate::comparison::Subject;

/// The rows of an optimum, or why there is none.
type Rows = Result<Vec<DerivedRow>, NoOptimum>;

/// One for each derived quantity, in their order; `None` for those that are no optima. Each may take seconds.
pub(super) fn optima(experiment: &Experiment, subjects: &[Subject]) -> Vec<Option<Rows>> {
    let rows = |derived: &Derived| match &derived.derivation {
        Derivation::Optimum(wanted) => Some(rows(&derived.name, wanted, experiment, subjects)),
        _ => None,
    };
    experiment.derived.par_iter().map(rows).collect()
}

fn rows(
    name: &str,
    wanted: &definition::Optimum,
    experiment: &Experiment,
    subjects: &[Subject],
) -> Rows {
    let definition::Optimum { least, of, at_most, equal, series } = wanted;
    let aim = Aim { least, of, at_most: *at_most, equal: *equal };
    let of_series = |subject: &&Subject| experiment.points[subject.point].series == *series;
    let Some(subject) = subjects.iter().find(of_series) else { return Ok(Vec::new()) };
    let optimum: Optimum = subject.case.optimum(&aim)?;
    let row = |(quantity, value): (String, f64)| {
        DerivedRow::computed(name, &quantity, Kind::Asymptotic, value)
    };
    Ok(optimum.into_iter().map(row).collect())
}
