//! Measured numbers in the documentation are those of the tables in `results/reference`.
//!
//! A number stands between `<!--= EXPERIMENT: PLACEHOLDER -->` and `<!--/-->`; `make docs` writes them anew.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use csv::{Reader, StringRecord};
use loadfactor::definition::{Meant, Placeholder};
use loadfactor::report::{number, with_error};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The pages that quote measurements.
const PAGES: [&str; 2] = ["docs/ERRATA.md", "experiments/README.md"];

/// Set by `make docs`: stale numbers are written instead of refused.
const WRITE: &str = "LOADFACTOR_WRITE_DOCS";

const OPEN: &str = "<!--= ";
const END: &str = " -->";
const CLOSE: &str = "<!--/-->";

/// The page with every number as the tables have it now, and how many there are.
fn spliced(page: &str) -> (String, usize) {
    let (mut spliced, mut rest, mut numbers) = (String::new(), page, 0);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) =
            after.split_once(END).unwrap_or_else(|| panic!("a marker ends with `{END}`"));
        let (_, behind) =
            after.split_once(CLOSE).unwrap_or_else(|| panic!("a number ends with `{CLOSE}`"));
        spliced += &format!("{before}{OPEN}{name}{END}{}{CLOSE}", value(name));
        (rest, numbers) = (behind, numbers + 1);
    }
    (spliced + rest, numbers)
}

/// The number that a marker names.
fn value(name: &str) -> String {
    let (experiment, text) =
        name.split_once(": ").unwrap_or_else(|| panic!("`{name}` names no experiment"));
    let path = Path::new(ROOT).join("results/reference").join(experiment).join("table.csv");
    let mut reader = Reader::from_path(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let header = reader.headers().unwrap().clone();
    let rows: Vec<StringRecord> = reader.records().map(Result::unwrap).collect();
    let field = |row: &StringRecord, column: &str| {
        let place = header.iter().position(|own| own == column);
        place.and_then(|i| row.get(i)).unwrap_or_default().to_owned()
    };
    let labels: BTreeSet<String> = rows.iter().map(|row| field(row, "series")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let wanted = Placeholder::parse(text, &labels).unwrap_or_else(|| panic!("`{name}`"));
    let is_there = |row: &&StringRecord| {
        let at = |(column, value): &(String, _)| same(&field(row, column), &format!("{value}"));
        field(row, "series") == wanted.of
            && field(row, "metric") == wanted.quantity
            && wanted.at.0.iter().all(at)
    };
    let row = rows.iter().find(is_there).unwrap_or_else(|| panic!("no row of `{name}`"));
    let unit = if wanted.percent { 100.0 } else { 1.0 };
    let of = |column: &str| unit * field(row, column).parse::<f64>().unwrap();
    let told = match wanted.value {
        Meant::Predicted | Meant::OfKind(_) => number(of("predicted")),
        Meant::Measured => with_error(of("measured"), (of("ci_high") - of("ci_low")) / 2.0),
    };
    told + if wanted.percent { " %" } else { "" }
}

/// Equal texts, or numbers that are equal but for the rounding of structures to whole things.
fn same(own: &str, wanted: &str) -> bool {
    let numbers = own.parse::<f64>().ok().zip(wanted.parse::<f64>().ok());
    own == wanted || numbers.is_some_and(|(a, b)| (a - b).abs() <= 2e-3 * b.abs())
}

#[test]
fn the_measured_numbers_of_the_documentation_are_those_of_the_reference() {
    for page in PAGES {
        let path = Path::new(ROOT).join(page);
        let text = fs::read_to_string(&path).unwrap();
        let (spliced, numbers) = spliced(&text);
        assert!(numbers > 0, "{page} quotes no number");
        if env::var_os(WRITE).is_some() {
            fs::write(&path, spliced).unwrap();
        } else {
            assert!(text == spliced, "the numbers of {page} are stale: run `make docs`");
        }
    }
}
