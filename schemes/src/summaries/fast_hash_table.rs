//! The fast hash table of Song et al. (Section 4.3).

use std::ops::Range;

use rand::{Rng as _, SeedableRng};

use super::params::{BUCKETS, CHOICES, COUNTER_BITS, ELEMENTS, QUERIES, ROUNDS};
use super::pruned::PrunedTable;
use super::theory::counters::CounterArray;
use super::theory::false_positive::of_song;
use super::theory::song;
use super::workloads::{replacement, summary_fill};
use super::{case, metrics, timed};
use crate::Rng;
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::filters::metrics::{FALSE_POSITIVE_RATE, FILTER_OVERFLOW_FRACTION, MAX_COUNTER};
use crate::hash::{HashKind, HashSpec, Source, Together, reduce};
use crate::info::SchemeInfo;
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Seeds};
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::{Kind, Outlook, Prediction};
use crate::tables::metrics::{ARRIVALS, MOVES_PER_DELETION, MOVES_PER_INSERTION};
use crate::timed::{Timed, TimedKeys, Untimed};

/// Its entry in the list of schemes.
pub(super) const ENTRY: SchemeEntry =
    SchemeEntry { family: case::NAME, info: &INFO, case: |request| Ok(Box::new(read(request)?)) };

static INFO: SchemeInfo = SchemeInfo {
    name: "fast-hash-table",
    summary: "The fast hash table of Song et al.: each element has d buckets among all, and beside each bucket stands a counter of b bits of the hashes that fall there. An element is kept in the one whose counter is least, of several in the first. A bucket that keeps more than one element is a crisis. To insert and delete, the table before pruning is kept too, with each element in all its buckets.",
    source: "Kirsch, thesis, Section 4.3; Song, Dharmapurikar, Turner, Lockwood, \"Fast Hash Table Lookup Using Extended Bloom Filter\", 2005",
    params: &[ELEMENTS, BUCKETS, CHOICES, COUNTER_BITS],
    predictions: &[
        "false positive probability, and the probability that a counter is too narrow: exact (n·d hashes over m buckets)",
        "elements that make a crisis: asymptotic, many buckets; an upper bound of the probability of a crisis, from the buckets that are expected to",
    ],
};

/// What is done with the table in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Workload {
    /// So many absent keys are asked for.
    Fill { queries: u64 },
    /// So many elements are replaced.
    Replacement { rounds: u64 },
}

impl Workload {
    /// Absent keys that the table is asked for.
    fn queries(&self) -> u64 {
        match *self {
            Self::Fill { queries } => queries,
            Self::Replacement { .. } => 0,
        }
    }
}

/// Sizes of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size {
    elements: u32,
    buckets: u32,
    choices: u32,
    counter_bits: u32,
}

impl Size {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let small = |name| params.small(name);
        let (elements, choices) = (small(ELEMENTS.name)?, small(CHOICES.name)?);
        if elements.checked_mul(choices).is_none() {
            let reason = format!(
                "{elements} elements with {choices} choices are too many to keep: at most {} together",
                u32::MAX
            );
            return Err(ParamError::new(CHOICES.name, reason));
        }
        let (buckets, counter_bits) = (small(BUCKETS.name)?, small(COUNTER_BITS.name)?);
        Ok(Self { elements, buckets, choices, counter_bits })
    }

    /// The greatest value of a counter.
    fn greatest(&self) -> u32 {
        (1 << self.counter_bits) - 1
    }

    /// An empty table of this size.
    fn table(&self) -> PrunedTable {
        PrunedTable::new(self.buckets, self.elements, self.choices, self.counter_bits)
    }
}

#[derive(Debug, Clone)]
struct FastCase {
    size: Size,
    workload: Workload,
    hash: HashSpec,
    seed_text: String,
}

fn read(request: &Request<'_>) -> Result<FastCase, ParamError> {
    let params = request.params;
    let size = Size::from_params(params)?;
    let workload = match request.workload.name {
        name if name == summary_fill::INFO.name => {
            Workload::Fill { queries: params.integer(QUERIES.name)? }
        }
        name if name == replacement::INFO.name => {
            Workload::Replacement { rounds: params.integer(ROUNDS.name)? }
        }
        name => {
            let reason = format!("`{name}` is for multilevel tables");
            return Err(ParamError::new("kind", reason));
        }
    };
    let range = (size.buckets, "buckets");
    let hash = HashSpec::from_params(request.hash, params, size.choices, range)?;
    Ok(FastCase { size, workload, hash, seed_text: seed_text(request, &size) })
}

