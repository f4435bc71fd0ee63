//! Mistakes of the user's: status 2, the place, the remedy, and nothing is run.

use insta::assert_snapshot;

use crate::definitions::DUEL;
use crate::sandbox::{BINARY, Done, Sandbox};

#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &str) -> String {
    let done = sandbox.run(arguments).exits(2);
    assert_eq!(done.stdout, "");
    assert!(!sandbox.path("results").exists(), "something was run");
    done.stderr
}

fn misspelt() -> Sandbox {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.write("bad.toml", DUEL.replace("choices", "choises"));
    sandbox
}

#[test]
fn a_misspelt_key() {
    assert_snapshot!(refused(&misspelt(), "run duel bad.toml"), @"
    error: unknown key `choises`
      --> bad.toml:21:1
       |
    21 | choises = 2
       | ^^^^^^^ the scheme `multiple` has no such parameter
       |
       = help: did you mean `choices`?
    ");
}

#[test]
fn every_mistake_at_once() {
    let sandbox = misspelt();
    let text = DUEL.replace("buckets = 64", "buckets = -64").replace("0.5, 1.0", "0.5, true");
    sandbox.write("worse.toml", text);
    assert_snapshot!(refused(&sandbox, "check bad.toml worse.toml"), @"
    error: unknown key `choises`
      --> bad.toml:21:1
       |
    21 | choises = 2
       | ^^^^^^^ the scheme `multiple` has no such parameter
       |
       = help: did you mean `choices`?

    error: `buckets` cannot be -64
      --> worse.toml:11:11
       |
    11 | buckets = -64
       |           ^^^ expected a whole number from 1 to 2147483647

    error: `load` cannot be true
      --> worse.toml:12:17
       |
    12 | load    = [0.5, true]
       |                 ^^^^ expected a number from 0.000001 to 1000
    ");
}

#[test]
fn an_unknown_experiment() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    assert_snapshot!(refused(&sandbox, "run dule"), @"error: no experiment, folder or TOML file is called `dule`; did you mean `duel`?");
}

#[test]
fn an_unknown_scheme() {
    let sandbox = Sandbox::new(&[]);
    let refused = refused(&sandbox, "schemes nonsense");
    // Their number grows with each scheme, hash function and workload.
    let (message, names) = refused.split_once("; there are ").unwrap();
    assert_snapshot!(message, @"error: there is no scheme, hash or workload `nonsense`");
    assert_eq!(names.split("such as ").nth(1).unwrap().matches('`').count(), 10);
    let near = self::refused(&sandbox, "schemes cukoo");
    assert_snapshot!(near, @"error: there is no scheme, hash or workload `cukoo`; did you mean `cuckoo`?");
}

#[test]
fn no_point_is_left() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    assert_snapshot!(refused(&sandbox, "run duel --only CUCKOO"), @"error: no point matches --only; it is looked for in experiment and series, such as `duel SINGLE`");
}

#[test]
fn impossible_options() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for arguments in
        ["run --threads 0", "run --shard 3/2", "run --only (", "run --scale huge", "", "fly"]
    {
        refused(&sandbox, arguments);
    }
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let on_terminal = |no_color: Option<&str>| {
        let sandbox = misspelt();
        let mut command = sandbox.command("script");
        command.args(["-qec", &format!("{BINARY} check bad.toml"), "/dev/null"]);
        command.envs(no_color.map(|value| ("NO_COLOR", value))).env("TERM", "xterm");
        Done::run(&mut command).exits(2).stdout
    };
    assert!(on_terminal(None).contains('\x1b'));
    assert!(!on_terminal(Some("1")).contains('\x1b'));
    assert!(!refused(&misspelt(), "check bad.toml").contains('\x1b'));
}

