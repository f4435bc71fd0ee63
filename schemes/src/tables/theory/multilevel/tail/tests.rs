//! The law against the exact one of the standard scheme, and where there is none.

use super::super::standard_law;
use super::*;

const STANDARD: InsertionRule = InsertionRule::Standard { bucket_size: 1 };
/// Table 5.1(b) with 10,000 elements.
const BUCKETS: [u32; 4] = [7867, 5149, 3152, 1782];

#[test]
fn the_tail_of_the_standard_scheme() {
    let exact = standard_law(10_000, &BUCKETS).unwrap().overflow;
    let law = overflow_law(STANDARD, 10_000, &BUCKETS).unwrap();
    assert!((law.mean() / exact.mean() - 1.0).abs() < 2e-6);
    assert!((law.variance() / exact.variance() - 1.0).abs() < 2e-6);
    for k in [5, 15, 19, 20, 25, 30, 40, 50, 60, 70] {
        let ratio = law.exceeds(k) / exact.exceeds(k);
        assert!((ratio - 1.0).abs() < 5e-4, "{k} {ratio}");
    }
    for failure in [0.3, 1e-3, 1e-6, 1e-12, 1e-15] {
        let least = (0..).find(|&k| exact.exceeds(k) <= failure);
        assert_eq!(Some(law.cam_size(failure)), least);
    }
}

/// Beside a tilt of 0, where its terms cancel, the tail goes over into that of its neighbourhood.
#[test]
fn the_tail_has_no_step_where_its_terms_cancel() {
    let law = overflow_law(STANDARD, 10_000, &BUCKETS).unwrap();
    let [low, high] = law.equivalent.domain();
    for near in [-0.02, 0.02].map(|part| part * (high - low)) {
        let [inside, outside] = [1.0 - 1e-9, 1.0 + 1e-9].map(|by| law.saddlepoint(near * by, 20));
        assert!((inside / outside - 1.0).abs() < 1e-6, "{near}: {inside} {outside}");
    }
}

/// Where hardly any element overflows, and where most do.
#[test]
fn short_and_long_lists() {
    for (n, buckets) in [
        (1000, &[1500, 1000, 600][..]),
        (1000, &[1000, 800, 600, 400]),
        (2000, &[900, 300]),
        (3000, &[1000]),
    ] {
        let exact = standard_law(n, buckets).unwrap().overflow;
        let law = overflow_law(STANDARD, n, buckets).unwrap();
        assert!((law.mean() / exact.mean() - 1.0).abs() < 2e-3, "{} {}", law.mean(), exact.mean());
        assert!((law.variance() / exact.variance() - 1.0).abs() < 0.02, "{n} {buckets:?}");
        for failure in [0.1, 1e-3, 1e-9] {
            let k = law.cam_size(failure);
            let ratio = law.exceeds(k) / exact.exceeds(k);
            assert!((ratio - 1.0).abs() < 0.02, "{n} {buckets:?} {k} {ratio}");
        }
    }
}

/// Where the overflow scatters much less than a Poisson law, down to 1e-21.
#[test]
fn the_far_tail_of_full_tables() {
    for (n, buckets) in [(143, &[119, 119][..]), (574, &[161; 5]), (800, &[100; 7])] {
        let exact = standard_law(n, buckets).unwrap().overflow;
        let law = overflow_law(STANDARD, n, buckets).unwrap();
        for failure in [1e-6, 1e-12, 1e-15, 1e-20] {
            let k = law.cam_size(failure);
            let ratio = law.exceeds(k) / exact.exceeds(k);
            assert!((ratio - 1.0).abs() < 0.01, "{n} {buckets:?} {k} {ratio}");
        }
    }
}

/// Where the last sub-table is small, and once it is full there is no end of the overflow.
#[test]
fn tails_fall_where_a_small_sub_table_fills() {
    for (rule, n, buckets) in [
        (InsertionRule::ExtremeSecondChance, 534, [223, 212, 155, 58]),
        (InsertionRule::SecondChanceOfTwo, 465, [80, 82, 49, 20]),
    ] {
        let law = overflow_law(rule, n, &buckets).unwrap();
        let most = law.cam_size(1e-30).max(law.mean() as u32 + 20);
        let tails: Vec<f64> = (0..most).map(|k| law.exceeds(k)).collect();
        let rises = tails.windows(2).position(|pair| pair[1] > pair[0]);
        assert_eq!(rises, None, "{rule:?} {buckets:?}");
    }
}

