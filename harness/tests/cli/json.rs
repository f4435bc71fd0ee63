//! `--format json`: the fields that docs/JSON.md promises, with the values that the tables for a person have.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::bench::FILTERS;
use crate::definitions::DUEL;
use crate::numbers::at_root;
use crate::sandbox::{BINARY, Sandbox};

fn printed(sandbox: &Sandbox, arguments: &str, status: i32) -> Value {
    let done = sandbox.run(&format!("{arguments} --format json")).exits(status);
    serde_json::from_str(&done.stdout).unwrap()
}

/// The names of an object's fields.
fn fields(value: &Value) -> String {
    let names = value.as_object().unwrap().keys().map(String::as_str);
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_there_is_and_what_a_run_would_do() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let list = printed(&sandbox, "list --only SINGLE", 0);
    insta::assert_snapshot!(fields(&list[0]), @"definition document name place points series title");
    assert_eq!((&list[0]["name"], &list[0]["points"]), (&"duel".into(), &2.into()));
    let plan = printed(&sandbox, "plan duel -j 1", 0);
    let one = &plan["experiments"][0];
    insta::assert_snapshot!(fields(&plan), @"bench_seconds experiments seconds threads");
    insta::assert_snapshot!(fields(one), @"batches_left batches_of_other_points memory_bytes name points points_in_all prediction_seconds seconds series title trials_at_most trials_done trials_wanted");
    assert_eq!((&one["trials_wanted"], &one["batches_left"]), (&64.into(), &4.into()));
    assert!(plan["seconds"].as_f64() >= one["seconds"].as_f64());
}

#[test]
fn schemes_with_their_parameters() {
    let sandbox = Sandbox::new(&[]);
    let scheme = printed(&sandbox, "schemes multiple", 0);
    insta::assert_snapshot!(fields(&scheme), @"name parameters predictions source summary");
    let choices =
        scheme["parameters"].as_array().unwrap().iter().find(|own| own["name"] == "choices");
    insta::assert_snapshot!(fields(choices.unwrap()), @"default doc name required value");
    assert_eq!(choices.unwrap()["value"], "a whole number from 1 to 1024");
    let all = printed(&sandbox, "schemes", 0);
    insta::assert_snapshot!(fields(&all), @"families hash_parameters hashes key_metrics key_parameters rare_event_metrics rare_event_parameters");
    let families = all["families"].as_array().unwrap();
    let schemes = families.iter().flat_map(|family| family["schemes"].as_array().unwrap());
    assert!(schemes.into_iter().any(|own| *own == scheme));
    sandbox.run("schemes multipel --format json").exits(2);
}

#[test]
fn printed_numbers() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let row = "id,experiment,place,series,at,metric,value,compare,note\n\
               D-1,duel,Fig. 1,SINGLE,load=1.0,overflow_fraction,50.0%,exact,\n";
    sandbox.write("experiments/published.csv", row);
    let published = printed(&sandbox, "published", 0);
    let row = &published["rows"][0];
    insta::assert_snapshot!(fields(row), @"compared_with document experiment half_width id note ours place printed quantity verdict");
    // A share, where the document prints per cent: 63/127.
    assert_eq!((&row["ours"], &row["verdict"]), (&(63.0 / 127.0).into(), &"not_met".into()));
    let document = &published["documents"][0];
    assert_eq!((&document["printed"], &document["verdicts"]["not_met"]), (&1.into(), &1.into()));
}

