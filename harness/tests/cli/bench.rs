//! `loadfactor bench`: what it writes and prints, whatever the times are.

use std::io::Write;
use std::process::{Child, Stdio};

use insta::assert_snapshot;
use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::sandbox::{BINARY, Sandbox};

pub const FILTERS: &str = r#"
title = "Two filters"
[workload]
kind    = "membership"
queries = 1000
[point]
hash    = "xxh3"
choices = 3
bits    = 1000
bits_per_element = 10
[[series]]
label  = "standard"
scheme = "bloom-filter"
[[series]]
label  = "partitioned"
scheme = "partitioned-bloom-filter"
[time]
operations   = ["hit", "miss"]
samples      = 6
layouts      = 2
milliseconds = 0.02
"#;

const TABLES: &str = r#"
title = "Two tables"
[workload]
kind = "static-fill"
[point]
hash        = "xxh3"
load        = 0.9
buckets     = 200
bucket_size = 4
[[series]]
label  = "SINGLE"
scheme = "single"
[[series]]
label   = "d-random"
scheme  = "d-random"
choices = 2
[time]
samples      = 6
layouts      = 2
milliseconds = 0.02
"#;

const TRIALS: &str = r#"
title  = "One choice"
trials = 2
[workload]
kind = "static-fill"
[point]
scheme  = "single"
buckets = 10
load    = 0.5
[[series]]
label = "SINGLE"
"#;

/// The text with every number blotted out, and with its blanks one.
fn shape(text: &str) -> String {
    let blotted = Regex::new(r"\d[\d.e-]*").unwrap().replace_all(text, "#");
    Regex::new(" +").unwrap().replace_all(&blotted, " ").into_owned()
}

