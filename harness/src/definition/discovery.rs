//! From the words on the command line to definition files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::suggestion::nearest;

/// A definition file and the experiment's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its name, such as `deletions/fig4`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// Why no definition file was found.
#[derive(Debug, Error)]
pub enum FindError {
    /// Nothing has this name.
    #[error("no experiment, folder or TOML file is called `{arg}`{}", hint(nearest, *known))]
    Unknown {
        /// The word on the command line.
        arg: String,
        /// The nearest name, where one is near.
        nearest: Option<String>,
        /// How many experiments there are.
        known: usize,
    },
    /// Several experiments in different folders have this name.
    #[error("`{arg}` may be {}: name one of them", one_of(names))]
    Ambiguous {
        /// The word on the command line.
        arg: String,
        /// Their names.
        names: Vec<String>,
    },
    /// A file whose name cannot be that of a folder of results.
    #[error("`{}` cannot name an experiment: its results would not stay in a folder of their own; rename the file so that it does not begin with a dot and has no control characters", .0.display())]
    BadName(PathBuf),
    /// A path that leads nowhere.
    #[error("no such file: `{0}`")]
    NoFile(String),
    /// A file that is none of TOML.
    #[error("`{0}` is no definition, which is a file that ends in `.toml`")]
    NotToml(String),
    /// There is no folder of experiments, and the word on the command line, if any, is no path.
    #[error(
        "no folder `{}` was found here or above; go to one that has it, or name a TOML file by its path",
        .0.display()
    )]
    NoRoot(PathBuf),
    /// The folder, or the whole of the experiments, holds no definition.
    #[error("`{}` holds no experiments", .0.display())]
    Empty(PathBuf),
    /// A folder could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn hint(nearest: &Option<String>, known: usize) -> String {
    match nearest {
        Some(near) => format!("; did you mean `{near}`?"),
        None if known == 0 => String::new(),
        None => "; `loadfactor list` shows what there is".to_owned(),
    }
}

