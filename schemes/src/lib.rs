//! Hash-based data structures as the papers define them, and what theory predicts of them.
//!
//! A scheme ([`tables`]) is a structure with an insertion rule and predictions; the choices of
//! its elements come from a [`hash`] function. What holds for more than one family of structures stands
//! beside them, the mathematics in [`math`]. Nothing here reads files, starts threads or looks at a clock.

pub mod case;
pub mod families;
pub mod family;
pub mod filters;
pub mod hash;
pub mod info;
pub mod keys;
pub mod math;
pub mod metric;
pub mod params;
pub mod prediction;
pub mod tables;

/// The generator of all simulations: xoshiro256++, the same sequence on every machine.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;
