//! Shards of a submission, run by any engine: the same bytes as one machine, whatever happens to them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use insta::assert_snapshot;

use crate::definitions::{DUEL, LONG};
use crate::sandbox::{BINARY, Done, Sandbox};

/// A submission of the long experiment in so many shards, beside its results on one machine.
fn submitted(shards: u64) -> Sandbox {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    sandbox.run("run long -q --out local").exits(0);
    sandbox.run(&format!("submit long --shards {shards}")).exits(0);
    sandbox
}

/// Of each line, what stands before the times, which no two machines have in common.
fn without_times(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("left "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn merged_shards_are_one_machines_run() {
    let sandbox = submitted(3);
    for shard in 1..=3 {
        sandbox.run(&format!("work results --shard {shard} -q")).exits(0);
    }
    let done = sandbox.run("merge --out results").exits(0);
    assert!(
        done.stderr.starts_with("long: 40 batches from 3 shards, 0 of them found more than once")
    );
    sandbox.assert_same("local/long", "results/long");
    let journals = ["local", "results"].map(|out| fs::read(sandbox.path(out).join("long/journal")));
    let [local, joint] = journals.map(|journal| journal.unwrap().len());
    assert_eq!(local, joint);
}

#[test]
fn a_task_learns_its_number_from_the_engine() {
    let sandbox = submitted(2);
    let work = |variables: &[(&str, &str)]| {
        let mut command = sandbox.command(BINARY);
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ", "HQ_TASK_ID"] {
            command.env_remove(name);
        }
        Done::run(command.args(["work", "results", "-q"]).envs(variables.iter().copied()))
    };
    let done = work(&[("SLURM_ARRAY_TASK_ID", "2")]).exits(0);
    assert!(done.stderr.starts_with("shard 2/2: "), "{}", done.stderr);
    let done = work(&[("JOB_COMPLETION_INDEX", "0")]).exits(0);
    assert!(done.stderr.starts_with("shard 1/2: "), "{}", done.stderr);
    let done = work(&[("PARALLEL_SEQ", "3")]).exits(2);
    assert!(done.stderr.contains("there is no shard 3"), "{}", done.stderr);
    let done = work(&[]).exits(2);
    assert!(done.stderr.contains("no engine tells the number of this task"), "{}", done.stderr);
}

#[test]
fn a_shard_that_was_killed_goes_on_from_its_journal_and_status_tells_it() {
    let sandbox = submitted(2);
    sandbox.run("work results --shard 2 -q").exits(0);
    let running = sandbox.start("work results --shard 1 -q");
    sandbox.await_batches("results/submission/shards/1/long");
    let meanwhile = sandbox.run("status").exits(0);
    assert!(
        meanwhile.stdout.starts_with("shards   1 done, 1 running, 0 missing, of 2"),
        "{}",
        meanwhile.stdout
    );
    running.kill();
    let after = sandbox.run("status").exits(0);
    assert!(
        after.stdout.starts_with("shards   1 done, 0 running, 1 missing, of 2"),
        "{}",
        after.stdout
    );
    let again = sandbox.run("submit long").exits(0);
    assert!(again.stderr.contains("not done: shard 1"), "{}", again.stderr);
    assert!(again.stderr.contains("for each K of 1,"), "{}", again.stderr);

    let early = sandbox.run("merge --out results").exits(1);
    assert!(early.stderr.contains("do not have all their trials yet"), "{}", early.stderr);
    assert!(early.stderr.contains("not all shards are done"), "{}", early.stderr);
    let done = sandbox.run("work results --shard 1 -q").exits(0);
    assert!(!done.stderr.contains(" 0 taken up"), "{}", done.stderr);
    sandbox.run("merge --out results").exits(0);
    sandbox.assert_same("local/long", "results/long");
    assert_snapshot!(without_times(&sandbox.run("status").exits(0).stdout), @"
    shards   2 done, 0 running, 0 missing, of 2

    experiment  points done  running  missing  batches done  missing
    long            4        0        0            40        0
    ");
    let again = sandbox.run("submit long").exits(0);
    assert!(again.stderr.contains("every shard is done"), "{}", again.stderr);
}

#[test]
fn what_is_not_what_was_cut_is_refused() {
    let sandbox = submitted(2);
    let refused = |done: Done, words: &str| {
        let said = done.exits(2).stderr;
        assert!(said.contains(words), "{said}");
    };
    refused(sandbox.run("submit long --scale paper"), "was made of `long`");
    refused(sandbox.run("submit long --shards 5"), "was made of 2 shards");
    refused(sandbox.run("status --out elsewhere"), "holds no submission");

    sandbox.write("experiments/long.toml", LONG.replace("trials = 10", "trials = 11"));
    refused(sandbox.run("work results --shard 1 -q"), "is not the one that the work was cut for");
    sandbox.write("experiments/long.toml", LONG);

    let cut = sandbox.read("results/submission/cut.json");
    let with = |field: &str| {
        let (before, rest) = cut.split_once(&format!("\"{field}\":\"")).unwrap();
        let (_, after) = rest.split_once('"').unwrap();
        format!("{before}\"{field}\":\"0000000\"{after}")
    };
    sandbox.write("results/submission/cut.json", with("revision"));
    refused(sandbox.run("work results --shard 1 -q"), "was cut by 0.1.0 (revision 0000000, build ");
    refused(sandbox.run("merge --out results"), "use that program on every node");
    refused(sandbox.run("status"), "use that program on every node");
    // Two programs of one revision, with changes that are not committed.
    sandbox.write("results/submission/cut.json", with("build"));
    refused(sandbox.run("work results --shard 1 -q"), ", build 0000000)");

    sandbox.write("results/submission/cut.json", &cut[..cut.len() / 2]);
    refused(sandbox.run("work results --shard 1 -q"), "is no submission");
    sandbox.write("results/submission/cut.json", cut.replace("\"shards\":2", "\"shards\":0"));
    refused(sandbox.run("status"), "it has 0 shards");
}

#[test]
fn points_that_only_leaves_out_are_no_shards() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --only MULTIPLE --out local").exits(0);
    sandbox.run("submit duel --only MULTIPLE --shards 2").exits(0);
    for shard in 1..=2 {
        sandbox.run(&format!("work results --shard {shard} -q")).exits(0);
    }
    sandbox.run("merge --out results").exits(0);
    let tables = ["local", "results"].map(|out| sandbox.read(&format!("{out}/duel/table.csv")));
    assert_eq!(tables[0], tables[1]);
}

/// Memory that a shard is given is not that of a point which no shard runs.
#[test]
fn points_that_only_leaves_out_take_no_memory() {
    let large = DUEL.replace("label  = \"SINGLE\"", "label  = \"SINGLE\"\nbuckets = 100_000_000");
    let sandbox = Sandbox::new(&[("duel", &large)]);
    let megabytes = |only: &str| -> u64 {
        let done = sandbox.run(&format!("submit duel --only {only} --slurm --dry-run")).exits(0);
        let (_, rest) = done.stdout.split_once("#SBATCH --mem=").unwrap();
        rest.split_once('M').unwrap().0.parse().unwrap()
    };
    assert!(megabytes("MULTIPLE") < 600);
    assert!(megabytes("SINGLE") > 700);
}

/// Nor does a shard, for which no more was asked, want room for the results of such a point: those here are of millions
/// of batches.
#[test]
fn results_that_only_leaves_out_are_not_asked_of_a_shard() {
    let endless = DUEL.replace(
        "label  = \"SINGLE\"",
        "label  = \"SINGLE\"\ntrials = 1_000_000_000\nworkload = { rounds = 4_000 }",
    );
    let sandbox = Sandbox::new(&[("duel", &endless)]);
    sandbox.run("submit duel --only MULTIPLE --shards 1").exits(0);
    let limited = |command: &str| {
        let script = format!("ulimit -v 2000000; exec {BINARY} {command} -q");
        Done::run(sandbox.command("sh").args(["-c", &script]))
    };
    limited("work results --shard 1").exits(0);
    let all = limited("run duel --out local").exits(1);
    assert!(all.stderr.contains("the results of"), "{}", all.stderr);
}

#[test]
fn an_experiment_whose_results_would_stand_among_the_shards_is_refused() {
    let sandbox = Sandbox::new(&[("submission", DUEL)]);
    let done = sandbox.run("submit submission --shards 1").exits(2);
    assert!(done.stderr.contains("rename its definition"), "{}", done.stderr);
    assert!(!sandbox.path("results").exists());
}

/// A folder in which a submission was run is a source as any other, and none of its shards is taken for an experiment.
#[test]
fn a_folder_with_a_submission_is_merged_with_its_shards() {
    let sandbox = submitted(2);
    sandbox.run("work results --shard 1 -q").exits(0);
    sandbox.run("merge --out results").exits(1);
    sandbox.run("work results --shard 2 -q").exits(0);
    let done = sandbox.run("merge results --out joint").exits(0);
    assert!(done.stderr.starts_with("long: 40 batches from 3 shards, "), "{}", done.stderr);
    assert!(!sandbox.path("joint/submission").exists());
    sandbox.run("report long --out joint").exits(0);
    sandbox.assert_same("local/long", "joint/long");
}

#[test]
fn an_experiment_that_is_not_what_was_cut_keeps_no_other_from_being_merged() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("long", LONG)]);
    sandbox.run("run duel -q --out local").exits(0);
    sandbox.run("submit long duel --shards 1").exits(0);
    sandbox.run("work results --shard 1 -q").exits(0);
    sandbox.write("experiments/long.toml", LONG.replace("trials = 10", "trials = 11"));
    let done = sandbox.run("merge --out results").exits(1);
    assert!(done.stderr.contains("long: FAILED: the definition of long is not"), "{}", done.stderr);
    assert!(!sandbox.path("results/long/journal").exists());
    sandbox.assert_same("local/duel", "results/duel");
}

