//! Exponential times without a logarithm for nearly each.

use rand::Rng as _;

use super::exponential::exponential;
use crate::Rng;
use crate::math::elementary::{exp, ln};

const LAYERS: usize = 256;

/// Where the density's tail begins, which together with the rectangle below the rest has the area of each other layer.
const TAIL: f64 = 7.697_117_470_131_05;

/// The area below `e⁻ˣ` as 256 layers of the same area: a uniformly random point of a layer, drawn again if it is not
/// below the curve, after Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", 2000.
pub(super) struct Ziggurat {
    /// The right end of each layer, from the lowest to the highest, and 0. The lowest is as wide as a rectangle of its
    /// area.
    ends: [f64; LAYERS + 1],
    /// The density there.
    densities: [f64; LAYERS + 1],
}

impl Ziggurat {
    pub(super) fn new() -> Self {
        let area = (TAIL + 1.0) * exp(-TAIL);
        let mut ends = [0.0; LAYERS + 1];
        (ends[0], ends[1]) = (area / exp(-TAIL), TAIL);
        for layer in 1..LAYERS - 1 {
            ends[layer + 1] = -ln(area / ends[layer] + exp(-ends[layer]));
        }
        Self { ends, densities: ends.map(|end| exp(-end)) }
    }

    /// An exponential time of mean 1.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        loop {
            // The lowest bits choose the layer, and the 53 highest the point.
            let word = rng.next_u64();
            let layer = usize::from(word as u8);
            let time = fraction(word) * self.ends[layer];
            if time < self.ends[layer + 1] {
                return time;
            }
            let found;
            (found, *rng) = self.beyond(layer, time, rng.clone());
            if let Some(time) = found {
                return time;
            }
        }
    }

    /// What becomes of a point that is not in the part of its layer that lies below the curve as a whole. The generator comes
    /// and goes by value: the state of one that somebody has a reference to is kept in memory.
    #[cold]
    fn beyond(&self, layer: usize, time: f64, mut rng: Rng) -> (Option<f64>, Rng) {
        if layer == 0 {
            let time = TAIL + exponential(&mut rng);
            return (Some(time), rng);
        }
        let (low, high) = (self.densities[layer], self.densities[layer + 1]);
        let density = low + fraction(rng.next_u64()) * (high - low);
        ((density < exp(-time)).then_some(time), rng)
    }
}

/// A number in [0, 1) of the 53 highest bits.
#[inline(always)]
fn fraction(word: u64) -> f64 {
    (word >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// The highest layer ends at the top of the density.
    #[test]
    fn layers_are_of_one_area() {
        let Ziggurat { ends, densities } = Ziggurat::new();
        let area = (TAIL + 1.0) * exp(-TAIL);
        for layer in 1..LAYERS {
            let own = ends[layer] * (densities[layer + 1] - densities[layer]);
            assert!((own / area - 1.0).abs() < 1e-9, "{layer}: {own}");
        }
    }

    /// Times in 200 intervals of the same probability, and beyond the beginning of the tail: by chi-squared with 199
    /// degrees of freedom and by the standard error of the number, within five standard deviations.
    #[test]
    fn times_are_exponential() {
        let ziggurat = Ziggurat::new();
        let mut rng = Rng::seed_from_u64(19);
        let (mut counts, mut beyond, number) = ([0_u32; 200], 0_u32, 2_000_000);
        for _ in 0..number {
            let time = ziggurat.draw(&mut rng);
            counts[((1.0 - exp(-time)) * 200.0) as usize] += 1;
            beyond += u32::from(time > TAIL);
        }
        let expected = f64::from(number) / 200.0;
        let chi: f64 = counts.iter().map(|&k| (f64::from(k) - expected).powi(2) / expected).sum();
        assert!((chi - 199.0).abs() < 5.0 * 398_f64.sqrt(), "{chi}");
        let tail = f64::from(number) * exp(-TAIL);
        assert!((f64::from(beyond) - tail).abs() < 5.0 * tail.sqrt(), "{beyond} {tail}");
    }
}
