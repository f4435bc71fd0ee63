//! Lines of text in a stream.

use crate::buffer::Buffer;

/// Longest line of text accepted, in bytes.
pub(crate) const LONGEST_LINE: usize = 4096;

/// The mark that some programs put before a text in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line at the beginning of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Bytes of it before its line feed, at most [`LONGEST_LINE`].
    pub(crate) length: usize,
    /// Whether these are all.
    pub(crate) is_whole: bool,
}

/// Passes over the mark that may begin a text.
pub(crate) fn pass_mark(buffer: &mut Buffer) {
    if buffer.fill(MARK.len()) && buffer.data().starts_with(MARK) {
        buffer.consume(MARK.len());
    }
}

/// The next line that is not blank; those before it are passed over. `None` at the end.
pub(crate) fn next_line(buffer: &mut Buffer) -> Option<Line> {
    loop {
        let line = line(buffer)?;
        if !(line.is_whole && buffer.data()[..line.length].trim_ascii().is_empty()) {
            return Some(line);
        }
        pass_line(buffer);
    }
}

fn line(buffer: &mut Buffer) -> Option<Line> {
    let more = buffer.fill(LONGEST_LINE + 1);
    let data = buffer.data();
    let window = &data[..data.len().min(LONGEST_LINE + 1)];
    let end = window.iter().position(|&byte| byte == b'\n');
    let cut_short = end.is_none() && !more && buffer.failure().is_some();
    if window.is_empty() || cut_short {
        return None;
    }
    let length = end.unwrap_or(window.len());
    Some(Line { length: length.min(LONGEST_LINE), is_whole: length <= LONGEST_LINE })
}

/// Moves behind the next line feed, or to the end.
pub(crate) fn pass_line(buffer: &mut Buffer) {
    while buffer.fill(1) {
        let data = buffer.data();
        match data.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                buffer.consume(end + 1);
                return;
            }
            None => {
                let all = data.len();
                buffer.consume(all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is cut could be another line, such as one of a shorter address.
    #[test]
    fn lines_are_whole_up_to_the_longest() {
        for (length, is_whole) in [(LONGEST_LINE, true), (LONGEST_LINE + 1, false)] {
            for end in ["", "\n", "\nnext"] {
                let text = format!("\u{feff}\n \r\n{}{end}", "x".repeat(length));
                let mut buffer = Buffer::new(Box::new(std::io::Cursor::new(text)));
                pass_mark(&mut buffer);
                let line = next_line(&mut buffer);
                assert_eq!(line, Some(Line { length: LONGEST_LINE, is_whole }), "{end:?}");
                pass_line(&mut buffer);
                assert_eq!(next_line(&mut buffer).is_some(), end == "\nnext");
            }
        }
    }
}
