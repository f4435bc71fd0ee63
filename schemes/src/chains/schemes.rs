//! The tables with chains, which differ in the buckets among which an element chooses.

use super::case::{self, NAME};
use super::params::{BUCKETS, CHOICES, ELEMENTS, LOAD};
use super::point::Kind;
use crate::family::SchemeEntry;
use crate::info::SchemeInfo;

static CHAINING: SchemeInfo = SchemeInfo {
    name: "chaining",
    summary: "Separate chaining: an element goes to the end of the chain of its one bucket.",
    source: "\"Notes on Randomized Algorithms\", Sections 7.1 and 7.2",
    params: &[ELEMENTS, LOAD, BUCKETS],
    predictions: &[
        "chains-fill and chains-attack with keys that do not depend on the function: probes per hit 1 + (n−1)/2m and per miss 1 + n/m, collisions 1/m and Σ nᵢ², exact (proved of 2-independent hash functions)",
        "the same: collisions, upper bound 1/m, and no bucket with two elements, lower bound 1 − n(n−1)/2m, for 2-independent hash functions (Lemma 7.3.1)",
        "the same: occupancy, greatest load and its whole law, exact (binomial; Cauchy's integral over truncated exponentials; proved of random choices)",
        "chains-attack, cross-product, with n and m powers of two: occupancy, greatest load and its whole law, exact for simple tabulation and H3 (rank of a random binary matrix)",
        "chains-attack, known-function: collisions and greatest load, exact",
        "chains-fill: probability of a longer chain, exact (Cauchy's integral)",
    ],
};

static D_WAY: SchemeInfo = SchemeInfo {
    name: "d-way-chaining",
    summary: "An element goes to the end of the shortest of d chains, its choices among all buckets.",
    source: "Azar, Broder, Karlin and Upfal, \"Balanced Allocations\", SIAM Journal on Computing 29, 1999; the lecture notes have one choice alone",
    params: &[ELEMENTS, LOAD, BUCKETS, CHOICES],
    predictions: &[
        "chains-fill: probes per miss d·(1 + n/m), exact",
        "chains-fill: occupancy, asymptotic and refined (differential equations, up to a load of about 50)",
        "chains-fill: law of the greatest load, approximate (a Poisson number of buckets beyond it)",
        "chains-fill: probability of a longer chain, upper bound (law of one choice) and approximate (as the law of the greatest load)",
    ],
};

static D_LEFT: SchemeInfo = SchemeInfo {
    name: "d-left-chaining",
    summary: "Buckets in d equal sub-tables: an element goes to the end of the shortest of d chains, one in each sub-table, the leftmost of several.",
    source: "Vöcking, \"How Asymmetry Helps Load Balancing\", Journal of the ACM 50, 2003",
    params: &[ELEMENTS, LOAD, BUCKETS, CHOICES],
    predictions: &[
        "chains-fill: probes per miss d·(1 + n/m), exact",
        "chains-fill: occupancy, asymptotic and refined (differential equations of the sub-tables, as far as there are 64 of them)",
        "chains-fill: law of the greatest load, approximate (a Poisson number of buckets beyond it)",
        "chains-fill: probability of a longer chain, upper bound (law of one choice) and approximate (as the law of the greatest load)",
    ],
};

/// The schemes, in the order of the reference: one line each.
pub(super) static SCHEMES: &[SchemeEntry] = &[
    SchemeEntry { family: NAME, info: &CHAINING, case: |request| case::read(Kind::One, request) },
    SchemeEntry { family: NAME, info: &D_WAY, case: |request| case::read(Kind::Random, request) },
    SchemeEntry { family: NAME, info: &D_LEFT, case: |request| case::read(Kind::Left, request) },
];
