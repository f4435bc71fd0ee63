//! `diagnose`: the gap between measured and predicted overflow, split into its causes.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

/// A sandbox with a capture of 20,000 packets, a sixth of whose TCP packets repeat a key.
fn with_capture() -> Sandbox {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --packets 20000 --seed 3 --active-flows 200 --out t.pcap").exits(0);
    sandbox
}

const SMALL: &str = "diagnose t.pcap --quiet --rounds 10000 --trials 20 --set buckets=1000";

#[test]
fn the_gap_is_split_and_everything_behind_it_is_kept() {
    let sandbox = with_capture();
    let done = sandbox.run(SMALL).exits(0);
    assert_snapshot!(done.stdout, @r#"
    t.pcap: 16239 packets with a tcp-header key, 13315 distinct
    single with wang, load = 0.3, choices_from = "slices", slice_bits = 16, buckets = 1000; 20 trials of 10000 rounds

    step                             overflow fraction std error   repeated
    as captured                               0.294677    1.4e-3     12.0 %
    shuffled                                  0.233457    9.1e-4      0.8 %
    repeats removed                           0.230575    8.1e-4      0.0 %
    random hash                               0.230863    1.0e-3      0.0 %
    exact: Theorem 1                          0.230177
    asymptotic: Theorem 5                     0.230769

    cause                            overflow fraction std error     of gap
    arrival order                            +0.061220    1.6e-3     95.8 %
    repeated keys                            +0.002882    1.2e-3      4.5 %
    hash function                            -0.000287    1.3e-3     -0.4 %
    finite size                              +0.000093    1.0e-3      0.1 %
      finite size, in theory                 -0.000592
    gap                                      +0.063908    1.4e-3

    mostly owed to: arrival order
    "#);
    assert_eq!(sandbox.read("results/diagnose/t.pcap/diagnosis.txt"), done.stdout);
    let again = "run results/diagnose/t.pcap/definition.toml --trace t.pcap --out again --quiet";
    sandbox.run(again).exits(0);
    let measured = |path: &str| sandbox.read(path).lines().count();
    assert_eq!(
        measured("again/definition/table.csv"),
        measured("results/diagnose/t.pcap/table.csv")
    );
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
      --> (this question):15:8
       |
    15 | load = "much"
       |        ^^^^^^ expected a number from 0.000001 to 1000
    "#);
    let done = sandbox.run("diagnose t.pcap --quiet --scheme multiple --set choises=2").exits(2);
    assert_snapshot!(done.stderr, @r#"
    error: unknown key `choises`
      --> (this question):16:1
       |
    16 | choises = 2
       | ^^^^^^^ no series of this experiment has such a parameter
       |
       = help: did you mean `choices`?
    "#);
    let done = sandbox.run("diagnose t.pcap --quiet --scheme multiple").exits(2);
    assert_eq!(done.stderr.matches("`choices`: missing").count(), 1, "{}", done.stderr);
    let done = sandbox.run("diagnose missing.pcap --quiet").exits(2);
    assert_snapshot!(done.stderr, @r#"
    error: no such trace: `missing.pcap`, given on the command line
    --> (this question)
    "#);
}

/// Nothing is run for a question that has no answer.
#[test]
fn a_question_without_a_limit_is_refused_before_anything_runs() {
    let sandbox = with_capture();
    let done = sandbox.run("diagnose t.pcap --scheme cuckoo --set choices=2").exits(2);
    assert_snapshot!(done.stderr, @"error: theory gives no limit of the overflow fraction for this scheme with these parameters; `loadfactor schemes` says where it does");
    assert!(!sandbox.path("results/diagnose").exists());
}

#[test]
fn a_parameter_is_set_once_and_a_number_may_be_written_as_one_likes() {
    let sandbox = with_capture();
    let set = |params: &str| sandbox.run(&format!("{SMALL} {params}"));
    assert_snapshot!(set("--set hash=xxh3").exits(2).stderr, @"error: --set hash: use --hash");
    assert_snapshot!(set("--set buckets=10").exits(2).stderr, @"error: --set buckets is given twice");
    let done = set("--set load=.5").exits(0);
    assert!(done.stdout.contains(", load = 0.5;"), "{}", done.stdout);
    let done = set("--set load=NaN").exits(2);
    assert!(done.stderr.contains("`load` cannot be the text \"NaN\""), "{}", done.stderr);
}

#[test]
fn a_damaged_capture_is_said_to_be_damaged() {
    let sandbox = with_capture();
    let capture = std::fs::read(sandbox.path("t.pcap")).unwrap();
    std::fs::write(sandbox.path("t.pcap"), &capture[..capture.len() - 1]).unwrap();
    let done = sandbox.run(SMALL).exits(0);
    assert!(done.stderr.contains("trace is damaged"), "{}", done.stderr);
}
