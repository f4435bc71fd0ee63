//! [`Info`] as people read it.

use std::fmt;

use super::{CaptureInfo, FlowStatistics, Info, RecordInfo, RepeatStatistics, Times};
use crate::capture::Interface;
use crate::damage::DamageLog;
use crate::key::KeyKind;
use crate::records::misfit;
use crate::unread::UnreadCounts;

/// Kinds of what is not read that are shown one by one.
const UNREAD_SHOWN: usize = 8;

/// Width of the names at the left.
const NAMES: usize = 27;

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Info::Capture(capture) => capture.fmt(f),
            Info::Records(records) => records.fmt(f),
        }
    }
}

impl fmt::Display for CaptureInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        files(f, self.files)?;
        for format in &self.formats {
            line(f, "format", format_args!("{}, {}", format.container, format.byte_order))?;
            line(f, "compression", format.compression)?;
        }
        for interface in &self.interfaces {
            line(f, "link type", interface)?;
        }
        if self.has_more_interfaces {
            line(f, "link type", "and other interfaces")?;
        }
        let other = self.packets - self.ipv4 - self.ipv6;
        let versions = [self.ipv4, self.ipv6, other].map(grouped);
        let [v4, v6, other] = versions;
        let packets = grouped(self.packets);
        line(f, "packets", format_args!("{packets} (IPv4 {v4}, IPv6 {v6}, other {other})"))?;
        unread(f, &self.unread)?;
        line(f, "TCP packets", self.tcp_line())?;
        line(f, "distinct 5-tuples", grouped(self.five_tuples as u64))?;
        line(f, "distinct (src,dst)", grouped(self.src_dsts as u64))?;
        line(f, "distinct (src,dst,seq,ack)", self.tcp_header_line())?;
        if self.untimed > 0 {
            let packets = grouped(self.untimed);
            line(f, "left out", format_args!("{packets} packets, which have no time"))?;
        }
        match (&self.times, self.packets) {
            (Some(times), _) => line(f, "duration", times)?,
            (None, 0) => line(f, "duration", "no packets")?,
            (None, _) => line(f, "duration", "no timestamps")?,
        }
        order(f, &self.flows, &self.repeats)?;
        damage(f, &self.damage)
    }
}

impl CaptureInfo {
    fn tcp_line(&self) -> String {
        match self.tcp_without_numbers {
            0 => grouped(self.tcp),
            more => format!("{} (and {} without TCP header)", grouped(self.tcp), grouped(more)),
        }
    }

    fn tcp_header_line(&self) -> String {
        let (keys, packets) = (self.tcp_headers as u64, self.tcp);
        match packets {
            0 => "0".to_owned(),
            _ => {
                let repeated = 100.0 * (1.0 - keys as f64 / packets as f64);
                let (keys, packets) = (grouped(keys), grouped(packets));
                format!("{keys} of {packets} packets ({repeated:.1} % repeated)")
            }
        }
    }
}

impl fmt::Display for RecordInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        files(f, self.files)?;
        line(f, "format", format_args!("flow-key records, layout {}", self.layout))?;
        for compression in &self.compressions {
            line(f, "compression", compression)?;
        }
        match self.layout.record_length() {
            Some(bytes) => line(f, "bytes per record", bytes)?,
            None => line(f, "bytes per record", "text, one line each")?,
        }
        line(f, "records", grouped(self.records))?;
        if self.fits_badly() {
            let (odd, all) = (grouped(self.unassigned), grouped(self.records));
            let why = format!("{odd} of {all} protocol numbers are not assigned: another layout?");
            line(f, "warning", why)?;
        }
        for &(kind, keys) in &self.distinct {
            let name = match kind {
                KeyKind::FiveTuple => "distinct 5-tuples",
                KeyKind::TcpHeader => "distinct (src,dst,seq,ack)",
                KeyKind::Src => "distinct src",
                KeyKind::Dst => "distinct dst",
                KeyKind::SrcDst => "distinct (src,dst)",
            };
            line(f, name, grouped(keys as u64))?;
        }
        order(f, &self.flows, &self.repeats)?;
        damage(f, &self.damage)
    }
}

