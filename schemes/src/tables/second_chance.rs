//! Second chance: a multilevel table whose insertions move at most one element.

use super::cam::Cam;
use super::moving_back::{MOVE_BACK, check_cam};
use super::multilevel::{
    self, BackFromList, ByLevel, Deferred, Hints, InNext, LeaveEmpty, Levels, MoveBack, Multilevel,
    MultilevelKeys, MultilevelRule, Named, NewestHints, Sizes, Target, ToElement, ToPlace, View,
    Way, predictions,
};
use super::nameless::NamelessVisitor;
use super::params::{BUCKET_SIZE, ELEMENTS, LOAD};
use super::sub_tables::{
    BUCKETS_OR_LIST, BUCKETS_PER_ELEMENT, CHOICES_OR_LIST, SUB_TABLE_BUCKETS, SUB_TABLE_FACTOR,
};
use super::timed::FIRST_ROOM;
use super::{Footprint, Geometry, KeyTableVisitor, Scheme, StaticFill, TableVisitor};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::tables::Process;
use crate::tables::laws::Laws;
use crate::tables::theory::TheoryError;
use crate::tables::theory::multilevel::{InsertionRule, Multilevel as MultilevelLimit};
use crate::tables::theory::second_chance::{self, Arrivals};

const HINTS: Param = Param {
    name: "hints",
    domain: Domain::Word(&["none", "element", "place"]),
    absent: Absent::Word("none"),
    doc: "What buckets remember of the last element that went past or was pushed out, so that a deletion may move an element there from a later sub-table: nothing; its name, and it may move from wherever it is by now; or the place where it was stored then, and whatever element is there by now may move if the emptied bucket is among its choices. Not together with `move_back`.",
};

/// The second chance scheme of "The Power of One Move", Sections 5.5 and 5.7: sub-tables T₁, …, T_d,
/// in each of which an element has one choice. Where the choices of x in `T_i` and `T_{i+1}` are both
/// full, the first element y in the former, in the order of slots, whose own choice in `T_{i+1}` is
/// not full moves there, and x takes its place (Figure 5.1).
///
/// What fills a bucket that a deletion empties is not part of it. "Hash Tables With Finite Buckets
/// Are Less Resistant to Deletions", Section VIII-A, compares two answers: M-B, which moves an
/// element back from the overflow list, and hints, which move one from a later sub-table.
#[derive(Debug, Clone)]
pub struct SecondChance {
    sizes: Sizes,
    after_deletion: AfterDeletion,
}

/// What fills a bucket that a deletion empties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AfterDeletion {
    Nothing,
    MoveBack,
    HintToElement,
    HintToPlace,
}

/// The insertion rule of [`SecondChance`], Figure 5.1.
#[derive(Debug, Clone)]
struct NextLevel;

impl Scheme for SecondChance {
    const INFO: SchemeInfo = SchemeInfo {
        name: "second-chance",
        summary: "SC, and SC2 with buckets of two: a multilevel table of d sub-tables, choice j in sub-table j. Where an element finds its choices in a sub-table and in the next one both full, the first element in the former whose own choice in the next is not full moves there, and makes room; else the search goes on from the next sub-table, and ends on the overflow list. Each look-up of a choice is an access, also of an element in the way. The first of two elements in a bucket is that in the first slot, and an arrival takes the first slot that is free. A bucket of one that a deletion empties may be filled from the overflow list (M-B) or, by a hint, from a later sub-table.",
        source: "\"The Power of One Move\", Sections 5.5 and 5.7; hints after Kirsch and Mitzenmacher, \"On the Performance of Multiple Choice Hash Tables with Moves on Deletes and Inserts\"",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS_OR_LIST,
            BUCKET_SIZE,
            CHOICES_OR_LIST,
            SUB_TABLE_FACTOR,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
            MOVE_BACK,
            HINTS,
        ],
        predictions: &[
            "static-fill: overflow, moves, occupancy and loads of sub-tables, asymptotic (fluid limits of Sections 5.5 and 5.7) and refined (with the deviation of first order in 1/n, unless an insertion has very many outcomes); accesses with buckets of one",
            "alternation and continuous, with buckets of one, without moving back and hints: the same, asymptotic (Section 5.9) and refined (unless so many elements have the same choice that there is too much to count)",
            "open, likewise: the same, asymptotic (Section 5.9) and refined; accesses where these are refined",
            "static-fill: law of the overflow list, asymptotic (saddle point, with the fluid limit's path); variances of sub-tables (fluctuation equations); Poisson and normal laws (Section 5.8), approximate",
            "the same processes, with `overflow_law`: the law of the overflow list's length, approximate (Poisson with mean n·w, Sections 5.8 and 5.10)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let sizes = Sizes::with_choices_kept(params, 2)?;
        let after_deletion = AfterDeletion::from_params(params)?;
        if sizes.geometry.bucket_size > 1 && after_deletion != AfterDeletion::Nothing {
            let reason = "moving back and hints are for buckets of 1 element";
            return Err(ParamError::new(BUCKET_SIZE.name, reason));
        }
        if after_deletion == AfterDeletion::MoveBack {
            check_cam(&sizes.geometry, sizes.choices)?;
        }
        Ok(Self { sizes, after_deletion })
    }

