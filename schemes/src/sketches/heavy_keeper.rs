//! HeavyKeeper.

use rand::{RngExt as _, SeedableRng as _};

use super::asked::Asked;
use super::heap::FlowHeap;
use super::metrics::{AAE, ARE, ERROR_EXCEEDS, OVERESTIMATED, REPORTED_FLOWS};
use super::outlook::Known;
use super::outlook::at_most;
use super::params::{COLUMNS, COUNTER_BYTES, ENTRIES, KEY_BYTES, ROWS};
use super::readings::{record_overestimated, record_points};
use super::rows::Rows;
use super::timed::{KeyedHeavyKeeper, KeyedVisitor};
use super::trial::Trial;
use super::{Flow, Sketch};
use crate::Rng;
use crate::case::Record;
use crate::info::SchemeInfo;
use crate::math::elementary::pow;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const BASE: Param = Param {
    name: "base",
    domain: Domain::Number { min: 1.001, max: 1000.0 },
    absent: Absent::Number(1.08),
    doc: "Base of the exponential decay, b: a counter C is decreased with probability b^−C.",
};

const FINGERPRINT_BITS: Param = Param {
    name: "fingerprint_bits",
    domain: Domain::Integer { min: 1, max: 30 },
    absent: Absent::Integer(16),
    doc: "Bits of the fingerprint of a flow.",
};

const TOP: Param = Param { doc: "Flows that the heap of the largest flows holds, k.", ..ENTRIES };

/// A decay of smaller probability does not happen: it is below the resolution of the coin.
const NEVER: f64 = 1e-16;

/// Rows of cells with a fingerprint and a counter, which decays when other flows come; a heap of the k largest flows.
#[derive(Debug, Clone, PartialEq)]
pub struct HeavyKeeper {
    rows: Rows,
    base: f64,
    fingerprint_bits: u32,
    top: u32,
    /// The probability that a counter decays, by its value; beyond the last one it does not.
    decay: Vec<f64>,
}

/// Owner and counter of a cell; a counter of 0 has no owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    fingerprint: u32,
    count: i64,
}

/// The cells, the k largest flows, and the coin of the decays.
#[derive(Debug, Clone)]
pub struct Cells {
    cells: Vec<Cell>,
    top: FlowHeap,
    coin: Rng,
}

impl HeavyKeeper {
    fn new(rows: Rows, base: f64, fingerprint_bits: u32, top: u32) -> Self {
        let powers = (0..).map(|count| pow(base, -f64::from(count)));
        let decay = powers.take_while(|p| *p > NEVER).collect();
        Self { rows, base, fingerprint_bits, top, decay }
    }

    /// Flows that the heap holds, k.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// Cells without owners.
    pub fn empty_cells(&self) -> Vec<Cell> {
        vec![Cell::default(); self.rows.counters()]
    }

