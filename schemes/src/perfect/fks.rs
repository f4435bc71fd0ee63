//! The scheme and its workload.

use super::case;
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SQUARE_LIMIT};
use crate::family::SchemeEntry;
use crate::info::{SchemeInfo, WorkloadInfo};

/// The name of the family.
pub(super) const NAME: &str = "perfect";

/// The entry of FKS in the list of schemes.
pub(super) const ENTRY: SchemeEntry =
    SchemeEntry { family: NAME, info: &FKS, case: |request| case::read(request) };

static FKS: SchemeInfo = SchemeInfo {
    name: "fks",
    summary: "Two levels: a function puts the n elements into m buckets and is drawn again until Σ nᵢ² is below its limit; each bucket of nᵢ elements has nᵢ² places and a function of its own, drawn again until no two of them collide. The t-th function that a bucket tries is the t-th of one list for all buckets, so that a bucket stores its number in the list.",
    source: "\"Notes on Randomized Algorithms\", Section 7.3, after Fredman, Komlós and Szemerédi, \"Storing a Sparse Table with O(1) Worst Case Access Time\", Journal of the ACM 31, 1984",
    params: &[ELEMENTS, BUCKETS_PER_ELEMENT, SQUARE_LIMIT],
    predictions: &[
        "perfect-build: Σ nᵢ² of the first function, n + n(n−1)/m, exact (Theorem 7.3.2; proved of 2-independent hash functions)",
        "the same, for 2-independent hash functions: first function good, lower bound, first-level tries and Σ nᵢ² of the function taken, upper bounds (Markov's inequality, in whole numbers)",
        "the same, for 2-independent hash functions: tries per bucket, upper bounds; those of nᵢ elements are free of collisions at once, lower bound 1 − (nᵢ − 1)/2nᵢ (Lemma 7.3.1)",
        "perfect-build: the same of buckets of nᵢ elements, exact, Π (1 − j/nᵢ²)",
        "perfect-build: first function good and first-level tries, exact in small tables (law of the loads)",
        "probability of a greater Σ nᵢ², exact likewise; upper bound (Markov's inequality)",
    ],
};

/// The construction.
pub(super) static PERFECT_BUILD: WorkloadInfo = WorkloadInfo {
    name: "perfect-build",
    summary: "A table is built for n different keys.",
    decides: &[],
    params: &[],
};
