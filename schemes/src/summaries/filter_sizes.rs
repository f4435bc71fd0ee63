//! Filters of their own sizes, one for each type: what a summary of bits and one of counters have in common.

use super::summary::any_of;
use super::theory::chances as theory;
use super::{Census, Given, Hashing, Multilevel, TypeFilter};
use crate::Rng;
use crate::chance::Chance;
use crate::math::elementary::pow;
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// Choices of an element in each filter.
pub(super) const FILTER_CHOICES: Param = Param {
    name: "filter_choices",
    domain: Domain::Numbers,
    absent: Absent::Required,
    doc: "Choices of an element in each filter, from B_0 on, with spaces between, such as \"7 49 49 49 49\".",
};

/// The most choices of an element in a filter.
const MOST_CHOICES: u32 = 256;

/// Places and choices of one filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FilterSize {
    /// Bits, or counters.
    pub(super) places: u32,
    pub(super) choices: u32,
}

impl FilterSize {
    /// How many of so many keys that are not in a filter find all their choices there, so many of whose places are set.
    pub(super) fn passing(&self, set: u32, keys: u64, rng: &mut Rng) -> u64 {
        Chance { hits: set, of: self.places }.left_after(self.choices, keys, rng)
    }
}

/// Reads the size of each filter, whose places this parameter lists.
///
/// # Errors
/// Where there are not as many as sub-tables, or a number is not whole or out of range.
pub(super) fn sizes(
    params: &Params,
    places: &Param,
    table: &Multilevel,
) -> Result<Vec<FilterSize>, ParamError> {
    let places = whole(params, places, table, (1 << 31) - 1)?;
    let choices = whole(params, &FILTER_CHOICES, table, MOST_CHOICES)?;
    let size = |(places, choices)| FilterSize { places, choices };
    Ok(places.into_iter().zip(choices).map(size).collect())
}

/// The sizes as theory has them.
pub(super) fn in_theory(filters: &[FilterSize]) -> Vec<theory::FilterSize> {
    let size = |own: &FilterSize| theory::FilterSize { bits: own.places, choices: own.choices };
    filters.iter().map(size).collect()
}

/// A list of whole numbers up to `most`, one for each sub-table.
///
/// # Errors
/// Where a number is not one, or there are not as many as sub-tables.
pub(super) fn whole(
    params: &Params,
    param: &Param,
    table: &Multilevel,
    most: u32,
) -> Result<Vec<u32>, ParamError> {
    let numbers = params.numbers(param.name)?.unwrap_or_default();
    let error = |reason| Err(ParamError::new(param.name, reason));
    if numbers.len() != usize::from(table.types()) {
        let (given, types) = (numbers.len(), table.types());
        return error(format!("lists {given} numbers; there are {types} sub-tables"));
    }
    let impossible = |own: &&f64| own.fract() != 0.0 || **own > f64::from(most);
    match numbers.iter().find(impossible) {
        Some(own) => error(format!("lists {own}; whole numbers from 1 to {most} are possible")),
        None => Ok(numbers.into_iter().map(|own| own as u32).collect()),
    }
}

/// The hash function of each filter.
pub(super) fn hashes(sizes: &[FilterSize], are: &'static str) -> Vec<Hashing> {
    let hashing = |own: &FilterSize| Hashing { choices: own.choices, places: own.places, are };
    sizes.iter().map(hashing).collect()
}

/// Choices among these filters for an element of the table, about: few elements come to those behind the first.
pub(super) fn choices_per_element<'s>(
    sizes: impl IntoIterator<Item = (usize, &'s FilterSize)>,
) -> u32 {
    let choices = |(own, size): (usize, &FilterSize)| match own {
        0 => size.choices,
        _ => size.choices / 8,
    };
    sizes.into_iter().map(choices).sum()
}

/// Each filter but B_0 with the elements that may fail by it: those of type i by B_i.
pub(super) fn type_filters(sizes: &[FilterSize]) -> Vec<TypeFilter> {
    let filter = |(own, size): (u8, &FilterSize)| TypeFilter {
        function: own.into(),
        types: own..=own,
        choices: size.choices,
        places: size.places,
        grouped: false,
    };
    (0..).zip(sizes).skip(1).map(filter).collect()
}

/// What filters with these shares of their places set say, of absent keys if `with_absent`.
///
/// Elements of type i are not in B_i, and are asked for there alone. Their choices in it say nothing of any place, so
/// that given all of them they fail independently of each other.
pub(super) fn given(
    sizes: &[FilterSize],
    set: impl Iterator<Item = f64>,
    census: &Census,
    with_absent: bool,
) -> Given {
    let mut given = Given::of_types(sizes.len() as u8);
    let mut none_fails = 1.0;
    for (own, (size, set)) in (0_u8..).zip(sizes.iter().zip(set)) {
        let share = pow(set, size.choices.into());
        if own == 0 {
            given.false_positive = with_absent.then_some(share);
            continue;
        }
        let elements = census.of_type(own);
        given.failing[usize::from(own) - 1] = f64::from(elements) * share;
        // 1 − (1 − a)(1 − b) = a + b(1 − a) keeps the digits of small probabilities.
        let fails = any_of(elements, share);
        given.failure += none_fails * fails;
        none_fails *= 1.0 - fails;
    }
    given
}
