//! The balanced filter: its false positives from the loads of its blocks.

use super::MOST_STEPS;
use super::blocks::{EQUATION, Local, NEGLIGIBLE};
use crate::balancing::theory::forecast::{self, Forecast};
use crate::balancing::theory::{no_list, one_choice, scatter};
use crate::balancing::{Kind, Rule, metrics::ACCESSES_PER_ABSENT_LOOKUP, params::Size};
use crate::filters::block_metrics::FALSE_POSITIVE_RATE_OF_LOADS;
use crate::filters::metrics;
use crate::hash::{Derivation, HashSpec};
use crate::metric::Metric;
use crate::prediction::{self, Outlook, Prediction};
use crate::tables::SubTable;
use crate::tables::metrics::{ACCESSES_PER_INSERTION, OVERFLOW_FRACTION};

/// What a look-up of an absent element finds in a range.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Visit {
    /// A yes.
    positive: f64,
    /// A full block that says no, so that the next range is asked.
    onward: f64,
}

impl Visit {
    /// A share of blocks that say yes with this probability.
    pub(crate) fn add(&mut self, share: f64, positive: f64, is_full: bool) {
        self.positive += share * positive;
        self.onward += if is_full { share * (1.0 - positive) } else { 0.0 };
    }
}

/// The probability of a yes, where `visit` says how a look-up fares in each range. Choices of blocks and of bits in
/// them are independent, so that these probabilities multiply.
pub(crate) fn rate(rule: &Rule, visit: impl Fn(&SubTable) -> Visit) -> f64 {
    let mut rate = 0.0;
    let mut reached = 1.0;
    let mut last: Option<(SubTable, Visit)> = None;
    for range in &rule.ranges {
        let found = match last {
            Some((same, found)) if same == *range => found,
            _ => visit(range),
        };
        rate += reached * found.positive;
        reached *= found.onward;
        last = Some((*range, found));
    }
    rate
}

/// What a refined value leaves open, as a part of its distance from the limit: the attempts on the last sub-table scatter
/// together with the full blocks of those before it, which is left aside.
const LEFT: f64 = 0.5;

/// What the limit may be off where nothing finer is known. Small sub-tables scatter by some parts in the square root
/// of the blocks; an access budget that is just enough in the mean loses elements where it is not.
fn unknown(metric: Metric, value: f64, size: &Size) -> f64 {
    let of_blocks = 2.0 * value / f64::from(size.buckets).sqrt();
    let of_budget = 0.25 / f64::from(size.elements).sqrt();
    if metric == OVERFLOW_FRACTION { of_blocks + of_budget } else { of_blocks }
}

/// What theory has to know of a balanced filter.
#[derive(Debug)]
pub(crate) struct Design<'a> {
    pub(crate) rule: &'a Rule,
    pub(crate) local: &'a Local,
    pub(crate) elements: u32,
    pub(crate) has_list: bool,
}