    /// Columns of a flow, and its fingerprint.
    fn parts<'c>(&self, choices: &'c [u32]) -> (&'c [u32], u32) {
        let (columns, rest) = choices.split_at(self.rows.rows as usize);
        (columns, rest[0])
    }

    /// A packet of another flow comes to the cell: whether its counter is decreased.
    #[inline]
    fn decays(&self, count: i64, coin: &mut Rng) -> bool {
        self.decay.get(count as usize).is_some_and(|p| coin.random::<f64>() < *p)
    }

    /// Counts a packet in one cell and returns the counter, 0 where another flow owns it. Only as long as `grows` may a
    /// counter of the flow's own rise.
    #[inline]
    fn count(&self, cell: &mut Cell, fingerprint: u32, grows: bool, coin: &mut Rng) -> i64 {
        if cell.count > 0 && cell.fingerprint == fingerprint {
            cell.count += i64::from(grows);
            return cell.count;
        }
        if cell.count > 0 && self.decays(cell.count, coin) {
            cell.count -= 1;
        }
        if cell.count > 0 {
            return 0;
        }
        *cell = Cell { fingerprint, count: 1 };
        1
    }

    /// The counter of a flow's own up to which it rises: any, where the flow is in the heap or can enter it at once, else
    /// the least there, so that it comes to one above that.
    #[inline]
    pub fn limit(&self, top: &FlowHeap, is_top: bool) -> i64 {
        let rises = is_top || !self.is_full(top);
        if rises { i64::MAX } else { top.min().map_or(0, |(least, _)| least) }
    }

    /// Counts a packet of the flow with these choices, whose counters rise from at most `limit`; the greatest counter that
    /// it then owns.
    #[inline]
    pub fn count_packet(
        &self,
        cells: &mut [Cell],
        choices: &[u32],
        limit: i64,
        coin: &mut Rng,
    ) -> i64 {
        let (columns, fingerprint) = self.parts(choices);
        let mut estimate = 0;
        for place in self.rows.places(columns) {
            let cell = &mut cells[place];
            let grows = cell.count <= limit;
            estimate = estimate.max(self.count(cell, fingerprint, grows, coin));
        }
        estimate
    }

    /// The greatest counter that the flow with these choices owns, 0 if it owns none.
    #[inline]
    pub fn greatest(&self, cells: &[Cell], choices: &[u32]) -> i64 {
        let (columns, fingerprint) = self.parts(choices);
        let cells = self.rows.places(columns).map(|place| cells[place]);
        let own = cells.filter(|cell| cell.fingerprint == fingerprint);
        own.map(|cell| cell.count).max().unwrap_or(0)
    }

    /// Whether the heap holds k flows.
    #[inline]
    pub fn is_full(&self, top: &FlowHeap) -> bool {
        top.len() >= self.top as usize
    }

    /// Whether a flow with this estimate enters the heap, in which it is not. It has at most one packet more than the
    /// least flow there: a greater estimate is another flow's.
    #[inline]
    pub fn admits(&self, top: &FlowHeap, estimate: i64) -> bool {
        match top.min() {
            Some((least, _)) if self.is_full(top) => estimate == least + 1,
            _ => estimate > 0,
        }
    }

    /// Puts a flow with this estimate among the k largest where it belongs there.
    fn keep(&self, top: &mut FlowHeap, flow: u32, estimate: i64) {
        match top.get(flow) {
            Some(known) => top.set(flow, known.max(estimate)),
            None if self.admits(top, estimate) => {
                if self.is_full(top) {
                    top.pop();
                }
                top.set(flow, estimate);
            }
            None => {}
        }
    }

    /// The probability that another flow has the same fingerprint and a cell in common.
    fn confusion(&self) -> f64 {
        let apart = pow(1.0 - 1.0 / f64::from(self.rows.columns), self.rows.rows.into());
        (1.0 - apart) * pow(2.0, -f64::from(self.fingerprint_bits))
    }

    /// A bound of the mean number of other flows that are confused with one of n flows.
    fn confused(&self, flows: u32) -> f64 {
        f64::from(flows.saturating_sub(1)) * self.confusion()
    }

    /// Flows whose estimate can be other than 0 where none are confused.
    fn places(&self) -> usize {
        self.rows.counters() + self.top as usize
    }

    /// Least errors where the counts are known: of all flows but the largest, as many as there are places, the
    /// estimate is 0.
    fn least_errors(&self, counts: &[i64]) -> [Prediction; 2] {
        let mut sorted: Vec<i64> = counts.iter().copied().filter(|count| *count > 0).collect();
        sorted.sort_unstable_by_key(|count| -count);
        let unknown = sorted.get(self.places()..).unwrap_or(&[]);
        let (flows, largest) = (sorted.len() as f64, unknown.first().copied().unwrap_or(0));
        let confused = self.confused(sorted.len() as u32);
        let share = unknown.len() as f64 / flows - confused;
        let mean = unknown.iter().sum::<i64>() as f64 / flows - confused * largest as f64;
        let source = "estimates are 0 of all flows but dw + k";
        let at_least = |metric, value: f64| Prediction::lower_bound(metric, value.max(0.0), source);
        [at_least(AAE, mean), at_least(ARE, share)]
    }

    /// The paper's bound of the probability that an error is above ε‖a‖₁, as a mean over flows: 1/(εw·n(b − 1)) of a flow
    /// of n packets, and 0 of one that has no more than ε‖a‖₁.
    fn exceeds(&self, counts: &[i64], known: &Known<'_>) -> Option<f64> {
        let epsilon = known.asked.epsilon?;
        let least = epsilon * known.norm?;
        let factor = epsilon * f64::from(self.rows.columns) * (self.base - 1.0);
        let flows = counts.iter().map(|count| *count as f64).filter(|count| *count > 0.0);
        let (mut all, mut sum) = (0_u32, 0.0);
        for count in flows {
            all += 1;
            sum += if count > least { (1.0 / (factor * count)).min(1.0) } else { 0.0 };
        }
        Some(sum / f64::from(all) + self.confused(all))
    }
}

