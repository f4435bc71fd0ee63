//! Parameters as data: one declaration yields parsing, checks, documentation and the table's columns.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

/// One value of one parameter at one point of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A whole number, such as a number of buckets.
    Integer(i64),
    /// A real number, such as a load.
    Number(f64),
    /// A word out of a fixed list, such as `"random"`.
    Word(String),
    /// True or false.
    Flag(bool),
}

impl Scalar {
    /// The value of a number, whole or real.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Scalar::Integer(value) => Some(*value as f64),
            Scalar::Number(value) => Some(*value),
            Scalar::Word(_) | Scalar::Flag(_) => None,
        }
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        Scalar::Integer(value)
    }
}

impl From<u32> for Scalar {
    fn from(value: u32) -> Self {
        Scalar::Integer(value.into())
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Self {
        Scalar::Number(value)
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Scalar::Flag(value)
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Scalar::Word(value.to_owned())
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Integer(value) => write!(f, "{value}"),
            Scalar::Number(value) => write!(f, "{value}"),
            Scalar::Word(value) => f.write_str(value),
            Scalar::Flag(value) => write!(f, "{value}"),
        }
    }
}

/// The values that a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// Whole numbers from `min` to `max`, both included.
    Integer {
        /// The smallest value allowed.
        min: i64,
        /// The largest value allowed.
        max: i64,
    },
    /// Real numbers from `min` to `max`, both included.
    Number {
        /// The smallest value allowed.
        min: f64,
        /// The largest value allowed.
        max: f64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Positive numbers with spaces between, in one text: a list in a definition is a sweep.
    Numbers,
    /// The name of a metric. Whether there is one is for whoever knows the families to say.
    Metric,
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Domain::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Domain::Word(words) => {
                f.write_str("one of ")?;
                for (i, word) in words.iter().enumerate() {
                    write!(f, "{}\"{word}\"", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Domain::Flag => f.write_str("true or false"),
            Domain::Numbers => f.write_str("positive numbers with spaces between, in quotes"),
            Domain::Metric => f.write_str("the name of a metric, in quotes"),
        }
    }
}

impl Domain {
    /// The value as this domain holds it, or `None` where it is outside.
    ///
    /// A whole number is accepted where a real number is wanted; nothing else is converted.
    pub fn accept(&self, value: &Scalar) -> Option<Scalar> {
        match (self, value) {
            (Domain::Integer { min, max }, Scalar::Integer(v)) if (min..=max).contains(&v) => {
                Some(value.clone())
            }
            (Domain::Number { min, max }, Scalar::Number(v)) if (min..=max).contains(&v) => {
                Some(value.clone())
            }
            (Domain::Number { .. }, Scalar::Integer(v)) => self.accept(&Scalar::Number(*v as f64)),
            (Domain::Word(words), Scalar::Word(v)) if words.contains(&v.as_str()) => {
                Some(value.clone())
            }
            (Domain::Flag, Scalar::Flag(_)) => Some(value.clone()),
            (Domain::Numbers, Scalar::Word(v)) if numbers(v).is_some() => Some(value.clone()),
            (Domain::Metric, Scalar::Word(_)) => Some(value.clone()),
            _ => None,
        }
    }
}

/// The numbers in a text, at least one and all positive.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |word: &str| word.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

/// What holds where a definition does not name the parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Absent {
    /// The definition must name it.
    Required,
    /// It stays absent; its documentation says what that means.
    Optional,
    /// This whole number.
    Integer(i64),
    /// This real number.
    Number(f64),
    /// This word.
    Word(&'static str),
    /// This flag.
    Flag(bool),
}

impl Absent {
    /// The default as a value, where there is one.
    pub fn value(&self) -> Option<Scalar> {
        match *self {
            Absent::Required | Absent::Optional => None,
            Absent::Integer(value) => Some(Scalar::Integer(value)),
            Absent::Number(value) => Some(Scalar::Number(value)),
            Absent::Word(value) => Some(Scalar::Word(value.to_owned())),
            Absent::Flag(value) => Some(Scalar::Flag(value)),
        }
    }
}

/// The declaration of one parameter of a scheme, a hash or a workload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// Its key in a definition and its column in the table.
    pub name: &'static str,
    /// The values that it may take.
    pub domain: Domain,
    /// What holds where it is not named.
    pub absent: Absent,
    /// What it is, in one or two sentences, with the paper's symbol where there is one.
    pub doc: &'static str,
}

/// The parameters of one point, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params(BTreeMap<String, Scalar>);

/// A parameter whose value cannot be used, alone or together with the others.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("`{name}`: {reason}")]
pub struct ParamError {
    /// The parameter to change.
    pub name: String,
    /// What is wrong with it and what would be right.
    pub reason: String,
}

impl ParamError {
    /// An error at the parameter `name`.
    pub fn new(name: &str, reason: impl Into<String>) -> Self {
        Self { name: name.to_owned(), reason: reason.into() }
    }
}