    fn geometry(&self) -> Geometry {
        self.sizes.geometry
    }

    fn choices(&self) -> u32 {
        self.sizes.choices
    }

    fn sub_tables(&self) -> Vec<u32> {
        self.sizes.sub_tables.sizes()
    }

    fn footprint(&self) -> Footprint {
        match self.sizes.geometry.bucket_size {
            1 if self.after_deletion == AfterDeletion::Nothing => {
                let of_levels = Levels::<1>::footprint(self.sizes.choices);
                of_levels.or(Deferred::<2>::FOOTPRINT, &self.sizes.geometry)
            }
            1 => Levels::<1>::footprint(self.sizes.choices) + self.refill_footprint(),
            _ => Levels::<2>::footprint(self.sizes.choices),
        }
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        let Geometry { elements, buckets, bucket_size } = self.sizes.geometry;
        let sizes = &self.sizes;
        match self.after_deletion {
            AfterDeletion::Nothing if bucket_size == 2 => {
                visitor.visit(Multilevel::<_, _, 2>::new(sizes, NextLevel, LeaveEmpty))
            }
            AfterDeletion::Nothing => {
                visitor.visit(Multilevel::<_, _, 1>::new(sizes, NextLevel, LeaveEmpty))
            }
            AfterDeletion::MoveBack => {
                let move_back = MoveBack::new(Cam::new(elements, sizes.choices, buckets));
                visitor.visit(Multilevel::<_, _, 1>::new(sizes, NextLevel, move_back))
            }
            AfterDeletion::HintToElement => {
                let hints = Hints::new(ToElement, buckets);
                visitor.visit(Multilevel::<_, _, 1>::new(sizes, NextLevel, hints))
            }
            AfterDeletion::HintToPlace => {
                let hints = Hints::new(ToPlace, buckets);
                visitor.visit(Multilevel::<_, _, 1>::new(sizes, NextLevel, hints))
            }
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let Geometry { buckets, bucket_size, .. } = self.sizes.geometry;
        let sizes = &self.sizes;
        Some(match self.after_deletion {
            AfterDeletion::Nothing if bucket_size == 2 => {
                visitor.visit(MultilevelKeys::<_, _, 2>::new(sizes, NextLevel, LeaveEmpty))
            }
            AfterDeletion::Nothing => {
                visitor.visit(MultilevelKeys::<_, _, 1>::new(sizes, NextLevel, LeaveEmpty))
            }
            AfterDeletion::MoveBack => {
                let move_back = MoveBack::new(Cam::new(FIRST_ROOM, sizes.choices, buckets));
                visitor.visit(MultilevelKeys::<_, _, 1>::new(sizes, NextLevel, move_back))
            }
            AfterDeletion::HintToPlace => {
                let hints = Hints::new(ToPlace, buckets);
                visitor.visit(MultilevelKeys::<_, _, 1>::new(sizes, NextLevel, hints))
            }
            AfterDeletion::HintToElement => return None,
        })
    }

    fn key_footprint(&self) -> Option<Footprint> {
        let footprint = multilevel::key_footprint(&self.sizes) + self.refill_footprint();
        (self.after_deletion != AfterDeletion::HintToElement).then_some(footprint)
    }

    fn static_fill(&self) -> Option<StaticFill> {
        let plain = self.after_deletion == AfterDeletion::Nothing;
        self.sizes.static_fill(self.rule().filter(|_| plain)?)
    }

    fn by_level(&self) -> Option<ByLevel<'_>> {
        let Sizes { geometry: Geometry { elements, bucket_size, .. }, sub_tables, .. } =
            &self.sizes;
        let plain = self.after_deletion == AfterDeletion::Nothing && *bucket_size == 1;
        plain.then(|| ByLevel::new(Way::SecondChance, *elements, sub_tables)).flatten()
    }

