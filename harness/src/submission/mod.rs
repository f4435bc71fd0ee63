//! An experiment's batches, cut into shards for an engine that runs each on a machine of its own.
//!
//! Everything that a shard must know stands in one file, `submission/cut.json` below the folder of the joint results:
//! which points there are, how long a batch of each takes, how many shards there are. Each shard works in a folder of
//! its own, so that no two machines write the same file, and merged journals are those of one machine's run.

mod part;
mod record;
pub mod slurm;
mod state;
pub mod task;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::run::{Cut, Shard, Share};

pub use part::{Mismatch, Part, PointPart, Rule};
pub use record::BadSubmission;
pub use state::{ExperimentState, Phase, ShardState, State};

/// Folder of a submission below that of the joint results.
pub const FOLDER: &str = "submission";

/// What was cut, and into how many shards.
#[derive(Debug)]
pub struct Submission {
    /// Folder of the joint results.
    out: PathBuf,
    record: record::Record,
    cut: Arc<Cut>,
}

/// What a submission is made of.
#[derive(Debug, Clone)]
pub struct Request {
    /// The words that choose the experiments and their points on the command line.
    pub arguments: Vec<String>,
    /// The folder in which they were given.
    pub working_folder: PathBuf,
    /// Threads of each shard.
    pub threads: usize,
    /// Bytes of memory that a shard needs, about.
    pub memory_bytes: u64,
    /// The experiments.
    pub experiments: Vec<Part>,
}

impl Submission {
    /// The submission of these experiments in so many shards; nothing is written.
    pub fn new(out: &Path, request: Request, shards: u64) -> Self {
        Self::of(out, record::Record::new(request, shards))
    }

    /// The submission whose joint results go to `out`; `None` where there is none.
    ///
    /// # Errors
    /// Where its file cannot be read, or is none.
    pub fn read(out: &Path) -> Result<Option<Self>, BadSubmission> {
        let record = record::read(&file_in(out))?;
        Ok(record.map(|record| Self::of(out, record)))
    }

    fn of(out: &Path, record: record::Record) -> Self {
        let points = record.request.experiments.iter().flat_map(Part::stretches);
        let cut = Arc::new(Cut::new(points, record.shards));
        Self { out: out.to_owned(), record, cut }
    }

    /// Writes the file that shards read.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self) -> Result<(), BadSubmission> {
        record::write(&self.record, &file_in(&self.out))
    }

    /// What it is made of.
    pub fn request(&self) -> &Request {
        &self.record.request
    }

    /// The experiments.
    pub fn parts(&self) -> &[Part] {
        &self.record.request.experiments
    }

    /// Folder of the joint results.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// The folder of scripts, logs and shards.
    pub fn folder(&self) -> PathBuf {
        self.out.join(FOLDER)
    }

    /// The file that shards read.
    pub fn file(&self) -> PathBuf {
        file_in(&self.out)
    }

    /// How many shards there are.
    pub fn shards(&self) -> u64 {
        self.record.shards
    }

    /// Shard `index`, from 1; `None` where there are not so many.
    pub fn shard(&self, index: u64) -> Option<Shard> {
        Shard::new(index, self.shards())
    }

    /// Folder of a shard's results; each experiment has its own below it.
    pub fn folder_of(&self, shard: u64) -> PathBuf {
        shards_in(&self.out).join(shard.to_string())
    }

    /// The experiments of which a shard has batches, each with its share.
    pub fn shares(&self, shard: Shard) -> Vec<(&Part, Share)> {
        let mut first = 0;
        let mut shares = Vec::new();
        for part in self.parts() {
            let points = first..first + part.points.len();
            let share = Share::new(Arc::clone(&self.cut), first, shard.index());
            if (0..part.points.len()).any(|point| share.has(point)) {
                shares.push((part, share));
            }
            first = points.end;
        }
        shares
    }

    /// The shards that may have batches of an experiment, by its place among [`Self::parts`], in their order.
    pub fn shards_of(&self, part: usize) -> BTreeSet<u64> {
        let first = self.first_point(part);
        self.cut.shards_of(first..first + self.parts()[part].points.len())
    }

    /// Where the points of an experiment begin among those of all.
    fn first_point(&self, part: usize) -> usize {
        self.parts()[..part].iter().map(|part| part.points.len()).sum()
    }

    /// Batches of all points, as far as they are known before the run.
    pub fn batches(&self) -> u64 {
        self.parts().iter().flat_map(Part::stretches).map(|stretch| stretch.batches).sum()
    }

    /// Seconds of processor time of all batches.
    pub fn seconds(&self) -> f64 {
        self.cut.whole()
    }

    /// Seconds of processor time of each shard.
    pub fn seconds_of_shards(&self) -> Vec<f64> {
        self.cut.costs()
    }

    /// Refuses another program than that which cut the work: its batches could have other numbers.
    ///
    /// # Errors
    /// Where version or revision differ.
    pub fn check_program(&self) -> Result<(), BadSubmission> {
        self.record.check_program(&self.file())
    }
}

/// Whether an experiment of this name has its results where a submission has its shards.
pub fn is_taken(name: &str) -> bool {
    Path::new(name).starts_with(FOLDER)
}

/// Result folders of the shards of the submission in `out`, in any order; none where it holds no submission.
///
/// # Errors
/// Where they cannot be listed.
pub fn shard_folders(out: &Path) -> io::Result<Vec<PathBuf>> {
    if !file_in(out).is_file() {
        return Ok(Vec::new());
    }
    match fs::read_dir(shards_in(out)) {
        Ok(entries) => {
            let paths = entries.map(|entry| Ok(entry?.path()));
            paths.filter(|path| path.as_ref().map_or(true, |path| path.is_dir())).collect()
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn shards_in(out: &Path) -> PathBuf {
    out.join(FOLDER).join("shards")
}

fn file_in(out: &Path) -> PathBuf {
    out.join(FOLDER).join("cut.json")
}
