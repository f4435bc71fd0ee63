//! Crises by splitting, against their exact law.

use crate::case::{Case, Record};
use crate::families;
use crate::keys::KeySource;
use crate::metric::Metric;
use crate::params::{ParamError, Scalar};
use crate::rare::metrics::EVENT_PROBABILITY;
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
        (1000, &[4000, 1000, 500, 250, 250], 1, 60),
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
    let failing = [splitting, ("beyond", 0_i64.into()), ("event", "failing_elements".into())];
    assert_eq!(crisis(10, "12 6", &failing).unwrap_err().name, "event");
}
