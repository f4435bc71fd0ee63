//! Shards, merged, are the whole.

use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::run::journal::{Record, write_whole};
use crate::run::merge::merge_in_parts;

fn shard(text: &str, rule: &Stopping) -> RunOptions {
    shard_of(&Toy::new(), text, rule)
}

fn shard_of(toy: &Toy, text: &str, rule: &Stopping) -> RunOptions {
    let share = Share::of_work(&Under(toy, *rule), |_| true, text.parse().unwrap());
    RunOptions { share: Some(share), ..threads(2) }
}

#[test]
fn merged_shards_give_the_bits_of_one_run() {
    let folders = [Folder::new(), Folder::new(), Folder::new()];
    let of_shard = |(folder, text): (&Folder, &str)| {
        let outcome = folder.run(&Toy::new(), &RULE, &shard(text, &RULE)).unwrap();
        assert!(!outcome.is_complete() && !outcome.interrupted);
        outcome.batches_run
    };
    let batches: Vec<u64> = folders.iter().zip(["1/3", "2/3", "3/3"]).map(of_shard).collect();
    assert_eq!(batches.iter().sum::<u64>(), 30);
    let [a, b, c] = folders.each_ref().map(|folder| folder.0.path());
    let (forth, back) = (Folder::new(), Folder::new());
    let merged = merge(&[a, b, c], forth.0.path()).unwrap();
    assert_eq!((merged.batches, merged.duplicates), (30, 0));
    assert_eq!(merge(&[c, a, b, a], back.0.path()).unwrap().duplicates, batches[0]);
    assert_eq!(fs::read(forth.journal()).unwrap(), fs::read(back.journal()).unwrap());
    let whole = forth.run(&Toy::new(), &RULE, &threads(2)).unwrap();
    assert_eq!((whole.batches_run, bits(&whole.points)), (0, bits(&undisturbed(&RULE))));
}

/// What is told of a shard that was interrupted is what it then runs, whatever the point's rule.
#[test]
fn a_share_lacks_what_its_run_goes_on_to_run() {
    for (rule, stop_after) in [(RULE, 0), (RULE, 2), (PRECISION, 1)] {
        let folder = Folder::new();
        let interrupt = Interrupt::default();
        let stopped = Toy { stop: Some((interrupt.clone(), stop_after)), ..Toy::new() };
        let options = shard("2/3", &rule);
        let first = RunOptions { interrupt, share: options.share.clone(), ..threads(2) };
        let done = folder.run(&stopped, &rule, &first).unwrap().batches_run;
        let told = |toy| {
            let share = |point| options.share.as_ref().unwrap().batches(point);
            let points = left_of_share(folder.0.path(), &Under(toy, rule), share).unwrap();
            let sum = |of: fn(&ShareOfPoint) -> u64| points.iter().map(of).sum::<u64>();
            (sum(|point| point.done), sum(|point| point.left))
        };
        let resumed = Toy::new();
        let (of_journal, left) = told(&resumed);
        assert!(of_journal == done && left > 0);
        let second = folder.run(&resumed, &rule, &options).unwrap();
        // Nobody knows before how many trials a precision takes.
        assert!(second.batches_run == left || rule == PRECISION && second.batches_run > left);
        assert_eq!(told(&resumed), (done + second.batches_run, 0));
    }
}

#[test]
fn a_merge_keeps_what_the_target_holds() {
    let (first, second) = (Folder::new(), Folder::new());
    first.run(&Toy::new(), &RULE, &shard("1/2", &RULE)).unwrap();
    second.run(&Toy::new(), &RULE, &shard("2/2", &RULE)).unwrap();
    let merged = merge(&[first.0.path(), second.0.path()], first.0.path()).unwrap();
    assert_eq!((merged.batches, merged.duplicates), (30, 0));
}

/// The bytes of the journal that holds each of these batches once, by point and number, as it was written when all
/// of it was held in memory.
fn joint(folders: &[Folder]) -> Vec<u8> {
    let mut all = BTreeMap::new();
    for folder in folders {
        let records = journal::read(&folder.journal()).unwrap().records;
        all.extend(records.into_iter().map(|record| (record.key(), record)));
    }
    let mut bytes = b"loadfactor journal 1\n".to_vec();
    all.values().for_each(|record| bytes.extend(journal::framed(&record.encode())));
    bytes
}

