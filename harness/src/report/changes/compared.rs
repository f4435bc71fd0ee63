//! The comparison of two sets of results.

use std::collections::BTreeSet;
use std::path::Path;

use loadfactor_schemes::prediction::Kind;

use super::tables::{ChangesError, Estimate, Judged, Key, Quantities, Quantity, quantities_of};
use crate::estimate::interval::t_quantile;
use crate::estimate::verdict::{FAMILY_ERROR, LEAST_TRIALS, Verdict};

/// Relative distance below which two predictions are the same: the last digits differ between
/// processors with and without fused multiplication and addition.
pub const ROUNDING: f64 = 1e-9;

/// What moved between two sets of results.
#[derive(Debug, Default)]
pub struct Changes {
    /// Measurements that both have.
    pub compared: usize,
    /// The experiments of which both have a table.
    pub experiments: BTreeSet<String>,
    /// Measurements of the old results that the new ones lack.
    pub missing: Vec<Key>,
    /// Measurements of the new results that the old ones lack.
    pub added: Vec<Key>,
    /// Measurements that differ, of too few trials to tell chance from a cause.
    pub too_few_trials: usize,
    /// Measurements that moved further than chance allows.
    pub moved: Vec<Move>,
    /// Predictions that both have.
    pub predictions_compared: usize,
    /// Predictions that differ, or that only one of them has.
    pub predictions: Vec<Change<Option<f64>>>,
    /// Bounds that differ where a measurement of their point does.
    pub bounds_by_chance: usize,
    /// Quantities with a published value in one of them at least.
    pub published_compared: usize,
    /// Published values that differ.
    pub published: Vec<Change<Vec<f64>>>,
    /// Predictions whose verdicts were compared: neither or both results have a measurement.
    pub verdicts_compared: usize,
    /// Verdicts that differ although nothing that was judged did, or where it moved.
    pub verdicts: Vec<Change<String>>,
    /// Verdicts that differ because of differences that chance allows.
    pub verdicts_by_chance: Vec<Change<String>>,
}

/// A measurement that moved.
#[derive(Debug)]
pub struct Move {
    /// What was measured.
    pub key: Key,
    /// Measured before.
    pub old: f64,
    /// Measured after.
    pub new: f64,
    /// The difference in standard errors of the difference; infinite where all trials of each saw the same.
    pub z: f64,
}

/// Something else that is not what it was.
#[derive(Debug)]
pub struct Change<T> {
    /// The quantity.
    pub key: Key,
    /// Kind and source of the prediction; empty for published values.
    pub prediction: String,
    /// What it was.
    pub old: T,
    /// What it is.
    pub new: T,
}

/// Compares all tables (`table.parquet`) below two folders, or two tables, in Parquet or as
/// comma-separated values.
///
/// # Errors
/// Where a folder or table cannot be read.
pub fn changes(old: &Path, new: &Path) -> Result<Changes, ChangesError> {
    let (old, new) = (quantities_of(old, new)?, quantities_of(new, old)?);
    let experiments = &experiments_of(&old) & &experiments_of(&new);
    let both = || old.iter().filter_map(|(key, a)| Some((key, a, new.get(key)?)));
    let measured = both().filter_map(|(key, a, b)| Some((key, a.measured?, b.measured?)));
    let compared = measured.clone().count();
    let comparison = Comparison {
        level: 1.0 - FAMILY_ERROR / compared.max(1) as f64,
        unequal: measured
            .clone()
            .filter(|(_, a, b)| a.mean != b.mean)
            .map(|(key, ..)| point(key))
            .collect(),
    };
    let mut changes = Changes {
        compared,
        experiments,
        missing: lacking(&old, &new),
        added: lacking(&new, &old),
        ..Changes::default()
    };
    for (key, a, b) in both() {
        comparison.quantity(key, a, b, &mut changes);
    }
    for (key, a) in old.iter().filter(|(key, a)| a.measured.is_none() && !new.contains_key(*key)) {
        comparison.predictions(key, a, &Quantity::default(), None, &mut changes);
    }
    Ok(changes)
}

/// The measurements that the others lack.
fn lacking(quantities: &Quantities, others: &Quantities) -> Vec<Key> {
    let measured = |key: &Key| others.get(key).is_some_and(|other| other.measured.is_some());
    let lacking = quantities.iter().filter(|(key, own)| own.measured.is_some() && !measured(key));
    lacking.map(|(key, _)| key.clone()).collect()
}

fn experiments_of(quantities: &Quantities) -> BTreeSet<String> {
    quantities.keys().map(|key| key.experiment.clone()).collect()
}

fn point(key: &Key) -> (&str, &str) {
    (&key.experiment, &key.point)
}

