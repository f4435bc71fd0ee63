//! What a trace brings to the trials.

use std::fmt;

use super::cause::Setting;
use super::numerals::grouped;
use crate::estimate::comparison::Subject;
use crate::trace::LoadedTrace;

/// A trace with one kind of key, and how much of it a trial takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    /// The files, as one name.
    pub label: String,
    /// The kind of key.
    pub kind: String,
    /// Packets that were read.
    pub packets: u64,
    /// Those that have such a key.
    pub with_key: u64,
    /// How many keys are different.
    pub distinct: u64,
    /// What the packets without IP headers carry, the most frequent first, and how many they are.
    pub unread: Vec<(String, u64)>,
    /// Elements that arrive in a trial.
    pub arrivals: u64,
    /// Elements that are stored at a time.
    pub elements: Option<u64>,
    /// Buckets of the table.
    pub buckets: Option<u64>,
}

impl Traffic {
    /// That of the first kind of key that the trace was read for; `None` where there is none.
    pub fn of(trace: &LoadedTrace, subjects: &[Subject]) -> Option<Self> {
        let (kind, keys) = trace.keys.iter().next()?;
        let case = &*subjects.get(Setting::AS_CAPTURED.index())?.case;
        let columns = case.columns().into_iter();
        let elements = columns.filter(|(name, _)| *name == "elements").find_map(|(_, n)| n);
        let whole = |number: f64| number as u64;
        Some(Self {
            label: trace.label(),
            kind: kind.clone(),
            packets: keys.packets,
            with_key: keys.all.packets() as u64,
            distinct: keys.distinct.packets() as u64,
            unread: keys.unread.clone(),
            arrivals: case.arrivals(),
            elements: elements.and_then(|n| n.as_number()).map(whole),
            buckets: case.place("buckets").map(whole),
        })
    }

    /// Share of the packets with a key whose key came before.
    pub fn repeats(&self) -> f64 {
        1.0 - self.distinct as f64 / self.with_key as f64
    }

    /// How often a trial goes through the packets.
    pub fn passes(&self) -> f64 {
        self.arrivals as f64 / self.with_key as f64
    }

    /// How often a trial goes through the keys where each comes once.
    pub fn passes_of_distinct(&self) -> f64 {
        self.arrivals as f64 / self.distinct as f64
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, kind, .. } = self;
        let [packets, with_key, distinct] =
            [self.packets, self.with_key, self.distinct].map(grouped);
        write!(
            f,
            "{label}: {with_key} of {packets} packets have a {kind} key, {distinct} different ones"
        )
    }
}
