//! What a bucket costs by its load: the function φ that balancing is to keep low on average.

use super::metrics::MEAN_COST;
use super::params::Size;
use crate::math::elementary::{exp_m1, ln_1p, pow};
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Kind, Prediction};
use crate::tables::metrics::occupancy;

const COST: Param = Param {
    name: "cost",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "What the first, second, third element of a bucket and so on add to its cost φ, with spaces between, none less than the one before, so that φ is convex; further ones add as much as the last. `mean_cost` is the mean over the buckets. `1 3 5 7` begins like the square of the load.",
};

const COST_BITS: Param = Param {
    name: "cost_bits",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Bits of a block, B: the cost φ of a bucket is then the false positive rate of its elements in a filter of B bits, (1 − (1 − 1/B)^(k·o))^k of o elements; with `cost_choices`, and in place of `cost`.",
};

const COST_CHOICES: Param = Param {
    name: "cost_choices",
    domain: Domain::Integer { min: 1, max: 1024 },
    absent: Absent::Optional,
    doc: "Bits that an element sets in a block, k; with `cost_bits`.",
};

/// The parameters that say what a bucket costs.
pub(super) const PARAMS: &[Param] = &[COST, COST_BITS, COST_CHOICES];

/// By how many parts in m of itself a mean cost may be off its limit where nothing closer is known. A cost has any
/// unit: no part of it is of order 1, as of a share.
const PARTS: f64 = 4.0;

/// The most that an element may add to a cost, so that squares and sums of costs are numbers.
const MOST: f64 = 1e100;

/// The share of buckets with loads that are not predicted, such as those above 255, from which on no mean is.
const LEFT_OUT: f64 = 1e-6;

/// φ.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LoadCost {
    /// What each element adds, from the first on.
    Added(Vec<f64>),
    /// The false positive rate of a block, equation (9) of "Access-Efficient Balanced Bloom Filters".
    FalsePositives {
        /// B.
        bits: u32,
        /// k.
        choices: u32,
    },
}

impl LoadCost {
    /// What is asked for, if anything is.
    ///
    /// # Errors
    /// Where what is added falls, or one parameter is without the other.
    pub(super) fn from_params(params: &Params) -> Result<Option<Self>, ParamError> {
        let given = |param: &Param| params.get(param.name).is_some();
        match (params.numbers(COST.name)?, given(&COST_BITS), given(&COST_CHOICES)) {
            (None, false, false) => Ok(None),
            (None, true, true) => {
                let (bits, choices) =
                    (params.small(COST_BITS.name)?, params.small(COST_CHOICES.name)?);
                Ok(Some(Self::FalsePositives { bits, choices }))
            }
            (None, true, false) => Err(ParamError::new(COST_CHOICES.name, "missing; B has no k")),
            (None, false, true) => Err(ParamError::new(COST_BITS.name, "missing; k has no B")),
            (Some(_), true, _) | (Some(_), _, true) => {
                Err(ParamError::new(COST.name, "give it, or `cost_bits` and `cost_choices`"))
            }
            (Some(added), ..) if !added.is_sorted() => {
                let reason = "an element adds less than the one before, so that it is not convex";
                Err(ParamError::new(COST.name, reason))
            }
            (Some(added), ..) if added.iter().any(|one| one.abs() > MOST) => {
                Err(ParamError::new(COST.name, "an element adds at most 1e100"))
            }
            (Some(added), ..) => Ok(Some(Self::Added(added))),
        }
    }

    /// φ of so many elements.
    pub(super) fn of(&self, load: u32) -> f64 {
        match self {
            Self::Added(added) => {
                let listed: f64 = added.iter().take(load as usize).sum();
                let last = added.last().copied().unwrap_or(0.0);
                listed + last * f64::from(load.saturating_sub(added.len() as u32))
            }
            Self::FalsePositives { .. } if load == 0 => 0.0,
            Self::FalsePositives { bits, choices } => {
                let set = f64::from(load) * f64::from(*choices);
                let share = -exp_m1(set * ln_1p(-1.0 / f64::from(*bits)));
                pow(share, f64::from(*choices))
            }
        }
    }

