//! M-B upon a deletion, of few elements that all try the table: without a branch on what is found.

use std::hint::select_unpredictable;

use super::buckets::Buckets;
use super::nameless::{Nameless, NamelessVisitor};
use super::rule::{Reads, Rule};
use super::small_cam::{Found, SmallCam};
use super::{CamUse, Deletion, Geometry, Insertion, MovesBack, SubTableUse, Table};
use crate::Rng;
use crate::hash::Choices;

/// Calls the visitor with an empty table that the rule fills, which has one choice below each of the first D `ranges`, and
/// that moves elements back; `None` where it is too large or may become so, as in a course, or where not every element
/// tries it.
pub(super) fn visit<const D: usize, const R: usize, U: Rule, V: NamelessVisitor>(
    geometry: &Geometry,
    ranges: [u32; R],
    rule: U,
    visitor: V,
) -> Option<V::Output> {
    let pays = !V::BY_NAME && rule.is_certain() && SmallCam::<D>::fits(geometry);
    pays.then(|| {
        let (buckets, cam) = (Buckets::new(geometry, true), SmallCam::<D>::new(geometry));
        visitor.visit(MovingBackAtOnce { buckets, rule, cam }, ranges)
    })
}

/// As the table of [`moving_back`](super::moving_back), upon a deletion: counters filled by the rule `R`, and the CAM of the
/// overflow list.
#[derive(Debug, Clone)]
struct MovingBackAtOnce<R, const D: usize> {
    buckets: Buckets,
    rule: R,
    cam: SmallCam<D>,
}

/// The D buckets that an insertion read.
struct AllRead<const D: usize> {
    buckets: [u32; D],
    number: usize,
}

impl<const D: usize> Reads for AllRead<D> {
    #[inline(always)]
    fn read(&mut self, bucket: u32) {
        self.buckets[self.number] = bucket;
        self.number += 1;
    }
}

impl<R: Rule, const D: usize> Table for MovingBackAtOnce<R, D> {
    const MOVES_BACK: bool = true;

    fn reserve(&mut self, elements: u32) {
        self.buckets.reserve(elements);
        self.cam.reserve(elements);
    }

    fn clear(&mut self) {
        self.buckets.clear();
        self.cam.clear();
    }

    fn is_certain(&self) -> bool {
        true
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        let mut read = AllRead { buckets: [0; D], number: 0 };
        let Self { buckets, rule, cam } = self;
        let insertion = rule.insert::<CERTAIN>(buckets, element, choices, rng, &mut read);
        cam.insert_if(!insertion.stored, element, read.buckets);
        insertion
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.buckets.overflow_with(element);
        self.cam.insert_without_buckets(element);
    }

    #[inline(always)]
    fn delete(&mut self, element: u32) -> Deletion {
        let place = self.buckets.place_of(element);
        let listed = place == self.buckets.overflow_list();
        let looked_up = self.buckets.is_full(place) & !listed;
        let Found { entry, any } = self.cam.find(place);
        let entry = select_unpredictable(listed, self.cam.entry_of(element), entry);
        let waiting = self.cam.remove_if(listed | any, entry);
        self.buckets.exchange(element, any, waiting);
        let back = MovesBack { lookups: looked_up.into(), moves: any.into() };
        Deletion { back, ..Deletion::default() }
    }

    #[inline(always)]
    fn overflow(&self) -> u32 {
        self.buckets.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.buckets.occupancy()
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.rule.sub_tables().map_or_else(Vec::new, |tables| self.buckets.sub_tables(tables))
    }

    #[inline(always)]
    fn cam(&self) -> CamUse {
        self.cam.in_use()
    }
}

impl<R: Rule, const D: usize> Nameless for MovingBackAtOnce<R, D> {
    fn has_names(&self) -> bool {
        true
    }
}
