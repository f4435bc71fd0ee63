//! The CAM of a table under deletions, measured by splitting: how probable it is that the overflow list gets longer than
//! so many elements.
//!
//! One run of splitting estimates that for all lengths up to the one at which it aims. Runs are added, in looks at fixed
//! numbers of them, until their intervals decide the least number of places.

use std::time::Instant;

use loadfactor_schemes::case::Case;
use loadfactor_schemes::families;
use loadfactor_schemes::hash::derive_seed;
use loadfactor_schemes::math::poisson;
use loadfactor_schemes::params::Scalar;

use super::budget::Budget;
use super::definition::LIFETIMES;
use super::observation::given;
use super::splits::Splits;
use super::{Definition, Error, Horizon, Places, Question};
use crate::estimate::interval::{Interval, LEVEL};

/// Runs of splitting after which the intervals are looked at.
const LOOKS: [u64; 6] = [10, 20, 40, 80, 160, 320];

/// The level of the intervals of one look: the places are wrong in at most 5 % of the cases, whichever look decides.
const LEVEL_OF_A_LOOK: f64 = 1.0 - (1.0 - LEVEL) / LOOKS.len() as f64;

/// Runs that show where to aim.
const PILOTS: u64 = 2;

/// How often the aim is moved.
const MOST_AIMS: u64 = 12;

/// By how much the aim may be beyond the list that is as rare as wanted.
const CLOSE: u32 = 2;

/// Tells the seeds of splitting from those of the simulations before.
const SEED: u64 = 0x5e11_7716_0000_0001;

/// A CAM that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    /// Its places.
    pub places: Places,
    /// When the list was looked at.
    pub horizon: Horizon,
    /// The probability that so many places are too few, with its interval at 95 %: the number of places that is
    /// decided, or the greatest that it may be.
    pub failure: Option<Rare>,
    /// The same of one place less.
    pub failure_of_less: Option<Rare>,
    /// The probability that a CAM for a Poisson number is too small, as far as that was measured.
    pub poisson_failure: Option<f64>,
    /// Runs of splitting.
    pub runs: u64,
    /// Trials of the table in all of them.
    pub trials: u64,
    /// Whether the time was over before the places were decided.
    pub is_cut_off: bool,
}

/// A probability that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rare {
    /// The estimate.
    pub value: f64,
    /// Where it is.
    pub interval: Interval,
}

/// What is to be measured.
pub(super) struct Sought<'q> {
    pub(super) question: &'q Question,
    /// Elements on the list, on average, about.
    pub(super) mean: f64,
    /// The longest list that there can be.
    pub(super) longest: u32,
    /// The places of a CAM for a Poisson number.
    pub(super) poisson_size: u32,
}

/// Measures the CAM of this table; `None` where no list gets long enough for splitting to begin.
///
/// # Errors
/// [`Error::Definition`] where the table cannot be built.
pub(super) fn measured(
    definition: &Definition<'_>,
    sought: &Sought<'_>,
    budget: Budget<'_>,
) -> Result<Option<Passage>, Error> {
    let horizon = Horizon::of(sought.question);
    let case = case(definition, horizon)?;
    Search { case: &*case, sought, horizon, budget, began: Instant::now() }.found()
}

/// The table in equilibrium, and then the operations of a span.
fn case(definition: &Definition<'_>, horizon: Horizon) -> Result<Box<dyn Case>, Error> {
    let mut given = given(definition);
    given.push(("warm_up", Scalar::Number(LIFETIMES as f64)));
    given.push(("rounds", Scalar::Integer(horizon.operations as i64)));
    let case = families::case(definition.kind.scheme, "alternation", "random", &given);
    case.map_err(|error| Error::Definition(error.to_string()))
}

impl Rare {
    /// Of what cannot be.
    const NEVER: Self = Self { value: 0.0, interval: Interval { low: 0.0, high: 0.0 } };
}

struct Search<'s> {
    case: &'s dyn Case,
    sought: &'s Sought<'s>,
    horizon: Horizon,
    budget: Budget<'s>,
    began: Instant,
}

