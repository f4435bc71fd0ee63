//! Points whose trials draw from one seed.

use super::Plan;
use crate::definition::Experiment;

const TWO_KEYS: &str = r#"
title  = "Two kinds of keys"
trials = 3
[workload]
kind   = "alternation"
rounds = 100
[point]
scheme  = "single"
hash    = "xxh3"
buckets = 64
load    = 0.5
[[series]]
label    = "random"
[[series]]
label    = "sequential"
workload = { keys = "sequential" }
"#;

/// Points that see other keys have seeds of their own, unless they are to be held against each other; then no
/// batch of the one is taken for one of the other.
#[test]
fn paired_points_share_their_seed_and_keep_each_trial() {
    let experiment = Experiment::from_text("two-keys", TWO_KEYS).unwrap();
    let alone = Plan::new(&experiment, None).unwrap();
    let paired = Plan::paired(&experiment, None).unwrap();
    assert_ne!(alone.points[0].seed, alone.points[1].seed);
    assert_eq!(paired.points[0].seed, paired.points[1].seed);
    for (alone, paired) in alone.points.iter().zip(&paired.points) {
        assert!(paired.is_paired && !alone.is_paired);
        assert_eq!(paired.trials_per_batch, 1);
        assert_ne!(paired.identity, alone.identity);
    }
    assert_ne!(paired.points[0].identity, paired.points[1].identity);
}
