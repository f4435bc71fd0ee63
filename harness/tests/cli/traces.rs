//! Captures: looking into them, exporting their keys, running on them.

use std::fs;

use insta::assert_snapshot;

use crate::definitions::{DUEL, PACKETS};
use crate::numbers::at_root;
use crate::sandbox::{Sandbox, redacted};

/// A sandbox with a capture beside the definition `packets`.
fn with_capture() -> Sandbox {
    let sandbox = Sandbox::new(&[("packets", PACKETS)]);
    let synth =
        "trace synth --packets 20000 --seed 3 --active-flows 200 --out experiments/packets.pcap";
    sandbox.run(synth).exits(0);
    sandbox
}

/// Cuts the capture off in the middle of a packet.
fn with_damaged_capture() -> Sandbox {
    let sandbox = with_capture();
    let capture = fs::read(sandbox.path("experiments/packets.pcap")).unwrap();
    sandbox.write("experiments/packets.pcap", &capture[..600_000]);
    sandbox
}

#[test]
fn synth_says_what_it_made() {
    let sandbox = Sandbox::new(&[]);
    let done =
        sandbox.run("trace synth --packets 20000 --seed 3 --active-flows 200 --out t.pcap.zst");
    assert_snapshot!(done.exits(0).stderr, @"t.pcap.zst: 20000 packets of 3004 flows; 2924 of 16239 TCP packets repeat an earlier (src, dst, seq, ack)");
    let done = sandbox.run("trace synth --packets 10 --tcp-share 1.5 --out bad.pcap").exits(2);
    assert_snapshot!(done.stderr, @"error: tcp_share and udp_share must be at least 0, and together at most 1");
    assert!(!sandbox.path("bad.pcap").exists());
}

