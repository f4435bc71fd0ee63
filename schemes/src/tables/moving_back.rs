//! M-B: elements are moved back from the overflow list into buckets that have room again.

use super::buckets::Buckets;
use super::by_load::ByLoad;
use super::cam::Cam;
use super::counting::Counting;
use super::params::CHOICES;
use super::rule::{Reads, Rule};
use super::small_cam::{self, SmallCam};
use super::{
    CamUse, Deletion, Footprint, Geometry, Insertion, MovesBack, Scheme, SubTableUse, Table,
    TableVisitor,
};
use crate::Rng;
use crate::hash::Choices;
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// `move_back`.
pub(crate) const MOVE_BACK: Param = Param {
    name: "move_back",
    domain: Domain::Word(&["none", "deletion", "insertion"]),
    absent: Absent::Word("none"),
    doc: "When an element of the overflow list moves into a bucket that has room (M-B): never; upon a deletion from a full bucket, into that bucket; or upon an insertion, one into each bucket that it read and that still has room. It is the first in the CAM that has the bucket among its choices, where each takes the lowest free entry when it comes; elements that went to the overflow list without an access, as all of `start = \"overflow-list\"` did, never move.",
};

/// What lets elements move back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upon {
    /// A deletion from a full bucket: one look-up of that bucket.
    Deletion,
    /// An insertion. "Hash Tables With Finite Buckets Are Less Resistant to Deletions" mentions the
    /// variant in a footnote and omits its details. Taken here: once the arriving element is placed,
    /// each bucket that its insertion read and that still has room is looked up once, in the order
    /// read.
    Insertion,
}

impl Upon {
    /// Reads [`MOVE_BACK`] for such a table with this number of choices; `None` is never.
    ///
    /// # Errors
    /// Where the CAM is too large.
    pub(crate) fn from_params(
        params: &Params,
        geometry: &Geometry,
        choices: u32,
    ) -> Result<Option<Self>, ParamError> {
        let upon = match params.word(MOVE_BACK.name)? {
            "deletion" => Self::Deletion,
            "insertion" => Self::Insertion,
            _ => return Ok(None),
        };
        check_cam(geometry, choices)?;
        Ok(Some(upon))
    }
}

/// Refuses a table whose CAM could not be numbered.
pub(crate) fn check_cam(geometry: &Geometry, choices: u32) -> Result<(), ParamError> {
    let &Geometry { elements, buckets, .. } = geometry;
    if Cam::fits(elements, choices, buckets) {
        return Ok(());
    }
    let reason = format!(
        "{elements} elements with {choices} choices are too many for an auxiliary CAM: at most {} together with the buckets",
        u32::MAX
    );
    Err(ParamError::new(CHOICES.name, reason))
}

/// Memory of such a table whose elements have `choices` buckets, with or without moving back.
pub(crate) fn footprint(move_back: Option<Upon>, geometry: &Geometry, choices: u32) -> Footprint {
    let linked = Buckets::FOOTPRINT + Cam::footprint(choices);
    match move_back {
        None => Buckets::FOOTPRINT,
        Some(_) if SmallCam::<1>::fits(geometry) => {
            linked.or(Buckets::FOOTPRINT + small_cam::footprint(geometry, choices), geometry)
        }
        Some(_) => linked,
    }
}

/// What trials in lockstep use, with moving back or without; `without` is the same scheme in which no element moves back. `None`
/// where there is nothing like that.
pub(super) fn by_load<S: Scheme>(
    by_load: ByLoad,
    move_back: Option<Upon>,
    without: impl FnOnce() -> S,
) -> Option<ByLoad> {
    let overflow = || {
        let scheme = without();
        scheme.overflow_at(scheme.geometry().elements)
    };
    match move_back {
        None => Some(by_load),
        Some(Upon::Deletion) => by_load.moving_back(overflow),
        Some(Upon::Insertion) => None,
    }
}

