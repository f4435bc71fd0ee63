//! The workflows of continuous integration do what can be done on any clean clone, and no more.

use std::fs;
use std::path::Path;
use std::process::Command;

use insta::assert_snapshot;

use crate::sandbox::{Done, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn workflow(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(".github/workflows").join(name)).unwrap()
}

#[test]
fn a_workflow_calls_the_one_command_and_may_only_read() {
    for (name, command) in [("ci.yml", ".ci/run"), ("nightly.yml", "make nightly")] {
        let text = workflow(name);
        let calls = text.lines().filter(|line| line.contains(&format!("run: {command} ")));
        assert_eq!(calls.count(), 1, "{name}");
        assert!(text.contains("\npermissions:\n  contents: read\n"), "{name}");
        assert!(!text.contains("write") && !text.contains("secrets."), "{name}");
        assert!(text.contains("GITHUB_STEP_SUMMARY") && text.contains("upload-artifact"), "{name}");
    }
}

/// A tag may be moved to other code; the version is for whoever reads.
#[test]
fn actions_are_named_by_commit() {
    for name in ["ci.yml", "nightly.yml"] {
        let text = workflow(name);
        let uses: Vec<&str> = text.lines().filter(|line| line.contains("uses: ")).collect();
        assert!(!uses.is_empty());
        for line in uses {
            let (_, version) = line.split_once('@').unwrap();
            let (commit, tag) = version.split_once(" # v").unwrap();
            assert!(commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{line}");
            assert!(tag.starts_with(|c: char| c.is_ascii_digit()), "{line}");
        }
    }
}

#[test]
fn the_summary_of_a_failure_begins_with_what_failed() {
    let sandbox = Sandbox::new(&[]);
    sandbox.write(
        "log",
        "running 2 tests\ntest a::good ... ok\ntest a::bad ... FAILED\n\
         error: test failed, to rerun pass `--test cli`\nmake: *** [Makefile:25: test] Error 101\n",
    );
    let mut summary = Command::new(Path::new(ROOT).join(".ci/summary"));
    let done = Done::run(summary.arg(sandbox.path("log"))).exits(0);
    let (first, _) = done.stdout.split_once("### The end of the log").unwrap();
    assert_snapshot!(first, @"
    ## `make test` failed

    ### Tests that failed

    ```
    test a::bad ... FAILED
    ```

    ### Errors

    ```
    error: test failed, to rerun pass `--test cli`
    ```
    ");
}
