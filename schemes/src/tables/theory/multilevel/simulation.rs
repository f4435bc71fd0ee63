//! The rules as Sections 5.4, 5.6 and 5.7 describe them, against their limits.

use super::*;
use crate::Rng;
use rand::{RngExt, SeedableRng};

const N: usize = 100_000;
const RUNS: usize = 12;

/// Sub-tables and the buckets in them, with the elements in each; and how many there may be.
struct SimulatedTable {
    sub_tables: Vec<Vec<Vec<usize>>>,
    marked: Vec<Vec<bool>>,
    h: usize,
    choices: Vec<Vec<usize>>,
    moves: usize,
}

impl SimulatedTable {
    fn bucket(&self, i: usize, element: usize) -> &[usize] {
        &self.sub_tables[i][self.choices[element][i]]
    }

    fn is_full(&self, i: usize, element: usize) -> bool {
        self.bucket(i, element).len() == self.h
    }

    fn d(&self) -> usize {
        self.sub_tables.len()
    }

    /// The first sub-table from `start` on with a free place for the element, `d` if there is none.
    fn first_free(&self, start: usize, element: usize) -> usize {
        (start..self.d()).find(|&i| !self.is_full(i, element)).unwrap_or(self.d())
    }

    fn put(&mut self, i: usize, element: usize) -> bool {
        self.sub_tables[i][self.choices[element][i]].push(element);
        true
    }

    /// Moves `y` from its place in `T_i`, which `x` takes.
    fn push(&mut self, x: usize, y: usize, i: usize, to: usize) -> bool {
        self.moves += 1;
        self.put(to, y);
        let bucket = &mut self.sub_tables[i][self.choices[x][i]];
        bucket.iter_mut().filter(|element| **element == y).for_each(|element| *element = x);
        true
    }
}

fn bump(table: &mut SimulatedTable, x: usize) -> bool {
    let d = table.d();
    let free = table.first_free(0, x);
    if free < d {
        return table.put(free, x);
    }
    let Some(j) = (0..d - 1).find(|&i| !table.marked[i][table.choices[x][i]]) else { return false };
    table.marked[j][table.choices[x][j]] = true;
    let y = table.bucket(j, x)[0];
    let to = table.first_free(j + 1, y);
    to < d && table.push(x, y, j, to)
}

fn extreme(table: &mut SimulatedTable, x: usize) -> bool {
    let d = table.d();
    let own = table.first_free(0, x);
    let others = (0..d).filter_map(|i| {
        let y = *table.bucket(i, x).first()?;
        Some((table.first_free(0, y), i, y))
    });
    match others.min() {
        Some((to, i, y)) if to < own => table.push(x, y, i, to),
        _ => own < d && table.put(own, x),
    }
}

fn second_chance(table: &mut SimulatedTable, x: usize) -> bool {
    for i in 0..table.d() {
        if !table.is_full(i, x) {
            return table.put(i, x);
        }
        if i + 1 < table.d() && table.is_full(i + 1, x) {
            let movable = table.bucket(i, x).iter().find(|&&y| !table.is_full(i + 1, y));
            if let Some(&y) = movable {
                return table.push(x, y, i, i + 1);
            }
        }
    }
    false
}

type Insert = fn(&mut SimulatedTable, usize) -> bool;

/// Overflow and moves per element.
fn run(sizes: &[f64], (n, h): (usize, usize), insert: Insert, rng: &mut Rng) -> [f64; 2] {
    let buckets = |size: &f64| (size * n as f64 + 1e-6) as usize;
    let mut table = SimulatedTable {
        sub_tables: sizes.iter().map(|size| vec![Vec::new(); buckets(size)]).collect(),
        marked: sizes.iter().map(|size| vec![false; buckets(size)]).collect(),
        h,
        choices: Vec::new(),
        moves: 0,
    };
    let mut listed = 0;
    for x in 0..n {
        let choices = sizes.iter().map(|size| rng.random_range(0..buckets(size))).collect();
        table.choices.push(choices);
        listed += usize::from(!insert(&mut table, x));
    }
    [listed, table.moves].map(|count| count as f64 / n as f64)
}

