//! What a rule decides, looked up.
//!
//! A rule that remembers nothing decides by which buckets are full alone: those of the element itself, and the choices of
//! the elements in its way. There are few of them, but how full they are is chance, and a processor that follows the rule
//! step by step would guess wrong at every other step. So the rule is asked once about each combination of full buckets,
//! and its answers are looked up afterwards, without a branch.

use std::any::TypeId;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::rule::{MultilevelRule, Target};
use super::view::View;

/// Bits of a combination at most: beyond, it is quicker to ask the rule.
const MOST_BITS: usize = 16;

/// A choice that a rule may look at: that in the sub-table `level` of the element in slot `slot` of the bucket that
/// the arriving element has in the sub-table `way`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) way: u8,
    pub(super) slot: u8,
    pub(super) level: u8,
}

/// Where the arriving element goes, and whether the one that is there moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Decision {
    /// The sub-table; D is the overflow list.
    pub(super) way: u8,
    /// The slot of its bucket there; H is the first empty one.
    pub(super) slot: u8,
    /// Which of the looks found the bucket that the element in the slot moves to; their number where none moves.
    pub(super) look: u8,
    /// Buckets read.
    pub(super) accesses: u8,
}

/// The answers of a rule, by combination: bit j says whether the bucket in the sub-table j is full, and bit D + i that of
/// look i.
#[derive(Debug)]
pub(super) struct Decisions {
    pub(super) looks: Vec<Look>,
    pub(super) answers: Vec<Decision>,
}

/// Those of rules that were asked before.
static KNOWN: LazyLock<Mutex<HashMap<(TypeId, usize), Option<Arc<Decisions>>>>> =
    LazyLock::new(Mutex::default);

impl Decisions {
    /// Those of the rule for tables of D sub-tables; `None` where it remembers buckets or there are too many of them.
    pub(super) fn of<R: MultilevelRule<H>, const D: usize, const H: usize>(
        rule: &R,
    ) -> Option<Arc<Self>> {
        if R::REMEMBERS {
            return None;
        }
        // What another thread that panicked has left is whole: entries are inserted at once.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let ask = || Self::ask::<R, D, H>(&mut rule.clone()).map(Arc::new);
        known.entry((TypeId::of::<R>(), D)).or_insert_with(ask).clone()
    }

    fn ask<R: MultilevelRule<H>, const D: usize, const H: usize>(rule: &mut R) -> Option<Self> {
        let looks = looks::<R, D, H>(rule);
        let bits = D + looks.len();
        if bits > MOST_BITS {
            return None;
        }
        let answers: Option<Vec<_>> =
            (0..1 << bits).map(|full| answer::<R, D, H>(rule, &looks, full)).collect();
        answers.map(|answers| Self { looks, answers })
    }
}

/// The looks that the rule takes where all of them are in vain, whichever buckets of the element are full.
fn looks<R: MultilevelRule<H>, const D: usize, const H: usize>(rule: &mut R) -> Vec<Look> {
    let taken = (0..1_u32 << D).flat_map(|own| {
        let mut view = Combination::<D, H> { own, free: Vec::new(), taken: Vec::new() };
        rule.target(&buckets::<D>(), &mut view);
        view.taken
    });
    let looks: BTreeSet<Look> = taken.collect();
    looks.into_iter().collect()
}

/// What the rule decides; `None` where it takes another look.
fn answer<R: MultilevelRule<H>, const D: usize, const H: usize>(
    rule: &mut R,
    looks: &[Look],
    full: u32,
) -> Option<Decision> {
    let is_free = |(i, _): &(usize, &Look)| full >> (D + i) & 1 == 0;
    let free = looks.iter().enumerate().filter(is_free).map(|(_, &look)| look).collect();
    let mut view = Combination::<D, H> { own: full & ((1 << D) - 1), free, taken: Vec::new() };
    let (target, accesses) = rule.target(&buckets::<D>(), &mut view);
    if !view.taken.iter().all(|look| looks.contains(look)) {
        return None;
    }
    let (none, accesses) = (looks.len() as u8, accesses as u8);
    Some(match target {
        Target::OverflowList => Decision { way: D as u8, slot: H as u8, look: none, accesses },
        Target::Bucket(bucket) => {
            Decision { way: bucket as u8, slot: H as u8, look: none, accesses }
        }
        Target::PlaceOf { pushed, to } => {
            let (way, slot) = element::<H>(pushed);
            let look = looks.iter().position(|&look| bucket_of::<D, H>(look) == to)?;
            Decision { way, slot, look: look as u8, accesses }
        }
    })
}

/// The sub-table and slot of an element in the way, in combinations.
fn element<const H: usize>(number: u32) -> (u8, u8) {
    ((number / H as u32) as u8, (number % H as u32) as u8)
}

/// The buckets of the arriving element, in combinations.
fn buckets<const D: usize>() -> [u32; D] {
    std::array::from_fn(|level| level as u32)
}

/// The number of the bucket that a look is taken of, in combinations.
fn bucket_of<const D: usize, const H: usize>(Look { way, slot, level }: Look) -> u32 {
    let element = usize::from(way) * H + usize::from(slot);
    (D + element * D + usize::from(level)) as u32
}

/// A table of which nothing is known but which buckets are full.
struct Combination<const D: usize, const H: usize> {
    /// Bit j: that of the arriving element in the sub-table j.
    own: u32,
    /// Looks that find a bucket with room.
    free: Vec<Look>,
    /// Those that were taken.
    taken: Vec<Look>,
}

impl<const D: usize, const H: usize> View<H> for Combination<D, H> {
    fn is_full(&self, bucket: u32) -> bool {
        match bucket < D as u32 {
            true => self.own >> bucket & 1 == 1,
            false => !self.free.iter().any(|look| bucket_of::<D, H>(*look) == bucket),
        }
    }

    fn occupant(&self, bucket: u32, slot: usize) -> Option<u32> {
        self.is_full(bucket).then_some(bucket * H as u32 + slot as u32)
    }

    fn choice(&mut self, element: u32, level: usize) -> u32 {
        let (way, slot) = self::element::<H>(element);
        let look = Look { way, slot, level: level as u8 };
        self.taken.push(look);
        bucket_of::<D, H>(look)
    }
}
