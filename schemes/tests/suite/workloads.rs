//! One small point of every workload: what holds of a trial whatever it measures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use loadfactor_schemes::case::{Case, Record};
use loadfactor_schemes::families;
use loadfactor_schemes::keys::{KeySource, Places, TraceKeys};
use loadfactor_schemes::metric::{Metric, common};
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::tables::metrics;

type Given = Vec<(&'static str, Scalar)>;

/// Scheme, workload, and the parameters that the two need.
fn points() -> Vec<(&'static str, &'static str, Given)> {
    let table = || vec![("buckets", 24_i64.into()), ("bucket_size", 2_i64.into())];
    let loaded = |own: Given| [table(), vec![("load", 0.75.into())], own].concat();
    let span = || vec![("warm_up", 3.0.into()), ("duration", 400.0.into())];
    let flows = vec![
        ("flows", 6_i64.into()),
        ("rate", 0.1.into()),
        ("burst", 3.0.into()),
        ("warm_up", 400_i64.into()),
        ("slots", 9000_i64.into()),
        ("largest", 40_i64.into()),
    ];
    let filter = |own: Given| {
        let size: Given = vec![("bits", 640_i64.into()), ("choices", 3_i64.into())];
        [size, own].concat()
    };
    let multilevel = |own: Given| {
        let table: Given =
            vec![("elements", 40_i64.into()), ("sub_table_buckets", "50 20 8".into())];
        [table, own].concat()
    };
    let sketch = || vec![("rows", 3_i64.into()), ("columns", 8_i64.into())];
    let stream = || {
        vec![
            ("flows", 40_i64.into()),
            ("packets", 9000_i64.into()),
            ("counts", "expected".into()),
            ("queries", 20_i64.into()),
            ("epsilon", 0.1.into()),
        ]
    };
    let balanced =
        vec![("buckets", 200_i64.into()), ("load", 40.0.into()), ("overflow", 0.1.into())];
    let chains = |own: Given| {
        let table: Given = vec![("elements", 40_i64.into()), ("buckets", 30_i64.into())];
        [table, own].concat()
    };
    vec![
        ("single", "static-fill", loaded(vec![])),
        ("single", "alternation", loaded(vec![("rounds", 9000_i64.into())])),
        ("single", "continuous", loaded(span())),
        ("single", "open", loaded(span())),
        ("single", "relaxation", loaded(vec![("rounds", 9000_i64.into())])),
        ("single", "on-off", [table(), flows].concat()),
        ("balancing-single", "filling", balanced),
        (
            "cuckoo-table",
            "cuckoo-build",
            vec![
                ("elements", 40_i64.into()),
                ("buckets", 90_i64.into()),
                ("stash_size", 1_i64.into()),
                ("rehash_limit", 2_i64.into()),
            ],
        ),
        (
            "cuckoo-table",
            "cuckoo-attack",
            vec![
                ("elements", 40_i64.into()),
                ("buckets", 90_i64.into()),
                ("attack", "cross-product".into()),
            ],
        ),
        (
            "bloom-filter",
            "membership",
            filter(vec![("elements", 60_i64.into()), ("queries", 9000_i64.into())]),
        ),
        (
            "counting-bloom-filter",
            "churn",
            filter(vec![
                ("elements", 60_i64.into()),
                ("queries", 50_i64.into()),
                ("rounds", 9000_i64.into()),
            ]),
        ),
        (
            "bloom-filter",
            "join",
            filter(vec![("elements", 60_i64.into()), ("queries", 9000_i64.into())]),
        ),
        ("bloom-filter", "stream", filter(vec![("packets", 60_i64.into())])),
        (
            "spectral-bloom-filter",
            "multiset",
            filter(vec![
                ("elements", 60_i64.into()),
                ("counter_bits", 4_i64.into()),
                ("multiplicity", 5_i64.into()),
                ("queries", 9000_i64.into()),
            ]),
        ),
        (
            "single-filter-summary",
            "summary-fill",
            multilevel(vec![
                ("cells", 90_i64.into()),
                ("cell_choices", 3_i64.into()),
                ("queries", 9000_i64.into()),
            ]),
        ),
        (
            "counting-filter-summary",
            "counted-deletion",
            multilevel(vec![
                ("filter_counters", "200 90 30".into()),
                ("filter_choices", "3 3 3".into()),
                ("filter_counter_bits", "4 4 2".into()),
                ("rounds", 9000_i64.into()),
            ]),
        ),
        ("mht", "lazy-deletion", multilevel(vec![("deleted", 9_i64.into())])),
        (
            "fast-hash-table",
            "replacement",
            vec![
                ("elements", 40_i64.into()),
                ("buckets", 300_i64.into()),
                ("choices", 3_i64.into()),
                ("rounds", 9000_i64.into()),
            ],
        ),
        ("d-way-chaining", "chains-fill", chains(vec![])),
        ("chaining", "chains-attack", chains(vec![("attack", "other-function".into())])),
        ("fks", "perfect-build", vec![("elements", 40_i64.into())]),
        (
            "robin-hood",
            "probing-fill",
            vec![
                ("elements", 40_i64.into()),
                ("buckets", 64_i64.into()),
                ("queries", 9000_i64.into()),
            ],
        ),
        (
            "linear-probing",
            "probing-alternation",
            vec![
                ("elements", 40_i64.into()),
                ("buckets", 64_i64.into()),
                ("deletion", "back-shift".into()),
                ("queries", 50_i64.into()),
                ("rounds", 9000_i64.into()),
            ],
        ),
        ("count-min", "zipf-stream", [sketch(), stream(), vec![("phi", 0.05.into())]].concat()),
        (
            "heavy-keeper",
            "zipf-stream",
            [sketch(), stream(), vec![("entries", 5_i64.into()), ("phi", 0.05.into())]].concat(),
        ),
        ("elastic", "zipf-stream", [sketch(), stream(), vec![("buckets", 4_i64.into())]].concat()),
        (
            "flow-radar",
            "zipf-stream",
            [stream(), vec![("cells", 60_i64.into()), ("flow_filter_bits", 300_i64.into())]]
                .concat(),
        ),
        ("count-sketch", "turnstile", [sketch(), stream()].concat()),
        (
            "space-saving",
            "packet-stream",
            vec![("entries", 10_i64.into()), ("packets", 9000_i64.into())],
        ),
    ]
}

/// A point of this workload with drawn choices, or where elements have to have keys with a hash function of them.
fn drawn(scheme: &str, workload: &str, given: &[(&str, Scalar)]) -> Box<dyn Case> {
    let hash = if workload == "counted-deletion" { "xxh3" } else { "random" };
    families::case(scheme, workload, hash, given).unwrap()
}

/// Tables that remember more than who is where, whose elements come and go.
fn alternating() -> Vec<(&'static str, &'static str, Given)> {
    let own: [(&str, Given); 9] = [
        ("single", vec![("move_back", "deletion".into())]),
        ("multiple", vec![("choices", 3_i64.into())]),
        ("multiple", vec![("choices", 3_i64.into()), ("move_back", "insertion".into())]),
        ("d-random", vec![("choices", 3_i64.into()), ("ties", "random".into())]),
        ("cuckoo", vec![("choices", 3_i64.into()), ("stash_size", 2_i64.into())]),
        ("second-chance", vec![("choices", 3_i64.into()), ("hints", "element".into())]),
        ("second-chance", vec![("choices", 3_i64.into()), ("hints", "place".into())]),
        ("second-chance", vec![("choices", 3_i64.into()), ("move_back", "deletion".into())]),
        ("extreme-second-chance", vec![("choices", 3_i64.into())]),
    ];
    own.into_iter()
        .flat_map(|(scheme, own)| {
            let table: Given = vec![("buckets", 24_i64.into()), ("load", 1.1.into())];
            let given = [table, own].concat();
            let rounds: Given = vec![("rounds", 500_i64.into())];
            let span: Given = vec![("warm_up", 1.0.into()), ("duration", 20.0.into())];
            [
                (scheme, "alternation", [given.clone(), rounds].concat()),
                (scheme, "open", [given, span].concat()),
            ]
        })
        .collect()
}

/// The readings of each trial.
#[derive(Debug, Default, PartialEq)]
struct Trials(Vec<BTreeMap<Metric, Option<f64>>>, BTreeMap<Metric, Option<f64>>);

impl Record for Trials {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.1.insert(metric, value);
    }

    fn end_of_trial(&mut self) {
        self.0.push(std::mem::take(&mut self.1));
    }
}