fn one_of(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// Every experiment below the root, ordered by name.
///
/// # Errors
/// Where a folder cannot be read, or there is no experiment.
pub fn all(root: &Path) -> Result<Vec<Found>, FindError> {
    match root.is_dir() {
        true => below(root, root),
        false => Err(FindError::NoRoot(root.to_owned())),
    }
}

/// The experiments that a word means: a name such as `deletions/fig4`, a folder of experiments
/// such as `deletions`, a path to a TOML file or a folder anywhere, or the last part of a name, such as `fig4`,
/// where only one experiment has it. What begins with `.` or `/` or ends in `.toml` is a path first.
///
/// # Errors
/// Where the word means nothing, several experiments, or a folder without any.
pub fn find(root: &Path, arg: &str) -> Result<Vec<Found>, FindError> {
    let is_path = arg.starts_with(['.', '/']) || arg.ends_with(".toml");
    let file = root.join(format!("{arg}.toml"));
    if !is_path && file.is_file() && is_definition(&file) {
        return Ok(vec![found(root, &file)?]);
    }
    let mut places = [root.join(arg), PathBuf::from(arg)];
    if is_path {
        places.reverse();
    }
    // No word at all, such as a variable of a shell that is not set, does not mean everything.
    for path in places.iter().filter(|_| !arg.is_empty()) {
        if path.is_dir() {
            return below(root, path);
        }
        if path.is_file() && path.extension().is_some_and(|extension| extension == "toml") {
            return Ok(vec![found(root, path)?]);
        }
    }
    by_last_part(root, arg)
}

fn by_last_part(root: &Path, arg: &str) -> Result<Vec<Found>, FindError> {
    let all = all(root).unwrap_or_default().into_iter();
    let is_meant = |found: &Found| found.name.rsplit('/').next() == Some(arg);
    let meant: Vec<Found> = all.filter(is_meant).collect();
    match meant.len() {
        0 => Err(unknown(root, arg)),
        1 => Ok(meant),
        _ => {
            let names = meant.into_iter().map(|found| found.name).collect();
            Err(FindError::Ambiguous { arg: arg.to_owned(), names })
        }
    }
}

fn unknown(root: &Path, arg: &str) -> FindError {
    if arg.ends_with(".toml") {
        return FindError::NoFile(arg.to_owned());
    }
    if Path::new(arg).is_file() {
        return FindError::NotToml(arg.to_owned());
    }
    if !root.is_dir() {
        return FindError::NoRoot(root.to_owned());
    }
    let known: Vec<String> =
        all(root).unwrap_or_default().into_iter().map(|found| found.name).collect();
    let folders = known.iter().filter_map(|name| name.rsplit_once('/')).map(|(folder, _)| folder);
    let names: Vec<&str> = known.iter().map(String::as_str).chain(folders).collect();
    let nearest = nearest(arg, &names).map(str::to_owned);
    FindError::Unknown { arg: arg.to_owned(), nearest, known: known.len() }
}

fn below(root: &Path, folder: &Path) -> Result<Vec<Found>, FindError> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut all: Vec<Found> =
        files.iter().map(|file| found(root, file)).collect::<Result<_, _>>()?;
    all.sort();
    if all.is_empty() { Err(FindError::Empty(folder.to_owned())) } else { Ok(all) }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), FindError> {
    let unreadable = |source| FindError::Unreadable { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // A link to a folder is not followed: it could lead back here.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, files)?;
        } else if is_definition(&path) && !is_hidden(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file is none of the user's, such as an editor's lock.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
        && path.file_name() != Some("documents.toml".as_ref())
}

/// Below the root the name is the path without its ending, elsewhere the file's stem.
fn found(root: &Path, path: &Path) -> Result<Found, FindError> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (full, root) = (canonical(path).with_extension(""), canonical(root));
    let name = match full.strip_prefix(&root) {
        Ok(inside) => inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/"),
        Err(_) => {
            full.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
    };
    let found = Found { name, path: path.to_owned() };
    if is_name(&found.name) { Ok(found) } else { Err(FindError::BadName(found.path)) }
}

/// Whether results of this name stay below their folder and are seen there.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
    name.split('/').all(is_part) && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiments() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for name in [
            "documents.toml",
            "deletions/fig4.toml",
            "deletions/fig10.toml",
            "bloom/fig2.toml",
            "bloom/published.csv",
        ] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    fn names(found: Result<Vec<Found>, FindError>) -> Vec<String> {
        found.unwrap().into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn a_name_a_folder_and_nothing_mean_one_some_and_all() {
        let root = experiments();
        assert_eq!(names(find(root.path(), "deletions/fig4")), ["deletions/fig4"]);
        assert_eq!(names(find(root.path(), "deletions")), ["deletions/fig10", "deletions/fig4"]);
        assert_eq!(names(all(root.path())), ["bloom/fig2", "deletions/fig10", "deletions/fig4"]);
    }

    #[test]
    fn a_path_has_its_name_below_the_root_and_its_stem_elsewhere() {
        let (root, elsewhere) = (experiments(), tempfile::tempdir().unwrap());
        let inside = root.path().join("bloom/fig2.toml");
        assert_eq!(names(find(root.path(), &inside.to_string_lossy())), ["bloom/fig2"]);
        let outside = elsewhere.path().join("mine.toml");
        fs::write(&outside, "").unwrap();
        assert_eq!(names(find(root.path(), &outside.to_string_lossy())), ["mine"]);
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let root = experiments();
        let message = |arg: &str| find(root.path(), arg).unwrap_err().to_string();
        insta::assert_snapshot!(message("deletion/fig4"), @"no experiment, folder or TOML file is called `deletion/fig4`; did you mean `deletions/fig4`?");
        insta::assert_snapshot!(message("delitions"), @"no experiment, folder or TOML file is called `delitions`; did you mean `deletions`?");
        insta::assert_snapshot!(message("cuckoo"), @"no experiment, folder or TOML file is called `cuckoo`; `loadfactor list` shows what there is");
        insta::assert_snapshot!(message("/no/such.toml"), @"no such file: `/no/such.toml`");
        insta::assert_snapshot!(message("documents"), @"no experiment, folder or TOML file is called `documents`; `loadfactor list` shows what there is");
    }

    #[test]
    fn the_last_part_of_a_name_is_enough_where_it_is_the_only_one() {
        let root = experiments();
        assert_eq!(names(find(root.path(), "fig4")), ["deletions/fig4"]);
        fs::write(root.path().join("bloom/fig4.toml"), "").unwrap();
        let message = find(root.path(), "fig4").unwrap_err().to_string();
        insta::assert_snapshot!(message, @"`fig4` may be `bloom/fig4` or `deletions/fig4`: name one of them");
    }

    /// `...toml` would be the experiment `..`, with results beside the folder of results.
    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["...toml", ".hidden.toml", "a\u{1b}[2J.toml"] {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            let found = find(folder.path(), &path.to_string_lossy());
            assert!(matches!(found, Err(FindError::BadName(_))), "{name}: {found:?}");
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn outside_of_a_repository_the_folder_is_what_is_missing() {
        let root = Path::new("/no/experiments");
        for error in [all(root).unwrap_err(), find(root, "deletions").unwrap_err()] {
            assert!(matches!(error, FindError::NoRoot(_)), "{error}");
        }
    }
}
