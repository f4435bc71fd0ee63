//! Which packets of a trace are read.

use std::str::FromStr;

const NANOSECONDS: u64 = 1_000_000_000;

/// A part of a trace, by time and number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// At most so many packets.
    pub packets: Option<u64>,
    /// Packets of this time or later.
    pub from: Option<Time>,
    /// Packets before this time.
    pub to: Option<Time>,
}

impl Span {
    /// Whether a packet of this time belongs to it; one without a time does where no time is asked
    /// for.
    #[inline]
    pub(crate) fn holds(&self, time: Option<u64>) -> bool {
        match (self.from, self.to, time) {
            (None, None, _) => true,
            (_, _, None) => false,
            (from, to, Some(time)) => {
                from.is_none_or(|from| from.0 <= time) && to.is_none_or(|to| time < to.0)
            }
        }
    }

    /// Whether it has room for another packet.
    #[inline]
    pub(crate) fn goes_on(&self, packets: u64) -> bool {
        self.packets.is_none_or(|most| packets < most)
    }

    /// Whether it ends before it begins.
    pub(crate) fn is_void(&self) -> bool {
        matches!((self.from, self.to), (Some(from), Some(to)) if from >= to)
    }

    /// Whether times are asked for.
    pub fn is_of_times(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}

/// A moment in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub u64);

/// A text that is no time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// It is not written like one.
    #[error("`{0}` is no time: give seconds since 1970, or UTC as 2008-03-19T12:00:00.5Z")]
    Form(String),
    /// Captures cannot have packets so late.
    #[error(
        "`{0}` is too late: times end with July 2554, which is second 18446744073; are these \
         milliseconds?"
    )]
    TooLate(String),
}

impl FromStr for Time {
    type Err = NoTime;

    /// Reads seconds since 1970, or a date and time in UTC, with up to nine decimals.
    fn from_str(text: &str) -> Result<Self, NoTime> {
        let form = || NoTime::Form(text.to_owned());
        let late = || NoTime::TooLate(text.to_owned());
        let number = match text.strip_suffix('Z') {
            Some(date) if date.contains('T') => date,
            _ => text,
        };
        let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
        let seconds = digits(whole).or_else(|| of_date(whole)).ok_or_else(form)?;
        let rest = fraction(decimals).ok_or_else(form)?;
        let nanoseconds =
            seconds.checked_mul(NANOSECONDS).and_then(|whole| whole.checked_add(rest));
        nanoseconds.map(Time).ok_or_else(late)
    }
}

fn digits(text: &str) -> Option<u64> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok())?
}

/// Nanoseconds of the digits behind the point.
fn fraction(decimals: &str) -> Option<u64> {
    match decimals {
        "" => Some(0),
        _ if decimals.len() <= 9 => digits(&format!("{decimals:0<9}")),
        _ => None,
    }
}

/// Seconds since 1970 of `2008-03-19T12:00:00`.
fn of_date(text: &str) -> Option<u64> {
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = three(date, '-')?;
    let [hours, minutes, seconds] = three(time, ':')?;
    let valid = (1970..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_of(year, month)).contains(&day)
        && hours < 24
        && minutes < 60
        && seconds < 60;
    let days =
        days_before(year) + (1..month).map(|month| days_of(year, month)).sum::<u64>() + day - 1;
    valid.then_some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

fn three(text: &str, separator: char) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = text.split(separator).map(digits).collect();
    let numbers: [u64; 3] = numbers?.try_into().ok()?;
    numbers.iter().all(|&number| number < 10_000).then_some(numbers)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days from the beginning of 1970 to that of a year.
fn days_before(year: u64) -> u64 {
    (1970..year).map(|year| 365 + u64::from(is_leap(year))).sum()
}

fn days_of(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_or_dates() {
        for (text, time) in [
            ("0", 0),
            ("1205924400.000001", 1_205_924_400_000_001_000),
            ("2008-03-19T11:00:00Z", 1_205_924_400_000_000_000),
            ("2024-02-29T23:59:59.5", 1_709_251_199_500_000_000),
            ("1970-01-01T00:00:00", 0),
        ] {
            assert_eq!(text.parse(), Ok(Time(time)), "{text}");
        }
        for text in [
            "",
            "-1",
            "noon",
            "2023-02-29T00:00:00Z",
            "2008-03-19",
            "1.0000000001",
            "5Z",
            "2008-03-19T11:00:00ZZ",
        ] {
            assert_eq!(text.parse::<Time>(), Err(NoTime::Form(text.to_owned())));
        }
        for text in ["9999-12-31T23:59:59Z", "99999999999", "1205924400000"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime::TooLate(text.to_owned())));
        }
        assert!("2554-07-21T23:34:33Z".parse::<Time>().is_ok());
    }

    #[test]
    fn spans_begin_with_the_first_moment_and_end_before_the_last() {
        let span = Span { from: Some(Time(5)), to: Some(Time(7)), packets: Some(2) };
        let held: Vec<u64> = (0..10).filter(|&time| span.holds(Some(time))).collect();
        assert_eq!(held, [5, 6]);
        assert!(!span.holds(None) && Span::default().holds(None));
        assert!(span.goes_on(1) && !span.goes_on(2));
    }
}
