//! Every scheme through the public interface: against a naive model, against exact results for
//! finite tables and against fluid limits.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "they are tests"
)]

mod case;
mod cuckoo;
mod enumerated;
mod exact;
mod extreme_second_chance;
mod fluid;
mod model;
mod moving_back;
mod multilevel;
mod narrow_hash;
mod refined;
mod second_chance;
mod simulation;
mod ties;
mod workloads;