impl Params {
    /// These values, and the declared parameters that are not among them as they are by default.
    ///
    /// # Errors
    /// The first value whose parameter is not declared or does not accept it.
    pub fn complete<'p>(
        declared: impl IntoIterator<Item = &'p Param>,
        given: &[(&str, Scalar)],
    ) -> Result<Self, ParamError> {
        let declared: Vec<&Param> = declared.into_iter().collect();
        let mut params = Self::default();
        for param in &declared {
            if let Some(value) = param.absent.value() {
                params.set(param.name, value);
            }
        }
        for (name, value) in given {
            let param = declared.iter().find(|param| param.name == *name);
            let param = param.ok_or_else(|| ParamError::new(name, "there is no such parameter"))?;
            let expected =
                || ParamError::new(name, format!("expected {}, found {value}", param.domain));
            params.set(name, param.domain.accept(value).ok_or_else(expected)?);
        }
        Ok(params)
    }

    /// Sets a parameter; a later value replaces an earlier one.
    pub fn set(&mut self, name: &str, value: Scalar) {
        self.0.insert(name.to_owned(), value);
    }

    /// The value of a parameter, where it has one.
    pub fn get(&self, name: &str) -> Option<&Scalar> {
        self.0.get(name)
    }

    /// All parameters, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Scalar)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A whole number that is not negative.
    ///
    /// # Errors
    /// Where it is absent or of another type.
    pub fn integer(&self, name: &str) -> Result<u64, ParamError> {
        match self.get(name) {
            Some(Scalar::Integer(value)) if *value >= 0 => Ok(value.unsigned_abs()),
            other => Err(wrong(name, "a whole number", other)),
        }
    }

    /// A whole number of at most 32 bits.
    ///
    /// # Errors
    /// Where it is absent, too large or of another type.
    pub fn small(&self, name: &str) -> Result<u32, ParamError> {
        let value = self.integer(name)?;
        u32::try_from(value).map_err(|_| {
            ParamError::new(name, format!("{value} is too large: at most {}", u32::MAX))
        })
    }

    /// A real number.
    ///
    /// # Errors
    /// Where it is absent or of another type.
    pub fn number(&self, name: &str) -> Result<f64, ParamError> {
        match self.get(name) {
            Some(Scalar::Number(value)) => Ok(*value),
            Some(Scalar::Integer(value)) => Ok(*value as f64),
            other => Err(wrong(name, "a number", other)),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// Where it is absent or of another type.
    pub fn flag(&self, name: &str) -> Result<bool, ParamError> {
        match self.get(name) {
            Some(Scalar::Flag(value)) => Ok(*value),
            other => Err(wrong(name, "true or false", other)),
        }
    }

    /// Positive numbers, at least one; `None` where it is absent.
    ///
    /// # Errors
    /// Where it is of another type.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ParamError> {
        match self.get(name) {
            None => Ok(None),
            Some(Scalar::Word(text)) if numbers(text).is_some() => Ok(numbers(text)),
            other => Err(wrong(name, "positive numbers in quotes", other)),
        }
    }

    /// A word.
    ///
    /// # Errors
    /// Where it is absent or of another type.
    pub fn word(&self, name: &str) -> Result<&str, ParamError> {
        match self.get(name) {
            Some(Scalar::Word(value)) => Ok(value),
            other => Err(wrong(name, "a word in quotes", other)),
        }
    }
}

fn wrong(name: &str, expected: &str, found: Option<&Scalar>) -> ParamError {
    match found {
        Some(value) => ParamError::new(name, format!("expected {expected}, found {value}")),
        None => ParamError::new(name, format!("missing; expected {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_accepts_its_own_values_and_widens_whole_numbers_only() {
        let share = Domain::Number { min: 0.0, max: 1.0 };
        assert_eq!(share.accept(&Scalar::Integer(1)), Some(Scalar::Number(1.0)));
        assert_eq!(share.accept(&Scalar::Number(1.5)), None);
        assert_eq!(share.accept(&Scalar::Number(f64::NAN)), None);
        let count = Domain::Integer { min: 1, max: 8 };
        assert_eq!(count.accept(&Scalar::Number(2.0)), None);
        assert_eq!(count.accept(&Scalar::Integer(9)), None);
    }

    #[test]
    fn numbers_are_positive_and_apart() {
        let accept = |text: &str| Domain::Numbers.accept(&Scalar::Word(text.into())).is_some();
        assert!(accept("0.47 0.25") && accept(" 2185  1092 ") && accept("1e-3"));
        assert!(
            !accept("") && !accept("1 0") && !accept("1, 2") && !accept("inf") && !accept("-1")
        );
        assert_eq!(Domain::Numbers.accept(&Scalar::Number(0.5)), None);
    }

    #[test]
    fn a_getter_names_the_parameter_and_what_it_wanted() {
        let mut params = Params::default();
        params.set("buckets", Scalar::Word("many".into()));
        let error = params.integer("buckets").unwrap_err();
        assert_eq!(error.to_string(), "`buckets`: expected a whole number, found many");
        assert_eq!(params.number("load").unwrap_err().name, "load");
    }
}
