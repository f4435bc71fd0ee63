//! What must destroy nothing and hang nowhere: closed terminals, devices, pipes and links in the place of files,
//! kills while results are written, damaged journals, definitions of very many mistakes.

use std::fs;
use std::os::unix::fs::symlink;
use std::thread::sleep;
use std::time::Duration;

use insta::assert_snapshot;

use crate::definitions::{DUEL, PACKETS};
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

/// Whatever the way on which the file is read, and whatever stands in its place.
#[test]
fn keys_replace_no_input_and_no_capture() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --out in.pcap --packets 500").exits(0);
    sandbox.run("trace synth --out other.pcap.gz --packets 10").exits(0);
    let files =
        ["in.pcap", "other.pcap.gz"].map(|name| (name, fs::read(sandbox.path(name)).unwrap()));
    for script in [
        "loadfactor trace keys - --out in.pcap < in.pcap",
        "loadfactor trace keys /dev/stdin --out in.pcap < in.pcap",
        "loadfactor trace keys in.pcap >> in.pcap",
        "loadfactor trace keys in.pcap --out other.pcap.gz",
    ] {
        let done = shell(&sandbox, script).exits(2);
        assert!(done.stderr.contains("write to another one"), "{script}: {}", done.stderr);
    }
    for (name, before) in files {
        assert!(fs::read(sandbox.path(name)).unwrap() == before, "{name}");
    }
    shell(&sandbox, "loadfactor trace keys - --out keys.csv < in.pcap").exits(0);
}

/// What is read once must not be opened twice: that hangs, or gives nothing.
#[test]
fn pipes_are_read_once() {
    let sandbox = Sandbox::new(&[("packets", PACKETS)]);
    sandbox.run("trace synth --out experiments/packets.pcap --packets 5000").exits(0);
    let script = "mkfifo a b; cat experiments/packets.pcap > a & cat experiments/packets.pcap > b & \
                  loadfactor trace info a b; kill %1 %2";
    let done = shell(&sandbox, script);
    assert!(done.stderr.contains("a is a pipe"), "{}", done.stderr);
    let script = "loadfactor trace info <(cat experiments/packets.pcap)";
    shell(&sandbox, script).exits(0);
    sandbox.run("run packets -q --out file").exits(0);
    let script = "loadfactor run packets -q --out pipe --trace <(cat experiments/packets.pcap)";
    shell(&sandbox, script).exits(0);
    let table = |folder: &str| sandbox.read(&format!("{folder}/packets/table.csv"));
    assert_eq!(table("file"), table("pipe"));
}

/// A signal, and a kill that leaves no time, while a capture is written.
#[test]
fn nothing_half_written_is_left_or_read() {
    let sandbox = Sandbox::new(&[]);
    fs::create_dir(sandbox.path("o")).unwrap();
    let names = || {
        let entries = fs::read_dir(sandbox.path("o")).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
    };
    let begun = || {
        let running = sandbox.start("trace synth --out o/x.pcap --packets 1000000000");
        while names().is_empty() {
            sleep(Duration::from_millis(1));
        }
        running
    };
    let running = begun();
    Done::run(sandbox.command("kill").args(["-INT", &running.id().to_string()])).exits(0);
    running.wait().exits(130);
    assert!(names().is_empty(), "{:?}", names());
    begun().kill();
    assert_eq!(names().len(), 1);
    let done = sandbox.run("trace info o").exits(1);
    assert!(done.stderr.contains("the folder has no files"), "{}", done.stderr);
    sandbox.run("trace synth --out o/x.pcap --packets 10").exits(0);
    assert_eq!(names(), ["x.pcap"]);
}

#[test]
fn a_full_disk_is_named_with_what_was_written_to_it() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --out a.pcap --packets 5000").exits(0);
    for command in ["info", "keys"] {
        let done =
            shell(&sandbox, &format!("loadfactor trace {command} a.pcap > /dev/full")).exits(1);
        assert!(done.stderr.contains("cannot write standard output"), "{}", done.stderr);
    }
    sandbox.write("good.csv", "src,dst\n1.1.1.1,2.2.2.2\n");
    sandbox.write("bad.csv", "source,destination\n1.1.1.1,2.2.2.2\n");
    let keys = "trace keys --layout csv --key src-dst good.csv bad.csv --out keys.csv";
    let done = sandbox.run(keys).exits(1);
    assert!(done.stderr.starts_with("error: bad.csv: the first line"), "{}", done.stderr);
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
