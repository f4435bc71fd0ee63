//! Reading and writing whole files.

mod containers;
mod damage;
mod records;
mod samples;
mod synthetic;
mod walk;
