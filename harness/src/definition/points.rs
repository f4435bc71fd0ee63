//! From the values of a series to its points.

use std::collections::BTreeSet;

use loadfactor_schemes::case::Request;
use loadfactor_schemes::hash::HashKind;
use loadfactor_schemes::params::{ParamError, Params, Scalar};

use super::diagnostics::{Errors, Mistake};
use super::point::Point;
use super::series::{Given, Series};
use super::value::{Entry, Node, cannot_be, list, text};

/// The most points that one experiment may have.
pub(crate) const MAX_POINTS: usize = 100_000;

/// Sweeps that advance together: indices into the series' values, all of the same length.
type Axis = Vec<usize>;

/// The points of a series, the last swept key varying fastest.
pub(crate) fn expand(
    index: usize,
    series: &Series<'_>,
    room: usize,
    errors: &mut Errors,
) -> Option<Vec<Point>> {
    let axes = axes(series, errors)?;
    let lengths: Vec<usize> = axes.iter().map(|axis| length(series, axis)).collect();
    let count = lengths.iter().try_fold(1usize, |product, length| product.checked_mul(*length));
    let Some(count) = count.filter(|count| *count <= room) else {
        errors.push(too_many(series, count));
        return None;
    };
    let mut reported = BTreeSet::new();
    let mut points = Vec::with_capacity(count);
    for number in 0..count {
        let given = chosen(series, &axes, &lengths, number);
        match point(index, series, &given) {
            Ok(point) => points.push(point),
            Err(error) => {
                let known = !errors.is_empty() && series.misspelt.contains(&error.name.as_str());
                if reported.insert(error.name.clone()) && !known {
                    errors.push(impossible(series, &error.name, &error.to_string(), &given));
                }
            }
        }
    }
    reported.is_empty().then_some(points)
}

fn length(series: &Series<'_>, axis: &[usize]) -> usize {
    axis.first().map_or(1, |&i| series.given[i].values.list.len())
}

/// The value of each given parameter at the point of this number.
fn chosen<'s>(
    series: &'s Series<'_>,
    axes: &[Axis],
    lengths: &[usize],
    number: usize,
) -> Vec<(&'s Given, &'s Scalar)> {
    let mut positions = vec![0; series.given.len()];
    let mut rest = number;
    for (axis, length) in axes.iter().zip(lengths).rev() {
        axis.iter().for_each(|&i| positions[i] = rest % length);
        rest /= length;
    }
    series.given.iter().zip(positions).map(|(given, i)| (given, &given.values.list[i])).collect()
}

/// # Errors
/// The first parameter that is impossible, alone or beside the others.
fn point(
    index: usize,
    series: &Series<'_>,
    given: &[(&Given, &Scalar)],
) -> Result<Point, ParamError> {
    let (hash, params) = values(series, given);
    let kind: HashKind =
        hash.parse().map_err(|_| ParamError::new("hash", format!("there is no hash `{hash}`")))?;
    let Series { scheme, workload, .. } = series;
    let request = Request { scheme: scheme.info, workload, hash: kind, params: &params };
    let case = scheme.read(&request)?.into();
    let (scheme, workload) = (scheme.info.name.to_owned(), workload.name.to_owned());
    Ok(Point { series: index, scheme, hash, workload, params, case })
}

/// The hash function and every parameter, defaults included.
fn values(series: &Series<'_>, given: &[(&Given, &Scalar)]) -> (String, Params) {
    let mut hash = String::new();
    let mut params = Params::default();
    for param in series.params() {
        let set = given.iter().find(|(given, _)| given.param.name == param.name);
        match set.map(|(_, value)| (*value).clone()).or(param.absent.value()) {
            Some(Scalar::Word(word)) if param.name == "hash" => hash = word,
            Some(value) => params.set(param.name, value),
            None => {}
        }
    }
    (hash, params)
}

/// The swept keys as axes, in the order of the file; zipped ones as one axis.
fn axes(series: &Series<'_>, errors: &mut Errors) -> Option<Vec<Axis>> {
    let swept = |i: &usize| series.given[*i].values.swept;
    let groups = match series.zip {
        Some((entry, own)) => groups(series, entry, own, errors)?,
        None => Vec::new(),
    };
    let mut axes: Vec<Axis> = Vec::new();
    for i in (0..series.given.len()).filter(swept) {
        match groups.iter().find(|group| group.contains(&i)) {
            Some(group) if group.iter().min() == Some(&i) => axes.push(group.clone()),
            Some(_) => {}
            None => axes.push(vec![i]),
        }
    }
    Some(axes)
}

