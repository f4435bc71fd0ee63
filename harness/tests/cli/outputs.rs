//! What `run`, `report` and `predict` write.

use insta::assert_snapshot;

use crate::definitions::{DUEL, LAWS, PACKETS};
use crate::sandbox::{Sandbox, redacted};

/// The columns of the table around the parameters, in the order of the contract.
const FRONT: &str = "experiment,series,scheme,hash,workload,elements,load,buckets,bucket_size,\
                     insertion_probability,move_back,choices,";
const BACK: &str = ",metric,trials,measured,std_error,ci_low,ci_high,predicted,prediction,\
                    allowance,room,room_limit,published,z,relative_deviation,fact,verdict";

/// The rows of a table, each as column name and value.
fn rows(csv: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let records = reader.records().map(Result::unwrap);
    records.map(|r| columns.iter().cloned().zip(r.iter().map(str::to_owned)).collect()).collect()
}

fn value<'r>(row: &'r [(String, String)], column: &str) -> &'r str {
    &row.iter().find(|(name, _)| name == column).unwrap().1
}

#[test]
fn a_definition_anywhere_gives_a_folder_of_results() {
    let sandbox = Sandbox::new(&[]);
    sandbox.write("my.toml", DUEL);
    let done = sandbox.run("run my.toml --scale smoke").exits(0);
    assert_eq!(done.stdout, "");
    assert_snapshot!(redacted(&done.stderr), @"
    my: 48 of 48 trials, [rate]

    my: 48 trials in [time]
      predictions: 46 agree, 0 differ; bounds: 4 hold, 0 violated; models off: 0; undecided: 0
      open results/my/report.md
    ");
    let files: Vec<_> = sandbox.results("results/my").into_iter().collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let figures = ["figure-1.pdf", "figure-1.png", "figure-1.svg"];
    assert_eq!(names[..3], figures);
    assert_eq!(names[3..], ["report.md", "table.csv", "table.parquet"]);
    let [pdf, png, svg, .., parquet] = &files[..] else { unreachable!("there are six") };
    assert!(pdf.1.starts_with(b"%PDF-1.4\n") && pdf.1.ends_with(b"%%EOF\n"));
    assert!(png.1.starts_with(b"\x89PNG\r\n"));
    assert!(svg.1.starts_with(b"<svg") && svg.1.ends_with(b"</svg>\n"));
    assert!(parquet.1.starts_with(b"PAR1") && parquet.1.ends_with(b"PAR1"));
}

#[test]
fn the_table_has_the_columns_of_the_contract() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    let header = table.lines().next().unwrap();
    assert!(header.starts_with(FRONT) && header.ends_with(BACK), "{header}");
    let rows = rows(&table);
    assert!(rows.iter().all(|row| value(row, "experiment") == "duel"));
    assert!(rows.iter().all(|row| value(row, "trials") == "12"));
    let theorem = |row: &&Vec<_>| value(row, "prediction") == "exact: Theorem 1";
    let overflow = rows.iter().filter(theorem).find(|r| value(r, "metric") == "overflow_fraction");
    // n = 32, m = 64: (n − 1)/(m + n − 1).
    assert_eq!(value(overflow.unwrap(), "predicted"), (31.0 / 95.0_f64).to_string());
}

