use super::integration::Pointers;
use super::*;
use crate::Rng;
use crate::math::demand::Demand;
use crate::tables::theory::erlang;
use rand::{RngExt, SeedableRng};

#[test]
fn table_5_1() {
    for (sub_tables, moves) in [
        (&[0.7142, 0.64, 0.2707][..], "8.51"),
        (&[0.4694, 0.4562, 0.2512, 0.1082], "12.9"),
        (&[0.366, 0.367, 0.239, 0.129, 0.058], "15.3"),
    ] {
        let limit = static_fill(sub_tables).unwrap();
        assert_eq!(format!("{:.2}", 100.0 * limit.overflow), "0.20");
        let digits = moves.len() - moves.find('.').unwrap() - 1;
        assert_eq!(format!("{:.digits$}", 100.0 * limit.moves), moves);
    }
}

/// Figure 5.1, line by line, with deletions.
struct Simulation {
    /// The element in each bucket of each sub-table.
    sub_tables: Vec<Vec<Option<usize>>>,
    /// The choices of each element.
    choices: Vec<Vec<usize>>,
    /// Where each element is; none: on the overflow list.
    place: Vec<Option<usize>>,
    moves: u64,
    accesses: u64,
    insertions: u64,
}

impl Simulation {
    fn new(sizes: &[f64], n: usize) -> Self {
        let empty = |size: &f64| vec![None; (size * n as f64 + 1e-6) as usize];
        Self {
            sub_tables: sizes.iter().map(empty).collect(),
            choices: vec![Vec::new(); n],
            place: vec![None; n],
            moves: 0,
            accesses: 0,
            insertions: 0,
        }
    }

    fn at(&mut self, i: usize, element: usize) -> Option<usize> {
        self.accesses += 1;
        self.sub_tables[i][self.choices[element][i]]
    }

    fn put(&mut self, i: usize, element: usize) {
        self.sub_tables[i][self.choices[element][i]] = Some(element);
        self.place[element] = Some(i);
    }

    fn insert(&mut self, x: usize, rng: &mut Rng) {
        self.insertions += 1;
        self.choices[x] =
            self.sub_tables.iter().map(|buckets| rng.random_range(0..buckets.len())).collect();
        let last = self.sub_tables.len() - 1;
        let mut here = self.at(0, x);
        for i in 0..last {
            let Some(y) = here else { return self.put(i, x) };
            here = self.at(i + 1, x);
            if here.is_some() && self.at(i + 1, y).is_none() {
                self.put(i + 1, y);
                self.moves += 1;
                return self.put(i, x);
            }
        }
        if here.is_none() {
            self.put(last, x);
        }
    }

    fn delete(&mut self, element: usize) {
        if let Some(i) = self.place[element].take() {
            self.sub_tables[i][self.choices[element][i]] = None;
        }
    }

    fn overflow(&self) -> f64 {
        let listed = self.place.iter().filter(|place| place.is_none()).count();
        listed as f64 / self.place.len() as f64
    }

    /// The mean length of the list over some lifetimes, per element, with Poisson arrivals; those of the `places` that
    /// are not `inside` have nothing in them.
    fn open(&mut self, n: usize, inside: &mut Vec<usize>, lifetimes: f64, rng: &mut Rng) -> f64 {
        let mut outside: Vec<usize> =
            (0..self.place.len()).filter(|x| !inside.contains(x)).collect();
        let (mut listed, mut time) = (0.0, 0.0);
        while time < lifetimes {
            let events = n + inside.len();
            let list = inside.iter().filter(|&&x| self.place[x].is_none()).count();
            listed += list as f64 / n as f64 / events as f64;
            time += 1.0 / events as f64;
            let event = rng.random_range(0..events);
            if event < n {
                let x = outside.pop().unwrap();
                inside.push(x);
                self.insert(x, rng);
            } else {
                let x = inside.swap_remove(event - n);
                self.delete(x);
                outside.push(x);
            }
        }
        listed / time
    }

    /// Moves and accesses per insertion since the last call.
    fn costs(&mut self) -> [f64; 2] {
        let [moves, accesses, insertions] =
            [&mut self.moves, &mut self.accesses, &mut self.insertions].map(std::mem::take);
        [moves, accesses].map(|count| count as f64 / insertions as f64)
    }
}

/// Within four standard errors and `10/n`.
#[track_caller]
fn agree(found: &[[f64; 3]], expected: &SecondChance, n: usize) {
    let expected = [expected.overflow, expected.moves, expected.accesses];
    let runs = found.len() as f64;
    for (i, name) in ["overflow", "moves", "accesses"].into_iter().enumerate() {
        let mean = found.iter().map(|run| run[i]).sum::<f64>() / runs;
        let squares: f64 = found.iter().map(|run| (run[i] - mean).powi(2)).sum();
        let error = (squares / runs / (runs - 1.0)).sqrt();
        let tolerance = 4.0 * error + 10.0 / n as f64;
        assert!(
            (mean - expected[i]).abs() < tolerance,
            "{name}: {mean} ± {error}, {}",
            expected[i]
        );
    }
}

const N: usize = 100_000;
const TABLES: [&[f64]; 3] = [&[0.5, 0.4], &[0.4, 0.3, 0.2, 0.1], &[0.7142, 0.64, 0.2707]];

