//! Cuckoo hashing with a stash: an element that finds no room evicts another one.

mod breadth_first;
mod eviction;
mod keyed;
mod pairs;
mod predictions;
mod random_walk;
mod shelf;
mod slots;
mod stash;
mod table;
#[cfg(test)]
mod tests;

use breadth_first::BreadthFirst;
use keyed::CuckooKeys;
use pairs::CuckooPairs;
use random_walk::RandomWalk;
use slots::Slots;
use stash::Stash;
use table::CuckooTable;

use super::params::{self, BUCKET_SIZE, BUCKETS, CHOICES, ELEMENTS, LOAD, SUB_TABLES};
use super::timed::{self, KeyTableVisitor};
use super::{Footprint, Geometry, Scheme, TableVisitor};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::Outlook;
use crate::tables::Process;

const EVICTION: Param = Param {
    name: "eviction",
    domain: Domain::Word(&["random-walk", "breadth-first"]),
    absent: Absent::Word("random-walk"),
    doc: "How room is made for an element whose buckets are full: it evicts an element, which evicts another one, and so on; or the shortest sequence of moves that makes room is searched for, and elements move only if there is one.",
};
const EVICTION_LIMIT: Param = Param {
    name: "eviction_limit",
    domain: Domain::Integer { min: 0, max: 1_000_000 },
    absent: Absent::Integer(500),
    doc: "With a random walk, evictions after which an insertion gives up and the last evicted element goes to the overflow list; breadth-first, buckets read beyond the element's own before it goes there itself.",
};
const STASH_SIZE: Param = Param {
    name: "stash_size",
    domain: Domain::Integer { min: 0, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Elements that fit on the overflow list, the stash; without it, all do. An element that does not fit is lost: it is nowhere, but counts as overflowed until its turn to depart.",
};

/// Cuckoo hashing with a stash ("More Robust Hashing: Cuckoo Hashing with a Stash"; the scheme of
/// Fig. 1(b) of "Hash Tables With Finite Buckets Are Less Resistant to Deletions") for d choices and
/// buckets of size h. A deletion moves nothing, and nothing leaves the stash but by departing.
#[derive(Debug, Clone)]
pub struct Cuckoo {
    geometry: Geometry,
    choices: u32,
    sub_tables: bool,
    breadth_first: bool,
    eviction_limit: u32,
    /// `None` where every element fits.
    stash_size: Option<u32>,
}

impl Scheme for Cuckoo {
    const INFO: SchemeInfo = SchemeInfo {
        name: "cuckoo",
        summary: "The d choices are read one after the other, and an element goes to the first bucket that is not full. If all are full, it evicts a random element from a random one of them, which tries its other choices in the same way, until one finds room or the limit is reached: the last evicted element then goes to the overflow list. With two choices and buckets of one, a new element does not look at its second choice. Breadth-first, the shortest sequence of moves is found first.",
        source: "\"Hash Tables With Finite Buckets Are Less Resistant to Deletions\", Section I-B, after \"More Robust Hashing: Cuckoo Hashing with a Stash\"; breadth-first: \"Space Efficient Hash Tables With Worst Case Constant Access Time\"",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS,
            BUCKET_SIZE,
            CHOICES,
            SUB_TABLES,
            EVICTION,
            EVICTION_LIMIT,
            STASH_SIZE,
        ],
        predictions: &[
            "overflow fraction, lower bound (best placement; d = 2, h = 1, one table, up to 10⁶ buckets: for these n and m)",
            "static-fill, breadth-first with a limit of m or more: overflow, asymptotic (best placement)",
            "static-fill, d = 2, h = 1, one table, up to 10⁶ buckets, with a limit of m (random walk: 2·m) or more: overflow, and without a stash also the fraction of trials with a loss, exact (best placement)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let scheme = Self {
            geometry: Geometry::from_params(params)?,
            choices: params.small(CHOICES.name)?,
            sub_tables: params.flag(SUB_TABLES.name)?,
            breadth_first: params.word(EVICTION.name)? == "breadth-first",
            eviction_limit: params.small(EVICTION_LIMIT.name)?,
            stash_size: params
                .get(STASH_SIZE.name)
                .map(|_| params.small(STASH_SIZE.name))
                .transpose()?,
        };
        if scheme.sub_tables {
            params::check_equal_sub_tables(&scheme.geometry, scheme.choices)?;
        }
        Ok(scheme)
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        self.choices
    }

    fn sub_tables(&self) -> Vec<u32> {
        let split = if self.sub_tables { self.choices } else { 0 };
        vec![self.geometry.buckets / self.choices; split as usize]
    }

    fn footprint(&self) -> Footprint {
        match self.has_pairs() && !self.breadth_first {
            true => CuckooPairs::FOOTPRINT + Stash::FOOTPRINT,
            false => self.with_eviction(Slots::footprint(self) + Stash::FOOTPRINT),
        }
    }

    fn table<V: TableVisitor>(&self, _departures: bool, visitor: V) -> V::Output {
        match self.breadth_first {
            true => visitor.visit(CuckooTable::new(self, self.breadth_first())),
            false if self.has_pairs() => visitor.visit(CuckooPairs::new(self)),
            false => visitor.visit(CuckooTable::new(self, self.random_walk())),
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        self.stores_keys().then(|| match self.breadth_first {
            true => visitor.visit(CuckooKeys::new(self, self.breadth_first())),
            false => visitor.visit(CuckooKeys::new(self, self.random_walk())),
        })
    }

    fn key_footprint(&self) -> Option<Footprint> {
        let table = timed::footprint(&self.geometry, None, self.choices);
        self.stores_keys().then(|| self.with_eviction(table))
    }

    fn outlook(&self, process: Process) -> Outlook {
        Outlook { predictions: self.predictions(process), missing: None }
    }
}

impl Cuckoo {
    fn random_walk(&self) -> RandomWalk {
        let single_slots = self.geometry.bucket_size == 1;
        RandomWalk::new(self.choices, single_slots, self.eviction_limit)
    }

    fn breadth_first(&self) -> BreadthFirst {
        BreadthFirst::new(&self.geometry, self.choices, self.eviction_limit)
    }

    /// The memory of a table with what makes room in it.
    fn with_eviction(&self, table: Footprint) -> Footprint {
        if self.breadth_first { table + BreadthFirst::FOOTPRINT } else { table }
    }

    /// Whether it has a table that stores keys: one that loses none of them.
    fn stores_keys(&self) -> bool {
        self.stash_size.is_none()
    }
}
