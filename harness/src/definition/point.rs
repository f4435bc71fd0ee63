//! One point of an experiment.

use std::sync::Arc;

use loadfactor_schemes::case::Case;
use loadfactor_schemes::params::{Params, Scalar};

/// One fully resolved combination of parameters.
#[derive(Debug, Clone)]
pub struct Point {
    /// Index of its series in the experiment's `series`.
    pub series: usize,
    /// Name of the scheme.
    pub scheme: String,
    /// Name of the hash function.
    pub hash: String,
    /// Name of the workload.
    pub workload: String,
    /// Every parameter of scheme, hash and workload, defaults included.
    pub params: Params,
    /// What its trials do and what theory says of them.
    pub case: Arc<dyn Case>,
}

impl Point {
    /// The value in the column of this name: `scheme`, `hash`, `workload` or a parameter.
    pub fn value(&self, column: &str) -> Option<Scalar> {
        match column {
            "scheme" => Some(Scalar::Word(self.scheme.clone())),
            "hash" => Some(Scalar::Word(self.hash.clone())),
            "workload" => Some(Scalar::Word(self.workload.clone())),
            name => self.params.get(name).cloned(),
        }
    }

    /// Whether its keys are those of a trace.
    pub fn is_of_trace(&self) -> bool {
        self.params.word("keys").is_ok_and(|keys| keys == "trace")
    }
}

/// Equal, up to the rounding of a sweep whose values are no short decimals.
pub(super) fn same(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Number(a), Scalar::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => a == b,
    }
}
