//! The answer to a question.

use super::question::Question;
use super::split::{NotMeasured, Split};
use super::traffic::Traffic;
use super::warning::Warning;
use crate::report::Results;

/// What a trace does to a table, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What was asked.
    pub question: Question,
    /// The trace.
    pub traffic: Traffic,
    /// The difference and its parts.
    pub split: Split,
    /// Why there is no model, where theory says so.
    pub no_model: Option<String>,
    /// What a reader must know beside it.
    pub warnings: Vec<Warning>,
}

impl Answer {
    /// The answer that the results of a question's definition hold.
    ///
    /// # Errors
    /// Where a setting was not measured.
    pub fn of(question: Question, results: &Results<'_>) -> Result<Self, NotMeasured> {
        let split = Split::of(&results.subjects)?;
        let traffic = results.trace.and_then(|trace| Traffic::of(trace, &results.subjects));
        let traffic = traffic.ok_or_else(|| NotMeasured("the trace".to_owned()))?;
        let missing = results.unpredicted.iter().map(|(_, reason)| reason.clone()).next_back();
        let no_model = missing.filter(|_| split.model.is_none());
        let warnings = Warning::all(results.experiment, &traffic, &split, question.trials);
        Ok(Self { question, traffic, split, no_model, warnings })
    }
}
