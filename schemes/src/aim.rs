//! What a structure is to be best at, where its family can compute that.

/// The least of one quantity while another is held: the structure is the best of its kind at that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim<'a> {
    /// What is to be least, such as `space`.
    pub least: &'a str,
    /// What is held, such as `overflow_fraction`.
    pub of: &'a str,
    /// The most that it may be.
    pub at_most: f64,
    /// Whether the sizes that could be chosen are all equal, instead of best.
    pub equal: bool,
}

/// The quantities of the best structure by name, in the order of a report: limits for many elements.
pub type Optimum = Vec<(String, f64)>;

/// Why there is no best structure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoOptimum(pub String);
