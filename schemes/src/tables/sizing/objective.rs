//! What is minimised, as a smooth function of unconstrained variables, with its gradient.

use nalgebra::DVector;

use super::root::root_of_decreasing;
use super::{Goal, LEAST_OVERFLOW, MOST_SUB_TABLES, Model, SizingError, Watch};
use crate::math::elementary::{exp, ln};

/// `ln c` at a given overflow, or `ln w` at a given space, as a function of the logarithms of the shares
/// of the buckets, up to a constant: sub-table `i` has the share `p_i = e^{x_i}/Σ e^{x_k}`.
pub(super) struct Objective<'w> {
    model: Model,
    d: usize,
    goal: Goal,
    watch: &'w dyn Watch,
}

/// A point and the value there.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) at: DVector<f64>,
    pub(super) value: f64,
}

impl<'w> Objective<'w> {
    pub(super) fn new(
        model: Model,
        d: usize,
        goal: Goal,
        watch: &'w dyn Watch,
    ) -> Result<Self, SizingError> {
        let asked = match goal {
            Goal::Overflow(w) => (LEAST_OVERFLOW..1.0).contains(&w),
            Goal::Space(c) => c > 0.0 && c.is_finite(),
        };
        if !(1..=MOST_SUB_TABLES).contains(&d) {
            return Err(SizingError::SubTables(d));
        }
        if asked { Ok(Self { model, d, goal, watch }) } else { Err(SizingError::Goal) }
    }

    /// The point, computed from `near`, a value close to its own.
    pub(super) fn point(&self, at: DVector<f64>, near: f64) -> Result<Point, SizingError> {
        let value = match self.goal {
            Goal::Space(c) => self.log_overflow(&self.sizes_at(&at, ln(c)))?,
            Goal::Overflow(w) => self.log_space(&at, ln(w), near)?,
        };
        Ok(Point { at, value })
    }

    /// The space that equal sub-tables need.
    pub(super) fn space_of_equal(&self) -> Result<f64, SizingError> {
        match self.goal {
            Goal::Space(c) => Ok(c),
            Goal::Overflow(_) => Ok(exp(self.point(DVector::zeros(self.d), 0.0)?.value)),
        }
    }

    /// Buckets per element of the sub-tables.
    pub(super) fn sizes(&self, point: &Point) -> Vec<f64> {
        self.sizes_at(&point.at, self.log_space_of(point))
    }

    /// With `E_i = ∂ ln w/∂ ln alpha_i`, the derivative of `ln w` with respect to `x_k` is
    /// `E_k − p_k·Σ E_i`, and that of `ln c` is this over `−Σ E_i`.
    pub(super) fn gradient(&self, point: &Point) -> Result<DVector<f64>, SizingError> {
        let elasticities = self.elasticities(&self.sizes(point))?;
        let of_space = elasticities.sum();
        let of_overflow = elasticities - shares(&point.at) * of_space;
        Ok(match self.goal {
            Goal::Space(_) => of_overflow,
            Goal::Overflow(_) => of_overflow / -of_space,
        })
    }

    /// `∂ ln w/∂ ln alpha_i`, by central differences.
    fn elasticities(&self, sizes: &[f64]) -> Result<DVector<f64>, SizingError> {
        let mut elasticities = DVector::zeros(self.d);
        for i in 0..self.d {
            let shifted = |by: f64| {
                let mut shifted = sizes.to_vec();
                shifted[i] *= exp(by);
                self.log_overflow(&shifted)
            };
            elasticities[i] = (shifted(STEP)? - shifted(-STEP)?) / (2.0 * STEP);
        }
        Ok(elasticities)
    }

    fn log_space(
        &self,
        at: &DVector<f64>,
        log_overflow: f64,
        near: f64,
    ) -> Result<f64, SizingError> {
        root_of_decreasing(near, |log_space| {
            Ok(self.log_overflow(&self.sizes_at(at, log_space))? - log_overflow)
        })
    }

    fn log_space_of(&self, point: &Point) -> f64 {
        match self.goal {
            Goal::Space(c) => ln(c),
            Goal::Overflow(_) => point.value,
        }
    }

    fn log_overflow(&self, sizes: &[f64]) -> Result<f64, SizingError> {
        if !self.watch.goes_on() {
            return Err(SizingError::Stopped);
        }
        Ok(ln(self.model.limit(sizes)?.overflow.max(f64::MIN_POSITIVE)))
    }

    fn sizes_at(&self, at: &DVector<f64>, log_space: f64) -> Vec<f64> {
        let buckets = exp(log_space) / f64::from(self.model.rule.bucket_size());
        shares(at).iter().map(|p| buckets * p).collect()
    }
}

/// The relative change of a size with which slopes are computed: the limits, good to 1e-10 or so, and the
/// curvature of the slopes then cause similar errors.
const STEP: f64 = 3e-4;

/// The share of the buckets of each sub-table.
pub(super) fn shares(at: &DVector<f64>) -> DVector<f64> {
    let weights = at.add_scalar(-at.max()).map(exp);
    &weights / weights.sum()
}
