//! Reachability between states, without numbers: determines infinite expected rewards, and the ranks of certificates.

use budget::{Budget, Stage, Stopped};
use model_files::{ExplicitModel, StateSet};

/// Not ranked, or no choice.
pub const NONE: u32 = u32::MAX;

/// A model with its goal, where play ends, and for every state the choices that can lead to it.
pub struct Graph<'a> {
    model: &'a ExplicitModel,
    goal: &'a StateSet,
    /// The only states apart from the goal in which play goes on; `None`: all are.
    until: Option<&'a StateSet>,
    /// The state of every choice.
    owners: Vec<u32>,
    /// Where the choices that lead to each state begin in `into`.
    first: Vec<u32>,
    into: Vec<u32>,
    budget: &'a Budget<'a>,
}

/// The distances of states from some others, and the choice that leads nearer.
pub struct Distances {
    /// [`NONE`]: there is no path.
    pub ranks: Vec<u32>,
    /// The number of the choice in the model; [`NONE`] where the rank is 0 or there is no path.
    pub choices: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The graph of a model whose play ends in `goal`.
    pub fn new(
        model: &'a ExplicitModel,
        goal: &'a StateSet,
        until: Option<&'a StateSet>,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Stopped> {
        // These arrays, and those of the searches: up to five numbers and two flags for each state or choice.
        let (states, choices) = (u64::from(model.states()), u64::from(model.choice_count()));
        let bytes = 28 * states + 6 * choices + 4 * u64::from(model.transitions());
        budget.memory(model.bytes() + bytes)?;
        budget.more_memory(bytes)?;
        let step = |state: u32| budget.step(Stage::Ordering, state.into(), (model.states() - state).into());
        let mut owners = Vec::with_capacity(model.choice_count() as usize);
        let mut first = vec![0; model.states() as usize + 1];
        for state in 0..model.states() {
            step(state)?;
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
            step(0)?;
            for target in model.outcomes(choice).0 {
                into[next[*target as usize] as usize] = choice;
                next[*target as usize] += 1;
            }
        }
        Ok(Self { model, goal, until, owners, first, into, budget })
    }

    /// The choices that can lead to a state, with their states, in which play goes on.
    fn before(&self, state: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.first[state as usize] as usize..self.first[state as usize + 1] as usize;
        let choices = self.into[range].iter().map(|choice| (*choice, self.owners[*choice as usize]));
        let goes_on = |owner: u32| self.until.is_none_or(|until| until.contains(owner)) && !self.goal.contains(owner);
        choices.filter(move |(_, owner)| goes_on(*owner))
    }

    /// How many choices every state has.
    fn choice_counts(&self) -> Vec<u32> {
        let count = |state| {
            let choices = self.model.choices(state);
            choices.end - choices.start
        };
        (0..self.model.states()).map(count).collect()
    }

    /// Checks the budget.
    fn step(&self, done: usize) -> Result<(), Stopped> {
        self.budget.step(Stage::Ordering, done as u64, 0)
    }

    /// Searches backwards from the states of a queue along all choices that can lead to them; states accepted by
    /// `finds(choice, owner, state)` are appended to the queue, which keeps them.
    fn go_back(&self, queue: &mut Vec<u32>, mut finds: impl FnMut(u32, u32, u32) -> bool) -> Result<(), Stopped> {
        let mut done = 0;
        while let Some(state) = queue.get(done).copied() {
            done += 1;
            self.step(done)?;
            for (choice, owner) in self.before(state) {
                if finds(choice, owner, state) {
                    queue.push(owner);
                }
            }
        }
        Ok(())
    }

    /// The number of choices of `allowed` from every state to the nearest of `sources`, along the most favourable
    /// outcomes.
    pub fn distances(
        &self,
        sources: impl Fn(u32) -> bool,
        allowed: impl Fn(u32) -> bool,
    ) -> Result<Distances, Stopped> {
        let states = self.model.states();
        let mut ranks = vec![NONE; states as usize];
        let mut choices = vec![NONE; states as usize];
        let mut queue: Vec<u32> = (0..states).filter(|state| sources(*state)).collect();
        for state in &queue {
            ranks[*state as usize] = 0;
        }
        self.go_back(&mut queue, |choice, owner, state| {
            let found = ranks[owner as usize] == NONE && allowed(choice);
            if found {
                ranks[owner as usize] = ranks[state as usize] + 1;
                choices[owner as usize] = choice;
            }
            found
        })?;
        Ok(Distances { ranks, choices })
    }

