//! docs/METHODOLOGY.md states the numbers that the code uses.

#![expect(clippy::unwrap_used, reason = "a definition that cannot be read fails the test")]

use std::path::Path;

use loadfactor::definition::{File, Input, Options, Scale, parse};
use loadfactor::estimate::interval::LEVEL;
use loadfactor::estimate::verdict::{FAMILY_ERROR, LARGEST_ROOM, LEAST_TRIALS, RARE_EVENTS};
use loadfactor::plan::Plan;
use loadfactor::report::changes::ROUNDING;
use loadfactor_schemes::keys::Seeds;

/// The document as one line, so that a sentence is found wherever it is broken.
fn methodology() -> String {
    let text = include_str!("../../docs/METHODOLOGY.md");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(sentence: &str) {
    assert!(methodology().contains(sentence), "docs/METHODOLOGY.md does not say: {sentence}");
}

#[test]
fn each_source_of_chance_has_a_generator() {
    let Seeds { keys, hash, scheme, departures, arrivals } = Seeds::of(1, 1);
    let words = ["One", "Two", "Three", "Four", "Five", "Six"];
    let generators = [keys, hash, scheme, departures, arrivals].len();
    says(&format!("{} generators (xoshiro256++) are seeded", words[generators - 1]));
}

/// The seed of the only point, with `elements` of the table given in these words.
fn seed(elements: &str, rounds: u32) -> u64 {
    let text = format!(
        "title = \"One point\"\ntrials = 10\n[workload]\nkind = \"alternation\"\nrounds = {rounds}\n\
         [point]\nscheme = \"single\"\nbuckets = 1024\nbucket_size = 4\n{elements}\n\
         [[series]]\nlabel = \"SINGLE\"\n"
    );
    let options = Options::at(Scale::Quick);
    let experiment = parse(&Input {
        name: "one",
        definition: File { path: Path::new("one.toml"), text: &text },
        published: None,
        documents: None,
        options: &options,
        exists: &|_| false,
    });
    let experiment = experiment.map_err(|mistakes| mistakes.render(false)).unwrap();
    Plan::new(&experiment, None).unwrap().points[0].seed
}

#[test]
fn a_seed_depends_on_the_number_of_elements_however_it_is_given() {
    assert_eq!(seed("elements = 4096", 100), seed("load = 1.0", 100));
    assert_ne!(seed("elements = 4096", 100), seed("elements = 4096", 101));
    says(
        "`elements = 4096` and `load = 1.0` have the same seed. Different `rounds` have different seeds",
    );
}

#[test]
fn the_errors_of_intervals_and_tables() {
    says(&format!("Student's interval at {} %", LEVEL * 100.0));
    says(&format!("Each is judged at the level 1 − {FAMILY_ERROR}/facts (Bonferroni)"));
    says(&format!("The limit is {} % of the prediction", LARGEST_ROOM * 100.0));
    says(&format!("even one row of the experiment differs is at most {} %", FAMILY_ERROR * 100.0));
}

#[test]
fn the_trials_and_events_below_which_a_row_is_not_taken_at_its_word() {
    says(&format!("as with fewer than {LEAST_TRIALS} trials"));
    says(&format!("Points of fewer than {LEAST_TRIALS} trials are not judged"));
    says(&format!("the prediction expects fewer than {RARE_EVENTS} events in all trials"));
}

#[test]
fn what_compare_takes_for_the_same() {
    says(&format!("differ by more than {ROUNDING:e} of themselves"));
    says(&format!("at an error of {} % over all", FAMILY_ERROR * 100.0));
}
