//! Files that are whole or absent, and files that do not hang.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use loadfactor_traces::create;

pub use loadfactor_traces::{create_folder, remove_unfinished, sync_folder_of};

/// Writes `bytes` to `path` so that a reader, or the next start after a crash, finds either the old
/// content or the new one, never a part.
///
/// # Errors
/// Any error of the file system; `path` is as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path, |output| output.write_all(bytes))
}

/// Opens a regular file. Anything else is an error: a pipe would wait for its other end.
///
/// # Errors
/// Any error of opening; [`ErrorKind::InvalidInput`] where there is something else.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    }
    regular(options.open(path)?)
}

/// As [`open_regular`], and a symbolic link is an error: the file is where it seems to be.
///
/// # Errors
/// As there.
pub fn open_in_place(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32);
    }
    match options.open(path) {
        Err(_) if is_link(path) => {
            let reason = "it is a symbolic link, which is not followed: remove it";
            Err(io::Error::new(ErrorKind::InvalidInput, reason))
        }
        file => regular(file?),
    }
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        ErrorKind::InvalidInput,
        "it is a folder, device, pipe or socket, and no file",
    ))
}

/// All bytes of a regular file.
///
/// # Errors
/// As [`open_regular`], and any error of reading.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_regular(OpenOptions::new().read(true), path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
