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
        let running = sandbox.start("trace synth --out o/x.pcap --packets 20000000");
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

/// Killed while it writes, a run leaves of `derived.csv`, the pages and the figures what is whole, or nothing; the
/// next run writes the rest and clears up.
#[test]
fn a_run_killed_while_it_writes_leaves_no_part_of_a_file() {
    let derived = "\n[[derived]]\nname = \"gain\"\nratio = [\"SINGLE\", \"MULTIPLE\"]\n\
                   of = \"overflow_fraction\"\nat = { load = 1.0 }\n";
    let sandbox = Sandbox::new(&[("duel", &format!("{DUEL}{derived}"))]);
    sandbox.run("run duel -q").exits(0);
    let whole = sandbox.results("results/duel");
    assert!(whole.contains_key("derived.csv") && whole.contains_key("report.md"));
    for last in whole.keys() {
        for name in whole.keys() {
            fs::remove_file(sandbox.path(format!("results/duel/{name}"))).unwrap();
        }
        let running = sandbox.start("run duel -q");
        sandbox.await_file(&format!("results/duel/{last}"));
        running.kill();
        let mut left = sandbox.results("results/duel");
        left.retain(|name, _| !name.ends_with(".loadfactor-unfinished"));
        assert!(left.iter().all(|(name, bytes)| whole[name] == *bytes), "killed after {last}");
        sandbox.run("run duel -q").exits(0);
        assert!(sandbox.results("results/duel") == whole, "killed after {last}");
    }
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

/// Whoever reads the output may leave: what there is to mend is mended, and the status tells.
#[test]
fn a_reader_who_leaves_changes_neither_work_nor_status() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for out in ["a", "b"] {
        sandbox.run(&format!("run duel -q --out {out}")).exits(0);
        let mut journal = fs::read(sandbox.path(format!("{out}/duel/journal"))).unwrap();
        let middle = journal.len() / 2;
        journal[middle] ^= 1;
        sandbox.write(&format!("{out}/duel/journal"), journal);
    }
    let gone = "set -o pipefail; loadfactor journal verify a/duel b/duel | true";
    shell(&sandbox, gone).exits(1);
    shell(&sandbox, "set -o pipefail; loadfactor journal repair a/duel b/duel | true").exits(0);
    sandbox.run("journal verify a/duel b/duel").exits(0);
}

#[test]
fn predictions_replace_no_measurements() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    fs::remove_file(sandbox.path("results/duel/journal")).unwrap();
    let before = sandbox.read("results/duel/table.csv");
    let done = sandbox.run("predict duel --out results").exits(1);
    assert!(done.stderr.contains("holds the results of a run"), "{}", done.stderr);
    assert_eq!(sandbox.read("results/duel/table.csv"), before);
}

/// What an earlier run wrote goes with its definition, and what a user put beside it stays.
#[test]
fn a_report_takes_away_what_it_wrote_and_nothing_else() {
    let derived = "\n[[derived]]\nname = \"gain\"\nratio = [\"SINGLE\", \"MULTIPLE\"]\n\
                   of = \"overflow_fraction\"\nat = { load = 1.0 }\n";
    let sandbox = Sandbox::new(&[("duel", &format!("{DUEL}{derived}"))]);
    sandbox.run("run duel -q").exits(0);
    sandbox.write("results/duel/figure-1-for-the-talk.svg", "mine");
    sandbox.write("experiments/duel.toml", DUEL.split("[[figure]]").next().unwrap());
    sandbox.run("run duel -q").exits(0);
    let is_there = |name: &str| sandbox.path(format!("results/duel/{name}")).exists();
    assert!(is_there("figure-1-for-the-talk.svg"));
    assert!(!is_there("figure-1.svg") && !is_there("derived.csv"));
}

/// A report of a folder keeps what is known of the run that filled it.
#[test]
fn a_report_keeps_what_the_manifest_tells_of_the_run() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q --only SINGLE").exits(0);
    let manifest = || -> serde_json::Value {
        serde_json::from_str(&sandbox.read("results/duel/manifest.json")).unwrap()
    };
    let of_run = manifest();
    sandbox.run("report duel").exits(0);
    assert_eq!(of_run["only"], "SINGLE");
    for key in ["only", "command_line", "trials_run", "started_unix"] {
        assert_eq!(manifest()[key], of_run[key], "{key}");
    }
}

/// The words of experiments' names stand in a script that a shell runs.
#[test]
fn completions_hold_no_name_that_a_shell_could_run() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("$(touch pwned)", DUEL)]);
    let script = sandbox.run("completions bash").exits(0).stdout;
    assert!(script.contains("duel") && !script.contains("pwned"));
}

