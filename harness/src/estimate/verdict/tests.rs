use loadfactor_schemes::Rng;
use loadfactor_schemes::sketches::metrics::AAE;
use loadfactor_schemes::tables::metrics;
use rand::{RngExt, SeedableRng};

use super::*;

fn sample(center: f64) -> Moments {
    let around = [-0.02, -0.01, 0.0, 0.01, 0.02];
    around.into_iter().chain(around).map(|x| center + x).collect()
}

fn prediction(kind: Kind, value: f64, allowance: f64) -> Prediction {
    let exact = Prediction::exact(metrics::OVERFLOW_FRACTION, value, "test");
    Prediction { kind, allowance, ..exact }
}

/// The verdict of a judge of so many facts, whatever the room.
fn judged(
    facts: usize,
    measured: &Moments,
    prediction: &Prediction,
    basis: Option<&Moments>,
    events: Option<Events>,
) -> Verdict {
    let room = Judge::new(facts, f64::INFINITY).room(measured, prediction, basis, events);
    let above = measured.mean().unwrap() - prediction.value;
    room.map_or(Verdict::NoPrediction, |room| room.verdict(prediction.kind, above))
}

fn verdict(kind: Kind, value: f64, allowance: f64) -> Verdict {
    judged(1, &sample(0.5), &prediction(kind, value, allowance), None, None)
}

#[test]
fn an_exact_prediction_has_only_chance_for_an_excuse() {
    assert_eq!(verdict(Kind::Exact, 0.51, 0.0), Verdict::Agrees);
    assert_eq!(verdict(Kind::Exact, 0.55, 0.0), Verdict::Differs);
    assert_eq!(verdict(Kind::Asymptotic, 0.54, 0.03), Verdict::Agrees);
    assert_eq!(verdict(Kind::Asymptotic, 0.58, 0.03), Verdict::Differs);
}

#[test]
fn a_bound_is_judged_on_its_side_only() {
    assert_eq!(verdict(Kind::LowerBound, 0.1, 0.0), Verdict::BoundHolds);
    assert_eq!(verdict(Kind::LowerBound, 0.6, 0.0), Verdict::BoundViolated);
    assert_eq!(verdict(Kind::UpperBound, 0.6, 0.0), Verdict::BoundHolds);
    assert_eq!(verdict(Kind::UpperBound, 0.1, 0.0), Verdict::BoundViolated);
}

#[test]
fn an_approximate_model_is_off_and_contradicts_nothing() {
    assert_eq!(verdict(Kind::Approximate, 0.51, 0.0), Verdict::Agrees);
    assert_eq!(verdict(Kind::Approximate, 0.55, 0.0), Verdict::Off);
}

/// Within a wide room nothing is shown; beyond it, something is.
#[test]
fn a_wide_room_decides_only_what_is_beyond_it() {
    let wide = Room { room: 0.2, limit: 0.1 };
    for kind in Kind::ALL {
        assert_eq!(wide.verdict(kind, 0.2), Verdict::Undecided, "{kind}");
        assert_eq!(wide.verdict(kind, -0.2), Verdict::Undecided, "{kind}");
        assert_ne!(wide.verdict(kind, 0.21), Verdict::Undecided, "{kind}");
    }
    let (above, below) = (0.21, -0.21);
    assert_eq!(wide.verdict(Kind::Exact, above), Verdict::Differs);
    assert_eq!(wide.verdict(Kind::LowerBound, above), Verdict::BoundHolds);
    assert_eq!(wide.verdict(Kind::LowerBound, below), Verdict::BoundViolated);
    assert_eq!(wide.verdict(Kind::UpperBound, above), Verdict::BoundViolated);
}

#[test]
fn more_rows_need_stronger_evidence() {
    let prediction = prediction(Kind::Exact, 0.535, 0.0);
    let of = |facts| judged(facts, &sample(0.5), &prediction, None, None);
    assert_eq!((of(1), of(1000)), (Verdict::Differs, Verdict::Agrees));
}

#[test]
fn a_bound_inherits_the_error_of_what_it_rests_on() {
    let mut bound = prediction(Kind::LowerBound, 0.6, 0.0);
    bound.rests_on = Some((metrics::ACCESSES_PER_INSERTION, -1.0));
    let accesses: Moments = [1.9, 2.0, 2.1].into_iter().collect();
    let verdict = |basis| judged(1, &sample(0.5), &bound, basis, None);
    assert_eq!(verdict(Some(&accesses)), Verdict::BoundHolds);
    assert_eq!(verdict(None), Verdict::BoundViolated);
}

