//! Interrupts, two runs at once, full disks.

use insta::assert_snapshot;

use crate::definitions::{DUEL, endless};
use crate::sandbox::{BINARY, Done, Sandbox, redacted};

#[test]
fn an_interrupt_saves_what_is_finished() {
    let sandbox = Sandbox::new(&[("long", &endless())]);
    let running = sandbox.start("run long -q");
    sandbox.await_batches("results/long");
    Done::run(sandbox.command("kill").args(["-INT", &running.id().to_string()])).exits(0);
    let done = running.wait().exits(130);
    let last = done.stderr.lines().last().unwrap();
    assert_snapshot!(last, @"interrupted; what is finished is saved. To go on, run the same command again.");
    assert!(
        sandbox
            .read("results/long/report.md")
            .contains("4 of 4 points do not have all their trials yet")
    );
    let plan = sandbox.run("plan long --threads 2").exits(0);
    assert!(!plan.stdout.contains("done    0 trials"), "{}", plan.stdout);
}

#[test]
fn one_run_at_a_time_in_a_folder() {
    let sandbox = Sandbox::new(&[("long", &endless())]);
    let running = sandbox.start("run long -q");
    sandbox.await_batches("results/long");
    let done = sandbox.run("run long -q").exits(1);
    assert!(done.stderr.contains(&format!("process {}", running.id())), "{}", done.stderr);
    assert_snapshot!(redacted(&done.stderr), @"long: FAILED: results/long is in use by process [id]; wait until it ends, or choose another folder with --out");
    running.kill();
    sandbox.write("experiments/long.toml", endless().replace("1_000_000", "1"));
    sandbox.run("run long -q").exits(0);
}

/// A limit on the size of files stands for a disk that is full.
fn run_with_room(sandbox: &Sandbox, kibibytes: u32) -> Done {
    let script = format!("trap '' XFSZ; ulimit -f {kibibytes}; exec {BINARY} run duel -q");
    Done::run(sandbox.command("bash").args(["-c", &script]))
}

#[test]
fn a_full_disk_leaves_a_valid_journal() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --out roomy").exits(0);
    let done = run_with_room(&sandbox, 1).exits(1);
    let mut lines = done.stderr.lines();
    assert_snapshot!(lines.next().unwrap(), @"duel: FAILED: cannot write results/duel/journal: File too large (os error 27); it holds 2 finished batches, so make room and run the same command again, without --fresh");
    let done = sandbox.run("run duel -q").exits(0);
    assert!(done.stderr.contains("finished batches were taken"), "{}", done.stderr);
    assert!(!done.stderr.contains("unfinished record"), "{}", done.stderr);
    sandbox.assert_same("roomy/duel", "results/duel");
}

#[test]
fn a_disk_without_room_for_the_table_leaves_a_valid_journal() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --out roomy").exits(0);
    let done = run_with_room(&sandbox, 4).exits(1);
    assert_snapshot!(done.stderr, @"duel: FAILED: cannot write results/duel/table.csv: File too large (os error 27); the journal beside it is safe: run `loadfactor report` once this is mended");
    assert!(!sandbox.path("results/duel/table.csv").exists());
    sandbox.run("report duel").exits(0);
    sandbox.assert_same("roomy/duel", "results/duel");
}

#[test]
fn a_torn_journal_is_mended() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let first = sandbox.results("results/duel");
    let journal = std::fs::read(sandbox.path("results/duel/journal")).unwrap();
    sandbox.write("results/duel/journal", &journal[..journal.len() - 5]);
    let done = sandbox.run("run duel -q").exits(0);
    assert!(done.stderr.contains("3 finished batches were taken"), "{}", done.stderr);
    assert!(first == sandbox.results("results/duel"));
    assert_eq!(journal.len(), std::fs::read(sandbox.path("results/duel/journal")).unwrap().len());
}

/// `nohup` starts a program that ignores SIGHUP, and it goes on doing so.
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let sandbox = Sandbox::new(&[("long", &endless())]);
    let binary = crate::sandbox::BINARY;
    let script = format!(
        "trap '' HUP; {binary} run long -q & RUN=$!; sleep 1; kill -HUP $RUN; sleep 1; \
         kill -0 $RUN && echo lives; kill -TERM $RUN; wait $RUN"
    );
    let done = Done::run(sandbox.command("bash").args(["-c", &script])).exits(130);
    assert_eq!(done.stdout, "lives\n");
}
