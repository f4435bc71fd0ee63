//! Filters of counters.
//!
//! Choices are independent, so that the number of times that a counter was chosen by the n elements present is
//! binomial, `B(k·n, 1/m)`, at any time: elements depart at random, whatever they chose. A wrapping counter is
//! that number modulo its range; a sticky one is that number unless it reached its greatest value earlier.

use super::bins;
use super::{INDEPENDENT, MOST_STEPS, all_hit, exactly, in_progression, law, limiting, power};
use crate::filters::counters::OverflowRule;
use crate::filters::metrics;
use crate::filters::params::Size;
use crate::filters::workloads::Workload;
use crate::hash::{Derivation, HashSpec};
use crate::math::demand::Demand;
use crate::math::elementary::{exp, ln};
use crate::math::poisson;
use crate::metric::Metric;
use crate::prediction::{Kind, Outlook, Prediction};

const BINOMIAL: &str = "binomial law of a counter";
const STANDARD: &str = "standard filter";
const AS_STANDARD: &str = "standard filter, union bound on overflow";
const UNION: &str = "union bound";
const POISSON_UNION: &str = "Section 2.1.2, union bound";
const FAN: &str = "Fan et al., (e·k·n/(m·c))^c";
const NEVER: &str = "a sticky counter is never too small";

/// A filter of counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::filters) struct Counted {
    /// Elements, choices, and counters in place of bits.
    pub(in crate::filters) size: Size,
    /// How many values a counter has, c.
    pub(in crate::filters) range: u32,
    pub(in crate::filters) rule: OverflowRule,
}

impl Counted {
    /// What is known, with the law of a counter up to the value `law`.
    pub(in crate::filters) fn outlook(
        &self,
        workload: &Workload,
        hash: &HashSpec,
        law: Option<u16>,
    ) -> Outlook {
        let predictions = match (hash.derivation(), workload) {
            (Derivation::Progression(increment), Workload::Membership(_)) => {
                let exact = in_progression(&self.size, increment, hash.steps()).positive;
                let is_standard = self.rule == OverflowRule::Sticky;
                let known = exact.filter(|_| is_standard);
                exactly(metrics::FALSE_POSITIVE_RATE, known, super::OF_FEW_VALUES)
                    .into_iter()
                    .collect()
            }
            (Derivation::Progression(_), _) => Vec::new(),
            (_, Workload::Membership(_)) => self.after_insertions(workload, law),
            (_, Workload::Churn { rounds, .. }) => self.after_churn(*rounds as f64, law),
            (_, Workload::Stream { .. }) => self.as_bits(),
            // A filter of counters of few bits does not count elements.
            (_, Workload::Multiset { .. }) => Vec::new(),
        };
        Outlook { predictions, missing: None }
    }

    /// What is known of a filter whose least counters are estimates; with `all` counters of an element increased,
    /// the estimate is wrong if each of them is another element's too.
    pub(in crate::filters) fn estimates(
        &self,
        workload: &Workload,
        hash: &HashSpec,
        all: bool,
    ) -> Outlook {
        if matches!(hash.derivation(), Derivation::Progression(_)) {
            return Outlook::default();
        }
        let mut predictions = self.as_bits();
        if let (Workload::Multiset { .. }, true) = (workload, all) {
            let others = self.balls() - u64::from(self.size.choices);
            let wrong = all_hit(&self.size, others as f64);
            let metric = metrics::WRONG_ESTIMATE_FRACTION;
            predictions.push(Prediction::exact(metric, wrong, INDEPENDENT));
        }
        Outlook { predictions, missing: None }
    }

