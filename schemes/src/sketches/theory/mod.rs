//! What is known of the errors of sketches.

mod decoding;
mod flow_filter;
mod law;
mod peeling;
mod point;
mod quadratic;

pub(super) use decoding::decoding;
pub(super) use flow_filter::{new_share, taken_for_new};
pub(super) use law::Law;
pub(super) use peeling::{decoded_share, threshold};
pub(super) use point::{Collisions, Expected, Rule, median_exceeds, of_flows};
pub(super) use quadratic::QuadraticRows;
