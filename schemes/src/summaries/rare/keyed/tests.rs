//! Crises and failures of tables with keys: against their laws, plain trials and the trials of the workload.

use crate::case::{Case, Record};
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;
use crate::rare::splitting::{Estimate, estimate};
use crate::rare::{Branch, Event, Rare, Rise};
use crate::summaries::metrics::{CRISIS_ELEMENTS, FAILING_ELEMENTS};
use crate::summaries::tests::Readings;
use crate::summaries::theory::law::FillLaw;

type Given = Vec<(&'static str, Scalar)>;

const CRISIS: Event = Event { metric: CRISIS_ELEMENTS, beyond: 0, ever: false };
const FAILURE: Event = Event { metric: FAILING_ELEMENTS, beyond: 0, ever: false };

/// A table of so many elements in these sub-tables.
fn table(elements: i64, sizes: &str) -> Given {
    vec![("elements", elements.into()), ("sub_table_buckets", sizes.into())]
}

fn case(scheme: &str, (hash, choices_from): (&str, &str), given: &Given) -> Box<dyn Case> {
    let given = [&given[..], &[("choices_from", choices_from.into())]].concat();
    families::case(scheme, "summary-fill", hash, &given).unwrap()
}

/// Every summary that has failures, of 30 elements of which most fail often, with at most three choices in each.
fn summaries() -> Vec<(&'static str, Given)> {
    let cells = [("cells", 90_i64.into()), ("cell_choices", 3_i64.into())];
    let of = |own: &[(&'static str, Scalar)]| [&table(30, "32 8 4"), own].concat();
    vec![
        ("single-filter-summary", of(&cells)),
        (
            "counting-single-filter-summary",
            of(&[&cells[..], &[("type_counter_bits", "1 2 1".into())]].concat()),
        ),
        (
            "multiple-filter-summary",
            of(&[("filter_bits", "90 160 32".into()), ("filter_choices", "2 3 2".into())]),
        ),
        (
            "counting-filter-summary",
            of(&[
                ("filter_counters", "90 160 32".into()),
                ("filter_choices", "2 3 2".into()),
                ("filter_counter_bits", "2 1 2".into()),
                ("once", 1_i64.into()),
            ]),
        ),
    ]
}

/// Mean and standard error of so many numbers.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let number = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / number;
    let squares: f64 = numbers.iter().map(|own| (own - mean).powi(2)).sum();
    (mean, (squares / (number * (number - 1.0))).sqrt())
}

/// Estimates of an event with so many particles.
fn estimates(case: &dyn Case, event: &Event, particles: u32, number: u64) -> Vec<f64> {
    let mut rare = case.rare(event).unwrap();
    (0..number).map(|seed| estimate(&mut *rare, particles, seed).probability).collect()
}

/// A trial of this seed that is not taken up again.
fn plain(rare: &mut dyn Rare, seed: u64) -> f64 {
    rare.run(&[Branch { step: 0, seed }], &mut Vec::new())
}

/// What a trial of the workload counts.
fn counted(case: &dyn Case, seed: u64, metric: Metric) -> f64 {
    let mut readings = Readings::default();
    case.run(&KeySource::Random, seed, 0..1, &mut readings as &mut dyn Record);
    readings.0.iter().find(|(own, _)| *own == metric).unwrap().1
}

/// Whatever the derivation, a trial that is not taken up again has the keys and functions of a trial of the workload with
/// the same seed, and sees the same crises and failures. Both happen and stay away.
#[test]
fn a_trial_without_branches_is_a_trial_of_the_workload() {
    let mht = ("mht", table(14, "16 8 4"));
    let hashes =
        [("xxh3", "seeds"), ("siphash", "slices"), ("murmur3", "double"), ("crc32c", "seeds")];
    for hash in hashes.into_iter().chain([("random", "double")]) {
        for (scheme, given) in [mht.clone()].into_iter().chain(summaries()) {
            let event = if scheme == "mht" { CRISIS } else { FAILURE };
            if scheme != "mht" && hash.0 == "random" {
                continue;
            }
            let case = case(scheme, hash, &given);
            let mut rare = case.rare(&event).unwrap();
            let mut seen = 0.0;
            for seed in 0..100 {
                let (found, workload) =
                    (plain(&mut *rare, seed), counted(&*case, seed, event.metric));
                assert_eq!(found, f64::from(u8::from(workload > 0.0)), "{scheme} {hash:?} {seed}");
                seen += found;
            }
            assert!(seen > 0.0 && seen < 100.0, "{scheme} {hash:?}: {seen} of 100");
        }
    }
}

/// A copy shares with its original all that happened up to where it leaves it, be it in the middle of an element, of one
/// that a copy left before, or of a filter.
#[test]
fn copies_share_their_past() {
    let (mut inside, mut copies) = (0, 0);
    let mut all = summaries();
    all.push(("mht", table(30, "32 16 8 4")));
    for (scheme, given) in all {
        let event = if scheme == "mht" { CRISIS } else { FAILURE };
        let case = case(scheme, ("xxh3", "seeds"), &given);
        let mut rare = case.rare(&event).unwrap();
        for seed in 0..10 {
            let mut history = vec![Branch { step: 0, seed }];
            let mut rises: Vec<Rise> = Vec::new();
            rare.run(&history, &mut rises);
            for copy in 0..6 {
                let Some(leaves) = rises.get(rises.len() / 2).copied() else { break };
                let step = leaves.step + 1;
                history.retain(|branch| branch.step < step);
                history.push(Branch { step, seed: 1000 * seed + copy });
                let mut of_copy = Vec::new();
                rare.run(&history, &mut of_copy);
                let shared = |rises: &[Rise]| -> Vec<Rise> {
                    rises.iter().copied().filter(|rise| rise.step < step).collect()
                };
                assert_eq!(shared(&rises), shared(&of_copy), "{scheme} {history:?}");
                let again = {
                    let mut again = Vec::new();
                    rare.run(&history, &mut again);
                    again
                };
                assert_eq!(of_copy, again, "{scheme} {history:?}");
                inside += u64::from(!step.is_multiple_of(super::QUESTIONS.into()));
                copies += 1;
                rises = of_copy;
            }
        }
    }
    assert!(inside > 50 && copies > 200, "{inside} of {copies} copies leave in the middle");
}

/// Of four particles nearly all are copies of copies, so that chance that is not fresh, or a past that is not shared, would
/// show in the mean of 1500 estimates: within four standard errors of the law, with a function for each sub-table or a slice
/// of one value.
#[test]
fn few_particles_have_no_bias() {
    let exact = FillLaw::new(12, &[16, 8, 4]).crisis_probability();
    for hash in [("xxh3", "seeds"), ("xxh3", "slices"), ("murmur3", "seeds")] {
        let case = case("mht", hash, &table(12, "16 8 4"));
        let (mean, error) = mean(&estimates(&*case, &CRISIS, 4, 1500));
        assert!(error < 0.1 * exact, "{hash:?}: {mean} ± {error} decides nothing of {exact}");
        assert!((mean - exact).abs() < 4.0 * error, "{hash:?}: {mean} ± {error}, {exact}");
    }
}

/// From crises that every hundredth table has down to those of one in a thousand million: within four standard errors,
/// which are a small part of the probability, of the law that a hash function of keys cannot be told from.
#[test]
fn crises_of_keys_are_as_frequent_as_their_law_says() {
    let tables: [(i64, &[u32], u64, (&str, &str)); 4] = [
        (20, &[32, 16, 8], 0, ("xxh3", "seeds")),
        (20, &[32, 16, 8], 2, ("siphash", "seeds")),
        (40, &[128, 64, 32, 16], 0, ("xxh3", "slices")),
        (40, &[256, 128, 64, 32], 0, ("xxh3", "seeds")),
    ];
    let mut least = 1.0_f64;
    for (elements, sizes, beyond, hash) in tables {
        let law = FillLaw::new(elements as u32, sizes);
        let in_crisis = law.left_law(sizes.len());
        let exact = in_crisis.at_least(beyond as u32 + 1);
        let written: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let case = case("mht", hash, &table(elements, &written.join(" ")));
        let event = Event { beyond, ..CRISIS };
        let (mean, error) = mean(&estimates(&*case, &event, 60, 40));
        assert!(error < 0.3 * exact, "{hash:?} {elements}: {mean:e} ± {error:e} of {exact:e}");
        assert!((mean - exact).abs() < 4.0 * error, "{hash:?}: {mean:e} ± {error:e}, {exact:e}");
        least = least.min(exact);
    }
    assert!(least < 1e-8, "{least:e}");
}

/// With a function for each choice, failures from frequent ones down to those of one summary in a hundred million: within
/// four standard errors, and what the bounds leave open, of what theory says.
#[test]
fn failures_of_keys_are_as_frequent_as_theory_says() {
    let single = |cells: i64, choices: i64| {
        let own = [("cells", cells.into()), ("cell_choices", choices.into())];
        ("single-filter-summary", [&table(30, "64 16 8")[..], &own].concat())
    };
    let filters = |bits: &'static str, choices: &'static str| {
        let own = [("filter_bits", bits.into()), ("filter_choices", choices.into())];
        ("multiple-filter-summary", [&table(30, "64 16 8")[..], &own].concat())
    };
    let cases = [
        single(120, 6),
        single(600, 12),
        filters("90 60 60", "3 6 6"),
        filters("90 120 60", "1 12 10"),
    ];
    let mut least = 1.0_f64;
    for (scheme, given) in cases {
        let case = case(scheme, ("xxh3", "seeds"), &given);
        let predictions = case.event_outlook(&FAILURE).predictions;
        let told = predictions.iter().find(|told| told.kind == Kind::Exact).unwrap();
        let (mean, error) = mean(&estimates(&*case, &FAILURE, 60, 40));
        let room = 4.0 * error + told.allowance;
        assert!((mean - told.value).abs() < room, "{mean:e} ± {error:e}, {told:?}");
        assert!(error < 0.3 * told.value, "{mean:e} ± {error:e} decides nothing of {told:?}");
        least = least.min(told.value);
    }
    assert!(least < 1e-7, "{least:e}");
}

/// Where no law is known, of choices in a progression: as plain trials have it, within four and a half standard errors of
/// 3000 of them.
#[test]
fn progressions_are_split_as_plain_trials_see_them() {
    let single = &summaries()[0].1;
    let cases = [
        ("mht", ("xxh3", "double"), table(14, "16 8 8"), CRISIS),
        ("mht", ("random", "double"), table(14, "16 8 8"), CRISIS),
        ("single-filter-summary", ("xxh3", "double"), single.clone(), FAILURE),
        ("single-filter-summary", ("xxh3", "slices"), single.clone(), FAILURE),
    ];
    for (scheme, hash, given, event) in cases {
        let case = case(scheme, hash, &given);
        let mut rare = case.rare(&event).unwrap();
        let seen: Vec<f64> = (0..3000).map(|seed| plain(&mut *rare, 7_000_000 + seed)).collect();
        let ((plain, plain_error), (split, error)) =
            (mean(&seen), mean(&estimates(&*case, &event, 30, 60)));
        assert!(plain > 5.0 * plain_error, "{scheme} {hash:?}: {plain} ± {plain_error}");
        let room = 4.5 * error.hypot(plain_error);
        assert!((split - plain).abs() < room, "{scheme} {hash:?}: {split}, plain {plain} ± {room}");
    }
}

/// Counted keys leave no chance between the elements: a run does not see a copy in the middle of one, and the mean of runs
/// is the probability all the same.
#[test]
fn counted_keys_are_not_drawn_again() {
    let given = [&table(12, "16 8 4")[..], &[("keys", "sequential".into())]].concat();
    let case = case("mht", ("xxh3", "seeds"), &given);
    let mut rises = Vec::new();
    case.rare(&CRISIS).unwrap().run(&[Branch { step: 0, seed: 3 }], &mut rises);
    assert!(rises.iter().all(|rise| (rise.step + 1).is_multiple_of(super::QUESTIONS.into())));
    let exact = FillLaw::new(12, &[16, 8, 4]).crisis_probability();
    let (mean, error) = mean(&estimates(&*case, &CRISIS, 20, 200));
    assert!((mean - exact).abs() < 4.0 * error, "{mean} ± {error}, {exact}");
}

/// Packets of a trace come as they are.
#[test]
fn keys_of_a_trace_are_refused() {
    let given = [
        &table(12, "16 8 4")[..],
        &[
            ("keys", "trace".into()),
            ("estimator", "splitting".into()),
            ("event", "crisis_elements".into()),
            ("beyond", 0_i64.into()),
        ],
    ]
    .concat();
    let error = families::case("mht", "summary-fill", "xxh3", &given).unwrap_err();
    assert_eq!(error.name, "keys");
}

/// What a run sees follows from its seed alone, whatever ran before it.
#[test]
fn an_estimate_follows_from_its_seed() {
    let (scheme, given) = &summaries()[2];
    let case = case(scheme, ("xxh3", "seeds"), given);
    let mut used = case.rare(&FAILURE).unwrap();
    let all: Vec<Estimate> = (0..3).map(|seed| estimate(&mut *used, 10, seed)).collect();
    let fresh: Vec<Estimate> =
        (0..3).map(|seed| estimate(&mut *case.rare(&FAILURE).unwrap(), 10, seed)).collect();
    assert_eq!(all, fresh);
}
