//! Why a real hash function on a real trace overflows by more than the model says: the difference between
//! the two, split into its causes. It is for the family of tables alone: the difference is one of overflow.
//!
//! Three causes can be switched off, each by itself: that keys repeat (each key arrives once), the order of
//! the packets (they arrive in a random one), and the hash function (an ideal one stands in for it). The
//! table is run in all eight settings. What a cause adds is averaged over the orders in which the causes
//! can be switched off, so that the parts add up; what it adds with all others, and with none of them, is
//! shown beside it. What is left with all three switched off, less the model's limit for many buckets, is
//! owed to the finite size of the table.

mod answer;
mod cause;
mod contrast;
mod estimate;
mod explanation;
mod json;
mod numerals;
mod prose;
mod question;
mod split;
mod text;
mod traffic;
mod warning;

pub use answer::Answer;
pub use cause::{Cause, Setting};
pub use estimate::Estimate;
pub use question::Question;
pub use split::{Measured, Model, NotMeasured, Part, SizePart, Split};
pub use traffic::Traffic;
pub use warning::Warning;
