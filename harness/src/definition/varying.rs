//! What tells points apart.

use std::collections::BTreeSet;

use loadfactor_schemes::params::Params;

use super::Point;

/// The settings of a point that are no parameters.
pub(crate) const CHOSEN: [&str; 3] = ["scheme", "workload", "hash"];

/// The settings that do not have the same value everywhere, or that only some of the points have: scheme,
/// workload and hash function, then parameters in order of their names.
pub(crate) fn varying<'p>(mut points: impl Iterator<Item = &'p Point>) -> Vec<String> {
    let Some(first) = points.next() else { return Vec::new() };
    let (mut chosen, mut parameters) = (BTreeSet::new(), BTreeSet::new());
    for point in points {
        chosen.extend(CHOSEN.into_iter().filter(|name| point.value(name) != first.value(name)));
        parameters.extend(different(&first.params, &point.params));
    }
    let chosen = CHOSEN.into_iter().filter(|name| chosen.contains(name));
    chosen.chain(parameters).map(str::to_owned).collect()
}

/// The parameters that two points do not share.
fn different<'p>(a: &'p Params, b: &'p Params) -> Vec<&'p str> {
    // Nearly all points have the same names in the same order, so that two lists are walked side by side.
    let same_names = || a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name));
    if same_names() {
        let pairs = a.iter().zip(b.iter());
        return pairs.filter(|(a, b)| a.1 != b.1).map(|((name, _), _)| name).collect();
    }
    let of = |own: &'p Params, other: &'p Params| {
        own.iter().filter(|(name, value)| other.get(name) != Some(*value)).map(|(name, _)| name)
    };
    of(a, b).chain(of(b, a)).collect()
}
