//! Models in which some states lead elsewhere than in the original.

use super::Model;
use super::stream::Code;
use super::weights::CERTAIN;
use super::words::{BLOCK, CHANCE, KIND, MOVES, SHARED, StateId, target};
use crate::support::id;

impl Model {
    /// The same model in which the states that `leads` maps to another state lead there with certainty. The target must
    /// be later in solving order (outside of components, all targets of a state's [`Model::choices`] are). Finished
    /// states keep their payoffs.
    ///
    /// States, levels and components keep their numbers, even if what remains of a component has no cycle, and
    /// [`Model::counts`] are those of the original model.
    ///
    /// ```
    /// use mdp::{ModelBuilder, Rational, SolveOptions, ratio, solve};
    ///
    /// // A coin decides between 1 and nothing; and a state that leads there.
    /// let mut builder = ModelBuilder::new();
    /// let (coin, certain) = (builder.weights(&[1, 1])?, builder.weights(&[1])?);
    /// builder.choice(certain, &[1])?;
    /// builder.finish_state()?;
    /// builder.choice(coin, &[2, 3])?;
    /// builder.finish_state()?;
    /// builder.finished(&[Rational::ONE])?;
    /// builder.finished(&[Rational::ZERO])?;
    /// let built = builder.build(None)?;
    /// let [start, coin, one] = [0, 1, 2].map(|state| built.number_of(state));
    ///
    /// let tails_never = built.model.redirected(|state| (state == coin).then_some(one));
    /// assert_eq!(solve(&built.model, &SolveOptions::exact())?.value(start).exact, Some(ratio(1, 2)));
    /// assert_eq!(solve(&tails_never.into(), &SolveOptions::exact())?.value(start).exact, Some(ratio(1, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn redirected(&self, leads: impl Fn(StateId) -> Option<StateId>) -> Self {
        let code = &self.code;
        let mut offsets = Vec::with_capacity(code.offsets.len());
        let mut words = Vec::with_capacity(code.words.len());
        let mut own = Vec::new();
        offsets.push(0);
        let mut state = 0;
        while state < code.states() {
            let block = code.block(state);
            let end = block.first + block.lanes;
            let to = leads(state);
            let lanes = (state + 1..end).find(|next| leads(*next) != to).unwrap_or(end) - state;
            own.clear();
            match to {
                Some(to) => own.extend([CERTAIN, to]),
                None => run(code, block.words, state - block.first, lanes, &mut own),
            }
            let begin = words.len() as u64;
            if lanes > 1 {
                words.extend([BLOCK | lanes, state, id(own.len())]);
            }
            words.extend_from_slice(&own);
            offsets.extend((1..lanes).map(|_| begin));
            offsets.push(words.len() as u64);
            state += lanes;
        }
        let code = Code { offsets, words, ..code.tables() };
        Self { code, levels: self.levels.clone(), families: self.families.clone(), counts: self.counts }
    }
}

/// The words of some lanes of a block. A pointer to a shared chance node is replaced by the node.
fn run(code: &Code, words: &[u32], lane: u32, lanes: u32, own: &mut Vec<u32>) {
    let word = |word: &u32| if lanes == 1 || word & MOVES == 0 { target(*word, lane) } else { word + lane };
    let mut rest = words;
    while let Some((header, after)) = rest.split_first() {
        rest = after;
        match header & KIND {
            SHARED => {
                let (weights, targets) = code.shared_node(*header);
                own.push(weights);
                own.extend_from_slice(targets);
            }
            CHANCE => {
                let (targets, after) = after.split_at(code.weights.count(*header));
                rest = after;
                own.push(*header);
                own.extend(targets.iter().map(word));
            }
            _ => own.push(*header),
        }
    }
}
