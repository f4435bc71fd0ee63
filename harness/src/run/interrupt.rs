//! Ending a run early without losing what it has done.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a process that the user interrupted: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// A wish to end the run, shared between whoever utters it and the run.
///
/// Once triggered, no further batch starts, those under way finish and are saved.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// An interrupt that Ctrl-C, SIGTERM and SIGHUP trigger, which standard error is told; the
    /// second of them ends the process at once, with exit status 130, and leaves the journal valid.
    ///
    /// To be called once in a process.
    ///
    /// # Errors
    /// Where a handler is installed already or the system refuses one.
    pub fn install() -> Result<Self, ctrlc::Error> {
        let interrupt = Self::default();
        let handle = interrupt.clone();
        ctrlc::set_handler(move || {
            if handle.0.swap(true, Ordering::SeqCst) {
                process::exit(INTERRUPTED);
            }
            // On a line of its own: the terminal has shown ^C behind whatever stood there.
            eprintln!("\nfinishing the running batches; press Ctrl-C again to stop at once");
        })?;
        Ok(interrupt)
    }

    /// Asks the run to end.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the run has been asked to end.
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
