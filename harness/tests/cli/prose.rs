//! No measured number is typed by hand.
//!
//! In the prose of the experiments and of the pages, what looks like a measurement (a decimal, a percentage, a power
//! of ten, anything behind `±`) is filled in by the program, or a document prints it, or the definition sets it, or it
//! stands in [`ALLOWED`] with the reason. Definitions of a user's own are not looked at.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use regex::{Captures, Regex};
use toml::{Table, Value};

use crate::numbers::{CLOSE, OPEN, at_root};

/// Pages whose prose speaks of results.
const PAGES: [&str; 6] = [
    "CONTRIBUTING.md",
    "README.md",
    "docs/ERRATA.md",
    "docs/METHODOLOGY.md",
    "docs/TUTORIAL.md",
    "experiments/README.md",
];

/// Parts of pages that may have numbers of their own: the page, the heading, and why.
const ALLOWED: [(&str, &str, &str); 13] = [
    ("docs/METHODOLOGY.md", "## Speed", "timings of the machine that it names"),
    ("docs/METHODOLOGY.md", "### A whole run, and threads", "timings"),
    ("docs/METHODOLOGY.md", "### Hash functions and captures", "timings"),
    (
        "docs/METHODOLOGY.md",
        "### The difference on a trace",
        "captures that are not of this repository",
    ),
    ("docs/METHODOLOGY.md", "### Multilevel tables", "what solvers and tests are set to"),
    ("docs/METHODOLOGY.md", "## Estimates", "levels of intervals"),
    (
        "docs/METHODOLOGY.md",
        "### Rare events",
        "intervals in repetitions of which the truth is known",
    ),
    ("docs/METHODOLOGY.md", "## Verdicts", "levels and tolerances of the rule"),
    ("docs/METHODOLOGY.md", "### Published values", "the level of intervals"),
    ("docs/METHODOLOGY.md", "## Comparing results", "tolerances of the rule"),
    ("docs/METHODOLOGY.md", "## Limits", "the tolerance of the rule"),
    ("docs/ERRATA.md", "## Misprints", "worked examples of formulas, of which errata.rs has most"),
    (
        "docs/ERRATA.md",
        "### A static fill can overflow more than the alternation",
        "limits of the definition there, which errata.rs has, and its trials",
    ),
];

/// The keys of a definition that hold prose.
const PROSE: [&str; 2] = ["title", "analysis"];

/// What looks like a measurement, with its line.
type Found = (usize, String);

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The text with every match blanked, its lines kept.
fn blanked(text: &str, pattern: &str) -> String {
    let blank = |found: &Captures<'_>| {
        found[0].chars().map(|c| if c == '\n' { c } else { ' ' }).collect::<String>()
    };
    regex(pattern).replace_all(text, blank).into_owned()
}

/// The text without what is no prose of a page: code, filled numbers, numbers of sections and settings, times.
fn prose(text: &str) -> String {
    let filled = format!("(?s){}.*?{}", regex::escape(OPEN), regex::escape(CLOSE));
    let patterns = [
        r"(?ms)^```.*?^```",
        r"(?m)^    .*$",
        &filled,
        r"`[^`]*`",
        r"\{[^}]*\}",
        r"\b(Sections?|Tables?|Figures?|Theorems?|Rust) [\d.]+((,| and| to) [\d.]+)*",
        r"\b(loads?|[acdhmnwα] =|t =) \d[\d.]*((,| and) \d[\d.]*)*",
        r"\bequations? \([\d.]+\)( and \([\d.]+\))?",
        r"\d+\.\d+ (s|ms|ns)\b",
    ];
    patterns.iter().fold(text.to_owned(), |text, pattern| blanked(&text, pattern))
}

/// Everything in a text that looks like a measurement.
fn measurements(text: &str) -> Vec<Found> {
    let number = regex(r"(± ?)?\b\d[\d,]*(\.\d+)?(e-?\d+)?( ?%)?");
    let looks_measured = |text: &str| text.contains(['.', '%', 'e', '±']);
    let of_line = |(line, text): (usize, &str)| {
        let found = number.find_iter(text).map(|found| found.as_str().to_owned());
        found.filter(|text| looks_measured(text)).map(|text| (line + 1, text)).collect::<Vec<_>>()
    };
    text.lines().enumerate().flat_map(of_line).collect()
}

/// The numbers in a text, as they are written.
fn numbers(text: &str) -> Vec<f64> {
    let number = regex(r"\d[\d,]*(\.\d+)?(e-?\d+)?");
    number.find_iter(text).filter_map(|n| n.as_str().replace(',', "").parse().ok()).collect()
}

/// Whether the number is one of these as it is written, or a percentage of one.
fn is_among(text: &str, known: &[f64]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
    let value = numbers(text)[0];
    let is = |own: &f64| near(value, *own) || text.contains('%') && near(value, 100.0 * own);
    known.iter().any(is)
}

