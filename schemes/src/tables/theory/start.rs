//! What a relaxation begins with.

/// What alternation begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// All elements are on the overflow list.
    OverflowList,
    /// All elements have been inserted into an empty table by the same rule.
    Filled,
}
