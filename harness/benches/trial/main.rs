//! A batch of trials by the harness against the same batch by a loop that is written by hand for
//! that one case. The harness is to cost 10 % more at most. That is an aim, as the others below: what is reached,
//! docs/METHODOLOGY.md says, in tables that `make speed` measures.
//!
//! A loop called straightforward is the simulator that one would write first. The harness does static
//! fills without keys in another way, sub-table by sub-table and 16 in lockstep, and has to be faster there: six times
//! without moves (SINGLE, Std and Std2), four times with them. The limit is the number of choices that are drawn: without moves
//! those that are looked at, with moves all that may be looked at, 7 to 10 of each element.
//!
//! So are rounds of alternation in four sub-tables. There hardly a branch depends on
//! chance: what limits them is the number of instructions and accesses beyond the first-level cache. SC and SCExt, of which
//! blocks of rounds go sub-table by sub-table, are to be three times as fast, and SC with hints twice.
//!
//! SINGLE, MULTIPLE, Std among them, and d-random go by the loads of buckets alone, 16 trials in lockstep, and are to be four to
//! five times as fast. What limits them is the number of instructions, half of which draw numbers, and how wide the registers are; the size
//! of the table does not, nor how full it is. A table far beyond the cache, of which a bench has time for two trials, goes by
//! elements.
//!
//! M-B goes in lockstep, too, of up to 16,384 elements and buckets: where few overflow by the loads of buckets, where many do as tables
//! that take each step of a round together. It is to be three times as fast. By loads, what limits it is the time for each element that comes on
//! the list or leaves it. With tables it is the number of instructions, of which half are for the list near full load, and
//! that 16 tables are beyond the first-level cache. Beside it there is a simulator of a simpler
//! process, called "any waiting", that moves back whichever element is found first: it says what the order of the paper's CAM
//! costs.
//!
//! n elements that come and go at any time are drawn ahead, and go element by element, without a branch that depends on the table.
//! Poisson arrivals and on-off flows go in lockstep by the loads of buckets. What limits them is the number of instructions, as what
//! an arrival would do and what a departure would are both done in every step; with on-off flows many of them draw the runs of
//! slots, lane by lane.
//!
//! Cuckoo hashing computes what a walk in circles comes to, where the simulator makes each eviction, and has to be twice as
//! fast. Both make the same draws and come to the same totals.
//!
//! `cargo bench -p loadfactor --bench trial -- PART` takes the cases whose names contain PART.
//!
//! With `LOADFACTOR_RATIOS=FILE` the ratios are held against those in the file, which are those of the first time, and where
//! one has become worse by more than a tenth the bench fails.
//!
//! Both ways of a case form one group of criterion's; the ratios printed in the end come from runs
//! in turns, which the other users of a machine disturb less.

#![expect(clippy::disallowed_macros, reason = "a bench prints for whoever runs it")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to report")]

mod by_hand;
mod cases;
mod cuckoo;
mod fills;
mod kept;
mod moving_back;
mod on_off;
#[path = "../page.rs"]
mod page;
mod ratios;
mod rounds;
mod straightforward;
mod straightforward_cuckoo;
mod straightforward_fill;
mod straightforward_moving_back;
mod straightforward_on_off;
mod straightforward_rounds;
mod straightforward_times;
mod times;

use std::env;
use std::time::Duration;

use criterion::{Criterion, Throughput};

use cases::Case;
use ratios::Comparison;

/// Pairs of batches that give the ratio of one case.
const PAIRS: usize = 51;

fn groups(criterion: &mut Criterion, cases: &[Case]) {
    for case in cases {
        let mut group = criterion.benchmark_group(&case.name);
        group.throughput(Throughput::Elements(case.insertions()));
        group.bench_function("harness", |bencher| bencher.iter(|| case.run()));
        group.bench_function("by hand", |bencher| bencher.iter(|| case.run_by_hand()));
    }
}

/// What both ways of a case cost.
struct Row<'c> {
    case: &'c Case,
    both: Comparison,
}

impl Row<'_> {
    fn per_insertion(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / self.case.insertions() as f64
    }

    fn print(&self) {
        let Comparison { first, second, ratio, quartiles: (low, high) } = self.both;
        let (harness, by_hand) = (self.per_insertion(first), self.per_insertion(second));
        let name = &self.case.name;
        println!(
            "{name:<50} {harness:>7.2}  {by_hand:>7.2}  {ratio:>6.3}  ({low:.3} to {high:.3})"
        );
    }

    /// A line of a table for people: how many times as fast the harness is.
    fn line(&self) -> String {
        let Comparison { first, second, ratio, quartiles: (low, high) } = self.both;
        let (harness, by_hand) = (self.per_insertion(first), self.per_insertion(second));
        let [faster, least, greatest] = [ratio, high, low].map(f64::recip);
        let name = self.case.name.replace(STRAIGHTFORWARD, "");
        format!(
            "| {name} | {harness:.2} | {by_hand:.2} | {faster:.2} ({least:.2}–{greatest:.2}) |\n"
        )
    }
}

/// What ends the names of cases that are held against the simulator that one would write first.
const STRAIGHTFORWARD: &str = " straightforward";

/// Measures and prints both ways of each case.
fn compare(cases: &[Case]) -> Vec<Row<'_>> {
    println!("{:<50} harness  by hand   ratio  (quartiles)", "ns per insertion");
    let row = |case| {
        let both = ratios::compare(PAIRS, || Case::run(case), || Case::run_by_hand(case));
        let row = Row { case, both };
        row.print();
        row
    };
    cases.iter().map(row).collect()
}

/// Writes both tables of docs/METHODOLOGY.md, if they were asked for.
fn write(rows: &[Row<'_>]) {
    let (straightforward, by_hand): (Vec<&Row<'_>>, Vec<&Row<'_>>) =
        rows.iter().partition(|row| row.case.name.ends_with(STRAIGHTFORWARD));
    for (name, rows) in [("straightforward", straightforward), ("by hand", by_hand)] {
        let lines: String = rows.into_iter().map(Row::line).collect();
        let head = format!("| process | harness | {name} | times as fast (quartiles) |");
        page::write(name, &format!("{head}\n|---|---:|---:|---:|\n{lines}")).unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked = |flag| arguments.iter().any(|argument| argument == flag);
    let part = arguments.iter().find(|argument| !argument.starts_with('-'));
    let mut cases = fills::cases();
    cases.extend(rounds::cases());
    cases.extend(moving_back::cases());
    cases.extend(cuckoo::cases());
    cases.extend(on_off::cases());
    cases.extend(times::cases());
    cases.extend(Case::all());
    cases.retain(|case| part.is_none_or(|part| case.name.contains(part)));
    cases.iter().for_each(Case::check);
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    groups(&mut criterion, &cases);
    criterion.final_summary();
    if asked("--bench") && !asked("--test") && !asked("--list") {
        let rows = compare(&cases);
        if part.is_none() {
            write(&rows);
        }
        let ratios: Vec<(String, f64)> =
            rows.iter().map(|row| (row.case.name.clone(), row.both.ratio)).collect();
        let Some(file) = env::var_os("LOADFACTOR_RATIOS") else { return };
        let slower = kept::slower(file.as_ref(), &ratios).unwrap();
        assert!(slower.is_empty(), "slower than before:\n{}", slower.join("\n"));
    }
}
