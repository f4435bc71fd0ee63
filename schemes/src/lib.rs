//! Hash-based data structures as the papers define them, and what theory predicts of them.
//!
//! They come in [`families`], kinds of structure with workloads and metrics of their own. A family has
//! schemes, each a structure with its parameters and predictions; [`tables`] are hash tables of finite
//! buckets with an overflow list. A scheme with the parameters of one point of an experiment, under a
//! workload, is a [`case::Case`]: it runs trials and says what theory predicts of them, and is all that
//! an experiment needs to know. The [`keys`] of elements are drawn, counted or those of a trace, and
//! their choices come from a [`hash`] function. Mathematics that more than one family uses is in [`math`].
//!
//! Nothing here reads files, starts threads or looks at a clock.
//!
//! # A prediction
//!
//! Each prediction has a value, says how strictly it holds, and where it comes from:
//!
//! ```
//! use loadfactor_schemes::families;
//! use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
//!
//! let given = [("buckets", 64_i64.into()), ("load", 0.9.into()), ("rounds", 1000_i64.into())];
//! let case = families::case("single", "alternation", "random", &given)?;
//! for prediction in case.outlook(&|_| None).predictions {
//!     if prediction.metric == OVERFLOW_FRACTION {
//!         // exact: 0.4711 (Theorem 1)
//!         println!("{}: {:.4} ({})", prediction.kind, prediction.value, prediction.source);
//!     }
//! }
//! # Ok::<(), loadfactor_schemes::params::ParamError>(())
//! ```
//!
//! # A table filled by hand
//!
//! The type of a table depends on the parameters of its scheme, so a visitor does the work:
//!
//! ```
//! use loadfactor_schemes::Rng;
//! use loadfactor_schemes::hash::{HashSpec, RandomSource, Source};
//! use loadfactor_schemes::params::Params;
//! use loadfactor_schemes::tables::{DRandom, Scheme, Table, TableVisitor};
//! use rand::SeedableRng;
//!
//! /// Inserts so many elements, and says how many are on the overflow list then.
//! struct Fill(u32, RandomSource);
//!
//! impl TableVisitor for Fill {
//!     type Output = u32;
//!
//!     fn visit<T: Table>(self, mut table: T) -> u32 {
//!         let Fill(elements, mut source) = self;
//!         let mut rng = Rng::seed_from_u64(2);
//!         for element in 0..elements {
//!             // Random choices look at no key.
//!             table.insert::<false>(element, source.element(b""), &mut rng);
//!         }
//!         table.overflow()
//!     }
//! }
//!
//! let given = [("elements", 100_i64.into()), ("buckets", 64_i64.into()), ("choices", 2_i64.into())];
//! let scheme = DRandom::from_params(&Params::complete(DRandom::INFO.params, &given)?)?;
//! let source = RandomSource::new(&HashSpec::random(2)?, 1);
//! let overflow = scheme.table(false, Fill(100, source));
//! assert!((36..60).contains(&overflow), "36 of 100 elements find no room in 64 buckets of one");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with the system's"))]

pub mod aim;
pub mod balancing;
mod binomial;
pub mod case;
pub mod chains;
mod chance;
mod cuckoo_graph;
pub mod cuckoo_tables;
pub mod families;
pub mod family;
pub mod filters;
pub mod hash;
pub mod info;
pub mod keys;
pub mod math;
#[cfg(test)]
mod measured;
pub mod metric;
mod occupancy;
pub mod params;
pub mod perfect;
pub mod prediction;
pub mod probing;
pub mod rare;
pub mod sketches;
pub mod summaries;
pub mod tables;
pub mod timed;
mod uniform;

/// The generator of all simulations: xoshiro256++, the same sequence on every machine.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;
