//! What one trial costs, before it is run.

use loadfactor_schemes::tables::Shape;

use super::{KeySource, Process};

/// Bucket reads, deletions, and the passes over the structure that empty and count it.
pub fn operations(process: &Process, &Shape { geometry, choices, .. }: &Shape) -> f64 {
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

/// Bytes of one trial: its table, four for each element and each distinct key of a trace, four for
/// each packet of one that is shuffled. The keys themselves are shared by all threads. Lifetimes take
/// 16 for each element; where their number varies, there is room for twice as many.
pub fn memory(process: &Process, shape: &Shape, keys: &KeySource) -> u64 {
    let n = u64::from(shape.geometry.elements);
    let (elements, course) = match process {
        Process::StaticFill | Process::Alternation { .. } | Process::Relaxation { .. } => (n, 0),
        Process::Continuous(_) => (n, 16),
        Process::Open { .. } => (2 * n, 16 + 4),
        Process::OnOff { .. } => (n, 4),
    };
    let (residents, packets) = match keys {
        KeySource::Trace { keys, shuffled, .. } => {
            let order = if *shuffled { keys.packets() } else { 0 };
            (4, 4 * (keys.distinct() + order) as u64)
        }
        KeySource::Random | KeySource::Sequential => (0, 0),
    };
    let each = shape.footprint.element + course + residents;
    elements * each + u64::from(shape.geometry.buckets) * shape.footprint.bucket + packets
}
