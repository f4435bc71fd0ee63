//! The families of tables that a set of keys stands beside.

use std::fmt;
use std::marker::PhantomData;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Param, ParamError, Params, Scalar};
use loadfactor_schemes::tables::Room;
use loadfactor_schemes::{chains, probing};

use super::beside::Beside;

/// A family of tables.
pub(super) trait TableFamily: fmt::Debug + Copy + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The workload that fills a table once.
    const WORKLOAD: &'static str;

    /// The name of the set of keys beside it.
    const PEER: &'static str;

    /// The parameters that tell the size of a table.
    const PARAMS: &'static [Param];

    /// Reads the size.
    ///
    /// # Errors
    /// The first parameter that is missing or impossible beside the others.
    fn read(params: &Params) -> Result<Filled, ParamError>;
}

/// Elements of a table, its places, and absent keys that it is asked for in turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filled {
    elements: u32,
    places: u32,
    absent: u64,
}

impl Filled {
    fn with_room(params: &Params) -> Result<Self, ParamError> {
        let room = Room::from_params(params)?;
        Ok(Self { elements: room.elements, places: room.places, absent: room.absent() })
    }
}

/// Tables of finite buckets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables;

impl TableFamily for Tables {
    const NAME: &'static str = "tables";
    const WORKLOAD: &'static str = "static-fill";
    const PEER: &'static str = "hashbrown-table";
    const PARAMS: &'static [Param] = Room::PARAMS;

    fn read(params: &Params) -> Result<Filled, ParamError> {
        Filled::with_room(params)
    }
}

/// Cuckoo tables that must hold everything.
#[derive(Debug, Clone, Copy)]
pub(super) struct CuckooTables;

impl TableFamily for CuckooTables {
    const NAME: &'static str = "cuckoo-tables";
    const WORKLOAD: &'static str = "cuckoo-build";
    const PEER: &'static str = "hashbrown-cuckoo";
    const PARAMS: &'static [Param] = Room::PARAMS;

    fn read(params: &Params) -> Result<Filled, ParamError> {
        Filled::with_room(params)
    }
}

/// Open addressing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probing;

impl TableFamily for Probing {
    const NAME: &'static str = "probing";
    const WORKLOAD: &'static str = "probing-fill";
    const PEER: &'static str = "hashbrown-probing";
    const PARAMS: &'static [Param] =
        &[probing::params::ELEMENTS, probing::params::LOAD, probing::params::BUCKETS];

    fn read(params: &Params) -> Result<Filled, ParamError> {
        let probing::params::Size { elements, buckets } =
            probing::params::Size::from_params(params)?;
        Ok(Filled { elements, places: buckets, absent: params.integer("queries")? })
    }
}

/// Tables with chains, whose places are as many as their elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chains;

impl TableFamily for Chains {
    const NAME: &'static str = "chains";
    const WORKLOAD: &'static str = "chains-fill";
    const PEER: &'static str = "hashbrown-chains";
    const PARAMS: &'static [Param] =
        &[chains::params::ELEMENTS, chains::params::LOAD, chains::params::BUCKETS];

    fn read(params: &Params) -> Result<Filled, ParamError> {
        let elements = chains::params::Size::from_params(params)?.elements;
        Ok(Filled { elements, places: elements, absent: params.integer("queries")? })
    }
}

/// A table of the family `F`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table<F> {
    filled: Filled,
    family: PhantomData<fn() -> F>,
}

impl<F: TableFamily> Beside for Table<F> {
    const FAMILY: &'static str = F::NAME;
    const WORKLOAD: &'static str = F::WORKLOAD;
    const PARAMS: &'static [Param] = F::PARAMS;
    const OF_ABSENT_KEYS: Option<Metric> = None;

    fn read(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { filled: F::read(params)?, family: PhantomData })
    }

    fn elements(&self) -> u32 {
        self.filled.elements
    }

    fn places(&self) -> u32 {
        self.filled.places
    }

    fn absent(&self) -> u64 {
        self.filled.absent
    }

    fn with_absent(&self, absent: u64) -> Self {
        let filled = Filled { absent: self.filled.absent.min(absent), ..self.filled };
        Self { filled, ..*self }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        let Filled { elements, places, .. } = self.filled;
        let load = f64::from(elements) / f64::from(places);
        vec![("elements", Some(elements.into())), ("load", Some(load.into()))]
    }
}