#[test]
fn a_timed_definition_gives_times_and_its_files() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let done = sandbox.run("bench timed").exits(0);
    assert_snapshot!(shape(&done.stdout), @"
    Two filters

    hit, # elements: ns per operation
     standard # (# to #) baseline # % yes to absent keys
     partitioned # (# to #) × # (# to #) # % yes to absent keys

    miss, # elements: ns per operation
     standard # (# to #) baseline # % yes to absent keys
     partitioned # (# to #) × # (# to #) # % yes to absent keys
    ");
    let files = sandbox.results("results/timed");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_snapshot!(names.join(" "), @"figure-time.pdf figure-time.png figure-time.svg timings-history.csv timings.csv timings.json");
    let record: serde_json::Value = serde_json::from_slice(&files["timings.json"]).unwrap();
    assert!(record["machine"]["cores"].is_number() && record["revision"].is_string());
    let timings = sandbox.read("results/timed/timings.csv");
    assert_snapshot!(timings.lines().next().unwrap(), @"experiment,series,scheme,hash,at,elements,operation,nanoseconds,nanoseconds_low,nanoseconds_high,baseline,ratio,ratio_low,ratio_high,samples,layouts,operations,bytes,asked,false_positive_rate,metric,value");
    assert_eq!(timings.lines().count(), 1 + 4);
    // One filter, whose elements and absent keys the seed decides: the rate is the same in every run.
    sandbox.run("bench timed --samples 5 --out again --format json").exits(0);
    let rates = |folder: &str| {
        let text = sandbox.read(&format!("{folder}/timed/timings.csv"));
        text.lines()
            .filter_map(|line| Some(line.rsplit(',').nth(2)?.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(rates("results"), rates("again"));
}

/// Tables that store keys, from insertion to deletion; what overflows is that of the seed, whatever the times are.
#[test]
fn tables_are_timed_and_their_overflow_is_told() {
    let sandbox = Sandbox::new(&[("tables", TABLES)]);
    let done = sandbox.run("bench tables").exits(0);
    assert_snapshot!(shape(&done.stdout), @"
    Two tables

    insert, # elements: ns per operation
     SINGLE # (# to #) baseline overflow_fraction #
     d-random # (# to #) × # (# to #) overflow_fraction #

    hit, # elements: ns per operation
     SINGLE # (# to #) baseline overflow_fraction #
     d-random # (# to #) × # (# to #) overflow_fraction #

    miss, # elements: ns per operation
     SINGLE # (# to #) baseline overflow_fraction #
     d-random # (# to #) × # (# to #) overflow_fraction #

    delete, # elements: ns per operation
     SINGLE # (# to #) baseline overflow_fraction #
     d-random # (# to #) × # (# to #) overflow_fraction #
    ");
    sandbox.run("bench tables --samples 8 --out again").exits(0);
    let values = |folder: &str| {
        let text = sandbox.read(&format!("{folder}/tables/timings.csv"));
        let value = |line: &str| line.rsplit(',').next().unwrap().to_owned();
        text.lines().skip(1).map(value).collect::<Vec<_>>()
    };
    assert_eq!(values("results").len(), 8);
    assert_eq!(values("results"), values("again"));
    let same = sandbox.run("compare results/tables again/tables");
    assert!(same.stdout.starts_with("4 timings compared"), "{}", same.stdout);
    let untimed = "bench tables --set workload.kind=alternation --set workload.rounds=9";
    let untimed = sandbox.run(untimed).exits(1).stderr;
    assert!(untimed.contains("under `kind = \"static-fill\"`"), "{untimed}");
}

/// Whatever prevents the files is told at once, and not after everything was measured.
#[test]
fn files_that_cannot_be_written_are_told_before_anything_is_measured() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    sandbox.write("notes", "mine");
    let unmade = sandbox.run("bench timed --out notes").exits(1);
    assert!(unmade.stdout.is_empty() && unmade.stderr.contains("FAILED"), "{}", unmade.stderr);
    std::fs::create_dir_all(sandbox.path("results/timed")).unwrap();
    sandbox.write("results/timed/timings.csv", "my notes\n");
    let foreign = sandbox.run("bench timed").exits(1);
    assert_snapshot!(foreign.stderr, @"timed: FAILED: results/timed/timings.csv is no file of timings (its first line has other columns): move it away, or choose another folder");
    assert!(foreign.stdout.is_empty());
    assert_eq!(sandbox.read("results/timed/timings.csv"), "my notes\n");
}

/// A measurement without misses has no figure, and none of an earlier one stays beside it.
#[test]
fn no_figure_of_earlier_times_stays() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    sandbox.run("bench timed").exits(0);
    assert!(sandbox.path("results/timed/figure-time.svg").exists());
    let hits = sandbox.run("bench timed --set time.operations=[\"hit\"]").exits(0);
    let reason = "no figure was drawn: it is of times of `miss`, which `operations` lacks";
    assert!(hits.stderr.contains(reason), "{}", hits.stderr);
    assert!(!sandbox.path("results/timed/figure-time.svg").exists());
}

/// The keys of a trace are stored once each, and the record names it.
#[test]
fn keys_of_a_trace_are_told_apart() {
    let of_trace = FILTERS
        .replace("queries = 1000", "queries = 1000\nkeys = \"trace\"\ntrace = { packets = 2000 }");
    let sandbox = Sandbox::new(&[("timed", &of_trace)]);
    sandbox.run("bench timed --set point.bits_per_element=100").exits(0);
    let record: serde_json::Value =
        serde_json::from_str(&sandbox.read("results/timed/timings.json")).unwrap();
    assert!(record["trace"]["sha256"].is_string(), "{record}");
    let many = sandbox.run("bench timed --set point.bits=20_000").exits(1).stderr;
    assert!(many.contains("stores more elements than the trace has distinct keys"), "{many}");
}

#[test]
fn timings_of_two_scales_have_nothing_in_common() {
    let swept =
        FILTERS.replace("bits    = 1000", "bits = { smoke = [1000], quick = [1000, 2000] }");
    let sandbox = Sandbox::new(&[("timed", &swept)]);
    sandbox.run("bench timed --scale smoke --out smoke").exits(0);
    sandbox.run("bench timed --scale quick --out quick").exits(0);
    assert_snapshot!(sandbox.run("compare smoke/timed quick/timed").exits(2).stderr, @"
    error: the two have no timing in common with the same baseline: nothing was compared
      before: timed: hit of partitioned at its only point
      after: timed: hit of partitioned at bits = 1000
      help: both must be measured at the same scale and with the same settings
    ");
}

#[test]
fn the_same_timings_twice_are_no_change() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    sandbox.run("bench timed").exits(0);
    let same = sandbox.run("compare results/timed results/timed/timings.csv").exits(0);
    assert_snapshot!(same.stdout, @"
    2 timings compared by their ratios to the baseline: 0 slower, 0 faster, 2 cannot tell
      a change below 15 % is told by `loadfactor bench --beside` alone: machines drift by as much between two measurements
    ");
    let json = sandbox.run("compare results/timed results/timed --format json").exits(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["timings"][0]["verdict"], "cannot tell");
}

#[test]
fn what_is_timed_is_not_run_and_the_other_way_round() {
    let sandbox = Sandbox::new(&[("x", TRIALS), ("timed", FILTERS)]);
    assert_snapshot!(sandbox.run("run timed").exits(2).stderr, @"error: timed has no trials: time it with `loadfactor bench timed`");
    assert_snapshot!(sandbox.run("bench x").exits(2).stderr, @"error: none of these experiments is timed: `[time]` in a definition says what is");
    sandbox.run("run -q").exits(0);
    assert!(!sandbox.path("results/timed").exists());
    assert_snapshot!(sandbox.run("list").exits(0).stdout, @"
    timed     2 timed   Two filters
    x         1 point   One choice
    ");
    let plan = sandbox.run("plan timed").exits(0).stdout;
    assert!(
        plan.contains(
            "timed   hit, miss: 6 samples of each in 2 layouts, `loadfactor bench timed`"
        ),
        "{plan}"
    );
    let plan = sandbox.run("plan x timed").exits(0).stdout;
    assert!(plan.contains("; the other is timed, `loadfactor bench`: about "), "{plan}");
    let drawn = sandbox.run("bench timed --set point.hash=random").exits(1).stderr;
    assert!(drawn.contains("the series `standard` has nothing to time"), "{drawn}");
}

/// A process that is to measure the first layout of a definition, and the line that asks for it.
fn measuring(sandbox: &Sandbox, text: &str) -> (Child, String) {
    let digest = Sha256::digest(text.as_bytes());
    let sha256: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let job = json!({
        "definition": "experiments/timed.toml",
        "sha256": sha256,
        "trace": null,
        "task": { "place": 0, "layout": 0, "counts": null },
    });
    let mut command = sandbox.command(BINARY);
    command.args(["bench", "--one-layout", "timed"]);
    let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    (process, format!("{job}\n"))
}

/// Each layout is measured by a process of its own, which is told which one and answers with its samples.
#[test]
fn a_layout_is_measured_on_request() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let answer = |text: &str| -> Value {
        let (mut process, line) = measuring(&sandbox, text);
        let mut input = process.stdin.take().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        drop(input);
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let measured = answer(FILTERS);
    let of_series = measured["Ok"].as_array().unwrap();
    assert_eq!(of_series.len(), 2);
    for own in of_series {
        let sampled = own["sampled"].as_array().unwrap();
        let lengths = sampled.iter().map(|one| one["nanoseconds"].as_array().unwrap().len());
        assert_eq!(lengths.collect::<Vec<_>>(), [3, 3]);
    }
    assert_snapshot!(answer("written over meanwhile")["Err"], @r#""the definition or its trace was written over meanwhile: measure again""#);
}

/// Where the measurement that asked for it is ended, a layout of hours is not measured to its end.
#[test]
fn a_layout_that_nobody_waits_for_is_left() {
    let long = FILTERS.replace("milliseconds = 0.02", "milliseconds = 60_000");
    let sandbox = Sandbox::new(&[("timed", &long)]);
    let (mut process, line) = measuring(&sandbox, &long);
    process.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

/// Both programs are this one: each row is there, whatever the times are, and what is called decides the exit status.
#[test]
fn a_program_is_measured_beside_another_one() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let done = sandbox.run(&format!("bench timed --beside {BINARY}"));
    let rows = sandbox.read("results/timed/timings-beside.csv");
    let is_slower = rows.contains(",slower,");
    let done = done.exits(if is_slower { 3 } else { 0 });
    assert!(done.stdout.contains("\n4 timings compared with those of /"), "{}", done.stdout);
    assert_snapshot!(rows.lines().next().unwrap(), @"experiment,series,scheme,hash,at,elements,operation,nanoseconds,nanoseconds_beside,change,change_low,change_high,verdict,layouts,operations");
    let named: Vec<String> = rows
        .lines()
        .skip(1)
        .map(|line| line.split(',').take(7).collect::<Vec<_>>().join(" "))
        .collect();
    assert_snapshot!(named.join("\n"), @"
    timed standard bloom-filter xxh3 its only point 100 hit
    timed standard bloom-filter xxh3 its only point 100 miss
    timed partitioned partitioned-bloom-filter xxh3 its only point 100 hit
    timed partitioned partitioned-bloom-filter xxh3 its only point 100 miss
    ");
    let record: Value = serde_json::from_str(&sandbox.read("results/timed/timings.json")).unwrap();
    assert_eq!(record["beside"]["sha256"].as_str().unwrap().len(), 64);
    sandbox.run("bench timed").exits(0);
    assert!(!sandbox.path("results/timed/timings-beside.csv").exists());
}

/// One layout says nothing of another: its rows are there, and nobody can tell.
#[test]
fn one_layout_beside_another_program_tells_nothing() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let arguments = format!("bench timed --set time.layouts=1 --beside={BINARY}");
    let text = sandbox.run(&arguments).exits(0).stdout;
    let told =
        "0 slower, 0 faster, 4 cannot tell\n  one layout was measured, of which nobody can tell";
    assert!(text.contains(told), "{text}");
    let json = sandbox.run(&format!("{arguments} --format json")).exits(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let beside = json[0]["beside"].as_array().unwrap();
    assert_eq!(beside.len(), 4);
    assert!(
        beside.iter().all(|row| row["verdict"] == "cannot tell" && row["change_low"].is_null())
    );
}

/// What is no build of loadfactor is told with its remedy, and nothing is measured.
#[test]
fn a_program_that_cannot_measure_is_told_at_once() {
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let absent = sandbox.run("bench timed --beside no/such").exits(2).stderr;
    assert_snapshot!(absent, @"error: no/such cannot be run: No such file or directory (os error 2); name the file of a build of loadfactor");
    let foreign = sandbox.run("bench timed --beside /bin/echo").exits(2).stderr;
    assert!(foreign.ends_with(" is no loadfactor: name the file of a build of it\n"), "{foreign}");
    assert!(!sandbox.path("results").exists());
}

/// A build that does not know the definition, or measures something else, is named.
#[cfg(unix)]
#[test]
fn a_program_that_measures_something_else_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new(&[("timed", FILTERS)]);
    let told = |answer: &str| {
        let script = format!(
            "#!/bin/sh\nif [ $# -gt 2 ]; then echo '{answer}'; else exec '{BINARY}' \"$@\"; fi\n"
        );
        sandbox.write("other", script);
        let other = sandbox.path("other");
        std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
        let done = sandbox.run("bench timed --beside other").exits(1);
        assert!(!sandbox.path("results/timed/timings.csv").exists());
        done.stderr.split_once("/other ").unwrap().1.to_owned()
    };
    assert_snapshot!(told(r#"{"Err": "`queries` is no key"}"#), @"cannot measure what this program does: `queries` is no key; measure with a definition and options that both know, or build it from newer sources");
    assert_snapshot!(told(r#"{"Ok": []}"#), @"answers with other series: build it from sources to which the definition means what it means to this program");
}
