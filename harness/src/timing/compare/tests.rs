//! What is called faster or slower, by rows of made samples.

use super::made::{row, scattered};
use super::*;

fn verdict(old: Row, new: Row) -> Verdict {
    compare(&[old], &[new]).compared[0].verdict
}

#[test]
fn the_same_numbers_twice_tell_nothing() {
    for ratio in [0.5, 1.0, 3.0] {
        let own = scattered("A", ratio, 1);
        assert_eq!(verdict(own.clone(), own), Verdict::CannotTell);
        assert_eq!(verdict(row("A", ratio), row("A", ratio)), Verdict::CannotTell);
    }
}

/// Two runs of the same, with other noise: of a hundred none is called.
#[test]
fn noise_is_not_called() {
    for seed in 0..100 {
        let (old, new) = (scattered("A", 1.3, seed), scattered("A", 1.3, 1000 + seed));
        assert_eq!(verdict(old, new), Verdict::CannotTell, "seed {seed}");
    }
}

#[test]
fn five_parts_in_a_hundred_are_seen_in_both_directions() {
    let called = |change: f64, expected: Verdict| {
        let pairs = (0..100).map(|seed| {
            verdict(scattered("A", 1.3, seed), scattered("A", 1.3 * change, 1000 + seed))
        });
        pairs.filter(|&own| own == expected).count()
    };
    let (slower, faster) = (called(1.05, Verdict::Slower), called(1.0 / 1.05, Verdict::Faster));
    assert!(slower >= 95 && faster >= 95, "{slower} {faster} of 100");
}

/// Half a percent is real where samples do not scatter, and means nothing all the same.
#[test]
fn a_change_within_the_tolerance_is_not_called() {
    assert_eq!(verdict(row("A", 1.0), row("A", 1.005)), Verdict::CannotTell);
    assert_eq!(verdict(row("A", 1.0), row("A", 1.05)), Verdict::Slower);
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
    let slow =
        Row { nanoseconds: 90.0, nanoseconds_low: 89.0, nanoseconds_high: 91.0, ..row("A", 1.2) };
    assert_eq!(verdict(row("A", 1.2), slow), Verdict::CannotTell);
}

#[test]
fn what_is_told() {
    let before = [row("standard", 1.0), row("A", 1.2), row("B", 1.2), row("C", 1.5), row("D", 2.0)];
    let after = [row("standard", 1.0), row("A", 1.2), row("B", 1.26), row("C", 1.2)];
    let changes = compare(&before, &after);
    insta::assert_snapshot!(changes, @r"
    3 timings compared by their ratios to the baseline: 1 slower, 1 faster, 1 cannot tell
      made: miss of B at bits = 1000: slower by +5.0 % (+5.0 % to +5.0 %); ratio to standard: 1.200 → 1.260
      made: miss of C at bits = 1000: faster by -20.0 % (-20.0 % to -20.0 %); ratio to standard: 1.500 → 1.200
      made: miss of D at bits = 1000: missing
    ");
    assert!(changes.is_worse());
    assert!(!compare(&before, &before).is_worse());
    let other = Row { baseline: "A".into(), ..row("B", 1.0) };
    assert_eq!(compare(&[row("B", 1.0)], &[other]).compared.len(), 0);
}
