//! The balanced Bloom filter: blocks whose loads a balancing scheme evens out.

use rand::Rng as _;

use super::block_metrics::{FALSE_POSITIVE_RATE_OF_LOADS, rate_law};
use super::params::{
    BALANCING, BITS_PER_ELEMENT, BLOCK_BITS, BLOCK_CHOICES, BLOCKS, CHOICES_OR_BEST, ELEMENTS,
    OVERFLOW_LIST, RATE_LAW, Size, last_of_law, unknown,
};
use super::theory::balanced;
use super::theory::blocks::Local;
use super::{Bits, Filter, Workload, metrics};
use crate::balancing::metrics::ACCESSES_PER_ABSENT_LOOKUP;
use crate::balancing::params::{
    self as balancing, ACCESSES, BUDGET, INSERTION_PROBABILITY, OVERFLOW, THRESHOLD,
};
use crate::balancing::{Kind, Loads, Rule, Target, accesses_per_absent_lookup};
use crate::case::Record;
use crate::hash::{Choices, HashSpec, reduce};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::Outlook;
use crate::tables::SubTable;
use crate::tables::metrics::{ACCESSES_PER_INSERTION, BUCKETS, MAX_LOAD, OVERFLOW_FRACTION};

/// A Bloom filter in blocks, each with a counter of its elements and a local filter in the other bits. A
/// balancing scheme says which of d blocks takes an element.
#[derive(Debug, Clone)]
pub struct Balanced {
    size: Size,
    rule: Rule,
    local: Local,
    /// Whether what no block takes is kept in a list, as exact keys; else it goes to one of its blocks at random.
    has_list: bool,
    rate_law: Option<u16>,
}

/// The blocks of a [`Balanced`] filter.
#[derive(Debug)]
pub struct Blocks {
    bits: Bits,
    loads: Loads,
    /// The bits of an element in the block that takes it if no other does.
    spare: Vec<u32>,
}

impl Filter for Balanced {
    type Store = Blocks;

    /// An element that is stored counts in its block.
    const IS_UNION: bool = false;

