//! When the events of a block are, where they come at any time.

use rand::SeedableRng;

use super::averages::Averages;
use super::block::{BLOCK, BlockStep};
use super::ziggurat::Ziggurat;
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::workloads::Span;
use crate::uniform::with_own;

/// The times between events, which are exponential, and the weights of what the table is like meanwhile.
///
/// What is left of the time to the next event when the measuring window begins has the law of a whole one, and is drawn
/// anew.
pub(super) struct Times {
    span: Span,
    /// After the last event.
    now: f64,
    /// When the warm-up or the trial ends.
    until: f64,
    /// How long the block lasts.
    lasting: f64,
    /// Whether the block is in the measuring window.
    measured: bool,
    /// The time before each event of the block, and that after the last one where `until` comes then.
    times: Vec<f64>,
    /// The length of the overflow list before the block.
    length: u32,
    ziggurat: Box<Ziggurat>,
    rng: Rng,
}

impl Times {
    pub(super) fn new(span: Span) -> Self {
        Self {
            span,
            now: 0.0,
            until: 0.0,
            lasting: 0.0,
            measured: false,
            times: Vec::new(),
            length: 0,
            ziggurat: Box::new(Ziggurat::new()),
            rng: Rng::seed_from_u64(0),
        }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.now = 0.0;
        self.rng = Rng::seed_from_u64(seeds.arrivals);
    }

    /// The overflow list has this length before the first event.
    pub(super) fn look(&mut self, length: u32) {
        self.length = length;
    }

    /// Begins a block; `None` at the end of the trial, else whether the measuring window begins.
    pub(super) fn next_block(&mut self) -> Option<bool> {
        let Span { warm_up, .. } = self.span;
        self.measured = self.now >= warm_up;
        self.until = if self.measured { self.span.end() } else { warm_up };
        (self.now < self.until).then_some(self.measured && self.now == warm_up)
    }

    /// Goes through the events of a block, which come at this rate; how many there are before the warm-up or the trial ends.
    /// What an event changes is told the time before it.
    #[inline(always)]
    pub(super) fn pass<S>(
        &mut self,
        state: &mut S,
        rate: impl Fn(&S) -> f64,
        mut event: impl FnMut(&mut S, f64),
    ) -> usize {
        let Self { ziggurat, times, rng, .. } = self;
        let (from, until) = (self.now, self.until);
        let (mut now, mut events) = (from, 0);
        times.resize(BLOCK, 0.0);
        with_own(rng, |rng| {
            for before in times.iter_mut() {
                let time = ziggurat.draw(rng) / rate(state);
                if time >= until - now {
                    *before = until - now;
                    now = until;
                    return;
                }
                *before = time;
                now += time;
                event(state, time);
                events += 1;
            }
        });
        // The time after the last event counts where it is known.
        times.truncate(if now == until { events + 1 } else { events });
        (self.now, self.lasting) = (now, now - from);
        events
    }

    /// How long the block lasts.
    pub(super) fn lasting(&self) -> f64 {
        self.lasting
    }

    /// What is left of the block after its last event.
    pub(super) fn rest(&self, events: usize) -> f64 {
        self.times.get(events).copied().unwrap_or(0.0)
    }

    /// Takes the lengths of the overflow list after each event of the block, and adds them to the averages over time, beside
    /// the integral of the number in the system.
    pub(super) fn read(&mut self, steps: &[BlockStep], system: f64, averages: &mut Averages<'_>) {
        if self.measured {
            let overflow = overflow(self.length, &self.times, steps);
            averages.add_total(self.lasting, system, overflow);
        }
        self.length = steps.last().map_or(self.length, |step| step.length);
    }
}

/// The integral of the length of the overflow list, which is `first` before the first step.
///
/// As several sums side by side: each term of one sum would have to wait for the one before.
fn overflow(first: u32, times: &[f64], steps: &[BlockStep]) -> f64 {
    let Some((before, after)) = times.split_first() else { return 0.0 };
    let weighted = |time: &f64, step: &BlockStep| time * f64::from(step.length);
    let (times, last_times) = after.as_chunks::<4>();
    let (steps, last_steps) = steps.as_chunks::<4>();
    let mut sums = [before * f64::from(first), 0.0, 0.0, 0.0];
    for (times, steps) in times.iter().zip(steps) {
        for ((sum, time), step) in sums.iter_mut().zip(times).zip(steps) {
            *sum += weighted(time, step);
        }
    }
    let all: f64 = sums.iter().sum();
    let last_steps = steps[times.len()..].as_flattened().iter().chain(last_steps);
    all + last_times.iter().zip(last_steps).map(|(time, step)| weighted(time, step)).sum::<f64>()
}
