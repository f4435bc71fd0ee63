//! What a sketch is asked at the end of a trial.

use super::params::{EPSILON, FIRST, GIVEN_COUNTS, INNER_PRODUCT, PHI, QUERIES};
use crate::params::{ParamError, Params};

/// What a sketch is asked at the end of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Absent keys.
    pub queries: u32,
    /// ε.
    pub epsilon: Option<f64>,
    /// φ.
    pub phi: Option<f64>,
    /// How many flows of the greatest counts are heavy hitters; not given together with φ.
    pub first: Option<u32>,
    /// Whether the inner product with a second stream is asked for.
    pub inner_product: bool,
    /// Whether errors are held against their means given the counts.
    pub given_counts: bool,
}

impl Asked {
    /// Reads what is asked.
    ///
    /// # Errors
    /// Heavy hitters by both of their definitions.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let number = |name: &str| params.get(name).map(|_| params.number(name)).transpose();
        let small = |name: &str| params.get(name).map(|_| params.small(name)).transpose();
        let flag = |name: &str| -> Result<bool, ParamError> {
            Ok(params.get(name).is_some() && params.flag(name)?)
        };
        let asked = Self {
            queries: params.small(QUERIES.name)?,
            epsilon: number(EPSILON.name)?,
            phi: number(PHI.name)?,
            first: small(FIRST.name)?,
            inner_product: flag(INNER_PRODUCT.name)?,
            given_counts: flag(GIVEN_COUNTS.name)?,
        };
        if asked.phi.is_some() && asked.first.is_some() {
            let reason = "heavy hitters are the flows from a share `phi` on, or the `first` ones by their counts: leave out one of the two";
            return Err(ParamError::new(FIRST.name, reason));
        }
        Ok(asked)
    }

    /// Refuses what is asked of the counts of flows, for a sketch that estimates none.
    ///
    /// # Errors
    /// The first parameter that asks for it.
    pub fn check_without_counts(&self, sketch: &str) -> Result<(), ParamError> {
        let of_counts = [
            (QUERIES, self.queries > 0),
            (EPSILON, self.epsilon.is_some()),
            (PHI, self.phi.is_some()),
            (FIRST, self.first.is_some()),
            (GIVEN_COUNTS, self.given_counts),
        ];
        match of_counts.into_iter().find(|(_, is_asked)| *is_asked) {
            None => Ok(()),
            Some((param, _)) => {
                let reason =
                    format!("not a parameter of `{sketch}`, which estimates no counts of flows");
                Err(ParamError::new(param.name, reason))
            }
        }
    }

    /// ε‖a‖₁ where ‖a‖₁ is `norm`.
    pub fn bound(&self, norm: f64) -> Option<f64> {
        self.epsilon.map(|epsilon| epsilon * norm)
    }
}