fn trials(case: &dyn Case, keys: &KeySource, numbers: std::ops::Range<u64>) -> Trials {
    let mut trials = Trials::default();
    case.run(keys, 20_261_122, numbers, &mut trials);
    trials
}

/// So that what follows is asked of a new workload too.
#[test]
fn every_workload_has_its_point() {
    let named: BTreeSet<&str> = points().iter().map(|(_, workload, _)| *workload).collect();
    assert_eq!(named, families::workloads().map(|info| info.name).collect());
}

/// In a batch a trial comes after others and finds their table, keys and random numbers; alone it does not.
#[test]
fn a_trial_depends_on_its_seed_and_number_alone() {
    let bytes = (0..50_u16).flat_map(u16::to_be_bytes).collect();
    let trace = TraceKeys::new(bytes, Places::Width(2), (0..50).collect()).unwrap();
    let trace = KeySource::Trace { keys: Arc::new(trace), renew: true, shuffled: true };
    for (scheme, workload, given) in points().into_iter().chain(alternating()) {
        for (hash, keys, source) in [
            ("random", "random", &KeySource::Random),
            ("xxh3", "random", &KeySource::Random),
            ("xxh3", "trace", &trace),
        ] {
            let given = [&given[..], &[("keys", keys.into())]].concat();
            let case = match hash {
                "random" => drawn(scheme, workload, &given),
                hash => families::case(scheme, workload, hash, &given).unwrap(),
            };
            let together = trials(&*case, source, 0..3);
            let alone = (0..3).flat_map(|number| trials(&*case, source, number..number + 1).0);
            assert_eq!(together.0, alone.collect::<Vec<_>>(), "{workload}, {hash}, {keys}");
        }
    }
}

