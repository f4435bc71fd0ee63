//! Simulations that look at the overflow list as often as it may change.
//!
//! An experiment looks at a table under deletions once in a trial, after ten lifetimes. The list's length in
//! equilibrium is known far better from the same time if the table is watched for many lifetimes.

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

use super::definition::{LIFETIMES, Layout};
use super::sample::{Group, Sample};
use super::{Definition, Error};
use crate::run::{Amount, Progress};

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
/// on their number.
///
/// # Errors
/// [`Error::Definition`] where the table cannot be built.
pub(super) fn observe(
    definition: &Definition<'_>,
    trials: u64,
    progress: &dyn Progress,
) -> Result<Sample, Error> {
    definition.experiment()?;
    let effort = Effort::of(definition, trials);
    progress.start(effort.all());
    let groups = match definition.kind.scheme {
        "multiple" => groups::<Multiple>(definition, effort, progress),
        "conservative" => groups::<Conservative>(definition, effort, progress),
        "second-chance" => groups::<SecondChance>(definition, effort, progress),
        "extreme-second-chance" => groups::<ExtremeSecondChance>(definition, effort, progress),
        "d-random" => groups::<DRandom>(definition, effort, progress),
        "cuckoo" => groups::<Cuckoo>(definition, effort, progress),
        other => Err(Error::Definition(format!("`{other}` cannot be watched"))),
    };
    progress.finish();
    let too_few = || Error::Definition("there were too few trials".to_owned());
    Sample::new(effort.all().trials, groups?).ok_or_else(too_few)
}

fn groups<S: Scheme>(
    definition: &Definition<'_>,
    effort: Effort,
    progress: &dyn Progress,
) -> Result<Vec<Group>, Error> {
    let wrong = |error: ParamError| Error::Definition(error.to_string());
    let scheme = S::from_params(&params::<S>(definition).map_err(wrong)?).map_err(wrong)?;
    let group = |number| {
        let seed = derive_seed(effort.seed, number);
        let seen = match effort.workload {
            SizedFor::StaticFill => fills(&scheme, effort, seed),
            SizedFor::Alternation => {
                Ok(scheme.table(true, Lifetimes { effort, chance: Chance::new(&scheme, seed)? }))
            }
        };
        progress.batch_done(effort.of_a_group());
        seen
    };
    (0..effort.groups).into_par_iter().map(group).collect()
}

fn params<S: Scheme>(definition: &Definition<'_>) -> Result<Params, ParamError> {
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
    Params::complete(S::INFO.params, &given)
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
fn fills<S: Scheme>(scheme: &S, effort: Effort, seed: u64) -> Result<Group, Error> {
    match scheme.static_fill() {
        Some(fill) => Ok(fast_fills(fill, effort, seed)),
        None => Ok(scheme.table(false, Fills { effort, chance: Chance::new(scheme, seed)? })),
    }
}

fn fast_fills(mut fill: StaticFill, effort: Effort, seed: u64) -> Group {
    let (mut seen, mut rng) = (Group::near(0), Rng::seed_from_u64(seed));
    for _ in 0..effort.trials {
        let filled = fill.run(&mut rng);
        seen.lengths.push(filled.overflow);
        seen.moves += filled.moves;
        seen.insertions += u64::from(effort.elements);
    }
    seen
}

/// Fills a table again and again, and looks at each full one.
struct Fills {
    effort: Effort,
    chance: Chance,
}

impl TableVisitor for Fills {
    type Output = Group;

    fn visit<T: Table>(self, mut table: T) -> Group {
        let Self { effort, mut chance } = self;
        let mut seen = Group::near(0);
        for _ in 0..effort.trials {
            table.clear();
            for element in 0..effort.elements {
                seen.moves += u64::from(chance.insert(&mut table, element));
            }
            seen.lengths.push(table.overflow());
            seen.insertions += u64::from(effort.elements);
        }
        seen
    }
}

/// Fills a table, has it forget that, and watches it through many lifetimes of its elements.
struct Lifetimes {
    effort: Effort,
    chance: Chance,
}

impl TableVisitor for Lifetimes {
    type Output = Group;

    fn visit<T: Table>(self, mut table: T) -> Group {
        let Self { effort, mut chance } = self;
        let elements = effort.elements;
        for element in 0..elements {
            chance.insert(&mut table, element);
        }
        let mut round = |table: &mut T| {
            let element = reduce(chance.departures.next_u64(), elements);
            table.delete(element);
            chance.insert(table, element)
        };
        for _ in 0..LIFETIMES * u64::from(elements) {
            round(&mut table);
        }
        let mut seen = Group::near(table.overflow());
        seen.insertions = effort.trials * u64::from(elements);
        for _ in 0..seen.insertions {
            seen.moves += u64::from(round(&mut table));
            seen.lengths.push(table.overflow());
        }
        seen
    }
}
