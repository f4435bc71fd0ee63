//! What the keys of a trace must not be written over: the trace, and any other capture.

use std::path::Path;

use loadfactor_traces::is_capture;

use crate::cli::exit::BadInput;

/// The path that stands for standard input as a file.
const STANDARD_INPUT: &str = "-";

/// Where the keys go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'p> {
    File(&'p Path),
    StandardOutput,
}

impl Place<'_> {
    fn path(&self) -> &Path {
        match self {
            Place::File(path) => path,
            Place::StandardOutput => Path::new("/dev/stdout"),
        }
    }

    fn name(&self) -> String {
        match self {
            Place::File(path) => format!("--out {}", path.display()),
            Place::StandardOutput => "standard output".to_owned(),
        }
    }
}

/// A file that is read while it is written would be lost, and so would a capture that is no part of
/// the trace.
pub(super) fn refuse_to_overwrite<P: AsRef<Path>>(
    place: Place<'_>,
    files: &[P],
) -> Result<(), BadInput> {
    let read = files.iter().map(AsRef::as_ref).find(|file| is_same(place.path(), opened(file)));
    let why = match (read, place) {
        (Some(file), _) => format!("is the file {} that is read", file.display()),
        (None, Place::File(path)) if path.is_file() && is_capture(path) => {
            "is a capture, which keys would replace".to_owned()
        }
        _ => return Ok(()),
    };
    Err(BadInput(format!("error: {} {why}; write to another one", place.name())))
}

/// The path by which the file is found that is behind a name.
fn opened(file: &Path) -> &Path {
    if file == Path::new(STANDARD_INPUT) { Path::new("/dev/stdin") } else { file }
}

/// Whether two paths lead to one file; a terminal may be read and written.
#[cfg(unix)]
fn is_same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
    a.is_file() && place(a).is_some_and(|a| Some(a) == place(b))
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}
