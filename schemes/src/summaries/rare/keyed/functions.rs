//! The hash functions of a summary.

use std::ops::Range;

use crate::hash::{Choices as _, HashSpec, Source, SourceVisitor};

/// One of them, behind a pointer, so that a trial is compiled once for all hash functions.
pub(super) trait Function: Send {
    /// Becomes the function of this seed.
    fn follow(&mut self, seed: u64);

    /// Shows these of the choices of a key, each among so many places.
    fn choose(&mut self, key: &[u8], choices: Range<u32>, places: u32, see: &mut dyn FnMut(u32));
}

/// The function of this specification.
pub(super) fn of(spec: &HashSpec) -> Box<dyn Function> {
    spec.visit(Boxed(*spec))
}

struct Boxed(HashSpec);

impl SourceVisitor for Boxed {
    type Output = Box<dyn Function>;

    fn visit<S: Source>(self) -> Self::Output {
        Box::new(Hashed { spec: self.0, source: S::new(&self.0, 0) })
    }
}

struct Hashed<S> {
    spec: HashSpec,
    source: S,
}

impl<S: Source> Function for Hashed<S> {
    fn follow(&mut self, seed: u64) {
        self.source = S::new(&self.spec, seed);
    }

    fn choose(&mut self, key: &[u8], choices: Range<u32>, places: u32, see: &mut dyn FnMut(u32)) {
        let mut own = self.source.element(key);
        own.pass_over(choices.start as usize);
        choices.for_each(|_| see(own.next(places)));
    }
}
