use proptest::prelude::*;

use super::*;

/// A simple reference: classes are split as long as shapes or classes of targets differ.
fn distinguished(shapes: &[u32], next: &[Vec<Label>]) -> Vec<u32> {
    let mut classes = shapes.to_vec();
    loop {
        let mut known: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let mut finer = Vec::new();
        for (own, next) in classes.iter().zip(next) {
            let key = (*own, next.iter().map(|next| classes[*next as usize]).collect());
            let new = u32::try_from(known.len()).unwrap();
            finer.push(*known.entry(key).or_insert(new));
        }
        if finer.iter().max() == classes.iter().max() {
            return finer;
        }
        classes = finer;
    }
}

proptest! {
    #[test]
    fn refined_as_far_as_needed(steps in prop::collection::vec((0..3u32, 0..1000u32, 0..1000u32), 1..30)) {
        let count = u32::try_from(steps.len()).unwrap();
        // Steps of shape 0 lead nowhere, 1 to one place, 2 to two.
        let next: Vec<Vec<Label>> = steps
            .iter()
            .map(|(shape, left, right)| [*left % count, *right % count][..*shape as usize].to_vec())
            .collect();
        let mut numbers: Vec<u32> = steps.iter().map(|(shape, ..)| *shape).collect();
        let mut used = numbers.clone();
        used.sort_unstable();
        used.dedup();
        for number in &mut numbers {
            *number = u32::try_from(used.binary_search(number).unwrap()).unwrap();
        }
        let mut ways = vec![Vec::new(); steps.len()];
        for (place, next) in (0..).zip(&next) {
            for (way, next) in (0..).zip(next) {
                ways[*next as usize].push((way, place));
            }
        }
        let mut partition = Partition::new((0..count).collect(), numbers.clone(), used.len());
        partition.refine(&ways, &Budget::unlimited()).unwrap();
        let expected = distinguished(&numbers, &next);
        for (left, right) in (0..steps.len()).flat_map(|left| (0..left).map(move |right| (left, right))) {
            prop_assert_eq!(
                partition.classes[left] == partition.classes[right],
                expected[left] == expected[right]
            );
        }
    }
}
