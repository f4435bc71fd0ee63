//! The balanced filter: its false positives from the loads of its blocks.

use super::MOST_STEPS;
use super::blocks::{EQUATION, Local, NEGLIGIBLE};
use crate::balancing::theory::forecast::{self, Forecast};
use crate::balancing::theory::scatter::Tried;
use crate::balancing::theory::{no_list, one_choice};
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

/// What the limit may be off where nothing finer is known. Small sub-tables scatter by some parts in the square root
/// of the blocks; an access budget that is just enough in the mean loses elements where it is not.
fn unknown(metric: Metric, value: f64, size: &Size) -> f64 {
    let of_blocks = 2.0 * value / f64::from(size.buckets).sqrt();
    let of_budget = 0.25 / f64::from(size.elements).sqrt();
    if metric == OVERFLOW_FRACTION { of_blocks + of_budget } else { of_blocks }
}

/// The probability of a yes, where a block of so many elements has this one.
type Rate<'a> = &'a dyn Fn(&dyn Fn(u64) -> f64) -> f64;

/// What is known of so many blocks, and what it may be as well.
struct Finite {
    values: Vec<(Metric, f64)>,
    others: Vec<Vec<(Metric, f64)>>,
    kind: prediction::Kind,
}

impl Finite {
    /// Each of the others adds what it is away.
    fn prediction(&self, metric: Metric) -> Option<Prediction> {
        let of = |values: &[(Metric, f64)]| {
            values.iter().find(|(own, _)| *own == metric).map(|(_, value)| *value)
        };
        let value = of(&self.values)?;
        let away = |other: &Vec<_>| of(other).map_or(0.0, |own| (own - value).abs());
        // Not a sum, which is −0 where nothing is added.
        let allowance = self.others.iter().map(away).fold(0.0, |sum, own| sum + own);
        let prediction = Prediction::exact(metric, value, "binomial");
        Some(Prediction { kind: self.kind, allowance, ..prediction })
    }
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
        let values = self.values(&limit, &|of_block| self.rate(&limit, of_block));
        let finite = self.finite(&size);
        let mut predictions = Vec::new();
        for (metric, value) in values {
            let near = finite.as_ref().and_then(|finite| finite.prediction(metric));
            let away = |near: &Prediction| (near.value - value).abs() + near.allowance;
            let away = near.as_ref().map_or_else(|| unknown(metric, value, &size), away);
            predictions.push(Prediction::asymptotic(metric, value, "many blocks", away));
            predictions.extend(near);
        }
        predictions.extend(self.equation(&limit));
        Outlook { predictions, missing: None }
    }

    /// For so many blocks, where it is known.
    fn finite(&self, size: &Size) -> Option<Finite> {
        if !self.has_list || self.rule.budget.is_some() {
            return None;
        }
        let (arrivals, taking) = (f64::from(self.elements), self.rule.taking());
        match self.rule.kind {
            Kind::Single => {
                let demand = one_choice::binomial(self.elements.into(), size.buckets, taking);
                let laws = vec![one_choice::law(&demand, taking)];
                let forecast = Forecast::new(self.rule, size, laws, (arrivals, arrivals));
                let values = self.values(&forecast, &|of_block| self.rate(&forecast, of_block));
                Some(Finite { values, others: Vec::new(), kind: prediction::Kind::Exact })
            }
            Kind::Multilevel => {
                let buckets = self.rule.parts();
                let (tried, others) = Tried::all(self.elements.into(), buckets, taking);
                let values = |tried: &Tried| {
                    let forecast = tried.forecast(self.rule, size, arrivals);
                    self.values(&forecast, &|of_block| self.rate_of(tried, &forecast, of_block))
                };
                let others = others.iter().map(values).collect();
                Some(Finite { values: values(&tried), others, kind: prediction::Kind::Refined })
            }
            Kind::Sequential | Kind::Offline => None,
        }
    }

    /// What is said of a forecast, of which `rate` knows the probability of a yes.
    fn values(&self, forecast: &Forecast, rate: Rate<'_>) -> Vec<(Metric, f64)> {
        let mut values = Vec::new();
        if self.local.work(self.possible_loads(forecast)) <= MOST_STEPS {
            let rate = rate(&|elements| self.local.exact(elements));
            let rates = [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
            values.extend(rates.map(|metric| (metric, rate)));
        }
        values.extend([
            (FALSE_POSITIVE_RATE_OF_LOADS, rate(&|elements| self.local.approximate(elements))),
            (ACCESSES_PER_INSERTION, forecast.accesses),
            (ACCESSES_PER_ABSENT_LOOKUP, forecast.absent_accesses),
        ]);
        values.extend(self.has_list.then_some((OVERFLOW_FRACTION, forecast.overflow.max(0.0))));
        values
    }

    /// Equation (9) with the loads of the limit: E(P) times the mean over blocks.
    fn equation(&self, limit: &Forecast) -> [Prediction; 2] {
        let of_block = |law: &[f64]| {
            (0..).zip(law).map(|(elements, p)| p * self.local.approximate(elements)).sum()
        };
        let rate = (limit.absent_accesses * limit.mean_of(of_block)).min(1.0);
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
    fn rate(&self, forecast: &Forecast, of_block: &dyn Fn(u64) -> f64) -> f64 {
        let of_blocks = self.of_blocks(forecast, of_block);
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

    /// The same where full blocks of one sub-table and loads of the next scatter together.
    fn rate_of(&self, tried: &Tried, forecast: &Forecast, of_block: &dyn Fn(u64) -> f64) -> f64 {
        let of_blocks = self.of_blocks(forecast, of_block);
        let visit = |load: u32| {
            let mut visit = Visit::default();
            let positive = of_blocks.get(load as usize).copied().unwrap_or(0.0);
            visit.add(1.0, positive, self.rule.is_full(load));
            visit
        };
        tried.of_look_up(&|load| visit(load).onward, &|load| visit(load).positive)
    }

    /// By number of elements, that of a block; 0 where no block has so many.
    fn of_blocks(&self, forecast: &Forecast, of_block: &dyn Fn(u64) -> f64) -> Vec<f64> {
        let most = forecast.parts.iter().map(|(_, law)| law.len()).max().unwrap_or(0);
        let mut of_blocks = vec![0.0; most];
        for elements in self.possible_loads(forecast) {
            of_blocks[elements as usize] = of_block(elements);
        }
        of_blocks
    }
}
