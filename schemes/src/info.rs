//! What is said of schemes and workloads.

use crate::params::Param;

/// What `loadfactor schemes` and the reference say of a scheme.
#[derive(Debug, Clone, Copy)]
pub struct SchemeInfo {
    /// Its name in a definition.
    pub name: &'static str,
    /// Structure and insertion rule, in a few sentences.
    pub summary: &'static str,
    /// The document and section that define it.
    pub source: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The predictions known, one line each: quantity, process, kind, source.
    pub predictions: &'static [&'static str],
}

/// What `loadfactor schemes` and the reference say of a workload.
#[derive(Debug, Clone, Copy)]
pub struct WorkloadInfo {
    /// Its name in a definition, under `workload.kind`.
    pub name: &'static str,
    /// What one trial does, in a few sentences.
    pub summary: &'static str,
    /// Parameters of schemes that the workload decides itself, so that a point must not give them.
    pub decides: &'static [&'static str],
    /// Its own parameters, to which those of the keys and of the family are added.
    pub params: &'static [Param],
}
