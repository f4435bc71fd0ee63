//! A block as a Bloom filter of its own, and the blocked filter.

use super::progression::Progression;
use super::{INDEPENDENT, LIMIT, MOST_STEPS, OF_FEW_VALUES, all_hit, bins, exactly, power};
use crate::filters::params::Size;
use crate::filters::{Bits, metrics};
use crate::hash::{Choices, Derivation, HashSpec};
use crate::math::demand::Demand;
use crate::metric::Metric;
use crate::prediction::{Outlook, Prediction};

/// The source of what the document says.
pub(crate) const EQUATION: &str = "equation (9)";

/// The local filter of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    /// Its bits.
    pub(crate) bits: u32,
    /// k.
    pub(crate) choices: u32,
}

impl Local {
    /// Sets the bits of an element in a block.
    #[inline]
    pub(crate) fn set(&self, bits: &mut Bits, block: u32, choices: &mut impl Choices) {
        (0..self.choices).for_each(|_| bits.set(block * self.bits + choices.next(self.bits)));
    }

    /// Whether all bits of an element are set in a block. All of its choices are drawn.
    #[inline]
    pub(crate) fn are_set(&self, bits: &Bits, block: u32, choices: &mut impl Choices) -> bool {
        let is_set = |_| bits.is_set(block * self.bits + choices.next(self.bits));
        (0..self.choices).map(is_set).fold(true, |all, one| all & one)
    }

    /// The rate of a block as its bits say it.
    pub(crate) fn rate(&self, bits: &Bits, block: u32) -> f64 {
        let of_block = block * self.bits..(block + 1) * self.bits;
        power(bits.count_in(of_block) as f64 / f64::from(self.bits), self.choices)
    }

    /// The false positive probability of a block of so many elements.
    pub(crate) fn exact(&self, elements: u64) -> f64 {
        all_hit(&self.size(), elements as f64 * f64::from(self.choices))
    }

    /// Steps that this takes for all these numbers of elements, about.
    pub(crate) fn work(&self, elements: impl Iterator<Item = u64>) -> f64 {
        let size = self.size();
        elements.map(|own| super::work(&size, own as f64 * f64::from(self.choices))).sum()
    }

    fn size(&self) -> Size {
        Size { elements: 0, bits: self.bits, choices: self.choices }
    }

    /// The same where the bits of a block are taken for independent, equation (9).
    pub(crate) fn approximate(&self, elements: u64) -> f64 {
        let balls = elements as f64 * f64::from(self.choices);
        power(bins::filled(balls, f64::from(self.bits)), self.choices)
    }
}

/// The blocked filter whose bits in a block are a progression, which does not follow from the block.
fn in_progression(size: &Size, local: &Local, progression: Progression) -> Vec<Prediction> {
    let blocks = size.bits / local.bits;
    let law: Vec<(u32, f64)> = loads(size, blocks)
        .counts()
        .filter(|(_, p)| *p > NEGLIGIBLE)
        .map(|(count, p)| (count as u32, p))
        .collect();
    let positive = progression.mean_of_all_set(&law);
    // As for independent choices, with the different bits of an element.
    let set = progression.distinct().map(|places| {
        let of_block = places / f64::from(local.bits);
        bins::filled(f64::from(size.elements), f64::from(blocks) / of_block)
    });
    let exact = |metric, value: Option<f64>| exactly(metric, value, OF_FEW_VALUES);
    let positive = exact(metrics::FALSE_POSITIVE_RATE, positive);
    positive.into_iter().chain(exact(metrics::BITS_SET_FRACTION, set)).collect()
}

