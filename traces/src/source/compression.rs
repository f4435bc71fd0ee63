//! The compressions that are read, told by content.

use std::fmt;
use std::str::FromStr;

use crate::unknown::UnknownName;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    Plain,
    /// gzip (RFC 1952), any number of members.
    Gzip,
    /// bzip2, any number of streams.
    Bzip2,
    /// Zstandard (RFC 8878), any number of frames.
    Zstd,
    /// xz, any number of streams.
    Xz,
    /// LZ4, any number of frames, also of the legacy format.
    Lz4,
}

impl Compression {
    /// All compressions.
    pub const ALL: [Compression; 6] = [
        Compression::Plain,
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Zstd,
        Compression::Xz,
        Compression::Lz4,
    ];

    /// Tells the compression from the first bytes of a file.
    ///
    /// Four bytes decide for most, so that a headerless file of flow keys is mistaken for a
    /// compressed one only if its first address happens to be a magic number. A skippable frame,
    /// which may begin a file of zstd or of LZ4, is none of them.
    pub fn of_magic(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, 0x08, flags, ..] if flags & 0xe0 == 0 => Compression::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Compression::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            [0x04, 0x22, 0x4d, 0x18, ..] | [0x02, 0x21, 0x4c, 0x18, ..] => Compression::Lz4,
            _ => Compression::Plain,
        }
    }

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Plain => "none",
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Zstd => "zstd",
            Compression::Xz => "xz",
            Compression::Lz4 => "lz4",
        }
    }
}

/// Whether these bytes begin a skippable frame, which zstd and LZ4 define alike.
pub(super) fn skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Compression {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| UnknownName {
            what: "compression",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