impl Search<'_> {
    fn found(&self) -> Result<Option<Passage>, Error> {
        let mut splits = self.splits(self.first_aim(), 0);
        for attempt in 1..=MOST_AIMS {
            if !self.go_on(&mut splits, PILOTS)? {
                return Ok(Some(self.unknown()));
            }
            if splits.exceeds(0) == 0.0 {
                return Ok(None);
            }
            let aim = self.aimed(&splits);
            let is_near = (aim..=aim + CLOSE).contains(&splits.aim);
            if !is_near {
                splits = self.splits(aim, attempt);
                continue;
            }
            let found = self.decided(self.splits(splits.aim, MOST_AIMS + attempt))?;
            if found.is_cut_off || found.places.least <= splits.aim {
                return Ok(Some(found));
            }
            splits = self.splits(self.possible(splits.aim + CLOSE), attempt);
        }
        Ok(Some(self.unknown()))
    }

    /// The length of a list that would be as rare as wanted if it were a Poisson number.
    fn first_aim(&self) -> u32 {
        self.possible(poisson::upper_quantile(self.sought.mean, self.wanted()))
    }

    /// A length that a list can be beyond.
    fn possible(&self, aim: u32) -> u32 {
        aim.clamp(1, self.sought.longest.saturating_sub(1).max(1))
    }

    /// The probability wanted, in one span.
    fn wanted(&self) -> f64 {
        self.horizon.in_one(self.sought.question.cam_failure)
    }

    fn splits(&self, aim: u32, number: u64) -> Splits<'_> {
        let seed = derive_seed(self.sought.question.seed ^ SEED, number);
        Splits::at(self.case, aim, seed)
    }

    fn go_on(&self, splits: &mut Splits<'_>, until: u64) -> Result<bool, Error> {
        let done = splits.go_on(until, self.budget);
        done.map_err(|error| Error::Definition(error.to_string()))
    }

    /// Where to aim after these runs: one beyond the length that is as rare as wanted, where the logarithm of the
    /// probability goes on as it went last.
    fn aimed(&self, splits: &Splits<'_>) -> u32 {
        let (aim, wanted) = (splits.aim, self.wanted());
        if let Some(found) = splits.shortest(|length| splits.exceeds(length) <= wanted) {
            return self.possible(found + 1);
        }
        let (here, before) = (splits.exceeds(aim), splits.exceeds(aim - 1));
        let more = (here / wanted).ln() / (before / here).ln();
        self.possible(aim + more.clamp(1.0, f64::from(aim) + 1.0).ceil() as u32)
    }

    /// The places, as far as the intervals of more and more runs decide them.
    fn decided(&self, mut splits: Splits<'_>) -> Result<Passage, Error> {
        let mut places = self.least_known();
        for until in LOOKS {
            if !self.go_on(&mut splits, until)? {
                return Ok(self.passage(places, &splits, true));
            }
            places = self.places(&splits);
            self.tell(places, &splits);
            if places.decided().is_some() {
                break;
            }
        }
        Ok(self.passage(places, &splits, false))
    }

    fn tell(&self, places: Places, splits: &Splits<'_>) {
        let (runs, seconds) = (splits.runs(), self.began.elapsed().as_secs_f64());
        let text = format!("CAM of {places} places after {runs} runs of splitting, {seconds:.1} s");
        self.budget.progress.note(&text);
    }

    fn places(&self, splits: &Splits<'_>) -> Places {
        let wanted = self.wanted();
        let interval = |length| splits.interval(LEVEL_OF_A_LOOK, length);
        let enough = splits.shortest(|length| interval(length).high <= wanted);
        let most = enough
            .or_else(|| (splits.aim + 1 >= self.sought.longest).then_some(self.sought.longest));
        let least = splits.shortest(|length| interval(length).low <= wanted);
        Places { least: least.unwrap_or(splits.aim + 1), most }
    }

    /// A list is at least as long as it is on average too often for any CAM.
    fn least_known(&self) -> Places {
        Places { least: self.sought.mean as u32, most: None }
    }

    /// Nothing was measured.
    fn unknown(&self) -> Passage {
        self.passage(self.least_known(), &self.splits(1, 0), true)
    }

    fn passage(&self, places: Places, splits: &Splits<'_>, is_cut_off: bool) -> Passage {
        let longest = self.sought.longest;
        let is_seen =
            |length: &u32| *length >= longest || *length <= splits.aim && splits.runs() > 1;
        let rare = |length: u32| {
            if length >= longest {
                return Rare::NEVER;
            }
            let Interval { low, high } = splits.interval(LEVEL, length);
            let [value, low, high] =
                [splits.exceeds(length), low, high].map(|p| self.horizon.in_any(p));
            Rare { value, interval: Interval { low, high } }
        };
        let seen = |length: Option<u32>| length.filter(is_seen).map(rare);
        let number = places.cautious();
        Passage {
            places,
            horizon: self.horizon,
            failure: seen(Some(number)),
            failure_of_less: seen(number.checked_sub(1)),
            poisson_failure: seen(Some(self.sought.poisson_size)).map(|rare| rare.value),
            runs: splits.runs(),
            trials: splits.trials(),
            is_cut_off,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loadfactor_schemes::math::bisect::smallest;
    use loadfactor_schemes::tables::sizing::{Goal, SizedFor};

    use super::super::Kind;
    use super::super::chain::OneChoice;
    use super::super::definition::Layout;
    use super::*;
    use crate::run::Silent;

    const CHAIN: OneChoice = OneChoice { n: 20, m: 60 };

    fn question(operations: u64, cam_failure: f64) -> Question {
        Question {
            elements: 20,
            choices: 1,
            goal: Goal::Space(3.0),
            workload: SizedFor::Alternation,
            cam_failure,
            operations,
            time_limit: None,
            starts: 1,
            trials: None,
            seed: 1,
        }
    }

    fn measured_in(question: &Question, budget: Budget<'_>) -> Option<Passage> {
        let definition = Definition {
            kind: Kind { scheme: "multiple", bucket_size: 1 },
            elements: 20,
            layout: Layout::SubTables(&[60]),
            workload: SizedFor::Alternation,
            trials: 20,
            cam_size: 1,
            seed: 1,
        };
        let sought = Sought { question, mean: 5.0, longest: 19, poisson_size: 9 };
        measured(&definition, &sought, budget).unwrap()
    }

    /// At one moment, within a part of a lifetime and within many, which are cut into spans.
    #[test]
    fn the_places_are_those_of_the_exact_chain() {
        for (operations, failure) in
            [(0, 1e-3), (0, 1e-6), (0, 1e-9), (25, 1e-4), (25, 1e-8), (400, 1e-3), (400, 1e-8)]
        {
            let found = measured_in(&question(operations, failure), Budget::unlimited()).unwrap();
            let exceeded = |k| CHAIN.exceeded(k, operations);
            let known = smallest(19, |k| exceeded(k) <= failure);
            assert_eq!(found.places.decided(), Some(known), "{operations} {failure} {found:?}");
            let truth = exceeded(known);
            let Rare { value, interval } = found.failure.unwrap();
            let (low, high) = (0.7 * interval.low, 1.1 * interval.high);
            assert!((low..=high).contains(&truth), "{operations} {failure}: {truth} {found:?}");
            assert!(value < failure && found.failure_of_less.unwrap().value > failure);
        }
    }

    /// A probability that is wanted exactly as it is can not be told from it.
    #[test]
    fn what_is_wanted_may_be_too_near_to_be_decided() {
        let failure = CHAIN.exceeded(9, 0);
        let found = measured_in(&question(0, failure), Budget::unlimited()).unwrap();
        assert_eq!(found.places, Places { least: 9, most: Some(10) }, "{found:?}");
        assert!(!found.is_cut_off && found.runs == LOOKS[LOOKS.len() - 1]);
    }

    #[test]
    fn without_time_nothing_is_claimed() {
        let none = Budget::new(Some(Duration::ZERO), &Silent);
        let found = measured_in(&question(0, 1e-9), none).unwrap();
        assert_eq!(found.places, Places { least: 5, most: None });
        assert!(found.is_cut_off && found.failure.is_none(), "{found:?}");
    }

    #[test]
    fn the_same_is_measured_on_any_number_of_threads() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured_in(&question(25, 1e-6), Budget::unlimited()))
        };
        assert_eq!(on(1), on(3));
    }
}
