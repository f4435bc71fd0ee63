//! Which experiments, at which scale, on which trace.

use std::collections::BTreeSet;
use std::env;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::Result;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, Parser};
use regex::Regex;

use super::Cli;
use super::exit::BadInput;
use super::reading::ReadingArgs;
use crate::definition::discovery::{self, Found};
use crate::definition::{Diagnostics, Experiment, Options, Scale, Setting, load};
use crate::plan::key_kinds;

/// Folder that holds the definitions.
const EXPERIMENTS: &str = "experiments";

/// Names of experiments on the command line.
#[derive(Debug, Args)]
pub(super) struct Names {
    /// Experiments: a name (deletions/fig4), a folder (deletions) or a path to a TOML file;
    /// all where none is given
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
}

/// What changes an experiment from the command line.
#[derive(Debug, Clone, Args)]
pub(super) struct Overrides {
    /// How much to run
    #[arg(long, value_enum, default_value = "quick")]
    scale: Scale,
    /// Packets of this capture in place of the definition's trace. A folder or quoted pattern stands
    /// for its files, - for standard input; the files, also of several --trace, are one trace
    #[arg(long, value_name = "PATH")]
    trace: Option<Vec<PathBuf>>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// In place of the definition's seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A value in place of the definition's, as TOML has it, such as trials=1000,
    /// point.load=[0.5,0.9] or series."M-B".choices=3; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
}

/// Which points of the experiments.
#[derive(Debug, Args)]
pub(super) struct Only {
    /// Only points whose "EXPERIMENT SERIES" matches this regular expression; the table keeps the
    /// others, as far as they were run before
    #[arg(long, value_name = "REGEX")]
    only: Option<Regex>,
}

/// Which experiments, how they are changed, and which of their points.
#[derive(Debug, Args)]
pub(super) struct Selection {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    only: Only,
}

/// A selection by itself, as a command line.
#[derive(Debug, Parser)]
struct SelectionAlone {
    #[command(flatten)]
    selection: Selection,
}

impl Selection {
    /// The words of this process's command line that make its selection, those of the sub-command's other options left
    /// out.
    pub(super) fn words(command: &str) -> Result<Vec<String>> {
        let matches = Cli::command().get_matches();
        let Some(given) = matches.subcommand_matches(command) else { return Ok(Vec::new()) };
        let (mut options, mut names) = (Vec::new(), Vec::new());
        for arg in SelectionAlone::command().get_arguments() {
            let id = arg.get_id().as_str();
            if given.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            for value in given.get_raw(id).into_iter().flatten() {
                let value = value.to_str().ok_or_else(|| {
                    BadInput(format!("error: {} is no text in UTF-8", value.display()))
                })?;
                match arg.get_long() {
                    Some(long) => options.push(format!("--{long}={value}")),
                    None => names.push(value.to_owned()),
                }
            }
        }
        if !names.is_empty() {
            options.push("--".to_owned());
        }
        Ok([options, names].concat())
    }

    /// The selection that such words make.
    pub(super) fn of_words(words: &[String]) -> Result<Self, BadInput> {
        let words = ["loadfactor"].into_iter().chain(words.iter().map(String::as_str));
        let parsed = SelectionAlone::try_parse_from(words);
        parsed.map(|alone| alone.selection).map_err(|error| BadInput(error.to_string()))
    }

    /// The experiments that have trials and a selected point.
    pub(super) fn load(&self) -> Result<Vec<Selected>> {
        self.only.select(self.names.load(&self.overrides)?)
    }

    /// The experiments that have a selected point, those that are timed among them.
    pub(super) fn load_all(&self) -> Result<Vec<Selected>> {
        self.only.select(self.names.load_all(&self.overrides)?)
    }

    /// The regular expression that chooses points.
    pub(super) fn only(&self) -> Option<String> {
        self.only.text()
    }

    /// The experiment of this name among them.
    pub(super) fn load_named(&self, name: &str) -> Result<Experiment, BadInput> {
        let none = || BadInput(format!("error: there is no experiment `{name}` any more"));
        let found = self.names.find().map_err(|error| BadInput(error.to_string()))?;
        let Found { name, path } =
            found.into_iter().find(|found| found.name == name).ok_or_else(none)?;
        let mistakes = |of_one: Diagnostics| BadInput(of_one.render(color()));
        load(&path, &name, &self.overrides.options()).map_err(mistakes)
    }

