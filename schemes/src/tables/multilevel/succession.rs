//! Who comes into a bucket that a deletion empties, as [`Refill`](super::refill) has it, without a branch on what a hint leads to.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use super::elements::{Elements, LIST, NOBODY, Settled};
use super::hints::{ToElement, ToPlace};
use crate::tables::small_cam::SmallCam;
use crate::tables::{CamUse, Deletion, Geometry, MovesBack};

/// A way to fill emptied buckets, which is told of all elements.
pub(crate) trait Succession<const D: usize>: Clone + Send + 'static {
    /// Whether elements are moved from bucket to bucket.
    const MOVES: bool = false;
    /// Whether elements are moved back from the overflow list.
    const MOVES_BACK: bool = false;

    /// Forgets everything.
    fn clear(&mut self);

    /// An element with these choices was put somewhere.
    fn settled(&mut self, element: u16, own: &[u16; D], settled: &Settled);

    /// An element was put on the overflow list without trying the table.
    fn listed(&mut self, _element: u16) {}

    /// Deletes an element, and fills the bucket that it leaves.
    fn delete(&mut self, elements: &mut Elements<D>, element: u16) -> Deletion;

    /// The CAM as it is now, where there is one.
    #[inline(always)]
    fn cam(&self) -> CamUse {
        CamUse::default()
    }
}

/// Nobody does.
#[derive(Debug, Clone)]
pub(crate) struct Nobody;

impl<const D: usize> Succession<D> for Nobody {
    fn clear(&mut self) {}

    #[inline(always)]
    fn settled(&mut self, _element: u16, _own: &[u16; D], _settled: &Settled) {}

    #[inline(always)]
    fn delete(&mut self, elements: &mut Elements<D>, element: u16) -> Deletion {
        let place = elements.places[usize::from(element)];
        elements.occupants[usize::from(place)] = NOBODY;
        elements.overflow -= u32::from(place == LIST);
        Deletion::default()
    }
}

/// What a hint says, in 16 bits.
pub(crate) trait ShortHint: Clone + Send + 'static {
    /// The hint to an element in this place.
    fn leave(element: u16, place: u16) -> u16;

    /// The element that it leads to now.
    fn follow(occupants: &[u16; 1 << 16], hint: u16) -> u16;
}

impl ShortHint for ToElement {
    #[inline(always)]
    fn leave(element: u16, _place: u16) -> u16 {
        element
    }

    #[inline(always)]
    fn follow(_occupants: &[u16; 1 << 16], hint: u16) -> u16 {
        hint
    }
}

impl ShortHint for ToPlace {
    #[inline(always)]
    fn leave(_element: u16, place: u16) -> u16 {
        place
    }

    #[inline(always)]
    fn follow(occupants: &[u16; 1 << 16], hint: u16) -> u16 {
        occupants[usize::from(hint)]
    }
}

/// The newest hint in each bucket, as in [`Hints`](super::Hints). Where there is none, it leads to nobody, as the one of the list
/// does.
#[derive(Debug, Clone)]
pub(crate) struct NewestHints<H> {
    newest: Box<[u16; 1 << 16]>,
    hint: PhantomData<fn() -> H>,
}

impl<H: ShortHint> NewestHints<H> {
    pub(crate) fn new() -> Self {
        Self { newest: Box::new([H::leave(NOBODY, LIST); 1 << 16]), hint: PhantomData }
    }
}

impl<H: ShortHint, const D: usize> Succession<D> for NewestHints<H> {
    const MOVES: bool = true;

    fn clear(&mut self) {
        self.newest.fill(H::leave(NOBODY, LIST));
    }

    #[inline(always)]
    fn settled(&mut self, element: u16, own: &[u16; D], settled: &Settled) {
        let &Settled { level, place, pushed, to, .. } = settled;
        let left = select_unpredictable(pushed != NOBODY, place, LIST);
        self.newest[usize::from(left)] = H::leave(pushed, to);
        let hint = H::leave(element, place);
        for (before, &bucket) in own[..D - 1].iter().enumerate() {
            let passed = before < usize::from(level);
            self.newest[usize::from(select_unpredictable(passed, bucket, LIST))] = hint;
        }
        self.newest[usize::from(LIST)] = H::leave(NOBODY, LIST);
    }

    #[inline(always)]
    fn delete(&mut self, elements: &mut Elements<D>, element: u16) -> Deletion {
        let Elements { choices, places, occupants, overflow, .. } = elements;
        let (choices, places, occupants) = (&**choices, &mut **places, &mut **occupants);
        let place = places[usize::from(element)];
        *overflow -= u32::from(place == LIST);
        let next = H::follow(occupants, self.newest[usize::from(place)]);
        let from = places[usize::from(next)];
        // Since the hint was left, it may have come to lead to an element with other choices.
        let its_choices = &choices[usize::from(next)];
        let may = its_choices.iter().fold(false, |may, &choice| may | (choice == place));
        let moves = may & (from > place) & (next != NOBODY);
        occupants[usize::from(place)] = next;
        places[usize::from(select_unpredictable(moves, next, element))] = place;
        occupants[usize::from(select_unpredictable(moves, from, place))] = NOBODY;
        Deletion { moves: moves.into(), ..Deletion::default() }
    }
}

/// An element of the overflow list does, where these are few: M-B.
#[derive(Debug, Clone)]
pub(crate) struct BackFromList<const D: usize> {
    cam: SmallCam<D>,
}

impl<const D: usize> BackFromList<D> {
    /// `None` where there are too many elements or buckets.
    pub(crate) fn new(geometry: &Geometry) -> Option<Self> {
        // Places are numbered from 1 on.
        let of_places = Geometry { buckets: geometry.buckets + 1, ..*geometry };
        SmallCam::<D>::fits(geometry).then(|| Self { cam: SmallCam::new(&of_places) })
    }

    /// Looks the place up, and takes the element found off the list.
    #[inline(always)]
    fn take(&mut self, place: u16) -> Option<u16> {
        if self.cam.in_use().entries == 0 {
            return None;
        }
        self.cam.take(place.into()).map(|element| element as u16)
    }
}

impl<const D: usize> Succession<D> for BackFromList<D> {
    const MOVES_BACK: bool = true;

    fn clear(&mut self) {
        self.cam.clear();
    }

    #[inline(always)]
    fn settled(&mut self, element: u16, own: &[u16; D], settled: &Settled) {
        if !settled.stored {
            self.cam.insert(element.into(), own.map(u32::from));
        }
    }

    fn listed(&mut self, element: u16) {
        self.cam.insert_without_buckets(element.into());
    }

    #[inline(always)]
    fn delete(&mut self, elements: &mut Elements<D>, element: u16) -> Deletion {
        let Elements { places, occupants, overflow, .. } = elements;
        let place = places[usize::from(element)];
        if place == LIST {
            self.cam.free_entry(self.cam.entry_of(element.into()));
            *overflow -= 1;
            return Deletion::default();
        }
        let back = self.take(place);
        let next = back.unwrap_or(NOBODY);
        occupants[usize::from(place)] = next;
        if back.is_some() {
            places[usize::from(next)] = place;
            *overflow -= 1;
        }
        let back = MovesBack { lookups: 1, moves: back.is_some().into() };
        Deletion { back, ..Deletion::default() }
    }

    #[inline(always)]
    fn cam(&self) -> CamUse {
        self.cam.in_use()
    }
}
