//! What a family of schemes does not have: workloads, quantities in figures, operations to time.

use super::assert_tells;
use crate::definition::Experiment;
use crate::definition::tests::{Files, GOOD, changed, mistakes};

/// A workload of filters is a name, and no workload of tables.
#[test]
fn a_workload_of_another_family_is_told_as_such() {
    let found = mistakes(&changed("kind = \"alternation\"", "kind = \"membership\""));
    let label = "the family `filters` has it; the scheme `multiple` is of `tables`";
    assert!(found.contains(label), "{found}");
}

#[test]
fn a_probit_axis_has_ends_between_0_and_1() {
    let text = GOOD.replace("y_scale = \"log\"", "y_scale = \"probit\"\ny_range = [0.01, 1]");
    insta::assert_snapshot!(Files::new(&text).parse().unwrap_err(), @"
    error: `y_range` is no range
      --> fig4.toml:34:11
       |
    34 | y_range = [0.01, 1]
       |           ^^^^^^^^^ a probit axis lies between 0 and 1
    ");
}

/// Filters have no overflow list and no buckets with a number of elements.
#[test]
fn a_figure_shows_what_the_families_of_its_series_have() {
    let of_filters = |figure: &str| {
        format!(
            "title = \"t\"\ntrials = 2\n[workload]\nkind = \"membership\"\nqueries = 10\n\
             [[series]]\nlabel = \"a\"\nscheme = \"bloom-filter\"\nelements = 100\nbits = 1000\n\
             choices = 3\n[[figure]]\n{figure}\n"
        )
    };
    let along = |x: &str, y: &str| mistakes(&of_filters(&format!("x = \"{x}\"\ny = \"{y}\"")));
    insta::assert_snapshot!(along("space", "false_positive_rate"), @r#"
    error: `x` cannot be the text "space"
      --> fig4.toml:13:5
       |
    13 | x = "space"
       |     ^^^^^^^ expected a metric, or a parameter that is a number
       |
       = help: there are 38, such as `bits`, `choices`, `number`, `beyond` or `particles`
    "#);
    insta::assert_snapshot!(along("accesses", "false_positive_rate"), @r#"
    error: `x` cannot be the text "accesses"
      --> fig4.toml:13:5
       |
    13 | x = "accesses"
       |     ^^^^^^^^^^ expected a metric, or a parameter that is a number
       |
       = help: did you mean `accesses_per_insertion` or `accesses_per_absent_lookup`?
    "#);
    insta::assert_snapshot!(along("number", "occupancy"), @r#"
    error: `y` cannot be the text "occupancy"
      --> fig4.toml:14:5
       |
    14 | y = "occupancy"
       |     ^^^^^^^^^^^ expected a metric
       |
       = help: there are 30, such as `max_load`, `max_counter`, `bytes_sent`, `counters_at` or `counters_at_1`
    "#);
    insta::assert_snapshot!(mistakes(&changed("\"accesses_per_insertion\"", "\"accesses\"")), @r#"
    error: `x` cannot be the text "accesses"
      --> fig4.toml:31:5
       |
    31 | x = "accesses"
       |     ^^^^^^^^^^ expected a metric, or a parameter that is a number
       |
       = help: did you mean `accesses_per_insertion`?
    "#);
}

/// What is left over would have no partner, or one that nobody means.
#[test]
fn lines_are_divided_by_as_many_or_by_one() {
    let ratio = |above: &str, below: &str| {
        format!(
            "title = \"t\"\ntrials = 2\n[workload]\nkind = \"static-fill\"\n[point]\nbuckets = 64\n\
             scheme = \"multiple\"\nload = [0.5, 1.0]\n\
             [[series]]\nlabel = \"above\"\nchoices = {above}\n\
             [[series]]\nlabel = \"below\"\nchoices = {below}\n\
             [[figure]]\nx = \"load\"\ny = \"overflow_fraction\"\nseries = [\"above\"]\n\
             ratio_to = [\"below\"]\n"
        )
    };
    for (above, below) in [("2", "3"), ("[2, 3]", "[2, 4]"), ("[2, 3, 4]", "1")] {
        assert!(Experiment::from_text("t", &ratio(above, below)).is_ok(), "{above} {below}");
    }
    insta::assert_snapshot!(mistakes(&ratio("[2, 3]", "[2, 3, 4]")), @r#"
    error: `ratio_to` divides 2 lines of `above` by 3 lines of `below`
      --> fig4.toml:19:12
       |
    19 | ratio_to = ["below"]
       |            ^^^^^^^^^ let both have as many, or the second one alone
    "#);
    let one = mistakes(&ratio("2", "[2, 3]"));
    assert!(one.contains("divides 1 line of `above` by 2 lines of `below`"), "{one}");
}

/// A definition that is timed has no trials, and its table has its own keys.
#[test]
fn what_is_timed_is_no_experiment_of_trials() {
    let timed = "\
title = \"T\"
trials = 3
[workload]
kind = \"membership\"
queries = 10
[point]
scheme = \"bloom-filter\"
hash = \"xxh3\"
bits = 1000
choices = 3
[[series]]
label = \"A\"
elements = [10, 20]
[[series]]
label = \"B\"
elements = 10
[[figure]]
x = \"elements\"
y = \"bits_set_fraction\"
[time]
operations = [\"hit\", \"inser\"]
sample = 3
samples = 3
baseline = \"C\"
";
    assert_tells(
        &mistakes(timed),
        &[
            "a definition with `[time]` has no `trials`",
            "a definition with `[time]` has no `figure`",
            "help: did you mean \"insert\"?",
            "unknown key `sample`",
            "`samples` cannot be 3",
            "`baseline` cannot be the text \"C\"",
        ],
    );
    let shorter = timed
        .replace("trials = 3\n", "")
        .replace("[[figure]]\nx = \"elements\"\ny = \"bits_set_fraction\"\n", "")
        .replace("\"inser\"", "\"miss\"")
        .replace("sample = 3\nsamples = 3", "samples = 6\nlayouts = 7")
        .replace("\"C\"", "\"B\"");
    assert_tells(
        &mistakes(&shorter),
        &["`layouts` is above `samples`", "layouts = 7\n", "^ 7 of 6"],
    );
    let uneven = shorter.replace("layouts = 7", "layouts = 6");
    assert_tells(
        &mistakes(&uneven),
        &["the series `A` has 2 points", "expected 1, as the baseline `B` has"],
    );
}

/// A filter with counters, and one of bits from which nothing can be deleted.
const COUNTED_OR_NOT: &str = "\
title = \"T\"
[workload]
kind = \"membership\"
queries = 10
[point]
hash = \"xxh3\"
bits = 1000
elements = 10
choices = 3
[[series]]
label = \"counters\"
scheme = \"counting-bloom-filter\"
[[series]]
label = \"bits\"
scheme = \"bloom-filter\"
[time]
";

/// A static set is built at once, so that look-ups alone are timed unless a definition asks for more.
#[test]
fn insertions_into_a_static_set_cannot_be_asked_for() {
    let fks = "title = \"t\"\n[workload]\nkind = \"perfect-build\"\n[point]\nhash = \"xxh3\"\n\
               elements = 100\n[[series]]\nlabel = \"FKS\"\nscheme = \"fks\"\n[time]\n";
    insta::assert_snapshot!(mistakes(&format!("{fks}operations = [\"insert\"]\n")), @"
    error: the series `FKS` has no insertions to time
     --> fig4.toml:7:1
      |
    7 | [[series]]
      | ^^^^^^^^^^ `operations` asks for `insert`, and no single element is inserted into `fks` here
    ");
    let operations = Experiment::from_text("timed", fks).unwrap().timing.unwrap().operations;
    assert_eq!(operations.iter().map(|own| own.name()).collect::<Vec<_>>(), ["hit", "miss"]);
}

#[test]
fn deletions_that_there_are_not_cannot_be_asked_for() {
    let named = format!("{COUNTED_OR_NOT}operations = [\"delete\", \"hit\"]\n");
    insta::assert_snapshot!(mistakes(&named), @"
    error: the series `bits` has no deletions to time
      --> fig4.toml:13:1
       |
    13 | [[series]]
       | ^^^^^^^^^^ `operations` asks for `delete`, and nothing is deleted from `bloom-filter` here
    ");
    let operations = |text: &str| {
        let experiment = Experiment::from_text("timed", text).unwrap();
        experiment.timing.unwrap().operations.iter().map(|own| own.name()).collect::<Vec<_>>()
    };
    assert_eq!(operations(COUNTED_OR_NOT), ["insert", "hit", "miss"]);
    let with_counters = |text: &str| text.replace("\"bloom-filter", "\"counting-bloom-filter");
    assert_eq!(operations(&with_counters(COUNTED_OR_NOT)), ["insert", "hit", "miss", "delete"]);
    assert_eq!(operations(&with_counters(&named)), ["hit", "delete"]);
}
