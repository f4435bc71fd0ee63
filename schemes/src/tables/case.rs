//! A point of the family of tables: a scheme with its parameters, under a workload, with a hash
//! function.

use std::ops::Range;
use std::sync::Arc;

use super::batch::Batch;
use super::by_load::AT_ONCE;
use super::laws::laws;
use super::optimum;
use super::outlook::UNKNOWN;
use super::params::{BUCKETS, CHOICES, ELEMENTS, INSERTION_PROBABILITY, LOAD, SPACE};
use super::rare::{self, pilots::Pilots};
use super::setup::Setup;
use super::theory::occupancy::static_overflow;
use super::timed;
use super::workloads;
use super::{Geometry, Process, Scheme, curves, lower_bound, metrics, outlook_of};
use crate::aim::{Aim, NoOptimum, Optimum};
use crate::case::{Case, Cost, Lockstep, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashKind, HashSpec};
use crate::info::SchemeInfo;
use crate::keys::{KEY_PARAMS, KeySource, Made, Seeds};
use crate::metric::Metric;
use crate::params::{ParamError, Scalar};
use crate::prediction::{Outlook, Prediction};
use crate::rare::{Counted, Event, NotRare, Rare};
use crate::timed::{Timed, TimedKeys, Untimed};

/// The name of the family.
pub(super) const NAME: &str = "tables";

/// The entry of a scheme in the list of tables.
///
/// The loops of its trials, one for each hash function and kind of key, are compiled where this is
/// called.
pub const fn entry<S: Scheme>() -> SchemeEntry {
    SchemeEntry {
        family: NAME,
        info: Described::<S>::INFO,
        case: |request| Ok(Box::new(TableCase::<S>::read(request)?)),
    }
}

struct Described<S>(S);

impl<S: Scheme> Described<S> {
    const INFO: &'static SchemeInfo = &S::INFO;
}

/// A setup of trials, and what its seeds depend on.
#[derive(Debug, Clone)]
struct TableCase<S> {
    setup: Setup<S>,
    seed_text: String,
}

impl<S: Scheme> TableCase<S> {
    /// # Errors
    /// The first parameter that cannot be used, of the scheme, the workload, the laws and the hash
    /// function, in this order.
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let scheme = S::from_params(params)?;
        let geometry = scheme.geometry();
        let workload = workloads::read(request.workload, params, geometry.elements)?;
        let laws = laws(params, scheme.sub_tables().len())?;
        let range = (geometry.buckets, "buckets");
        let hash = HashSpec::from_params(request.hash, params, scheme.choices(), range)?;
        let (scheme, workload) = (Arc::new(scheme), workload.into());
        let (constant_loads, pilots) = Default::default();
        let made = Made::from_params(params)?;
        let setup =
            Setup { scheme, workload, hash, made, laws, constant_loads, pilots, lockstep: false };
        Ok(Self { setup, seed_text: seed_text(request, &geometry) })
    }

    fn geometry(&self) -> Geometry {
        self.setup.scheme.geometry()
    }

    fn process(&self) -> Process {
        self.setup.process()
    }

    /// Absent keys that its table is asked for in turn.
    fn absent(&self) -> u64 {
        self.geometry().elements.min(timed::ABSENT).into()
    }

    /// Refuses what makes no table with keys that fills up once.
    fn check_timed(&self) -> Result<(), Untimed> {
        match () {
            () if self.setup.hash.hash() == HashKind::Random => Err(Untimed::NO_KEYS),
            () if self.process() != Process::StaticFill => Err(NOT_FILLED),
            () => Ok(()),
        }
    }

    /// n, where it is given.
    fn elements(&self) -> Option<u32> {
        let given = !matches!(self.process(), Process::OnOff { .. });
        given.then_some(self.geometry().elements)
    }

    /// What is predicted, bounds aside, or why nothing is.
    fn predicted(&self) -> Result<Outlook, String> {
        let Setup { scheme, workload, hash, laws, .. } = &self.setup;
        let (process, geometry) = (self.process(), self.geometry());
        let window = workload.window(geometry.elements);
        if let Some(reason) = window.and_then(|window| window.not_relaxed(&**scheme, process)) {
            return Err(reason);
        }
        let spread = match &scheme.ranges()[..] {
            [all] => hash.spread(*all),
            ranges if ranges.iter().all(|&range| hash.spread(range).is_none()) => None,
            _ => return Err(UNKNOWN.to_owned()),
        };
        outlook_of(&**scheme, process, laws, spread.as_ref()).map_err(str::to_owned)
    }

    /// How many independent elements make a share of elements in one trial as uncertain as it is. At one
    /// moment these are the elements that are there, at most `most`. In a long window they are half as many as
    /// were there `before` it or came, since each stays for an exponential time. With on-off flows elements
    /// come and go together.
    fn independent(&self, before: f64, most: f64) -> f64 {
        let arrivals = self.setup.workload.window_arrivals(self.geometry().elements);
        let few = (before + arrivals).min(most);
        match self.process() {
            Process::OnOff { .. } => few,
            process if process.at_one_moment() => few,
            _ => few.max((before + arrivals) / 2.0),
        }
    }

    /// The lower bound on the overflow fraction at the measured accesses per insertion, or at the
    /// predicted ones where nothing was measured; `None` where the scheme has none.
    fn bound(&self, measured: Means<'_>, predictions: &[Prediction]) -> Option<Prediction> {
        let metric = metrics::ACCESSES_PER_INSERTION;
        let predicted = || predictions.iter().find(|p| p.metric == metric).map(|p| p.value);
        let accesses = measured(metric).or_else(predicted)?;
        let process = self.process();
        if !self.setup.scheme.is_bounded(process) {
            return None;
        }
        lower_bound(process, accesses, &self.geometry(), predictions)
    }
}

