//! Rounds of alternation (one deletion, one insertion) per second and core, for every scheme.
//!
//! `cargo bench -p loadfactor --bench rounds -- PART` takes the series whose labels contain PART. The
//! list in the end has the least time of some runs: other users of a machine only add to it.

#![expect(clippy::disallowed_macros, reason = "a bench prints for whoever runs it")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to report")]

#[path = "page.rs"]
mod page;

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use loadfactor::definition::Experiment;
use loadfactor::plan::{Plan, PointPlan};

const DEFINITION: &str = include_str!("rounds.toml");

/// Runs of which the fastest counts.
const RUNS: usize = 15;

fn experiment() -> Experiment {
    Experiment::from_text("rounds", DEFINITION).unwrap()
}

/// Elements that arrive in one trial, those that fill the table included.
fn arrivals(point: &PointPlan) -> u64 {
    point.case.arrivals()
}

fn least_time(point: &PointPlan) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(point.run(0, 1));
        start.elapsed()
    };
    (0..RUNS).map(time).min().unwrap_or_default()
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked = |flag| arguments.iter().any(|argument| argument == flag);
    let part = arguments.iter().find(|argument| !argument.starts_with('-'));
    let experiment = experiment();
    let plan = Plan::new(&experiment, None).unwrap();
    let label = |index: usize| &experiment.series[experiment.points[index].series];
    let chosen: Vec<(&String, &PointPlan)> = (0..)
        .zip(&plan.points)
        .map(|(index, point)| (label(index), point))
        .filter(|(label, _)| part.is_none_or(|part| label.contains(part)))
        .collect();
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let mut group = criterion.benchmark_group("rounds");
    for (label, point) in &chosen {
        group.throughput(Throughput::Elements(arrivals(point)));
        group.bench_function(*label, |bencher| bencher.iter(|| point.run(0, 1)));
    }
    group.finish();
    criterion.final_summary();
    if asked("--bench") && !asked("--test") && !asked("--list") {
        println!("{:<44} million rounds per second", "");
        let mut table = "| scheme | million rounds per second |\n|---|---:|\n".to_owned();
        for (label, point) in &chosen {
            let rate = arrivals(point) as f64 / least_time(point).as_secs_f64() / 1e6;
            println!("{label:<44} {rate:>8.1}");
            table += &format!("| {label} | {rate:.0} |\n");
        }
        if part.is_none() {
            page::write("rounds", &table).unwrap();
        }
    }
}
