//! LZ4 frames one after the other, to the end of the input.

use std::io::{self, BufRead, ErrorKind, Read};

use lz4_flex::block::decompress_into;
use lz4_flex::frame::{Error as FrameError, FrameDecoder};

use super::checksum::of_checksum;
use super::compression::skippable;
use super::members::pass_zeros;

/// Bytes of a block of the legacy format, of which only the last may be shorter.
const LEGACY_BLOCK: usize = 8 * 1024 * 1024;
/// Most bytes that such a block takes compressed.
const LEGACY_COMPRESSED: usize = LEGACY_BLOCK + LEGACY_BLOCK / 255 + 16;
const LEGACY_MAGIC: [u8; 4] = [0x02, 0x21, 0x4c, 0x18];
const FRAME_MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// Any number of frames: ordinary, skippable, empty, legacy.
pub(super) struct Lz4Frames<R: BufRead> {
    state: State<R>,
}

enum State<R: BufRead> {
    Between(Input<R>),
    Frame(Box<FrameDecoder<Input<R>>>),
    Legacy(Legacy<R>),
    Failed,
}

impl<R: BufRead> Lz4Frames<R> {
    pub(super) fn new(reader: R) -> Self {
        let input = Input { reader, magic: None, ended: false };
        Lz4Frames { state: State::Between(input) }
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = match &mut self.state {
                State::Between(input) => {
                    input.pass_zeros()?;
                    match input.at_end()? {
                        true => return Ok(0),
                        false => 0,
                    }
                }
                State::Frame(frame) => frame.read(into).map_err(named)?,
                State::Legacy(legacy) => legacy.read(into)?,
                State::Failed => 0,
            };
            if length > 0 || into.is_empty() {
                return Ok(length);
            }
            self.state = std::mem::replace(&mut self.state, State::Failed).next()?;
        }
    }
}

impl<R: BufRead> State<R> {
    /// What follows where nothing is left of this.
    fn next(self) -> io::Result<Self> {
        match self {
            State::Between(input) => input.start(),
            State::Frame(frame) => {
                let input = frame.into_inner();
                // The decoder takes the end of the input between two blocks for the end mark.
                if input.ended {
                    Err(ErrorKind::UnexpectedEof.into())
                } else {
                    Ok(State::Between(input))
                }
            }
            State::Legacy(legacy) => Ok(State::Between(legacy.input)),
            State::Failed => Err(io::Error::other("the stream has failed before")),
        }
    }
}

/// The error of a frame; that of its checksum is one of what stands before.
fn named(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<FrameError>());
    match inner {
        Some(FrameError::ContentChecksumError) => of_checksum(&error.to_string()),
        _ => error,
    }
}

/// The compressed bytes, with a magic number that was read ahead.
struct Input<R> {
    reader: R,
    magic: Option<[u8; 4]>,
    /// Whether more was asked for than there is.
    ended: bool,
}

impl<R: BufRead> Input<R> {
    /// Passes over the zeros with which a medium may fill its last block.
    fn pass_zeros(&mut self) -> io::Result<()> {
        match self.magic {
            Some([0, 0, 0, 0]) => self.magic = None,
            Some(_) => return Ok(()),
            None => {}
        }
        pass_zeros(&mut self.reader)
    }

    fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.magic.is_none() && self.reader.fill_buf()?.is_empty())
    }

    fn word(&mut self) -> io::Result<[u8; 4]> {
        let mut word = [0; 4];
        self.read_exact(&mut word)?;
        Ok(word)
    }

    /// Begins the next frame.
    fn start(mut self) -> io::Result<State<R>> {
        let magic = self.word()?;
        match magic {
            FRAME_MAGIC => {
                self.magic = Some(magic);
                Ok(State::Frame(Box::new(FrameDecoder::new(self))))
            }
            LEGACY_MAGIC => Ok(State::Legacy(Legacy::new(self))),
            _ if skippable(&magic) => {
                self.skip()?;
                Ok(State::Between(self))
            }
            _ => Err(io::Error::new(ErrorKind::InvalidData, "what follows a frame is no frame")),
        }
    }

    /// Passes over the content of a skippable frame.
    fn skip(&mut self) -> io::Result<()> {
        let length = u64::from(u32::from_le_bytes(self.word()?));
        match io::copy(&mut self.take(length), &mut io::sink())? == length {
            true => Ok(()),
            false => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let (Some(magic), Some(room)) = (self.magic, into.first_chunk_mut()) {
            *room = magic;
            self.magic = None;
            return Ok(magic.len());
        }
        let length = self.reader.read(into)?;
        self.ended |= length == 0 && !into.is_empty();
        Ok(length)
    }
}

/// A frame of the legacy format, which ends with the input or where another frame begins.
struct Legacy<R> {
    input: Input<R>,
    compressed: Vec<u8>,
    block: Vec<u8>,
    /// What of the block is not yet read.
    left: std::ops::Range<usize>,
}

impl<R: BufRead> Legacy<R> {
    fn new(input: Input<R>) -> Self {
        Legacy { input, compressed: Vec::new(), block: vec![0; LEGACY_BLOCK], left: 0..0 }
    }

    /// Decompresses the next block; false where the frame ends.
    fn next_block(&mut self) -> io::Result<bool> {
        if self.input.at_end()? {
            return Ok(false);
        }
        let word = self.input.word()?;
        let length = u32::from_le_bytes(word) as usize;
        if length == 0 || length > LEGACY_COMPRESSED {
            self.input.magic = Some(word);
            return Ok(false);
        }
        self.compressed.resize(length, 0);
        self.input.read_exact(&mut self.compressed)?;
        let length =
            decompress_into(&self.compressed, &mut self.block).map_err(io::Error::other)?;
        self.left = 0..length;
        Ok(true)
    }
}

impl<R: BufRead> Read for Legacy<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.left.is_empty() {
            if !self.next_block()? {
                return Ok(0);
            }
        }
        let length = into.len().min(self.left.len());
        let end = self.left.start + length;
        into[..length].copy_from_slice(&self.block[self.left.start..end]);
        self.left.start = end;
        Ok(length)
    }
}
