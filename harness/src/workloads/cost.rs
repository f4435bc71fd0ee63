//! What one trial costs, before it is run.

use loadfactor_schemes::tables::Geometry;

use super::Process;

/// Bucket reads, deletions, and the passes over the structure that empty and count it.
pub fn operations(process: &Process, geometry: &Geometry, choices: u32) -> f64 {
    let arrivals = process.arrivals(geometry.elements) as f64;
    let slots = match *process {
        Process::OnOff { warm_up, slots, .. } => warm_up as f64 + slots as f64,
        _ => 0.0,
    };
    let passes = 2.0 * f64::from(geometry.buckets) / BUCKETS_PER_OPERATION;
    arrivals * f64::from(1 + choices) + slots + passes
}

/// Buckets that a pass over the structure handles in the time of one bucket read: they are
/// consecutive bytes.
const BUCKETS_PER_OPERATION: f64 = 8.0;

/// Bytes of one trial: a byte for each bucket, four for each element's place, and with a trace
/// four for each element and each distinct key. The keys themselves are shared by all threads.
/// Lifetimes take 16 for each element; where their number varies, there is room for twice as many.
pub fn memory(process: &Process, geometry: &Geometry, distinct_keys: Option<usize>) -> u64 {
    let elements = u64::from(geometry.elements);
    let residents = distinct_keys.map_or(0, |keys| 4 * (elements + keys as u64));
    let course = match process {
        Process::StaticFill | Process::Alternation { .. } | Process::Relaxation { .. } => 0,
        Process::Continuous(_) => 16 * elements,
        Process::Open { .. } => (2 * (16 + 4) + 4) * elements,
        Process::OnOff { .. } => 8 * elements,
    };
    4 * elements + u64::from(geometry.buckets) + residents + course
}
