//! One filter for all types, whose cells count the elements of each type, so that elements can be taken out again.

use super::counter_use::{COUNTER_LAW, CounterLaw, CounterUse};
use super::filter_sizes;
use super::groups::{Group, Watch};
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use super::predicted::PREDICTIONS;
use super::single_filter::{CELL_CHOICES, CELLS, SingleFilter};
use super::tallies::{Count, Tallies, Throws};
use super::theory::counters::CounterArray;
use super::theory::law::FillLaw;
use super::{Answers, Asked, Census, Given, Hashing, Multilevel, Summary, TypeFilter, metrics};
use crate::Rng;
use crate::case::Record;
use crate::filters::{Counters, OverflowRule};
use crate::hash::Source;
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const TYPE_COUNTER_BITS: Param = Param {
    name: "type_counter_bits",
    domain: Domain::Numbers,
    absent: Absent::Required,
    doc: "Bits of the counter that a cell has for each type, 1 to 16, from type 1 on, with spaces between, such as \"4 4 3 2 2\"; there is one for each sub-table. A counter that reaches its greatest value stays there for ever.",
};

const LAW_OF_TYPE: Param = Param {
    name: "law_of_type",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Integer(1),
    doc: "The type whose greatest counter `counter_law` is about, from 1 on.",
};

/// The summary of Section 4.10.2: as [`SingleFilter`], with a counter for each type in each cell. The value of a cell is
/// the greatest type whose counter there is not 0.
#[derive(Debug, Clone)]
pub struct CountingSingleFilter {
    filter: SingleFilter,
    /// Bits of a counter for type 1, 2, .. d.
    bits: Vec<u32>,
    law: CounterLaw,
}

/// The cells of elements with keys: the counters for type 1, 2, .. d.
#[derive(Debug)]
pub struct CountedCells {
    types: Vec<Counters>,
    greatest: Vec<u16>,
}

impl CountedCells {
    /// The greatest type that is counted in a cell, or 0.
    #[inline]
    fn value(&self, cell: u32) -> u8 {
        let is_counted = |types: &Counters| types.value(cell) > 0;
        self.types.iter().rposition(is_counted).map_or(0, |type_| type_ as u8 + 1)
    }
}

/// What a trial of drawn choices works in.
#[derive(Debug)]
pub struct DrawnCounts {
    group: Group,
    counts: Counts,
}

/// The counters of a group for one type after the other.
#[derive(Debug)]
struct Counts {
    /// Cells of a group.
    cells: usize,
    tallies: Tallies,
    /// The most that a counter for type 1, 2, .. d counted in a group so far.
    most: Vec<u32>,
}

impl Watch for Counts {
    const ALL: bool = true;

    fn chosen(&mut self, own: u8, cells: &[u32]) {
        let tally = self.tallies.count(self.cells, These(cells));
        let most = &mut self.most[usize::from(own) - 1];
        *most = tally.greatest.max(*most);
    }
}

/// Cells that were chosen.
struct These<'c>(&'c [u32]);

impl Throws for These<'_> {
    fn throw<C: Count>(&mut self, counts: &mut [C]) -> u64 {
        self.0.iter().for_each(|&cell| counts[cell as usize].add());
        self.0.len() as u64
    }
}

impl Summary for CountingSingleFilter {
    const INFO: SchemeInfo = SchemeInfo {
        name: "counting-single-filter-summary",
        summary: "A multilevel table with a summary of m cells in k groups, each cell with a counter for each type. An element adds 1 to the counter for its type in its cell of each group, and takes it off when it is taken out. A cell stands for the greatest type that is counted there; the least of its cells is told of an element, 0 for absent. A counter that has reached its greatest value stays there: no element is denied, and some may be told too high a type.",
        source: "Kirsch, thesis, Section 4.10.2",
        params: &[
            ELEMENTS,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
            CELLS,
            CELL_CHOICES,
            TYPE_COUNTER_BITS,
            LAW_OF_TYPE,
            COUNTER_LAW,
        ],
        predictions: PREDICTIONS,
    };

    const FAILS_BY_LATER_TYPES: bool = true;

    const REMOVES: bool = true;

    type Store = CountedCells;

