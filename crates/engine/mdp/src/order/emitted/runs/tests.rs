use proptest::prelude::*;

use super::*;

proptest! {
    /// Runs are read as they were written, whichever writer wrote them, also where one is longer than a chunk, where
    /// the last words of a writer were discarded, and after all were dropped.
    #[test]
    fn as_they_were_written(
        all in prop::collection::vec((0..3usize, prop::collection::vec(0..9u32, 0..600), 0..9usize), 0..60),
        long in 0..3usize,
        forgotten in 0..60usize,
    ) {
        let mut runs = Runs::default();
        let mut written: Vec<Vec<u32>> = Vec::new();
        for (number, (writer, mut run, thrown_away)) in all.into_iter().enumerate() {
            if number == forgotten {
                runs.clear();
                written.clear();
            }
            if number < long {
                run.resize(MOST + 1, 7);
            }
            let mut chunk = runs.lend(writer);
            let begin = chunk.len();
            chunk.extend_from_slice(&run);
            let end = chunk.len();
            runs.push(writer, begin..end);
            chunk.resize(end + thrown_away, 9);
            chunk.truncate(end);
            runs.take_back(writer, chunk);
            written.push(run);
        }
        prop_assert_eq!(runs.words(), written.iter().map(Vec::len).sum::<usize>());
        for (number, run) in written.iter().enumerate() {
            prop_assert_eq!(runs.run(number), &run[..]);
        }
        prop_assert!(runs.bytes() >= 4 * runs.words() as u64);
    }
}
