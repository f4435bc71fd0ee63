//! Linear counting.

use super::asked::Asked;
use super::metrics::{CARDINALITY_ERROR, CARDINALITY_SQUARE_ERROR};
use super::outlook::Known;
use super::readings::record_cardinality;
use super::trial::Trial;
use super::{Flow, Sketch};
use crate::case::Record;
use crate::info::SchemeInfo;
use crate::math::bins::occupied;
use crate::math::elementary::{exp, ln};
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const BITS: Param = Param {
    name: "bits",
    domain: Domain::Integer { min: 2, max: 1 << 30 },
    absent: Absent::Required,
    doc: "Number of bits, m.",
};

/// Bits that are expected to be left, from which on hardly a trial sets all of them.
const LEAST_LEFT: f64 = 16.0;

/// Flows up to which the law of the bits set is computed.
const MOST_FLOWS: u32 = 1 << 14;

/// Each flow sets one of m bits; −m·ln z estimates their number, where z is the share of bits that are not set.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearCounting {
    bits: u32,
}

impl LinearCounting {
    /// The number of flows as it is estimated from the bits that are set; `None` where all are.
    fn estimate_of(&self, set: f64) -> Option<f64> {
        let bits = f64::from(self.bits);
        (set < bits).then(|| -bits * ln((bits - set) / bits))
    }

    /// Means of the relative error and of its square for n flows, over trials whose bits are not all set.
    fn exact(&self, flows: u32) -> [Prediction; 2] {
        let (mut all, mut first, mut second) = (0.0, 0.0, 0.0);
        for (set, p) in occupied(flows, self.bits.into()).into_iter().enumerate() {
            if let Some(estimate) = self.estimate_of(set as f64) {
                let error = estimate / f64::from(flows) - 1.0;
                all += p;
                first += p * error;
                second += p * error * error;
            }
        }
        let of = |metric, sum: f64| Prediction::exact(metric, sum / all, "law of the bits set");
        [of(CARDINALITY_ERROR, first), of(CARDINALITY_SQUARE_ERROR, second)]
    }

    /// Its bias and the mean square of its error for many flows, where hardly a trial sets all bits.
    ///
    /// Whang et al. have the bias (e^t − t − 1)/(2n), which is that of −ln alone: that of n flows fewer bits are left than
    /// m·e^(−t), by a factor of 1 − t/(2m), adds t/(2n). What both formulas leave out is a share of up to e^t/m of the
    /// bias and 2.5·e^t/m of the square, as computed from the exact law for 20 to 3,000 bits, and of the square another
    /// 1/n, as few flows hardly ever collide.
    fn limits(&self, flows: u32) -> Option<[Prediction; 2]> {
        let (n, m) = (f64::from(flows), f64::from(self.bits));
        let load = n / m;
        if m * exp(-load) < LEAST_LEFT {
            return None;
        }
        let (bias, variance) =
            ((exp(load) - 1.0) / (2.0 * n), m * (exp(load) - load - 1.0) / (n * n));
        let share = exp(load) / m;
        let source = "Whang, Vander-Zanden and Taylor, 1990, with the mean of the bits left";
        Some([
            Prediction::asymptotic(CARDINALITY_ERROR, bias, source, share * bias),
            Prediction::asymptotic(
                CARDINALITY_SQUARE_ERROR,
                variance,
                "Whang, Vander-Zanden and Taylor, 1990",
                (2.5 * share + 1.0 / n) * variance,
            ),
        ])
    }
}

impl Sketch for LinearCounting {
    const INFO: SchemeInfo = SchemeInfo {
        name: "linear-counting",
        summary: "Each flow sets one of m bits. If the share z of them is not set, the number of flows is estimated as −m·ln z. Counts of flows are not estimated.",
        source: "Whang, Vander-Zanden and Taylor, 1990",
        params: &[BITS],
        predictions: &[
            "`cardinality_error` and `cardinality_square_error`, with `counts = \"expected\"` and up to 16,384 flows: exact, from the law of the number of bits set",
            "the same: asymptotic, (e^t − 1)/(2n) and m(e^t − t − 1)/n² with t = n/m, where 16 bits or more are expected to be left",
        ],
    };

    const ESTIMATES_FLOWS: bool = false;

    type Store = Vec<bool>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { bits: params.small(BITS.name)? })
    }

    fn ranges(&self) -> Vec<u32> {
        vec![self.bits]
    }

    fn bytes(&self) -> u64 {
        u64::from(self.bits).div_ceil(8)
    }

    fn store_bytes(&self) -> u64 {
        self.bits.into()
    }

    fn store(&self) -> Vec<bool> {
        vec![false; self.bits as usize]
    }

    fn clear(&self, store: &mut Vec<bool>, _seed: u64) {
        store.fill(false);
    }

    #[inline]
    fn update(&self, store: &mut Vec<bool>, flow: Flow<'_>, _weight: i64) {
        store[flow.choices[0] as usize] = true;
    }

    fn record(&self, store: &Vec<bool>, trial: &Trial<'_>, _asked: &Asked, out: &mut dyn Record) {
        let set = store.iter().filter(|is_set| **is_set).count();
        record_cardinality(self.estimate_of(set as f64), trial, out);
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let Some(flows) = known.updates.same_flows() else { return Outlook::default() };
        let exact = (flows <= MOST_FLOWS).then(|| self.exact(flows));
        let predictions = exact.into_iter().chain(self.limits(flows)).flatten().collect();
        Outlook { predictions, missing: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From two flows on 20 bits to four times as many flows as bits.
    #[test]
    fn limits_are_as_far_from_the_exact_law_as_they_say() {
        let mut compared = 0;
        for bits in [20, 64, 400, 1000] {
            let sketch = LinearCounting { bits };
            for percent in [10, 30, 50, 100, 200, 400] {
                let flows = bits * percent / 100;
                let Some(limits) = sketch.limits(flows) else { continue };
                for (exact, limit) in sketch.exact(flows).into_iter().zip(limits) {
                    let off = (limit.value - exact.value).abs();
                    assert!(off <= limit.allowance, "{bits} {flows} {limit:?} {}", exact.value);
                    compared += 1;
                }
            }
        }
        assert!(compared > 30, "{compared}");
    }
}
