//! Why a real hash function on a real trace overflows by more than the model says: the gap between
//! the two, split into its causes. It is for the family of tables alone: the gap is one of overflow.
//!
//! The causes are switched off one after the other, so that what each leaves behind adds up to the
//! gap:
//!
//! 1. the packets of the trace, as captured;
//! 2. the same packets in a random order;
//! 3. each key once, in a random order;
//! 4. the same number of elements with fully random choices;
//! 5. the model's limit for many buckets.
//!
//! What is lost from one step to the next is owed to the order of arrivals, to repeated keys (as
//! far as they meet in a random order), to the hash function, and to the finite size of the table.

mod definition;
mod split;

pub use definition::Question;
pub use split::{Cause, Part, Split, Step};
