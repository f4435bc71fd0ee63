//! Reading and writing whole files.

#![expect(clippy::unwrap_used, reason = "the builders of samples are part of the tests")]

mod compressions;
mod containers;
mod damage;
mod files;
mod links;
mod mutations;
mod records;
mod samples;
mod synthetic;
mod walk;
