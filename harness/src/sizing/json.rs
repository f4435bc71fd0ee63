//! Answers for programs.

use loadfactor_schemes::tables::sizing::{Goal, SizedFor};
use serde_json::{Value, json};

use super::splits::PARTICLES;
use super::{AllSchemes, Answer, Basis, Cam, List, Part, Passage, Question, Rare, Simulated};

impl Question {
    /// What was asked.
    fn json(&self) -> Value {
        let (wanted, least) = match self.goal {
            Goal::Overflow(share) => (json!({ "overflow_fraction": share }), "space"),
            Goal::Space(space) => (json!({ "space": space }), "overflow_fraction"),
        };
        let workload = match self.workload {
            SizedFor::StaticFill => "static-fill",
            SizedFor::Alternation => "alternation",
        };
        json!({
            "elements": self.elements,
            "choices": self.choices,
            "workload": workload,
            "wanted": wanted,
            "least": least,
            "cam_failure": self.cam_failure,
            "operations": self.operations,
            "starts": self.starts,
            "seed": self.seed,
        })
    }
}

impl Part {
    fn json(&self) -> Value {
        let error = self.seen.as_ref().map(|seen| seen.mean.error);
        json!({
            "buckets": self.table.buckets,
            "bucket_size": self.table.bucket_size,
            "space": self.table.space(),
            "moves_per_insertion": self.moves(),
            "overflow_elements": self.overflow(),
            "overflow_std_error": error,
            "simulated_elements": self.seen.as_ref().map(|seen| seen.sample.elements),
            "overflow_variance": self.law().map(List::variance),
            "list": source(self.list.as_ref(), self.cam.as_ref()),
            "cam": self.cam.as_ref().map(cam),
        })
    }
}

impl Answer {
    fn table_json(&self) -> Value {
        let search = self.search.as_ref().map(|search| {
            json!({
                "starts": search.starts,
                "found_by": search.found_by,
                "skipped": search.skipped,
                "in_whole_numbers": self.whole,
                "sure": self.sure(),
            })
        });
        json!({
            "scheme": self.rule.scheme(),
            "bucket_size": self.rule.bucket_size(),
            "search": search,
            "best": self.best.json(),
            "equal": self.equal.as_ref().map(Part::json),
        })
    }

    /// The question and its answer.
    pub fn json(&self) -> Value {
        json!({ "question": self.question.json(), "tables": [self.table_json()] })
    }
}

impl Simulated {
    fn table_json(&self) -> Value {
        let mean = self.seen.mean;
        json!({
            "scheme": self.kind.scheme,
            "bucket_size": self.kind.bucket_size,
            "search": null,
            "best": {
                "buckets": self.buckets(),
                "bucket_size": self.kind.bucket_size,
                "space": self.space(),
                "moves_per_insertion": self.seen.sample.moves(),
                "overflow_elements": mean.value,
                "overflow_std_error": (self.basis != Basis::Theory).then_some(mean.error),
                "simulated_elements": self.seen.sample.elements,
                "list": source(self.list.as_ref(), Some(&self.cam)),
                "cam": cam(&self.cam),
            },
        })
    }

    /// The question and its answer.
    pub fn json(&self) -> Value {
        json!({ "question": self.question.json(), "tables": [self.table_json()] })
    }
}

impl AllSchemes {
    /// The question and the answers, those that need least first.
    pub fn json(&self) -> Value {
        let tables: Vec<Value> = self
            .tables()
            .map(|table| table.either(Answer::table_json, Simulated::table_json))
            .collect();
        let failures: Vec<Value> = self
            .failures()
            .map(|(kind, reason)| json!({ "scheme": kind.scheme, "bucket_size": kind.bucket_size, "reason": reason }))
            .collect();
        json!({ "question": self.question().json(), "tables": tables, "failures": failures })
    }
}

/// Where the law of a list comes from, or its tail.
fn source(list: Option<&List>, cam: Option<&Cam>) -> Option<&'static str> {
    let measured = cam.and_then(|cam| cam.passage.as_ref()).map(|_| "measured by splitting");
    measured.or(list.map(List::source))
}

fn cam(cam: &Cam) -> Value {
    json!({
        "places": cam.places.decided(),
        "places_at_least": cam.places.least,
        "places_at_most": cam.places.most,
        "failure": cam.failure,
        "places_after_poisson": cam.poisson_size,
        "failure_after_poisson": cam.poisson_failure,
        "splitting": cam.passage.as_ref().map(passage),
    })
}

fn passage(passage: &Passage) -> Value {
    let interval = |rare: Option<Rare>| rare.map(|rare| [rare.interval.low, rare.interval.high]);
    json!({
        "runs": passage.runs,
        "particles": PARTICLES,
        "trials": passage.trials,
        "spans": passage.horizon.spans,
        "operations_per_span": passage.horizon.operations,
        "failure_interval": interval(passage.failure),
        "failure_of_a_place_less": passage.failure_of_less.map(|rare| rare.value),
        "failure_of_a_place_less_interval": interval(passage.failure_of_less),
        "cut_off": passage.is_cut_off,
    })
}