    fn after_insertions(&self, workload: &Workload, law: Option<u16>) -> Vec<Prediction> {
        let positive = self.positive();
        let mut found = self.positives(positive);
        if let (OverflowRule::Sticky, Some(positive)) = (self.rule, positive) {
            let known = law::Known { value: positive, allowance: 0.0 };
            found.extend(law::predictions(&self.size, workload, Some(known), self.size.limit()));
        }
        let overflow = self.exceeds(self.balls(), self.range);
        let metric = metrics::COUNTER_OVERFLOW_FRACTION;
        found.push(Prediction::exact(metric, overflow, BINOMIAL));
        found.extend(bound(metric, self.bound_of_fan(), FAN));
        let any = metrics::FILTER_OVERFLOW_FRACTION;
        let counters = f64::from(self.size.bits);
        // From the mean and 1 on, the binomial tail is not above the Poisson one.
        let (tail, source) = match f64::from(self.range) >= self.mean() + 1.0 {
            true => (poisson::exceeds(self.mean(), self.range - 1), POISSON_UNION),
            false => (overflow, UNION),
        };
        found.extend(bound(any, counters * tail, source));
        let set = 1.0 - self.at_zero();
        found.push(Prediction::exact(metrics::COUNTERS_SET_FRACTION, set, BINOMIAL));
        found.extend(self.law(law));
        found
    }

    fn after_churn(&self, rounds: f64, law: Option<u16>) -> Vec<Prediction> {
        let ever = self.ever(rounds);
        let mut found: Vec<Prediction> =
            bound(metrics::COUNTER_OVERFLOW_FRACTION, ever, UNION).into_iter().collect();
        let all = ever * f64::from(self.size.bits);
        found.extend(bound(metrics::FILTER_OVERFLOW_FRACTION, all, UNION));
        let denied = metrics::FALSE_NEGATIVE_FRACTION;
        match self.rule {
            OverflowRule::Wrapping => {
                found.extend(self.positives(self.positive()));
                found
                    .extend(self.denied().map(|(value, room)| {
                        Prediction::asymptotic(denied, value, BINOMIAL, room)
                    }));
                let set = 1.0 - self.at_zero();
                found.push(Prediction::exact(metrics::COUNTERS_SET_FRACTION, set, BINOMIAL));
                found.extend(self.law(law));
            }
            OverflowRule::Sticky => {
                found.push(Prediction::exact(denied, 0.0, NEVER));
                found.extend(self.about_standard(ever));
            }
        }
        found
    }

    /// A packet that is taken for a duplicate adds nothing, which changes no counter from 0 or to it.
    fn as_bits(&self) -> Vec<Prediction> {
        match self.rule {
            OverflowRule::Wrapping => Vec::new(),
            OverflowRule::Sticky => {
                let set = metrics::COUNTERS_SET_FRACTION;
                let mut found = self.positives(self.positive());
                found.push(Prediction::exact(set, self.ever_chosen(), INDEPENDENT));
                found
            }
        }
    }

