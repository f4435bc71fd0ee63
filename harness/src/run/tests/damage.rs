//! Journals cut at every byte, with every byte changed, and made of any bytes at all.

use std::fs;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::run::journal::{Contents, read};

/// The journal of a complete run.
fn journal_of(rule: &Stopping) -> Vec<u8> {
    let folder = Folder::new();
    folder.run(&Toy::new(), rule, &threads(1)).unwrap();
    fs::read(folder.journal()).unwrap()
}

/// The journal of thirty batches, behind a header of 21 bytes.
fn whole_journal() -> Vec<u8> {
    static JOURNAL: LazyLock<Vec<u8>> = LazyLock::new(|| journal_of(&RULE));
    JOURNAL.clone()
}

fn folder_with(journal: &[u8]) -> Folder {
    let folder = Folder::new();
    fs::write(folder.journal(), journal).unwrap();
    folder
}

fn read_bytes(journal: &[u8]) -> Result<Contents, RunError> {
    read(&folder_with(journal).journal())
}

#[test]
fn a_journal_cut_anywhere_resumes_to_the_same_bits() {
    let rule = Stopping::Trials(25);
    let journal = journal_of(&rule);
    let expected = bits(&undisturbed(&rule));
    let frame = (journal.len() - 21) / 9;
    for length in 0..=journal.len() {
        let folder = folder_with(&journal[..length]);
        let outcome = folder.run(&Toy::new(), &rule, &threads(1)).unwrap();
        assert_eq!(bits(&outcome.points), expected, "{length} bytes");
        assert_eq!(outcome.batches_resumed, (length.saturating_sub(21) / frame) as u64);
        let torn = length != 0 && (length < 21 || (length - 21) % frame != 0);
        assert_eq!(outcome.damage.len(), usize::from(torn), "{length} bytes");
        assert_eq!(fs::read(folder.journal()).unwrap(), journal);
    }
}

#[test]
fn a_changed_byte_costs_its_own_batch_and_is_told_from_a_torn_end() {
    let journal = whole_journal();
    let frame = (journal.len() - 21) / 30;
    let last = journal.len() - frame;
    for at in 21..journal.len() {
        let mut damaged = journal.clone();
        damaged[at] ^= 0x55;
        let contents = read_bytes(&damaged).unwrap();
        let offset = at - (at - 21) % frame;
        let expected = match offset == last {
            true => Damage::TornEnd { offset, bytes: frame },
            false => Damage::Corrupted { offset, bytes: frame },
        };
        assert_eq!((contents.records.len(), contents.damage), (29, vec![expected]), "byte {at}");
    }
}

#[test]
fn a_corrupted_journal_resumes_to_the_same_bits() {
    let mut journal = whole_journal();
    let middle = journal.len() / 2;
    journal[middle] ^= 1;
    let folder = folder_with(&journal);
    let outcome = folder.run(&Toy::new(), &RULE, &threads(2)).unwrap();
    assert_eq!((outcome.batches_run, outcome.batches_resumed), (1, 29));
    assert!(matches!(outcome.damage[..], [Damage::Corrupted { .. }]));
    assert_eq!(bits(&outcome.points), bits(&undisturbed(&RULE)));
    assert_eq!(folder.run(&Toy::new(), &RULE, &threads(2)).unwrap().batches_run, 0);
}

#[test]
fn another_version_and_another_file_are_told_apart() {
    let version = read_bytes(b"loadfactor journal 2\nwhatever").unwrap_err().to_string();
    assert!(version.contains("format 2") && version.contains("--fresh"), "{version}");
    for other in ["loadfactor journal x\n", "a,b,c\n", "loadfactor journal 1 \n"] {
        let error = read_bytes(other.as_bytes()).unwrap_err();
        assert!(matches!(error, RunError::NotAJournal { .. }), "{other}");
    }
    let fresh = RunOptions { fresh: true, ..threads(2) };
    let folder = folder_with(b"a,b,c\n");
    for options in [&threads(2), &fresh] {
        let error = folder.run(&Toy::new(), &RULE, options).unwrap_err();
        assert!(matches!(error, RunError::NotAJournal { .. }), "{error}");
    }
    let folder = folder_with(b"loadfactor journal 2\nwhatever");
    assert!(folder.run(&Toy::new(), &RULE, &threads(2)).is_err());
    assert_eq!(folder.run(&Toy::new(), &RULE, &fresh).unwrap().batches_run, 30);
    assert_eq!(folder.run(&Toy::new(), &RULE, &threads(2)).unwrap().batches_run, 0);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        header in any::<bool>(), bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let start: &[u8] = if header { b"loadfactor journal 1\n" } else { b"" };
        let journal = [start, &bytes].concat();
        let contents = read_bytes(&journal);
        prop_assert!(!header || contents.is_ok());
    }

    #[test]
    fn pieces_of_a_journal_never_give_other_numbers(
        cuts in prop::collection::vec((0usize..4000, 0usize..300), 0..8),
    ) {
        let whole = whole_journal();
        let genuine = read_bytes(&whole).unwrap().records;
        let piece = |&(from, length): &(usize, usize)| {
            let from = from.min(whole.len());
            whole[from..(from + length).min(whole.len())].to_vec()
        };
        let pieces: Vec<u8> = cuts.iter().flat_map(piece).collect();
        let contents = read_bytes(&[&whole[..21], &pieces].concat()).unwrap();
        prop_assert!(contents.records.iter().all(|record| genuine.contains(record)));
    }
}
