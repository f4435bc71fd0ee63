//! The loads of buckets while elements come.

use rand::SeedableRng;

use super::rule::{Kind, Rule, whole_accesses};
use crate::Rng;
use crate::hash::Choices;
use crate::tables::Coin;

/// How many elements each bucket holds, and what their insertion cost.
#[derive(Debug, Clone)]
pub struct Loads {
    loads: Vec<u32>,
    stored: u64,
    accesses: u64,
    arrivals: u64,
    coin: Coin,
    rng: Rng,
}

impl Loads {
    /// Empty buckets, for a rule.
    pub fn new(rule: &Rule) -> Self {
        Self {
            loads: vec![0; rule.buckets() as usize],
            stored: 0,
            accesses: 0,
            arrivals: 0,
            coin: Coin::new(rule.probability),
            rng: Rng::seed_from_u64(0),
        }
    }

    /// Empties them, for a trial whose coins follow from `seed`.
    pub fn clear(&mut self, seed: u64) {
        self.loads.fill(0);
        (self.stored, self.accesses, self.arrivals) = (0, 0, 0);
        self.toss_anew(seed);
    }

    /// From here on, coins follow from `seed`.
    pub fn toss_anew(&mut self, seed: u64) {
        self.rng = Rng::seed_from_u64(seed);
    }

    /// An element arrives.
    #[inline]
    pub fn arrive(&mut self) {
        self.arrivals += 1;
    }

    /// Whether the budget has an access left.
    #[inline]
    pub fn may_access(&self, rule: &Rule) -> bool {
        rule.budget.is_none_or(|budget| self.accesses < budget)
    }

    /// Reads a bucket, which takes the element or does not.
    #[inline]
    pub fn offer(&mut self, rule: &Rule, bucket: u32) -> bool {
        self.accesses += 1;
        let load = self.loads[bucket as usize];
        let takes = rule.threshold.is_none_or(|threshold| {
            load < threshold || load == threshold && self.coin.toss(&mut self.rng)
        });
        if takes {
            self.put(bucket);
        }
        takes
    }

    /// Puts an element into a bucket, without a question.
    #[inline]
    pub fn put(&mut self, bucket: u32) {
        self.loads[bucket as usize] += 1;
        self.stored += 1;
    }

    /// An element with these choices arrives; the bucket that takes it, if one does. Where every access leaves an element,
    /// none is told.
    #[inline]
    pub fn insert(&mut self, rule: &Rule, mut choices: impl Choices) -> Option<u32> {
        if rule.kind == Kind::Offline {
            self.leave_everywhere(rule, choices);
            return None;
        }
        self.arrive();
        for range in &rule.ranges {
            if !self.may_access(rule) {
                return None;
            }
            let bucket = range.first + choices.next(range.buckets);
            if self.offer(rule, bucket) {
                return Some(bucket);
            }
        }
        None
    }

    /// So many accesses that there are ⌊a·i⌋ after i elements, each of which leaves an element.
    fn leave_everywhere(&mut self, rule: &Rule, mut choices: impl Choices) {
        self.arrive();
        let until = whole_accesses(rule.accesses.unwrap_or(1.0), self.arrivals);
        for range in &rule.ranges {
            if self.accesses < until {
                self.accesses += 1;
                self.put(range.first + choices.next(range.buckets));
            }
        }
    }

    /// Takes elements from the fullest buckets, one after the other, until `stored` are left.
    pub fn level(&mut self, stored: u64) {
        let mut by_load = self.by_load();
        let mut surplus = self.stored.saturating_sub(stored);
        self.stored -= surplus;
        while surplus > 0 {
            let Some(mut fullest) = by_load.pop() else { break };
            let lowered = fullest.len().min(usize::try_from(surplus).unwrap_or(usize::MAX));
            surplus -= lowered as u64;
            let untouched = fullest.split_off(lowered);
            fullest.iter().for_each(|&bucket| self.loads[bucket as usize] -= 1);
            if let Some(below) = by_load.last_mut() {
                below.append(&mut fullest);
            }
            if !untouched.is_empty() {
                by_load.push(untouched);
            }
        }
    }

    /// The buckets that hold 0, 1, … elements.
    fn by_load(&self) -> Vec<Vec<u32>> {
        let most = self.loads.iter().max().copied().unwrap_or(0);
        let mut by_load = vec![Vec::new(); most as usize + 1];
        for (bucket, &load) in (0..).zip(&self.loads) {
            by_load[load as usize].push(bucket);
        }
        by_load
    }

    /// The load of each bucket.
    pub fn all(&self) -> &[u32] {
        &self.loads
    }

    /// The draws that a scheme makes beside the coin.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Elements in buckets.
    pub fn stored(&self) -> u64 {
        self.stored
    }

    /// Elements on the overflow list.
    pub fn overflow(&self) -> u64 {
        self.arrivals.saturating_sub(self.stored)
    }

    /// Elements on the overflow list, as a share of all that arrived; `None` where none did.
    pub fn overflow_fraction(&self) -> Option<f64> {
        (self.arrivals > 0).then(|| self.overflow() as f64 / self.arrivals as f64)
    }

