//! Static fills without keys, which the harness does sub-table by sub-table, against a simulator that goes
//! element by element.

use loadfactor_schemes::params::Scalar;

use super::cases::{ByHand, Case};
use super::straightforward_fill::{conservative, extreme_second_chance, second_chance, standard};

/// n of the multilevel tables.
const ELEMENTS: u32 = 10_000;

/// Name, scheme, h, buckets per element in units of 10⁻⁴, and the simulator: the sizes of Table 5.1(b)
/// of "The Power of One Move".
const MULTILEVEL: [(&str, &str, u8, [u32; 4], ByHand); 6] = [
    ("Std", "multiple", 1, [7867, 5149, 3152, 1782], standard::<4, 1>),
    ("Cons", "conservative", 1, [5214, 4134, 2802, 1774], conservative),
    ("SC", "second-chance", 1, [4694, 4562, 2512, 1082], second_chance::<1>),
    ("SCExt", "extreme-second-chance", 1, [3774, 3624, 2857, 1276], extreme_second_chance),
    ("Std2", "multiple", 2, [2970, 1735, 1059, 493], standard::<4, 2>),
    ("SC2", "second-chance", 2, [2048, 1961, 954, 299], second_chance::<2>),
];

/// m, h, n and the simulator of SINGLE.
const SINGLE: [(u32, u8, u32, ByHand); 3] = [
    (10_000, 1, 10_000, standard::<1, 1>),
    (2500, 4, 10_000, standard::<1, 4>),
    (1 << 20, 1, 1 << 20, standard::<1, 1>),
];

/// Every case of them.
pub fn cases() -> Vec<Case> {
    SINGLE.map(single).into_iter().chain(MULTILEVEL.map(multilevel)).collect()
}

fn single((buckets, bucket_size, elements, by_hand): (u32, u8, u32, ByHand)) -> Case {
    let given = [
        ("elements", elements.into()),
        ("buckets", buckets.into()),
        ("bucket_size", u32::from(bucket_size).into()),
    ];
    let size = (elements, bucket_size, vec![buckets]);
    Case::fill(&format!("SINGLE h={bucket_size}"), "single", &given, size, by_hand)
}

fn multilevel(
    (name, scheme, bucket_size, sizes, by_hand): (&str, &str, u8, [u32; 4], ByHand),
) -> Case {
    let mut given: Vec<(&str, Scalar)> = vec![
        ("elements", ELEMENTS.into()),
        ("bucket_size", u32::from(bucket_size).into()),
        ("sub_table_buckets", Scalar::Word(sizes.map(|size| size.to_string()).join(" "))),
    ];
    if scheme == "extreme-second-chance" {
        given.push(("moves_to", "later".into()));
    }
    Case::fill(name, scheme, &given, (ELEMENTS, bucket_size, sizes.to_vec()), by_hand)
}
