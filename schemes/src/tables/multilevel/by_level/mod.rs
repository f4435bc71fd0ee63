//! Multilevel tables under arrivals and departures, a block of them at a time and sub-table by sub-table.
//!
//! With a rule that asks those in the way for their choice in the next sub-table alone, or nobody, how full a sub-table is does
//! not depend on the later ones, as long as a random element departs. Where an element moves on to the next sub-table and
//! another takes its place, they exchange their names: whoever departs is as likely to be the one as the other. So the name
//! that arrives is the one that goes on, and a name stays in its place until it departs.
//!
//! Who departs in a block is then known before anybody arrives, and where from: a place is told when it will be free. The
//! elements that arrive are all taken to the first sub-table, those that it has no room for to the second, and so on. Each pass
//! is one loop over little memory without branches that depend on chance, and few elements get to the last sub-tables. A choice
//! is drawn when it is first looked at, a block of choices in a sub-table ahead.
//!
//! What many elements need is far from the processor: the buckets that a block draws in a sub-table, and the choices for which
//! elements in the way were asked before, are then read ahead.
//!
//! Extreme second chance, which asks those in all earlier sub-tables, draws all choices of an element when it arrives, and
//! takes as many elements together as do not get in each other's way: see [`extreme`].

mod arrivals;
mod drawn;
mod extreme;
mod first_free;
mod first_level;
mod jumps;
mod level;
mod next_level;
mod number;
mod places;
mod trial;

#[cfg(test)]
mod tests;

use std::ops::Range;

use self::arrivals::Arrivals;
use self::extreme::Extreme;
use self::first_level::{Departed, DrawnRounds};
use self::level::Level;
use self::places::Places;
use crate::tables::sub_tables::SubTables;
use crate::tables::{Footprint, SubTableUse};

pub(super) use self::arrivals::BLOCK;
pub(in crate::tables) use self::jumps::Jumping;
pub(in crate::tables) use self::number::Number;
pub(in crate::tables) use self::trial::run;

/// How an element comes to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tables) enum Way {
    /// The first sub-table in which its bucket has room, for so many elements.
    FirstFree { bucket_size: u8 },
    /// Second chance with buckets of one.
    SecondChance,
    /// Extreme second chance with moves to later sub-tables.
    ExtremeSecondChance,
}

/// Sub-tables through which elements can be taken one after the other.
#[derive(Debug, Clone, Copy)]
pub struct ByLevel<'s> {
    way: Way,
    elements: u32,
    sub_tables: &'s SubTables,
}

/// A table of them, with numbers that are wide enough.
#[derive(Debug, Clone)]
pub(in crate::tables) enum Numbered {
    Narrow(Passed<u16>),
    Wide(Passed<u32>),
}

/// Sub-tables through which elements are taken one after the other, numbered by `N`.
#[derive(Debug, Clone)]
pub(in crate::tables) struct Passed<N: Number> {
    way: Way,
    levels: Vec<Level<N>>,
    places: Places<N>,
    /// For extreme second chance.
    extreme: Option<Extreme<N>>,
    overflow: u32,
}

/// How those who arrived in a block came to their places beyond the first sub-table.
#[derive(Debug, Clone, Copy, Default)]
struct Settled {
    accesses: u64,
    moves: u64,
    /// Elements that went to the overflow list.
    overflowed: u64,
    /// In how many rounds these are there, in total.
    listed: u64,
}

/// What the rounds of a block did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Done {
    rounds: usize,
    accesses: u64,
    moves: u64,
    /// Elements that went to the overflow list.
    overflowed: u64,
    /// The sum of its lengths after each round.
    lengths: u64,
}

impl<'s> ByLevel<'s> {
    /// These sub-tables; `None` where they cannot be passed that way: with buckets of more than two elements, or more sub-tables,
    /// elements or places than the way allows.
    pub(in crate::tables) fn new(
        way: Way,
        elements: u32,
        sub_tables: &'s SubTables,
    ) -> Option<Self> {
        let fits = Passed::<u32>::fits(way, elements, sub_tables);
        fits.then_some(Self { way, elements, sub_tables })
    }

    /// An empty table.
    pub(in crate::tables) fn table(&self) -> Option<Numbered> {
        self.numbered().map(Numbered::Narrow).or_else(|| self.numbered().map(Numbered::Wide))
    }

    /// One with numbers `N`; `None` where these are too narrow.
    fn numbered<N: Number>(&self) -> Option<Passed<N>> {
        Passed::new(self.way, self.elements, self.sub_tables)
    }

    /// Memory of one with numbers of 32 bits.
    pub(in crate::tables) fn footprint(&self) -> Footprint {
        let number = size_of::<u32>() as u64;
        let bucket = match self.way {
            Way::FirstFree { bucket_size } => number * u64::from(bucket_size),
            Way::SecondChance => 2 * number,
            Way::ExtremeSecondChance => 2 * number + size_of::<<u32 as Number>::Row>() as u64,
        };
        Footprint { element: number, bucket }
    }
}

impl<N: Number> Passed<N> {
    fn fits(way: Way, elements: u32, sub_tables: &SubTables) -> bool {
        let slots = sub_tables.buckets().checked_mul(bucket_size(way).into());
        let Some(slots) = slots.filter(|&slots| Places::<N>::fits(elements, slots)) else {
            return false;
        };
        match way {
            Way::FirstFree { bucket_size } => bucket_size <= 2,
            Way::SecondChance => true,
            Way::ExtremeSecondChance => extreme::fits(elements, slots, sub_tables.iter().count()),
        }
    }

