//! A point of the family of balancing schemes.

use std::ops::Range;

use super::cost::LoadCost;
use super::loads::{Loads, accesses_per_absent_lookup};
use super::outlook::Bounded;
use super::params::{CHOICES, ELEMENTS, LOAD, Size, Target, UNTIL};
use super::rare::{Fill, INTERVALS};
use super::rule::{Kind, Rule};
use super::{metrics, outlook, rare};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashSpec, Source};
use crate::info::{SchemeInfo, WorkloadInfo};
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Made, Seeds, seed_of_pass};
use crate::metric::common;
use crate::params::{ParamError, Scalar};
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, NotRare, Rare};
use crate::tables::metrics::{
    ACCESSES_PER_INSERTION, ARRIVALS, BUCKETS, ELEMENTS as OF_ELEMENTS, MAX_LOAD,
    OVERFLOW_ELEMENTS, OVERFLOW_FRACTION, occupancy,
};
use crate::tables::theory::list_of_one_choice::GENERATING;

/// The name of the family.
pub(super) const NAME: &str = "balancing";

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&FILLING];

static FILLING: WorkloadInfo = WorkloadInfo {
    name: "filling",
    summary: "n elements arrive one after the other at empty buckets. The buckets are looked at once, after the share `until` of the elements.",
    decides: &[],
    params: &[UNTIL],
};

/// A scheme: its entry in the reference, its rule, and what theory says of it.
pub(super) struct Scheme {
    pub(super) info: SchemeInfo,
    pub(super) kind: Kind,
    /// Predictions after so many elements.
    pub(super) predictions: fn(&Rule, &Size, f64) -> Vec<Prediction>,
    /// The probability of a longer list after so many elements, where it is known exactly.
    pub(super) list_exceeds: Option<fn(&Rule, u32, u32) -> f64>,
}

impl Scheme {
    /// Its entry in the list of schemes.
    pub(super) const fn entry(
        &'static self,
        case: fn(&Request<'_>) -> Result<Box<dyn Case>, ParamError>,
    ) -> SchemeEntry {
        SchemeEntry { family: NAME, info: &self.info, case }
    }

    /// A point of it.
    ///
    /// # Errors
    /// The first parameter that cannot be used.
    pub(super) fn case(&'static self, request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
        let params = request.params;
        let size = Size::from_params(params)?;
        let choices = match params.get(CHOICES.name) {
            Some(_) => params.small(CHOICES.name)?,
            None => 1,
        };
        let rule = Rule::new(self.kind, &size, &Target::from_params(params, choices)?)?;
        let until = params.number(UNTIL.name)?;
        let arrivals = ((until * f64::from(size.elements)).round() as u32).max(1);
        let range = (rule.widest(), "buckets");
        let hash = HashSpec::from_params(request.hash, params, rule.choices(), range)?;
        let seed_text = seed_text(request, &size);
        let cost = LoadCost::from_params(params)?;
        let made = Made::from_params(params)?;
        Ok(Box::new(BalancingCase {
            scheme: self,
            rule,
            size,
            arrivals,
            cost,
            hash,
            made,
            seed_text,
        }))
    }
}

/// A rule for n elements and m buckets, with a hash function.
#[derive(Clone)]
struct BalancingCase {
    scheme: &'static Scheme,
    rule: Rule,
    size: Size,
    /// Elements that come before the buckets are looked at.
    arrivals: u32,
    cost: Option<LoadCost>,
    hash: HashSpec,
    /// The keys, unless they are those of a trace.
    made: Option<Made>,
    seed_text: String,
}

impl std::fmt::Debug for BalancingCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.scheme.info.name;
        f.debug_struct(name).field("rule", &self.rule).field("size", &self.size).finish()
    }
}