const NOT_FILLED: Untimed = Untimed(
    "a table is timed from empty to full and back, under `kind = \"static-fill\"`; another workload has no say in it",
);

/// Workload, table, and the parameters that decide arrivals, departures and keys: the same for every
/// scheme, hash function and number of choices.
fn seed_text(request: &Request<'_>, geometry: &Geometry) -> String {
    let Geometry { elements, buckets, bucket_size } = geometry;
    let mut text = format!(
        "{} Geometry {{ elements: {elements}, buckets: {buckets}, bucket_size: {bucket_size} }}",
        request.workload.name
    );
    let declared = request.workload.params.iter().chain(KEY_PARAMS).map(|param| param.name);
    for name in declared.chain([INSERTION_PROBABILITY.name]) {
        match request.params.get(name) {
            Some(value) => text += &format!("\n{name}={value}"),
            None if LATER.contains(&name) => {}
            None => text += &format!("\n{name}="),
        }
    }
    text
}

/// Parameters that a workload was given after definitions without them had their numbers: where they are absent,
/// the text is that of before.
const LATER: &[&str] = &["rounds"];

impl<S: Scheme> Case for TableCase<S> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    /// Static fills of many elements, of which none moves, were made one by one at first. A scheme has one revision of its own there at
    /// most. What trials do in lockstep has revisions besides.
    fn revision(&self) -> u32 {
        let setup = &self.setup;
        let at_once = setup.made.is_some() && setup.fills_at_once(&KeySource::Random);
        let by_load = setup.lockstep.then(|| setup.by_load(&KeySource::Random)).flatten();
        let in_lockstep = by_load.map_or(0, |(by_load, _)| by_load.revision());
        self.revision_one_by_one() + 2 * u32::from(at_once) + 4 * in_lockstep
    }

    fn revision_one_by_one(&self) -> u32 {
        self.setup.scheme.revision(self.process())
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        self.setup.cost(keys)
    }

    fn cost_one_by_one(&self, keys: &KeySource) -> Cost {
        self.setup.cost_one_by_one(keys)
    }

    fn in_pairs(&self) -> bool {
        self.setup.laws.any()
    }

    fn arrivals(&self) -> u64 {
        self.setup.workload.arrivals(self.geometry().elements)
    }

    fn in_lockstep(&self, keys: &KeySource) -> Option<Lockstep> {
        let (by_load, steps) = self.setup.by_load(keys)?;
        let setup = Setup { lockstep: true, ..self.setup.clone() };
        let case = Box::new(Self { setup, ..self.clone() });
        Some(Lockstep { case, at_once: AT_ONCE as u64, pays_from: by_load.pays_from(&steps) })
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        Batch { setup: &self.setup, keys, seed, trials, out }.run();
    }

    fn rare_bytes(&self) -> u64 {
        rare::MOST_BYTES
    }

    fn outlook(&self, measured: Means<'_>) -> Outlook {
        match self.predicted() {
            Ok(mut outlook) => {
                let bound = self.bound(measured, &outlook.predictions);
                outlook.predictions.extend(bound);
                outlook
            }
            Err(reason) => Outlook { predictions: Vec::new(), missing: Some(reason) },
        }
    }

    fn at_one_moment(&self) -> bool {
        self.process().at_one_moment()
    }

    fn number_of(&self, things: &str, number: u16, measured: Means<'_>) -> Option<f64> {
        let Geometry { elements, buckets, bucket_size } = self.geometry();
        let n = f64::from(elements);
        match things {
            metrics::ELEMENTS => Some(self.independent(n, n)),
            metrics::ARRIVALS => Some(self.independent(0.0, n)),
            metrics::BUCKETS => Some(buckets.into()),
            metrics::PLACES => {
                let i = usize::from(number).checked_sub(1)?;
                let buckets = *self.setup.scheme.sub_tables().get(i)?;
                Some(f64::from(buckets) * f64::from(bucket_size))
            }
            metrics::EXCURSIONS => self.process().excursions(),
            metrics::ARRIVALS_THEN => {
                let Process::OnOff { slots, .. } = self.process() else { return None };
                Some(measured(metrics::system_share(number))? * slots as f64)
            }
            _ => None,
        }
    }

    fn multiple_of(&self, metric: Metric) -> Option<Metric> {
        let constant = !matches!(self.process(), Process::Open | Process::OnOff { .. });
        // Without deletions all that overflowed on arrival is on the list at the end.
        let filling = self.process() == Process::StaticFill;
        let same = constant && metric == metrics::OVERFLOW_ELEMENTS
            || filling && metric == metrics::ARRIVAL_OVERFLOW_FRACTION;
        same.then_some(metrics::OVERFLOW_FRACTION)
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        let elements = self.elements();
        let load = elements.map(|_| Scalar::Number(self.geometry().load()));
        vec![(ELEMENTS.name, elements.map(|n| Scalar::Integer(n.into()))), (LOAD.name, load)]
    }

    fn place(&self, axis: &str) -> Option<f64> {
        match axis {
            SPACE => self.elements().map(|_| 1.0 / self.geometry().load()),
            // A list of sub-tables gives both without naming them.
            _ if axis == BUCKETS.name => Some(self.geometry().buckets.into()),
            _ if axis == CHOICES.name => {
                let sub_tables = self.setup.scheme.sub_tables().len();
                (sub_tables > 1).then_some(sub_tables as f64)
            }
            _ => None,
        }
    }

    fn curve_parameters(&self) -> Vec<(&'static str, f64)> {
        let geometry = self.geometry();
        vec![("c", geometry.load()), ("h", geometry.bucket_size.into())]
    }

    fn curve(&self, name: &str, x: f64) -> Option<f64> {
        curves::value(name, x, &self.geometry())
    }

    fn optimum(&self, aim: &Aim<'_>) -> Result<Optimum, NoOptimum> {
        optimum::optimum(&*self.setup.scheme, S::INFO.name, self.process(), aim)
    }

    /// Mean and variance of each count whose law was asked for.
    fn always_shown(&self, is_measured: &dyn Fn(Metric) -> bool) -> Vec<Metric> {
        let mut shown = Vec::new();
        if is_measured(metrics::OVERFLOW_VARIANCE) {
            shown.extend([metrics::OVERFLOW_ELEMENTS, metrics::OVERFLOW_VARIANCE]);
        }
        let sub_tables = 1..=self.setup.scheme.sub_tables().len() as u16;
        let of_sub_tables = sub_tables
            .flat_map(|i| [metrics::sub_table_elements(i), metrics::sub_table_variance(i)]);
        shown.extend(of_sub_tables.filter(|&metric| is_measured(metric)));
        shown
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        self.check_timed()?;
        let Setup { scheme, hash, .. } = &self.setup;
        let (elements, seeds) = (self.geometry().elements, Seeds::of(seed, 0));
        let (keys, _) = TimedKeys::in_slots(keys, elements, self.absent(), seeds.keys)?;
        timed::structure(&**scheme, *hash, keys, seeds)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        self.check_timed()?;
        let footprint = self.setup.scheme.key_footprint().ok_or(Untimed::NO_STRUCTURE)?;
        let Geometry { elements, buckets, bucket_size } = self.geometry();
        let (n, m) = (u64::from(elements), u64::from(buckets));
        // What one choice leaves over is about as much as any table of these sizes does.
        let listed = static_overflow(n, m, bucket_size.into(), 1.0) * f64::from(elements);
        let of_table = m * footprint.bucket + listed.ceil() as u64 * footprint.element;
        Ok(of_table + (n + self.absent()) * TimedKeys::BYTES_PER_KEY + keys.bytes())
    }

    fn deletes(&self) -> bool {
        self.check_timed().is_ok() && self.setup.scheme.key_footprint().is_some()
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        rare::check(&self.setup, event)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        Ok(rare::counted(&self.setup, event)?)
    }

    /// At one moment, the length of the list is read there.
    fn reads_count(&self, event: &Event) -> bool {
        !event.ever && self.at_one_moment() && event.metric == metrics::OVERFLOW_ELEMENTS
    }

    fn counted(&self, event: &Event) -> Result<Box<dyn Counted>, NotRare> {
        rare::counted(&self.setup, event)
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        rare::outlook(&self.setup, event)
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = ((operations / f64::from(1 + self.setup.scheme.choices())) as u64).max(1);
        let workload = self.setup.workload.shortened(self.geometry().elements, at_most).into();
        // Pilots of a shorter trial are none of this one.
        let pilots = Pilots::default();
        Box::new(Self { setup: Setup { workload, pilots, ..self.setup.clone() }, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use crate::families;
    use crate::params::Scalar;
    use crate::prediction::Kind;
    use crate::tables::metrics;

    /// A scheme that moves elements, or is somebody's own, is not held against Theorem 6 unasked.
    #[test]
    fn a_scheme_is_bounded_only_where_it_says_so() {
        let given: [(&str, Scalar); 4] = [
            ("buckets", 64_i64.into()),
            ("load", 0.5.into()),
            ("bucket_size", 1_i64.into()),
            ("choices", 2_i64.into()),
        ];
        let bounds = |scheme| {
            let case = families::case(scheme, "static-fill", "random", &given).unwrap();
            let predictions = case.outlook(&|_| Some(0.5)).predictions;
            predictions.iter().filter(|p| p.kind == Kind::LowerBound).count()
        };
        assert_eq!([bounds("second-chance"), bounds("multiple")], [0, 1]);
    }

    /// The axis of choices is of tables whose sub-tables are listed, each of them a choice.
    #[test]
    fn sub_tables_stand_for_choices_where_there_are_several() {
        let place = |scheme, choices: i64| {
            let given =
                [("buckets", 64_i64.into()), ("load", 0.5.into()), ("choices", choices.into())];
            let case = families::case(scheme, "static-fill", "random", &given).unwrap();
            case.place("choices")
        };
        assert_eq!([1, 3].map(|d| place("conservative", d)), [None, Some(3.0)]);
        assert_eq!(place("multiple", 3), None);
    }

    /// A share of elements in a window of t lifetimes is as certain as one of half of the n·(1 + t) that were there;
    /// slots of on-off flows say as much as there are relaxation times in them.
    #[test]
    fn what_a_trial_counts_is_independent_elements() {
        let number = |workload, things, own: &[(&str, Scalar)]| {
            let given: [(&str, Scalar); 2] =
                [("buckets", 64_i64.into()), ("bucket_size", 1_i64.into())];
            let case = families::case("single", workload, "random", &[&given, own].concat());
            case.unwrap().number_of(things, 0, &|_| None).unwrap()
        };
        let span = |duration: f64| [("load", 0.5.into()), ("duration", duration.into())];
        for workload in ["continuous", "open"] {
            assert_eq!(number(workload, metrics::ELEMENTS, &span(9.0)), 160.0);
            assert_eq!(number(workload, metrics::ARRIVALS, &span(0.5)), 16.0);
        }
        let flows = |slots: i64| {
            [("flows", 2_i64.into()), ("rate", 0.2.into()), ("burst", 3.0.into())]
                .into_iter()
                .chain([("slots", slots.into())])
                .collect::<Vec<(&str, Scalar)>>()
        };
        let excursions = |slots| number("on-off", metrics::EXCURSIONS, &flows(slots));
        assert!((1.0..5000.0).contains(&excursions(10_000)));
        assert!((excursions(10_000) / excursions(1000) - 10.0).abs() < 1e-9);
    }

    fn seed_text_of_relaxation(moment: (&str, Scalar)) -> String {
        let given = [("buckets", 64_i64.into()), ("load", 0.5.into()), moment];
        families::case("single", "relaxation", "xxh3", &given).unwrap().seed_text().to_owned()
    }

    /// A moment in lifetimes has the text that it had before there were moments in rounds.
    #[test]
    fn the_seed_text_of_a_moment_in_lifetimes_does_not_know_of_rounds() {
        assert_eq!(
            seed_text_of_relaxation(("time", 2.0.into())),
            "relaxation Geometry { elements: 32, buckets: 64, bucket_size: 1 }\n\
             time=2\nstart=filled\nkeys=random\nkey_fields=five-tuple\n\
             repeated_keys=keep\narrival_order=captured\ntrace_end=renew\ninsertion_probability=1"
        );
        let in_rounds = seed_text_of_relaxation(("rounds", 64_i64.into()));
        assert!(in_rounds.contains("\ntime=\nrounds=64\nstart=filled\n"), "{in_rounds}");
    }

    /// A moment is the same in lifetimes and in rounds, and one of the two is wanted.
    #[test]
    fn a_moment_is_given_in_lifetimes_or_in_rounds() {
        let case = |moments: &[(&str, Scalar)]| {
            let table = [("buckets", 64_i64.into()), ("load", 0.5.into())];
            families::case("single", "relaxation", "random", &[&table, moments].concat())
        };
        let (time, rounds) = (("time", 2.0.into()), ("rounds", 64_i64.into()));
        let outlook = |moment: &(&str, Scalar)| {
            let case = case(std::slice::from_ref(moment)).unwrap();
            case.outlook(&|_| None)
        };
        assert_eq!(outlook(&time), outlook(&rounds));
        let reason = |moments: &[(&str, Scalar)]| case(moments).unwrap_err().to_string();
        assert!(reason(&[time, rounds]).contains("give `time` or `rounds`, not both"));
        assert!(reason(&[]).contains("missing; give `time` or `rounds`"));
    }

    /// Every number that was ever measured rests on this text: it must never change.
    #[test]
    fn the_seed_text_is_what_it_always_was() {
        let given =
            [("buckets", 64_i64.into()), ("load", 0.5.into()), ("bucket_size", 2_i64.into())];
        let given = [&given[..], &[("choices", 3_i64.into()), ("rounds", 100_i64.into())]].concat();
        let case = families::case("multiple", "alternation", "xxh3", &given).unwrap();
        assert_eq!(
            case.seed_text(),
            "alternation Geometry { elements: 64, buckets: 64, bucket_size: 2 }\n\
             rounds=100\nwarm_up=20\nstart=filled\nkeys=random\nkey_fields=five-tuple\n\
             repeated_keys=keep\narrival_order=captured\ntrace_end=renew\ninsertion_probability=1"
        );
    }
}
