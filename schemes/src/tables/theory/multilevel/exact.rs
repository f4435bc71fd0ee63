//! The standard scheme with single slots for finite tables, exact.
//!
//! Source: "The Power of One Move" thesis, Section 4.11.3: when `r` elements arrive at a sub-table of
//! `m` buckets, those that pass on to the next one are as many as `r` balls thrown into `m` bins leave
//! over, and where they went does not matter any more. All terms are positive, so that small
//! probabilities keep their digits.

use crate::math::elementary::pow;

/// A multilevel table of the standard scheme after a static fill.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardLaw {
    /// The length of the overflow list.
    pub overflow: Count,
    /// The number of elements in each sub-table.
    pub sub_tables: Vec<Count>,
    /// Sub-tables that an element looks at, per insertion.
    pub accesses: f64,
}

/// The law of a number of elements. Values whose probabilities are below 1e-40 may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// The least value that is there.
    first: u32,
    law: Vec<f64>,
}

/// Upper limit on `n·√n` times sub-tables up to which the law is computed: some seconds.
pub const MOST_WORK: f64 = 2e8;

/// Less likely values are dropped.
const NEGLIGIBLE: f64 = 1e-40;

/// `n` insertions into empty sub-tables of single slots; `None` above [`MOST_WORK`].
pub fn standard_law(n: u32, buckets: &[u32]) -> Option<StandardLaw> {
    let work = pow(f64::from(n), 1.5) * buckets.len() as f64;
    (work <= MOST_WORK).then(|| filled(n, buckets))
}

fn filled(n: u32, buckets: &[u32]) -> StandardLaw {
    let mut arriving = Count { first: n, law: vec![1.0] };
    let mut looks = 0.0;
    let mut sub_tables = Vec::with_capacity(buckets.len());
    for &m in buckets {
        looks += arriving.mean();
        let (stored, passed) = arriving.thrown(m);
        sub_tables.push(stored);
        arriving = passed;
    }
    StandardLaw { overflow: arriving, sub_tables, accesses: looks / f64::from(n.max(1)) }
}

impl Count {
    /// The law with these probabilities of 0, 1, ….
    pub(super) fn of(law: Vec<f64>) -> Self {
        Self::trimmed(0, law)
    }

    /// Always `k`.
    pub fn certain(k: u32) -> Self {
        Self { first: k, law: vec![1.0] }
    }

    /// Probability that it is `k`.
    pub fn probability(&self, k: u32) -> f64 {
        let place = k.checked_sub(self.first).map(|place| place as usize);
        place.and_then(|place| self.law.get(place)).copied().unwrap_or(0.0)
    }

    /// Probability that it is more than `k`, summed from the far end.
    pub fn exceeds(&self, k: u32) -> f64 {
        self.values().rev().take_while(|&(value, _)| value > k).map(|(_, p)| p).sum()
    }

    /// Probability that it is at most `k`, summed from the near end.
    pub fn at_most(&self, k: u32) -> f64 {
        self.values().take_while(|&(value, _)| value <= k).map(|(_, p)| p).sum::<f64>().min(1.0)
    }

    /// Its mean.
    pub fn mean(&self) -> f64 {
        self.values().map(|(k, p)| f64::from(k) * p).sum()
    }

