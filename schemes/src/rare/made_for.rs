//! What the choices of a trial are made of that can be taken up again with fresh chance.

use super::NotRare;
use crate::hash::{HashKind, HashSpec};
use crate::keys::Made;

/// A hash function and keys that are made for it.
#[derive(Debug, Clone)]
pub struct MadeFor {
    /// The hash function.
    pub hash: HashSpec,
    /// The keys.
    pub keys: Made,
}

impl MadeFor {
    /// Of these keys; where choices are drawn it does not matter which.
    ///
    /// # Errors
    /// Where choices follow from the keys of a trace, which come as they are.
    pub fn new(hash: HashSpec, keys: Option<&Made>) -> Result<Self, NotRare> {
        match (hash.hash(), keys) {
            (HashKind::Random, _) => Ok(Self { hash, keys: Made::new(false) }),
            (_, Some(keys)) => Ok(Self { hash, keys: keys.clone() }),
            (_, None) => Err(NotRare::trace()),
        }
    }

    /// Whether each choice is a draw of its own.
    pub fn draws_choices(&self) -> bool {
        self.hash.hash() == HashKind::Random && !self.hash.is_progression()
    }
}
