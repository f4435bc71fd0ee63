//! What theory says of a table with chains.

use super::attack::Attack;
use super::metrics::{COLLISION_FRACTION, LOAD_GAP, SUM_OF_SQUARES, max_load_at_most};
use super::params::Size;
use super::point::{Kind, Point};
use super::theory::{max_load, span};
use crate::balancing::theory::one_choice;
use crate::hash::HashKind;
use crate::math::distribution::Distribution;
use crate::math::elementary::exp_m1;
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::{Kind as Strictness, Outlook, Prediction};
use crate::rare::Event;
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{MAX_LOAD, occupancy};
use crate::tables::theory::{d_left, d_random};
use crate::tables::{DRandom, Process, Scheme as _};

pub(super) const PAIRS: &str = "pairs collide with probability 1/m";
const INTEGRAL: &str = "truncated exponentials, Cauchy's integral";
const SPAN: &str = "rank of a random binary matrix";
const MAJORISED: &str = "law of one choice: Azar, Broder, Karlin and Upfal, Theorem 3.5";
const FEW_BEYOND: &str = "Poisson number of buckets beyond, differential equations";

/// Shares of buckets below this are lost in the tolerance of the differential equations.
const LEAST_SHARE: f64 = 1e-9;

/// Everything that is said of this point.
pub(super) fn of(point: &Point) -> Outlook {
    if point.attack == Some(Attack::KnownFunction) {
        return Outlook { predictions: in_one_bucket(point), missing: None };
    }
    // Narrow slices choose some buckets more often than others.
    if point.hash.choice_bits() < 32 {
        return Outlook::default();
    }
    let mut outlook = match point.kind {
        Kind::One => one_choice_outlook(point),
        Kind::Random | Kind::Left => several_choices(point),
    };
    if point.queries == 0 {
        outlook.predictions.retain(|own| own.metric != PROBES_PER_MISS);
    }
    outlook
}

/// The probability that some chain has more elements than the event says.
///
/// That of one choice is above those of several: an element joins one of the i longest of m chains where all of its
/// choices are among them. Among all chains that has the probability (i/m)^d, in sub-tables with i_1, …, i_d of them
/// Π (i_j·d/m), which is not above (i/m)^d either; with one choice it is i/m.
pub(super) fn of_event(point: &Point, event: &Event) -> Outlook {
    let Size { elements, buckets } = point.size;
    let beyond = event.beyond as u32;
    if !point.is_random() {
        return Outlook::default();
    }
    let one = max_load::exceeds(beyond, elements, buckets);
    if point.kind == Kind::One {
        let exact = Prediction::exact(EVENT_PROBABILITY, one, INTEGRAL);
        return Outlook { predictions: vec![exact], missing: None };
    }
    let bound = Prediction::upper_bound(EVENT_PROBABILITY, one, MAJORISED);
    let mut outlook = Outlook { predictions: vec![bound], missing: None };
    outlook.add_limit(few_beyond(point, beyond));
    outlook
}

/// The probability of a chain beyond this length, if buckets beyond it are few and all but independent; nothing of
/// lengths that the differential equations do not reach with their digits.
///
/// # Errors
/// Where they cannot be integrated.
fn few_beyond(
    point: &Point,
    beyond: u32,
) -> Result<Vec<Prediction>, crate::tables::theory::TheoryError> {
    let occupancy = occupancy_of_least_loaded(point)?;
    let share: f64 = occupancy.iter().skip(beyond as usize + 1).rev().sum();
    let some = -exp_m1(-share * f64::from(point.size.buckets));
    let known = share > LEAST_SHARE;
    let prediction = Prediction::approximate(EVENT_PROBABILITY, some, FEW_BEYOND);
    Ok(known.then_some(prediction).into_iter().collect())
}

/// All elements in the first bucket.
fn in_one_bucket(point: &Point) -> Vec<Prediction> {
    let Size { elements, buckets } = point.size;
    let n = f64::from(elements);
    let exact = |metric, value| Prediction::exact(metric, value, "built so");
    let mut predictions = vec![
        exact(PROBES_PER_HIT, (n + 1.0) / 2.0),
        exact(MAX_LOAD, n),
        exact(SUM_OF_SQUARES, n * n),
        exact(LOAD_GAP, n - n / f64::from(buckets)),
    ];
    if elements > 1 {
        predictions.push(exact(COLLISION_FRACTION, 1.0));
    }
    predictions
}

