//! The command line as a user meets it: what it prints, what it writes, how it ends.

#![expect(clippy::unwrap_used, reason = "the sandbox is part of the tests")]

mod bench;
mod changes;
mod cluster;
mod definitions;
mod determinism;
mod diagnosis;
mod disturbances;
mod errata;
mod faults;
mod growth;
mod json;
mod mistakes;
mod numbers;
mod outputs;
mod ownership;
mod prose;
mod published;
mod references;
mod repository;
mod sandbox;
mod settings;
mod sizing;
mod traces;
mod transcripts;
mod tutorial;
mod verdicts;
mod workflows;