impl Design<'_> {
    /// Everything that is said of it.
    pub(crate) fn outlook(&self, hash: &HashSpec) -> Outlook {
        if matches!(hash.derivation(), Derivation::Progression(_)) {
            return Outlook::default();
        }
        let size = Size { elements: self.elements, buckets: self.rule.buckets() };
        let arrivals = f64::from(self.elements);
        let limit = match self.has_list || self.rule.threshold.is_none() {
            true => Some(forecast::limit(self.rule, &size, arrivals)),
            false => no_list::limit(self.rule, &size, arrivals),
        };
        let Some(limit) = limit else { return Outlook::default() };
        let values = self.values(&limit);
        let finite = self.finite(&size).map(|(forecast, kind)| (self.values(&forecast), kind));
        let mut predictions = Vec::new();
        for (metric, value) in values {
            let near = finite.as_ref().and_then(|(near, kind)| {
                let (_, near) = near.iter().find(|(own, _)| *own == metric)?;
                Some((*near, *kind))
            });
            let unknown = unknown(metric, value, &size);
            let away = near.map_or(unknown, |(near, _)| (near - value).abs());
            predictions.push(Prediction::asymptotic(metric, value, "many blocks", away));
            predictions.extend(near.map(|(near, kind)| {
                let allowance = if kind == prediction::Kind::Exact { 0.0 } else { LEFT * away };
                Prediction { kind, allowance, ..Prediction::exact(metric, near, "binomial") }
            }));
        }
        predictions.extend(self.equation(&limit));
        Outlook { predictions, missing: None }
    }

    /// For so many blocks, where it is known.
    fn finite(&self, size: &Size) -> Option<(Forecast, prediction::Kind)> {
        if !self.has_list || self.rule.budget.is_some() {
            return None;
        }
        let (arrivals, taking) = (f64::from(self.elements), self.rule.taking());
        match self.rule.kind {
            Kind::Single => {
                let demand = one_choice::binomial(self.elements.into(), size.buckets, taking);
                let laws = vec![one_choice::law(&demand, taking)];
                let forecast = Forecast::new(self.rule, size, laws, (arrivals, arrivals));
                Some((forecast, prediction::Kind::Exact))
            }
            Kind::Multilevel => {
                let tried = scatter::laws(self.elements.into(), self.rule.parts(), taking);
                let forecast =
                    Forecast::new(self.rule, size, tried.laws, (arrivals, tried.attempts));
                Some((forecast, prediction::Kind::Refined))
            }
            Kind::Sequential | Kind::Offline => None,
        }
    }

    fn values(&self, forecast: &Forecast) -> Vec<(Metric, f64)> {
        let mut values = Vec::new();
        if self.local.work(self.possible_loads(forecast)) <= MOST_STEPS {
            let rate = self.rate(forecast, |elements| self.local.exact(elements));
            let rates = [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
            values.extend(rates.map(|metric| (metric, rate)));
        }
        let of_loads = self.rate(forecast, |elements| self.local.approximate(elements));
        values.extend([
            (FALSE_POSITIVE_RATE_OF_LOADS, of_loads),
            (ACCESSES_PER_INSERTION, forecast.accesses),
            (ACCESSES_PER_ABSENT_LOOKUP, forecast.absent_accesses()),
        ]);
        values.extend(self.has_list.then_some((OVERFLOW_FRACTION, forecast.overflow.max(0.0))));
        values
    }

    /// Equation (9) with the loads of the limit: E(P) times the mean over blocks.
    fn equation(&self, limit: &Forecast) -> [Prediction; 2] {
        let of_block = |law: &[f64]| {
            (0..).zip(law).map(|(elements, p)| p * self.local.approximate(elements)).sum()
        };
        let rate = (limit.absent_accesses() * limit.mean_of(of_block)).min(1.0);
        [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS]
            .map(|metric| Prediction::approximate(metric, rate, EQUATION))
    }

    /// Numbers of elements that some block may have.
    fn possible_loads(&self, forecast: &Forecast) -> impl Iterator<Item = u64> {
        let most = forecast.parts.iter().map(|(_, law)| law.len()).max().unwrap_or(0) as u64;
        let is_possible = |elements: &u64| {
            let p = |law: &Vec<f64>| law.get(*elements as usize).is_some_and(|p| *p > NEGLIGIBLE);
            forecast.parts.iter().any(|(_, law)| p(law))
        };
        (0..most).filter(is_possible)
    }

    /// The probability of a yes, where a block of so many elements has this one.
    fn rate(&self, forecast: &Forecast, of_block: impl Fn(u64) -> f64) -> f64 {
        let most = forecast.parts.iter().map(|(_, law)| law.len()).max().unwrap_or(0);
        let mut of_blocks = vec![0.0; most];
        for elements in self.possible_loads(forecast) {
            of_blocks[elements as usize] = of_block(elements);
        }
        let part = |range: &SubTable| {
            let number = self.rule.ranges.iter().position(|own| own == range).unwrap_or(0);
            let mut visit = Visit::default();
            let law = forecast.parts.get(number).or(forecast.parts.first());
            for (elements, p) in (0..).zip(law.iter().flat_map(|(_, law)| law)) {
                visit.add(*p, of_blocks[elements as usize], self.rule.is_full(elements));
            }
            visit
        };
        rate(self.rule, part)
    }
}
