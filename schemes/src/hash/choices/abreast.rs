//! Progressions of many keys that go from choice to choice together.

use super::progression::differences;
use super::sum;
use crate::Rng;
use crate::hash::Increment;
use crate::uniform::Uniform;

/// Keys that go together at most: what is kept of them stays close to the processor.
const MOST: usize = 256;

/// The [`Progression`](super::Progression)s of keys whose values are drawn, all of them at the same choice among m buckets.
#[derive(Debug)]
pub struct Abreast<'r> {
    buckets: u32,
    increment: Increment,
    uniform: Uniform,
    rng: &'r mut Rng,
    /// Keys that there are.
    keys: usize,
    choices: [u32; MOST],
    /// The differences of the first and second order. That of the third is the same for all keys.
    steps: [u32; MOST],
    seconds: [u32; MOST],
    third: u32,
}

impl<'r> Abreast<'r> {
    /// No keys, of choices among so many buckets, at least one.
    pub fn new(buckets: u32, increment: Increment, rng: &'r mut Rng) -> Self {
        let uniform = Uniform::dense(buckets);
        let none = [0; MOST];
        let [choices, steps, seconds] = [none; 3];
        Self { buckets, increment, uniform, rng, keys: 0, choices, steps, seconds, third: 0 }
    }

    /// Calls `visit` with so many keys, some at a time, each of them at its first choice.
    #[inline(always)]
    pub fn each(&mut self, keys: u64, mut visit: impl FnMut(&mut Self)) {
        let mut left = keys;
        while left > 0 {
            self.draw(left.min(MOST as u64) as usize);
            left -= self.keys as u64;
            visit(self);
        }
    }

    fn draw(&mut self, keys: usize) {
        let Self { buckets, uniform, rng, choices, steps, seconds, .. } = self;
        let [steps, seconds] = [&mut steps[..keys], &mut seconds[..keys]];
        uniform.pairs(rng, &mut choices[..keys], steps);
        if self.increment == Increment::Third {
            seconds.iter_mut().for_each(|second| *second = uniform.one(rng));
        } else {
            let [plus, second, third] = differences(self.increment, 0, *buckets);
            steps.iter_mut().for_each(|step| *step = sum(*step, plus, *buckets));
            seconds.fill(second);
            self.third = third;
        }
        self.keys = keys;
    }

    /// The choices at which the keys are.
    #[inline(always)]
    pub fn choices(&self) -> &[u32] {
        &self.choices[..self.keys]
    }

    /// Leaves those keys alone whose choice `passes`. No branch depends on which these are.
    #[inline(always)]
    pub fn retain(&mut self, passes: impl Fn(u32) -> bool) {
        let mut kept = 0;
        for key in 0..self.keys {
            let choice = self.choices[key];
            self.choices[kept] = choice;
            self.steps[kept] = self.steps[key];
            self.seconds[kept] = self.seconds[key];
            kept += usize::from(passes(choice));
        }
        self.keys = kept;
    }

    /// All of them go to their next choice.
    #[inline(always)]
    pub fn step(&mut self) {
        let Self { buckets, choices, steps, seconds, .. } = self;
        let degree = self.increment.degree();
        add(&mut choices[..self.keys], &steps[..self.keys], *buckets);
        if degree > 1 {
            add(&mut steps[..self.keys], &seconds[..self.keys], *buckets);
        }
        if degree > 2 {
            let third = self.third;
            seconds[..self.keys].iter_mut().for_each(|own| *own = sum(*own, third, *buckets));
        }
    }
}

#[inline(always)]
fn add(to: &mut [u32], these: &[u32], buckets: u32) {
    to.iter_mut().zip(these).for_each(|(to, &this)| *to = sum(*to, this, buckets));
}
