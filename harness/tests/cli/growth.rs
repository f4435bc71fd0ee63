//! The speed-up that docs/CLUSTER.md expects of a cluster follows from what that page says was measured.

use std::env;
use std::fs;

use crate::numbers::{CLOSE, OPEN, WRITE, at_root};

const PAGE: &str = "docs/CLUSTER.md";

/// What names the table on the page.
const NAME: &str = "speed-up -->\n";

/// Numbers of cores on which shards run.
const CORES: [u32; 3] = [10, 100, 1000];

/// What was measured, in seconds but for the imbalance.
struct Measured {
    batches: f64,
    imbalance: f64,
    start: f64,
    merge: f64,
    report: f64,
}

impl Measured {
    /// From the table of the page whose rows begin with a symbol.
    fn of(page: &str) -> Self {
        let value = |symbol: &str| -> f64 {
            let start = format!("| {symbol} | ");
            let row = page.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("{PAGE} has no row of {symbol}"));
            let cell = row.trim_end_matches(" |").rsplit("| ").next().unwrap();
            cell.replace(',', "").parse().unwrap_or_else(|_| panic!("no number: {row}"))
        };
        Self {
            batches: value("S"),
            imbalance: value("b"),
            start: value("F"),
            merge: value("M"),
            report: value("R"),
        }
    }

    /// Seconds of a run of so many times the trials, and how many times as fast as one core it is. As many times the
    /// batches are merged; the report is of the same points.
    fn run(&self, times: f64, cores: u32) -> (f64, f64) {
        let batches = times * self.batches;
        let end = times * self.merge + self.report;
        let seconds = batches * self.imbalance / f64::from(cores) + self.start + end;
        (seconds, (batches + self.report) / seconds)
    }
}

fn table(measured: &Measured) -> String {
    let row = |&cores: &u32| {
        let (seconds, faster) = measured.run(1.0, cores);
        let (_, with_more) = measured.run(100.0, cores);
        format!("| {cores} | {seconds:.0} | {faster:.0} | {with_more:.0} |\n")
    };
    let rows: String = CORES.iter().map(row).collect();
    let head =
        "| cores | seconds | times as fast as one core | the same with 100 times the trials |";
    format!("\n{head}\n|---:|---:|---:|---:|\n{rows}\n")
}

#[test]
fn the_speed_up_of_a_cluster_follows_from_what_was_measured() {
    let path = at_root(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(&format!("{OPEN}{NAME}")).expect("a place for the table");
    let (_, behind) = rest.split_once(CLOSE).expect("an end of the table");
    let written = format!("{before}{OPEN}{NAME}{}{CLOSE}{behind}", table(&Measured::of(&page)));
    if env::var_os(WRITE).is_some() {
        fs::write(&path, written).unwrap();
    } else {
        assert!(page == written, "the speed-up in {PAGE} is stale: run `make docs`");
    }
}

/// Without an imbalance, a start or a merge there is Amdahl's law alone: a hundredth that is not divided leaves less
/// than a hundred times.
#[test]
fn what_is_not_divided_limits_the_speed_up() {
    let measured =
        Measured { batches: 990.0, imbalance: 1.0, start: 0.0, merge: 0.0, report: 10.0 };
    let (seconds, faster) = measured.run(1.0, 100);
    assert!((seconds - 19.9).abs() < 1e-9 && (faster - 1000.0 / 19.9).abs() < 1e-9);
    assert!(measured.run(1.0, 1_000_000).1 < 100.0);
}

/// A merge reads every batch, so that with more trials it, too, takes longer, and limits the speed-up.
#[test]
fn a_merge_grows_with_the_trials() {
    let measured =
        Measured { batches: 1000.0, imbalance: 1.0, start: 0.0, merge: 10.0, report: 0.0 };
    let faster = |times| measured.run(times, 1000).1;
    assert!((faster(1.0) - 1000.0 / 11.0).abs() < 1e-9);
    assert!((faster(100.0) - faster(1.0)).abs() < 1e-9);
}
