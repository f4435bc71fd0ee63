//! What is known of the errors of sketches.

mod law;
mod point;
mod quadratic;

pub(super) use law::Law;
pub(super) use point::{Collisions, Expected, Rule, median_exceeds, of_flows};
pub(super) use quadratic::QuadraticRows;