    /// The false positive probability, and its limit as counters become independent.
    fn positives(&self, exact: Option<f64>) -> Vec<Prediction> {
        let metrics = [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
        let source = if self.rule == OverflowRule::Sticky { INDEPENDENT } else { BINOMIAL };
        let mut found: Vec<Prediction> =
            metrics.iter().filter_map(|metric| exactly(*metric, exact, source)).collect();
        if self.rule == OverflowRule::Sticky {
            let limit = self.size.limit();
            let room = exact.map(|exact| (exact - limit).abs());
            found.extend(metrics.map(|metric| limiting(metric, limit, room)));
        }
        found
    }

    /// The standard filter, below which nothing is, as a counter that stays at its greatest value only adds to it; and
    /// from which at most a share `ever` of the counters deviates.
    fn about_standard(&self, ever: f64) -> Vec<Prediction> {
        let positive = all_hit(&self.size, self.balls() as f64);
        let more = f64::from(self.size.choices) * ever;
        let about = |metric: Metric, value: f64, more: f64| {
            let standard = Prediction::exact(metric, value, STANDARD);
            let least = Prediction { kind: Kind::LowerBound, ..standard };
            bound(metric, value + more, AS_STANDARD).into_iter().chain([least])
        };
        about(metrics::FALSE_POSITIVE_RATE, positive, more)
            .chain(about(metrics::FALSE_POSITIVE_RATE_GIVEN_BITS, positive, more))
            .chain(about(metrics::COUNTERS_SET_FRACTION, self.ever_chosen(), ever))
            .collect()
    }

    /// The probability that some element chose a counter.
    fn ever_chosen(&self) -> f64 {
        bins::filled(self.balls() as f64, self.size.bits.into())
    }

    /// k·n.
    fn balls(&self) -> u64 {
        u64::from(self.size.choices) * u64::from(self.size.elements)
    }

    /// Mean number of times that a counter was chosen.
    fn mean(&self) -> f64 {
        self.balls() as f64 / f64::from(self.size.bits)
    }

    /// The law of how often a counter is chosen.
    fn chosen(&self, balls: u64) -> Demand {
        Demand::binomial(balls, 1.0 / f64::from(self.size.bits), self.range)
    }

    /// The probability that a counter is chosen at least so often.
    fn exceeds(&self, balls: u64, least: u32) -> f64 {
        self.chosen(balls).at_least(least)
    }

    /// More than the probability that a counter ever overflows in these rounds: at the beginning, or as the choice
    /// of an element that arrives, after which the counter was chosen often enough. A sticky counter counts from
    /// its greatest value on, where it stays.
    fn ever(&self, rounds: f64) -> f64 {
        let least = match self.rule {
            OverflowRule::Sticky => self.range - 1,
            OverflowRule::Wrapping => self.range,
        };
        let chosen = f64::from(self.size.choices) / f64::from(self.size.bits);
        let others = self.exceeds(self.balls() - 1, least - 1);
        self.exceeds(self.balls(), least) + rounds * chosen * others
    }

    /// More than the probability that a counter is chosen c times.
    fn bound_of_fan(&self) -> f64 {
        let c = f64::from(self.range);
        exp(c * (1.0 + ln(self.mean() / c)))
    }

    /// The value of a counter that was chosen so often.
    fn value(&self, number: u64) -> u64 {
        match self.rule {
            OverflowRule::Sticky => number.min(u64::from(self.range) - 1),
            OverflowRule::Wrapping => number % u64::from(self.range),
        }
    }

    /// The probability that a counter is 0.
    fn at_zero(&self) -> f64 {
        let is_zero = |number: u64| f64::from(u8::from(self.value(number) == 0));
        self.chosen(self.balls()).mean_of(is_zero)
    }

    fn law(&self, last: Option<u16>) -> impl Iterator<Item = Prediction> {
        let mut law = vec![0.0; last.map_or(0, |last| usize::from(last) + 1)];
        if !law.is_empty() {
            for (number, p) in self.chosen(self.balls()).counts() {
                if let Some(at) = law.get_mut(self.value(number) as usize) {
                    *at += p;
                }
            }
        }
        let at = |(value, p)| Prediction::exact(metrics::counters_at(value), p, BINOMIAL);
        (0..).zip(law).map(at)
    }

    /// The probability that none of the counters of an absent key is 0.
    fn positive(&self) -> Option<f64> {
        match self.rule {
            OverflowRule::Sticky => Some(all_hit(&self.size, self.balls() as f64)),
            OverflowRule::Wrapping => {
                let nonzero = |number: u64| !number.is_multiple_of(self.range.into());
                let different = bins::occupied(self.size.choices, self.size.bits.into());
                let most = different.iter().rposition(|&p| p > 0.0)?;
                let meet = self.all_meet(most, self.balls(), nonzero)?;
                Some(different.iter().zip(meet).map(|(probability, meet)| probability * meet).sum())
            }
        }
    }

    /// The probability that one of the counters of a member is 0, as if its choices were k different ones, and
    /// the probability that they are not.
    fn denied(&self) -> Option<(f64, f64)> {
        let k = self.size.choices as usize;
        let others = self.balls() - u64::from(self.size.choices);
        let nonzero = |number: u64| !(number + 1).is_multiple_of(self.range.into());
        let different = bins::occupied(self.size.choices, self.size.bits.into())[k];
        let meet = self.all_meet(k, others, nonzero)?.pop()?;
        Some((1.0 - meet, 1.0 - different))
    }

    /// The probabilities that each of 0, 1, … up to `most` given counters was chosen a number of times that is
    /// `allowed`, after so many choices. Numbers of choices are independent Poisson numbers, given their sum: a
    /// binomial one falls on the given counters. `None` where it takes too much work.
    fn all_meet(&self, most: usize, balls: u64, allowed: impl Fn(u64) -> bool) -> Option<Vec<f64>> {
        let bins = f64::from(self.size.bits);
        let fallen = |given: usize| {
            let mean = balls as f64 * given as f64 / bins;
            (mean + 12.0 * mean.sqrt() + 60.0).min(balls as f64) as usize
        };
        let work = most as f64 * (fallen(most) as f64).powi(2) / 2.0;
        if work > MOST_STEPS || most as f64 > bins {
            return None;
        }
        let mut shares = Shares::of_one(fallen(most), allowed);
        let mut found = vec![1.0];
        for given in 1..=most {
            shares.go_to(given);
            let share = |number: u64| shares.of_number(number);
            found.push(match given as f64 == bins {
                true => share(balls),
                false => {
                    let part = given as f64 / bins;
                    Demand::binomial(balls, part, fallen(given) as u32).mean_of(share)
                }
            });
        }
        Some(found)
    }
}

/// For 0, 1, … balls in some bins, the probability that each bin has an allowed number of them.
struct Shares {
    /// Whether a bin may have so many.
    one: Vec<f64>,
    bins: usize,
    all: Vec<f64>,
}

impl Shares {
    fn of_one(most: usize, allowed: impl Fn(u64) -> bool) -> Self {
        let one: Vec<f64> = (0..=most as u64).map(|n| f64::from(u8::from(allowed(n)))).collect();
        Self { bins: 1, all: one.clone(), one }
    }

