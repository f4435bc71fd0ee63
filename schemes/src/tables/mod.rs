//! Hash table schemes: each file holds a scheme's parameters, structure, insertion rule and
//! predictions.

mod batch;
mod buckets;
mod cam;
mod case;
mod chain;
mod coin;
mod conservative;
mod counting;
mod cuckoo;
mod curves;
mod d_random;
mod extreme_second_chance;
mod follow;
mod footprint;
mod free_entries;
mod law_readings;
pub mod laws;
pub mod metrics;
mod moving_back;
mod multilevel;
mod multiple;
mod on_off;
pub mod outlook;
pub mod params;
mod process;
mod readings;
mod rule;
mod second_chance;
mod single;
pub mod sizing;
mod static_fill;
mod sub_tables;
pub mod theory;
mod trial;
mod workloads;

use std::fmt;

use self::laws::Laws;
use crate::Rng;
use crate::families::{Family, SchemeEntry, SchemeInfo};
use crate::hash::Choices;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

pub use buckets::Buckets;
pub use case::entry;
pub use coin::Coin;
pub use conservative::Conservative;
pub use counting::Counting;
pub use cuckoo::Cuckoo;
pub use d_random::DRandom;
pub use extreme_second_chance::ExtremeSecondChance;
pub use footprint::Footprint;
pub use multiple::Multiple;
pub use on_off::constant_loads;
pub use outlook::{lower_bound, outlook_of};
pub use params::Geometry;
pub use process::{Bins, Process};
pub use rule::{Reads, Rule};
pub use second_chance::SecondChance;
pub use single::Single;
pub use static_fill::{Filled, StaticFill};
pub use sub_tables::{SubTable, SubTables};

/// A configured scheme: it builds tables and predicts how they behave.
pub trait Scheme: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the registry.
    const INFO: SchemeInfo;

    /// Reads and checks the scheme's parameters.
    ///
    /// # Errors
    /// The first parameter that is missing, out of its domain or impossible beside the others.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// Elements, buckets and bucket size.
    fn geometry(&self) -> Geometry;

    /// The largest number of choices that one element may use, d.
    fn choices(&self) -> u32;

    /// Buckets of each sub-table whose elements a table counts; empty where it counts none.
    fn sub_tables(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Memory of a table with departures; for a rule that only counts, that of counters and places.
    fn footprint(&self) -> Footprint {
        Buckets::FOOTPRINT
    }

    /// Calls the visitor with an empty table for the elements `0..n`; which structure that is may
    /// depend on the parameters. Without `departures` no element is ever deleted, so that the table
    /// need not know where each is.
    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output;

    /// What a static fill with random choices may use in place of a table: the same law, in a fraction
    /// of the time. `None` where there is nothing like that.
    fn static_fill(&self) -> Option<StaticFill> {
        None
    }

    /// How often the numbers that its trials measure under this process changed: see
    /// [`Case::revision`](crate::case::Case::revision).
    fn revision(&self, _process: Process) -> u32 {
        0
    }

    /// What theory says of this scheme under this process; nothing of on-off flows, of which
    /// [`outlook_of`] knows as much as [`overflow_at`](Self::overflow_at) tells it.
    fn outlook(&self, process: Process) -> Outlook;

    /// What theory says of the laws that a trial was asked for: of the metrics that [`Laws`] names,
    /// for its numbers. `predictions` are those of [`outlook`](Self::outlook), from which a law may
    /// take its mean.
    fn laws(
        &self,
        _process: Process,
        _laws: &Laws,
        _predictions: &[Prediction],
    ) -> Vec<Prediction> {
        Vec::new()
    }

    /// The overflow fraction under alternation with `elements` elements instead of n: exact where
    /// that is known, else the fluid limit; `None` where neither is.
    fn overflow_at(&self, _elements: u32) -> Option<f64> {
        None
    }

    /// Whether [`lower_bound`] holds: no element gets into a bucket but by an insertion's access, and
    /// it is known how far a finite table may be from the fluid limit.
    fn is_bounded(&self, _process: Process) -> bool {
        true
    }
}

/// Something to do with a table whose type is fixed inside.
pub trait TableVisitor {
    /// What comes out.
    type Output;
    /// Does it with the table `table`.
    fn visit<T: Table>(self, table: T) -> Self::Output;
}

