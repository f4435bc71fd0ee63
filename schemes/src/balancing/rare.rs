//! Probabilities of long overflow lists and of full buckets: fills that can be taken up again.

use super::loads::Loads;
use super::metrics;
use super::rule::{Kind, Rule};
use crate::hash::{Choices, HashSpec};
use crate::keys::{Made, Seeds};
use crate::metric::Metric;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Arriving, Branch, Event, Insert, MadeFor, NotRare, Peak, Rare, Rise};
use crate::tables::metrics::{MAX_LOAD, OVERFLOW_ELEMENTS};

/// Intervals of time at whose ends it is told how long the list is expected to be.
pub(super) const INTERVALS: u32 = 16;

/// Whether so many arrivals can make an event.
///
/// # Errors
/// Where it is that more elements are in one place than arrive.
pub(super) fn check(arrivals: u32, event: &Event) -> Result<(), NotRare> {
    if event.beyond < arrivals.into() {
        return Ok(());
    }
    let reason =
        format!("the list, or a bucket, has no more than the {arrivals} elements that arrive");
    Err(NotRare::new("beyond", reason))
}

/// Arrivals whose events are asked for.
pub(super) struct Fill<'r> {
    pub(super) rule: &'r Rule,
    pub(super) hash: &'r HashSpec,
    /// The keys, unless they are those of a trace.
    pub(super) made: Option<&'r Made>,
    pub(super) arrivals: u32,
    /// Expected length of the list in the beginning and after each of the intervals.
    pub(super) lengths: Vec<f64>,
}

impl Fill<'_> {
    /// Trials of the event that the list is longer, or that a bucket has more elements.
    ///
    /// # Errors
    /// For other events, for hash functions that look at the keys of a trace, and where buckets give up elements in the
    /// end.
    pub(super) fn trials(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        let score = self.score(event)?;
        let of = MadeFor::new(*self.hash, self.made)?;
        if self.rule.kind == Kind::Offline {
            return Err(NotRare::nothing());
        }
        Ok(Box::new(FillTrial {
            rule: self.rule.clone(),
            arriving: Arriving::new(&of),
            of,
            arrivals: self.arrivals.into(),
            counted: event.metric,
            beyond: event.beyond,
            score,
            loads: Loads::new(self.rule),
        }))
    }

    /// How close a trial is to the event.
    fn score(&self, event: &Event) -> Result<CountScore, NotRare> {
        let Event { metric, beyond, .. } = *event;
        let steps = self.arrivals.into();
        if metric == OVERFLOW_ELEMENTS {
            let last = self.lengths.last().copied().unwrap_or_default();
            let left: Vec<f64> = self.lengths.iter().map(|length| last - length).collect();
            return Ok(CountScore::new(beyond, steps, &left));
        }
        if metric == MAX_LOAD {
            let load = f64::from(self.arrivals) / f64::from(self.rule.buckets());
            return Ok(CountScore::new(beyond, steps, &[load, load / 2.0, 0.0]));
        }
        Err(NotRare::not_counted(event, metrics::EVENTS))
    }
}

struct FillTrial {
    rule: Rule,
    of: MadeFor,
    arriving: Arriving,
    arrivals: u64,
    counted: Metric,
    beyond: u64,
    score: CountScore,
    loads: Loads,
}

/// Buckets at which an element arrives.
struct At<'l> {
    rule: &'l Rule,
    loads: &'l mut Loads,
}

impl Insert for At<'_> {
    /// The bucket that takes it.
    type Outcome = Option<u32>;

    #[inline]
    fn insert(self, choices: impl Choices) -> Option<u32> {
        self.loads.insert(self.rule, choices)
    }
}

impl FillTrial {
    /// Inserts an element; what is counted where that may have become more.
    #[inline]
    fn insert(&mut self, element: u32) -> Option<u64> {
        let Self { rule, arriving, loads, .. } = self;
        match arriving.arrive(element, At { rule, loads }) {
            None => (self.counted == OVERFLOW_ELEMENTS).then(|| self.loads.overflow()),
            Some(bucket) => {
                (self.counted == MAX_LOAD).then(|| self.loads.all()[bucket as usize].into())
            }
        }
    }
}

impl Rare for FillTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.loads.clear(0);
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.arrivals, |next| next.step);
            let seeds = Seeds::of(branch.seed, 0);
            self.arriving.follow(&self.of, branch, &seeds);
            self.loads.toss_anew(seeds.scheme);
            for step in branch.step..end {
                let Some(count) = self.insert(step as u32) else { continue };
                peak.look_at(step, self.score.after(step, count));
                if count > self.beyond {
                    return 1.0;
                }
            }
        }
        0.0
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}

