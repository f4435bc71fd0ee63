//! Traces that do not have what a workload takes.

use std::sync::Arc;

use loadfactor_schemes::keys::TraceKeys;

use super::{KeySource, check_keys};

/// Five packets of three keys are three elements, not four.
#[test]
fn repeated_keys_are_one_key() {
    let keys: TraceKeys = [&b"a"[..], b"b", b"a", b"c", b"b"].into_iter().collect();
    let trace = KeySource::Trace { keys: Arc::new(keys), renew: true, shuffled: false };
    assert!(check_keys(&trace, 3).is_ok() && check_keys(&KeySource::Random, 4).is_ok());
    let error = check_keys(&trace, 4).unwrap_err().to_string();
    assert!(error.starts_with("the trace has 3 different keys where 4 are needed"), "{error}");
}
