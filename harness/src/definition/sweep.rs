//! The value of a parameter: a scalar, a list, a range, or one of these per scale.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use loadfactor_schemes::params::{Domain, Param, Scalar};
use toml::de::DeValue;

use super::diagnostics::{Errors, Mistake, Span};
use super::keys::{RANGE, SCALES};
use super::range::{self, Advance, Decimal, MAX_VALUES};
use super::value::{Node, TomlTable, cannot_be, list, scalar};

/// How much an experiment runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Scale {
    /// Seconds, for continuous integration.
    Smoke,
    /// A minute or two for all experiments of a document.
    Quick,
    /// As much as the document ran.
    Paper,
}

impl Scale {
    /// Every scale, from the smallest.
    pub const ALL: [Scale; 3] = [Scale::Smoke, Scale::Quick, Scale::Paper];

    /// Its name in a definition and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Smoke => "smoke",
            Scale::Quick => "quick",
            Scale::Paper => "paper",
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no scale's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a scale: smoke, quick or paper")]
pub struct UnknownScale(pub String);

impl FromStr for Scale {
    type Err = UnknownScale;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let scale = Scale::ALL.into_iter().find(|scale| scale.name() == name);
        scale.ok_or_else(|| UnknownScale(name.to_owned()))
    }
}

/// The values that a parameter takes at the scale asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Values {
    pub(crate) list: Vec<Scalar>,
    /// Whether the definition gives a list or a range, be it of one value.
    pub(crate) swept: bool,
    pub(crate) span: Span,
}

/// Reads the value of a parameter, those of the other scales included, and returns that of `scale`.
pub(crate) fn values(
    param: &Param,
    node: &Node<'_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Values> {
    let Some(table) = scales(node) else { return unscaled(param, node, errors) };
    let of_scale = |scale: Scale, errors: &mut Errors| {
        Some((scale, unscaled(param, table.get(scale.name())?.node, errors)))
    };
    table.only(&SCALES, errors);
    let read: Vec<_> = Scale::ALL.into_iter().filter_map(|scale| of_scale(scale, errors)).collect();
    chosen(read, scale).flatten()
}

/// Reads one value, or one value per scale.
pub(crate) fn single(
    param: &Param,
    node: &Node<'_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Scalar> {
    let values = values(param, node, scale, errors)?;
    if values.swept {
        let title = format!("`{}` cannot be swept", param.name);
        errors.push(Mistake::at(&values.span, title).label(format!("expected {}", param.domain)));
        return None;
    }
    values.list.into_iter().next()
}

/// The entry of the scale, else of the nearest smaller one, else of the nearest larger one.
fn chosen<T>(ascending: Vec<(Scale, T)>, scale: Scale) -> Option<T> {
    let smaller = ascending.iter().rposition(|(given, _)| *given <= scale);
    ascending.into_iter().nth(smaller.unwrap_or(0)).map(|(_, value)| value)
}

/// The table in a node if it is one of values per scale.
fn scales<'t>(node: &'t Node<'t>) -> Option<TomlTable<'t>> {
    let table = TomlTable::new(node.get_ref().as_table()?, node.span());
    Scale::ALL.iter().any(|scale| table.get(scale.name()).is_some()).then_some(table)
}

fn unscaled(param: &Param, node: &Node<'_>, errors: &mut Errors) -> Option<Values> {
    let values = |list, swept| Values { list, swept, span: node.span() };
    match node.get_ref() {
        DeValue::Array(_) => listed(param, node, errors).map(|list| values(list, true)),
        DeValue::Table(table) => {
            let table = TomlTable::new(table, node.span());
            ranged(param, &table, errors).map(|list| values(list, true))
        }
        _ => {
            scalar(param.name, node, &param.domain, errors).map(|value| values(vec![value], false))
        }
    }
}

