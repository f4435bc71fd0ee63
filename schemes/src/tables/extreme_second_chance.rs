//! Extreme second chance: every element in the way may move to any sub-table, but only one does.

use super::multilevel::{
    self, Asked, ByLevel, InLater, InOthers, LeaveEmpty, Levels, Multilevel, MultilevelKeys,
    MultilevelRule, Named, Nobody, Rows, Sizes, Target, View, Way,
};
use super::nameless::{Nameless, NamelessVisitor};
use super::params::{BUCKET_SIZE, ELEMENTS, LOAD};
use super::sub_tables::{
    BUCKETS_OR_LIST, BUCKETS_PER_ELEMENT, CHOICES_OR_LIST, SUB_TABLE_BUCKETS, SUB_TABLE_FACTOR,
};
use super::{Footprint, Geometry, KeyTableVisitor, Scheme, StaticFill, TableVisitor};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::tables::Process;
use crate::tables::laws::Laws;
use crate::tables::theory::multilevel::InsertionRule;

const MOVES_TO: Param = Param {
    name: "moves_to",
    domain: Domain::Word(&["any", "later"]),
    absent: Absent::Word("any"),
    doc: "Where an element in the way may move: to any sub-table, as the formal specification says, or only to one after its own, as the text before it says. Without deletions both come to the same table, as its earlier choices are full, but \"later\" reads fewer buckets.",
};

/// The extreme second chance scheme of "The Power of One Move", Section 5.6: sub-tables T₁, …, `T_d` of
/// single slots, in each of which an element has one choice. Let `y_i` be the element in the choice
/// of x in `T_i`, and z₀ and `z_i` the first sub-tables in which the choices of x and of `y_i` are
/// empty. Where no `z_i` is before z₀, x goes to z₀. Else the element with the least `z_i`, the first
/// of several, moves to its choice there, and x takes its place.
///
/// The formal specification has all sub-tables count for `z_i`; the text before it only those after
/// `T_i`. Without deletions a stored element finds all its earlier choices full, so that both are
/// the same, and two sub-tables behave as those of [`SecondChance`](super::SecondChance).
#[derive(Debug, Clone)]
pub struct ExtremeSecondChance {
    sizes: Sizes,
    anywhere: bool,
}

/// The insertion rule of [`ExtremeSecondChance`] with moves to any sub-table.
#[derive(Debug, Clone)]
pub(super) struct Anywhere;

/// The insertion rule of [`ExtremeSecondChance`] with moves to later sub-tables.
#[derive(Debug, Clone)]
pub(super) struct Later;

impl Scheme for ExtremeSecondChance {
    const INFO: SchemeInfo = SchemeInfo {
        name: "extreme-second-chance",
        summary: "SCExt, a multilevel table: d sub-tables of buckets of one, choice j in sub-table j. Looked for is the first sub-table in which the choice of the element is empty, or that of one of the elements in its choices: the element itself is put there, or the first of the others moves there and makes room for it. Where there is none it goes to the overflow list. Each look-up of a choice is an access; where elements may move anywhere, one whose first choice is full reads all of its choices before it asks those in its way.",
        source: "\"The Power of One Move\", Section 5.6",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS_OR_LIST,
            BUCKET_SIZE,
            CHOICES_OR_LIST,
            SUB_TABLE_FACTOR,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
            MOVES_TO,
        ],
        predictions: &[
            "static-fill: overflow, moves, occupancy and loads of sub-tables, asymptotic (fluid limit of Section 5.6) and refined (with the deviation of first order in 1/n, unless an insertion has very many outcomes)",
            "the same, with `overflow_law`: the law of the overflow list's length, approximate (Poisson with mean n·w, Section 5.8)",
            "static-fill: law of the overflow list, asymptotic (saddle point, with the fluid limit's path); variances of sub-tables (fluctuation equations); Poisson and normal laws (Section 5.8), approximate",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let anywhere = params.word(MOVES_TO.name)? == "any";
        Ok(Self { sizes: Sizes::with_choices_kept(params, 1)?, anywhere })
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
        let of_levels = Levels::<1>::footprint(self.sizes.choices);
        let or = |other| of_levels.or(other, &self.sizes.geometry);
        match self.sizes.choices {
            2 => or(Rows::<InOthers, 2>::FOOTPRINT),
            3 => or(Rows::<InOthers, 3>::FOOTPRINT),
            4 => or(Rows::<InOthers, 4>::FOOTPRINT),
            _ => of_levels,
        }
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        match self.anywhere {
            true => visitor.visit(Multilevel::<_, _, 1>::new(&self.sizes, Anywhere, LeaveEmpty)),
            false => visitor.visit(Multilevel::<_, _, 1>::new(&self.sizes, Later, LeaveEmpty)),
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let sizes = &self.sizes;
        Some(match self.anywhere {
            true => visitor.visit(MultilevelKeys::<_, _, 1>::new(sizes, Anywhere, LeaveEmpty)),
            false => visitor.visit(MultilevelKeys::<_, _, 1>::new(sizes, Later, LeaveEmpty)),
        })
    }

    fn key_footprint(&self) -> Option<Footprint> {
        Some(multilevel::key_footprint(&self.sizes))
    }

    fn static_fill(&self) -> Option<StaticFill> {
        // Asking elements for earlier sub-tables as well moves none of them, but is more look-ups.
        let fill = self.sizes.static_fill(InsertionRule::ExtremeSecondChance)?;
        Some(if self.anywhere { fill.asking_everywhere() } else { fill })
    }

    fn by_level(&self) -> Option<ByLevel<'_>> {
        let Sizes { geometry, sub_tables, .. } = &self.sizes;
        let new = || ByLevel::new(Way::ExtremeSecondChance, geometry.elements, sub_tables);
        (!self.anywhere).then(new).flatten()
    }