    /// An empty table; `None` where [`fits`](Self::fits) does not hold.
    fn new(way: Way, elements: u32, sub_tables: &SubTables) -> Option<Self> {
        if !Self::fits(way, elements, sub_tables) {
            return None;
        }
        let slots = sub_tables.buckets() * u32::from(bucket_size(way));
        Some(Self {
            way,
            levels: sub_tables.iter().map(Level::new).collect(),
            places: Places::new(elements, slots, way == Way::SecondChance),
            extreme: (way == Way::ExtremeSecondChance).then(|| Extreme::new(slots)),
            overflow: 0,
        })
    }

    /// Begins a trial with all elements on the overflow list.
    fn begin(&mut self, seed: u64) {
        (0..).zip(&mut self.levels).for_each(|(number, level)| level.begin(seed, number));
        self.places.clear();
        self.extreme.iter_mut().for_each(Extreme::begin);
        self.overflow = self.places.elements;
    }

    /// Draws the choices in the first sub-table for so many rounds of a block.
    fn choose(&mut self, block: &mut DrawnRounds<N>, number: usize) {
        if let ([first, ..], None) = (&mut self.levels[..], &self.extreme) {
            block.choices[..number].copy_from_slice(first.own.take(number));
        }
    }

    /// In each of these rounds an element departs and arrives again, up to some round; what was done.
    fn go_through(
        &mut self,
        block: &DrawnRounds<N>,
        rounds: Range<usize>,
        arrivals: &mut Arrivals<N>,
    ) -> Done {
        let Self { way, levels, places, extreme, .. } = self;
        let (departed, settled) = match (way, extreme) {
            (_, Some(extreme)) => extreme.go_through(&block.elements[rounds], levels, places),
            (Way::FirstFree { bucket_size: 2 }, None) => {
                pass::<2, false, N>(block, rounds, arrivals, levels, places)
            }
            (Way::FirstFree { .. }, None) => {
                pass::<1, false, N>(block, rounds, arrivals, levels, places)
            }
            (_, None) => pass::<1, true, N>(block, rounds, arrivals, levels, places),
        };
        let rounds = departed.rounds as u64;
        let lengths = u64::from(self.overflow) * rounds + settled.listed - departed.total;
        self.overflow = self.overflow + settled.overflowed as u32 - departed.unlisted as u32;
        let Settled { accesses, moves, overflowed, .. } = settled;
        Done { rounds: departed.rounds, accesses: rounds + accesses, moves, overflowed, lengths }
    }

    /// Whether an insertion may move elements from bucket to bucket.
    pub(in crate::tables) fn moves(&self) -> bool {
        !matches!(self.way, Way::FirstFree { .. })
    }

    /// Elements on the overflow list.
    pub(in crate::tables) fn overflow(&self) -> u32 {
        self.overflow
    }

    /// How many buckets hold k elements, k = 0..=h.
    pub(in crate::tables) fn occupancy(&self) -> Vec<u64> {
        self.places.occupancy(bucket_size(self.way))
    }

    /// How full each sub-table is.
    pub(in crate::tables) fn sub_tables(&self) -> Vec<SubTableUse> {
        let h = usize::from(bucket_size(self.way));
        let in_use = |level: &Level<N>| {
            let slots = level.buckets();
            let elements = self.places.taken(slots.start * h..slots.end * h);
            SubTableUse { elements, places: (slots.len() * h) as u64 }
        };
        self.levels.iter().map(in_use).collect()
    }
}

/// Rounds in which all who arrive pass one sub-table after the other, with buckets of H elements. With `ASKS`, the element in
/// their way may move to the next one.
fn pass<const H: u8, const ASKS: bool, N: Number>(
    block: &DrawnRounds<N>,
    rounds: Range<usize>,
    arrivals: &mut Arrivals<N>,
    levels: &mut [Level<N>],
    places: &mut Places<N>,
) -> (Departed, Settled) {
    let [_, later @ ..] = levels else { return Default::default() };
    let departed = places.open::<H, ASKS>(block, rounds, arrivals);
    let settled = through_later::<H, ASKS, N>(arrivals, later, places);
    (departed, Settled { listed: places.list(arrivals), ..settled })
}

/// Takes those whom the first sub-table left through the later ones, and leaves those that overflow.
fn through_later<const H: u8, const ASKS: bool, N: Number>(
    arrivals: &mut Arrivals<N>,
    later: &mut [Level<N>],
    places: &mut Places<N>,
) -> Settled {
    let mut settled = Settled::default();
    for level in later {
        settled.accesses += arrivals.number as u64;
        if ASKS {
            let full = level.next_level(arrivals, places);
            settled.accesses += full;
            settled.moves += full - arrivals.number as u64;
        } else {
            level.first_free::<H>(arrivals, places);
        }
    }
    settled.overflowed = arrivals.number as u64;
    settled
}

fn bucket_size(way: Way) -> u8 {
    match way {
        Way::FirstFree { bucket_size } => bucket_size,
        Way::SecondChance | Way::ExtremeSecondChance => 1,
    }
}
