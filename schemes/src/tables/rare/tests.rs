//! Splitting of tables against exact tails, and against plain simulation.

use crate::case::{Case, Record};
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;
use crate::rare::metrics::EVENT_PROBABILITY;

type Given<'g> = [(&'g str, Scalar)];

fn case(scheme: &str, workload: &str, given: &Given<'_>) -> Box<dyn Case> {
    families::case(scheme, workload, "random", given).unwrap()
}

/// The readings of the probability.
#[derive(Default)]
struct Readings(Vec<f64>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        if metric == EVENT_PROBABILITY {
            self.0.extend(value);
        }
    }

    fn end_of_trial(&mut self) {}
}

impl Readings {
    fn of(case: &dyn Case, trials: u64) -> Self {
        let mut readings = Self::default();
        case.run(&KeySource::Random, 17, 0..trials, &mut readings);
        readings
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn error(&self) -> f64 {
        let (mean, number) = (self.mean(), self.0.len() as f64);
        let squares: f64 = self.0.iter().map(|x| (x - mean).powi(2)).sum();
        (squares / (number * (number - 1.0))).sqrt()
    }
}

fn asked(estimator: &str, beyond: i64) -> [(&'static str, Scalar); 3] {
    [
        ("estimator", estimator.into()),
        ("event", "overflow_elements".into()),
        ("beyond", beyond.into()),
    ]
}

/// Tables of 300 elements whose tails are known exactly, with one level and with three.
const EXACT: [(&str, &str, i64, [i64; 3]); 2] =
    [("single", "", 300, [118, 135, 148]), ("multiple", "200 120 80", 0, [24, 36, 44])];

fn table(sub_tables: &str, buckets: i64) -> Vec<(&'static str, Scalar)> {
    let elements = ("elements", 300_i64.into());
    match sub_tables {
        "" => vec![elements, ("buckets", buckets.into()), ("bucket_size", 1_i64.into())],
        _ => vec![elements, ("sub_table_buckets", sub_tables.into())],
    }
}

/// Down to probabilities that no plain simulation comes near to.
#[test]
fn tails_of_static_fills_are_exact() {
    let mut least = 1.0_f64;
    for (scheme, sub_tables, buckets, beyonds) in EXACT {
        for beyond in beyonds {
            let given = [&table(sub_tables, buckets)[..], &asked("splitting", beyond)].concat();
            let case = case(scheme, "static-fill", &given);
            let predictions = case.outlook(&|_| None).predictions;
            let exact = predictions.iter().find(|p| p.kind == Kind::Exact).unwrap().value;
            let found = Readings::of(&*case, 60);
            let (mean, error) = (found.mean(), found.error());
            assert!(
                (mean - exact).abs() < 4.5 * error,
                "{scheme} {beyond}: {mean} ± {error}, not {exact}"
            );
            assert!(error < 0.2 * exact, "{scheme} {beyond}: {mean} ± {error} decides nothing");
            least = least.min(exact);
        }
    }
    assert!(least < 1e-9, "{least}");
}

/// Every rule, also those that move elements, and every workload of rounds; at the end and at any time.
#[test]
fn splitting_and_plain_trials_agree() {
    let small = [("elements", 60_i64.into()), ("bucket_size", 1_i64.into())];
    let several = [("buckets", 60_i64.into()), ("choices", 2_i64.into())];
    let rounds = [("rounds", 200_i64.into()), ("warm_up", 3.0.into())];
    let moment = [("time", 1.5.into())];
    let cases: [(&str, &str, &Given<'_>, i64, bool); 8] = [
        ("multiple", "static-fill", &[], 17, false),
        ("d-random", "static-fill", &[], 17, false),
        ("second-chance", "static-fill", &[], 12, false),
        ("cuckoo", "static-fill", &[], 12, false),
        ("d-random", "alternation", &rounds, 26, false),
        ("multiple", "alternation", &rounds, 29, true),
        ("cuckoo", "alternation", &rounds, 17, true),
        ("multiple", "relaxation", &moment, 25, false),
    ];
    for (scheme, workload, own, beyond, ever) in cases {
        let ever = [("ever", ever.into())];
        let of = |estimator, trials| {
            let asked = asked(estimator, beyond);
            let given = [&small[..], &several, own, &asked, &ever].concat();
            Readings::of(&*case(scheme, workload, &given), trials)
        };
        let (split, plain) = (of("splitting", 60), of("plain", 20_000));
        let error = split.error().hypot(plain.error());
        assert!(plain.mean() > 1e-3 && plain.mean() < 0.9, "{scheme} {workload}: {}", plain.mean());
        assert!(
            (split.mean() - plain.mean()).abs() < 4.5 * error,
            "{scheme} {workload}: {} or {} ± {error}",
            split.mean(),
            plain.mean()
        );
    }
}

/// A list of all elements is possible and no longer one, and one that is read once has no other time.
#[test]
fn events_that_cannot_happen_are_refused() {
    let asked = |workload: &str, beyond: i64, own: &Given<'_>| {
        let given = [&table("200 120 80", 0)[..], &asked("plain", beyond), own].concat();
        families::case("multiple", workload, "random", &given).map(drop).map_err(|e| e.name)
    };
    assert_eq!(asked("static-fill", 299, &[]), Ok(()));
    assert_eq!(asked("static-fill", 300, &[]), Err("beyond".into()));
    let at = [("time", 1.5.into()), ("ever", true.into())];
    assert_eq!(asked("relaxation", 3, &at[..1]), Ok(()));
    assert_eq!(asked("relaxation", 3, &at), Err("ever".into()));
}

/// What cannot be asked says which parameter stands in the way.
#[test]
fn events_that_are_not_counted_are_refused() {
    let given = |metric: &str, hash: &str, workload: &str, own: &Given<'_>| {
        let event =
            [("estimator", "plain".into()), ("event", metric.into()), ("beyond", 3_i64.into())];
        let given = [&table("", 300)[..], &event, own].concat();
        families::case("single", workload, hash, &given).unwrap_err().to_string()
    };
    let duration = [("duration", 2.0.into())];
    for (error, expected) in [
        (
            given("max_load", "random", "static-fill", &[]),
            "`event`: `max_load` is not counted here",
        ),
        (given("overflow", "random", "static-fill", &[]), "`event`: `overflow` is not the name"),
        (given("overflow_elements", "xxh3", "static-fill", &[]), "`hash`: the choices of `xxh3`"),
        (given("overflow_elements", "random", "open", &duration), "`event`: no trial"),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
}