/// A trace in which each packet comes twice, gone through many times: every second one meets the first, which has not
/// departed as a rule.
#[test]
fn repeated_keys_are_seen_in_every_pass() {
    let ids: Vec<u32> = (0..50).flat_map(|id| [id, id]).collect();
    let bytes = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
    let keys = Arc::new(TraceKeys::new(bytes, Places::Width(4), ids).unwrap());
    let keys = KeySource::Trace { keys, renew: true, shuffled: false };
    for (scheme, workload, given) in points() {
        if !["alternation", "continuous", "open", "filling"].contains(&workload) {
            continue;
        }
        let given = [&given[..], &[("keys", "trace".into())]].concat();
        let case = families::case(scheme, workload, "xxh3", &given).unwrap();
        let repeated = trials(&*case, &keys, 0..1).0[0][&common::REPEATED_KEY_FRACTION].unwrap();
        assert!((0.45..0.55).contains(&repeated), "{workload}: {repeated}");
    }
}

/// A row of a table has a prediction only where there is a measurement beside it.
#[test]
fn what_is_predicted_is_measured() {
    for (scheme, workload, mut given) in points() {
        if workload == "membership" {
            given.extend([("deviation", 0.01.into()), ("positives_law", 3_i64.into())]);
        }
        for (hash, from) in [("random", "seeds"), ("xxh3", "seeds"), ("xxh3", "double")] {
            let given = [&given[..], &[("choices_from", from.into())]].concat();
            let case = match hash {
                "random" => drawn(scheme, workload, &given),
                hash => families::case(scheme, workload, hash, &given).unwrap(),
            };
            let measured = trials(&*case, &KeySource::Random, 0..1);
            for own in case.outlook(&|_| None).predictions {
                assert!(measured.0[0].contains_key(&own.metric), "{workload}, {from}: {own:?}");
            }
        }
    }
}

/// Moves are measured where a scheme moves elements, and not where it never does; the most are those of a walk that
/// gives up.
#[test]
fn moves_are_those_of_schemes_that_move() {
    for (scheme, workload, given) in alternating() {
        let case = families::case(scheme, workload, "random", &given).unwrap();
        let measured = &trials(&*case, &KeySource::Random, 0..1).0[0];
        let moves = measured.get(&metrics::MOVES_PER_INSERTION).copied().flatten();
        let expected = scheme.ends_with("second-chance") || scheme == "cuckoo";
        assert_eq!(moves.is_some(), expected, "{scheme}");
        assert!(moves.is_none_or(|moves| moves > 0.0 && moves <= 500.0), "{scheme}: {moves:?}");
    }
}

