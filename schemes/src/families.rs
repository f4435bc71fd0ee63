//! The families of structures, and what a program adds to them.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

use crate::case::{Case, Request};
use crate::family::{Family, SchemeEntry};
use crate::hash::HASH_PARAMS;
use crate::info::WorkloadInfo;
use crate::keys::KEY_PARAMS;
use crate::metric::{Metric, MetricInfo, Numbers, common};
use crate::params::{ParamError, Params, Scalar};
use crate::rare;
use crate::rare::metrics::METRICS as RARE_METRICS;
use crate::rare::params::RARE_PARAMS;

/// Every family of this crate: one line each.
#[rustfmt::skip]
pub static FAMILIES: &[&Family] = &[
    &crate::tables::FAMILY,
    &crate::balancing::FAMILY,
    &crate::filters::FAMILY,
    &crate::summaries::FAMILY,
    &crate::chains::FAMILY,
    &crate::perfect::FAMILY,
    &crate::probing::FAMILY,
    &crate::sketches::FAMILY,
    &crate::cuckoo_tables::FAMILY,
];

/// What a program has beside the families of this crate.
#[derive(Debug, Default)]
pub struct Extension {
    /// Schemes of families that exist already.
    pub schemes: Vec<SchemeEntry>,
    /// Families of its own.
    pub families: Vec<&'static Family>,
}

static EXTENSION: OnceLock<Extension> = OnceLock::new();

/// Something that a program cannot add.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExtendError {
    /// Something was added before. Everything has to be added at once, when the program starts.
    #[error("families and schemes were added already; add all at once, when the program starts")]
    Again,
    /// A scheme of a family that does not exist.
    #[error("the scheme `{scheme}` is of the family `{family}`, which there is not")]
    NoFamily {
        /// The scheme.
        scheme: &'static str,
        /// The family that it names.
        family: &'static str,
    },
    /// Two schemes, workloads, families or metrics have one name.
    #[error("there are two of the name `{0}`; names of schemes, workloads and metrics are unique")]
    Name(String),
    /// Two metrics have one place in the order of rows.
    #[error("the metrics `{0}` and `{1}` have the same rank; declare yours `ranks from` elsewhere")]
    Rank(&'static str, &'static str),
}

/// Adds what a program has of its own, before anything else is done. It holds for the whole program:
/// definitions, journals and reports find its names beside all others.
///
/// # Errors
/// [`ExtendError`]; then nothing is added.
pub fn extend(extension: Extension) -> Result<(), ExtendError> {
    check(&extension)?;
    EXTENSION.set(extension).map_err(|_| ExtendError::Again)
}

fn check(extension: &Extension) -> Result<(), ExtendError> {
    let families: Vec<&'static Family> =
        FAMILIES.iter().chain(&extension.families).copied().collect();
    if let Some(lost) =
        extension.schemes.iter().find(|own| families.iter().all(|f| f.name != own.family))
    {
        return Err(ExtendError::NoFamily { scheme: lost.info.name, family: lost.family });
    }
    let schemes = families.iter().flat_map(|family| family.schemes).chain(&extension.schemes);
    unique(families.iter().map(|family| family.name.to_owned()))?;
    unique(schemes.map(|entry| entry.info.name.to_owned()))?;
    unique(families.iter().flat_map(|f| f.workloads).map(|info| info.name.to_owned()))?;
    let declared = families.iter().flat_map(|f| f.metrics);
    let declared = declared.chain(common::METRICS).chain(RARE_METRICS).copied();
    let mut metrics: Vec<&MetricInfo> = once_each(declared).collect();
    unique(metrics.iter().map(|&info| format!("{} {:?}", info.name, suffix(info))))?;
    metrics.sort_by_key(|info| info.rank);
    match metrics.windows(2).find(|pair| pair[0].rank == pair[1].rank) {
        Some(pair) => Err(ExtendError::Rank(pair[0].name, pair[1].name)),
        None => Ok(()),
    }
}

fn suffix(info: &MetricInfo) -> Option<&'static str> {
    info.numbers.as_ref().map(|numbers| numbers.suffix)
}

fn unique(names: impl Iterator<Item = String>) -> Result<(), ExtendError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name.clone()) {
            return Err(ExtendError::Name(name));
        }
    }
    Ok(())
}

/// Every family, those of the program last.
pub fn families() -> impl Iterator<Item = &'static Family> + Clone {
    FAMILIES
        .iter()
        .copied()
        .chain(EXTENSION.get().into_iter().flat_map(|own| own.families.iter().copied()))
}

/// The family of this name.
pub fn family(name: &str) -> Option<&'static Family> {
    families().find(|family| family.name == name)
}

/// Every scheme, family by family, those that the program adds to a family last of it.
pub fn schemes() -> impl Iterator<Item = &'static SchemeEntry> + Clone {
    families().flat_map(|family| family.schemes().into_iter())
}

/// Every workload, family by family.
pub fn workloads() -> impl Iterator<Item = &'static WorkloadInfo> + Clone {
    families().flat_map(|family| family.workloads.iter().copied())
}

