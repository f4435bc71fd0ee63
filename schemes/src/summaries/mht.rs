//! The multilevel table alone.

use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use super::theory::law::FillLaw;
use super::workloads::lazy_deletion;
use super::{Answers, Asked, Census, Given, Hashing, Multilevel, Summary};
use super::{case, lazy, outlook};
use crate::Rng;
use crate::family::SchemeEntry;
use crate::hash::Source;
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Prediction;

/// No summary: whoever looks for an element reads its buckets one by one.
#[derive(Debug, Clone)]
pub struct Unsummarised;

/// Its entry in the list of schemes: lazy deletion is a matter of the table alone.
pub(super) const ENTRY: SchemeEntry = SchemeEntry {
    family: case::NAME,
    info: &Unsummarised::INFO,
    case: |request| match request.workload.name {
        name if name == lazy_deletion::INFO.name => lazy::read(request),
        _ => case::read::<Unsummarised>(request),
    },
};

impl Summary for Unsummarised {
    const INFO: SchemeInfo = SchemeInfo {
        name: "mht",
        summary: "The multilevel table of Broder and Karlin without a summary. An element goes to the first of its d buckets, one in each sub-table, that holds none; one that finds them all taken makes a crisis and is kept elsewhere, and insertion goes on.",
        source: "Kirsch, thesis, Section 4.5; Broder and Karlin, \"Multilevel Adaptive Hashing\", 1990",
        params: &[ELEMENTS, SUB_TABLE_BUCKETS, BUCKETS_PER_ELEMENT],
        predictions: &[
            "elements of each sub-table and crises: exact (Section 4.11.3) and approximate (4.1)",
        ],
    };

    const TELLS: bool = false;

    const REMOVES: bool = true;

    type Store = ();

    type Drawn = ();

    fn from_params(_params: &Params, _table: &Multilevel) -> Result<Self, ParamError> {
        Ok(Self)
    }

    fn hashes(&self) -> Vec<Hashing> {
        Vec::new()
    }

    fn bytes(&self, _elements: u32) -> Option<u64> {
        None
    }

    fn working_bytes(&self, _elements: u32) -> u64 {
        0
    }

    fn store(&self) {}

    fn clear(&self, _store: &mut ()) {}

    fn insert<S: Source>(&self, _store: &mut (), _own: u8, _key: &[u8], _sources: &mut [S]) {}

    fn look_up<S: Source>(&self, _store: &(), _key: &[u8], _sources: &mut [S]) -> u8 {
        0
    }

    fn given(&self, _store: &(), _census: &Census, _failing: &[u32]) -> Option<Given> {
        None
    }

    fn predictions(&self, law: &FillLaw, _asked: &Asked) -> Vec<Prediction> {
        vec![outlook::of_accesses(law)]
    }

    fn drawn(&self) {}

    fn ask_drawn(
        &self,
        _drawn: &mut (),
        _census: &Census,
        _asked: &Asked,
        _rng: &mut Rng,
    ) -> Answers {
        Answers::default()
    }
}