#[test]
fn agrees_with_a_simulation_of_figure_5_1() {
    let mut rng = Rng::seed_from_u64(51);
    for sub_tables in TABLES {
        let fill = |_| {
            let mut table = Simulation::new(sub_tables, N);
            (0..N).for_each(|x| table.insert(x, &mut rng));
            let [moves, accesses] = table.costs();
            [table.overflow(), moves, accesses]
        };
        let found: Vec<[f64; 3]> = (0..20).map(fill).collect();
        agree(&found, &static_fill(sub_tables).unwrap(), N);
    }
}

#[test]
fn agrees_with_a_simulation_under_alternation() {
    let mut rng = Rng::seed_from_u64(59);
    for sub_tables in TABLES {
        let mut table = Simulation::new(sub_tables, N);
        (0..N).for_each(|x| table.insert(x, &mut rng));
        let mut rounds = |lifetimes: usize| {
            for _ in 0..lifetimes * N {
                let element = rng.random_range(0..N);
                table.delete(element);
                table.insert(element, &mut rng);
            }
            let [moves, accesses] = table.costs();
            [table.overflow(), moves, accesses]
        };
        rounds(12);
        let found: Vec<[f64; 3]> = (0..12).map(|_| rounds(3)).collect();
        agree(&found, &alternation(sub_tables).unwrap(), N);
    }
}

/// With 50 elements the list is 3 % longer than in the limit, nearly all of it of first order.
#[test]
fn poisson_arrivals_deviate_as_computed() {
    let (n, sizes) = (50, [0.24, 0.3, 0.26, 0.2]);
    let mut rng = Rng::seed_from_u64(61);
    let mut table = Simulation::new(&sizes, n);
    table.place = vec![None; 4 * n];
    table.choices = vec![Vec::new(); 4 * n];
    let mut inside = Vec::new();
    table.open(n, &mut inside, 20.0, &mut rng);
    let found: Vec<f64> = (0..100).map(|_| table.open(n, &mut inside, 500.0, &mut rng)).collect();
    let mean = found.iter().sum::<f64>() / 100.0;
    let squares: f64 = found.iter().map(|x| (x - mean).powi(2)).sum();
    let error = (squares / 100.0 / 99.0).sqrt();
    let limit = alternation(&sizes).unwrap().overflow;
    let by = deviation(&sizes, Arrivals::Poisson).unwrap().overflow.by / n as f64;
    assert!(by > 10.0 * error, "{by} ± {error}");
    assert!((mean - limit - by).abs() < 4.0 * error + 0.1 * by, "{mean} ± {error}, {limit} {by}");
}

#[test]
fn one_sub_table_is_single() {
    for size in [0.2, 1.0, 5.0] {
        let fill = static_fill(&[size]).unwrap();
        let poisson = Demand::poisson(1.0 / size, 1).at_least(1);
        assert!((fill.occupancy[0] - poisson).abs() < 1e-10);
        let limit = alternation(&[size]).unwrap();
        assert!((limit.overflow - erlang::overflow(1.0 / size, 1, 1.0)).abs() < 1e-10);
        assert_eq!((fill.moves, fill.accesses), (0.0, 1.0));
        assert_eq!((limit.moves, limit.accesses), (0.0, 1.0));
    }
}

#[test]
fn elements_are_conserved() {
    for sub_tables in [&[2.0, 1.0, 0.5, 0.25][..], &[0.5, 0.2], &[0.1, 0.2, 0.3], &[0.3; 8]] {
        for limit in [static_fill(sub_tables).unwrap(), alternation(sub_tables).unwrap()] {
            let shares = sub_tables.iter().zip(&limit.occupancy);
            let stored: f64 = shares.map(|(size, taken)| size * taken).sum();
            assert!((stored + limit.overflow - 1.0).abs() < 1e-10, "{limit:?}");
        }
    }
}

/// The equations integrated from an empty table, with more pointers than there are.
#[test]
fn alternation_is_where_the_equations_lead() {
    let tables = [
        &[1.0, 0.5, 0.25, 0.125][..],
        &[0.3, 0.3],
        &[0.8, 0.1, 0.3],
        &[0.1, 0.2, 0.05],
        &[1.0, 0.1, 0.5],
        &[0.05, 1.5, 1.0, 0.7],
    ];
    for sub_tables in tables {
        let limit = alternation(sub_tables).unwrap();
        let end = Pointers { sub_tables, most: 60 }.equilibrium().unwrap();
        for (own, integrated) in [
            (limit.overflow, end.overflow),
            (limit.moves, end.moves),
            (limit.accesses, end.accesses),
        ] {
            assert!((own - integrated).abs() < 1e-10, "{limit:?} {end:?}");
        }
        assert!((limit.overflow / end.overflow - 1.0).abs() < 1e-7, "{limit:?} {end:?}");
    }
}

#[test]
fn unusable_sub_tables() {
    assert!(static_fill(&[1.0, 0.0]).is_err());
    assert!(static_fill(&[1.0, f64::NAN]).is_err());
    assert!(alternation(&[0.5, f64::NAN]).is_err());
    assert_eq!(alternation(&[]).unwrap().overflow, 1.0);
    assert!(matches!(alternation(&[1.0, 1e-9]), Err(TheoryError::TooLarge { .. })));
}

/// What arrivals overflow is what is then in no bucket.
#[test]
fn crowded_tables_and_many_sub_tables_reach_equilibrium() {
    for sub_tables in [&[0.107, 0.053, 0.027, 0.013][..], &[1.0 / 12.0; 12]] {
        let limit = alternation(sub_tables).unwrap();
        let stored: f64 = limit.occupancy.iter().zip(sub_tables).map(|(f, a)| f * a).sum();
        assert!((limit.overflow + stored - 1.0).abs() < 1e-9, "{limit:?}");
    }
}
