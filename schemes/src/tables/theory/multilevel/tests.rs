use super::*;
use crate::math::ode;
use crate::tables::theory::second_chance;

type Rate<'a> = &'a dyn Fn(&[f64], &mut [f64]);

/// The classical Runge–Kutta method in equal steps, from an empty table up to one insertion per element.
fn in_equal_steps(states: usize, rate: Rate) -> Vec<f64> {
    const STEPS: u32 = 5_000;
    let step = 1.0 / f64::from(STEPS);
    let mut state = vec![0.0; states];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; states];
        let mut sum = vec![0.0; states];
        for (ahead, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let at = |(y, dy): (&f64, &f64)| y + ahead * step * dy;
            let probe: Vec<f64> = state.iter().zip(&slope).map(at).collect();
            rate(&probe, &mut slope);
            sum.iter_mut().zip(&slope).for_each(|(sum, dy)| *sum += weight * dy / 6.0);
        }
        state.iter_mut().zip(&sum).for_each(|(y, dy)| *y += step * dy);
    }
    state
}

const SIZES: [&[f64]; 5] =
    [&[0.5, 0.4], &[0.4, 0.3, 0.2, 0.1], &[0.7142, 0.64, 0.2707], &[0.1, 0.2, 0.3], &[0.3; 6]];

#[track_caller]
fn conserved(sizes: &[f64], limit: &Multilevel) {
    let mean = |law: &Vec<f64>| (0_u32..).zip(law).map(|(k, p)| f64::from(k) * p).sum::<f64>();
    let stored: f64 = sizes.iter().zip(&limit.occupancy).map(|(size, law)| size * mean(law)).sum();
    assert!((stored + limit.overflow - 1.0).abs() < 1e-10, "{sizes:?} {limit:?}");
}

/// Overflow and moves in per cent at the sizes printed in Table 5.1, where the overflow is to be 0.2 %.
#[track_caller]
fn table_5_1(sizes: &[f64], limit: &Multilevel, overflow: &str, moves: &str) {
    for (found, published) in [(limit.overflow, overflow), (limit.moves, moves)] {
        let digits = published.split_once('.').map_or(0, |(_, digits)| digits.len());
        assert_eq!(format!("{:.digits$}", 100.0 * found), published, "{sizes:?} {limit:?}");
    }
}

#[test]
fn table_5_1_standard() {
    for (h, sizes) in [
        (1, &[1.388, 0.8309, 0.4586][..]),
        (1, &[0.7867, 0.5149, 0.3152, 0.1782]),
        (1, &[0.544, 0.383, 0.271, 0.162, 0.098]),
        (2, &[0.4311, 0.2284, 0.1042]),
        (2, &[0.297, 0.1735, 0.1059, 0.0493]),
        (2, &[0.239, 0.155, 0.096, 0.054, 0.026]),
    ] {
        table_5_1(sizes, &standard(sizes, h).unwrap(), "0.2", "0");
    }
}

/// The first three sizes sum up to 1.7575, not to the 1.78 that is printed for the space.
#[test]
fn table_5_1_conservative() {
    for (sizes, moves) in [
        (&[0.7767, 0.6062, 0.3746][..], "1.82"),
        (&[0.5214, 0.4134, 0.2802, 0.1774], "1.66"),
        (&[0.41, 0.329, 0.236, 0.162, 0.105], "1.41"),
    ] {
        table_5_1(sizes, &conservative(sizes).unwrap(), "0.2", moves);
    }
}

/// The moves are the published ones; the overflow is not at the first and the last sizes.
#[test]
fn table_5_1_extreme_second_chance() {
    for (sizes, overflow, moves) in [
        (&[0.6554, 0.55, 0.3064][..], "0.127", "9.90"),
        (&[0.3774, 0.3624, 0.2857, 0.1276], "0.2", "17.8"),
        (&[0.223, 0.223, 0.221, 0.22, 0.172], "0.567", "25.1"),
    ] {
        table_5_1(sizes, &extreme_second_chance(sizes).unwrap(), overflow, moves);
    }
}

/// The moves are the published ones; the overflow is not at the first sizes.
#[test]
fn table_5_1_second_chance_of_two() {
    for (sizes, overflow, moves) in [
        (&[0.2668, 0.2665, 0.0744][..], "0.0138", "10.0"),
        (&[0.2048, 0.1961, 0.0954, 0.0299], "0.2", "14.7"),
        (&[0.171, 0.171, 0.107, 0.048, 0.016], "0.2", "16.7"),
    ] {
        table_5_1(sizes, &second_chance_of_two(sizes).unwrap(), overflow, moves);
    }
}

#[test]
fn one_and_two_sub_tables_have_closed_forms() {
    for (first, second) in [(0.2_f64, 0.7), (1.0, 0.5), (0.05, 0.05)] {
        let taken = 1.0 - (-1.0 / first).exp();
        let passed = 1.0 - first * taken;
        let one = standard(&[first], 1).unwrap();
        assert!((one.overflow - passed).abs() < 1e-10);
        let next = 1.0 - (-passed / second).exp();
        let two = standard(&[first, second], 1).unwrap();
        assert!((two.overflow - (passed - second * next)).abs() < 1e-10);
        assert_eq!(conservative(&[first]).unwrap().moves, 0.0);
        assert!((conservative(&[first]).unwrap().overflow - passed).abs() < 1e-10);
    }
}