#[test]
fn no_event_where_one_is_expected_is_no_contradiction() {
    let nothing: Moments = [0.0; 10].into_iter().collect();
    let judge =
        |value, events| judged(1, &nothing, &prediction(Kind::Exact, value, 0.0), None, events);
    let average = Events { per_unit: 1000.0, whole: false, average: true };
    assert_eq!(judge(1e-4, Some(average)), Verdict::Agrees);
    assert_eq!(judge(3e-3, Some(average)), Verdict::Differs);
}

/// A hundred filters of which every bit is set: the rate of one in a million would be a little below 1.
#[test]
fn a_share_that_was_1_in_all_trials_may_be_less() {
    let judge = |mean: f64, value: f64| {
        let all: Moments = [mean; 100].into_iter().collect();
        let judge = Judge::new(1, LARGEST_ROOM);
        let room = judge.room(&all, &prediction(Kind::Exact, value, 0.0), None, None).unwrap();
        room.verdict(Kind::Exact, mean - value)
    };
    assert_eq!(judge(1.0, 0.999_999_991), Verdict::Agrees);
    assert_eq!(judge(0.0, 1e-6), Verdict::Undecided);
    assert_eq!(judge(0.0, 0.0), Verdict::Agrees);
    assert_eq!([judge(1.0, 0.9), judge(0.0, 0.06)], [Verdict::Differs; 2]);
}

#[test]
fn ten_equal_counts_do_not_contradict_a_mean_between_two_counts() {
    let equal: Moments = [0.98; 10].into_iter().collect();
    let count = Events { per_unit: 1000.0, whole: true, average: true };
    let judge = |value| judged(1, &equal, &prediction(Kind::Exact, value, 0.0), None, Some(count));
    assert_eq!(judge(0.98019), Verdict::Agrees);
    assert_eq!(judge(0.982), Verdict::Differs);
}

/// 40 trials of 100 places: 22 places stayed empty where 41 were expected, each in a trial of its own. Their
/// spread is as small as their number, as it is where few places are taken.
#[test]
fn what_a_share_close_to_1_lacks_is_rare_too() {
    let lacking = |lack: f64| (0..40).map(move |i| if i < 22 { lack } else { 0.0 });
    let full: Moments = lacking(0.01).map(|lack| 1.0 - lack).collect();
    let empty: Moments = lacking(0.01).collect();
    let places = Some(Events { per_unit: 100.0, whole: true, average: true });
    let judge = |measured: &Moments, value, events| {
        judged(250, measured, &prediction(Kind::Refined, value, 0.0), None, events)
    };
    assert_eq!(judge(&full, 0.98985, None), Verdict::Differs);
    assert_eq!(judge(&full, 0.98985, places), Verdict::Agrees);
    assert_eq!(judge(&empty, 0.01015, places), Verdict::Agrees);
    assert_eq!(judge(&full, 0.95, places), Verdict::Differs);
}

/// Of 200 insertions, none needed a second access, as 0.2 of them were expected to.
#[test]
fn a_second_access_that_no_insertion_needed_is_no_contradiction() {
    let one: Moments = [1.0; 10].into_iter().collect();
    let judge = |value, per_unit| {
        let events = Events { per_unit, whole: false, average: true };
        judged(1, &one, &prediction(Kind::Exact, value, 0.0), None, Some(events))
    };
    assert_eq!(judge(1.001, 20.0), Verdict::Agrees);
    assert_eq!(judge(1.001, 20_000.0), Verdict::Differs);
    assert_eq!(judge(2.0, 20.0), Verdict::Differs);
}

/// Twelve estimates of a rare event, of which one has seen the likeliest way to it: four times their mean is 7 of
/// their standard errors away.
#[test]
fn skewed_estimates_of_a_rare_event_may_be_too_small() {
    let estimates: Moments = (0..12).map(|i| if i == 0 { 5.4e-13 } else { 0.6e-13 }).collect();
    let judge = |metric, value| {
        let prediction = Prediction { metric, ..prediction(Kind::Exact, value, 0.0) };
        let room = Judge::new(12, LARGEST_ROOM).room(&estimates, &prediction, None, None);
        room.unwrap().verdict(Kind::Exact, 1e-13 - value)
    };
    assert_eq!(judge(metrics::OVERFLOW_FRACTION, 3.9e-13), Verdict::Differs);
    assert_eq!(judge(EVENT_PROBABILITY, 3.9e-13), Verdict::Undecided);
    assert_eq!(judge(EVENT_PROBABILITY, 1e-11), Verdict::Differs);
}

