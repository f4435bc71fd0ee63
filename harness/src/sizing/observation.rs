//! Simulations that look at the overflow list as often as it may change.
//!
//! An experiment looks at a table under deletions once in a trial, after ten lifetimes. The list's length in
//! equilibrium is known far better from the same time if the table is watched for many lifetimes.

use std::time::Instant;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashSpec, RandomSource, Source, derive_seed, reduce};
use loadfactor_schemes::params::{ParamError, Params, Scalar};
use loadfactor_schemes::tables::sizing::SizedFor;
use loadfactor_schemes::tables::{
    Conservative, Cuckoo, DRandom, ExtremeSecondChance, Multiple, Scheme, SecondChance, StaticFill,
    Table, TableVisitor,
};
use rand::{Rng as _, SeedableRng};
use rayon::prelude::*;

use super::budget::Budget;
use super::definition::{LIFETIMES, Layout};
use super::sample::{Group, Sample};
use super::{Definition, Error};
use crate::run::Amount;

/// Elements inserted, and choices drawn for them, in a simulation that takes some seconds.
const INSERTIONS: u64 = 100_000_000;
const CHOICES: u64 = 400_000_000;

/// Trials beyond which nothing more need be known of a small table.
const MOST_TRIALS: u64 = 1_000_000;

/// Trials that tell something of any table.
const LEAST_TRIALS: u64 = 40;

/// Groups of simulations, from whose differences errors are estimated.
const MOST_GROUPS: u64 = 20;
const LEAST_GROUPS: u64 = 5;

/// Lifetimes for which a table is watched at least, so that most of its time is not what comes before.
const LIFETIMES_WATCHED: u64 = 40;

/// As many trials as take some seconds, static fills or lifetimes of the elements, where an insertion moves so many
/// elements.
pub(super) fn default_trials(elements: u32, choices: usize, moves: f64) -> u64 {
    let insertions = INSERTIONS.min(CHOICES / choices as u64) as f64 / (1.0 + moves);
    ((insertions / f64::from(elements)) as u64).clamp(LEAST_TRIALS, MOST_TRIALS)
}

/// How the trials are made.
#[derive(Debug, Clone, Copy)]
struct Effort {
    elements: u32,
    workload: SizedFor,
    groups: u64,
    /// In each group.
    trials: u64,
    seed: u64,
}

impl Effort {
    fn of(definition: &Definition<'_>, trials: u64) -> Self {
        let groups = match definition.workload {
            SizedFor::StaticFill => MOST_GROUPS,
            SizedFor::Alternation => trials / LIFETIMES_WATCHED,
        };
        let groups = groups.clamp(LEAST_GROUPS, MOST_GROUPS);
        Self {
            elements: definition.elements,
            workload: definition.workload,
            groups,
            trials: trials.div_ceil(groups),
            seed: definition.seed,
        }
    }

    fn of_a_group(&self) -> Amount {
        let insertions = self.trials as f64 * f64::from(self.elements);
        Amount { trials: self.trials, cost: insertions }
    }

    fn all(&self) -> Amount {
        let Amount { trials, cost } = self.of_a_group();
        Amount { trials: trials * self.groups, cost: cost * self.groups as f64 }
    }
}

/// Looks at the overflow list of this table in about so many trials, on all cores; what is seen does not depend
/// on their number, unless the time is over before.
///
/// # Errors
/// [`Error::Definition`] where the table cannot be built, and [`Error::OutOfTime`] where too little was seen for an
/// error to be known.
pub(super) fn observe(
    definition: &Definition<'_>,
    trials: u64,
    budget: Budget<'_>,
) -> Result<Sample, Error> {
    definition.experiment()?;
    let effort = Effort::of(definition, trials);
    budget.progress.start(effort.all());
    let groups = match definition.kind.scheme {
        "multiple" => groups::<Multiple>(definition, effort, budget),
        "conservative" => groups::<Conservative>(definition, effort, budget),
        "second-chance" => groups::<SecondChance>(definition, effort, budget),
        "extreme-second-chance" => groups::<ExtremeSecondChance>(definition, effort, budget),
        "d-random" => groups::<DRandom>(definition, effort, budget),
        "cuckoo" => groups::<Cuckoo>(definition, effort, budget),
        other => Err(Error::Definition(format!("`{other}` cannot be watched"))),
    };
    budget.progress.finish();
    let out_of_time = Error::OutOfTime { elements: definition.elements };
    Sample::new(definition.elements, groups?).ok_or(out_of_time)
}

/// Trials that show how long one takes, and how many elements a table moves.
const FIRST_TRIALS: u64 = 20;