#[cfg(test)]
mod tests {
    use crate::case::Case;
    use crate::families;
    use crate::params::Scalar;
    use crate::prediction::Kind;
    use crate::rare::{Branch, Event, Rare, splitting};
    use crate::tables::metrics::{MAX_LOAD, OVERFLOW_ELEMENTS};

    type Given<'g> = [(&'g str, Scalar)];

    fn case(scheme: &str, own: &Given<'_>) -> Box<dyn Case> {
        hashed(scheme, "random", own)
    }

    fn hashed(scheme: &str, hash: &str, own: &Given<'_>) -> Box<dyn Case> {
        let given = [("buckets", 60_i64.into()), ("load", 3.0.into())];
        families::case(scheme, "filling", hash, &[&given, own].concat()).unwrap()
    }

    /// Mean and standard error of so many estimates.
    fn mean(estimates: u64, mut estimate: impl FnMut(u64) -> f64) -> (f64, f64) {
        let all: Vec<f64> = (0..estimates).map(&mut estimate).collect();
        let number = estimates as f64;
        let mean = all.iter().sum::<f64>() / number;
        let squares: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
        (mean, (squares / (number * (number - 1.0))).sqrt())
    }

    fn split(rare: &mut dyn Rare) -> (f64, f64) {
        mean(60, |seed| splitting::estimate(rare, 200, seed).probability)
    }

    /// The list of SINGLE, whose buckets toss a coin for one element more, has a law; keys that are hashed have it too.
    #[test]
    fn the_list_of_one_choice_is_as_long_as_its_law_says() {
        let own = [("threshold", 4_i64.into()), ("insertion_probability", 0.4.into())];
        let mut least = 1.0_f64;
        for (hash, beyond) in [("random", 20), ("random", 26), ("random", 32), ("murmur3", 26)] {
            let case = hashed("balancing-single", hash, &own);
            let event = Event { metric: OVERFLOW_ELEMENTS, beyond, ever: false };
            let predictions = case.event_outlook(&event).predictions;
            let exact = predictions.iter().find(|p| p.kind == Kind::Exact).unwrap().value;
            let (found, error) = split(&mut *case.rare(&event).unwrap());
            let told = format!("{hash}, {beyond}: {found} ± {error}, exactly {exact}");
            assert!((found - exact).abs() < 4.5 * error, "{told}");
            assert!(error < 0.3 * exact, "{told}");
            least = least.min(exact);
        }
        assert!(least < 1e-6, "{least}");
    }

    /// All elements may be in one place, and no more.
    #[test]
    fn more_than_arrive_are_refused() {
        let case = case("balancing-single", &[("overflow", 0.0.into())]);
        for metric in [OVERFLOW_ELEMENTS, MAX_LOAD] {
            let checked = |beyond| case.check_rare(&Event { metric, beyond, ever: false });
            assert_eq!(checked(179), Ok(()));
            assert_eq!(checked(180).unwrap_err().param, "beyond");
        }
    }

    /// Several choices, lists and full buckets, with and without a budget: as plain trials have it.
    #[test]
    fn splitting_and_plain_trials_agree() {
        let sequential =
            [("choices", 2_i64.into()), ("threshold", 3_i64.into()), ("accesses", 1.5.into())];
        let coin = [("insertion_probability", 0.5.into()), ("budget", true.into())];
        let sequential = [&sequential[..], &coin].concat();
        let chains = [("overflow", 0.0.into())];
        let cases: [(&str, &Given<'_>, Event); 2] = [
            (
                "balancing-sequential",
                &sequential,
                Event { metric: OVERFLOW_ELEMENTS, beyond: 17, ever: false },
            ),
            ("balancing-single", &chains, Event { metric: MAX_LOAD, beyond: 11, ever: true }),
        ];
        for (scheme, own, event) in cases {
            let case = case(scheme, own);
            let mut rare = case.rare(&event).unwrap();
            let (plain, plain_error) = mean(40_000, |seed| {
                rare.run(&[Branch { step: 0, seed: seed + 1 }], &mut Vec::new())
            });
            let (found, error) = split(&mut *rare);
            assert!(plain > 5.0 * plain_error, "{scheme}: {plain} ± {plain_error}");
            assert!(
                (found - plain).abs() < 4.5 * error.hypot(plain_error),
                "{scheme}: {found} ± {error}, plain {plain} ± {plain_error}"
            );
        }
    }
}
