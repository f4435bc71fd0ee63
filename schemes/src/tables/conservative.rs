//! The conservative scheme: where all choices are full, one element may be bumped to the right.

use super::multilevel::{
    self, LeaveEmpty, Levels, Multilevel, MultilevelKeys, MultilevelRule, Sizes, Target, View,
};
use super::params::{BUCKET_SIZE, ELEMENTS, LOAD};
use super::sub_tables::{
    BUCKETS_OR_LIST, BUCKETS_PER_ELEMENT, CHOICES_OR_LIST, SUB_TABLE_BUCKETS, SUB_TABLE_FACTOR,
};
use super::{Footprint, Geometry, KeyTableVisitor, Scheme, StaticFill, TableVisitor};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::tables::Process;
use crate::tables::laws::Laws;
use crate::tables::theory::multilevel::InsertionRule;

/// The conservative scheme of "The Power of One Move", Section 5.4: sub-tables T₁, …, `T_d` of single
/// slots, in each of which an element has one choice, and a mark on each bucket of all but the last. An
/// element x goes to the first of its choices that is empty. Where there is none, the first choice
/// that is unmarked is marked, and the element in it moves to the first of its own choices to the
/// right that is empty, so that x takes its place; where none is, or all are marked, x goes to the
/// overflow list.
///
/// A mark says of the element in the bucket that all its choices to the right were full when one was
/// last looked for. The paper leaves deletions out, as marks would have to be updated. Here a mark goes
/// with the element that it speaks of: a deletion that empties a bucket clears its mark. A mark
/// whose element could move again, as a choice to its right was emptied, stays: the table is then
/// never wrong, only more conservative than it need be.
#[derive(Debug, Clone)]
pub struct Conservative {
    sizes: Sizes,
}

/// The insertion rule of [`Conservative`].
#[derive(Debug, Clone)]
struct Bump {
    /// Whether each bucket is marked, all sub-tables in one row.
    marked: Vec<bool>,
}

impl Scheme for Conservative {
    const INFO: SchemeInfo = SchemeInfo {
        name: "conservative",
        summary: "Cons, a multilevel table: d sub-tables of buckets of one, choice j in sub-table j. An element goes to the first of its choices that is empty. Where there is none, the element in the first unmarked one, the last sub-table apart, is bumped: its bucket is marked, and it moves to the first of its own choices to the right that is empty, which makes room; else the new element goes to the overflow list. Each look-up of a choice is an access, also of the element that is bumped. A deletion clears the mark of the bucket that it empties.",
        source: "\"The Power of One Move\", Section 5.4; marks under deletions are ours",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS_OR_LIST,
            BUCKET_SIZE,
            CHOICES_OR_LIST,
            SUB_TABLE_FACTOR,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
        ],
        predictions: &[
            "static-fill: overflow, moves, occupancy and loads of sub-tables, asymptotic (fluid limit of Section 5.4) and refined (with the deviation of first order in 1/n, unless an insertion has very many outcomes)",
            "the same, with `overflow_law`: the law of the overflow list's length, approximate (Poisson with mean n·w, Section 5.8)",
            "static-fill: law of the overflow list, asymptotic (saddle point, with the fluid limit's path); variances of sub-tables (fluctuation equations); Poisson and normal laws (Section 5.8), approximate",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { sizes: Sizes::with_choices_kept(params, 1)? })
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
        Levels::<1>::footprint(self.sizes.choices) + Bump::FOOTPRINT
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        visitor.visit(Multilevel::<_, _, 1>::new(&self.sizes, self.rule(), LeaveEmpty))
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let table = MultilevelKeys::<_, _, 1>::new(&self.sizes, self.rule(), LeaveEmpty);
        Some(visitor.visit(table))
    }

    fn key_footprint(&self) -> Option<Footprint> {
        Some(multilevel::key_footprint(&self.sizes) + Bump::FOOTPRINT)
    }

    fn static_fill(&self) -> Option<StaticFill> {
        self.sizes.static_fill(InsertionRule::Conservative)
    }

    fn outlook(&self, process: Process) -> Outlook {
        let mut outlook = Outlook::default();
        if process == Process::StaticFill {
            let rule = InsertionRule::Conservative;
            let limit = rule.static_fill(&self.sizes.per_element()).map(|limit| (limit, None));
            outlook.add_limit(multilevel::static_fill(rule, &self.sizes, limit, "Section 5.4"));
        }
        outlook
    }

    fn laws(&self, process: Process, laws: &Laws, predictions: &[Prediction]) -> Vec<Prediction> {
        multilevel::laws(InsertionRule::Conservative, &self.sizes, process, laws, predictions)
    }

    fn overflow_tail(&self, process: Process, beyond: u32) -> Vec<Prediction> {
        let predictions = self.outlook(process).predictions;
        multilevel::overflow_tail(
            InsertionRule::Conservative,
            &self.sizes,
            process,
            beyond,
            &predictions,
        )
    }
}

impl Conservative {
    fn rule(&self) -> Bump {
        Bump { marked: vec![false; self.sizes.geometry.buckets as usize] }
    }
}

impl MultilevelRule for Bump {
    #[inline]
    fn target(&mut self, own: &[u32], levels: &mut impl View) -> (Target, u32) {
        for (reads, &bucket) in (1..).zip(own) {
            if !levels.is_full(bucket) {
                return (Target::Bucket(bucket), reads);
            }
        }
        let (target, reads) = self.bump(levels, own);
        (target, own.len() as u32 + reads)
    }

    fn clear(&mut self) {
        self.marked.fill(false);
    }

    #[inline]
    fn emptied(&mut self, slot: u32) {
        self.marked[slot as usize] = false;
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.marked[..]) as u64
    }
}

impl Bump {
    const FOOTPRINT: Footprint = Footprint { element: 0, bucket: 1 };

    /// Where an element goes whose choices `own` are all full.
    fn bump(&mut self, levels: &mut impl View, own: &[u32]) -> (Target, u32) {
        let [before @ .., _last] = own else { return (Target::OverflowList, 0) };
        let unmarked = before.iter().position(|&bucket| !self.marked[bucket as usize]);
        let Some(level) = unmarked else { return (Target::OverflowList, 0) };
        let bucket = own[level];
        self.marked[bucket as usize] = true;
        let Some(pushed) = levels.occupant(bucket, 0) else { return (Target::Bucket(bucket), 0) };
        let right = level + 1..own.len();
        for (reads, level) in (1..).zip(right.clone()) {
            let to = levels.choice(pushed, level);
            if !levels.is_full(to) {
                return (Target::PlaceOf { pushed, to }, reads);
            }
        }
        (Target::OverflowList, right.len() as u32)
    }
}