    /// The scale's name.
    pub(super) fn scale(&self) -> &'static str {
        self.overrides.scale()
    }

    /// Whether a trace is read from standard input, which no other process can read again.
    pub(super) fn reads_standard_input(&self) -> bool {
        self.overrides.trace.iter().flatten().any(|path| path == Path::new("-"))
    }
}

/// An experiment, of which at least one point is selected.
#[derive(Debug)]
pub(super) struct Selected {
    /// The whole experiment.
    pub(super) experiment: Experiment,
    /// The points selected; all where it is absent.
    pub(super) only: Option<BTreeSet<usize>>,
}

/// Folder of the results.
#[derive(Debug, Args)]
pub(super) struct Out {
    /// Folder of the results; each experiment has its own below it
    #[arg(long, short, value_name = "DIR", default_value = "results")]
    pub(super) out: PathBuf,
}

/// Number of threads.
#[derive(Debug, Args)]
pub(super) struct Threads {
    /// Threads; as many as the machine has cores where it is not given
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number asked for.
    pub(super) fn number(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// The number asked for, or as many as the machine runs at once.
    pub(super) fn or_all(&self) -> usize {
        self.number().unwrap_or_else(all)
    }

    /// Those of them that the machine runs at once.
    pub(super) fn at_once(&self) -> usize {
        self.or_all().min(all())
    }
}

/// As many threads as the machine runs at once.
fn all() -> usize {
    available_parallelism().map_or(1, usize::from)
}

impl Names {
    /// These words; every experiment where there are none.
    pub(super) fn of(words: Vec<String>) -> Self {
        Self { experiments: words }
    }

    /// The definition files, ordered as named.
    pub(super) fn find(&self) -> Result<Vec<Found>> {
        let bad = |error: discovery::FindError| BadInput(format!("error: {error}"));
        let root = root();
        if self.experiments.is_empty() {
            return Ok(discovery::all(&root).map_err(bad)?);
        }
        let mut found = Vec::new();
        for name in &self.experiments {
            found.extend(discovery::find(&root, name).map_err(bad)?);
        }
        Ok(each_once(found)?)
    }

    /// The experiments that have trials, or every mistake in any of their definitions. Of a folder, those that
    /// are timed are left out.
    pub(super) fn load(&self, overrides: &Overrides) -> Result<Vec<Experiment>> {
        let (timed, experiments): (Vec<_>, Vec<_>) =
            self.load_all(overrides)?.into_iter().partition(|one| one.timing.is_some());
        match timed.first() {
            Some(one) if experiments.is_empty() => {
                let Experiment { name, .. } = one;
                let text =
                    format!("error: {name} has no trials: time it with `loadfactor bench {name}`");
                Err(BadInput(text).into())
            }
            _ => Ok(experiments),
        }
    }

    /// The experiments that are timed, or every mistake in any of their definitions.
    pub(super) fn load_timed(&self, overrides: &Overrides) -> Result<Vec<Experiment>> {
        let mut experiments = self.load_all(overrides)?;
        experiments.retain(|one| one.timing.is_some());
        if experiments.is_empty() {
            let text =
                "error: none of these experiments is timed: `[time]` in a definition says what is";
            return Err(BadInput(text.into()).into());
        }
        Ok(experiments)
    }

    /// The experiment of one file among them.
    pub(super) fn load_one(&self, path: &Path, overrides: &Overrides) -> Result<Experiment> {
        let found = self.find()?.into_iter().find(|found| found.path == path);
        let name = found.map_or_else(|| path.display().to_string(), |found| found.name);
        let mistakes = |of_one: Diagnostics| BadInput(of_one.render(color()));
        Ok(load(path, &name, &overrides.options()).map_err(mistakes)?)
    }

    /// All of the experiments, or every mistake in any of their definitions.
    pub(super) fn load_all(&self, overrides: &Overrides) -> Result<Vec<Experiment>> {
        let (experiments, mistakes) = self.read(overrides)?;
        if !mistakes.is_empty() {
            let mistakes = mistakes.iter().map(|of_one| format!("{}\n\n", of_one.render(color())));
            return Err(BadInput(mistakes.collect()).into());
        }
        if let Some(option) = overrides.of_traces()
            && experiments.iter().all(|experiment| key_kinds(experiment).is_empty())
        {
            return Err(BadInput(format!(
                "error: {option} has no effect: none of these experiments takes its keys from a trace \
                 (`keys = \"trace\"` under [workload])"
            ))
            .into());
        }
        Ok(experiments)
    }

