//! One filter for all types: each cell holds the greatest type of the elements that chose it.

use super::groups::{Fate, Group, OfType, Watch};
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use super::predicted::{self, PREDICTIONS, Union};
use super::summary::any_of;
use super::theory::chances::{FilterSize, Layout};
use super::theory::law::FillLaw;
use super::theory::union_bound::single_filter_bound;
use super::theory::{failure, false_positive};
use super::{
    Answers, Asked, Cells, Census, Given, Hashing, Multilevel, Packing, Summary, TypeFilter,
};
use crate::Rng;
use crate::hash::{Choices, Source};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

pub(super) const CELLS: Param = Param {
    name: "cells",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Cells of the summary, m, a multiple of `cell_choices`.",
};

pub(super) const CELL_CHOICES: Param = Param {
    name: "cell_choices",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Required,
    doc: "Choices of an element among the cells, k: one in each of k groups of m/k cells.",
};

/// The summary of Section 4.7.1: m cells in k groups. An element makes each of its k cells at least its type; the least
/// of its cells is what is told of it, so that no type that is told is too low.
#[derive(Debug, Clone)]
pub struct SingleFilter {
    types: u8,
    choices: u32,
    /// Cells of a group.
    group: u32,
}

impl Summary for SingleFilter {
    const INFO: SchemeInfo = SchemeInfo {
        name: "single-filter-summary",
        summary: "A multilevel table with a summary of m cells in k groups. An element sets its cell in each group to its type, unless a greater one stands there; the least of its cells is told of it, 0 for absent. Cells of values up to 5 stand three in a byte.",
        source: "Kirsch, thesis, Section 4.7.1",
        params: &[ELEMENTS, SUB_TABLE_BUCKETS, BUCKETS_PER_ELEMENT, CELLS, CELL_CHOICES],
        predictions: PREDICTIONS,
    };

    const FAILS_BY_LATER_TYPES: bool = true;

    type Store = Cells;

    type Drawn = Group;

    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        let (cells, choices) = (params.small(CELLS.name)?, params.small(CELL_CHOICES.name)?);
        if !cells.is_multiple_of(choices) {
            let reason = format!("{cells} cells cannot be divided into {choices} equal groups");
            return Err(ParamError::new(CELLS.name, reason));
        }
        Ok(Self { types: table.types(), choices, group: cells / choices })
    }

    fn hashes(&self) -> Vec<Hashing> {
        vec![Hashing { choices: self.choices, places: self.group, are: "cells of a group" }]
    }

    fn bytes(&self, _elements: u32) -> Option<u64> {
        Some(Packing::of(self.types).bytes(self.cells()))
    }

    fn working_bytes(&self, elements: u32) -> u64 {
        u64::from(self.cells()) + 4 * u64::from(elements)
    }

    fn store(&self) -> Cells {
        Cells::new(self.cells(), Packing::of(self.types))
    }

    fn clear(&self, cells: &mut Cells) {
        cells.clear();
    }

    #[inline]
    fn insert<S: Source>(&self, cells: &mut Cells, own: u8, key: &[u8], sources: &mut [S]) {
        for cell in self.cells_of(sources[0].element(key)) {
            cells.raise(cell, own);
        }
    }

    #[inline]
    fn look_up<S: Source>(&self, cells: &Cells, key: &[u8], sources: &mut [S]) -> u8 {
        self.told(sources[0].element(key), |cell| cells.value(cell))
    }

    fn given(&self, cells: &Cells, census: &Census, failing: &[u32]) -> Option<Given> {
        Some(self.given_cells(census, failing, |cell| cells.value(cell)))
    }

    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction> {
        let (size, layout) = (self.size(), Layout::Partitioned);
        let failures = failure::single_filter(law, &size, layout);
        let mut predictions = predicted::failures(law, &failures, &self.union_bound(law));
        if asked.queries > 0 {
            let rate = false_positive::of_filter(law.elements(), &size, layout);
            predictions.extend(predicted::false_positives(rate));
        }
        predictions
    }

    fn failure_chance(&self, _own: u8, later: u32) -> f64 {
        self.size().chance_in_groups(later)
    }

    fn type_filters(&self) -> Vec<TypeFilter> {
        vec![TypeFilter {
            function: 0,
            types: 1..=self.types - 1,
            choices: self.choices,
            places: self.group,
            grouped: true,
        }]
    }

    fn failure_outlook(&self, law: &FillLaw) -> Outlook {
        let failures = failure::single_filter(law, &self.size(), Layout::Partitioned);
        predicted::failure_outlook(&failures, &self.union_bound(law))
    }

    fn drawn(&self) -> Group {
        Group::new(self.group)
    }

    fn ask_drawn(
        &self,
        group: &mut Group,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers {
        self.ask_cells(group, (census, asked), rng, &mut ())
    }
}

