//! Fights, round by round.

use gamebook::{Battle, LocalId, Number, Order};

use super::question::Answer;
use super::task::{Before, First, Stage};
use super::{At, Here, Rules, State, Task, Turn};

impl<'b> Rules<'b> {
    pub fn battle(&self, battle: &'b Battle, mut state: State<'b>) -> Turn<'b> {
        let before = state.before();
        state.tasks.push(Task::Fight { battle: Here(battle), stage: Stage::Begins, before, names: 0 });
        state.block(&self.system.before_fight, false);
        Turn::On(state)
    }

    /// What is next in a fight.
    pub fn fight(&self, task: &Task<'b>, mut state: State<'b>) -> Turn<'b> {
        match *task {
            Task::Fight { battle: Here(battle), stage, before, names } => {
                self.stage(battle, stage, before, names, state)
            }
            Task::PartOf { battle: Here(battle), picked: true, .. } => self.before_round(battle, &state),
            Task::PartOf { battle: Here(battle), enemy, other, .. } => {
                if !self.stands(&state, enemy) {
                    return Turn::On(state);
                }
                state.tasks.push(Task::Part { before: state.before(), over: true });
                state.enemy = Some(enemy);
                let fights = &self.system.fights;
                state.block(if other { &fights.others } else { &fights.round }, false);
                if !other && self.order(battle) == Order::PlayerPicks {
                    state.block(&battle.before_round, false);
                }
                Turn::On(state)
            }
            Task::Part { before, over } => {
                state.names.truncate(before.names);
                (state.enemy, state.event) = (before.enemy, before.event);
                if over && self.first(&state).is_none() {
                    // Nobody is left: what others would have done is not done.
                    while !matches!(state.tasks.last(), Some(Task::Fight { .. }) | None) {
                        state.tasks.pop();
                    }
                }
                Turn::On(state)
            }
            Task::First(Here(battle), what) => {
                let Some(first) = self.first(&state) else { return Turn::On(state) };
                if self.order(battle) != Order::OneByOne {
                    state.tasks.push(Task::Part { before: state.before(), over: false });
                    state.enemy = Some(first);
                }
                match what {
                    First::BeforeRound => state.block(&battle.before_round, false),
                    First::Allies => state.tasks.push(Task::Ally { battle: Here(battle), at: 0 }),
                    First::EndOfRound => {
                        state.block(&self.system.fights.end_of_round, false);
                        state.block(&battle.end_of_round, false);
                    }
                }
                Turn::On(state)
            }
            Task::Ally { battle: Here(battle), at } => {
                let (Some(numbers), Some((names, body))) = (battle.allies.get(at), &self.system.fights.ally) else {
                    return Turn::On(state);
                };
                state.tasks.push(Task::Ally { battle: Here(battle), at: at + 1 });
                let before = state.names.len();
                let numbers: Vec<i64> = numbers.iter().map(|number| self.number(&state, number)).collect();
                state.names.extend(names.iter().copied().zip(numbers));
                state.block_with(body, false, before);
                Turn::On(state)
            }
            _ => Turn::Lost,
        }
    }

    /// What a stage of a fight leads to.
    fn stage(&self, battle: &'b Battle, stage: Stage, before: Before, names: usize, mut state: State<'b>) -> Turn<'b> {
        match stage {
            Stage::Begins => {
                let starts: Vec<i64> = battle.locals.iter().map(|own| self.number(&state, &own.start)).collect();
                for (own, start) in battle.locals.iter().zip(starts) {
                    state.names.push((own.local, start.clamp(own.least.into(), own.most.into())));
                }
                let names = state.names.len();
                let one_by_one = self.order(battle) == Order::OneByOne;
                if !one_by_one {
                    let all = battle.enemies.iter().map(|(_, stats)| self.stats(&state, stats));
                    state.enemies = all.collect();
                }
                let stage = if one_by_one { Stage::Next(0) } else { Stage::Melee };
                state.tasks.push(Task::Fight { battle: Here(battle), stage, before, names });
                self.wields(state)
            }
            Stage::Next(enemy) => {
                state.enemy = None;
                let Some((_, stats)) = battle.enemies.get(enemy) else { return self.won(before, state) };
                state.enemies = vec![self.stats(&state, stats)];
                let stage = if self.stands(&state, 0) { Stage::Duel(enemy) } else { Stage::Next(enemy + 1) };
                state.tasks.push(Task::Fight { battle: Here(battle), stage, before, names });
                Turn::On(state)
            }
            Stage::Duel(_) => {
                state.enemy = Some(0);
                state.event = before.event;
                state.names.truncate(names);
                let here = Task::Fight { battle: Here(battle), stage, before, names };
                // Somebody may be brought down before the round.
                state.tasks.push(here);
                state.tasks.push(Task::PartOf { battle: Here(battle), enemy: 0, picked: true, other: false });
                state.tasks.push(Task::Actions(At::InFight));
                Turn::On(state)
            }
            Stage::Melee => {
                state.event = before.event;
                state.names.truncate(names);
                let Some(first) = self.first(&state) else { return self.won(before, state) };
                state.enemy = Some(first);
                state.tasks.push(Task::Fight { battle: Here(battle), stage: Stage::Melee, before, names });
                state.tasks.push(Task::PartOf { battle: Here(battle), enemy: first, picked: true, other: false });
                state.tasks.push(Task::Part { before: state.before(), over: false });
                state.tasks.push(Task::Actions(At::InFight));
                Turn::On(state)
            }
        }
    }

    /// What the player is asked before a round, and what follows in it.
    fn before_round(&self, battle: &'b Battle, state: &State<'b>) -> Turn<'b> {
        let order = self.order(battle);
        let end = |state: &mut State<'b>| {
            state.tasks.push(Task::First(Here(battle), First::EndOfRound));
            state.tasks.push(Task::First(Here(battle), First::Allies));
        };
        let part = |enemy, other| Task::PartOf { battle: Here(battle), enemy, picked: false, other };
        let mut answers = Vec::new();
        let mut answer = |label: String, state| answers.push(Answer { label, section: None, state });
        match order {
            Order::OneByOne => {
                let mut own = state.clone();
                end(&mut own);
                own.block(&self.system.fights.round, false);
                own.block(&battle.before_round, false);
                answer("fight on".into(), own);
            }
            Order::AllAtOnce => {
                let mut own = state.clone();
                end(&mut own);
                own.tasks.extend((0..battle.enemies.len()).rev().map(|enemy| part(enemy, false)));
                own.tasks.push(Task::First(Here(battle), First::BeforeRound));
                answer("fight on".into(), own);
            }
            Order::PlayerPicks => {
                for (enemy, (name, _)) in battle.enemies.iter().enumerate() {
                    if !self.stands(state, enemy) {
                        continue;
                    }
                    let mut own = state.clone();
                    end(&mut own);
                    let others = (0..battle.enemies.len()).rev().filter(|other| *other != enemy);
                    own.tasks.extend(others.map(|other| part(other, true)));
                    own.tasks.push(part(enemy, false));
                    let same = battle.enemies.iter().filter(|other| other.0 == *name).count();
                    let number = if same > 1 { format!(" ({})", enemy + 1) } else { String::new() };
                    answer(format!("fight {name}{number}"), own);
                }
            }
        }
        if let Some((when, body)) = &battle.escape
            && self.holds(state, when)
        {
            let mut own = state.clone();
            while let Some(task) = own.tasks.pop() {
                if let Task::Fight { before, .. } = task {
                    own.tasks.push(Task::Escaped(before));
                    break;
                }
            }
            own.block(body, false);
            own.block(&self.system.fights.on_escape, false);
            answer("escape".into(), own);
        }
        self.ask(answers, state)
    }

    /// Something happens in a round: first what this fight says of it, then what the system does.
    pub fn event(&self, event: usize, arguments: &'b [(LocalId, Number)], mut state: State<'b>) -> Turn<'b> {
        let Some(battle) = state.fight() else { return Turn::Lost };
        let before = state.before();
        state.tasks.push(Task::Back(before));
        self.bind(arguments, &mut state);
        state.event = Some(event);
        state.block(&self.system.fights.events[event].body, false);
        for (_, body) in battle.handlers.iter().filter(|(own, _)| *own == event).rev() {
            state.block(body, false);
        }
        Turn::On(state)
    }

    /// The fight is won.
    fn won(&self, before: Before, mut state: State<'b>) -> Turn<'b> {
        state.enemies.clear();
        state.wielded = None;
        state.go_back(before);
        state.tasks.push(Task::Actions(At::AfterFight));
        state.block(&self.system.after_fight, false);
        Turn::On(state)
    }

    fn order(&self, battle: &Battle) -> Order {
        battle.order.unwrap_or(self.system.fights.order)
    }

    fn stats(&self, state: &State<'b>, stats: &[Number]) -> Vec<i64> {
        let own = self.system.enemy_stats.iter().zip(stats);
        own.map(|(stat, number)| self.number(state, number).clamp(stat.least.into(), stat.most.into())).collect()
    }

    fn stands(&self, state: &State<'b>, enemy: usize) -> bool {
        self.system.enemy_stats.iter().zip(&state.enemies[enemy]).all(|(stat, number)| !stat.vital || *number > 0)
    }

    /// The first enemy who still stands.
    fn first(&self, state: &State<'b>) -> Option<usize> {
        (0..state.enemies.len()).find(|enemy| self.stands(state, *enemy))
    }

    /// The bounds of a name, if the author gives some.
    pub fn bounds(&self, local: LocalId) -> Option<(i32, i32)> {
        let own = &self.system.locals[local];
        own.changed.filter(|_| own.is_bounded)
    }
}
