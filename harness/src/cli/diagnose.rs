//! `loadfactor diagnose`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use loadfactor_schemes::hash::HashKind;
use loadfactor_schemes::{families, tables};
use loadfactor_traces::KeyKind;
use serde_json::Value;

use super::exit::{BadInput, FAILED, INTERRUPTED};
use super::format::{Printed, print_json};
use super::note;
use super::parameters::{self, Parameter};
use super::reading::ReadingArgs;
use super::selection::{Out, Threads, color, folder};
use crate::definition::{Experiment, File, Input, Options, Scale, parse};
use crate::diagnosis::{Answer, Question};
use crate::files::write_atomic;
use crate::pipeline::{Conducted, conduct, load_trace};
use crate::plan::Plan;
use crate::report::Request;
use crate::run::{Interrupt, RunOptions, to_stderr};
use crate::terminal::tell;

/// Say why a table overflows more on a trace than the model says, cause by cause
///
/// The table is run on the trace with and without repeated keys, in the order of the capture and in a random
/// one, with the hash function asked for and with an ideal one: eight settings in all. What each cause adds is
/// averaged over the orders in which the causes can be switched off, with its standard error; what is left to
/// the model's limit is owed to the finite size of the table. Where nothing else is said, table and hash are
/// those of Figure 7 of "Hash Tables With Finite Buckets Are Less Resistant to Deletions".
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor diagnose uplink.pcap\n  \
    loadfactor diagnose uplink.pcap --scheme multiple --set choices=2 --set load=[0.5,0.9]\n  \
    loadfactor diagnose uplink.pcap --scheme cuckoo --set choices=2 --hash crc32c --format json\n  \
    loadfactor diagnose flows.dat --layout coco13 --key five-tuple --hash crc32c --set choices_from=seeds\n\n\
    Beside the answer, the folder DIR/diagnose/TRACE gets the definition and all that `run` writes of it; \
    the same question again goes on from what is finished.")]
