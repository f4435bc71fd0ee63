//! What parameters and metrics of a user's own must not be called: names that definitions and tables have already.

use std::collections::BTreeSet;

use loadfactor_schemes::families::{self, Extension};
use loadfactor_schemes::family::Family;
use loadfactor_schemes::hash::HASH_PARAMS;
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::{Metric, MetricInfo};
use loadfactor_schemes::params::Param;
use loadfactor_schemes::rare::params::RARE_PARAMS;
use thiserror::Error;

use crate::definition::keys::{POINT, SERIES, WORKLOAD};
use crate::definition::{NUMBER, PREDICTED};
use crate::table::{FIRST_COLUMNS, RESULT_COLUMNS};

/// A name that stands for something else already.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum TakenName {
    /// Of a parameter.
    #[error(
        "no parameter can be called `{0}`: it is a metric, a key of definitions or a column of tables"
    )]
    Parameter(&'static str),
    /// Of a metric.
    #[error(
        "no metric can be called `{0}`: it is a parameter, or stands for something else in definitions"
    )]
    Metric(&'static str),
}

/// Whether what a program adds can be told from what is there.
pub(crate) fn check(added: &Extension) -> Result<(), TakenName> {
    let schemes = added.schemes.iter().flat_map(|entry| entry.info.params);
    let params = schemes.chain(added.families.iter().copied().flat_map(params_of));
    let (keys, taken) = (keys_of_definitions(), taken_by_tables());
    let is_taken =
        |name: &str| keys.contains(name) || taken.contains(name) || name.parse::<Metric>().is_ok();
    let params: Vec<&Param> = params.collect();
    if let Some(param) = params.iter().find(|param| is_taken(param.name)) {
        return Err(TakenName::Parameter(param.name));
    }
    let known = families::families()
        .flat_map(params_of)
        .chain(HASH_PARAMS)
        .chain(KEY_PARAMS)
        .chain(RARE_PARAMS);
    let names: BTreeSet<&str> = known.chain(params).map(|param| param.name).collect();
    let is_taken = |info: &&MetricInfo| names.contains(info.name) || taken.contains(info.name);
    match added.families.iter().flat_map(|family| family.metrics).copied().find(is_taken) {
        Some(info) => Err(TakenName::Metric(info.name)),
        None => Ok(()),
    }
}

/// The parameters that a family declares itself.
fn params_of(family: &'static Family) -> impl Iterator<Item = &'static Param> {
    let schemes = family.schemes.iter().flat_map(|entry| entry.info.params);
    let workloads = family.workloads.iter().flat_map(|info| info.params);
    schemes.chain(workloads).chain(family.shared_params)
}

/// The keys beside which parameters stand.
fn keys_of_definitions() -> BTreeSet<&'static str> {
    [POINT, SERIES, WORKLOAD].into_iter().flat_map(|table| table.names()).collect()
}

/// The columns of tables, and words along axes and in conditions. Metrics stand there as well, and nowhere as a key.
fn taken_by_tables() -> BTreeSet<&'static str> {
    FIRST_COLUMNS.into_iter().chain(RESULT_COLUMNS).chain([NUMBER, PREDICTED]).collect()
}

#[cfg(test)]
mod tests {
    use loadfactor_schemes::family::SchemeEntry;
    use loadfactor_schemes::info::SchemeInfo;
    use loadfactor_schemes::params::{Absent, Domain};
    use loadfactor_schemes::tables;

    use super::*;

    mod metrics {
        loadfactor_schemes::metrics! {
            ranks from 31_000;

            /// A metric with the name of a parameter.
            LOAD = "load", "Load", PerEvent, Nothing;
        }
    }

    fn scheme(param: &'static str) -> Extension {
        let domain = Domain::Flag;
        let params = vec![Param { name: param, domain, absent: Absent::Required, doc: "" }];
        let entry = families::schemes().next().unwrap();
        let info = SchemeInfo { name: "mine", params: params.leak(), ..*entry.info };
        let info: &'static SchemeInfo = Box::leak(Box::new(info));
        Extension { schemes: vec![SchemeEntry { info, ..*entry }], families: Vec::new() }
    }

    #[test]
    fn a_parameter_has_a_name_of_its_own() {
        assert_eq!(check(&scheme("fingerprint_bits")), Ok(()));
        for taken in ["verdict", "series", "label", "zip", "kind", "number", "overflow_fraction"] {
            assert_eq!(check(&scheme(taken)), Err(TakenName::Parameter(taken)));
        }
    }

    #[test]
    fn a_metric_has_a_name_of_its_own() {
        let family = Family { metrics: metrics::METRICS, ..tables::FAMILY };
        let families = vec![&*Box::leak(Box::new(family))];
        let extension = Extension { schemes: Vec::new(), families };
        assert_eq!(check(&extension), Err(TakenName::Metric("load")));
    }

    /// What is refused of others is not done here.
    #[test]
    fn the_families_of_this_program_keep_to_it() {
        let (keys, taken) = (keys_of_definitions(), taken_by_tables());
        let params: BTreeSet<&str> =
            families::families().flat_map(params_of).map(|param| param.name).collect();
        assert!(params.is_disjoint(&taken) && params.is_disjoint(&keys), "{params:?}");
        for name in families::metrics().map(|info| info.name) {
            assert!(!params.contains(name) && !taken.contains(name), "{name}");
        }
    }
}
