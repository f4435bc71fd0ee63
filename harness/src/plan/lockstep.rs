//! Points whose trials go in lockstep.

use super::{Plan, PointPlan, identity};
use crate::definition::Experiment;
use crate::estimate::moments::Moments;
use loadfactor_schemes::metric::Metric;

/// Points with so many trials: the first and the last can go in lockstep, the third where these are 16, the fourth where they are
/// ten, and the second cannot.
fn experiment(trials: &str) -> Experiment {
    let text = format!(
        r#"
title  = "Lockstep"
{trials}
[workload]
kind   = "alternation"
rounds = 100
[point]
scheme  = "single"
buckets = 64
load    = 0.9
[[series]]
label = "random"
[[series]]
label = "with a hash function"
hash  = "xxh3"
[[series]]
label    = "fill"
workload = {{ kind = "static-fill" }}
[[series]]
label     = "M-B"
move_back = "deletion"
[[series]]
label    = "Poisson arrivals"
workload = {{ kind = "open", duration = 1.0 }}
"#
    );
    Experiment::from_text("lockstep", &text).unwrap()
}

fn at_once(trials: &str) -> Vec<u64> {
    let experiment = experiment(trials);
    let plan = Plan::new(&experiment, None).unwrap();
    plan.points.iter().map(|point| point.at_once).collect()
}

#[test]
fn trials_go_in_lockstep_where_there_are_enough() {
    assert_eq!(at_once("trials = 5"), [1; 5]);
    assert_eq!(at_once("trials = 6"), [16, 1, 1, 1, 16]);
    assert_eq!(at_once("trials = 9"), [16, 1, 1, 1, 16]);
    assert_eq!(at_once("trials = 10"), [16, 1, 1, 16, 16]);
    let precision = |least: u32| {
        format!(
            "precision = {{ metric = \"overflow_fraction\", relative = 0.1, min_trials = {least}, max_trials = 100 }}"
        )
    };
    assert_eq!(at_once(&precision(5)), [1; 5]);
    assert_eq!(at_once(&precision(6)), [16, 1, 1, 1, 16]);
}

/// The identity of a point says how often the numbers of its trials changed, which those in lockstep do apart from others.
#[test]
fn identities_are_those_of_trials_in_lockstep() {
    let experiment = experiment("trials = 10");
    let plan = Plan::new(&experiment, None).unwrap();
    let point = &plan.points[3];
    let alone = &experiment.points[3];
    assert_ne!(point.case.revision(), alone.case.revision());
    let of = |case| identity(alone, case, point.seed, None, point.trials_per_batch, 16);
    assert_eq!(point.identity, of(&*point.case));
    assert_ne!(point.identity, of(&*alone.case));
}

/// Of long bursts more numbers of elements may be in the system than are counted side by side.
#[test]
fn flows_go_in_lockstep_where_few_elements_are_in_the_system() {
    let at_once = |trials: u32| {
        let text = format!(
            r#"
title  = "Flows"
trials = {trials}
[workload]
kind  = "on-off"
flows = 2
rate  = 0.001
burst = [4.0, 1e6]
slots = 100
[[series]]
label   = "SINGLE"
scheme  = "single"
buckets = 60
"#
        );
        let experiment = Experiment::from_text("flows", &text).unwrap();
        let plan = Plan::new(&experiment, None).unwrap();
        plan.points.iter().map(|point| point.at_once).collect::<Vec<_>>()
    };
    assert_eq!([5, 6].map(at_once), [[1, 1], [16, 1]]);
}

/// Fills that need no table, of which fewer are as fast one after the other.
#[test]
fn many_fills_go_in_lockstep() {
    let at_once = |trials: u32| {
        let text = format!(
            r#"
title  = "Fills"
trials = {trials}
[workload]
kind = "static-fill"
[[series]]
label             = "SC"
scheme            = "second-chance"
elements          = 50
sub_table_buckets = "30 20 10"
[[series]]
label             = "SINGLE"
scheme            = "single"
elements          = 50
buckets           = 60
"#
        );
        let experiment = Experiment::from_text("fills", &text).unwrap();
        let plan = Plan::new(&experiment, None).unwrap();
        plan.points.iter().map(|point| point.at_once).collect::<Vec<_>>()
    };
    assert_eq!([15, 16].map(at_once), [[1, 1], [16, 16]]);
}

/// Batches hold whole steps, and each is the same for whatever number of trials.
#[test]
fn runs_of_other_lengths_share_batches() {
    let (short, long) = (experiment("trials = 6"), experiment("trials = 60000"));
    let plans = [&short, &long].map(|experiment| Plan::new(experiment, None).unwrap());
    let [short, long] = plans.each_ref().map(|plan| &plan.points[0]);
    assert_eq!((short.identity, short.trials_per_batch), (long.identity, long.trials_per_batch));
    assert_eq!(short.trials_per_batch % 16, 0);
    let few = experiment("trials = 5");
    assert_ne!(Plan::new(&few, None).unwrap().points[0].identity, short.identity);
}

/// Points that are held against others share random numbers with these, so that none of them goes in lockstep; others do.
#[test]
fn points_held_against_others_go_trial_by_trial() {
    let experiment = experiment("trials = 100");
    let paired = Plan::paired(&experiment, None).unwrap();
    assert!(paired.points.iter().all(|point| point.at_once == 1));
    let ratio = "trials = 100\n[[derived]]\nname = \"r\"\nratio = [\"random\", \"M-B\"]\nof = \"overflow_fraction\"";
    assert_eq!(at_once(ratio), [1, 1, 16, 1, 16]);
}

/// A trial is what it is in whatever batch.
#[test]
fn trials_do_not_depend_on_those_beside_them() {
    let experiment = experiment("trials = 100");
    let plan = Plan::new(&experiment, None).unwrap();
    let point: &PointPlan = &plan.points[0];
    let together = point.run_trials(0..23);
    let mut merged: Vec<(Metric, Moments)> = point.run_trials(0..17);
    for (of_part, (_, all)) in point.run_trials(17..23).iter().zip(&mut merged) {
        all.merge(&of_part.1);
    }
    for ((metric, together), (_, merged)) in together.iter().zip(&merged) {
        assert_eq!(together.count(), merged.count(), "{metric}");
        let means = [together, merged].map(|moments| moments.mean().unwrap_or(0.0));
        assert!((means[0] - means[1]).abs() <= 1e-12 * means[0].abs(), "{metric}");
    }
}