    /// Its variance.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.values().map(|(k, p)| (f64::from(k) - mean).powi(2) * p).sum()
    }

    /// The values with their probabilities.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (u32, f64)> {
        self.law.iter().enumerate().map(|(i, &p)| (self.first + i as u32, p))
    }

    /// How many of this number of balls fill one of `m` bins each, and how many are left over.
    fn thrown(&self, m: u32) -> (Self, Self) {
        let most = self.first as usize + self.law.len();
        let (mut stored, mut passed) = (vec![0.0; most.min(m as usize + 1)], vec![0.0; most]);
        let mut full = Count { first: 0, law: vec![1.0] };
        for balls in 0..most as u32 {
            let probability = self.probability(balls);
            if probability > 0.0 {
                for (k, p) in full.values() {
                    stored[k as usize] += probability * p;
                    passed[(balls - k) as usize] += probability * p;
                }
            }
            full = full.after_a_ball(m);
        }
        (Self::trimmed(0, stored), Self::trimmed(0, passed))
    }

    /// The bins with balls after one more of them.
    fn after_a_ball(&self, m: u32) -> Self {
        let bins = f64::from(m.max(1));
        let mut law = vec![0.0; self.law.len() + 1];
        for (i, (k, p)) in self.values().enumerate() {
            let hits = if m == 0 { 1.0 } else { f64::from(k) / bins };
            law[i] += p * hits;
            law[i + 1] = p * (f64::from(m - k.min(m)) / bins);
        }
        Self::trimmed(self.first, law)
    }

    fn trimmed(first: u32, mut law: Vec<f64>) -> Self {
        let kept = law.iter().rposition(|&p| p >= NEGLIGIBLE).map_or(0, |last| last + 1);
        law.truncate(kept);
        let start = law.iter().position(|&p| p >= NEGLIGIBLE).unwrap_or(0);
        law.drain(..start);
        Self { first: first + start as u32, law }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::occupancy;

    /// How many of all hash outcomes leave `l` elements on the list, and the looks of all of them.
    fn enumerated(n: usize, buckets: &[u32]) -> (Vec<f64>, f64) {
        let mut found = (vec![0.0; n + 1], 0.0);
        let mut table: Vec<Vec<bool>> = buckets.iter().map(|&m| vec![false; m as usize]).collect();
        insert(&mut table, n, 0, (1.0, 0.0), &mut found);
        found
    }

    fn insert(
        table: &mut Vec<Vec<bool>>,
        left: usize,
        listed: usize,
        (weight, looks): (f64, f64),
        found: &mut (Vec<f64>, f64),
    ) {
        if left == 0 {
            found.0[listed] += weight;
            found.1 += weight * looks;
            return;
        }
        choose(table, 0, left, listed, (weight, looks), found);
    }

    fn choose(
        table: &mut Vec<Vec<bool>>,
        level: usize,
        left: usize,
        listed: usize,
        (weight, looks): (f64, f64),
        found: &mut (Vec<f64>, f64),
    ) {
        if level == table.len() {
            return insert(table, left - 1, listed + 1, (weight, looks), found);
        }
        for bucket in 0..table[level].len() {
            let weight = weight / table[level].len() as f64;
            if table[level][bucket] {
                choose(table, level + 1, left, listed, (weight, looks + 1.0), found);
            } else {
                table[level][bucket] = true;
                insert(table, left - 1, listed, (weight, looks + 1.0), found);
                table[level][bucket] = false;
            }
        }
    }

    #[test]
    fn agrees_with_all_hash_outcomes() {
        for (n, buckets) in
            [(3, &[2][..]), (5, &[3, 2]), (6, &[2, 2, 1]), (4, &[1, 3]), (1, &[4, 1])]
        {
            let (lists, looks) = enumerated(n, buckets);
            let law = standard_law(n as u32, buckets).unwrap();
            for (p, k) in lists.iter().zip(0..) {
                assert!((law.overflow.probability(k) - p).abs() < 1e-14, "{n} {buckets:?} {k}");
            }
            assert!((law.accesses - looks / n as f64).abs() < 1e-13);
            let stored: f64 = law.sub_tables.iter().map(Count::mean).sum();
            assert!((stored + law.overflow.mean() - n as f64).abs() < 1e-13);
        }
    }

    #[test]
    fn one_sub_table_is_an_occupancy_problem() {
        let (n, m) = (1000, 800);
        let law = standard_law(n, &[m]).unwrap();
        let overflow = occupancy::static_overflow(n.into(), m.into(), 1, 1.0) * f64::from(n);
        assert!((law.overflow.mean() / overflow - 1.0).abs() < 1e-11);
        assert!((law.sub_tables[0].variance() - empty_bins_variance(n, m)).abs() < 1e-7);
    }

    fn empty_bins_variance(n: u32, m: u32) -> f64 {
        let (n, m) = (f64::from(n), f64::from(m));
        let [one, two] = [1.0, 2.0].map(|bins| (1.0 - bins / m).powf(n));
        m * (m - 1.0) * two + m * one - (m * one).powi(2)
    }

    /// The tail where all but a few elements overflow is a single product.
    #[test]
    fn tails_keep_their_digits() {
        let law = standard_law(12, &[10, 10]).unwrap();
        let same = (1.0 / 10.0_f64).powi(21);
        assert!((law.overflow.exceeds(9) / same - 1.0).abs() < 1e-13);
    }

    /// No list at all is as rare here as a long one elsewhere: one less all the others would have lost its digits.
    #[test]
    fn the_near_end_keeps_its_digits() {
        let law = standard_law(30, &[30]).unwrap().overflow;
        let none: f64 = (0..30).map(|i| 1.0 - f64::from(i) / 30.0).product();
        assert!(none < 1e-11 && (law.at_most(0) / none - 1.0).abs() < 1e-13);
        assert!((law.at_most(9) + law.exceeds(9) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn degenerate_tables() {
        let none = standard_law(0, &[3]).unwrap();
        assert_eq!((none.overflow.probability(0), none.accesses), (1.0, 0.0));
        assert_eq!(standard_law(5, &[]).unwrap().overflow.probability(5), 1.0);
        assert_eq!(standard_law(5, &[0, 9]).unwrap().sub_tables[0].probability(0), 1.0);
        assert_eq!(standard_law(u32::MAX, &[9]), None);
    }
}