impl SingleFilter {
    /// The cells of an element, one in each group.
    #[inline]
    pub(super) fn cells_of(&self, mut choices: impl Choices) -> impl Iterator<Item = u32> {
        let group = self.group;
        (0..self.choices).map(move |own| own * group + choices.next(group))
    }

    /// The type that is told of an element of these choices: the least value of its cells.
    #[inline]
    pub(super) fn told(&self, choices: impl Choices, value: impl Fn(u32) -> u8) -> u8 {
        let mut least = u8::MAX;
        for cell in self.cells_of(choices) {
            least = least.min(value(cell));
            if least == 0 {
                break;
            }
        }
        least
    }

    /// What cells of these values say of such elements, of which so many of each type were found to fail.
    pub(super) fn given_cells(
        &self,
        census: &Census,
        failing: &[u32],
        value: impl Fn(u32) -> u8,
    ) -> Given {
        let mut given = Given::of_types(self.types);
        let above = self.shares_above(value);
        for own in 1..self.types {
            given.failing[usize::from(own) - 1] =
                f64::from(census.of_type(own)) * above[usize::from(own)];
        }
        given.failure = failure(census, above.get(1).copied().unwrap_or_default(), failing);
        given.false_positive = Some(above[0]);
        given
    }

    /// Inserts elements of so many of each type and asks for all of them, and for absent keys.
    ///
    /// The greatest type comes first. When elements of a type come, the cells hold greater ones alone, and no later
    /// element changes whether one of them fails. Absent keys come last.
    pub(super) fn ask_cells<W: Watch>(
        &self,
        group: &mut Group,
        (census, asked): (&Census, &Asked),
        rng: &mut Rng,
        watch: &mut W,
    ) -> Answers {
        let mut types = self.types_in_order::<W>(census, asked);
        for _ in 0..self.choices {
            group.begin();
            types.iter_mut().for_each(|own| group.take(own, rng, watch));
        }
        let mut failing = vec![0; usize::from(self.types)];
        let (mut given, mut positive, mut share) = (Given::of_types(self.types), 0, 0.0);
        for all in &types {
            let Some(of_type) = usize::from(all.own).checked_sub(1) else {
                (given.false_positive, positive) = (Some(all.share), all.passing);
                continue;
            };
            failing[of_type] = all.passing as u32;
            given.failing[of_type] = all.elements as f64 * all.share;
            share = all.share;
        }
        given.failure = failure(census, share, &failing);
        let asked = asked.queries;
        Answers { failing, asked, positive, given: Some(given), ..Answers::default() }
    }

    /// The elements of each type, the greatest first, and behind them the absent keys, if any is asked for.
    fn types_in_order<W: Watch>(&self, census: &Census, asked: &Asked) -> Vec<OfType> {
        let with_absent = asked.queries > 0;
        let fate = |own| match own {
            1 if !with_absent && W::ALL => Fate::Watched,
            1 if !with_absent => Fate::Forgotten,
            _ => Fate::Set,
        };
        let elements = |own| OfType::new(own, census.of_type(own).into(), fate(own));
        let absent = with_absent.then_some(OfType::new(0, asked.queries, Fate::Forgotten));
        (1..=self.types).rev().map(elements).chain(absent).collect()
    }
}