    /// One bin more at a time, into which a binomial number of the balls falls.
    fn go_to(&mut self, bins: usize) {
        while self.bins < bins {
            self.bins += 1;
            self.all = (0..self.all.len()).map(|balls| self.with_another(balls)).collect();
        }
    }

    fn with_another(&self, balls: usize) -> f64 {
        let others = self.bins - 1;
        let mut weight = power(others as f64 / self.bins as f64, balls as u32);
        let mut sum = 0.0;
        for (number, own) in self.one.iter().enumerate().take(balls + 1) {
            sum += weight * own * self.all[balls - number];
            weight *= (balls - number) as f64 / ((number + 1) * others) as f64;
        }
        sum
    }

    /// More balls than are looked at are next to impossible.
    fn of_number(&self, balls: u64) -> f64 {
        self.all.get(balls as usize).copied().unwrap_or(1.0)
    }
}

fn bound(metric: Metric, value: f64, source: &'static str) -> Option<Prediction> {
    let bound =
        Prediction { kind: Kind::UpperBound, ..Prediction::approximate(metric, value, source) };
    (value < 1.0).then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All choices of all elements, each as likely as any other: how often each counter was chosen.
    fn outcomes(size: &Size) -> Vec<Vec<u64>> {
        let (m, balls) = (u64::from(size.bits), size.choices * size.elements);
        let outcome = |code: u64| {
            let mut chosen = vec![0; m as usize];
            (0..balls).fold(code, |rest, _| {
                chosen[(rest % m) as usize] += 1;
                rest / m
            });
            chosen
        };
        (0..m.pow(balls)).map(outcome).collect()
    }

    /// The share of the outcomes and choices of an absent key that meet nonzero counters alone.
    fn positive(counted: &Counted) -> f64 {
        let of_outcome = |chosen: &Vec<u64>| {
            let nonzero = chosen.iter().filter(|&&number| match counted.rule {
                OverflowRule::Sticky => number > 0,
                OverflowRule::Wrapping => number % u64::from(counted.range) > 0,
            });
            (nonzero.count() as f64 / chosen.len() as f64).powi(counted.size.choices as i32)
        };
        let all = outcomes(&counted.size);
        all.iter().map(of_outcome).sum::<f64>() / all.len() as f64
    }

    const SIZES: [(u32, u32, u32); 5] = [(1, 2, 3), (3, 2, 2), (2, 4, 3), (3, 5, 2), (7, 3, 1)];

    fn each() -> impl Iterator<Item = Counted> {
        SIZES.into_iter().flat_map(|(elements, bits, choices)| {
            let size = Size { elements, bits, choices };
            let rules = [OverflowRule::Sticky, OverflowRule::Wrapping];
            rules
                .into_iter()
                .flat_map(move |rule| [2, 4].map(|range| Counted { size, range, rule }))
        })
    }

    #[test]
    fn exact_values_are_those_of_all_outcomes() {
        for counted in each() {
            let all = outcomes(&counted.size);
            let share = |is_it: &dyn Fn(u64) -> bool| {
                let own = all.iter().filter(|chosen| is_it(chosen[0])).count();
                own as f64 / all.len() as f64
            };
            let found = counted.positive().unwrap();
            assert!((found - positive(&counted)).abs() < 1e-12, "{counted:?} {found}");
            let range = u64::from(counted.range);
            let overflow = counted.exceeds(counted.balls(), counted.range);
            assert!((overflow - share(&|number| number >= range)).abs() < 1e-12, "{counted:?}");
            let law = counted.law(u16::try_from(range - 1).ok());
            for (value, found) in (0..).zip(law) {
                let expected = share(&|number| match counted.rule {
                    OverflowRule::Sticky => number.min(range - 1) == value,
                    OverflowRule::Wrapping => number % range == value,
                });
                assert!((found.value - expected).abs() < 1e-12, "{counted:?} {value}");
            }
            assert!(counted.bound_of_fan() >= overflow, "{counted:?}");
        }
    }

    /// The members are denied whose first element's choices met a counter of 0.
    #[test]
    fn members_denied_are_those_of_all_outcomes() {
        for counted in each().filter(|counted| counted.rule == OverflowRule::Wrapping) {
            let Size { elements, bits, choices } = counted.size;
            let others = Size { elements: elements - 1, bits, choices };
            let (mut denied, mut number) = (0.0, 0.0);
            for own in outcomes(&Size { elements: 1, ..others }) {
                for chosen in outcomes(&others) {
                    let zero = |i: usize| (own[i] + chosen[i]) % u64::from(counted.range) == 0;
                    denied += f64::from(u8::from((0..own.len()).any(|i| own[i] > 0 && zero(i))));
                    number += 1.0;
                }
            }
            let denied: f64 = denied / number;
            let Some((value, room)) = counted.denied() else {
                assert!(choices > bits);
                continue;
            };
            assert!((value - denied).abs() <= room + 1e-12, "{counted:?} {value} {denied} {room}");
        }
    }

    /// "Less Hashing, Same Performance", Section 2.1.2 of the thesis, where 1.78e-11 is printed: see the errata.
    #[test]
    fn sixteen_of_a_poisson_number() {
        let bound = 80_000.0 * poisson::exceeds(std::f64::consts::LN_2, 15);
        assert_eq!(format!("{bound:.2e}"), "5.66e-12");
    }

    /// A key meets a counter that is not as in a standard filter with at most k times the probability of one.
    #[test]
    fn a_sticky_filter_is_as_far_from_the_standard_one_as_its_counters() {
        let size = Size { elements: 1000, bits: 8000, choices: 4 };
        let counted = Counted { size, range: 8, rule: OverflowRule::Sticky };
        let predictions = counted.after_churn(1000.0, None);
        let of = |metric: Metric, kind: Kind| {
            predictions.iter().find(|own| own.metric == metric && own.kind == kind).unwrap().value
        };
        let ever = of(metrics::COUNTER_OVERFLOW_FRACTION, Kind::UpperBound);
        assert!(ever > 0.0 && ever < 1e-3, "{ever}");
        let apart = |metric| of(metric, Kind::UpperBound) - of(metric, Kind::LowerBound);
        assert!((apart(metrics::COUNTERS_SET_FRACTION) / ever - 1.0).abs() < 1e-9);
        for metric in [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS] {
            assert!((apart(metric) / (4.0 * ever) - 1.0).abs() < 1e-9);
            assert_eq!(of(metric, Kind::LowerBound), counted.positive().unwrap());
        }
    }

    /// Where each bin must have a ball, the two ways to the probability agree.
    #[test]
    fn all_meet_is_covered() {
        let size = Size { elements: 3000, bits: 20_000, choices: 7 };
        let counted = Counted { size, range: 16, rule: OverflowRule::Wrapping };
        for j in [1, 2, 7, 12] {
            let found =
                counted.all_meet(j, counted.balls(), |number| number > 0).unwrap().pop().unwrap();
            let expected = bins::covered(j, counted.balls() as f64, 20_000.0);
            assert!((found / expected - 1.0).abs() < 1e-10, "{j}: {found} {expected}");
        }
    }
}