    /// The states from which every policy reaches the goal with positive probability, ranked: every choice can lead to
    /// a state of smaller rank. [`NONE`]: the goal can be avoided with certainty.
    pub fn unavoidable(&self) -> Result<Vec<u32>, Stopped> {
        let states = self.model.states();
        let mut ranks = vec![NONE; states as usize];
        let mut open = self.choice_counts();
        let mut hit = vec![false; self.owners.len()];
        let mut queue: Vec<u32> = self.goal.iter().collect();
        for state in &queue {
            ranks[*state as usize] = 0;
        }
        self.go_back(&mut queue, |choice, owner, state| {
            if std::mem::replace(&mut hit[choice as usize], true) {
                return false;
            }
            open[owner as usize] -= 1;
            let found = open[owner as usize] == 0;
            if found {
                ranks[owner as usize] = ranks[state as usize] + 1;
            }
            found
        })?;
        Ok(ranks)
    }

    /// The states from which no policy reaches the goal with certainty, by stage: every choice leads with positive
    /// probability to one of an earlier stage, or only to those of the same. 0: some policy reaches the goal with
    /// certainty.
    ///
    /// A forest of paths to the goal is kept and repaired where choices are lost, so that the cost of a stage is
    /// proportional to its changes.
    pub fn stages(&self) -> Result<Vec<u32>, Stopped> {
        let states = self.model.states();
        let mut stages = vec![0; states as usize];
        let mut lost = vec![false; self.owners.len()];
        let mut open = self.choice_counts();
        let mut ways = Ways { choices: vec![NONE; states as usize], next: vec![NONE; states as usize] };
        let mut queue: Vec<u32> = (0..states).filter(|state| !self.goal.contains(*state)).collect();
        self.find_ways(&mut ways, &mut queue, &lost)?;
        let mut stage = 0;
        while !queue.is_empty() {
            stage += 1;
            for state in &queue {
                stages[*state as usize] = stage;
            }
            // A choice that leads to one of them is lost, and so is a state with lost choices only.
            let mut stray = Vec::new();
            self.go_back(&mut queue, |choice, owner, state| {
                if std::mem::replace(&mut lost[choice as usize], true) {
                    return false;
                }
                open[owner as usize] -= 1;
                if stages[owner as usize] != 0 {
                    return false;
                }
                if ways.choices[owner as usize] == choice {
                    stray.push(owner);
                }
                let found = open[owner as usize] == 0;
                if found {
                    stages[owner as usize] = stages[state as usize] + 1;
                    stage = stage.max(stages[owner as usize]);
                }
                found
            })?;
            // A state that loses its path also affects those whose paths lead through it.
            for state in &stray {
                ways.choices[*state as usize] = NONE;
            }
            self.go_back(&mut stray, |_, owner, state| {
                let follows = ways.choices[owner as usize] != NONE && ways.next[owner as usize] == state;
                if follows {
                    ways.choices[owner as usize] = NONE;
                }
                follows
            })?;
            stray.retain(|state| stages[*state as usize] == 0);
            self.find_ways(&mut ways, &mut stray, &lost)?;
            queue = stray;
        }
        Ok(stages)
    }

    /// Finds paths for states that have none, by choices that are not lost; the states that remain without are left in
    /// `stray`.
    fn find_ways(&self, ways: &mut Ways, stray: &mut Vec<u32>, lost: &[bool]) -> Result<(), Stopped> {
        let mut found = Vec::new();
        for state in stray.iter().copied() {
            self.step(0)?;
            let living = self.model.choices(state).filter(|choice| !lost[*choice as usize]);
            let has_way = |target: &u32| self.goal.contains(*target) || ways.choices[*target as usize] != NONE;
            let mut leading = living.filter_map(|choice| {
                self.model.outcomes(choice).0.iter().copied().find(has_way).map(|to| (choice, to))
            });
            if let Some(way) = leading.next() {
                found.push((state, way));
            }
        }
        let mut queue: Vec<u32> = found.iter().map(|(state, _)| *state).collect();
        for (state, way) in found {
            (ways.choices[state as usize], ways.next[state as usize]) = way;
        }
        self.go_back(&mut queue, |choice, owner, state| {
            let found = ways.choices[owner as usize] == NONE && !lost[choice as usize];
            if found {
                (ways.choices[owner as usize], ways.next[owner as usize]) = (choice, state);
            }
            found
        })?;
        stray.retain(|state| ways.choices[*state as usize] == NONE);
        Ok(())
    }
}

/// For every state the choice by which it can reach the goal and the target; [`NONE`]: there is no path, or play is
/// over.
struct Ways {
    choices: Vec<u32>,
    next: Vec<u32>,
}

#[cfg(test)]
mod tests;