/// The probability that some element fails, given the types above 1 and all cells that they set, of which a type-1
/// element finds all its own set with probability `share`. Elements of those types fail or not as they were found to.
fn failure(census: &Census, share: f64, failing: &[u32]) -> f64 {
    match failing.iter().skip(1).any(|&failing| failing > 0) {
        true => 1.0,
        false => any_of(census.of_type(1), share),
    }
}

impl SingleFilter {
    fn size(&self) -> FilterSize {
        FilterSize { bits: self.cells(), choices: self.choices }
    }

    fn union_bound(&self, law: &FillLaw) -> Union {
        let total = single_filter_bound(law, self.cells(), self.choices).total;
        Union { total, source: "equation (4.4)" }
    }

    /// Cells of a group.
    pub(super) fn group(&self) -> u32 {
        self.group
    }

    /// m.
    pub(super) fn cells(&self) -> u32 {
        self.choices * self.group
    }

    /// The first cell of each group.
    #[inline]
    fn groups(&self) -> impl Iterator<Item = u32> {
        let group = self.group;
        (0..self.choices).map(move |own| own * group)
    }

    /// The probabilities that independent choices find cells above 0, above 1, and so on to d.
    fn shares_above(&self, value: impl Fn(u32) -> u8) -> Vec<f64> {
        let mut shares = vec![1.0; usize::from(self.types) + 1];
        for first in self.groups() {
            let mut above = vec![0_u32; shares.len()];
            for cell in first..first + self.group {
                let value = usize::from(value(cell));
                above[..value].iter_mut().for_each(|above| *above += 1);
            }
            let of_group = above.iter().map(|&above| f64::from(above) / f64::from(self.group));
            shares.iter_mut().zip(of_group).for_each(|(share, own)| *share *= own);
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use crate::params::Scalar;
    use crate::summaries::metrics;
    use crate::summaries::tests::{assert_one_law, trials};

    /// A table whose elements are of three types and a summary that fails often.
    fn small() -> Vec<(&'static str, Scalar)> {
        vec![
            ("elements", 30_i64.into()),
            ("sub_table_buckets", "30 8 4".into()),
            ("cells", 120_i64.into()),
            ("cell_choices", 3_i64.into()),
            ("queries", 40_i64.into()),
        ]
    }

    #[test]
    fn packed_cells_of_keys_and_drawn_bits_answer_alike() {
        assert_one_law("single-filter-summary", "summary-fill", &small(), 20_000);
    }

    /// What is expected given the cells has the mean of what is counted, whether or not absent keys are asked for.
    #[test]
    fn what_cells_say_is_what_elements_find() {
        let mut without = small();
        without.retain(|(name, _)| *name != "queries");
        for given in [small(), without] {
            let sums = trials(("single-filter-summary", "summary-fill", "random"), &given, 20_000);
            let pairs = [
                (metrics::FAILING_ELEMENTS, metrics::FAILING_ELEMENTS_GIVEN_CELLS),
                (metrics::SUMMARY_FAILURE_FRACTION, metrics::SUMMARY_FAILURE_GIVEN_CELLS),
            ];
            for (counted, expected) in pairs {
                let ((a, error_of_a), (b, error_of_b)) = (sums.mean(counted), sums.mean(expected));
                assert!(a > 0.1 && error_of_b < error_of_a, "{counted}: {a} ± {error_of_a}");
                assert!((a - b).abs() < 4.5 * error_of_a.hypot(error_of_b), "{counted}: {a} {b}");
            }
        }
    }

    #[test]
    fn groups_are_equal() {
        let mut given = small();
        given[2].1 = 121_i64.into();
        let error =
            crate::families::case("single-filter-summary", "summary-fill", "random", &given);
        assert_eq!(error.unwrap_err().name, "cells");
    }
}