impl RecordInfo {
    /// Whether more protocol numbers than a stray one or two are not assigned.
    fn fits_badly(&self) -> bool {
        misfit(self.unassigned, self.records)
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.link() {
            Some(link) => write!(f, "{link} ({})", self.link_number)?,
            None => write!(f, "{}, which is not read", self.link_number)?,
        }
        match self.snaplen {
            0 => f.write_str(", snaplen unlimited")?,
            snaplen => write!(f, ", snaplen {}", grouped(snaplen.into()))?,
        }
        match self.ticks_per_second {
            1_000 => f.write_str(", time in ms")?,
            1_000_000 => f.write_str(", time in µs")?,
            1_000_000_000 => f.write_str(", time in ns")?,
            ticks => write!(f, ", time in 1/{} s", grouped(ticks))?,
        }
        match self.offset_seconds {
            0 => Ok(()),
            seconds => write!(f, ", {seconds:+} s"),
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span() {
            short @ ..0.1 if short > 0.0 => write!(f, "{:.3} ms", 1000.0 * short)?,
            seconds => write!(f, "{seconds:.1} s")?,
        }
        if self.steps_back > 0 {
            write!(f, "; timestamps go back {}", times(self.steps_back))?;
        }
        if self.jumps > 0 {
            write!(f, "; timestamps jump by more than an hour {}", times(self.jumps))?;
        }
        match self.steps_back + self.jumps {
            0 => Ok(()),
            _ => f.write_str(": use packet order"),
        }
    }
}

fn files(f: &mut fmt::Formatter<'_>, files: usize) -> fmt::Result {
    if files > 1 { line(f, "files", grouped(files as u64)) } else { Ok(()) }
}

/// What is not read, the most frequent first.
fn unread(f: &mut fmt::Formatter<'_>, counts: &UnreadCounts) -> fmt::Result {
    let kinds = counts.by_number();
    for (kind, packets) in kinds.iter().take(UNREAD_SHOWN) {
        line(f, "other", format_args!("{}: {kind}", grouped(*packets)))?;
    }
    match kinds.get(UNREAD_SHOWN..) {
        None | Some([]) => Ok(()),
        Some(more) => {
            let packets = more.iter().map(|(_, packets)| packets).sum();
            let kinds = grouped(more.len() as u64);
            line(f, "other", format_args!("{} of {kinds} more kinds", grouped(packets)))
        }
    }
}

/// The flows and the repeated packets, as far as they were measured.
fn order(
    f: &mut fmt::Formatter<'_>,
    flows: &Option<FlowStatistics>,
    repeats: &Option<RepeatStatistics>,
) -> fmt::Result {
    if let Some(flows) = flows {
        for (name, value) in flow_lines(flows) {
            line(f, name, value)?;
        }
    }
    match repeats {
        Some(RepeatStatistics { distance: Some([lower, median, upper]), .. }) => {
            let [lower, median, upper] = [*lower, *median, *upper].map(grouped);
            let quartiles = format!("median {median} packets, quartiles {lower} and {upper}");
            line(f, "distance of repeats", quartiles)
        }
        _ => Ok(()),
    }
}

fn flow_lines(flows: &FlowStatistics) -> [(&'static str, String); 8] {
    let percent = |share: f64, of: &str| format!("{:.1} % of the {of}", 100.0 * share);
    [
        ("largest flow", percent(flows.largest_share(), "packets")),
        ("ten largest flows", percent(flows.ten_largest_share(), "packets")),
        ("flows of one packet", percent(flows.single_packet_share(), "flows")),
        ("following their own flow", percent(flows.following_share(), "packets")),
        ("packets per flow", format!("{:.2}", flows.packets_per_flow())),
        ("flows per (src,dst)", format!("{:.2}", flows.flows_per_pair())),
        ("flows in both directions", percent(flows.both_directions_share(), "flows")),
        ("IPv6", percent(flows.ipv6_share(), "packets")),
    ]
}

fn damage(f: &mut fmt::Formatter<'_>, log: &DamageLog) -> fmt::Result {
    if log.is_empty() {
        return line(f, "damage", "none");
    }
    for entry in log.to_string().lines() {
        line(f, "damage", entry)?;
    }
    Ok(())
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, value: impl fmt::Display) -> fmt::Result {
    writeln!(f, "  {name:<NAMES$} {value}")
}

/// How often something happens.
fn times(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "time" } else { "times" })
}

/// A number with a comma before each group of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups_of_three_digits() {
        let texts = [0, 999, 1000, 31_249, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "31,249", "1,000,000"]);
    }
}
