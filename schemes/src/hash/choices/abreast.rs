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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Choice j among m buckets, from the first three of a key.
    fn expected([c0, c1, c2]: [u32; 3], increment: Increment, j: u32, m: u32) -> u32 {
        let [c0, c1, c2, j, m] = [c0, c1, c2, j, m].map(i128::from);
        let f = |j: i128| match increment {
            Increment::None => 0,
            Increment::Triangular => j * (j - 1) / 2,
            Increment::Square => j.pow(2),
            Increment::Cube => j.pow(3),
            Increment::Third => j * (j - 1) / 2 * (c2 - 2 * c1 + c0),
        };
        (c0 + j * (c1 - c0 - f(1)) + f(j)).rem_euclid(m) as u32
    }

    /// Of more keys than go together, of which some leave, each has the choices of its polynomial.
    #[test]
    fn keys_have_their_own_choices_whoever_leaves() {
        for (m, increment) in [1, 2, 7, 1000, 1 << 31, u32::MAX]
            .into_iter()
            .flat_map(|m| Increment::ALL.map(|increment| (m, increment)))
        {
            let (mut rng, mut seen) = (Rng::seed_from_u64(8), 0);
            Abreast::new(m, increment, &mut rng).each(600, |keys| {
                let [first, second, third] = [(); 3].map(|()| {
                    let choices = keys.choices().to_vec();
                    keys.step();
                    choices
                });
                seen += first.len();
                let firsts = first.iter().zip(&second).zip(&third);
                let mut left: Vec<[u32; 3]> = firsts.map(|((&a, &b), &c)| [a, b, c]).collect();
                for j in 3..12 {
                    let wanted = |key: &[u32; 3]| expected(*key, increment, j, m);
                    let choices: Vec<u32> = left.iter().map(wanted).collect();
                    assert_eq!(keys.choices(), choices, "{m} {increment:?} {j}");
                    let stays = |choice: u32| choice % 5 != 2;
                    keys.retain(stays);
                    left.retain(|key| stays(wanted(key)));
                    keys.step();
                }
            });
            assert_eq!(seen, 600);
        }
    }
}
