//! Figures in which lines are divided by others.

use super::diagnostics::{Errors, Mistake};
use super::figure::id_of;
use super::lines::lines;
use super::value::TomlTable;
use super::{FigureDef, Point};

/// Each line of a figure of ratios must have one below it: its own, or one that is there for all.
pub(crate) fn check(
    tables: &[TomlTable<'_>],
    figures: &[FigureDef],
    (labels, points): (&[&str], &[Point]),
    errors: &mut Errors,
) {
    for (i, table) in tables.iter().enumerate() {
        let figure = figures.iter().find(|figure| figure.id == id_of(i, table));
        let Some((figure, entry)) = figure.zip(table.get("ratio_to")) else { continue };
        if let Some(title) = unequal(figure, labels, points) {
            let label = "let both have as many, or the second one alone";
            errors.push(Mistake::at(&entry.node.span(), title).label(label));
        }
    }
}

/// What is wrong with the first series whose lines have no partners.
fn unequal(figure: &FigureDef, labels: &[&str], points: &[Point]) -> Option<String> {
    let number = |series: usize| {
        let own: Vec<&Point> = points.iter().filter(|point| point.series == series).collect();
        lines(&own, [&figure.x.column, &figure.y.column]).len()
    };
    let counted = |series: usize| {
        let number = number(series);
        let lines = if number == 1 { "line" } else { "lines" };
        format!("{number} {lines} of `{}`", labels.get(series).copied().unwrap_or_default())
    };
    let has_partners = |own, below| [1, number(own)].contains(&number(below));
    let mut pairs = figure.series.iter().zip(&figure.ratio_to);
    let (&own, &below) = pairs.find(|(own, below)| !has_partners(**own, **below))?;
    Some(format!("`ratio_to` divides {} by {}", counted(own), counted(below)))
}