/// A row that is gone is told from one that moved, in tables of either kind.
#[test]
fn a_missing_row_and_a_moved_one() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q").exits(0);
    let table = sandbox.read("results/duel/table.csv");
    let header = table.lines().next().unwrap();
    let place = |name: &str| header.split(',').position(|own| own == name).unwrap();
    let (metric, measured) = (place("metric"), place("measured"));
    let edited = table.lines().filter_map(|line| {
        let mut fields: Vec<&str> = line.split(',').collect();
        match fields[metric] {
            "overflow_fraction" if line.contains("SINGLE") => fields[measured] = "0.9",
            "max_load" if line.contains("MULTIPLE") => return None,
            _ => {}
        }
        Some(fields.join(",") + "\n")
    });
    sandbox.write("edited.csv", edited.collect::<String>());
    let changes = printed(&sandbox, "compare results/duel/table.parquet edited.csv", 3);
    insta::assert_snapshot!(fields(&changes), @"measurements predictions published verdicts");
    let measurements = &changes["measurements"];
    let metrics = |list: &str| {
        let list = measurements[list].as_array().unwrap().iter();
        list.map(|one| one["metric"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(metrics("moved"), ["overflow_fraction", "overflow_fraction"]);
    assert_eq!(metrics("missing"), ["max_load", "max_load"]);
    assert!(metrics("added").is_empty());
    let text = sandbox.run("compare results/duel/table.parquet edited.csv").exits(3).stdout;
    assert_eq!(text.matches("\n  missing from the new results\n").count(), 2, "{text}");
    let back = sandbox.run("compare edited.csv results/duel/table.parquet").exits(3).stdout;
    assert_eq!(back.matches("\n  not in the old results\n").count(), 2, "{back}");
    sandbox.run("compare results/duel/table.csv results/duel/table.parquet").exits(0);
}

#[test]
fn what_is_in_a_trace() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --out t.pcap --packets 100").exits(0);
    let capture = &printed(&sandbox, "trace info t.pcap", 0)[0];
    insta::assert_snapshot!(fields(capture), @"damage distinct files flows formats interfaces ipv4 ipv6 more_interfaces other packets repeats tcp tcp_without_numbers times trace untimed");
    insta::assert_snapshot!(fields(&capture["interfaces"][0]), @"link link_type offset_seconds snaplen ticks_per_second");
    assert_eq!((&capture["packets"], &capture["damage"]["total"]), (&100.into(), &0.into()));
    sandbox.write("keys.csv", "src,dst\n1.1.1.1,2.2.2.2\n");
    let keys = &printed(&sandbox, "trace info --layout csv keys.csv", 0)[0];
    insta::assert_snapshot!(fields(keys), @"compressions damage distinct files flows layout records repeats trace unassigned_protocols");
    assert_eq!(keys["distinct"]["src-dst"], 1);
}

#[test]
fn a_diagnosis() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --packets 5000 --seed 3 --active-flows 200 --out t.pcap").exits(0);
    let question =
        "diagnose t.pcap -q --rounds 500 --trials 12 --set buckets=256 --set load=[0.3,0.6]";
    let answers = printed(&sandbox, question, 0);
    let answer = &answers[1];
    insta::assert_snapshot!(fields(answer), @"difference distinct_keys hash key measured model packets packets_with_key parameters parts passes rounds scheme trace trials warnings");
    assert_eq!(
        (answers.as_array().unwrap().len(), &answer["parameters"]["load"]),
        (2, &"0.6".into())
    );
    insta::assert_snapshot!(fields(&answer["model"]), @"exact limit source");
    insta::assert_snapshot!(fields(&answer["measured"][0]), @"overflow_fraction repeated_key_fraction without");
    insta::assert_snapshot!(fields(&answer["parts"][0]), @"added cause cured_alone on_its_own share");
    insta::assert_snapshot!(fields(&answer["difference"]), @"std_error value");
    let text = sandbox.read("results/diagnose/t.pcap/load=0.6/diagnosis.txt");
    let difference = 100.0 * answer["difference"]["value"].as_f64().unwrap();
    assert!(text.contains(&format!("+{difference:.1} ± ")), "{difference} {text}");
    let settings = answer["measured"].as_array().unwrap();
    let without: Vec<usize> =
        settings.iter().map(|setting| setting["without"].as_array().unwrap().len()).collect();
    assert_eq!(without, [0, 1, 1, 2, 1, 2, 2, 3]);
}

/// The mistakes of one definition do not hide the others, which are sound.
#[test]
fn mistakes_with_their_places() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("wrong", &DUEL.replace("choices", "choises"))]);
    let checked = printed(&sandbox, "check", 2);
    insta::assert_snapshot!(fields(&checked), @"definitions mistakes");
    assert_eq!(checked["definitions"][0]["name"], "duel");
    let mistake = &checked["mistakes"][0];
    insta::assert_snapshot!(fields(mistake), @"column file help label line scale title");
    assert_eq!((&mistake["line"], &mistake["column"]), (&21.into(), &1.into()));
    assert_eq!(mistake["help"][0], "did you mean `choices`?");
    assert_eq!(printed(&sandbox, "check duel", 0)["mistakes"], serde_json::json!([]));
}

/// The values are those of the table.
#[test]
fn predictions_point_by_point() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let predicted = printed(&sandbox, "predict duel", 0);
    let point = &predicted[0]["points"][1];
    insta::assert_snapshot!(fields(point), @"hash missing parameters predictions scheme series workload");
    assert_eq!((&point["series"], &point["parameters"]["load"]), (&"SINGLE".into(), &1.0.into()));
    let predictions = point["predictions"].as_array().unwrap();
    insta::assert_snapshot!(fields(&predictions[0]), @"allowance kind quantity source value");
    let is_exact = |own: &&Value| own["quantity"] == "overflow_fraction" && own["kind"] == "exact";
    let exact = predictions.iter().find(is_exact).unwrap()["value"].as_f64().unwrap();
    let table = sandbox.run("predict duel").exits(0).stdout;
    assert!(table.lines().any(|row| row.contains(&format!(",{exact},exact: "))), "{table}");
    sandbox.run("predict duel --format json --out predicted").exits(2);
}

/// Every name of a field in a value, but those of parameters.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.insert(name.clone());
            if name != "parameters" || value.is_array() {
                names(value, found);
            }
        }),
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("timed", FILTERS)]);
    sandbox.run("run duel -q").exits(0);
    sandbox.run("trace synth --out t.pcap --packets 3000").exits(0);
    let mut found = BTreeSet::new();
    let beside = format!("bench timed --set time.layouts=1 --out measured --beside {BINARY}");
    for arguments in [
        &beside,
        "list",
        "plan duel",
        "check",
        "predict duel",
        "published",
        "compare results results",
        "size --elements 20 --choices 2 --overflow 0.05 --quiet",
        "size --scheme all --elements 20 --choices 2 --overflow 0.05 --quiet",
        "trace info t.pcap --flows",
    ] {
        names(&printed(&sandbox, arguments, 0), &mut found);
    }
    sandbox.write("wrong.toml", "title = 1");
    names(&printed(&sandbox, "check wrong.toml", 2), &mut found);
    let page = fs::read_to_string(at_root("docs/JSON.md")).unwrap();
    // The kinds of trace keys are names of their own.
    let is_unknown = |name: &&String| {
        !page.contains(&format!("`{name}`"))
            && !["src-dst", "five-tuple", "tcp-header"].contains(&name.as_str())
    };
    assert_eq!(found.iter().filter(is_unknown).collect::<Vec<_>>(), Vec::<&String>::new());
}
