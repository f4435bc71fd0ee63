//! Hash tables of finite buckets with an overflow list. The file of a scheme holds its parameters, its
//! structure, its insertion rule and its predictions.

mod ahead;
mod batch;
mod buckets;
mod by_load;
mod cam;
mod case;
mod chain;
mod coin;
mod conservative;
mod cost;
mod counting;
mod cuckoo;
mod curves;
mod d_random;
mod extreme_second_chance;
mod follow;
mod footprint;
mod free;
mod free_entries;
mod law_readings;
pub mod laws;
pub mod metrics;
mod moving_back;
mod moving_back_of_few;
mod multilevel;
mod multiple;
mod nameless;
mod on_off;
mod optimum;
pub mod outlook;
pub mod params;
mod process;
mod rare;
mod readings;
mod relaxed;
mod room;
mod rule;
mod scheme;
mod second_chance;
mod setup;
mod single;
pub mod sizing;
mod small_cam;
mod static_fill;
mod sub_tables;
mod table;
pub mod theory;
mod timed;
mod trial;
mod uneven;
mod workloads;

use crate::family::{Family, SchemeEntry};

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
pub use nameless::{Nameless, NamelessVisitor};
pub use on_off::constant_loads;
pub use outlook::{lower_bound, outlook_of};
pub use params::Geometry;
pub use process::{Bins, Process};
pub use room::Room;
pub use rule::{Reads, Rule};
pub use scheme::Scheme;
pub use second_chance::SecondChance;
pub use single::Single;
pub use static_fill::{Filled, StaticFill};
pub use sub_tables::{SubTable, SubTables};
pub use table::{CamUse, Deletion, Insertion, MovesBack, SubTableUse, Table, TableVisitor};
pub use timed::{Key, KeyTable, KeyTableVisitor, RuleTable};

/// The schemes of this family, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
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
    schemes: SCHEMES,
    workloads: workloads::WORKLOADS,
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
