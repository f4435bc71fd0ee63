//! Reads the files of an experiment.

use std::fs::{self, File as Opened};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::diagnostics::{Errors, Mistake, Source};
use super::published::check_experiments;
use super::{Diagnostics, Experiment, File, Input, Options, parse};

/// Bytes of the largest file that is read: a hundred times what people write.
const LARGEST_FILE: u64 = 16 << 20;

/// Reads the experiment `name` from its definition, `published.csv` beside it, and the nearest
/// `documents.toml` in its folder or one above.
///
/// # Errors
/// Where a file cannot be read, and every mistake in the files, at once.
pub fn load(path: &Path, name: &str, options: &Options) -> Result<Experiment, Diagnostics> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let published = Some(folder.join("published.csv")).filter(|path| path.is_file());
    let documents = documents(path);
    let text = read(path)?;
    let published_text = published.as_deref().map(read).transpose()?;
    let documents_text = documents.as_deref().map(read).transpose()?;
    if let Some((path, text)) = published.as_deref().zip(published_text.as_deref()) {
        check_published(path, text, folder)?;
    }
    parse(&Input {
        name,
        definition: File { path, text: &text },
        published: file(published.as_deref(), published_text.as_deref()),
        documents: file(documents.as_deref(), documents_text.as_deref()),
        options,
        exists: &|path| path.exists(),
    })
}

/// Every row of `published.csv` must be one of an experiment in its folder.
fn check_published(path: &Path, text: &str, folder: &Path) -> Result<(), Diagnostics> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    // A folder that cannot be listed says nothing of the rows.
    let Ok(files) = fs::read_dir(folder) else { return Ok(()) };
    let paths = files.filter_map(|entry| Some(entry.ok()?.path()));
    let definitions = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut stems: Vec<String> = definitions.filter_map(stem).collect();
    stems.sort();
    let mut errors = Errors::new(Source::new(path, text));
    check_experiments(text, &stems, &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(Diagnostics::from_files([errors])) }
}

fn file<'a>(path: Option<&'a Path>, text: Option<&'a str>) -> Option<File<'a>> {
    path.zip(text).map(|(path, text)| File { path, text })
}

fn documents(path: &Path) -> Option<PathBuf> {
    let full = path.canonicalize().ok()?;
    full.ancestors().skip(1).map(|folder| folder.join("documents.toml")).find(|path| path.is_file())
}

/// As much of a file as it may have, and a byte more where it has more.
fn begin(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Opened::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read(path: &Path) -> Result<String, Diagnostics> {
    let failed = |reason: String| {
        let mut errors = Errors::new(Source::new(path, ""));
        errors.push(Mistake::of_file(reason));
        Diagnostics::from_files([errors])
    };
    let bytes = begin(path).map_err(|error| failed(format!("the file cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let most = LARGEST_FILE >> 20;
        return Err(failed(format!(
            "the file has more than {most} MiB, more than is read here: name another one, or split it"
        )));
    }
    String::from_utf8(bytes).map_err(|_| failed("the file is not UTF-8 text".to_owned()))
}
