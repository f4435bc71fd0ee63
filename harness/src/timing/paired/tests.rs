//! What is called faster or slower of two programs side by side, by made samples.

use super::super::made::Layouts;
use super::super::table::csv;
use super::super::tests::{DEFINITION, measured};
use super::*;
use crate::definition::Experiment;

/// As many layouts and samples as there are by default, of structures that differ by 2.5 parts in a hundred from layout
/// to layout.
const DEFAULT: Layouts = Layouts { layouts: 96, samples: 10, of_layouts: 0.025, of_samples: 0.02 };

/// The rows of a table of filters.
const ROWS: u64 = 30;

/// A whole table on a machine that drifts, of which each row has changed by this factor.
fn table(made: Layouts, factor: f64, seed: u64) -> Vec<Verdict> {
    let verdict = |row: u64| {
        let [own, other] = made.draw_pair(factor, (seed << 16) | row);
        let (_, interval) = change(&own, &other, level_of_each(ROWS as usize));
        Verdict::of_change(interval, TOLERANCE)
    };
    (0..ROWS).map(verdict).collect()
}

/// One table in a hundred is promised, whatever the number of layouts and however the machine drifts, also where every
/// row has changed by as much as is tolerated: of a thousand, ten, and five standard errors are 16.
#[test]
fn a_whole_table_calls_nothing_where_nothing_changed() {
    for (layouts, of_layouts) in [(2, 0.005), (2, 0.05), (6, 0.02), (96, 0.025)] {
        let made = Layouts { layouts, of_layouts, ..DEFAULT };
        for factor in [1.0, 1.0 + TOLERANCE] {
            let calls = |seed: &u64| {
                table(made, factor, *seed).iter().any(|&verdict| verdict != Verdict::CannotTell)
            };
            let called = (0..1000).filter(calls).count();
            assert!(called <= 26, "{made:?} {factor}: {called}");
        }
    }
}

/// Five parts in a hundred are found in every row of the table, in both directions, as often as in 99 of 100, while the
/// machine drifts by many times as much.
#[test]
fn five_parts_in_a_hundred_are_seen_with_the_default() {
    for (factor, expected) in [(1.05, Verdict::Slower), (1.0 / 1.05, Verdict::Faster)] {
        let all = (0..100).flat_map(|seed| table(DEFAULT, factor, seed));
        let seen = all.filter(|&verdict| verdict == expected).count();
        assert!(seen >= 2970, "{seen} of 3000");
    }
}

#[test]
fn one_layout_tells_nothing() {
    let (change, interval) = change(&[vec![3.0]], &[vec![1.5]], 0.99);
    assert_eq!((change, interval), (2.0, None));
    assert_eq!(Verdict::of_change(interval, TOLERANCE), Verdict::CannotTell);
}

/// The baseline, which became slower, is told like every other series.
#[test]
fn rows_as_a_person_and_a_file_have_them() {
    let experiment = Experiment::from_text("timed", DEFINITION).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    let both = [[1.5, 1.0], [1.0, 1.0]].map(|times| times.map(measured).into());
    let rows = paired_rows(&plan, &plan.places[1], &both);
    assert!(is_slower(&rows) && !is_slower(&rows[2..]));
    insta::assert_snapshot!(text_beside(Path::new("old/loadfactor"), &rows), @"
    4 timings compared with those of old/loadfactor in the same minutes: 2 slower, 0 faster, 2 cannot tell
      timed: insert of standard at bits = 2000: slower by +50.0 % (+50.0 % to +50.0 %); 8.54 → 12.81 ns
      timed: miss of standard at bits = 2000: slower by +50.0 % (+50.0 % to +50.0 %); 4.02 → 6.03 ns
    ");
    let text = String::from_utf8(csv(&rows).unwrap()).unwrap();
    assert_eq!(text.lines().next().unwrap(), COLUMNS.join(","));
    assert_eq!(text.lines().count(), 1 + 4);
    assert_eq!(check_columns(text.as_bytes()), Ok(()));
}
