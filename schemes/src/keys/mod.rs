//! The keys of arriving elements: drawn, counted, or those of a trace.

mod choices;
mod key_set;
mod made;
mod packets;
mod residents;
mod seeds;
mod source;
mod stream;
mod trace;
mod visit;

pub use choices::{ChoiceStream, choice_stream};
pub use key_set::KeySet;
pub use made::{Keyless, MADE_KEY_BYTES, Made};
pub use packets::Packets;
pub use seeds::Seeds;
pub(crate) use seeds::seed_of_pass;
pub use source::{KEY_PARAMS, KeySource, LONGEST_TRACE_KEY, longest};
pub use trace::{Attributes, Places, TraceKeys};
pub use visit::{Keyed, visit};

pub(crate) use stream::{Stream, Streamed};

/// The arriving elements of one trial after the other.
pub trait Arrivals {
    /// Whether elements have keys, or are as good as any other.
    const HAVE_KEYS: bool = true;

    /// Starts a trial; `seed` decides what is drawn.
    fn begin(&mut self, seed: u64);

    /// Keys that are drawn from here on follow from another seed; counted ones go on, as those of a trace do.
    fn branch(&mut self, _seed: u64) {}

    /// How many arrive before the next pass over the keys has to begin.
    fn left(&self) -> u64;

    /// Begins the next pass; whether that is one under new hash functions.
    fn next_pass(&mut self) -> bool;

    /// The key that arrives as this element, and whether another stored element has it.
    fn arrive(&mut self, element: u32) -> (&[u8], bool);

    /// As `arrive`, of the next packet in the pass whose key no stored element has; `None` where none is left.
    fn newcomer(&mut self, element: u32) -> Option<&[u8]> {
        Some(self.arrive(element).0)
    }

    /// The element departs.
    fn depart(&mut self, element: u32);

    /// Reads what the departure of an element will read. What it returns means nothing.
    #[inline(always)]
    fn read_ahead(&self, _element: u32) -> u32 {
        0
    }

    /// Makes room for the elements `0..elements`.
    fn reserve(&mut self, _elements: u32) {}

    /// A key that no stored element has, for questions about what is absent: another one at each call;
    /// `None` where there is none left.
    fn stranger(&mut self) -> Option<&[u8]>;

    /// Hands out the strangers of a trace again, from the first on.
    fn strangers_again(&mut self) {}
}
