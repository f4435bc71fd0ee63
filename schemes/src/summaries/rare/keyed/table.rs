//! A table that is being filled, and the questions by which it becomes known what becomes of an element.
//!
//! Of one sub-table after the other it is asked whether the bucket of the element is taken or among the first quarter of
//! all, then whether it is taken or among the first sixteenth, and so on, until it is asked whether it is taken. After the
//! first no the element has its bucket there. A yes says nothing of a key but that it is among those of this answer, so
//! that keys that are drawn until one has the same answers follow the law of the element's key given all that is known.

use std::iter;
use std::ops::Range;

use crate::filters::Bits;
use crate::summaries::Multilevel;

/// Questions in one sub-table at most: two bits of the number of buckets each.
const OF_SUB_TABLE: u32 = 32;

/// Questions are numbered below it, with room for 64 sub-tables.
pub(super) const QUESTIONS: u32 = 64 * OF_SUB_TABLE;

/// Elements in the sub-tables of a table.
pub(super) struct Table {
    sub_tables: Vec<SubTable>,
    crisis: u32,
}

struct SubTable {
    buckets: u32,
    taken: Bits,
    /// How many are.
    elements: u32,
}

/// How far a table is filled.
#[derive(Debug, Clone)]
pub(super) struct Filled {
    /// Elements in each sub-table.
    pub(super) elements: Vec<u32>,
    /// Those without a bucket.
    pub(super) crisis: u32,
    /// Those that are still to come.
    pub(super) to_come: u32,
}

/// The bucket that an element finds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Counted from 0.
    pub(super) sub_table: usize,
    bucket: u32,
}

/// What becomes of an element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Walk {
    /// The number of the first question whose answer is no, or [`QUESTIONS`].
    pub(super) answered: u32,
    /// Its bucket; `None` where all of its buckets are taken.
    pub(super) place: Option<Place>,
}

/// What a yes says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    /// The number of the question.
    pub(super) question: u32,
    /// Counted from 0.
    pub(super) sub_table: usize,
    /// How probable it is, about, that the bucket there is taken.
    pub(super) taken: f64,
    /// The share of keys, about, that have a yes up to here.
    pub(super) share: f64,
}

impl SubTable {
    /// The questions: whether a bucket is taken or below this one.
    fn questions(&self) -> impl Iterator<Item = u32> {
        let least = if self.elements > 0 { self.elements.saturating_mul(4) } else { self.buckets };
        let quarter = |&below: &u32| Some(below / 4);
        let parts = iter::successors(Some(self.buckets / 4), quarter);
        parts.take_while(move |&below| below > least).chain([0])
    }

    /// The share of taken buckets.
    fn share(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.buckets)
    }
}

impl Table {
    pub(super) fn new(table: &Multilevel) -> Self {
        let sub_table = |buckets| SubTable { buckets, taken: Bits::new(buckets), elements: 0 };
        Self { sub_tables: table.sizes().into_iter().map(sub_table).collect(), crisis: 0 }
    }

    pub(super) fn clear(&mut self) {
        for own in &mut self.sub_tables {
            own.taken.clear();
            own.elements = 0;
        }
        self.crisis = 0;
    }

    /// d.
    pub(super) fn types(&self) -> u8 {
        self.sub_tables.len() as u8
    }

    /// Elements without a bucket.
    pub(super) fn crisis(&self) -> u32 {
        self.crisis
    }

    /// How far it is filled, with so many elements still to come.
    pub(super) fn filled(&self, to_come: u32) -> Filled {
        let elements = self.sub_tables.iter().map(|own| own.elements).collect();
        Filled { elements, crisis: self.crisis, to_come }
    }

    /// What becomes of an element of these choices.
    #[inline]
    pub(super) fn walk(&self, choices: &mut dyn FnMut(u32) -> u32) -> Walk {
        for (sub_table, own) in self.sub_tables.iter().enumerate() {
            let bucket = choices(own.buckets);
            if own.taken.is_set(bucket) {
                continue;
            }
            let yes = own.questions().take_while(|&below| bucket < below).count() as u32;
            let answered = sub_table as u32 * OF_SUB_TABLE + yes;
            return Walk { answered, place: Some(Place { sub_table, bucket }) };
        }
        Walk { answered: QUESTIONS, place: None }
    }

    /// An element takes its bucket.
    pub(super) fn take(&mut self, walk: &Walk) {
        match walk.place {
            None => self.crisis += 1,
            Some(Place { sub_table, bucket }) => {
                let own = &mut self.sub_tables[sub_table];
                own.taken.set(bucket);
                own.elements += 1;
            }
        }
    }

    /// What a yes to each of these questions says. The last question of all is left out: what it says is known when the
    /// element is in a crisis.
    pub(super) fn answers(&self, questions: Range<u32>) -> impl Iterator<Item = Answer> {
        let last = self.sub_tables.len() - 1;
        let before = iter::once(1.0).chain(self.sub_tables.iter().scan(1.0, |share, own| {
            *share *= own.share();
            Some(*share)
        }));
        let of_sub_table = move |((sub_table, own), before): ((usize, &SubTable), f64)| {
            let (taken, first) = (own.share(), sub_table as u32 * OF_SUB_TABLE);
            let all: Vec<Answer> = (first..)
                .zip(own.questions())
                .filter(|&(_, below)| below > 0 || sub_table < last)
                .map(|(question, below)| {
                    let yes = taken + (1.0 - taken) * f64::from(below) / f64::from(own.buckets);
                    let (taken, share) = (if yes > 0.0 { taken / yes } else { 0.0 }, before * yes);
                    Answer { question, sub_table, taken, share }
                })
                .collect();
            all
        };
        let all = self.sub_tables.iter().enumerate().zip(before).flat_map(of_sub_table);
        all.skip_while(move |own| own.question < questions.start)
            .take_while(move |own| own.question < questions.end)
    }
}
