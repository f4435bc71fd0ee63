//! Splitting of tables against exact tails, and against plain simulation.

use crate::case::{Case, Record};
use crate::families;
use crate::hash::derive_seed;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::Kind;
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::splitting::{Tail, tail};
use crate::rare::{Branch, Counted, Event};
use crate::tables::metrics::OVERFLOW_ELEMENTS;

mod courses;
mod hashed;

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

/// A history that goes on from what was kept of others is followed as in a trial that knows none of them.
#[test]
fn what_is_kept_is_what_would_be_run_again() {
    let table = [
        ("elements", 60_i64.into()),
        ("bucket_size", 1_i64.into()),
        ("buckets", 60_i64.into()),
        ("choices", 2_i64.into()),
    ];
    let rounds = [&table[..], &[("rounds", 400_i64.into()), ("warm_up", 4.0.into())]].concat();
    let cases: [(_, &Given<'_>, _, _, _); 3] = [
        ("alternation", &rounds, false, 30, [0, 250, 380, 500, 620]),
        ("alternation", &rounds, true, 30, [0, 250, 380, 500, 620]),
        ("static-fill", &table, false, 12, [0, 30, 40, 45, 55]),
    ];
    for (workload, given, ever, beyond, steps) in cases {
        let case = case("second-chance", workload, given);
        let history: Vec<Branch> =
            steps.into_iter().zip(1..).map(|(step, seed)| Branch { step, seed }).collect();
        let event = Event { metric: OVERFLOW_ELEMENTS, beyond, ever };
        let mut all = case.counted(&event).unwrap();
        for end in 1..=history.len() {
            let followed = |counted: &mut dyn Counted| {
                let mut rises = Vec::new();
                (counted.run(&history[..end], &mut rises), counted.count(), rises)
            };
            let alone = followed(&mut *case.counted(&event).unwrap());
            assert!(alone.2.len() > 1, "{workload} {ever} {end}");
            assert_eq!(followed(&mut *all), alone, "{workload} {ever} {end}");
        }
    }
}

/// The list of one choice among `m` buckets of one element, of `n` elements in equilibrium: a Markov chain.
struct OneChoice {
    n: usize,
    m: usize,
}

impl OneChoice {
    /// The law after a round, where longer lists than `most` are forgotten.
    fn round(&self, law: &[f64], most: usize) -> Vec<f64> {
        let mut next = vec![0.0; law.len()];
        for (list, p) in law.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let listed = list as f64 / self.n as f64;
            for (deleted, left) in [(listed, list.saturating_sub(1)), (1.0 - listed, list)] {
                let full = (self.n - 1).saturating_sub(left) as f64 / self.m as f64;
                next[left] += p * deleted * (1.0 - full);
                next[left + 1] += p * deleted * full;
            }
        }
        next.iter_mut().skip(most + 1).for_each(|p| *p = 0.0);
        next
    }

    /// The law in equilibrium.
    fn stationary(&self) -> Vec<f64> {
        let mut law = vec![0.0; self.n + 2];
        law[0] = 1.0;
        (0..2000).for_each(|_| law = self.round(&law, self.n));
        law
    }

    /// The probability of a list longer than `most` after one of so many rounds.
    fn exceeds(&self, most: usize, rounds: u64) -> f64 {
        self.exceeds_from(self.stationary(), most, rounds)
    }

    /// The same, where the list before the first of them counts too.
    fn exceeds_within(&self, most: usize, rounds: u64) -> f64 {
        let mut law = self.stationary();
        let at_once: f64 = law[most + 1..].iter().sum();
        law[most + 1..].fill(0.0);
        at_once + self.exceeds_from(law, most, rounds)
    }

    fn exceeds_from(&self, mut law: Vec<f64>, most: usize, rounds: u64) -> f64 {
        (0..rounds).fold(0.0, |exceeded, _| {
            let next = self.round(&law, self.n);
            law = self.round(&law, most);
            exceeded + next[most + 1..].iter().sum::<f64>()
        })
    }
}

/// Runs of splitting that count, as one trial after another; none where the case has none.
fn tails(case: &dyn Case, beyond: u64, ever: bool, runs: u64) -> Vec<Tail> {
    let event = Event { metric: OVERFLOW_ELEMENTS, beyond, ever };
    let of = |run| tail(&mut *case.counted(&event).unwrap(), 100, derive_seed(5, run), &|| true);
    (0..runs).map(|run| of(run).unwrap()).collect()
}

fn exceeds(tails: &[Tail], length: u64) -> Readings {
    Readings(tails.iter().map(|tail| tail.exceeds(length)).collect())
}

/// At one moment, in less than a lifetime and in several, down to probabilities that no plain simulation comes near to;
/// of the length at which splitting aims and of those below.
#[test]
fn first_passages_in_equilibrium_are_exact() {
    let chain = OneChoice { n: 20, m: 60 };
    let mut least = 1.0_f64;
    for rounds in [1_i64, 12, 40] {
        let given = [
            ("elements", 20_i64.into()),
            ("sub_table_buckets", "60".into()),
            ("rounds", rounds.into()),
        ];
        let case = case("multiple", "alternation", &given);
        for aim in [10, 14] {
            let tails = tails(&*case, aim, true, 60);
            for length in [aim - 1, aim] {
                let exact = chain.exceeds(length as usize, rounds as u64);
                let found = exceeds(&tails, length);
                let (mean, error) = (found.mean(), found.error());
                assert!(
                    (mean - exact).abs() < 4.5 * error,
                    "{rounds} {length}: {mean} ± {error}, not {exact}"
                );
                assert!(error < 0.2 * exact, "{rounds} {length}: {mean} ± {error} of {exact}");
                least = least.min(exact);
            }
        }
    }
    assert!(least < 1e-8, "{least}");
}

/// Every rule, also those that move elements: the lists that plain trials saw are counted as often by splitting that
/// looks ahead to the window.
#[test]
fn counted_and_plain_trials_agree() {
    let common =
        [("elements", 60_i64.into()), ("bucket_size", 1_i64.into()), ("buckets", 60_i64.into())];
    let rounds = [("choices", 2_i64.into()), ("rounds", 30_i64.into()), ("warm_up", 6.0.into())];
    for (scheme, beyond) in
        [("multiple", 27), ("second-chance", 22), ("cuckoo", 15), ("d-random", 27)]
    {
        let given = [&common[..], &rounds].concat();
        let counted =
            exceeds(&tails(&*case(scheme, "alternation", &given), beyond + 3, true, 60), beyond);
        let asked = [&given[..], &asked("plain", beyond as i64), &[("ever", true.into())]].concat();
        let plain = Readings::of(&*case(scheme, "alternation", &asked), 20_000);
        let error = counted.error().hypot(plain.error());
        assert!(plain.mean() > 1e-3 && plain.mean() < 0.9, "{scheme}: {}", plain.mean());
        assert!(
            (counted.mean() - plain.mean()).abs() < 4.5 * error,
            "{scheme}: {} or {} ± {error}",
            counted.mean(),
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
    let trace = [("keys", "trace".into())];
    for (error, expected) in [
        (
            given("max_load", "random", "static-fill", &[]),
            "`event`: `max_load` is not counted here",
        ),
        (given("overflow", "random", "static-fill", &[]), "`event`: `overflow` is not the name"),
        (
            given("overflow_elements", "xxh3", "static-fill", &trace),
            "`keys`: the packets of a trace",
        ),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
}
