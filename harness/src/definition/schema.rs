//! The JSON Schema of definitions, from the declarations that the reader itself goes by: an editor completes
//! keys and marks misspelt ones while they are typed.
//!
//! It allows what at least one scheme or workload has. Whether that is the scheme of the series, and all
//! that depends on more than one key, is for [`parse`](super::parse) to say.

use std::collections::BTreeMap;

use loadfactor_schemes::params::{Domain, Param};
use serde_json::{Map, Value, json};

use super::keys::{
    DERIVED, EXPERIMENT, FIGURE, Key, POINT, PRECISION, RANGE, SCALES, SERIES, SERIES_WORKLOAD,
    TIME, TRACE, TableKeys, WORKLOAD,
};
use super::vocabulary::{
    every_point_param, every_workload_param, families_of, scheme_names, workloads,
};

/// The schema, in the draft that editors of TOML understand.
pub fn schema() -> Value {
    let list = |name: &str| json!({ "type": "array", "items": refer(name) });
    let top = [
        ("workload", refer("workload")),
        ("point", refer("point")),
        ("precision", refer("precision")),
        ("series", list("series")),
        ("figure", list("figure")),
        ("derived", list("derived")),
        ("time", refer("time")),
    ];
    let own_workload = ("workload", refer("own_workload"));
    let precise = ("precision", refer("precision"));
    let path = json!({ "type": "string" });
    let paths = json!({ "anyOf": [path, { "type": "array", "items": path, "minItems": 1 }] });
    let trace = json!({ "anyOf": [paths, refer("trace")] });
    let kind = ("kind", names(workloads(&families_of(None)).iter().map(|info| info.name)));
    let scheme = ("scheme", names(scheme_names()));
    let points = Parameters::new("point", &every_point_param());
    let works = Parameters::new("workload", &every_workload_param(&families_of(None)));
    let none = Parameters::default();
    let tables = json!({
        "workload": table(&WORKLOAD, &[kind.clone(), ("trace", trace)], &works),
        "own_workload": table(&SERIES_WORKLOAD, &[kind], &works),
        "trace": table(&TRACE, &[("path", paths.clone())], &none),
        "point": table(&POINT, std::slice::from_ref(&scheme), &points),
        "series": table(&SERIES, &[scheme, own_workload, precise], &points),
        "precision": table(&PRECISION, &[], &none),
        "figure": table(&FIGURE, &[], &none),
        "derived": table(&DERIVED, &[], &none),
        "time": table(&TIME, &[], &none),
        "range": table(&RANGE, &[], &none),
    });
    let mut definitions =
        Value::Object([points.definitions, works.definitions].into_iter().flatten().collect());
    extend(&mut definitions, tables);
    let mut schema = table(&EXPERIMENT, &top, &none);
    let ends = ["trials", "precision", "time"].map(|key| json!({ "required": [key] }));
    extend(
        &mut schema,
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "loadfactor: the definition of an experiment",
            "anyOf": ends,
            "definitions": definitions,
        }),
    );
    schema
}

fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn extend(schema: &mut Value, further: Value) {
    if let (Value::Object(own), Value::Object(further)) = (schema, further) {
        own.extend(further);
    }
}

fn names(all: impl IntoIterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": all.into_iter().collect::<Vec<_>>() })
}