    fn nameless<V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        match self.sizes.choices {
            _ if self.sizes.geometry.bucket_size > 1 => None,
            2 => self.visit_nameless::<2, V>(visitor),
            3 => self.visit_nameless::<3, V>(visitor),
            4 => self.visit_nameless::<4, V>(visitor),
            5 => self.visit_nameless::<5, V>(visitor),
            _ => None,
        }
    }

    /// Rounds drew choices word by word at first, and until last where 16 bits cannot number the elements, and trials with Poisson
    /// arrivals did not go sub-table by sub-table. With other choices and for rare events the revision is another one, too: this is
    /// not asked for them apart.
    fn revision(&self, process: Process) -> u32 {
        let by_level = self.by_level();
        let by_block = by_level.is_some() || self.after_deletion != AfterDeletion::Nothing;
        match process {
            Process::StaticFill => u32::from(by_block && self.static_fill().is_none()),
            Process::Alternation | Process::Relaxation { .. } => by_block.into(),
            Process::Open => 2 * u32::from(by_level.is_some_and(|by_level| by_level.jumps())),
            _ => 0,
        }
    }

    fn outlook(&self, process: Process) -> Outlook {
        let mut outlook = Outlook::default();
        outlook.add_limit(self.limit(process));
        outlook
    }

    fn laws(&self, process: Process, laws: &Laws, predictions: &[Prediction]) -> Vec<Prediction> {
        let plain = self.after_deletion == AfterDeletion::Nothing;
        match self.rule() {
            Some(rule) if plain || process == Process::StaticFill => {
                multilevel::laws(rule, &self.sizes, process, laws, predictions)
            }
            _ => Vec::new(),
        }
    }

    fn overflow_tail(&self, process: Process, beyond: u32) -> Vec<Prediction> {
        let plain = self.after_deletion == AfterDeletion::Nothing;
        let Some(rule) = self.rule().filter(|_| plain || process == Process::StaticFill) else {
            return Vec::new();
        };
        let predictions = self.outlook(process).predictions;
        multilevel::overflow_tail(rule, &self.sizes, process, beyond, &predictions)
    }
}

impl AfterDeletion {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        match (params.word(MOVE_BACK.name)?, params.word(HINTS.name)?) {
            ("insertion", _) => {
                let reason = "no bucket that an insertion of this scheme reads has room after it; \"none\" or \"deletion\" are possible";
                Err(ParamError::new(MOVE_BACK.name, reason))
            }
            ("deletion", "element" | "place") => {
                let reason = "both `hints` and `move_back = \"deletion\"` fill the bucket that a deletion empties; choose one";
                Err(ParamError::new(HINTS.name, reason))
            }
            ("deletion", _) => Ok(Self::MoveBack),
            (_, "element") => Ok(Self::HintToElement),
            (_, "place") => Ok(Self::HintToPlace),
            _ => Ok(Self::Nothing),
        }
    }
}