/// Of many sources whose batches alternate, some of them twice, one torn and one damaged inside; in parts of one
/// record, of some, and all at once.
#[test]
fn a_merge_in_parts_gives_the_bytes_of_a_merge_in_memory() {
    let toy = || Toy { points: 7, ..Toy::new() };
    let folders: Vec<Folder> = (0..40).map(|_| Folder::new()).collect();
    for (number, folder) in folders.iter().enumerate() {
        let share = format!("{}/31", number % 31 + 1);
        folder.run(&toy(), &RULE, &shard_of(&toy(), &share, &RULE)).unwrap();
    }
    let torn = fs::read(folders[3].journal()).unwrap();
    fs::write(folders[3].journal(), &torn[..torn.len() - 1]).unwrap();
    let mut damaged = fs::read(folders[4].journal()).unwrap();
    damaged[40] ^= 1;
    fs::write(folders[4].journal(), damaged).unwrap();
    let sources: Vec<_> = folders.iter().map(|folder| folder.0.path()).collect();
    let expected = joint(&folders);
    for part in [1, 500, 1 << 20] {
        let out = Folder::new();
        let merged = merge_in_parts(&sources, out.0.path(), part).unwrap();
        assert_eq!((merged.batches, merged.damage.len()), (70, 2), "{part}");
        assert!(merged.duplicates > 15);
        assert!(fs::read(out.journal()).unwrap() == expected, "{part}");
        let again = merge_in_parts(&sources, out.0.path(), part).unwrap();
        assert_eq!((again.batches, again.duplicates), (70, merged.duplicates + 70));
        assert!(fs::read(out.journal()).unwrap() == expected, "{part}");
    }
}

/// A journal of several times what is read at once.
#[test]
fn a_long_journal_is_read_whole() {
    let metrics: Vec<_> = (0..256).map(|k| (metrics::occupancy(k), Moments::default())).collect();
    let record = |batch: u64| Record {
        identity: [3; 16],
        batch,
        result: BatchResult { trials: 1, metrics: metrics[..batch as usize * 97 % 256].into() },
    };
    let records: Vec<Record> = (0..200).map(record).collect();
    let (folder, out) = (Folder::new(), Folder::new());
    write_whole(&folder.journal(), &records, 0).unwrap();
    assert!(fs::metadata(folder.journal()).unwrap().len() > 1 << 20);
    assert!(journal::read(&folder.journal()).unwrap().records == records);
    merge_in_parts(&[folder.0.path()], out.0.path(), 100_000).unwrap();
    let bytes = fs::read(folder.journal()).unwrap();
    assert!(fs::read(out.journal()).unwrap() == bytes);
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(folder.journal(), &damaged).unwrap();
    let contents = journal::read(&folder.journal()).unwrap();
    assert_eq!((contents.records.len(), contents.damage.len()), (199, 1));
}

#[test]
fn contradicting_shards_are_not_merged() {
    let (first, second, out) = (Folder::new(), Folder::new(), Folder::new());
    first.points(&Toy::new(), &RULE);
    merge(&[first.0.path()], out.0.path()).unwrap();
    let before = fs::read(out.journal()).unwrap();
    let mut record = journal::read(&first.journal()).unwrap().records.swap_remove(0);
    record.result.metrics[0].1 = [0.5; 10].into_iter().collect();
    journal::write_whole(&second.journal(), [&record], 0).unwrap();
    let error = merge(&[second.0.path()], out.0.path()).unwrap_err();
    assert!(matches!(error, RunError::Conflict { .. }), "{error}");
    assert_eq!(fs::read(out.journal()).unwrap(), before);
}

#[test]
fn a_record_of_a_later_version_is_neither_merged_nor_forgotten() {
    let (source, out) = (Folder::new(), Folder::new());
    source.points(&Toy::new(), &RULE);
    // The name of a metric in a record, as long as before and its checksum right, but unknown.
    let mut record = journal::read(&source.journal()).unwrap().records.swap_remove(0);
    record.identity = [9; 16];
    let mut payload = record.encode();
    let name = payload.windows(8).position(|bytes| bytes == b"overflow").unwrap();
    payload[name..name + 8].copy_from_slice(b"overfull");
    journal::append_payload(&source.journal(), &payload);
    let error = merge(&[source.0.path()], out.0.path()).unwrap_err();
    assert!(matches!(error, RunError::Unknown { records: 1, .. }), "{error}");
    let fresh = RunOptions { fresh: true, ..threads(2) };
    source.run(&Toy::new(), &RULE, &fresh).unwrap();
    assert_eq!(journal::read(&source.journal()).unwrap().unknown, [payload]);
}

#[test]
fn a_folder_without_a_journal_is_no_shard() {
    let (empty, out) = (Folder::new(), Folder::new());
    let error = merge(&[empty.0.path()], out.0.path()).unwrap_err();
    assert!(matches!(error, RunError::NoJournal { .. }), "{error}");
}

#[test]
fn a_point_that_ends_at_a_precision_is_one_shards_whole() {
    let folders = [Folder::new(), Folder::new()];
    for (folder, text) in folders.iter().zip(["1/2", "2/2"]) {
        folder.run(&Toy::new(), &PRECISION, &shard(text, &PRECISION)).unwrap();
    }
    let [a, b] = folders.each_ref().map(|folder| folder.0.path());
    let joint = Folder::new();
    assert_eq!(merge(&[a, b], joint.0.path()).unwrap().duplicates, 0);
    let whole = joint.run(&Toy::new(), &PRECISION, &threads(2)).unwrap();
    assert_eq!((whole.batches_run, bits(&whole.points)), (0, bits(&undisturbed(&PRECISION))));
}
