//! Threads, interruptions and second runs change no bit and repeat no batch.

use super::*;

#[test]
fn the_number_of_threads_changes_no_bit() {
    for rule in [RULE, PRECISION] {
        let expected = bits(&undisturbed(&rule));
        for count in [2, 4] {
            let outcome = Folder::new().run(&Toy::new(), &rule, &threads(count)).unwrap();
            assert_eq!(bits(&outcome.points), expected);
            assert!(outcome.is_complete() && !outcome.interrupted);
        }
    }
}

#[test]
fn a_point_has_exactly_the_trials_asked_for() {
    let outcome = Folder::new().run(&Toy::new(), &RULE, &threads(2)).unwrap();
    assert!(outcome.points.iter().all(|point| point.trials == 95));
    assert_eq!((outcome.batches_run, outcome.trials_run), (30, 285));
}

#[test]
fn precision_is_reached_and_not_overdone() {
    for point in undisturbed(&PRECISION) {
        let (_, moments) = point.metrics[0];
        let half = crate::estimate::interval::half_width(&moments).unwrap();
        assert!(half <= 0.05 * moments.mean().unwrap());
        // Uniform values need (1.96 / 0.05)² / 3 ≈ 512 trials; checkpoints are a quarter apart.
        assert!((300..1000).contains(&point.trials), "{}", point.trials);
    }
}

#[test]
fn the_costliest_batches_start_first_and_a_points_in_order() {
    let toy = Toy::new();
    Folder::new().run(&toy, &Stopping::Trials(20), &threads(1)).unwrap();
    assert_eq!(
        toy.calls(),
        [(1, 0, 10), (1, 1, 10), (0, 0, 10), (0, 1, 10), (2, 0, 10), (2, 1, 10)]
    );
}

#[test]
fn a_second_run_runs_nothing() {
    for rule in [RULE, PRECISION] {
        let folder = Folder::new();
        let first = folder.run(&Toy::new(), &rule, &threads(2)).unwrap();
        let second = folder.run(&Toy::new(), &rule, &threads(2)).unwrap();
        assert_eq!((second.batches_run, second.batches_resumed), (0, first.batches_run));
        assert_eq!(bits(&second.points), bits(&first.points));
        assert_eq!(
            recorded(folder.lock().path(), &Under(&Toy::new(), rule)).unwrap().points,
            first.points
        );
    }
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    for (rule, stop_after) in [(RULE, 0), (RULE, 1), (RULE, 13), (PRECISION, 7), (PRECISION, 100)] {
        let folder = Folder::new();
        let interrupt = Interrupt::default();
        let stopped = Toy { stop: Some((interrupt.clone(), stop_after)), ..Toy::new() };
        let options = RunOptions { interrupt, ..threads(2) };
        let first = folder.run(&stopped, &rule, &options).unwrap();
        assert!(first.interrupted && !first.is_complete());
        let resumed = Toy::new();
        let second = folder.run(&resumed, &rule, &threads(2)).unwrap();
        assert_eq!(bits(&second.points), bits(&undisturbed(&rule)));
        let repeated = resumed.calls().iter().any(|call| stopped.calls().contains(call));
        assert!(!repeated && second.batches_resumed == first.batches_run);
    }
}

#[test]
fn more_trials_run_only_those_that_are_missing() {
    let folder = Folder::new();
    folder.points(&Toy::new(), &Stopping::Trials(45));
    let toy = Toy::new();
    let points = folder.points(&toy, &RULE);
    assert_eq!(bits(&points), bits(&undisturbed(&RULE)));
    // The fifth batch was cut at 45 trials and is no use.
    let mut first: Vec<_> = toy.calls().into_iter().filter(|call| call.0 == 0).collect();
    first.sort();
    assert_eq!(first, [(0, 4, 10), (0, 5, 10), (0, 6, 10), (0, 7, 10), (0, 8, 10), (0, 9, 5)]);
}

#[test]
fn fewer_trials_take_what_they_need() {
    let folder = Folder::new();
    folder.points(&Toy::new(), &RULE);
    let fewer = Stopping::Trials(30);
    let outcome = folder.run(&Toy::new(), &fewer, &threads(2)).unwrap();
    assert_eq!((outcome.batches_run, outcome.batches_resumed), (0, 9));
    assert_eq!(bits(&outcome.points), bits(&undisturbed(&fewer)));
}

#[test]
fn fresh_forgets_what_was_run() {
    let folder = Folder::new();
    folder.points(&Toy::new(), &RULE);
    let options = RunOptions { fresh: true, ..threads(2) };
    for _ in 0..2 {
        assert_eq!(folder.run(&Toy::new(), &RULE, &options).unwrap().batches_run, 30);
    }
}

fn only(points: &[usize], fresh: bool) -> RunOptions {
    RunOptions { only: Some(points.iter().copied().collect()), fresh, ..threads(2) }
}

#[test]
fn selected_points_are_run_and_the_others_are_as_the_journal_has_them() {
    let folder = Folder::new();
    let expected = bits(&undisturbed(&RULE));
    let first = folder.run(&Toy::new(), &RULE, &only(&[1], false)).unwrap();
    assert_eq!((first.batches_run, first.points.len()), (10, 3));
    assert_eq!((first.points[0].trials, first.points[0].complete), (0, false));
    assert_eq!(bits(&first.points[1..2]), expected[1..2]);
    let second = folder.run(&Toy::new(), &RULE, &only(&[0, 2], false)).unwrap();
    assert_eq!((second.batches_run, bits(&second.points)), (20, expected));
}

#[test]
fn fresh_forgets_only_the_selected_points_of_this_definition() {
    let folder = Folder::new();
    let other = Toy { definition: 1, ..Toy::new() };
    folder.points(&other, &RULE);
    folder.points(&Toy::new(), &RULE);
    let again = folder.run(&Toy::new(), &RULE, &only(&[1], true)).unwrap();
    assert_eq!((again.batches_run, again.batches_resumed), (10, 20));
    assert_eq!(bits(&again.points), bits(&undisturbed(&RULE)));
    assert_eq!(folder.run(&other, &RULE, &threads(2)).unwrap().batches_run, 0);
}

#[test]
fn pending_says_what_is_left_and_what_is_of_another_definition() {
    let folder = Folder::new();
    let before = pending(folder.0.path(), &Under(&Toy::new(), RULE)).unwrap();
    assert_eq!(before.points[1].cost_left, 19.0);
    folder.points(&Toy::new(), &Stopping::Trials(20));
    let other = Toy { definition: 1, ..Toy::new() };
    folder.points(&other, &Stopping::Trials(10));
    let left = pending(folder.0.path(), &Under(&Toy::new(), RULE)).unwrap();
    let expected = PointPending {
        batches_done: 2,
        batches_left: 8,
        trials_done: 20,
        trials_wanted: 95,
        trials_at_most: 95,
        cost_left: 7.5,
    };
    assert_eq!((&left.points[0], left.unused_batches), (&expected, 3));
    folder.points(&Toy::new(), &RULE);
    let done = pending(folder.0.path(), &Under(&Toy::new(), RULE)).unwrap();
    assert!(done.points.iter().all(|point| point.batches_left == 0 && point.cost_left == 0.0));
}

#[test]
fn no_points_and_no_trials_are_no_work() {
    let empty = Toy { points: 0, ..Toy::new() };
    assert!(Folder::new().points(&empty, &RULE).is_empty());
    let points = Folder::new().points(&Toy::new(), &Stopping::Trials(0));
    assert!(points.iter().all(|point| point.complete && point.trials == 0));
}