/// Calls the visitor with the table of the rule, with or without moving back.
pub(crate) fn visit<R: Rule, V: TableVisitor>(
    (geometry, choices): (&Geometry, u32),
    departures: bool,
    move_back: Option<Upon>,
    rule: R,
    visitor: V,
) -> V::Output {
    let buckets = Buckets::new(geometry, departures);
    match move_back {
        None => visitor.visit(Counting::new(buckets, rule)),
        Some(upon) => {
            let &Geometry { elements, buckets: m, .. } = geometry;
            let cam = Cam::new(elements, choices, m);
            let read = ReadBuckets(Vec::with_capacity(choices as usize));
            visitor.visit(MovingBack { buckets, rule, cam, upon, read })
        }
    }
}

/// Counters filled by the rule `R`, and the CAM of the overflow list ("Hash Tables With Finite
/// Buckets Are Less Resistant to Deletions", Section VII).
///
/// An element on the list is on that of the counters and in the CAM, with the buckets that its
/// insertion read.
#[derive(Debug, Clone)]
struct MovingBack<R> {
    buckets: Buckets,
    rule: R,
    cam: Cam,
    upon: Upon,
    /// The buckets that the last insertion read.
    read: ReadBuckets,
}

/// The buckets that an insertion read, at most d, in order.
#[derive(Debug, Clone)]
pub(crate) struct ReadBuckets(pub(crate) Vec<u32>);

impl Reads for ReadBuckets {
    #[inline]
    fn read(&mut self, bucket: u32) {
        self.0.push(bucket);
    }
}

impl<R: Rule> MovingBack<R> {
    /// Looks up the bucket, which has room, and moves the element found into it.
    #[inline]
    fn look_up(&mut self, bucket: u32) -> MovesBack {
        let found = self.cam.take(bucket);
        if let Some(element) = found {
            self.buckets.move_back(element, bucket);
        }
        MovesBack { lookups: 1, moves: found.is_some().into() }
    }

    /// Looks up each of the buckets read that has room, once.
    #[inline]
    fn look_up_read(&mut self) -> MovesBack {
        let mut back = MovesBack::default();
        for i in 0..self.read.0.len() {
            let bucket = self.read.0[i];
            if !self.buckets.is_full(bucket) && !self.read.0[..i].contains(&bucket) {
                let MovesBack { lookups, moves } = self.look_up(bucket);
                back.lookups += lookups;
                back.moves += moves;
            }
        }
        back
    }
}

impl<R: Rule> Table for MovingBack<R> {
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
        self.rule.is_certain()
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        self.read.0.clear();
        let Self { buckets, rule, read, .. } = self;
        let insertion = rule.insert::<CERTAIN>(buckets, element, choices, rng, read);
        if !insertion.stored {
            self.cam.insert(element, &self.read.0);
        }
        match self.upon {
            Upon::Deletion => insertion,
            Upon::Insertion => Insertion { back: self.look_up_read(), ..insertion },
        }
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.buckets.overflow_with(element);
        self.cam.insert(element, &[]);
    }

    #[inline(always)]
    fn read_ahead(&self, element: u32) -> u32 {
        self.buckets.load(self.buckets.place_of(element)).into()
    }

    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        let Some(bucket) = self.buckets.bucket_of(element) else {
            self.cam.remove(element);
            self.buckets.remove(element);
            return Deletion::default();
        };
        let was_full = self.buckets.is_full(bucket);
        self.buckets.remove(element);
        match self.upon {
            Upon::Deletion if was_full => {
                Deletion { back: self.look_up(bucket), ..Deletion::default() }
            }
            Upon::Deletion | Upon::Insertion => Deletion::default(),
        }
    }

    fn overflow(&self) -> u32 {
        self.buckets.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.buckets.occupancy()
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.rule.sub_tables().map_or_else(Vec::new, |tables| self.buckets.sub_tables(tables))
    }

    #[inline]
    fn cam(&self) -> CamUse {
        self.cam.in_use()
    }
}
