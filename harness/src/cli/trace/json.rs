//! What is in a trace, as JSON.

use loadfactor_traces::{
    CaptureInfo, DamageLog, FlowStatistics, Info, Interface, RecordInfo, RepeatStatistics,
};
use serde_json::{Value, json};

/// One object; times are in nanoseconds since 1970.
pub(super) fn object(label: &str, info: &Info) -> Value {
    match info {
        Info::Capture(capture) => of_capture(label, capture),
        Info::Records(records) => of_records(label, records),
    }
}

fn of_capture(label: &str, info: &CaptureInfo) -> Value {
    let formats = info.formats.iter().map(|format| {
        json!({
            "container": format.container.to_string(),
            "byte_order": format.byte_order.to_string(),
            "compression": format.compression.to_string(),
        })
    });
    let unread = info.unread.by_number().into_iter();
    let unread =
        unread.map(|(kind, packets)| json!({ "kind": kind.to_string(), "packets": packets }));
    json!({
        "trace": label,
        "files": info.files,
        "formats": formats.collect::<Vec<_>>(),
        "interfaces": info.interfaces.iter().map(interface).collect::<Vec<_>>(),
        "more_interfaces": info.has_more_interfaces,
        "packets": info.packets,
        "ipv4": info.ipv4,
        "ipv6": info.ipv6,
        "other": unread.collect::<Vec<_>>(),
        "tcp": info.tcp,
        "tcp_without_numbers": info.tcp_without_numbers,
        "distinct": {
            "five-tuple": info.five_tuples,
            "src-dst": info.src_dsts,
            "tcp-header": info.tcp_headers,
        },
        "flows": info.flows.as_ref().map(flows),
        "repeats": info.repeats.as_ref().map(repeats),
        "untimed": info.untimed,
        "times": info.times.map(|times| json!({
            "earliest": times.earliest,
            "latest": times.latest,
            "steps_back": times.steps_back,
            "jumps": times.jumps,
        })),
        "damage": damage(&info.damage),
    })
}

fn flows(flows: &FlowStatistics) -> Value {
    json!({
        "packets": flows.packets,
        "flows": flows.flows,
        "largest_share": flows.largest_share(),
        "ten_largest_share": flows.ten_largest_share(),
        "single_packet_share": flows.single_packet_share(),
        "following_share": flows.following_share(),
        "packets_per_flow": flows.packets_per_flow(),
        "flows_per_pair": flows.flows_per_pair(),
        "both_directions_share": flows.both_directions_share(),
        "ipv6_share": flows.ipv6_share(),
    })
}

fn repeats(repeats: &RepeatStatistics) -> Value {
    json!({
        "packets": repeats.packets,
        "repeated": repeats.repeated,
        "repeated_share": repeats.repeated_share(),
        "distance_quartiles": repeats.distance,
    })
}

fn interface(interface: &Interface) -> Value {
    json!({
        "link_type": interface.link_number,
        "link": interface.link().map(|link| link.to_string()),
        "snaplen": interface.snaplen,
        "ticks_per_second": interface.ticks_per_second,
        "offset_seconds": interface.offset_seconds,
    })
}

fn of_records(label: &str, info: &RecordInfo) -> Value {
    let distinct = info.distinct.iter().map(|(kind, keys)| (kind.to_string(), json!(keys)));
    let compressions = info.compressions.iter().map(ToString::to_string);
    json!({
        "trace": label,
        "files": info.files,
        "layout": info.layout.to_string(),
        "compressions": compressions.collect::<Vec<_>>(),
        "records": info.records,
        "unassigned_protocols": info.unassigned,
        "distinct": distinct.collect::<serde_json::Map<_, _>>(),
        "flows": info.flows.as_ref().map(flows),
        "repeats": info.repeats.as_ref().map(repeats),
        "damage": damage(&info.damage),
    })
}

fn damage(log: &DamageLog) -> Value {
    let first = log.first().iter().map(|damage| {
        json!({
            "file": damage.file.as_ref().map(|file| file.display().to_string()),
            "record": damage.record,
            "byte": damage.offset,
            "flaw": damage.flaw.to_string(),
        })
    });
    json!({ "total": log.total(), "first": first.collect::<Vec<_>>() })
}
