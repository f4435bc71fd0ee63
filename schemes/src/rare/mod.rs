//! Probabilities of rare events: the seam between a family, whose trials can be taken up again with fresh
//! chance, and what estimates with them.
//!
//! A family gives [`Rare`] trials of an [`Event`]. [`splitting`] makes an unbiased estimate of its probability
//! of many of them, and [`case`] makes a point of that which is planned, run and reported as any other.

mod arriving;
pub mod case;
pub mod event;
mod generators;
mod kept;
mod made_for;
pub mod metrics;
pub mod params;
mod peak;
pub mod score;
pub mod splitting;

pub use event::{Event, NotRare};
pub use made_for::MadeFor;
pub use peak::Peak;

pub(crate) use arriving::{Arriving, Boxed, Insert};
pub(crate) use generators::Generators;
pub(crate) use kept::{Before, ByKey, Kept};

/// From this step on, chance follows from this seed. The first branch of a history is at step 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    /// The first step that follows from the seed.
    pub step: u64,
    /// The seed of all chance of the trial, until the next branch.
    pub seed: u64,
}

/// After this step the score was higher than at any time before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rise {
    /// The step.
    pub step: u64,
    /// The score after it.
    pub score: f64,
}

/// A trial that can be taken up again after any of its steps, with fresh chance.
///
/// What happens up to a step depends on nothing but the branches up to it: histories that share these share
/// their rises up to there. What is estimated is unbiased whatever the score is; how well it is depends on
/// how close the score is to an increasing function of the event's probability from there.
pub trait Rare: Send {
    /// Runs the trial of this history; pushes a `Rise` each time the score rises above all before; returns the
    /// probability of the event given everything that the steps decided (0 or 1 where they decide it).
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64;

    /// The score from which on splitting is of no more use (the event is certain, or all that can be scored is).
    fn target(&self) -> f64;
}

/// Trials that tell how much was counted, of which the event is that there is more than so much.
pub trait Counted: Rare {
    /// The greatest count that is not yet the event.
    fn beyond(&self) -> u64;

    /// What the last trial counted, where the event counts; all that is beyond it may be one number.
    fn count(&self) -> u64;
}
