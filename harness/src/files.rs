//! Files that are whole or absent.

use std::io;
use std::path::Path;

use loadfactor_traces::create;

pub use loadfactor_traces::sync_folder_of;

/// Writes `bytes` to `path` so that a reader, or the next start after a crash, finds either the old
/// content or the new one, never a part.
///
/// # Errors
/// Any error of the file system; `path` is as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path, |output| output.write_all(bytes))
}
