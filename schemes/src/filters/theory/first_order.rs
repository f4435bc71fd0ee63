//! The standard filter whose choices are any progression, to first order in 1/m.
//!
//! As in [`progression`](super::progression), an element meets the places of an absent key with so many of its m
//! values of `h1` as there are different numbers `t − i`, for its own places i. Two of these are the same where a linear
//! equation in the steps of both keys holds modulo m. Steps for which several equations hold that do not follow from
//! one are of second order, and left out: what remains are the solutions of one equation and its multiples at a time,
//! which are counted by greatest common divisors. Likewise the places of the absent key itself may be fewer.

use std::collections::{BTreeMap, BTreeSet};

use super::overlap::Meetings;
use super::power;
use crate::filters::params::Size;
use crate::hash::Increment;
use crate::math::divisors::gcd;

/// A filter of which an element's choices are a progression, of any steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstOrder<'s> {
    size: &'s Size,
    increment: Increment,
}

/// A value to first order, and what may be left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Refined {
    pub(super) value: f64,
    pub(super) allowance: f64,
}

impl<'s> FirstOrder<'s> {
    pub(super) fn new(size: &'s Size, increment: Increment) -> Self {
        Self { size, increment }
    }

    /// The false positive probability, where it is close to its limit.
    pub(super) fn all_set(&self) -> Option<Refined> {
        let Size { elements, choices, .. } = *self.size;
        if choices > MOST_CHOICES {
            return None;
        }
        let meetings = self.classes(|one, other| one != other);
        let different = self.meetings(&meetings).all_set(elements)?;
        let fewer = self.classes(|_, _| false).into_iter().map(|class| {
            let places = choices - class.merged();
            class.many * (power(self.size.set_limit(), places) - different)
        });
        let fewer = fewer.sum::<f64>() / f64::from(self.size.bits);
        let (value, limit) = (different + fewer, self.size.limit());
        let part = self.part_of(&meetings) + fewer.abs() / limit;
        (part <= MOST_PART).then_some(Refined { value, allowance: 2.0 * part * part * limit })
    }

    /// All that the first order adds to the limit, by how an element meets the places of an absent key, as a part
    /// of it. What raises the probability of one place or of two, and what lowers that of others, is added up:
    /// together they may be next to nothing, and what is left of each is not.
    fn part_of(&self, meetings: &[Class]) -> f64 {
        let Size { elements, bits, choices } = *self.size;
        let (m, k) = (f64::from(bits), f64::from(choices));
        let k_places = choices as usize;
        // Of m² values of an element: those that set a place twice, less as many as the limit has without knowing
        // it, and those that set two places, likewise.
        let mut twice = vec![-k * k / 2.0; k_places];
        let mut both = vec![-k * k; k_places * k_places];
        for class in meetings {
            for group in class.groups() {
                let places: BTreeSet<usize> =
                    group.iter().map(|meeting| meeting.absent as usize).collect();
                group.iter().for_each(|meeting| twice[meeting.absent as usize] += class.many);
                places.iter().for_each(|place| twice[*place] -= class.many);
                for one in &places {
                    places.range(one + 1..).for_each(|other| {
                        both[one * k_places + other] += class.many;
                    });
                }
            }
        }
        let pairs =
            (0..k_places).flat_map(|one| (one + 1..k_places).map(move |other| (one, other)));
        let both: f64 = pairs.map(|(one, other)| both[one * k_places + other].abs()).sum();
        let twice: f64 = twice.into_iter().map(f64::abs).sum();
        let set = self.size.set_limit();
        let of_place = (1.0 - set) / set;
        f64::from(elements) / (m * m) * of_place * (twice + of_place * both)
    }

