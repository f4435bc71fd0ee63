//! What a filter does: exactly, and in the limit of many bits.

pub(super) mod balanced;
pub(super) mod blocks;
mod counting;
mod first_order;
mod law;
mod overlap;
mod progression;
mod two_hashes;

pub(super) use self::counting::Counted;
use self::first_order::{FirstOrder, Refined};
use self::progression::Progression;
use super::metrics;
use super::params::Size;
use super::workloads::Workload;
use crate::hash::{Derivation, HashSpec, Increment, Steps};
use crate::math::bins;
use crate::math::elementary::pow;
use crate::metric::Metric;
use crate::prediction::{Outlook, Prediction};

/// Steps of some nanoseconds that a value may take, together about a tenth of a second: a figure has hundreds of
/// values.
const MOST_STEPS: f64 = 3e7;

const INDEPENDENT: &str = "balls into bins";
const OF_FEW_VALUES: &str = "inclusion and exclusion";
const FIRST_ORDER: &str = "first order in 1/m";
const LIMIT: &str = "Poisson limit";

/// Exact values of a filter, as far as they are known.
struct Exact {
    /// The false positive probability.
    positive: Option<f64>,
    /// The mean fraction of bits set.
    set: Option<f64>,
    source: &'static str,
}

/// Both to first order, where they are not known exactly.
#[derive(Default)]
struct Nearly {
    positive: Option<Refined>,
    set: Option<Refined>,
}

/// The standard filter.
pub(super) fn standard(size: &Size, workload: &Workload, hash: &HashSpec) -> Outlook {
    let exact = match hash.derivation() {
        Derivation::Progression(increment) => in_progression(size, increment, hash.steps()),
        Derivation::Seeds | Derivation::Slices { .. } => independent(size),
    };
    let nearly = match hash.derivation() {
        Derivation::Progression(increment) if hash.steps() == Steps::Any => {
            let first_order = FirstOrder::new(size, increment);
            Nearly { positive: first_order.all_set(), set: first_order.set() }
        }
        _ => Nearly::default(),
    };
    outlook((size, workload, hash), &exact, &nearly)
}

/// The partitioned filter. Each of its slices alone is the same whatever the derivation.
pub(super) fn partitioned(size: &Size, workload: &Workload, hash: &HashSpec) -> Outlook {
    let slice = size.bits / size.choices;
    let set = bins::filled(size.elements.into(), f64::from(slice));
    let any_steps = hash.steps() == Steps::Any;
    let (positive, source) = match hash.derivation() {
        Derivation::Progression(Increment::Third) => (None, OF_FEW_VALUES),
        Derivation::Progression(_) if !any_steps => (None, OF_FEW_VALUES),
        Derivation::Progression(_) => (two_hashes::all_set(size), OF_FEW_VALUES),
        Derivation::Seeds | Derivation::Slices { .. } => {
            (Some(power(set, size.choices)), INDEPENDENT)
        }
    };
    let used = f64::from(slice * size.choices) / f64::from(size.bits);
    let exact = Exact { positive, set: Some(set * used), source };
    outlook((size, workload, hash), &exact, &Nearly::default())
}

/// k·n balls into m bins.
fn independent(size: &Size) -> Exact {
    let balls = f64::from(size.choices) * f64::from(size.elements);
    let set = bins::filled(balls, f64::from(size.bits));
    Exact { positive: Some(all_hit(size, balls)), set: Some(set), source: INDEPENDENT }
}

fn in_progression(size: &Size, increment: Increment, steps: Steps) -> Exact {
    let filter = Progression::new(size, increment, steps);
    let distinct = filter.and_then(|filter| filter.distinct());
    // With h1 each place of the filter is as likely to be one of an element's as any other.
    let set =
        distinct.map(|places| bins::filled(size.elements.into(), f64::from(size.bits) / places));
    let positive = filter.and_then(|filter| filter.all_set(size.elements));
    Exact { positive, set, source: OF_FEW_VALUES }
}

/// The rate of a filter of which so many bits are set, as one choice after the other meets one of them.
pub(super) fn all_set(set: u64, bits: u32, choices: u32) -> f64 {
    power(set as f64 / f64::from(bits), choices)
}

