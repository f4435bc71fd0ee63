//! `loadfactor diagnose`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use loadfactor_schemes::{families, tables};
use loadfactor_traces::{KeyKind, Layout};

use super::run::note;
use super::selection::{Out, Threads, color, folder};
use super::status::{BadInput, FAILED, INTERRUPTED};
use crate::definition::{Experiment, File, Input, Options, Scale, parse};
use crate::diagnosis::{Question, Split};
use crate::files::write_atomic;
use crate::pipeline::{Conducted, conduct, load_trace};
use crate::plan::Plan;
use crate::report::Request;
use crate::run::{Interrupt, RunOptions, to_stderr};
use crate::terminal::tell;

/// Split the gap between measured and predicted overflow on a trace into its causes
///
/// A scheme is run on the packets of a trace four times: as captured, in a random order, with each
/// key once, and with fully random choices. What each step changes is owed to the order of
/// arrivals, to repeated keys, to the hash function; what remains to the model's limit, to the
/// finite size of the table. Where nothing else is said, table and hash are those of Figure 7 of
/// "Hash Tables With Finite Buckets Are Less Resistant to Deletions".
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor diagnose uplink.pcap\n  \
    loadfactor diagnose uplink.pcap --scheme multiple --set choices=2 --set load=0.9\n  \
    loadfactor diagnose flows.dat --layout coco13 --key five-tuple --hash crc32c --set choices_from=seeds\n\n\
    Beside the split, the folder DIR/diagnose/TRACE gets the definition and all that `run` writes of it; \
    the same question again goes on from what is finished.")]