    type Drawn = DrawnCounts;

    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        let filter = SingleFilter::from_params(params, table)?;
        let bits = filter_sizes::whole(params, &TYPE_COUNTER_BITS, table, 16)?;
        let (law_of, types) = (params.small(LAW_OF_TYPE.name)?, table.types());
        if law_of > types.into() {
            let reason = format!("there is no type {law_of}: they are 1 to {types}");
            return Err(ParamError::new(LAW_OF_TYPE.name, reason));
        }
        Ok(Self { filter, bits, law: CounterLaw::from_params(params, law_of - 1)? })
    }

    fn hashes(&self) -> Vec<Hashing> {
        self.filter.hashes()
    }

    fn bytes(&self, _elements: u32) -> Option<u64> {
        let of_cell: u32 = self.bits.iter().sum();
        Some((u64::from(self.filter.cells()) * u64::from(of_cell)).div_ceil(8))
    }

    fn working_bytes(&self, _elements: u32) -> u64 {
        u64::from(self.filter.cells()) * self.bits.len() as u64 * 17 / 8
    }

    fn store(&self) -> CountedCells {
        let cells = self.filter.cells();
        let counters = |&bits| Counters::new(cells, greatest(bits), OverflowRule::Sticky);
        let types = self.bits.iter().map(counters).collect();
        CountedCells { types, greatest: vec![0; self.bits.len()] }
    }

    fn clear(&self, cells: &mut CountedCells) {
        cells.types.iter_mut().for_each(Counters::clear);
        cells.greatest.fill(0);
    }

    #[inline]
    fn insert<S: Source>(&self, cells: &mut CountedCells, own: u8, key: &[u8], sources: &mut [S]) {
        let of_type = usize::from(own) - 1;
        let (counters, greatest) = (&mut cells.types[of_type], &mut cells.greatest[of_type]);
        for cell in self.filter.cells_of(sources[0].element(key)) {
            counters.add(cell);
            *greatest = (*greatest).max(counters.value(cell));
        }
    }

    #[inline]
    fn remove<S: Source>(&self, cells: &mut CountedCells, own: u8, key: &[u8], sources: &mut [S]) {
        let counters = &mut cells.types[usize::from(own) - 1];
        self.filter.cells_of(sources[0].element(key)).for_each(|cell| counters.take(cell));
    }

    #[inline]
    fn look_up<S: Source>(&self, cells: &CountedCells, key: &[u8], sources: &mut [S]) -> u8 {
        self.filter.told(sources[0].element(key), |cell| cells.value(cell))
    }

    fn given(&self, cells: &CountedCells, census: &Census, failing: &[u32]) -> Option<Given> {
        Some(self.filter.given_cells(census, failing, |cell| cells.value(cell)))
    }

    fn counters(&self, cells: &CountedCells) -> Option<CounterUse> {
        let overflowed = cells.types.iter().any(|counters| counters.overflowed() > 0);
        Some(CounterUse { greatest: cells.greatest.clone(), overflowed })
    }

    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction> {
        let mut predictions = self.filter.predictions(law, asked);
        if self.law.last > 0 {
            predictions.extend(self.law_of_greatest(law));
        }
        predictions
    }

    fn failure_chance(&self, own: u8, later: u32) -> f64 {
        self.filter.failure_chance(own, later)
    }

    fn type_filters(&self) -> Vec<TypeFilter> {
        self.filter.type_filters()
    }

    fn failure_outlook(&self, law: &FillLaw) -> Outlook {
        self.filter.failure_outlook(law)
    }

    fn drawn(&self) -> DrawnCounts {
        let (cells, most) = (self.filter.group() as usize, vec![0; self.bits.len()]);
        let counts = Counts { cells, tallies: Tallies::default(), most };
        DrawnCounts { group: self.filter.drawn(), counts }
    }

    fn ask_drawn(
        &self,
        drawn: &mut DrawnCounts,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers {
        let DrawnCounts { group, counts } = drawn;
        counts.most.fill(0);
        let answers = self.filter.ask_cells(group, (census, asked), rng, counts);
        let mut counters = CounterUse::default();
        for (&most, &bits) in counts.most.iter().zip(&self.bits) {
            counters.look_at(most, greatest(bits));
        }
        Answers { counters: Some(counters), ..answers }
    }

    fn record(&self, answers: &Answers, out: &mut dyn Record) {
        if let Some(counters) = &answers.counters {
            counters.record(1, self.law, out);
        }
    }
}

