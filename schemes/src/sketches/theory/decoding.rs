//! The exact law of peeling a small table.
//!
//! n flows with k choices each are kn slots in m cells, all assignments equally likely. Given how many slots are left,
//! how many cells have exactly one and how many have more, all assignments with these numbers are equally likely, and
//! stay so when a flow is decoded: the slot of a cell that has one is removed, and k − 1 others are any k − 1 of those
//! that are left. The two numbers are a Markov chain. Its states are gone through from the first flow to the last.

/// Less weight than this is left out.
const NEGLIGIBLE: f64 = 1e-25;

/// A law of the numbers of cells with one slot and with more.
#[derive(Debug, Clone)]
struct CellLaw {
    cells: usize,
    mass: Vec<f64>,
}

impl CellLaw {
    fn zero(cells: usize) -> Self {
        Self { cells, mass: vec![0.0; (cells + 1) * (cells + 1)] }
    }

    fn add(&mut self, ones: usize, more: usize, p: f64) {
        self.mass[ones * (self.cells + 1) + more] += p;
    }

    /// States with their weights.
    fn states(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let width = self.cells + 1;
        let states = self.mass.iter().enumerate().filter(|(_, p)| **p > NEGLIGIBLE);
        states.map(move |(place, &p)| (place / width, place % width, p))
    }

    /// The law with one slot more, in any cell.
    fn thrown(&self) -> Self {
        let mut next = Self::zero(self.cells);
        let all = self.cells as f64;
        for (ones, more, p) in self.states() {
            let share = p / all;
            if ones + more < self.cells {
                next.add(ones + 1, more, share * (self.cells - ones - more) as f64);
            }
            if ones > 0 {
                next.add(ones - 1, more + 1, share * ones as f64);
            }
            next.add(ones, more, share * more as f64);
        }
        next
    }

    /// The law when one of `slots` slots is removed, any of them.
    fn removed(&self, slots: usize, pairs: &Pairs) -> Self {
        let mut next = Self::zero(self.cells);
        let all = slots as f64;
        for (ones, more, p) in self.states() {
            if ones > 0 {
                next.add(ones - 1, more, p * ones as f64 / all);
            }
            let crowded = slots - ones;
            if crowded > 0 {
                let (share, paired) = (p * crowded as f64 / all, pairs.probability(crowded, more));
                next.add(ones + 1, more - 1, share * paired);
                next.add(ones, more, share * (1.0 - paired));
            }
        }
        next
    }
}

/// How likely a slot is one of two in its cell, for slots in cells of two or more.
#[derive(Debug)]
struct Pairs {
    cells: usize,
    /// Probability that q slots in s cells leave none of them with fewer than two, by q and s.
    all_shared: Vec<f64>,
}

impl Pairs {
    fn new(slots: usize, cells: usize) -> Self {
        let mut own = Self { cells, all_shared: vec![0.0; (slots + 1) * (cells + 1)] };
        own.all_shared[0] = 1.0;
        for q in 1..=slots {
            for s in 1..=cells.min(q / 2) {
                // The last slot joins a cell that has two, or one that had just one.
                let value = own.at(q - 1, s) + own.of_two(q, s);
                own.all_shared[q * (cells + 1) + s] = value;
            }
        }
        own
    }

    fn at(&self, slots: usize, cells: usize) -> f64 {
        self.all_shared[slots * (self.cells + 1) + cells]
    }

    /// The part of q slots in s cells where the last slot shares its cell with exactly one other.
    fn of_two(&self, q: usize, s: usize) -> f64 {
        if q < 2 {
            return 0.0;
        }
        let of_others = power((s - 1) as f64 / s as f64, q - 2) * self.at(q - 2, s - 1);
        (q - 1) as f64 / s as f64 * of_others
    }

    fn probability(&self, slots: usize, cells: usize) -> f64 {
        (self.of_two(slots, cells) / self.at(slots, cells)).min(1.0)
    }
}

/// x to the power of a whole number, 1 where that is 0.
fn power(x: f64, exponent: usize) -> f64 {
    x.powi(exponent as i32)
}

/// How the decoding of a table ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoding {
    /// Mean number of flows that are left.
    pub left: f64,
    /// Probability that none is.
    pub all: f64,
}