fn listed(param: &Param, node: &Node<'_>, errors: &mut Errors) -> Option<Vec<Scalar>> {
    let nodes = list(param.name, node, errors)?;
    let mut seen = BTreeSet::new();
    let mut value = |node| {
        let value = scalar(param.name, node, &param.domain, errors)?;
        if !seen.insert(value.to_string()) {
            errors.push(cannot_be(param.name, node).label("stands in the list twice"));
        }
        Some(value)
    };
    // All are read before one is missed, so that each mistake is reported.
    let values: Vec<Option<Scalar>> = nodes.iter().map(&mut value).collect();
    values.into_iter().collect()
}

fn ranged(param: &Param, table: &TomlTable<'_>, errors: &mut Errors) -> Option<Vec<Scalar>> {
    if !matches!(param.domain, Domain::Integer { .. } | Domain::Number { .. }) {
        let mistake = Mistake::at(&table.span, format!("`{}` cannot be a range", param.name));
        errors.push(mistake.label(format!("expected {}, or a list of them", param.domain)));
        return None;
    }
    table.only(&RANGE, errors);
    table.complete(&RANGE, errors);
    let from = decimal(table, "from", errors);
    let to = decimal(table, "to", errors);
    let advance = advance(table, errors);
    match range::values(from?, to?, advance?) {
        Ok(values) => within(param, values, table, errors),
        Err(error) => {
            errors.push(Mistake::at(&table.span, format!("`{}`: {error}", param.name)));
            None
        }
    }
}

fn within(
    param: &Param,
    values: Vec<Scalar>,
    table: &TomlTable<'_>,
    errors: &mut Errors,
) -> Option<Vec<Scalar>> {
    let outside = |value: &&Scalar| param.domain.accept(value).is_none();
    if let Some(value) = values.iter().find(outside) {
        let mistake = Mistake::at(&table.span, format!("`{}` cannot be {value}", param.name));
        errors
            .push(mistake.label(format!("expected {} at every value of the range", param.domain)));
    }
    values.iter().map(|value| param.domain.accept(value)).collect()
}

fn advance(table: &TomlTable<'_>, errors: &mut Errors) -> Option<Advance> {
    let ways: Vec<_> =
        ["step", "steps", "factor"].iter().filter_map(|way| table.get(way)).collect();
    let [way] = ways.as_slice() else {
        let mistake = Mistake::at(&table.span, "a range says in one way how it advances");
        errors.push(mistake.label("expected one of `step`, `steps` and `factor`"));
        return None;
    };
    let log = logarithmic(table, errors)?;
    match (way.key, log) {
        ("steps", log) => {
            let domain = Domain::Integer { min: 1, max: MAX_VALUES as i64 };
            let Scalar::Integer(steps) = table.scalar("steps", &domain, errors)? else {
                return None;
            };
            let steps = steps.unsigned_abs() as usize;
            Some(if log { Advance::LogSteps(steps) } else { Advance::Steps(steps) })
        }
        ("step", false) => decimal(table, "step", errors).map(Advance::Step),
        ("factor", _) => decimal(table, "factor", errors).map(Advance::Factor),
        _ => {
            errors.push(
                Mistake::at(&way.key_span, "a logarithmic range has no `step`")
                    .label("write `factor` or `steps`"),
            );
            None
        }
    }
}

/// Whether the spacing is logarithmic; nothing where it is neither that nor linear.
fn logarithmic(table: &TomlTable<'_>, errors: &mut Errors) -> Option<bool> {
    if table.get("spacing").is_none() {
        return Some(false);
    }
    let spacing = table.scalar("spacing", &Domain::Word(&["linear", "log"]), errors)?;
    Some(spacing == Scalar::Word("log".to_owned()))
}

fn decimal(table: &TomlTable<'_>, key: &str, errors: &mut Errors) -> Option<Decimal> {
    let node = table.get(key)?.node;
    let decimal = match node.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .and_then(|number| Decimal::parse(&number.to_string())),
        DeValue::Float(number) => Decimal::parse(number.as_str()),
        _ => None,
    };
    if decimal.is_none() {
        errors.push(cannot_be(key, node).label("expected a number of at most 15 digits"));
    }
    decimal
}
