//! The same bytes, however the work is cut.

use insta::assert_snapshot;

use crate::definitions::{DUEL, LONG};
use crate::sandbox::{Sandbox, redacted};

#[test]
fn again_runs_nothing_and_writes_the_same() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    let first = sandbox.results("results/duel");
    let done = sandbox.run("run duel --scale smoke -q").exits(0);
    assert_snapshot!(redacted(&done.stderr), @"

    duel: 48 trials in [time]
      4 finished batches were taken from the journal
      predictions: 46 agree, 0 differ; bounds: 4 hold, 0 violated; models off: 0; undecided: 0
      open results/duel/report.md
    ");
    assert!(first == sandbox.results("results/duel"));
    assert!(sandbox.read("results/duel/manifest.json").contains("\"trials_run\": 0"));
}

#[test]
fn report_writes_the_same() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    let first = sandbox.results("results/duel");
    for name in first.keys() {
        std::fs::remove_file(sandbox.path("results/duel").join(name)).unwrap();
    }
    sandbox.run("report duel --scale smoke").exits(0);
    assert!(first == sandbox.results("results/duel"));
}

#[test]
fn threads_shards_and_kills_do_not_show() {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    sandbox.run("run long -q --threads 1 --out undisturbed").exits(0);

    sandbox.run("run long -q --threads 2 --out threads").exits(0);
    sandbox.assert_same("undisturbed/long", "threads/long");

    let done = sandbox.run("run long -q --shard 1/2 --out one").exits(0);
    assert!(done.stderr.contains("points do not have all their trials yet"), "{}", done.stderr);
    sandbox.run("run long -q --shard 2/2 --out two").exits(0);
    let done = sandbox.run("merge one two --out whole").exits(0);
    assert_snapshot!(done.stderr, @"long: 40 batches from 2 shards, 0 of them found more than once");
    sandbox.run("report long --out whole").exits(0);
    sandbox.assert_same("undisturbed/long", "whole/long");

    let running = sandbox.start("run long -q --threads 2 --out killed");
    sandbox.await_batches("killed/long");
    running.kill();
    let done = sandbox.run("run long -q --out killed").exits(0);
    assert!(
        done.stderr.contains("finished batches were taken from the journal"),
        "{}",
        done.stderr
    );
    sandbox.assert_same("undisturbed/long", "killed/long");
}

#[test]
fn more_trials_use_those_that_are_there() {
    let sandbox = Sandbox::new(&[("long", &LONG.replace("trials = 10", "trials = 3"))]);
    sandbox.run("run long -q").exits(0);
    sandbox.write("experiments/long.toml", LONG.replace("trials = 10", "trials = 4"));
    let done = sandbox.run("run long -q").exits(0);
    assert!(done.stderr.contains("12 finished batches were taken"), "{}", done.stderr);
    sandbox.run("run long -q --out fresh").exits(0);
    sandbox.assert_same("results/long", "fresh/long");
}

#[test]
fn another_seed_is_another_run() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    sandbox.run("run duel --scale smoke -q --seed 2 --out other").exits(0);
    assert_ne!(sandbox.read("results/duel/table.csv"), sandbox.read("other/duel/table.csv"));
    let same = sandbox.run("compare results results").exits(0);
    assert_snapshot!(same.stdout, @"
    28 measurements compared: 0 moved; 0 missing, 0 added
    60 predictions compared: 0 changed; 0 vanished, 0 appeared
    0 published values compared: 0 changed
    60 verdicts compared: 0 changed
    ");
    let other = sandbox.run("compare results other").exits(0);
    assert_eq!(other.stdout.lines().next(), same.stdout.lines().next());
}

#[test]
fn folders_without_a_common_row_cannot_be_compared() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q --only SINGLE --out single").exits(0);
    sandbox.run("run duel --scale smoke -q --only MULTIPLE --out multiple").exits(0);
    let done = sandbox.run("compare single multiple").exits(2);
    assert_snapshot!(done.stderr, @"
    error: the two have no measurement in common: nothing was compared
      help: each must be a table of results, or a folder where `run` or `report` has written some
    ");
}
