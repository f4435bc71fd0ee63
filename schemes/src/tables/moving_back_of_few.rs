//! M-B of few elements, whose choices are drawn together.

use std::hint::select_unpredictable;

use super::buckets::Buckets;
use super::moving_back::Upon;
use super::nameless::{Nameless, NamelessVisitor};
use super::rule::{Reads, Rule};
use super::small_cam::SmallCam;
use super::{CamUse, Deletion, Geometry, Insertion, MovesBack, SubTableUse, Table};
use crate::Rng;
use crate::hash::Choices;

/// Calls the visitor with an empty table that the rule fills, which has one choice below each of the first D `ranges`, and
/// that moves elements back; `None` where it is too large or may become so, as in a course.
pub(super) fn visit<const D: usize, const R: usize, U: Rule, V: NamelessVisitor>(
    geometry: &Geometry,
    ranges: [u32; R],
    upon: Upon,
    rule: U,
    visitor: V,
) -> Option<V::Output> {
    let fits = !V::BY_NAME && SmallCam::<D>::fits(geometry);
    fits.then(|| {
        let (buckets, cam) = (Buckets::new(geometry, true), SmallCam::<D>::new(geometry));
        visitor.visit(MovingBackOfFew { buckets, rule, cam, upon }, ranges)
    })
}

/// As the table of [`moving_back`](super::moving_back): counters filled by the rule `R`, and the CAM of the overflow list.
#[derive(Debug, Clone)]
struct MovingBackOfFew<R, const D: usize> {
    buckets: Buckets,
    rule: R,
    cam: SmallCam<D>,
    upon: Upon,
}

/// The D choices of an element, of which an insertion reads as many as it accesses.
struct Told<const D: usize> {
    buckets: [u32; D],
    number: usize,
}

impl<const D: usize> Reads for Told<D> {
    #[inline(always)]
    fn read(&mut self, bucket: u32) {
        self.buckets[self.number] = bucket;
        self.number += 1;
    }
}

impl<R: Rule, const D: usize> MovingBackOfFew<R, D> {
    /// Looks up the bucket, which has room, and moves the element found into it.
    #[inline(always)]
    fn look_up(&mut self, bucket: u32) -> MovesBack {
        let found = self.cam.take(bucket);
        if let Some(element) = found {
            self.buckets.move_back(element, bucket);
        }
        MovesBack { lookups: 1, moves: found.is_some().into() }
    }

    /// Looks up each of the buckets that has room, once.
    #[inline(always)]
    fn look_up_read(&mut self, read: &[u32]) -> MovesBack {
        let mut back = MovesBack::default();
        for (i, &bucket) in read.iter().enumerate() {
            if !self.buckets.is_full(bucket) && !read[..i].contains(&bucket) {
                let MovesBack { lookups, moves } = self.look_up(bucket);
                back.lookups += lookups;
                back.moves += moves;
            }
        }
        back
    }
}

impl<R: Rule, const D: usize> Table for MovingBackOfFew<R, D> {
    const MOVES_BACK: bool = true;

    /// It is for rounds, in which there are no more than n.
    fn reserve(&mut self, _elements: u32) {}

    fn clear(&mut self) {
        self.buckets.clear();
        self.cam.clear();
    }

    fn is_certain(&self) -> bool {
        self.rule.is_certain()
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        let mut told = Told { buckets: [0; D], number: 0 };
        let Self { buckets, rule, cam, .. } = self;
        let insertion = rule.insert::<CERTAIN>(buckets, element, choices, rng, &mut told);
        if !CERTAIN && insertion.accesses == 0 {
            cam.insert_without_buckets(element);
        } else if !insertion.stored {
            cam.insert(element, told.buckets);
        }
        match self.upon {
            Upon::Deletion => insertion,
            Upon::Insertion => {
                let read = &told.buckets[..insertion.accesses as usize];
                Insertion { back: self.look_up_read(read), ..insertion }
            }
        }
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.buckets.overflow_with(element);
        self.cam.insert_without_buckets(element);
    }

    #[inline(always)]
    fn delete(&mut self, element: u32) -> Deletion {
        let place = self.buckets.place_of(element);
        let listed = place == self.buckets.overflow_list();
        let looked_up = (self.upon == Upon::Deletion) & !listed & self.buckets.is_full(place);
        // One branch for all that concerns the CAM, which a processor cannot always guess. That a bucket was full it could
        // guess no better, and nothing depends on it where nobody waits.
        let concerned = listed | (looked_up & self.cam.holds(place));
        if concerned {
            let lowest = self.cam.lowest(place);
            let entry = select_unpredictable(listed, self.cam.entry_of(element), lowest);
            let leaving = self.cam.free_entry(entry);
            self.buckets.hand_over(place, leaving);
        } else {
            self.buckets.take(place);
        }
        let moves = u32::from(concerned & !listed);
        let back = MovesBack { lookups: looked_up.into(), moves };
        Deletion { back, ..Deletion::default() }
    }

