//! The file that shards read.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Part, Request};
use crate::files;
use crate::machine;
use crate::report::manifest::REVISION;
use crate::run::Shard;

/// Version of the file's format.
const FORMAT: u32 = 3;

/// A digest of the sources and the compiler of this program: the revision is the same of all that is changed and not
/// committed. It is not one of the program's file, so that nodes of several architectures can work together.
const BUILD: &str = env!("LOADFACTOR_BUILD");

/// The file as it stands.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) shards: u64,
    pub(super) request: Request,
    program: Program,
}

/// The program that cut the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Program {
    version: String,
    revision: String,
    /// Absent in the first format.
    #[serde(default)]
    build: String,
}

/// The same as JSON has it.
#[derive(Debug, Serialize, Deserialize)]
struct Json {
    loadfactor_submission: u32,
    #[serde(flatten)]
    program: Program,
    arguments: Vec<String>,
    working_folder: PathBuf,
    shards: u64,
    threads: usize,
    memory_bytes: u64,
    experiments: Vec<Part>,
}

/// A submission that cannot be used.
#[derive(Debug, Error)]
pub enum BadSubmission {
    /// Its file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its file cannot be written.
    #[error("cannot write {}: {source}; nothing was submitted", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is a file in its place that is none.
    #[error(
        "{} is no submission: {reason}; remove the folder that it is in and submit again (finished batches of its shards go with it)",
        path.display()
    )]
    NotOne {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The program here is another than the one that cut the work.
    #[error(
        "{node} runs loadfactor {here}, and the work in {} was cut by {cut}: use that program on every node, or submit into another folder with --out",
        path.display()
    )]
    OtherProgram {
        /// The machine.
        node: String,
        /// Version, revision and build here.
        here: String,
        /// Those that cut the work.
        cut: String,
        /// The submission.
        path: PathBuf,
    },
}

impl Program {
    /// This one.
    fn here() -> Self {
        let [version, revision, build] = [env!("CARGO_PKG_VERSION"), REVISION, BUILD];
        let [version, revision, build] = [version, revision, build].map(str::to_owned);
        Self { version, revision, build }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (revision {}, build {})", self.version, self.revision, self.build)
    }
}

impl Record {
    pub(super) fn new(request: Request, shards: u64) -> Self {
        Self { shards, request, program: Program::here() }
    }

    pub(super) fn check_program(&self, path: &Path) -> Result<(), BadSubmission> {
        let here = Program::here();
        if here == self.program {
            return Ok(());
        }
        let (here, cut) = (here.to_string(), self.program.to_string());
        let (node, path) =
            (machine::host().unwrap_or_else(|| "this machine".to_owned()), path.to_owned());
        Err(BadSubmission::OtherProgram { node, here, cut, path })
    }
}

/// What stands in the file at `path`; `None` where there is none.
pub(super) fn read(path: &Path) -> Result<Option<Record>, BadSubmission> {
    let bytes = match files::read_regular(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(BadSubmission::Read { path: path.to_owned(), source }),
    };
    let not_one = |reason: String| BadSubmission::NotOne { path: path.to_owned(), reason };
    let json: Json = serde_json::from_slice(&bytes).map_err(|error| not_one(error.to_string()))?;
    match fault(&json) {
        Some(reason) => Err(not_one(reason)),
        None => Ok(Some(json.into())),
    }
}

/// Why the file cannot be used, though it has the right fields.
fn fault(json: &Json) -> Option<String> {
    let Json { loadfactor_submission: format, shards, threads, experiments, .. } = json;
    if *format != FORMAT {
        return Some(format!(
            "it has format {format}, and this version of loadfactor reads {FORMAT}"
        ));
    }
    if !(1..=Shard::MOST).contains(shards) {
        return Some(format!("it has {shards} shards"));
    }
    if *threads == 0 {
        return Some("its shards have no threads".to_owned());
    }
    if !experiments.iter().any(|part| (0..part.points.len()).any(|point| part.is_run(point))) {
        return Some("it has no point to run".to_owned());
    }
    let is_name = |name: &str| {
        Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
            && !name.is_empty()
            && !super::is_taken(name)
    };
    if let Some(part) = experiments.iter().find(|part| !is_name(&part.name)) {
        return Some(format!("`{}` is no name of an experiment", part.name));
    }
    let bad = experiments.iter().find(|part| !part.points.iter().all(super::PointPart::is_sound));
    bad.map(|part| format!("a point of {} cannot be read", part.name))
}

pub(super) fn write(record: &Record, path: &Path) -> Result<(), BadSubmission> {
    let failed = |source| BadSubmission::Write { path: path.to_owned(), source };
    let json = Json::from(record.clone());
    let bytes = serde_json::to_vec(&json).map_err(|error| failed(error.into()))?;
    if let Some(folder) = path.parent() {
        files::create_folder(folder).map_err(failed)?;
    }
    files::write_atomic(path, &bytes).map_err(failed)
}

impl From<Record> for Json {
    fn from(record: Record) -> Self {
        let Record { shards, request, program } = record;
        let Request { arguments, working_folder, threads, memory_bytes, experiments } = request;
        Self {
            loadfactor_submission: FORMAT,
            program,
            arguments,
            working_folder,
            shards,
            threads,
            memory_bytes,
            experiments,
        }
    }
}

impl From<Json> for Record {
    fn from(json: Json) -> Self {
        let Json { program, arguments, working_folder, shards, threads, .. } = json;
        let Json { memory_bytes, experiments, .. } = json;
        let request = Request { arguments, working_folder, threads, memory_bytes, experiments };
        Self { shards, request, program }
    }
}