/// What documents print: the values of every `published.csv`.
fn published() -> Vec<f64> {
    let mut values = Vec::new();
    for folder in fs::read_dir(at_root("experiments")).unwrap() {
        let Ok(mut reader) = csv::Reader::from_path(folder.unwrap().path().join("published.csv"))
        else {
            continue;
        };
        let header = reader.headers().unwrap().clone();
        let column = header.iter().position(|name| name == "value").unwrap();
        values.extend(reader.records().flat_map(|row| numbers(&row.unwrap()[column])));
    }
    values
}

/// The definitions of this repository.
fn definitions() -> Vec<PathBuf> {
    let folders = fs::read_dir(at_root("experiments")).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|path| fs::read_dir(path).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect()
}

/// Every number that a definition sets, also in its texts; but for its prose.
fn set_by(definition: &Table) -> Vec<f64> {
    fn add(value: &Value, found: &mut Vec<f64>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| add(value, found)),
            Value::Table(table) => table.values().for_each(|value| add(value, found)),
            other => found.extend(numbers(&other.to_string())),
        }
    }
    let mut found = Vec::new();
    let settings = definition.iter().filter(|(key, _)| !PROSE.contains(&key.as_str()));
    settings.for_each(|(_, value)| add(value, &mut found));
    found
}

#[test]
fn the_prose_of_the_experiments_has_no_measured_number() {
    let printed = published();
    let mut typed = Vec::new();
    for path in definitions() {
        let definition: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let known = [set_by(&definition), printed.clone()].concat();
        let texts = PROSE.iter().filter_map(|key| definition.get(*key)?.as_str());
        let found = texts.flat_map(|text| measurements(&prose(text)));
        let found = found.filter(|(_, number)| !is_among(number, &known));
        typed.extend(
            found.map(|(line, number)| format!("{}: line {line}: {number}", path.display())),
        );
    }
    assert!(typed.is_empty(), "name in an analysis by `{{…}}`:\n{}", typed.join("\n"));
}

/// The lines of a page that stand under an allowed heading.
fn allowed_lines(page: &str, text: &str) -> BTreeSet<usize> {
    let mut allowed = BTreeSet::new();
    let mut is_allowed = false;
    for (line, text) in text.lines().enumerate() {
        if text.starts_with('#') {
            is_allowed = ALLOWED.iter().any(|(of, heading, _)| *of == page && *heading == text);
        }
        allowed.extend(is_allowed.then_some(line + 1));
    }
    allowed
}

/// Tables of reports that a page quotes: they have verdicts.
fn without_quoted_tables(text: &str) -> String {
    blanked(text, r"(?m)^\|.*\| verdict \|\n(\|.*\n)+")
}

/// What a page quotes: outputs, and tables of reports.
fn quoted(text: &str) -> Vec<f64> {
    let quotes = regex(r"(?ms)^```.*?^```|^\|[^\n]*\| verdict \|\n(\|[^\n]*\n)+");
    quotes.find_iter(text).flat_map(|quote| numbers(quote.as_str())).collect()
}

/// Whether the number is one of these or a percentage of one, rounded to its own digits.
fn is_rounded(text: &str, quoted: &[f64]) -> bool {
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.matches(char::is_numeric).count());
    let half_unit = 0.5 * 10f64.powi(-(decimals as i32));
    let value = numbers(text)[0];
    let is = |own: f64| (own - value).abs() <= half_unit;
    quoted.iter().any(|own| is(*own) || text.contains('%') && is(100.0 * own))
}

#[test]
fn the_prose_of_the_pages_has_no_measured_number() {
    let printed = published();
    let mut typed = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(at_root(page)).unwrap();
        let (allowed, quoted) = (allowed_lines(page, &text), quoted(&text));
        let is_typed = |(line, number): &Found| {
            !allowed.contains(line) && !is_among(number, &printed) && !is_rounded(number, &quoted)
        };
        let found = measurements(&prose(&without_quoted_tables(&text))).into_iter();
        typed.extend(
            found.filter(is_typed).map(|(line, number)| format!("{page}:{line}: {number}")),
        );
    }
    assert!(typed.is_empty(), "name on a page by `{OPEN}EXPERIMENT: …`:\n{}", typed.join("\n"));
}

/// Each exception is still needed.
#[test]
fn every_allowed_part_is_there() {
    for (page, heading, why) in ALLOWED {
        let text = fs::read_to_string(at_root(page)).unwrap();
        assert!(text.lines().any(|line| line == heading), "{page}: {heading} ({why})");
    }
}

#[test]
fn measurements_are_told_from_settings_and_references() {
    let found = |text: &str| -> Vec<String> {
        measurements(&prose(text)).into_iter().map(|(_, number)| number).collect()
    };
    assert_eq!(
        found("overflows by 3.01 ± 0.07 %, 64 ± 4 or 8e-14"),
        ["3.01", "± 0.07 %", "± 4", "8e-14"]
    );
    assert_eq!(found("about 12 % of 4,096"), ["12 %"]);
    let none = "At loads 0.6 and 0.7 (Section 5.8, Table 5.1), c = 1.2 and {max_load of SC at load = 0.5} \
                or `0.3`, <!--= deletions/fig4: x -->0.25<!--/-->, in 1.5 s";
    assert_eq!(found(none), Vec::<String>::new());
}
