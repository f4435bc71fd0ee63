//! Quantities made of several points, from what was measured and predicted of each.

mod errors;
mod extreme;
mod optimum;
mod order;
mod pair;
mod row;
mod value;

pub use row::{DerivedRow, Estimate, Predicted};

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::prediction::Kind;

use crate::definition::{Derivation, Derived, Experiment};
use crate::estimate::comparison::{Comparison, Subject};

/// The rows of every derived quantity, in the order of the definition. An optimum that its family cannot
/// compute is an error beside them.
pub fn derive(
    experiment: &Experiment,
    subjects: &[Subject],
    comparisons: &[Comparison],
) -> (Vec<DerivedRow>, Vec<String>) {
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    let optima = optimum::optima(experiment, subjects);
    for (derived, optimum) in experiment.derived.iter().zip(optima) {
        match optimum {
            Some(Ok(found)) => rows.extend(found),
            Some(Err(error)) => failures.push(format!("{}: {error}", derived.name)),
            None => {
                let more =
                    Sources { experiment, subjects, comparisons, earlier: &rows }.rows(derived);
                rows.extend(more);
            }
        }
    }
    (rows, failures)
}

/// What a derived quantity is made of.
struct Sources<'s> {
    experiment: &'s Experiment,
    subjects: &'s [Subject],
    /// Every prediction of them with its room, point by point.
    comparisons: &'s [Comparison],
    /// The rows of the derived quantities further up.
    earlier: &'s [DerivedRow],
}

impl Sources<'_> {
    /// Whether trials of all of these points were run.
    fn are_measured(&self, points: &[usize]) -> bool {
        let has_trials = |subject: &Subject| !subject.measured.is_empty();
        points.iter().all(|&point| self.subjects.get(point).is_some_and(has_trials))
    }

    fn rows(&self, derived: &Derived) -> Vec<DerivedRow> {
        let name = &derived.name;
        match &derived.derivation {
            Derivation::Ratio(pair) => vec![self.pair(name, pair, pair::ratio)],
            Derivation::Difference(pair) => vec![self.pair(name, pair, pair::difference)],
            Derivation::Order { operands, of, at } => vec![self.order(name, operands, *of, at)],
            Derivation::Extreme(extreme) => vec![self.extreme(name, extreme)],
            Derivation::LargestError(largest) => self.largest_error(name, largest),
            Derivation::PoissonTail { mean, above } => {
                vec![DerivedRow::computed(
                    name,
                    "probability",
                    Kind::Exact,
                    poisson::exceeds(*mean, *above),
                )]
            }
            Derivation::Optimum(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
