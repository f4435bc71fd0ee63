//! Measured and computed numbers in the documentation are those of the program.
//!
//! A number stands between `<!--= EXPERIMENT: PLACEHOLDER -->` and `<!--/-->`; `make docs` writes them anew. What is of
//! a series comes from the tables in `results/reference`, what is derived is computed. `1 - ` before the placeholder
//! asks for what a share leaves.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csv::{Reader, StringRecord};
use loadfactor::definition::{Experiment, Meant, Placeholder, Point};
use loadfactor::derived::{DerivedRow, derive};
use loadfactor::estimate::comparison::Subject;
use loadfactor::report::{number, with_error};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The pages that quote numbers.
const PAGES: [&str; 3] = ["README.md", "docs/ERRATA.md", "experiments/README.md"];

/// Set by `make docs`: stale numbers are written instead of refused.
pub const WRITE: &str = "LOADFACTOR_WRITE_DOCS";

pub const OPEN: &str = "<!--= ";
const END: &str = " -->";
pub const CLOSE: &str = "<!--/-->";

/// The page with every number as the program has it now, and how many there are.
fn spliced(page: &str, sources: &mut Sources) -> (String, usize) {
    let (mut spliced, mut rest, mut numbers) = (String::new(), page, 0);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) =
            after.split_once(END).unwrap_or_else(|| panic!("a marker ends with `{END}`"));
        let (_, behind) =
            after.split_once(CLOSE).unwrap_or_else(|| panic!("a number ends with `{CLOSE}`"));
        spliced += &format!("{before}{OPEN}{name}{END}{}{CLOSE}", sources.value(name));
        (rest, numbers) = (behind, numbers + 1);
    }
    (spliced + rest, numbers)
}

/// The experiments that markers name, each read once.
#[derive(Default)]
struct Sources(BTreeMap<String, Source>);

/// What is known of an experiment.
struct Source {
    header: StringRecord,
    rows: Vec<StringRecord>,
    experiment: Experiment,
    derived: OnceCell<Vec<DerivedRow>>,
}

impl Sources {
    /// The number that a marker names.
    fn value(&mut self, name: &str) -> String {
        let (experiment, text) =
            name.split_once(": ").unwrap_or_else(|| panic!("`{name}` names no experiment"));
        let source =
            self.0.entry(experiment.to_owned()).or_insert_with(|| Source::read(experiment));
        let rest = text.strip_prefix("1 - ");
        let names = source.experiment.names();
        let wanted =
            Placeholder::parse(rest.unwrap_or(text), &names).unwrap_or_else(|| panic!("`{name}`"));
        let found = source.of_series(&wanted).or_else(|| source.of_derived(&wanted));
        let (value, half_width) = found.unwrap_or_else(|| panic!("there is no `{name}`"));
        let unit = if wanted.percent { 100.0 } else { 1.0 };
        let value = if rest.is_some() { 1.0 - value } else { value };
        let told = match half_width {
            Some(half_width) => with_error(unit * value, unit * half_width),
            None => number(unit * value),
        };
        told + if wanted.percent { " %" } else { "" }
    }
}

impl Source {
    fn read(experiment: &str) -> Self {
        let table = at_root("results/reference").join(experiment).join("table.csv");
        let mut reader = Reader::from_path(&table).unwrap();
        let header = reader.headers().unwrap().clone();
        let rows = reader.records().map(Result::unwrap).collect();
        let definition = at_root("experiments").join(format!("{experiment}.toml"));
        let text = fs::read_to_string(definition).unwrap();
        let experiment = Experiment::from_text(experiment, &text).unwrap();
        Self { header, rows, experiment, derived: OnceCell::new() }
    }

    fn field<'r>(&self, row: &'r StringRecord, column: &str) -> &'r str {
        let place = self.header.iter().position(|own| own == column);
        place.and_then(|i| row.get(i)).unwrap_or_default()
    }

    /// The value in the table, and its half-width if it was measured.
    fn of_series(&self, wanted: &Placeholder) -> Option<(f64, Option<f64>)> {
        let is_meant = |row: &&StringRecord| {
            let kind = self.field(row, "prediction").split(':').next().unwrap_or_default();
            let at =
                |(column, value): &(String, _)| same(self.field(row, column), &format!("{value}"));
            self.field(row, "series") == wanted.of
                && self.field(row, "metric") == wanted.quantity
                && wanted.at.0.iter().all(at)
                && match wanted.value {
                    Meant::OfKind(wanted) => kind == wanted.name(),
                    Meant::Measured | Meant::Predicted => true,
                }
        };
        let row = self.rows.iter().find(is_meant)?;
        let of = |column: &str| self.field(row, column).parse::<f64>().ok();
        match wanted.value {
            Meant::Measured => {
                Some((of("measured")?, Some((of("ci_high")? - of("ci_low")?) / 2.0)))
            }
            Meant::Predicted | Meant::OfKind(_) => Some((of("predicted")?, None)),
        }
    }

    /// What is computed of a derived quantity.
    fn of_derived(&self, wanted: &Placeholder) -> Option<(f64, Option<f64>)> {
        let of = |row: &&DerivedRow| row.name == wanted.of && row.quantity == wanted.quantity;
        let row = self.derived.get_or_init(|| derived(&self.experiment)).iter().find(of)?;
        let meant = row.predicted.iter().find(|own| wanted.value.is(own.kind));
        meant.map(|own| (own.value, None))
    }
}

pub fn at_root(path: &str) -> PathBuf {
    Path::new(ROOT).join(path)
}

/// What can be derived without any trial or prediction of one: optima, tails, and what is made of these.
fn derived(experiment: &Experiment) -> Vec<DerivedRow> {
    let subject = |(point, of): (usize, &Point)| Subject {
        point,
        identity: Default::default(),
        case: Arc::clone(&of.case),
        measured: Vec::new(),
        batches: Vec::new(),
        predictions: Vec::new(),
    };
    let subjects: Vec<Subject> = experiment.points.iter().enumerate().map(subject).collect();
    derive(experiment, &subjects, &[]).0
}

/// Equal texts, or numbers that are equal but for the rounding of structures to whole things.
fn same(own: &str, wanted: &str) -> bool {
    let numbers = own.parse::<f64>().ok().zip(wanted.parse::<f64>().ok());
    own == wanted || numbers.is_some_and(|(a, b)| (a - b).abs() <= 2e-3 * b.abs())
}

#[test]
fn the_numbers_of_the_documentation_are_those_of_the_program() {
    let mut sources = Sources::default();
    for page in PAGES {
        let path = at_root(page);
        let text = fs::read_to_string(&path).unwrap();
        let (spliced, numbers) = spliced(&text, &mut sources);
        assert!(numbers > 0, "{page} quotes no number");
        if env::var_os(WRITE).is_some() {
            fs::write(&path, spliced).unwrap();
        } else {
            assert!(text == spliced, "the numbers of {page} are stale: run `make docs`");
        }
    }
}
