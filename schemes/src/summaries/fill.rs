//! Elements without keys into the sub-tables, one sub-table after the other.

use super::{Census, Multilevel};
use crate::Rng;
use crate::occupancy::Occupancy;

/// Fills a multilevel table with elements whose choices are drawn.
///
/// What an element finds in a sub-table depends on those that were left over before it alone, and all choices are
/// independent. So the elements that T_1..T_i left over may come to T_{i+1} all at once, in any order: |S_{i+1}| has the
/// law of one element after the other. As many find an
/// empty bucket as different buckets are chosen.
#[derive(Debug, Clone)]
pub struct Fill {
    elements: u32,
    sub_tables: Vec<Occupancy>,
    census: Census,
}

impl Fill {
    /// Of this table.
    pub fn new(table: &Multilevel) -> Self {
        let sub_tables = table.sizes().into_iter().map(Occupancy::new).collect();
        Self { elements: table.elements(), sub_tables, census: Census::new(table.types()) }
    }

    /// Fills the empty table.
    pub fn run(&mut self, rng: &mut Rng) -> &Census {
        let Self { elements, sub_tables, census } = self;
        let mut left = *elements;
        census.begin(left);
        for (own, sub_table) in (1..).zip(sub_tables) {
            sub_table.choose(left.into(), rng);
            let placed = sub_table.distinct();
            census.place(own, placed);
            left -= placed;
        }
        census
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::params::Params;

    fn table(elements: i64, sizes: &str) -> Multilevel {
        let given = [("elements", elements.into()), ("sub_table_buckets", sizes.into())];
        Multilevel::from_params(&Params::complete(&Multilevel::PARAMS, &given).unwrap()).unwrap()
    }

    /// The law of (|S_1|, |S_2|) of three elements into two buckets and then two, from the eight and so many equally
    /// likely choices: |S_1| is 1 with probability 3/4 and else 2, of which both find a place with probability 1/2.
    #[test]
    fn the_law_of_what_is_left_is_that_of_all_choices() {
        let mut fill = Fill::new(&table(3, "2 2"));
        let mut rng = Rng::seed_from_u64(3);
        let trials = 40_000;
        let mut seen = [[0_u32; 2]; 3];
        for _ in 0..trials {
            let census = fill.run(&mut rng);
            seen[census.left_after(1) as usize][census.crisis() as usize] += 1;
        }
        let expected = [[0.0, 0.0], [0.75, 0.0], [0.125, 0.125]];
        for (seen, expected) in seen.iter().flatten().zip(expected.iter().flatten()) {
            let share = f64::from(*seen) / f64::from(trials);
            let error = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
            assert!((share - expected).abs() <= 4.5 * error, "{share} {expected}");
        }
    }

    #[test]
    fn buckets_that_are_taken_are_those_of_elements() {
        let mut fill = Fill::new(&table(500, "300 1 1 90"));
        let mut rng = Rng::seed_from_u64(4);
        for _ in 0..20 {
            let census = fill.run(&mut rng).clone();
            assert_eq!((1..=4).map(|own| census.of_type(own)).sum::<u32>(), 500);
            assert_eq!((census.elements_in(2), census.elements_in(3)), (1, 1));
            assert!(census.crisis() > 0 && census.elements_in(1) < 300);
        }
    }
}
