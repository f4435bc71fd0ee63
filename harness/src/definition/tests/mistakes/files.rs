//! Files beside the definition: traces, published values and the list of documents.

use crate::definition::tests::{Files, GOOD, HEADER, changed, mistakes, shown};
use crate::definition::{Options, Scale, load};

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
    insta::assert_snapshot!(mistakes(&trace("trace = { packets = 5, to = 3, decoder_memory = 1 }")), @"
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
    insta::assert_snapshot!(mistakes(&trace("trace = { seed = 5 }")), @"
    error: `trace` lacks `path` or `packets`
     --> fig4.toml:8:9
      |
    8 | trace = { seed = 5 }
      |         ^^^^^^^^^^^^ `path` names files; `packets` alone makes a synthetic capture
    ");
    insta::assert_snapshot!(mistakes(&trace("trace = { packet = 5 }")), @"
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
    insta::assert_snapshot!(published(&format!("{HEADER}a,fig4,Fig. 4, SINGLE\n")), @"
    error: the row has 4 fields; the table has 9 columns
     --> published.csv:2:1
      |
    2 | a,fig4,Fig. 4, SINGLE
      | ^^^^^^^^^^^^^^^^^^^^^ a field with a comma stands in quotes
    ");
    insta::assert_snapshot!(published("id,name\n1,2\n"), @"
    error: the first row must name the columns
     --> published.csv:1:1
      |
    1 | id,name
      | ^^^^^^^ expected id,experiment,place,series,at,metric,value,compare,note
    ");
    insta::assert_snapshot!(published(""), @"
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
    insta::assert_snapshot!(files.parse().unwrap_err(), @"
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
    insta::assert_snapshot!(load("no/such.toml".as_ref(), "such", &options).unwrap_err(), @"
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