/// Pairs of trials for variances, trials for laws, and the paper's Poisson law beside the mean that
/// it has.
#[test]
fn laws_are_rows_of_the_table() {
    let sandbox = Sandbox::new(&[("laws", LAWS)]);
    sandbox.run("run laws -q").exits(0);
    let all = rows(&sandbox.read("results/laws/table.csv"));
    let of_laws = ["_variance", "_elements", "at_most"];
    let law = |row: &&Vec<(String, String)>| {
        value(row, "series") == "standard"
            && of_laws.iter().any(|part| value(row, "metric").contains(part))
    };
    let line = |row: &Vec<(String, String)>| {
        let number = |column| value(row, column).parse::<f64>();
        let [measured, predicted] = ["measured", "predicted"]
            .map(|column| number(column).map_or_else(|_| String::new(), |x| format!("{x:.4}")));
        let [metric, trials, prediction] =
            ["metric", "trials", "prediction"].map(|column| value(row, column));
        let line = format!("{metric} {trials} {measured} {predicted} {prediction}");
        line.trim_end().to_owned()
    };
    let lines: Vec<String> = all.iter().filter(law).map(line).collect();
    assert_snapshot!(lines.join("\n"), @"
    overflow_elements 13 9.0769 9.9995 exact: law of Section 4.11.3
    overflow_elements 13 9.0769 10.3048 asymptotic: static fluid limit of sub-tables
    overflow_elements 13 9.0769 10.0035 refined: static fluid limit of sub-tables
    overflow_variance 6 2.0833 10.3048 approximate: Poisson, Section 5.8
    overflow_variance 6 2.0833 3.2497 exact: law of Section 4.11.3
    overflow_at_most_0 13 0.0000 0.0000 approximate: Poisson, Section 5.8
    overflow_at_most_0 13 0.0000 0.0000 exact: law of Section 4.11.3
    overflow_at_most_1 13 0.0000 0.0004 approximate: Poisson, Section 5.8
    overflow_at_most_1 13 0.0000 0.0000 exact: law of Section 4.11.3
    overflow_at_most_2 13 0.0000 0.0022 approximate: Poisson, Section 5.8
    overflow_at_most_2 13 0.0000 0.0000 exact: law of Section 4.11.3
    subtable_1_elements 13 21.1538 20.8004 asymptotic: fluctuation equations
    subtable_1_elements 13 21.1538 20.8795 exact: law of Section 4.11.3
    subtable_2_elements 13 18.6923 18.3158 asymptotic: fluctuation equations
    subtable_2_elements 13 18.6923 18.4356 exact: law of Section 4.11.3
    subtable_3_elements 13 15.0769 14.5790 asymptotic: fluctuation equations
    subtable_3_elements 13 15.0769 14.6854 exact: law of Section 4.11.3
    subtable_1_variance 6 0.4167 0.9439 asymptotic: fluctuation equations
    subtable_1_variance 6 0.4167 0.9014 exact: law of Section 4.11.3
    subtable_2_variance 6 0.9167 1.6508 asymptotic: fluctuation equations
    subtable_2_variance 6 0.9167 1.6234 exact: law of Section 4.11.3
    subtable_3_variance 6 3.0833 2.3513 asymptotic: fluctuation equations
    subtable_3_variance 6 3.0833 2.3531 exact: law of Section 4.11.3
    subtable_elements_at_most_16 13 0.0000 0.0788 approximate: normal, Section 5.8
    subtable_elements_at_most_16 13 0.0000 0.0677 exact: law of Section 4.11.3
    subtable_elements_at_most_18 13 0.4615 0.5570 approximate: normal, Section 5.8
    subtable_elements_at_most_18 13 0.4615 0.5009 exact: law of Section 4.11.3
    subtable_elements_at_most_20 13 0.9231 0.9554 approximate: normal, Section 5.8
    subtable_elements_at_most_20 13 0.9231 0.9618 exact: law of Section 4.11.3
    ");
    assert!(sandbox.read("results/laws/figure-1.svg").contains(">50%<"));
}

/// A hash function is no parameter of a scheme; swept, it is a line of figures and a column of rows all the same.
/// Choices of a filter are k.
#[test]
fn a_swept_hash_function_is_told_and_a_filter_has_its_own_symbols() {
    let filters = r#"
title  = "Two hash functions"
trials = 12

[workload]
kind    = "membership"
queries = 100

[point]
scheme           = "bloom-filter"
bits             = 256
bits_per_element = [4.0, 8.0]
choices          = [2, 4]
hash             = ["random", "xxh3"]

[[series]]
label = "standard"

[[figure]]
x = "bits_per_element"
y = "false_positive_rate"
"#;
    let sandbox = Sandbox::new(&[("filters", filters)]);
    sandbox.run("run filters -q").exits(0);
    let figure = sandbox.read("results/filters/figure-1.svg");
    for line in ["standard, hash random, k = 2", "standard, hash xxh3, k = 4"] {
        assert!(figure.contains(line), "{line} in {figure}");
    }
    let report = sandbox.read("results/filters/report.md");
    assert!(
        report.contains("| series | bits_per_element | choices | hash | measured |"),
        "{report}"
    );
    assert!(report.contains("| standard | 4 | 2 | xxh3 |"), "{report}");
    assert!(report.contains("- The hash (`hash`)"), "{report}");
}

#[test]
fn the_report_says_what_agrees() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    assert_snapshot!(sandbox.read("results/duel/report.md"), @"
    # Two choices against one

    ## What is held fixed

    | what | key | value |
    |---|---|---|
    | Number of buckets, m | `buckets` | 64 |
    | Elements that fit in one bucket, h | `bucket_size` | 1 |
    | Probability α that an arriving element tries the table at all | `insertion_probability` | 1 |
    | Rounds of the measuring window | `rounds` | 500 |
    | The workload | `workload` | alternation |
    | The hash | `hash` | random |
    | Seed | `seed` | 1 |
    | Scale of the run | | smoke |
    | Trials of each point | `trials` | 12 |

    Left as they are by default: `arrival_order` captured, `choices_from` seeds, `key_fields` five-tuple, `keys` random, `move_back` none, `repeated_keys` keep, `slice_bits` 16, `start` filled, `trace_end` renew, `warm_up` 20.

    What varies, within a series or from one to another, or is said of some series only:

    - The scheme (`scheme`)
    - Number of choices, d (`choices`)
    - Load c = n/(m·h) (`load`)

    | series | `scheme` | `choices` | `load` |
    |---|---|---|---|
    | SINGLE | single |  | 0.5; 1 |
    | MULTIPLE | multiple | 2 | 0.5; 1 |

    ## How to read the rows

    - **±** from the mean over trials to the further end of its 95 % confidence interval; `≤` and `≥` that end where no trial saw anything else. That of a share stays between 0 and 1, so that its other end may be nearer: both are in `table.csv`.
    - **z** (measured − predicted) divided by the standard error of what was measured.
    - **room** how far apart the two may be: chance, such that all facts together are judged at an error of 1 %, and the distance that the theory itself leaves open.
    - **kinds** *exact* for this n and m; *asymptotic* for n → ∞; *refined* a limit with its first correction; *approximate* a model that its source calls one; *lower* and *upper bound*.
    - **verdicts** *agrees* within the room; *differs* beyond it; *bound holds* or *is violated*; *off*, an approximate model beyond it; *undecided*, within a room too wide to say anything.

    ## Findings

    50 facts were judged on 48 trials, together at an error of 1 %: 46 predictions agree, 0 differ, 4 bounds hold, 0 are violated, 0 approximate models are off, 0 are undecided.

    Facts of each series; what several series state is counted in each of them:

    | series | agrees | differs | bound holds | bound violated | off | undecided |
    |---|---:|---:|---:|---:|---:|---:|
    | SINGLE | 20 | 0 | 2 | 0 | 0 | 0 |
    | MULTIPLE | 26 | 0 | 2 | 0 | 0 | 0 |

    ![Two choices against one](figure-1.svg)

    ## Overflow fraction γ (`overflow_fraction`)

    - exact: Theorem 1; chain of full buckets
    - asymptotic: Theorem 5; Theorem 9
    - refined: Theorem 9
    - lower bound: Theorem 6

    <details><summary>4 rows agree with every prediction</summary>

    | series | load | measured | ± | exact (z, room) | asymptotic (z, room) | refined (z, room) | lower bound (z, room) | verdict |
    |---|---:|---:|---:|---:|---:|---:|---:|---|
    | SINGLE | 0.5 | 0.332682 | 1.2e-2 | 0.326316 (+1.2, 3.0e-2) | 0.333333 (-0.1, 3.7e-2) |  | 0.333333 (-0.1, 3.7e-2) | agrees, bound holds |
    | SINGLE | 1 | 0.495669 | 1.1e-2 | 0.496063 (-0.1, 2.8e-2) | 0.5 (-0.8, 3.2e-2) |  | 0.5 (-0.8, 3.2e-2) | agrees, bound holds |
    | MULTIPLE | 0.5 | 0.168297 | 1.3e-2 | 0.164524 (+0.6, 3.2e-2) | 0.171573 (-0.6, 4.1e-2) | 0.164546 (+0.6, 3.4e-2) | 0.175088 (-1.1, 5.4e-2) | agrees, bound holds |
    | MULTIPLE | 1 | 0.384682 | 1.1e-2 | 0.377339 (+1.5, 2.7e-2) | 0.381966 (+0.5, 3.2e-2) | 0.377366 (+1.5, 2.8e-2) | 0.381098 (+0.7, 3.8e-2) | agrees, bound holds |

    </details>


    All rows: `table.csv`, `table.parquet`. How this was made: `manifest.json`.
    ");
}

#[test]
fn the_manifest_says_how_it_was_made() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke --seed 7 -q").exits(0);
    let manifest: serde_json::Value =
        serde_json::from_str(&sandbox.read("results/duel/manifest.json")).unwrap();
    let digest = "[0-9a-f]{64}";
    for (key, expected) in [
        ("experiment", "^\"duel\"$"),
        ("definition_sha256", digest),
        ("seed", "^7$"),
        ("scale", "^\"smoke\"$"),
        ("trials", "^48$"),
        ("trials_run", "^48$"),
        ("points_failed", "^0$"),
        ("trace", "^null$"),
        ("revision", "."),
    ] {
        let found = manifest[key].to_string();
        assert!(regex::Regex::new(expected).unwrap().is_match(&found), "{key}: {found}");
    }
}

