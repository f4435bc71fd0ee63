//! `--set`: values in place of the definition's.

use insta::assert_snapshot;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::definitions::DUEL;
use crate::sandbox::{Done, Sandbox};

fn manifest(sandbox: &Sandbox, folder: &str) -> Value {
    serde_json::from_str(&sandbox.read(&format!("{folder}/manifest.json"))).unwrap()
}

/// A definition changed by hand and one changed on the command line are the same experiment.
#[test]
fn a_setting_is_as_good_as_a_change_of_the_file() {
    let text = DUEL.replace("[0.5, 1.0]", "[0.75]").replace("quick = 16", "quick = 20");
    let text = text.replace("title  = \"Two choices against one\"", "title  = \"Another\"");
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    std::fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/duel.toml", text.replace("choices = 2", "choices = 3"));
    sandbox.run("run mine/duel.toml -qo by-hand").exits(0);
    let settings = "--set point.load=[0.75] --set trials.quick=20 --set title=Another \
                    --set series.MULTIPLE.choices=3";
    sandbox.run(&format!("run duel -qo by-option {settings}")).exits(0);
    let table = |folder: &str| sandbox.read(&format!("{folder}/duel/table.csv"));
    assert!(table("by-hand") == table("by-option"));
    let again = sandbox.run(&format!("plan duel -o by-option {settings}")).exits(0);
    assert!(again.stdout.contains("; 0 batches left"), "{}", again.stdout);
    let report = sandbox.run("report duel -o by-option --set point.load=0.6").exits(1);
    assert!(report.stderr.contains("--set point.load=[0.75], --set trials.quick=20"), "{report:?}");
}

#[test]
fn the_manifest_says_what_was_run_how_and_by_what() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("run duel -q -j 1 --set trials=11").exits(0);
    let manifest = manifest(&sandbox, "results/duel");
    let text = manifest["definition_text"].as_str().unwrap();
    assert!(text.contains("\ntrials = 11\n"), "{text}");
    let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(manifest["definition_sha256"], digest);
    assert_eq!(manifest["settings"], serde_json::json!(["trials=11"]));
    let words = manifest["command_line"].as_array().unwrap();
    assert_eq!(words[1..], ["run", "duel", "-q", "-j", "1", "--set", "trials=11"]);
    assert!(manifest["compiler"].as_str().unwrap().starts_with("rustc 1."));
    let processor = &manifest["machine"]["processor"];
    assert!(processor.is_null() || processor.as_str().is_some_and(|model| !model.is_empty()));
    // The text alone gives the same table.
    sandbox.write("again.toml", text);
    sandbox.run("run again.toml -q").exits(0);
    let rows = |name: &str| sandbox.read(&format!("results/{name}/table.csv")).replace(name, "");
    assert!(rows("duel") == rows("again"));
}

fn refused(settings: &[&str]) -> String {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let mut command = sandbox.command(crate::sandbox::BINARY);
    command.args(["check", "duel"]);
    settings.iter().for_each(|words| {
        command.args(["--set", words]);
    });
    Done::run(&mut command).exits(2).stderr
}

#[test]
fn a_mistake_in_a_setting_is_shown_in_the_option() {
    assert_snapshot!(refused(&["point.load=[0.5, true]", "trails=3", "series.MULTIPEL.choices=3"]), @"
    error: nothing here has the label `MULTIPEL`
     --> --set:1:8
      |
    1 | series.MULTIPEL.choices=3
      |        ^^^^^^^^
      |
      = help: did you mean `MULTIPLE`?

    error: unknown key `trails`
     --> --set:1:1
      |
    1 | trails=3
      | ^^^^^^ an experiment has no such key
      |
      = help: did you mean `trials`?

    error: `load` cannot be true
     --> --set:1:18
      |
    1 | point.load=[0.5, true]
      |                  ^^^^ expected a number from 0.000001 to 1000
    ");
    assert_snapshot!(refused(&["workload=3", "trials=3", "trials.quick=4"]), @"
    error: this is a table with keys of its own
     --> --set:1:1
      |
    1 | workload=3
      | ^^^^^^^^ set one of its keys

    error: this is set twice
     --> --set:1:1
      |
    1 | trials.quick=4
      | ^^^^^^^^^^^^
    ");
    assert_snapshot!(refused(&["trials"]), @"
    error: invalid value 'trials' for '--set <KEY=VALUE>': expected KEY=VALUE, such as trials=1000 or point.load=[0.5, 0.9]

    For more information, try '--help'.
    ");
}

/// Mistakes of the file keep their lines where settings add some.
#[test]
fn a_mistake_in_the_file_is_shown_in_the_file() {
    let sandbox = Sandbox::new(&[("duel", &DUEL.replace("choices", "choises"))]);
    let done = sandbox.run("check duel --set seed=3 --set point.bucket_size=2").exits(2);
    assert_snapshot!(done.stderr, @"
    error: unknown key `choises`
      --> experiments/duel.toml:21:1
       |
    21 | choises = 2
       | ^^^^^^^ the scheme `multiple` has no such parameter
       |
       = help: did you mean `choices`?
    ");
}

#[test]
fn a_list_is_a_question_for_each_of_its_values() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("trace synth --packets 5000 --seed 3 --active-flows 200 --out t.pcap").exits(0);
    let done = sandbox
        .run("diagnose t.pcap -q --rounds 500 --trials 4 --set buckets=256 --set load=[0.3,0.6]")
        .exits(0);
    assert_eq!(done.stdout.matches("\n  difference ").count(), 2, "{}", done.stdout);
    for load in ["0.3", "0.6"] {
        let text = sandbox.read(&format!("results/diagnose/t.pcap/load={load}/diagnosis.txt"));
        assert!(done.stdout.contains(&text) && text.contains(&format!("load = {load}")));
    }
}
