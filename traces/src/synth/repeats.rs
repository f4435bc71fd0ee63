//! Which packets repeat the one before in their flow.

use super::flow::{Flow, Step};
use super::random::Random;
use super::summary::SynthSummary;

/// Whether the flow's next packet repeats the one before.
///
/// While the share of repeats lags behind, packets repeat with a probability above the share; which
/// flows they belong to is left to chance.
pub(super) fn next_step(
    flow: &Flow,
    summary: &mut SynthSummary,
    repeated_share: f64,
    random: &mut Random,
) -> Step {
    if !flow.is_tcp() {
        return Step::On;
    }
    summary.tcp += 1;
    let lags = (summary.repeated as f64) < repeated_share * summary.tcp as f64;
    let probability = (1.0 + repeated_share) / 2.0;
    if flow.has_begun() && lags && random.chance(probability) {
        summary.repeated += 1;
        return Step::Repeat;
    }
    Step::On
}
