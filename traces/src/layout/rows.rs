//! Records as rows of comma-separated text, whose first line names the columns.

use std::net::IpAddr;

use csv_core::{ReadRecordResult, Reader};

use super::text::{put, put_address};
use crate::key::{KeyKind, LONGEST_KEY};

/// The protocol number of TCP.
const TCP: u8 = 6;

/// The cells of one line at a time.
///
/// A line is a row: a line feed between quotes ends it too, so that a quote too many costs a row and
/// not the file.
pub(crate) struct Rows {
    reader: Box<Reader>,
    /// The cells of the line one behind the other, without their quotes.
    text: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
    cells: usize,
}

impl Rows {
    /// For lines of at most so many bytes.
    pub(crate) fn new(longest: usize) -> Self {
        let (text, ends) = (vec![0; longest], vec![0; longest + 1]);
        Rows { reader: Box::new(Reader::new()), text, ends, cells: 0 }
    }

    /// Takes the cells of a line; false if it is more than one row.
    fn take(&mut self, line: &[u8]) -> bool {
        let Rows { reader, text, ends, cells } = self;
        reader.reset();
        let (result, read, written, ended) = reader.read_record(line, text, ends);
        *cells = ended;
        match result {
            ReadRecordResult::Record => line[read..].trim_ascii().is_empty(),
            ReadRecordResult::InputEmpty => {
                let rest = (&mut text[written..], &mut ends[ended..]);
                let (result, _, _, ended) = reader.read_record(&[], rest.0, rest.1);
                *cells += ended;
                result == ReadRecordResult::Record
            }
            _ => false,
        }
    }

    /// A cell without blanks around it, and without quotes behind such a blank.
    fn cell(&self, place: usize) -> Option<&str> {
        let end = *self.ends[..self.cells].get(place)?;
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        let text = std::str::from_utf8(&self.text[start..end]).ok()?;
        Some(text.trim().trim_matches('"'))
    }
}

/// The columns of a file.
pub(crate) struct Columns(Vec<String>);

impl Columns {
    /// Reads the names in the first line.
    pub(crate) fn of_header(rows: &mut Rows, line: &[u8]) -> Option<Self> {
        let is_row = rows.take(line);
        let names = (0..rows.cells).map(|place| rows.cell(place).map(str::to_owned));
        is_row.then(|| names.collect::<Option<_>>().map(Columns))?
    }

    /// Takes the cells of a line; false if there are more or fewer than columns.
    pub(crate) fn take(&self, rows: &mut Rows, line: &[u8]) -> bool {
        rows.take(line) && rows.cells == self.0.len()
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column == name)
    }

    /// Finds the cells of a key; `None` if a column is not there.
    pub(crate) fn key_cells(&self, kind: KeyKind) -> Option<KeyCells> {
        let places = kind.columns().iter().map(|name| self.place(name)).collect::<Option<_>>()?;
        let protocol = (kind == KeyKind::TcpHeader).then(|| self.place("protocol")).flatten();
        Some(KeyCells { kind, places, protocol })
    }
}

/// Which cells of a row make up a key.
pub(crate) struct KeyCells {
    kind: KeyKind,
    places: Vec<usize>,
    /// Where the protocol is that decides whether there is a key.
    protocol: Option<usize>,
}

/// A row whose cells are not the fields of a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadRow;

impl KeyCells {
    /// Puts the key of the row that was taken into `key`; its length, or `None` if packets of its
    /// protocol have no such key.
    pub(crate) fn put(
        &self,
        rows: &Rows,
        key: &mut [u8; LONGEST_KEY],
    ) -> Result<Option<usize>, BadRow> {
        match self.protocol.map(|place| number::<u8>(rows.cell(place))).transpose()? {
            None | Some(TCP) => self.put_cells(rows, key).map(Some),
            Some(_) => Ok(None),
        }
    }

    fn put_cells(&self, rows: &Rows, key: &mut [u8; LONGEST_KEY]) -> Result<usize, BadRow> {
        let mut end = 0;
        let mut family = None;
        for (&place, &name) in self.places.iter().zip(self.kind.columns()) {
            let cell = rows.cell(place);
            end = match name {
                "src" | "dst" => {
                    let address: IpAddr = number(cell)?;
                    if *family.get_or_insert(address.is_ipv4()) != address.is_ipv4() {
                        return Err(BadRow);
                    }
                    put_address(address, end, key)
                }
                "src_port" | "dst_port" => put(&number::<u16>(cell)?.to_be_bytes(), end, key),
                "protocol" => put(&[number(cell)?], end, key),
                _ => put(&number::<u32>(cell)?.to_be_bytes(), end, key),
            };
        }
        Ok(end)
    }
}

/// The number, or the address, in a cell.
fn number<T: std::str::FromStr>(cell: Option<&str>) -> Result<T, BadRow> {
    cell.and_then(|cell| cell.parse().ok()).ok_or(BadRow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of a row below a header.
    fn key(header: &str, row: &str, kind: KeyKind) -> Result<Option<String>, BadRow> {
        let mut rows = Rows::new(100);
        let columns = Columns::of_header(&mut rows, header.as_bytes()).unwrap();
        let cells = columns.key_cells(kind).unwrap();
        let mut room = [0; LONGEST_KEY];
        if !columns.take(&mut rows, row.as_bytes()) {
            return Err(BadRow);
        }
        let length = cells.put(&rows, &mut room)?;
        Ok(length.map(|length| kind.text(&room[..length]).to_string()))
    }

    #[test]
    fn columns_are_found_by_name() {
        let header = "\u{feff}time,\"dst\", src\r";
        let found = key(header, "0.5,5.6.7.8, \"1.2.3.4\"\r", KeyKind::SrcDst);
        assert_eq!(found, Ok(Some("1.2.3.4,5.6.7.8".to_owned())));
        for bad in
            ["0.5,5.6.7.8", "0.5,5.6.7.8,::1", "0.5,x,1.2.3.4", "", "0.5,5.6.7.8,1.2.3.4,more"]
        {
            assert_eq!(key(header, bad, KeyKind::SrcDst), Err(BadRow), "{bad}");
        }
        let mut rows = Rows::new(100);
        let columns = Columns::of_header(&mut rows, b"src,dst,src_port").unwrap();
        assert!(columns.key_cells(KeyKind::FiveTuple).is_none());
    }

    /// A comma in a text would move the fields behind it, and give the key of another flow.
    #[test]
    fn quoted_cells_may_have_commas_and_quotes() {
        let header = "src,info,dst";
        for info in ["\"a,5\"", "\"say \"\"5,6\"\"\"", "plain", "\"\"", ""] {
            let found = key(header, &format!("1.1.1.1,{info},2.2.2.2"), KeyKind::Dst);
            assert_eq!(found, Ok(Some("2.2.2.2".to_owned())), "{info}");
        }
        for info in ["a,5", "\"a,5", "5\r6"] {
            let found = key(header, &format!("1.1.1.1,{info},2.2.2.2"), KeyKind::Dst);
            assert_eq!(found, Err(BadRow), "{info}");
        }
    }

    #[test]
    fn other_protocols_have_no_key_of_tcp() {
        let header = "src,dst,protocol,seq,ack";
        let row = |protocol: &str| format!("1.1.1.1,2.2.2.2,{protocol},5,6");
        let of = |protocol: &str| key(header, &row(protocol), KeyKind::TcpHeader);
        assert_eq!(of("6"), Ok(Some("1.1.1.1,2.2.2.2,5,6".to_owned())));
        assert_eq!(of("17"), Ok(None));
        assert_eq!(of("tcp"), Err(BadRow));
    }
}
