//! The law of what other flows add to one counter.

/// Mass that may be left out at either end when a flow is added.
const NEGLIGIBLE: f64 = 1e-18;

/// The law of a sum of independent whole numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    first: i64,
    mass: Vec<f64>,
}

impl Law {
    /// The law of an empty sum.
    pub fn zero() -> Self {
        Self { first: 0, mass: vec![1.0] }
    }

    /// Adds a term that is `value` with probability `up`, `−value` with probability `down`, and else 0; `value` is
    /// positive.
    pub fn add(&mut self, value: i64, up: f64, down: f64) {
        let (below, above) = (reach(value, down), reach(value, up));
        let stay = 1.0 - up - down;
        let mut mass = vec![0.0; self.mass.len() + below + above];
        for (i, &own) in self.mass.iter().enumerate() {
            mass[i + below] += stay * own;
            if up > 0.0 {
                mass[i + below + above] += up * own;
            }
            if down > 0.0 {
                mass[i] += down * own;
            }
        }
        *self = Self { first: self.first - below as i64, mass };
        self.trim();
    }

    /// Cuts off ends of no weight.
    fn trim(&mut self) {
        let negligible = |own: &f64, sum: &mut f64| {
            *sum += own;
            *sum < NEGLIGIBLE
        };
        let (mut low, mut high) = (0.0, 0.0);
        let from = self.mass.iter().take_while(|own| negligible(own, &mut low)).count();
        let cut = self.mass.iter().rev().take_while(|own| negligible(own, &mut high)).count();
        self.mass.truncate(self.mass.len() - cut);
        self.mass.drain(..from);
        self.first += from as i64;
    }

    /// The law without one term that was added with these arguments; `None` where dividing it out is not stable, as a
    /// term is as likely not 0 as 0.
    pub fn without(&self, value: i64, up: f64, down: f64) -> Option<Self> {
        let stay = 1.0 - up - down;
        match (up > 0.0, down > 0.0) {
            _ if up + down > 0.5 * stay && up.min(down) > 0.0 || up + down > stay => None,
            (true, true) => {
                Some(self.without_two_sided(value as usize, up / stay, down / stay, stay))
            }
            (true, false) => Some(self.without_one_sided(value as usize, up / stay, stay, false)),
            (false, true) => Some(self.without_one_sided(value as usize, down / stay, stay, true)),
            (false, false) => Some(self.clone()),
        }
    }

    /// Divides by `stay·(1 + ratio·z^value)`, or with z⁻¹ in place of z: from that end on, each mass follows from those
    /// before.
    fn without_one_sided(&self, value: usize, ratio: f64, stay: f64, is_down: bool) -> Self {
        let mut mass: Vec<f64> = self.mass.iter().map(|own| own / stay).collect();
        if is_down {
            mass.reverse();
        }
        for i in value..mass.len() {
            mass[i] = (mass[i] - ratio * mass[i - value]).max(0.0);
        }
        if is_down {
            mass.reverse();
        }
        Self { first: self.first, mass }
    }

    /// Divides by `stay·(1 + up·z^value + down·z^−value)`: the geometric series of the term, which falls by half or
    /// faster.
    fn without_two_sided(&self, value: usize, up: f64, down: f64, stay: f64) -> Self {
        let whole: Vec<f64> = self.mass.iter().map(|own| own / stay).collect();
        let mut mass = whole.clone();
        let mut left = 1.0;
        while left > NEGLIGIBLE {
            let at = |i: usize| mass.get(i).copied().unwrap_or(0.0);
            let shifted =
                |i: usize| up * i.checked_sub(value).map_or(0.0, at) + down * at(i + value);
            mass = whole.iter().enumerate().map(|(i, own)| own - shifted(i)).collect();
            left *= up + down;
        }
        mass.iter_mut().for_each(|own| *own = own.max(0.0));
        Self { first: self.first, mass }
    }

