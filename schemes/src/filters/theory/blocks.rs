//! A block as a Bloom filter of its own, and the blocked filter.

use super::{INDEPENDENT, LIMIT, all_hit, bins, power};
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
        let size = Size { elements: 0, bits: self.bits, choices: self.choices };
        all_hit(&size, elements as f64 * f64::from(self.choices))
    }

    /// The same where the bits of a block are taken for independent, equation (9).
    pub(crate) fn approximate(&self, elements: u64) -> f64 {
        let balls = elements as f64 * f64::from(self.choices);
        power(bins::filled(balls, f64::from(self.bits)), self.choices)
    }
}

/// The blocked filter.
pub(crate) fn blocked(size: &Size, local: &Local, hash: &HashSpec) -> Outlook {
    if matches!(hash.derivation(), Derivation::Progression(_)) {
        return Outlook::default();
    }
    let blocks = size.bits / local.bits;
    let attempts = f64::from(size.elements) / f64::from(blocks);
    let binomial = match blocks {
        1 => Demand::certain(size.elements.into()),
        _ => Demand::binomial(size.elements.into(), 1.0 / f64::from(blocks), 0),
    };
    let poisson = Demand::poisson(attempts, 0);
    let exact = mean_over(&binomial, |elements| local.exact(elements));
    let limit = mean_over(&poisson, |elements| local.exact(elements));
    let rough = mean_over(&poisson, |elements| local.approximate(elements));
    let rates = [metrics::FALSE_POSITIVE_RATE, metrics::FALSE_POSITIVE_RATE_GIVEN_BITS];
    let of_rate = |metric: Metric| {
        [
            Prediction::exact(metric, exact, INDEPENDENT),
            Prediction::asymptotic(metric, limit, LIMIT, (exact - limit).abs()),
            Prediction::approximate(metric, rough, EQUATION),
        ]
    };
    let mut predictions: Vec<Prediction> = rates.into_iter().flat_map(of_rate).collect();
    // A bit is one of those that an element sets in its block, if it is in that block.
    let of_block = bins::filled(f64::from(local.choices), f64::from(local.bits));
    let set = bins::filled(f64::from(size.elements), f64::from(blocks) / of_block);
    let used = f64::from(blocks * local.bits) / f64::from(size.bits);
    predictions.push(Prediction::exact(metrics::BITS_SET_FRACTION, set * used, INDEPENDENT));
    Outlook { predictions, missing: None }
}

/// Loads of a smaller probability are left out, which are also the expensive ones.
pub(crate) const NEGLIGIBLE: f64 = 1e-18;

fn mean_over(elements: &Demand, value: impl Fn(u64) -> f64) -> f64 {
    let counts = (0..).zip(elements.all()).filter(|(_, p)| *p > NEGLIGIBLE);
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