/// What an insertion did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Insertion {
    /// Buckets read.
    pub accesses: u32,
    /// Whether every element found a place in a bucket; otherwise one more is on the overflow list,
    /// the inserted one or one that it displaced.
    pub stored: bool,
    /// Elements moved from bucket to bucket.
    pub moves: u32,
    /// Whether an element was lost, as it did not fit on the overflow list.
    pub lost: bool,
    /// Look-ups in the auxiliary CAM for an element to move back, and such elements found.
    pub back: MovesBack,
}

/// What a deletion did beside taking the element out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deletion {
    /// Elements moved from bucket to bucket.
    pub moves: u32,
    /// Look-ups in the auxiliary CAM for an element to move back, and such elements found.
    pub back: MovesBack,
}

/// The search of the overflow list for elements that a bucket has room for again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MovesBack {
    /// Look-ups in the auxiliary CAM.
    pub lookups: u32,
    /// Elements moved from the overflow list to a bucket.
    pub moves: u32,
}

/// The CAM behind a table that moves elements back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CamUse {
    /// Entries of the auxiliary CAM that hold a bucket.
    pub entries: u32,
    /// Entries of the primary CAM up to the last one in use.
    pub extent: u32,
}

/// How full a sub-table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubTableUse {
    /// Elements in its buckets.
    pub elements: u64,
    /// Elements that its buckets have room for.
    pub places: u64,
}

impl SubTableUse {
    /// Elements as a share of the places.
    pub fn load(&self) -> f64 {
        self.elements as f64 / self.places as f64
    }
}

/// A hash table of finite buckets with an overflow list, for elements `0..n`.
pub trait Table {
    /// Whether an insertion may move elements from bucket to bucket.
    const MOVES: bool = false;
    /// Whether elements may be moved back from the overflow list.
    const MOVES_BACK: bool = false;
    /// Whether a deletion may move elements from bucket to bucket.
    const MOVES_ON_DELETION: bool = false;

    /// Whether the overflow list has room for some elements only: the others are lost, but count as
    /// overflowed until they are deleted.
    fn can_lose(&self) -> bool {
        false
    }

    /// Makes room for the elements `0..elements`; those that are in stay where they are.
    fn reserve(&mut self, elements: u32);

    /// Empties the table without giving up its memory.
    fn clear(&mut self);

    /// Whether every element tries the table: insertion probability α = 1.
    fn is_certain(&self) -> bool;

    /// Inserts an element that is not in the table. `choices` yields its buckets in order,
    /// `rng` decides what the scheme leaves to chance. `CERTAIN` may be asked for where
    /// [`is_certain`](Self::is_certain) holds: it only saves asking for each element anew.
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion;

    /// Puts an element that is not in the table straight on the overflow list.
    fn insert_overflowed(&mut self, element: u32);

    /// Deletes an element that is in a bucket or on the overflow list, from a table with
    /// departures.
    fn delete(&mut self, element: u32) -> Deletion;

    /// The number of elements on the overflow list.
    fn overflow(&self) -> u32;

    /// How many buckets hold exactly k elements, for k = 0..=h.
    fn occupancy(&self) -> Vec<u64>;

    /// How full each sub-table is; empty where there are no sub-tables.
    fn sub_tables(&self) -> Vec<SubTableUse> {
        Vec::new()
    }

    /// Elements in each sub-table as a share of its places.
    fn sub_table_loads(&self) -> Vec<f64> {
        self.sub_tables().iter().map(SubTableUse::load).collect()
    }

    /// The CAM as it is now, where the table has one.
    #[inline]
    fn cam(&self) -> CamUse {
        CamUse::default()
    }
}

/// The schemes of this family, in the order of the reference: one line each.
static SCHEMES: [SchemeEntry; 7] = [
    entry::<Single>(),
    entry::<Multiple>(),
    entry::<DRandom>(),
    entry::<Cuckoo>(),
    entry::<Conservative>(),
    entry::<SecondChance>(),
    entry::<ExtremeSecondChance>(),
];

/// Hash tables of finite buckets with an overflow list.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Hash tables of finite buckets: an element that finds no room in its buckets goes to an overflow list, in hardware a CAM.",
    schemes: &SCHEMES,
    workloads: &workloads::WORKLOADS,
    shared_params: laws::LAW_PARAMS,
    shared_params_are: "for laws of what a trial ends with",
    metrics: metrics::METRICS,
    headline: metrics::OVERFLOW_FRACTION,
    axes: params::AXES,
    curves: &curves::CURVES,
    alternatives: params::ALTERNATIVES,
    long: &["rounds", "duration", "slots", "time", "warm_up", "elements", "buckets"],
    large: &["elements", "buckets", "load"],
};
