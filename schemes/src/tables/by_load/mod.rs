//! Tables in which buckets are told apart by their loads alone, several trials at a time.
//!
//! Where choices are random and no element moves, all that matters of a bucket is how many elements are in it, and all that
//! matters of an element is how many are with it. So a table is a few numbers: how many buckets of each sub-table hold one
//! element or more, two or more, and so on. A choice is a rank among the buckets, those with most elements first, and says how
//! many elements are in its bucket; an element that departs is a rank among the elements. The process is the lumped Markov chain
//! of the occupancies, and the law that of a table with elements and buckets; what is drawn is not.
//!
//! Elements come and go in rounds, with Poisson arrivals, see [`poisson`], or with on-off flows, see [`flows`]. Where none departs
//! and an element has one choice in each sub-table, these are filled one after the other: see [`throws`]. Where elements move but
//! none departs, a few numbers do as well: see [`fills`]. Where they move back from the overflow list, the buckets that somebody
//! waits for need names beside them: see [`moving_back`]; near full load all buckets have them: see [`named`].
//!
//! What a round does to so few numbers depends on chance, but not where in memory it does it. So trials go through their rounds
//! in lockstep, each in a lane, and one instruction serves the lanes of a register. What a trial draws and measures is the same
//! in whatever lane it is and beside whichever others.

mod draws;
mod exponential;
mod fills;
mod flows;
mod jumps;
mod lanes;
mod loads;
mod moving_back;
mod named;
mod poisson;
mod reals;
mod registers;
mod rounds;
mod search;
mod short_draws;
mod shorts;
mod slots;
mod system;
mod throws;
mod together;
mod trials;
mod waiting;

#[cfg(test)]
mod tests;

use std::array;
use std::ops::Range;

use pulp::Arch;

use self::reals::MOST_REAL;
use self::registers::Registers;
use self::search::Search;
use self::together::{Ended, Spare, Together};
use super::Geometry;
use super::readings::Outcome;
use super::theory::multilevel::InsertionRule;
use super::trial::{Rounds, Sums};
use super::workloads::course::{Averages, Course, Flows, Poisson};
use crate::keys::Seeds;

/// What happens in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Elements look for a bucket, and none moves to another.
    Searching(Search),
    /// Sub-tables are filled by a rule that moves elements, and none departs; whether with numbers of 16 bits.
    Filling { rule: InsertionRule, short: bool },
}

/// Which buckets are told apart by more than their loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    /// Those that somebody waits for.
    Awaited,
    All,
}

/// What a trial consists of.
#[derive(Debug, Clone)]
pub(super) enum Steps {
    Rounds(Rounds),
    Poisson(Poisson),
    Flows(Flows),
}

impl Steps {
    /// Those of a course, where trials can follow it in lockstep.
    pub(super) fn of_course(course: &Course<'_>) -> Option<Self> {
        let poisson = course.poisson().map(Self::Poisson);
        poisson.or_else(|| course.flows().map(Self::Flows))
    }
}

/// What trials by load have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByLoad {
    elements: u32,
    bucket_size: u8,
    way: Way,
    /// Which buckets have names, where elements of the overflow list move back upon departures.
    move_back: Option<Named>,
    /// Buckets of the table, or of each sub-table.
    buckets: Vec<u32>,
}

/// Trials that go in lockstep, at most.
pub(super) const AT_ONCE: usize = 16;

/// Trials of a point before they are faster than one after the other; the same where all buckets have names, so that each lane has
/// a table of its own; and of fills that need no table: these are fast anyway.
const PAYS_FROM: u64 = 6;
const PAYS_WITH_NAMES: u64 = 10;
const PAYS_FOR_FILLS: u64 = AT_ONCE as u64;

/// Share of the elements that arrive and would overflow if none moved back up to which only buckets that somebody waits for have
/// names: beyond it, giving names and taking them back takes longer than a table whose buckets all have one.
const MOST_OVERFLOW: f64 = 0.06;

/// Elements per place up to which they have: the more there are, the more often more than two wait for a bucket, and the lowest of
/// these has to be searched for.
const MOST_LOAD: f64 = 1.1;

/// Elements and buckets at most, so that a block's sum of lengths fits in 32 bits.
const MOST_ELEMENTS: u32 = 1 << 26;

/// Choices at most, and in fills those of elements in the way as well: all of them are drawn, where a table often looks at few.
const MOST_CHOICES: usize = 8;
const MOST_IN_FILLS: usize = 13;