/// Size and keys: the same for every scheme, hash function, number of choices and time.
fn seed_text(request: &Request<'_>, size: &Size) -> String {
    let mut text = format!("balancing {} elements over {} buckets", size.elements, size.buckets);
    for name in KEY_PARAMS.iter().map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

impl Case for BalancingCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn revision(&self) -> u32 {
        1
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let (arrivals, buckets) = (u64::from(self.arrivals), u64::from(self.size.buckets));
        let each = 1.0 + self.rule.accesses.unwrap_or_else(|| self.rule.choices().into());
        let operations = arrivals as f64 * each + buckets as f64;
        let bytes = 4 * buckets + arrivals * keys.bytes_per_element() + keys.bytes();
        Cost { operations, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.arrivals.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let with_keys = matches!(keys, KeySource::Trace { .. });
        let batch = Batch { case: self, with_keys, seed, trials, out };
        keys::visit(&self.hash, keys, self.arrivals, batch);
    }

    fn outlook(&self, measured: Means<'_>) -> Outlook {
        let arrivals = self.arrivals.into();
        let mut predictions = (self.scheme.predictions)(&self.rule, &self.size, arrivals);
        let bound = |bounded: Bounded<'_>, of: &[Prediction]| {
            outlook::lower_bound(&self.rule, &self.size, arrivals, measured, of, bounded)
        };
        let square = |load: u32| f64::from(load).powi(2);
        let mut bounds = vec![bound((metrics::LOAD_SQUARE, &square), &predictions)];
        if let Some(cost) = &self.cost {
            bounds.push(bound((metrics::MEAN_COST, &|load| cost.of(load)), &predictions));
            predictions.extend(cost.predictions(&predictions, &self.size));
        }
        predictions.extend(bounds.into_iter().flatten());
        Outlook { predictions, missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            OF_ELEMENTS | ARRIVALS => Some(self.arrivals.into()),
            BUCKETS => Some(self.size.buckets.into()),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        vec![
            (ELEMENTS.name, Some(self.size.elements.into())),
            (LOAD.name, Some(self.size.load().into())),
        ]
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        rare::check(self.arrivals, event)?;
        self.rare(event).map(drop)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        let Self { rule, hash, arrivals, made, .. } = self;
        let (arrivals, made, lengths) = (*arrivals, made.as_ref(), self.lengths());
        Fill { rule, hash, made, arrivals, lengths }.trials(event)
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        let tail = self.scheme.list_exceeds.filter(|_| event.metric == OVERFLOW_ELEMENTS);
        let beyond = u32::try_from(event.beyond).ok();
        let tail = tail.zip(beyond).map(|(tail, beyond)| {
            Prediction::exact(
                EVENT_PROBABILITY,
                tail(&self.rule, self.arrivals, beyond),
                GENERATING,
            )
        });
        Outlook { predictions: tail.into_iter().collect(), missing: None }
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = (operations as u32 / (1 + self.rule.choices())).max(1);
        Box::new(Self { arrivals: self.arrivals.min(at_most), ..self.clone() })
    }
}

struct Batch<'a> {
    case: &'a BalancingCase,
    with_keys: bool,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl Keyed for Batch<'_> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, with_keys, seed, trials, out } = self;
        let mut loads = Loads::new(&case.rule);
        for number in trials {
            let seeds = Seeds::of(seed, number);
            loads.clear(seeds.scheme);
            arrivals.begin(seeds.keys);
            let repeated = case.fill::<S, A>(&mut loads, &mut arrivals, seeds.hash);
            case.record(&loads, out);
            if with_keys {
                let repeated = repeated as f64 / f64::from(case.arrivals);
                out.reading(common::REPEATED_KEY_FRACTION, Some(repeated));
            }
            out.end_of_trial();
        }
    }
}

impl BalancingCase {
    /// One trial, from empty buckets; how many keys came again.
    fn fill<S: Source, A: Arrivals>(&self, loads: &mut Loads, arrivals: &mut A, seed: u64) -> u64 {
        let mut source = S::new(&self.hash, seed);
        let (mut passes, mut repeated) = (0, 0);
        for element in 0..self.arrivals {
            if arrivals.left() == 0 && arrivals.next_pass() {
                passes += 1;
                source = S::new(&self.hash, seed_of_pass(seed, passes));
            }
            let (key, is_repeated) = arrivals.arrive(element);
            repeated += u64::from(is_repeated);
            loads.insert(&self.rule, source.element(key));
        }
        if let (Kind::Offline, Some(overflow)) = (self.rule.kind, self.rule.overflow) {
            loads.level((f64::from(self.arrivals) * (1.0 - overflow)).round() as u64);
        }
        repeated
    }