    /// The mean cost wherever the loads of buckets are predicted, with the source and the strictness of these.
    pub(super) fn predictions(&self, of_loads: &[Prediction], size: &Size) -> Vec<Prediction> {
        let kinds = [Kind::Exact, Kind::Refined, Kind::Asymptotic];
        let mut means: Vec<Prediction> = Vec::new();
        for mean in kinds.into_iter().filter_map(|kind| self.mean(kind, of_loads)) {
            let near = means.last().map(|near| (near.value - mean.value).abs());
            let left = match (mean.kind, near) {
                (Kind::Asymptotic, near) => {
                    near.unwrap_or_else(|| PARTS * mean.value / f64::from(size.buckets))
                }
                _ => 0.0,
            };
            means.push(Prediction { allowance: mean.allowance + left, ..mean });
        }
        means
    }

    /// The mean over the loads that are predicted like this, if they are nearly all; what is left out of them is allowed
    /// for.
    fn mean(&self, kind: Kind, of_loads: &[Prediction]) -> Option<Prediction> {
        let law: Vec<(u32, &Prediction)> =
            of_loads.iter().filter(|own| own.kind == kind).filter_map(with_load).collect();
        let (_, any) = law.first()?;
        let value: f64 = law.iter().map(|(load, own)| self.of(*load) * own.value).sum();
        let known: f64 = law.iter().map(|(_, own)| own.value).sum();
        if (1.0 - known).abs() > LEFT_OUT {
            return None;
        }
        let last = law.iter().map(|(load, _)| *load).max()?;
        // Shares of buckets sum up to 1: what one has more, others have less, and a mean that is taken off the cost
        // changes nothing.
        let apart = |load: u32| (self.of(load) - value).abs();
        let left: f64 = match kind {
            Kind::Refined => law.iter().map(|(load, own)| apart(*load) * own.allowance).sum(),
            _ => 0.0,
        };
        let allowance = left + (1.0 - known).abs() * self.of(2 * last + 10) + 1e-12 * value;
        Some(Prediction { metric: MEAN_COST, value, allowance, rests_on: None, ..(*any).clone() })
    }
}

/// The load of which this predicts the share of buckets.
fn with_load(prediction: &Prediction) -> Option<(u32, &Prediction)> {
    let is = |load: &u16| prediction.metric == occupancy(*load);
    prediction
        .metric
        .is_like(occupancy(0))
        .then(|| (0..=255_u16).find(is))?
        .map(|load| (load.into(), prediction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Scalar;

    fn cost(given: &[(&str, Scalar)]) -> Result<Option<LoadCost>, ParamError> {
        let mut params = Params::default();
        given.iter().for_each(|(name, value)| params.set(name, value.clone()));
        LoadCost::from_params(&params)
    }

    #[test]
    fn what_elements_add_goes_on_as_it_ends() {
        let square = cost(&[("cost", Scalar::Word("1 3 5".into()))]).unwrap().unwrap();
        assert_eq!(
            [0, 1, 2, 3, 4, 6].map(|load| square.of(load)),
            [0.0, 1.0, 4.0, 9.0, 14.0, 24.0]
        );
    }

    #[test]
    fn a_block_costs_its_false_positives() {
        let given = [("cost_bits", 2_i64.into()), ("cost_choices", 2_i64.into())];
        let block = cost(&given).unwrap().unwrap();
        assert_eq!(block.of(0), 0.0);
        assert!((block.of(1) - 0.5625).abs() < 1e-15);
    }

    #[test]
    fn half_a_cost_is_a_mistake() {
        let falling = cost(&[("cost", Scalar::Word("2 1".into()))]).unwrap_err();
        assert!(falling.reason.contains("not convex"));
        assert_eq!(cost(&[("cost_bits", 64_i64.into())]).unwrap_err().name, "cost_choices");
        assert_eq!(cost(&[]).unwrap(), None);
    }
}
