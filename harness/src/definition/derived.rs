//! The `[[derived]]` tables of a definition.

use std::collections::BTreeSet;

use loadfactor_schemes::family::Family;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Domain, Scalar};
use loadfactor_schemes::prediction::Kind;

use super::condition::Condition;
use super::derivation::{
    Coordinates, CurveName, Derivation, Derived, Extreme, LargestError, Operand, Optimum, Pair,
    abscissa,
};
use super::diagnostics::{Errors, Mistake};
use super::each;
use super::keys::DERIVED;
use super::point::Point;
use super::settings::{measured_by, metric};
use super::suggestion::quoted;
use super::value::{Entry, Node, TomlTable, cannot_be, list, scalar_as_written, table, text};
use super::vocabulary::curve;

/// The keys of which a derived quantity has one: how it is made.
const WAYS: [&str; 9] = [
    "ratio",
    "difference",
    "order",
    "least",
    "greatest",
    "largest_error",
    "largest_relative_error",
    "optimum",
    "poisson_tail",
];

/// In `where`, the prediction itself.
pub(crate) const PREDICTED: &str = "predicted";

/// What a derived quantity may name.
pub(crate) struct Context<'a> {
    /// The labels of the series.
    pub(crate) labels: &'a [&'a str],
    /// The family of the scheme of each series.
    pub(crate) families: &'a [&'static Family],
    /// All points.
    pub(crate) points: &'a [Point],
    /// Whether coordinates must meet points: sweeps may be shorter at other scales.
    pub(crate) complete: bool,
}

