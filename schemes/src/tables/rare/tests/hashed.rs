//! Splitting of trials with hash functions that look at keys.

use super::{Given, Readings, asked};
use crate::case::Case;
use crate::families;
use crate::prediction::Kind;

fn case(
    hash: &str,
    workload: &str,
    estimator: &str,
    beyond: i64,
    own: &Given<'_>,
) -> Box<dyn Case> {
    let table =
        [("elements", 40_i64.into()), ("buckets", 40_i64.into()), ("bucket_size", 1_i64.into())];
    let given = [&asked(estimator, beyond)[..], &table, own].concat();
    families::case("single", workload, hash, &given).unwrap()
}

/// With keys that are drawn, a good hash function fills a table as one that is fully random does, down to probabilities
/// that no plain simulation comes near to.
#[test]
fn tails_of_static_fills_of_random_keys_are_exact() {
    let particles = [("particles", 60_i64.into())];
    for (hash, beyond) in [("xxh3", 20), ("murmur3", 24)] {
        let case = case(hash, "static-fill", "splitting", beyond, &particles);
        let predictions = case.outlook(&|_| None).predictions;
        let exact = predictions.iter().find(|p| p.kind == Kind::Exact).unwrap().value;
        let found = Readings::of(&*case, 40);
        let (mean, error) = (found.mean(), found.error());
        assert!(
            (mean - exact).abs() < 4.5 * error,
            "{hash} {beyond}: {mean:e} ± {error:e}, not {exact:e}"
        );
        assert!(error < 0.25 * exact, "{hash} {beyond}: {mean:e} ± {error:e}, {exact:e}");
    }
}

/// Also of counted keys, which such functions spread otherwise than random ones: copies count on, and keep the function.
#[test]
fn splitting_and_plain_trials_of_hashed_keys_agree() {
    let window = [("rounds", 30_i64.into()), ("warm_up", 2.0.into())];
    let particles = [("particles", 50_i64.into())];
    for (hash, keys, beyond, ever) in [
        ("xxh3", "random", 22, false),
        ("simple-tabulation", "sequential", 22, true),
        ("crc32c", "sequential", 22, false),
    ] {
        let own = [&window[..], &[("keys", keys.into()), ("ever", ever.into())]].concat();
        let plain = Readings::of(&*case(hash, "alternation", "plain", beyond, &own), 4000);
        let own = [&own[..], &particles].concat();
        let split = Readings::of(&*case(hash, "alternation", "splitting", beyond, &own), 40);
        let error = split.error().hypot(plain.error());
        assert!(plain.mean() > 2e-3 && plain.mean() < 0.7, "{hash}: {}", plain.mean());
        assert!(
            (split.mean() - plain.mean()).abs() < 4.5 * error,
            "{hash}: {} or {} ± {error}",
            split.mean(),
            plain.mean()
        );
    }
}

/// Drawn values of double hashing are none of independent choices.
#[test]
fn trials_are_of_the_choices_that_are_asked_for() {
    let readings = |from: &str| {
        let table = [
            ("elements", 40_i64.into()),
            ("buckets", 40_i64.into()),
            ("bucket_size", 1_i64.into()),
            ("choices", 3_i64.into()),
            ("choices_from", from.into()),
        ];
        let given = [&asked("plain", 5)[..], &table].concat();
        let case = families::case("d-random", "static-fill", "random", &given).unwrap();
        Readings::of(&*case, 200).0
    };
    assert_eq!(readings("seeds"), readings("seeds"));
    assert_ne!(readings("seeds"), readings("double"));
}
