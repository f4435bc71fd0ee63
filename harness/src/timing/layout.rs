//! One layout: the structures of all series, made once and timed in turn.

use std::time::Duration;

use loadfactor_schemes::Rng;
use loadfactor_schemes::families::UnknownMetric;
use loadfactor_schemes::hash::derive_seed;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::timed::{Answers, Operation};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::bench::{Bench, TRIES, more};
use super::clock::Clock;
use super::plan::{Place, TimedPlan};
use super::statistics::median;
use super::{TimingError, Unsampled};

/// The share of the wanted time that samples must take.
const SHORTEST: f64 = 0.5;

/// What is to be measured of one layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The place of the sweep.
    pub place: usize,
    /// The layout.
    pub layout: u32,
    /// Operations of each sample: of each series, for each operation that is timed. The first layout, which has none,
    /// finds them.
    pub counts: Option<Vec<Vec<u64>>>,
}

/// What was measured of one structure in one layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// Elements of the structure.
    pub elements: u64,
    /// One entry for each operation that is timed, in their order.
    pub sampled: Vec<Samples>,
    /// What it is like when it holds all elements.
    pub full: FullStructure,
}

/// The samples of one operation in one layout.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Operations of each sample.
    pub count: u64,
    /// Nanoseconds per operation, in the order of the rounds.
    pub nanoseconds: Vec<f64>,
}

/// A structure that holds all its elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FullStructure {
    /// Its bytes, its keys aside.
    pub bytes: u64,
    /// Absent keys that it was asked for.
    pub asked: u64,
    /// Those to which it said yes.
    pub positive: u64,
    /// What else is measured of it.
    pub measured: Option<(MetricName, f64)>,
}

/// A metric, written as its name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MetricName(pub Metric);

impl TryFrom<String> for MetricName {
    type Error = UnknownMetric;

    fn try_from(name: String) -> Result<Self, UnknownMetric> {
        name.parse().map(Self)
    }
}

impl From<MetricName> for String {
    fn from(MetricName(metric): MetricName) -> Self {
        metric.to_string()
    }
}

/// Measures one layout of a place, in the order of the series.
///
/// In each round every series gives one sample, in an order of chance that the seed decides: what slows the machine
/// down for longer than a round slows all of them.
///
/// # Errors
/// Where a structure cannot be timed.
pub fn measure_layout(
    plan: &TimedPlan<'_>,
    task: &Task,
    clock: &dyn Clock,
) -> Result<Vec<Observed>, TimingError> {
    let place = &plan.places[task.place];
    let mut benches = benches(plan, place, task.layout, clock)?;
    let mut observed: Vec<Observed> = benches.iter().map(Observed::nothing_yet).collect();
    let mut layout = InLayout {
        plan,
        task,
        target: Duration::from_secs_f64(plan.timing.milliseconds / 1e3),
        order: Order::new(
            place.points.len(),
            derive_seed(plan.experiment.seed, task.layout.into()),
        ),
    };
    let operations = &plan.timing.operations;
    for (number, &operation) in operations.iter().enumerate() {
        // Before anything was deleted a full structure is decided by seeds alone; later it may depend on how many
        // deletions there were time for.
        if operation == Operation::Delete {
            look_at(&mut benches, &mut observed);
        }
        let sampled = layout.sampled(number, &mut benches)?;
        observed.iter_mut().zip(sampled).for_each(|(own, sampled)| own.sampled.push(sampled));
    }
    if !operations.contains(&Operation::Delete) {
        look_at(&mut benches, &mut observed);
    }
    Ok(observed)
}

/// The structures of all series.
fn benches<'c>(
    plan: &TimedPlan<'_>,
    place: &Place,
    layout: u32,
    clock: &'c dyn Clock,
) -> Result<Vec<Bench<'c>>, TimingError> {
    let structures = place.points.iter().map(|&point| plan.structure(point, layout));
    structures.map(|structure| Ok(Bench::new(structure?, clock))).collect()
}

impl Observed {
    fn nothing_yet(bench: &Bench<'_>) -> Self {
        let elements = bench.elements();
        Self { elements, sampled: Vec::new(), full: FullStructure::default() }
    }
}

/// Takes note of what the structures are like when they hold all elements.
fn look_at(benches: &mut [Bench<'_>], observed: &mut [Observed]) {
    for (bench, own) in benches.iter_mut().zip(observed) {
        let full = bench.full();
        let Answers { asked, positive } = full.answers();
        let measured = full.measured().map(|(metric, value)| (MetricName(metric), value));
        own.full = FullStructure { bytes: full.bytes(), asked, positive, measured };
    }
}

/// A layout that is being measured.
struct InLayout<'p> {
    plan: &'p TimedPlan<'p>,
    task: &'p Task,
    /// How long a sample is to take.
    target: Duration,
    order: Order,
}

