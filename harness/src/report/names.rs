//! What families call the things along axes.

use std::collections::BTreeSet;

use loadfactor_schemes::families;
use loadfactor_schemes::family::{Axis, SchemeEntry};
use loadfactor_schemes::hash::HASH_PARAMS;
use loadfactor_schemes::info::WorkloadInfo;
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::params::Param;
use loadfactor_schemes::rare::params::RARE_PARAMS;

use crate::definition::{Point, declared};

/// A parameter as it is written on an axis, of all the families of these schemes.
pub(super) fn label<'s>(schemes: impl Iterator<Item = &'s str>, parameter: &str) -> String {
    let mut labels: Vec<&str> = Vec::new();
    for label in schemes.filter_map(|scheme| Some(declared(scheme, parameter)?.label)) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    if labels.is_empty() { parameter.replace('_', " ") } else { labels.join(" or ") }
}

/// How a value of a parameter of a scheme is introduced, such as `h =`.
pub(super) fn introduction(scheme: &str, parameter: &str) -> String {
    let symbol = declared(scheme, parameter).and_then(|axis| axis.symbol);
    symbol.map_or_else(|| parameter.replace('_', " "), str::to_owned)
}

/// What families say of the axes of the schemes of these points.
pub(super) fn axes_of(points: &[&Point]) -> impl Iterator<Item = &'static Axis> {
    let schemes: BTreeSet<&str> = points.iter().map(|point| point.scheme.as_str()).collect();
    let used: BTreeSet<&str> = families::schemes()
        .filter(|entry| schemes.contains(entry.info.name))
        .map(|entry| entry.family)
        .collect();
    families::families().filter(move |family| used.contains(family.name)).flat_map(|f| f.axes)
}

/// The declaration of a parameter: that of the scheme or the workload, where several families have one of the name.
pub(super) fn parameter(scheme: &str, workload: &str, name: &str) -> Option<&'static Param> {
    let is_own = |entry: &&SchemeEntry| entry.info.name == scheme;
    let own = families::schemes().filter(is_own).flat_map(|entry| entry.info.params);
    let is_own = |info: &&WorkloadInfo| info.name == workload;
    let of_own_workload = families::workloads().filter(is_own).flat_map(|info| info.params);
    let schemes = families::schemes().flat_map(|entry| entry.info.params);
    let workloads = families::workloads().flat_map(|workload| workload.params);
    let shared = families::families().flat_map(|family| family.shared_params);
    let mut all = own
        .chain(of_own_workload)
        .chain(schemes)
        .chain(HASH_PARAMS)
        .chain(workloads)
        .chain(KEY_PARAMS)
        .chain(RARE_PARAMS)
        .chain(shared);
    all.find(|param| param.name == name)
}

/// What a parameter is, in the first words of its documentation, with its symbol where it has one. A condition
/// in front of a colon says nothing alone.
pub(super) fn meaning(param: &Param) -> &'static str {
    let doc = param.doc;
    let marks: &[&str] = if doc.starts_with("With ") { &[";", ". "] } else { &[";", ":", ". "] };
    let end = marks.iter().filter_map(|mark| doc.find(mark)).min();
    doc[..end.unwrap_or(doc.len())].trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two families have a parameter of the name; that of the scheme counts.
    #[test]
    fn a_parameter_is_what_its_scheme_says() {
        let said = |scheme, name| parameter(scheme, "static-fill", name).map(meaning);
        assert_eq!(said("multiple", "choices"), Some("Number of choices, d"));
        assert_eq!(said("bloom-filter", "choices"), Some("Number of choices, k"));
        assert_eq!(said("multiple", "nothing"), None);
        let repeated = said("multiple", "repeated_keys").unwrap();
        assert!(repeated.contains("trace") && repeated.ends_with("is left out"), "{repeated}");
    }

    /// Filters, tables and summaries have workloads of `rounds`; each says what its own are.
    #[test]
    fn a_parameter_of_a_workload_is_what_its_workload_says() {
        let said = |workload| parameter("mht", workload, "rounds").map(|param| param.doc);
        let all = ["alternation", "churn", "counted-deletion"].map(said);
        for (i, own) in all.iter().enumerate() {
            assert!(own.is_some() && !all[..i].contains(own), "{all:?}");
        }
    }

    #[test]
    fn an_axis_and_a_legend_have_the_words_of_the_family() {
        assert_eq!(introduction("multiple", "choices"), "d =");
        assert_eq!(introduction("bloom-filter", "choices"), "k =");
        let label = |schemes: &[&'static str]| label(schemes.iter().copied(), "choices");
        assert_eq!(label(&["bloom-filter", "bloom-filter"]), "Choices k");
        assert_eq!(label(&["single", "bloom-filter"]), "Choices d or Choices k");
        assert_eq!(super::label([].into_iter(), "slice_bits"), "slice bits");
    }
}