    /// The experiments, and the mistakes of every definition that is none.
    pub(super) fn read(
        &self,
        overrides: &Overrides,
    ) -> Result<(Vec<Experiment>, Vec<Diagnostics>)> {
        let (mut experiments, mut mistakes) = (Vec::new(), Vec::new());
        for Found { name, path } in self.find()? {
            match load(&path, &name, &overrides.options()) {
                Ok(experiment) => experiments.push(experiment),
                Err(diagnostics) => mistakes.push(diagnostics),
            }
        }
        Ok((experiments, mistakes))
    }
}

impl Overrides {
    /// The scale's name.
    pub(super) fn scale(&self) -> &'static str {
        self.scale.name()
    }

    /// The scale.
    pub(super) fn asked_scale(&self) -> Scale {
        self.scale
    }

    /// The same at another scale.
    pub(super) fn at(&self, scale: Scale) -> Self {
        Self { scale, ..self.clone() }
    }

    /// An option that says something of a trace.
    fn of_traces(&self) -> Option<&'static str> {
        match self.trace {
            Some(_) => Some("--trace"),
            None => self.reading.first_given(),
        }
    }

    fn options(&self) -> Options {
        Options {
            scale: self.scale,
            seed: self.seed,
            trace: self.trace.clone(),
            reading: self.reading.options(),
            settings: self.settings.clone(),
        }
    }
}

/// A series as --only is held against it.
fn in_words(experiment: &str, series: &str) -> String {
    format!("{experiment} {series}")
}

impl Only {
    /// The regular expression.
    pub(super) fn text(&self) -> Option<String> {
        self.only.as_ref().map(Regex::to_string)
    }

    /// The experiments that have a selected point.
    pub(super) fn select(&self, experiments: Vec<Experiment>) -> Result<Vec<Selected>> {
        let example =
            experiments.iter().find_map(|one| Some(in_words(&one.name, one.series.first()?)));
        let mut selected: Vec<Selected> =
            experiments.into_iter().map(|experiment| self.selected(experiment)).collect();
        selected.retain(|one| one.points() > 0);
        if selected.is_empty() {
            let example = example.map_or_else(String::new, |text| format!(", such as `{text}`"));
            let text = format!(
                "error: no point matches --only; it is looked for in experiment and series{example}"
            );
            return Err(BadInput(text).into());
        }
        Ok(selected)
    }

    fn selected(&self, experiment: Experiment) -> Selected {
        let Experiment { name, series, points, .. } = &experiment;
        let only = self.only.as_ref().map(|only| {
            let matches = |of: usize| only.is_match(&in_words(name, &series[of]));
            let points = points.iter().enumerate();
            points.filter(|(_, point)| matches(point.series)).map(|(index, _)| index).collect()
        });
        Selected { experiment, only }
    }
}

impl Selected {
    /// Number of points selected.
    pub(super) fn points(&self) -> usize {
        self.only.as_ref().map_or(self.experiment.points.len(), BTreeSet::len)
    }

    /// Whether a point is selected.
    pub(super) fn holds(&self, point: usize) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&point))
    }
}

/// The same without a file named twice.
///
/// Two files of one name would share a folder of results.
fn each_once(found: Vec<Found>) -> Result<Vec<Found>, BadInput> {
    let mut once: Vec<Found> = Vec::new();
    for one in found {
        match once.iter().find(|other| other.name == one.name) {
            None => once.push(one),
            Some(other) if same_file(&other.path, &one.path) => {}
            Some(other) => {
                return Err(BadInput(format!(
                    "error: {} and {} are both called `{}` and would share a folder of results; \
                     rename one, or run them one by one, each with an --out of its own",
                    other.path.display(),
                    one.path.display(),
                    one.name,
                )));
            }
        }
    }
    Ok(once)
}

fn same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// The folder of an experiment's results.
pub(super) fn folder(out: &Path, experiment: &Experiment) -> PathBuf {
    out.join(&experiment.name)
}

/// The nearest folder `experiments` in the working folder or above it.
fn root() -> PathBuf {
    let here = PathBuf::from(EXPERIMENTS);
    if here.is_dir() {
        return here;
    }
    let working = env::current_dir().unwrap_or_default();
    let above = working.ancestors().map(|folder| folder.join(EXPERIMENTS)).find(|f| f.is_dir());
    above.unwrap_or(here)
}

/// Whether messages may be coloured.
pub(super) fn color() -> bool {
    stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
