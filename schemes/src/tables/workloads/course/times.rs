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
    pub(super) now: f64,
    /// When the warm-up or the trial ends.
    pub(super) until: f64,
    /// Whether the block is in the measuring window.
    measured: bool,
    /// The time before each event of the block, and that after the last one where `until` comes then.
    pub(super) times: Vec<f64>,
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

    /// Draws times of mean 1 for a block; `None` at the end of the trial, else whether the window begins.
    pub(super) fn draw(&mut self) -> Option<bool> {
        let Span { warm_up, .. } = self.span;
        self.measured = self.now >= warm_up;
        self.until = if self.measured { self.span.end() } else { warm_up };
        if self.now >= self.until {
            return None;
        }
        let Self { ziggurat, times, rng, .. } = self;
        times.resize(BLOCK, 0.0);
        // Those that are not used tell nothing of the others.
        with_own(rng, |rng| times.iter_mut().for_each(|time| *time = ziggurat.draw(rng)));
        Some(self.measured && self.now == warm_up)
    }

    /// Goes on through events that come at this rate, and makes the times those between them; the number of events.
    pub(super) fn pass(&mut self, rate: f64) -> usize {
        let (mut now, until, mut events) = (self.now, self.until, 0);
        for time in &mut self.times {
            let rest = until - now;
            *time = (*time / rate).min(rest);
            if *time == rest {
                now = until;
                break;
            }
            now += *time;
            events += 1;
        }
        self.end_at(now, events);
        events
    }

    /// It is so late after so many events.
    pub(super) fn end_at(&mut self, now: f64, events: usize) {
        self.now = now;
        // The time after the last event counts where it is known.
        self.times.truncate(if now == self.until { events + 1 } else { events });
    }

    /// How long the block lasts.
    pub(super) fn all(&self) -> f64 {
        self.times.iter().sum()
    }

    /// Takes the lengths of the overflow list after each event of the block, and adds them to the averages over time, beside
    /// the integral of the number in the system.
    pub(super) fn read(&mut self, steps: &[BlockStep], system: f64, averages: &mut Averages<'_>) {
        if self.measured {
            let before = [self.length].into_iter().chain(steps.iter().map(|step| step.length));
            let lasting = self.times.iter().zip(before);
            let overflow = lasting.map(|(time, length)| time * f64::from(length)).sum();
            averages.add_total(self.all(), system, overflow);
        }
        self.length = steps.last().map_or(self.length, |step| step.length);
    }
}
