//! Who measures which layout, and what the other program may not answer.

use super::super::layout::FullStructure;
use super::super::tests::DEFINITION;
use super::*;
use crate::definition::Experiment;

/// What a program answers that takes this long for every operation.
fn observed(task: &Task, time: f64) -> Vec<Observed> {
    let found = || vec![vec![100, 200], vec![300, 400]];
    let of_series = |counts: Vec<u64>| {
        let samples = |count| Samples { count, nanoseconds: vec![time; 3] };
        let sampled = counts.into_iter().map(samples).collect();
        Observed { elements: 200, sampled, full: FullStructure::default() }
    };
    task.counts.clone().unwrap_or_else(found).into_iter().map(of_series).collect()
}

fn with_plan<T>(run: impl FnOnce(&TimedPlan<'_>) -> T) -> T {
    let text =
        DEFINITION.replace("samples      = 6\nlayouts      = 2", "samples = 40\nlayouts = 40");
    let experiment = Experiment::from_text("timed", &text).unwrap();
    run(&TimedPlan::new(&experiment, None).unwrap())
}

/// Which program measured which layout with how many operations in the first series, in order.
fn asked(plan: &TimedPlan<'_>) -> Vec<(&'static str, u32, Option<u64>)> {
    let asked = std::cell::RefCell::new(Vec::new());
    let ask = |who: &'static str, time: f64, task: &Task| {
        let count = task.counts.as_ref().map(|counts| counts[0][0]);
        asked.borrow_mut().push((who, task.layout, count));
        Ok(observed(task, time))
    };
    let programs = Programs {
        here: &mut |task| ask("here", 6.0, task),
        beside: &mut |task| ask("beside", 5.0, task),
        path: Path::new("other"),
    };
    let [own, other] = measure_beside(plan, 1, programs, &mut |_| {}).unwrap();
    for (measured, time) in [(own, 6.0), (other, 5.0)] {
        assert_eq!(measured[1].sampled[0].layouts, vec![vec![time; 3]; 40]);
    }
    asked.into_inner()
}

/// Both measure every layout, one right after the other, with the operations that this program found before. Which comes
/// first is chance, that of the seed.
#[test]
fn each_layout_is_measured_by_both_in_an_order_that_the_seed_decides() {
    with_plan(|plan| {
        let all = asked(plan);
        assert_eq!(all[0], ("here", 0, None));
        let pairs: Vec<_> = all[1..].chunks(2).collect();
        assert_eq!(pairs.len(), 40);
        let mut first_here = 0;
        for (layout, pair) in (0..).zip(pairs) {
            assert!(pair.iter().all(|&(_, own, count)| (own, count) == (layout, Some(100))));
            assert_ne!(pair[0].0, pair[1].0);
            first_here += usize::from(pair[0].0 == "here");
        }
        // Of 40 fair coins, five standard errors to each side.
        assert!((5..=35).contains(&first_here), "{first_here}");
        assert_eq!(asked(plan), all);
    });
}

/// Layouts that both measured where the times of this program scatter by so much from one to the next, on the
/// logarithmic scale: plus and minus in turn.
fn layouts_measured(plan: &TimedPlan<'_>, scatter: f64) -> usize {
    let sign = |layout: u32| if layout.is_multiple_of(2) { 1.0 } else { -1.0 };
    let programs = Programs {
        here: &mut |task| Ok(observed(task, 6.0 * (1.0 + scatter * sign(task.layout)))),
        beside: &mut |task| Ok(observed(task, 5.0)),
        path: Path::new("other"),
    };
    let [own, other] = measure_beside(plan, 1, programs, &mut |_| {}).unwrap();
    let [own, other] = [own, other].map(|measured| measured[1].sampled[0].layouts.len());
    assert_eq!(own, other);
    own
}

/// Of 40 layouts an interval at 99 % for all rows is about half as wide as they scatter; of 160, a quarter.
#[test]
fn more_layouts_are_measured_until_the_changes_are_known() {
    with_plan(|plan| {
        assert_eq!(layouts_measured(plan, 0.02), 40);
        let more = layouts_measured(plan, 0.06);
        assert!((48..160).contains(&more), "{more}");
        assert_eq!(layouts_measured(plan, 0.5), 160);
    });
}

#[test]
fn an_answer_about_something_else_is_refused() {
    let refused = |change: fn(&mut Vec<Observed>)| {
        let answer = |task: &Task| {
            let mut observed = observed(task, 5.0);
            change(&mut observed);
            Ok(observed)
        };
        let programs = Programs {
            here: &mut |task| Ok(observed(task, 6.0)),
            beside: &mut { answer },
            path: Path::new("other"),
        };
        with_plan(|plan| measure_beside(plan, 0, programs, &mut |_| {}).unwrap_err().to_string())
    };
    type Change = fn(&mut Vec<Observed>);
    let changes: [(&str, Change); 5] = [
        ("other series", |all| all.truncate(1)),
        ("other elements", |all| all[1].elements = 100),
        ("other operations", |all| all[1].sampled.truncate(1)),
        ("other operations", |all| all[1].sampled[0].count = 7),
        ("no times", |all| all[1].sampled[0].nanoseconds[0] = 0.0),
    ];
    for (what, change) in changes {
        let error = refused(change);
        assert!(error.starts_with(&format!("other answers with {what}: ")), "{error}");
    }
}