#[test]
fn few_trials_are_not_judged() {
    let three: Moments = [0.1, 0.2, 0.3].into_iter().collect();
    let far = prediction(Kind::Exact, 0.9, 0.0);
    assert_eq!(judged(1, &three, &far, None, None), Verdict::NoPrediction);
}

/// Tables of 40 rows of whole counts with their true means: at most 1 % of the tables, give
/// or take four standard errors, may have a row that differs.
#[test]
fn true_predictions_are_contradicted_as_rarely_as_promised() {
    let mut rng = Rng::seed_from_u64(3);
    let (tables, rows, units) = (1000, 40, 50);
    for trials in [10, 40] {
        let wrong = (0..tables)
            .filter(|_| {
                (0..rows).any(|row| {
                    let p = (f64::from(row) + 0.3) / f64::from(rows);
                    let binomial = |_| {
                        let heads = (0..units).filter(|_| rng.random_bool(p)).count();
                        heads as f64 / f64::from(units)
                    };
                    let measured: Moments = (0..trials).map(binomial).collect();
                    let per_unit = f64::from(units);
                    let events = Events { per_unit, whole: true, average: true };
                    let row = prediction(Kind::Exact, p, 0.0);
                    let verdict = judged(rows as usize, &measured, &row, None, Some(events));
                    verdict == Verdict::Differs
                })
            })
            .count() as f64;
        let expected = FAMILY_ERROR * f64::from(tables);
        assert!(wrong <= expected + 4.0 * expected.sqrt(), "{trials} trials: {wrong}");
    }
}

/// A thousand experiments of 20 rows, of 20 trials each: errors of which hardly any is great, and those carry the mean.
/// Without the scatter that theory knows, nearly all of them have a row that differs.
#[test]
fn few_events_that_carry_a_mean_contradict_nothing_where_they_are_not_seen() {
    const ROWS: usize = 20;
    let mut rng = Rng::seed_from_u64(5);
    let mut differing = |is_known: bool| {
        let mut differs = |row: usize| {
            let (p, size) = (0.002 * (row + 1) as f64, 50.0);
            let error = |_| rng.random::<f64>() + if rng.random_bool(p) { size } else { 0.0 };
            let measured: Moments = (0..20).map(error).collect();
            let variance = 1.0 / 12.0 + size * size * p * (1.0 - p);
            let scatter = if is_known { variance.sqrt() } else { 0.0 };
            let row = Prediction { scatter, ..prediction(Kind::Exact, 0.5 + size * p, 0.0) };
            judged(ROWS, &measured, &row, None, None) == Verdict::Differs
        };
        (0..1000).filter(|_| (0..ROWS).any(&mut differs)).count() as f64
    };
    let expected = FAMILY_ERROR * 1000.0;
    assert!(differing(true) <= expected + 4.0 * expected.sqrt());
    assert!(differing(false) > 900.0);
}

/// Where events are many, the spread of the sample says what theory knows.
#[test]
fn the_scatter_that_theory_knows_counts_where_events_are_few() {
    let sample = sample(0.5);
    let judge = Judge::new(1, LARGEST_ROOM);
    let room = |scatter| {
        let row = Prediction { scatter, ..prediction(Kind::Exact, 0.5, 0.0) };
        judge.room(&sample, &row, None, None).unwrap().room
    };
    // Ten trials of 0.5 ± 0.1 are as 250 events.
    assert_eq!(room(0.1), room(0.0));
    assert!(room(0.5) > 10.0 * room(0.0));
}

#[test]
fn a_quantity_without_spread_must_be_met_up_to_rounding() {
    let constant: Moments = [4.0; 10].into_iter().collect();
    let judge = |value| judged(1, &constant, &prediction(Kind::Exact, value, 0.0), None, None);
    assert_eq!(judge(4.0), Verdict::Agrees);
    assert_eq!(judge(4.001), Verdict::Differs);
}

/// An error that no trial had may be large where it is had.
#[test]
fn a_quantity_that_no_trial_had_decides_nothing() {
    let none: Moments = [0.0; 100].into_iter().collect();
    let decides = |value| {
        let error = Prediction { metric: AAE, ..prediction(Kind::Exact, value, 0.0) };
        let room = Judge::new(1, LARGEST_ROOM).room(&none, &error, None, None).unwrap();
        room.room <= room.limit
    };
    assert!(decides(0.0));
    assert!(!decides(1e-4) && !decides(7.0));
}
