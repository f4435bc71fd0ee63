//! Numbers drawn from tables of their laws.

use rand::Rng as _;

use crate::Rng;

/// Laws of the numbers `0..columns`, one for each row: a random column, and with some probability the other number that it
/// also stands for, after Walker, "An Efficient Method for Generating Discrete Random Variables with General Distributions",
/// 1977.
///
/// No branch depends on what is drawn.
#[derive(Debug)]
pub(super) struct Aliases {
    entries: Vec<Entry>,
    /// Columns, a power of two.
    columns: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Words below it stand for the column itself.
    threshold: u64,
    other: u32,
}

/// What stands for itself alone.
const ALL: f64 = 1.0;

impl Aliases {
    /// Of each law the weights of 0, 1, …, of which one at least is not 0.
    pub(super) fn new(laws: &[Vec<f64>]) -> Self {
        let columns = laws.iter().map(Vec::len).max().unwrap_or(1).next_power_of_two();
        Self { entries: laws.iter().flat_map(|law| entries(law, columns)).collect(), columns }
    }

    /// A number of the law in this row.
    #[inline(always)]
    pub(super) fn draw(&self, row: u32, rng: &mut Rng) -> u32 {
        let word = rng.next_u64();
        // The lowest bits choose the column, and the others decide between its two numbers.
        let column = word as usize & (self.columns - 1);
        let Entry { threshold, other } = self.entries[row as usize * self.columns + column];
        std::hint::select_unpredictable(word < threshold, column as u32, other)
    }
}

/// Columns with too little weight of their own are filled up by those with too much.
fn entries(law: &[f64], columns: usize) -> Vec<Entry> {
    let total: f64 = law.iter().sum();
    let weight = |column: usize| law.get(column).map_or(0.0, |p| p / total * columns as f64);
    let mut weights: Vec<f64> = (0..columns).map(weight).collect();
    let mut entries: Vec<Entry> =
        (0..columns as u32).map(|column| Entry { threshold: u64::MAX, other: column }).collect();
    let (mut poor, mut rich): (Vec<usize>, Vec<usize>) =
        (0..columns).partition(|&column| weights[column] < ALL);
    while let Some(&giver) = rich.last()
        && let Some(taker) = poor.pop()
    {
        entries[taker] =
            Entry { threshold: (weights[taker] * 2.0_f64.powi(64)) as u64, other: giver as u32 };
        weights[giver] -= ALL - weights[taker];
        if weights[giver] < ALL {
            rich.pop();
            poor.push(giver);
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// The probability of each number.
    fn law_of(aliases: &Aliases, row: usize) -> Vec<f64> {
        let columns = aliases.columns;
        let mut law = vec![0.0; columns];
        for (column, entry) in aliases.entries[row * columns..][..columns].iter().enumerate() {
            let own = entry.threshold as f64 / 2.0_f64.powi(64);
            law[column] += own / columns as f64;
            law[entry.other as usize] += (1.0 - own) / columns as f64;
        }
        law
    }

    #[test]
    fn tables_have_the_probabilities_of_their_laws() {
        let laws =
            [vec![1.0], vec![0.5, 0.0, 0.25, 0.25, 1e-12], vec![0.0, 3.0, 1.0], vec![0.2; 7]];
        let aliases = Aliases::new(&laws);
        for (row, law) in laws.iter().enumerate() {
            let total: f64 = law.iter().sum();
            for (number, p) in law_of(&aliases, row).into_iter().enumerate() {
                let expected = law.get(number).map_or(0.0, |weight| weight / total);
                assert!((p - expected).abs() < 1e-15, "{row} {number}: {p} {expected}");
            }
        }
    }

    /// By chi-squared with 4 degrees of freedom, within five standard deviations.
    #[test]
    fn numbers_are_drawn_with_these_probabilities() {
        let law = vec![0.4, 0.3, 0.15, 0.1, 0.05];
        let aliases = Aliases::new(&[vec![1.0], law.clone()]);
        let (mut rng, mut counts) = (Rng::seed_from_u64(3), [0_u32; 8]);
        (0..100_000).for_each(|_| counts[aliases.draw(1, &mut rng) as usize] += 1);
        let terms = counts.iter().zip(&law).map(|(&k, p)| (f64::from(k) - p * 1e5).powi(2) / p);
        let chi = terms.sum::<f64>() / 1e5;
        assert!((chi - 4.0).abs() < 5.0 * 8_f64.sqrt(), "{chi}");
        assert_eq!(counts[5..], [0; 3]);
    }
}
