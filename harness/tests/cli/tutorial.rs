//! Every output of the tutorial is real: its commands are run in order, and what they print is what stands there.
//!
//! Times differ from machine to machine and are left as they are, a `…` stands for what the page leaves out, and
//! what was interrupted on the page is run to its end here. `make docs` writes the rest anew.

use std::env;
use std::fs;

use regex::Regex;

use crate::numbers::{WRITE, at_root};
use crate::sandbox::{BINARY, Done, Sandbox};

const PAGE: &str = "docs/TUTORIAL.md";
const DEFINITION: &str = "sizing.toml";
/// Where the page interrupts a run.
const INTERRUPTED: &str = "--out elsewhere";
const FENCE: &str = "```";
const PROMPTS: [&str; 3] = ["$ ", "one$ ", "two$ "];

/// The page read from its beginning, and written again with what is true.
struct Reading {
    sandbox: Sandbox,
    written: String,
}

impl Reading {
    fn page(mut self, page: &str) -> String {
        let mut blocks = page.split(FENCE);
        self.prose(blocks.next().unwrap_or_default());
        while let Some(code) = blocks.next() {
            self.written += FENCE;
            match code.strip_prefix("toml\n") {
                Some(definition) => self.define(definition, code),
                None => self.commands(code),
            }
            self.written += FENCE;
            self.prose(blocks.next().unwrap_or_default());
        }
        self.written
    }

    /// The first definition is the file, the next one goes before its figure.
    fn define(&mut self, definition: &str, code: &str) {
        let text = match self.sandbox.path(DEFINITION).exists() {
            false => definition.to_owned(),
            true => {
                let before = self.sandbox.read(DEFINITION);
                before.replace("[[figure]]", &format!("{definition}\n[[figure]]"))
            }
        };
        self.sandbox.write(DEFINITION, text);
        self.written += code;
    }

    /// Runs the commands of a block, and writes each with what it prints.
    fn commands(&mut self, code: &str) {
        let mut lines = code.lines().peekable();
        while let Some(line) = lines.next() {
            self.written += line;
            self.written += "\n";
            let Some(command) = PROMPTS.iter().find_map(|prompt| line.strip_prefix(prompt)) else {
                continue;
            };
            let mut expected = String::new();
            while let Some(next) =
                lines.next_if(|line| !PROMPTS.iter().any(|prompt| line.starts_with(prompt)))
            {
                expected += &format!("{next}\n");
            }
            let script = command.replacen("loadfactor", BINARY, 1);
            let done = Done::run(self.sandbox.command("bash").args(["-c", &script]));
            // What was interrupted on the page, and gone on with, was run to its end here.
            self.written += &match command.contains(INTERRUPTED) {
                true => expected,
                false => stands(&expected, &printed(done)),
            };
        }
    }

    /// The rows of a report that the prose quotes; and the mistake that the prose mends.
    fn prose(&mut self, prose: &str) {
        if prose.contains("With the hyphen it is") {
            let text = self.sandbox.read(DEFINITION).replace("tcp_header", "tcp-header");
            self.sandbox.write(DEFINITION, text);
        }
        let report = self.sandbox.path("results/sizing/report.md");
        let report = fs::read_to_string(report).unwrap_or_default();
        for line in prose.split_inclusive('\n') {
            self.written += &quoted(line, &report).unwrap_or_else(|| line.to_owned());
        }
    }
}

/// What stands on the page, where it says what was printed; else what was printed, in the page's words where
/// these are the same.
pub(crate) fn stands(expected: &str, printed: &str) -> String {
    if expected.trim().is_empty() || pattern(expected).is_match(printed) {
        return expected.to_owned();
    }
    let in_the_pages_words = |line: &str| {
        let same = expected.lines().find(|own| !own.contains("  …") && pattern(own).is_match(line));
        format!("{}\n", same.unwrap_or(line))
    };
    printed.lines().map(in_the_pages_words).collect()
}

/// What a command printed, without how far it was on its way.
pub(crate) fn printed(done: Done) -> String {
    let progress = Regex::new(r"(?m)^\S+: [\d,]+ of [\d,]+ trials.*\n").unwrap();
    progress.replace_all(&(done.stdout + &done.stderr), "").into_owned()
}

/// What a page says of an output: everything but times, and what a `…` leaves out.
fn pattern(expected: &str) -> Regex {
    let times =
        Regex::new(r"in \d+\\\.\d s|about \d+ s on \d+ threads|about [\d\\.]+ [kMG]B").unwrap();
    let escaped = regex::escape(expected).replace('…', "(?s:.*)");
    let free = times.replace_all(&escaped, ".*");
    Regex::new(&format!("^{free}$")).unwrap()
}

/// The row of the report that begins as a row of the page does, and has as many cells.
fn quoted(line: &str, report: &str) -> Option<String> {
    let cells =
        |row: &str| -> Vec<String> { row.split('|').map(|c| c.trim().to_owned()).collect() };
    let own = cells(line.trim_end());
    let is_number = |cell: &String| cell.parse::<f64>().is_ok();
    if !line.starts_with("| ") || !own[2..].iter().any(is_number) {
        return None;
    }
    let place = |row: &[String]| (row.len(), row[1].clone(), row[2].clone());
    let by_series = own.len() == 9;
    let is_meant = |row: &&str| {
        let row = cells(row);
        row.len() == own.len()
            && row[1] == own[1]
            && (by_series || place(&row) == place(&own))
            && row.iter().zip(&own).filter(|(a, b)| a == b).count() > 3
    };
    let found = report.lines().find(is_meant)?;
    Some(format!("{found}\n"))
}

#[test]
fn every_output_of_the_tutorial_is_real() {
    let path = at_root(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let reading = Reading { sandbox: Sandbox::new(&[]), written: String::new() };
    let written = reading.page(&page);
    if env::var_os(WRITE).is_some() {
        fs::write(&path, written).unwrap();
    } else {
        assert!(page == written, "{PAGE} is stale: run `make docs`\n{}", changed(&page, &written));
    }
}

/// The lines that are not what they were.
fn changed(page: &str, written: &str) -> String {
    let old: Vec<&str> = page.lines().collect();
    let new = written.lines().filter(|line| !old.contains(line));
    new.map(|line| format!("+ {line}\n")).collect()
}
