//! What fills a bucket that a deletion empties.

use super::shelf::Shelf;
use crate::tables::cam::Cam;
use crate::tables::{CamUse, Deletion, MovesBack};

/// Finds an element for a bucket that a deletion empties, from what it is told of all others.
pub(crate) trait Refill<const H: usize = 1>: Clone + Send + 'static {
    /// Whether elements are moved from bucket to bucket.
    const MOVES: bool = false;
    /// Whether elements are moved back from the overflow list.
    const MOVES_BACK: bool = false;

    /// Makes room for the elements `0..elements`.
    fn reserve(&mut self, _elements: u32) {}

    /// Forgets everything.
    fn clear(&mut self) {}

    /// An arriving element with these buckets was put into the slot `place`.
    #[inline]
    fn stored(&mut self, _buckets: &[u32], _element: u32, _place: u32) {}

    /// An element was pushed out of one slot into another.
    #[inline]
    fn pushed(&mut self, _element: u32, _from: u32, _to: u32) {}

    /// An element with these buckets was put on the overflow list; without any if it did not try
    /// the table.
    #[inline]
    fn listed(&mut self, _element: u32, _buckets: &[u32]) {}

    /// An element was deleted from the overflow list.
    #[inline]
    fn unlisted(&mut self, _element: u32) {}

    /// The slot was emptied by a deletion: moves an element there, or none.
    fn refill(&mut self, levels: &mut impl Shelf<H>, slot: u32) -> Deletion;

    /// The CAM as it is now, where there is one.
    #[inline]
    fn cam(&self) -> CamUse {
        CamUse::default()
    }

    /// Bytes of memory.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Nothing does.
#[derive(Debug, Clone)]
pub(crate) struct LeaveEmpty;

impl<const H: usize> Refill<H> for LeaveEmpty {
    #[inline]
    fn refill(&mut self, _levels: &mut impl Shelf<H>, _slot: u32) -> Deletion {
        Deletion::default()
    }
}

/// An element of the overflow list does: M-B of "Hash Tables With Finite Buckets Are Less
/// Resistant to Deletions", Section VII.
#[derive(Debug, Clone)]
pub(crate) struct MoveBack {
    cam: Cam,
}

impl MoveBack {
    pub(crate) fn new(cam: Cam) -> Self {
        Self { cam }
    }
}

impl Refill for MoveBack {
    const MOVES_BACK: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.cam.reserve(elements);
    }

    fn clear(&mut self) {
        self.cam.clear();
    }

    #[inline]
    fn listed(&mut self, element: u32, buckets: &[u32]) {
        self.cam.insert(element, buckets);
    }

    #[inline]
    fn unlisted(&mut self, element: u32) {
        self.cam.remove(element);
    }

    #[inline]
    fn refill(&mut self, levels: &mut impl Shelf, bucket: u32) -> Deletion {
        let found = self.cam.take(bucket);
        if let Some(element) = found {
            levels.move_back(element, bucket);
        }
        let back = MovesBack { lookups: 1, moves: u32::from(found.is_some()) };
        Deletion { back, ..Deletion::default() }
    }

    #[inline]
    fn cam(&self) -> CamUse {
        self.cam.in_use()
    }

    fn bytes(&self) -> u64 {
        self.cam.bytes()
    }
}
