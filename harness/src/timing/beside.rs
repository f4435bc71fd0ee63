//! Two programs that measure the same layouts in the same minutes.
//!
//! A machine drifts over minutes, such as by what its neighbours do in a shared cache, and two measurements that follow
//! each other differ by that. Here each layout is measured by both programs, one right after the other, in an order of
//! chance: the drift is in both, and hardly in the ratio of their times.

use std::path::Path;

use loadfactor_schemes::hash::derive_seed;

use super::TimingError;
use super::layout::{Observed, Order, Samples, Task};
use super::measure::{MeasureLayout, Measured, Sampled, add, counts, nothing_yet};
use super::plan::TimedPlan;
use super::program::ProgramError;
use super::statistics::centre_of_pairs;
use super::verdict::level_of_each;

/// The first of the streams of the experiment's seed that decide which program comes first: those before it are the
/// layouts'.
const ORDER_OF_PROGRAMS: u64 = 1 << 32;

/// Half the width, on the logarithmic scale, that the interval of every change is to have in the end: with it a change of
/// five parts in a hundred is called, as one beyond two of them, in about 95 cases of a hundred.
const HALF_WIDTH: f64 = 0.02;

/// How many times as many layouts as are asked for are measured, at most, until the intervals are that narrow. Who asks for
/// one layout wants to see that it is measured, and no more.
fn most(layouts: u32) -> u32 {
    if layouts == 1 { 1 } else { layouts.saturating_mul(4) }
}

/// Further layouts after which it is asked whether they are.
const EACH: u32 = 8;

/// Who measures the layouts.
pub struct Programs<'m> {
    /// This program.
    pub here: MeasureLayout<'m>,
    /// The other one.
    pub beside: MeasureLayout<'m>,
    /// The file of the other one.
    pub path: &'m Path,
}

/// Measures the structures of a place by this program and by the other one, whose times come second.
///
/// To begin with, this program measures the first layout once more than it counts, to find the operations of a sample,
/// which are the same for both. Beyond the layouts that the definition asks for, more are measured until every change is
/// known to about two parts in a hundred, but no more than four times as many: how far each is known decides when to end,
/// and not what the change is. `progress` is told how many layouts are done.
///
/// # Errors
/// Those of either program, and an answer of the other one that is not about the same structures.
pub fn measure_beside(
    plan: &TimedPlan<'_>,
    place: usize,
    programs: Programs<'_>,
    progress: &mut dyn FnMut(u32),
) -> Result<[Vec<Measured>; 2], TimingError> {
    let Programs { here, beside, path } = programs;
    let mut task = Task { place, layout: 0, counts: None };
    let first = here(&task)?;
    task.counts = Some(counts(&first));
    let [mut own, mut other] = [nothing_yet(plan, place), nothing_yet(plan, place)];
    let seed = derive_seed(plan.experiment.seed, ORDER_OF_PROGRAMS + place as u64);
    let mut order = Order::new(2, seed);
    let (least, rows) = (plan.timing.layouts, plan.rows());
    for layout in 0..most(least) {
        if layout >= least && layout % EACH == 0 && are_known(&own, &other, rows) {
            break;
        }
        task.layout = layout;
        for program in order.next() {
            if program == 0 {
                add(&mut own, here(&task)?);
            } else {
                let observed = beside(&task)?;
                check_alike(&first, &observed, path)?;
                add(&mut other, observed);
            }
        }
        progress(layout + 1);
    }
    Ok([own, other])
}

/// Whether the changes of a place, whose intervals are those of so many rows, are known closely enough.
fn are_known(own: &[Measured], other: &[Measured], rows: usize) -> bool {
    let mut pairs = samplings(own).zip(samplings(other));
    pairs.all(|(own, other)| {
        let centre = centre_of_pairs(&own.layouts, &other.layouts, level_of_each(rows));
        let interval = centre.and_then(|centre| centre.interval);
        interval.is_some_and(|own| libm::log(own.high / own.low) <= 2.0 * HALF_WIDTH)
    })
}

/// The operations of all structures.
fn samplings(measured: &[Measured]) -> impl Iterator<Item = &Sampled> {
    measured.iter().flat_map(|one| &one.sampled)
}

/// Refuses an answer about other structures or operations than those of the first layout, and what is no time.
fn check_alike(first: &[Observed], observed: &[Observed], path: &Path) -> Result<(), ProgramError> {
    let what = match () {
        () if observed.len() != first.len() => "other series",
        () if !observed.iter().map(elements).eq(first.iter().map(elements)) => "other elements",
        () if counts(observed) != counts(first) => "other operations",
        () if !observed.iter().flat_map(|own| &own.sampled).all(has_times) => "no times",
        () => return Ok(()),
    };
    Err(ProgramError::Unlike { path: path.to_owned(), what })
}

fn elements(observed: &Observed) -> u64 {
    observed.elements
}

fn has_times(samples: &Samples) -> bool {
    let times = &samples.nanoseconds;
    !times.is_empty() && times.iter().all(|&time| time > 0.0 && time.is_finite())
}

#[cfg(test)]
mod tests;
