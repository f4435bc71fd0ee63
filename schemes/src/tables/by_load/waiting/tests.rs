//! The list of a lane against one whose buckets have numbers for good.

use proptest::collection::vec;
use proptest::prelude::*;
use pulp::WithSimd;

use super::*;
use crate::tables::Geometry;
use crate::uniform::widths;

#[derive(Debug, Clone, Copy)]
enum Step {
    /// An element comes with choices of these ranks, or one without choices.
    Wait(Option<[u32; MOST_AWAITED]>),
    /// The element at this part of the list leaves it.
    Leave(f64),
    /// The bucket at this part of those that somebody waits for has room, in the sub-table of this choice.
    MoveBack(usize, f64),
}

/// Choices, full buckets of each sub-table, and what happens: first a long list, and then one that is now longer, now shorter.
fn histories() -> impl Strategy<Value = (usize, Vec<u32>, Vec<Step>)> {
    let tables = prop_oneof![vec(1..40_u32, 1), vec(1..40_u32, MOST_AWAITED)];
    (1..=MOST_AWAITED, tables).prop_flat_map(|(choices, mut full)| {
        let choices = if full.len() > 1 { choices.max(2) } else { choices };
        full.truncate(choices);
        let below: [u32; MOST_AWAITED] = array::from_fn(|choice| full[choice.min(full.len() - 1)]);
        let ranks = below.map(|below| 0..below);
        let wait = proptest::option::weighted(0.9, ranks).prop_map(Step::Wait);
        let step = prop_oneof![
            4 => wait.clone(),
            3 => (0.0..1.0).prop_map(Step::Leave),
            2 => (0..choices, 0.0..1.0).prop_map(|(choice, part)| Step::MoveBack(choice, part)),
        ];
        let steps = (vec(wait, 0..200), vec(step, 0..400));
        let steps = steps.prop_map(|(first, then)| [first, then].concat());
        (Just(choices), Just(full), steps)
    })
}

/// The same with buckets that have numbers for good: a list of elements by rank, each with its entry and its buckets.
struct ByNumber {
    tables: Vec<usize>,
    /// Buckets of each sub-table that somebody waits for, by rank.
    awaited: Vec<Vec<u32>>,
    listed: Vec<(u32, Vec<u32>)>,
    next: u32,
}

impl ByNumber {
    fn wait(&mut self, ranks: Option<&[u32]>) {
        let before: Vec<usize> = self.awaited.iter().map(Vec::len).collect();
        let mut own: Vec<u32> = Vec::new();
        let ranks = ranks.unwrap_or_default();
        for (choice, &rank) in ranks.iter().enumerate() {
            let table = self.tables[choice];
            let same = |&other: &usize| self.tables[other] == table && ranks[other] == rank;
            let bucket = match (0..choice).find(same) {
                Some(other) => own[other],
                None if (rank as usize) < before[table] => self.awaited[table][rank as usize],
                None => {
                    self.next += 1;
                    self.awaited[table].push(self.next);
                    self.next
                }
            };
            own.push(bucket);
        }
        let free = |entry: &u32| self.listed.iter().all(|(other, _)| other != entry);
        let entry = (0..).find(free).unwrap();
        self.listed.push((entry, own));
    }

    fn leave(&mut self, rank: usize) {
        let (_, own) = self.listed.swap_remove(rank);
        for (choice, bucket) in own.iter().enumerate() {
            let waits = self.listed.iter().any(|(_, other)| other.contains(bucket));
            if !waits && !own[..choice].contains(bucket) {
                let awaited = &mut self.awaited[self.tables[choice]];
                let place = awaited.iter().position(|other| other == bucket).unwrap();
                awaited.swap_remove(place);
            }
        }
    }

    fn move_back(&mut self, table: usize, rank: usize) {
        let bucket = self.awaited[table][rank];
        let of_bucket =
            self.listed.iter().enumerate().filter(|(_, (_, own))| own.contains(&bucket));
        let (rank, _) = of_bucket.min_by_key(|(_, (entry, _))| *entry).unwrap();
        self.leave(rank);
    }

    fn extent(&self) -> u32 {
        self.listed.iter().map(|(entry, _)| entry + 1).max().unwrap_or(0)
    }
}

/// What a list is like after each step: buckets that somebody waits for, entries of the CAM up to the last in use, and the entry of
/// each element on it.
type Told = (Vec<u16>, u32, Vec<u32>);

struct Through<'a>(usize, &'a [u32], &'a [Step]);

impl WithSimd for Through<'_> {
    type Output = Vec<[Told; 2]>;

    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Self(choices, full, steps) = self;
        let geometry = Geometry { elements: 4096, buckets: full.iter().sum(), bucket_size: 1 };
        let by_load = match full.len() {
            1 => ByLoad::anywhere(&geometry, choices as u32),
            _ => ByLoad::in_turn(&geometry, full.to_vec()),
        };
        let mut list = Waiting::new(&by_load.unwrap());
        let mut by_number = ByNumber {
            tables: (0..choices).map(|choice| choice.min(full.len() - 1)).collect(),
            awaited: vec![Vec::new(); full.len()],
            listed: Vec::new(),
            next: 0,
        };
        let part = |part: f64, of: usize| ((part * of as f64) as usize).min(of - 1);
        let mut told = Vec::new();
        for &step in steps {
            match step {
                Step::Wait(Some(ranks)) => {
                    let entry = list.wait(&ranks);
                    by_number.wait(Some(&ranks[..choices]));
                    assert_eq!(Some(entry), by_number.listed.last().map(|&(entry, _)| entry));
                }
                Step::Wait(None) => {
                    list.put_without_choices();
                    by_number.wait(None);
                }
                Step::Leave(at) if !by_number.listed.is_empty() => {
                    let rank = part(at, by_number.listed.len());
                    let waited = !by_number.listed[rank].1.is_empty();
                    assert_eq!(list.leave(rank as u32), waited);
                    by_number.leave(rank);
                }
                Step::MoveBack(choice, at)
                    if let table = by_number.tables[choice]
                        && !by_number.awaited[table].is_empty() =>
                {
                    let rank = part(at, by_number.awaited[table].len());
                    list.move_back(simd, table, rank as u32);
                    by_number.move_back(table, rank);
                }
                Step::Leave(_) | Step::MoveBack(..) => {}
            }
            let expected = by_number.awaited.iter().map(|awaited| awaited.len() as u16);
            let rank = |rank: usize| list.pages[rank / PAGE].get(rank % PAGE).1.into();
            let entries = by_number.listed.iter().map(|(entry, _)| *entry);
            told.push([
                (
                    list.awaited()[..full.len()].to_vec(),
                    list.extent(),
                    (0..list.number).map(rank).collect(),
                ),
                (expected.collect(), by_number.extent(), entries.collect()),
            ]);
        }
        told
    }
}

proptest! {
    /// In registers of every width: who leaves the list, who moves back, and which buckets somebody waits for then.
    #[test]
    fn is_a_list_of_buckets_with_numbers((choices, full, steps) in histories()) {
        for arch in widths() {
            for [found, expected] in arch.dispatch(Through(choices, &full, &steps)) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}