impl SecondChance {
    fn visit_nameless<const D: usize, V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        let Sizes { geometry, sub_tables, .. } = &self.sizes;
        let elements = geometry.elements;
        let ranges: [u32; D] = sub_tables.sizes().try_into().ok()?;
        match self.after_deletion {
            AfterDeletion::Nothing => {
                let table = Deferred::<D>::new(elements, sub_tables, &mut NextLevel)?;
                Some(visitor.visit(table, ranges))
            }
            // In a course there may be more elements than the tables below have room for.
            _ if V::BY_NAME => None,
            AfterDeletion::MoveBack => {
                let back = BackFromList::<D>::new(geometry)?;
                let table = Named::<InNext, _, D>::new(elements, sub_tables, &mut NextLevel, back)?;
                Some(visitor.visit(table, ranges))
            }
            AfterDeletion::HintToElement => {
                let hints = NewestHints::<ToElement>::new();
                let table =
                    Named::<InNext, _, D>::new(elements, sub_tables, &mut NextLevel, hints)?;
                Some(visitor.visit(table, ranges))
            }
            AfterDeletion::HintToPlace => {
                let hints = NewestHints::<ToPlace>::new();
                let table =
                    Named::<InNext, _, D>::new(elements, sub_tables, &mut NextLevel, hints)?;
                Some(visitor.visit(table, ranges))
            }
        }
    }

    /// Memory of what fills emptied buckets.
    fn refill_footprint(&self) -> Footprint {
        match self.after_deletion {
            AfterDeletion::Nothing => Footprint { element: 0, bucket: 0 },
            AfterDeletion::MoveBack => Cam::footprint(self.sizes.choices),
            AfterDeletion::HintToElement => Hints::<ToElement>::FOOTPRINT,
            AfterDeletion::HintToPlace => Hints::<ToPlace>::FOOTPRINT,
        }
    }

    fn rule(&self) -> Option<InsertionRule> {
        InsertionRule::of_scheme(Self::INFO.name, self.sizes.geometry.bucket_size)
    }

    fn limit(&self, process: Process) -> Result<Vec<Prediction>, TheoryError> {
        let sizes = self.sizes.per_element();
        let plain = self.after_deletion == AfterDeletion::Nothing;
        match (process, self.sizes.geometry.bucket_size) {
            (Process::StaticFill, 1) => {
                let limit = second_chance::static_fill(&sizes).map(|limit| {
                    let accesses = limit.accesses;
                    (limit.into(), Some(accesses))
                });
                let rule = InsertionRule::SecondChance;
                multilevel::static_fill(rule, &self.sizes, limit, "Section 5.5")
            }
            (Process::StaticFill, _) => {
                let rule = InsertionRule::SecondChanceOfTwo;
                let limit = rule.static_fill(&sizes).map(|limit| (limit, None));
                multilevel::static_fill(rule, &self.sizes, limit, "Section 5.7")
            }
            (Process::Alternation | Process::Continuous, 1) if plain => {
                let limit = second_chance::alternation(&sizes)?;
                Ok(self.in_equilibrium(limit.accesses, &limit.into()))
            }
            (Process::Open, 1) if plain => {
                let limit = second_chance::alternation(&sizes)?;
                let accesses = limit.accesses;
                let limit = limit.into();
                multilevel::open(InsertionRule::SecondChance, &self.sizes, (&limit, accesses))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Under alternation, with buckets of one.
    fn in_equilibrium(&self, accesses: f64, limit: &MultilevelLimit) -> Vec<Prediction> {
        let (source, sizes) = ("Section 5.9", &self.sizes);
        let rule = InsertionRule::SecondChance;
        let accuracy =
            multilevel::in_equilibrium(rule, sizes, (limit, accesses), Arrivals::OneForOne);
        let of_accesses = accuracy.first_order.accesses;
        let mut found = predictions(sizes, limit, source, &accuracy);
        found.extend(multilevel::accesses(sizes, accesses, source, of_accesses));
        found
    }
}

impl<const H: usize> MultilevelRule<H> for NextLevel {
    #[inline]
    fn target(&mut self, own: &[u32], levels: &mut impl View<H>) -> (Target, u32) {
        let [first, later @ ..] = own else { return (Target::OverflowList, 0) };
        let mut bucket = *first;
        let mut reads = 1;
        for (level, &next) in (1..).zip(later) {
            if !levels.is_full(bucket) {
                return (Target::Bucket(bucket), reads);
            }
            reads += 1;
            if levels.is_full(next) {
                for slot in 0..H {
                    let Some(in_the_way) = levels.occupant(bucket, slot) else { continue };
                    let to = levels.choice(in_the_way, level);
                    reads += 1;
                    if !levels.is_full(to) {
                        return (Target::PlaceOf { pushed: in_the_way, to }, reads);
                    }
                }
            }
            bucket = next;
        }
        match levels.is_full(bucket) {
            false => (Target::Bucket(bucket), reads),
            true => (Target::OverflowList, reads),
        }
    }
}
