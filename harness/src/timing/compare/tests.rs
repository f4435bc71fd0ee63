//! What is called faster or slower, by rows of made samples.

use super::super::made::{Layouts, row, scattered};
use super::*;

/// As many layouts and samples as there are by default, of structures that differ by 2.5 parts in a hundred from layout
/// to layout.
const DEFAULT: Layouts = Layouts { layouts: 96, samples: 10, of_layouts: 0.025, of_samples: 0.02 };

/// The rows of a table of filters that have a ratio.
const ROWS: u64 = 24;

fn verdict(old: Row, new: Row) -> Verdict {
    compare(&[old], &[new]).compared[0].verdict
}

/// A whole table, of which each row has changed by this factor.
fn table(made: Layouts, factor: f64, seed: u64) -> TimingChanges {
    let rows = |ratio: f64, run: u64| -> Vec<Row> {
        let one = |number: u64| {
            let at = format!("bits = {number}");
            Row { at, ..scattered("A", ratio, made, (seed << 32) | (run << 16) | number) }
        };
        (0..ROWS).map(one).collect()
    };
    compare(&rows(1.3, 0), &rows(1.3 * factor, 1))
}

/// Tables of a thousand in which anything is called.
fn tables_that_call(made: Layouts, factor: f64) -> usize {
    let calls = |seed: &u64| {
        table(made, factor, *seed).compared.iter().any(|one| one.verdict != Verdict::CannotTell)
    };
    (0..1000).filter(calls).count()
}

#[test]
fn the_same_numbers_twice_tell_nothing() {
    for ratio in [0.5, 1.0, 3.0] {
        let own = scattered("A", ratio, DEFAULT, 1);
        assert_eq!(verdict(own.clone(), own), Verdict::CannotTell);
        assert_eq!(verdict(row("A", ratio), row("A", ratio)), Verdict::CannotTell);
    }
}

/// One table in a hundred is promised, whatever the number of rows and layouts, also where every row has changed by as
/// much as is tolerated: of a thousand, ten, and five standard errors are 16.
#[test]
fn a_whole_table_calls_nothing_where_nothing_changed() {
    for (layouts, of_layouts) in [(2, 0.005), (2, 0.05), (6, 0.02), (96, 0.025)] {
        let made = Layouts { layouts, of_layouts, ..DEFAULT };
        for factor in [1.0, 1.0 + TOLERANCE] {
            let called = tables_that_call(made, factor);
            assert!(called <= 26, "{made:?} {factor}: {called}");
        }
    }
}

/// A quarter is found in every row of the table, in both directions, as often as in 99 of 100. What is less is left to
/// two programs in the same minutes.
#[test]
fn a_quarter_is_seen_with_the_default_and_a_tenth_is_not() {
    let seen = |factor, expected| {
        let all = (0..100).flat_map(|seed| table(DEFAULT, factor, seed).compared);
        all.filter(|one| one.verdict == expected).count()
    };
    for (factor, expected) in [(1.25, Verdict::Slower), (1.0 / 1.25, Verdict::Faster)] {
        let seen = seen(factor, expected);
        assert!(seen >= 2376, "{seen} of 2400");
    }
    for factor in [1.1, 1.0 / 1.1] {
        assert_eq!(seen(factor, Verdict::CannotTell), 2400);
    }
}

#[test]
fn one_layout_tells_nothing() {
    let one = |ratio| scattered("A", ratio, Layouts { layouts: 1, ..DEFAULT }, 1);
    let changes = compare(&[one(1.0)], &[one(3.0)]);
    insta::assert_snapshot!(changes, @"
    1 timings compared by their ratios to the baseline: 0 slower, 0 faster, 1 cannot tell
      a change below 15 % is told by `loadfactor bench --beside` alone: machines drift by as much between two measurements
      1 of them have one layout in one of the two, of which nobody can tell: measure with more `time.layouts`
    ");
    assert!(!changes.is_worse());
}

/// A tenth is certain where samples do not scatter, and means nothing all the same: machines drift by as much.
#[test]
fn a_change_within_the_tolerance_is_not_called() {
    assert_eq!(verdict(row("A", 1.0), row("A", 1.1)), Verdict::CannotTell);
    assert_eq!(verdict(row("A", 1.0), row("A", 1.2)), Verdict::Slower);
}

/// Each operation is held against the same one: deletions that became slower are not hidden by look-ups.
#[test]
fn operations_are_told_apart() {
    let delete = |ratio| Row { operation: "delete".into(), ..row("A", ratio) };
    let changes = compare(&[row("A", 1.0), delete(2.0)], &[delete(3.0), row("A", 1.0)]);
    let verdicts: Vec<_> =
        changes.compared.iter().map(|one| (one.new.operation.as_str(), one.verdict)).collect();
    assert_eq!(verdicts, [("miss", Verdict::CannotTell), ("delete", Verdict::Slower)]);
    let fewer = compare(&[row("A", 1.0), delete(2.0)], &[row("A", 1.0)]);
    assert_eq!(fewer.missing, ["made: delete of A at bits = 1000"]);
}

#[test]
fn absolute_times_are_not_compared() {
    let slow = Row {
        nanoseconds: 90.0,
        nanoseconds_low: Some(89.0),
        nanoseconds_high: Some(91.0),
        ..row("A", 1.2)
    };
    assert_eq!(verdict(row("A", 1.2), slow), Verdict::CannotTell);
}

#[test]
fn what_is_told() {
    let before = [row("standard", 1.0), row("A", 1.2), row("B", 1.2), row("C", 1.5), row("D", 2.0)];
    let other = Row { hash: "crc32".into(), ..row("C", 1.2) };
    let after = [row("standard", 1.0), row("A", 1.2), row("B", 1.5), other, row("E", 3.0)];
    let changes = compare(&before, &after);
    insta::assert_snapshot!(changes, @"
    3 timings compared by their ratios to the baseline: 1 slower, 1 faster, 1 cannot tell
      a change below 15 % is told by `loadfactor bench --beside` alone: machines drift by as much between two measurements
      made: miss of B at bits = 1000: slower by +25.0 % (+25.0 % to +25.0 %); ratio to standard: 1.200 → 1.500
      made: miss of C at bits = 1000: faster by -20.0 % (-20.0 % to -20.0 %); ratio to standard: 1.500 → 1.200
      made: C at bits = 1000 is made otherwise: bloom-filter of xxh3, 100 elements → bloom-filter of crc32, 100 elements
      made: miss of D at bits = 1000: missing
      made: miss of E at bits = 1000: not in the old ones
    ");
    assert!(changes.is_worse());
    assert!(!compare(&before, &before).is_worse());
    let other = Row { baseline: "A".into(), ..row("B", 1.0) };
    assert_eq!(compare(&[row("B", 1.0)], &[other]).compared.len(), 0);
}
