//! Mutexes whose poison is not feared.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The guarded value. Batches, which may panic, run while nothing is held, so that no value is
/// ever left half-changed.
pub(super) fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value that was guarded.
pub(super) fn unlock<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