    #[inline(always)]
    fn overflow(&self) -> u32 {
        self.buckets.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.buckets.occupancy()
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        self.rule.sub_tables().map_or_else(Vec::new, |tables| self.buckets.sub_tables(tables))
    }

    #[inline(always)]
    fn cam(&self) -> CamUse {
        self.cam.in_use()
    }
}

impl<R: Rule, const D: usize> Nameless for MovingBackOfFew<R, D> {
    fn has_names(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng};

    use super::*;
    use crate::hash::reduce;
    use crate::params::{Params, Scalar};
    use crate::tables::multiple::Multiple;
    use crate::tables::single::Single;
    use crate::tables::{Scheme, TableVisitor};

    /// Numbers given beforehand; `TOGETHER`, all may be asked for at once.
    struct Given<const D: usize, const TOGETHER: bool> {
        numbers: [u32; D],
        asked: usize,
    }

    impl<const D: usize, const TOGETHER: bool> Choices for Given<D, TOGETHER> {
        const NUMBER: Option<u32> = if TOGETHER { Some(D as u32) } else { None };

        fn next(&mut self, _buckets: u32) -> u32 {
            self.asked += 1;
            self.numbers[self.asked - 1]
        }
    }

    type Seen = (Deletion, Insertion, u32, CamUse);

    /// What a table shows from round to round; choices below these numbers.
    struct History<const D: usize> {
        elements: u32,
        ranges: [u32; D],
    }

    impl<const D: usize> History<D> {
        fn of<T: Table, const TOGETHER: bool>(&self, mut table: T) -> (Vec<Seen>, Vec<u64>) {
            let [mut rng, mut chance] = [1, 2].map(Rng::seed_from_u64);
            let mut insert = |table: &mut T, element, rng: &mut Rng| {
                let numbers = self.ranges.map(|range| reduce(rng.next_u64(), range));
                let choices = Given::<D, TOGETHER> { numbers, asked: 0 };
                match table.is_certain() {
                    true => table.insert::<true>(element, choices, &mut chance),
                    false => table.insert::<false>(element, choices, &mut chance),
                }
            };
            table.insert_overflowed(0);
            (1..self.elements).for_each(|element| _ = insert(&mut table, element, &mut rng));
            let round = |_| {
                let element = reduce(rng.next_u64(), self.elements);
                let deletion = table.delete(element);
                let insertion = insert(&mut table, element, &mut rng);
                (deletion, insertion, table.overflow(), table.cam())
            };
            let seen = (0..3000).map(round).collect();
            (seen, table.occupancy())
        }
    }

    impl<const D: usize> TableVisitor for History<D> {
        type Output = (Vec<Seen>, Vec<u64>);

        fn visit<T: Table>(self, table: T) -> Self::Output {
            self.of::<T, false>(table)
        }
    }

    impl<const D: usize> NamelessVisitor for History<D> {
        type Output = (Vec<Seen>, Vec<u64>);

        fn visit<T: Nameless, const R: usize>(self, table: T, ranges: [u32; R]) -> Self::Output {
            assert_eq!(ranges[..], self.ranges);
            self.of::<T, true>(table)
        }
    }

    fn assert_same<S: Scheme, const D: usize>(given: &[(&str, Scalar)]) {
        let scheme = S::from_params(&Params::complete(S::INFO.params, given).unwrap()).unwrap();
        let ranges = <[u32; D]>::try_from(scheme.ranges()).unwrap_or([scheme.ranges()[0]; D]);
        let history = || History { elements: scheme.geometry().elements, ranges };
        let few = scheme.nameless(history()).unwrap();
        assert!(few == scheme.table(true, history()), "{given:?}");
    }

    /// Round by round the same as the table for any number of elements, which is written as the paper has it.
    #[test]
    fn is_the_table_of_any_number_of_elements() {
        for (upon, tried) in
            [("deletion", 1.0), ("deletion", 0.7), ("insertion", 1.0), ("insertion", 0.7)]
        {
            for (elements, buckets, size) in [(80_u32, 20_u32, 4_u32), (70, 60, 1), (9, 1, 3)] {
                let of = |choices: u32| {
                    let mut given = vec![
                        ("elements", elements.into()),
                        ("buckets", buckets.into()),
                        ("bucket_size", size.into()),
                        ("insertion_probability", Scalar::Number(tried)),
                        ("move_back", upon.into()),
                    ];
                    if choices > 1 {
                        given.push(("choices", choices.into()));
                    }
                    given
                };
                assert_same::<Single, 1>(&of(1));
                assert_same::<Multiple, 2>(&of(2));
                assert_same::<Multiple, 3>(&of(3));
                assert_same::<Multiple, 4>(&of(4));
                if buckets > 1 {
                    let split = [&of(3)[..], &[("sub_tables", true.into())]].concat();
                    assert_same::<Multiple, 3>(&split);
                }
            }
        }
    }
}
