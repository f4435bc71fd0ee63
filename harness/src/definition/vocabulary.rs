//! The names that a definition may use: schemes, hash functions, workloads and their parameters.

use std::sync::LazyLock;

use loadfactor_schemes::hash::HASHES;
use loadfactor_schemes::params::{Absent, Domain, Param};
use loadfactor_schemes::tables::{SCHEMES, SchemeInfo};

use crate::workloads::{HASH_PARAMS, KEY_PARAMS, LAW_PARAMS, WORKLOADS, WorkloadInfo};

/// The names of the hash functions.
static HASH_NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| HASHES.iter().map(|hash| hash.name).collect());

/// `hash`, which a definition sets and sweeps as it does a parameter.
static HASH: LazyLock<Param> = LazyLock::new(|| Param {
    name: "hash",
    domain: Domain::Word(&HASH_NAMES),
    absent: Absent::Word("random"),
    doc: "The hash function; `random` draws every choice afresh from the trial's generator.",
});

/// The scheme of this name.
pub(crate) fn scheme(name: &str) -> Option<&'static SchemeInfo> {
    SCHEMES.iter().find(|scheme| scheme.name == name)
}

/// The names of the schemes.
pub(crate) fn scheme_names() -> Vec<&'static str> {
    SCHEMES.iter().map(|scheme| scheme.name).collect()
}

/// The workload of this name.
pub(crate) fn workload(name: &str) -> Option<&'static WorkloadInfo> {
    WORKLOADS.iter().find(|workload| workload.name == name)
}

/// The names of the workloads.
pub(crate) fn workload_names() -> Vec<&'static str> {
    WORKLOADS.iter().map(|workload| workload.name).collect()
}

/// What `[point]` and a series may set for a scheme: its parameters, the hash and the hash's.
pub(crate) fn point_params(scheme: &'static SchemeInfo) -> Vec<&'static Param> {
    scheme.params.iter().chain([&*HASH]).chain(HASH_PARAMS).collect()
}

/// What `[workload]` may set for a workload: its parameters, those of the keys and those of the
/// laws.
pub(crate) fn workload_params(workload: &'static WorkloadInfo) -> Vec<&'static Param> {
    workload.params.iter().chain(KEY_PARAMS).chain(LAW_PARAMS).collect()
}

/// The parameters of every scheme, hash and workload.
pub(crate) fn every_param() -> Vec<&'static Param> {
    let of_schemes = SCHEMES.iter().flat_map(point_params);
    of_schemes.chain(WORKLOADS.iter().flat_map(workload_params)).collect()
}

/// The schemes and workloads that have a parameter of this name.
pub(crate) fn owners(name: &str) -> Vec<&'static str> {
    let has = |params: &[Param]| params.iter().any(|param| param.name == name);
    let schemes = SCHEMES.iter().filter(|scheme| has(scheme.params)).map(|scheme| scheme.name);
    let workloads = WORKLOADS.iter().filter(|workload| has(workload.params));
    schemes.chain(workloads.map(|workload| workload.name)).collect()
}

/// Parameters that say the same in other words: a shared one does not hold for a series that gives
/// one of these instead.
pub(crate) fn alternatives(name: &str) -> &'static [&'static str] {
    match name {
        "elements" => &["load"],
        "load" => &["elements"],
        "buckets" | "choices" => &["sub_table_buckets", "buckets_per_element"],
        "sub_table_buckets" => &["buckets", "choices", "buckets_per_element"],
        "buckets_per_element" => &["buckets", "choices", "sub_table_buckets"],
        _ => &[],
    }
}

/// Whether this gives the number of elements, which some workloads decide themselves.
pub(crate) fn gives_elements(name: &str) -> bool {
    ["elements", "load"].contains(&name)
}