    /// Buckets read per element that arrived; `None` where none did.
    pub fn accesses_per_insertion(&self) -> Option<f64> {
        (self.arrivals > 0).then(|| self.accesses as f64 / self.arrivals as f64)
    }

    /// How many buckets hold 0, 1, … elements.
    pub fn occupancy(&self) -> Vec<u64> {
        let most = self.loads.iter().max().copied().unwrap_or(0);
        let mut occupancy = vec![0; most as usize + 1];
        self.loads.iter().for_each(|&load| occupancy[load as usize] += 1);
        occupancy
    }

    /// The share of full buckets in each range.
    pub fn full(&self, rule: &Rule) -> Vec<f64> {
        let share = |range: &crate::tables::SubTable| {
            let of_range = &self.loads[range.first as usize..][..range.buckets as usize];
            let full = of_range.iter().filter(|&&load| rule.is_full(load)).count();
            full as f64 / f64::from(range.buckets)
        };
        rule.ranges.iter().map(share).collect()
    }

    /// The mean of a function of the load.
    pub fn mean_of(&self, function: impl Fn(u32) -> f64) -> f64 {
        let sum: f64 = self.loads.iter().map(|&load| function(load)).sum();
        sum / self.loads.len() as f64
    }
}

/// Buckets that a look-up of an absent element reads, where such shares of the buckets of its choices are full.
pub fn accesses_per_absent_lookup(full: &[f64]) -> f64 {
    let (_, read) =
        full.iter().fold((1.0, 0.0), |(reached, read), s| (reached * s, read + reached));
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::SubTable;

    fn rule(ranges: &[(u32, u32)]) -> Rule {
        let ranges = ranges.iter().map(|&(first, buckets)| SubTable { first, buckets }).collect();
        Rule {
            kind: Kind::Multilevel,
            ranges,
            threshold: Some(2),
            probability: 1.0,
            accesses: None,
            overflow: None,
            budget: None,
        }
    }

    struct Listed<'a>(std::slice::Iter<'a, u32>);

    impl Choices for Listed<'_> {
        fn next(&mut self, buckets: u32) -> u32 {
            self.0.next().map_or(0, |choice| choice % buckets)
        }
    }

    fn insert(loads: &mut Loads, rule: &Rule, choices: &[u32]) {
        loads.insert(rule, Listed(choices.iter()));
    }

    /// Figure 1 of "Access-Efficient Balanced Bloom Filters", with h = 2 and p = 1: three elements to a bucket.
    #[test]
    fn an_element_stays_where_it_is_taken_first() {
        let rule = rule(&[(0, 4), (4, 2), (6, 1)]);
        let mut loads = Loads::new(&rule);
        for _ in 0..4 {
            insert(&mut loads, &rule, &[2, 1, 0]);
        }
        assert_eq!(loads.all(), [0, 0, 3, 0, 0, 1, 0]);
        for _ in 0..6 {
            insert(&mut loads, &rule, &[2, 1, 0]);
        }
        assert_eq!(loads.all(), [0, 0, 3, 0, 0, 3, 3]);
        assert_eq!(loads.overflow_fraction(), Some(0.1));
        // Three times one bucket, three times two, four times three.
        assert_eq!(loads.accesses_per_insertion(), Some(2.1));
        assert_eq!(loads.full(&rule), [0.25, 0.5, 1.0]);
        assert_eq!(accesses_per_absent_lookup(&[0.25, 0.5, 1.0]), 1.375);
    }

    /// The budget is asked before each access, in the middle of an insertion too.
    #[test]
    fn nothing_is_read_beyond_the_budget() {
        let rule = Rule { budget: Some(5), ..rule(&[(0, 1), (1, 1)]) };
        let mut loads = Loads::new(&rule);
        (0..10).for_each(|_| insert(&mut loads, &rule, &[0, 0]));
        // 3 + 2 reads: the fourth element reads both, the fifth none.
        assert_eq!(loads.all(), [3, 1]);
        assert_eq!((loads.stored(), loads.accesses, loads.arrivals), (4, 5, 10));
    }

    #[test]
    fn whole_accesses_are_those_of_decimal_numbers() {
        for (accesses, elements, whole) in [(1.15, 100, 115), (1.14, 80_000, 91_200), (1.14, 7, 7)]
        {
            assert_eq!(whole_accesses(accesses, elements), whole);
        }
    }

    #[test]
    fn the_fullest_are_levelled_one_element_at_a_time() {
        let rule = rule(&[(0, 4)]);
        let mut loads = Loads::new(&rule);
        for (bucket, load) in [(0, 5), (1, 1), (2, 4), (3, 4)] {
            (0..load).for_each(|_| loads.put(bucket));
        }
        loads.level(10);
        let mut sorted = loads.all().to_vec();
        sorted.sort_unstable();
        assert_eq!((sorted, loads.stored()), (vec![1, 3, 3, 3], 10));
        loads.level(8);
        assert_eq!(loads.occupancy(), [0, 1, 2, 1]);
    }
}