/// Workload, size and keys: the same for all widths of counters and all hash functions.
fn seed_text(request: &Request<'_>, size: &Size) -> String {
    let Size { elements, buckets, choices, .. } = size;
    let of = request.workload.name;
    let mut text =
        format!("{of} fast hash table of {elements} elements in {buckets} buckets, {choices} each");
    for name in KEY_PARAMS.iter().map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

impl Case for FastCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let Size { elements, buckets, choices, .. } = self.size;
        let (elements, hashes) = (u64::from(elements), u64::from(elements) * u64::from(choices));
        let of_workload = match self.workload {
            Workload::Fill { queries } => 2 * queries,
            Workload::Replacement { rounds } => 4 * rounds * u64::from(choices),
        };
        let bytes = 12 * (hashes + u64::from(buckets))
            + elements * (4 + keys.bytes_per_element())
            + keys.bytes();
        Cost { operations: (3 * hashes + u64::from(buckets) + of_workload) as f64, bytes }
    }

    fn arrivals(&self) -> u64 {
        let of_workload = match self.workload {
            Workload::Fill { .. } => 0,
            Workload::Replacement { rounds } => rounds,
        };
        u64::from(self.size.elements) + of_workload
    }

    fn distinct_keys(&self) -> u64 {
        u64::from(self.size.elements)
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let batch = Batch { case: self, seed, trials, out };
        keys::visit(&self.hash, keys, self.size.elements, batch);
    }

    /// A table is the one that had been built of what it holds, whether or not elements were replaced.
    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        let is_ideal = !self.hash.is_progression() && self.hash.spread(self.size.buckets).is_none();
        let predictions = if is_ideal { self.predictions() } else { Vec::new() };
        Outlook { predictions, missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match (things, self.workload) {
            (metrics::QUERIES, Workload::Fill { queries }) => Some(queries as f64),
            (ARRIVALS, Workload::Replacement { rounds }) => Some(rounds as f64),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        let Size { elements, buckets, .. } = self.size;
        let asked = (self.workload.queries(), seed);
        timed::pruned(self.size.table(), (elements, buckets), self.hash, keys, asked)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        if self.hash.hash() == HashKind::Random {
            return Err(Untimed::NO_KEYS);
        }
        let Size { elements, buckets, .. } = self.size;
        let (elements, buckets) = (u64::from(elements), u64::from(buckets));
        let of_keys = (elements + buckets) * keys::LONGEST_TRACE_KEY as u64 + 2 * buckets;
        let asked = (elements + self.workload.queries()) * TimedKeys::BYTES_PER_KEY;
        Ok(self.cost(keys).bytes + of_keys + asked)
    }

    fn deletes(&self) -> bool {
        true
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = (operations / f64::from(4 * self.size.choices)).max(1.0) as u64;
        let fewer = u64::from(self.size.elements).min(at_most) as u32;
        let workload = match self.workload {
            Workload::Fill { queries } => Workload::Fill { queries: queries.min(at_most) },
            Workload::Replacement { rounds } => {
                Workload::Replacement { rounds: rounds.min(at_most) }
            }
        };
        Box::new(Self { size: Size { elements: fewer, ..self.size }, workload, ..self.clone() })
    }
}

struct Batch<'a> {
    case: &'a FastCase,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl Keyed for Batch<'_> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, seed, trials, out } = self;
        let mut table = case.size.table();
        for number in trials {
            let seeds = Seeds::of(seed, number);
            let mut source = S::new(&case.hash, seeds.hash);
            arrivals.begin(seeds.keys);
            let arrived = case.fill(&mut table, &mut arrivals, &mut source);
            match case.workload {
                Workload::Fill { queries } => {
                    case.record(&table, out);
                    ask(&table, &mut arrivals, &mut source, queries, out);
                }
                Workload::Replacement { rounds } => {
                    table.list(arrived);
                    let mut departures = Rng::seed_from_u64(seeds.departures);
                    let mut next = || reduce(departures.next_u64(), arrived);
                    let replaced =
                        replace(&mut table, &mut arrivals, &mut source, rounds, &mut next);
                    case.record(&table, out);
                    replaced.record(out);
                }
            }
            out.end_of_trial();
        }
    }
}

/// The generator of all choices, where elements are no more than their number.
fn drawn<S: Source, A: Arrivals>(source: &mut S) -> Option<&mut Rng> {
    match source.together().filter(|_| !A::HAVE_KEYS)? {
        Together::Choices(rng) => Some(rng),
        Together::Progressions { .. } => None,
    }
}