/// As [`observe`], with as many of the trials as there is time for: few trials come first, and tell how long the others
/// take.
///
/// # Errors
/// As with [`observe`].
pub(super) fn observe_in_time(
    definition: &Definition<'_>,
    trials: u64,
    budget: Budget<'_>,
) -> Result<Sample, Error> {
    FirstLook::at(definition, trials, budget)?.continued(definition, trials, budget)
}

/// What few trials show of a table.
pub(super) struct FirstLook {
    pub(super) sample: Sample,
    /// How long each took, in seconds.
    a_trial: f64,
}

impl FirstLook {
    /// Of this table, in no more trials than are wanted.
    ///
    /// # Errors
    /// As with [`observe`].
    pub(super) fn at(
        definition: &Definition<'_>,
        trials: u64,
        budget: Budget<'_>,
    ) -> Result<Self, Error> {
        let began = Instant::now();
        let sample = observe(definition, FIRST_TRIALS.min(trials), budget.silent())?;
        let a_trial = began.elapsed().as_secs_f64() / sample.trials as f64;
        Ok(Self { sample, a_trial })
    }

    /// What as many trials show as are wanted, as far as there is time for them.
    ///
    /// # Errors
    /// As with [`observe`], but for the time.
    pub(super) fn continued(
        self,
        definition: &Definition<'_>,
        trials: u64,
        budget: Budget<'_>,
    ) -> Result<Sample, Error> {
        let left = budget.half().left();
        let affordable = left.map_or(f64::INFINITY, |left| left.as_secs_f64() / self.a_trial);
        let trials = trials.min(affordable as u64);
        if trials <= self.sample.trials {
            return Ok(self.sample);
        }
        match observe(definition, trials, budget) {
            Err(Error::OutOfTime { .. }) => Ok(self.sample),
            seen => seen,
        }
    }
}

fn groups<S: Scheme>(
    definition: &Definition<'_>,
    effort: Effort,
    budget: Budget<'_>,
) -> Result<Vec<Group>, Error> {
    let wrong = |error: ParamError| Error::Definition(error.to_string());
    let scheme = S::from_params(&params::<S>(definition).map_err(wrong)?).map_err(wrong)?;
    let group = |number| {
        let seed = derive_seed(effort.seed, number);
        let seen = match effort.workload {
            SizedFor::StaticFill => fills(&scheme, effort, budget, seed),
            SizedFor::Alternation => {
                let chance = Chance::new(&scheme, seed)?;
                Ok(scheme.table(true, Lifetimes { effort, budget, chance }))
            }
        };
        budget.progress.batch_done(effort.of_a_group());
        seen
    };
    (0..effort.groups).into_par_iter().map(group).collect()
}

/// The parameters of the scheme.
///
/// # Errors
/// Where one cannot be.
pub(super) fn params<S: Scheme>(definition: &Definition<'_>) -> Result<Params, ParamError> {
    Params::complete(S::INFO.params, &given(definition))
}

/// What is given of them.
pub(super) fn given(definition: &Definition<'_>) -> Vec<(&'static str, Scalar)> {
    let mut given: Vec<(&str, Scalar)> = vec![
        ("elements", definition.elements.into()),
        ("bucket_size", u32::from(definition.kind.bucket_size).into()),
    ];
    match definition.layout {
        Layout::SubTables(buckets) => {
            let listed = super::definition::joined(buckets, " ");
            given.push(("sub_table_buckets", Scalar::Word(listed)));
        }
        Layout::OneTable { buckets, choices } => {
            given.push(("buckets", buckets.into()));
            given.push(("choices", (choices as u32).into()));
        }
    }
    given
}

/// The randomness of one group.
struct Chance {
    choices: RandomSource,
    scheme: Rng,
    departures: Rng,
}

impl Chance {
    fn new<S: Scheme>(scheme: &S, seed: u64) -> Result<Self, Error> {
        let spec = HashSpec::random(scheme.choices());
        let spec = spec.map_err(|error| Error::Definition(error.to_string()))?;
        let generator = |number| Rng::seed_from_u64(derive_seed(seed, number));
        Ok(Self {
            choices: RandomSource::new(&spec, seed),
            scheme: generator(1),
            departures: generator(2),
        })
    }

    /// Inserts an element; how many others moved.
    fn insert<T: Table>(&mut self, table: &mut T, element: u32) -> u32 {
        table.insert::<false>(element, self.choices.element(&[]), &mut self.scheme).moves
    }
}

/// Static fills of a table, sub-table by sub-table where the scheme can.
fn fills<S: Scheme>(
    scheme: &S,
    effort: Effort,
    budget: Budget<'_>,
    seed: u64,
) -> Result<Group, Error> {
    match scheme.static_fill() {
        Some(fill) => Ok(fast_fills(fill, effort, budget, seed)),
        None => {
            let chance = Chance::new(scheme, seed)?;
            Ok(scheme.table(false, Fills { effort, budget, chance }))
        }
    }
}