#[test]
fn what_is_no_definition_does_not_stop_the_others() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.write("experiments/.#duel.toml", "lock");
    symlink("nowhere.toml", sandbox.path("experiments/x.toml")).unwrap();
    Done::run(sandbox.command("mkfifo").arg("experiments/pipe.toml")).exits(0);
    assert!(sandbox.run("list").exits(0).stdout.contains("duel"));
    // The file that is named is meant, and nothing by an empty word.
    sandbox.write("duel.toml", DUEL.replace("Two choices", "Mine"));
    assert!(sandbox.run("list duel.toml").exits(0).stdout.contains("Mine"));
    shell(&sandbox, "loadfactor list \"\"").exits(2);
}

/// `/proc/self/mem` is a file that says EIO to whoever reads its beginning, as a failing disk does.
#[test]
fn a_disk_that_cannot_be_read_is_an_error_that_names_the_file() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    for (place, arguments, status) in [
        ("results/duel/journal", "run duel -q", 1),
        ("results/duel/journal", "journal verify results/duel", 1),
        ("experiments/other.toml", "check other", 2),
        ("broken.pcap", "trace info broken.pcap", 1),
        ("broken.csv", "compare results/duel/table.csv broken.csv", 1),
    ] {
        let path = sandbox.path(place);
        let _ = fs::remove_file(&path);
        symlink("/proc/self/mem", &path).unwrap();
        let said = sandbox.run(arguments).exits(status).stderr;
        assert!(said.contains(place) && said.contains("Input/output error"), "{said}");
    }
    assert_eq!(sandbox.read("results/duel/table.csv"), table);
}

/// A limit on the length of files stands for a full disk. Batches of other points would be kept, which needs more
/// room than there is.
#[test]
fn a_full_disk_forgets_nothing_and_says_so() {
    let loads = "[0.5, 0.6, 0.7, 0.8, 0.9, 1.0]";
    let sandbox = Sandbox::new(&[("duel", &DUEL.replace("[0.5, 1.0]", loads))]);
    sandbox.run("run duel -q").exits(0);
    let journal = fs::read(sandbox.path("results/duel/journal")).unwrap();
    let script = "trap '' XFSZ; ulimit -f 1; loadfactor run duel -q --fresh --only SINGLE";
    let done = shell(&sandbox, script).exits(1);
    assert_snapshot!(done.stderr, @"duel: FAILED: cannot write results/duel/journal anew: File too large (os error 27); it is as it was, with its 12 finished batches: make room and run the same command again");
    assert!(fs::read(sandbox.path("results/duel/journal")).unwrap() == journal);
}

/// A folder that is a link to itself cannot be looked into by anyone.
#[test]
fn a_journal_that_cannot_be_looked_for_is_not_told_as_missing() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    fs::create_dir(sandbox.path("results")).unwrap();
    symlink("duel", sandbox.path("results/duel")).unwrap();
    for arguments in ["report duel", "journal verify results/duel", "plan duel"] {
        let said = sandbox.run(arguments).exits(1).stderr;
        assert!(said.contains("cannot read results/duel/journal: Too many levels"), "{said}");
    }
}

/// A manifest may come from anywhere, and a terminal obeys what it is shown.
#[test]
fn a_foreign_manifest_says_nothing_to_the_terminal() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let mut manifest: serde_json::Value =
        serde_json::from_str(&sandbox.read("results/duel/manifest.json")).unwrap();
    manifest["scale"] = "\u{1b}[2J".into();
    manifest["settings"] = serde_json::json!(["title=\u{1b}]0;x\u{7}"]);
    sandbox.write("results/duel/manifest.json", manifest.to_string());
    let done = sandbox.run("report duel --seed 7").exits(1);
    assert_snapshot!(done.stderr, @r"duel: FAILED: results/duel holds 4 batches, none of them of these points: name the --scale, --seed, --trace and --set of the run; the last one had scale \u{1b}[2J, seed 1, --set title=\u{1b}]0;x\u{7}");
}

/// A capture or a table under the name of a definition, or beside one.
#[test]
fn a_file_too_large_for_a_definition_is_refused_at_once() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for name in ["huge.toml", "experiments/published.csv"] {
        let file = fs::File::create(sandbox.path(name)).unwrap();
        file.set_len(400_000_000).unwrap();
    }
    assert_snapshot!(sandbox.run("check huge.toml").exits(2).stderr, @"
    error: the file has more than 16 MiB, more than is read here: name another one, or split it
    --> huge.toml
    ");
    assert_snapshot!(sandbox.run("check duel").exits(2).stderr, @"
    error: the file has more than 16 MiB, more than is read here: name another one, or split it
    --> experiments/published.csv
    ");
}