    fn record(&self, loads: &Loads, out: &mut dyn Record) {
        let occupancies = loads.occupancy();
        let buckets = f64::from(self.size.buckets);
        let (mean, square) =
            (loads.stored() as f64 / buckets, loads.mean_of(|load| f64::from(load).powi(2)));
        out.reading(OVERFLOW_FRACTION, loads.overflow_fraction());
        out.reading(ACCESSES_PER_INSERTION, loads.accesses_per_insertion());
        out.reading(MAX_LOAD, Some((occupancies.len() - 1) as f64));
        out.reading(metrics::LOAD_SQUARE, Some(square));
        out.reading(metrics::LOAD_VARIANCE, Some(square - mean * mean));
        if let Some(cost) = &self.cost {
            out.reading(metrics::MEAN_COST, Some(loads.mean_of(|load| cost.of(load))));
        }
        let read = accesses_per_absent_lookup(&loads.full(&self.rule));
        out.reading(metrics::ACCESSES_PER_ABSENT_LOOKUP, Some(read));
        for load in 0..=self.greatest_load() {
            let count = occupancies.get(usize::from(load)).copied().unwrap_or(0);
            out.reading(occupancy(load), Some(count as f64 / buckets));
        }
    }

    /// Expected length of the list in the beginning and after each interval, as theory has it.
    fn lengths(&self) -> Vec<f64> {
        let after = |interval: u32| {
            let arrivals = f64::from(self.arrivals) * f64::from(interval) / f64::from(INTERVALS);
            let predictions = (self.scheme.predictions)(&self.rule, &self.size, arrivals);
            let overflow = predictions.iter().find(|known| known.metric == OVERFLOW_FRACTION);
            overflow.map_or(0.0, |known| known.value * arrivals)
        };
        (0..=INTERVALS).map(|interval| if interval == 0 { 0.0 } else { after(interval) }).collect()
    }

