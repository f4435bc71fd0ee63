//! `diagnose`: the difference between measured and predicted overflow, split into its causes.

use insta::assert_snapshot;
use serde_json::Value;

use crate::sandbox::{BINARY, Done, Sandbox};

/// A sandbox with a capture of 20,000 packets, a sixth of whose TCP packets repeat a key.
fn with_capture() -> Sandbox {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --packets 20000 --seed 3 --active-flows 200 --out t.pcap").exits(0);
    sandbox
}

const SMALL: &str = "diagnose t.pcap --quiet --rounds 10000 --trials 20 --set buckets=1000";

#[test]
fn the_difference_is_split_and_everything_behind_it_is_kept() {
    let sandbox = with_capture();
    let done = sandbox.run(SMALL).exits(0);
    assert_snapshot!(done.stdout, @r#"
    t.pcap: 16,239 of 20,000 packets have a tcp-header key, 13,315 different ones
    single with wang, load = 0.3, choices_from = "slices", slice_bits = 16, buckets = 1000
    20 trials in each of 8 settings; a trial has 10,000 rounds (one element deleted, one inserted)
    and goes 1.0 times through the trace. ± is one standard error.

      on this trace                29.47 ± 0.14 % of the elements overflow
      in theory                          23.077 % (Theorem 5: many buckets, ideal hash, no key twice)
      difference                   +6.39 ± 0.14 percentage points

    owed to                          points  of the difference        cured alone       on its own
      repeated keys            +3.35 ± 0.09       52.4 ± 1.0 %       +6.40 ± 0.17     +0.32 ± 0.14
      order of the packets     +3.09 ± 0.08       48.3 ± 0.8 %       +6.18 ± 0.17     +0.01 ± 0.11
      hash function            +0.00 ± 0.08        0.1 ± 1.2 % ?     -0.02 ± 0.12     +0.05 ± 0.15
      size of the table        -0.05 ± 0.09       -0.8 ± 1.4 % ?
      all together             +6.39 ± 0.14

    The largest part is owed to: repeated keys.

    - The trace repeats its keys: 18.0 % of the packets bring one that came before. Elements of one
      key have the same buckets to choose from, and crowd there.
    - Packets of one key come close together: 12.0 % of the packets find their key stored already;
      in a random order 0.8 % would.
    - The hash function wang is as good here as an ideal one, as far as the trials can tell.
    - The table has 1,000 buckets in place of infinitely many, which makes -0.059 points in theory.

    measured                                          overflow, %   find key stored, %
      as captured                                    29.47 ± 0.14                 12.0
      each key once                                  23.07 ± 0.09                  0.0
      random order                                   23.28 ± 0.07                  0.8
      each key once, random order                    23.08 ± 0.11                  0.0
      ideal hash                                     29.49 ± 0.10                 12.0
      each key once, ideal hash                      23.04 ± 0.09                  0.0
      random order, ideal hash                       23.35 ± 0.12                  0.8
      each key once, random order, ideal hash        23.03 ± 0.09                  0.0

    Causes that meet cost more, or less, than each by itself. Points are averages over the orders in
    which the causes can be removed one after the other. Cured alone: what removing this one saves
    while the others stay. On its own: what this one costs without the others.

    warning: 3,761 packets (18.8 %) have no tcp-header key and are left out
    warning: smaller than the error, and marked with ?: hash function, size of the table. That it is
      small is known, not how small; four times as many --trials halve the errors
    "#);
    assert_eq!(sandbox.read("results/diagnose/t.pcap/diagnosis.txt"), done.stdout);
    let again = "run results/diagnose/t.pcap/definition.toml --trace t.pcap --out again --quiet";
    sandbox.run(again).exits(0);
    let measured = |path: &str| sandbox.read(path).lines().count();
    assert_eq!(
        measured("again/definition/table.csv"),
        measured("results/diagnose/t.pcap/table.csv")
    );
    let resumed = sandbox.run(SMALL).exits(0);
    assert_eq!(resumed.stdout, done.stdout);
}

fn answers(sandbox: &Sandbox, arguments: &str) -> Vec<Value> {
    let done = sandbox.run(&format!("{arguments} --format json")).exits(0);
    serde_json::from_str(&done.stdout).unwrap()
}

/// Parts in points add up to the difference, and shares to one, with a model and without one.
#[test]
fn parts_add_up_to_the_whole() {
    let sandbox = with_capture();
    let cuckoo = format!("{SMALL} --scheme cuckoo --set choices=2 --set load=0.45 --hash xxh3");
    for (arguments, parts) in [(SMALL, 4), (&cuckoo, 3)] {
        let answer = &answers(&sandbox, arguments)[0];
        let of_parts = |field: &str| -> Vec<f64> {
            let parts = answer["parts"].as_array().unwrap().iter();
            parts.map(|part| part[field]["value"].as_f64().unwrap()).collect()
        };
        let added = of_parts("added");
        assert_eq!(added.len(), parts);
        let difference = answer["difference"]["value"].as_f64().unwrap();
        assert!((added.iter().sum::<f64>() - difference).abs() < 1e-12, "{answer}");
        assert!((of_parts("share").iter().sum::<f64>() - 1.0).abs() < 1e-12, "{answer}");
        assert_eq!(answer["model"].is_null(), parts == 3);
    }
}

/// The error of a part is that of its mean over trials: over 24 seeds, parts scatter by it, within a factor of
/// two, which a right error misses once in millions of times.
#[test]
fn parts_scatter_by_their_errors() {
    let sandbox = with_capture();
    let mut added: Vec<(f64, f64)> = Vec::new();
    for seed in 1..=24 {
        let short = "diagnose t.pcap --quiet --rounds 1000 --trials 20 --set buckets=200";
        let answer = &answers(&sandbox, &format!("{short} --seed {seed}"))[0];
        let parts = answer["parts"].as_array().unwrap().iter();
        let part = parts.into_iter().find(|part| part["cause"] == "packet_order").unwrap();
        let field = |name: &str| part["added"][name].as_f64().unwrap();
        added.push((field("value"), field("std_error")));
    }
    let number = added.len() as f64;
    let mean = added.iter().map(|(value, _)| value).sum::<f64>() / number;
    let scatter =
        added.iter().map(|(value, _)| (value - mean).powi(2)).sum::<f64>() / (number - 1.0);
    let said = added.iter().map(|(_, error)| error * error).sum::<f64>() / number;
    assert!((0.25..4.0).contains(&(scatter / said)), "{scatter} {said}");
}

#[test]
fn a_mistake_in_the_question_is_shown_where_it_stands() {
    let sandbox = with_capture();
    let done = sandbox.run("diagnose t.pcap --quiet --scheme multipel --set load=much").exits(2);
    assert_snapshot!(done.stderr, @r#"
    error: `scheme` cannot be the text "multipel"
      --> (this question):11:10
       |
    11 | scheme = "multipel"
       |          ^^^^^^^^^^ no such name
       |
       = help: did you mean `multiple`?

    error: `load` cannot be the text "much"
      --> (this question):13:8
       |
    13 | load = "much"
       |        ^^^^^^ expected a number from 0.000001 to 1000
    "#);
    let done = sandbox.run("diagnose t.pcap --quiet --scheme multiple --set choises=2").exits(2);
    assert_snapshot!(done.stderr, @"
    error: unknown key `choises`
      --> (this question):14:1
       |
    14 | choises = 2
       | ^^^^^^^ no series of this experiment has such a parameter
       |
       = help: did you mean `choices`?
    ");
    let done = sandbox.run("diagnose t.pcap --quiet --scheme multiple").exits(2);
    assert_eq!(done.stderr.matches("`choices`: missing").count(), 1, "{}", done.stderr);
    let done = sandbox.run("diagnose missing.pcap --quiet").exits(2);
    assert_snapshot!(done.stderr, @"
    error: no such trace: `missing.pcap`, given on the command line
    --> (this question)
    ");
}

/// What is measured without any cause takes the place of a limit.
#[test]
fn a_scheme_without_a_limit_is_split_too() {
    let sandbox = with_capture();
    let cuckoo = format!("{SMALL} --scheme cuckoo --set choices=2 --set load=0.45 --hash crc32c");
    let done = sandbox.run(&cuckoo).exits(0);
    assert_snapshot!(done.stdout, @"
    t.pcap: 16,239 of 20,000 packets have a tcp-header key, 13,315 different ones
    cuckoo with crc32c, buckets = 1000, choices = 2, load = 0.45
    20 trials in each of 8 settings; a trial has 10,000 rounds (one element deleted, one inserted)
    and goes 1.2 times through the trace. ± is one standard error.

      on this trace                14.71 ± 0.17 % of the elements overflow
      without the causes below    0.107 ± 0.015 % (measured: ideal hash, no key twice)
      difference                  +14.61 ± 0.18 percentage points

    owed to                          points  of the difference        cured alone       on its own
      hash function            +9.75 ± 0.16       66.7 ± 0.6 %       +9.09 ± 0.19      +10.1 ± 0.2
      repeated keys            +2.55 ± 0.07       17.5 ± 0.5 %       +4.59 ± 0.15     +0.24 ± 0.02
      order of the packets     +2.31 ± 0.05       15.8 ± 0.4 %       +4.37 ± 0.15   -0.020 ± 0.019
      all together            +14.61 ± 0.18

    The largest part is owed to: hash function.

    - The hash function crc32c serves these keys worse than an ideal one: its choices are uneven, or
      hang together.
    - The trace repeats its keys: 18.0 % of the packets bring one that came before. Elements of one
      key have the same buckets to choose from, and crowd there.
    - Packets of one key come close together: 13.6 % of the packets find their key stored already;
      in a random order 1.1 % would.
    - What the size of the table adds is not known: theory gives no limit for this scheme with these
      parameters.

    measured                                          overflow, %   find key stored, %
      as captured                                    14.71 ± 0.17                 13.6
      each key once                                  10.12 ± 0.18                  0.0
      random order                                   10.35 ± 0.19                  1.1
      each key once, random order                      10.2 ± 0.2                  0.0
      ideal hash                                      5.63 ± 0.05                 13.6
      each key once, ideal hash                     0.087 ± 0.009                  0.0
      random order, ideal hash                      0.349 ± 0.013                  1.1
      each key once, random order, ideal hash       0.107 ± 0.015                  0.0

    Causes that meet cost more, or less, than each by itself. Points are averages over the orders in
    which the causes can be removed one after the other. Cured alone: what removing this one saves
    while the others stay. On its own: what this one costs without the others.

    warning: 3,761 packets (18.8 %) have no tcp-header key and are left out
    ");
}

/// SipHash stands in for an ideal hash function: asked about, it is held against itself.
#[test]
fn the_ideal_hash_function_is_no_cause() {
    let sandbox = with_capture();
    let done = sandbox.run(&format!("{SMALL} --hash siphash")).exits(0);
    let words = "- The hash function siphash changes nothing: it is the ideal one.";
    assert!(done.stdout.contains(words), "{}", done.stdout);
    assert!(
        done.stdout.contains("\n  hash function                      +0                0 % "),
        "{}",
        done.stdout
    );
}

#[test]
fn drawn_choices_are_no_question() {
    let done = with_capture().run("diagnose t.pcap --hash random").exits(2);
    assert_snapshot!(done.stderr, @"error: --hash random looks at no key, so that no trace makes a difference to it; name a hash function, such as siphash");
}

/// The warnings of an answer, one to a line.
fn warnings(sandbox: &Sandbox, arguments: &str) -> String {
    let answers = answers(sandbox, arguments);
    let warnings = answers[0]["warnings"].as_array().unwrap().iter();
    warnings.map(|warning| warning.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_makes_an_answer_less_than_it_seems_is_said() {
    let sandbox = with_capture();
    let two = "1.1.1.1,2.2.2.2\n3.3.3.3,4.4.4.4\n1.1.1.1,2.2.2.2\n".repeat(50);
    sandbox.write("two.csv", format!("src,dst\n{two}"));
    let few = "diagnose two.csv --layout csv --key src-dst -q --hash xxh3 --rounds 2000 --trials 12 \
               --set buckets=100";
    assert_snapshot!(warnings(&sandbox, few), @"few keys: the table stores 30 elements, and the trace has 2 different keys. Trials with each key once go through these 1,315 times, each time under new hash functions, as if they were other keys: what they measure is a table of different keys, which this trace cannot fill");
    assert_snapshot!(warnings(&sandbox, "diagnose t.pcap -q --hash xxh3 --packets 1500 --rounds 4000 --trials 4 --set buckets=1000"), @"
    short trace: a trial goes through its 1,148 packets 9.0 times, each time under new hash functions, and the table stores 300 elements. A key that is still stored when the trace begins again is not recognised: repeated keys cost more than is shown
    352 packets (23.5 %) have no tcp-header key and are left out
    4 trials: the errors themselves are rough; --trials asks for more
    ");
    assert_snapshot!(warnings(&sandbox, "diagnose t.pcap -q --hash xxh3 --packets 3000 --rounds 40000 --trials 12 --set buckets=100"), @"
    a trial goes through the trace 17 times, each time under new hash functions: the errors are those of this trace, and say nothing of another hour of the same link
    630 packets (21.0 %) have no tcp-header key and are left out
    smaller than the error, and marked with ?: hash function. That it is small is known, not how small; four times as many --trials halve the errors
    ");
}

#[test]
fn a_doubtful_layout_is_said_in_run_and_diagnose() {
    let sandbox = with_capture();
    sandbox.write("flows.dat", (0..30_000_u32).map(|i| (i * 7 % 251) as u8).collect::<Vec<u8>>());
    let warning =
        "warning: flows.dat: many records have protocols that do not exist; another layout?";
    let short = "--layout elastic13 --key five-tuple -q --rounds 500 --trials 2 --set buckets=100";
    let done = sandbox.run(&format!("diagnose flows.dat {short}")).exits(0);
    assert!(done.stderr.contains(warning), "{}", done.stderr);
    let again =
        "run results/diagnose/flows.dat/definition.toml --trace flows.dat --layout elastic13 -q";
    let done = sandbox.run(again).exits(0);
    assert!(done.stderr.contains(warning), "{}", done.stderr);
    let keys = sandbox.run("trace keys --layout elastic13 flows.dat --out keys.csv").exits(0);
    assert!(keys.stderr.contains(warning), "{}", keys.stderr);
}

/// A part of a trace is another trace, of which nothing of the whole is taken up.
#[test]
fn a_part_of_the_capture_is_asked_about() {
    let sandbox = with_capture();
    let whole = &answers(&sandbox, SMALL)[0];
    let part = &answers(&sandbox, &format!("{SMALL} --packets 8000"))[0];
    assert_eq!((&whole["packets"], &part["packets"]), (&20_000.into(), &8000.into()));
    assert_ne!(whole["difference"], part["difference"]);
    let again = &answers(&sandbox, SMALL)[0];
    assert_eq!(again, whole);
}

#[test]
fn a_parameter_is_set_once_and_a_number_may_be_written_as_one_likes() {
    let sandbox = with_capture();
    let set = |params: &str| sandbox.run(&format!("{SMALL} {params}"));
    assert_snapshot!(set("--set hash=xxh3").exits(2).stderr, @"error: --set hash: use --hash");
    assert_snapshot!(set("--set buckets=10").exits(2).stderr, @"error: --set buckets is given twice");
    let done = set("--set load=.5").exits(0);
    assert!(done.stdout.contains(", load = 0.5\n"), "{}", done.stdout);
    let done = set("--set load=NaN").exits(2);
    assert!(done.stderr.contains("`load` cannot be the text \"NaN\""), "{}", done.stderr);
}

/// What the sub-tables are takes the place of the buckets that are put where nothing is said.
#[test]
fn a_table_of_listed_sub_tables_is_no_contradiction() {
    let sandbox = with_capture();
    let mut command = sandbox.command(BINARY);
    command.args("diagnose t.pcap -q --scheme second-chance --rounds 500 --trials 2".split(' '));
    let sub_tables = "sub_table_buckets=[\"90 30\", \"60 60\"]";
    command.args(["--set", sub_tables, "--set", "elements=60"]);
    let done = Done::run(&mut command).exits(0);
    for sizes in ["90 30", "60 60"] {
        assert!(done.stdout.contains(&format!("sub_table_buckets = \"{sizes}\"")), "{done:?}");
    }
}

#[test]
fn a_damaged_capture_is_said_to_be_damaged() {
    let sandbox = with_capture();
    let capture = std::fs::read(sandbox.path("t.pcap")).unwrap();
    std::fs::write(sandbox.path("t.pcap"), &capture[..capture.len() - 1]).unwrap();
    let done = sandbox.run(SMALL).exits(0);
    assert!(done.stderr.contains("trace is damaged"), "{}", done.stderr);
}
