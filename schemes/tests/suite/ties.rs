//! How d-random breaks ties, seen through probes for a full bucket.

use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::tables::{Scheme, Table, TableVisitor};

use crate::case::Case;
use crate::model::Script;

const TRIALS: u32 = 30_000;
const SEED: u64 = 1300;
/// Standard errors that a number of takers may be off: 60 are looked at, with a fixed seed.
const STD_ERRORS: f64 = 4.0;

/// How often each of the buckets of size 1 takes an element that may choose any of them, in this order,
/// while those in `full` are taken.
fn takers(ties: &str, choices: &[u32], full: &[u32]) -> Vec<u32> {
    let d = choices.len() as u32;
    let case = Case { n: d + 2, m: d, h: 1, d, alpha: 1.0 };
    case.d_random(ties, false).table(true, Probes { choices, full })
}

struct Probes<'c> {
    choices: &'c [u32],
    full: &'c [u32],
}

impl TableVisitor for Probes<'_> {
    type Output = Vec<u32>;

    fn visit<T: Table>(self, mut table: T) -> Vec<u32> {
        let (mut rng, d) = (Rng::seed_from_u64(SEED), self.choices.len());
        let mut takers = vec![0; d];
        for _ in 0..TRIALS {
            table.clear();
            for (element, &bucket) in (2..).zip(self.full) {
                table.insert::<false>(element, Script::new(&vec![bucket; d]), &mut rng);
            }
            table.insert::<false>(0, Script::new(self.choices), &mut rng);
            for (bucket, taken) in (0..).zip(&mut takers) {
                let probe = table.insert::<false>(1, Script::new(&vec![bucket; d]), &mut rng);
                *taken += u32::from(!probe.stored && !self.full.contains(&bucket));
                table.delete(1);
            }
        }
        takers
    }
}

/// Each of k tied buckets takes a k-th, whatever their places among the choices and wherever there is a
/// fuller one before, between or after them.
#[test]
fn random_ties_are_even() {
    let cases: [(&[u32], &[u32]); 11] = [
        (&[0, 1, 2], &[]),
        (&[0, 1, 2, 3], &[]),
        (&[3, 1, 0, 2], &[]),
        (&[0, 1, 2, 3, 4], &[]),
        (&[0, 1, 2, 3, 4, 5, 6, 7], &[]),
        (&[0, 1, 2, 3, 4], &[0]),
        (&[0, 1, 2, 3, 4], &[4]),
        (&[0, 1, 2, 3, 4], &[2]),
        (&[5, 4, 3, 2, 1, 0], &[1, 3]),
        (&[0, 1, 2, 3, 4, 5, 6], &[0, 1, 4]),
        (&[0, 1, 2, 3, 4, 5, 6, 7], &[0, 2, 5, 7]),
    ];
    for (choices, full) in cases {
        let takers = takers("random", choices, full);
        assert_eq!(takers.iter().sum::<u32>(), TRIALS);
        let share = 1.0 / (choices.len() - full.len()) as f64;
        let std_error = (f64::from(TRIALS) * share * (1.0 - share)).sqrt();
        for (_, &taken) in (0..).zip(&takers).filter(|(bucket, _)| !full.contains(bucket)) {
            let off = f64::from(taken) - f64::from(TRIALS) * share;
            assert!(off.abs() <= STD_ERRORS * std_error, "{choices:?} {full:?}: {takers:?}");
        }
    }
}

#[test]
fn ties_to_the_left_are_the_first_choice() {
    assert_eq!(takers("left", &[0, 1, 2], &[]), [TRIALS, 0, 0]);
    assert_eq!(takers("left", &[2, 0, 3, 1], &[2]), [TRIALS, 0, 0, 0]);
}