/// Reads the derived quantities.
pub(crate) fn read(
    tables: &[TomlTable<'_>],
    context: &Context<'_>,
    errors: &mut Errors,
) -> Vec<Derived> {
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for table in tables {
        table.only(&DERIVED, errors);
        table.complete(&DERIVED, errors);
        for filled in each::filled(table, errors) {
            all.extend(one(&filled.table(), context, &all, &mut names, errors));
        }
    }
    all
}

/// Reads the quantity of one table.
fn one(
    table: &TomlTable<'_>,
    context: &Context<'_>,
    earlier: &[Derived],
    names: &mut BTreeSet<String>,
    errors: &mut Errors,
) -> Option<Derived> {
    let name = table.text("name", errors)?;
    if context.labels.contains(&name) || curve(name).is_some() || !names.insert(name.to_owned()) {
        let title = format!("`{name}` is the name of something else already");
        errors.push(
            Mistake::at(&table.span, title)
                .label("derived quantities, series and curves of theory have names of their own"),
        );
    }
    let derivation = Reader { table, context, earlier }.derivation(errors)?;
    Some(Derived { name: name.to_owned(), derivation })
}

/// Reads one table.
struct Reader<'a, 't> {
    table: &'a TomlTable<'t>,
    context: &'a Context<'a>,
    /// The derived quantities further up.
    earlier: &'a [Derived],
}

impl<'t> Reader<'_, 't> {
    fn derivation(&self, errors: &mut Errors) -> Option<Derivation> {
        let entry = self.way(errors)?;
        match entry.key {
            "ratio" => self.pair(entry, errors).map(Derivation::Ratio),
            "difference" => self.pair(entry, errors).map(Derivation::Difference),
            "order" => self.order(entry, errors),
            "least" => self.extreme(entry, false, errors).map(Derivation::Extreme),
            "greatest" => self.extreme(entry, true, errors).map(Derivation::Extreme),
            "largest_error" => {
                self.largest_error(entry, false, errors).map(Derivation::LargestError)
            }
            "largest_relative_error" => {
                self.largest_error(entry, true, errors).map(Derivation::LargestError)
            }
            "optimum" => self.optimum(entry, errors).map(Derivation::Optimum),
            _ => poisson_tail(entry, errors),
        }
    }

    /// The key that says how the quantity is made.
    fn way(&self, errors: &mut Errors) -> Option<&Entry<'t>> {
        let ways: Vec<&Entry<'t>> = WAYS.iter().filter_map(|way| self.table.get(way)).collect();
        let (span, title) = match ways[..] {
            [one] => return Some(one),
            [] => (&self.table.span, "a derived quantity lacks its derivation"),
            [_, second, ..] => (&second.key_span, "a derived quantity has one derivation"),
        };
        errors.push(Mistake::at(span, title).label(format!("expected one of {}", WAYS.join(", "))));
        None
    }

    fn pair(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Pair> {
        let operands = self.operands(entry, errors)?;
        let Ok(operands) = <[Operand; 2]>::try_from(operands) else {
            errors.push(cannot_be(entry.key, entry.node).label("expected two names"));
            return None;
        };
        let at = self.at(errors)?;
        let of = self.demand("of", errors)?;
        let of_points = operands.iter().any(|operand| !matches!(operand, Operand::Derived(_)));
        if of_points {
            self.metric(of, errors)?;
            self.check_one_point(&operands, &at, errors);
        }
        self.check_yielded(&operands, of, errors);
        let of = text("of", of.node, errors)?.to_owned();
        Some(Pair { of, operands, at })
    }

    fn order(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Derivation> {
        let operands = self.operands(entry, errors)?;
        let entry = self.demand("of", errors)?;
        let of = self.metric(entry, errors);
        self.check_yielded(&operands, entry, errors);
        let at = self.at(errors)?;
        self.check_one_point(&operands, &at, errors);
        Some(Derivation::Order { operands, of: of?, at })
    }

    fn extreme(&self, entry: &Entry<'t>, greatest: bool, errors: &mut Errors) -> Option<Extreme> {
        let x = text(entry.key, entry.node, errors)?;
        let series = self.one_series(errors);
        let condition = self.condition(errors);
        self.check_measured(condition.iter().flatten().next(), errors);
        let at = self.at(errors)?;
        let (series, condition) = (series?, condition??);
        let mut own = self.context.points.iter().filter(|point| point.series == series);
        if !own.any(|point| abscissa(point, x).is_some()) {
            let mistake = cannot_be(entry.key, entry.node);
            errors.push(mistake.label("the series has no parameter, column or place of this name"));
        }
        Some(Extreme { x: x.to_owned(), series, at, condition, greatest })
    }

    fn largest_error(
        &self,
        entry: &Entry<'t>,
        relative: bool,
        errors: &mut Errors,
    ) -> Option<LargestError> {
        let of = self.metric(entry, errors);
        let series = match self.table.get("series") {
            Some(entry) => self.several_series(entry, errors)?,
            None => (0..self.context.labels.len()).collect(),
        };
        let condition = match self.table.get("where") {
            Some(_) => self.condition(errors)?,
            None => None,
        };
        if condition.as_ref().is_some_and(|condition| condition.quantity != PREDICTED) {
            self.check_measured(condition.as_ref(), errors);
        }
        let against = self.against(errors);
        let at = self.at(errors)?;
        Some(LargestError { of: of?, series, at, condition, against, relative })
    }

    fn optimum(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Optimum> {
        let least = text(entry.key, entry.node, errors)?.to_owned();
        let series = self.one_series(errors);
        let condition = self.condition(errors)??;
        let Some(at_most) = condition.at_most() else {
            let span = self.table.get("where").map_or(&self.table.span, |entry| &entry.key_span);
            let mistake = Mistake::at(span, "an optimum holds one quantity");
            errors.push(mistake.label("expected such as `space <= 1.2`"));
            return None;
        };
        let equal = self.table.scalar("equal", &Domain::Flag, errors);
        let equal = equal == Some(Scalar::Flag(true));
        Some(Optimum { series: series?, least, of: condition.quantity, at_most, equal })
    }

    /// The metric that an entry names, which the family of some series measures.
    fn metric(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Metric> {
        let metric = metric(entry.key, entry, errors)?;
        measured_by(self.context.families, metric, entry, errors)?;
        Some(metric)
    }

    /// A condition on measurements must be on a metric of theirs.
    fn check_measured(&self, condition: Option<&Condition>, errors: &mut Errors) {
        let Some((condition, entry)) = condition.zip(self.table.get("where")) else { return };
        match condition.quantity.parse() {
            Ok(metric) => {
                measured_by(self.context.families, metric, entry, errors);
            }
            Err(_) => {
                let names = Metric::names();
                let title = format!("`{}` is no metric", condition.quantity);
                let mistake = Mistake::at(&entry.node.span(), title);
                let valid = names.iter().map(String::as_str);
                errors.push(mistake.suggest(&condition.quantity, valid));
            }
        }
    }

    /// A key that this derivation needs.
    fn demand(&self, key: &str, errors: &mut Errors) -> Option<&Entry<'t>> {
        let entry = self.table.get(key);
        if entry.is_none() {
            let title = format!("this derived quantity lacks `{key}`");
            errors.push(Mistake::at(&self.table.span, title));
        }
        entry
    }

    fn operands(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Vec<Operand>> {
        let nodes = list(entry.key, entry.node, errors)?;
        let found: Vec<Option<Operand>> =
            nodes.iter().map(|node| self.operand(entry.key, node, errors)).collect();
        found.into_iter().collect()
    }

    fn operand(&self, key: &str, node: &Node<'t>, errors: &mut Errors) -> Option<Operand> {
        let name = text(key, node, errors)?;
        if let Some(series) = self.context.labels.iter().position(|label| *label == name) {
            return Some(Operand::Series(series));
        }
        if let Some(curve) = curve(name) {
            return Some(Operand::Curve(CurveName(curve)));
        }
        if self.earlier_of(name).is_some() {
            return Some(Operand::Derived(name.to_owned()));
        }
        let title = format!("no series, curve or derived quantity above has the name `{name}`");
        let curves = self.context.families.iter().flat_map(|family| family.curves);
        let curves = curves.map(|curve| curve.name);
        let known = self.context.labels.iter().copied().chain(curves);
        let known = known.chain(self.earlier.iter().map(|derived| derived.name.as_str()));
        errors.push(Mistake::at(&node.span(), title).suggest(name, known));
        None
    }

    fn earlier_of(&self, name: &str) -> Option<&Derived> {
        self.earlier.iter().find(|derived| derived.name == name)
    }

    /// Every derived quantity among the operands must yield what is asked of it.
    fn check_yielded(&self, operands: &[Operand], of: &Entry<'t>, errors: &mut Errors) {
        let Some(wanted) = of.node.get_ref().as_str() else { return };
        for operand in operands {
            let Operand::Derived(name) = operand else { continue };
            let yielded = self
                .earlier_of(name)
                .and_then(|derived| derived.derivation.quantities(self.context.points));
            let Some(yielded) = yielded.filter(|own| !own.contains(wanted)) else { continue };
            let yielded: Vec<&str> = yielded.iter().map(String::as_str).collect();
            let mistake = cannot_be(of.key, of.node);
            let mistake = mistake.label(format!("`{name}` yields {}", quoted(&yielded)));
            errors.push(mistake.suggest(wanted, yielded));
        }
    }

    fn one_series(&self, errors: &mut Errors) -> Option<usize> {
        let entry = self.demand("series", errors)?;
        self.label("series", entry.node, errors)
    }

    fn several_series(&self, entry: &Entry<'t>, errors: &mut Errors) -> Option<Vec<usize>> {
        let nodes = list(entry.key, entry.node, errors)?;
        let found: Vec<Option<usize>> =
            nodes.iter().map(|node| self.label(entry.key, node, errors)).collect();
        found.into_iter().collect()
    }

    fn label(&self, key: &str, node: &Node<'t>, errors: &mut Errors) -> Option<usize> {
        let label = text(key, node, errors)?;
        let labels = self.context.labels;
        let series = labels.iter().position(|own| *own == label);
        if series.is_none() {
            let mistake = Mistake::at(&node.span(), format!("no series has the label `{label}`"));
            errors.push(mistake.suggest(label, labels.iter().copied()));
        }
        series
    }

    /// The condition under `where`; nothing where it is wrong.
    fn condition(&self, errors: &mut Errors) -> Option<Option<Condition>> {
        let entry = self.demand("where", errors)?;
        let condition = Condition::parse(text("where", entry.node, errors)?);
        if condition.is_none() {
            let label = "expected such as `predicted > 1e-4` or `1e-5 < predicted <= 1e-3`";
            errors.push(cannot_be("where", entry.node).label(label));
            return None;
        }
        Some(condition)
    }

    /// The kind of prediction that errors are measured from: the limit where none is named.
    fn against(&self, errors: &mut Errors) -> Kind {
        const NAMES: &[&str] = &["exact", "asymptotic", "refined", "approximate"];
        let word = self.table.scalar("against", &Domain::Word(NAMES), errors);
        let named =
            word.and_then(|word| Kind::ALL.into_iter().find(|k| k.name() == word.to_string()));
        named.unwrap_or(Kind::Asymptotic)
    }

    fn at(&self, errors: &mut Errors) -> Option<Coordinates> {
        let Some(entry) = self.table.get("at") else { return Some(Coordinates::default()) };
        let table = table("at", entry.node, errors)?;
        let mut coordinates = Vec::new();
        for entry in &table.entries {
            self.check_place(entry, errors);
            match scalar_as_written(entry.node) {
                Some(value) => coordinates.push((entry.key.to_owned(), value)),
                None => errors.push(cannot_be(entry.key, entry.node).label("expected one value")),
            }
        }
        Some(Coordinates(coordinates))
    }

    /// Some point must have what a coordinate names.
    fn check_place(&self, entry: &Entry<'t>, errors: &mut Errors) {
        let points = self.context.points;
        let has = |point: &Point| {
            point.value(entry.key).is_some() || abscissa(point, entry.key).is_some()
        };
        if points.is_empty() || points.iter().any(has) {
            return;
        }
        let title = format!("no point has a `{}`", entry.key);
        let names: BTreeSet<&str> =
            points.iter().flat_map(|point| point.params.iter().map(|(name, _)| name)).collect();
        errors.push(Mistake::at(&entry.key_span, title).suggest(entry.key, names));
    }

    /// Every series must have exactly one point there.
    fn check_one_point(&self, operands: &[Operand], at: &Coordinates, errors: &mut Errors) {
        for operand in operands {
            let Operand::Series(series) = *operand else { continue };
            let own = || self.context.points.iter().filter(|point| point.series == series);
            let points = own().filter(|point| at.hold(point)).count();
            // A sweep may be shorter at other scales, and leave none.
            if points > 1 || (points == 0 && self.context.complete) {
                let label = self.context.labels.get(series).copied().unwrap_or_default();
                let span = self.table.get("at").map_or(&self.table.span, |entry| &entry.key_span);
                let title = match points {
                    0 => format!("no point of the series `{label}` is there"),
                    _ => format!("{points} points of the series `{label}` are there"),
                };
                let mistake =
                    Mistake::at(span, title).label("`at` must leave one point of each series");
                errors.push(match at.unmet(own()) {
                    Some(unmet) => mistake.help(unmet.to_string()),
                    None => mistake,
                });
            }
        }
    }
}

fn poisson_tail(entry: &Entry<'_>, errors: &mut Errors) -> Option<Derivation> {
    let nodes = list(entry.key, entry.node, errors)?;
    let numbers: Vec<Option<Scalar>> = nodes.iter().map(scalar_as_written).collect();
    let tail = match &numbers[..] {
        [Some(mean), Some(Scalar::Integer(above))] => {
            let mean = mean.as_number().filter(|mean| *mean > 0.0 && mean.is_finite());
            mean.zip(u32::try_from(*above).ok())
        }
        _ => None,
    };
    if tail.is_none() {
        let label = "expected a mean and a whole number, such as `[20, 64]`";
        errors.push(cannot_be(entry.key, entry.node).label(label));
    }
    tail.map(|(mean, above)| Derivation::PoissonTail { mean, above })
}
