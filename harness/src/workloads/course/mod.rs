//! The course of a trial that does not consist of rounds: a sequence of steps, whatever the table.
//!
//! It is made here, once for all schemes and hash functions; the one loop that is built for each of
//! them is that of [`trial::follow`](super::trial::follow).

mod averages;
mod exponential;
mod slots;
mod timed;

use std::collections::VecDeque;

use loadfactor_schemes::tables::Table;

pub(crate) use averages::Averages;

use self::slots::Slots;
use self::timed::Timed;
use super::{Process, Seeds};

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// This element, which is not in the system, arrives.
    Insert(u32),
    /// This element departs.
    Delete(u32),
    /// The measuring window begins.
    Measure,
    /// The table is read; it stays as it is for so long.
    Read(f64),
}

enum Events {
    Timed(Timed),
    Slots(Slots),
}

/// The steps of one trial after the other, and what was read.
pub(crate) struct Course<'f> {
    events: Events,
    /// Steps that follow from an event.
    queue: VecDeque<Step>,
    /// Elements in the system after the last step.
    system: u32,
    /// The table has room for the elements `0..room`.
    room: u32,
    averages: Averages<'f>,
}

impl<'f> Course<'f> {
    /// The course of a process with n = `elements`; `None` where it consists of rounds.
    /// `constant_loads` are the overflow fractions under alternation with 0, 1, … elements.
    pub(crate) fn of(
        process: &Process,
        elements: u32,
        constant_loads: Option<&'f [f64]>,
    ) -> Option<Self> {
        let (events, averages) = match *process {
            Process::StaticFill | Process::Alternation { .. } | Process::Relaxation { .. } => {
                return None;
            }
            Process::Continuous(span) => {
                (Events::Timed(Timed::closed(elements, span)), Averages::default())
            }
            Process::Open { span, filled } => {
                (Events::Timed(Timed::open(elements, span, filled)), Averages::default())
            }
            Process::OnOff { flows, bins, warm_up, slots } => (
                Events::Slots(Slots::new(&flows, warm_up, slots)),
                Averages::in_bins(bins, constant_loads),
            ),
        };
        Some(Self { events, queue: VecDeque::new(), system: 0, room: elements, averages })
    }

    /// Starts a trial with an empty table.
    pub(crate) fn begin(&mut self, seeds: &Seeds) {
        self.queue.clear();
        self.system = 0;
        self.averages.clear();
        match &mut self.events {
            Events::Timed(timed) => timed.begin(seeds),
            Events::Slots(slots) => slots.begin(seeds),
        }
    }

    /// The next step; `None` at the end of the trial.
    pub(crate) fn next(&mut self) -> Option<Step> {
        while self.queue.is_empty() {
            let goes_on = match &mut self.events {
                Events::Timed(timed) => timed.advance(&mut self.queue),
                Events::Slots(slots) => slots.advance(&mut self.queue),
            };
            if !goes_on {
                return None;
            }
        }
        let step = self.queue.pop_front();
        match step {
            Some(Step::Insert(_)) => self.system += 1,
            Some(Step::Delete(_)) => self.system -= 1,
            Some(Step::Measure | Step::Read(_)) | None => {}
        }
        step
    }

    /// How many elements the table needs room for, if it has too little for this one.
    pub(crate) fn more_room(&mut self, element: u32) -> Option<u32> {
        (element >= self.room).then(|| {
            self.room = element.saturating_add(1).max(self.room.saturating_mul(2));
            self.room
        })
    }

    /// Reads a table that stays as it is for so long.
    pub(crate) fn read<T: Table>(&mut self, weight: f64, table: &T) {
        let entries = if T::MOVES_BACK { table.cam().entries } else { 0 };
        self.averages.add(weight, self.system, table.overflow(), entries);
    }

    /// What was read in the trial.
    pub(crate) fn averages(&self) -> &Averages<'f> {
        &self.averages
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::workloads::Span;
    use loadfactor_schemes::prediction::Bins;
    use loadfactor_schemes::theory::on_off::OnOff;
    use proptest::prelude::*;

    fn processes() -> impl Strategy<Value = Process> {
        let span = (0.0..3.0, 0.1..3.0).prop_map(|(warm_up, duration)| Span { warm_up, duration });
        let queue = (1_u32..50, 0.01..0.9, 1.0..20.0, 0_u64..50, 1_u64..200);
        prop_oneof![
            span.clone().prop_map(Process::Continuous),
            (span, any::<bool>()).prop_map(|(span, filled)| Process::Open { span, filled }),
            queue.prop_map(|(flows, load, burst, warm_up, slots)| Process::OnOff {
                flows: OnOff { flows, rate: load / f64::from(flows) / 2.0, burst },
                bins: Bins { width: 1, largest: 10 },
                warm_up,
                slots,
            }),
        ]
    }

    proptest! {
        /// Who arrives is not in the system, who departs is; the window is begun once and read
        /// from end to end; a closed system is read with all its elements.
        #[test]
        fn steps_are_consistent(process in processes(), elements in 1_u32..40, seed: u64) {
            let mut course = Course::of(&process, elements, None).unwrap();
            for trial in 0..2 {
                course.begin(&Seeds::of(seed, trial));
                let mut system = BTreeSet::new();
                let (mut windows, mut read) = (0, 0.0);
                while let Some(step) = course.next() {
                    match step {
                        Step::Insert(element) => prop_assert!(system.insert(element)),
                        Step::Delete(element) => prop_assert!(system.remove(&element)),
                        Step::Measure => windows += 1,
                        Step::Read(weight) => {
                            prop_assert!(windows == 1 && weight > 0.0);
                            let closed = matches!(process, Process::Continuous(_));
                            prop_assert!(!closed || system.len() == elements as usize);
                            read += weight;
                        }
                    }
                    prop_assert_eq!(course.system as usize, system.len());
                }
                let length = match process {
                    Process::Continuous(span) | Process::Open { span, .. } => span.duration,
                    Process::OnOff { slots, .. } => slots as f64,
                    _ => 0.0,
                };
                prop_assert!((read - length).abs() < 1e-9, "{} {}", read, length);
            }
        }
    }
}
