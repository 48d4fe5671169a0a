use super::*;
use crate::game::{Game, Turn};
use crate::support::in_pool;

/// Wide ranks, each of which leads to the next, some states to many others: hundreds of rows of four states.
struct Wide;

impl Game for Wide {
    type State = (u8, u16, u8);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<Self::State>> {
        (0..900).map(|row| Distribution::certain((0, row, 3))).collect()
    }

    fn rules(&self, (rank, row, position): &Self::State, turn: &mut Turn<Self::State>) {
        if *rank == 5 {
            return turn.end(i32::from(*row));
        }
        // In one rank a range of rows has many more choices than those before, so that batches are large there.
        let many = if *rank == 3 && (350..650).contains(row) { 60 } else { 1 + row % 4 };
        turn.uniform(
            (0..many)
                .map(|own| (rank + 1, (row + own * (1 + u16::from(*position))) % 900, u8::try_from(own % 4).unwrap())),
        );
    }
}

impl RowGame for Wide {
    fn row_length(&self) -> u32 {
        4
    }

    fn row_of(&self, (rank, row, position): &Self::State) -> (Self::State, u32) {
        ((*rank, *row, 0), u32::from(*position))
    }

    fn in_row(&self, (rank, row, _): &Self::State, position: u32) -> Self::State {
        (*rank, *row, u8::try_from(position).unwrap())
    }

    fn rank(&self, (rank, ..): &Self::State) -> u32 {
        // Two steps have one rank: the order of expansion depends on how far each batch comes.
        u32::from(*rank) / 2
    }
}

/// However little room there is for words between two checks of the limits, all numbers are those of one thread, also
/// where threads record so many words that they leave out pieces.
#[test]
fn numbers_do_not_depend_on_threads_when_words_run_out() {
    let budget = Budget::unlimited();
    for most_words in (1..100_000).step_by(4_000) {
        let explored = |threads| {
            in_pool(Some(threads), |threads| {
                let mut explorer = RowExplorer::new(&Wide, &budget, Wanted::Rows);
                explorer.most_words = most_words;
                explorer.enter_starts().unwrap();
                explorer.expand(threads, &mut |_| false).unwrap();
                let emitted: Vec<(u32, Vec<u32>)> = (explorer.emitted.first_slots().enumerate())
                    .map(|(block, slot)| (slot, explorer.emitted.runs.run(block).to_vec()))
                    .collect();
                (emitted, explorer.discovered.rows().to_vec(), explorer.led)
            })
        };
        let alone = explored(1);
        for threads in [2, 3, 7] {
            assert!(explored(threads) == alone, "{threads} threads, {most_words} words");
        }
    }
}
