//! What a user sees of every kind of mistake.

use super::{Files, GOOD, HEADER, changed, mistakes, shown};
use crate::definition::{Experiment, Options, Scale, load};

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
fn wrong_types_and_impossible_values_name_what_is_expected() {
    let definition = GOOD
        .replace("place = \"Figure 4\"", "place = 4\nseed = -1")
        .replace("quick = 40", "quick = \"many\"")
        .replace("1_000_000 }", "[10, 20], big = 1 }")
        .replace("buckets = 1024", "buckets = 1024.5")
        .replace("bucket_size = 4\n", "bucket_size = 400\n")
        .replace("[0.5, 0.9]", "[0.5, \"0.9\", -1, 0.5]")
        .replace("\"xxh3\"", "\"xxh\"")
        .replace("\"sequential\"", "\"sequental\"")
        .replace(
            "lines = [\"lower_bound\"]",
            "lines = \"lower_bound\"\nx_range = [1, 0]\nid = \"a b\"",
        );
    insta::assert_snapshot!(mistakes(&definition), @r#"
    error: `place` cannot be 4
     --> fig4.toml:3:9
      |
    3 | place = 4
      |         ^ expected text in quotes

    error: `seed` cannot be -1
     --> fig4.toml:4:8
      |
    4 | seed = -1
      |        ^^ expected a whole number from 0 to 9223372036854775807

    error: `trials` cannot be the text "many"
     --> fig4.toml:5:31
      |
    5 | trials = { smoke = 2, quick = "many", paper = 200 }
      |                               ^^^^^^ expected a whole number from 1 to 1000000000

    error: unknown key `big`
     --> fig4.toml:9:46
      |
    9 | rounds = { smoke = 20_000, paper = [10, 20], big = 1 }
      |                                              ^^^ a value per scale has no such key
      |
      = help: valid: `smoke`, `quick`, `paper`

    error: `buckets` cannot be 1024.5
      --> fig4.toml:13:11
       |
    13 | buckets = 1024.5
       |           ^^^^^^ expected a whole number from 1 to 2147483647

    error: `bucket_size` cannot be 400
      --> fig4.toml:14:15
       |
    14 | bucket_size = 400
       |               ^^^ expected a whole number from 1 to 255

    error: `load` cannot be the text "0.9"
      --> fig4.toml:25:14
       |
    25 | load = [0.5, "0.9", -1, 0.5]
       |              ^^^^^ expected a number from 0.000001 to 1000

    error: `load` cannot be -1
      --> fig4.toml:25:21
       |
    25 | load = [0.5, "0.9", -1, 0.5]
       |                     ^^ expected a number from 0.000001 to 1000

    error: `load` cannot be 0.5
      --> fig4.toml:25:25
       |
    25 | load = [0.5, "0.9", -1, 0.5]
       |                         ^^^ stands in the list twice

    error: `hash` cannot be the text "xxh"
      --> fig4.toml:27:19
       |
    27 | hash = ["random", "xxh"]
       |                   ^^^^^ expected one of [hash functions]
       |
       = help: did you mean "xxh3"?

    error: `keys` cannot be the text "sequental"
      --> fig4.toml:29:43
       |
    29 | workload = { kind = "static-fill", keys = "sequental" }
       |                                           ^^^^^^^^^^^ expected one of "random", "sequential", "trace"
       |
       = help: did you mean "sequential"?

    error: `lines` cannot be the text "lower_bound"
      --> fig4.toml:35:9
       |
    35 | lines = "lower_bound"
       |         ^^^^^^^^^^^^^ expected a list of one or more

    error: `x_range` is no range
      --> fig4.toml:36:11
       |
    36 | x_range = [1, 0]
       |           ^^^^^^ the first end must be below the second

    error: `a b` cannot be an id
      --> fig4.toml:37:1
       |
    37 | id = "a b"
       | ^^ expected letters, digits, `-` and `_`
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
    insta::assert_snapshot!(mistakes(""), @r"
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

#[test]
fn ranges_without_sense_point_at_themselves() {
    let range = |text: &str| changed("{ from = 0.05, to = 1.0, steps = 20 }", text);
    insta::assert_snapshot!(mistakes(&range("[]")), @r"
    error: `insertion_probability` is empty
      --> fig4.toml:19:25
       |
    19 | insertion_probability = []
       |                         ^^ expected a list of one or more
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 1, to = 0.05, steps = 20 }")), @r"
    error: `insertion_probability`: the range is reversed: it goes from 1 up to 0.05
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = 1, to = 0.05, steps = 20 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 0, to = 1, step = 0.3 }")), @r"
    error: `insertion_probability`: the range does not end at 1: its last value would be 0.9
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = 0, to = 1, step = 0.3 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 0.5, to = 1.5, step = 0.5 }")), @r"
    error: `insertion_probability` cannot be 1.5
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = 0.5, to = 1.5, step = 0.5 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected a number from 0 to 1 at every value of the range
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = \"0\", upto = 1, step = 0.1, steps = 3 }")), @r#"
    error: a range lacks `to`
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = "0", upto = 1, step = 0.1, steps = 3 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `to`: the last value

    error: a range says in one way how it advances
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = "0", upto = 1, step = 0.1, steps = 3 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected one of `step`, `steps` and `factor`

    error: `from` cannot be the text "0"
      --> fig4.toml:19:34
       |
    19 | insertion_probability = { from = "0", upto = 1, step = 0.1, steps = 3 }
       |                                  ^^^ expected a number of at most 15 digits

    error: unknown key `upto`
      --> fig4.toml:19:39
       |
    19 | insertion_probability = { from = "0", upto = 1, step = 0.1, steps = 3 }
       |                                       ^^^^ a range has no such key
       |
       = help: valid: `from`, `to`, `step`, `steps`, `factor`, `spacing`
    "#);
    insta::assert_snapshot!(mistakes(&changed("\"sequential\"", "{ from = 1, to = 2, steps = 2 }")), @r#"
    error: `keys` cannot be a range
      --> fig4.toml:28:43
       |
    28 | workload = { kind = "static-fill", keys = { from = 1, to = 2, steps = 2 } }
       |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected one of "random", "sequential", "trace", or a list of them
    "#);
}

