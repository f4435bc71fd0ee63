//! `size`: a table for a wanted overflow or a given space, and its CAM.

mod by_simulation;

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

/// What is said where there is time for everything, unless the arguments limit it.
fn answer(arguments: &str) -> String {
    let patience = if arguments.contains("--time-limit") { "" } else { "--time-limit 3600" };
    Sandbox::new(&[]).run(&format!("size --quiet {patience} {arguments}")).exits(0).stdout
}

fn best_of(arguments: &str) -> serde_json::Value {
    let json: serde_json::Value =
        serde_json::from_str(&answer(&format!("{arguments} --format json"))).unwrap();
    json["tables"][0]["best"].clone()
}

fn mistake(arguments: &str) -> String {
    Sandbox::new(&[]).run(&format!("size --quiet {arguments}")).exits(2).stderr
}

/// Table 5.1(b) of "The Power of One Move" has the sizes 0.4694, 0.4562, 0.2512, 0.1082 in 1.29 places
/// per element, Section 5.8 a CAM of 64 with 1e-15 for all schemes after Poisson.
#[test]
fn a_table_for_a_wanted_overflow() {
    let text = answer("--elements 10000 --choices 4 --scheme second-chance --overflow 0.002");
    assert_snapshot!(text, @"
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
    assert_snapshot!(text, @"
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
    assert_snapshot!(text, @"
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

#[test]
fn few_starts_are_not_sure() {
    let text = answer("--elements 500 --choices 2 --overflow 0.02 --starts 3");
    assert!(text.contains("NOT SURE.\n  10 are wanted"), "{text}");
}

/// As few elements as that have no law that could be computed; rounding down would miss the goal.
#[test]
fn few_elements_get_a_table_too() {
    let text = answer("--elements 5 --choices 4 --overflow 0.01 --trials 2000");
    assert_snapshot!(text, @"
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
