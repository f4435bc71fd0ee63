//! `loadfactor size`.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgGroup, Args, ValueEnum};
use loadfactor_schemes::tables::sizing::{Goal, LEAST_OVERFLOW, SizedFor, rule_of};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use serde_json::Value;

use super::exit::BadInput;
use crate::files::write_atomic;
use crate::run::to_stderr;
use crate::sizing::{
    Cut, Depth, Error, Kind, ONE_TABLE, Proportions, Question, Verification, all_schemes, answer,
    by_simulation,
};
use crate::terminal::tell;

/// Size a table: how much space, how cut into sub-tables, how large a CAM
///
/// For tables of d sub-tables, in each of which an element has one choice: the least space for a wanted
/// overflow, or the least overflow in a given space. The numbers of buckets are those of a table that can
/// be built; its expected overflow is within what is wanted.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("goal").required(true).args(["overflow", "space"])),
    after_long_help = "Examples:\n  \
        loadfactor size --elements 10000 --choices 4 --scheme second-chance --overflow 0.002\n  \
        loadfactor size --elements 10000 --choices 4 --scheme all --overflow 0.002\n  \
        loadfactor size --elements 10000 --choices 3 --space 1.5 --churn --verify\n  \
        loadfactor size --elements 10000 --choices 4 --space 1.2 --save design.toml"
)]
pub(super) struct SizeArgs {
    /// Elements that are stored, n
    #[arg(long, value_name = "N", value_parser = elements)]
    elements: u32,
    /// Choices of an element, d, each in a sub-table of its own
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..))]
    choices: u16,
    /// Overflow wanted: elements on the overflow list, as a share of all
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    overflow: Option<f64>,
    /// Space given: places per element, all sub-tables together
    #[arg(long, value_name = "C", allow_negative_numbers = true, value_parser = space)]
    space: Option<f64>,
    /// multiple, conservative, second-chance, extreme-second-chance; d-random and cuckoo, by simulation; or all to
    /// compare them
    #[arg(long, default_value = "second-chance")]
    scheme: String,
    /// Elements that fit in a bucket: 1 to 64 with multiple, 1 or 2 with second-chance
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u8).range(1..))]
    bucket_size: Option<u8>,
    /// Probability with which more elements may overflow than the CAM holds
    #[arg(long, value_name = "P", default_value_t = 1e-12, value_parser = failure)]
    cam_failure: f64,
    /// Deletions, each with an insertion, in which the CAM may become too small with that probability, in
    /// place of any one moment; needs --churn
    #[arg(long, value_name = "T", requires = "churn", value_parser = count)]
    operations: Option<u64>,
    /// Elements are deleted and inserted again and again, instead of inserted into an empty table
    #[arg(long)]
    churn: bool,
    /// Equal sub-tables instead of the best
    #[arg(long)]
    equal: bool,
    /// Simulate the table too, and hold the measurement against the prediction
    #[arg(long)]
    verify: bool,
    /// Trials of the simulation, under deletions lifetimes of the elements; as many as take seconds where it is
    /// not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(20..=1_000_000))]
    trials: Option<u64>,
    /// Write the table to FILE, as a definition for `loadfactor run FILE`
    #[arg(long, value_name = "FILE.toml")]
    save: Option<PathBuf>,
    /// Random starts of the search for the best sizes
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    starts: u16,
    /// Seed of starts and simulations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Seconds that the answer for one scheme may take, and as many for --verify; then what is known so far is said
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    time_limit: u32,
    /// Text for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &SizeArgs) -> Result<ExitCode> {
    let question = args.question()?;
    let progress = to_stderr("size", args.quiet);
    if args.scheme == ALL {
        args.check_alone()?;
        let compared = all_schemes(question, &*progress).map_err(bad)?;
        args.print(&compared, || compared.json())?;
        return Ok(ExitCode::SUCCESS);
    }
    args.save.as_deref().map_or(Ok(()), check_new)?;
    if let Some((kind, proportions)) = args.simulated(&question)? {
        let mut table = by_simulation(question, kind, proportions, &*progress).map_err(bad)?;
        if args.verify {
            table.verify(&*progress).map_err(bad)?;
        }
        args.print(&verified(&table, Verification::of_simulated(&table)), || table.json())?;
        args.save.as_deref().map_or(Ok(()), |path| save(&table.definition(), path))?;
        return Ok(ExitCode::SUCCESS);
    }
    let rule = args.rule()?;
    let cut = if args.equal { Cut::Equal } else { Cut::Best };
    let depth = if args.verify { Depth::Verify } else { Depth::Estimate };
    let answer = answer(question, rule, cut, depth, &*progress).map_err(bad)?;
    args.print(&verified(&answer, Verification::of(&answer)), || answer.json())?;
    args.save.as_deref().map_or(Ok(()), |path| save(&answer.definition().to_string(), path))?;
    Ok(ExitCode::SUCCESS)
}

/// In place of a scheme: each of them.
const ALL: &str = "all";

