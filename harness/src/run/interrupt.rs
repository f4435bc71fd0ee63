//! Ending a run early without losing what it has done.

use std::fs;
use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use loadfactor_traces::discard_unfinished;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::terminal::tell;

/// Exit status of a process that the user interrupted: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// A wish to end the run, shared between whoever utters it and the run.
///
/// Once triggered, no further batch starts, those under way finish and are saved.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    triggered: AtomicBool,
    /// Whether batches are under way that are worth waiting for.
    running: AtomicBool,
}

/// While it lives, batches are under way.
#[derive(Debug)]
pub(super) struct Running<'i>(&'i State);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.store(false, Ordering::SeqCst);
    }
}

impl State {
    fn signalled(&self) {
        let is_first = !self.triggered.swap(true, Ordering::SeqCst);
        if !(is_first && self.running.load(Ordering::SeqCst)) {
            discard_unfinished();
            process::exit(INTERRUPTED);
        }
        // On a line of its own: the terminal has shown ^C behind whatever stood there.
        tell!("\nfinishing the running batches; press Ctrl-C again to stop at once");
    }
}

/// The signals that a process ignores, from its `/proc/self/status`: a mask whose lowest bit is signal 1. None
/// where the system does not tell.
fn ignored(status: &str) -> Vec<i32> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| (mask >> (signal - 1)) & 1 == 1).collect()
}

impl Interrupt {
    /// An interrupt that Ctrl-C, SIGTERM and SIGHUP trigger, but those that the process was started to ignore,
    /// as `nohup` makes it. While batches are under way, standard error is told that they are waited for, and the
    /// next signal ends the process at once; at any other time, as while a trace is read or a report is written,
    /// the first one does. The exit status is 130, the journal is valid, and nothing half-written is left.
    ///
    /// To be called once in a process.
    ///
    /// # Errors
    /// Where the system refuses a handler or a thread.
    pub fn install() -> io::Result<Self> {
        let interrupt = Self::default();
        let state = Arc::clone(&interrupt.0);
        let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|own| !ignored.contains(own));
        let mut signals = Signals::new(heeded)?;
        let wait = move || signals.forever().for_each(|_| state.signalled());
        thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
        Ok(interrupt)
    }

    /// Says that batches are under way from now on.
    pub(super) fn running(&self) -> Running<'_> {
        self.0.running.store(true, Ordering::SeqCst);
        Running(&self.0)
    }

    /// Asks the run to end.
    pub fn trigger(&self) {
        self.0.triggered.store(true, Ordering::SeqCst);
    }

    /// Whether the run has been asked to end.
    pub fn is_triggered(&self) -> bool {
        self.0.triggered.load(Ordering::SeqCst)
    }
}
