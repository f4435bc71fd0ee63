//! What families call the things along axes.

use loadfactor_schemes::families;
use loadfactor_schemes::family::{Axis, AxisKind};

/// What a family says of a name along an axis.
pub(super) fn declared(name: &str) -> Option<&'static Axis> {
    families::families().flat_map(|family| family.axes).find(|axis| axis.name == name)
}

/// A parameter as it is written on an axis.
pub(super) fn label(parameter: &str) -> String {
    declared(parameter).map_or_else(|| parameter.replace('_', " "), |axis| axis.label.to_owned())
}

/// How a value of a parameter is introduced, such as `h =`.
pub(super) fn introduction(parameter: &str) -> String {
    let symbol = declared(parameter).and_then(|axis| axis.symbol);
    symbol.map_or_else(|| parameter.replace('_', " "), str::to_owned)
}

/// Whether the name is one of several columns that say the same.
pub(super) fn is_column(name: &str) -> bool {
    declared(name).is_some_and(|axis| axis.kind == AxisKind::Column)
}
