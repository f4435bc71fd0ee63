//! Synthetic captures.
//!
//! Captures of a backbone cannot be passed on, and public ones are short. A synthetic capture
//! stands in for them: it is as long as wanted, and whoever has the same [`SynthSpec`] has the same
//! bytes, on any machine.
//!
//! There are two models: [`synth`] mixes the packets of its flows evenly, [`synth_link`] sends them in trains, at
//! rates that differ as widely as those of a link.

mod error;
mod flow;
mod frame;
mod link;
mod mix;
mod random;
mod repeats;
mod spec;
mod summary;
mod uniform;

pub use error::SynthError;
pub use link::{LinkSpec, Preset, Targets, synth_link, synth_link_beginning};
pub use spec::SynthSpec;
pub use summary::SynthSummary;
pub use uniform::synth;