impl InLayout<'_> {
    /// The samples of an operation, of all series in turn.
    fn sampled(
        &mut self,
        number: usize,
        benches: &mut [Bench<'_>],
    ) -> Result<Vec<Samples>, TimingError> {
        let operation = self.plan.timing.operations[number];
        let mut sampled = Vec::new();
        for (series, bench) in benches.iter_mut().enumerate() {
            bench.make_ready(operation);
            let count = self.count(series, number, bench)?;
            sampled.push(Samples { count, nanoseconds: Vec::new() });
        }
        for attempt in 1..=TRIES {
            self.go_round(operation, benches, &mut sampled);
            let is_last = self.task.counts.is_some() || attempt == TRIES;
            if is_last || !lengthened(&mut sampled, self.target) {
                break;
            }
            benches.iter_mut().for_each(|bench| bench.make_ready(operation));
        }
        Ok(sampled)
    }

    /// Operations of each sample: those that the first layout found, or those that take as long as wanted.
    fn count(
        &self,
        series: usize,
        number: usize,
        bench: &mut Bench<'_>,
    ) -> Result<u64, TimingError> {
        if let Some(counts) = &self.task.counts {
            return Ok(counts[series][number]);
        }
        let operation = self.plan.timing.operations[number];
        let unsampled = |reason: Unsampled| TimingError::Unsampled {
            series: self.plan.experiment.series[series].clone(),
            operation,
            reason,
        };
        bench.calibrated(operation, self.target).map_err(unsampled)
    }

    /// One sample of each series in each round.
    fn go_round(&mut self, operation: Operation, benches: &mut [Bench<'_>], own: &mut [Samples]) {
        let timing = self.plan.timing;
        let rounds = rounds(timing.samples, timing.layouts, self.task.layout);
        for round in 0..rounds {
            let share = (f64::from(round) + 0.5) / f64::from(rounds);
            for series in self.order.next() {
                let Samples { count, nanoseconds } = &mut own[series];
                benches[series].advance(operation, share);
                nanoseconds.push(benches[series].sample(operation, *count));
            }
        }
    }
}

/// Whether the samples of the first layout have to be taken anew, because those of a series are far shorter than
/// wanted: it gets more operations.
fn lengthened(series: &mut [Samples], target: Duration) -> bool {
    let target = target.as_secs_f64() * 1e9;
    let mut again = false;
    for Samples { count, nanoseconds } in series.iter_mut() {
        let taken = median(&mut nanoseconds.clone()).map(|each| each * *count as f64);
        if let Some(taken) = taken.filter(|&taken| taken < SHORTEST * target) {
            *count = more(*count, target / taken);
            again = true;
        }
    }
    if again {
        series.iter_mut().for_each(|sampled| sampled.nanoseconds.clear());
    }
    again
}

/// The rounds of a layout, where the samples do not divide evenly those that are left for the first ones.
fn rounds(samples: u32, layouts: u32, layout: u32) -> u32 {
    samples / layouts + u32::from(layout < samples % layouts)
}

/// The order of the series, another one in each round.
pub(super) struct Order {
    series: Vec<usize>,
    rng: Rng,
}

impl Order {
    pub(super) fn new(series: usize, seed: u64) -> Self {
        Self { series: (0..series).collect(), rng: Rng::seed_from_u64(seed) }
    }

    pub(super) fn next(&mut self) -> Vec<usize> {
        self.series.shuffle(&mut self.rng);
        self.series.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples that came out far too short are taken anew with more operations.
    #[test]
    fn samples_are_lengthened_until_they_are_long_enough() {
        let sampled =
            |count, each: f64| Samples { count, nanoseconds: vec![each, each, 9.0 * each] };
        let target = Duration::from_millis(1);
        let mut fine = [sampled(200_000, 5.0), sampled(150_000, 4.0)];
        assert!(!lengthened(&mut fine, target));
        assert_eq!(fine[1].nanoseconds, [4.0, 4.0, 36.0]);
        let mut short = [sampled(200_000, 5.0), sampled(64, 5.0)];
        assert!(lengthened(&mut short, target));
        assert_eq!((short[0].count, short[1].count), (200_000, 640));
        assert!(short.iter().all(|sampled| sampled.nanoseconds.is_empty()));
    }

    #[test]
    fn each_round_has_every_series_once_in_an_order_that_the_seed_decides() {
        let of = |seed| {
            let mut order = Order::new(4, seed);
            (0..20).map(|_| order.next()).collect::<Vec<_>>()
        };
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        for mut round in of(1) {
            round.sort_unstable();
            assert_eq!(round, [0, 1, 2, 3]);
        }
        assert!(of(1).windows(2).any(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn the_samples_are_spread_over_the_layouts() {
        let all: Vec<u32> = (0..4).map(|layout| rounds(10, 4, layout)).collect();
        assert_eq!(all, [3, 3, 2, 2]);
        assert_eq!(rounds(5, 1, 0), 5);
    }

    /// What is handed from process to process arrives as it was, a metric by its name.
    #[test]
    fn what_was_observed_is_written_and_read() {
        use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
        let own = Observed {
            elements: 200,
            sampled: vec![Samples { count: 640, nanoseconds: vec![5.25, 7.0] }],
            full: FullStructure {
                bytes: 4096,
                asked: 360,
                positive: 2,
                measured: Some((MetricName(OVERFLOW_FRACTION), 0.015625)),
            },
        };
        let text = serde_json::to_string(&own).unwrap();
        assert!(text.contains(r#"["overflow_fraction",0.015625]"#), "{text}");
        assert_eq!(serde_json::from_str::<Observed>(&text).unwrap(), own);
        let unknown = serde_json::from_str::<MetricName>(r#""no_metric""#);
        assert!(unknown.unwrap_err().to_string().contains("no_metric"));
    }
}