#[test]
fn synth_makes_a_capture_like_that_of_a_link() {
    let sandbox = Sandbox::new(&[]);
    let synth = "trace synth --preset auckland --out t.pcap --seed 3 --repeat-distance 20";
    assert_snapshot!(sandbox.run(synth).exits(0).stderr, @"t.pcap: 31249 packets of 2446 flows; 4687 of 25945 TCP packets repeat an earlier (src, dst, seq, ack)");
    let told = sandbox.run("trace info --flows t.pcap").exits(0).stdout;
    let lines: Vec<&str> = told.lines().skip_while(|l| !l.contains("largest flow")).collect();
    assert_snapshot!(lines.join("\n"), @"
    largest flow                1.9 % of the packets
    ten largest flows           16.1 % of the packets
    flows of one packet         22.8 % of the flows
    following their own flow    21.0 % of the packets
    packets per flow            12.80
    flows per (src,dst)         2.40
    flows in both directions    0.0 % of the flows
    IPv6                        0.0 % of the packets
    distance of repeats         median 22 packets, quartiles 2 and 115
    damage                      none
    ");
}

#[test]
fn synth_refuses_what_it_cannot_reach() {
    let sandbox = Sandbox::new(&[]);
    let refused = |arguments: &str| {
        let done = sandbox.run(&format!("trace synth --out t.pcap {arguments}")).exits(2);
        assert!(!sandbox.path("t.pcap").exists());
        done.stderr
    };
    let page = fs::read_to_string(at_root("docs/SYNTHETIC.md")).unwrap();
    for arguments in ["--preset caida --repeated-share 0.99", "--preset caida --packets 30000"] {
        let error = refused(arguments);
        assert!(page.contains(error.trim_end()), "docs/SYNTHETIC.md quotes another error: {error}");
    }
    assert_snapshot!(refused("--preset wand --ten-largest-share 0.2"), @"error: ten_largest_share = 0.2 cannot be reached: with the other parameters as they are, about 0.015 to 0.15 can be");
    assert_snapshot!(refused("--packets 50000 --repeated-share 0.99"), @"error: repeated_share = 0.99 cannot be reached: 0.806 of the TCP packets repeat one, as the first of a flow cannot; larger flows (`tail`, `largest_flow`) have fewer of these");
    assert!(refused("--preset caida --tail 1").contains("cannot be used with"));
    assert!(refused("--largest-share 0.1").contains("--preset"));
    assert!(refused("--preset cadia").contains("caida, wand, auckland"));
}

#[test]
fn a_definition_names_the_link_that_its_trace_is_like() {
    let on = |trace: &str| PACKETS.replace("\"packets.pcap\"", trace);
    let definition = on("{ packets = 20_000, preset = \"auckland\" }");
    let sandbox = Sandbox::new(&[("packets", &definition)]);
    let plan = sandbox.run("plan packets").exits(0).stdout;
    assert!(plan.contains("20000 packets, about 1.3 MB in results/traces/"), "{plan}");
    sandbox.run("run packets -q").exits(0);
    let made = fs::read(sandbox.path("results/traces/synthetic-auckland-20000-1.pcap")).unwrap();
    let synth = "trace synth --preset auckland --packets 20000 --out same.pcap";
    sandbox.run(synth).exits(0);
    assert!(fs::read(sandbox.path("same.pcap")).unwrap() == made);
    sandbox.write("experiments/packets.toml", on("{ packets = 20_000, preset = \"aukland\" }"));
    assert_snapshot!(sandbox.run("check packets").exits(2).stderr, @r#"
    error: `preset` cannot be the text "aukland"
     --> experiments/packets.toml:8:39
      |
    8 | trace  = { packets = 20_000, preset = "aukland" }
      |                                       ^^^^^^^^^ expected one of "caida", "wand", "auckland"
      |
      = help: did you mean "auckland"?
    "#);
    sandbox.write("experiments/packets.toml", on("{ packets = 20_000, preset = \"caida\" }"));
    assert_snapshot!(sandbox.run("check packets").exits(2).stderr, @r#"
    error: no such trace can be made: packets_per_flow = 12.11201550387597 cannot be reached: with the other parameters as they are, about 1.82 to 6.28 can be
     --> experiments/packets.toml:8:10
      |
    8 | trace  = { packets = 20_000, preset = "caida" }
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: a longer capture reaches more
    "#);
}

#[test]
fn info_counts() {
    let done = with_capture().run("trace info experiments/packets.pcap").exits(0);
    assert_snapshot!(done.stdout, @"
    experiments/packets.pcap
      format                      pcap, little-endian
      compression                 none
      link type                   RAW IP (101), snaplen 52, time in µs
      packets                     20,000 (IPv4 20,000, IPv6 0, other 0)
      TCP packets                 16,239
      distinct 5-tuples           3,001
      distinct (src,dst)          1,311
      distinct (src,dst,seq,ack)  13,315 of 16,239 packets (18.0 % repeated)
      duration                    51.136 ms
      damage                      none
    ");
}

#[test]
fn info_measures_flows_if_asked_to() {
    let sandbox = with_capture();
    let done = sandbox.run("trace info --flows experiments/packets.pcap").exits(0);
    let lines: Vec<&str> = done.stdout.lines().skip_while(|l| !l.contains("duration")).collect();
    assert_snapshot!(lines.join("\n"), @"
    duration                    51.136 ms
    largest flow                0.6 % of the packets
    ten largest flows           5.2 % of the packets
    flows of one packet         43.2 % of the flows
    following their own flow    0.4 % of the packets
    packets per flow            6.66
    flows per (src,dst)         2.29
    flows in both directions    0.0 % of the flows
    IPv6                        0.0 % of the packets
    distance of repeats         median 113 packets, quartiles 46 and 233
    damage                      none
    ");
    let done = sandbox.run("trace info --flows --format json experiments/packets.pcap").exits(0);
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(told[0]["flows"]["flows"], told[0]["distinct"]["five-tuple"]);
    assert_eq!(told[0]["repeats"]["repeated"], 2924);
    let done = sandbox.run("trace info --format json experiments/packets.pcap").exits(0);
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert!(told[0]["flows"].is_null() && told[0]["repeats"].is_null());
}

#[test]
fn info_reports_damage() {
    let done = with_damaged_capture().run("trace info experiments/packets.pcap").exits(0);
    let damage: Vec<&str> = done.stdout.lines().skip_while(|l| !l.contains("damage")).collect();
    assert_snapshot!(damage.join("\n"), @"  damage                      record 9469 at byte 599958: cut short: 42 of 56 bytes are there");
}

#[test]
fn keys_are_exported() {
    let sandbox = with_capture();
    let done = sandbox.run("trace keys experiments/packets.pcap").exits(0);
    assert_eq!(done.stdout.lines().count(), 20_001);
    assert_snapshot!(done.stdout.lines().take(3).collect::<Vec<_>>().join("\n"), @"
    src,dst,src_port,dst_port,protocol
    209.231.19.197,125.27.159.56,22,33485,6
    2.1.139.115,122.221.132.230,80,40169,6
    ");
    let distinct = "trace keys experiments/packets.pcap --key tcp-header --distinct --out keys.csv";
    assert_snapshot!(sandbox.run(distinct).exits(0).stderr, @"experiments/packets.pcap: 13315 keys of 20000 packets, 3761 without such a key");
    assert_eq!(sandbox.read("keys.csv").lines().count(), 13_316);
}

#[test]
fn a_run_on_a_capture_names_it() {
    let sandbox = with_capture();
    sandbox.run("run packets -q").exits(0);
    let manifest: serde_json::Value =
        serde_json::from_str(&sandbox.read("results/packets/manifest.json")).unwrap();
    assert_eq!(manifest["trace"]["file"], "experiments/packets.pcap");
    assert_eq!(manifest["trace"]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_damaged_capture_is_used_as_far_as_it_goes() {
    let done = with_damaged_capture().run("run packets -q").exits(0);
    assert_snapshot!(redacted(&done.stderr), @"
    warning: experiments/packets.pcap: trace is damaged, what is whole was used: record 9469 at byte 599958: cut short: 42 of 56 bytes are there

    packets: 24 trials in [time]
      predictions: 12 agree, 4 differ; bounds: 2 hold, 0 violated; models off: 0; undecided: 4
        as captured: 4 facts differ, most at its only point: arrival_overflow_fraction +11.54 % against exact: Theorem 1
      note: the trace is short: a trial goes through it up to 1.5 times
      open results/packets/report.md
    ");
}

/// The first packets of a capture as a pcapng whose packets have no time, before the same ones with times.
fn with_and_without_times(capture: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(capture[at..at + 4].try_into().unwrap());
    let block = |kind: u32, content: &[u8]| {
        let content =
            [content, &vec![0; content.len().next_multiple_of(4) - content.len()]].concat();
        let length = (content.len() as u32 + 12).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, &content, &length].concat()
    };
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let interface = [word(20).to_le_bytes(), [0; 4]].concat();
    let (mut untimed, mut timed, mut at) = (Vec::new(), Vec::new(), 24);
    while at < capture.len() {
        let data = &capture[at + 16..at + 16 + word(at + 8) as usize];
        let (captured, wire) = (word(at + 8).to_le_bytes(), word(at + 12).to_le_bytes());
        let time = u64::from(word(at)) * 1_000_000 + u64::from(word(at + 4));
        let halves = [(time >> 32) as u32, time as u32].map(u32::to_le_bytes).concat();
        untimed.extend(block(3, &[&captured[..], data].concat()));
        timed.extend(block(6, &[&[0; 4][..], &halves, &captured, &wire, data].concat()));
        at += 16 + data.len();
    }
    [block(0x0a0d_0d0a, &section), block(1, &interface), untimed, timed].concat()
}

/// A span of times holds no packet without one: whoever asks for one is told how many are missing.
#[test]
fn packets_without_times_are_told_where_times_are_asked_for() {
    let sandbox = with_capture();
    let capture = fs::read(sandbox.path("experiments/packets.pcap")).unwrap();
    sandbox.write("experiments/packets.pcap", with_and_without_times(&capture));
    let warning = "experiments/packets.pcap: 20000 packets are left out, which have no time";
    for (arguments, is_said) in [("run packets -q", false), ("run packets -q --from 1", true)] {
        let said = sandbox.run(arguments).exits(0).stderr;
        assert_eq!(said.contains(warning), is_said, "{arguments}: {said}");
    }
    let none = sandbox.run("run packets -q --to 1").exits(1).stderr;
    assert!(none.contains("none of its 0 packets has a"), "{none}");
    assert!(none.contains("20000 are left out, which have no time"), "{none}");
}

#[test]
fn another_capture_in_place_of_the_definitions() {
    let sandbox = with_capture();
    sandbox.run("run packets -q").exits(0);
    let same = fs::read(sandbox.path("experiments/packets.pcap")).unwrap();
    sandbox.write("same.pcap", same);
    let done = sandbox.run("run packets -q --trace same.pcap").exits(0);
    assert!(done.stderr.contains("2 finished batches were taken"), "{}", done.stderr);
    sandbox.run("trace synth --packets 20000 --seed 4 --out other.pcap").exits(0);
    let done = sandbox.run("run packets -q --trace other.pcap").exits(0);
    assert!(!done.stderr.contains("finished batches were taken"), "{}", done.stderr);
}

/// What a definition finds on its own packets is not said of others, whole or in part, nor kept from those it is about.
#[test]
fn findings_are_those_of_the_definitions_packets() {
    let sandbox = with_capture();
    let found = format!("analysis = \"Few keys repeat.\"\n{PACKETS}");
    sandbox.write("experiments/packets.toml", found);
    sandbox.run("trace synth --packets 20000 --seed 4 --out other.pcap").exits(0);
    let is_told = |options: &str| {
        sandbox.run(&format!("run packets -q --fresh {options}")).exits(0);
        sandbox.read("results/packets/report.md").contains("Few keys repeat.")
    };
    assert!(is_told(""));
    assert!(!is_told("--trace other.pcap"));
    assert!(!is_told("--packets 10000"));
}

#[test]
fn a_missing_capture_is_a_mistake_of_the_definition() {
    let sandbox = Sandbox::new(&[("packets", PACKETS)]);
    assert_snapshot!(sandbox.run("run packets").exits(2).stderr, @r#"
    error: no such trace: `experiments/packets.pcap`
     --> experiments/packets.toml:8:10
      |
    8 | trace  = "packets.pcap"
      |          ^^^^^^^^^^^^^^ the path is relative to the definition
      |
      = help: `--trace PATH` takes another one
    "#);
    assert_snapshot!(sandbox.run("run packets --trace none.pcap").exits(2).stderr, @"
    error: no such trace: `none.pcap`, given on the command line
    --> experiments/packets.toml
    ");
}

#[test]
fn a_file_of_another_kind_is_no_capture() {
    let sandbox = Sandbox::new(&[("packets", PACKETS)]);
    sandbox.write("experiments/packets.pcap", "not packets at all\n");
    assert_snapshot!(sandbox.run("run packets -q").exits(1).stderr, @"packets: FAILED: cannot read experiments/packets.pcap as a capture: it is neither pcap nor pcapng; if it is a file of flow keys, give its layout with --layout (elastic13, coco13, waving21, srcdst8, seqack16, srcdst, csv)");
    let info = sandbox.run("trace info experiments/packets.pcap").exits(1);
    assert!(info.stderr.contains("neither pcap nor pcapng"), "{}", info.stderr);
}

#[test]
fn a_trace_that_nothing_looks_at_is_a_mistake() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    sandbox.run("trace synth --packets 1000 --out t.pcap").exits(0);
    let refused = sandbox.run("run duel --packets 5").exits(2).stderr;
    assert!(refused.starts_with("error: --packets has no effect"), "{refused}");
    assert_snapshot!(sandbox.run("run duel --trace t.pcap").exits(2).stderr, @r#"error: --trace has no effect: none of these experiments takes its keys from a trace (`keys = "trace"` under [workload])"#);
}

/// What is read of a trace is the same whether the definition or the command line says it, belongs to the points,
/// and has no part in them where all is read.
#[test]
fn a_part_of_a_trace_is_a_trace_of_its_own() {
    let sandbox = with_capture();
    let left = |arguments: &str| {
        let plan = sandbox.run(&format!("plan packets {arguments}")).exits(0).stdout;
        plan.contains("; 0 batches left")
    };
    sandbox.run("run packets -q").exits(0);
    let whole = sandbox.read("results/packets/table.csv");
    assert!(left("") && left("--decoder-memory 512") && !left("--packets 3000"));
    sandbox.run("run packets -q --packets 3000").exits(0);
    let part = sandbox.read("results/packets/table.csv");
    assert!(part != whole && left("--packets 3000") && !left("--packets 3001"));
    assert!(!left("--packets 3000 --from 1") && !left("--packets 3000 --compression none"));
    let report = sandbox.read("results/packets/report.md");
    assert!(report.contains("\nRead of it: packets 3000.\n"), "{report}");

    let of_path = |keys: &str| {
        let table = format!("trace = {{ path = \"packets.pcap\", {keys} }}");
        PACKETS.replace("trace  = \"packets.pcap\"", &table)
    };
    sandbox.write("experiments/packets.toml", of_path("packets = 3000"));
    assert!(left("") && !left("--packets 3001"));
    sandbox.run("run packets -q").exits(0);
    assert!(sandbox.read("results/packets/table.csv") == part);
    sandbox.run("run packets -q --fresh --trace experiments/packets.pcap").exits(0);
    assert!(sandbox.read("results/packets/table.csv") == whole);
    sandbox.write("experiments/packets.toml", of_path("to = 1"));
    let done = sandbox.run("run packets -q").exits(1);
    assert!(done.stderr.contains("none of its 0 packets has a"), "{}", done.stderr);
}

#[test]
fn keys_never_overwrite_what_they_come_from() {
    let sandbox = with_capture();
    let before = fs::read(sandbox.path("experiments/packets.pcap")).unwrap();
    fs::hard_link(sandbox.path("experiments/packets.pcap"), sandbox.path("link.pcap")).unwrap();
    for out in ["experiments/packets.pcap", "experiments/../link.pcap"] {
        let done =
            sandbox.run(&format!("trace keys experiments/packets.pcap --out {out}")).exits(2);
        assert!(done.stderr.contains("write to another one"), "{}", done.stderr);
    }
    assert_eq!(fs::read(sandbox.path("experiments/packets.pcap")).unwrap(), before);
}

#[test]
fn a_part_of_the_keys_goes_to_standard_output() {
    let sandbox = with_capture();
    let all = sandbox.run("trace keys experiments/packets.pcap").exits(0).stdout;
    let part = sandbox.run("trace keys experiments/packets.pcap --packets 2 --out -").exits(0);
    assert_eq!(part.stdout.lines().collect::<Vec<_>>(), all.lines().take(3).collect::<Vec<_>>());
    let none =
        sandbox.run("trace keys experiments/packets.pcap --to 2008-03-19T11:00:00Z").exits(0);
    assert_eq!(none.stdout.lines().count(), 1);
    let bad = sandbox.run("trace keys experiments/packets.pcap --from noon").exits(2);
    assert!(bad.stderr.contains("seconds since 1970"), "{}", bad.stderr);
    let void = sandbox.run("trace keys experiments/packets.pcap --from 5 --to 3").exits(1);
    assert!(void.stderr.contains("exchange them"), "{}", void.stderr);
}

/// The capture of `with_capture` in two files, whose names are not in the order of time.
fn with_halves() -> Sandbox {
    let sandbox = with_capture();
    let whole = fs::read(sandbox.path("experiments/packets.pcap")).unwrap();
    let (header, packets) = whole.split_at(24);
    let mut cut = 0;
    while cut < packets.len() / 2 {
        let captured = u32::from_le_bytes(packets[cut + 8..cut + 12].try_into().unwrap());
        cut += 16 + captured as usize;
    }
    let (first, second) = packets.split_at(cut);
    fs::create_dir(sandbox.path("halves")).unwrap();
    sandbox.write("halves/2.pcap", [header, first].concat());
    sandbox.write("halves/1.pcap", [header, second].concat());
    sandbox
}

#[test]
fn files_of_a_folder_are_one_trace() {
    let sandbox = with_halves();
    let one = sandbox.run("trace info experiments/packets.pcap").exits(0).stdout;
    for words in ["halves", "halves/*.pcap", "halves/1.pcap halves/2.pcap"] {
        let done = sandbox.run(&format!("trace info {words}")).exits(0);
        let (label, counts) = done.stdout.split_once('\n').unwrap();
        assert_eq!(label, "2 files, halves/2.pcap to halves/1.pcap");
        let of_one = one.split_once('\n').unwrap().1;
        assert_eq!(counts.split_once('\n').unwrap().1, of_one, "{words}");
    }
    let each = sandbox.run("trace info --each halves").exits(0);
    assert_eq!(each.stdout.matches("  duration  ").count(), 2);
    let with_input = sandbox.run("trace info --each - halves").exits(1);
    assert_eq!(with_input.stdout.matches("  duration  ").count(), 2);
    assert!(with_input.stderr.contains("cannot read - as a capture"), "{}", with_input.stderr);
}

/// A table without its last column but one, `fact`, which depends on the bytes of the files.
fn without_facts(table: &str) -> Vec<String> {
    let row = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.remove(cells.len() - 2);
        cells.join(",")
    };
    table.lines().map(row).collect()
}

#[test]
fn a_run_on_many_files_is_one_on_their_packets() {
    let sandbox = with_halves();
    sandbox.run("run packets -q").exits(0);
    let table = |folder: &str| without_facts(&sandbox.read(&format!("{folder}/packets/table.csv")));
    let of_one = table("results");
    sandbox.run("run packets -q --trace halves --out folder").exits(0);
    assert_eq!(table("folder"), of_one);
    let listed = PACKETS.replace("\"packets.pcap\"", "[\"../halves/1.pcap\", \"../halves/2.*\"]");
    sandbox.write("experiments/packets.toml", listed);
    sandbox.run("run packets -q --out list").exits(0);
    assert_eq!(table("list"), of_one);
}

#[test]
fn a_list_of_traces_is_checked_one_by_one() {
    let listed = PACKETS.replace("\"packets.pcap\"", "[\"none.pcap\", 3]");
    let sandbox = Sandbox::new(&[("packets", &listed)]);
    let done = sandbox.run("run packets -q").exits(2);
    let said = ["no such trace: `experiments/none.pcap`", "`trace` cannot be 3", "a list of paths"];
    assert!(said.iter().all(|part| done.stderr.contains(part)), "{}", done.stderr);
}

#[test]
fn info_is_told_as_json() {
    let sandbox = with_damaged_capture();
    let done = sandbox.run("trace info --format json experiments/packets.pcap").exits(0);
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(told[0]["packets"], 9468);
    assert_eq!(told[0]["formats"][0]["container"], "pcap");
    assert_eq!(told[0]["damage"]["total"], 1);
    assert_eq!(told[0]["damage"]["first"][0]["byte"], 599_958);
}

#[test]
fn strict_makes_damage_an_exit_status() {
    let sandbox = with_damaged_capture();
    sandbox.run("trace info --strict experiments/packets.pcap").exits(3);
    sandbox.run("trace keys --strict experiments/packets.pcap --out keys.csv").exits(3);
    with_capture().run("trace info --strict experiments/packets.pcap").exits(0);
}

#[test]
fn a_trace_without_most_keys_is_warned_about() {
    let sandbox = Sandbox::new(&[]);
    let synth = "trace synth --packets 2000 --tcp-share 0.1 --udp-share 0.9 --out udp.pcap";
    sandbox.run(synth).exits(0);
    let done = sandbox.run("trace keys --key tcp-header udp.pcap --out keys.csv").exits(0);
    assert!(done.stderr.contains("warning: udp.pcap: "), "{}", done.stderr);
    let done = sandbox.run("trace keys udp.pcap --out keys.csv").exits(0);
    assert!(!done.stderr.contains("warning"), "{}", done.stderr);
}

/// Two experiments that differ in what their trace has in memory alone: times, of eight bytes for each packet.
#[test]
fn the_memory_of_a_plan_counts_the_trace() {
    let sandbox = with_capture();
    let memory = |windows: &str| -> f64 {
        let text = format!(
            "title = \"Windows\"\ntrials = 10\n[workload]\nkind = \"packet-stream\"\npackets = 20_000\n\
             keys = \"trace\"\ntrace = \"packets.pcap\"\n{windows}\n[point]\nscheme = \"count-min\"\n\
             hash = \"xxh3\"\nrows = 2\ncolumns = 64\n[[series]]\nlabel = \"count-min\"\n"
        );
        sandbox.write("experiments/windows.toml", text);
        let plan = sandbox.run("plan windows --format json").exits(0).stdout;
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        plan["experiments"][0]["memory_bytes"].as_f64().unwrap()
    };
    let [parts, times] = [memory("windows = 4"), memory("window = 0.0001")];
    assert!(times - parts > 7.0 * 20_000.0, "{parts} {times}");
}