#[test]
fn a_shard_that_runs_is_neither_submitted_nor_run_again() {
    let sandbox = submitted(1);
    let running = sandbox.start("work results --shard 1 -q");
    sandbox.await_batches("results/submission/shards/1/long");
    let process = running.id().to_string();
    Done::run(sandbox.command("kill").args(["-STOP", &process])).exits(0);
    let again = sandbox.run("submit long").exits(0);
    assert!(again.stderr.contains("nothing is to be submitted"), "{}", again.stderr);
    let twice = sandbox.run("work results --shard 1 -q").exits(1);
    assert!(twice.stderr.contains("is in use by process"), "{}", twice.stderr);
    running.kill();
}

#[test]
fn a_point_that_ends_at_a_precision_stays_in_one_shard() {
    let rule = r#"precision = { metric = "overflow_fraction", relative = 0.02, max_trials = 400 }"#;
    let lines = DUEL.lines().map(|line| if line.starts_with("trials") { rule } else { line });
    let sandbox = Sandbox::new(&[("duel", &lines.collect::<Vec<_>>().join("\n"))]);
    sandbox.run("run duel -q --out local").exits(0);
    sandbox.run("submit duel --shards 3").exits(0);
    for shard in 1..=3 {
        sandbox.run(&format!("work results --shard {shard} -q")).exits(0);
    }
    let status = sandbox.run("status").exits(0).stdout;
    assert!(status.starts_with("shards   3 done, 0 running, 0 missing, of 3"), "{status}");
    sandbox.run("merge --out results").exits(0);
    sandbox.assert_same("local/duel", "results/duel");
}