impl Sketch for HeavyKeeper {
    const INFO: SchemeInfo = SchemeInfo {
        name: "heavy-keeper",
        summary: "d rows of w cells, each with a fingerprint and a counter. A packet raises the counter of its flow's cell in every row; where the cell belongs to another fingerprint, that one's counter C is decreased with probability b^−C, and the flow takes the cell over when it comes to 0. The estimate is the greatest counter with the flow's fingerprint. Beside the cells a heap holds the k largest flows; one that is not among them enters with an estimate of one more than the least, and its counters rise no further.",
        source: "Yang, Zhang, Li, Gong, Uhlig, Chen and Li, 2019; Gong et al., 2018",
        params: &[ROWS, COLUMNS, BASE, FINGERPRINT_BITS, TOP],
        predictions: &[
            "`overestimated`: upper bound, the number of other flows times the probability that one has the same fingerprint and a cell in common: without such no estimate is above the count",
            "`error_exceeds`, with `counts = \"expected\"`: upper bound, 1/(εwn(b − 1)) of a flow of n packets, as a mean over flows. The paper proves it of a flow that holds its cell from the first packet on: flows of equal size that meet can exceed it",
            "`aae` and `are`, with `counts = \"expected\"`: lower bound, as at most dw + k flows have an estimate above 0",
            "`reported_flows`: upper bound, 1/φ and those that are overestimated, and k",
        ],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = Cells;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let rows = Rows::from_params(params)?;
        let bits = params.small(FINGERPRINT_BITS.name)?;
        Ok(Self::new(rows, params.number(BASE.name)?, bits, params.small(TOP.name)?))
    }

    fn ranges(&self) -> Vec<u32> {
        [self.rows.ranges(), vec![1 << self.fingerprint_bits]].concat()
    }

    fn bytes(&self) -> u64 {
        let fingerprints = self.rows.counters() as u64 * u64::from(self.fingerprint_bits);
        let top = u64::from(self.top) * (KEY_BYTES + COUNTER_BYTES);
        self.rows.bytes() + fingerprints.div_ceil(8) + top
    }

    fn steps(&self) -> f64 {
        2.0 * f64::from(self.rows.rows)
    }

    fn store_bytes(&self) -> u64 {
        size_of::<Cell>() as u64 * self.rows.counters() as u64 + 32 * u64::from(self.top)
    }

    fn store(&self) -> Cells {
        let (cells, top) = (self.empty_cells(), FlowHeap::default());
        Cells { cells, top, coin: Rng::seed_from_u64(0) }
    }

    fn clear(&self, store: &mut Cells, seed: u64) {
        store.cells.fill(Cell::default());
        store.top.clear();
        store.coin = Rng::seed_from_u64(seed);
    }

    fn update(&self, store: &mut Cells, flow: Flow<'_>, weight: i64) {
        let Cells { cells, top, coin } = store;
        for _ in 0..weight {
            let limit = self.limit(top, top.get(flow.number).is_some());
            let estimate = self.count_packet(cells, flow.choices, limit, coin);
            self.keep(top, flow.number, estimate);
        }
    }

    fn estimate(&self, store: &Cells, flow: Flow<'_>) -> i64 {
        store.top.get(flow.number).unwrap_or_else(|| self.greatest(&store.cells, flow.choices))
    }

