//! `loadfactor compare` sees what was overwritten in a table, and lets chance pass.

use std::fs::File;

use insta::assert_snapshot;
use polars::prelude::*;
use regex::Regex;

use crate::definitions::DUEL;
use crate::sandbox::{Done, Sandbox};

/// Two equal results in `old` and `new`.
fn twice() -> Sandbox {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for folder in ["old", "new"] {
        sandbox.run(&format!("run duel --scale smoke -q --out {folder}")).exits(0);
    }
    sandbox
}

/// Results with two seeds in `old` and `new`.
fn two_seeds() -> Sandbox {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q --out old").exits(0);
    sandbox.run("run duel --scale smoke -q --seed 2 --out new").exits(0);
    sandbox
}

/// Overwrites the table in `new`.
fn overwrite(sandbox: &Sandbox, edit: impl FnOnce(DataFrame) -> DataFrame) {
    let path = sandbox.path("new/duel/table.parquet");
    let frame = ParquetReader::new(File::open(&path).unwrap()).finish().unwrap();
    ParquetWriter::new(File::create(&path).unwrap()).finish(&mut edit(frame)).unwrap();
}

fn with_numbers(
    mut frame: DataFrame,
    name: &str,
    edit: fn(usize, Option<f64>) -> Option<f64>,
) -> DataFrame {
    let column = frame.column(name).unwrap().f64().unwrap().iter().enumerate();
    let edited: Vec<Option<f64>> = column.map(|(row, value)| edit(row, value)).collect();
    frame.with_column(Column::new(name.into(), edited)).unwrap();
    frame
}

fn with_verdicts(mut frame: DataFrame, edit: fn(usize, &str) -> &str) -> DataFrame {
    let column = frame.column("verdict").unwrap().clone();
    let column = column.str().unwrap().iter().enumerate();
    let edited: Vec<String> =
        column.map(|(row, verdict)| edit(row, verdict.unwrap()).to_owned()).collect();
    frame.with_column(Column::new("verdict".into(), edited)).unwrap();
    frame
}

fn compare(sandbox: &Sandbox) -> Done {
    sandbox.run("compare old new")
}

/// What the comparison prints at this exit status, without the parameters of points.
fn compared(sandbox: &Sandbox, status: i32) -> String {
    let said = compare(sandbox).exits(status).stdout;
    Regex::new("series=.* metric=").unwrap().replace_all(&said, "[point] metric=").into_owned()
}

#[test]
fn an_overwritten_verdict() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_verdicts(frame, |row, verdict| if row == 0 { "differs" } else { verdict })
    });
    assert_snapshot!(compared(&sandbox, 3), @"
    duel [point] metric=overflow_fraction, exact: Theorem 1
      agrees → differs
    28 measurements compared: 0 moved; 0 missing, 0 added
    60 predictions compared: 0 changed; 0 vanished, 0 appeared
    0 published values compared: 0 changed
    60 verdicts compared: 1 changed
      1 agrees → differs
    ");
}

#[test]
fn every_verdict_overwritten() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_verdicts(frame, |_, verdict| match verdict {
            "agrees" => "differs",
            "bound_holds" => "bound_violated",
            other => other,
        })
    });
    let said = compare(&sandbox).exits(3).stdout;
    assert!(said.contains("\n60 verdicts compared: 60 changed\n  56 agrees → differs\n"), "{said}");
    assert!(said.ends_with("  4 bound_holds → bound_violated\n"), "{said}");
}

#[test]
fn an_overwritten_prediction() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_numbers(frame, "predicted", |row, value| match row {
            0 => value.map(|value| value * (1.0 + 1e-8)),
            _ => value,
        })
    });
    assert_snapshot!(compared(&sandbox, 3), @"
    duel [point] metric=overflow_fraction, exact: Theorem 1
      predicted 0.3263157894736842 → 0.3263157927368421
    28 measurements compared: 0 moved; 0 missing, 0 added
    60 predictions compared: 1 changed; 0 vanished, 0 appeared
    0 published values compared: 0 changed
    60 verdicts compared: 0 changed
    ");
}

#[test]
fn an_overwritten_bound() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_numbers(frame, "predicted", |row, value| match row {
            2 => value.map(|value| value * 0.9),
            _ => value,
        })
    });
    let said = compare(&sandbox).exits(3).stdout;
    assert!(said.contains("lower_bound: Theorem 6\n  predicted "), "{said}");
    assert!(said.contains(": 1 changed; 0 vanished, 0 appeared\n"), "{said}");
}

