//! Crises by splitting, against their exact law.

use crate::case::{Case, Record};
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::{ParamError, Scalar};
use crate::prediction::Kind;
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::splitting::estimate;
use crate::rare::{Branch, Event, Rare, Rise};
use crate::summaries::metrics::{CRISIS_ELEMENTS, FAILING_ELEMENTS};
use crate::summaries::theory::law::FillLaw;

/// The readings of the probability.
#[derive(Default)]
struct Readings(Vec<f64>);

impl Record for Readings {
    fn reading(&mut self, metric: Metric, value: Option<f64>) {
        self.0.extend(value.filter(|_| metric == EVENT_PROBABILITY));
    }

    fn end_of_trial(&mut self) {}
}

fn crisis(elements: u32, sizes: &str, own: &[(&str, Scalar)]) -> Result<Box<dyn Case>, ParamError> {
    let given = [
        ("elements", elements.into()),
        ("sub_table_buckets", sizes.into()),
        ("event", "crisis_elements".into()),
    ];
    families::case("mht", "summary-fill", "random", &[&given, own].concat())
}

/// Failures of 30 elements with this summary, by splitting of 50 particles.
fn failure(scheme: &str, own: &[(&str, Scalar)]) -> Box<dyn Case> {
    let given = [
        ("elements", 30_i64.into()),
        ("sub_table_buckets", "60 20 10".into()),
        ("event", "failing_elements".into()),
        ("beyond", 0_i64.into()),
        ("estimator", "splitting".into()),
        ("particles", 50_i64.into()),
    ];
    families::case(scheme, "summary-fill", "random", &[&given, own].concat()).unwrap()
}

/// Mean and standard error of so many trials.
fn measured(case: &dyn Case, trials: u64) -> (f64, f64) {
    let mut readings = Readings::default();
    case.run(&KeySource::Random, 7, 0..trials, &mut readings);
    let number = readings.0.len() as f64;
    let mean = readings.0.iter().sum::<f64>() / number;
    let square: f64 = readings.0.iter().map(|own| (own - mean).powi(2)).sum();
    (mean, (square / (number - 1.0) / number).sqrt())
}

/// From events that every tenth trial sees down to 1e-24, of some elements and of many: within four standard errors, which
/// are a small part of the probability however small that is.
#[test]
fn crises_are_as_frequent_as_their_law_says() {
    let tables: [(u32, &[u32], u64, u64); 6] = [
        (10, &[12, 6], 0, 400),
        (10, &[12, 6], 3, 400),
        (300, &[900, 450, 225, 110], 0, 60),
        (1000, &[4000, 1000, 500, 250, 250], 0, 60),
        (1000, &[4000, 1000, 500, 250, 250], 1, 200),
        (10_000, &[40_000, 10_000, 5_000, 2_500, 2_500], 0, 12),
    ];
    for (elements, sizes, beyond, trials) in tables {
        let law = FillLaw::new(elements, sizes);
        let in_crisis = law.left_law(sizes.len());
        let more = in_crisis.iter().filter(|(own, _)| u64::from(*own) > beyond);
        let exact: f64 = more.map(|(_, probability)| probability).sum();
        let written: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let given = [
            ("estimator", "splitting".into()),
            ("beyond", Scalar::Integer(beyond as i64)),
            ("particles", 100_i64.into()),
        ];
        let case = crisis(elements, &written.join(" "), &given).unwrap();
        let (mean, error) = measured(&*case, trials);
        assert!(
            (mean - exact).abs() < 4.0 * error,
            "{elements} {beyond}: {mean:e} ± {error:e}, {exact:e}"
        );
        assert!(error < 0.25 * exact, "{elements} {beyond}: {mean:e} ± {error:e}, {exact:e}");
    }
}

/// Failures of several filters and of a single one, from frequent to a few in a million tables: within four standard
/// errors, and what the bounds leave open, of what theory says.
#[test]
fn failures_are_as_frequent_as_theory_says() {
    let filters = |bits: &str| {
        let own = [("filter_bits", bits.into()), ("filter_choices", "3 6 6".into())];
        failure("multiple-filter-summary", &own)
    };
    let single = |cells: i64| {
        let own = [("cells", cells.into()), ("cell_choices", 6_i64.into())];
        failure("single-filter-summary", &own)
    };
    let mut least = 1.0_f64;
    for case in [filters("90 60 60"), filters("90 600 60"), single(120), single(720)] {
        let predictions = case.outlook(&|_| None).predictions;
        let told = predictions.iter().find(|told| told.kind == Kind::Exact).unwrap();
        let (mean, error) = measured(&*case, 200);
        let room = 4.0 * error + told.allowance;
        assert!((mean - told.value).abs() < room, "{mean:e} ± {error:e}, {told:?}");
        assert!(error < 0.2 * told.value, "{mean:e} ± {error:e} decides nothing of {told:?}");
        assert!(told.allowance < 0.2 * told.value, "{told:?}");
        least = least.min(told.value);
    }
    assert!(least < 1e-5, "{least:e}");
}