/// A table with its keys, some of which have a schema, and parameters.
fn table(keys: &TableKeys, schemas: &[(&str, Value)], params: &Parameters) -> Value {
    let mut properties = params.properties.clone();
    properties.extend(keys.keys.iter().map(|key| (key.name.to_owned(), described(key, schemas))));
    let required: Vec<&str> =
        keys.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn described(key: &Key, schemas: &[(&str, Value)]) -> Value {
    let own = schemas.iter().find(|(name, _)| *name == key.name);
    match own.map(|(_, schema)| schema) {
        None => json!({ "description": key.doc }),
        // Beside a reference, other words are passed over.
        Some(schema) => json!({ "description": key.doc, "allOf": [schema] }),
    }
}

/// Parameters, each a reference to what is said of it once.
#[derive(Default)]
struct Parameters {
    properties: Map<String, Value>,
    definitions: Map<String, Value>,
}

impl Parameters {
    /// The parameters by name, those of tables of this name; one that several schemes declare is what any of
    /// them says.
    fn new(of: &str, params: &[&'static Param]) -> Self {
        let mut by_name = BTreeMap::<&str, Vec<&'static Param>>::new();
        for &param in params {
            let known = by_name.entry(param.name).or_default();
            let same = |own: &&Param| own.domain.to_string() == param.domain.to_string();
            if !known.iter().any(same) {
                known.push(param);
            }
        }
        let mut all = Self::default();
        for (name, params) in by_name {
            all.add(name, &format!("{of}.{name}"), &params);
        }
        all
    }

    /// Adds a parameter: its values, and those or one of them for each scale.
    fn add(&mut self, name: &str, full: &str, params: &[&Param]) {
        let values_name = format!("{full}.values");
        let unscaled: Vec<Value> = params.iter().flat_map(|param| values(&param.domain)).collect();
        let scales: Map<String, Value> =
            SCALES.keys.iter().map(|key| (key.name.to_owned(), refer(&values_name))).collect();
        let scaled = json!({
            "type": "object",
            "properties": scales,
            "minProperties": 1,
            "additionalProperties": false,
        });
        let doc = params.first().map_or("", |param| param.doc);
        let whole = json!({ "description": doc, "anyOf": [refer(&values_name), scaled] });
        self.properties.insert(name.to_owned(), refer(full));
        self.definitions.insert(full.to_owned(), whole);
        self.definitions.insert(values_name, json!({ "anyOf": unscaled }));
    }
}

/// One value, a list of values, or a range of numbers.
fn values(domain: &Domain) -> Vec<Value> {
    let one = scalar(domain);
    let list = json!({ "type": "array", "items": one, "minItems": 1 });
    match domain {
        Domain::Integer { .. } | Domain::Number { .. } => {
            vec![one, list, json!({ "$ref": "#/definitions/range" })]
        }
        Domain::Word(_) | Domain::Flag | Domain::Numbers | Domain::Metric => vec![one, list],
    }
}

fn scalar(domain: &Domain) -> Value {
    match domain {
        Domain::Integer { min, max } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        Domain::Number { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Domain::Word(words) => names(words.iter().copied()),
        Domain::Flag => json!({ "type": "boolean" }),
        Domain::Numbers | Domain::Metric => json!({ "type": "string" }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::definition::discovery;

    /// Whether a value is as a schema says, of which this knows the words that ours has.
    fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
        let Value::Object(words) = schema else { panic!("{schema} is no schema") };
        words.iter().all(|(word, wanted)| match word.as_str() {
            "$ref" => {
                let path = wanted.as_str().unwrap().trim_start_matches('#');
                fits(root, root.pointer(path).unwrap(), value)
            }
            "type" => match wanted.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                other => panic!("unknown type {other}"),
            },
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|x| x >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|x| x <= wanted.as_f64().unwrap()),
            "minItems" => {
                value.as_array().is_none_or(|all| all.len() as u64 >= wanted.as_u64().unwrap())
            }
            "minProperties" => {
                value.as_object().is_none_or(|all| all.len() as u64 >= wanted.as_u64().unwrap())
            }
            "items" => {
                value.as_array().is_none_or(|all| all.iter().all(|one| fits(root, wanted, one)))
            }
            "anyOf" => wanted.as_array().unwrap().iter().any(|one| fits(root, one, value)),
            "allOf" => wanted.as_array().unwrap().iter().all(|one| fits(root, one, value)),
            "required" => wanted
                .as_array()
                .unwrap()
                .iter()
                .all(|key| value.get(key.as_str().unwrap()).is_some() || !value.is_object()),
            "properties" => value.as_object().is_none_or(|all| {
                all.iter().all(|(key, one)| wanted.get(key).is_none_or(|own| fits(root, own, one)))
            }),
            "additionalProperties" => {
                assert_eq!(*wanted, json!(false));
                let known = &schema["properties"];
                value.as_object().is_none_or(|all| all.keys().all(|key| known.get(key).is_some()))
            }
            "$schema" | "title" | "description" | "definitions" => true,
            other => panic!("unknown word {other}"),
        })
    }

    fn accepts(definition: &str) -> bool {
        let table: toml::Table = definition.parse().unwrap();
        let schema = schema();
        fits(&schema, &schema, &serde_json::to_value(table).unwrap())
    }

    #[test]
    fn every_definition_of_this_repository_is_accepted() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments"));
        let all = discovery::all(root).unwrap();
        for found in &all {
            assert!(accepts(&fs::read_to_string(&found.path).unwrap()), "{}", found.name);
        }
        assert!(all.len() > 20);
    }

    const GOOD: &str = "title = \"T\"\ntrials = 3\n[workload]\nkind = \"open\"\n[point]\n\
                        buckets = [1, 2]\nload = { quick = { from = 0.1, to = 1.0, step = 0.1 } }\n\
                        [[series]]\nlabel = \"A\"\nscheme = \"single\"\n";

    /// What an editor is to mark while it is typed.
    #[test]
    fn a_misspelt_key_and_an_impossible_value_are_refused() {
        assert!(accepts(GOOD));
        let traced =
            |trace: &str| accepts(&GOOD.replace("[point]", &format!("trace = {trace}\n[point]")));
        assert!(traced("\"a.pcap\"") && traced("[\"a.pcap\", \"b.pcap\"]"));
        assert!(traced("{ path = [\"a.pcap\"], packets = 5 }") && traced("{ packets = 5 }"));
        assert!(!traced("3") && !traced("{ paths = \"a.pcap\" }"));
        for (right, wrong) in [
            ("trials", "trails"),
            ("kind", "kinds"),
            ("buckets", "bucket"),
            ("step", "stepp"),
            ("quick", "quik"),
            ("label", "lable"),
            ("\"single\"", "\"singel\""),
            ("\"open\"", "\"opne\""),
            ("[1, 2]", "[1, -2]"),
            ("[1, 2]", "[]"),
            ("[[series]]", "[series]"),
        ] {
            assert!(GOOD.contains(right));
            assert!(!accepts(&GOOD.replacen(right, wrong, 1)), "{wrong}");
        }
    }
}