#[test]
fn a_series_alone() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel --scale smoke -q").exits(0);
    sandbox.run("run duel --scale smoke -q --only MULTIPLE --out alone").exits(0);
    let (all, alone) =
        (sandbox.read("results/duel/table.csv"), sandbox.read("alone/duel/table.csv"));
    let multiple = |row: &Vec<_>| value(row, "series") == "MULTIPLE";
    let measured = |csv: &str| -> Vec<String> {
        rows(csv).iter().filter(|row| multiple(row)).map(|r| value(r, "measured").into()).collect()
    };
    let others = || rows(&alone).into_iter().filter(|row| !multiple(row));
    assert!(others().count() > 0 && others().all(|row| value(&row, "measured").is_empty()));
    assert!(!measured(&alone).is_empty());
    assert_eq!(measured(&alone), measured(&all));
}

#[test]
fn predictions_without_a_simulation() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let done = sandbox.run("predict duel").exits(0);
    let rows = rows(&done.stdout);
    assert!(!rows.is_empty());
    for row in &rows {
        for column in ["trials", "measured", "std_error", "ci_low", "ci_high", "z"] {
            assert_eq!(value(row, column), "", "{column}");
        }
        assert!(value(row, "predicted").parse::<f64>().is_ok());
        assert_eq!(value(row, "verdict"), "no_prediction");
    }
    assert!(!sandbox.path("results").exists());
    sandbox.run("predict duel --out predicted").exits(0);
    assert_eq!(sandbox.read("predicted/duel/table.csv"), done.stdout);
}

