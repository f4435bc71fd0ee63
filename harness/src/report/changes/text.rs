//! What moved, as text.

use std::collections::BTreeMap;
use std::fmt;

use super::compared::{Change, Changes, Move};
use super::tables::Key;
use crate::count::counted;

/// Measurements of one experiment that are named where only one of the results has them.
const MOST_NAMED: usize = 5;

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { experiment, point, metric } = self;
        let space = if experiment.is_empty() { "" } else { " " };
        write!(f, "{experiment}{space}{point} metric={metric}")
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Move { key, old, new, z } in &self.moved {
            let by = match z.is_finite() {
                true => format!("{z:+.1} standard errors"),
                false => "though all trials of each saw the same".to_owned(),
            };
            writeln!(f, "{key}\n  {old} → {new}, {by}")?;
        }
        for Change { key, prediction, old, new } in &self.predictions {
            writeln!(f, "{key}, {prediction}\n  predicted {} → {}", values(old), values(new))?;
        }
        for Change { key, old, new, .. } in &self.published {
            writeln!(f, "{key}\n  published {} → {}", values(old), values(new))?;
        }
        for Change { key, prediction, old, new } in &self.verdicts {
            writeln!(f, "{key}, {prediction}\n  {old} → {new}")?;
        }
        for Change { key, prediction, old, new } in &self.verdicts_by_chance {
            writeln!(f, "{key}, {prediction}\n  {old} → {new}, by chance")?;
        }
        self.absent(&self.missing, "missing from the new results", f)?;
        self.absent(&self.added, "not in the old results", f)?;
        self.summary(f)
    }
}

impl Changes {
    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} measurements compared: {} moved{}; {} missing{}, {} added{}",
            self.compared,
            self.moved.len(),
            more(self.too_few_trials, "differ, of too few trials to say why"),
            self.missing.len(),
            self.of_others(&self.missing),
            self.added.len(),
            self.of_others(&self.added),
        )?;
        let count = |is: fn(&Change<Option<f64>>) -> bool| {
            self.predictions.iter().filter(|change| is(change)).count()
        };
        writeln!(
            f,
            "{} predictions compared: {} changed; {} vanished, {} appeared{}",
            self.predictions_compared,
            count(|change| change.old.is_some() && change.new.is_some()),
            count(|change| change.new.is_none()),
            count(|change| change.old.is_none()),
            more(self.bounds_by_chance, "bounds moved with measurements of their points"),
        )?;
        let (published, changed) = (self.published_compared, self.published.len());
        writeln!(f, "{published} published values compared: {changed} changed")?;
        writeln!(
            f,
            "{} verdicts compared: {} changed{}{}",
            self.verdicts_compared,
            self.verdicts.len(),
            more(self.verdicts_by_chance.len(), "by chance"),
            transitions(&self.verdicts)
        )
    }

    /// Says which measurements only one of the results has: the first of each experiment, and how many; of an experiment
    /// that the others lack as a whole, only how many.
    fn absent(&self, keys: &[Key], is: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for of_experiment in keys.chunk_by(|a, b| a.experiment == b.experiment) {
            let (experiment, all) = (&of_experiment[0].experiment, of_experiment.len());
            let space = if experiment.is_empty() { "" } else { " " };
            if !self.experiments.contains(experiment) {
                writeln!(
                    f,
                    "{experiment}{space}as a whole, {}, {is}",
                    counted(all, "measurement")
                )?;
                continue;
            }
            for key in of_experiment.iter().take(MOST_NAMED) {
                writeln!(f, "{key}\n  {is}")?;
            }
            if let more @ 1.. = all.saturating_sub(MOST_NAMED) {
                writeln!(f, "{experiment}{space}and {more} more measurements, {is}")?;
            }
        }
        Ok(())
    }

    /// How many of these measurements are of experiments that the others lack as a whole, such as those that a partial run
    /// leaves out.
    fn of_others(&self, keys: &[Key]) -> String {
        match keys.iter().filter(|key| !self.experiments.contains(&key.experiment)).count() {
            0 => String::new(),
            count => format!(" ({count} of experiments that only one has)"),
        }
    }
}

/// A further count of the summary, where there is something to count.
fn more(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("; {count} {what}") }
}

/// How many verdicts became what.
fn transitions(verdicts: &[Change<String>]) -> String {
    let mut counts = BTreeMap::<_, usize>::new();
    for Change { old, new, .. } in verdicts {
        *counts.entry((old, new)).or_default() += 1;
    }
    counts.iter().map(|((old, new), count)| format!("\n  {count} {old} → {new}")).collect()
}

fn values<'v>(values: impl IntoIterator<Item = &'v f64>) -> String {
    let values: Vec<String> = values.into_iter().map(ToString::to_string).collect();
    if values.is_empty() { "nothing".to_owned() } else { values.join(", ") }
}