pub(super) struct DiagnoseArgs {
    /// A capture, or a file of flow keys; a folder or quoted pattern stands for its files, which are one
    /// trace, - for standard input
    trace: PathBuf,
    /// Layout of the records, if the file is flow keys: elastic13, coco13, waving21, srcdst8,
    /// seqack16, srcdst
    #[arg(long)]
    layout: Option<Layout>,
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
    params: Vec<String>,
    /// Trials of each step
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
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// The table of Figure 7, unless another is asked for.
const TABLE: [(&str, &str); 2] = [("buckets", "10000"), ("load", "0.3")];
/// Its hash function, and how that gives choices.
const HASH: (&str, [(&str, &str); 2]) =
    ("wang", [("choices_from", "\"slices\""), ("slice_bits", "16")]);

/// Runs the command.
pub(super) fn run(args: &DiagnoseArgs) -> Result<ExitCode> {
    let asked = args.asked()?;
    for Asked { question, name } in &asked {
        args.experiment(&question.first_step(), name)?;
    }
    let interrupt = Interrupt::install()?;
    for (index, one) in asked.iter().enumerate() {
        if index > 0 {
            super::print(b"\n")?;
        }
        if let Some(status) = answer_one(args, one, &interrupt)? {
            return Ok(ExitCode::from(status));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A question, and the name of its folder.
struct Asked {
    question: Question,
    name: String,
}

/// Prints the answer; the exit status where there is none.
fn answer_one(args: &DiagnoseArgs, asked: &Asked, interrupt: &Interrupt) -> Result<Option<u8>> {
    let Asked { question, name } = asked;
    let definition = question.definition();
    let experiment = args.experiment(&definition, name)?;
    let plan = Plan::new(&experiment, load_trace(&experiment, &args.out.out)?)?;
    Split::look_for_limit(&plan).map_err(|missing| BadInput(format!("error: {missing}")))?;
    let folder = folder(&args.out.out, &experiment);
    let conducted = args.conduct(&plan, &folder, interrupt)?;
    note(&conducted, &folder);
    write(&folder.join("definition.toml"), definition.as_bytes())?;
    if interrupt.is_triggered() {
        tell!("interrupted; what is finished is saved. To go on, run the same command again.");
        return Ok(Some(INTERRUPTED));
    }
    if let Some((_, failure)) = conducted.results.failures.first() {
        tell!("{}: FAILED: {failure}", experiment.name);
        return Ok(Some(FAILED));
    }
    let text = answer(question, &conducted)?;
    write(&folder.join("diagnosis.txt"), text.as_bytes())?;
    super::print(text.as_bytes())?;
    Ok(None)
}

impl DiagnoseArgs {
    /// A question for each combination of the values in lists.
    fn asked(&self) -> Result<Vec<Asked>, BadInput> {
        let given = self.params.iter().map(|param| assignment(param));
        let given: Vec<(String, Vec<String>)> = given.collect::<Result<_, _>>()?;
        check_names(&given)?;
        check_family(&self.scheme)?;
        let stem = self.trace.file_name().unwrap_or_default().to_string_lossy();
        let in_lists: Vec<&str> =
            given.iter().filter(|(_, values)| values.len() > 1).map(|(n, _)| n.as_str()).collect();
        let asked = combinations(&given).into_iter().map(|params| {
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
            let alternative = (name == "load").then_some("elements");
            given.iter().any(|(own, _)| own == name || Some(own.as_str()) == alternative)
        };
        let own_hash = self.hash != HASH.0 || replaced(HASH.1[0].0);
        let slices = HASH.1.iter().filter(|_| !own_hash);
        let kept = TABLE.iter().chain(slices).filter(|(name, _)| !replaced(name));
        let kept = kept.map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Question {
            scheme: word("--scheme", &self.scheme)?,
            hash: word("--hash", &self.hash)?,
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
            layout: self.layout,
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
            shard: None,
            fail_fast: false,
            interrupt: interrupt.clone(),
        };
        let request = Request { scale: Scale::Quick.name(), only: None, shard: None };
        let progress = to_stderr(&plan.experiment.name, self.quiet);
        Ok(conduct(plan, folder, &request, &options, &*progress)?)
    }
}

/// What is asked, and the split.
fn answer(question: &Question, conducted: &Conducted<'_>) -> Result<String> {
    let results = &conducted.results;
    let mut text = String::new();
    if let Some(trace) = results.trace {
        for (kind, keys) in &trace.keys {
            let (packets, distinct) = (keys.all.packets(), keys.all.distinct());
            let path = trace.label();
            writeln!(text, "{path}: {packets} packets with a {kind} key, {distinct} distinct")?;
        }
    }
    writeln!(text, "{question}\n")?;
    write!(text, "{}", Split::from_results(results)?)?;
    Ok(text)
}

/// NAME=VALUE with the value, or each value of a list, as it stands in TOML: a word gets its quotes.
fn assignment(param: &str) -> Result<(String, Vec<String>), BadInput> {
    let Some((name, value)) = param.split_once('=') else {
        return Err(BadInput(format!("error: --set {param}: expected NAME=VALUE")));
    };
    let value = value.trim();
    let values = match value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        Some(list) => list.split(',').map(|one| literal(one.trim().trim_matches('"'))).collect(),
        None => literal(value).map(|value| vec![value]),
    };
    Ok((word("--set", name.trim())?, values?))
}

/// Every choice of one value for each name, the last varying fastest.
fn combinations(given: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    given.iter().fold(vec![Vec::new()], |begun, (name, values)| {
        let longer = |one: &Vec<(String, String)>| {
            let one = one.clone();
            let with = |value: &String| {
                one.iter().cloned().chain([(name.clone(), value.clone())]).collect()
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        begun.iter().flat_map(longer).collect()
    })
}

fn literal(value: &str) -> Result<String, BadInput> {
    if let Ok(integer) = value.parse::<i64>() {
        return Ok(integer.to_string());
    }
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(format!("{number:?}")),
        _ if ["true", "false"].contains(&value) => Ok(value.to_owned()),
        _ => Ok(format!("\"{}\"", word("--set", value)?)),
    }
}

/// The steps of the split are those of tables.
fn check_family(scheme: &str) -> Result<(), BadInput> {
    let entry = families::schemes().find(|entry| entry.info.name == scheme);
    match entry.filter(|entry| entry.family != tables::FAMILY.name) {
        None => Ok(()),
        Some(entry) => Err(BadInput(format!(
            "error: `{scheme}` is of the family `{}`; what is split is the overflow of tables",
            entry.family
        ))),
    }
}

/// Each name is given once, and none that has an option of its own.
fn check_names(given: &[(String, Vec<String>)]) -> Result<(), BadInput> {
    for (index, (name, _)) in given.iter().enumerate() {
        if ["scheme", "hash"].contains(&name.as_str()) {
            return Err(BadInput(format!("error: --set {name}: use --{name}")));
        }
        if given[..index].iter().any(|(earlier, _)| earlier == name) {
            return Err(BadInput(format!("error: --set {name} is given twice")));
        }
    }
    Ok(())
}

/// A name, which may have letters, digits, `-` and `_`.
fn word(option: &str, name: &str) -> Result<String, BadInput> {
    let valid = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(valid) {
        return Ok(name.to_owned());
    }
    Err(BadInput(format!("error: {option}: `{name}` is no name or number")))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
