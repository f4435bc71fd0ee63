//! Whole numbers in given proportions.

/// Whole numbers of sum `total` in proportion to the weights, by largest remainder; of equal remainders
/// the first comes first.
///
/// `total` is at most `u32::MAX`; weights are positive and finite.
pub fn apportion(total: u64, weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let quota = |i: usize| total as f64 * weights[i] / sum;
    let mut numbers: Vec<u32> = (0..weights.len()).map(|i| quota(i) as u32).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&i, &j| quota(j).fract().total_cmp(&quota(i).fract()));
    let given: u64 = numbers.iter().map(|&number| u64::from(number)).sum();
    let left = total.saturating_sub(given) as usize;
    order.iter().take(left).for_each(|&i| numbers[i] += 1);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sum_up_in_proportion() {
        assert_eq!(apportion(11, &[1.0; 4]), [3, 3, 3, 2]);
        assert_eq!(apportion(100, &[0.48, 0.45, 0.26, 0.11]), [37, 35, 20, 8]);
        assert_eq!(apportion(4096, &[1.0, 0.5, 0.25, 0.125]), [2185, 1092, 546, 273]);
        for total in [4, 1000, 2_147_483_647] {
            let numbers = apportion(total, &[0.3774, 0.3624, 0.2857]);
            assert_eq!(numbers.iter().map(|&number| u64::from(number)).sum::<u64>(), total);
        }
    }
}
