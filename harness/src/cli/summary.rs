//! What agreed, what did not, and which files to open.

use std::fmt;
use std::path::PathBuf;

use super::exit::{FAILED, one_line, status_of};
use crate::count::{counted, with_verb};
use crate::pipeline::{Conducted, PipelineError};
use crate::report::{Agreement, Tally, Verdicts, published_rows};
use crate::terminal::tell;

/// The end of a run, over all experiments.
#[derive(Debug, Default)]
pub(super) struct Summary {
    experiments: Vec<Entry>,
    failures: Vec<Failure>,
}

/// An experiment that could not be run.
#[derive(Debug)]
struct Failure {
    name: String,
    error: String,
    status: u8,
}

/// What is told of an experiment that was run.
#[derive(Debug)]
pub(super) struct Entry {
    name: String,
    tally: Tally,
    verdicts: Verdicts,
    predicted: bool,
    unfinished: usize,
    trials: u64,
    resumed: u64,
    seconds: f64,
    published: [(Agreement, usize); Agreement::ALL.len()],
    contradictions: Vec<String>,
    failed_points: Vec<String>,
    reservations: Vec<String>,
    report: Option<PathBuf>,
}

impl Summary {
    /// Adds an experiment that was run, with the points of it that were asked for.
    pub(super) fn add(&mut self, conducted: &Conducted<'_>, asked: impl Fn(usize) -> bool) {
        self.push(Entry::new(conducted, asked));
    }

    /// Adds what is told of an experiment.
    pub(super) fn push(&mut self, entry: Entry) {
        self.experiments.push(entry);
    }

    /// Adds an experiment that could not be run.
    pub(super) fn fail(&mut self, name: &str, error: PipelineError) {
        let status = status_of(&error);
        let (name, error) = (name.to_owned(), one_line(&error.into()));
        self.failures.push(Failure { name, error, status });
    }

    /// The exit status where anything failed.
    pub(super) fn failure(&self) -> Option<u8> {
        let of_points = self.experiments.iter().filter(|entry| !entry.failed_points.is_empty());
        // What failed at run time counts before a definition that could not be run.
        self.failures.iter().map(|failure| failure.status).chain(of_points.map(|_| FAILED)).min()
    }

    /// Why these results do not show that every prediction holds.
    pub(super) fn objections(&self) -> Vec<String> {
        let mut objections = Vec::new();
        for Entry { name, tally, predicted, unfinished, .. } in &self.experiments {
            if tally.contradictions() > 0 {
                let facts = ["fact contradicts a prediction", "facts contradict a prediction"];
                let facts = with_verb(tally.contradictions(), facts);
                objections.push(format!("{name}: {facts}"));
            }
            if *unfinished > 0 {
                let lacking = with_verb(*unfinished, ["point lacks trials", "points lack trials"]);
                objections.push(format!("{name}: {lacking}"));
            }
            if *predicted && tally.judged() == 0 {
                objections
                    .push(format!("{name}: nothing was judged: give it more `trials`, or take a larger --scale where it has more"));
            }
        }
        if self.experiments.iter().all(|entry| entry.tally.judged() == 0) && objections.is_empty() {
            objections.push("nothing was judged".to_owned());
        }
        objections
    }
}

impl Entry {
    /// What is told of an experiment, with the points of it that were asked for.
    pub(super) fn new(conducted: &Conducted<'_>, asked: impl Fn(usize) -> bool) -> Self {
        let Conducted { results, outcome, files, undrawn } = conducted;
        let points = outcome.points.iter().enumerate();
        let unfinished = points.filter(|(point, o)| asked(*point) && !o.complete).count();
        let published = published_rows(results);
        let verdicts = results.verdicts();
        let count = |verdict| published.iter().filter(|row| row.verdict == verdict).count();
        Self {
            name: results.experiment.name.clone(),
            tally: verdicts.tally(),
            verdicts,
            predicted: !results.comparisons.is_empty(),
            unfinished,
            trials: results.trials,
            resumed: outcome.batches_resumed,
            seconds: outcome.seconds,
            published: Agreement::ALL.map(|verdict| (verdict, count(verdict))),
            contradictions: results.contradictions(),
            failed_points: results.failures.iter().map(|(_, error)| error.clone()).collect(),
            reservations: [results.reservations(), undrawn.clone()].concat(),
            report: files.first().cloned(),
        }
    }
}

impl Summary {
    /// Says it on standard error.
    pub(super) fn tell(&self) {
        let text = self.to_string();
        if !text.is_empty() {
            tell!("{}", text.trim_end());
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.experiments {
            entry.fmt(f)?;
        }
        for Failure { name, error, .. } in &self.failures {
            writeln!(f, "{name}: FAILED: {error}")?;
        }
        if self.experiments.len() > 1 {
            let mut verdicts = Verdicts::default();
            self.experiments.iter().for_each(|entry| verdicts.merge(&entry.verdicts));
            let tally = verdicts.tally();
            writeln!(
                f,
                "\n{}, {} judged: {}, {}, {}; {} failed",
                counted(self.experiments.len(), "experiment"),
                counted(tally.judged(), "fact"),
                with_verb(
                    tally.contradictions(),
                    ["contradicts a prediction", "contradict a prediction"]
                ),
                with_verb(tally.off, ["model is off", "models are off"]),
                with_verb(tally.undecided, ["is undecided", "are undecided"]),
                counted(self.failures.len(), "experiment"),
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { agrees, differs, bound_holds, bound_violated, off, undecided } = self.tally;
        writeln!(f, "\n{}: {} in {:.1} s", self.name, counted(self.trials, "trial"), self.seconds)?;
        if self.resumed > 0 {
            writeln!(f, "  {} finished batches were taken from the journal", self.resumed)?;
        }
        writeln!(
            f,
            "  predictions: {agrees} agree, {differs} differ; bounds: {bound_holds} hold, {bound_violated} violated; models off: {off}; undecided: {undecided}"
        )?;
        for series in &self.contradictions {
            writeln!(f, "    {series}")?;
        }
        let published = self.published.iter().filter(|(_, rows)| *rows > 0);
        let published: Vec<String> =
            published.map(|(verdict, rows)| format!("{rows} {verdict}")).collect();
        if !published.is_empty() {
            writeln!(f, "  published values: {}", published.join(", "))?;
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