/// What a terminal or a page would obey is shown to the user in words.
#[test]
fn characters_that_do_something_are_mistakes() {
    let sandbox = Sandbox::new(&[]);
    let text = DUEL
        .replace("Two choices against one", "Two\\u001b[2J")
        .replace("label  = \"SINGLE\"", "label = \"a\\u202Eb\"");
    sandbox.write("bad.toml", text);
    assert_snapshot!(refused(&sandbox, "check bad.toml"), @r#"
    error: `title` has the character U+001B
     --> bad.toml:1:10
      |
    1 | title  = "Two\u001b[2J"
      |          ^^^^^^^^^^^^^^ it would not be shown, but do something

    error: `label` has the character U+202E
      --> bad.toml:15:9
       |
    15 | label = "a\u202Eb"
       |         ^^^^^^^^^^ it would not be shown, but do something
    "#);
}

#[test]
fn what_could_be_known_is_said_before_anything_runs() {
    let rows = "id,experiment,place,series,at,metric,value,compare,note\n\
                D-1,dule,Fig. 1,SINGLE,load=1.0,overflow_fraction,50%,measured,\n";
    let precise =
        "precision = { metric = \"false_positive_rate\", relative = 0.1, max_trials = 99 }";
    let text = DUEL.replace("trials = { smoke = 12, quick = 16, paper = 32 }", precise);
    let sandbox = Sandbox::new(&[("duel", &text)]);
    assert_snapshot!(refused(&sandbox, "check duel"), @r#"
    error: the series `SINGLE` does not measure `false_positive_rate`
     --> experiments/duel.toml:2:1
      |
    2 | precision = { metric = "false_positive_rate", relative = 0.1, max_trials = 99 }
      | ^^^^^^^^^ its scheme is of the family `tables`

    error: the series `MULTIPLE` does not measure `false_positive_rate`
     --> experiments/duel.toml:2:1
      |
    2 | precision = { metric = "false_positive_rate", relative = 0.1, max_trials = 99 }
      | ^^^^^^^^^ its scheme is of the family `tables`
    "#);
    sandbox.write("experiments/published.csv", rows);
    assert_snapshot!(refused(&sandbox, "check duel"), @"
    error: no experiment here is called `dule`
     --> experiments/published.csv:2:5
      |
    2 | D-1,dule,Fig. 1,SINGLE,load=1.0,overflow_fraction,50%,measured,
      |     ^^^^
      |
      = help: did you mean `duel`?
    ");
    let rows = rows.replace("dule", "duel").replace("overflow_fraction", "false_positive_rate");
    let curve =
        "D-2,duel,Fig. 1,lower_bound,accesses_per_insertion=nan,overflow_fraction,50%,measured,\n";
    sandbox.write("experiments/duel.toml", DUEL);
    sandbox.write("experiments/published.csv", format!("{rows}{curve}"));
    assert_snapshot!(refused(&sandbox, "check duel"), @"
    error: the series `SINGLE` has no `false_positive_rate`
     --> experiments/published.csv:2:33
      |
    2 | D-1,duel,Fig. 1,SINGLE,load=1.0,false_positive_rate,50%,measured,
      |                                 ^^^^^^^^^^^^^^^^^^^ its scheme is of the family `tables`

    error: a curve has no place `accesses_per_insertion=nan`
     --> experiments/published.csv:3:29
      |
    3 | D-2,duel,Fig. 1,lower_bound,accesses_per_insertion=nan,overflow_fraction,50%,measured,
      |                             ^^^^^^^^^^^^^^^^^^^^^^^^^^ expected such as `accesses_per_insertion=2`
    ");
}

/// A quantity that no series has would give an empty figure after an hour.
#[test]
fn quantities_that_no_series_measures() {
    let said = |tail: &str| {
        let sandbox = Sandbox::new(&[("duel", &format!("{DUEL}\n{tail}"))]);
        let done = sandbox.run("check duel").exits(2);
        done.stderr
            .lines()
            .filter(|line| line.starts_with("error") || line.contains('^'))
            .map(|line| format!("{}\n", line.trim()))
            .collect::<String>()
    };
    let figure = |y: &str| said(&format!("[[figure]]\nx = \"load\"\ny = \"{y}\"\n"));
    let derived = |keys: &str| said(&format!("[[derived]]\nname = \"q\"\n{keys}\n"));
    assert_snapshot!(figure("false_positive_rate"), @r#"
    error: `y` cannot be the text "false_positive_rate"
    |     ^^^^^^^^^^^^^^^^^^^^^ no series of the family `tables` measures it
    "#);
    assert_snapshot!(figure("load"), @r#"
    error: `y` cannot be the text "load"
    |     ^^^^^^ expected a metric
    "#);
    assert_snapshot!(derived("largest_error = \"false_positive_rate\""), @r#"
    error: `largest_error` cannot be the text "false_positive_rate"
    |                 ^^^^^^^^^^^^^^^^^^^^^ no series of the family `tables` measures it
    "#);
    assert_snapshot!(derived("largest_error = \"overflow_fraction\"\nwhere = \"overflow_fractoin > 0.1\""), @"
    error: `overflow_fractoin` is no metric
    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(derived("ratio = [\"SINGLE\", \"MULTIPLE\"]\nof = \"overflow_fraction\"\nat = { lode = 0.5 }"), @"
    error: no point has a `lode`
    |        ^^^^
    ");
    assert_snapshot!(derived("ratio = [\"SINGLE\", \"MULTIPLE\"]\nof = \"overflow_fraction\""), @"
    error: 2 points of the series `SINGLE` are there
    | ^^^^^^^^^^^ `at` must leave one point of each series
    error: 2 points of the series `MULTIPLE` are there
    | ^^^^^^^^^^^ `at` must leave one point of each series
    ");
}

/// A mistake at a scale that nobody asked for is found before the night in which it is run.
#[test]
fn check_looks_at_every_scale() {
    let derived = "[[derived]]\nname = \"q\"\nratio = [\"SINGLE\", \"MULTIPLE\"]\nof = \"overflow_fraction\"\n\
                   at = { load = 0.7 }\n";
    let sandbox = Sandbox::new(&[("duel", &format!("{DUEL}\n{derived}"))]);
    let said = refused(&sandbox, "check duel");
    assert!(said.starts_with("at the scale `paper`:\n\nerror: no point of the series"), "{said}");
    assert!(said.contains("`load = 0.7` is not among its values: 0.5, 1"), "{said}");
    let run = sandbox.run("run duel").exits(0);
    let note =
        "note: q: no point of `SINGLE` is there: `load = 0.7` is not among its values: 0.5, 1";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

/// Definitions of which the scale `paper` has a point that cannot be timed, beside one that is sound.
fn timed_but_at_paper() -> Sandbox {
    let timed = r#"title = "Times"
[workload]
kind = "static-fill"
[point]
hash    = { smoke = ["xxh3"], quick = ["xxh3"], paper = ["random"] }
load    = 0.5
buckets = 64
[[series]]
label  = "SINGLE"
scheme = "single"
[time]
samples = 6
layouts = 2
"#;
    Sandbox::new(&[("duel", DUEL), ("timed", timed)])
}

/// What cannot be timed is a mistake like any other, also at a scale that nobody asked for.
#[test]
fn check_looks_at_every_scale_for_what_cannot_be_timed() {
    let sandbox = timed_but_at_paper();
    let elsewhere = refused(&sandbox, "check");
    assert!(elsewhere.starts_with("at the scale `paper`:\n\nerror: timed: "), "{elsewhere}");
    let asked = refused(&sandbox, "check --scale paper");
    assert!(asked.starts_with("error: timed: "), "{asked}");
    sandbox.run("check duel").exits(0);
}

/// A list of sound definitions with one of the mistaken among them would be taken at its word.
#[test]
fn check_lists_as_sound_what_has_no_mistake_at_any_scale() {
    let sandbox = timed_but_at_paper();
    let checked = sandbox.run("check --format json").exits(2).stdout;
    let checked: serde_json::Value = serde_json::from_str(&checked).unwrap();
    let names: Vec<&serde_json::Value> =
        checked["definitions"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["duel"]);
    let mistakes = checked["mistakes"].as_array().unwrap();
    assert_eq!((mistakes.len(), &mistakes[0]["scale"]), (1, &"paper".into()));
}

#[test]
fn check_refuses_what_bench_cannot_time() {
    let sandbox = Sandbox::new(&[]);
    let timed = DUEL.split("[[figure]]").next().unwrap().replace("alternation", "static-fill");
    let timed = timed.replace("rounds = 500\n", "").replace("largest_room = 1000\n", "");
    let timed = timed.replace("trials = { smoke = 12, quick = 16, paper = 32 }\n", "");
    sandbox.write("timed.toml", format!("{timed}\n[time]\nsamples = 5\nlayouts = 1\n"));
    let said = refused(&sandbox, "check timed.toml");
    assert!(said.starts_with("error: timed: the series `SINGLE` has nothing to time"), "{said}");
    assert!(said.contains("hash = \"xxh3\""), "{said}");
    sandbox.run("check timed.toml --set point.hash=xxh3").exits(0);
}