/// Exact values or those to first order, and limits. The allowance of a limit is its distance from these; where
/// neither is known, nothing is claimed.
fn outlook(
    (size, workload, hash): (&Size, &Workload, &HashSpec),
    exact: &Exact,
    nearly: &Nearly,
) -> Outlook {
    let (set, limit) = (size.set_limit(), size.limit());
    let mut predictions = Vec::new();
    let rates = rates(hash);
    let of_rates = rates.iter().map(|&rate| (rate, exact.positive, nearly.positive));
    let of_set = (metrics::BITS_SET_FRACTION, exact.set, nearly.set);
    for (metric, known, nearly) in of_rates.chain([of_set]) {
        let refined = nearly.filter(|_| known.is_none());
        predictions.extend(exactly(metric, known, exact.source));
        predictions.extend(refined.map(|Refined { value, allowance }| {
            Prediction::refined(metric, value, FIRST_ORDER, allowance)
        }));
    }
    let distance = |known: Option<f64>, nearly: Option<Refined>, limit: f64| {
        let nearly = nearly.map(|near| (near.value - limit).abs() + near.allowance);
        known.map(|value| (value - limit).abs()).or(nearly)
    };
    let room = distance(exact.positive, nearly.positive, limit);
    predictions.extend(rates.iter().map(|&rate| limiting(rate, limit, room)));
    let room = distance(exact.set, nearly.set, set);
    predictions.push(limiting(metrics::BITS_SET_FRACTION, set, room));
    let known = exact.positive.map(|value| law::Known { value, allowance: 0.0 });
    let nearly =
        nearly.positive.map(|Refined { value, allowance }| law::Known { value, allowance });
    let law = law::predictions(size, workload, known.or(nearly), limit);
    let is_measured =
        |of: &Prediction| rates.len() > 1 || of.metric != metrics::RATE_DEVIATION_FRACTION;
    predictions.extend(law.into_iter().filter(is_measured));
    Outlook { predictions, missing: None }
}

/// The estimators of the false positive probability: bits say it of independent choices alone.
fn rates(hash: &HashSpec) -> &'static [Metric] {
    const BOTH: &[Metric] =
        &[metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
    if hash.is_progression() { &BOTH[..1] } else { BOTH }
}

fn exactly(metric: Metric, value: Option<f64>, source: &'static str) -> Option<Prediction> {
    value.map(|value| Prediction::exact(metric, value, source))
}

fn limiting(metric: Metric, limit: f64, allowance: Option<f64>) -> Prediction {
    match allowance {
        Some(allowance) => Prediction::asymptotic(metric, limit, LIMIT, allowance),
        None => Prediction::approximate(metric, limit, LIMIT),
    }
}

fn power(x: f64, exponent: u32) -> f64 {
    pow(x, exponent.into())
}

/// Steps that the prediction of a false positive rate takes, about.
pub(super) fn work_of(size: &Size) -> f64 {
    work(size, f64::from(size.choices) * f64::from(size.elements))
}

/// Steps that [`all_hit`] takes, about.
pub(super) fn work(size: &Size, balls: f64) -> f64 {
    let k = f64::from(size.choices);
    k * k + bins::work(size.choices, balls, size.bits.into())
}