/// The greatest value of a counter of so many bits, 1 to 16.
fn greatest(bits: u32) -> u16 {
    u16::MAX >> (u16::BITS - bits)
}

impl CountingSingleFilter {
    /// The probabilities that some counter for the type that is looked at reaches 1, 2, .. : each element of it adds 1
    /// in each group.
    fn law_of_greatest(&self, law: &FillLaw) -> impl Iterator<Item = Prediction> {
        let choices = self.filter.hashes().iter().map(|own| own.choices).sum();
        let counters = CounterArray { counters: self.filter.cells(), choices };
        let elements = law.type_law(self.law.of + 1);
        let last = self.law.last.min(greatest(self.bits[self.law.of]));
        (1..=last).map(move |value| {
            let reaches = counters.reaches_in_groups_after(&elements, value.into());
            let metric = metrics::max_counter_at_least(value);
            Prediction::exact(metric, reaches, "N_i balls into m/k bins, k times")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::params::Scalar;
    use crate::summaries::metrics;
    use crate::summaries::tests::{assert_one_law, trials};

    type Given = Vec<(&'static str, Scalar)>;

    /// A table whose elements are of three types, and cells of which some counters overflow.
    fn small(bits: &'static str) -> Given {
        let mut given = single();
        given.push(("type_counter_bits", bits.into()));
        given.push(("counter_law", 5_i64.into()));
        given
    }

    fn single() -> Given {
        vec![
            ("elements", 30_i64.into()),
            ("sub_table_buckets", "30 8 4".into()),
            ("cells", 120_i64.into()),
            ("cell_choices", 3_i64.into()),
            ("queries", 40_i64.into()),
        ]
    }

    #[test]
    fn counters_of_keys_and_drawn_ones_answer_alike() {
        assert_one_law("counting-single-filter-summary", "summary-fill", &small("2 16 1"), 20_000);
    }

    /// Without deletions a cell that counts answers as one that holds the greatest type does, also where counters
    /// overflow.
    #[test]
    fn counters_answer_as_cells_do() {
        let of = |scheme, given: &Given| trials((scheme, "summary-fill", "xxh3"), given, 300);
        let counting = of("counting-single-filter-summary", &small("1 2 1"));
        let cells = of("single-filter-summary", &single());
        assert!(cells.mean(metrics::FAILING_ELEMENTS).0 > 0.1);
        let differing = cells.of.keys().filter(|metric| cells.of[metric] != counting.of[metric]);
        assert_eq!(differing.copied().collect::<Vec<_>>(), [metrics::SUMMARY_BYTES]);
    }

    /// With counters that hold every number, a table whose elements were replaced is summarised as if they had been
    /// inserted into a fresh summary: no more of them fail than the cells of that say. Counters of one bit fill up.
    #[test]
    fn what_is_taken_out_leaves_no_trace_but_in_narrow_counters() {
        let replaced = |bits, rounds: i64| {
            let mut given = small(bits);
            given.push(("rounds", rounds.into()));
            let sums =
                trials(("counting-single-filter-summary", "counted-deletion", "xxh3"), &given, 400);
            let (counted, error) = sums.mean(metrics::FAILING_ELEMENTS);
            let (expected, _) = sums.mean(metrics::FAILING_ELEMENTS_GIVEN_CELLS);
            (counted, expected, error)
        };
        let (fresh, ..) = replaced("16 16 16", 0);
        let (counted, expected, error) = replaced("16 16 16", 300);
        assert!((counted - expected).abs() < 4.5 * error, "{counted} {expected} {error}");
        let (stuck, ..) = replaced("1 1 1", 300);
        assert!(stuck > 10.0 * counted.max(fresh), "{stuck} {counted} {fresh}");
    }

    #[test]
    fn there_is_a_counter_for_each_type() {
        let refused = |given: &Given| {
            let scheme = "counting-single-filter-summary";
            crate::families::case(scheme, "summary-fill", "random", given).unwrap_err().name
        };
        assert_eq!(refused(&small("2 2")), "type_counter_bits");
        let mut beyond = small("2 2 2");
        beyond.push(("law_of_type", 4_i64.into()));
        assert_eq!(refused(&beyond), "law_of_type");
    }
}
