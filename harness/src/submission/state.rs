//! How far the shards have come, read from their journals and locks alone.

use std::collections::BTreeSet;

use super::Submission;
use super::part::{Part, Window};
use crate::run::{FolderLock, RunError, Share, ShareOfPoint, left_of_share};

/// How far a submission has come.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// One for each shard, in their order.
    pub shards: Vec<ShardState>,
    /// One for each experiment, in their order.
    pub experiments: Vec<ExperimentState>,
    /// What could not be read, in words; what it holds counts as missing.
    pub faults: Vec<String>,
}

/// Where a shard stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// All its batches are there.
    Done,
    /// A process works in its folder.
    Running,
    /// Batches are missing, and nobody works on them.
    Missing,
}

impl Phase {
    /// Its name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Done => "done",
            Phase::Running => "running",
            Phase::Missing => "missing",
        }
    }
}

/// How far a shard has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShardState {
    /// Its number, from 1.
    pub number: u64,
    /// Where it stands.
    pub phase: Phase,
    /// Batches in its journals.
    pub batches_done: u64,
    /// Batches that it has still to run, as far as that is known before the stopping rules are asked again.
    pub batches_left: u64,
    /// Seconds of processor time that these take, about.
    pub seconds_left: f64,
}

/// How far an experiment has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentState {
    /// Its name.
    pub name: String,
    /// Points that all shards together have finished.
    pub points_done: u64,
    /// Points that are not finished and of which a shard runs that has batches of them left.
    pub points_running: u64,
    /// Points that are not finished, and nobody works on them.
    pub points_missing: u64,
    /// Batches in the journals of all shards.
    pub batches_done: u64,
    /// Batches that are missing.
    pub batches_left: u64,
}

/// What is missing of a point.
#[derive(Debug, Clone, Copy, Default)]
struct PointState {
    done: u64,
    left: u64,
    runs: bool,
}

impl Submission {
    /// How far its shards have come.
    pub fn state(&self) -> State {
        let mut points: Vec<Vec<PointState>> = self
            .parts()
            .iter()
            .map(|part| vec![PointState::default(); part.points.len()])
            .collect();
        let mut faults = Vec::new();
        let shards =
            self.points_of_shards().into_iter().zip(1..).map(|(points_of_shard, number)| {
                let mut shard = ShardState::new(number);
                // The lock first: what was finished between the two looks is found in the journal.
                let runs = FolderLock::is_held(&self.folder_of(number)).unwrap_or_else(|error| {
                    faults.push(error.to_string());
                    false
                });
                for (part, of_part) in points_of_shard {
                    let read = self.read_journal(number, part, &of_part);
                    let found = read.unwrap_or_else(|error| {
                        faults.push(error.to_string());
                        self.nothing(number, part, &of_part)
                    });
                    shard.add(&found, runs);
                    for (point, found) in of_part.into_iter().zip(found) {
                        let state = &mut points[part][point];
                        state.done += found.done;
                        state.left += found.left;
                        state.runs |= runs && found.left > 0;
                    }
                }
                shard
            });
        let shards = shards.collect();
        let experiments = self.parts().iter().zip(points);
        let experiments = experiments.map(|(part, points)| ExperimentState::of(part, &points));
        State { shards, experiments: experiments.collect(), faults }
    }

    /// Of each shard, the experiments and the points of which it has batches.
    fn points_of_shards(&self) -> Vec<Vec<(usize, Vec<usize>)>> {
        let mut shards: Vec<Vec<(usize, Vec<usize>)>> = vec![Vec::new(); self.shards() as usize];
        let mut first = 0;
        for (index, part) in self.parts().iter().enumerate() {
            for point in 0..part.points.len() {
                for shard in self.cut.shards_of(first + point..first + point + 1) {
                    match shards[shard as usize - 1].last_mut() {
                        Some((last, points)) if *last == index => points.push(point),
                        _ => shards[shard as usize - 1].push((index, vec![point])),
                    }
                }
            }
            first += part.points.len();
        }
        shards
    }

    /// What a shard's journal has and lacks of these points.
    fn read_journal(
        &self,
        shard: u64,
        part: usize,
        points: &[usize],
    ) -> Result<Vec<ShareOfPoint>, RunError> {
        let folder = self.folder_of(shard).join(&self.parts()[part].name);
        let window = Window::new(&self.parts()[part], points);
        let share = self.share_of(shard, part);
        left_of_share(&folder, &window, |index| share.batches(points[index]))
    }

    /// The same of a shard whose journal cannot be read.
    fn nothing(&self, shard: u64, part: usize, points: &[usize]) -> Vec<ShareOfPoint> {
        let share = self.share_of(shard, part);
        let part = &self.parts()[part];
        let of_point = |&point: &usize| {
            let left = share.batches(point).map(|batches| batches.end - batches.start).sum();
            let cost_left = left as f64 * part.stretch(point).cost;
            ShareOfPoint { done: 0, left, cost_left }
        };
        points.iter().map(of_point).collect()
    }

    fn share_of(&self, shard: u64, part: usize) -> Share {
        Share::new(self.cut.clone(), self.first_point(part), shard)
    }
}

impl ShardState {
    fn new(number: u64) -> Self {
        let phase = Phase::Done;
        Self { number, phase, batches_done: 0, batches_left: 0, seconds_left: 0.0 }
    }

    fn add(&mut self, points: &[ShareOfPoint], runs: bool) {
        for point in points {
            self.batches_done += point.done;
            self.batches_left += point.left;
            self.seconds_left += point.cost_left;
        }
        self.phase = match self.phase {
            _ if self.batches_left == 0 => Phase::Done,
            Phase::Running => Phase::Running,
            _ if runs => Phase::Running,
            _ => Phase::Missing,
        };
    }
}

impl ExperimentState {
    fn of(part: &Part, points: &[PointState]) -> Self {
        let count = |is: fn(&PointState) -> bool| points.iter().filter(|&p| is(p)).count() as u64;
        Self {
            name: part.name.clone(),
            points_done: count(|point| point.done > 0 && point.left == 0),
            points_running: count(|point| point.left > 0 && point.runs),
            points_missing: count(|point| point.left > 0 && !point.runs),
            batches_done: points.iter().map(|point| point.done).sum(),
            batches_left: points.iter().map(|point| point.left).sum(),
        }
    }
}

impl State {
    /// The numbers of the shards in this phase.
    pub fn in_phase(&self, phase: Phase) -> BTreeSet<u64> {
        let shards = self.shards.iter().filter(|shard| shard.phase == phase);
        shards.map(|shard| shard.number).collect()
    }

    /// Whether everything is done.
    pub fn is_done(&self) -> bool {
        self.shards.iter().all(|shard| shard.phase == Phase::Done)
    }
}