/// Probability that the k choices of an absent key hit set bits alone.
fn all_hit(size: &Size, balls: f64) -> f64 {
    bins::all_hit(size.choices, balls, size.bits.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::workloads::Asked;
    use crate::math::elementary::exp;
    use crate::prediction::Kind;

    fn asked() -> Workload {
        Workload::Membership(Asked { queries: 1, ..Asked::default() })
    }

    /// What is predicted of one kind of filter.
    type Predicted = fn(&Size, &Workload, &HashSpec) -> Outlook;

    fn found(size: &Size, of: Predicted) -> Vec<Prediction> {
        of(size, &asked(), &HashSpec::random(size.choices).unwrap()).predictions
    }

    /// All choices of all elements and of an absent key, each as likely as any other.
    fn enumerated(size: &Size, is_partitioned: bool) -> (f64, f64) {
        let (m, k) = (size.bits, size.choices);
        let range = if is_partitioned { m / k } else { m };
        let stride = if is_partitioned { range } else { 0 };
        let draws = k * size.elements;
        let (mut set, mut positive) = (0.0, 0.0);
        let (all, queries) = (u64::from(range).pow(draws), u64::from(range).pow(k));
        let bits = |code: u64, draws: u32| {
            let digits = (0..draws).scan(code, move |rest, i| {
                let digit = *rest % u64::from(range);
                *rest /= u64::from(range);
                Some(u64::from(i % k * stride) + digit)
            });
            digits.fold(0_u64, |word, bit| word | 1 << bit)
        };
        for word in (0..all).map(|code| bits(code, draws)) {
            set += f64::from(word.count_ones()) / f64::from(m);
            let hit = (0..queries).filter(|&query| bits(query, k) & !word == 0).count();
            positive += hit as f64 / queries as f64;
        }
        (set / all as f64, positive / all as f64)
    }

    #[test]
    fn exact_values_are_those_of_all_outcomes() {
        for (elements, bits, choices) in
            [(1, 1, 1), (2, 4, 2), (3, 3, 2), (1, 6, 3), (2, 6, 3), (4, 5, 1)]
        {
            let size = Size { elements, bits, choices };
            for is_partitioned in [false, true] {
                if is_partitioned && bits % choices != 0 {
                    continue;
                }
                let (set, positive) = enumerated(&size, is_partitioned);
                let found = found(&size, if is_partitioned { partitioned } else { standard });
                assert!((found[0].value - positive).abs() < 1e-12, "{size:?} {found:?} {positive}");
                assert!((found[2].value - set).abs() < 1e-12, "{size:?} {found:?} {set}");
            }
        }
    }

    /// The bits of a filter are positively correlated as far as all of k matter, which the limit does not know.
    #[test]
    fn the_limit_is_below_and_reached() {
        let mut last = f64::INFINITY;
        for bits in [64, 1024, 65_536, 1 << 24] {
            let found = found(&Size { elements: bits / 8, bits, choices: 5 }, standard);
            let (exact, limit) = (found[0].value, found[3].value);
            assert!(exact > limit && exact - limit < last, "{bits}: {exact} {limit}");
            last = (exact - limit) / 4.0;
        }
        assert!(last < 1e-7);
    }

    /// The room of a limit is its distance from the exact value, so that a wrong limit would widen it and agree. That
    /// distance is pinned here: m times it tends to the first order in 1/m, which the variance of the set bits gives,
    /// and what is left of that falls like 1/m again.
    #[test]
    fn limits_are_as_far_off_as_the_first_order_says() {
        for (choices, bits_per_element) in [(1, 4), (2, 10), (5, 4), (5, 10), (8, 4), (8, 10)] {
            for doublings in [0, 4, 8, 11] {
                let bits = (40 * choices) << doublings;
                let size = Size { elements: bits / bits_per_element, bits, choices };
                let load = f64::from(choices) / f64::from(bits_per_element);
                let (clear, k) = (exp(-load), f64::from(choices));
                let set = 1.0 - clear;
                let of_mean = load * clear / 2.0;
                let by_mean = k * power(set, choices) / set * of_mean;
                let variance = clear - (1.0 + load) * clear * clear;
                let by_variance =
                    k * (k - 1.0) / 2.0 * power(set, choices) / (set * set) * variance;
                let filters: [(Predicted, f64, f64); 2] = [
                    (standard, of_mean, by_mean + by_variance),
                    (partitioned, k * of_mean, k * by_mean),
                ];
                for (filter, of_set, of_rate) in filters {
                    let found = found(&size, filter);
                    for (metric, expected) in [
                        (metrics::BITS_SET_FRACTION, of_set),
                        (metrics::FALSE_POSITIVE_RATE, of_rate),
                        (metrics::FALSE_POSITIVE_RATE_GIVEN_BITS, of_rate),
                    ] {
                        let of = |kind| {
                            let is_it =
                                |own: &&Prediction| own.metric == metric && own.kind == kind;
                            found.iter().find(is_it).unwrap().value
                        };
                        let m = f64::from(bits);
                        let distance = m * (of(Kind::Exact) - of(Kind::Asymptotic));
                        let left = (distance / expected - 1.0).abs();
                        assert!(left < 20.0 / m + 1e-6, "{metric} {size:?}: {distance} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn rare_and_certain_positives_keep_their_digits() {
        let rare = found(&Size { elements: 1, bits: 1 << 30, choices: 10 }, standard);
        // All ten choices of the absent key among at most ten bits.
        assert!(rare[0].value > 0.0 && rare[0].value < 1e-70);
        let full = found(&Size { elements: 1 << 20, bits: 64, choices: 64 }, standard);
        assert!((1.0 - full[0].value).abs() < 1e-12 && full[2].value == 1.0);
    }
}
