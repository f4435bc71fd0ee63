//! `loadfactor published`.

use crate::definitions::DUEL;
use crate::sandbox::Sandbox;

const PUBLISHED: &str = "\
id,experiment,place,series,at,metric,value,compare,note
D-1,duel,Fig. 1,SINGLE,load=1.0,overflow_fraction,50.0%,exact,
D-2,duel,Fig. 1,MULTIPLE,load=1.0,overflow_fraction,37.7%,measured,
D-3,duel,Fig. 1,MULTIPLE,load=0.5,overflow_fraction,40%,measured,
D-4,duel,Fig. 1,what a choice saves,,,1 ± 2,measured,
D-5,duel,Fig. 2,,,,high,not-testable,a drawing
";

fn sandbox() -> Sandbox {
    let derived = "\n[[derived]]\nname = \"what a choice saves\"\nratio = [\"SINGLE\", \"MULTIPLE\"]\n\
                   of = \"overflow_fraction\"\nat = { load = 1.0 }\n";
    let sandbox = Sandbox::new(&[("duel", &format!("{DUEL}{derived}"))]);
    sandbox.write("experiments/published.csv", PUBLISHED);
    sandbox
}

/// The verdict of each row, by its id.
fn verdicts(sandbox: &Sandbox) -> Vec<String> {
    let printed = sandbox.run("published").exits(0).stdout;
    let rows = printed.lines().filter(|line| line.starts_with("| D-"));
    rows.map(|row| row.rsplit('|').nth(1).unwrap().trim().to_owned()).collect()
}

#[test]
fn computed_values_are_judged_without_a_run_and_measured_ones_after_it() {
    let sandbox = sandbox();
    let [first, others @ ..] = &verdicts(&sandbox)[..] else { panic!() };
    let not_testable = "not testable: a drawing";
    assert_eq!(others, ["not run", "not run", "not run", not_testable]);
    sandbox.run("run --quiet").exits(0);
    let after = verdicts(&sandbox);
    assert_eq!(after[0], *first);
    assert_eq!(after[1..], ["undecided", "not met", "no information", not_testable]);
    assert!(
        sandbox.read("results/duel/derived.csv").contains("what a choice saves,overflow_fraction,")
    );
}

#[test]
fn the_score_counts_every_row_once() {
    let printed = sandbox().run("published").exits(0).stdout;
    let score = printed.lines().last().unwrap();
    let counts: Vec<usize> =
        score.split('|').filter_map(|field| field.trim().parse().ok()).collect();
    assert_eq!(counts[0], 5);
    assert_eq!(counts[1..].iter().sum::<usize>(), 5);
}

/// 64 elements in 64 buckets, by Theorem 1: 63/127.
#[test]
fn our_value_stands_in_the_unit_of_the_printed_one() {
    let printed = sandbox().run("published").exits(0).stdout;
    let row = printed.lines().find(|line| line.starts_with("| D-1 |")).unwrap();
    assert!(row.contains("| 50.0% | 49.6063% |  | exact | not met |"), "{row}");
}

/// A printed value speaks of the document's experiment, and not of one that the command line made of it.
#[test]
fn another_experiment_is_held_against_nothing_printed() {
    let sandbox = sandbox();
    let words = sandbox.read("experiments/duel.toml") + "\n";
    sandbox.write("experiments/duel.toml", format!("analysis = \"One choice is bad.\"\n{words}"));
    sandbox.run("run duel -q --set point.bucket_size=2").exits(0);
    let report = sandbox.read("results/duel/report.md");
    assert!(report.contains("| Set on the command line | `--set` | point.bucket_size=2 |"));
    assert!(!report.contains("One choice is bad."));
    let printed = sandbox.run("published --set point.bucket_size=2").exits(0).stdout;
    let rows = printed.lines().filter(|line| line.starts_with("| D-"));
    assert_eq!(rows.filter(|row| row.ends_with("| not run |")).count(), 4, "{printed}");
    let longer = sandbox.run("published --set trials=20").exits(0).stdout;
    assert!(longer.contains("| 49.6063% |"), "{longer}");
}

#[test]
fn an_experiment_that_is_named_with_its_document_is_counted_once() {
    let sandbox = sandbox();
    sandbox.write(
        "experiments/documents.toml",
        "[paper]\ntitle = \"T\"\nauthors = \"A\"\nyear = 2000\n",
    );
    let text = format!("document = \"paper\"\n{}", sandbox.read("experiments/duel.toml"));
    sandbox.write("experiments/duel.toml", text);
    let score = |arguments: &str| {
        let printed = sandbox.run(arguments).exits(0).stdout;
        printed.lines().last().unwrap().to_owned()
    };
    assert_eq!(score("published paper duel"), score("published paper"));
    sandbox.write("experiments/broken.toml", "title = ");
    let done = sandbox.run("published paper").exits(2);
    assert!(done.stderr.contains("broken.toml:1"), "{}", done.stderr);
    assert!(sandbox.run("published duel").exits(0).stdout.contains("D-1"));
}

#[test]
fn a_document_that_is_nearly_named_is_suggested_and_one_without_printed_values_says_so() {
    let sandbox = sandbox();
    let documents = "[paper-2000]\ntitle = \"T\"\nauthors = \"A\"\nyear = 2000\n";
    sandbox.write("experiments/documents.toml", documents);
    let text = format!("document = \"paper-2000\"\n{}", sandbox.read("experiments/duel.toml"));
    sandbox.write("experiments/duel.toml", text);
    let said = sandbox.run("published paper").exits(2).stderr;
    assert_eq!(
        said.trim(),
        "error: no document or experiment is called `paper`; did you mean `paper-2000`?"
    );
    assert!(sandbox.run("list").exits(0).stdout.contains("Two choices against one (paper-2000)"));
    sandbox.write("mine.toml", DUEL);
    let mine = sandbox.run("published mine.toml").exits(0);
    assert_eq!(mine.stdout, "");
    assert!(
        mine.stderr.contains("none of these experiments has printed values"),
        "{}",
        mine.stderr
    );
}

/// Printed values whose experiment cannot be planned are not read, and yet are there.
#[test]
fn printed_values_that_could_not_be_read_are_not_said_to_be_missing() {
    let sandbox = sandbox();
    let text = sandbox.read("experiments/duel.toml");
    let of_trace = "rounds = 500\nkeys = \"trace\"\ntrace = \"damaged.pcap\"";
    let text = text.replace("rounds = 500", of_trace);
    sandbox.write("experiments/duel.toml", text.replace("[point]", "[point]\nhash = \"xxh3\""));
    sandbox.write("experiments/damaged.pcap", "no capture");
    let said = sandbox.run("published duel --scale smoke").exits(1).stderr;
    assert!(said.contains("duel: FAILED: "), "{said}");
    assert!(!said.contains("none of these experiments"), "{said}");
}