#[test]
fn the_last_digits_of_another_processor() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_numbers(frame, "predicted", |_, value| value.map(|value| value * (1.0 + 1e-12)))
    });
    compare(&sandbox).exits(0);
}

#[test]
fn a_prediction_that_vanished_or_appeared() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| frame.slice(1, frame.height()));
    assert_snapshot!(compared(&sandbox, 3), @"
    duel [point] metric=overflow_fraction, exact: Theorem 1
      predicted 0.3263157894736842 → nothing
    28 measurements compared: 0 moved; 0 missing, 0 added
    59 predictions compared: 0 changed; 1 vanished, 0 appeared
    0 published values compared: 0 changed
    59 verdicts compared: 0 changed
    ");
    let said = sandbox.run("compare new old").exits(3).stdout;
    assert!(said.contains(": 0 changed; 0 vanished, 1 appeared\n"), "{said}");
}

#[test]
fn another_published_value() {
    let sandbox = twice();
    overwrite(&sandbox, |frame| {
        with_numbers(frame, "published", |row, _| (row == 0).then_some(0.25))
    });
    assert_snapshot!(compared(&sandbox, 3), @"
    duel [point] metric=overflow_fraction
      published nothing → 0.25
    28 measurements compared: 0 moved; 0 missing, 0 added
    60 predictions compared: 0 changed; 0 vanished, 0 appeared
    1 published values compared: 1 changed
    60 verdicts compared: 0 changed
    ");
}

#[test]
fn bounds_move_with_what_they_rest_on() {
    let said = compare(&two_seeds()).exits(0).stdout;
    assert!(said.contains("bounds moved with measurements"), "{said}");
    let exact = two_seeds();
    overwrite(&exact, |frame| {
        with_numbers(frame, "predicted", |row, value| match row {
            0 => value.map(|value| value * 1.001),
            _ => value,
        })
    });
    let said = compare(&exact).exits(3).stdout;
    assert!(said.contains(": 1 changed; 0 vanished, 0 appeared"), "{said}");
}

#[test]
fn a_verdict_that_chance_turned() {
    let turned = |to: fn(usize, &str) -> &str| {
        let sandbox = two_seeds();
        overwrite(&sandbox, |frame| with_verdicts(frame, to));
        compare(&sandbox)
    };
    let said = turned(|row, verdict| if row == 0 { "differs" } else { verdict }).exits(0).stdout;
    assert!(said.contains("  agrees → differs, by chance\n"), "{said}");
    assert!(said.ends_with("verdicts compared: 0 changed; 1 by chance\n"), "{said}");
    let lost = turned(|row, verdict| if row == 0 { "no_prediction" } else { verdict }).exits(3);
    assert!(lost.stdout.contains("  agrees → no_prediction\n"), "{}", lost.stdout);
}

/// Of one trial nothing is known but its number.
#[test]
fn too_few_trials_are_no_cause() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for seed in [1, 2] {
        sandbox.run(&format!("run duel -q --set trials=1 --seed {seed} --out {seed}")).exits(0);
    }
    let done = sandbox.run("compare 1 2").exits(0);
    assert!(!done.stdout.contains("NaN"), "{}", done.stdout);
    assert!(done.stdout.contains("differ, of too few trials to say why"), "{}", done.stdout);
}

/// A table of comma-separated values with other measurements.
fn with_measured(table: &str, edit: impl Fn(&csv::StringRecord, f64) -> f64) -> String {
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let head = rows.headers().unwrap().clone();
    let measured = head.iter().position(|column| column == "measured").unwrap();
    let mut edited = csv::Writer::from_writer(Vec::new());
    edited.write_record(&head).unwrap();
    for row in rows.records() {
        let row = row.unwrap();
        let value = row[measured].parse().map(|value| edit(&row, value).to_string());
        let mut cells: Vec<&str> = row.iter().collect();
        cells[measured] = value.as_deref().unwrap_or_default();
        edited.write_record(cells).unwrap();
    }
    String::from_utf8(edited.into_inner().unwrap()).unwrap()
}