/// The metrics of all families.
pub fn metrics() -> impl Iterator<Item = &'static MetricInfo> {
    let of_families = families().flat_map(|family| family.metrics);
    once_each(of_families.chain(common::METRICS).chain(RARE_METRICS).copied())
}

/// Each declaration at the first family that measures it.
fn once_each(
    metrics: impl Iterator<Item = &'static MetricInfo>,
) -> impl Iterator<Item = &'static MetricInfo> {
    let mut seen = BTreeSet::new();
    metrics.filter(move |info| seen.insert(std::ptr::from_ref(*info)))
}

/// A point by its names, with these parameters and the others as they are by default.
///
/// # Errors
/// A name that there is not, under the key that a definition has for it; else the first parameter that
/// is unknown or cannot be used.
///
/// ```
/// use loadfactor_schemes::families;
/// use loadfactor_schemes::tables::metrics;
///
/// let given = [("buckets", 64_i64.into()), ("load", 0.9.into()), ("rounds", 1000_i64.into())];
/// let case = families::case("single", "alternation", "random", &given)?;
/// let outlook = case.outlook(&|_| None);
/// let overflow = outlook.predictions.iter().find(|p| p.metric == metrics::OVERFLOW_FRACTION);
/// assert!((overflow.unwrap().value - 0.47).abs() < 0.01, "Theorem 1");
/// # Ok::<(), loadfactor_schemes::params::ParamError>(())
/// ```
pub fn case(
    scheme: &str,
    workload: &str,
    hash: &str,
    given: &[(&str, Scalar)],
) -> Result<Box<dyn Case>, ParamError> {
    let none = |key: &str, name: &str| ParamError::new(key, format!("there is no `{name}`"));
    let entry = schemes().find(|entry| entry.info.name == scheme);
    let (entry, family) = entry
        .and_then(|entry| Some((entry, entry.family()?)))
        .ok_or_else(|| none("scheme", scheme))?;
    let named = family.workloads.iter().find(|info| info.name == workload);
    let workload = named.ok_or_else(|| none("workload", workload))?;
    let hash = hash.parse().map_err(|_| none("hash", hash))?;
    let of_points = entry.info.params.iter().chain(HASH_PARAMS);
    let of_workloads = workload.params.iter().chain(KEY_PARAMS).chain(RARE_PARAMS);
    let of_workloads = of_workloads.chain(family.shared_params);
    let params = Params::complete(of_points.chain(of_workloads), given)?;
    entry.read(&Request { scheme: entry.info, workload, hash, params: &params })
}

impl Family {
    /// Its schemes, with those that the program adds.
    pub fn schemes(&self) -> Vec<&'static SchemeEntry> {
        let added = EXTENSION.get().into_iter().flat_map(|own| &own.schemes);
        self.schemes.iter().chain(added.filter(|entry| entry.family == self.name)).collect()
    }
}

impl SchemeEntry {
    /// Reads and checks a point: a case of the scheme, or of the probability of an event in its trials where the
    /// parameters ask for one.
    ///
    /// # Errors
    /// The first parameter that cannot be used.
    pub fn read(&self, request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
        rare::case::read((self.case)(request)?, request.params)
    }

    /// Its family, if there is one of that name.
    pub fn family(&self) -> Option<&'static Family> {
        family(self.family)
    }
}

impl Metric {
    /// The declaration of the numbered metrics that go by this name together, such as
    /// `overflow_fraction_at`.
    pub fn family(name: &str) -> Option<&'static MetricInfo> {
        let is_named = |numbers: &Numbers| numbers.family == name;
        metrics().find(|info| info.numbers.as_ref().is_some_and(is_named))
    }

    /// The names by which numbered metrics go together.
    pub fn families() -> impl Iterator<Item = &'static str> {
        metrics().filter_map(|info| info.numbers.as_ref()).map(|numbers| numbers.family)
    }

    /// Names to suggest where none fits: of numbered metrics the one with the number 1.
    pub fn names() -> Vec<String> {
        metrics().map(|info| Metric::new(info, 1).to_string()).collect()
    }
}

/// A name that is no metric's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the name of a metric")]
pub struct UnknownMetric(pub String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        metrics().find_map(|info| info.named(name)).ok_or_else(|| UnknownMetric(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_metric() {
        for info in metrics() {
            for number in info.numbers.as_ref().map_or(vec![0], |numbers| vec![0, numbers.last]) {
                let metric = Metric::new(info, number);
                assert_eq!(metric.to_string().parse(), Ok(metric));
            }
            if let Some(numbers) = &info.numbers {
                assert!(std::ptr::eq(Metric::family(numbers.family).unwrap(), info));
            }
        }
        for wrong in ["occupancy_256", "occupancy_07", "occupancy_+7", "overflow"] {
            assert!(wrong.parse::<Metric>().is_err(), "{wrong}");
        }
    }

    /// Tables are joined, and rows ordered, by them.
    #[test]
    fn names_and_ranks_are_unique() {
        let mut ranks: Vec<u16> = metrics().map(|info| info.rank).collect();
        let mut names: Vec<String> = Metric::names();
        let all = ranks.len();
        ranks.sort_unstable();
        ranks.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((ranks.len(), names.len()), (all, all));
    }
}