    /// The mean fraction of bits set.
    pub(super) fn set(&self) -> Option<Refined> {
        let Size { elements, bits, choices } = *self.size;
        if choices > MOST_CHOICES {
            return None;
        }
        let classes = self.classes(|_, _| false).into_iter();
        let twice: f64 = classes.map(|class| class.many * f64::from(class.merged())).sum();
        let twice = twice / f64::from(bits);
        let of_distinct =
            |places: f64| super::bins::filled(elements.into(), f64::from(bits) / places);
        let distinct = f64::from(choices) - twice;
        // Equations that hold together are counted one by one: places are taken off too often.
        let left = twice * twice / 2.0;
        (twice <= MOST_PART * f64::from(choices)).then(|| {
            let value = of_distinct(distinct);
            Refined { value, allowance: of_distinct(distinct + left) - value }
        })
    }

    /// How an element meets the places of an absent key.
    fn meetings(&self, classes: &[Class]) -> Meetings {
        let Size { bits, choices, .. } = *self.size;
        let (m, k) = (f64::from(bits), f64::from(choices));
        let mut owned = vec![0.0; 1 << choices];
        (0..choices).for_each(|t| owned[1 << t] = k * m);
        for class in classes {
            for group in class.groups() {
                group.iter().for_each(|meeting| owned[1 << meeting.absent] -= class.many);
                let owners = group.iter().fold(0_usize, |set, meeting| set | 1 << meeting.absent);
                owned[owners] += class.many;
            }
        }
        Meetings::counted(owned, k * m, m * m)
    }

    /// The equations by which two meetings of an element with an absent key are one, where `differ` holds of the
    /// element's two choices; or, where it never does, those by which two places of one key are one.
    fn classes(&self, differ: fn(u32, u32) -> bool) -> Vec<Class> {
        let own = if differ(0, 1) { self.size.choices } else { 1 };
        let meetings: Vec<Meeting> = (0..self.size.choices)
            .flat_map(|absent| (0..own).map(move |own| Meeting { absent, own }))
            .collect();
        let mut equations: BTreeMap<Equation, Vec<(u64, [Meeting; 2])>> = BTreeMap::new();
        for (number, one) in meetings.iter().enumerate() {
            for other in &meetings[number + 1..] {
                if own == 1 || one.own != other.own {
                    let (equation, times) = self.equation(one, other);
                    equations.entry(equation).or_default().push((times, [*one, *other]));
                }
            }
        }
        equations.iter().flat_map(|(equation, pairs)| self.of_equation(equation, pairs)).collect()
    }

    /// The solutions of an equation and of those of its multiples that are not its own, which exist where m has
    /// a factor in common with the multiple.
    fn of_equation(&self, equation: &Equation, pairs: &[(u64, [Meeting; 2])]) -> Vec<Class> {
        let m = u64::from(self.size.bits);
        let largest = pairs.iter().map(|(times, _)| *times).max().unwrap_or(1);
        let orders = (1..=largest).filter(|order| m.is_multiple_of(*order));
        let of_order = |order: u64| {
            let many: f64 = (0..order)
                .filter(|part| gcd(*part, order) == 1)
                .map(|part| equation.solutions(part * (m / order), m))
                .sum();
            let hold = pairs.iter().filter(|(times, _)| times.is_multiple_of(order));
            Class { many, pairs: hold.map(|(_, pair)| *pair).collect() }
        };
        orders.map(of_order).filter(|class| class.many > 0.0 && !class.pairs.is_empty()).collect()
    }

    /// The equation by which two meetings are one, without its greatest factor, and that factor.
    fn equation(&self, one: &Meeting, other: &Meeting) -> (Equation, u64) {
        let apart = |of: fn(u64) -> u64, one: u32, other: u32| {
            of(one.into()) as i64 - of(other.into()) as i64
        };
        let third: fn(u64) -> u64 =
            if self.increment == Increment::Third { triangle } else { |_| 0 };
        let added = self.added();
        let coefficients = [
            apart(|t| t, one.absent, other.absent),
            apart(third, one.absent, other.absent),
            -apart(|i| i, one.own, other.own),
            -apart(third, one.own, other.own),
            apart(added, one.absent, other.absent) - apart(added, one.own, other.own),
        ];
        let factor = coefficients.iter().fold(0, |factor, c| gcd(factor, c.unsigned_abs())).max(1);
        let first = coefficients.iter().find(|c| **c != 0).map_or(1, |c| c.signum());
        (Equation(coefficients.map(|c| c * first / factor as i64)), factor)
    }

