//! `loadfactor published`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};

use super::exit::{BadInput, exit_code, one_line, status_of};
use super::format::{Printed, print_json};
use super::selection::{Names, Out, Overrides, folder};
use crate::definition::{Experiment, nearest};
use crate::escape::markdown;
use crate::pipeline::{PipelineError, load_trace, recorded_results};
use crate::plan::Plan;
use crate::report::{Agreement, PublishedRow, published_rows};
use crate::terminal::tell;

/// Every printed number beside ours, and how many are met, in sums by document
///
/// Measurements come from the journals of runs of this --scale, --seed, --trace and --set; nothing is simulated.
/// Without a run, what the document computed is judged by predictions, and what it measured is not run.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor published                                every printed number\n  \
    loadfactor published kanizo-deletions               those of a document\n  \
    loadfactor published deletions/fig4 --scale paper   those of an experiment, as it was run at paper scale")]
pub(super) struct PublishedArgs {
    /// Documents by their key in documents.toml, or experiments: a name, a folder or a path to a TOML
    /// file; all where none is given
    #[arg(value_name = "DOCUMENT|EXPERIMENT")]
    selection: Vec<String>,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    printed: Printed,
}

/// How many rows have each verdict, by the key of the document.
type Score = BTreeMap<String, BTreeMap<Agreement, usize>>;

/// The rows, for a person and as JSON, and their sums.
#[derive(Default)]
struct List {
    lines: String,
    rows: Vec<Value>,
    score: Score,
}

impl List {
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        writeln!(
            text,
            "| id | experiment | place | quantity | printed | ours | ± | compared with | verdict |"
        )?;
        writeln!(text, "|---|---|---|---|---:|---:|---:|---|---|")?;
        text += &self.lines;
        write_score(&self.score, &mut text)?;
        Ok(text)
    }

    fn json(&self) -> Value {
        let documents = self.score.iter().map(|(document, counts)| {
            let count = |verdict: Agreement| {
                let count = counts.get(&verdict).copied().unwrap_or(0);
                (verdict.name().replace(' ', "_"), json!(count))
            };
            let verdicts: Map<String, Value> = Agreement::ALL.map(count).into_iter().collect();
            let printed: usize = counts.values().sum();
            json!({ "document": document, "printed": printed, "verdicts": verdicts })
        });
        json!({ "rows": self.rows, "documents": documents.collect::<Vec<_>>() })
    }
}

/// Runs the command.
pub(super) fn run(args: &PublishedArgs) -> Result<ExitCode> {
    let (mut statuses, mut list) = (Vec::new(), List::default());
    let experiments = selected(args)?;
    for experiment in &experiments {
        if let Err(error) = one(args, experiment, &mut list) {
            statuses.push(status_of(&error));
            tell!("{}: FAILED: {}", experiment.name, one_line(&error.into()));
        }
    }
    match args.printed.as_json() {
        true => print_json(&list.json())?,
        false if experiments.iter().all(|experiment| experiment.published.is_empty()) => {
            tell!(
                "none of these experiments has printed values: `published.csv` beside a definition has them"
            );
        }
        // Why the printed values were not read was told above.
        false if list.rows.is_empty() => {}
        false => super::print(list.text()?.as_bytes())?,
    }
    Ok(exit_code(statuses))
}

/// The experiments of the documents and those named by themselves.
fn selected(args: &PublishedArgs) -> Result<Vec<Experiment>> {
    let every = match Names::of(Vec::new()).load(&args.overrides) {
        Ok(every) => every,
        // A broken definition elsewhere is told only where it may be what was asked for.
        Err(broken) if args.selection.is_empty() => return Err(broken),
        Err(broken) => {
            return Names::of(args.selection.clone()).load(&args.overrides).map_err(|_| broken);
        }
    };
    let key = |experiment: &Experiment| experiment.document.as_ref().map(|d| d.key.clone());
    let is_document = |word: &String| every.iter().any(|one| key(one).as_ref() == Some(word));
    let (documents, names): (Vec<String>, Vec<String>) =
        args.selection.iter().cloned().partition(is_document);
    let mut selected = match names.is_empty() {
        true => Vec::new(),
        false => {
            check_words(&names, &every)?;
            Names::of(names).load(&args.overrides)?
        }
    };
    if args.selection.is_empty() {
        return Ok(every);
    }
    let known: BTreeSet<PathBuf> = selected.iter().map(|one| one.path.clone()).collect();
    let of_documents = |one: &Experiment| {
        key(one).is_some_and(|key| documents.contains(&key)) && !known.contains(&one.path)
    };
    selected.extend(every.into_iter().filter(of_documents));
    Ok(selected)
}