#[test]
fn strict_is_a_status() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("packets", PACKETS)]);
    sandbox.run("trace synth --packets 20000 --active-flows 200 --out experiments/packets.pcap");
    sandbox.run("run duel --scale smoke -q --strict").exits(0);
    let done = sandbox.run("run packets -q --strict").exits(3);
    assert!(done.stderr.contains("as captured: 4 facts differ"), "{}", done.stderr);
    sandbox.run("run packets -q").exits(0);
}

#[test]
fn an_experiment_that_fails_leaves_the_others() {
    let short = PACKETS.replace("[point]", "trace_end = \"error\"\n[point]");
    let sandbox = Sandbox::new(&[("packets", &short), ("duel", DUEL)]);
    sandbox.run("trace synth --packets 1000 --out experiments/packets.pcap").exits(0);
    let done = sandbox.run("run packets duel --scale smoke -q").exits(2);
    assert_snapshot!(redacted(&done.stderr), @r#"

    duel: 48 trials in [time]
      predictions: 46 agree, 0 differ; bounds: 4 hold, 0 violated; models off: 0; undecided: 0
      open results/duel/report.md
    packets: FAILED: the trace has 1000 usable packets where 2672 elements arrive in a trial; use a longer trace, fewer rounds, or `trace_end = "renew"`
    "#);
    assert!(sandbox.path("results/duel/table.csv").exists());
    assert!(!sandbox.path("results/packets/table.csv").exists());
}

#[test]
fn the_predictions_of_several_experiments_are_one_table() {
    let chosen = DUEL.replace("[[series]]", "[[series]]\nmove_back = \"deletion\"");
    let sandbox = Sandbox::new(&[("duel", DUEL), ("chosen", &chosen)]);
    let done = sandbox.run("predict duel chosen").exits(0);
    let rows = rows(&done.stdout);
    let of = |name: &str| rows.iter().filter(|row| value(row, "experiment") == name).count();
    let alone = |name: &str| sandbox.run(&format!("predict {name}")).stdout.lines().count() - 1;
    assert_eq!((of("duel"), of("chosen")), (alone("duel"), alone("chosen")));
    assert!(done.stdout.lines().next().unwrap().ends_with(BACK));
}

/// A user's words are shown as they are, whatever a page or a spreadsheet makes of such words.
#[test]
fn words_are_neither_markup_nor_formulas() {
    let sandbox = Sandbox::new(&[]);
    let text = DUEL
        .replace("Two choices against one", "<script>alert(1)</script>")
        .replace("\"SINGLE\"", "'=1+1 <b>'");
    sandbox.write("words.toml", text);
    sandbox.run("run words.toml -q").exits(0);
    let report = sandbox.read("results/words/report.md");
    assert!(report.contains("# \\<script>alert(1)\\</script>\n"), "{report}");
    assert!(!report.contains("=1+1 <b>") && report.contains("| =1+1 \\<b> |"), "{report}");
    let csv = sandbox.read("results/words/table.csv");
    assert!(csv.contains(",'=1+1 <b>,") && !csv.contains(",=1+1"), "{csv}");
    sandbox.run("compare results/words/table.csv results/words/table.parquet").exits(0);
}

#[test]
fn a_figure_of_ratios_divides_each_line_by_one() {
    let ratio = "y = \"overflow_fraction\"\nseries = [\"SINGLE\"]\nratio_to = [\"MULTIPLE\"]";
    let text = DUEL.replace("\"single\"", "\"single\"\nbucket_size = [1, 2]");
    let sandbox = Sandbox::new(&[("by-one", &text.replace("y = \"overflow_fraction\"", ratio))]);
    sandbox.run("run by-one -q").exits(0);
    let figure = sandbox.read("results/by-one/figure-1.svg");
    assert!(figure.contains("SINGLE, h = 1") && figure.contains("SINGLE, h = 2"), "{figure}");
}

#[test]
fn a_figure_draws_the_bounds_of_its_series() {
    let bounds = "y = \"overflow_fraction\"\nlines = [\"bounds\"]\nseries = [\"MULTIPLE\"]";
    let with = DUEL.replace("y = \"overflow_fraction\"", bounds);
    let sandbox = Sandbox::new(&[("duel", DUEL), ("with-bounds", &with)]);
    sandbox.run("run -q").exits(0);
    let label = |name: &str| {
        let figure = sandbox.read(&format!("results/{name}/figure-1.svg"));
        ["SINGLE, lower bound", "MULTIPLE, lower bound"].map(|label| figure.contains(label))
    };
    assert_eq!((label("duel"), label("with-bounds")), ([false; 2], [false, true]));
}
