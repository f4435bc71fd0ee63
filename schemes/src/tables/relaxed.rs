//! Whether a trial has forgotten its beginning when measuring begins, as predictions of an equilibrium presume.

use super::workloads::Window;
use super::{Geometry, Process, Scheme, metrics};
use crate::math::elementary::{exp, exp_m1};
use crate::metric::Metric;
use crate::prediction::{Kind, Outlook};
use crate::tables::theory::relaxation::Start;

/// How far a mean over the measuring window may be from that of the equilibrium, relative to it.
const TOLERATED: f64 = 1e-4;

/// The share of the beginning in the mean over the measuring window up to which nothing more is asked.
const FORGOTTEN: f64 = 1e-6;

/// Lifetimes after which no window has more of the beginning than that.
const ENOUGH: u32 = 14;

impl Window {
    /// The share of the beginning in the mean over the window. Deviations from the equilibrium of alternation shrink
    /// by a rate of 1 per lifetime or faster: that is how elements depart that were there from the beginning.
    fn of_beginning(&self) -> f64 {
        exp(-self.warm_up) * self.of_its_start()
    }

    /// The share of the state in which the window begins in the mean over it.
    fn of_its_start(&self) -> f64 {
        if self.duration > 0.0 { -exp_m1(-self.duration) / self.duration } else { 1.0 }
    }

    /// Why predictions of the equilibrium do not hold for the mean over this window, if they do not.
    pub(super) fn not_relaxed<S: Scheme>(&self, scheme: &S, process: Process) -> Option<String> {
        if self.of_beginning() <= FORGOTTEN {
            return None;
        }
        let deviation =
            self.deviation(scheme, process).unwrap_or_else(|| self.at_most(scheme, process));
        (deviation > TOLERATED).then(|| {
            format!(
                "predictions are of the equilibrium; the mean over the measuring window is about {:.2} % away \
                 from it: a `warm_up` of {ENOUGH} lifetimes is enough",
                100.0 * deviation
            )
        })
    }

    /// How far the means over the window are from the equilibrium, relative to it: the largest distance of a
    /// predicted quantity, where the way of the scheme to its equilibrium is known. The distance when the window
    /// begins shrinks as above.
    fn deviation<S: Scheme>(&self, scheme: &S, process: Process) -> Option<f64> {
        let start = self.start.filter(|_| process != Process::Open)?;
        let [before, after] = [self.moment(start, &scheme.geometry()), process]
            .map(|process| scheme.outlook(process));
        let known = [Kind::Exact, Kind::Asymptotic].into_iter();
        known
            .filter_map(|kind| distance(&before, &after, kind))
            .next()
            .map(|d| d * self.of_its_start())
    }

    /// The same where it is not known: what the beginning is away from the equilibrium, as far as it is left. All
    /// elements are on the overflow list at first, or fewer than in equilibrium.
    fn at_most<S: Scheme>(&self, scheme: &S, process: Process) -> f64 {
        if self.start != Some(Start::OverflowList) {
            return self.of_beginning();
        }
        let known = scheme.outlook(process);
        let equilibrium = overflow(&known, Kind::Exact).or(overflow(&known, Kind::Asymptotic));
        self.of_beginning() / equilibrium.unwrap_or(1.0)
    }

    /// The process up to the moment at which the window begins.
    fn moment(&self, start: Start, geometry: &Geometry) -> Process {
        let rounds = (self.warm_up * f64::from(geometry.elements)).round() as u64;
        Process::Relaxation { start, rounds }
    }
}

/// The largest distance between two predictions of this kind of a quantity, relative to the later one; `None`
/// where no quantity has both.
fn distance(before: &Outlook, after: &Outlook, kind: Kind) -> Option<f64> {
    let of_kind = |outlook: &'_ Outlook| -> Vec<(Metric, f64)> {
        let own = outlook.predictions.iter().filter(|p| p.kind == kind);
        own.map(|prediction| (prediction.metric, prediction.value)).collect()
    };
    let before = of_kind(before);
    let distances = of_kind(after).into_iter().filter_map(|(metric, after)| {
        let (_, before) = *before.iter().find(|(own, _)| *own == metric)?;
        Some(if before == after { 0.0 } else { (before - after).abs() / after })
    });
    distances.max_by(f64::total_cmp)
}

