//! What agreed, what did not, and which files to open.

use std::fmt;
use std::path::PathBuf;

use crate::report::{Agreement, Results, Tally, published_rows};
use crate::run::Outcome;

/// The end of a run, over all experiments.
#[derive(Debug, Default)]
pub(super) struct Summary {
    experiments: Vec<Entry>,
    failures: Vec<(String, String)>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    tally: Tally,
    trials: u64,
    resumed: u64,
    seconds: f64,
    published: (usize, usize, usize),
    contradictions: Vec<String>,
    failed_points: Vec<String>,
    reservations: Vec<String>,
    report: Option<PathBuf>,
}

impl Summary {
    /// Adds an experiment that was run.
    pub(super) fn add(&mut self, results: &Results<'_>, outcome: &Outcome, files: &[PathBuf]) {
        let published = published_rows(results);
        let count = |verdict| published.iter().filter(|row| row.verdict == verdict).count();
        self.experiments.push(Entry {
            name: results.experiment.name.clone(),
            tally: results.tally(),
            trials: results.trials,
            resumed: outcome.batches_resumed,
            seconds: outcome.seconds,
            published: (
                count(Agreement::Agrees),
                count(Agreement::Differs),
                count(Agreement::Missing),
            ),
            contradictions: results.contradictions(),
            failed_points: results.failures.iter().map(|(_, error)| error.clone()).collect(),
            reservations: results.reservations(),
            report: files.first().cloned(),
        });
    }

    /// Adds an experiment that could not be run.
    pub(super) fn fail(&mut self, name: &str, error: &str) {
        self.failures.push((name.to_owned(), error.to_owned()));
    }

    /// Whether anything failed.
    pub(super) fn failed(&self) -> bool {
        !self.failures.is_empty() || self.experiments.iter().any(|e| !e.failed_points.is_empty())
    }

    /// Rows that contradict a prediction.
    pub(super) fn contradictions(&self) -> usize {
        self.experiments.iter().map(|entry| entry.tally.contradictions()).sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.experiments {
            entry.fmt(f)?;
        }
        for (name, error) in &self.failures {
            writeln!(f, "{name}: FAILED: {error}")?;
        }
        if self.experiments.len() > 1 {
            let sum = |count: fn(&Tally) -> usize| -> usize {
                self.experiments.iter().map(|entry| count(&entry.tally)).sum()
            };
            writeln!(
                f,
                "\n{} experiments, {} rows judged: {} contradict a prediction; {} experiments failed",
                self.experiments.len(),
                sum(Tally::judged),
                sum(Tally::contradictions),
                self.failures.len(),
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { agrees, differs, bound_holds, bound_violated } = self.tally;
        writeln!(f, "\n{}: {} trials in {:.1} s", self.name, self.trials, self.seconds)?;
        if self.resumed > 0 {
            writeln!(f, "  {} finished batches were taken from the journal", self.resumed)?;
        }
        writeln!(
            f,
            "  predictions: {agrees} agree, {differs} differ; bounds: {bound_holds} hold, {bound_violated} violated"
        )?;
        for series in &self.contradictions {
            writeln!(f, "    {series}")?;
        }
        let (agree, differ, missing) = self.published;
        if agree + differ + missing > 0 {
            writeln!(f, "  published values: {agree} met, {differ} not, {missing} not run")?;
        }
        for error in &self.failed_points {
            writeln!(f, "  a point failed: {error}")?;
        }
        for reservation in &self.reservations {
            writeln!(f, "  note: {reservation}")?;
        }
        match &self.report {
            Some(path) => writeln!(f, "  open {}", path.display()),
            None => Ok(()),
        }
    }
}
