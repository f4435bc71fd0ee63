//! Which experiments, at which scale, on which trace.

use std::env;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::Result;
use clap::Args;
use loadfactor_traces::Layout;
use regex::Regex;

use super::status::BadInput;
use crate::definition::discovery::{self, Found};
use crate::definition::{Experiment, Options, Scale, load};
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
#[derive(Debug, Args)]
pub(super) struct Changes {
    /// How much to run
    #[arg(long, value_enum, default_value = "quick")]
    scale: Scale,
    /// Packets of this capture in place of the definition's trace
    #[arg(long, value_name = "PATH")]
    trace: Option<PathBuf>,
    /// Layout of the records of --trace, where it is no capture but a file of flow keys
    #[arg(long, value_name = "LAYOUT", requires = "trace")]
    layout: Option<Layout>,
    /// In place of the definition's seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Only points whose "EXPERIMENT SERIES" matches this regular expression
    #[arg(long, value_name = "REGEX")]
    only: Option<Regex>,
}

/// Folder of the results.
#[derive(Debug, Args)]
pub(super) struct Out {
    /// Folder of the results; each experiment has its own below it
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(super) out: PathBuf,
}

/// Number of threads.
#[derive(Debug, Args)]
pub(super) struct Threads {
    /// Threads; as many as the machine has cores where it is not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number asked for.
    pub(super) fn number(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// The number asked for, or as many as the machine runs at once.
    pub(super) fn or_all(&self) -> usize {
        self.number().unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
    }
}

impl Names {
    /// The definition files, ordered as named.
    pub(super) fn find(&self) -> Result<Vec<Found>> {
        let bad = |error: discovery::FindError| BadInput(format!("error: {error}"));
        let root = root();
        if self.experiments.is_empty() {
            return Ok(discovery::all(&root).map_err(bad)?);
        }
        let mut found = Vec::new();
        for name in &self.experiments {
            for one in discovery::find(&root, name).map_err(bad)? {
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        Ok(found)
    }

    /// The experiments, or every mistake in any of their definitions.
    pub(super) fn load(&self, changes: &Changes) -> Result<Vec<Experiment>> {
        let mut experiments = Vec::new();
        let mut mistakes = String::new();
        for Found { name, path } in self.find()? {
            match load(&path, &name, &changes.options()) {
                Ok(experiment) => experiments.push(changes.select(experiment)),
                Err(diagnostics) => mistakes += &format!("{}\n\n", diagnostics.render(color())),
            }
        }
        if !mistakes.is_empty() {
            return Err(BadInput(mistakes).into());
        }
        experiments.retain(|experiment| !experiment.points.is_empty());
        if experiments.is_empty() {
            return Err(BadInput("error: no point matches --only".into()).into());
        }
        if changes.trace.is_some() && experiments.iter().all(|e| key_kinds(e).is_empty()) {
            let text = "error: --trace has no effect: none of these experiments takes its keys from a \
                        trace (`keys = \"trace\"` under [workload])";
            return Err(BadInput(text.into()).into());
        }
        Ok(experiments)
    }
}

impl Changes {
    /// The scale's name.
    pub(super) fn scale(&self) -> &'static str {
        self.scale.name()
    }

    fn options(&self) -> Options {
        Options {
            scale: self.scale,
            seed: self.seed,
            trace: self.trace.clone(),
            layout: self.layout,
        }
    }

    fn select(&self, mut experiment: Experiment) -> Experiment {
        if let Some(only) = &self.only {
            let Experiment { name, series, points, .. } = &mut experiment;
            points.retain(|point| only.is_match(&format!("{name} {}", series[point.series])));
        }
        experiment
    }
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
