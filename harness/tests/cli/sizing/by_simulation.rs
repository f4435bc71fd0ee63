//! `size` by simulation: tables that nothing predicts are sized, CAMs are measured, and designs are verified.

use insta::assert_snapshot;

use super::{answer, best_of};

/// README.md has other ones without deletions.
#[test]
fn all_schemes_are_compared_under_deletions() {
    assert_snapshot!(answer("--elements 200 --choices 2 --scheme all --space 2.2 --churn --trials 1000 --cam-failure 0.01"), @"
    200 elements, 2 choices, in equilibrium, one deleted and one inserted again and again
    wanted: least overflow with 2.2 places per element

                           bucket  expected overflow            moves per       CAM  CAM after
    scheme                   size               best     equal  insertion    places    Poisson       sure
    d-random                    8                  0         -          0         0          0  simulated
    cuckoo                      2                  0         -     0.0946         0          0  simulated
    cuckoo                      4                  0         -     0.0101         0          0  simulated
    cuckoo                      8                  0         -   0.000810         0          0  simulated
    multiple                    8           4.734e-5  0.005030          0         0          0        yes
    d-random                    4             0.1882         -          0         2          2  simulated
    multiple                    4             0.3961    0.7059          0         3          2        yes
    second-chance               2             0.4306         -     0.0475         3          2  simulated
    cuckoo                      1             0.5207         -       2.86         3          3  simulated
    d-random                    2              7.433         -          0        14         14  simulated
    multiple                    2              7.711     8.528          0  14 or 15         15        yes
    extreme-second-chance       1              10.71         -      0.121        18         19  simulated
    second-chance               1              14.44     14.65     0.0968        23         24        yes
    conservative                1              16.96         -     0.0798        26         27  simulated
    multiple                    1              28.01     28.62          0        38         41        yes
    d-random                    1              29.64         -          0        40         43  simulated

    simulated: sized by simulation; the size is known to a few parts in a thousand, unless the time limit
    cut its search off.
    ");
}

/// No number is extrapolated where one is measured; the probabilities on both sides of the places decide them.
#[test]
fn the_cam_under_deletions_is_measured() {
    let churn = "--elements 500 --choices 2 --scheme second-chance --overflow 0.02 --churn --trials 100 --cam-failure 1e-9";
    assert_snapshot!(answer(churn), @"
    second-chance with buckets of 1
    500 elements, 2 choices, in equilibrium, one deleted and one inserted again and again
    wanted: least space with at most 10 elements (2 %) on the overflow list

                                                    best sizes         equal sizes
    buckets of sub-table 1                                 869                 851
    buckets of sub-table 2                                 805                 849
    buckets in all                                        1674                1700
    places per element                                  3.3480              3.4000
    moves per insertion                                 0.0575              0.0569
    elements expected on the overflow list               10.06               9.658
      its standard error, simulated                       0.54                0.62
    CAM, places                                             33                  32
      probability that it is too small                 3.8e-10             5.7e-10
        its interval (95 %)                 3.3e-10 to 4.4e-10  4.5e-10 to 7.3e-10
      with a place less                                 1.5e-9              2.1e-9
    CAM after Poisson, places                               34                  33
      probability that it is too small                   9e-11             1.5e-10

    best sizes: 12 of 12 random starts of the search found them; sure.
    CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be
      too small with probability 1e-9. Its size is measured by splitting, in 10 runs of
      200 particles that took 47683 trials of the table.
      That is at any one moment; within many operations it happens more often: see --operations.
      With 95 % confidence it is the least number of places that will do.
    ");
}

#[test]
fn a_cam_for_many_operations_is_measured_in_spans() {
    let text = answer(
        "--elements 300 --choices 2 --scheme d-random --bucket-size 2 --space 1.4 --churn --trials 100 --operations 1e4 --cam-failure 1e-4",
    );
    assert_snapshot!(text, @"
    d-random with buckets of 2
    300 elements, 2 choices, in equilibrium, one deleted and one inserted again and again
    wanted: least overflow with 1.4 places per element

    buckets in all                                   210
    places per element                            1.4000
    moves per insertion                                0
    elements on the overflow list                  43.74
      its standard error, simulated                 0.39
    CAM, places                                 70 or 71
      probability that it is too small              4e-5
        its interval (95 %)             3.8e-5 to 4.1e-5
      with a place less                             1e-4

    Sized by simulation: what is predicted of such tables is the limit for many elements.
      The CAM is measured by splitting, in 320 runs of
      200 particles that took 844127 trials of the table.
      That is at some time within 10000 deletions, each with an insertion: a bound, the sum over 17 spans
      of 589, of which one was measured.
      UNDECIDED: the probability wanted is within the interval of what was measured, after as many runs as are made.
    ");
}

#[test]
fn a_table_is_verified_by_simulation() {
    let text =
        answer("--elements 1000 --choices 3 --bucket-size 2 --space 1 --verify --trials 400");
    assert_snapshot!(text.split("\n\n").last().unwrap(), @"
    400 simulated trials                        measured  ± (95 %)  predicted    verdict
    overflow, % of the elements                    4.084     0.045      4.129     agrees
    variance of the overflow list, elements²       24.12       4.6      22.55  undecided
    moves per insertion                           0.1384   0.00087     0.1392     agrees
    sub-table 1, % of its places taken             97.49     0.078      97.44     agrees
    sub-table 2, % of its places taken             96.36     0.088      96.26     agrees
    sub-table 3, % of its places taken             91.65      0.18      91.59     agrees
    lists longer than the CAM, % of the trials         0         0  3.499e-11     agrees
    ");
}

/// Its trials have other random numbers than the simulation that sized it.
#[test]
fn a_table_that_was_sized_by_simulation_is_verified_by_another_one() {
    let text = answer(
        "--elements 1000 --choices 2 --bucket-size 4 --scheme cuckoo --overflow 0.01 --trials 400 --verify",
    );
    assert_snapshot!(text.split("\n\n").last().unwrap(), @"
    400 simulated trials                        measured  ± (95 %)  predicted    verdict
    overflow, % of the elements                   0.7983     0.044     0.7810  undecided
    variance of the overflow list, elements²       23.33       4.2          -          -
    moves per insertion                            7.335      0.25          -          -
    lists longer than the CAM, % of the trials         0         0  6.477e-11     agrees
    ");
}

/// The limit of the answer is over before the first trials of the verification would be.
#[test]
fn a_verification_ends_with_its_time() {
    let text = answer(
        "--elements 200000 --choices 2 --space 1.5 --starts 1 --verify --trials 100000 --time-limit 1",
    );
    assert!(text.contains("The time limit was over: 100000 trials were wanted."), "{text}");
}

/// What nothing predicts and what is predicted for many elements alone are told apart.
#[test]
fn a_simulated_table_says_why_it_was_simulated() {
    let of = |scheme: &str| {
        let text = answer(&format!(
            "--elements 500 --choices 2 --overflow 0.01 --trials 200 --scheme {scheme}"
        ));
        text.lines().find(|line| line.contains("by simulation")).unwrap().to_owned()
    };
    assert_snapshot!(of("d-random"), @"Sized by simulation: what is predicted of such tables is the limit for many elements.");
    assert_snapshot!(of("cuckoo"), @"Nothing predicts such tables: sized by simulation.");
}

/// Under deletions most schemes have no limit, and the schemes whose choices fall on the whole table have no
/// sub-tables to be cut.
#[test]
fn schemes_without_a_prediction_are_sized_by_simulation() {
    for (scheme, size) in [("cuckoo", 2), ("d-random", 2), ("conservative", 1)] {
        let text = answer(&format!(
            "--elements 400 --choices 2 --overflow 0.02 --churn --trials 100 --scheme {scheme} --bucket-size {size} --cam-failure 0.01 --format json"
        ));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let best = &json["tables"][0]["best"];
        let [mean, error] =
            ["overflow_elements", "overflow_std_error"].map(|key| best[key].as_f64().unwrap());
        assert!(mean - 2.5 * error <= 8.0, "{text}");
        assert!(mean + 2.5 * error > 4.0, "more space than it takes: {text}");
        assert!(best["cam"]["places_at_least"].as_u64().unwrap() > 8, "{text}");
    }
}

/// A million elements are not simulated: a smaller table says how far they are from the limit, which is hardly at all.
#[test]
fn large_tables_are_known_by_smaller_ones() {
    let question = "--choices 2 --overflow 0.01 --churn --scheme multiple --trials 100 --starts 1";
    let large = best_of(&format!("--elements 1000000 {question}"));
    assert_eq!(large["simulated_elements"], 20_000, "{large}");
    let expected = large["overflow_elements"].as_f64().unwrap();
    assert!((9_990.0..10_000.1).contains(&expected), "{large}");
    let cuckoo = best_of(
        "--elements 1000000 --choices 2 --overflow 0.05 --scheme cuckoo --bucket-size 2 --trials 40",
    );
    assert_eq!(cuckoo["simulated_elements"], 20_000, "{cuckoo}");
    assert!(cuckoo["overflow_elements"].as_f64().unwrap() < 50_500.0, "{cuckoo}");
}