/// Rounding lets no probability be above 1, and 39 elements at least find the one bucket of the first sub-table taken.
#[test]
fn a_certain_crisis_has_the_probability_1() {
    let given = [("estimator", "splitting".into()), ("beyond", 0_i64.into())];
    let case = crisis(40, "1 20 10", &given).unwrap();
    let predictions = case.outlook(&|_| None).predictions;
    assert!(predictions.iter().all(|told| told.value <= 1.0 && told.value > 1.0 - 1e-12));
}

/// A table of more elements is checked without its scores, and its laws are not worked out.
#[test]
fn a_large_table_is_checked_at_once() {
    let given = [("estimator", "splitting".into()), ("beyond", 0_i64.into())];
    let case = crisis(2_000_000_000, "1000000000 1000000000", &given).unwrap();
    let outlook = case.outlook(&|_| None);
    assert!(outlook.predictions.is_empty() && outlook.missing.is_some());
}

/// A plain trial reads whether there was a crisis.
#[test]
fn plain_trials_see_frequent_crises() {
    let given = [("estimator", "plain".into()), ("beyond", 0_i64.into())];
    let (mean, error) = measured(&*crisis(10, "12 6", &given).unwrap(), 4000);
    let exact = FillLaw::new(10, &[12, 6]).crisis_probability();
    assert!((mean - exact).abs() < 4.0 * error && error < 0.01, "{mean} ± {error}, {exact}");
}

#[test]
fn what_cannot_be_told_is_refused() {
    let splitting = ("estimator", "splitting".into());
    let ever = [splitting.clone(), ("beyond", 0_i64.into()), ("ever", true.into())];
    assert_eq!(crisis(10, "12 6", &ever).unwrap_err().name, "ever");
    let of = |beyond: i64| crisis(10, "12 6", &[splitting.clone(), ("beyond", beyond.into())]);
    assert!(of(9).is_ok());
    assert_eq!(of(10).unwrap_err().name, "beyond");
    let given = [
        ("elements", 10_i64.into()),
        ("sub_table_buckets", "12 6".into()),
        ("event", "failing_elements".into()),
        ("beyond", 0_i64.into()),
        splitting,
    ];
    let error = families::case("mht", "summary-fill", "random", &given).unwrap_err();
    assert_eq!(error.name, "event");
}

/// Where elements are replaced no hash function would do.
#[test]
fn replacements_are_not_split() {
    let given = [
        ("elements", 3_i64.into()),
        ("sub_table_buckets", "2 1 1".into()),
        ("rounds", 5_i64.into()),
        ("estimator", "plain".into()),
        ("event", "crisis_elements".into()),
        ("beyond", 0_i64.into()),
    ];
    let error = families::case("mht", "counted-deletion", "xxh3", &given).unwrap_err();
    assert_eq!(error.name, "event");
}

/// Trials of a case each of which is the first one of its table.
struct Afresh<'c> {
    case: &'c dyn Case,
    event: Event,
}

impl Rare for Afresh<'_> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.case.rare(&self.event).unwrap().run(history, rises)
    }

    fn target(&self) -> f64 {
        self.case.rare(&self.event).unwrap().target()
    }
}

/// What a trial does not do again, since an earlier one did it, changes nothing: of sub-tables that leave many elements
/// over and of those that hardly leave any, and of failures, whose chance is drawn at the end.
#[test]
fn fills_that_are_kept_give_the_same_estimates() {
    let tables = [
        ("mht", "900 450 225 110", 300_i64, CRISIS_ELEMENTS),
        ("mht", "12 6 3", 10, CRISIS_ELEMENTS),
        ("multiple-filter-summary", "60 20 10", 30, FAILING_ELEMENTS),
    ];
    for (scheme, sizes, elements, metric) in tables {
        let mut given = vec![("elements", elements.into()), ("sub_table_buckets", sizes.into())];
        if metric == FAILING_ELEMENTS {
            given.extend([("filter_bits", "90 600 60".into()), ("filter_choices", "3 6 6".into())]);
        }
        let case = families::case(scheme, "summary-fill", "random", &given).unwrap();
        let event = Event { metric, beyond: 0, ever: false };
        for seed in 0..3 {
            let afresh = estimate(&mut Afresh { case: &*case, event }, 20, seed);
            let kept = estimate(&mut *case.rare(&event).unwrap(), 20, seed);
            assert_eq!(afresh, kept, "{scheme} {sizes} {seed}");
            assert!(afresh.probability > 0.0 && afresh.runs > 40, "{scheme} {sizes}: {afresh:?}");
        }
    }
}
