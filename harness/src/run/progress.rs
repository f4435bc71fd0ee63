//! Telling the user how far a run has come.

use std::io::{IsTerminal, stderr};
use std::iter::Sum;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::mutex::hold;
use crate::terminal::tell;

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Steps of the bar.
const STEPS: u64 = 1000;

/// An amount of work.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Amount {
    /// Trials.
    pub trials: u64,
    /// Cost, in the unit of [`Work::cost`](super::Work::cost).
    pub cost: f64,
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Self {
        amounts.fold(Amount::default(), |a, b| Amount {
            trials: a.trials + b.trials,
            cost: a.cost + b.cost,
        })
    }
}

/// Someone who is told how far a run has come, from several threads at once.
pub trait Progress: Sync {
    /// More work is ahead: at the start of the run, and again whenever the stopping rule asks for
    /// more trials.
    fn start(&self, ahead: Amount);

    /// A batch is done.
    fn batch_done(&self, done: Amount);

    /// Something happened that the user should know at once, such as the failure of a point.
    fn note(&self, text: &str);

    /// The run has ended, whether or not all work is done.
    fn finish(&self);
}

/// The progress of the experiment `name` on standard error: a bar on a terminal, lines elsewhere.
pub fn to_stderr(name: &str, quiet: bool) -> Box<dyn Progress + Send> {
    match (quiet, stderr().is_terminal()) {
        (true, _) => Box::new(Silent),
        (false, true) => Box::new(Bar::new(name)),
        (false, false) => Box::new(Lines::new(name)),
    }
}

/// No word.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: Amount) {}
    fn batch_done(&self, _: Amount) {}
    fn note(&self, _: &str) {}
    fn finish(&self) {}
}

/// A bar with rate and time left, on standard error.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    meter: Mutex<Meter>,
}

impl Bar {
    /// A bar for the experiment of this name; it shows once the run starts.
    pub fn new(name: &str) -> Self {
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(STEPS).with_style(style.progress_chars("=> "));
        Self { bar: bar.with_prefix(name.to_owned()), meter: Mutex::new(Meter::new()) }
    }

    fn update(&self, change: impl FnOnce(&mut Meter)) {
        let mut meter = hold(&self.meter);
        change(&mut meter);
        self.bar.set_position((meter.share() * STEPS as f64) as u64);
        self.bar.set_message(meter.describe());
    }
}

impl Progress for Bar {
    fn start(&self, ahead: Amount) {
        self.update(|meter| meter.start(ahead));
    }

    fn batch_done(&self, done: Amount) {
        self.update(|meter| meter.done(done));
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| tell!("{text}"));
    }

    fn finish(&self) {
        self.bar.abandon();
    }
}

/// A line every few seconds and at the end, on standard error.
#[derive(Debug)]
pub struct Lines {
    name: String,
    state: Mutex<(Meter, Instant)>,
}

impl Lines {
    /// Lines for the experiment of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), state: Mutex::new((Meter::new(), Instant::now())) }
    }

    fn print(&self, meter: &Meter) {
        tell!("{}: {}", self.name, meter.describe());
    }
}

impl Progress for Lines {
    fn start(&self, ahead: Amount) {
        hold(&self.state).0.start(ahead);
    }

    fn batch_done(&self, done: Amount) {
        let mut state = hold(&self.state);
        let (meter, printed) = &mut *state;
        meter.done(done);
        if printed.elapsed() >= LINE_EVERY {
            *printed = Instant::now();
            self.print(meter);
        }
    }

    fn note(&self, text: &str) {
        tell!("{}: {text}", self.name);
    }

    fn finish(&self) {
        let state = hold(&self.state);
        if state.0.total.trials > 0 {
            self.print(&state.0);
        }
    }
}

/// Work done, work known to be ahead, and the time since the start.
#[derive(Debug)]
struct Meter {
    started: Instant,
    total: Amount,
    done: Amount,
}

impl Meter {
    fn new() -> Self {
        Self { started: Instant::now(), total: Amount::default(), done: Amount::default() }
    }

    fn start(&mut self, ahead: Amount) {
        self.total = [self.done, ahead].into_iter().sum();
    }

    fn done(&mut self, done: Amount) {
        self.done = [self.done, done].into_iter().sum();
    }

    /// Share of the known work that is done.
    fn share(&self) -> f64 {
        let share = self.done.cost / self.total.cost;
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn describe(&self) -> String {
        describe(self.done, self.total, self.share(), self.started.elapsed())
    }
}

fn describe(done: Amount, total: Amount, share: f64, elapsed: Duration) -> String {
    let trials = format!("{} of {} trials", HumanCount(done.trials), HumanCount(total.trials));
    if done.trials == 0 {
        return trials;
    }
    let rate = done.trials as f64 / elapsed.as_secs_f64().max(1e-3);
    let rate = format!("{trials}, {}/s", HumanCount(rate.round() as u64));
    let left = elapsed.as_secs_f64() * (1.0 / share.max(1e-9) - 1.0);
    match Duration::try_from_secs_f64(left) {
        Ok(left) if done.trials < total.trials => format!("{rate}, {} left", HumanDuration(left)),
        _ => rate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn amount(trials: u64, cost: f64) -> Amount {
        Amount { trials, cost }
    }

    #[test]
    fn rate_counts_trials_and_time_left_counts_cost() {
        let total = amount(100_000, 40.0);
        let text = describe(amount(50_000, 10.0), total, 0.25, Duration::from_secs(10));
        assert_eq!(text, "50,000 of 100,000 trials, 5,000/s, 30 seconds left");
        assert_eq!(
            describe(total, total, 1.0, Duration::from_secs(10)),
            "100,000 of 100,000 trials, 10,000/s"
        );
        assert_eq!(describe(amount(0, 0.0), total, 0.0, Duration::ZERO), "0 of 100,000 trials");
    }

    #[test]
    fn more_work_lowers_the_share_and_costless_work_does_not_divide_by_zero() {
        let mut meter = Meter::new();
        assert_eq!(meter.share(), 0.0);
        meter.start(amount(10, 1.0));
        meter.done(amount(10, 1.0));
        assert_eq!(meter.share(), 1.0);
        meter.start(amount(30, 3.0));
        assert_eq!((meter.share(), meter.total.trials), (0.25, 40));
    }
}
