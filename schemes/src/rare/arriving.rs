//! Elements that arrive in a trial that can be taken up again.

use super::{Branch, MadeFor};
use crate::hash::{Choices, RandomSource, Source, SourceVisitor};
use crate::keys::{Made, Seeds, Stream, Streamed};

/// What is done with an element.
pub(crate) trait Insert {
    /// What comes of it.
    type Outcome: Default;

    /// Does it with the choices of the element.
    fn insert(self, choices: impl Choices) -> Self::Outcome;
}

/// Arriving elements with their choices: drawn ones, or those of keys, which are behind a pointer so that a trial is
/// compiled once for all hash functions.
pub(crate) enum Arriving {
    Drawn(RandomSource),
    Hashed(Box<dyn Stream<false> + Send>),
}

impl Arriving {
    /// Before the first trial.
    pub(crate) fn new(of: &MadeFor) -> Self {
        match of.draws_choices() {
            true => Self::Drawn(RandomSource::new(&of.hash, 0)),
            false => Self::Hashed(of.hash.visit(Boxed(of))),
        }
    }

    /// Follows from this branch on, whose seeds these are: from the first one of a trial on also the hash function, which
    /// then stays where it looks at keys.
    pub(crate) fn follow(&mut self, of: &MadeFor, branch: &Branch, seeds: &Seeds) {
        match self {
            Self::Drawn(source) => *source = RandomSource::new(&of.hash, seeds.hash),
            Self::Hashed(stream) if branch.step == 0 => stream.begin(seeds),
            Self::Hashed(stream) => stream.branch(seeds),
        }
    }

    /// The next one arrives, as this element.
    #[inline(always)]
    pub(crate) fn arrive<I: Insert>(&mut self, element: u32, insert: I) -> I::Outcome {
        match self {
            Self::Drawn(source) => insert.insert(source.element(&[])),
            Self::Hashed(stream) => {
                let (mut insert, mut outcome) = (Some(insert), None);
                stream.arrive(element, &mut |choices| {
                    outcome = insert.take().map(|insert| insert.insert(choices));
                });
                outcome.unwrap_or_default()
            }
        }
    }
}

/// The stream of a hash function.
pub(crate) struct Boxed<'m>(pub(crate) &'m MadeFor);

impl SourceVisitor for Boxed<'_> {
    type Output = Box<dyn Stream<false> + Send>;

    fn visit<S: Source>(self) -> Self::Output {
        Box::new(Streamed::<S, Made>::new(self.0.hash, self.0.keys.clone()))
    }
}
