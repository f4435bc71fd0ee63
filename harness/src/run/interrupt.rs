//! Ending a run early without losing what it has done.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loadfactor_traces::discard_unfinished;

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

impl Interrupt {
    /// An interrupt that Ctrl-C, SIGTERM and SIGHUP trigger. While batches are under way, standard error is
    /// told that they are waited for, and the next signal ends the process at once; at any other time, as
    /// while a trace is read or a report is written, the first one does. The exit status is 130, the journal
    /// is valid, and nothing half-written is left.
    ///
    /// To be called once in a process.
    ///
    /// # Errors
    /// Where a handler is installed already or the system refuses one.
    pub fn install() -> Result<Self, ctrlc::Error> {
        let interrupt = Self::default();
        let state = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            let is_first = !state.triggered.swap(true, Ordering::SeqCst);
            if !(is_first && state.running.load(Ordering::SeqCst)) {
                discard_unfinished();
                process::exit(INTERRUPTED);
            }
            // On a line of its own: the terminal has shown ^C behind whatever stood there.
            tell!("\nfinishing the running batches; press Ctrl-C again to stop at once");
        })?;
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
