//! Alternation without keys against a simulator that goes by names: in four sub-tables, and in tables far beyond the cache.

use loadfactor_schemes::params::Scalar;

use super::cases::{ByHand, Case};
use super::straightforward::alternate;
use super::straightforward_rounds::{
    extreme_second_chance, extreme_second_chance_anywhere, hinted_second_chance, second_chance,
    standard,
};

/// Rounds per element before the window, and in it.
type Span = (u32, u32);

/// n of the multilevel tables, and their rounds.
const FEW: (u32, Span) = (10_000, (3, 20));
/// The same beyond the cache: half of the insertions are those of the filling.
const MANY: (u32, Span) = (1 << 20, (0, 1));

/// Name, scheme, buckets per element in units of 10⁻⁴, and the simulator.
type Kind = (&'static str, &'static str, [u32; 4], ByHand);

/// Those that have a way of their own for many elements. They have two places per element, with the sizes that overflow least under
/// deletions (`experiments/one-move/fig5-6.toml`); SCExt those of SC.
const ANY_SIZE: [Kind; 4] = [
    ("Std", "multiple", [7113, 5635, 4252, 3001], standard),
    ("SC", "second-chance", [6238, 7077, 4535, 2150], second_chance),
    ("SCExt", "extreme-second-chance", [6238, 7077, 4535, 2150], extreme_second_chance),
    (
        "SCExt any",
        "extreme-second-chance",
        [6238, 7077, 4535, 2150],
        extreme_second_chance_anywhere,
    ),
];
/// With the sizes of SC.
const HINTS: Kind = ("SC hints", "second-chance", [6238, 7077, 4535, 2150], hinted_second_chance);

/// Every case of them.
pub fn cases() -> Vec<Case> {
    let few = ANY_SIZE.iter().chain([&HINTS]).map(|kind| multilevel(kind, FEW));
    let many = ANY_SIZE.iter().map(|kind| multilevel(kind, MANY));
    few.chain(many).chain([beyond_the_cache()]).collect()
}

fn rounds(elements: u32, (before, measured): Span) -> [(&'static str, Scalar); 2] {
    let rounds = i64::from(elements) * i64::from(measured);
    [("warm_up", Scalar::Number(before.into())), ("rounds", Scalar::Integer(rounds))]
}

fn multilevel(&(name, scheme, sizes, by_hand): &Kind, (elements, span): (u32, Span)) -> Case {
    let sizes = sizes.map(|size| (u64::from(size) * u64::from(elements) / 10_000) as u32);
    let sub_tables = sizes.map(|size| size.to_string()).join(" ");
    let mut given =
        vec![("elements", Scalar::from(elements)), ("sub_table_buckets", Scalar::Word(sub_tables))];
    match name {
        "SCExt" => given.push(("moves_to", "later".into())),
        "SCExt any" => given.push(("moves_to", "any".into())),
        "SC hints" => given.push(("hints", "element".into())),
        _ => {}
    }
    given.extend(rounds(elements, span));
    Case::rounds(name, scheme, &given, (elements, 1, sizes.to_vec()), span, by_hand)
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