/// Asks for absent keys, as many as there are of those wanted.
fn ask<S: Source, A: Arrivals>(
    table: &PrunedTable,
    arrivals: &mut A,
    source: &mut S,
    queries: u64,
    out: &mut dyn Record,
) {
    let (mut asked, mut positive) = (0_u64, 0_u64);
    if let Some(rng) = drawn::<S, A>(source) {
        (asked, positive) = (queries, table.passing(queries, rng));
    }
    while asked < queries {
        let Some(key) = arrivals.stranger() else { break };
        positive += u64::from(table.contains(source.element(key)));
        asked += 1;
    }
    if queries > 0 {
        let rate = (asked > 0).then(|| positive as f64 / asked as f64);
        out.reading(FALSE_POSITIVE_RATE, rate);
    }
}

/// Elements that were moved in so many deletions, each with an insertion behind it.
#[derive(Debug, Clone, Copy, Default)]
struct Replaced {
    rounds: u64,
    moves: u64,
    moves_on_deletion: u64,
}

/// Replaces one element after the other, `next` telling which, by one with a new key.
fn replace<S: Source, A: Arrivals>(
    table: &mut PrunedTable,
    arrivals: &mut A,
    source: &mut S,
    rounds: u64,
    next: &mut impl FnMut() -> u32,
) -> Replaced {
    let mut replaced = Replaced::default();
    while replaced.rounds < rounds {
        let element = next();
        replaced.moves_on_deletion += u64::from(table.delete(element, &mut ()));
        arrivals.depart(element);
        // Behind the last packet of a trace comes the first again.
        if arrivals.left() == 0 {
            arrivals.next_pass();
        }
        let Some(key) = arrivals.newcomer(element) else { break };
        replaced.moves += u64::from(table.insert(element, source.element(key), &mut ()));
        replaced.rounds += 1;
    }
    replaced
}

impl Replaced {
    fn record(&self, out: &mut dyn Record) {
        let each = |moves: u64| (self.rounds > 0).then(|| moves as f64 / self.rounds as f64);
        out.reading(MOVES_PER_INSERTION, each(self.moves));
        out.reading(MOVES_PER_DELETION, each(self.moves_on_deletion));
    }
}

impl FastCase {
    fn predictions(&self) -> Vec<Prediction> {
        let Size { elements, buckets, choices, .. } = self.size;
        let greatest = self.size.greatest();
        let size = song::Size { elements, buckets, choices, greatest };
        let crises = song::crises(size);
        let in_limit = |value| {
            let allowance = value * crises.allowance;
            Prediction::asymptotic(metrics::CRISIS_ELEMENTS, value, "Section 4.3", allowance)
        };
        let counters = CounterArray { counters: buckets, choices };
        let overflow = counters.reaches(elements, size.greatest + 1);
        let exact = |metric, value| Prediction::exact(metric, value, "Section 4.3");
        let mut predictions =
            vec![in_limit(crises.elements), exact(FILTER_OVERFLOW_FRACTION, overflow)];
        if crises.buckets < 1.0 {
            let (metric, kind) = (metrics::CRISIS_FRACTION, Kind::UpperBound);
            predictions.push(Prediction { kind, metric, ..in_limit(crises.buckets) });
        }
        if self.workload.queries() > 0 {
            predictions.push(exact(FALSE_POSITIVE_RATE, of_song(elements, buckets, choices)));
        }
        predictions
    }

    /// Fills the table anew and prunes it: how many elements there are.
    fn fill<S: Source, A: Arrivals>(
        &self,
        table: &mut PrunedTable,
        arrivals: &mut A,
        source: &mut S,
    ) -> u32 {
        table.clear();
        let mut arrived = 0;
        if let Some(rng) = drawn::<S, A>(source) {
            arrived = self.size.elements;
            table.spread_drawn(arrived, rng);
        }
        while arrived < self.size.elements {
            let Some(key) = arrivals.newcomer(arrived) else { break };
            table.spread(arrived, source.element(key));
            arrived += 1;
        }
        table.prune(arrived);
        arrived
    }

