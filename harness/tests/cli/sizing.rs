//! `size`: a table for a wanted overflow or a given space, and its CAM.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

/// What is said where there is time for everything, unless the arguments limit it.
fn answer(arguments: &str) -> String {
    let patience = if arguments.contains("--time-limit") { "" } else { "--time-limit 3600" };
    Sandbox::new(&[]).run(&format!("size --quiet {patience} {arguments}")).exits(0).stdout
}

fn mistake(arguments: &str) -> String {
    Sandbox::new(&[]).run(&format!("size --quiet {arguments}")).exits(2).stderr
}

/// Table 5.1(b) of "The Power of One Move" has the sizes 0.4694, 0.4562, 0.2512, 0.1082 in 1.29 places
/// per element, Section 5.8 a CAM of 64 with 1e-15 for all schemes after Poisson.
#[test]
fn a_table_for_a_wanted_overflow() {
    let text = answer("--elements 10000 --choices 4 --scheme second-chance --overflow 0.002");
    assert_snapshot!(text, @r"
    second-chance with buckets of 1
    10000 elements, 4 choices, inserted into an empty table
    wanted: least space with at most 20 elements (0.2 %) on the overflow list

                                            best sizes  equal sizes
    buckets of sub-table 1                        4696         3513
    buckets of sub-table 2                        4563         3512
    buckets of sub-table 3                        2512         3512
    buckets of sub-table 4                        1082         3512
    buckets in all                               12853        14049
    places per element                          1.2853       1.4049
    moves per insertion                          0.129        0.140
    elements expected on the overflow list       19.97        20.00
      their standard deviation                    4.80         4.53
      variance divided by mean                    1.15         1.03
    CAM, places                                     64           60
      probability that it is too small         4.3e-13        4e-13
    CAM after Poisson, places                       59           59
      probability that it is too small         4.4e-11      1.2e-12

    best sizes: 12 of 12 random starts of the search found them; sure.
    CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be
      too small with probability 1e-12. Its size is computed (saddlepoint approximation).
      Simulated, long lists made likely: 4.8e-13 ± 5.2e-14 (standard error).
      A Poisson law of the same mean would make it too small: it fails 44 times as often as wanted.
    ");
}

#[test]
fn the_least_overflow_in_a_given_space() {
    let text = answer("--elements 2000 --choices 3 --scheme standard --space 1.2");
    assert_snapshot!(text, @r"
    multiple with buckets of 1
    2000 elements, 3 choices, inserted into an empty table
    wanted: least overflow with 1.2 places per element

                                            best sizes  equal sizes
    buckets of sub-table 1                        1110          800
    buckets of sub-table 2                         775          800
    buckets of sub-table 3                         515          800
    buckets in all                                2400         2400
    places per element                          1.2000       1.2000
    moves per insertion                              0            0
    elements expected on the overflow list       174.9        193.8
      their standard deviation                    9.98         9.98
      variance divided by mean                   0.569        0.514
    CAM, places                                    248          266
      probability that it is too small         5.3e-13      6.8e-13
    CAM after Poisson, places                      276          299
      probability that it is too small         1.2e-22      1.1e-24

    best sizes: 12 of 12 random starts of the search found them; sure.
    CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be
      too small with probability 1e-12. Its size is computed exactly.
      Simulated, long lists made likely: 5.5e-13 ± 3.5e-14 (standard error).
    ");
}

#[test]
fn equal_sub_tables_if_they_are_wanted() {
    let text = answer("--elements 500 --choices 2 --scheme conservative --overflow 0.01 --equal");
    assert_snapshot!(text, @r"
    conservative with buckets of 1
    500 elements, 2 choices, inserted into an empty table
    wanted: least space with at most 5 elements (1 %) on the overflow list

                                            equal sizes
    buckets of sub-table 1                          578
    buckets of sub-table 2                          578
    buckets in all                                 1156
    places per element                           2.3120
    moves per insertion                          0.0365
    elements expected on the overflow list        4.995
      their standard deviation                     2.24
      variance divided by mean                     1.00
    CAM, places                                      27
      probability that it is too small          9.6e-13
    CAM after Poisson, places                        27
      probability that it is too small          9.6e-13

    CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be
      too small with probability 1e-12. Its size is computed (saddlepoint approximation).
      Simulated, long lists made likely: 9.8e-13 ± 5.2e-14 (standard error).
    ");
}

/// README.md has other ones without deletions.
#[test]
fn all_schemes_are_compared_under_deletions() {
    assert_snapshot!(answer("--elements 200 --choices 2 --scheme all --space 2.2 --churn --trials 1000 --cam-failure 0.01"), @r"
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
    overflow, % of the elements                    4.127     0.047      4.129     agrees
    variance of the overflow list, elements²       25.21       5.2      22.55  undecided
    moves per insertion                           0.1375   0.00085     0.1392     agrees
    sub-table 1, % of its places taken             97.47     0.081      97.44     agrees
    sub-table 2, % of its places taken             96.28     0.094      96.26     agrees
    sub-table 3, % of its places taken             91.62      0.18      91.59     agrees
    lists longer than the CAM, % of the trials         0         0  3.499e-11     agrees
    ");
}

/// Its trials have other random numbers than the simulation that sized it.
#[test]
fn a_table_that_was_sized_by_simulation_is_verified_by_another_one() {
    let text = answer(
        "--elements 1000 --choices 2 --bucket-size 4 --scheme cuckoo --overflow 0.01 --trials 400 --verify",
    );
    assert_snapshot!(text.split("\n\n").last().unwrap(), @r"
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

#[test]
fn few_starts_are_not_sure() {
    let text = answer("--elements 500 --choices 2 --overflow 0.02 --starts 3");
    assert!(text.contains("NOT SURE.\n  10 are wanted"), "{text}");
}

/// As few elements as that have no law that could be computed; rounding down would miss the goal.
#[test]
fn few_elements_get_a_table_too() {
    let text = answer("--elements 5 --choices 4 --overflow 0.01 --trials 2000");
    assert_snapshot!(text, @r"
    second-chance with buckets of 1
    5 elements, 4 choices, inserted into an empty table
    wanted: least space with at most 0.05 elements (1 %) on the overflow list

                                            best sizes  equal sizes
    buckets of sub-table 1                           2            2
    buckets of sub-table 2                           2            2
    buckets of sub-table 3                           1            1
    buckets of sub-table 4                           1            1
    buckets in all                                   6            6
    places per element                          1.2000       1.2000
    moves per insertion                         0.0555       0.0555
    elements expected on the overflow list    0.003906     0.003906
      their standard deviation                  0.0624       0.0624
      variance divided by mean                   0.996        0.996
    CAM, places                                      1            1
      probability that it is too small               0            0
    CAM after Poisson, places                        1            1
      probability that it is too small               0            0

    best sizes: searched in whole numbers, bucket by bucket, from the best proportions for many
      elements and from equal sizes. There may be better ones.
    CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be
      too small with probability 1e-12. Its size is computed exactly.
    ");
}

/// Five elements with eight choices each never find all of them taken: one bucket in each sub-table is all it
/// takes, and no CAM. The best sizes for many elements are 22 buckets here.
#[test]
fn the_best_is_never_worse_than_equal_sub_tables() {
    let buckets = |arguments: &str| {
        let json: serde_json::Value =
            serde_json::from_str(&answer(&format!("{arguments} --format json"))).unwrap();
        let total = |part: &serde_json::Value| -> u64 {
            part["buckets"].as_array().unwrap().iter().map(|m| m.as_u64().unwrap()).sum()
        };
        let table = json["tables"][0].clone();
        (total(&table["best"]), total(&table["equal"]), table)
    };
    let (best, equal, table) = buckets("--elements 5 --choices 8 --overflow 0.01");
    assert_eq!((best, equal), (8, 8));
    assert_eq!(table["best"]["cam"]["places"], 0);
    assert_eq!(table["search"]["sure"], false);
    for arguments in [
        "--elements 5 --choices 4 --overflow 0.01",
        "--elements 9 --choices 3 --overflow 0.05 --scheme multiple",
        "--elements 12 --choices 2 --overflow 0.02 --scheme conservative",
        "--elements 6 --choices 3 --overflow 0.1 --bucket-size 2",
    ] {
        let (best, equal, _) = buckets(arguments);
        assert!(best <= equal, "{arguments}: {best} {equal}");
    }
}

/// So little overflow that the error of the limit, in elements, is more than is wanted: taken off, it asked for more
/// buckets than can be numbered.
#[test]
fn hardly_any_overflow_can_be_asked_for() {
    let text = answer("--elements 1000 --choices 4 --overflow 1e-9 --equal --format json");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = json["tables"][0]["best"]["overflow_elements"].as_f64().unwrap();
    assert!((0.9e-6..=1e-6).contains(&expected), "{text}");
}

/// A list that scatters far less than Poisson's, of a table whose law takes too long to compute: its CAM is above the
/// mean by less than a third of what Poisson's would be.
#[test]
fn the_cam_of_a_wide_table_is_no_longer_than_it_has_to_be() {
    let wide = "--elements 1000 --choices 9 --space 0.9 --equal --trials 20000 --format json";
    let json: serde_json::Value = serde_json::from_str(&answer(wide)).unwrap();
    let best = &json["tables"][0]["best"];
    let mean = best["overflow_elements"].as_f64().unwrap();
    let places = best["cam"]["places"].as_f64().unwrap();
    let poisson = best["cam"]["places_after_poisson"].as_f64().unwrap();
    assert!(mean + 5.0 < places && places < mean + 0.3 * (poisson - mean), "{best}");
}

/// So little overflow that no trial shows any: the CAM is for what may have been overlooked.
#[test]
fn a_cam_is_bounded_where_nothing_overflows() {
    let text = answer("--elements 300 --choices 9 --overflow 1e-6 --trials 200 --equal");
    assert!(text.contains("No element overflowed in the simulation"), "{text}");
    assert!(text.contains("Its size is a bound."), "{text}");
    let places = text.lines().find(|line| line.starts_with("CAM, places")).unwrap();
    let places: u32 = places.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((1..20).contains(&places), "{text}");
}

#[test]
fn a_cam_that_lasts_for_many_operations_is_larger() {
    let places = |more: &str| -> u64 {
        let churn =
            "--elements 500 --choices 2 --overflow 0.02 --churn --trials 100 --starts 1 --equal";
        let text = answer(&format!("{churn} --cam-failure 1e-3 --format json {more}"));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json["tables"][0]["best"]["cam"]["places"].as_u64().unwrap()
    };
    let (moment, day) = (places(""), places("--operations 1e6"));
    assert!(moment + 5 < day && day < 2 * moment, "{moment} {day}");
    assert!(
        mistake("--elements 9 --choices 2 --space 2 --operations 5").contains("--churn"),
        "without deletions the list is looked at once"
    );
}

/// Under deletions most schemes have no limit, and the schemes whose choices fall on the whole table have no
/// sub-tables to be cut.
#[test]
fn schemes_without_a_prediction_are_sized_by_simulation() {
    for (scheme, size) in [("cuckoo", 4), ("d-random", 2), ("conservative", 1)] {
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

fn best_of(arguments: &str) -> serde_json::Value {
    let json: serde_json::Value =
        serde_json::from_str(&answer(&format!("{arguments} --format json"))).unwrap();
    json["tables"][0]["best"].clone()
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

/// Simulations never show so little overflow, but d-random has a limit.
#[test]
fn d_random_is_sized_for_hardly_any_overflow() {
    for (churn, goal) in [("", 1e-10), ("--churn", 1e-10), ("", 1e-20), ("--churn", 1e-20)] {
        let best = best_of(&format!(
            "--elements 1000000 --choices 2 --overflow {goal} --scheme d-random --bucket-size 4 --trials 40 {churn}"
        ));
        let share = best["overflow_elements"].as_f64().unwrap() / 1e6;
        assert!((0.99 * goal..=goal).contains(&share), "{best}");
    }
    let few =
        mistake("--elements 500 --choices 2 --overflow 1e-15 --scheme d-random --bucket-size 8");
    assert!(few.contains("far from the limit"), "{few}");
}

#[test]
fn whole_numbers_are_read_as_people_write_them() {
    let with =
        |elements: &str| answer(&format!("--elements {elements} --choices 2 --space 2 --starts 1"));
    assert_eq!(with("1e3"), with("1000"));
    assert_eq!(with("1_000"), with("1000"));
    for elements in ["0", "1.5", "1e10", "ten"] {
        let said = mistake(&format!("--elements {elements} --choices 2 --space 2"));
        assert!(said.contains("such as 10000, 10_000 or 1e4"), "{said}");
    }
}

/// The search is cut off, says so, and still answers.
#[test]
fn a_search_that_takes_too_long_is_cut_off() {
    let text = answer(
        "--elements 10000 --choices 32 --overflow 0.001 --scheme extreme-second-chance --time-limit 1 --trials 20",
    );
    assert!(text.contains("The time limit was over"), "{text}");
}

#[test]
fn a_design_is_saved_as_an_experiment() {
    let sandbox = Sandbox::new(&[]);
    let size =
        "size --quiet --elements 500 --choices 2 --scheme multiple --overflow 0.05 --save a.toml";
    sandbox.run(size).exits(0);
    assert_snapshot!(sandbox.read("a.toml"), @r#"
    title  = "multiple: 500 elements in sub-tables of 657, 396 buckets"
    trials = { smoke = 20, quick = 10000, paper = 100000 }
    seed   = 1

    [workload]
    kind         = "static-fill"
    overflow_law = 61

    [point]
    elements          = 500
    bucket_size       = 1
    sub_table_buckets = "657 396"

    [[series]]
    label  = "multiple"
    scheme = "multiple"

    [[figure]]
    x = "number"
    y = "overflow_at_most"
    "#);
    sandbox.run("check a.toml").exits(0);
    sandbox.run("run a.toml --scale smoke --quiet").exits(0);
    assert!(sandbox.read("results/a/table.csv").contains("overflow_variance"));
    let text = sandbox.run(size).exits(2).stderr;
    assert_snapshot!(text, @"error: --save a.toml: the file exists; name another");
    let text = mistake("--elements 9 --choices 2 --space 2 --save a.tml");
    assert_snapshot!(text, @"error: --save a.tml: definitions end in .toml");
}

#[test]
fn what_cannot_be_is_said() {
    assert_snapshot!(mistake("--elements 1000 --choices 33 --space 1"), @"error: --choices 33: each choice has a sub-table of its own, and at most 32 of them can be optimised; `d-random` and `cuckoo` have none");
    assert_snapshot!(mistake("--elements 1000 --choices 1 --overflow 1e-9"), @"error: no space up to 1.2e6 places per element has so little overflow");
    assert_snapshot!(mistake("--elements 2000000000 --choices 2 --overflow 0.001"), @"error: such a table would have more than 2147483647 buckets; take fewer --elements, less --space, or allow more --overflow");
    assert_snapshot!(mistake("--elements 10 --choices 4 --space 0.3"), @"error: 3 buckets are too few for 4 such sub-tables: one would have none; take fewer --choices, or more space");
    assert_snapshot!(mistake("--elements 1000 --choices 2 --space 1 --bucket-size 3"), @"error: --bucket-size 3: `second-chance` can be sized with buckets of 1 or 2 elements");
    assert_snapshot!(mistake("--elements 1000 --choices 4 --space 1 --scheme multiple --bucket-size 255"), @"error: --bucket-size 255: `multiple` can be sized with buckets of 1 to 64 elements");
    assert_snapshot!(mistake("--elements 1000 --choices 2 --space 1e-9"), @"error: 0 buckets are too few for 2 such sub-tables: one would have none; take fewer --choices, or more space");
    assert_snapshot!(mistake("--elements 1000 --choices 2 --space 1 --scheme single"), @"error: --scheme single: `multiple`, `conservative`, `second-chance`, `extreme-second-chance`, `d-random`, `cuckoo` and `all` can be sized");
    assert_snapshot!(mistake("--elements 1000 --choices 2 --overflow 1e-9 --scheme cuckoo"), @"error: nothing predicts `cuckoo` with buckets of 1, and simulations do not show so little overflow; ask for an --overflow of 1e-7 or more, or give more --trials");
    assert_snapshot!(mistake("--elements 1000 --choices 2 --space 1 --scheme all --verify"), @"error: --verify needs one --scheme, not all");
}

#[test]
fn values_that_cannot_be_are_refused_by_their_option() {
    let refused = |option: &str, value: &str, possible: &str| {
        let said = mistake(&format!("--elements 1000 --choices 2 {option} {value}"));
        let named = option.rsplit(' ').next().unwrap_or(option);
        assert!(said.contains(&format!("'{value}' for '{named} ")), "{said}");
        assert!(said.contains(possible), "{said}");
    };
    for share in ["0", "1", "1.5", "nan", "0.2%"] {
        refused(
            "--overflow",
            share,
            "a share from 1e-24 up to 1 is possible, such as 0.002 for 0.2 %",
        );
    }
    for space in ["-1", "0", "inf"] {
        refused("--space", space, "a number of places above 0 is possible");
    }
    refused("--space 1 --trials", "19", "19 is not in 20..=1000000");
    refused("--space 1 --cam-failure", "0", "a probability from 1e-20 to 0.5 is possible");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    assert!(
        mistake("--elements 9 --choices 2 --space 2 --overflow 0.1")
            .contains("cannot be used with")
    );
    assert!(mistake("--elements 9 --choices 2").contains("--overflow <SHARE>|--space <C>"));
}