/// What random choices make exact, for every hash function; bounds for those of which they are proved.
fn one_choice_outlook(point: &Point) -> Outlook {
    let mut predictions = of_pairs(&point.size);
    predictions.extend(law_of_span(point).unwrap_or_else(|| law_of_one_choice(point)));
    if point.hash.hash().independence() >= 2 {
        predictions.extend(bounds(&point.size));
    }
    Outlook { predictions, missing: None }
}

/// What follows from pairs of keys alone.
fn of_pairs(size: &Size) -> Vec<Prediction> {
    let (n, m) = (f64::from(size.elements), f64::from(size.buckets));
    let exact = |metric, value| Prediction::exact(metric, value, PAIRS);
    let mut predictions = vec![
        exact(PROBES_PER_HIT, 1.0 + (n - 1.0) / (2.0 * m)),
        exact(PROBES_PER_MISS, 1.0 + n / m),
        exact(SUM_OF_SQUARES, n + n * (n - 1.0) / m),
    ];
    if size.elements > 1 {
        predictions.push(exact(COLLISION_FRACTION, 1.0 / m));
    }
    predictions
}

/// 2-universality and Lemma 7.3.1.
fn bounds(size: &Size) -> Vec<Prediction> {
    let (n, m) = (f64::from(size.elements), f64::from(size.buckets));
    let mut bounds = Vec::new();
    if size.elements > 1 {
        bounds.push(Prediction::upper_bound(COLLISION_FRACTION, 1.0 / m, "2-universal: 1/m"));
    }
    let perfect = 1.0 - n * (n - 1.0) / (2.0 * m);
    if perfect > 0.0 && size.elements <= size.buckets {
        let source = "Lemma 7.3.1: 1 − n(n−1)/2m";
        bounds.push(Prediction::lower_bound(max_load_at_most(1), perfect, source));
    }
    bounds
}

/// Occupancy and greatest load where all choices are independent.
fn law_of_one_choice(point: &Point) -> Vec<Prediction> {
    let Size { elements, buckets } = point.size;
    let everything = (None, 1.0);
    let demand = one_choice::binomial(elements.into(), buckets, everything);
    let shares = one_choice::law(&demand, everything);
    let share = |load: u16| shares.get(usize::from(load)).copied().unwrap_or(0.0);
    let of_loads = point
        .loads_measured()
        .map(|load| Prediction::exact(occupancy(load), share(load), "binomial"));
    let law = max_load::law(elements, buckets);
    of_loads.chain(of_greatest(point, &law, INTEGRAL)).collect()
}

/// The same of a whole cross product under a function that is linear on it; `None` of anything else.
fn law_of_span(point: &Point) -> Option<Vec<Prediction>> {
    let Size { elements, buckets } = point.size;
    let is_linear = matches!(point.hash.hash(), HashKind::SimpleTabulation | HashKind::H3);
    let is_whole = elements.is_power_of_two() && buckets.is_power_of_two();
    if point.attack != Some(Attack::CrossProduct) || !is_linear || !is_whole {
        return None;
    }
    let loads = span::loads(elements.ilog2(), buckets.ilog2());
    let exact = |metric, value| Prediction::exact(metric, value, SPAN);
    let sum = |of: &dyn Fn(&(u32, f64, f64)) -> f64| loads.iter().map(of).sum::<f64>();
    let mean = sum(&|(load, p, _)| p * f64::from(*load));
    let filled = sum(&|(_, p, share)| p * share);
    let occupied = |load: u32| sum(&|(own, p, share)| if *own == load { p * share } else { 0.0 });
    let at_most = |load: u32| sum(&|(own, p, _)| if *own <= load { *p } else { 0.0 });
    let mut predictions = vec![exact(MAX_LOAD, mean), exact(LOAD_GAP, mean - point.size.load())];
    predictions.extend(point.loads_measured().map(|load| match load {
        0 => exact(occupancy(0), 1.0 - filled),
        load => exact(occupancy(load), occupied(load.into())),
    }));
    predictions.extend(
        point.maxima_measured().map(|load| exact(max_load_at_most(load), at_most(load.into()))),
    );
    Some(predictions)
}