    const INFO: SchemeInfo = SchemeInfo {
        name: "balanced-bloom-filter",
        summary: "Blocks of B bits, of which b = ⌈log2(h + 2)⌉ count the elements of the block and B − b are a local Bloom filter. An element reads up to d blocks, as the balancing scheme says, and sets k bits of the first that has fewer than h elements, or h and a coin of probability p says so. What all refuse goes to an overflow list of exact keys, or without one to one of its blocks at random. A look-up goes on until all bits are set or a block has fewer than h elements. Sub-tables are those that are optimal.",
        source: "\"Access-Efficient Balanced Bloom Filters\", Sections 2 and 9",
        params: &[
            ELEMENTS,
            BITS_PER_ELEMENT,
            BLOCKS,
            BLOCK_BITS,
            CHOICES_OR_BEST,
            BALANCING,
            BLOCK_CHOICES,
            ACCESSES,
            OVERFLOW,
            THRESHOLD,
            INSERTION_PROBABILITY,
            BUDGET,
            OVERFLOW_LIST,
            RATE_LAW,
        ],
        predictions: &[
            "membership: overflow, accesses and accesses per look-up of an absent element, asymptotic for many blocks (Theorems 3 to 5; without a list a fluid limit of its own)",
            "membership with a list and without a budget, one block or sub-tables: the same for so many blocks, exact or refined (binomial)",
            "membership: false positive probability, asymptotic or refined (the loads, and what as many elements set of the bits of a block)",
            "membership: false positive probability, approximate (equation (9)), and the rate that equation (9) gives for the loads of a filter",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let size = Size::in_blocks(params)?;
        let block_bits = params.small(BLOCK_BITS.name)?;
        let has_list = params.flag(OVERFLOW_LIST.name)?;
        let rule = rule(params, &size, size.bits / block_bits)?;
        if !has_list && rule.budget.is_some() {
            let reason = "without an overflow list no element can go without its accesses";
            return Err(ParamError::new(BUDGET.name, reason));
        }
        let counter = counter_bits(&rule);
        if counter >= block_bits {
            let reason = format!("{block_bits} bits leave none beside a counter of {counter}");
            return Err(ParamError::new(BLOCK_BITS.name, reason));
        }
        let local = Local { bits: block_bits - counter, choices: size.choices };
        let rate_law = last_of_law(&RATE_LAW, params)?;
        Ok(Self { size, rule, local, has_list, rate_law })
    }

    fn size(&self) -> Size {
        self.size
    }

    fn holding(&self, elements: u32) -> Self {
        Self { size: Size { elements, ..self.size }, ..self.clone() }
    }

    /// Bits, loads, and the list.
    fn bytes(&self) -> u64 {
        let (bits, blocks) = (u64::from(self.size.bits), u64::from(self.rule.buckets()));
        bits / 8 + blocks * size_of::<u32>() as u64
    }

    fn number_of(&self, things: &str) -> Option<f64> {
        (things == BUCKETS).then(|| self.rule.buckets().into())
    }

    fn answers_as_a_set(&self) -> bool {
        !self.has_list
    }

    fn limit(&self) -> Option<f64> {
        None
    }

    fn hash_choices(&self) -> u32 {
        self.rule.choices() * (1 + self.size.choices)
    }

    fn ranges(&self) -> Vec<(u32, &'static str)> {
        let blocks = self.rule.ranges.iter().map(|range| (range.buckets, "blocks"));
        blocks.chain([(self.local.bits, "bits of a block")]).collect()
    }

    fn store(&self) -> Blocks {
        let blocks = self.rule.buckets();
        Blocks {
            bits: Bits::new(blocks * self.local.bits),
            loads: Loads::new(&self.rule),
            spare: Vec::with_capacity(self.local.choices as usize),
        }
    }

    fn clear(&self, store: &mut Blocks, seed: u64) {
        store.bits.clear();
        store.loads.clear(seed);
    }

    #[inline]
    fn insert(&self, store: &mut Blocks, mut choices: impl Choices) {
        let Blocks { bits, loads, spare } = store;
        loads.arrive();
        let last_resort =
            (!self.has_list).then(|| reduce(loads.rng().next_u64(), self.rule.choices()));
        let mut refuge = None;
        for (number, range) in (0..).zip(&self.rule.ranges) {
            if !loads.may_access(&self.rule) {
                return;
            }
            let block = range.first + choices.block(range.buckets);
            if loads.offer(&self.rule, block) {
                return self.local.set(bits, block, &mut choices);
            }
            let drawn = (0..self.local.choices).map(|_| choices.next(self.local.bits));
            if last_resort == Some(number) {
                spare.clear();
                spare.extend(drawn);
                refuge = Some(block);
            } else {
                drawn.for_each(drop);
            }
            choices.anew();
        }
        if let Some(block) = refuge {
            loads.put(block);
            spare.iter().for_each(|bit| bits.set(block * self.local.bits + bit));
        }
    }

    #[inline]
    fn contains(&self, store: &Blocks, mut choices: impl Choices) -> bool {
        for range in &self.rule.ranges {
            let block = range.first + choices.block(range.buckets);
            if self.local.are_set(&store.bits, block, &mut choices) {
                return true;
            }
            if !self.rule.is_full(store.loads.all()[block as usize]) {
                return false;
            }
            choices.anew();
        }
        false
    }

    fn rate(&self, store: &Blocks) -> f64 {
        balanced::rate(&self.rule, |range| {
            self.share(store, range, |block| self.local.rate(&store.bits, block))
        })
    }

    fn record(&self, store: &Blocks, rate: Option<f64>, out: &mut dyn Record) {
        let loads = &store.loads;
        let most = loads.all().iter().max().copied().unwrap_or(0);
        let of_loads = balanced::rate(&self.rule, |range| {
            self.share(store, range, |block| {
                self.local.approximate(loads.all()[block as usize].into())
            })
        });
        let read = accesses_per_absent_lookup(&loads.full(&self.rule));
        metrics::bits_set(store.bits.count(), self.rule.buckets() * self.local.bits, out);
        out.reading(OVERFLOW_FRACTION, self.has_list.then(|| loads.overflow_fraction()).flatten());
        out.reading(ACCESSES_PER_INSERTION, loads.accesses_per_insertion());
        out.reading(MAX_LOAD, Some(most.into()));
        out.reading(ACCESSES_PER_ABSENT_LOOKUP, Some(read));
        out.reading(FALSE_POSITIVE_RATE_OF_LOADS, Some(of_loads));
        if let Some((last, rate)) = self.rate_law.zip(rate) {
            rate_law(rate, last, out);
        }
    }

    fn outlook(&self, _workload: &Workload, hash: &HashSpec) -> Outlook {
        let filter = balanced::Design {
            rule: &self.rule,
            local: &self.local,
            elements: self.size.elements,
            has_list: self.has_list,
        };
        filter.outlook(hash)
    }
}

impl Balanced {
    /// How a look-up fares that comes to this range, where a block of it says yes with the probability `positive`.
    fn share(
        &self,
        store: &Blocks,
        range: &SubTable,
        positive: impl Fn(u32) -> f64,
    ) -> balanced::Visit {
        let mut visit = balanced::Visit::default();
        for block in range.first..range.first + range.buckets {
            let is_full = self.rule.is_full(store.loads.all()[block as usize]);
            visit.add(1.0 / f64::from(range.buckets), positive(block), is_full);
        }
        visit
    }
}

/// Most elements per block.
const MOST_PER_BLOCK: f64 = 10_000.0;

/// Bits of a counter from 0 to h + 1; none where nothing is refused.
fn counter_bits(rule: &Rule) -> u32 {
    rule.threshold.map_or(0, |threshold| (threshold + 2).next_power_of_two().ilog2())
}

fn rule(params: &Params, size: &Size, blocks: u32) -> Result<Rule, ParamError> {
    let kind = match params.word(BALANCING.name)? {
        "single" => Kind::Single,
        "sequential" => Kind::Sequential,
        "multilevel" => Kind::Multilevel,
        name => return Err(unknown(&BALANCING, name)),
    };
    let choices = params.small(BLOCK_CHOICES.name)?;
    if kind == Kind::Single && choices != 1 {
        let reason = "`balancing = \"single\"` has one choice; leave it out";
        return Err(ParamError::new(BLOCK_CHOICES.name, reason));
    }
    let given = if params.get(ELEMENTS.name).is_some() { &ELEMENTS } else { &BITS_PER_ELEMENT };
    let size = balancing::Size { elements: size.elements, buckets: blocks };
    let size = size.at_most(MOST_PER_BLOCK, given.name)?;
    Rule::new(kind, &size, &Target::from_params(params, choices)?).map_err(of_blocks)
}

/// What balancing says of its buckets and choices, said of the blocks and their choices that a filter has.
fn of_blocks(error: ParamError) -> ParamError {
    let ParamError { name, reason } = error;
    match name {
        name if name == balancing::BUCKETS.name => {
            ParamError::new(BLOCKS.name, reason.replace("buckets", "blocks"))
        }
        name if name == balancing::CHOICES.name => ParamError::new(BLOCK_CHOICES.name, reason),
        name => ParamError { name, reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::params::STEPS;
    use crate::hash::{RandomSource, Source};

    fn filter(given: &[(&str, crate::params::Scalar)]) -> Balanced {
        let all = Balanced::INFO.params.iter().chain([&STEPS]);
        Balanced::from_params(&Params::complete(all, given).unwrap()).unwrap()
    }

    fn multilevel(has_list: bool) -> Balanced {
        filter(&[
            ("blocks", 200_i64.into()),
            ("block_bits", 64_i64.into()),
            ("bits_per_element", 8.0.into()),
            ("balancing", "multilevel".into()),
            ("block_choices", 3_i64.into()),
            ("accesses", 1.2.into()),
            ("overflow_list", has_list.into()),
        ])
    }

    /// The choices of one element, the same each time it is asked.
    struct Fixed<'a>(std::slice::Iter<'a, u64>);

    impl Choices for Fixed<'_> {
        fn next(&mut self, buckets: u32) -> u32 {
            self.0.next().map_or(0, |value| reduce(*value, buckets))
        }
    }

    /// A block of B bits holds its counter, which goes up to h + 1, and its local filter.
    #[test]
    fn a_counter_takes_its_bits_from_the_block() {
        for (threshold, counter) in [(0, 1), (1, 2), (2, 2), (3, 3), (6, 3), (7, 4)] {
            let filter = filter(&[
                ("blocks", 200_i64.into()),
                ("block_bits", 64_i64.into()),
                ("bits_per_element", 8.0.into()),
                ("balancing", "single".into()),
                ("threshold", i64::from(threshold).into()),
                ("insertion_probability", 0.5.into()),
            ]);
            assert_eq!(filter.local.bits, 64 - counter, "h = {threshold}");
        }
    }

    /// Of elements that blocks hold none is denied; with a list some are nowhere, without one none.
    #[test]
    fn what_is_in_a_block_is_found() {
        use rand::SeedableRng;
        for has_list in [true, false] {
            let filter = multilevel(has_list);
            let mut store = filter.store();
            filter.clear(&mut store, 3);
            let mut rng = crate::Rng::seed_from_u64(7);
            let elements: Vec<Vec<u64>> = (0..filter.size.elements)
                .map(|_| (0..filter.hash_choices()).map(|_| rng.next_u64()).collect())
                .collect();
            let mut stored = Vec::new();
            for element in &elements {
                let before = store.loads.stored();
                filter.insert(&mut store, Fixed(element.iter()));
                stored.push(store.loads.stored() > before);
            }
            let found = |element: &Vec<u64>| filter.contains(&store, Fixed(element.iter()));
            assert!(
                elements.iter().zip(&stored).all(|(element, stored)| !stored || found(element))
            );
            assert_eq!(stored.iter().all(|stored| *stored), !has_list);
        }
    }

    /// The rate given the bits is the share of yeses: 400,000 questions to one filter, within 4.5 standard errors.
    #[test]
    fn the_rate_is_that_of_the_answers() {
        for has_list in [true, false] {
            let filter = multilevel(has_list);
            let mut store = filter.store();
            filter.clear(&mut store, 3);
            let spec = HashSpec::random(filter.hash_choices()).unwrap();
            let mut source = RandomSource::new(&spec, 5);
            (0..filter.size.elements).for_each(|_| filter.insert(&mut store, source.element(b"")));
            let questions = 400_000;
            let yes =
                (0..questions).filter(|_| filter.contains(&store, source.element(b""))).count();
            let (rate, found) = (filter.rate(&store), yes as f64 / f64::from(questions));
            let error = (rate * (1.0 - rate) / f64::from(questions)).sqrt();
            assert!(
                rate > 0.005 && (found - rate).abs() < 4.5 * error,
                "{found} ± {error}: {rate}"
            );
        }
    }

    /// A filter has `choices` for its bits and no `buckets`: mistakes name the parameters of its blocks.
    #[test]
    fn mistakes_name_what_a_filter_has() {
        let refused = |balancing: &str, accesses: f64| {
            let given = [
                ("blocks", 2_i64.into()),
                ("block_bits", 64_i64.into()),
                ("choices", 5_i64.into()),
                ("bits_per_element", 8.0.into()),
                ("balancing", balancing.into()),
                ("block_choices", 3_i64.into()),
                ("accesses", accesses.into()),
            ];
            let all = Balanced::INFO.params.iter().chain([&STEPS]);
            let error = Balanced::from_params(&Params::complete(all, &given).unwrap()).unwrap_err();
            error.to_string()
        };
        let few = "`blocks`: 2 blocks are too few for 3 such sub-tables";
        assert_eq!(refused("multilevel", 1.2), few);
        let many =
            "`block_choices`: 3 choices make less than 4 accesses per insertion at any overflow";
        assert_eq!(refused("sequential", 4.0), many);
    }

    #[test]
    fn a_counter_has_room_for_one_more_than_the_threshold() {
        let rule = |threshold| Rule { threshold, ..multilevel(true).rule };
        let bits = [None, Some(0), Some(1), Some(2), Some(3), Some(6), Some(7)]
            .map(|h| counter_bits(&rule(h)));
        assert_eq!(bits, [0, 1, 2, 2, 3, 3, 4]);
    }
}