/// Refuses a word that is no experiment, but nearly the key of a document.
fn check_words(words: &[String], every: &[Experiment]) -> Result<(), BadInput> {
    let documents = every.iter().filter_map(|one| one.document.as_ref());
    let keys: BTreeSet<&str> = documents.map(|document| document.key.as_str()).collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    for word in words {
        let is_unknown = Names::of(vec![word.clone()]).find().is_err();
        if let Some(near) = nearest(word, &keys).filter(|_| is_unknown) {
            return Err(BadInput(format!(
                "error: no document or experiment is called `{word}`; did you mean `{near}`?"
            )));
        }
    }
    Ok(())
}

fn one(
    args: &PublishedArgs,
    experiment: &Experiment,
    list: &mut List,
) -> Result<(), PipelineError> {
    if experiment.published.is_empty() {
        return Ok(());
    }
    let plan = Plan::new(experiment, load_trace(experiment, &args.out.out)?)?;
    let results = recorded_results(&plan, &folder(&args.out.out, experiment))?;
    let document = experiment.document.as_ref().map_or(String::new(), |d| d.key.clone());
    let of_document = list.score.entry(document.clone()).or_default();
    for row in published_rows(&results) {
        *of_document.entry(row.verdict).or_default() += 1;
        // Writing to a string cannot fail.
        let _ = write_row(&row, &experiment.name, &mut list.lines);
        list.rows.push(entry(&row, &document, &experiment.name));
    }
    Ok(())
}

/// A row as JSON has it: our value in the unit of the tables, a share and not per cent.
fn entry(row: &PublishedRow<'_>, document: &str, experiment: &str) -> Value {
    json!({
        "id": row.published.id,
        "document": document,
        "experiment": experiment,
        "place": row.published.place,
        "quantity": row.quantity,
        "printed": row.published.printed,
        "ours": row.ours,
        "half_width": row.half_width,
        "compared_with": row.against,
        "verdict": row.verdict.name().replace(' ', "_"),
        "note": row.published.note,
    })
}

fn write_row(row: &PublishedRow<'_>, experiment: &str, text: &mut String) -> std::fmt::Result {
    let PublishedRow { published, against, verdict, .. } = row;
    let why = match verdict {
        Agreement::NotTestable | Agreement::WithinScatter => format!(": {}", published.note),
        _ => String::new(),
    };
    writeln!(
        text,
        "| {} | {experiment} | {} | {} | {} | {} | {} | {against} | {verdict}{} |",
        markdown(&published.id),
        markdown(&published.place),
        markdown(&row.quantity),
        markdown(published.printed_value()),
        row.ours_as_printed().unwrap_or_default(),
        row.half_width_as_printed().unwrap_or_default(),
        markdown(&why),
    )
}

/// The sums, one line for each document.
fn write_score(score: &Score, text: &mut String) -> std::fmt::Result {
    let names = Agreement::ALL.map(|verdict| verdict.name());
    writeln!(text, "\n| document | printed | {} |", names.join(" | "))?;
    writeln!(text, "|---|---:|{}", "---:|".repeat(names.len()))?;
    for (document, counts) in score {
        let count = |verdict| counts.get(&verdict).copied().unwrap_or(0).to_string();
        let counts = Agreement::ALL.map(count).join(" | ");
        let all: usize = score[document].values().sum();
        writeln!(text, "| {document} | {all} | {counts} |")?;
    }
    Ok(())
}
