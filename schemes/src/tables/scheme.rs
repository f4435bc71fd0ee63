//! What every scheme of tables provides.

use std::fmt;

use super::by_load::ByLoad;
use super::laws::Laws;
use super::multilevel::ByLevel;
use super::nameless::NamelessVisitor;
use super::timed::KeyTableVisitor;
use super::{Buckets, Footprint, Geometry, Process, StaticFill, TableVisitor};
use crate::hash::Spread;
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

/// A configured scheme: it builds tables and predicts how they behave.
pub trait Scheme: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// What the reference says of it.
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

    /// The numbers of buckets that its choices are drawn from: of its sub-tables, or of the table.
    fn ranges(&self) -> Vec<u32> {
        let sub_tables = self.sub_tables();
        if sub_tables.is_empty() { vec![self.geometry().buckets] } else { sub_tables }
    }

    /// Memory of a table with departures; for a rule that only counts, that of counters and places.
    fn footprint(&self) -> Footprint {
        Buckets::FOOTPRINT
    }

    /// Calls the visitor with an empty table for the elements `0..n`; which structure that is may
    /// depend on the parameters. Without `departures` no element is ever deleted, so that the table
    /// need not know where each is.
    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output;

    /// Calls the visitor with an empty table of this scheme that stores keys, to be timed: see
    /// [`RuleTable`](super::RuleTable). `None` where there is none.
    fn key_table<V: KeyTableVisitor>(&self, _visitor: V) -> Option<V::Output> {
        None
    }

    /// Memory of that table, for each bucket and for each element on the overflow list.
    fn key_footprint(&self) -> Option<Footprint> {
        None
    }

    /// What a static fill with random choices may use in place of a table: the same law, in a fraction
    /// of the time. `None` where there is nothing like that.
    fn static_fill(&self) -> Option<StaticFill> {
        None
    }

    /// Whether such a fill throws elements at one sub-table after the other, or at all buckets, and none moves.
    fn throws(&self) -> bool {
        false
    }

    /// What trials in lockstep use in place of a table, where choices are random and all that matters of a bucket is its load, and
    /// who waits for it. `None` where there is nothing like that.
    fn by_load(&self) -> Option<ByLoad> {
        None
    }

    /// Sub-tables that trials with random choices may pass one after the other, in place of
    /// [`nameless`](Self::nameless) and even faster. `None` where they may not.
    fn by_level(&self) -> Option<ByLevel<'_>> {
        None
    }

    /// Calls the visitor with an empty table that trials with random choices use in place of
    /// [`table`](Self::table). `None` where there is none, or it would be no faster.
    fn nameless<V: NamelessVisitor>(&self, _visitor: V) -> Option<V::Output> {
        None
    }

    /// How often the numbers that its trials measure under this process changed: see
    /// [`Case::revision`](crate::case::Case::revision).
    fn revision(&self, _process: Process) -> u32 {
        0
    }

    /// What theory says of this scheme under this process. Not called for on-off flows:
    /// [`outlook_of`](super::outlook_of) derives those predictions from
    /// [`overflow_at`](Self::overflow_at).
    fn outlook(&self, process: Process) -> Outlook;

    /// As [`outlook`](Self::outlook), where the hash function is too narrow to choose all buckets alike; `None`
    /// where that is not known.
    fn uneven_outlook(&self, _process: Process, _spread: &Spread) -> Option<Outlook> {
        None
    }

    /// Predictions of the distributions that a definition asks for. `predictions` are those of
    /// [`outlook`](Self::outlook), from which a distribution may take its mean.
    fn laws(
        &self,
        _process: Process,
        _laws: &Laws,
        _predictions: &[Prediction],
    ) -> Vec<Prediction> {
        Vec::new()
    }

    /// Predictions of the probability that more than `beyond` elements are on the overflow list at the end of a
    /// trial.
    fn overflow_tail(&self, _process: Process, _beyond: u32) -> Vec<Prediction> {
        Vec::new()
    }

    /// The overflow fraction under alternation with `elements` elements instead of n: exact where
    /// that is known, else the fluid limit; `None` where neither is.
    fn overflow_at(&self, _elements: u32) -> Option<f64> {
        None
    }

    /// Whether [`lower_bound`](super::lower_bound) is known to hold: no element gets into a bucket but by an
    /// insertion's access, and the predictions say how far a finite table may be from the fluid limit.
    fn is_bounded(&self, _process: Process) -> bool {
        false
    }
}
