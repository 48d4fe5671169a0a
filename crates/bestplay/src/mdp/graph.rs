//! Which states can reach which, without numbers: what makes expected rewards infinite, and the
//! ranks of certificates.

use model_files::{ExplicitModel, StateSet};

/// Not ranked, or no choice.
pub const NONE: u32 = u32::MAX;

/// A model with its goal, where play ends, and for every state the choices that lead to it.
pub struct Graph<'a> {
    model: &'a ExplicitModel,
    goal: &'a StateSet,
    /// The state of every choice.
    owners: Vec<u32>,
    /// Where the choices that lead to each state begin in `into`.
    first: Vec<u32>,
    into: Vec<u32>,
}

/// How far states are from some others, and the choice that leads nearer.
pub struct Distances {
    /// [`NONE`]: there is no way.
    pub ranks: Vec<u32>,
    /// The number of the choice in the model; [`NONE`] where the rank is 0 or there is no way.
    pub choices: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The graph of a model whose play ends in `goal`.
    pub fn new(model: &'a ExplicitModel, goal: &'a StateSet) -> Self {
        let mut owners = Vec::with_capacity(model.choice_count() as usize);
        let mut first = vec![0; model.states() as usize + 1];
        for state in 0..model.states() {
            for choice in model.choices(state) {
                owners.push(state);
                for target in model.outcomes(choice).0 {
                    first[*target as usize + 1] += 1;
                }
            }
        }
        for state in 0..model.states() as usize {
            first[state + 1] += first[state];
        }
        let mut next = first.clone();
        let mut into = vec![0; model.transitions() as usize];
        for choice in 0..model.choice_count() {
            for target in model.outcomes(choice).0 {
                into[next[*target as usize] as usize] = choice;
                next[*target as usize] += 1;
            }
        }
        Self { model, goal, owners, first, into }
    }

    /// The choices that can lead to a state, of states where play goes on, with these states.
    fn before(&self, state: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.first[state as usize] as usize..self.first[state as usize + 1] as usize;
        let choices = self.into[range].iter().map(|choice| (*choice, self.owners[*choice as usize]));
        choices.filter(|(_, owner)| !self.goal.contains(*owner))
    }

    /// How many choices of `allowed` lead from every state to the nearest of `sources`, if chance
    /// is kind.
    pub fn distances(&self, sources: impl Fn(u32) -> bool, allowed: impl Fn(u32) -> bool) -> Distances {
        let states = self.model.states();
        let mut ranks = vec![NONE; states as usize];
        let mut choices = vec![NONE; states as usize];
        let mut queue: Vec<u32> = (0..states).filter(|state| sources(*state)).collect();
        for state in &queue {
            ranks[*state as usize] = 0;
        }
        let mut done = 0;
        while let Some(state) = queue.get(done).copied() {
            done += 1;
            for (choice, owner) in self.before(state) {
                if ranks[owner as usize] == NONE && allowed(choice) {
                    ranks[owner as usize] = ranks[state as usize] + 1;
                    choices[owner as usize] = choice;
                    queue.push(owner);
                }
            }
        }
        Distances { ranks, choices }
    }

    /// The states from which the goal is reached with positive probability whatever is chosen,
    /// ranked: every choice can lead to a state of smaller rank. [`NONE`]: the goal can be avoided
    /// for certain.
    pub fn unavoidable(&self) -> Vec<u32> {
        let states = self.model.states();
        let mut ranks = vec![NONE; states as usize];
        let mut open: Vec<u32> = (0..states).map(|state| self.model.choices(state).len() as u32).collect();
        let mut hit = vec![false; self.owners.len()];
        let mut queue: Vec<u32> = self.goal.iter().collect();
        for state in &queue {
            ranks[*state as usize] = 0;
        }
        let mut done = 0;
        while let Some(state) = queue.get(done).copied() {
            done += 1;
            for (choice, owner) in self.before(state) {
                if !std::mem::replace(&mut hit[choice as usize], true) {
                    open[owner as usize] -= 1;
                    if open[owner as usize] == 0 {
                        ranks[owner as usize] = ranks[state as usize] + 1;
                        queue.push(owner);
                    }
                }
            }
        }
        ranks
    }

    /// The states from which no policy reaches the goal for certain, by stage: every choice leads
    /// with positive probability to one of an earlier stage, or only to those of the same. 0: some
    /// policy reaches the goal for certain.
    pub fn stages(&self) -> Vec<u32> {
        let states = self.model.states();
        let mut stages = vec![0; states as usize];
        let mut lost = vec![false; self.owners.len()];
        let mut open: Vec<u32> = (0..states).map(|state| self.model.choices(state).len() as u32).collect();
        let mut stage = 0;
        loop {
            // Those that cannot reach the goal by choices that are not lost.
            let ways = self.distances(|state| self.goal.contains(state), |choice| !lost[choice as usize]);
            stage += 1;
            let mut queue: Vec<u32> =
                (0..states).filter(|s| stages[*s as usize] == 0 && ways.ranks[*s as usize] == NONE).collect();
            if queue.is_empty() {
                return stages;
            }
            for state in &queue {
                stages[*state as usize] = stage;
            }
            // A choice that leads to one of them is lost, and so is a state with lost choices only.
            let mut done = 0;
            while let Some(state) = queue.get(done).copied() {
                done += 1;
                for (choice, owner) in self.before(state) {
                    if !std::mem::replace(&mut lost[choice as usize], true) {
                        open[owner as usize] -= 1;
                        if open[owner as usize] == 0 && stages[owner as usize] == 0 {
                            stages[owner as usize] = stages[state as usize] + 1;
                            stage = stage.max(stages[owner as usize]);
                            queue.push(owner);
                        }
                    }
                }
            }
        }
    }
}