/// With half the tolerances of the solver, no component changes by more than 1e-9 of its value.
#[test]
fn halving_the_tolerances_changes_nothing() {
    type States = fn(usize) -> usize;
    type Fill = fn(state: &[f64], rate: &mut [f64], sizes: &[f64]);
    let rules: [(States, Fill); 4] = [
        (|d| 2 * d + 2, |state, rate, sizes| super::conservative::fill(sizes, state, rate)),
        (|d| 2 * d + 3, |state, rate, sizes| second_chance::fill(sizes, state, rate)),
        (|d| d * d + 2, |state, rate, sizes| super::extreme::fill(sizes, state, rate)),
        (|d| 4 * d + 2, |state, rate, sizes| super::pairs::fill(sizes, state, rate)),
    ];
    let (relative, absolute) = ode::Precision::Fine.tolerances();
    for (states, fill) in rules {
        for sizes in SIZES {
            let end = |share: f64| {
                let tolerances = (share * relative, share * absolute);
                let start = vec![0.0; states(sizes.len())];
                let rate = |state: &[f64], rate: &mut [f64]| fill(state, rate, sizes);
                ode::integrate_within(start, 1.0, tolerances, rate).unwrap()
            };
            for (whole, half) in end(1.0).into_iter().zip(end(0.5)) {
                let room = 1e-9 * half.abs() + 1e-17;
                assert!((whole - half).abs() < room, "{sizes:?}: {whole} {half}");
            }
        }
    }
}

/// `f = p/(alpha + p)` with `p` the product of those before (Section 5.9).
#[test]
fn alternation_has_the_fixed_point_of_section_5_9() {
    for sizes in SIZES {
        let limit = standard_alternation(sizes, 1);
        let mut passed = 1.0;
        for (size, law) in sizes.iter().zip(&limit.occupancy) {
            assert!((law[1] - passed / (size + passed)).abs() < 1e-12);
            passed *= law[1];
        }
        assert!((limit.overflow - passed).abs() < 1e-12);
    }
}

/// The equations of Section 5.7 for buckets of two: `f_{i,≥1}` and `f_{i,≥2}` of each sub-table.
#[test]
fn two_items_per_bucket() {
    for sizes in SIZES {
        let system = |state: &[f64], rate: &mut [f64]| {
            let mut passed = 1.0;
            for (i, size) in sizes.iter().enumerate() {
                let [one, two] = [state[2 * i], state[2 * i + 1]];
                rate[2 * i] = (1.0 - one) * passed / size;
                rate[2 * i + 1] = (one - two) * passed / size;
                passed *= two;
            }
        };
        let end = in_equal_steps(2 * sizes.len(), &system);
        let limit = standard(sizes, 2).unwrap();
        for (law, tails) in limit.occupancy.iter().zip(end.chunks(2)) {
            assert!((law[2] - tails[1]).abs() < 1e-9 && (law[0] + tails[0] - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn elements_are_conserved() {
    for sizes in SIZES {
        for h in 1..=4 {
            conserved(sizes, &standard(sizes, h).unwrap());
            conserved(sizes, &standard_alternation(sizes, h));
        }
        conserved(sizes, &conservative(sizes).unwrap());
        conserved(sizes, &extreme_second_chance(sizes).unwrap());
        conserved(sizes, &second_chance_of_two(sizes).unwrap());
    }
}

#[track_caller]
fn same_in_equal_steps(states: usize, rate: Rate, limit: &Multilevel) {
    let end = in_equal_steps(states + 2, rate);
    assert!((limit.overflow - end[states]).abs() < 1e-9, "{limit:?} {end:?}");
    assert!((limit.moves - end[states + 1]).abs() < 1e-9, "{limit:?} {end:?}");
}

#[test]
fn equal_steps_give_the_same() {
    for sizes in SIZES {
        let d = sizes.len();
        let limit = conservative(sizes).unwrap();
        same_in_equal_steps(2 * d, &|y, dy| conservative::fill(sizes, y, dy), &limit);
        let limit = extreme_second_chance(sizes).unwrap();
        same_in_equal_steps(d * d, &|y, dy| extreme::fill(sizes, y, dy), &limit);
        let limit = second_chance_of_two(sizes).unwrap();
        same_in_equal_steps(4 * d, &|y, dy| pairs::fill(sizes, y, dy), &limit);
    }
}

/// With two sub-tables, the extreme form of second chance does the same.
#[test]
fn two_sub_tables_are_second_chance() {
    for sizes in [[0.5, 0.4], [0.2, 0.1], [1.0, 0.8]] {
        let own = extreme_second_chance(&sizes).unwrap();
        let theirs = second_chance::static_fill(&sizes).unwrap();
        assert!((own.overflow - theirs.overflow).abs() < 1e-10);
        assert!((own.moves - theirs.moves).abs() < 1e-10);
    }
}

#[test]
fn one_sub_table_leaves_nothing_to_move() {
    for size in [0.2, 1.0] {
        for (own, h) in [(extreme_second_chance(&[size]), 1), (second_chance_of_two(&[size]), 2)] {
            let (own, standard) = (own.unwrap(), standard(&[size], h).unwrap());
            assert!((own.overflow - standard.overflow).abs() < 1e-10);
            assert_eq!(own.moves, 0.0);
        }
    }
}

#[test]
fn unusable_sizes() {
    assert!(standard(&[1.0, 0.0], 1).is_err());
    for rule in [conservative, extreme_second_chance, second_chance_of_two] {
        assert!(rule(&[1.0, 0.0]).is_err());
        assert!(rule(&[1.0, f64::NAN]).is_err());
        assert!((rule(&[]).unwrap().overflow - 1.0).abs() < 1e-12);
    }
}
