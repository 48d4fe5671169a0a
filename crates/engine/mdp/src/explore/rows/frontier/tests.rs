use proptest::prelude::*;

use super::*;

proptest! {
    /// Whatever is added between, it comes out as if all that waits were sorted each time.
    #[test]
    fn states_come_in_order(
        steps in prop::collection::vec((prop::collection::vec((0..30u32, 0..4u32), 0..60), 0..25usize), 1..20),
    ) {
        let mut agenda = Agenda::new(4);
        agenda.ranks = vec![0; 30];
        agenda.positions = vec![0; 30];
        let mut all = Vec::new();
        for (added, about) in steps {
            let mut added: Vec<InRow> = added.into_iter().map(|(row, position)| InRow { row, position }).collect();
            added.retain(|state| !all.contains(state));
            added.sort_unstable_by_key(|state| u32::MAX - state.row);
            added.dedup();
            agenda.add(added.iter().map(|own| Fresh { word: own.row, bits: 1 << own.position }));
            all.extend(added);
            all.sort_unstable();
            all.dedup();
            let mut taken = Vec::new();
            agenda.next(about, &mut taken);
            let mut end = about.max(1).min(all.len());
            while end < all.len() && end > 0 && all[end].row == all[end - 1].row {
                end += 1;
            }
            let expected: Vec<InRow> = all.drain(..end).collect();
            prop_assert_eq!(taken, expected);
            prop_assert_eq!(agenda.rank_of_next().is_none(), all.is_empty());
            prop_assert!(agenda.waiting.values().all(|waiting| !waiting.runs.iter().any(Vec::is_empty)));
        }
    }
}
