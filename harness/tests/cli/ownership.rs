//! What stands in a folder of results and is not the experiment's: a user's files, another definition's results.

use std::fs;

use insta::assert_snapshot;

use crate::definitions::DUEL;
use crate::sandbox::Sandbox;

#[test]
fn a_users_own_files_are_not_written_over() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --out shard").exits(0);
    for (name, first) in [("report.md", "run"), ("figure-1.svg", "run"), ("table.csv", "predict")] {
        let _ = fs::remove_dir_all(sandbox.path("mine"));
        fs::create_dir_all(sandbox.path("mine/duel")).unwrap();
        sandbox.write(&format!("mine/duel/{name}"), "written by hand");
        let done = sandbox.run(&format!("{first} duel --out mine")).exits(1);
        assert!(done.stderr.contains(&format!("mine/duel/{name} would be written over")), "{name}");
        assert_eq!(sandbox.read(&format!("mine/duel/{name}")), "written by hand");
        assert!(
            !sandbox.path("mine/duel/journal").exists(),
            "a journal would make the folder ours"
        );
    }
    sandbox.write("mine/duel/report.md", "written by hand");
    fs::remove_file(sandbox.path("mine/duel/table.csv")).unwrap();
    let done = sandbox.run("merge shard --out mine").exits(1);
    assert_snapshot!(done.stderr, @"error: mine/duel/report.md would be written over, and the folder has neither the journal nor the manifest of a run: move the file away, or choose another folder with --out");
    // What merely lies there is in nobody's way.
    fs::rename(sandbox.path("mine/duel/report.md"), sandbox.path("mine/duel/notes.md")).unwrap();
    sandbox.run("run duel -q --out mine").exits(0);
    assert_eq!(sandbox.read("mine/duel/notes.md"), "written by hand");
}

/// Neither is taken for ours because of its name, whatever else lies there and is asked for.
#[test]
fn a_users_own_lock_and_journal_are_not_written_over() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --out shard").exits(0);
    for (name, is_kept) in [("lock", "is not the lock of"), ("journal", "is not a journal of")] {
        for command in
            ["run duel -q", "run duel -q --fresh", "report duel", "merge shard", "plan duel"]
        {
            let _ = fs::remove_dir_all(sandbox.path("mine"));
            fs::create_dir_all(sandbox.path("mine/duel")).unwrap();
            let own = format!("mine/duel/{name}");
            sandbox.write(&own, "day 1: rain\n");
            let done = sandbox.run(&format!("{command} --out mine"));
            assert_eq!(sandbox.read(&own), "day 1: rain\n", "{command}");
            assert!(!sandbox.path("mine/duel/table.csv").exists(), "{command}");
            if command.starts_with("run") || command.starts_with("merge") {
                assert!(done.exits(1).stderr.contains(is_kept), "{command}");
            }
        }
    }
    sandbox.write("mine/duel/table.csv", "day 1\n");
    let done = sandbox.run("run duel -q --fresh --out mine").exits(1);
    assert!(done.stderr.contains("mine/duel/table.csv would be written over"), "{}", done.stderr);
}

/// Of a folder that is ours, either of the two that tell it may be lost.
#[test]
fn a_folder_of_results_is_known_by_journal_manifest_or_table() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for lost in [["manifest.json", "table.csv"], ["journal", "table.csv"]] {
        sandbox.run("run duel -q").exits(0);
        for name in lost {
            fs::remove_file(sandbox.path(format!("results/duel/{name}"))).unwrap();
        }
    }
    sandbox.run("run duel -q").exits(0);
    sandbox.run("predict duel --out predicted").exits(0);
    sandbox.run("predict duel --out predicted").exits(0);
    sandbox.run("run duel -q --out predicted").exits(0);
    sandbox.assert_same("results/duel", "predicted/duel");
}

/// The stem of a file outside `experiments` is all of its name.
#[test]
fn definitions_of_one_name_do_not_share_a_folder() {
    let sandbox = Sandbox::new(&[]);
    for folder in ["a", "b"] {
        fs::create_dir(sandbox.path(folder)).unwrap();
    }
    sandbox.write("a/duel.toml", DUEL);
    sandbox.write("b/duel.toml", DUEL.replace("buckets = 64", "buckets = 32"));
    sandbox.run("run a/duel.toml -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    let done = sandbox.run("run b/duel.toml -q").exits(1);
    assert_snapshot!(done.stderr, @"duel: FAILED: results/duel holds the results of a/duel.toml, which is another definition of this name: choose another folder with --out, or rename one of the two");
    assert_eq!(sandbox.read("results/duel/table.csv"), table);
    sandbox.run("run b/duel.toml -q --out other").exits(0);
}

#[test]
fn a_definition_that_was_moved_or_edited_goes_on() {
    let sandbox = Sandbox::new(&[]);
    fs::create_dir(sandbox.path("b")).unwrap();
    sandbox.write("duel.toml", DUEL);
    sandbox.run("run duel.toml -q").exits(0);
    sandbox.write("duel.toml", DUEL.replace("Two choices", "A choice"));
    let resumed = "4 finished batches were taken from the journal";
    let done = sandbox.run("run duel.toml -q").exits(0);
    assert!(done.stderr.contains(resumed), "{}", done.stderr);
    fs::rename(sandbox.path("duel.toml"), sandbox.path("b/duel.toml")).unwrap();
    let done = sandbox.run("run b/duel.toml -q").exits(0);
    assert!(done.stderr.contains(resumed), "{}", done.stderr);
    // A copy gives the same results.
    fs::copy(sandbox.path("b/duel.toml"), sandbox.path("duel.toml")).unwrap();
    sandbox.run("run duel.toml -q").exits(0);
}
