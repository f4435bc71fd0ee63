//! A reader of `table.csv` can recompute every verdict.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use csv::{Reader, StringRecord};

use crate::definitions::DUEL;
use crate::sandbox::Sandbox;

/// One row of a table, and the names of its columns.
struct Row<'t> {
    header: &'t StringRecord,
    record: &'t StringRecord,
}

impl Row<'_> {
    fn text(&self, column: &str) -> &str {
        let place = self.header.iter().position(|own| own == column).unwrap();
        &self.record[place]
    }

    fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    /// The verdict that METHODOLOGY gives such a row, from its other columns.
    fn recomputed(&self) -> Option<&'static str> {
        let (room, limit) = (self.number("room")?, self.number("room_limit")?);
        let above = self.number("measured")? - self.number("predicted")?;
        let within = above.abs() <= room;
        let kind = self.text("prediction").split(':').next()?;
        Some(match kind {
            _ if within && room > limit => "undecided",
            "lower_bound" if above >= -room => "bound_holds",
            "upper_bound" if above <= room => "bound_holds",
            "lower_bound" | "upper_bound" => "bound_violated",
            _ if within => "agrees",
            "approximate" => "off",
            _ => "differs",
        })
    }
}

/// Every `table.csv` below a folder.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let own = files.into_iter().filter(|path| path.ends_with("table.csv"));
    own.chain(folders.iter().flat_map(|folder| tables(folder))).collect()
}

/// Asserts that each verdict of a table follows from its row; how many rows have each.
fn recomputed(path: &Path, verdicts: &mut BTreeMap<String, usize>) {
    let mut reader = Reader::from_reader(File::open(path).unwrap());
    let header = reader.headers().unwrap().clone();
    for record in reader.records() {
        let record = &record.unwrap();
        let row = Row { header: &header, record };
        let verdict = row.text("verdict");
        let place = format!("{}: {record:?}", path.display());
        assert_eq!(row.recomputed().unwrap_or("no_prediction"), verdict, "{place}");
        *verdicts.entry(verdict.to_owned()).or_default() += 1;
    }
}

/// A run by this very program.
#[test]
fn every_verdict_of_a_run_follows_from_its_row() {
    let decides = DUEL.replace("largest_room = 1000", "largest_room = 0.07");
    let sandbox = Sandbox::new(&[("duel", &decides)]);
    sandbox.run("run duel --scale paper -q").exits(0);
    let mut verdicts = BTreeMap::new();
    recomputed(&sandbox.path("results/duel/table.csv"), &mut verdicts);
    for verdict in ["agrees", "undecided", "bound_holds", "no_prediction"] {
        assert!(verdicts.contains_key(verdict), "{verdict}: {verdicts:?}");
    }
}

/// All experiments of the repository, at the scale `quick`: each verdict follows from the row that it
/// stands in, and every verdict that the documents give occurs.
#[test]
fn every_verdict_follows_from_its_row() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let mut verdicts = BTreeMap::<String, usize>::new();
    for path in tables(&reference) {
        recomputed(&path, &mut verdicts);
    }
    for verdict in ["agrees", "differs", "off", "undecided", "bound_holds", "no_prediction"] {
        assert!(verdicts.get(verdict).is_some_and(|&rows| rows > 0), "{verdict}: {verdicts:?}");
    }
}

/// A sketch at two sizes, on a stream whose counts are drawn by default.
const COUNT_MIN: &str = r#"title  = "Count-min"
trials = 12

[workload]
kind     = "zipf-stream"
flows    = 100
packets  = 1000
exponent = 1.0

[point]
scheme  = "count-min"
columns = [16, 64]
rows    = 2

[[series]]
label = "random"
"#;

/// Of drawn counts only bounds are known: the run says with which counts there are exact values.
#[test]
fn drawn_counts_are_answered_with_the_expected_ones() {
    let sandbox = Sandbox::new(&[("sketch", COUNT_MIN)]);
    let drawn = sandbox.run("run sketch").exits(0).stderr;
    let hint = "note: only bounds are known of 2 points with `counts = \"drawn\"`: with `counts = \"expected\"` under \
                [workload], aae is predicted exactly";
    assert!(drawn.contains(hint), "{drawn}");
    let expected = sandbox.run("run sketch --set workload.counts=expected").exits(0).stderr;
    assert!(!expected.contains("only bounds are known"), "{expected}");
    assert!(!expected.contains("predictions: 0 agree, 0 differ"), "{expected}");
}

/// Points of another scheme, of which the expected counts give no more than bounds, are not among those of the hint, also
/// where they come first.
#[test]
fn points_that_other_counts_do_not_help_are_not_counted() {
    let series = "[[series]]\nlabel  = \"conservative\"\nscheme = \"conservative-update\"\n\n\
                  [[series]]\nlabel  = \"random\"\nscheme = \"count-min\"\n";
    let text = COUNT_MIN.replace("scheme  = \"count-min\"\n", "");
    let text = text.replace("[[series]]\nlabel = \"random\"\n", series);
    let drawn = Sandbox::new(&[("sketch", &text)]).run("run sketch").exits(0).stderr;
    assert!(drawn.contains("only bounds are known of 2 points with"), "{drawn}");
}