    /// f.
    fn added(&self) -> fn(u64) -> u64 {
        match self.increment {
            Increment::None | Increment::Third => |_| 0,
            Increment::Triangular => triangle,
            Increment::Square => |i| i * i,
            Increment::Cube => |i| i * i * i,
        }
    }
}

/// A place of an absent key that is met by a choice of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    absent: u32,
    own: u32,
}

/// Coefficients of the steps and third values of an absent key and an element, and a constant, the sum of which
/// is to be 0 modulo m.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Equation([i64; 5]);

impl Equation {
    /// In how many of m cases, on average over all but one of its values, the sum is this number and not 0.
    fn solutions(&self, sum: u64, m: u64) -> f64 {
        let [.., constant] = self.0;
        let common = self.0[..4].iter().fold(m, |common, c| gcd(common, c.unsigned_abs()));
        let wanted = i128::from(sum) - i128::from(constant);
        if wanted.rem_euclid(i128::from(common)) == 0 { common as f64 } else { 0.0 }
    }
}

/// Steps that make some meetings one.
struct Class {
    /// Of m steps.
    many: f64,
    pairs: Vec<[Meeting; 2]>,
}

impl Class {
    /// The meetings that are one, in groups.
    fn groups(&self) -> Vec<Vec<Meeting>> {
        let mut groups: Vec<Vec<Meeting>> = Vec::new();
        for pair in &self.pairs {
            let (touched, mut rest): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| pair.iter().any(|one| group.contains(one)));
            let mut group: Vec<Meeting> = touched.into_iter().flatten().chain(*pair).collect();
            group.sort_unstable();
            group.dedup();
            rest.push(group);
            groups = rest;
        }
        groups
    }

    /// By how many there are fewer.
    fn merged(&self) -> u32 {
        self.groups().iter().map(|group| group.len() as u32 - 1).sum()
    }
}

fn triangle(i: u64) -> u64 {
    i * i.saturating_sub(1) / 2
}

/// Choices of a key up to which their meetings are gone through.
const MOST_CHOICES: u32 = 16;

