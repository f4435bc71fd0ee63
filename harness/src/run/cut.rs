//! The batches of points, laid end to end and cut into pieces, of which shards of about equal cost are made.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::shard::Shard;
use super::work::Work;
use crate::estimate::stopping::{Stopping, first_checkpoint};

/// What a point puts into the cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Batches, one behind the other.
    pub batches: u64,
    /// Cost of each, in any unit that all points share.
    pub cost: f64,
    /// Whether all batches belong together, because only all of them tell when they are enough.
    pub is_whole: bool,
}

impl Stretch {
    /// The batches of a point, of which a full one has this cost. The last one may have fewer trials, so that their mean
    /// counts.
    pub fn of(rule: &Stopping, trials_per_batch: u64, cost: f64) -> Self {
        let trials_per_batch = trials_per_batch.max(1);
        let trials = first_checkpoint(rule, trials_per_batch);
        let batches = trials.div_ceil(trials_per_batch);
        let full = trials as f64 / trials_per_batch as f64;
        Self {
            batches,
            cost: cost * full / batches.max(1) as f64,
            is_whole: !matches!(rule, Stopping::Trials(_)),
        }
    }

    /// A point that is not run.
    pub const NONE: Self = Self { batches: 0, cost: 0.0, is_whole: false };

    fn length(self) -> f64 {
        self.batches as f64 * self.cost
    }
}

/// Pieces of a shard. What a batch takes is known from samples, and where those of an experiment mislead, they mislead for
/// all of its pieces: so a shard has some from places far from each other, and an error is shared by many shards.
const PIECES: u64 = 4;

/// The batches of several points, cut by cost into as many pieces of about equal cost for each shard: piece P of M has
/// those whose middle lies in the P-th of M equal parts of the whole.
///
/// They are dealt to the shards from the dearest to the cheapest, each to the shard that has the least so far. Hence a
/// shard is of few points and few experiments, and exceeds its equal part by less than the dearest piece.
#[derive(Debug)]
pub struct Cut {
    stretches: Vec<(f64, Stretch)>,
    whole: f64,
    /// The shard that has each piece, from 1.
    owners: Vec<u64>,
    /// What each shard has.
    hands: Vec<Hand>,
}

/// What a shard has.
#[derive(Debug, Clone, Default)]
struct Hand {
    /// The numbers of its pieces, in their order.
    pieces: Vec<u64>,
    cost: f64,
}

impl Cut {
    /// The cut of these points, in their order, into so many shards.
    pub fn new(points: impl IntoIterator<Item = Stretch>, shards: u64) -> Self {
        let mut whole = 0.0;
        let mut place = |stretch: Stretch| {
            let start = whole;
            whole += stretch.length();
            (start, stretch)
        };
        let stretches = points.into_iter().map(&mut place).collect();
        let owners = vec![1; (shards * PIECES) as usize];
        let hands = vec![Hand::default(); shards as usize];
        let mut cut = Self { stretches, whole, owners, hands };
        cut.deal();
        cut
    }

    /// Gives each shard its pieces.
    fn deal(&mut self) {
        let costs = self.costs_of_pieces();
        let mut pieces: Vec<usize> = (0..costs.len()).collect();
        pieces.sort_by(|&a, &b| costs[b].total_cmp(&costs[a]));
        // The bits of numbers that are not below 0 have the order of the numbers.
        let hand = |shard: usize, cost: f64| Reverse((cost.to_bits(), shard));
        let mut hands: BinaryHeap<_> =
            (0..self.hands.len()).map(|shard| hand(shard, 0.0)).collect();
        for piece in pieces {
            let Some(Reverse((_, shard))) = hands.pop() else { return };
            self.owners[piece] = shard as u64 + 1;
            self.hands[shard].cost += costs[piece];
            hands.push(hand(shard, self.hands[shard].cost));
        }
        for (piece, &owner) in self.owners.iter().enumerate() {
            self.hands[owner as usize - 1].pieces.push(piece as u64);
        }
    }

    fn costs_of_pieces(&self) -> Vec<f64> {
        let mut costs = vec![0.0; self.owners.len()];
        for (point, &(_, stretch)) in self.stretches.iter().enumerate() {
            let mut first = 0;
            for piece in self.pieces_of(point).into_iter().flatten() {
                let end = self.first_from(point, piece + 1);
                costs[piece as usize] += (end - first) as f64 * stretch.cost;
                first = end;
            }
        }
        costs
    }

    /// Cost of all batches.
    pub fn whole(&self) -> f64 {
        self.whole
    }