/// The blocked filter.
pub(crate) fn blocked(size: &Size, local: &Local, hash: &HashSpec) -> Outlook {
    if let Derivation::Progression(increment) = hash.derivation() {
        let progression = Progression::new(&local.size(), increment, hash.steps());
        let predictions = progression.map(|progression| in_progression(size, local, progression));
        return Outlook { predictions: predictions.unwrap_or_default(), missing: None };
    }
    let blocks = size.bits / local.bits;
    let poisson = Demand::poisson(f64::from(size.elements) / f64::from(blocks), 0);
    let known = (work(size, local) <= MOST_STEPS).then(|| {
        let exact = mean_over(&loads(size, blocks), |elements| local.exact(elements));
        (exact, mean_over(&poisson, |elements| local.exact(elements)))
    });
    let rough = mean_over(&poisson, |elements| local.approximate(elements));
    let rates = [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
    let of_rate = |metric: Metric| {
        let known = known.into_iter().flat_map(move |(exact, limit)| {
            [
                Prediction::exact(metric, exact, INDEPENDENT),
                Prediction::asymptotic(metric, limit, LIMIT, (exact - limit).abs()),
            ]
        });
        known.chain([Prediction::approximate(metric, rough, EQUATION)])
    };
    let mut predictions: Vec<Prediction> = rates.into_iter().flat_map(of_rate).collect();
    // A bit is one of those that an element sets in its block, if it is in that block.
    let of_block = bins::filled(f64::from(local.choices), f64::from(local.bits));
    let set = bins::filled(f64::from(size.elements), f64::from(blocks) / of_block);
    predictions.push(Prediction::exact(metrics::BITS_SET_FRACTION, set, INDEPENDENT));
    Outlook { predictions, missing: None }
}

/// Steps that its false positive probability takes, about, also in the limit.
pub(crate) fn work(size: &Size, local: &Local) -> f64 {
    let loads = loads(size, size.bits / local.bits);
    2.0 * local.work(loads.counts().filter(|(_, p)| *p > NEGLIGIBLE).map(|(count, _)| count))
}

/// How many elements a block has.
fn loads(size: &Size, blocks: u32) -> Demand {
    match blocks {
        1 => Demand::certain(size.elements.into()),
        _ => Demand::binomial(size.elements.into(), 1.0 / f64::from(blocks), 0),
    }
}

/// Loads of a smaller probability are left out, which are also the expensive ones.
pub(crate) const NEGLIGIBLE: f64 = 1e-18;

fn mean_over(elements: &Demand, value: impl Fn(u64) -> f64) -> f64 {
    let counts = elements.counts().filter(|(_, p)| *p > NEGLIGIBLE);
    counts.map(|(count, p)| p * value(count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two blocks of three bits, two elements of two choices: all outcomes, and an absent key.
    #[test]
    fn the_blocked_filter_is_that_of_all_outcomes() {
        let (blocks, bits, choices, elements) = (2_u64, 3_u64, 2_u32, 2_u32);
        let keys: Vec<u64> = (0..blocks * bits * bits)
            .map(|code| {
                let first = (code % blocks) * bits;
                (1 << (first + code / blocks % bits)) | (1 << (first + code / blocks / bits))
            })
            .collect();
        let (mut positive, mut set, mut all) = (0.0, 0.0, 0.0);
        for one in &keys {
            for other in &keys {
                let word = one | other;
                set += f64::from(word.count_ones()) / 6.0;
                positive += keys.iter().filter(|&key| key & !word == 0).count() as f64;
                all += 1.0;
            }
        }
        let size = Size { elements, bits: 6, choices };
        let local = Local { bits: 3, choices };
        let found = blocked(&size, &local, &HashSpec::random(3).unwrap()).predictions;
        let value = |metric| found.iter().find(|p| p.metric == metric).unwrap().value;
        let expected = positive / all / keys.len() as f64;
        assert!(
            (value(metrics::FALSE_POSITIVE_RATE) - expected).abs() < 1e-12,
            "{expected} {found:?}"
        );
        assert!((value(metrics::BITS_SET_FRACTION) - set / all).abs() < 1e-12);
    }

    /// As the errata say, bits of one block scatter, and equation (9) is too low.
    #[test]
    fn the_equation_underestimates() {
        let local = Local { bits: 252, choices: 28 };
        for elements in 1..12 {
            let (exact, rough) = (local.exact(elements), local.approximate(elements));
            assert!(exact > rough && exact < 4.0 * rough + 1e-30, "{elements}: {exact} {rough}");
        }
    }
}
