//! Definitions that the tests run.

/// Two schemes, four points, done at once.
pub const DUEL: &str = r#"title  = "Two choices against one"
trials = { smoke = 12, quick = 16, paper = 32 }
# So few trials decide little.
largest_room = 1000

[workload]
kind   = "alternation"
rounds = 500

[point]
buckets = 64
load    = [0.5, 1.0]

[[series]]
label  = "SINGLE"
scheme = "single"

[[series]]
label   = "MULTIPLE"
scheme  = "multiple"
choices = 2

[[figure]]
x = "load"
y = "overflow_fraction"
"#;

/// Four points of ten batches each. Where ties in sub-tables are broken at random, trials do not go in lockstep, many to a batch.
pub const LONG: &str = r#"title  = "Forty batches"
trials = 10

[workload]
kind   = "alternation"
rounds = 1_400_000

[point]
scheme  = "d-random"
buckets = 64
choices = 2
sub_tables = true
load    = [0.25, 0.5, 0.75, 1.0]

[[series]]
label = "d-random"

[[figure]]
x = "load"
y = "overflow_fraction"
"#;

/// More batches than anyone waits for.
pub fn endless() -> String {
    LONG.replace("trials = 10", "trials = 1_000_000")
}

/// Packets of a capture under a real hash function, with repeated keys and without.
pub const PACKETS: &str = r#"title  = "Packets"
trials = 12

[workload]
kind   = "alternation"
rounds = 2000
keys   = "trace"
trace  = "packets.pcap"

[point]
scheme  = "single"
hash    = "xxh3"
buckets = 64
load    = 0.5

[[series]]
label = "as captured"

[[series]]
label    = "repeats removed"
workload = { repeated_keys = "remove" }
"#;

/// The laws of two multilevel tables.
pub const LAWS: &str = r#"title  = "Laws"
trials = 13

[workload]
kind          = "static-fill"
overflow_law  = 2
sub_table_law = 2
law_from      = 16
law_to        = 20
law_step      = 2

[point]
elements = 64
buckets  = 64
choices  = 3

[[series]]
label  = "second chance"
scheme = "second-chance"

[[series]]
label      = "standard"
scheme     = "multiple"
sub_tables = true

[[figure]]
x       = "number"
y       = "subtable_elements_at_most"
y_scale = "probit"
"#;
