//! Extreme second chance: every element in the way may move to any sub-table, but only one does.

use super::geometry::{BUCKET_SIZE, BUCKETS, CHOICES, ELEMENTS, LOAD};
use super::multilevel::{LeaveEmpty, Levels, Multilevel, Rule, Sizes, Target};
use super::sub_tables::SUB_TABLE_FACTOR;
use super::{Footprint, Geometry, Scheme, SchemeInfo, TableVisitor};
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Process};

/// The extreme second chance scheme of "The Power of One Move", Section 5.6, after its formal
/// specification: sub-tables T₁, …, `T_d` of single slots, in each of which an element has one
/// choice. Let `y_i` be the element in the choice of x in `T_i`, and z₀ and `z_i` the first
/// sub-tables in which the choices of x and of `y_i` are empty. Where no `z_i` is before z₀, x goes
/// to z₀. Else the element with the least `z_i`, the first of several, moves to its choice there,
/// and x takes its place.
///
/// Without deletions a stored element finds all its earlier choices full, so that elements move to
/// later sub-tables only, and two sub-tables behave as those of
/// [`SecondChance`](super::SecondChance). With deletions they may move to earlier ones as well.
#[derive(Debug, Clone)]
pub struct ExtremeSecondChance {
    sizes: Sizes,
}

/// The insertion rule of [`ExtremeSecondChance`].
#[derive(Debug, Clone)]
struct FirstLevel;

impl Scheme for ExtremeSecondChance {
    const INFO: SchemeInfo = SchemeInfo {
        name: "extreme-second-chance",
        summary: "A multilevel table: d sub-tables of buckets of one, choice j in sub-table j. Looked for is the first sub-table in which the choice of the element is empty, or that of one of the elements in its choices: the element itself is put there, or the first of the others moves there and makes room for it. Where there is none it goes to the overflow list. An element whose first choice is full reads all of its choices, and those of the elements in them sub-table by sub-table.",
        source: "\"The Power of One Move\", Section 5.6",
        params: &[ELEMENTS, LOAD, BUCKETS, BUCKET_SIZE, CHOICES, SUB_TABLE_FACTOR],
        predictions: &["none"],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { sizes: Sizes::from_params(params)? })
    }

    fn geometry(&self) -> Geometry {
        self.sizes.geometry
    }

    fn choices(&self) -> u32 {
        self.sizes.choices
    }

    fn footprint(&self) -> Footprint {
        Levels::footprint(self.sizes.choices)
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        visitor.visit(Multilevel::new(self.sizes.levels(), FirstLevel, LeaveEmpty))
    }

    fn outlook(&self, _process: Process) -> Outlook {
        Outlook::default()
    }

    fn is_bounded(&self, _process: Process) -> bool {
        false
    }
}

impl Rule for FirstLevel {
    #[inline]
    fn target(&self, levels: &Levels, element: u32) -> (Target, u32) {
        let own = levels.choices(element);
        let mut reads = 1;
        for (level, &bucket) in own.iter().enumerate() {
            if levels.occupant(bucket).is_none() {
                return (Target::Bucket(bucket), reads);
            }
            if level == 0 {
                reads = own.len() as u32;
            }
            let (target, further) = make_room(levels, own, level);
            reads += further;
            if let Some(target) = target {
                return (target, reads);
            }
        }
        (Target::OverflowList, reads)
    }
}

/// The place of the first element in the buckets `own` that may move to the sub-table `level`, and
/// how many buckets were read there beside the full one in `own`.
#[inline]
fn make_room(levels: &Levels, own: &[u32], level: usize) -> (Option<Target>, u32) {
    let choice = |&bucket: &u32| levels.occupant(bucket).map(|y| (y, levels.choices(y)[level]));
    let mut reads = 0;
    for (j, bucket) in own.iter().enumerate() {
        let Some((pushed, to)) = choice(bucket) else { continue };
        let was_read = to == own[level] || own[..j].iter().filter_map(choice).any(|(_, b)| b == to);
        reads += u32::from(!was_read);
        if levels.occupant(to).is_none() {
            return (Some(Target::PlaceOf { pushed, to }), reads);
        }
    }
    (None, reads)
}