/// What must be known of all measurements before one quantity is compared.
struct Comparison<'k> {
    /// The confidence level of one measurement.
    level: f64,
    /// The points with a measurement that is not the same in both.
    unequal: BTreeSet<(&'k str, &'k str)>,
}

/// How two numbers of the same quantity differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    Equal,
    /// By no more than chance allows.
    Chance,
    /// By more than that.
    Cause,
}

impl Comparison<'_> {
    fn quantity(&self, key: &Key, old: &Quantity, new: &Quantity, changes: &mut Changes) {
        changes.published_compared +=
            usize::from(!(old.published.is_empty() && new.published.is_empty()));
        if old.published != new.published {
            changes.published.push(Change {
                key: key.clone(),
                prediction: String::new(),
                old: old.published.clone(),
                new: new.published.clone(),
            });
        }
        let measured = match (old.measured, new.measured) {
            (Some(a), Some(b)) => Some(self.measured(key, a, b, changes)),
            (None, None) => Some(Difference::Equal),
            // Missing or added, and counted as that.
            _ => None,
        };
        self.predictions(key, old, new, measured, changes);
    }

    fn measured(
        &self,
        key: &Key,
        old: Estimate,
        new: Estimate,
        changes: &mut Changes,
    ) -> Difference {
        let difference = new.mean - old.mean;
        if difference == 0.0 {
            return Difference::Equal;
        }
        let error = libm::hypot(old.std_error, new.std_error);
        let trials = old.trials.min(new.trials);
        if trials < LEAST_TRIALS as f64 || error.is_nan() {
            changes.too_few_trials += 1;
            return Difference::Chance;
        }
        let freedom = trials - 1.0;
        if difference.abs() <= t_quantile(self.level, freedom) * error {
            return Difference::Chance;
        }
        let (old, new, z) = (old.mean, new.mean, difference / error);
        changes.moved.push(Move { key: key.clone(), old, new, z });
        Difference::Cause
    }

    /// Compares the predictions of a quantity, and the verdicts on them where it is known how its
    /// measurements differ.
    fn predictions(
        &self,
        key: &Key,
        old: &Quantity,
        new: &Quantity,
        measured: Option<Difference>,
        changes: &mut Changes,
    ) {
        let names: BTreeSet<&String> =
            old.predictions.keys().chain(new.predictions.keys()).collect();
        for name in names {
            let (old, new) = (old.predictions.get(name), new.predictions.get(name));
            let predicted = self.predicted(key, name, old, new, changes);
            if let Some(((old, new), measured)) = old.zip(new).zip(measured) {
                verdict(key, name, (old, new), [measured, predicted], changes);
            }
        }
    }

    fn predicted(
        &self,
        key: &Key,
        name: &str,
        old: Option<&Judged>,
        new: Option<&Judged>,
        changes: &mut Changes,
    ) -> Difference {
        let [old, new] = [old, new].map(|prediction| prediction.map(|prediction| prediction.value));
        if let Some((old, new)) = old.zip(new) {
            changes.predictions_compared += 1;
            if is_same(old, new) {
                return Difference::Equal;
            }
            if is_bound(name) && self.unequal.contains(&point(key)) {
                changes.bounds_by_chance += 1;
                return Difference::Chance;
            }
        }
        changes.predictions.push(Change {
            key: key.clone(),
            prediction: name.to_owned(),
            old,
            new,
        });
        Difference::Cause
    }
}

/// Compares the verdicts on a prediction, `differences` being those of all that was judged.
fn verdict(
    key: &Key,
    name: &str,
    (old, new): (&Judged, &Judged),
    differences: [Difference; 2],
    changes: &mut Changes,
) {
    changes.verdicts_compared += 1;
    if old.verdict == new.verdict {
        return;
    }
    let [old, new] = [old, new].map(|judged| judged.verdict.clone());
    let judged = [&old, &new].into_iter().all(|verdict| verdict != Verdict::NoPrediction.name());
    let only_chance =
        differences.contains(&Difference::Chance) && !differences.contains(&Difference::Cause);
    let list = match judged && only_chance {
        true => &mut changes.verdicts_by_chance,
        false => &mut changes.verdicts,
    };
    list.push(Change { key: key.clone(), prediction: name.to_owned(), old, new });
}

fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// Whether a prediction of this kind and source is a bound.
fn is_bound(prediction: &str) -> bool {
    [Kind::LowerBound, Kind::UpperBound].iter().any(|kind| prediction.starts_with(kind.name()))
}

impl Changes {
    /// Whether nothing of the old results moved, changed or is missing.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty()
            && self.missing.is_empty()
            && self.predictions.is_empty()
            && self.published.is_empty()
            && self.verdicts.is_empty()
    }
}
