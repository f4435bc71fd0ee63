//! Two tables of the same experiments: what moved.
//!
//! - A *measurement* moved where the two differ by more than chance allows, at an error of 1 % over
//!   all measurements.
//! - A *prediction* changed where it differs by more than the rounding of another processor, and
//!   where only one of the tables has it. A bound may rest on a measured quantity and moves with
//!   it, so that its change counts only where all measurements of its point are equal.
//! - A *published value* changed where the tables have different ones.
//! - A *verdict* changed where the tables have different ones, unless chance explains it: both
//!   judge the row, and what was judged, the measurement or the bound that moves with one, differs
//!   by no more than chance allows.
//!
//! The same definition, seed and program give equal tables, so that there every change counts.

mod compared;
mod json;
mod tables;
mod text;

pub use compared::{Change, Changes, Move, ROUNDING, changes};
pub use tables::{ChangesError, Key};