/// Decodes tables of `cells` cells with `choices` choices of each flow, where the i-th of `flows` is the probability
/// that they hold i flows.
pub fn decoding(cells: u32, choices: u32, flows: &[f64]) -> Decoding {
    let (cells, choices) = (cells as usize, choices as usize);
    let most = flows.len() - 1;
    let pairs = Pairs::new(choices * most, cells);
    let mut filled = filled(cells, choices, flows);
    let mut law = CellLaw::zero(cells);
    let mut left = 0.0;
    for number in (1..=most).rev() {
        if let Some(filled) = filled.pop().flatten() {
            filled.states().for_each(|(ones, more, p)| law.add(ones, more, p));
        }
        let mut peeled = CellLaw::zero(cells);
        for (ones, more, p) in law.states() {
            match ones.checked_sub(1) {
                None => left += p * number as f64,
                Some(ones) => peeled.add(ones, more, p),
            }
        }
        let slots = choices * number - 1;
        law = (0..choices - 1).fold(peeled, |law, removed| law.removed(slots - removed, &pairs));
    }
    let all = flows[0] + law.mass[0];
    Decoding { left, all }
}

/// The laws of the cells with 1, 2, … flows, each with the weight of that number; `None` where it has none.
fn filled(cells: usize, choices: usize, flows: &[f64]) -> Vec<Option<CellLaw>> {
    let mut law = CellLaw::zero(cells);
    law.add(0, 0, 1.0);
    let mut with_one_more = |&weight: &f64| {
        law = (0..choices).fold(law.clone(), |law, _| law.thrown());
        (weight > NEGLIGIBLE).then(|| {
            let mut weighted = law.clone();
            weighted.mass.iter_mut().for_each(|p| *p *= weight);
            weighted
        })
    };
    flows[1..].iter().map(&mut with_one_more).collect()
}

#[cfg(test)]
mod tests {
    use super::super::peeling::{decoded_share, threshold};
    use super::*;

    /// n flows for certain.
    fn certain(flows: usize) -> Vec<f64> {
        let mut law = vec![0.0; flows + 1];
        law[flows] = 1.0;
        law
    }

    /// Flows that are left of these, each with its cells, by removing flows one after the other.
    fn left(mut flows: Vec<Vec<usize>>) -> usize {
        let slots =
            |flows: &[Vec<usize>], cell| flows.iter().flatten().filter(|c| **c == cell).count();
        while let Some(pure) =
            flows.iter().position(|own| own.iter().any(|&c| slots(&flows, c) == 1))
        {
            flows.remove(pure);
        }
        flows.len()
    }

    /// All m^{kn} tables of a few flows and cells.
    #[test]
    fn small_tables_are_decoded_as_all_of_them_are() {
        for (cells, choices, flows) in [(3, 3, 3), (2, 3, 4), (4, 2, 4), (5, 3, 2), (4, 3, 3)] {
            let slots = choices * flows;
            let ways = (cells as u64).pow(slots as u32);
            let (mut sum, mut all) = (0, 0);
            for way in 0..ways {
                let cell = |slot: usize| (way / (cells as u64).pow(slot as u32)) as usize % cells;
                let table =
                    (0..flows).map(|flow| (0..choices).map(|i| cell(flow * choices + i)).collect());
                let left = left(table.collect());
                sum += left;
                all += u64::from(left == 0);
            }
            let own = decoding(cells as u32, choices as u32, &certain(flows));
            let expected = [sum as f64 / ways as f64, all as f64 / ways as f64];
            for (own, expected) in [own.left, own.all].iter().zip(expected) {
                assert!(
                    (own - expected).abs() < 1e-12,
                    "{cells} {choices} {flows}: {own} {expected}"
                );
            }
        }
    }

    /// A number of flows that is drawn gives the mean of the numbers.
    #[test]
    fn numbers_of_flows_are_weighted() {
        let mixed = decoding(6, 3, &[0.1, 0.2, 0.0, 0.3, 0.4]);
        let each: Vec<Decoding> = [1, 3, 4].map(|flows| decoding(6, 3, &certain(flows))).into();
        let mean =
            |of: fn(&Decoding) -> f64| 0.2 * of(&each[0]) + 0.3 * of(&each[1]) + 0.4 * of(&each[2]);
        assert!((mixed.left - mean(|own| own.left)).abs() < 1e-14);
        assert!((mixed.all - 0.1 - mean(|own| own.all)).abs() < 1e-14);
    }

    /// Tables of more cells come nearer to the limit, below the threshold and above.
    #[test]
    fn large_tables_come_near_the_limit() {
        for load in [0.5, 1.0] {
            let off = [24_u32, 48, 96].map(|cells| {
                let flows = (load * f64::from(cells)) as usize;
                let share = 1.0 - decoding(cells, 3, &certain(flows)).left / flows as f64;
                (share - decoded_share(3, load)).abs()
            });
            assert!(off[1] < off[0] && off[2] < 0.6 * off[1], "{load}: {off:?}");
        }
        assert!(threshold(3) < 1.0);
    }
}
