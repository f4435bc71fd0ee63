//! The samples of a place: how many nanoseconds an operation took, layout by layout.

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::timed::{Answers, Operation};

use super::TimingError;
use super::layout::{FullStructure, Observed, Samples, Task};
use super::plan::TimedPlan;

/// What was measured of one operation of one structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The operation.
    pub operation: Operation,
    /// Operations of each sample.
    pub count: u64,
    /// Nanoseconds per operation: for each layout its samples, in the order of the rounds.
    pub layouts: Vec<Vec<f64>>,
}

/// What was measured of one structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One entry for each operation that is timed, in their order.
    pub sampled: Vec<Sampled>,
    /// Elements of the structure.
    pub elements: u64,
    /// What the full structures were like.
    pub full: Full,
}

/// Structures of one kind that hold all their elements, one of each layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Full {
    /// Bytes of the largest of them, its keys aside.
    pub bytes: u64,
    /// What they answered to absent keys.
    pub answers: Answers,
    /// What else is measured of each of them.
    pub measured: Vec<(Metric, f64)>,
}

impl Full {
    /// The metric that is measured beside answers, and its mean.
    pub fn mean(&self) -> Option<(Metric, f64)> {
        let &(metric, _) = self.measured.first()?;
        let sum: f64 = self.measured.iter().map(|&(_, value)| value).sum();
        Some((metric, sum / self.measured.len() as f64))
    }

    fn add(&mut self, own: FullStructure) {
        let FullStructure { bytes, asked, positive, measured } = own;
        self.bytes = self.bytes.max(bytes);
        self.answers.asked += asked;
        self.answers.positive += positive;
        self.measured.extend(measured.map(|(metric, value)| (metric.0, value)));
    }
}

impl Measured {
    fn nothing_yet(operations: &[Operation]) -> Self {
        let none = |&operation| Sampled { operation, count: 0, layouts: Vec::new() };
        let answers = Answers { asked: 0, positive: 0 };
        Self {
            sampled: operations.iter().map(none).collect(),
            elements: 0,
            full: Full { bytes: 0, answers, measured: Vec::new() },
        }
    }

    fn add(&mut self, observed: Observed) {
        self.elements = observed.elements;
        for (own, Samples { count, nanoseconds }) in self.sampled.iter_mut().zip(observed.sampled) {
            own.count = count;
            own.layouts.push(nanoseconds);
        }
        self.full.add(observed.full);
    }
}

/// Measures one layout: here, or by a process.
pub type MeasureLayout<'m> = &'m mut dyn FnMut(&Task) -> Result<Vec<Observed>, TimingError>;

/// Measures the structures of a place, in the order of the series. `progress` is told how
/// many layouts are done.
///
/// # Errors
/// Those of `layout`.
pub fn measure(
    plan: &TimedPlan<'_>,
    place: usize,
    layout: MeasureLayout<'_>,
    progress: &mut dyn FnMut(u32),
) -> Result<Vec<Measured>, TimingError> {
    let mut measured = nothing_yet(plan, place);
    let mut task = Task { place, layout: 0, counts: None };
    for number in 0..plan.timing.layouts {
        task.layout = number;
        let observed = layout(&task)?;
        task.counts.get_or_insert_with(|| counts(&observed));
        add(&mut measured, observed);
        progress(number + 1);
    }
    Ok(measured)
}

/// The series of a place before the first layout.
pub(super) fn nothing_yet(plan: &TimedPlan<'_>, place: usize) -> Vec<Measured> {
    let none = |_| Measured::nothing_yet(&plan.timing.operations);
    plan.places[place].points.iter().map(none).collect()
}

/// Adds a layout to each series.
pub(super) fn add(measured: &mut [Measured], observed: Vec<Observed>) {
    measured.iter_mut().zip(observed).for_each(|(own, observed)| own.add(observed));
}

/// Operations of each sample, of each series.
pub(super) fn counts(observed: &[Observed]) -> Vec<Vec<u64>> {
    let of_series = |own: &Observed| own.sampled.iter().map(|samples| samples.count).collect();
    observed.iter().map(of_series).collect()
}

#[cfg(test)]
mod tests {
    use super::super::clock::Monotonic;
    use super::super::layout::measure_layout;
    use super::super::tests::{DEFINITION, TABLES};
    use super::*;
    use crate::definition::Experiment;

    fn measured_here(plan: &TimedPlan<'_>, place: usize) -> Vec<Measured> {
        let clock = Monotonic::default();
        measure(plan, place, &mut |task| measure_layout(plan, task, &clock), &mut |_| {}).unwrap()
    }

    /// A real filter of a definition: what comes out has the shape that was asked for, whatever the times are.
    #[test]
    fn a_definition_is_measured_place_by_place() {
        let experiment = Experiment::from_text("timed", DEFINITION).unwrap();
        let plan = TimedPlan::new(&experiment, None).unwrap();
        assert_eq!(plan.places.len(), 2);
        let (clock, mut tasks, mut layouts) = (Monotonic::default(), Vec::new(), Vec::new());
        let mut here = |task: &Task| {
            tasks.push(task.clone());
            measure_layout(&plan, task, &clock)
        };
        let measured = measure(&plan, 1, &mut here, &mut |done| layouts.push(done)).unwrap();
        assert_eq!((measured.len(), &layouts[..]), (2, &[1, 2][..]));
        for own in &measured {
            assert_eq!((own.elements, own.sampled.len(), own.full.answers.asked), (200, 2, 2000));
            for sampled in &own.sampled {
                let lengths: Vec<usize> = sampled.layouts.iter().map(Vec::len).collect();
                assert_eq!(lengths, [3, 3]);
                assert!(sampled.count >= 64);
            }
        }
        // The second layout takes as many operations as the first one found.
        let of = |own: &Measured| own.sampled.iter().map(|sampled| sampled.count).collect();
        let found: Vec<Vec<u64>> = measured.iter().map(of).collect();
        assert_eq!([&tasks[0].counts, &tasks[1].counts], [&None, &Some(found)]);
        assert_eq!(tasks.iter().map(|task| task.layout).collect::<Vec<_>>(), [0, 1]);
    }

    /// Deletions come last. A table that was filled up after some of them overflows otherwise than one that was filled
    /// once.
    #[test]
    fn what_a_full_structure_is_like_does_not_depend_on_how_much_was_deleted() {
        let of = |milliseconds: &str| {
            let text = TABLES.replace("0.02", milliseconds);
            let experiment = Experiment::from_text("timed", &text).unwrap();
            let plan = TimedPlan::new(&experiment, None).unwrap();
            assert_eq!(plan.timing.operations, Operation::ALL);
            measured_here(&plan, 0).into_iter().map(|own| own.full).collect::<Vec<_>>()
        };
        let full = of("0.02");
        assert!(full.iter().all(|full| full.measured.len() == 2 && full.mean().unwrap().1 > 0.0));
        assert_eq!(full, of("0.05"));
    }
}
