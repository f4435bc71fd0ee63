//! What moved, as JSON.

use serde_json::{Value, json};

use super::compared::{Change, Changes, Move};
use super::tables::Key;

impl Changes {
    /// Every change with the counts of all that was compared; docs/JSON.md has the fields.
    pub fn json(&self) -> Value {
        json!({
            "measurements": {
                "compared": self.compared,
                "too_few_trials": self.too_few_trials,
                "moved": self.moved.iter().map(moved).collect::<Vec<_>>(),
                "missing": self.missing.iter().map(quantity).collect::<Vec<_>>(),
                "added": self.added.iter().map(quantity).collect::<Vec<_>>(),
            },
            "predictions": {
                "compared": self.predictions_compared,
                "changed": changed(&self.predictions),
                "bounds_moved_by_chance": self.bounds_by_chance,
            },
            "published": {
                "compared": self.published_compared,
                "changed": changed(&self.published),
            },
            "verdicts": {
                "compared": self.verdicts_compared,
                "changed": changed(&self.verdicts),
                "changed_by_chance": changed(&self.verdicts_by_chance),
            },
        })
    }
}

fn quantity(key: &Key) -> Value {
    json!({ "experiment": key.experiment, "point": key.point, "metric": key.metric })
}

/// The quantity with further fields.
fn with(key: &Key, further: Value) -> Value {
    let mut all = quantity(key);
    if let (Value::Object(all), Value::Object(further)) = (&mut all, further) {
        all.extend(further);
    }
    all
}

fn moved(one: &Move) -> Value {
    let Move { key, old, new, z } = one;
    with(key, json!({ "old": old, "new": new, "z": z }))
}

fn changed<T: serde::Serialize>(changes: &[Change<T>]) -> Vec<Value> {
    let one = |Change { key, prediction, old, new }: &Change<T>| {
        with(key, json!({ "prediction": prediction, "old": old, "new": new }))
    };
    changes.iter().map(one).collect()
}
