//! The packets of a trace divided among trials.

use super::params::{WINDOW, WINDOWS};
use crate::params::{ParamError, Params};

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;

/// How packets are divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Windows {
    /// Not at all: each trial has all packets.
    Whole,
    /// Into so many equal parts.
    Parts(u32),
    /// Into windows of so many nanoseconds.
    Nanoseconds(u64),
}

/// Packets in groups, one behind the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Division {
    /// The numbers of the packets, those of each group in the order of the capture.
    pub packets: Vec<u32>,
    /// Where each group ends among them; no group is empty.
    pub ends: Vec<usize>,
}

impl Windows {
    /// Reads how so many packets are divided.
    ///
    /// # Errors
    /// Both ways to divide them, or more parts than packets.
    pub fn from_params(params: &Params, packets: u32) -> Result<Self, ParamError> {
        let [parts, window] = [WINDOWS, WINDOW].map(|param| params.get(param.name).is_some());
        match (parts, window) {
            (true, true) => {
                let reason = "packets are divided into equal parts by `windows` or by their times with `window`: leave out one of the two";
                Err(ParamError::new(WINDOW.name, reason))
            }
            (true, false) => {
                let parts = params.small(WINDOWS.name)?;
                if parts > packets {
                    let reason = format!("{packets} packets cannot be divided into {parts} parts");
                    return Err(ParamError::new(WINDOWS.name, reason));
                }
                Ok(Windows::Parts(parts))
            }
            (false, true) => {
                Ok(Windows::Nanoseconds((params.number(WINDOW.name)? * SECOND).round() as u64))
            }
            (false, false) => Ok(Windows::Whole),
        }
    }

    /// Divides so many packets with these times, the first of all packets. `None` where no window of time is complete
    /// or times are missing.
    pub fn divide(self, packets: usize, times: Option<&[u64]>) -> Option<Division> {
        match self {
            Windows::Whole => parts(packets, 1),
            Windows::Parts(number) => parts(packets, number as usize),
            Windows::Nanoseconds(length) => of_time(length, &times?[..packets]),
        }
    }
}

fn parts(packets: usize, number: usize) -> Option<Division> {
    if packets < number {
        return None;
    }
    let end = |part: usize| (packets as u128 * part as u128 / number as u128) as usize;
    Some(Division { packets: (0..).take(packets).collect(), ends: (1..=number).map(end).collect() })
}

/// Groups packets by the window of their time, also where times go back.
fn of_time(length: u64, times: &[u64]) -> Option<Division> {
    let (first, last) = (*times.iter().min()?, *times.iter().max()?);
    let complete = (last - first) / length;
    let window = |time: u64| (time - first) / length;
    let mut grouped: Vec<(u64, u32)> =
        times.iter().map(|&time| window(time)).zip(0..).filter(|own| own.0 < complete).collect();
    // Packets of a window keep their order: no two are equal, as their numbers differ.
    grouped.sort_unstable();
    let is_last =
        |place: &usize| grouped.get(place + 1).is_none_or(|next| next.0 != grouped[*place].0);
    let ends: Vec<usize> = (0..grouped.len()).filter(is_last).map(|place| place + 1).collect();
    let packets = grouped.into_iter().map(|(_, packet)| packet).collect();
    (!ends.is_empty()).then_some(Division { packets, ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_up_to_one_packet() {
        let division = Windows::Parts(3).divide(11, None).unwrap();
        assert_eq!((division.packets, division.ends), ((0..11).collect(), vec![3, 7, 11]));
        assert_eq!(Windows::Parts(3).divide(2, None), None);
        assert_eq!(Windows::Whole.divide(2, None).unwrap().ends, [2]);
    }

    /// Times that go back, a window without a packet, and a last one that is not complete.
    #[test]
    fn windows_of_time_are_those_of_the_timestamps() {
        let times = [1003, 1000, 1012, 1009, 1031, 1030, 1045, 1040];
        let division = Windows::Nanoseconds(10).divide(8, Some(&times)).unwrap();
        assert_eq!(division.packets, [0, 1, 3, 2, 4, 5]);
        assert_eq!(division.ends, [3, 4, 6]);
        let of_first = Windows::Nanoseconds(10).divide(4, Some(&times)).unwrap();
        assert_eq!((of_first.packets, of_first.ends), (vec![0, 1, 3], vec![3]));
        for (length, times) in [(46, Some(&times[..])), (10, None)] {
            assert_eq!(Windows::Nanoseconds(length).divide(8, times), None);
        }
    }
}
