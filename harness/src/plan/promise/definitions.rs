//! Definitions that between them take every way to a number.

pub(super) const EVERY_PART: &str = r#"
title = "one point of everything"
trials = 2
[workload]
kind = "alternation"
rounds = 200
warm_up = 2
[point]
buckets = 64
bucket_size = 2
load = 0.9
choices = 3
insertion_probability = 0.9
[[series]]
label = "random"
scheme = "single"
[[series]]
label = "start"
scheme = "multiple"
workload = { start = "overflow-list" }
[[series]]
label = "static"
scheme = "multiple"
workload = { kind = "static-fill" }
[[series]]
label = "ties"
scheme = "d-random"
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 63
ties = "left"
sub_tables = true
[[series]]
label = "choices that come from one word"
scheme = "multiple"
sub_tables = true
[[series]]
label = "ties that come from the same word"
scheme = "d-random"
choices = 2
[[series]]
label = "hashes"
scheme = "multiple"
hash = [
    "wang", "multiply-shift", "two-independent", "h3", "simple-tabulation", "toeplitz", "crc32c",
    "murmur3", "xxh3", "siphash",
]
[[series]]
label = "derivations"
scheme = "multiple"
hash = "xxh3"
choices_from = ["slices", "double"]
workload = { keys = "sequential" }
"#;

pub(super) const EVERY_COURSE: &str = r#"
title = "one point of every course"
trials = 2
[workload]
kind = "continuous"
duration = 3
[point]
buckets = 64
bucket_size = 2
load = 0.9
choices = 2
[[series]]
label = "continuous"
scheme = "single"
[[series]]
label = "open"
scheme = "multiple"
hash = ["random", "xxh3"]
workload = { kind = "open", duration = 3, start = ["filled", "empty"] }
[[series]]
label = "relaxation"
scheme = "d-random"
workload = { kind = "relaxation", time = [0, 0.5], start = ["filled", "overflow-list"] }
[[series]]
label = "on-off"
scheme = "multiple"
workload = { kind = "on-off", flows = 5, rate = 0.15, burst = 3, warm_up = 100, slots = 1000, largest = 30 }
"#;

pub(super) const EVERY_FILL: &str = r#"
title = "every scheme that fills sub-table by sub-table"
trials = 2
[workload]
kind = "static-fill"
[point]
elements = 300
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 100
bucket_size = [1, 3]
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "Cons"
scheme = "conservative"
sub_table_buckets = "140 90 60"
[[series]]
label = "SC and SC2"
scheme = "second-chance"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "SCExt"
scheme = "extreme-second-chance"
sub_table_buckets = "140 90 60"
moves_to = ["any", "later"]
"#;

pub(super) const EVERY_MOVE: &str = r#"
title = "every multilevel table under alternation"
trials = 2
[workload]
kind = "alternation"
rounds = 500
warm_up = 2
[point]
elements = 300
sub_table_buckets = "140 90 60"
[[series]]
label = "Cons"
scheme = "conservative"
[[series]]
label = "SC"
scheme = "second-chance"
[[series]]
label = "SC, with a hash function"
scheme = "second-chance"
hash = "xxh3"
[[series]]
label = "M-B"
scheme = "second-chance"
move_back = "deletion"
[[series]]
label = "hints"
scheme = "second-chance"
hints = ["element", "place"]
[[series]]
label = "SCExt"
scheme = "extreme-second-chance"
moves_to = ["any", "later"]
"#;

pub(super) const EVERY_LARGE_TABLE: &str = r#"
title = "sub-tables of more elements than 16 bits can number"
trials = 2
[workload]
kind = "alternation"
rounds = 5000
warm_up = 0.1
[point]
elements = 66000
sub_table_buckets = "30000 25000 13000 5000"
[[series]]
label = "Std"
scheme = "multiple"
[[series]]
label = "SC"
scheme = "second-chance"
[[series]]
label = "SCExt"
scheme = "extreme-second-chance"
moves_to = ["any", "later"]
"#;

pub(super) const EVERY_DRAWN_KEY: &str = r#"
title = "every filter that is asked for many drawn keys together"
trials = 2
[workload]
kind = "membership"
queries = 700
[point]
elements = 100
bits = 800
choices = 4
[[series]]
label = "standard"
scheme = "bloom-filter"
choices_from = ["seeds", "double", "enhanced-square", "enhanced-cube", "enhanced-triangular", "triple"]
[[series]]
label = "partitioned"
scheme = "partitioned-bloom-filter"
choices_from = ["seeds", "double", "enhanced-square", "enhanced-cube", "enhanced-triangular", "triple"]
"#;

pub(super) const EVERY_CHOICE_AT_ONCE: &str = r#"
title = "whatever makes many choices at once, and a filter that takes elements out and makes none at once"
trials = 2
[workload]
kind = "static-fill"
[[series]]
label = "SINGLE"
scheme = "single"
elements = 20_000
buckets = 5_000
bucket_size = 4
[[series]]
label = "Std and Std2"
scheme = "multiple"
elements = 20_000
sub_table_buckets = "8000 5000 3000 1600"
bucket_size = [1, 2]
[[series]]
label = "counters"
scheme = "counting-bloom-filter"
elements = 100
bits = 3_200
choices = 4
workload = { kind = "membership", queries = 700 }
[[series]]
label = "counters, replaced"
scheme = "counting-bloom-filter"
elements = 100
bits = 3_200
choices = 4
workload = { kind = "churn", queries = 200, rounds = 150 }
[[series]]
label = "filters of a summary"
scheme = "multiple-filter-summary"
elements = 1_000
sub_table_buckets = "4000 1000 500"
filter_bits = "9000 7000 500"
filter_choices = "7 20 20"
workload = { kind = "summary-fill", queries = 100 }
[[series]]
label = "counters of a summary"
scheme = "counting-filter-summary"
elements = 1_000
sub_table_buckets = "4000 1000 500"
filter_counters = "9000 7000 500"
filter_choices = "7 20 20"
filter_counter_bits = "4 4 4"
once = 1
workload = { kind = "summary-fill", queries = 100 }
"#;

pub(super) const SECOND_CHANCE_OPEN: &str = r#"
title = "second chance with Poisson arrivals"
trials = 2
[workload]
kind = "open"
warm_up = 1.0
duration = 2.0
start = ["filled", "empty"]
[point]
elements = 100
[[series]]
label = "SC"
scheme = "second-chance"
sub_table_buckets = ["60 50 10", "70 60 40 20"]
"#;
