//! Keys and names that nobody knows, that are missing, or that stand twice.

use super::assert_tells;
use crate::definition::tests::{Files, GOOD, changed, mistakes};

#[test]
fn syntax_errors_are_all_shown() {
    insta::assert_snapshot!(mistakes("title = \"x\ntrials = 1 2\n[workload\nkind = \"alternation\"\n"), @r#"
    error: this is not TOML
     --> fig4.toml:1:11
      |
    1 | title = "x
      |           ^ invalid basic string, expected `"`

    error: this is not TOML
     --> fig4.toml:2:10
      |
    2 | trials = 1 2
      |          ^^^ string values must be quoted, expected literal string
      |
      = help: several values are a list: `trials = [1, 2]`

    error: this is not TOML
     --> fig4.toml:3:10
      |
    3 | [workload
      |          ^ unclosed table, expected `]`
    "#);
}

/// A parameter that stands, or is set, outside of its table.
#[test]
fn a_parameter_at_the_top_is_told_with_its_table() {
    let told = |line: &str| mistakes(&format!("{line}\n{GOOD}"));
    assert_tells(&told("buckets = 64"), &["did you mean `point.buckets`?"]);
    assert_tells(&told("overflow_law = 2"), &["did you mean `workload.overflow_law`?"]);
    assert_tells(&told("layouts = 2"), &["did you mean `time.layouts`?"]);
    assert_tells(&told("titles = 2"), &["did you mean `title`?"]);
}

#[test]
fn misspelt_keys_are_answered_with_the_nearest_and_not_also_reported_as_missing() {
    let definition = GOOD
        .replace("title", "titel")
        .replace("buckets =", "bukets =")
        .replace("rounds", "round")
        .replace("y_scale", "yscale")
        .replace("label = \"MULTIPLE\"", "lable = \"MULTIPLE\"\nbanana = 1");
    insta::assert_snapshot!(mistakes(&definition), @r#"
    error: unknown key `titel`
     --> fig4.toml:1:1
      |
    1 | titel = "Overflow against accesses"
      | ^^^^^ an experiment has no such key
      |
      = help: did you mean `title`?

    error: unknown key `round`
     --> fig4.toml:8:1
      |
    8 | round = { smoke = 20_000, paper = 1_000_000 }
      | ^^^^^ no workload of this experiment has such a parameter
      |
      = help: did you mean `rounds`?

    error: unknown key `bukets`
      --> fig4.toml:12:1
       |
    12 | bukets = 1024
       | ^^^^^^ no series of this experiment has such a parameter
       |
       = help: did you mean `buckets`?

    error: unknown key `lable`
      --> fig4.toml:17:1
       |
    17 | lable = "MULTIPLE"
       | ^^^^^ the scheme `multiple` has no such parameter
       |
       = help: did you mean `label`?

    error: unknown key `banana`
      --> fig4.toml:18:1
       |
    18 | banana = 1
       | ^^^^^^ the scheme `multiple` has no such parameter
       |
       = help: valid: `label`, `scheme`, `workload`, `trials`, `precision`, `zip`, `bucket_size`, `buckets`, `buckets_per_element`, `choices`, `choices_from`, `elements`, `hash`, `insertion_probability`, `load`, `move_back`, `slice_bits`, `sub_table_buckets`, `sub_table_factor`, `sub_tables`

    error: unknown key `yscale`
      --> fig4.toml:34:1
       |
    34 | yscale = "log"
       | ^^^^^^ `[[figure]]` has no such key
       |
       = help: did you mean `y_scale`?
    "#);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let definition = GOOD
        .replace("kanizo-deletions", "kanizo-deletion")
        .replace("kind = \"alternation\"", "kind = \"alternating\"")
        .replace("\"multiple\"", "\"multipel\"")
        .replace("x = \"accesses_per_insertion\"", "x = \"accessed\"")
        .replace("y = \"overflow_fraction\"", "y = \"overflow_fracton\"")
        .replace("series = [\"MULTIPLE\"]", "series = [\"MULTIPEL\"]");
    insta::assert_snapshot!(mistakes(&definition), @r#"
    error: documents.toml does not list `kanizo-deletion`
     --> fig4.toml:2:12
      |
    2 | document = "kanizo-deletion"
      |            ^^^^^^^^^^^^^^^^^
      |
      = help: did you mean `kanizo-deletions`?

    error: `kind` cannot be the text "alternating"
     --> fig4.toml:7:8
      |
    7 | kind = "alternating"
      |        ^^^^^^^^^^^^^ no such name
      |
      = help: did you mean `alternation`?

    error: `scheme` cannot be the text "multipel"
      --> fig4.toml:18:10
       |
    18 | scheme = "multipel"
       |          ^^^^^^^^^^ no such name
       |
       = help: did you mean `multiple`?

    error: `x` cannot be the text "accessed"
      --> fig4.toml:31:5
       |
    31 | x = "accessed"
       |     ^^^^^^^^^^ expected a metric, or a parameter that is a number
       |
       = help: did you mean `accesses`?

    error: `y` cannot be the text "overflow_fracton"
      --> fig4.toml:32:5
       |
    32 | y = "overflow_fracton"
       |     ^^^^^^^^^^^^^^^^^^ expected a metric
       |
       = help: did you mean `overflow_fraction`?

    error: no series has the label `MULTIPEL`
      --> fig4.toml:35:11
       |
    35 | series = ["MULTIPEL"]
       |           ^^^^^^^^^^
       |
       = help: did you mean `MULTIPLE`?
    "#);
}

#[test]
fn missing_keys_are_reported_at_the_header_of_their_table() {
    let definition = "analysis = \"…\"\n[workload]\nkind = \"alternation\"\n[[series]]\nscheme = \"d-random\"\nload = 0.5\n[[series]]\nlabel = \"B\"\n[[figure]]\nx = \"load\"\n";
    insta::assert_snapshot!(mistakes(definition), @r#"
    error: an experiment lacks `title`
     --> fig4.toml:1:1
      |
    1 | analysis = "…"
      | ^ `title`: what the figure or table shows

    error: an experiment lacks `trials`
     --> fig4.toml:1:1
      |
    1 | analysis = "…"
      | ^ expected `trials` or `precision`

    error: `rounds` is missing
     --> fig4.toml:2:1
      |
    2 | [workload]
      | ^^^^^^^^^^ expected a whole number from 1 to 1000000000000
      |
      = help: `rounds`: Rounds of the measuring window.

    error: `[[series]]` lacks `label`
     --> fig4.toml:4:1
      |
    4 | [[series]]
      | ^^^^^^^^^^ `label`: its name in the legend and in the table

    error: `buckets` is missing
     --> fig4.toml:4:1
      |
    4 | [[series]]
      | ^^^^^^^^^^ expected a whole number from 1 to 2147483647
      |
      = help: `buckets`: Number of buckets, m.

    error: `choices` is missing
     --> fig4.toml:4:1
      |
    4 | [[series]]
      | ^^^^^^^^^^ expected a whole number from 1 to 1024
      |
      = help: `choices`: Number of choices, d: independent uniform hash functions, with replacement.

    error: `scheme` is missing
     --> fig4.toml:7:1
      |
    7 | [[series]]
      | ^^^^^^^^^^ expected `scheme = "…"`
      |
      = help: valid: [schemes]

    error: `[[figure]]` lacks `y`
     --> fig4.toml:9:1
      |
    9 | [[figure]]
      | ^^^^^^^^^^ `y`: column along the vertical axis
    "#);
    insta::assert_snapshot!(mistakes(""), @"
    error: an experiment lacks `title`
     --> fig4.toml:1:1
      |
    1 |
      | ^ `title`: what the figure or table shows

    error: an experiment lacks `series`
     --> fig4.toml:1:1
      |
    1 |
      | ^ `series`: what is compared, one [[series]] for each line of the figure

    error: an experiment lacks `trials`
     --> fig4.toml:1:1
      |
    1 |
      | ^ expected `trials` or `precision`
    ");
}

#[test]
fn a_series_needs_a_workload_from_somewhere() {
    let definition = "title = \"t\"\ntrials = 10\n[point]\nscheme = \"single\"\nbuckets = 9\nload = 1\n\
        [[series]]\nlabel = \"a\"\nworkload = { kind = \"static-fill\" }\n[[series]]\nlabel = \"b\"\n";
    let shown = mistakes(definition);
    assert!(shown.contains("the series lacks a workload, and there is no `[workload]`"), "{shown}");
    assert!(shown.contains("fig4.toml:10:1"), "{shown}");
    let complete = definition.split("[[series]]\nlabel = \"b\"").next().unwrap();
    assert_eq!(Files::new(complete).parse().unwrap().points[0].workload, "static-fill");
}

#[test]
fn labels_and_ids_are_unique() {
    let definition =
        format!("{GOOD}[[figure]]\nid = \"1\"\nx = \"load\"\ny = \"overflow_fraction\"\n")
            .replace("\"SINGLE, static\"", "\"MULTIPLE\"");
    insta::assert_snapshot!(mistakes(&definition), @r#"
    error: two series have the label `MULTIPLE`
      --> fig4.toml:22:9
       |
    22 | label = "MULTIPLE"
       |         ^^^^^^^^^^
       |
       = help: a label tells the series from all others and from curves: write another one

    error: two figures have the id `1`
      --> fig4.toml:37:1
       |
    37 | id = "1"
       | ^^
    "#);
}

/// A key that no series has is not called a parameter of a scheme that nobody knows.
#[test]
fn a_misspelt_scheme_is_no_scheme_without_a_name() {
    let definition = changed("scheme = \"single\"", "schema = \"single\"");
    let mistakes = mistakes(&definition);
    let said = "a series has no such key, and its scheme is not known";
    assert!(mistakes.contains(said) && mistakes.contains("did you mean `scheme`?"), "{mistakes}");
}

#[test]
fn a_parameter_of_another_scheme_is_unknown_to_this_one() {
    let definition = changed("load = [0.5, 0.9]", "load = [0.5, 0.9]\nchoices = 2");
    let definition = definition.replace("keys = \"sequential\"", "rounds = 5");
    insta::assert_snapshot!(mistakes(&definition), @r#"
    error: unknown key `choices`
      --> fig4.toml:25:1
       |
    25 | choices = 2
       | ^^^^^^^ the scheme `single` has no such parameter
       |
       = help: it is a parameter of [schemes with `choices`]
       = help: valid here: `label`, `scheme`, `workload`, `trials`, `precision`, `zip`, `bucket_size`, `buckets`, `choices_from`, `elements`, `hash`, `insertion_probability`, `load`, `move_back`, `slice_bits`

    error: unknown key `rounds`
      --> fig4.toml:29:36
       |
    29 | workload = { kind = "static-fill", rounds = 5 }
       |                                    ^^^^^^ the workload `static-fill` has no such parameter
       |
       = help: it is a parameter of `alternation`, `relaxation`
       = help: valid here: `kind`, `arrival_order`, `beyond`, `estimator`, `event`, `ever`, `key_fields`, `keys`, `law_from`, `law_step`, `law_to`, `overflow_law`, `particles`, `repeated_keys`, `sub_table_law`, `trace_end`
    "#);
}
