//! Definitions that between them take every way in which trials go in lockstep.

pub(super) const EVERY_LOCKSTEP: &str = r#"
title = "every table whose trials go in lockstep"
trials = 19
[workload]
kind = "alternation"
rounds = 200
warm_up = 2
[point]
elements = 100
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 50
bucket_size = [1, 2, 3, 4]
[[series]]
label = "MULTIPLE"
scheme = "multiple"
buckets = 50
bucket_size = [1, 3]
choices = [2, 5]
workload = { start = "overflow-list" }
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "relaxation"
scheme = "multiple"
buckets = 50
bucket_size = 2
choices = 2
workload = { kind = "relaxation", time = [0, 0.5], start = ["filled", "overflow-list"] }
[[series]]
label = "many rejected"
scheme = "single"
buckets = 60_000_001
bucket_size = 2
"#;

pub(super) const EVERY_OTHER_LOCKSTEP: &str = r#"
title = "every other table whose trials go in lockstep"
trials = 19
[workload]
kind = "alternation"
rounds = 200
warm_up = 2
[point]
elements = 100
[[series]]
label = "d-random"
scheme = "d-random"
buckets = 50
bucket_size = [1, 2]
choices = [2, 3]
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 60
bucket_size = [2, 4]
choices = 3
sub_tables = true
ties = "left"
[[series]]
label = "M-B"
scheme = "multiple"
buckets = [60, 90]
bucket_size = 4
choices = [2, 4]
move_back = "deletion"
[[series]]
label = "M-B on sub-tables"
scheme = "multiple"
sub_table_buckets = "90 60 50 40"
move_back = "deletion"
[[series]]
label = "M-B with d-random, from the list"
scheme = "d-random"
buckets = 60
bucket_size = 3
choices = 2
move_back = "deletion"
workload = { start = "overflow-list" }
[[series]]
label = "MULTIPLE, filled"
scheme = "multiple"
buckets = 50
bucket_size = 2
choices = [1, 2]
workload = { kind = "static-fill" }
[[series]]
label = "d-random, filled"
scheme = "d-random"
buckets = 50
choices = 2
workload = { kind = "static-fill" }
"#;

pub(super) const EVERY_TABLE_IN_LOCKSTEP: &str = r#"
title = "M-B near full load, whose trials go in lockstep"
trials = 19
[workload]
kind = "alternation"
rounds = 200
warm_up = 2
[point]
elements = 100
move_back = "deletion"
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 25
bucket_size = 4
[[series]]
label = "MULTIPLE"
scheme = "multiple"
buckets = 26
bucket_size = 4
choices = [2, 3, 4]
[[series]]
label = "sub-tables"
scheme = "multiple"
buckets = 102
bucket_size = 1
choices = 3
sub_tables = true
workload = { start = "overflow-list" }
[[series]]
label = "d-random"
scheme = "d-random"
buckets = 34
bucket_size = 3
choices = [2, 4]
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 51
bucket_size = 2
choices = 3
sub_tables = true
ties = "left"
"#;

pub(super) const EVERY_POISSON_IN_LOCKSTEP: &str = r#"
title = "every table with Poisson arrivals whose trials go in lockstep"
trials = 19
[workload]
kind = "open"
warm_up = 1.0
duration = 2.0
start = ["filled", "empty"]
[point]
elements = 100
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 50
bucket_size = [1, 2, 3, 4]
[[series]]
label = "MULTIPLE"
scheme = "multiple"
buckets = 50
bucket_size = 2
choices = 2
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "70 50 30"
bucket_size = [1, 2]
[[series]]
label = "d-random"
scheme = "d-random"
buckets = 50
choices = 2
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 60
bucket_size = 2
choices = 3
sub_tables = true
ties = "left"
"#;

pub(super) const EVERY_FLOW_IN_LOCKSTEP: &str = r#"
title = "every table behind on-off flows whose trials go in lockstep"
trials = 19
[workload]
kind = "on-off"
flows = 30
rate = 0.029
burst = 6
warm_up = [0, 500]
slots = 1000
bin_width = 5
largest = 80
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 20
bucket_size = [1, 2, 3, 4]
[[series]]
label = "MULTIPLE"
scheme = "multiple"
buckets = 20
bucket_size = 2
choices = 2
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "20 12 8"
bucket_size = [1, 2]
[[series]]
label = "d-random"
scheme = "d-random"
buckets = 20
choices = 2
[[series]]
label = "d-left"
scheme = "d-random"
buckets = 30
bucket_size = 2
choices = 3
sub_tables = true
ties = "left"
"#;

pub(super) const EVERY_FILL_IN_LOCKSTEP: &str = r#"
title = "every fill whose trials go in lockstep"
trials = 19
[workload]
kind = "static-fill"
[point]
elements = 100
[[series]]
label = "Cons"
scheme = "conservative"
sub_table_buckets = "50 40 28 17"
[[series]]
label = "SC"
scheme = "second-chance"
sub_table_buckets = "60 50 10"
[[series]]
label = "SC2"
scheme = "second-chance"
bucket_size = 2
sub_table_buckets = "20 18 9 3 2"
[[series]]
label = "SCExt"
scheme = "extreme-second-chance"
moves_to = "later"
sub_table_buckets = "38 34 26 12"
[[series]]
label = "SCExt, with more buckets than there are numbers of 16 bits"
scheme = "extreme-second-chance"
moves_to = "later"
sub_table_buckets = "38 34 26 70000"
[[series]]
label = "SINGLE"
scheme = "single"
buckets = 50
bucket_size = [1, 2, 3, 4]
[[series]]
label = "Std and Std2"
scheme = "multiple"
sub_table_buckets = "40 25 15 8"
bucket_size = [1, 2]
"#;
