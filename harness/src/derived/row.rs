//! One row of a derived quantity.

use loadfactor_schemes::prediction::Kind;

use crate::estimate::verdict::{Room, Verdict};

/// A measured value with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; `None` where it has none, as the place of a largest value.
    pub std_error: Option<f64>,
    /// How far the further end of its 95 % confidence interval is.
    pub half_width: Option<f64>,
}

/// What predictions of one kind make of a derived quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    /// The kind.
    pub kind: Kind,
    /// The value.
    pub value: f64,
    /// How far the measurement may be from it, and how wide that may be to decide anything; `None` where it
    /// is not judged.
    pub room: Option<Room>,
}

impl Predicted {
    /// Of this kind, without a judgement.
    pub fn unjudged(kind: Kind, value: f64) -> Self {
        Self { kind, value, room: None }
    }
}

/// One value of a derived quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedRow {
    /// The name of its `[[derived]]` table.
    pub name: String,
    /// What the value is of: a metric, or a parameter.
    pub quantity: String,
    /// The point at which it was found, where it was searched for.
    pub found_at: Option<String>,
    /// Made of what was measured.
    pub measured: Option<Estimate>,
    /// Made of predictions of one kind, for each kind that all parts have.
    pub predicted: Vec<Predicted>,
}

impl DerivedRow {
    /// A row that is computed without any point.
    pub(super) fn computed(name: &str, quantity: &str, kind: Kind, value: f64) -> Self {
        let predicted = vec![Predicted::unjudged(kind, value)];
        Self { predicted, ..Self::empty(name, quantity) }
    }

    /// Whether nothing is known of it, neither measured nor predicted.
    pub fn is_empty(&self) -> bool {
        self.measured.is_none() && self.predicted.is_empty()
    }

    /// A row of which nothing is known yet.
    pub(super) fn empty(name: &str, quantity: &str) -> Self {
        let (name, quantity) = (name.to_owned(), quantity.to_owned());
        Self { name, quantity, found_at: None, measured: None, predicted: Vec::new() }
    }

    /// The prediction of this kind.
    pub fn prediction(&self, kind: Kind) -> Option<f64> {
        self.predicted.iter().find(|own| own.kind == kind).map(|own| own.value)
    }

    /// (measured − predicted)/standard error.
    pub fn z(&self, predicted: &Predicted) -> Option<f64> {
        let Estimate { value, std_error, .. } = self.measured?;
        std_error.map(|error| (value - predicted.value) / error).filter(|z| z.is_finite())
    }

    /// The verdict on the measurement, where there is a room.
    pub fn verdict(&self, predicted: &Predicted) -> Option<Verdict> {
        let above = self.measured?.value - predicted.value;
        predicted.room.map(|room| room.verdict(predicted.kind, above))
    }
}