/// Within four standard errors and `10/N`.
#[track_caller]
fn agree(sizes: &[f64], h: usize, insert: Insert, limit: &Multilevel) {
    let mut rng = Rng::seed_from_u64(56);
    let found: Vec<[f64; 2]> = (0..RUNS).map(|_| run(sizes, (N, h), insert, &mut rng)).collect();
    for (i, expected) in [limit.overflow, limit.moves].into_iter().enumerate() {
        let mean = found.iter().map(|run| run[i]).sum::<f64>() / RUNS as f64;
        let squares: f64 = found.iter().map(|run| (run[i] - mean).powi(2)).sum();
        let error = (squares / (RUNS * (RUNS - 1)) as f64).sqrt();
        let tolerance = 4.0 * error + 10.0 / N as f64;
        assert!((mean - expected).abs() < tolerance, "{sizes:?}: {mean} ± {error}, {expected}");
    }
}

#[test]
fn agrees_with_a_simulation_of_conservative() {
    for sizes in [&[0.5, 0.4][..], &[0.4, 0.3, 0.2, 0.1]] {
        agree(sizes, 1, bump, &conservative(sizes).unwrap());
    }
}

/// Among them the sizes of Table 5.1 that do not have the overflow it says.
#[test]
fn agrees_with_a_simulation_of_extreme_second_chance() {
    for sizes in
        [&[0.6554, 0.55, 0.3064][..], &[0.223, 0.223, 0.221, 0.22, 0.172], &[0.4, 0.3, 0.2, 0.1]]
    {
        agree(sizes, 1, extreme, &extreme_second_chance(sizes).unwrap());
    }
}

/// Among them the sizes of Table 5.1 that do not have the overflow it says.
#[test]
fn agrees_with_a_simulation_of_second_chance_of_two() {
    for sizes in [&[0.2668, 0.2665, 0.0744][..], &[0.2, 0.15, 0.1, 0.05]] {
        agree(sizes, 2, second_chance, &second_chance_of_two(sizes).unwrap());
    }
}

/// Mean and variance of the length of the list, within four standard errors.
#[test]
fn lists_scatter_as_their_law_says() {
    const N: u32 = 500;
    const RUNS: u32 = 3000;
    for (rule, sizes, insert) in [
        (InsertionRule::Conservative, [0.5, 0.4, 0.2], bump as Insert),
        (InsertionRule::SecondChance, [0.5, 0.4, 0.2], second_chance),
        (InsertionRule::ExtremeSecondChance, [0.4, 0.4, 0.2], extreme),
        (InsertionRule::SecondChanceOfTwo, [0.26, 0.2, 0.08], second_chance),
    ] {
        let mut rng = Rng::seed_from_u64(57);
        let shape = (N as usize, rule.bucket_size().into());
        let one = |_| run(&sizes, shape, insert, &mut rng)[0] * f64::from(N);
        let lengths: Vec<f64> = (0..RUNS).map(one).collect();
        let buckets = sizes.map(|size| (size * f64::from(N) + 1e-6) as u32);
        let law = overflow_law(rule, N, &buckets).unwrap();
        let runs = f64::from(RUNS);
        let mean = lengths.iter().sum::<f64>() / runs;
        assert!(
            (mean - law.mean()).abs() < 4.0 * (law.variance() / runs).sqrt(),
            "{rule:?} {mean}"
        );
        let power = |k| lengths.iter().map(|length| (length - mean).powi(k)).sum::<f64>() / runs;
        let (variance, error) = (power(2), ((power(4) - power(2).powi(2)) / runs).sqrt());
        assert!((variance - law.variance()).abs() < 4.0 * error, "{rule:?} {variance} ± {error}");
    }
}