#[test]
fn zip_names_sweeps_of_one_length() {
    let zip = |text: &str| changed("[[\"load\", \"bucket_size\"]]", text);
    insta::assert_snapshot!(mistakes(&zip("[[\"load\", \"buckets\"]]")), @r#"
    error: `zip` names `buckets`, which is not swept
      --> fig4.toml:27:17
       |
    27 | zip = [["load", "buckets"]]
       |                 ^^^^^^^^^ the series `SINGLE, static` does not sweep it
       |
       = help: valid: `bucket_size`, `hash`, `load`
    "#);
    insta::assert_snapshot!(mistakes(&zip("[[\"load\", \"load\"]]")), @r#"
    error: `zip` cannot be the text "load"
      --> fig4.toml:27:17
       |
    27 | zip = [["load", "load"]]
       |                 ^^^^^^ stands in `zip` twice
    "#);
    insta::assert_snapshot!(mistakes(&zip("[\"load\", \"bucket_size\"]")), @r#"
    error: `zip` cannot be the text "load"
      --> fig4.toml:27:8
       |
    27 | zip = ["load", "bucket_size"]
       |        ^^^^^^ expected a list of one or more
    "#);
    insta::assert_snapshot!(mistakes(&changed("[0.5, 0.9]", "[0.5, 0.7, 0.9]")), @r#"
    error: zipped sweeps have different lengths
      --> fig4.toml:27:8
       |
    27 | zip = [["load", "bucket_size"]]
       |        ^^^^^^^^^^^^^^^^^^^^^^^ `load` has 3, `bucket_size` has 2 values
    "#);
    insta::assert_snapshot!(mistakes(&changed("choices = 4", "choices = 4\nzip = [[\"choices\", \"load\"]]")), @r#"
    error: `zip` names `choices`, which is not swept
      --> fig4.toml:15:9
       |
    15 | zip = [["choices", "load"]]
       |         ^^^^^^^^^ no series sweeps it
       |
       = help: valid: `bucket_size`, `hash`, `insertion_probability`, `load`
    "#);
}

#[test]
fn parameters_that_cannot_stand_together_are_reported_once_with_the_sweep_value() {
    let definition = changed("elements = 4096", "elements = 4096\nload = 0.5")
        .replace("[0.5, 0.9]", "[0.000001, 0.9]")
        .replace("bucket_size = [1, 4]", "bucket_size = [1, 4]\nbuckets = 10");
    insta::assert_snapshot!(mistakes(&definition), @r"
    error: `load`: give `elements` or `load`, not both
      --> fig4.toml:12:8
       |
    12 | load = 0.5
       |        ^^^ in the series `MULTIPLE` at insertion_probability = 0.05

    error: `load`: gives 0 elements in 10 places; 1 to 2147483647 are possible
      --> fig4.toml:25:8
       |
    25 | load = [0.000001, 0.9]
       |        ^^^^^^^^^^^^^^^ in the series `SINGLE, static` at load = 0.000001, bucket_size = 1, hash = random
    ");
}

#[test]
fn sweeps_beyond_memory_or_a_lifetime_are_refused() {
    let many = changed("load = [0.5, 0.9]", "load = [0.5, 0.9]\nslice_bits = { from = 1, to = 64, step = 1 }")
        .replace("insertion_probability = {", "elements = { from = 1, to = 2000, step = 1 }\nbuckets = { from = 1, to = 99, step = 1 }\ninsertion_probability = {");
    insta::assert_snapshot!(mistakes(&many), @r"
    error: the sweep is too large: an experiment has at most 100000 points
      --> fig4.toml:19:12
       |
    19 | elements = { from = 1, to = 2000, step = 1 }
       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the series `MULTIPLE` has 3960000 points
    ");
    let large = changed("load = [0.5, 0.9]", "load = [0.5, 0.9]\nbuckets = 1_100_000_000")
        .replace("[1, 4]", "[1, 2]");
    insta::assert_snapshot!(mistakes(&large), @r"
    error: the structure is too large: a trial may take 8 GiB
      --> fig4.toml:24:8
       |
    24 | load = [0.5, 0.9]
       |        ^^^^^^^^^^ the series `SINGLE, static` needs 8 GiB for one trial
    ");
    let long = changed("quick = 40", "quick = 4_000_000")
        .replace("rounds = { smoke = 20_000,", "rounds = { smoke = 20_000_000_000,");
    insta::assert_snapshot!(mistakes(&long), @r"
    error: the experiment makes 8.0e18 accesses: longer than a lifetime
     --> fig4.toml:8:20
      |
    8 | rounds = { smoke = 20_000_000_000, paper = 1_000_000 }
      |                    ^^^^^^^^^^^^^^ the longest point of the series `MULTIPLE` alone makes 4.0e17
    ");
}

/// Counters fit where slots, choices and a CAM do not.
#[test]
fn memory_is_that_of_the_scheme() {
    let definition = |scheme: &str| {
        "title = 'large'\ntrials = 1\n[workload]\nkind = 'alternation'\nrounds = 1\n\
         [point]\nelements = 400_000_000\nbuckets = 500_000_000\nchoices = 4\n\
         [[series]]\nlabel = 'it'\nscheme = "
            .replace('\'', "\"")
            + scheme
    };
    assert!(Files::new(&definition("\"multiple\"")).parse().is_ok());
    for (scheme, gib) in [
        ("\"cuckoo\"", 10),
        ("\"cuckoo\"\neviction = \"breadth-first\"", 12),
        ("\"multiple\"\nmove_back = \"deletion\"", 22),
        ("\"second-chance\"", 9),
        ("\"second-chance\"\nhints = \"place\"", 11),
    ] {
        let mistake = mistakes(&definition(scheme));
        assert!(mistake.contains(&format!("needs {gib} GiB for one trial")), "{mistake}");
    }
}

#[test]
fn traces_are_looked_for_before_anything_runs() {
    let trace =
        |text: &str| changed("kind = \"alternation\"", &format!("kind = \"alternation\"\n{text}"));
    insta::assert_snapshot!(mistakes(&trace("trace = \"none.pcap\"")), @r#"
    error: no such trace: `none.pcap`
     --> fig4.toml:8:9
      |
    8 | trace = "none.pcap"
      |         ^^^^^^^^^^^ the path is relative to the definition
      |
      = help: `--trace PATH` takes another one
    "#);
    insta::assert_snapshot!(mistakes(&trace("keys = \"trace\"")), @r#"
    error: the experiment has no trace
     --> fig4.toml:8:8
      |
    8 | keys = "trace"
      |        ^^^^^^^
      |
      = help: write `trace = "…"` in `[workload]`, or give `--trace PATH`
    "#);
    insta::assert_snapshot!(mistakes(&trace("trace = { path = \"trace.pcap\", from = true, compression = \"gz\", seed = 3 }")), @r#"
    error: `from` cannot be true
     --> fig4.toml:8:39
      |
    8 | trace = { path = "trace.pcap", from = true, compression = "gz", seed = 3 }
      |                                       ^^^^ expected a time

    error: `compression` cannot be the text "gz"
     --> fig4.toml:8:59
      |
    8 | trace = { path = "trace.pcap", from = true, compression = "gz", seed = 3 }
      |                                                           ^^^^ expected one of "none", "gzip", "bzip2", "zstd", "xz", "lz4"
      |
      = help: did you mean "xz"?

    error: `seed` has no meaning here
     --> fig4.toml:8:65
      |
    8 | trace = { path = "trace.pcap", from = true, compression = "gz", seed = 3 }
      |                                                                 ^^^^ this is a key of a synthetic capture, which has no `path`
    "#);
    insta::assert_snapshot!(mistakes(&trace("trace = { packets = 5, to = 3, decoder_memory = 1 }")), @r"
    error: `to` has no meaning here
     --> fig4.toml:8:24
      |
    8 | trace = { packets = 5, to = 3, decoder_memory = 1 }
      |                        ^^ this is a key of files, which `path` names

    error: `decoder_memory` has no meaning here
     --> fig4.toml:8:32
      |
    8 | trace = { packets = 5, to = 3, decoder_memory = 1 }
      |                                ^^^^^^^^^^^^^^ this is a key of files, which `path` names
    ");
    insta::assert_snapshot!(mistakes(&trace("trace = { path = \"trace.pcap\", to = \"noon\" }")), @r#"
    error: `noon` is no time: give seconds since 1970, or UTC as 2008-03-19T12:00:00.5Z
     --> fig4.toml:8:37
      |
    8 | trace = { path = "trace.pcap", to = "noon" }
      |                                     ^^^^^^
    "#);
    insta::assert_snapshot!(mistakes(&trace("trace = { seed = 5 }")), @r"
    error: `trace` lacks `path` or `packets`
     --> fig4.toml:8:9
      |
    8 | trace = { seed = 5 }
      |         ^^^^^^^^^^^^ `path` names files; `packets` alone makes a synthetic capture
    ");
    insta::assert_snapshot!(mistakes(&trace("trace = { packet = 5 }")), @r"
    error: unknown key `packet`
     --> fig4.toml:8:11
      |
    8 | trace = { packet = 5 }
      |           ^^^^^^ `trace` has no such key
      |
      = help: did you mean `packets`?
    ");
}

#[test]
fn trials_and_precision_exclude_each_other() {
    let precision = "precision = { metric = \"overflow\", relative = 2, max_trials = 5 }";
    insta::assert_snapshot!(mistakes(&format!("{precision}\n{GOOD}")), @r#"
    error: give `trials` or `precision`, not both
     --> fig4.toml:1:1
      |
    1 | precision = { metric = "overflow", relative = 2, max_trials = 5 }
      | ^^^^^^^^^
      |
      = help: the ceiling of `precision` is its `max_trials`
    "#);
    insta::assert_snapshot!(mistakes(&changed("trials = { smoke = 2, quick = 40, paper = 200 }", precision)), @r#"
    error: `metric` cannot be the text "overflow"
     --> fig4.toml:4:24
      |
    4 | precision = { metric = "overflow", relative = 2, max_trials = 5 }
      |                        ^^^^^^^^^^ no such metric
      |
      = help: did you mean `overflow_fraction`, `overflow_elements`, `overflow_variance`, `overflow_fraction_at_1` or `overflow_at_most_1`?

    error: `relative` cannot be 2
     --> fig4.toml:4:47
      |
    4 | precision = { metric = "overflow", relative = 2, max_trials = 5 }
      |                                               ^ expected a number from 0.000001 to 1
    "#);
}

#[test]
fn mistakes_in_published_values_have_their_line_and_column() {
    let rows = "a,fig4,Fig. 4,\"SINGLE, statik\",load=0.5,overflow,31.1 percent,mesured,\n\
                a,fig4,Fig. 4,MULTIPLE,loads=0.5,overflow_fraction,1,measured,\n\
                b,fig4,Fig. 4,MULTIPLE,bucket_size=0.5,overflow_fraction,1,measured,\n\
                c,fig4,Fig. 4,MULTIPLE,bucket_size=5,overflow_fraction,1,measured,\n\
                d,fig4,Fig. 4,MULTIPLE,bucket_size,overflow_fraction,1,measured,\n\
                e,fig4,Fig. 4,lower_bound,load=2,overflow_fraction,1,measured,\n";
    let published = |text: &str| {
        let files = Files { published: text, scale: Scale::Paper, ..Files::new(GOOD) };
        shown(&files.parse().unwrap_err())
    };
    insta::assert_snapshot!(published(&format!("{HEADER}{rows}")), @r#"
    error: no series has the label `SINGLE, statik`
     --> published.csv:2:15
      |
    2 | a,fig4,Fig. 4,"SINGLE, statik",load=0.5,overflow,31.1 percent,mesured,
      |               ^^^^^^^^^^^^^^^^
      |
      = help: did you mean `SINGLE, static`?

    error: `overflow` is no metric
     --> published.csv:2:41
      |
    2 | a,fig4,Fig. 4,"SINGLE, statik",load=0.5,overflow,31.1 percent,mesured,
      |                                         ^^^^^^^^
      |
      = help: did you mean `overflow_fraction`, `overflow_elements`, `overflow_variance`, `overflow_fraction_at_1` or `overflow_at_most_1`?

    error: `31.1 percent` is no printed number
     --> published.csv:2:50
      |
    2 | a,fig4,Fig. 4,"SINGLE, statik",load=0.5,overflow,31.1 percent,mesured,
      |                                                  ^^^^^^^^^^^^ expected such as `2.195`, `31.1%`, `1/3` or `=0.497487`

    error: `compare` cannot be `mesured`
     --> published.csv:2:63
      |
    2 | a,fig4,Fig. 4,"SINGLE, statik",load=0.5,overflow,31.1 percent,mesured,
      |                                                               ^^^^^^^ expected `measured`, `not-testable` or a kind of prediction, such as `exact`

    error: the id `a` is not unique
     --> published.csv:3:1
      |
    3 | a,fig4,Fig. 4,MULTIPLE,loads=0.5,overflow_fraction,1,measured,
      | ^

    error: the series `MULTIPLE` has no parameter `loads`
     --> published.csv:3:24
      |
    3 | a,fig4,Fig. 4,MULTIPLE,loads=0.5,overflow_fraction,1,measured,
      |                        ^^^^^^^^^
      |
      = help: did you mean `load`?

    error: `bucket_size` cannot be `0.5`
     --> published.csv:4:24
      |
    4 | b,fig4,Fig. 4,MULTIPLE,bucket_size=0.5,overflow_fraction,1,measured,
      |                        ^^^^^^^^^^^^^^^ expected a whole number from 1 to 255

    error: no point of the series `MULTIPLE` is at `bucket_size=5`
     --> published.csv:5:24
      |
    5 | c,fig4,Fig. 4,MULTIPLE,bucket_size=5,overflow_fraction,1,measured,
      |                        ^^^^^^^^^^^^^

    error: `at` cannot be `bucket_size`
     --> published.csv:6:24
      |
    6 | d,fig4,Fig. 4,MULTIPLE,bucket_size,overflow_fraction,1,measured,
      |                        ^^^^^^^^^^^ expected such as `load=0.3;choices=2`

    error: a curve has no place `load=2`
     --> published.csv:7:27
      |
    7 | e,fig4,Fig. 4,lower_bound,load=2,overflow_fraction,1,measured,
      |                           ^^^^^^ expected such as `accesses_per_insertion=2`
    "#);
    insta::assert_snapshot!(published(&format!("{HEADER}a,fig4,Fig. 4, SINGLE\n")), @r"
    error: the row has 4 fields; the table has 9 columns
     --> published.csv:2:1
      |
    2 | a,fig4,Fig. 4, SINGLE
      | ^^^^^^^^^^^^^^^^^^^^^ a field with a comma stands in quotes
    ");
    insta::assert_snapshot!(published("id,name\n1,2\n"), @r"
    error: the first row must name the columns
     --> published.csv:1:1
      |
    1 | id,name
      | ^^^^^^^ expected id,experiment,place,series,at,metric,value,compare,note
    ");
    insta::assert_snapshot!(published(""), @r"
    error: the first row must name the columns
     --> published.csv:1:1
      |
    1 |
      | ^ expected id,experiment,place,series,at,metric,value,compare,note
    ");
}

#[test]
fn mistakes_in_the_list_of_documents_are_shown_too() {
    let files =
        Files { documents: "[kanizo-deletions]\ntitle = 1\nyear = 10\n", ..Files::new(GOOD) };
    insta::assert_snapshot!(files.parse().unwrap_err(), @r"
    error: a document lacks `authors`
     --> documents.toml:1:1
      |
    1 | [kanizo-deletions]
      | ^^^^^^^^^^^^^^^^^^ `authors`: its authors

    error: `title` cannot be 1
     --> documents.toml:2:9
      |
    2 | title = 1
      |         ^ expected text in quotes

    error: `year` cannot be 10
     --> documents.toml:3:8
      |
    3 | year = 10
      |        ^^ expected a whole number from 1900 to 2100
    ");
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let options = Options::at(Scale::Quick);
    insta::assert_snapshot!(load("no/such.toml".as_ref(), "such", &options).unwrap_err(), @r"
    error: the file cannot be read: No such file or directory (os error 2)
    --> no/such.toml
    ");
}

#[test]
fn colours_are_given_where_they_are_wanted() {
    let mistakes = Files::new("titel = 1").parse().unwrap_err();
    assert!(mistakes.render(true).contains("\u{1b}["));
    assert!(!mistakes.render(false).contains("\u{1b}["));
}

#[test]
fn laws_need_a_sub_table_and_a_few_numbers() {
    let of = |laws: &str| {
        format!(
            "title = \"t\"\ntrials = 10\n[workload]\nkind = \"static-fill\"\n{laws}\n\
             [point]\nelements = 60\nbuckets = 64\nchoices = 4\n\
             [[series]]\nlabel = \"levels\"\nscheme = \"second-chance\"\n"
        )
    };
    let wrong = |text: &str| shown(&Files::new(text).parse().unwrap_err());
    let all = [
        wrong(&of("sub_table_law = 5\nlaw_from = 1\nlaw_to = 9")),
        wrong(&of("sub_table_law = 4\nlaw_to = 9")),
        wrong(&of("sub_table_law = 4\nlaw_from = 10\nlaw_to = 9")),
        wrong(&of("sub_table_law = 4\nlaw_from = 0\nlaw_to = 5000\nlaw_step = 5")),
        wrong(&of("law_to = 9")),
        wrong(&of("overflow_law = 1000")),
        wrong(
            &of("sub_table_law = 1\nlaw_from = 1\nlaw_to = 9").replace("second-chance", "d-random"),
        ),
    ];
    insta::assert_snapshot!(all.join("\n"), @r"
    error: `sub_table_law`: there are 4 sub-tables
     --> fig4.toml:5:17
      |
    5 | sub_table_law = 5
      |                 ^ in the series `levels`
    error: `law_from`: missing; expected a whole number
      --> fig4.toml:11:1
       |
    11 | [[series]]
       | ^^^^^^^^^^ in the series `levels`
    error: `law_from`: 10 is above `law_to` = 9
     --> fig4.toml:6:12
      |
    6 | law_from = 10
      |            ^^ in the series `levels`
    error: `law_to`: gives 1001 numbers of elements; at most 1000 are possible: take a larger `law_step`
     --> fig4.toml:7:10
      |
    7 | law_to = 5000
      |          ^^^^ in the series `levels`
    error: `law_to`: of which sub-table? Name it with `sub_table_law`
     --> fig4.toml:5:10
      |
    5 | law_to = 9
      |          ^ in the series `levels`
    error: `overflow_law` cannot be 1000
     --> fig4.toml:5:16
      |
    5 | overflow_law = 1000
      |                ^^^^ expected a whole number from 0 to 999
    error: `sub_table_law`: the scheme counts no elements by sub-table
     --> fig4.toml:5:17
      |
    5 | sub_table_law = 1
      |                 ^ in the series `levels`
    ");
}

#[test]
fn a_probit_axis_has_ends_between_0_and_1() {
    let text = GOOD.replace("y_scale = \"log\"", "y_scale = \"probit\"\ny_range = [0.01, 1]");
    insta::assert_snapshot!(Files::new(&text).parse().unwrap_err(), @r"
    error: `y_range` is no range
      --> fig4.toml:34:11
       |
    34 | y_range = [0.01, 1]
       |           ^^^^^^^^^ a probit axis lies between 0 and 1
    ");
}

/// A workload of filters is a name, and no workload of tables.
#[test]
fn a_workload_of_another_family_is_told_as_such() {
    let found = mistakes(&changed("kind = \"alternation\"", "kind = \"membership\""));
    let label = "the family `filters` has it; the scheme `multiple` is of `tables`";
    assert!(found.contains(label), "{found}");
}

/// A definition that is timed has no trials, and its table has its own keys.
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
    insta::assert_snapshot!(mistakes(&format!("{fks}operations = [\"insert\"]\n")), @r"
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
    insta::assert_snapshot!(mistakes(&named), @r"
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

#[track_caller]
fn assert_tells(text: &str, all: &[&str]) {
    for wanted in all {
        assert!(text.contains(wanted), "{wanted} is not told:\n{text}");
    }
}
