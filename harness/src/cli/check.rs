//! `loadfactor check`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::exit::{BAD_INPUT, BadInput};
use super::format::{Printed, print_json};
use super::selection::{Names, Overrides, color};
use crate::count::counted;
use crate::definition::{Diagnostics, Experiment, Scale, Told};
use crate::terminal::tell;
use crate::timing::check_definition;

/// Check definitions at every scale without running anything
///
/// Points are counted at the scale that is named. Where it has no mistake, the other scales are looked at.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs) -> Result<ExitCode> {
    if args.printed.as_json() {
        return as_json(args);
    }
    let experiments = args.names.load_all(&args.overrides)?;
    if let Some(found) = first_findings(args, &experiments, Vec::new())? {
        return Err(BadInput(found.text(args.overrides.asked_scale())).into());
    }
    let points: usize = experiments.iter().map(|experiment| experiment.points.len()).sum();
    let (definitions, points) =
        (counted(experiments.len(), "definition"), counted(points, "point"));
    tell!("{definitions} with {points}: no mistake found");
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with definitions at one scale.
struct Findings {
    scale: Scale,
    /// The mistakes of each definition that cannot be read.
    unread: Vec<Diagnostics>,
    /// The definitions of which a point cannot be timed.
    untimed: Vec<Untimed>,
    /// The files of the definitions without a mistake.
    sound: Vec<PathBuf>,
}

/// A definition of which a point cannot be timed.
struct Untimed {
    path: PathBuf,
    /// Its name, and why.
    title: String,
}

/// What is wrong at the scale that is asked for, at which these were read, or else at the first other one that has a
/// mistake.
fn first_findings(
    args: &CheckArgs,
    experiments: &[Experiment],
    unread: Vec<Diagnostics>,
) -> Result<Option<Findings>> {
    let asked = args.overrides.asked_scale();
    let mut found = Findings::of(asked, experiments, unread);
    for scale in Scale::ALL.into_iter().filter(|&other| other != asked) {
        if !found.is_empty() {
            break;
        }
        let (experiments, unread) = args.names.read(&args.overrides.at(scale))?;
        found = Findings::of(scale, &experiments, unread);
    }
    Ok((!found.is_empty()).then_some(found))
}

impl Findings {
    fn of(scale: Scale, experiments: &[Experiment], unread: Vec<Diagnostics>) -> Self {
        let (mut untimed, mut sound) = (Vec::new(), Vec::new());
        for experiment in experiments {
            let path = experiment.path.clone();
            match check_definition(experiment) {
                Ok(()) => sound.push(path),
                Err(reason) => {
                    untimed.push(Untimed { path, title: format!("{}: {reason}", experiment.name) });
                }
            }
        }
        Self { scale, unread, untimed, sound }
    }

    fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.untimed.is_empty()
    }

    /// What a user reads, who has asked for this scale.
    fn text(&self, asked: Scale) -> String {
        let unread = self.unread.iter().map(|of_one| of_one.render(color()));
        let untimed: Vec<String> =
            self.untimed.iter().map(|Untimed { title, .. }| format!("error: {title}")).collect();
        let untimed = (!untimed.is_empty()).then(|| untimed.join("\n"));
        let text = unread.chain(untimed).collect::<Vec<_>>().join("\n\n");
        match self.scale == asked {
            true => text,
            false => format!("at the scale `{}`:\n\n{text}", self.scale),
        }
    }

    fn json(&self) -> impl Iterator<Item = Value> {
        let of_files = self.unread.iter().flat_map(Diagnostics::told);
        let of_files = of_files.map(|told| mistake(told, self.scale));
        of_files.chain(self.untimed.iter().map(|untimed| not_timed(untimed, self.scale)))
    }
}

fn as_json(args: &CheckArgs) -> Result<ExitCode> {
    let (experiments, unread) = args.names.read(&args.overrides)?;
    let found = first_findings(args, &experiments, unread)?;
    let is_sound = |path| found.as_ref().is_none_or(|found| found.sound.contains(path));
    let sound = experiments.iter().filter(|experiment| is_sound(&experiment.path));
    let definitions: Vec<Value> = sound.map(definition).collect();
    let mistakes: Vec<Value> = found.iter().flat_map(Findings::json).collect();
    print_json(&json!({ "definitions": definitions, "mistakes": mistakes }))?;
    Ok(if found.is_none() { ExitCode::SUCCESS } else { ExitCode::from(BAD_INPUT) })
}

fn definition(experiment: &Experiment) -> Value {
    json!({
        "name": experiment.name,
        "definition": experiment.path.display().to_string(),
        "points": experiment.points.len(),
    })
}

fn mistake(told: Told<'_>, scale: Scale) -> Value {
    let Told { file, line, column, title, label, help } = told;
    json!({
        "file": file,
        "scale": scale.name(),
        "line": line,
        "column": column,
        "title": title,
        "label": label,
        "help": help,
    })
}

/// The mistake of a definition as a whole that it cannot be timed.
fn not_timed(untimed: &Untimed, scale: Scale) -> Value {
    json!({
        "file": untimed.path.display().to_string(),
        "scale": scale.name(),
        "line": null,
        "column": null,
        "title": untimed.title,
        "label": "",
        "help": [],
    })
}