fn fast_fills(mut fill: StaticFill, effort: Effort, budget: Budget<'_>, seed: u64) -> Group {
    let (mut seen, mut rng) = (Group::near(0), Rng::seed_from_u64(seed));
    for _ in 0..effort.trials {
        if budget.is_over() {
            break;
        }
        let filled = fill.run(&mut rng);
        seen.lengths.push(filled.overflow);
        seen.moves += filled.moves;
        seen.insertions += u64::from(effort.elements);
    }
    seen
}

/// Insertions between two looks at the clock: with cuckoo hashing into a full table, some milliseconds.
const INSERTIONS_UNWATCHED: u32 = 1024;

/// Fills a table again and again, and looks at each full one.
struct Fills<'p> {
    effort: Effort,
    budget: Budget<'p>,
    chance: Chance,
}

impl Fills<'_> {
    /// Elements moved; `None` where the time is over before the table is full.
    fn fill<T: Table>(&mut self, table: &mut T) -> Option<u64> {
        let mut moves = 0;
        for element in 0..self.effort.elements {
            if element % INSERTIONS_UNWATCHED == 0 && self.budget.is_over() {
                return None;
            }
            moves += u64::from(self.chance.insert(table, element));
        }
        Some(moves)
    }
}

impl TableVisitor for Fills<'_> {
    type Output = Group;

    fn visit<T: Table>(mut self, mut table: T) -> Group {
        let mut seen = Group::near(0);
        for _ in 0..self.effort.trials {
            table.clear();
            let Some(moves) = self.fill(&mut table) else { break };
            seen.moves += moves;
            seen.lengths.push(table.overflow());
            seen.insertions += u64::from(self.effort.elements);
        }
        seen
    }
}

/// Fills a table, has it forget that, and watches it through many lifetimes of its elements.
struct Lifetimes<'p> {
    effort: Effort,
    budget: Budget<'p>,
    chance: Chance,
}

impl Lifetimes<'_> {
    /// Deletes an element and inserts it again; how many others moved.
    fn round<T: Table>(&mut self, table: &mut T) -> u32 {
        let element = reduce(self.chance.departures.next_u64(), self.effort.elements);
        table.delete(element);
        self.chance.insert(table, element)
    }

    /// A table that has forgotten how it was filled; nothing where the time is over before.
    fn begin<T: Table>(&mut self, table: &mut T) -> Option<()> {
        let elements = self.effort.elements;
        for element in 0..elements {
            if element % INSERTIONS_UNWATCHED == 0 && self.budget.is_over() {
                return None;
            }
            self.chance.insert(table, element);
        }
        for number in 0..LIFETIMES * u64::from(elements) {
            if number % u64::from(INSERTIONS_UNWATCHED) == 0 && self.budget.is_over() {
                return None;
            }
            self.round(table);
        }
        Some(())
    }
}

impl TableVisitor for Lifetimes<'_> {
    type Output = Group;

    fn visit<T: Table>(mut self, mut table: T) -> Group {
        let begun = self.begin(&mut table);
        let mut seen = Group::near(table.overflow());
        let rounds = begun.map_or(0, |()| self.effort.trials * u64::from(self.effort.elements));
        while seen.insertions < rounds && !self.budget.is_over() {
            let some = (rounds - seen.insertions).min(INSERTIONS_UNWATCHED.into());
            for _ in 0..some {
                seen.moves += u64::from(self.round(&mut table));
                seen.lengths.push(table.overflow());
            }
            seen.insertions += some;
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Kind;
    use super::*;
    use crate::run::Silent;

    fn definition(scheme: &'static str, workload: SizedFor) -> Definition<'static> {
        Definition {
            kind: Kind { scheme, bucket_size: 1 },
            elements: 3000,
            layout: Layout::OneTable { buckets: 4000, choices: 2 },
            workload,
            trials: 20,
            cam_size: 1,
            seed: 1,
        }
    }

    /// Without it a trial of a table that moves elements for long would be waited for.
    #[test]
    fn no_trial_goes_on_without_time() {
        for workload in [SizedFor::StaticFill, SizedFor::Alternation] {
            let none = Budget::new(Some(Duration::ZERO), &Silent);
            let seen = observe(&definition("cuckoo", workload), 40, none);
            assert!(matches!(seen, Err(Error::OutOfTime { elements: 3000 })), "{seen:?}");
        }
    }

    /// Lifetimes are watched in pieces, between which the clock is looked at.
    #[test]
    fn all_trials_are_made_where_there_is_time() {
        for workload in [SizedFor::StaticFill, SizedFor::Alternation] {
            let definition = definition("d-random", workload);
            let seen = observe(&definition, 100, Budget::unlimited()).unwrap();
            assert_eq!(seen.trials, 100);
        }
    }
}
