//! Sketches: what a stream of updates was, in less memory than its flows take.
//!
//! Notation as in the lecture notes and in "An Improved Data Stream Summary: The Count-Min Sketch": a stream of updates
//! gives each key i, here a flow, a count a_i; ‖a‖₁ is the sum of their absolute values, the number of packets where each
//! update is by 1, and their bytes where it is by a packet's length. A sketch has d rows of w counters, or a counter for
//! each of k flows. ε is an error as a share of ‖a‖₁, φ the share from which a flow is a heavy hitter.

mod asked;
mod batch;
mod case;
mod conservative;
mod count_min;
mod count_sketch;
mod counting;
mod counting_table;
mod elastic;
mod elastic_parts;
mod flow_radar;
mod hashpipe;
mod heap;
mod heavy;
mod heavy_keeper;
mod hyperloglog;
mod inner;
mod linear_counting;
pub mod metrics;
mod misra_gries;
mod outlook;
pub mod params;
mod quadratic;
mod readings;
mod rows;
mod space_saving;
mod stream;
#[cfg(test)]
mod tests;
mod theory;
mod timed;
mod trial;
mod two_hashes;
mod updates;
mod windows;
mod zipf;

use std::fmt;

use crate::case::{Means, Record};
use crate::family::{Family, SchemeEntry};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

use asked::Asked;
use outlook::Known;
use timed::{KeyedVisitor, OfChoices};
use trial::Trial;

pub use case::entry;

/// A flow as a sketch sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow<'c> {
    /// Its number, in place of its key: no two flows of a trial share it.
    pub number: u32,
    /// The values of the hash functions for it.
    pub choices: &'c [u32],
}

/// A configured sketch: how it takes updates, and what theory says of it.
pub trait Sketch: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// Whether it keeps flows, and finds heavy hitters without a heap beside it.
    const KEEPS_FLOWS: bool = false;

    /// Whether it estimates the counts of flows, and not only how many flows there were.
    const ESTIMATES_FLOWS: bool = true;

    /// What it keeps.
    type Store: Send + 'static;

    /// Reads and checks its parameters.
    ///
    /// # Errors
    /// The first parameter that is missing, out of its domain or impossible beside the others.
    fn from_params(params: &Params) -> Result<Self, ParamError>;

    /// Among how many places each choice of a flow is made; a flow has at least one.
    fn ranges(&self) -> Vec<u32>;

    /// Bytes of the sketch, with counters of four bytes and keys of thirteen.
    fn bytes(&self) -> u64;

    /// Bytes that a store takes here.
    fn store_bytes(&self) -> u64 {
        2 * self.bytes()
    }

    /// Whether the keys of a trial err one by one, so that the share of those with a great error scatters as a count does.
    /// Where they err together, it is only the trials that tell how it scatters.
    fn errs_key_by_key(&self) -> bool {
        true
    }

    /// Whether updates may be negative.
    fn takes_negative(&self) -> bool {
        false
    }

    /// Steps of an update, about.
    fn steps(&self) -> f64 {
        self.ranges().len() as f64
    }

    /// A store of which nothing was asked.
    fn store(&self) -> Self::Store;

    /// Empties a store, for a trial that leaves to chance what `seed` decides.
    fn clear(&self, store: &mut Self::Store, seed: u64);

    /// Adds to the count of a flow.
    fn update(&self, store: &mut Self::Store, flow: Flow<'_>, weight: i64);

    /// The estimate of a flow's count. Not called unless it [estimates](Self::ESTIMATES_FLOWS) them.
    fn estimate(&self, _store: &Self::Store, _flow: Flow<'_>) -> i64 {
        0
    }

    /// Calls `take` with the estimates of keys that never came, whose choices stand one behind the other and whose numbers
    /// begin with `first`. Estimates of 0 may be left out.
    fn estimate_absent(
        &self,
        store: &Self::Store,
        (first, choices): (u32, &[u32]),
        take: &mut impl FnMut(i64),
    ) {
        let keys = (first..).zip(choices.chunks_exact(self.ranges().len()));
        keys.for_each(|(number, choices)| take(self.estimate(store, Flow { number, choices })));
    }

    /// Whether two of them can be multiplied.
    fn multiplies(&self) -> bool {
        false
    }

    /// The estimate of the inner product of two streams whose stores have the same hash functions. Not called unless it
    /// [`multiplies`](Self::multiplies).
    fn inner_product(&self, _first: &Self::Store, _second: &Self::Store) -> i64 {
        0
    }

    /// The flows that it keeps, each with the number by which it is judged a heavy hitter. Not called unless
    /// [`Sketch::KEEPS_FLOWS`].
    fn kept(&self, _store: &Self::Store) -> Vec<(i64, u32)> {
        Vec::new()
    }

    /// Hands over what is to be measured at the end of a trial.
    fn record(&self, store: &Self::Store, trial: &Trial<'_>, asked: &Asked, out: &mut dyn Record) {
        readings::record_points(self, store, trial, asked, out);
    }

    /// Calls `visitor` with the empty sketch that is given the keys of flows, where trials give it their numbers. One
    /// that looks at numbers has a sketch of its own for it.
    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(OfChoices::new(self))
    }

    /// How its error follows from rows of counters; `None` where it does not do so exactly.
    fn rows(&self) -> Option<outlook::InRows> {
        None
    }

    /// What theory says of it of these streams, beside what its [`rows`](Self::rows) give.
    fn outlook(&self, known: &Known<'_>) -> Outlook;

    /// What theory says given the means of other quantities that were measured.
    fn outlook_given(&self, _known: &Known<'_>, _measured: Means<'_>) -> Vec<Prediction> {
        Vec::new()
    }

    /// Cells of the table from which its flows are decoded; `None` where none are.
    fn cells(&self) -> Option<u32> {
        None
    }
}

/// The sketches, in the order of the reference: one line each.
static SCHEMES: &[SchemeEntry] = &[
    entry::<count_min::CountMin>(),
    entry::<conservative::ConservativeUpdate>(),
    entry::<two_hashes::TwoHashes>(),
    entry::<count_sketch::CountSketch>(),
    entry::<space_saving::SpaceSaving>(),
    entry::<misra_gries::MisraGries>(),
    entry::<hashpipe::HashPipe>(),
    entry::<heavy_keeper::HeavyKeeper>(),
    entry::<elastic::Elastic>(),
    entry::<flow_radar::FlowRadar>(),
    entry::<linear_counting::LinearCounting>(),
    entry::<hyperloglog::HyperLogLog>(),
];

/// Sketches.
pub static FAMILY: Family = Family {
    name: case::NAME,
    summary: "Sketches: a stream of packets is summed up in far fewer counters than it has flows. Asked for a flow, a sketch estimates how many packets it had; asked for heavy hitters, it names the flows with a large share of all packets; some only estimate how many flows there were.",
    schemes: SCHEMES,
    workloads: updates::WORKLOADS,
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: metrics::AAE,
    axes: params::AXES,
    curves: &[],
    alternatives: &[],
    long: &["packets", "flows", "queries"],
    large: &["columns", "entries", "cells", "flows"],
};