/// Two labels that are the same number are two labels.
#[test]
fn labels_are_words() {
    let text = DUEL.replace("\"SINGLE\"", "\"0.5\"").replace("\"MULTIPLE\"", "\"0.50\"");
    let sandbox = Sandbox::new(&[("duel", &text)]);
    sandbox.run("run duel -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    let edited = with_measured(&table, |cells, value| {
        let is_first = cells.iter().any(|cell| cell == "0.5") && !cells.iter().any(|c| c == "0.50");
        if is_first { 3.0 * value + 1.0 } else { value }
    });
    sandbox.write("edited.csv", edited);
    let done = sandbox.run("compare results/duel/table.csv edited.csv").exits(3);
    assert!(!done.stdout.contains(" 0 moved"), "{}", done.stdout);
}

#[test]
fn a_damaged_table_is_not_compared() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    sandbox.write("cut.csv", &table[..table.len() - 3]);
    let done = sandbox.run("compare results/duel/table.csv cut.csv").exits(1);
    assert!(done.stderr.contains("cut.csv is damaged: line "), "{}", done.stderr);
    sandbox.write("short.csv", format!("{table}duel,SINGLE\n"));
    let done = sandbox.run("compare results/duel/table.csv short.csv").exits(1);
    assert!(done.stderr.contains("short.csv is damaged: CSV error"), "{}", done.stderr);
    let moved = with_measured(&table, |_, value| value + 1.0);
    sandbox.write("doubled.csv", table + moved.split_once('\n').unwrap().1);
    let done = sandbox.run("compare results/duel/table.csv doubled.csv").exits(1);
    assert!(done.stderr.contains("two rows measure the same"), "{}", done.stderr);
}

#[test]
fn a_link_back_is_not_followed() {
    let sandbox = twice();
    std::os::unix::fs::symlink(".", sandbox.path("new/duel/again")).unwrap();
    std::os::unix::fs::symlink("..", sandbox.path("new/duel/up")).unwrap();
    compare(&sandbox).exits(0);
    sandbox.run("merge new -o joint").exits(0);
    assert!(sandbox.path("joint/duel/journal").is_file());
    assert!(!sandbox.path("joint/duel/again").exists());
    let done = sandbox.run("merge new/duel -o wrong").exits(2);
    assert!(done.stderr.contains("and not the folder of one experiment"), "{}", done.stderr);
}

/// `compare results/reference results`: what lies below the one is not also a part of the other.
#[test]
fn a_folder_within_the_other_is_not_compared_with_nothing() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for folder in ["results", "results/reference"] {
        sandbox.run(&format!("run duel --scale smoke -q --out {folder}")).exits(0);
    }
    let said = sandbox.run("compare results/reference results").exits(0).stdout;
    assert!(said.contains("28 measurements compared: 0 moved; 0 missing, 0 added"), "{said}");
    let said = sandbox.run("compare results results/reference").exits(0).stdout;
    assert!(said.contains("28 measurements compared: 0 moved; 0 missing, 0 added"), "{said}");
}

/// A partial run leaves whole experiments out, each of which is one line.
#[test]
fn an_experiment_that_only_one_has_is_told_as_a_whole() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("rematch", DUEL)]);
    sandbox.run("run --scale smoke -q --out all").exits(0);
    sandbox.run("run duel --scale smoke -q --out some").exits(0);
    assert_snapshot!(sandbox.run("compare all some").exits(3).stdout.lines().take(2).collect::<Vec<_>>().join("\n"), @"
    rematch as a whole, 28 measurements, missing from the new results
    28 measurements compared: 0 moved; 28 missing (28 of experiments that only one has), 0 added
    ");
}

/// Both have the experiment, of which they ran different series: no measurement is in both, and yet none lacks it as a
/// whole.
#[test]
fn an_experiment_of_which_no_measurement_is_common_is_not_missing_as_a_whole() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("rematch", DUEL)]);
    for (series, out) in [("SINGLE", "old"), ("MULTIPLE", "new")] {
        sandbox.run(&format!("run rematch --scale smoke -q --out {out}")).exits(0);
        sandbox.run(&format!("run duel --scale smoke -q --only {series} --out {out}")).exits(0);
    }
    let said = sandbox.run("compare old new").exits(3).stdout;
    assert!(said.contains("more measurements, missing from the new results"), "{said}");
    assert!(!said.contains("as a whole") && !said.contains("that only one has"), "{said}");
}
