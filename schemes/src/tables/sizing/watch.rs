//! Someone who looks on while the best sizes are searched.

/// Told how far a search has come, and asked whether it is to go on.
pub trait Watch: Sync {
    /// Whether the search may go on; asked before each limit that is computed.
    fn goes_on(&self) -> bool;

    /// A random start has been followed to its end.
    fn start_ended(&self);
}

/// Nobody: the search goes on to its end.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn goes_on(&self) -> bool {
        true
    }

    fn start_ended(&self) {}
}
