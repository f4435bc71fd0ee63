//! Sums of what is measured in the settings, each times a weight.
//!
//! With repeated keys, the order of the packets matters; without them, it cannot. What a cause adds
//! depends on the causes that are there beside it, and so on the order in which they are switched off.
//! Its part is therefore the mean over all those orders, which is the Shapley value of a game whose
//! players are the causes: the only split whose parts add up to the whole, that gives nothing to a cause
//! that changes nothing, and that treats alike what changes alike.

use super::cause::{Cause, SETTINGS, Setting};
use super::estimate::{Estimate, Trials};

/// A weight for what is measured in each setting, and a number beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contrast {
    weights: [f64; SETTINGS],
    constant: f64,
}

impl Contrast {
    const ZERO: Self = Self { weights: [0.0; SETTINGS], constant: 0.0 };

    /// What is measured in this setting.
    pub(super) fn of(setting: Setting) -> Self {
        let mut contrast = Self::ZERO;
        contrast.weights[setting.index()] = 1.0;
        contrast
    }

    /// The same less a number that is known without error.
    pub(super) fn less(self, known: f64) -> Self {
        Self { constant: self.constant - known, ..self }
    }

    /// The same less what is measured in a setting.
    pub(super) fn less_measured(self, setting: Setting) -> Self {
        self.plus(-1.0, Self::of(setting))
    }

    /// What the cause adds where those of `setting` are switched off.
    fn added(cause: Cause, setting: Setting) -> Self {
        Self::of(setting.with(cause)).less_measured(setting.without(cause))
    }

    /// What the cause adds where every other one is there: what it would help to cure this one alone.
    pub(super) fn cured_alone(cause: Cause) -> Self {
        Self::added(cause, Setting::AS_CAPTURED)
    }

    /// What the cause adds where no other one is there.
    pub(super) fn on_its_own(cause: Cause) -> Self {
        Self::added(cause, Setting::IDEAL)
    }

    /// What the cause adds, averaged over all orders in which the causes can be switched off.
    pub(super) fn averaged(cause: Cause) -> Self {
        let before = Setting::all().filter(|setting| !setting.is_without(cause));
        before.fold(Self::ZERO, |sum, setting| {
            sum.plus(share_of_orders(setting.causes().count()), Self::added(cause, setting))
        })
    }

    fn plus(self, factor: f64, other: Self) -> Self {
        let mut sum = self;
        for (own, other) in sum.weights.iter_mut().zip(other.weights) {
            *own += factor * other;
        }
        sum.constant += factor * other.constant;
        sum
    }

    /// Its mean over all trials, with the error of that.
    pub(super) fn estimate(&self, trials: &Trials) -> Estimate {
        Estimate::of_trials(trials.iter().map(|trial| self.in_trial(trial)))
    }

    /// Settings that count up and those that count down are added apart, so that nothing is left by rounding
    /// where a switch changes nothing.
    fn in_trial(&self, trial: &[f64; SETTINGS]) -> f64 {
        let side = |sign: f64| {
            let terms = self.weights.iter().zip(trial).map(|(w, measured)| (sign * w, measured));
            terms.filter(|(w, _)| *w > 0.0).map(|(w, measured)| w * measured).sum::<f64>()
        };
        side(1.0) - side(-1.0) + self.constant
    }

    /// Its share of a whole, with the error of first order in those of both, which the same trials give.
    pub(super) fn share_of(&self, whole: &Self, trials: &Trials) -> Estimate {
        let whole_value = whole.estimate(trials).value;
        let value = self.estimate(trials).value / whole_value;
        let deviation = self.plus(-value, *whole).estimate(trials);
        Estimate { value, std_error: deviation.std_error / whole_value.abs() }
    }
}

/// Of all orders of the causes, the share of those in which a given set of `earlier` ones comes before a
/// given cause and the others after it.
fn share_of_orders(earlier: usize) -> f64 {
    let causes = Cause::ALL.len();
    let orders = factorial(earlier) * factorial(causes - 1 - earlier);
    orders as f64 / factorial(causes) as f64
}

