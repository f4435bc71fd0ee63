//! The numbers that a definition and seed give are a promise, and journals rest on it.

mod definitions;
mod lockstep;

use self::definitions::*;
use self::lockstep::*;
use super::*;

/// The numbers that a definition and seed give are a promise, and journals rest on it. If this
/// fails on purpose, raise [`SIMULATION_VERSION`], or the `revision` of a scheme where its numbers alone have changed, and put
/// the new digest here.
#[test]
fn the_same_point_and_seed_give_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_PART).as_str()), (6, "c2deeacb968784eb"));
}

/// The same promise for what does not consist of rounds, and for looks at a single moment.
#[test]
fn other_workloads_give_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_COURSE).as_str()), (6, "287765390a0e12fa"));
}

/// And for static fills, which are not made element by element everywhere.
#[test]
fn static_fills_give_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_FILL).as_str()), (6, "dada826743e7f4a4"));
}

/// And for tables whose elements move, with names and without.
#[test]
fn tables_with_moves_give_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_MOVE).as_str()), (6, "f03269a6d75340be"));
}

/// And for tables of more elements than 16 bits can number.
#[test]
fn large_tables_give_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_LARGE_TABLE).as_str()), (6, "977f7748fe518d12"));
}

/// And for filters, and for tables that elements pass sub-table by sub-table as they come and go.
#[test]
fn what_goes_together_gives_the_same_numbers_as_ever() {
    assert_eq!((SIMULATION_VERSION, digest(EVERY_DRAWN_KEY).as_str()), (6, "48f49801461e3625"));
    assert_eq!((SIMULATION_VERSION, digest(SECOND_CHANCE_OPEN).as_str()), (6, "324d5a7a12805484"));
}

/// And for choices of which only the number at a place matters.
#[test]
fn choices_at_once_give_the_same_numbers_as_ever() {
    assert_eq!(
        (SIMULATION_VERSION, digest(EVERY_CHOICE_AT_ONCE).as_str()),
        (6, "5c779dc1a302e1f4")
    );
}

/// What is promised of trials in lockstep is of those.
#[test]
fn they_do_go_in_lockstep() {
    let rounds = [EVERY_LOCKSTEP, EVERY_OTHER_LOCKSTEP, EVERY_TABLE_IN_LOCKSTEP];
    let courses = [EVERY_POISSON_IN_LOCKSTEP, EVERY_FLOW_IN_LOCKSTEP];
    for definition in rounds.into_iter().chain(courses).chain([EVERY_FILL_IN_LOCKSTEP]) {
        let experiment = Experiment::from_text("every", definition).unwrap();
        let plan = Plan::new(&experiment, None).unwrap();
        assert!(plan.points.iter().all(|point| point.at_once == 16), "{definition}");
        // Tables whose buckets all have names, and fills with numbers of 16 bits, were drawn in other ways once.
        let anew = |point: &&PointPlan| point.case.revision() >= 4;
        let expected = match definition {
            EVERY_TABLE_IN_LOCKSTEP => plan.points.len(),
            EVERY_FILL_IN_LOCKSTEP => 4,
            _ => 0,
        };
        assert_eq!(plan.points.iter().filter(anew).count(), expected, "{definition}");
    }
}

/// And for trials in lockstep: two registers full, and three more.
#[test]
fn trials_in_lockstep_give_the_same_numbers_as_ever() {
    let digest = digest_of(EVERY_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "d68da4790fe40c35"));
    let digest = digest_of(EVERY_OTHER_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "39d6f2d52179216c"));
    let digest = digest_of(EVERY_TABLE_IN_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "e0b066c543916b8d"));
    let digest = digest_of(EVERY_POISSON_IN_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "f63f00b88a647104"));
    let digest = digest_of(EVERY_FLOW_IN_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "6a277b90812194dc"));
    let digest = digest_of(EVERY_FILL_IN_LOCKSTEP, 19);
    assert_eq!((SIMULATION_VERSION, digest.as_str()), (6, "62a381b97aa7ae37"));
}

fn digest(definition: &str) -> String {
    digest_of(definition, 2)
}

fn digest_of(definition: &str, trials: u64) -> String {
    let experiment = Experiment::from_text("every", definition).unwrap();
    let plan = Plan::new(&experiment, None).unwrap();
    let mut digest = Sha256::new();
    for point in &plan.points {
        for (metric, moments) in point.run(0, trials) {
            digest.update(metric.to_string());
            moments.to_words().iter().for_each(|word| digest.update(word.to_le_bytes()));
        }
    }
    digest.finalize()[..8].iter().map(|b| format!("{b:02x}")).collect()
}
