//! HyperLogLog.

use std::f64::consts::LN_2;

use super::asked::Asked;
use super::metrics::{CARDINALITY_ERROR, CARDINALITY_SQUARE_ERROR};
use super::outlook::Known;
use super::readings::record_cardinality;
use super::trial::Trial;
use super::{Flow, Sketch};
use crate::case::Record;
use crate::info::SchemeInfo;
use crate::math::elementary::{exp, ln, ln_1p, pow};
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const REGISTERS: Param = Param {
    name: "registers",
    domain: Domain::Integer { min: 16, max: 1 << 24 },
    absent: Absent::Required,
    doc: "Number of registers, m.",
};

/// Bits of the hash value whose leading zeros are counted.
const VALUE_BITS: u32 = 31;

/// Flows for each register from which estimates are those of many flows: below, the estimate may be that of linear
/// counting.
const MANY: u32 = 5;

/// What the periodic fluctuations add at most to the mean and to the standard error times √m (Theorem 1).
const FLUCTUATIONS: [f64; 2] = [5e-5, 5e-4];

/// m registers, each with the most leading zeros among the hash values of its flows.
#[derive(Debug, Clone, PartialEq)]
pub struct HyperLogLog {
    registers: u32,
    alpha: f64,
    beta: f64,
}

impl HyperLogLog {
    /// With the constants α and β of the paper for this number of registers, from J_s = ∫ u^s f(u)^m du over u > 0 with
    /// f(u) = log2((2 + u)/(1 + u)).
    fn new(registers: u32) -> Self {
        let m = f64::from(registers);
        let [j0, j1] = [0.0, 1.0].map(|s| integral(s, m));
        let alpha = 1.0 / (m * j0);
        let beta = (m * (j1 / (j0 * j0) - 1.0)).sqrt();
        Self { registers, alpha, beta }
    }

    fn estimate_of(&self, registers: &[u8]) -> f64 {
        let m = f64::from(self.registers);
        let sum: f64 = registers.iter().map(|&rank| pow(2.0, -f64::from(rank))).sum();
        let raw = self.alpha * m * m / sum;
        let empty = registers.iter().filter(|rank| **rank == 0).count();
        if raw <= 2.5 * m && empty > 0 { m * ln(m / empty as f64) } else { raw }
    }
}

/// ∫ u^s f(u)^m du over u > 0, with u = e^x by the trapezoidal rule, whose error falls exponentially.
fn integral(s: f64, m: f64) -> f64 {
    const STEP: f64 = 1.0 / 64.0;
    let term = |i: i32| {
        let u = exp(f64::from(i) * STEP);
        // f(u) is close to 1 where it counts, and a rounded power of it would have few digits.
        let ln_f = ln_1p(-ln_1p(u / (2.0 + u)) / LN_2);
        exp((s + 1.0) * f64::from(i) * STEP + m * ln_f)
    };
    (-4000..4000).map(term).sum::<f64>() * STEP
}

impl Sketch for HyperLogLog {
    const INFO: SchemeInfo = SchemeInfo {
        name: "hyperloglog",
        summary: "Each flow belongs to one of m registers, which keeps the greatest position of the first 1 in the hash values of its flows. The harmonic mean of 2 to the power of the registers gives the number of flows; where that is at most 5m/2 and some register is empty, linear counting on the empty registers does. Counts of flows are not estimated.",
        source: "Flajolet, Fusy, Gandouet and Meunier, 2007",
        params: &[REGISTERS],
        predictions: &[
            "`cardinality_error` and `cardinality_square_error`, with `counts = \"expected\"` and five flows or more for each register: asymptotic, 0 and β²/m, where β tends to 1.04 (Theorem 1); refined, β²/m − 1/n for the square",
        ],
    };

    const ESTIMATES_FLOWS: bool = false;

    type Store = Vec<u8>;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self::new(params.small(REGISTERS.name)?))
    }

    fn ranges(&self) -> Vec<u32> {
        vec![self.registers, 1 << VALUE_BITS]
    }

    fn bytes(&self) -> u64 {
        // Registers count to 32, in 6 bits.
        (6 * u64::from(self.registers)).div_ceil(8)
    }

    fn store_bytes(&self) -> u64 {
        self.registers.into()
    }

    fn store(&self) -> Vec<u8> {
        vec![0; self.registers as usize]
    }

    fn clear(&self, store: &mut Vec<u8>, _seed: u64) {
        store.fill(0);
    }

    #[inline]
    fn update(&self, store: &mut Vec<u8>, flow: Flow<'_>, _weight: i64) {
        let register = &mut store[flow.choices[0] as usize];
        // The bit above the value is 0, so that this is the position of its first 1.
        *register = (*register).max(flow.choices[1].leading_zeros() as u8);
    }

    fn record(&self, store: &Vec<u8>, trial: &Trial<'_>, _asked: &Asked, out: &mut dyn Record) {
        record_cardinality(Some(self.estimate_of(store)), trial, out);
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let flows = known.updates.same_flows().filter(|flows| flows / MANY >= self.registers);
        let Some(flows) = flows else { return Outlook::default() };
        let (m, source) = (f64::from(self.registers), "Theorem 1 of the paper");
        let square = self.beta * self.beta / m;
        // β is that of a Poisson number of flows, whose own relative variance is 1/n: so much less is that of n flows.
        let of_number = 1.0 / f64::from(flows);
        let [of_mean, of_error] = FLUCTUATIONS;
        let left = (2.0 * self.beta + of_error) * of_error / m;
        let predictions = vec![
            Prediction::asymptotic(CARDINALITY_ERROR, 0.0, source, of_mean + of_number),
            Prediction::asymptotic(CARDINALITY_SQUARE_ERROR, square, source, left + of_number),
            Prediction::refined(
                CARDINALITY_SQUARE_ERROR,
                square - of_number,
                "Theorem 1 without the variance of a Poisson number of flows",
                left + of_number * of_number,
            ),
        ];
        Outlook { predictions, missing: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constants that the paper gives, whose last digits it cuts off: α in figure 3, β in section 2.
    #[test]
    fn constants_are_those_of_the_paper() {
        let given =
            [(16, 0.673, 1.106), (32, 0.697, 1.070), (64, 0.709, 1.054), (128, 0.7152, 1.046)];
        for (registers, alpha, beta) in given {
            let own = HyperLogLog::new(registers);
            assert!((own.alpha - alpha).abs() < 1e-3 && (own.beta - beta).abs() < 1e-3, "{own:?}");
        }
        let many = HyperLogLog::new(1 << 20);
        let limit = (3.0 * 2_f64.ln() - 1.0).sqrt();
        assert!((many.beta - limit).abs() < 1e-5, "{many:?} {limit}");
    }
}
