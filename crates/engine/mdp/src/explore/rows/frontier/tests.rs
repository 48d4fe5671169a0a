use proptest::prelude::*;

use super::*;

proptest! {
    /// States come out in the same order as if the whole frontier were sorted each time, whatever is added in between.
    #[test]
    fn states_come_in_order(
        steps in prop::collection::vec((prop::collection::vec((0..30u32, 0..4u32), 0..60), 0..25usize), 1..20),
    ) {
        let mut frontier = Frontier::new(4);
        frontier.ranks = vec![0; 30];
        frontier.positions = vec![0; 30];
        let mut all = Vec::new();
        for (added, about) in steps {
            let mut added: Vec<InRow> = added.into_iter().map(|(row, position)| InRow { row, position }).collect();
            added.retain(|state| !all.contains(state));
            added.sort_unstable_by_key(|state| u32::MAX - state.row);
            added.dedup();
            frontier.add(added.iter().map(|own| Fresh { word: own.row, bits: 1 << own.position }));
            all.extend(added);
            all.sort_unstable();
            all.dedup();
            let mut taken = Vec::new();
            frontier.next(about, &mut taken);
            let mut end = about.max(1).min(all.len());
            while end < all.len() && end > 0 && all[end].row == all[end - 1].row {
                end += 1;
            }
            let expected: Vec<InRow> = all.drain(..end).collect();
            prop_assert_eq!(taken, expected);
            prop_assert_eq!(frontier.rank_of_next().is_none(), all.is_empty());
            prop_assert!(frontier.queues.values().all(|queues| !queues.runs.iter().any(Vec::is_empty)));
        }
    }
}