/// The groups of `zip` as indices into the series' values.
fn groups(
    series: &Series<'_>,
    entry: &Entry<'_>,
    own: bool,
    errors: &mut Errors,
) -> Option<Vec<Axis>> {
    let mut groups: Vec<Axis> = Vec::new();
    for node in list("zip", entry.node, errors)? {
        let mut group: Axis = Vec::new();
        for name in list("zip", node, errors)? {
            let member = member(series, name, own, errors)?;
            if groups.iter().chain([&group]).flatten().any(|i| Some(*i) == member) {
                errors.push(cannot_be("zip", name).label("stands in `zip` twice"));
                return None;
            }
            group.extend(member);
        }
        check_lengths(series, &group, node, errors)?;
        groups.push(group);
    }
    Some(groups)
}

/// The index of the sweep that a name in `zip` means; `Some(None)` where a shared `zip` names a
/// key that another series sweeps.
fn member(
    series: &Series<'_>,
    node: &Node<'_>,
    own: bool,
    errors: &mut Errors,
) -> Option<Option<usize>> {
    let name = text("zip", node, errors)?;
    let swept = series.given.iter().position(|given| sweeps(given, name));
    if own && swept.is_none() {
        let label = format!("the series `{}` does not sweep it", series.label);
        errors.push(not_swept(node, name, [series]).label(label));
        return None;
    }
    Some(swept)
}

/// Reports a name in the shared `zip` that no series sweeps.
pub(crate) fn check_shared_zip(zip: &Entry<'_>, series: &[Series<'_>], errors: &mut Errors) {
    let groups = zip.node.get_ref().as_array().into_iter().flatten();
    for node in groups.filter_map(|group| group.get_ref().as_array()).flatten() {
        let Some(name) = node.get_ref().as_str() else { continue };
        if !series.iter().flat_map(|series| &series.given).any(|given| sweeps(given, name)) {
            errors.push(not_swept(node, name, series).label("no series sweeps it"));
        }
    }
}

fn sweeps(given: &Given, name: &str) -> bool {
    given.param.name == name && given.values.swept
}

fn not_swept<'s, 't: 's>(
    node: &Node<'_>,
    name: &str,
    series: impl IntoIterator<Item = &'s Series<'t>>,
) -> Mistake {
    let given = series.into_iter().flat_map(|series| &series.given);
    let swept: BTreeSet<&str> =
        given.filter(|given| given.values.swept).map(|given| given.param.name).collect();
    let title = format!("`zip` names `{name}`, which is not swept");
    Mistake::at(&node.span(), title).suggest(name, swept)
}

fn check_lengths(
    series: &Series<'_>,
    group: &[usize],
    node: &Node<'_>,
    errors: &mut Errors,
) -> Option<()> {
    let count = |i: &usize| series.given[*i].values.list.len();
    if group.iter().all(|i| count(i) == length(series, group)) {
        return Some(());
    }
    let counts =
        group.iter().map(|i| format!("`{}` has {}", series.given[*i].param.name, count(i)));
    let label = format!("{} values", counts.collect::<Vec<_>>().join(", "));
    errors.push(Mistake::at(&node.span(), "zipped sweeps have different lengths").label(label));
    None
}

fn too_many(series: &Series<'_>, count: Option<usize>) -> Mistake {
    let longest = series.given.iter().max_by_key(|given| given.values.list.len());
    let span = longest.map_or(&series.span, |given| &given.values.span);
    let count = count
        .map_or("more points than can be counted".to_owned(), |count| format!("{count} points"));
    Mistake::at(
        span,
        format!("the sweep is too large: an experiment has at most {MAX_POINTS} points"),
    )
    .label(format!("the series `{}` has {count}", series.label))
}

fn impossible(
    series: &Series<'_>,
    name: &str,
    error: &str,
    given: &[(&Given, &Scalar)],
) -> Mistake {
    let set = given.iter().find(|(given, _)| given.param.name == name);
    let kind = series.kind.as_ref().filter(|_| name == "kind");
    let span = set.map(|(given, _)| &given.values.span).or(kind).unwrap_or(&series.span);
    Mistake::at(span, error).label(format!("in the series `{}`{}", series.label, place(given)))
}

/// Where in the sweeps a point lies, such as ` at load = 0.3`.
fn place(given: &[(&Given, &Scalar)]) -> String {
    let swept = given.iter().filter(|(given, _)| given.values.swept);
    let values: Vec<String> =
        swept.map(|(given, value)| format!("{} = {value}", given.param.name)).collect();
    if values.is_empty() { String::new() } else { format!(" at {}", values.join(", ")) }
}