impl SizeArgs {
    fn question(&self) -> Result<Question, BadInput> {
        let goal = match (self.overflow, self.space) {
            (_, Some(space)) => Goal::Space(space),
            (Some(share), None) => Goal::Overflow(share),
            (None, None) => return Err(mistake("--overflow or --space is needed")),
        };
        Ok(Question {
            elements: self.elements,
            choices: self.choices.into(),
            goal,
            workload: if self.churn { SizedFor::Alternation } else { SizedFor::StaticFill },
            cam_failure: self.cam_failure,
            operations: self.operations.unwrap_or(0),
            time_limit: Some(Duration::from_secs(self.time_limit.into())),
            starts: self.starts.into(),
            trials: self.trials,
            seed: self.seed,
        })
    }

    fn rule(&self) -> Result<InsertionRule, BadInput> {
        let rule = rule_of(&self.scheme, self.bucket_size.unwrap_or(1)).ok_or_else(|| {
            mistake(&format!(
                "--scheme {}: `multiple`, `conservative`, `second-chance`, `extreme-second-chance`, `d-random`, `cuckoo` and `all` can be sized",
                self.scheme
            ))
        })?;
        rule.map_err(Error::from).map_err(bad)
    }

    /// The scheme and its shape where it is sized by simulation.
    fn simulated(&self, question: &Question) -> Result<Option<(Kind, Proportions)>, BadInput> {
        let bucket_size = self.bucket_size.unwrap_or(1);
        if let Some(scheme) = ONE_TABLE.into_iter().find(|scheme| *scheme == self.scheme) {
            if self.equal {
                return Err(mistake(&format!("--equal: `{scheme}` has no sub-tables")));
            }
            return Ok(Some((Kind { scheme, bucket_size }, Proportions::OneTable)));
        }
        let rule = self.rule()?;
        if !question.is_unpredicted(rule) {
            return Ok(None);
        }
        let proportions =
            if self.equal { Proportions::Equal } else { Proportions::OfStaticFill(rule) };
        Ok(Some((Kind::of(rule), proportions)))
    }

    fn print(&self, text: &impl Display, json: impl Fn() -> Value) -> Result<()> {
        let text = match self.format {
            Format::Text => text.to_string(),
            Format::Json => format!("{:#}\n", json()),
        };
        super::print(text.as_bytes())
    }

    /// Checks that nothing is said beside `all` that only one table can be asked.
    fn check_alone(&self) -> Result<(), BadInput> {
        let given = [
            ("--bucket-size", self.bucket_size.is_some()),
            ("--equal", self.equal),
            ("--verify", self.verify),
            ("--save", self.save.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(mistake(&format!("{option} needs one --scheme, not all"))),
            None => Ok(()),
        }
    }
}

/// An answer with its verification, where there is one.
fn verified(answer: &impl Display, verification: Option<Verification<'_>>) -> String {
    match verification {
        Some(verification) => format!("{answer}\n{verification}"),
        None => answer.to_string(),
    }
}

/// A whole number, as people write large ones: 10000, 10_000 or 1e4.
fn count(text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse::<f64>().unwrap_or(f64::NAN);
    let is_whole = number.fract() == 0.0 && (1.0..=1e15).contains(&number);
    if is_whole {
        Ok(number as u64)
    } else {
        Err("a whole number from 1 to 1e15 is possible, such as 10000, 10_000 or 1e4".to_owned())
    }
}

fn elements(text: &str) -> Result<u32, String> {
    let number = count(text).ok().filter(|&number| number <= MOST_ELEMENTS);
    let number = number.and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| {
        format!(
            "a whole number from 1 to {MOST_ELEMENTS} is possible, such as 10000, 10_000 or 1e4"
        )
    })
}

const MOST_ELEMENTS: u64 = 2_147_483_647;

/// A share of the elements that may overflow.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (LEAST_OVERFLOW..1.0).contains(&share) => Ok(share),
        _ => Err(format!(
            "a share from {LEAST_OVERFLOW:e} up to 1 is possible, such as 0.002 for 0.2 %"
        )),
    }
}

/// Places per element.
fn space(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(space) if space > 0.0 && space.is_finite() => Ok(space),
        _ => Err("a number of places above 0 is possible, such as 1.2".to_owned()),
    }
}

/// A failure probability that a CAM can be sized for.
fn failure(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(failure) if (1e-20..=0.5).contains(&failure) => Ok(failure),
        _ => Err("a probability from 1e-20 to 0.5 is possible".to_owned()),
    }
}

fn save(definition: &str, path: &Path) -> Result<()> {
    write_atomic(path, definition.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    tell!("saved: loadfactor run {}", path.display());
    Ok(())
}

/// Checks that a definition can be saved there without a loss.
fn check_new(path: &Path) -> Result<(), BadInput> {
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Err(mistake(&format!("--save {}: definitions end in .toml", path.display())));
    }
    if path.exists() {
        return Err(mistake(&format!("--save {}: the file exists; name another", path.display())));
    }
    Ok(())
}

fn bad(error: Error) -> BadInput {
    mistake(&error.to_string())
}

fn mistake(text: &str) -> BadInput {
    BadInput(format!("error: {text}"))
}
