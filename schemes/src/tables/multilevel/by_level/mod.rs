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
//! is drawn when it is first looked at.

mod arrivals;
mod drawn;
mod first_free;
mod first_level;
mod level;
mod next_level;
mod places;
mod trial;

#[cfg(test)]
mod tests;

use self::arrivals::Arrivals;
use self::level::Level;
use self::places::Places;
use crate::tables::SubTableUse;
use crate::tables::sub_tables::SubTables;

pub(in crate::tables) use self::trial::run;

/// How an element comes to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tables) enum Way {
    /// The first sub-table in which its bucket has room, for so many elements.
    FirstFree { bucket_size: u8 },
    /// Second chance with buckets of one.
    SecondChance,
}

/// Sub-tables through which elements are taken one after the other.
#[derive(Debug, Clone)]
pub struct ByLevel {
    way: Way,
    levels: Vec<Level>,
    places: Places,
    overflow: u32,
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

impl ByLevel {
    /// An empty table; `None` where its buckets are of more than two elements or it is too large to be numbered by 16 bits.
    pub(in crate::tables) fn new(way: Way, elements: u32, sub_tables: &SubTables) -> Option<Self> {
        let bucket_size = bucket_size(way);
        let slots = sub_tables.buckets().checked_mul(bucket_size.into())?;
        let fits = bucket_size <= 2 && Places::fits(elements, slots);
        fits.then(|| Self {
            way,
            levels: sub_tables.iter().map(Level::new).collect(),
            places: Places::new(elements, slots),
            overflow: 0,
        })
    }

    /// Begins a trial with all elements on the overflow list.
    fn begin(&mut self, seed: u64) {
        (0..).zip(&mut self.levels).for_each(|(number, level)| level.begin(seed, number));
        self.places.clear();
        self.overflow = self.places.elements;
    }

    /// In each round one of these elements departs and arrives again, until the block ends; how many rounds it has.
    fn go_through(&mut self, elements: &[u32], arrivals: &mut Arrivals) -> Done {
        let Self { way, levels, places, overflow } = self;
        let [first, later @ ..] = &mut levels[..] else { return Done::default() };
        let departed = match way {
            Way::FirstFree { bucket_size: 2 } => first.open::<2, false>(elements, arrivals, places),
            Way::FirstFree { .. } => first.open::<1, false>(elements, arrivals, places),
            Way::SecondChance => first.open::<1, true>(elements, arrivals, places),
        };
        let rounds = departed.rounds as u64;
        let (mut accesses, mut moves) = (rounds, 0);
        for level in later {
            accesses += arrivals.number as u64;
            match way {
                Way::FirstFree { bucket_size: 2 } => level.first_free::<2>(arrivals, places),
                Way::FirstFree { .. } => level.first_free::<1>(arrivals, places),
                Way::SecondChance => {
                    let full = level.next_level(arrivals, places);
                    accesses += full;
                    moves += full - arrivals.number as u64;
                }
            }
        }
        let listed = places.list(arrivals);
        let lengths = u64::from(*overflow) * rounds + listed - departed.total;
        let overflowed = arrivals.number as u64;
        *overflow = *overflow + overflowed as u32 - departed.unlisted;
        Done { rounds: departed.rounds, accesses, moves, overflowed, lengths }
    }

    /// Whether an insertion may move elements from bucket to bucket.
    pub(in crate::tables) fn moves(&self) -> bool {
        self.way == Way::SecondChance
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
        let in_use = |level: &Level| {
            let slots = level.buckets();
            let elements = self.places.taken(slots.start * h..slots.end * h);
            SubTableUse { elements, places: (slots.len() * h) as u64 }
        };
        self.levels.iter().map(in_use).collect()
    }
}

fn bucket_size(way: Way) -> u8 {
    match way {
        Way::FirstFree { bucket_size } => bucket_size,
        Way::SecondChance => 1,
    }
}