/// A journal is taken up again as long as the numbers of its case are the same: those of most tables never changed, those of
/// balancing schemes once, those of tables with summaries and filters twice, and four times where absent keys of filters are
/// asked for by their number alone.
#[test]
fn the_revision_is_how_often_numbers_changed() {
    for (scheme, workload, given) in points().into_iter().filter(|point| point.1 != "static-fill") {
        let case = drawn(scheme, workload, &given);
        let changes = match scheme {
            "bloom-filter" | "partitioned-bloom-filter" | "counting-bloom-filter"
                if ["membership", "join"].contains(&workload) =>
            {
                4
            }
            _ if scheme.ends_with("bloom-filter") || workload == "summary-fill" => 2,
            _ if scheme.starts_with("balancing") => 1,
            _ => 0,
        };
        assert_eq!(case.revision(), changes, "{scheme}, {workload}");
    }
}

/// Where rounds are drawn by the block, and where they are not.
#[test]
fn the_revision_of_sub_tables_is_how_often_numbers_changed() {
    let (three, ten) = ("12 9 7", "5 5 5 5 5 5 5 5 5 5");
    let revision = |scheme, workload, sizes: &str, own: &[(&'static str, Scalar)]| {
        let table: Given = vec![("elements", 20_i64.into()), ("sub_table_buckets", sizes.into())];
        let rounds: Given = vec![("rounds", 50_i64.into())];
        let span: Given = vec![("duration", 5.0.into())];
        let length = match workload {
            "alternation" => rounds,
            "open" | "continuous" => span,
            _ => Vec::new(),
        };
        drawn(scheme, workload, &[&table[..], &length, own].concat()).revision()
    };
    let hints = [("hints", Scalar::from("place"))];
    let of_two = [("bucket_size", Scalar::from(2_i64))];
    let of_three = [("bucket_size", Scalar::from(3_i64))];
    let any = [("moves_to", Scalar::from("any"))];
    let later = [("moves_to", Scalar::from("later"))];
    for (scheme, workload, sizes, own, changes) in [
        ("second-chance", "alternation", three, &[][..], 1),
        ("second-chance", "alternation", three, &hints, 1),
        ("second-chance", "alternation", three, &of_two, 0),
        ("second-chance", "static-fill", three, &[], 0),
        ("second-chance", "static-fill", three, &hints, 1),
        ("second-chance", "static-fill", ten, &[], 1),
        ("second-chance", "open", three, &[], 2),
        ("second-chance", "open", three, &hints, 0),
        ("second-chance", "continuous", three, &[], 0),
        ("extreme-second-chance", "alternation", three, &any, 1),
        ("extreme-second-chance", "alternation", three, &later, 3),
        ("extreme-second-chance", "static-fill", three, &any, 1),
        ("multiple", "alternation", three, &of_two, 1),
        ("multiple", "alternation", three, &of_three, 0),
        ("multiple", "static-fill", three, &of_two, 0),
    ] {
        let found = revision(scheme, workload, sizes, own);
        assert_eq!(found, changes, "{scheme}, {workload}, {sizes}, {own:?}");
    }
}

/// Given some elements in the system, a part of them overflows; given none there is none of which to be a part.
#[test]
fn the_heuristic_is_of_intervals_with_elements() {
    let (scheme, workload, given) = points().into_iter().find(|own| own.1 == "on-off").unwrap();
    let given = [&given[..], &[("bin_width", 1_i64.into())]].concat();
    let case = families::case(scheme, workload, "random", &given).unwrap();
    let predictions = case.outlook(&|_| None).predictions;
    let at = |number| {
        let metric = metrics::overflow_fraction_at(number);
        predictions.iter().find(|own| own.metric == metric).map(|own| own.value)
    };
    assert_eq!((at(0), at(1).is_some_and(|one| one < 0.05)), (None, true));
    assert!(at(30) < at(40) && at(40).is_some_and(|many| many < 0.5), "{:?} {:?}", at(30), at(40));
}

/// Where the number of elements varies around n there is room for twice as many.
#[test]
fn an_open_table_takes_more_memory_than_a_closed_one() {
    let bytes = |workload| {
        let point = points().into_iter().find(|point| point.1 == workload);
        let (scheme, _, given) = point.unwrap();
        families::case(scheme, workload, "random", &given).unwrap().cost(&KeySource::Random).bytes
    };
    let (closed, open) = (bytes("continuous"), bytes("open"));
    assert!(closed > 0 && open >= 2 * closed - 24 * 8 && open < 4 * closed, "{closed} {open}");
}

/// Numbers of 32 bits and the rows of extreme second chance are kept where rounds pass the sub-tables one after the other, which
/// they do with random choices alone.
#[test]
fn what_passing_sub_tables_takes_is_counted_where_it_is_done() {
    const ELEMENTS: u32 = 70_000;
    let bytes = |scheme, workload, hash, given: &[(&str, Scalar)]| {
        let sizes = [("elements", ELEMENTS.into()), ("sub_table_buckets", "90000 50000".into())];
        let given = [&sizes, given].concat();
        families::case(scheme, workload, hash, &given).unwrap().cost(&KeySource::Random).bytes
    };
    let rounds = [("warm_up", 0_i64.into()), ("rounds", 10_i64.into())];
    let passing = [
        ("multiple", &[][..], 4 * 140_000),
        ("second-chance", &[], 8 * 140_000),
        ("extreme-second-chance", &[("moves_to", "later".into())], 24 * 140_000),
    ];
    for (scheme, own, of_buckets) in passing {
        let given = [own, &rounds].concat();
        let expected = 4 * u64::from(ELEMENTS) + of_buckets;
        assert_eq!(bytes(scheme, "alternation", "random", &given), expected, "{scheme}");
        let hashed = bytes(scheme, "alternation", "xxh3", &given);
        let filled = bytes(scheme, "static-fill", "xxh3", own);
        assert_eq!(hashed, filled, "{scheme}");
    }
}

/// Each arrival is at least one operation, and so is each of the 9400 slots of on-off flows.
#[test]
fn a_trial_takes_an_operation_for_each_arrival_and_slot() {
    for (scheme, workload, given) in points() {
        let case = drawn(scheme, workload, &given);
        let least = if workload == "on-off" { 9400 } else { 0 };
        let operations = case.cost(&KeySource::Random).operations;
        assert!(operations >= case.arrivals().max(least) as f64, "{workload}: {operations}");
    }
}

/// `plan` times a shortened case and concludes from it to the whole: it must be short, but not empty, and one
/// that was short enough stays as it is.
#[test]
fn a_shortened_case_takes_about_as_many_operations_as_asked() {
    for (scheme, workload, given) in points() {
        let case = drawn(scheme, workload, &given);
        let operations = |case: &dyn Case| case.cost(&KeySource::Random).operations;
        let [none, few, all] = [1.0, 3000.0, 1e9].map(|most| operations(&*case.shortened(most)));
        assert!(few - none <= 2.5 * 3000.0, "{workload}: {none}, {few}, {all}");
        assert!(all <= operations(&*case), "{workload}: {none}, {few}, {all}");
        let is_long = operations(&*case) > 4.0 * 3000.0;
        assert!(!is_long || few - none >= 300.0, "{workload}: {none}, {few}, {all}");
    }
}

/// Arrivals of a trial as its workload defines them; where chance decides, more than the mean.
#[test]
fn arrivals_are_those_of_the_definition() {
    let arrivals = |workload: &str, own: &[(&str, Scalar)]| {
        let (scheme, _, given) = points().into_iter().find(|point| point.1 == workload).unwrap();
        let given: Vec<(&str, Scalar)> = given
            .into_iter()
            .filter(|(name, _)| own.iter().all(|(other, _)| other != name))
            .chain(own.to_vec())
            .collect();
        families::case(scheme, workload, "random", &given).unwrap().arrivals()
    };
    let overflow_list = [("start", "overflow-list".into())];
    assert_eq!(arrivals("static-fill", &[]), 36);
    assert_eq!(arrivals("relaxation", &[]), 36 + 9000);
    assert_eq!(arrivals("relaxation", &overflow_list), 9000);
    let mean = 36 * 403;
    let hardly = |mean: u64| mean + 1..=mean + mean / 10;
    assert!(hardly(36 + mean).contains(&arrivals("continuous", &[])));
    assert!(hardly(36 + mean).contains(&arrivals("open", &[])));
    assert!(hardly(mean).contains(&arrivals("open", &[("start", "empty".into())])));
}