/// The greatest load, its distance from the mean, and its law.
fn of_greatest(point: &Point, law: &Distribution, source: &'static str) -> Vec<Prediction> {
    let exact = |metric, value| Prediction::exact(metric, value, source);
    let mean = law.mean();
    let at_most = |load: u16| 1.0 - law.at_least(u32::from(load) + 1);
    [exact(MAX_LOAD, mean), exact(LOAD_GAP, mean - point.size.load())]
        .into_iter()
        .chain(point.maxima_measured().map(|load| exact(max_load_at_most(load), at_most(load))))
        .collect()
}

fn several_choices(point: &Point) -> Outlook {
    let d = point.ranges.len() as f64;
    let miss = d * (1.0 + point.size.load());
    let mut outlook = Outlook {
        predictions: vec![Prediction::exact(PROBES_PER_MISS, miss, "choices of absent keys")],
        missing: None,
    };
    outlook.add_limit(of_least_loaded(point));
    outlook.add_limit(law_of_least_loaded(point));
    outlook
}

/// Loads beyond the mean that hardly any bucket has.
const BEYOND: f64 = 12.0;

/// A bucket size that hardly any least loaded bucket reaches.
fn unreached(size: &Size) -> u32 {
    (size.load() + BEYOND).ceil() as u32
}

/// The occupancy of a table of buckets that are large enough.
///
/// # Errors
/// Where the differential equations are too many.
fn of_least_loaded(point: &Point) -> Result<Vec<Prediction>, ParamError> {
    let bucket_size = unreached(&point.size);
    let given: [(&str, Scalar); 6] = [
        ("elements", point.size.elements.into()),
        ("buckets", point.size.buckets.into()),
        ("bucket_size", bucket_size.into()),
        ("choices", (point.ranges.len() as u32).into()),
        ("sub_tables", (point.kind == Kind::Left).into()),
        ("ties", if point.kind == Kind::Left { "left" } else { "random" }.into()),
    ];
    let table = DRandom::from_params(&Params::complete(DRandom::INFO.params, &given)?)?;
    let outlook = table.outlook(Process::StaticFill);
    if let Some(missing) = outlook.missing {
        return Err(ParamError::new("choices", missing));
    }
    let is_measured = |own: &Prediction| {
        own.metric.is_like(occupancy(0))
            && own.metric.number().is_some_and(|load| point.loads_measured().contains(&load))
    };
    Ok(outlook.predictions.into_iter().filter(is_measured).collect())
}

/// The law of the greatest load from the tails of the differential equations.
///
/// # Errors
/// Where they cannot be integrated.
fn law_of_least_loaded(
    point: &Point,
) -> Result<Vec<Prediction>, crate::tables::theory::TheoryError> {
    let occupancy = occupancy_of_least_loaded(point)?;
    let law = max_load::of_occupancy(&occupancy, point.size.buckets);
    let mut predictions = of_greatest(point, &law, FEW_BEYOND);
    predictions.iter_mut().for_each(|own| own.kind = Strictness::Approximate);
    Ok(predictions)
}

/// The shares of buckets with 0, 1, … elements that the differential equations say.
///
/// # Errors
/// Where they cannot be integrated.
fn occupancy_of_least_loaded(
    point: &Point,
) -> Result<Vec<f64>, crate::tables::theory::TheoryError> {
    let (d, bucket_size) = (point.ranges.len() as u32, unreached(&point.size));
    let load = point.size.load() / f64::from(bucket_size);
    Ok(match point.kind {
        Kind::Left => d_left::static_fill(load, bucket_size, d, 1.0)?.table.occupancy,
        Kind::One | Kind::Random => d_random::static_fill(load, bucket_size, d, 1.0)?.occupancy,
    })
}
