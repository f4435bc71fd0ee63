//! Records as lines of text.

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

/// Which columns of a text make up a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    kind: KeyKind,
    places: Vec<usize>,
}

impl Columns {
    /// Finds the columns by their names in the first line; `None` if one is not there.
    pub(crate) fn of_header(line: &[u8], kind: KeyKind) -> Option<Self> {
        let names: Vec<&str> = cells(std::str::from_utf8(line).ok()?).collect();
        let place = |wanted: &&str| names.iter().position(|name| name == wanted);
        let places = kind.columns().iter().map(place).collect::<Option<_>>()?;
        Some(Columns { kind, places })
    }

    /// Puts the key of a line into `key`; returns its length, or `None` if the line has none.
    pub(crate) fn key(&self, line: &[u8], key: &mut [u8; LONGEST_KEY]) -> Option<usize> {
        let cells: Vec<&str> = cells(std::str::from_utf8(line).ok()?).collect();
        let mut end = 0;
        let mut family = None;
        for (&place, &name) in self.places.iter().zip(self.kind.columns()) {
            let cell = *cells.get(place)?;
            end = match name {
                "src" | "dst" => {
                    let address: IpAddr = cell.parse().ok()?;
                    if *family.get_or_insert(address.is_ipv4()) != address.is_ipv4() {
                        return None;
                    }
                    put_address(address, end, key)
                }
                "src_port" | "dst_port" => put(&cell.parse::<u16>().ok()?.to_be_bytes(), end, key),
                "protocol" => put(&[cell.parse().ok()?], end, key),
                _ => put(&cell.parse::<u32>().ok()?.to_be_bytes(), end, key),
            };
        }
        Some(end)
    }
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"'))
}

fn put_address(address: IpAddr, start: usize, key: &mut [u8; LONGEST_KEY]) -> usize {
    match address {
        IpAddr::V4(v4) => put(&v4.octets(), start, key),
        IpAddr::V6(v6) => put(&v6.octets(), start, key),
    }
}

fn put(bytes: &[u8], start: usize, key: &mut [u8; LONGEST_KEY]) -> usize {
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

    #[test]
    fn columns_are_found_by_name() {
        let columns = Columns::of_header(b"time,\"dst\", src\r", KeyKind::SrcDst).unwrap();
        let mut key = [0; LONGEST_KEY];
        assert_eq!(columns.key(b"0.5,5.6.7.8,1.2.3.4,more", &mut key), Some(8));
        assert_eq!(key[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
        for bad in ["0.5,5.6.7.8", "0.5,5.6.7.8,::1", "0.5,x,1.2.3.4", ""] {
            assert_eq!(columns.key(bad.as_bytes(), &mut key), None, "{bad}");
        }
        assert_eq!(Columns::of_header(b"src,dst,src_port", KeyKind::FiveTuple), None);
    }
}