pub(super) struct DiagnoseArgs {
    /// A capture, or a file of flow keys; a folder or quoted pattern stands for its files, which are one
    /// trace, - for standard input
    trace: PathBuf,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Fields of a key: five-tuple, src, dst, src-dst, tcp-header
    #[arg(long, default_value_t = KeyKind::TcpHeader)]
    key: KeyKind,
    /// The scheme
    #[arg(long, default_value = "single")]
    scheme: String,
    /// The hash function
    #[arg(long, default_value = HASH.0)]
    hash: String,
    /// A parameter of the point, as in a definition, or a list such as load=[0.3,0.6], of which each
    /// value is a question of its own; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<Parameter>,
    /// Trials of each setting
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    trials: u64,
    /// Rounds of the measuring window of a trial
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed from which every trial's seed is derived
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    printed: Printed,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// The table of Figure 7, unless another is asked for.
const TABLE: [(&str, &str); 2] = [("buckets", "10000"), ("load", "0.3")];
/// Parameters that take the place of one of these.
const IN_PLACE: [(&str, &str); 4] = [
    ("elements", "load"),
    ("sub_table_buckets", "buckets"),
    ("buckets_per_element", "buckets"),
    ("buckets_per_element", "load"),
];
/// Its hash function, and how that gives choices.
const HASH: (&str, [(&str, &str); 2]) =
    ("wang", [("choices_from", "\"slices\""), ("slice_bits", "16")]);

/// Runs the command.
pub(super) fn run(args: &DiagnoseArgs) -> Result<ExitCode> {
    let asked = args.asked()?;
    for Asked { question, name } in &asked {
        args.experiment(&question.first_series(), name)?;
    }
    let interrupt = Interrupt::install()?;
    let mut objects = Vec::new();
    for (index, one) in asked.iter().enumerate() {
        let answer = match answer(args, one, &interrupt)? {
            Outcome::Answered(answer) => answer,
            Outcome::Ended(status) => return Ok(ExitCode::from(status)),
        };
        if args.printed.as_json() {
            objects.push(answer.json());
        } else {
            let gap = if index > 0 { "\n" } else { "" };
            super::print(format!("{gap}{answer}").as_bytes())?;
        }
    }
    if args.printed.as_json() {
        print_json(&Value::Array(objects))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A question, and the name of its folder.
struct Asked {
    question: Question,
    name: String,
}

/// What comes of a question.
enum Outcome {
    Answered(Box<Answer>),
    /// No answer, and the exit status for that.
    Ended(u8),
}

/// The answer, which is also written beside the tables.
fn answer(args: &DiagnoseArgs, asked: &Asked, interrupt: &Interrupt) -> Result<Outcome> {
    let Asked { question, name } = asked;
    let definition = question.definition();
    let experiment = args.experiment(&definition, name)?;
    let plan = Plan::paired(&experiment, load_trace(&experiment, &args.out.out)?)?;
    let folder = folder(&args.out.out, &experiment);
    let conducted = args.conduct(&plan, &folder, interrupt)?;
    note::of_journal(&conducted, &folder);
    plan.trace.iter().for_each(note::of_files);
    write(&folder.join("definition.toml"), definition.as_bytes())?;
    if interrupt.is_triggered() {
        tell!("interrupted; what is finished is saved. To go on, run the same command again.");
        return Ok(Outcome::Ended(INTERRUPTED));
    }
    if let Some((_, failure)) = conducted.results.failures.first() {
        tell!("{}: FAILED: {failure}", experiment.name);
        return Ok(Outcome::Ended(FAILED));
    }
    let answer = Answer::of(question.clone(), &conducted.results)?;
    write(&folder.join("diagnosis.txt"), answer.to_string().as_bytes())?;
    Ok(Outcome::Answered(Box::new(answer)))
}

impl DiagnoseArgs {
    /// A question for each combination of the values in lists.
    fn asked(&self) -> Result<Vec<Asked>, BadInput> {
        parameters::check_names(&self.params)?;
        check_scheme(&self.scheme)?;
        check_hash(&self.hash)?;
        let stem = self.trace.file_name().unwrap_or_default().to_string_lossy();
        let in_lists: Vec<&str> =
            self.params.iter().filter(|p| p.values.len() > 1).map(|p| p.name.as_str()).collect();
        let asked = parameters::combinations(&self.params).into_iter().map(|params| {
            let own = params.iter().filter(|(name, _)| in_lists.contains(&name.as_str()));
            let own: Vec<String> =
                own.map(|(name, value)| format!("{name}={}", value.trim_matches('"'))).collect();
            let name = match own.is_empty() {
                true => format!("diagnose/{stem}"),
                false => format!("diagnose/{stem}/{}", own.join(",")),
            };
            Ok(Asked { question: self.question(params)?, name })
        });
        asked.collect()
    }

    fn question(&self, given: Vec<(String, String)>) -> Result<Question, BadInput> {
        let replaced = |name: &str| {
            let in_its_place = IN_PLACE.iter().filter(|(_, of)| *of == name).map(|(own, _)| *own);
            let mut in_its_place = in_its_place.chain([name]);
            in_its_place.any(|own| given.iter().any(|(given, _)| given == own))
        };
        let own_hash = self.hash != HASH.0 || replaced(HASH.1[0].0);
        let slices = HASH.1.iter().filter(|_| !own_hash);
        let kept = TABLE.iter().chain(slices).filter(|(name, _)| !replaced(name));
        let kept = kept.map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Question {
            scheme: parameters::word("--scheme", &self.scheme)?,
            hash: parameters::word("--hash", &self.hash)?,
            key_fields: self.key.to_string(),
            params: kept.chain(given.clone()).collect(),
            trials: self.trials,
            rounds: self.rounds,
        })
    }

    fn experiment(&self, definition: &str, name: &str) -> Result<Experiment, BadInput> {
        let options = Options {
            seed: self.seed,
            trace: Some(vec![self.trace.clone()]),
            reading: self.reading.options(),
            ..Options::at(Scale::Quick)
        };
        let input = Input {
            name,
            definition: File { path: Path::new("(this question)"), text: definition },
            published: None,
            documents: None,
            options: &options,
            exists: &|path| path.exists(),
        };
        parse(&input).map_err(|diagnostics| BadInput(diagnostics.render(color())))
    }

    fn conduct<'p>(
        &self,
        plan: &'p Plan<'_>,
        folder: &Path,
        interrupt: &Interrupt,
    ) -> Result<Conducted<'p>> {
        let options = RunOptions {
            threads: self.threads.number(),
            only: None,
            fresh: false,
            share: None,
            fail_fast: false,
            interrupt: interrupt.clone(),
        };
        let request = Request { scale: Scale::Quick.name(), only: None, shard: None };
        let progress = to_stderr(&plan.experiment.name, self.quiet);
        Ok(conduct(plan, folder, &request, &options, &*progress)?)
    }
}

/// What is split is the overflow of tables.
fn check_scheme(scheme: &str) -> Result<(), BadInput> {
    let entry = families::schemes().find(|entry| entry.info.name == scheme);
    match entry.filter(|entry| entry.family != tables::FAMILY.name) {
        None => Ok(()),
        Some(entry) => Err(BadInput(format!(
            "error: `{scheme}` is of the family `{}`; what is split is the overflow of tables",
            entry.family
        ))),
    }
}

/// Choices that are drawn belong to no key, so that a trace would make no difference to them.
fn check_hash(hash: &str) -> Result<(), BadInput> {
    match hash.parse() {
        Ok(HashKind::Random) => Err(BadInput(
            "error: --hash random looks at no key, so that no trace makes a difference to it; name a hash function, \
             such as siphash"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
