//! What must destroy nothing and hang nowhere: closed terminals, devices, pipes and links in the place of files,
//! kills while results are written, damaged journals, definitions of very many mistakes.

use std::fs;
use std::os::unix::fs::symlink;
use std::thread::sleep;
use std::time::Duration;

use insta::assert_snapshot;

use crate::definitions::DUEL;
use crate::sandbox::{BINARY, Done, Sandbox};

fn shell(sandbox: &Sandbox, script: &str) -> Done {
    Done::run(sandbox.command("bash").args(["-c", &script.replace("loadfactor", BINARY)]))
}

/// Words about results must not cost the results.
#[test]
fn a_standard_error_that_cannot_be_written_changes_nothing() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --out whole").exits(0);
    for (folder, to) in [("full", "2>/dev/full"), ("closed", "2>&-"), ("gone", "2> >(true)")] {
        for quiet in ["", "-q"] {
            let out = format!("{folder}{quiet}");
            shell(&sandbox, &format!("loadfactor run duel {quiet} --out {out} {to}")).exits(0);
            sandbox.assert_same("whole/duel", &format!("{out}/duel"));
        }
    }
}

#[test]
fn no_device_pipe_or_input_is_written_over() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --out a.pcap.gz --packets 500").exits(0);
    let before = fs::read(sandbox.path("a.pcap.gz")).unwrap();
    Done::run(sandbox.command("mkfifo").arg("pipe")).exits(0);
    for place in ["/dev/null", "pipe"] {
        let done = sandbox.run(&format!("trace synth --packets 10 --out {place}")).exits(1);
        assert!(done.stderr.contains("only a regular file is replaced"), "{}", done.stderr);
    }
    sandbox.run("trace keys a.pcap.gz --out a.pcap.gz").exits(2);
    assert_eq!(fs::read(sandbox.path("a.pcap.gz")).unwrap(), before);
}

#[test]
fn a_pipe_or_a_link_in_the_place_of_a_runs_own_files_is_an_error() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    fs::create_dir_all(sandbox.path("results/duel")).unwrap();
    Done::run(sandbox.command("mkfifo").arg("results/duel/journal")).exits(0);
    let done = sandbox.run("run duel -q").exits(1);
    assert_snapshot!(done.stderr, @"duel: FAILED: cannot read results/duel/journal: it is a folder, device, pipe or socket, and no file");
    fs::remove_file(sandbox.path("results/duel/journal")).unwrap();
    fs::remove_file(sandbox.path("results/duel/lock")).unwrap();
    sandbox.write("precious", "text");
    symlink(sandbox.path("precious"), sandbox.path("results/duel/lock")).unwrap();
    let done = sandbox.run("run duel -q").exits(1);
    assert_snapshot!(done.stderr, @"duel: FAILED: cannot lock results/duel/lock: it is a symbolic link, which is not followed: remove it; choose a folder on a local disk with --out");
    assert_eq!(sandbox.read("precious"), "text");
}

/// Killed at any moment of writing, every file is the old one or the new one, and the next run leaves nothing
/// unfinished behind.
#[test]
fn a_kill_while_results_are_written_leaves_whole_files() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let whole = sandbox.results("results/duel");
    for milliseconds in (0..60).step_by(6) {
        let running = sandbox.start("report duel");
        sleep(Duration::from_millis(milliseconds));
        running.kill();
        for (name, bytes) in &whole {
            let path = sandbox.path(format!("results/duel/{name}"));
            assert!(fs::read(path).unwrap() == *bytes, "{name} after {milliseconds} ms");
        }
    }
    sandbox.run("report duel").exits(0);
    let entries = fs::read_dir(sandbox.path("results/duel")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.contains("unfinished")));
}

#[test]
fn a_journal_with_a_damaged_header_is_salvaged_once() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let whole = sandbox.results("results/duel");
    let mut journal = fs::read(sandbox.path("results/duel/journal")).unwrap();
    journal[2] ^= 0x20;
    sandbox.write("results/duel/journal", &journal);
    let done = sandbox.run("journal verify results/duel").exits(1);
    assert_snapshot!(done.stdout, @"
    results/duel: 4 batches of 4 points
      the first line of the journal is damaged (21 bytes); the records behind it were read, but check the disk
    ");
    let done = sandbox.run("run duel -q").exits(0);
    assert!(
        done.stderr.contains("0 batches that the journal did not hold were run now"),
        "{}",
        done.stderr
    );
    assert!(whole == sandbox.results("results/duel"));
    let done = sandbox.run("journal verify results/duel").exits(0);
    assert_snapshot!(done.stdout, @"results/duel: 4 batches of 4 points, whole");
}

#[test]
fn very_many_mistakes_are_counted_and_not_all_shown() {
    let keys: String = (0..20_000).map(|i| format!("unknown_{i} = 1\n")).collect();
    let sandbox =
        Sandbox::new(&[("many", &DUEL.replace("[point]\n", &format!("[point]\n{keys}")))]);
    let done = sandbox.run("check many").exits(2);
    assert_eq!(done.stderr.matches("error:").count(), 50);
    assert!(done.stderr.contains("19950 more mistakes are not shown"), "{}", &done.stderr);
}
