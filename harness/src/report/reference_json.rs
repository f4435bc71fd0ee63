//! The reference of schemes, hash functions and workloads as JSON.

use loadfactor_schemes::families;
use loadfactor_schemes::family::Family;
use loadfactor_schemes::hash::{HASH_PARAMS, HASHES, HashInfo};
use loadfactor_schemes::info::{SchemeInfo, WorkloadInfo};
use loadfactor_schemes::keys::KEY_PARAMS;
use loadfactor_schemes::metric::{MetricInfo, common};
use loadfactor_schemes::params::{Absent, Param, Scalar};
use loadfactor_schemes::rare::metrics::METRICS as RARE_METRICS;
use loadfactor_schemes::rare::params::RARE_PARAMS;
use serde_json::{Value, json};

use super::reference::{metric_name, unit_name};

/// Everything.
pub fn all() -> Value {
    json!({
        "families": families::families().map(family).collect::<Vec<_>>(),
        "hashes": HASHES.iter().map(hash).collect::<Vec<_>>(),
        "hash_parameters": parameters(HASH_PARAMS),
        "key_parameters": parameters(KEY_PARAMS),
        "key_metrics": metrics(common::METRICS),
        "rare_event_parameters": parameters(RARE_PARAMS),
        "rare_event_metrics": metrics(RARE_METRICS),
    })
}

/// The entry of this name.
pub fn one(name: &str) -> Option<Value> {
    let of_scheme = families::schemes().find(|entry| entry.info.name == name);
    let hash = || HASHES.iter().find(|info| info.name == name).map(hash);
    let workload = || families::workloads().find(|info| info.name == name).map(workload);
    of_scheme.map(|entry| scheme(entry.info)).or_else(hash).or_else(workload)
}

fn family(family: &Family) -> Value {
    json!({
        "name": family.name,
        "summary": family.summary,
        "schemes": family.schemes().iter().map(|entry| scheme(entry.info)).collect::<Vec<_>>(),
        "workloads": family.workloads.iter().map(|info| workload(info)).collect::<Vec<_>>(),
        "workload_parameters": parameters(family.shared_params),
        "metrics": metrics(family.metrics),
    })
}

fn scheme(info: &SchemeInfo) -> Value {
    json!({
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "parameters": parameters(info.params),
        "predictions": info.predictions,
    })
}

fn hash(info: &HashInfo) -> Value {
    json!({
        "name": info.name,
        "bits": info.bits,
        "summary": info.summary,
        "source": info.source,
        "guarantee": info.guarantee,
    })
}

fn workload(info: &WorkloadInfo) -> Value {
    json!({ "name": info.name, "summary": info.summary, "parameters": parameters(info.params) })
}

fn metrics(all: &[&'static MetricInfo]) -> Vec<Value> {
    let metric = |&info: &&'static MetricInfo| json!({ "name": metric_name(info), "unit": unit_name(info.unit), "doc": info.doc.trim() });
    all.iter().map(metric).collect()
}

fn parameters(params: &[Param]) -> Vec<Value> {
    let param = |Param { name, domain, absent, doc }: &Param| {
        json!({
            "name": name,
            "value": domain.to_string(),
            "required": matches!(absent, Absent::Required),
            "default": absent.value().map(scalar),
            "doc": doc,
        })
    };
    params.iter().map(param).collect()
}

fn scalar(value: Scalar) -> Value {
    match value {
        Scalar::Integer(number) => json!(number),
        Scalar::Number(number) => json!(number),
        Scalar::Flag(flag) => json!(flag),
        Scalar::Word(word) => json!(word),
    }
}