/// The part of the limit up to which a first order says something. What is left is taken to be twice its square.
const MOST_PART: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::super::progression::Progression;
    use super::*;
    use crate::hash::Steps;

    /// What is left is no more than what is allowed for it.
    #[test]
    fn exact_values_are_as_close_as_allowed() {
        for (increment, elements, choices) in [
            (Increment::None, 100, 6),
            (Increment::None, 2000, 6),
            (Increment::None, 700, 3),
            (Increment::None, 3000, 8),
            (Increment::Square, 40, 3),
            (Increment::Cube, 40, 3),
            (Increment::Triangular, 60, 3),
            (Increment::Square, 30, 4),
        ] {
            let size = Size { elements, bits: 8 * elements + 1, choices };
            let exact = Progression::new(&size, increment, Steps::Any).unwrap();
            let found = FirstOrder::new(&size, increment);
            for (exact, found) in [
                (exact.all_set(elements).unwrap(), found.all_set().unwrap()),
                (
                    exact
                        .distinct()
                        .map(|places| {
                            super::super::bins::filled(
                                elements.into(),
                                f64::from(size.bits) / places,
                            )
                        })
                        .unwrap(),
                    found.set().unwrap(),
                ),
            ] {
                let off = (exact - found.value).abs();
                assert!(off <= found.allowance, "{increment:?} {size:?}: {exact} {found:?}");
            }
        }
    }

    /// All values of an absent key and of an element of triple hashing: the false positive probability, and the
    /// mean number of different places.
    fn of_all_values(m: u64, k: u64, elements: u32) -> (f64, f64) {
        let place = |i: u64, step: u64, third: u64| (i * step + triangle(i) * third) % m;
        let steps = || (0..m).flat_map(|step| (0..m).map(move |third| (step, third)));
        let masks: Vec<u64> = steps()
            .map(|(step, third)| (0..k).fold(0, |mask, i| mask | 1 << place(i, step, third)))
            .collect();
        let keys: Vec<u64> = masks
            .iter()
            .flat_map(|mask| {
                (0..m).map(move |first| (mask << first | mask >> (m - first)) & ((1 << m) - 1))
            })
            .collect();
        let all_set = |mask: u64| {
            let places: Vec<u64> = (0..m).filter(|place| mask >> place & 1 == 1).collect();
            let of_mask = |key: &u64| {
                (0..).zip(&places).fold(0, |set, (i, place)| set | (key >> place & 1) << i)
            };
            let mut hit = vec![0.0; 1 << places.len()];
            keys.iter().for_each(|key| hit[of_mask(key) as usize] += 1.0 / keys.len() as f64);
            let none_of = |set: usize| -> f64 {
                let outside = hit.iter().enumerate().filter(|(own, _)| own & set == 0);
                outside.map(|(_, share)| share).sum()
            };
            let term = |set: usize| {
                let sign = if set.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
                sign * none_of(set).powi(elements as i32)
            };
            (0..1 << places.len()).map(term).sum::<f64>()
        };
        let all = masks.len() as f64;
        let distinct: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        (masks.iter().map(|mask| all_set(*mask)).sum::<f64>() / all, f64::from(distinct) / all)
    }

    /// Of triple hashing, where corrections of both signs may leave hardly any in all.
    #[test]
    fn triple_hashing_is_as_close_as_allowed() {
        let mut judged = 0;
        for (bits, choices, elements) in [
            (16, 3, 2),
            (16, 4, 8),
            (24, 3, 4),
            (24, 3, 12),
            (24, 4, 6),
            (27, 5, 8),
            (29, 3, 10),
            (31, 4, 5),
            (31, 4, 16),
            (32, 3, 8),
            (32, 3, 16),
        ] {
            let size = Size { elements, bits, choices };
            let (positive, distinct) = of_all_values(bits.into(), choices.into(), elements);
            let set = super::super::bins::filled(elements.into(), f64::from(bits) / distinct);
            let found = FirstOrder::new(&size, Increment::Third);
            for (exact, found) in [(positive, found.all_set()), (set, found.set())] {
                let Some(Refined { value, allowance }) = found else { continue };
                let off = (exact - value).abs();
                assert!(off <= allowance, "{size:?}: {exact} {value} ± {allowance}");
                judged += 1;
            }
        }
        assert!(judged >= 12, "{judged} values are close enough to their limits");
    }

    /// What is left is of second order: in twice as many bits, a prime number of them, a quarter of it.
    #[test]
    fn what_is_left_falls_with_the_square_of_the_size() {
        let of = |bits: u32| {
            let size = Size { elements: bits / 8, bits, choices: 5 };
            let first_order = FirstOrder::new(&size, Increment::None);
            [first_order.all_set().unwrap().allowance, first_order.set().unwrap().allowance]
        };
        for (once, twice) in of(80_153).into_iter().zip(of(160_313)) {
            assert!((once / twice - 4.0).abs() < 0.05, "{once} {twice}");
        }
    }

    /// With two choices the third value of triple hashing is of no effect, and with more it makes them more
    /// independent.
    #[test]
    fn triple_hashing_is_between_double_hashing_and_independence() {
        let of = |choices: u32, increment| {
            let size = Size { elements: 5000, bits: 80_000, choices };
            FirstOrder::new(&size, increment).all_set().unwrap().value
        };
        assert!((of(2, Increment::Third) - of(2, Increment::None)).abs() < 1e-15);
        assert!(of(11, Increment::Third) < of(11, Increment::None));
    }
}
