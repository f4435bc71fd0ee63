//! What theory says nothing about.

use crate::math::ode::IntegrationError;

/// A limit or a law that was not computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TheoryError {
    /// Its equations could not be integrated.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
    /// More components than are worth a try.
    #[error("the fluid limit was not computed: it has {states} states, and the limit is {most}")]
    TooLarge {
        /// Components.
        states: usize,
        /// How many are allowed.
        most: usize,
    },
    /// An insertion with more different outcomes than are worth a try.
    #[error(
        "the law was not computed: an insertion has more than {most} different outcomes; fewer sub-tables have less"
    )]
    TooManyOutcomes {
        /// How many are allowed.
        most: usize,
    },
    /// A sub-table that fills in a very short part of the time.
    #[error(
        "the law was not computed: a sub-table is looked at by more than {most} times as many elements as it has buckets"
    )]
    TooSmall {
        /// Visits per bucket that are allowed.
        most: f64,
    },
    /// No solution of the equations for the likeliest way to an overflow.
    #[error("the law was not computed: no likeliest way to a little more overflow was found")]
    NoPath,
    /// More work than anyone waits for.
    #[error("the law was not computed: with sub-tables so many or so small it would take minutes")]
    TooLong,
    /// An overflow list that is too seldom needed, or too irregular, for the equations to have its tail.
    #[error("the law was not computed: the tail of the overflow list is not resolved")]
    NoTail,
    /// A linear system without the solution that a stable equilibrium has.
    #[error("the fluid limit is no stable equilibrium at the precision of floating point")]
    Unstable,
}
