//! Probabilities that a counter overflows: fills of counters that can be taken up again.

use super::metrics;
use crate::hash::Choices;
use crate::keys::Seeds;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Arriving, Branch, Event, Insert, MadeFor, NotRare, Peak, Rare, Rise};

/// Counters that so many elements choose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    pub(super) elements: u32,
    pub(super) choices: u32,
    pub(super) counters: u32,
    /// The greatest value of a counter.
    pub(super) greatest: u16,
}

/// Trials in which n elements choose their counters, of the event that one of these gets too high.
///
/// # Errors
/// For other events.
pub(super) fn trials(fill: Fill, of: MadeFor, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
    let highest = highest(fill.greatest, event)?;
    Ok(Box::new(FillTrial {
        fill,
        arriving: Arriving::new(&of),
        of,
        highest,
        score: score(fill, highest),
        counts: vec![0; fill.counters as usize],
    }))
}

/// The value that no counter exceeds as long as the event does not happen.
fn highest(greatest: u16, event: &Event) -> Result<u32, NotRare> {
    let overflows = event.metric == metrics::FILTER_OVERFLOW_FRACTION;
    if !overflows && event.metric != metrics::MAX_COUNTER {
        let counted = [metrics::FILTER_OVERFLOW_FRACTION, metrics::MAX_COUNTER];
        return Err(NotRare::not_counted(event, &counted));
    }
    if overflows && event.beyond > 0 {
        let reason = "a filter overflows or does not: what is not yet the event is 0";
        return Err(NotRare::new("beyond", reason));
    }
    if !overflows && event.beyond >= greatest.into() {
        return Err(NotRare::new("beyond", format!("no counter goes beyond {greatest}")));
    }
    Ok(if overflows { greatest.into() } else { event.beyond as u32 })
}

/// The score of the highest counter, to which as much is still added as to any other.
fn score(fill: Fill, highest: u32) -> CountScore {
    let all = f64::from(fill.elements) * f64::from(fill.choices) / f64::from(fill.counters);
    CountScore::new(
        highest.into(),
        fill.elements.into(),
        &[all, 0.75 * all, 0.5 * all, 0.25 * all, 0.0],
    )
}

struct FillTrial {
    fill: Fill,
    of: MadeFor,
    arriving: Arriving,
    highest: u32,
    score: CountScore,
    counts: Vec<u32>,
}

/// Counters to which an element is added.
struct Counters<'c> {
    fill: Fill,
    counts: &'c mut [u32],
}

impl Insert for Counters<'_> {
    /// The greatest value among those of the element.
    type Outcome = u32;

    #[inline]
    fn insert(self, mut choices: impl Choices) -> u32 {
        let Self { fill, counts } = self;
        let mut most = 0;
        for _ in 0..fill.choices {
            let count = &mut counts[choices.next(fill.counters) as usize];
            *count += 1;
            most = most.max(*count);
        }
        most
    }
}

impl Rare for FillTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let Self { fill, of, arriving, highest, score, counts } = self;
        counts.fill(0);
        let (mut most, mut peak) = (0, Peak::new(rises));
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(fill.elements.into(), |next| next.step);
            arriving.follow(of, branch, &Seeds::of(branch.seed, 0));
            for step in branch.step..end {
                let own = arriving.arrive(step as u32, Counters { fill: *fill, counts });
                if own <= most {
                    continue;
                }
                most = own;
                peak.look_at(step, score.after(step, most.into()));
                if most > *highest {
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
    use crate::case::{Case, Means};
    use crate::families;
    use crate::filters::metrics;
    use crate::params::Scalar;
    use crate::rare::splitting;
    use crate::rare::{Event, Rare};

    const NONE: Means<'static> = &|_| None;

    /// A counting filter of 256 counters of 3 or 4 bits.
    fn case(counter_bits: i64, hash: &str, own: &[(&str, Scalar)]) -> Box<dyn Case> {
        let given = [
            ("elements", 100_i64.into()),
            ("bits", (256 * counter_bits).into()),
            ("counter_bits", counter_bits.into()),
            ("choices", 3_i64.into()),
            ("queries", 0_i64.into()),
        ];
        let given = [&given[..], own].concat();
        families::case("counting-bloom-filter", "membership", hash, &given).unwrap()
    }

    fn overflow() -> Event {
        Event { metric: metrics::FILTER_OVERFLOW_FRACTION, beyond: 0, ever: false }
    }

    /// Mean and standard error of so many estimates with 100 particles.
    fn estimated(rare: &mut dyn Rare, estimates: u64) -> (f64, f64) {
        let number = estimates as f64;
        let all: Vec<f64> =
            (0..estimates).map(|seed| splitting::estimate(rare, 100, seed).probability).collect();
        let mean = all.iter().sum::<f64>() / number;
        let squares: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
        (mean, (squares / (number * (number - 1.0))).sqrt())
    }

    /// That two counters overflow is so improbable that the probabilities of all add up: to nearly 1 % with three bits and
    /// to 1e-10 or less with four. Choices of keys are as good as drawn ones.
    #[test]
    fn a_counter_overflows_as_seldom_as_the_binomial_law_says() {
        let mut least = 1.0_f64;
        for (counter_bits, hash) in [(3, "random"), (4, "random"), (3, "xxh3"), (4, "xxh3")] {
            let case = case(counter_bits, hash, &[]);
            let of_one = case.outlook(NONE).predictions;
            let share = metrics::COUNTER_OVERFLOW_FRACTION;
            let truth = of_one.iter().find(|p| p.metric == share).unwrap().value * 256.0;
            let (mean, error) = estimated(&mut *case.rare(&overflow()).unwrap(), 200);
            assert!(
                error < 0.15 * truth,
                "{hash} {counter_bits}: {mean} ± {error} decides nothing"
            );
            assert!((mean - truth).abs() < 4.5 * error, "{mean} ± {error}, not {truth}");
            least = least.min(truth);
        }
        assert!(least < 1e-9, "{least}");
    }

    #[test]
    fn a_highest_counter_is_asked_for_below_the_greatest_value() {
        let case = case(4, "random", &[]);
        let event = |beyond| Event { metric: metrics::MAX_COUNTER, beyond, ever: false };
        assert!(case.rare(&event(14)).is_ok());
        let error = case.rare(&event(15)).err().unwrap();
        assert_eq!((error.param, &*error.reason), ("beyond", "no counter goes beyond 15"));
    }
}