    fn record(&self, table: &PrunedTable, out: &mut dyn Record) {
        let crisis = table.crisis_elements();
        let bits = u64::from(self.size.buckets) * u64::from(self.size.counter_bits);
        let is = |so: bool| Some(f64::from(u8::from(so)));
        out.reading(metrics::CRISIS_FRACTION, is(crisis > 0));
        out.reading(metrics::CRISIS_ELEMENTS, Some(crisis.into()));
        out.reading(metrics::TABLE_BUCKETS, Some(self.size.buckets.into()));
        out.reading(metrics::SUMMARY_BYTES, Some(bits.div_ceil(8) as f64));
        out.reading(MAX_COUNTER, Some(table.max_counter().into()));
        out.reading(FILTER_OVERFLOW_FRACTION, is(table.overflows()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::metric::Metric;
    use crate::summaries::tests::{Readings, assert_one_law, not_measured};

    fn run(workload: &str, hash: &str, own: &[(&str, Scalar)], trials: u64) -> Vec<(Metric, f64)> {
        let case = families::case("fast-hash-table", workload, hash, own).unwrap();
        let mut readings = Readings::default();
        case.run(&KeySource::Random, 6, 0..trials, &mut readings);
        readings.0
    }

    fn mean(readings: &[(Metric, f64)], metric: Metric) -> f64 {
        let own: Vec<f64> =
            readings.iter().filter(|(own, _)| *own == metric).map(|(_, value)| *value).collect();
        own.iter().sum::<f64>() / own.len() as f64
    }

    fn size(elements: i64, buckets: i64, choices: i64) -> [(&'static str, Scalar); 3] {
        [("elements", elements.into()), ("buckets", buckets.into()), ("choices", choices.into())]
    }

    /// Table 4.3(a) prints 0.002 for the false positive probability of 10,000 elements with ten choices in 131,072
    /// buckets, and 49,152 bytes; (1 − e^(−nd/m))^d is 0.001875, and 40 · 50,000 answers scatter by 0.00003.
    #[test]
    fn false_positives_and_bytes_are_those_of_table_4_3() {
        let given = [&size(10_000, 131_072, 10)[..], &[("queries", 50_000_i64.into())]].concat();
        for hash in ["random", "xxh3"] {
            let readings = run("summary-fill", hash, &given, 40);
            let rate = mean(&readings, FALSE_POSITIVE_RATE);
            assert!((rate - 0.001_875).abs() < 4.0 * 0.000_033, "{hash}: {rate}");
            assert_eq!(mean(&readings, metrics::SUMMARY_BYTES), 49_152.0);
        }
    }

    /// Choices that are drawn for all elements together, and those of keys: many crises, wide and narrow counters.
    #[test]
    fn elements_of_keys_and_drawn_ones_fill_one_table() {
        let own = [("counter_bits", 2_i64.into()), ("queries", 50_i64.into())];
        let given = [&size(40, 60, 3)[..], &own].concat();
        assert_one_law("fast-hash-table", "summary-fill", &given, 10_000);
    }

    /// Two elements with one choice each of three buckets share one with probability 1/3: 4000 trials, four standard
    /// errors.
    #[test]
    fn a_shared_bucket_is_a_crisis() {
        let readings = run("summary-fill", "random", &size(2, 3, 1), 4000);
        let share = mean(&readings, metrics::CRISIS_FRACTION);
        assert!((share - 1.0 / 3.0).abs() < 4.0 * 0.0075, "{share}");
        assert_eq!(share, mean(&readings, metrics::CRISIS_ELEMENTS));
    }

    /// A table whose elements were all replaced is like a fresh one: as many are without a bucket of their own, within
    /// four standard errors of both means.
    #[test]
    fn replacing_elements_leaves_the_law_of_the_table() {
        let fresh = run("summary-fill", "random", &size(200, 1500, 4), 3000);
        let given = [&size(200, 1500, 4)[..], &[("rounds", 800_i64.into())]].concat();
        let replaced = run("replacement", "random", &given, 3000);
        let of = |readings: &[(Metric, f64)]| mean(readings, metrics::CRISIS_ELEMENTS);
        assert!((of(&fresh) - of(&replaced)).abs() < 0.15, "{} {}", of(&fresh), of(&replaced));
        let moves = mean(&replaced, MOVES_PER_INSERTION);
        assert!((mean(&replaced, MOVES_PER_DELETION) / moves - 1.0).abs() < 0.05, "{moves}");
    }

    /// Also after elements were replaced; with counters of two bits, many of which are too narrow, and of three.
    #[test]
    fn crises_and_narrow_counters_are_those_of_theory() {
        let bits = |bits: i64| [("counter_bits", bits.into())];
        for (size, bits) in [(size(400, 3000, 4), bits(2)), (size(300, 2000, 5), bits(3))] {
            let given = [&size[..], &bits].concat();
            let filled = [&given[..], &[("queries", 100_i64.into())]].concat();
            let of = |workload| ("fast-hash-table", workload, "random");
            assert_eq!(not_measured(of("summary-fill"), &filled, 4000), [""; 0]);
            let replaced = [&given[..], &[("rounds", 300_i64.into())]].concat();
            assert_eq!(not_measured(of("replacement"), &replaced, 2000), [""; 0]);
        }
    }

    #[test]
    fn lazy_deletion_is_for_multilevel_tables() {
        let given = [&size(9, 9, 2)[..], &[("deleted", 1_i64.into())]].concat();
        let error = families::case("fast-hash-table", "lazy-deletion", "random", &given);
        assert_eq!(error.unwrap_err().name, "kind");
    }
}
