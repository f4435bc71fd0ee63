//! loadfactor: does what a paper predicts of a hash structure hold, for this scheme, with this
//! hash function, on this trace?
//!
//! An experiment is a TOML file ([`definition`]). It is resolved into points ([`plan`]), whose trials
//! are run in parallel and journalled ([`run`]). The trials become estimates and verdicts
//! ([`estimate`]), these quantities of several points ([`derived`]) and a [`table`], and that a [`report`]. Each stage knows only what stands before
//! it; [`pipeline`] puts them together. None of them knows what is measured: structures, workloads and
//! metrics are the families of [`loadfactor_schemes`], to which a program adds its own with [`Harness`].
//!
//! # A definition run from Rust
//!
//! The trials of one point, and the mean of a metric over them:
//!
//! ```
//! use loadfactor::definition::Experiment;
//! use loadfactor::plan::Plan;
//! use loadfactor_schemes::tables::metrics::OVERFLOW_FRACTION;
//!
//! # const DEFINITION: &str = r#"
//! # title  = "Two choices"
//! # trials = 20
//! # [workload]
//! # kind   = "static-fill"
//! # [[series]]
//! # label   = "MULTIPLE"
//! # scheme  = "multiple"
//! # choices = 2
//! # buckets = 64
//! # load    = [0.5, 1.0]
//! # "#;
//! let experiment = Experiment::from_text("two-choices", DEFINITION)?;
//! let plan = Plan::new(&experiment, None)?;
//! let measured = plan.points[1].run_trials(0..20);
//! let overflow = measured.iter().find(|(metric, _)| *metric == OVERFLOW_FRACTION);
//! let mean = overflow.and_then(|(_, moments)| moments.mean());
//! assert!(mean.is_some_and(|mean| mean > 0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! where `DEFINITION` is
//!
//! ```toml
//! title  = "Two choices"
//! trials = 20
//! [workload]
//! kind   = "static-fill"
//! [[series]]
//! label   = "MULTIPLE"
//! scheme  = "multiple"
//! choices = 2
//! buckets = 64
//! load    = [0.5, 1.0]
//! ```
//!
//! # A run, and its table read back
//!
//! All points in parallel, with the files that `loadfactor run` writes:
//!
//! ```
//! use loadfactor::definition::Experiment;
//! use loadfactor::pipeline::conduct;
//! use loadfactor::plan::Plan;
//! use loadfactor::report::Request;
//! use loadfactor::run::{RunOptions, Silent};
//! use loadfactor::table::Table;
//!
//! # const DEFINITION: &str = r#"
//! # title  = "Two choices"
//! # trials = 20
//! # [workload]
//! # kind   = "static-fill"
//! # [[series]]
//! # label   = "MULTIPLE"
//! # scheme  = "multiple"
//! # choices = 2
//! # buckets = 64
//! # load    = [0.5, 1.0]
//! # "#;
//! # let temporary = tempfile::tempdir()?;
//! # let folder = temporary.path();
//! let experiment = Experiment::from_text("two-choices", DEFINITION)?;
//! let plan = Plan::new(&experiment, None)?;
//! let request = Request { scale: "quick", only: None, shard: None };
//! let conducted = conduct(&plan, folder, &request, &RunOptions::default(), &Silent)?;
//! assert_eq!(conducted.results.verdicts().tally().contradictions(), 0);
//!
//! let table = Table::read_parquet(&folder.join("table.parquet"))?;
//! let loads = table.frame().column("load")?.f64()?;
//! assert_eq!(loads.get(0), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with the system's"))]

mod cli;
mod count;
pub mod definition;
pub mod derived;
pub mod diagnosis;
mod escape;
pub mod estimate;
mod extension;
pub mod files;
pub mod forecast;
mod harness;
mod machine;
mod memory;
#[cfg(feature = "peers")]
pub mod peers;
pub mod pipeline;
pub mod plan;
#[expect(clippy::disallowed_methods, reason = "drawn and rounded to a few digits")]
pub mod report;
pub mod run;
#[expect(clippy::disallowed_methods, reason = "rounded to a few digits")]
pub mod sizing;
pub mod submission;
pub mod table;
mod terminal;
mod threads;
pub mod timing;
pub mod trace;

pub use harness::Harness;