    fn nameless<V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        match (self.sizes.choices, self.anywhere) {
            (2, true) => self.visit_anywhere::<2, V>(visitor),
            (3, true) => self.visit_anywhere::<3, V>(visitor),
            (4, true) => self.visit_anywhere::<4, V>(visitor),
            (2, false) => self.visit_rows::<InLater, 2, V>(&mut Later, visitor),
            (3, false) => self.visit_rows::<InLater, 3, V>(&mut Later, visitor),
            (4, false) => self.visit_rows::<InLater, 4, V>(&mut Later, visitor),
            _ => None,
        }
    }

    /// Static fills with moves to any sub-table were made element by element at first, and so were rounds with moves to later
    /// ones. When these first went sub-table by sub-table, a few elements were asked for the choices of others. Rounds drew
    /// choices word by word at first, and more elements than 16 bits can number went one by one. With other choices or more of
    /// them the revision is another one, too: this is not asked for them apart.
    fn revision(&self, process: Process) -> u32 {
        match process {
            Process::StaticFill => u32::from(self.anywhere),
            Process::Alternation | Process::Relaxation { .. } => {
                1 + 2 * u32::from(self.by_level().is_some())
            }
            _ => 0,
        }
    }

    fn outlook(&self, process: Process) -> Outlook {
        let mut outlook = Outlook::default();
        if process == Process::StaticFill {
            let rule = InsertionRule::ExtremeSecondChance;
            let limit = rule.static_fill(&self.sizes.per_element()).map(|limit| (limit, None));
            outlook.add_limit(multilevel::static_fill(rule, &self.sizes, limit, "Section 5.6"));
        }
        outlook
    }

    fn laws(&self, process: Process, laws: &Laws, predictions: &[Prediction]) -> Vec<Prediction> {
        multilevel::laws(
            InsertionRule::ExtremeSecondChance,
            &self.sizes,
            process,
            laws,
            predictions,
        )
    }

    fn overflow_tail(&self, process: Process, beyond: u32) -> Vec<Prediction> {
        let predictions = self.outlook(process).predictions;
        multilevel::overflow_tail(
            InsertionRule::ExtremeSecondChance,
            &self.sizes,
            process,
            beyond,
            &predictions,
        )
    }
}

impl ExtremeSecondChance {
    fn visit_anywhere<const D: usize, V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        let Sizes { geometry, sub_tables, .. } = &self.sizes;
        let few =
            || Named::<InOthers, _, D>::new(geometry.elements, sub_tables, &mut Anywhere, Nobody);
        // In a course there may be more elements than that has room for.
        match (!V::BY_NAME).then(few).flatten() {
            Some(table) => self.visit_table::<D, V>(table, visitor),
            None => self.visit_rows::<InOthers, D, V>(&mut Anywhere, visitor),
        }
    }

    fn visit_rows<A: Asked<D>, const D: usize, V: NamelessVisitor>(
        &self,
        rule: &mut impl MultilevelRule,
        visitor: V,
    ) -> Option<V::Output> {
        let Sizes { geometry, sub_tables, .. } = &self.sizes;
        let table = Rows::<A, D>::new(geometry.elements, sub_tables, rule)?;
        self.visit_table::<D, V>(table, visitor)
    }

    fn visit_table<const D: usize, V: NamelessVisitor>(
        &self,
        table: impl Nameless,
        visitor: V,
    ) -> Option<V::Output> {
        let ranges: [u32; D] = self.sizes.sub_tables.sizes().try_into().ok()?;
        Some(visitor.visit(table, ranges))
    }
}

impl MultilevelRule for Anywhere {
    #[inline]
    fn target(&mut self, own: &[u32], levels: &mut impl View) -> (Target, u32) {
        let mut reads = 1;
        for (level, &bucket) in own.iter().enumerate() {
            if !levels.is_full(bucket) {
                return (Target::Bucket(bucket), reads);
            }
            if level == 0 {
                reads = own.len() as u32;
            }
            // The element that is in the bucket would move to where it is.
            let others = own.iter().filter(|&&other| other != bucket);
            let (target, further) = make_room(levels, others, level);
            reads += further;
            if let Some(target) = target {
                return (target, reads);
            }
        }
        (Target::OverflowList, reads)
    }
}

impl MultilevelRule for Later {
    #[inline]
    fn target(&mut self, own: &[u32], levels: &mut impl View) -> (Target, u32) {
        let mut reads = 0;
        for (level, &bucket) in own.iter().enumerate() {
            reads += 1;
            if !levels.is_full(bucket) {
                return (Target::Bucket(bucket), reads);
            }
            let (target, further) = make_room(levels, own[..level].iter(), level);
            reads += further;
            if let Some(target) = target {
                return (target, reads);
            }
        }
        (Target::OverflowList, reads)
    }
}

/// The place of the first element in these buckets that may move to the sub-table `level`, and how
/// many buckets were read there.
#[inline]
fn make_room<'b>(
    levels: &mut impl View,
    buckets: impl Iterator<Item = &'b u32>,
    level: usize,
) -> (Option<Target>, u32) {
    let mut reads = 0;
    for &bucket in buckets {
        let Some(pushed) = levels.occupant(bucket, 0) else { continue };
        let to = levels.choice(pushed, level);
        reads += 1;
        if !levels.is_full(to) {
            return (Some(Target::PlaceOf { pushed, to }), reads);
        }
    }
    (None, reads)
}