    /// The piece to which a batch of a point belongs, from 0.
    fn piece_of(&self, point: usize, batch: u64) -> u64 {
        let (start, stretch) = self.stretches[point];
        let middle = match stretch.is_whole {
            true => stretch.length() / 2.0,
            false => (batch as f64 + 0.5) * stretch.cost,
        };
        let pieces = self.owners.len() as u64;
        let part = (start + middle) / self.whole * pieces as f64;
        // Nothing costs anything where the whole is 0, and then the part is no number, which becomes 0.
        (part as u64).min(pieces - 1)
    }

    /// The pieces from the first to the last that has batches of a point; `None` where it has none.
    fn pieces_of(&self, point: usize) -> Option<RangeInclusive<u64>> {
        let last = self.stretches[point].1.batches.checked_sub(1)?;
        Some(self.piece_of(point, 0)..=self.piece_of(point, last))
    }

    /// The shard to which a batch of a point belongs, from 1.
    pub fn shard_of(&self, point: usize, batch: u64) -> u64 {
        self.owners[self.piece_of(point, batch) as usize]
    }

    /// The shards that may have batches of these points, in their order.
    pub fn shards_of(&self, points: Range<usize>) -> BTreeSet<u64> {
        let mut pieces = points.filter_map(|point| self.pieces_of(point));
        let Some(first) = pieces.next() else { return BTreeSet::new() };
        let end = pieces.next_back().map_or(*first.end(), |last| *last.end());
        self.owners[*first.start() as usize..=end as usize].iter().copied().collect()
    }

    /// The batches of a point that belong to a shard: of each of its pieces some neighbours, because the piece grows with
    /// the batch.
    pub fn batches_of(
        &self,
        point: usize,
        shard: u64,
    ) -> impl Iterator<Item = Range<u64>> + use<'_> {
        let pieces = &self.hands[shard as usize - 1].pieces;
        // A shard may have very many pieces in which no batch has its middle.
        let near = self.pieces_of(point).map_or(0..0, |own| {
            pieces.partition_point(|piece| piece < own.start())
                ..pieces.partition_point(|piece| piece <= own.end())
        });
        let batches =
            move |&piece: &u64| self.first_from(point, piece)..self.first_from(point, piece + 1);
        pieces[near].iter().map(batches).filter(|batches| !batches.is_empty())
    }

    /// The first batch of a point that belongs to this piece or to a later one; the number of its batches where there is
    /// none.
    fn first_from(&self, point: usize, piece: u64) -> u64 {
        let (mut below, mut end) = (0, self.stretches[point].1.batches);
        while below < end {
            let middle = below + (end - below) / 2;
            match self.piece_of(point, middle) < piece {
                true => below = middle + 1,
                false => end = middle,
            }
        }
        end
    }

    /// Cost of the batches of each shard.
    pub fn costs(&self) -> Vec<f64> {
        self.hands.iter().map(|hand| hand.cost).collect()
    }
}

/// What one shard has of the points of one experiment.
#[derive(Debug, Clone)]
pub struct Share {
    cut: Arc<Cut>,
    /// Where the experiment's points begin in the cut.
    first: usize,
    /// The shard's number, from 1.
    shard: u64,
}

impl Share {
    /// Part `shard` of an experiment whose points stand in the cut from `first` on.
    pub fn new(cut: Arc<Cut>, first: usize, shard: u64) -> Self {
        Self { cut, first, shard }
    }

    /// The shard's part of this experiment alone, of the points that are run.
    pub fn of_work(work: &impl Work, runs: impl Fn(usize) -> bool, shard: Shard) -> Self {
        let stretch = |point| match runs(point) {
            true => {
                Stretch::of(&work.stopping(point), work.trials_per_batch(point), work.cost(point))
            }
            false => Stretch::NONE,
        };
        let cut = Cut::new((0..work.points()).map(stretch), shard.count());
        Self::new(Arc::new(cut), 0, shard.index())
    }

    /// Whether any batch of this point of the experiment is the shard's to run.
    pub fn has(&self, point: usize) -> bool {
        self.batches(point).next().is_some()
    }