    /// Pr(X > t) for t = 0, 1, …, as long as it is not 0.
    pub fn above(&self) -> Vec<f64> {
        tail(self.first, self.mass.iter())
    }

    /// Pr(X < −t) for t = 0, 1, …, as long as it is not 0.
    pub fn below(&self) -> Vec<f64> {
        let last = self.first + self.mass.len() as i64 - 1;
        tail(-last, self.mass.iter().rev())
    }
}

/// How far a term of this value reaches to a side, where it does with this probability.
fn reach(value: i64, probability: f64) -> usize {
    if probability > 0.0 { value as usize } else { 0 }
}

/// Pr(Y > t) for t = 0, 1, …, where Y has these masses from `first` on.
fn tail<'m>(first: i64, mass: impl DoubleEndedIterator<Item = &'m f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let mut tail: Vec<f64> = mass
        .rev()
        .map(|own| {
            sum += own;
            sum
        })
        .collect();
    tail.reverse();
    // The i-th is now Pr(Y ≥ first + i), that is Pr(Y > first + i − 1).
    match first - 1 {
        below if below < 0 => tail.drain(..tail.len().min(below.unsigned_abs() as usize)).count(),
        above => tail.splice(0..0, (0..above).map(|_| 1.0)).count(),
    };
    tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms (value, up, down).
    const TERMS: [(i64, f64, f64); 4] =
        [(1, 0.1, 0.0), (3, 0.0, 0.2), (2, 0.05, 0.1), (7, 0.1, 0.1)];

    /// Pr(X > t) and Pr(X < −t) by going through all 3⁴ outcomes.
    fn enumerated(terms: &[(i64, f64, f64)], t: i64) -> [f64; 2] {
        let mut outcomes = vec![(0, 1.0)];
        for &(value, up, down) in terms {
            outcomes = outcomes
                .iter()
                .flat_map(|&(sum, p)| {
                    [(sum + value, p * up), (sum - value, p * down), (sum, p * (1.0 - up - down))]
                })
                .collect();
        }
        let of = |is_in: &dyn Fn(i64) -> bool| -> f64 {
            outcomes.iter().filter(|(sum, _)| is_in(*sum)).map(|(_, p)| p).sum()
        };
        [of(&|sum| sum > t), of(&|sum| sum < -t)]
    }

    fn assert_is(law: &Law, terms: &[(i64, f64, f64)]) {
        let (above, below) = (law.above(), law.below());
        for t in 0..16 {
            let at = |tail: &[f64]| tail.get(t).copied().unwrap_or(0.0);
            for (own, expected) in [at(&above), at(&below)].iter().zip(enumerated(terms, t as i64))
            {
                assert!((own - expected).abs() < 1e-13, "{t}: {own} {expected}");
            }
        }
    }

    #[test]
    fn a_sum_has_the_law_of_all_outcomes_and_loses_each_term_again() {
        let mut law = Law::zero();
        TERMS.iter().for_each(|&(value, up, down)| law.add(value, up, down));
        assert_is(&law, &TERMS);
        for (value, up, down) in TERMS {
            let others: Vec<_> = TERMS.into_iter().filter(|term| term.0 != value).collect();
            assert_is(&law.without(value, up, down).unwrap(), &others);
        }
    }

    /// Numbers that are never small have tails that begin with 1.
    #[test]
    fn a_law_that_begins_late_has_a_certain_tail() {
        let law = Law { first: 3, mass: vec![0.5, 0.5] };
        assert_eq!(law.above(), [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(law.below(), [0.0; 0]);
        assert_eq!(Law { first: -4, mass: vec![0.5, 0.5] }.below(), [1.0, 1.0, 1.0, 0.5]);
    }

    #[test]
    fn what_cannot_be_divided_out_is_refused() {
        let mut law = Law::zero();
        law.add(1, 0.25, 0.25);
        assert_eq!(law.without(1, 0.25, 0.25), None);
    }
}