    /// Loads up to which shares of buckets are measured, the same in every trial.
    fn greatest_load(&self) -> u16 {
        let unbounded = self.rule.threshold.is_none() || self.rule.kind == Kind::Offline;
        let most = match self.rule.threshold {
            Some(threshold) if !unbounded => f64::from(threshold) + 1.0,
            _ => 3.0 * self.size.load() + 12.0,
        };
        most.min(255.0) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::metrics;
    use crate::case::Record;
    use crate::families;
    use crate::keys::KeySource;
    use crate::metric::Metric;
    use crate::params::Scalar;
    use crate::prediction::{Kind, Prediction};
    use crate::tables::metrics::occupancy;

    /// Which loads are measured.
    #[derive(Default)]
    struct Loads(Vec<Metric>);

    impl Record for Loads {
        fn reading(&mut self, metric: Metric, _value: Option<f64>) {
            self.0.extend(metric.is_like(occupancy(0)).then_some(metric));
        }

        fn end_of_trial(&mut self) {}
    }

    fn greatest(scheme: &str, own: &[(&str, Scalar)]) -> Option<Metric> {
        let given = [("buckets", 50_i64.into()), ("load", 4.0.into())];
        let case = families::case(scheme, "filling", "random", &[&given, own].concat()).unwrap();
        let mut loads = Loads::default();
        case.run(&KeySource::Random, 1, 0..1, &mut loads);
        loads.0.last().copied()
    }

    /// A bucket has at most h + 1 elements where it refuses more; else a bound that hardly any load passes stands in,
    /// also where the fullest give up what is too much only at the end.
    #[test]
    fn loads_are_measured_as_far_as_they_may_come() {
        let taking = [("threshold", 4_i64.into()), ("insertion_probability", 0.5.into())];
        assert_eq!(greatest("balancing-single", &taking), Some(occupancy(5)));
        assert_eq!(greatest("balancing-single", &[("overflow", 0.0.into())]), Some(occupancy(24)));
        let offline = [("accesses", 1.2.into()), ("overflow", 0.01.into())];
        assert_eq!(greatest("balancing-offline", &offline), Some(occupancy(24)));
    }

    /// What one trial measures.
    #[derive(Default)]
    struct Readings(Vec<(Metric, Option<f64>)>);

    impl Record for Readings {
        fn reading(&mut self, metric: Metric, value: Option<f64>) {
            self.0.push((metric, value));
        }

        fn end_of_trial(&mut self) {}
    }

    /// The room of a limit is its distance from the value for so many buckets, so that a wrong limit would widen it and
    /// agree. That distance is pinned here: it halves wherever the buckets double.
    #[test]
    fn limits_are_as_far_off_as_so_few_buckets_make_them() {
        let of = |scheme: &str, doublings: u32| {
            let of_all = |buckets: i64| (buckets << doublings).to_string();
            let mut given = vec![("buckets", (700_i64 << doublings).into()), ("load", 6.0.into())];
            given.extend([("threshold", 7_i64.into()), ("insertion_probability", 0.5.into())]);
            match scheme {
                "balancing-sequential" => given.extend([
                    ("choices", 3_i64.into()),
                    ("accesses", 1.02.into()),
                    ("budget", true.into()),
                ]),
                "balancing-multilevel" => {
                    let parts = [400, 200, 100].map(of_all).join(" ");
                    given.push(("choices", 3_i64.into()));
                    given.push(("sub_table_buckets", Scalar::Word(parts)));
                }
                _ => {}
            }
            let case = families::case(scheme, "filling", "random", &given).unwrap();
            let found = case.outlook(&|_| None).predictions;
            let limits = found.iter().filter(|own| own.kind == Kind::Asymptotic);
            let near = |limit: &Prediction| {
                let known = |own: &&Prediction| {
                    own.metric == limit.metric && matches!(own.kind, Kind::Exact | Kind::Refined)
                };
                found.iter().find(known).map(|own| own.value - limit.value)
            };
            limits.filter_map(|limit| Some((limit.metric, near(limit)?))).collect::<Vec<_>>()
        };
        for scheme in ["balancing-single", "balancing-sequential", "balancing-multilevel"] {
            let mut seen = 0;
            for doublings in 0..4 {
                let (few, twice) = (of(scheme, doublings), of(scheme, doublings + 1));
                for ((metric, few), (other, twice)) in few.into_iter().zip(twice) {
                    assert_eq!(metric, other);
                    // Where the first order all but vanishes, the second one shows.
                    if few.abs() < 1e-5 {
                        continue;
                    }
                    let half = twice / few;
                    assert!((half - 0.5).abs() < 0.02, "{scheme} {metric}: {few} {twice}");
                    seen += 1;
                }
            }
            assert!(seen > 20, "{scheme}: {seen}");
        }
    }

    /// A cost that is the square of the load, in other words: it is measured, predicted and bounded like that.
    #[test]
    fn a_cost_is_treated_as_the_square_is() {
        let added: Vec<String> = (0..40).map(|load| (2 * load + 1).to_string()).collect();
        for scheme in ["balancing-single", "balancing-sequential", "balancing-multilevel"] {
            let mut given = vec![
                ("buckets", 60_i64.into()),
                ("load", 6.0.into()),
                ("threshold", 7_i64.into()),
                ("cost", Scalar::Word(added.join(" "))),
            ];
            if scheme != "balancing-single" {
                given.push(("choices", 2_i64.into()));
            }
            if scheme == "balancing-multilevel" {
                given.push(("sub_table_buckets", Scalar::Word("45 15".into())));
            }
            let case = families::case(scheme, "filling", "random", &given).unwrap();
            let of = |metric: Metric| {
                let mut own: Vec<_> = case.outlook(&|_| None).predictions;
                own.retain(|prediction| prediction.metric == metric);
                own.sort_by_key(|prediction| prediction.kind);
                own
            };
            let (cost, square) = (of(metrics::MEAN_COST), of(metrics::LOAD_SQUARE));
            assert!(cost.len() >= 2 && cost.len() == square.len(), "{scheme} {cost:?} {square:?}");
            for (cost, square) in cost.iter().zip(&square) {
                assert_eq!(cost.kind, square.kind);
                assert!((cost.value / square.value - 1.0).abs() < 1e-6, "{cost:?} {square:?}");
                let room = 1e-3 * square.value;
                assert!((cost.allowance - square.allowance).abs() < room, "{cost:?} {square:?}");
            }
            let mut readings = Readings::default();
            case.run(&KeySource::Random, 3, 0..1, &mut readings);
            let read =
                |metric| readings.0.iter().find(|(own, _)| *own == metric).unwrap().1.unwrap();
            assert!((read(metrics::MEAN_COST) / read(metrics::LOAD_SQUARE) - 1.0).abs() < 1e-12);
        }
    }
}
