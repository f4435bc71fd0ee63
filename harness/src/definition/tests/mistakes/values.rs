//! Values of the wrong type, that are impossible, or that cannot stand together.

use crate::definition::tests::{Files, GOOD, changed, mistakes, shown};

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
fn ranges_without_sense_point_at_themselves() {
    let range = |text: &str| changed("{ from = 0.05, to = 1.0, steps = 20 }", text);
    insta::assert_snapshot!(mistakes(&range("[]")), @"
    error: `insertion_probability` is empty
      --> fig4.toml:19:25
       |
    19 | insertion_probability = []
       |                         ^^ expected a list of one or more
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 1, to = 0.05, steps = 20 }")), @"
    error: `insertion_probability`: the range is reversed: it goes from 1 up to 0.05
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = 1, to = 0.05, steps = 20 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 0, to = 1, step = 0.3 }")), @"
    error: `insertion_probability`: the range does not end at 1: its last value would be 0.9
      --> fig4.toml:19:25
       |
    19 | insertion_probability = { from = 0, to = 1, step = 0.3 }
       |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(mistakes(&range("{ from = 0.5, to = 1.5, step = 0.5 }")), @"
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
    insta::assert_snapshot!(mistakes(&definition), @"
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
    insta::assert_snapshot!(mistakes(&many), @"
    error: the sweep is too large: an experiment has at most 100000 points
      --> fig4.toml:19:12
       |
    19 | elements = { from = 1, to = 2000, step = 1 }
       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the series `MULTIPLE` has 3960000 points
    ");
    let large = changed("load = [0.5, 0.9]", "load = [0.5, 0.9]\nbuckets = 1_100_000_000")
        .replace("[1, 4]", "[1, 2]");
    insta::assert_snapshot!(mistakes(&large), @"
    error: the structure is too large: a trial may take 8 GiB
      --> fig4.toml:24:8
       |
    24 | load = [0.5, 0.9]
       |        ^^^^^^^^^^ the series `SINGLE, static` needs 8 GiB for one trial
    ");
    let long = changed("quick = 40", "quick = 4_000_000")
        .replace("rounds = { smoke = 20_000,", "rounds = { smoke = 20_000_000_000,");
    insta::assert_snapshot!(mistakes(&long), @"
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
    insta::assert_snapshot!(all.join("\n"), @"
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
