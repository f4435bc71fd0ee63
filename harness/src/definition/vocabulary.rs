//! The names that a definition may use: schemes, hash functions, workloads and their parameters.

use std::sync::LazyLock;

use loadfactor_schemes::families;
use loadfactor_schemes::family::{Axis, AxisKind, CurveInfo, Family, SchemeEntry};
use loadfactor_schemes::hash::{HASH_PARAMS, HASHES};
use loadfactor_schemes::info::{SchemeInfo, WorkloadInfo};
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::{Metric, common};
use loadfactor_schemes::params::{Absent, Domain, Param};
use loadfactor_schemes::rare::metrics::METRICS as RARE_METRICS;
use loadfactor_schemes::rare::params::RARE_PARAMS;

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
pub(crate) fn scheme(name: &str) -> Option<&'static SchemeEntry> {
    families::schemes().find(|entry| entry.info.name == name)
}

/// The names of the schemes.
pub(crate) fn scheme_names() -> Vec<&'static str> {
    families::schemes().map(|entry| entry.info.name).collect()
}

/// The workloads of these families.
pub(crate) fn workloads(of: &[&'static Family]) -> Vec<&'static WorkloadInfo> {
    of.iter().flat_map(|family| family.workloads).copied().collect()
}

/// The family of a scheme, or every family where it is unresolved.
pub(crate) fn families_of(scheme: Option<&SchemeEntry>) -> Vec<&'static Family> {
    let all = families::families();
    all.filter(|family| scheme.is_none_or(|entry| entry.family == family.name)).collect()
}

/// What `[point]` and a series may set for a scheme: its parameters, the hash and the hash's.
pub(crate) fn point_params(scheme: &'static SchemeInfo) -> Vec<&'static Param> {
    scheme.params.iter().chain([&*HASH]).chain(HASH_PARAMS).collect()
}

/// What `[workload]` may set for a workload of a family: its parameters, those of the keys and those
/// that all workloads of the family have.
pub(crate) fn workload_params(
    family: &'static Family,
    workload: &'static WorkloadInfo,
) -> Vec<&'static Param> {
    workload
        .params
        .iter()
        .chain(KEY_PARAMS)
        .chain(RARE_PARAMS)
        .chain(family.shared_params)
        .collect()
}

/// The parameters of every scheme and hash.
pub(crate) fn every_point_param() -> Vec<&'static Param> {
    families::schemes().flat_map(|entry| point_params(entry.info)).collect()
}

/// The parameters of every workload of these families.
pub(crate) fn every_workload_param(of: &[&'static Family]) -> Vec<&'static Param> {
    let of_family = |&family: &&'static Family| {
        let all = family.workloads.iter().flat_map(|info| workload_params(family, info));
        all.collect::<Vec<_>>()
    };
    of.iter().flat_map(of_family).collect()
}

/// The schemes and workloads of these families that have a parameter of this name; where none has, those
/// of every family.
pub(crate) fn owners(of: &[&'static Family], name: &str) -> Vec<&'static str> {
    let has = |params: &[Param]| params.iter().any(|param| param.name == name);
    let within = |family: &&'static Family| of.iter().any(|own| own.name == family.name);
    let all = families::families().collect::<Vec<_>>();
    let (near, far): (Vec<_>, Vec<_>) = all.into_iter().partition(within);
    let owners = |families: &[&'static Family]| -> Vec<&'static str> {
        let schemes = families.iter().flat_map(|family| family.schemes()).map(|entry| entry.info);
        let workloads = families.iter().flat_map(|family| family.workloads);
        let schemes = schemes.filter(|info| has(info.params)).map(|info| info.name);
        schemes.chain(workloads.filter(|info| has(info.params)).map(|info| info.name)).collect()
    };
    Some(owners(&near)).filter(|found| !found.is_empty()).unwrap_or_else(|| owners(&far))
}

/// Parameters that say the same in other words in these families: a shared one does not hold for a series that gives
/// one of these instead.
pub(crate) fn alternatives(
    of: &[&'static Family],
    name: &str,
) -> impl Iterator<Item = &'static str> {
    let all = of.iter().flat_map(|family| family.alternatives);
    all.filter(move |(own, _)| *own == name).flat_map(|(_, others)| *others).copied()
}

/// Whether trials of the family measure the quantity, at any of its workloads.
pub(crate) fn has_metric(family: &Family, metric: Metric) -> bool {
    let own = family.metrics.iter().chain(common::METRICS).chain(RARE_METRICS);
    own.into_iter().any(|info| info.rank == metric.info().rank)
}

/// The curve of theory of this name.
pub(crate) fn curve(name: &str) -> Option<&'static CurveInfo> {
    families::families().find_map(|family| family.curve(name))
}

/// The names of the curves of theory.
pub(crate) fn curve_names<'n>() -> impl Iterator<Item = &'n str> {
    families::families().flat_map(|family| family.curves).map(|curve| curve.name)
}

/// Names along a horizontal axis that are neither parameters nor metrics, in these families.
pub(crate) fn place_names(of: &[&'static Family]) -> impl Iterator<Item = &'static str> {
    let axes = of.iter().flat_map(|family| family.axes);
    axes.filter(|axis| axis.kind == AxisKind::Place).map(|axis| axis.name)
}

/// What the family of a scheme says of a name along an axis, else what any says.
pub(crate) fn declared(scheme: &str, name: &str) -> Option<&'static Axis> {
    let own = self::scheme(scheme).and_then(SchemeEntry::family);
    let axes = own.into_iter().chain(families::families()).flat_map(|family| family.axes);
    axes.into_iter().find(|axis| axis.name == name)
}

/// Whether the name is one of several columns of a scheme that say the same.
pub(crate) fn is_column(scheme: &str, name: &str) -> bool {
    declared(scheme, name).is_some_and(|axis| axis.kind == AxisKind::Column)
}
