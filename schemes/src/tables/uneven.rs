//! Predictions where the hash function is too narrow to choose all buckets alike.

use super::outlook;
use super::theory::uneven::{Rule, Uneven};
use super::theory::{FluidLimit, TheoryError};
use super::{Geometry, Process};
use crate::hash::Spread;
use crate::prediction::{Kind, Prediction};

/// The source of predictions for two kinds of bucket.
pub(super) const TWO_KINDS: &str = "two kinds of bucket";

/// What decides the limit of a table without sub-tables.
pub(super) struct Narrow<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) rule: Rule,
    pub(super) choices: u32,
    pub(super) insertion_probability: f64,
    pub(super) spread: &'a Spread,
}

impl Narrow<'_> {
    /// The fluid limit. How far a finite table may be from it is what the limits for one kind of bucket, `even`,
    /// allow.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated.
    pub(super) fn predictions(
        &self,
        process: Process,
        even: Vec<Prediction>,
    ) -> Result<Vec<Prediction>, TheoryError> {
        let Some(limit) = self.limit(process)? else { return Ok(Vec::new()) };
        let values = outlook::fluid_values(&limit, self.geometry);
        let limits = even.into_iter().filter(|prediction| prediction.kind == Kind::Asymptotic);
        let uneven = limits.filter_map(|even| {
            let (_, value) = *values.iter().find(|(metric, _)| *metric == even.metric)?;
            Some(Prediction { value, source: TWO_KINDS, ..even })
        });
        Ok(uneven.collect())
    }

    fn limit(&self, process: Process) -> Result<Option<FluidLimit>, TheoryError> {
        let table = Uneven {
            spread: *self.spread,
            rule: self.rule,
            choices: self.choices,
            alpha: self.insertion_probability,
            bucket_size: self.geometry.bucket_size.into(),
            load: self.geometry.load(),
        };
        Ok(Some(match process {
            Process::StaticFill => table.static_fill()?,
            Process::Alternation | Process::Continuous | Process::Open => table.alternation()?,
            Process::Relaxation { start, rounds } => {
                table.relaxation(start, self.geometry.lifetimes(rounds))?
            }
            Process::OnOff { .. } => return Ok(None),
        }))
    }
}