/// A program of this name in a folder of its own that notes what it is called with.
fn fake(sandbox: &Sandbox, name: &str, body: &str) {
    let path = sandbox.path("bin").join(name);
    fs::create_dir_all(sandbox.path("bin")).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn submit_to_slurm(sandbox: &Sandbox, arguments: &str) -> Done {
    let path = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    Done::run(sandbox.command(BINARY).args(arguments.split_whitespace()).env("PATH", path))
}

#[test]
fn slurm_is_given_arrays_and_a_merge_that_waits_for_them() {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    fake(&sandbox, "sbatch", "echo \"$@\" >> calls; wc -l < calls");
    fake(&sandbox, "scontrol", "echo 'MaxArraySize            = 4'");
    let done = submit_to_slurm(&sandbox, "submit long --shards 5 --slurm --sbatch --account=x");
    assert!(done.exits(0).stderr.contains("submitted: array 1, 2, then the merge 3"));
    let calls = sandbox.read("calls").replace(&sandbox.path("").display().to_string(), "DIR/");
    assert_snapshot!(calls, @"
    --parsable --array=1-3 --account=x DIR/results/submission/shard.sh 0
    --parsable --array=1-2 --account=x DIR/results/submission/shard.sh 3
    --parsable --dependency=afterany:1:2,singleton --kill-on-invalid-dep=no --account=x DIR/results/submission/merge.sh
    ");
    let script = sandbox.read("results/submission/shard.sh");
    assert!(script.contains("#SBATCH --cpus-per-task=1"), "{script}");
    assert!(script.contains("--shard $((SLURM_ARRAY_TASK_ID + ${1:-0})) --threads 1"), "{script}");

    fake(&sandbox, "sbatch", "echo 'Invalid account' >&2; exit 1");
    let refused = submit_to_slurm(&sandbox, "submit long --slurm").exits(1);
    assert!(
        refused.stderr.contains("sbatch refuses the job: Invalid account"),
        "{}",
        refused.stderr
    );
    fs::remove_file(sandbox.path("bin/sbatch")).unwrap();
    let path = sandbox.path("bin").display().to_string();
    let mut command = sandbox.command(BINARY);
    let nowhere = Done::run(command.args(["submit", "long", "--slurm"]).env("PATH", path)).exits(1);
    assert!(nowhere.stderr.contains("cannot start sbatch"), "{}", nowhere.stderr);
}

/// The second of two that submit at once would submit every shard twice.
#[test]
fn who_submits_while_another_does_is_refused_and_what_was_cut_is_written_once() {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    fake(&sandbox, "scontrol", "echo 'MaxArraySize = 4'");
    fake(&sandbox, "sbatch", "touch asked; until test -e go; do sleep 0.01; done; echo 1");
    let path = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    let mut first = sandbox.command(BINARY);
    first.args(["submit", "long", "--shards", "2", "--slurm"]).env("PATH", path);
    let first = thread::spawn(move || Done::run(&mut first));
    sandbox.await_file("asked");
    let second = sandbox.run("submit long").exits(1);
    assert!(second.stderr.contains("is in use by process"), "{}", second.stderr);
    sandbox.write("go", "");
    first.join().unwrap().exits(0);

    // The same to a reader, so that a file written anew is seen.
    let cut = sandbox.read("results/submission/cut.json") + "\n";
    sandbox.write("results/submission/cut.json", &cut);
    sandbox.run("submit long").exits(0);
    assert_eq!(sandbox.read("results/submission/cut.json"), cut);
}

#[test]
fn a_dry_run_shows_the_scripts_and_writes_nothing() {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    let done = sandbox.run("submit long --shards 4 --slurm --dry-run").exits(0);
    assert!(done.stdout.contains("#SBATCH --time="), "{}", done.stdout);
    assert!(done.stdout.contains("sbatch --parsable --array=1-4 "), "{}", done.stdout);
    assert!(done.stdout.contains("--dependency=afterany:ARRAY1"), "{}", done.stdout);
    assert!(!sandbox.path("results").exists());
}

/// `sbatch` refuses a script whose options are cut at a blank, and reads single quotes as a shell does.
#[test]
fn a_folder_of_two_words_is_one_in_the_scripts() {
    let sandbox = Sandbox::new(&[("long", LONG)]);
    let words = ["submit", "long", "--shards", "2", "--slurm", "--dry-run", "--out", "two words"];
    let done = Done::run(sandbox.command(BINARY).args(words)).exits(0);
    let folder = sandbox.path("two words").display().to_string();
    let log = format!("#SBATCH --output='{folder}/submission/logs/shard-%A-%a.log'\n");
    assert!(done.stdout.contains(&log), "{}", done.stdout);
    assert!(done.stdout.contains(&format!(" work '{folder}' ")), "{}", done.stdout);
}