fn overflow(outlook: &Outlook, kind: Kind) -> Option<f64> {
    let metric = metrics::OVERFLOW_FRACTION;
    let found = outlook.predictions.iter().find(|p| p.metric == metric && p.kind == kind);
    found.map(|prediction| prediction.value)
}

#[cfg(test)]
mod tests {
    use crate::families;
    use crate::params::Scalar;

    /// Whether anything is predicted, bounds included, and what is said if not.
    fn outlook(scheme: &str, workload: &str, given: &[(&str, Scalar)]) -> Option<String> {
        let table: [(&str, Scalar); 3] =
            [("buckets", 256_i64.into()), ("load", 0.9.into()), ("bucket_size", 1_i64.into())];
        let choices = [("choices", 2_i64.into())];
        let choices = if scheme == "single" { &[][..] } else { &choices[..] };
        let given = [&table[..], choices, given].concat();
        let case = families::case(scheme, workload, "random", &given).unwrap();
        let outlook = case.outlook(&|_| Some(1.0));
        assert_eq!(outlook.predictions.is_empty(), outlook.missing.is_some(), "{outlook:?}");
        outlook.missing
    }

    fn alternation(scheme: &str, warm_up: f64, start: &str, rounds: i64) -> Option<String> {
        let given =
            [("warm_up", warm_up.into()), ("start", start.into()), ("rounds", rounds.into())];
        outlook(scheme, "alternation", &given)
    }

    /// The mean over 1,000 rounds from an overflow list with everything is not that of the equilibrium, and neither is
    /// its bound, however many rounds there are.
    #[test]
    fn a_run_from_its_beginning_is_not_held_against_the_equilibrium() {
        for scheme in ["single", "multiple", "d-random", "second-chance"] {
            let reason = alternation(scheme, 0.0, "overflow-list", 1000).unwrap();
            assert!(reason.contains("a `warm_up` of 14 lifetimes is enough"), "{reason}");
            assert!(alternation(scheme, 2.0, "filled", 1000).is_some());
        }
    }

    /// The default warm-up, and a shorter one, are enough for any window.
    #[test]
    fn a_warm_up_that_is_long_enough_is_not_questioned() {
        for scheme in ["single", "multiple", "d-random", "second-chance"] {
            for start in ["filled", "overflow-list"] {
                assert_eq!(alternation(scheme, 20.0, start, 1), None);
                assert_eq!(alternation(scheme, 14.0, start, 1), None);
            }
        }
        let span = [("warm_up", 20.0.into()), ("duration", 1e-3.into())];
        assert_eq!(outlook("single", "continuous", &span), None);
    }

    /// Where nearly all overflows, the overflow is that of the equilibrium from the beginning, and the elements in
    /// buckets are not.
    #[test]
    fn a_quantity_that_has_relaxed_does_not_speak_for_the_others() {
        let crowded = [
            ("buckets", 100_i64.into()),
            ("bucket_size", 1_i64.into()),
            ("load", 100.0.into()),
            ("warm_up", 0.0.into()),
            ("rounds", 200_i64.into()),
        ];
        let case = families::case("single", "alternation", "random", &crowded).unwrap();
        assert!(case.outlook(&|_| Some(1.0)).missing.is_some());
    }

    /// With a window that is long beside the way to equilibrium the beginning does not count.
    #[test]
    fn a_long_window_makes_up_for_a_short_warm_up() {
        assert!(alternation("single", 0.0, "filled", 230_000).is_some());
        assert_eq!(alternation("single", 4.0, "filled", 230_000), None);
        let span = |warm_up: f64| [("warm_up", warm_up.into()), ("duration", 10.0.into())];
        assert!(outlook("single", "continuous", &span(1.0)).is_some());
        let open = [("start", "empty".into()), ("warm_up", 1.0.into()), ("duration", 10.0.into())];
        assert!(outlook("single", "open", &open).is_some());
    }
}