/// With one element in thirty tables.
#[test]
fn tails_of_small_means() {
    let (n, buckets) = (267, [179; 4]);
    let exact = standard_law(n, &buckets).unwrap().overflow;
    let law = overflow_law(STANDARD, n, &buckets).unwrap();
    assert!(exact.mean() < 0.04, "{}", exact.mean());
    for failure in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
        let k = law.cam_size(failure);
        let ratio = law.exceeds(k) / exact.exceeds(k);
        assert!((ratio - 1.0).abs() < 0.03, "{k} {ratio}");
    }
}

/// Four sub-tables of extreme second chance, eight of second chance, and a small last sub-table that
/// few elements look at.
#[test]
fn many_and_small_sub_tables() {
    for (rule, n, buckets) in [
        (InsertionRule::ExtremeSecondChance, 10_000, &[2900, 2900, 2900, 2900][..]),
        (InsertionRule::SecondChance, 27_000, &[4400; 8]),
        (STANDARD, 100_000, &[150_000, 100_000, 60_000, 90]),
    ] {
        let law = overflow_law(rule, n, buckets).unwrap();
        let sizes: Vec<f64> = buckets.iter().map(|&m| f64::from(m) / f64::from(n)).collect();
        let mean = f64::from(n) * rule.static_fill(&sizes).unwrap().overflow;
        assert!((law.mean() / mean - 1.0).abs() < 0.02, "{rule:?} {} {mean}", law.mean());
    }
}

#[test]
fn large_tables_have_gaussian_fluctuations() {
    for (rule, buckets) in [
        (InsertionRule::SecondChance, [500_000, 400_000, 200_000]),
        (InsertionRule::SecondChanceOfTwo, [250_000, 200_000, 100_000]),
    ] {
        let law = overflow_law(rule, 1_000_000, &buckets).unwrap();
        let limit = rule.fluctuations(&buckets.map(|m| f64::from(m) / 1e6)).unwrap().overflow;
        assert!((law.mean() / 1e6 / limit.mean - 1.0).abs() < 1e-4, "{rule:?}");
        assert!((law.variance() / 1e6 / limit.variance - 1.0).abs() < 1e-4, "{rule:?}");
    }
}

#[test]
fn the_list_is_not_longer_than_the_elements() {
    let law = overflow_law(STANDARD, 100, &[60, 30]).unwrap();
    assert_eq!((law.exceeds(100), law.exceeds(u32::MAX)), (0.0, 0.0));
    assert!(law.cam_size(0.0) <= 100);
    assert_eq!(law.cam_size(1.0), 0);
}

#[test]
fn unusable_tables_are_errors() {
    for (n, buckets) in [(10, &[5, 0][..]), (10_000, &[9999, 1]), (0, &[5]), (10, &[])] {
        for rule in [STANDARD, InsertionRule::SecondChance] {
            assert!(overflow_law(rule, n, buckets).is_err(), "{rule:?} {n} {buckets:?}");
        }
    }
}

/// Overflow of which one element in thousands of tables is the mean, and whose tail would come out
/// up to thousands of times too likely, or as no number: either the law is right, or there is none.
#[test]
fn tails_that_are_not_resolved_are_errors() {
    for (n, buckets) in [
        (10_000, &[7607, 7964, 4011, 5298, 8352][..]),
        (300, &[113, 334, 294, 360, 122]),
        (100, &[61, 50, 54, 43, 52]),
        (30, &[25, 17, 3, 5, 17]),
    ] {
        let Ok(law) = overflow_law(STANDARD, n, buckets) else { continue };
        let exact = standard_law(n, buckets).unwrap().overflow;
        let ratio = law.exceeds(0) / exact.exceeds(0);
        assert!((ratio - 1.0).abs() < 0.1, "{n} {buckets:?} {ratio}");
    }
    let never = overflow_law(InsertionRule::SecondChanceOfTwo, 100, &[41, 24, 60, 49]);
    assert_eq!(never, Err(TheoryError::NoTail));
}

#[test]
fn laws_that_would_take_minutes_are_errors() {
    let found = overflow_law(InsertionRule::Conservative, 10_000, &[290; 32]);
    assert_eq!(found, Err(TheoryError::TooLong));
}
