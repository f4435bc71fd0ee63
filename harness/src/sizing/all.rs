//! All schemes for one question.

use std::fmt;

use loadfactor_schemes::tables::sizing::{Goal, RULES};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;
use rayon::prelude::*;

use super::answer::{Answer, Cut, Depth, answer};
use super::rows::{Rows, digits};
use super::{Basis, Error, Kind, Part, Proportions, Question, Simulated, by_simulation};
use crate::run::{Amount, Progress};

/// The tables of all schemes for one question, those that need least first.
#[derive(Debug)]
pub struct AllSchemes {
    question: Question,
    tables: Vec<Table>,
    failures: Vec<(Kind, Error)>,
}

/// A table, however it was sized.
#[derive(Debug)]
pub(super) enum Table {
    /// From a limit.
    Predicted(Box<Answer>),
    /// By simulation.
    Simulated(Box<Simulated>),
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
enum Candidate {
    SubTables(InsertionRule),
    OneTable(Kind),
}

/// Sizes of buckets beyond those of [`RULES`].
const LARGER_BUCKETS: [u8; 2] = [4, 8];

/// Sizes of buckets of tables that are not cut.
const BUCKETS: [u8; 4] = [1, 2, 4, 8];

/// Schemes whose choices fall on the whole table.
pub const ONE_TABLE: [&str; 2] = ["d-random", "cuckoo"];

fn candidates() -> Vec<Candidate> {
    let larger = LARGER_BUCKETS.map(|bucket_size| InsertionRule::Standard { bucket_size });
    let cut = RULES.into_iter().chain(larger).map(Candidate::SubTables);
    let kinds = ONE_TABLE
        .into_iter()
        .flat_map(|scheme| BUCKETS.map(|bucket_size| Kind { scheme, bucket_size }));
    cut.chain(kinds.map(Candidate::OneTable)).collect()
}

impl Candidate {
    fn kind(self) -> Kind {
        match self {
            Self::SubTables(rule) => Kind::of(rule),
            Self::OneTable(kind) => kind,
        }
    }

    fn sized(self, question: Question, progress: &dyn Progress) -> Result<Table, Error> {
        match self {
            Self::OneTable(kind) => {
                let table = by_simulation(question, kind, Proportions::OneTable, progress)?;
                Ok(Table::Simulated(Box::new(table)))
            }
            Self::SubTables(rule) => {
                match answer(question, rule, Cut::Best, Depth::Sizes, progress) {
                    Ok(answer) => Ok(Table::Predicted(Box::new(answer))),
                    Err(Error::NoPrediction(_)) => {
                        let proportions = Proportions::OfStaticFill(rule);
                        let kind = Kind::of(rule);
                        let table = by_simulation(question, kind, proportions, progress)?;
                        Ok(Table::Simulated(Box::new(table)))
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// Words alone: how far simulations are that run beside each other is no number.
struct Words<'p>(&'p dyn Progress);

impl Progress for Words<'_> {
    fn start(&self, _: Amount) {}

    fn batch_done(&self, _: Amount) {}

    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn finish(&self) {}
}

/// Asks each of [`RULES`], larger buckets, and the schemes whose choices fall on the whole table.
///
/// # Errors
/// The first, if no scheme has an answer.
pub fn all_schemes(question: Question, progress: &dyn Progress) -> Result<AllSchemes, Error> {
    let words = Words(progress);
    let ask = |candidate: Candidate| (candidate.kind(), candidate.sized(question, &words));
    let asked: Vec<_> = candidates().into_par_iter().map(ask).collect();
    let (mut tables, mut failures) = (Vec::new(), Vec::new());
    for (kind, table) in asked {
        match table {
            Ok(table) => tables.push(table),
            Err(error) => failures.push((kind, error)),
        }
    }
    if tables.is_empty() {
        failures.truncate(1);
        if let Some((_, error)) = failures.pop() {
            return Err(error);
        }
    }
    let needed = |table: &Table| match question.goal {
        Goal::Overflow(_) => table.space(),
        Goal::Space(_) => table.overflow(),
    };
    tables.sort_by(|a, b| needed(a).total_cmp(&needed(b)));
    Ok(AllSchemes { question, tables, failures })
}

impl Table {
    /// What becomes of it.
    pub(super) fn either<T>(
        &self,
        predicted: impl Fn(&Answer) -> T,
        simulated: impl Fn(&Simulated) -> T,
    ) -> T {
        match self {
            Self::Predicted(answer) => predicted(answer),
            Self::Simulated(table) => simulated(table),
        }
    }

    fn space(&self) -> f64 {
        self.either(|answer| answer.best.table.space(), Simulated::space)
    }

    fn overflow(&self) -> f64 {
        self.either(|answer| answer.best.overflow(), Simulated::overflow)
    }
}

impl AllSchemes {
    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter()
    }

    pub(super) fn failures(&self) -> impl Iterator<Item = (Kind, String)> {
        self.failures.iter().map(|(kind, error)| (*kind, error.to_string()))
    }
}

impl fmt::Display for AllSchemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.question)?;
        let compared = match self.question.goal {
            Goal::Overflow(_) => "places per element",
            Goal::Space(_) => "expected overflow",
        };
        let mut rows = Rows::default();
        let header = ["", "bucket", compared, "", "moves per", "CAM", "CAM after", ""];
        rows.push(header.map(String::from));
        let header = ["scheme", "size", "best", "equal", "insertion", "places", "Poisson", "sure"];
        rows.push(header.map(String::from));
        for table in &self.tables {
            rows.push(table.either(cells, simulated_cells));
        }
        write!(f, "{rows}")?;
        if self.tables.iter().any(|table| matches!(table, Table::Simulated(_))) {
            writeln!(
                f,
                "\nsimulated: sized by simulation; the size is known to a few parts in a thousand, unless the time limit\n\
                 cut its search off."
            )?;
        }
        if !self.failures.is_empty() {
            writeln!(f)?;
        }
        for (kind, reason) in self.failures() {
            writeln!(f, "{kind}: {}", reason.trim_end())?;
        }
        Ok(())
    }
}

fn cells(answer: &Answer) -> [String; 8] {
    let Answer { rule, best, equal, .. } = answer;
    let needed = |part: &Part| match answer.question.goal {
        Goal::Overflow(_) => digits(part.table.space(), 5),
        Goal::Space(_) => digits(part.overflow(), 4),
    };
    [
        rule.scheme().to_owned(),
        rule.bucket_size().to_string(),
        needed(best),
        equal.as_ref().map(needed).unwrap_or_default(),
        best.moves().map_or("-".to_owned(), |moves| digits(moves, 3)),
        places(best.cam.map(|cam| cam.places)),
        places(best.cam.map(|cam| cam.poisson_size)),
        if answer.sure() { "yes" } else { "no" }.to_owned(),
    ]
}

fn simulated_cells(table: &Simulated) -> [String; 8] {
    let needed = match table.question.goal {
        Goal::Overflow(_) => digits(table.space(), 5),
        Goal::Space(_) => digits(table.overflow(), 4),
    };
    [
        table.kind.scheme.to_owned(),
        table.kind.bucket_size.to_string(),
        needed,
        "-".to_owned(),
        digits(table.seen.sample.moves(), 3),
        table.cam.places.to_string(),
        table.cam.poisson_size.to_string(),
        match table {
            table if table.was_cut_off() => "cut off",
            table if table.basis == Basis::Theory => "limit",
            _ => "simulated",
        }
        .to_owned(),
    ]
}

fn places(places: Option<impl fmt::Display>) -> String {
    places.map_or("-".to_owned(), |places| places.to_string())
}