fn factorial(n: usize) -> usize {
    (1..=n).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: Cause = Cause::RepeatedKeys;
    const ORDER: Cause = Cause::PacketOrder;
    const HASH: Cause = Cause::HashFunction;

    /// One trial in which a setting measures what `value` says.
    fn trial(value: impl Fn(Setting) -> f64) -> [f64; SETTINGS] {
        let mut trial = [0.0; SETTINGS];
        Setting::all().for_each(|setting| trial[setting.index()] = value(setting));
        trial
    }

    fn averages(trial: &[f64; SETTINGS]) -> [f64; 3] {
        Cause::ALL.map(|cause| Contrast::averaged(cause).in_trial(trial))
    }

    fn is_near(found: [f64; 3], expected: [f64; 3]) -> bool {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12)
    }

    #[test]
    fn causes_that_do_not_touch_each_other_get_what_they_add() {
        let present = |setting: Setting, cause| f64::from(u8::from(!setting.is_without(cause)));
        let of = |setting: Setting| {
            0.2 + 0.1 * present(setting, KEYS) + 0.03 * present(setting, ORDER)
                - 0.01 * present(setting, HASH)
        };
        let trial = trial(of);
        assert!(is_near(averages(&trial), [0.1, 0.03, -0.01]));
        for cause in Cause::ALL {
            let alone = Contrast::on_its_own(cause).in_trial(&trial);
            assert!((alone - Contrast::cured_alone(cause).in_trial(&trial)).abs() < 1e-12);
        }
    }

    /// Repeats cost 0.02 in a random order and 0.1 in that of the capture, which costs nothing without them.
    #[test]
    fn what_two_causes_add_together_is_halved() {
        let of = |setting: Setting| match (setting.is_without(KEYS), setting.is_without(ORDER)) {
            (true, _) => 0.2,
            (false, true) => 0.22,
            (false, false) => 0.3,
        };
        let trial = trial(of);
        assert!(is_near(averages(&trial), [0.06, 0.04, 0.0]));
        let ends = [Contrast::cured_alone, Contrast::on_its_own].map(|end| end(ORDER));
        let [cured, alone] = ends.map(|end| end.in_trial(&trial));
        assert!((cured - 0.08).abs() < 1e-12 && alone.abs() < 1e-12);
    }

    #[test]
    fn a_switch_that_changes_nothing_leaves_exactly_nothing() {
        let trial = trial(|setting| (1.7 * setting.with(HASH).index() as f64 + 0.3).sin());
        assert_eq!(Contrast::averaged(HASH).in_trial(&trial), 0.0);
        assert_ne!(Contrast::averaged(KEYS).in_trial(&trial), 0.0);
    }

    /// The average is over the six orders, as counted one by one.
    #[test]
    fn the_average_is_that_over_all_orders() {
        let trial = trial(|setting| (1.7 * setting.index() as f64 + 0.3).sin());
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut sums = [0.0; 3];
        for order in orders {
            let mut setting = Setting::AS_CAPTURED;
            for place in order {
                let next = setting.without(Cause::ALL[place]);
                sums[place] += trial[setting.index()] - trial[next.index()];
                setting = next;
            }
        }
        assert!(is_near(averages(&trial), sums.map(|sum| sum / 6.0)));
    }

    #[test]
    fn the_averages_add_up_to_all_that_can_be_switched_off() {
        let sum = Cause::ALL.map(Contrast::averaged).into_iter();
        let sum = sum.fold(Contrast::ZERO, |sum, part| sum.plus(1.0, part));
        let whole = Contrast::of(Setting::AS_CAPTURED).less_measured(Setting::IDEAL);
        for (sum, whole) in sum.weights.iter().zip(whole.weights) {
            assert!((sum - whole).abs() < 1e-15);
        }
    }
}