    /// The batches of this point of the experiment that are the shard's, of those that were cut, in their order.
    pub fn batches(&self, point: usize) -> impl Iterator<Item = Range<u64>> + use<'_> {
        self.cut.batches_of(self.first + point, self.shard)
    }

    /// Whether this batch of this point of the experiment is the shard's to run. A batch that was not cut is no shard's.
    pub fn holds(&self, point: usize, batch: u64) -> bool {
        let (_, stretch) = self.cut.stretches[self.first + point];
        let was_cut = batch < stretch.batches || (stretch.is_whole && stretch.batches > 0);
        was_cut && self.cut.shard_of(self.first + point, batch) == self.shard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stretches() -> impl Strategy<Value = Vec<Stretch>> {
        let stretch = (0..40_u64, 0.0..5.0, any::<bool>())
            .prop_map(|(batches, cost, is_whole)| Stretch { batches, cost, is_whole });
        prop::collection::vec(stretch, 1..12)
    }

    proptest! {
        #[test]
        fn each_batch_is_in_one_shard_and_no_shard_exceeds_its_part_by_more_than_a_piece(
            stretches in stretches(), shards in 1..30_u64
        ) {
            let cut = Cut::new(stretches.clone(), shards);
            let longest = stretches.iter().map(|s| if s.is_whole { s.length() } else { s.cost });
            let longest = longest.fold(0.0, f64::max);
            let mut batch_by_batch = vec![0.0; shards as usize];
            for (point, stretch) in stretches.iter().enumerate() {
                for batch in 0..stretch.batches {
                    let shard = cut.shard_of(point, batch);
                    prop_assert!((1..=shards).contains(&shard));
                    prop_assert!(cut.batches_of(point, shard).any(|range| range.contains(&batch)));
                    prop_assert!(cut.shards_of(point..point + 1).contains(&shard));
                    batch_by_batch[shard as usize - 1] += stretch.cost;
                }
                let ranges = (1..=shards).flat_map(|shard| cut.batches_of(point, shard));
                prop_assert_eq!(ranges.map(|range| range.end - range.start).sum::<u64>(), stretch.batches);
            }
            let costs = cut.costs();
            let differences = costs.iter().zip(&batch_by_batch).map(|(a, b)| (a - b).abs());
            prop_assert!(differences.fold(0.0, f64::max) < 1e-6);
            let equal = cut.whole() / shards as f64;
            prop_assert!(costs.iter().all(|&cost| cost <= equal + equal / PIECES as f64 + longest + 1e-9));
            prop_assert!((costs.iter().sum::<f64>() - cut.whole()).abs() < 1e-6);
        }
    }

    /// A point that takes half or twice of what was thought makes no shard much shorter or longer than the others.
    #[test]
    fn a_point_that_takes_longer_than_thought_is_shared_by_many_shards() {
        let points = vec![Stretch { batches: 1000, cost: 1.0, is_whole: false }; 5];
        let cut = Cut::new(points, 50);
        let of = |shard, point, factor| {
            let batches = cut.batches_of(point, shard).map(|range| range.end - range.start);
            batches.sum::<u64>() as f64 * factor
        };
        let costs = (1..=50).map(|shard| {
            (0..5).map(|point| of(shard, point, if point == 2 { 2.0 } else { 1.0 })).sum()
        });
        let costs: Vec<f64> = costs.collect();
        let mean = costs.iter().sum::<f64>() / 50.0;
        assert!(costs.iter().all(|&cost| (cost / mean - 1.0).abs() < 0.26), "{costs:?}");
    }

    #[test]
    fn a_whole_point_stays_in_one_shard() {
        let whole = Stretch { batches: 10, cost: 1.0, is_whole: true };
        let cut = Cut::new([whole, Stretch { is_whole: false, ..whole }], 4);
        let shards: BTreeSet<u64> = (0..1000).map(|batch| cut.shard_of(0, batch)).collect();
        assert_eq!(shards.len(), 1);
        let mut costs = cut.costs();
        costs.sort_by(f64::total_cmp);
        assert_eq!(costs, [3.0, 3.0, 4.0, 10.0]);
    }

    /// All pieces but one are empty, and some shard has most of them.
    #[test]
    fn empty_pieces_hold_no_batch() {
        let cut =
            Cut::new([Stretch { batches: 1, cost: 1.0, is_whole: true }, Stretch::NONE], 1000);
        let shards: Vec<u64> =
            (1..=1000).filter(|&shard| cut.batches_of(0, shard).next().is_some()).collect();
        assert_eq!(shards, [cut.shard_of(0, 0)]);
        assert!((1..=1000).all(|shard| cut.batches_of(1, shard).next().is_none()));
    }

    #[test]
    fn a_batch_that_is_not_full_costs_less() {
        let stretch = Stretch::of(&Stopping::Trials(25), 100, 8.0);
        assert_eq!(stretch, Stretch { batches: 1, cost: 2.0, is_whole: false });
        assert_eq!(Stretch::of(&Stopping::Trials(150), 100, 8.0).cost, 6.0);
    }

    #[test]
    fn what_costs_nothing_is_in_a_shard_too() {
        let free = Stretch { batches: 3, cost: 0.0, is_whole: false };
        let cut = Cut::new([free], 7);
        assert!(cut.batches_of(0, cut.shard_of(0, 2)).any(|batches| batches.contains(&2)));
    }
}