    fn kept(&self, store: &Cells) -> Vec<(i64, u32)> {
        store.top.iter().collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedHeavyKeeper::new(self))
    }

    fn record(&self, store: &Cells, trial: &Trial<'_>, asked: &Asked, out: &mut dyn Record) {
        record_points(self, store, trial, asked, out);
        record_overestimated(self, store, trial, out);
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let mut predictions = Vec::new();
        // A trace does not tell how many flows it has.
        if !known.updates.is_of_trace() {
            let flows = known.updates.wanted();
            let confused = self.confused(flows);
            let source = "without confused fingerprints no estimate is above the count";
            predictions.push(at_most(OVERESTIMATED, confused.min(1.0), source));
            predictions.extend(known.asked.phi.map(|phi| {
                let most = 1.0 / phi + f64::from(flows) * confused;
                at_most(REPORTED_FLOWS, most.min(self.top.into()), source)
            }));
        }
        if let Some(counts) = known.updates.same_counts() {
            predictions.extend(self.least_errors(&counts));
            let source = "the error bound of the paper, of flows that hold their cell";
            let bound = self.exceeds(&counts, known);
            predictions.extend(bound.map(|bound| at_most(ERROR_EXCEEDS, bound.min(1.0), source)));
        }
        Outlook { predictions, missing: None }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn keeper(rows: u32, columns: u32, base: f64, top: u32) -> HeavyKeeper {
        HeavyKeeper::new(Rows { rows, columns }, base, 16, top)
    }

    /// A store that has seen these flows, which share column 0 of the only row; each is its own fingerprint.
    fn after(keeper: &HeavyKeeper, flows: &[u32], seed: u64) -> Cells {
        let mut store = keeper.store();
        keeper.clear(&mut store, seed);
        for &number in flows {
            keeper.update(&mut store, Flow { number, choices: &[0, number] }, 1);
        }
        store
    }

    /// Owner and counter of one cell after these flows, by the probabilities of all outcomes of the decays.
    fn enumerated(flows: &[u32], base: f64) -> BTreeMap<(u32, i64), f64> {
        let mut law = BTreeMap::from([((0, 0), 1.0)]);
        for &flow in flows {
            let mut next = BTreeMap::new();
            for ((owner, count), p) in law {
                let mut to = |state, p| *next.entry(state).or_insert(0.0) += p;
                let decay = base.powi(-(count as i32));
                match count {
                    0 => to((flow, 1), p),
                    _ if owner == flow => to((owner, count + 1), p),
                    1 => {
                        to((flow, 1), p * decay);
                        to((owner, 1), p * (1.0 - decay));
                    }
                    _ => {
                        to((owner, count - 1), p * decay);
                        to((owner, count), p * (1.0 - decay));
                    }
                }
            }
            law = next;
        }
        law
    }

    /// The mean of the counter, as flow 1 sees it, and the probability that flow 2 owns the cell, in 20,000 runs, within 4
    /// standard errors.
    #[test]
    fn a_cell_decays_as_often_as_it_should() {
        let (flows, base) = ([1, 1, 2, 3, 2, 1, 2, 2, 3, 1, 2, 1], 1.5);
        let keeper = keeper(1, 2, base, 1);
        let law = enumerated(&flows, base);
        let (runs, mut sum, mut squares, mut owned) = (20_000_u32, 0.0, 0.0, 0.0);
        for seed in 0..runs {
            let cell = after(&keeper, &flows, seed.into()).cells[0];
            let seen = if cell.fingerprint == 1 { cell.count as f64 } else { 0.0 };
            (sum, squares) = (sum + seen, squares + seen * seen);
            owned += f64::from(u8::from(cell.fingerprint == 2));
        }
        let of = |value: &dyn Fn(u32, i64) -> f64| -> f64 {
            law.iter().map(|(&(owner, count), p)| p * value(owner, count)).sum()
        };
        let seen = of(&|owner, count| if owner == 1 { count as f64 } else { 0.0 });
        let second = of(&|owner, _| if owner == 2 { 1.0 } else { 0.0 });
        let all = f64::from(runs);
        let error = ((squares / all - (sum / all).powi(2)) / all).sqrt();
        assert!((sum / all - seen).abs() < 4.0 * error, "{} ± {error}, {seen}", sum / all);
        let error = (second * (1.0 - second) / all).sqrt();
        assert!((owned / all - second).abs() < 4.0 * error, "{} ± {error}, {second}", owned / all);
    }

    /// The same seed gives the same decays, and another one others.
    #[test]
    fn decays_repeat_with_their_seed() {
        let keeper = keeper(1, 2, 2.0, 1);
        let flows: Vec<u32> = (0..400).map(|i| i * i % 7).collect();
        let cells = |seed| after(&keeper, &flows, seed).cells;
        assert_eq!(cells(3), cells(3));
        assert!((0..20).any(|seed| cells(seed) != cells(3)));
    }

    /// The heap holds the k flows with the greatest estimates, by the greatest value that each had, and a flow enters with
    /// one more than the least.
    #[test]
    fn the_largest_flows_are_in_the_heap() {
        let keeper = keeper(1, 4, 1.08, 2);
        let mut store = keeper.store();
        for number in [0, 0, 0, 1, 2, 2, 0] {
            keeper.update(&mut store, Flow { number, choices: &[number, number] }, 1);
        }
        let mut kept = keeper.kept(&store);
        kept.sort_unstable();
        assert_eq!(kept, [(2, 2), (4, 0)]);
        // Flow 1 left the heap and is found in its cell.
        assert_eq!(keeper.estimate(&store, Flow { number: 1, choices: &[1, 1] }), 1);
    }

    /// A flow with the fingerprint of a larger one in the same cell has its estimate, but does not enter the heap and does
    /// not raise the counter: one that is not among the largest has no more than one packet above the least of them.
    #[test]
    fn a_confused_flow_does_not_enter_the_heap() {
        let keeper = keeper(1, 4, 1.08, 2);
        let mut store = keeper.store();
        for number in [0, 0, 0, 1, 2, 2] {
            let choices = [[0, 7], [1, 8], [0, 7]][number as usize];
            keeper.update(&mut store, Flow { number, choices: &choices }, 1);
        }
        let mut kept = keeper.kept(&store);
        kept.sort_unstable();
        assert_eq!(kept, [(1, 1), (3, 0)]);
        assert_eq!(keeper.estimate(&store, Flow { number: 2, choices: &[0, 7] }), 3);
    }

    #[test]
    fn counters_that_are_large_enough_never_decay() {
        let keeper = keeper(1, 2, 2.0, 1);
        assert_eq!(keeper.decay.len(), 54);
        let mut coin = Rng::seed_from_u64(1);
        assert!(keeper.decays(0, &mut coin) && !keeper.decays(54, &mut coin));
    }
}
