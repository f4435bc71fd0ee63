//! Second chance: a multilevel table whose insertions move at most one element.

use super::cam::Cam;
use super::geometry::{BUCKET_SIZE, BUCKETS, CHOICES, ELEMENTS, LOAD};
use super::moving_back::{MOVE_BACK, check_cam};
use super::multilevel::{
    Hints, LeaveEmpty, Levels, MoveBack, Multilevel, Rule, Sizes, Target, ToElement, ToPlace,
};
use super::outlook;
use super::sub_tables::SUB_TABLE_FACTOR;
use super::{Footprint, Geometry, Scheme, SchemeInfo, TableVisitor};
use crate::metric::Metric;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction, Process};
use crate::theory::allowance::Allowance;
use crate::theory::{FluidLimit, ode, second_chance};

const HINTS: Param = Param {
    name: "hints",
    domain: Domain::Word(&["none", "element", "place"]),
    absent: Absent::Word("none"),
    doc: "What buckets remember of the last element that went past or was pushed out, so that a deletion may move an element there from a later sub-table: nothing; its name, and it may move from wherever it is by now; or the place where it was stored then, and whatever element is there by now may move if the emptied bucket is among its choices. Not together with `move_back`.",
};

/// The second chance scheme of "The Power of One Move", Section 5.5: sub-tables T₁, …, T_d of
/// single slots, in each of which an element has one choice. Where the choices of x in `T_i` and
/// `T_{i+1}` are both taken, the element y in the way in `T_i` is moved to its own choice in
/// `T_{i+1}` if that is empty, and x takes its place (Figure 5.1).
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
        summary: "A multilevel table: d sub-tables of buckets of one, choice j in sub-table j. Where an element finds its choices in a sub-table and in the next one both full, the element in the first is moved to its own choice in the next if that is empty, and makes room; else the search goes on from the next sub-table, and ends on the overflow list. A bucket that a deletion empties may be filled from the overflow list (M-B) or, by a hint, from a later sub-table.",
        source: "\"The Power of One Move\", Section 5.5; hints after Kirsch and Mitzenmacher, \"On the Performance of Multiple Choice Hash Tables with Moves on Deletes and Inserts\"",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS,
            BUCKET_SIZE,
            CHOICES,
            SUB_TABLE_FACTOR,
            MOVE_BACK,
            HINTS,
        ],
        predictions: &[
            "alternation and continuous, without moving back and hints, and static-fill: overflow, accesses, moves, occupancy and loads of sub-tables, asymptotic (fluid limits of Sections 5.9 and 5.5; alternation: up to some ten sub-tables); the distance of a finite table from them is measured, not derived",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let sizes = Sizes::from_params(params)?;
        let after_deletion = AfterDeletion::from_params(params)?;
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

    fn footprint(&self) -> Footprint {
        let refill = match self.after_deletion {
            AfterDeletion::Nothing => Footprint { element: 0, bucket: 0 },
            AfterDeletion::MoveBack => Cam::footprint(self.sizes.choices),
            AfterDeletion::HintToElement => Hints::<ToElement>::FOOTPRINT,
            AfterDeletion::HintToPlace => Hints::<ToPlace>::FOOTPRINT,
        };
        Levels::footprint(self.sizes.choices) + refill
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        let Geometry { elements, buckets, .. } = self.sizes.geometry;
        let levels = self.sizes.levels();
        match self.after_deletion {
            AfterDeletion::Nothing => visitor.visit(Multilevel::new(levels, NextLevel, LeaveEmpty)),
            AfterDeletion::MoveBack => {
                let move_back = MoveBack::new(Cam::new(elements, self.sizes.choices, buckets));
                visitor.visit(Multilevel::new(levels, NextLevel, move_back))
            }
            AfterDeletion::HintToElement => {
                visitor.visit(Multilevel::new(levels, NextLevel, Hints::new(ToElement, buckets)))
            }
            AfterDeletion::HintToPlace => {
                visitor.visit(Multilevel::new(levels, NextLevel, Hints::new(ToPlace, buckets)))
            }
        }
    }

    fn outlook(&self, process: Process) -> Outlook {
        let mut outlook = Outlook::default();
        outlook.add_limit(self.limit(process));
        outlook
    }

    fn is_bounded(&self, _process: Process) -> bool {
        false
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
    fn limit(&self, process: Process) -> Result<Vec<Prediction>, ode::Error> {
        let sizes: Vec<f64> =
            self.sizes.sub_tables.iter().map(|s| self.per_element(s.buckets)).collect();
        let plain = self.after_deletion == AfterDeletion::Nothing;
        Ok(match process {
            Process::StaticFill => {
                self.predictions(&second_chance::static_fill(&sizes)?, "Section 5.5")
            }
            Process::Alternation | Process::Continuous if plain => {
                self.predictions(&second_chance::alternation(&sizes)?, "Section 5.9")
            }
            _ => Vec::new(),
        })
    }

    fn per_element(&self, buckets: u32) -> f64 {
        f64::from(buckets) / f64::from(self.sizes.geometry.elements)
    }

    fn predictions(
        &self,
        limit: &second_chance::SecondChance,
        source: &'static str,
    ) -> Vec<Prediction> {
        let taken = (1.0 - limit.overflow) / self.per_element(self.sizes.geometry.buckets);
        let occupancy = vec![1.0 - taken, taken];
        let table = FluidLimit { overflow: limit.overflow, accesses: limit.accesses, occupancy };
        let mut predictions =
            outlook::fluid(&table, &self.sizes.geometry, source, &self.allowance());
        predictions.extend(self.by_level(limit, source));
        predictions
    }

    /// How far a finite table may be from the fluid limit. This is not derived, only measured: 1 is
    /// put for the greatest deviation in simulations of eleven tables with 64 to 4,096 buckets, 2 to
    /// 16 choices, factors 1/2 to 10 and loads 0.2 to 3, in units that do not depend on the size:
    ///
    /// - overflow and occupancy: 0.9 of `1/m`;
    /// - accesses: 0.97 of `1/m_2 + … + 1/m_d` with `m_i` buckets in sub-table i, most of it because
    ///   two choices that are the same bucket are read once;
    /// - moves: 0.7 of `(d − 1)/m`;
    /// - the load of a sub-table: 0.7 of `1/m_i`.
    ///
    /// Where overflow is rarer than one element in m, that of the overflow says nothing.
    fn allowance(&self) -> Allowance {
        let bucket = 1.0 / f64::from(self.sizes.geometry.buckets);
        let same_choice = self.sizes.sub_tables.iter().skip(1).map(|s| 1.0 / f64::from(s.buckets));
        Allowance { overflow: bucket, accesses: same_choice.sum(), occupancy: vec![bucket; 2] }
    }

    /// Moves and the loads of sub-tables.
    fn by_level(
        &self,
        limit: &second_chance::SecondChance,
        source: &'static str,
    ) -> impl Iterator<Item = Prediction> {
        let of_moves = f64::from(self.sizes.choices - 1) / f64::from(self.sizes.geometry.buckets);
        let moves =
            Prediction::asymptotic(Metric::MovesPerInsertion, limit.moves, source, of_moves);
        let loads = self.sizes.sub_tables.iter().zip(&limit.occupancy).zip(1..);
        let loads = loads.map(move |((sub_table, &load), i)| {
            let allowance = 1.0 / f64::from(sub_table.buckets);
            Prediction::asymptotic(Metric::SubTableLoad(i), load, source, allowance)
        });
        std::iter::once(moves).chain(loads)
    }
}

impl Rule for NextLevel {
    #[inline]
    fn target(&self, levels: &Levels, element: u32) -> (Target, u32) {
        let (mut bucket, later) = match levels.choices(element) {
            [first, later @ ..] => (*first, later),
            [] => return (Target::OverflowList, 0),
        };
        let mut reads = 1;
        for (level, &next) in (1..).zip(later) {
            let Some(in_the_way) = levels.occupant(bucket) else {
                return (Target::Bucket(bucket), reads);
            };
            reads += 1;
            if levels.occupant(next).is_some() {
                let to = levels.choices(in_the_way)[level];
                reads += u32::from(to != next);
                if levels.occupant(to).is_none() {
                    return (Target::PlaceOf { pushed: in_the_way, to }, reads);
                }
            }
            bucket = next;
        }
        match levels.occupant(bucket) {
            None => (Target::Bucket(bucket), reads),
            Some(_) => (Target::OverflowList, reads),
        }
    }
}
