//! How d-random breaks ties, seen through probes for a full bucket.

use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::tables::{Scheme, Table, TableVisitor};

use crate::case::Case;
use crate::model::Script;

const TRIALS: u32 = 30_000;

/// How often each of three empty buckets of size 1 takes an element that may choose any of them.
fn takers(ties: &str) -> [u32; 3] {
    let case = Case { n: 2, m: 3, h: 1, d: 3, alpha: 1.0 };
    case.d_random(ties, false).table(true, Probes)
}

struct Probes;

impl TableVisitor for Probes {
    type Output = [u32; 3];

    fn visit<T: Table>(self, mut table: T) -> [u32; 3] {
        let mut rng = Rng::seed_from_u64(1300);
        let mut takers = [0; 3];
        for _ in 0..TRIALS {
            table.clear();
            table.insert::<false>(0, Script::new(&[0, 1, 2]), &mut rng);
            for (bucket, taken) in (0..).zip(&mut takers) {
                let probe = table.insert::<false>(1, Script::new(&[bucket; 3]), &mut rng);
                *taken += u32::from(!probe.stored);
                table.delete(1);
            }
        }
        takers
    }
}

#[test]
fn random_ties_are_even() {
    let takers = takers("random");
    assert_eq!(takers.iter().sum::<u32>(), TRIALS);
    let std_error = (f64::from(TRIALS) * 2.0 / 9.0).sqrt();
    for taken in takers {
        assert!((f64::from(taken) - f64::from(TRIALS / 3)).abs() <= 4.0 * std_error, "{takers:?}");
    }
}

#[test]
fn ties_to_the_left_are_the_first_choice() {
    assert_eq!(takers("left"), [TRIALS, 0, 0]);
}
