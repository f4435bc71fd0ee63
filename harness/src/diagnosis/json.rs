//! Answers for programs.

use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::cause::Cause;
use super::estimate::Estimate;
use super::prose::plain;
use super::split::{Measured, Part, SizePart};

impl Answer {
    /// The answer as JSON: `docs/JSON.md` has the fields.
    pub fn json(&self) -> Value {
        let Self { question, traffic, split, .. } = self;
        let warnings = self.warnings.iter().map(|warning| plain(&warning.to_string()));
        let params = question.params.iter();
        let params = params.map(|(name, value)| (name.clone(), json!(value.trim_matches('"'))));
        json!({
            "trace": traffic.label,
            "key": traffic.kind,
            "packets": traffic.packets,
            "packets_with_key": traffic.with_key,
            "distinct_keys": traffic.distinct,
            "passes": traffic.passes(),
            "scheme": question.scheme,
            "hash": question.hash,
            "parameters": params.collect::<Map<_, _>>(),
            "trials": question.trials,
            "rounds": question.rounds,
            "measured": split.measured.iter().map(measured).collect::<Vec<_>>(),
            "model": split.model.map(|model| json!({
                "limit": model.limit,
                "source": model.source,
                "exact": model.exact,
            })),
            "difference": estimate(split.difference),
            "parts": self.parts_json(),
            "warnings": warnings.collect::<Vec<_>>(),
        })
    }

    fn parts_json(&self) -> Vec<Value> {
        let parts = self.split.parts.iter().map(part);
        parts.chain(self.split.size.iter().map(size)).collect()
    }
}

fn estimate(estimate: Estimate) -> Value {
    json!({ "value": estimate.value, "std_error": estimate.std_error })
}

fn measured(measured: &Measured) -> Value {
    json!({
        "without": measured.setting.causes().map(Cause::name).collect::<Vec<_>>(),
        "overflow_fraction": estimate(measured.overflow),
        "repeated_key_fraction": measured.repeated,
    })
}

fn part(part: &Part) -> Value {
    json!({
        "cause": part.cause.name(),
        "added": estimate(part.added),
        "share": part.share.map(estimate),
        "cured_alone": estimate(part.cured_alone),
        "on_its_own": estimate(part.on_its_own),
    })
}

/// The size of the table is switched off last, so that it has no other ends.
fn size(size: &SizePart) -> Value {
    json!({
        "cause": "table_size",
        "added": estimate(size.added),
        "share": size.share.map(estimate),
        "cured_alone": null,
        "on_its_own": null,
    })
}
