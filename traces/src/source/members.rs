//! Compressed members one behind the other, and perhaps zeros behind the last.

use std::io::{self, BufRead, ErrorKind, Read};

/// A decoder of one member at a time.
///
/// Readers of the same libraries drop what a call has decoded when it meets a fault; here that is told
/// apart, so that all is used which stands before a fault.
pub(super) trait Codec {
    /// Prepares for another member.
    fn restart(&mut self) -> io::Result<()>;

    /// Decodes as much as there is, and as there is room for.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// What a step of a [`Codec`] has done.
pub(super) struct Step {
    /// Bytes of the input that were taken.
    pub(super) read: usize,
    /// Bytes of the output that were written, also before a fault.
    pub(super) written: usize,
    /// Whether the member has ended.
    pub(super) outcome: io::Result<bool>,
}

/// What any number of members hold. The zeros with which a medium may fill its last block are no
/// damage.
pub(super) struct Members<R, C> {
    raw: R,
    codec: C,
    begun: u64,
    is_inside: bool,
    /// A fault behind bytes that were given.
    fault: Option<io::Error>,
}

impl<R: BufRead, C: Codec> Members<R, C> {
    pub(super) fn new(raw: R, codec: C) -> Self {
        Members { raw, codec, begun: 0, is_inside: false, fault: None }
    }

    /// Begins the next member; false if there is none.
    fn begin(&mut self) -> io::Result<bool> {
        if self.begun > 0 {
            pass_zeros(&mut self.raw)?;
        }
        if self.raw.fill_buf()?.is_empty() {
            return Ok(false);
        }
        if self.begun > 0 {
            self.codec.restart()?;
        }
        self.begun += 1;
        self.is_inside = true;
        Ok(true)
    }

    /// Decodes inside a member; returns how many bytes were written.
    fn step(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let input = self.raw.fill_buf()?;
        let is_last = input.is_empty();
        let Step { read, written, outcome } = self.codec.step(input, into);
        self.raw.consume(read);
        match outcome {
            Ok(has_ended) => self.is_inside = !has_ended,
            Err(fault) if written == 0 => return Err(fault),
            Err(fault) => self.fault = Some(fault),
        }
        match written == 0 && is_last && self.is_inside {
            true => Err(ErrorKind::UnexpectedEof.into()),
            false => Ok(written),
        }
    }
}

impl<R: BufRead, C: Codec> Read for Members<R, C> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        while !into.is_empty() && (self.is_inside || self.begin()?) {
            let written = self.step(into)?;
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// Passes over zeros, as far as there are any.
pub(super) fn pass_zeros(raw: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = raw.fill_buf()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let goes_on = zeros > 0 && zeros == bytes.len();
        raw.consume(zeros);
        if !goes_on {
            return Ok(());
        }
    }
}