impl ByLoad {
    /// The first bucket with room of so many choices in the whole table; `None` where these are many, or the table or its buckets
    /// are too large.
    pub(super) fn anywhere(geometry: &Geometry, choices: u32) -> Option<Self> {
        let way = Way::Searching(Search::Anywhere { choices: choices as usize });
        Self::new(geometry, way, vec![geometry.buckets])
    }

    /// The first bucket with room, one in each sub-table of these sizes; `None` as above.
    pub(super) fn in_turn(geometry: &Geometry, sub_tables: Vec<u32>) -> Option<Self> {
        Self::new(geometry, Way::Searching(Search::InTurn), sub_tables)
    }

    /// The least loaded of so many choices in the whole table, whatever breaks ties; `None` as above.
    pub(super) fn least_loaded(geometry: &Geometry, choices: u32) -> Option<Self> {
        let way = Way::Searching(Search::LeastLoaded { choices: choices as usize });
        Self::new(geometry, way, vec![geometry.buckets])
    }

    /// The least loaded, one in each of so many equal sub-tables, ties to the left; `None` as above.
    pub(super) fn to_the_left(geometry: &Geometry, sub_tables: u32) -> Option<Self> {
        let buckets = vec![geometry.buckets / sub_tables; sub_tables as usize];
        Self::new(geometry, Way::Searching(Search::ToTheLeft), buckets)
    }

    /// The same with elements that move back upon departures, where `overflow` tells which share of those that arrive overflow if
    /// none does; `None` where choices are many or the table is large, or where many overflow as it has far too little room.
    pub(super) fn moving_back(self, overflow: impl FnOnce() -> Option<f64>) -> Option<Self> {
        let buckets = self.buckets.iter().sum();
        let few = self.choices() <= waiting::MOST_AWAITED;
        if !few || !waiting::fits(self.elements, buckets) {
            return None;
        }
        let named = match overflow() {
            Some(share) if share <= MOST_OVERFLOW => Named::Awaited,
            _ if self.load() <= MOST_LOAD => Named::All,
            _ => return None,
        };
        Some(Self { move_back: Some(named), ..self })
    }

    /// So many elements fill sub-tables of these sizes by a rule that moves others; `None` as above.
    pub(super) fn filling(rule: InsertionRule, elements: u32, buckets: Vec<u32>) -> Option<Self> {
        let geometry =
            Geometry { elements, buckets: buckets.iter().sum(), bucket_size: rule.bucket_size() };
        if !fills::has(rule, buckets.len()) {
            return None;
        }
        let short = fills::are_short(rule, &buckets);
        Self::new(&geometry, Way::Filling { rule, short }, buckets)
    }

    /// The same with numbers of 32 bits in fills, where those of 16 would do.
    #[cfg(test)]
    pub(super) fn long(mut self) -> Self {
        if let Way::Filling { short, .. } = &mut self.way {
            *short = false;
        }
        self
    }

    fn new(geometry: &Geometry, way: Way, buckets: Vec<u32>) -> Option<Self> {
        let &Geometry { elements, bucket_size, .. } = geometry;
        let by_load = Self { elements, bucket_size, way, move_back: None, buckets };
        let most = match way {
            Way::Filling { .. } => MOST_IN_FILLS,
            Way::Searching(_) => MOST_CHOICES,
        };
        let fits = elements <= MOST_ELEMENTS && geometry.buckets <= MOST_ELEMENTS;
        let pays = fits && by_load.choices() <= most && (1..=4).contains(&bucket_size);
        pays.then_some(by_load)
    }

    /// Elements per place.
    fn load(&self) -> f64 {
        let places = u64::from(self.buckets.iter().sum::<u32>()) * u64::from(self.bucket_size);
        f64::from(self.elements) / places as f64
    }

    /// Choices that are drawn for an insertion.
    fn choices(&self) -> usize {
        match self.way {
            Way::Searching(search) => search.in_table().unwrap_or(self.buckets.len()),
            Way::Filling { rule, .. } => fills::choices(rule, self.buckets.len()),
        }
    }

    /// How often the numbers of its trials changed: once where all buckets have names. Where up to a tenth of the elements overflowed
    /// if none moved back, only those had names at first that somebody waits for. Once, too, where fills have numbers of 16 bits, which
    /// had 32 at first.
    pub(super) fn revision(&self) -> u32 {
        let short = matches!(self.way, Way::Filling { short: true, .. });
        u32::from(short || self.move_back == Some(Named::All))
    }

