//! Records as lines of text: pairs of addresses.

use std::net::IpAddr;

use crate::key::{KeyKind, LONGEST_KEY};

/// The key of a line `source destination`, both IPv4 or both IPv6; returns its length.
pub(crate) fn key_of_pair(
    line: &[u8],
    kind: KeyKind,
    key: &mut [u8; LONGEST_KEY],
) -> Option<usize> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let source: IpAddr = words.next()?.parse().ok()?;
    let destination: IpAddr = words.next()?.parse().ok()?;
    if words.next().is_some() || source.is_ipv4() != destination.is_ipv4() {
        return None;
    }
    let mut end = 0;
    if kind != KeyKind::Dst {
        end = put_address(source, end, key);
    }
    if kind != KeyKind::Src {
        end = put_address(destination, end, key);
    }
    Some(end)
}

pub(super) fn put_address(address: IpAddr, start: usize, key: &mut [u8; LONGEST_KEY]) -> usize {
    match address {
        IpAddr::V4(v4) => put(&v4.octets(), start, key),
        IpAddr::V6(v6) => put(&v6.octets(), start, key),
    }
}

pub(super) fn put(bytes: &[u8], start: usize, key: &mut [u8; LONGEST_KEY]) -> usize {
    let end = start + bytes.len();
    key[start..end].copy_from_slice(bytes);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(line: &[u8], kind: KeyKind) -> Option<Vec<u8>> {
        let mut key = [0; LONGEST_KEY];
        let length = key_of_pair(line, kind, &mut key)?;
        Some(key[..length].to_vec())
    }

    #[test]
    fn pairs_are_two_addresses_of_one_family() {
        assert_eq!(pair(b"1.2.3.4 5.6.7.8", KeyKind::SrcDst).unwrap(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(pair(b"1.2.3.4 5.6.7.8\r", KeyKind::Dst).unwrap(), [5, 6, 7, 8]);
        assert_eq!(pair(b"::1 2::", KeyKind::Src).unwrap().len(), 16);
        for bad in ["1.2.3.4", "1.2.3.4 5.6.7.8 9", "1.2.3.4 ::1", "1.2.3.4 5.6.7", "\u{fe} x"] {
            assert_eq!(pair(bad.as_bytes(), KeyKind::SrcDst), None, "{bad}");
        }
    }
}
