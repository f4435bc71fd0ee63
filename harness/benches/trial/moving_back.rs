//! M-B under alternation against simulators that link the waiting elements of each bucket.
//!
//! The harness moves back what the paper's auxiliary CAM finds. A simulator that does the same agrees with it within chance.
//! One that moves back the last to have come is faster, and another scheme, as its overflow shows.

use loadfactor_schemes::params::Scalar;

use super::cases::{ByHand, Case};
use super::straightforward_moving_back::{d_random, multiple};

/// m and h.
const BUCKETS: u32 = 1024;
const BUCKET_SIZE: u8 = 4;
/// n: every place is needed, four in five, or three.
const ALL: u32 = 4096;
const FEWER: u32 = 3277;
const FEW: u32 = 2458;
/// n where there are eleven elements for ten places.
const TOO_MANY: u32 = 4505;
/// Rounds per element before the window, and in it.
const ROUNDS: (u32, u32) = (3, 20);
/// How near the two schemes are to each other: a part in a hundred.
const LIKE: f64 = 1e-2;

/// Name, scheme, d, and the simulators: of the same scheme, and of the one in which any waiting element may move back.
const SCHEMES: [(&str, &str, u32, [ByHand; 2]); 3] = [
    ("MULTIPLE d=4", "multiple", 4, [multiple::<4, true>, multiple::<4, false>]),
    ("MULTIPLE d=2", "multiple", 2, [multiple::<2, true>, multiple::<2, false>]),
    ("d-random d=2", "d-random", 2, [d_random::<true>, d_random::<false>]),
];

/// Every case of them.
pub fn cases() -> Vec<Case> {
    let cases = SCHEMES.map(|(name, scheme, choices, [lowest, any])| {
        let of = |what: &str, elements, by_hand| {
            let name = format!("M-B {name}{what}");
            moving_back(&name, scheme, choices, elements, by_hand)
        };
        [
            of("", ALL, lowest),
            of(", any waiting,", ALL, any).nearly(LIKE),
            of("", FEWER, lowest),
            of("", FEW, lowest),
            of(", load 1.1,", TOO_MANY, lowest),
        ]
    });
    cases.into_iter().flatten().collect()
}

fn moving_back(name: &str, scheme: &str, choices: u32, elements: u32, by_hand: ByHand) -> Case {
    let (warm_up, rounds) = ROUNDS;
    let given = [
        ("elements", elements.into()),
        ("buckets", BUCKETS.into()),
        ("bucket_size", u32::from(BUCKET_SIZE).into()),
        ("choices", choices.into()),
        ("move_back", "deletion".into()),
        ("warm_up", Scalar::Number(warm_up.into())),
        ("rounds", Scalar::Integer(i64::from(elements) * i64::from(rounds))),
    ];
    let size = (elements, BUCKET_SIZE, vec![BUCKETS]);
    Case::rounds(name, scheme, &given, size, ROUNDS, by_hand)
}
