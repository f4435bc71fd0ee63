//! All outcomes of tiny tables and filters, to test theory with.

/// For each way in which so many elements may choose a bucket in each of the sub-tables, how many sub-tables
/// had no room for each of the elements: d for those in a crisis.
pub(super) fn fillings(elements: usize, sizes: &[u32]) -> Vec<Vec<usize>> {
    all_of(elements, sizes).map(|choices| refusals(&choices)).collect()
}

/// Of elements with these choices.
fn refusals(choices: &[Vec<u32>]) -> Vec<usize> {
    let mut occupied = vec![0_u64; choices[0].len()];
    let mut of_element = |choices: &Vec<u32>| {
        let free =
            choices.iter().zip(&occupied).position(|(&bucket, bits)| bits >> bucket & 1 == 0);
        let placed = free.unwrap_or(choices.len());
        if let Some(bits) = occupied.get_mut(placed) {
            *bits |= 1 << choices[placed];
        }
        placed
    };
    choices.iter().map(&mut of_element).collect()
}

/// All choices of so many elements, one in each of these ranges.
pub(super) fn all_of(
    elements: usize,
    ranges: &[u32],
) -> impl Iterator<Item = Vec<Vec<u32>>> + use<> {
    let draws: Vec<u32> = (0..elements).flat_map(|_| ranges.to_vec()).collect();
    let outcomes: u64 = draws.iter().map(|&range| u64::from(range)).product();
    let each = ranges.len();
    (0..outcomes).map(move |mut code| {
        let digit = |&range: &u32| {
            let digit = (code % u64::from(range)) as u32;
            code /= u64::from(range);
            digit
        };
        let digits: Vec<u32> = draws.iter().map(digit).collect();
        digits.chunks(each).map(<[u32]>::to_vec).collect()
    })
}
