//! The batches of points, laid end to end and cut into shards of about equal cost.

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

/// The batches of several points, cut by cost: shard K of N has those whose middle lies in the K-th of N equal parts
/// of the whole.
///
/// Hence a shard is a stretch of neighbouring batches, of few points and few experiments, and exceeds its equal part
/// by less than its first and last batch.
#[derive(Debug)]
pub struct Cut {
    stretches: Vec<(f64, Stretch)>,
    whole: f64,
}

impl Cut {
    /// The cut of these points, in their order.
    pub fn new(points: impl IntoIterator<Item = Stretch>) -> Self {
        let mut whole = 0.0;
        let mut place = |stretch: Stretch| {
            let start = whole;
            whole += stretch.length();
            (start, stretch)
        };
        Self { stretches: points.into_iter().map(&mut place).collect(), whole }
    }

    /// Cost of all batches.
    pub fn whole(&self) -> f64 {
        self.whole
    }

    /// The shard of so many to which a batch of a point belongs, from 1.
    pub fn shard_of(&self, point: usize, batch: u64, shards: u64) -> u64 {
        let (start, stretch) = self.stretches[point];
        let middle = match stretch.is_whole {
            true => stretch.length() / 2.0,
            false => (batch as f64 + 0.5) * stretch.cost,
        };
        let part = (start + middle) / self.whole * shards as f64;
        // Nothing costs anything where the whole is 0, and then the part is no number, which becomes 0.
        (part as u64).min(shards - 1) + 1
    }

    /// The shards of so many that have batches of a point; `None` where it has none.
    pub fn shards_of(&self, point: usize, shards: u64) -> Option<RangeInclusive<u64>> {
        let last = self.stretches[point].1.batches.checked_sub(1)?;
        Some(self.shard_of(point, 0, shards)..=self.shard_of(point, last, shards))
    }

    /// The batches of a point that belong to a shard: neighbours, because the shard grows with the batch.
    pub fn batches_of(&self, point: usize, shard: Shard) -> Range<u64> {
        self.first_from(point, shard.index(), shard.count())
            ..self.first_from(point, shard.index() + 1, shard.count())
    }

    /// The first batch of a point that belongs to this shard of so many or to a later one; the number of its batches
    /// where there is none.
    fn first_from(&self, point: usize, shard: u64, shards: u64) -> u64 {
        let (mut below, mut end) = (0, self.stretches[point].1.batches);
        while below < end {
            let middle = below + (end - below) / 2;
            match self.shard_of(point, middle, shards) < shard {
                true => below = middle + 1,
                false => end = middle,
            }
        }
        end
    }

    /// Cost of the batches of each of so many shards.
    pub fn costs(&self, shards: u64) -> Vec<f64> {
        let mut costs = vec![0.0; shards as usize];
        for (point, &(_, stretch)) in self.stretches.iter().enumerate() {
            let mut first = 0;
            for shard in self.shards_of(point, shards).into_iter().flatten() {
                let end = self.first_from(point, shard + 1, shards);
                costs[shard as usize - 1] += (end - first) as f64 * stretch.cost;
                first = end;
            }
        }
        costs
    }
}

/// What one shard has of the points of one experiment.
#[derive(Debug, Clone)]
pub struct Share {
    cut: Arc<Cut>,
    /// Where the experiment's points begin in the cut.
    first: usize,
    shard: Shard,
}

impl Share {
    /// The shard's part of an experiment whose points stand in the cut from `first` on.
    pub fn new(cut: Arc<Cut>, first: usize, shard: Shard) -> Self {
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
        Self::new(Arc::new(Cut::new((0..work.points()).map(stretch))), 0, shard)
    }

    /// Whether any batch of this point of the experiment is the shard's to run.
    pub fn has(&self, point: usize) -> bool {
        let shards = self.cut.shards_of(self.first + point, self.shard.count());
        shards.is_some_and(|shards| shards.contains(&self.shard.index()))
    }

    /// The batches of this point of the experiment that are the shard's, of those that were cut.
    pub fn batches(&self, point: usize) -> Range<u64> {
        self.cut.batches_of(self.first + point, self.shard)
    }

    /// Whether this batch of this point of the experiment is the shard's to run. A batch that was not cut is no shard's.
    pub fn holds(&self, point: usize, batch: u64) -> bool {
        let (_, stretch) = self.cut.stretches[self.first + point];
        let was_cut = batch < stretch.batches || (stretch.is_whole && stretch.batches > 0);
        was_cut
            && self.cut.shard_of(self.first + point, batch, self.shard.count())
                == self.shard.index()
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
        fn shards_are_neighbours_and_none_exceeds_its_part_by_two_batches(
            stretches in stretches(), shards in 1..30_u64
        ) {
            let cut = Cut::new(stretches.clone());
            let longest = stretches.iter().map(|s| if s.is_whole { s.length() } else { s.cost });
            let longest = longest.fold(0.0, f64::max);
            let mut last = 1;
            let mut batch_by_batch = vec![0.0; shards as usize];
            for (point, stretch) in stretches.iter().enumerate() {
                for batch in 0..stretch.batches {
                    let shard = cut.shard_of(point, batch, shards);
                    prop_assert!((last..=shards).contains(&shard));
                    prop_assert!(cut.batches_of(point, Shard::new(shard, shards).unwrap()).contains(&batch));
                    batch_by_batch[shard as usize - 1] += stretch.cost;
                    last = shard;
                }
                let ranges = (1..=shards).map(|k| cut.batches_of(point, Shard::new(k, shards).unwrap()));
                prop_assert_eq!(ranges.map(|range| range.end - range.start).sum::<u64>(), stretch.batches);
            }
            let costs = cut.costs(shards);
            let differences = costs.iter().zip(&batch_by_batch).map(|(a, b)| (a - b).abs());
            prop_assert!(differences.fold(0.0, f64::max) < 1e-6);
            let equal = cut.whole() / shards as f64;
            prop_assert!(costs.iter().all(|&cost| cost <= equal + longest + 1e-9));
            prop_assert!((costs.iter().sum::<f64>() - cut.whole()).abs() < 1e-6);
        }
    }

    #[test]
    fn a_whole_point_stays_in_one_shard() {
        let whole = Stretch { batches: 10, cost: 1.0, is_whole: true };
        let cut = Cut::new([whole, Stretch { is_whole: false, ..whole }]);
        let shards: Vec<u64> = (0..1000).map(|batch| cut.shard_of(0, batch, 4)).collect();
        assert_eq!(shards, vec![2; 1000]);
        assert_eq!(cut.costs(4), [0.0, 10.0, 5.0, 5.0]);
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
        assert_eq!(Cut::new([free]).shard_of(0, 2, 7), 1);
    }
}
