//! Alternation without keys against a simulator that goes by names: in four sub-tables, and in a table far beyond the
//! cache.

use loadfactor_schemes::params::Scalar;

use super::cases::{ByHand, Case};
use super::straightforward::alternate;
use super::straightforward_rounds::{
    extreme_second_chance, extreme_second_chance_anywhere, hinted_second_chance, second_chance,
    standard,
};

/// n of the multilevel tables.
const ELEMENTS: u32 = 10_000;
/// Rounds per element before the window, and in it.
const ROUNDS: (u32, u32) = (3, 20);

/// Name, scheme, buckets per element in units of 10⁻⁴, and the simulator: two places per element, with the sizes that
/// overflow least under deletions (`experiments/one-move/fig5-6.toml`); for SCExt and with hints those of SC.
const MULTILEVEL: [(&str, &str, [u32; 4], ByHand); 5] = [
    ("Std", "multiple", [7113, 5635, 4252, 3001], standard),
    ("SC", "second-chance", [6238, 7077, 4535, 2150], second_chance),
    ("SCExt", "extreme-second-chance", [6238, 7077, 4535, 2150], extreme_second_chance),
    (
        "SCExt any",
        "extreme-second-chance",
        [6238, 7077, 4535, 2150],
        extreme_second_chance_anywhere,
    ),
    ("SC hints", "second-chance", [6238, 7077, 4535, 2150], hinted_second_chance),
];

/// Every case of them.
pub fn cases() -> Vec<Case> {
    MULTILEVEL.map(multilevel).into_iter().chain([beyond_the_cache()]).collect()
}

fn rounds(elements: u32, (before, measured): (u32, u32)) -> [(&'static str, Scalar); 2] {
    let rounds = i64::from(elements) * i64::from(measured);
    [("warm_up", Scalar::Number(before.into())), ("rounds", Scalar::Integer(rounds))]
}

fn multilevel((name, scheme, sizes, by_hand): (&str, &str, [u32; 4], ByHand)) -> Case {
    let sub_tables = sizes.map(|size| size.to_string()).join(" ");
    let mut given =
        vec![("elements", Scalar::from(ELEMENTS)), ("sub_table_buckets", Scalar::Word(sub_tables))];
    match name {
        "SCExt" => given.push(("moves_to", "later".into())),
        "SCExt any" => given.push(("moves_to", "any".into())),
        "SC hints" => given.push(("hints", "element".into())),
        _ => {}
    }
    given.extend(rounds(ELEMENTS, ROUNDS));
    Case::rounds(name, scheme, &given, (ELEMENTS, 1, sizes.to_vec()), ROUNDS, by_hand)
}

/// MULTIPLE, d = 2, with 2·10⁶ buckets of four and 7.5·10⁶ elements.
fn beyond_the_cache() -> Case {
    const BUCKETS: u32 = 2_000_000;
    const ELEMENTS: u32 = 7_500_000;
    let mut given: Vec<(&str, Scalar)> = vec![
        ("elements", ELEMENTS.into()),
        ("buckets", BUCKETS.into()),
        ("bucket_size", 4_u32.into()),
        ("choices", 2_u32.into()),
    ];
    given.extend(rounds(ELEMENTS, (0, 1)));
    let size = (ELEMENTS, 4, vec![BUCKETS]);
    Case::rounds("MULTIPLE d=2 h=4", "multiple", &given, size, (0, 1), alternate::<2>)
}
