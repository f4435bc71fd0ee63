//! What theory says of balancing: the least cost, which schemes reach it, and how loads come about.
//!
//! Source: "Access-Efficient Balanced Bloom Filters" as the errata correct it. A bucket that is read X times
//! holds a load that X alone decides, whatever the scheme: schemes differ in how often their buckets are read.

pub mod bound;
pub mod forecast;
pub(crate) mod no_list;
mod number;
pub mod one_choice;
pub mod optimum;
mod part;
pub(crate) mod scatter;
