//! What theory says of a multilevel table, whatever stands beside it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Multilevel;
use super::metrics::{self, elements_in, left_after};
use super::theory::approximate::approximate_fill;
use super::theory::law::FillLaw;
use crate::hash::HashSpec;
use crate::prediction::{Outlook, Prediction};

/// Elements up to which laws are worked out, which takes about n·√n steps.
const MOST_ELEMENTS: u32 = 1_000_000;

/// What is known of a point, worked out when it is asked for first.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Worked>);

#[derive(Default)]
struct Worked {
    law: OnceLock<FillLaw>,
    outlook: OnceLock<Outlook>,
}

impl Known {
    /// What follows from the laws of its table, or that these would take too long.
    pub(super) fn following(
        &self,
        table: &Multilevel,
        follows: impl FnOnce(&FillLaw) -> Outlook,
    ) -> Outlook {
        if table.elements() > MOST_ELEMENTS {
            let reason =
                format!("the laws of more than {MOST_ELEMENTS} elements take too long to work out");
            return Outlook { predictions: Vec::new(), missing: Some(reason) };
        }
        follows(self.0.law.get_or_init(|| FillLaw::new(table.elements(), &table.sizes())))
    }

    /// What theory says of it, which is this.
    pub(super) fn outlook(&self, all: impl FnOnce() -> Outlook) -> Outlook {
        self.0.outlook.get_or_init(all).clone()
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Known")
    }
}

/// Whether the choices of an element in the sub-tables are independent and fall on all buckets alike, as the laws have it:
/// of a progression the first two are, and the others follow from these.
pub(super) fn is_ideal(hash: &HashSpec, table: &Multilevel) -> bool {
    let is_independent = !hash.is_progression() || table.types() <= 2;
    is_independent && table.sizes().into_iter().all(|size| hash.spread(size).is_none())
}

/// The source of what is exact.
const EXACT: &str = "Section 4.11.3";

/// What is known of where elements are.
pub(super) fn of_table(law: &FillLaw, with_left_over: bool) -> Vec<Prediction> {
    let types = law.sub_tables();
    let mut predictions = Vec::from(of_crisis(law));
    let approximate = approximate_fill(law.elements(), law.sizes());
    for (own, approximate) in (1..=types).zip(approximate) {
        let metric = elements_in(own as u16);
        predictions.push(Prediction::exact(metric, law.expected_in(own), EXACT));
        predictions.push(Prediction::approximate(metric, approximate, "equation (4.1)"));
    }
    for own in (1..=types).filter(|_| with_left_over) {
        let left = law.expected_left(own);
        predictions.push(Prediction::exact(left_after(own as u16), left, EXACT));
    }
    predictions
}

/// What is known of elements without a bucket.
pub(super) fn of_crisis(law: &FillLaw) -> [Prediction; 2] {
    [
        Prediction::exact(metrics::CRISIS_FRACTION, law.crisis_probability(), EXACT),
        Prediction::exact(metrics::CRISIS_ELEMENTS, law.expected_left(law.sub_tables()), EXACT),
    ]
}

/// What is known of a table without a summary: how many buckets are read for an element.
pub(super) fn of_accesses(law: &FillLaw) -> Prediction {
    let types = law.sub_tables();
    let in_crisis = types as f64 * law.expected_left(types);
    let all: f64 = (1..=types).map(|own| own as f64 * law.expected_in(own)).sum();
    let each = (all + in_crisis) / f64::from(law.elements());
    Prediction::exact(metrics::ACCESSES_PER_HIT, each, EXACT)
}
