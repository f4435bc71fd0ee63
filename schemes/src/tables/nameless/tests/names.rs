//! Courses of elements that take the names of others against the same courses of elements that keep their own.

use super::*;
use crate::tables::nameless::follow;
use crate::tables::process::Bins;
use crate::tables::theory::on_off::OnOff;
use crate::tables::trial::Sums as Counts;
use crate::tables::workloads::Span;
use crate::tables::workloads::course::Course;
use crate::tables::{Deletion, Table};

/// A table whose elements keep their names, and which takes arrivals and departures one by one.
#[derive(Clone)]
struct Named<T>(T);

impl<T: Table> Table for Named<T> {
    fn reserve(&mut self, elements: u32) {
        self.0.reserve(elements);
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn is_certain(&self) -> bool {
        self.0.is_certain()
    }

    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion {
        self.0.insert::<CERTAIN>(element, choices, rng)
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.0.insert_overflowed(element);
    }

    fn delete(&mut self, element: u32) -> Deletion {
        self.0.delete(element)
    }

    fn overflow(&self) -> u32 {
        self.0.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        self.0.occupancy()
    }
}

impl<T: Table> Nameless for Named<T> {}

/// What trials leave: counts, the means of the overflow list and of the system, and how full the buckets are.
type Left = Vec<(Counts, Option<f64>, Option<f64>, Vec<u64>)>;

fn left<T: Nameless>(mut table: T, course: Course<'_>, geometry: Geometry) -> Left {
    let shape = Shape::new(geometry, [geometry.buckets; 2]);
    let mut course = course.in_blocks();
    let trial = |number| {
        let seeds = Seeds::of(11, number);
        table.clear();
        course.begin(&seeds);
        let counts;
        (table, counts) = follow(table.clone(), &shape, &mut course, &seeds);
        let averages = course.averages();
        (counts, averages.overflow(), averages.system(), table.occupancy())
    };
    (0..20).map(trial).collect()
}

/// The first of two choices that is not full, as MULTIPLE.
#[derive(Clone)]
struct FirstOfTwo;

impl Rule for FirstOfTwo {
    const PLACES: bool = true;

    fn place(&self, buckets: &Buckets, mut choices: impl Choices) -> (u32, u32) {
        chain::first_free_place(buckets, &[choices.next(0), choices.next(0)])
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        mut choices: impl Choices,
        _rng: &mut Rng,
        _reads: &mut impl Reads,
    ) -> Insertion {
        chain::first_free(buckets, element, &[choices.next(0), choices.next(0)])
    }
}

/// Draws are the same, so that results are, and the system grows beyond the elements there was room for.
#[test]
fn courses_are_the_same_whoever_has_which_name() {
    let geometry = Geometry { elements: 20, buckets: 8, bucket_size: 2 };
    let span = Span { warm_up: 3.0, duration: 20.0 };
    let flows = OnOff { flows: 8, rate: 0.11, burst: 4.0 };
    let bins = Bins { width: 1, largest: 12 };
    let courses: [&dyn Fn() -> Course<'static>; 4] = [
        &|| Course::open(20, span, true),
        &|| Course::open(20, Span { warm_up: 0.0, ..span }, false),
        &|| Course::closed(20, span),
        &|| Course::slots(4, &flows, (300, 700), bins, None),
    ];
    for course in courses {
        let counters = Counting::new(Buckets::new(&geometry, true), FirstOfTwo);
        let by_position = left(counters.clone(), course(), geometry);
        assert_eq!(by_position, left(Named(counters), course(), geometry));
    }
}
