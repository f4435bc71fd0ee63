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

    /// Its bias and standard error for many flows, of which the first is the square's.
    fn limits(&self, flows: u32) -> [Prediction; 2] {
        let (n, m) = (f64::from(flows), f64::from(self.bits));
        let load = n / m;
        let variance = m * (exp(load) - load - 1.0) / (n * n);
        let bias = (exp(load) - load - 1.0) / (2.0 * n);
        let source = "Whang, Vander-Zanden and Taylor, 1990";
        [
            Prediction::asymptotic(CARDINALITY_ERROR, bias, source, 4.0 * bias * bias),
            Prediction::asymptotic(
                CARDINALITY_SQUARE_ERROR,
                variance,
                source,
                4.0 * variance * bias + bias * bias,
            ),
        ]
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
            "the same: asymptotic, (e^t − t − 1)/(2n) and m(e^t − t − 1)/n² with t = n/m",
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
        let predictions = exact.into_iter().flatten().chain(self.limits(flows)).collect();
        Outlook { predictions, missing: None }
    }
}