    /// Trials of a point before they are faster than one after the other.
    pub(super) fn pays_from(&self, steps: &Steps) -> u64 {
        match self.way {
            Way::Searching(_) if self.move_back == Some(Named::All) => PAYS_WITH_NAMES,
            Way::Searching(_) if !self.is_thrown(steps) => PAYS_FROM,
            Way::Searching(_) | Way::Filling { .. } => PAYS_FOR_FILLS,
        }
    }

    /// Whether all that happens in these steps is that elements are thrown at one sub-table after the other.
    fn is_thrown(&self, steps: &Steps) -> bool {
        let in_turn = matches!(self.way, Way::Searching(search) if search.is_in_turn());
        in_turn && self.move_back.is_none() && matches!(steps, Steps::Rounds(Rounds::Filling))
    }

    /// Bytes that the trials that go in lockstep take together, most of them for numbers that are drawn, or for tables.
    pub(super) fn bytes(&self, steps: &Steps) -> u64 {
        let of_lists = match self.move_back {
            None => 0,
            Some(Named::Awaited) => {
                AT_ONCE as u64 * waiting::bytes(self.elements, self.buckets.iter().sum())
            }
            Some(Named::All) => named::tables::BYTES,
        };
        let of_steps = match steps {
            Steps::Flows(flows) => flows::bytes(flows),
            Steps::Rounds(_) | Steps::Poisson(_) => 0,
        };
        let drawn = draws::bytes_of_block(self.choices() as u64 + 1);
        drawn + 4096 + of_lists + of_steps
    }

    /// Whether its trials can go through such steps: where the number of elements varies, nobody moves.
    pub(super) fn follows(&self, steps: &Steps) -> bool {
        let searches = matches!(self.way, Way::Searching(_)) && self.move_back.is_none();
        match steps {
            Steps::Rounds(_) => true,
            // Numbers far greater than n have to be made real.
            Steps::Poisson(_) => searches && self.elements <= MOST_REAL / 8,
            Steps::Flows(flows) => searches && flows::are_few(flows),
        }
    }

    /// Runs these trials, of which each has the seeds that `seeds` gives it, and calls `read` with what each came to, in order.
    /// What its window was like, where it does not consist of rounds, is read into `averages`, of which all are forgotten before.
    pub(super) fn run(
        &self,
        steps: &Steps,
        mut averages: Averages<'_>,
        trials: Range<u64>,
        seeds: impl Fn(u64) -> Seeds,
        mut read: impl FnMut(&Sums, Option<&Averages<'_>>, &Outcome),
    ) {
        let (arch, spare) = (Arch::new(), Spare::default());
        let mut next = trials.start;
        while next < trials.end {
            let seeds = array::from_fn::<_, AT_ONCE, _>(|lane| seeds(next + lane as u64));
            let left = usize::try_from(trials.end - next).unwrap_or(AT_ONCE).min(AT_ONCE);
            let mut ended = self.together(arch, steps, &seeds, &spare, left);
            for lane in 0..left.min(ended.sums.len()) {
                let outcome = ended.outcome(lane, self);
                let sums = ended.sums[lane];
                read(&sums, ended.averages(lane, &mut averages), &outcome);
                next += 1;
            }
        }
    }

    /// Runs the first of these trials, of which so many are wanted: as many as fit in registers. No lane is without a trial.
    fn together(
        &self,
        arch: Arch,
        steps: &Steps,
        seeds: &[Seeds],
        spare: &Spare,
        wanted: usize,
    ) -> Ended {
        let together = Together { by_load: self, seeds, spare };
        let registers = Registers { arch, wanted };
        match (self.way, steps) {
            (Way::Filling { rule, short }, _) => fills::fill(registers, together, rule, short),
            (Way::Searching(_), _) if self.is_thrown(steps) => throws::throw(registers, together),
            (Way::Searching(search), Steps::Rounds(rounds)) => match self.move_back {
                Some(Named::All) => named::go_through(registers, together, *rounds, search),
                _ => trials::go_through(registers, together, *rounds, search),
            },
            (Way::Searching(search), Steps::Poisson(course)) => {
                system::follow(registers, together, search, course)
            }
            (Way::Searching(search), Steps::Flows(course)) => {
                system::follow(registers, together, search, course)
            }
        }
    }
}
