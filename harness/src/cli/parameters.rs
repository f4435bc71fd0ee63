//! Parameters of a point on the command line, each with a value or a list of values.

use std::str::FromStr;

use toml::Value;

use super::exit::BadInput;

/// A parameter with its values as they stand in a definition.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

impl FromStr for Parameter {
    type Err = String;

    /// Reads NAME=VALUE. The value is one of TOML, or a list of them; a word needs no quotes.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
        let name = name.trim();
        if !is_word(name) {
            return Err(format!("`{name}` is no name"));
        }
        Ok(Self { name: name.to_owned(), values: values(value.trim())? })
    }
}

fn values(text: &str) -> Result<Vec<String>, String> {
    let Some(list) = text.strip_prefix('[').and_then(|list| list.strip_suffix(']')) else {
        return Ok(vec![literal(text)?]);
    };
    // Commas inside quotes are TOML's to tell from those between values.
    match toml_value(text) {
        Some(Value::Array(list)) if list.is_empty() => Err("an empty list asks nothing".to_owned()),
        Some(Value::Array(list)) => list.iter().map(scalar).collect(),
        _ => list.split(',').map(|one| literal(one.trim())).collect(),
    }
}

/// One value: as TOML has it, or a number or word as people write them.
fn literal(text: &str) -> Result<String, String> {
    if let Some(value) = toml_value(text) {
        return scalar(&value);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(format!("{number:?}")),
        _ if is_word(text) => Ok(format!("\"{text}\"")),
        _ => Err(format!("`{text}` is no value")),
    }
}

fn toml_value(text: &str) -> Option<Value> {
    let mut table: toml::Table = format!("value = {text}").parse().ok()?;
    table.remove("value").filter(|_| table.is_empty())
}

fn scalar(value: &Value) -> Result<String, String> {
    match value {
        Value::Float(number) if !number.is_finite() => Err(format!("{number} is no value")),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
            Ok(value.to_string())
        }
        _ => Err(format!("`{value}` is no number, word or list of them")),
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// A name that an option gives.
pub(super) fn word(option: &str, name: &str) -> Result<String, BadInput> {
    match is_word(name) {
        true => Ok(name.to_owned()),
        false => Err(BadInput(format!("error: {option}: `{name}` is no name"))),
    }
}

/// Checks that each name is given once, and none that has an option of its own.
pub(super) fn check_names(given: &[Parameter]) -> Result<(), BadInput> {
    for (index, Parameter { name, .. }) in given.iter().enumerate() {
        if ["scheme", "hash"].contains(&name.as_str()) {
            return Err(BadInput(format!("error: --set {name}: use --{name}")));
        }
        if given[..index].iter().any(|earlier| earlier.name == *name) {
            return Err(BadInput(format!("error: --set {name} is given twice")));
        }
    }
    Ok(())
}

/// Every choice of one value for each name, the last varying fastest.
pub(super) fn combinations(given: &[Parameter]) -> Vec<Vec<(String, String)>> {
    given.iter().fold(vec![Vec::new()], |begun, Parameter { name, values }| {
        let longer = |one: &Vec<(String, String)>| {
            let one = one.clone();
            let with = |value: &String| {
                one.iter().cloned().chain([(name.clone(), value.clone())]).collect()
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        begun.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values_of(text: &str) -> Result<Vec<String>, String> {
        text.parse().map(|parameter: Parameter| parameter.values)
    }

    #[test]
    fn a_value_is_one_of_toml_or_a_word_or_a_list_of_them() {
        for (text, values) in [
            ("choices=3", &["3"][..]),
            ("load=.5", &["0.5"]),
            ("load = 1e-1", &["0.1"]),
            ("sub_tables=true", &["true"]),
            ("choices_from=double", &["\"double\""]),
            ("choices_from=\"double\"", &["\"double\""]),
            ("load=[.3, 0.6]", &["0.3", "0.6"]),
            ("choices_from=[seeds,double]", &["\"seeds\"", "\"double\""]),
            ("sizes=[\"16, 8\", \"8 8\"]", &["\"16, 8\"", "\"8 8\""]),
        ] {
            assert_eq!(values_of(text).unwrap(), values, "{text}");
        }
        for text in ["load", "load=", "lo ad=3", "load=[]", "load=NaN3%", "load=nan", "load=[[1]]"]
        {
            assert!(values_of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_are_combined() {
        let given = ["a=[1,2]", "b=x", "c=[3,4]"].map(|text| text.parse().unwrap());
        let all = combinations(&given);
        let texts: Vec<String> = all
            .iter()
            .map(|one| one.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(texts, ["1 \"x\" 3", "1 \"x\" 4", "2 \"x\" 3", "2 \"x\" 4"]);
    }
}
