//! What is carried and wielded.

use dashu_int::UBig;
use gamebook::{Battle, Number, Taken, Variable, VariableKind};

use super::question::Answer;
use super::rules::{Rules, Turn};
use super::task::{Here, Stage, State, Task};

impl<'b> Rules<'b> {
    /// The items that a choice is about: each that he has of those with some of a number, or none.
    pub fn about(&self, state: &State<'b>, with: Option<usize>) -> Vec<Option<usize>> {
        let Some(stat) = with else { return vec![None] };
        let items = self.system.variables.iter().zip(&state.variables).enumerate();
        items
            .filter(|(_, (own, count))| own.kind != VariableKind::Circle && own.traits.stat(stat) != 0 && **count > 0)
            .map(|(item, _)| Some(item))
            .collect()
    }

    /// A label with the name of its item.
    pub fn named(&self, label: &str, item: Option<usize>) -> String {
        item.map_or_else(|| label.into(), |item| label.replace("{item}", &self.system.variables[item].name))
    }

    /// So many of a thing are had from now on, with what it raises and holds.
    pub fn hold(&self, thing: usize, count: i64, state: &mut State<'b>) {
        let own = &self.system.variables[thing];
        let before = state.variables[thing];
        let count = count.clamp(own.least.into(), own.most.into());
        if own.kind == VariableKind::Item && (before > 0) != (count > 0) {
            for (place, stat) in self.system.item_stats.iter().enumerate() {
                let points = i64::from(own.traits.stat(place));
                let Some((stat, initial)) = stat.raises.and_then(|of| Some((of, self.system.variables[of].initial?)))
                else {
                    continue;
                };
                let gained = if count > 0 { points } else { 0 };
                let lost = points - gained;
                let most = &self.system.variables[initial];
                state.variables[initial] =
                    (state.variables[initial] + gained - lost).clamp(most.least.into(), most.most.into());
                let range = &self.system.variables[stat];
                let now = (state.variables[stat] + gained).min(state.variables[initial]);
                let now = now.clamp(range.least.into(), range.most.into());
                if range.vital && !state.dying && state.variables[stat] > 0 && now <= 0 {
                    state.tasks.push(Task::UsedUp);
                }
                state.variables[stat] = now;
            }
        }
        state.variables[thing] = count;
        for (container, _) in self.system.containers.iter().enumerate().filter(|(_, own)| own.itself == Some(thing)) {
            for other in 0..self.system.variables.len() {
                if count == 0 && self.system.variables[other].container == Some(container) {
                    self.hold(other, 0, state);
                }
            }
        }
    }

    /// Raises the stats of a hero who sets out by the things that he carries, except those with a given initial value.
    pub fn raise(&self, variables: &mut [i64], given: &[(usize, i32)]) {
        for item in 0..variables.len() {
            for (place, stat) in self.system.item_stats.iter().enumerate() {
                let Some(stat) = stat.raises.filter(|_| variables[item] > 0) else { continue };
                let initial = self.system.variables[stat].initial;
                if given.iter().any(|(own, _)| Some(*own) == initial) {
                    continue;
                }
                for raised in [Some(stat), initial].into_iter().flatten() {
                    let more = variables[raised] + i64::from(self.system.variables[item].traits.stat(place));
                    variables[raised] = more.min(self.system.variables[raised].most.into());
                }
            }
        }
    }

    /// Things for which there may be no room, one by one.
    pub fn gain(&self, item: usize, left: i64, counts: bool, mut state: State<'b>) -> Turn<'b> {
        if left <= 0 {
            return Turn::On(state);
        }
        state.tasks.push(Task::Gain { item, left: left - 1, counts });
        let own = &self.system.variables[item];
        let Some(container) = own.container else { return Turn::On(state) };
        let inside: Vec<usize> = (0..self.system.variables.len())
            .filter(|other| self.system.variables[*other].container == Some(container))
            .collect();
        let places = i64::from(own.traits.places());
        let has_room = self.room(&state, container) >= places;
        let more = |mut state: State<'b>| {
            let now = state.variables[item] + 1;
            self.hold(item, now, &mut state);
            if counts {
                state.tasks.pop();
                one_less(&mut state);
                state.tasks.push(Task::Gain { item, left: left - 1, counts });
            }
            state
        };
        let mut answers = Vec::new();
        let answer = |label: String, state| Answer { label, section: None, state };
        if has_room && state.variables[item] < i64::from(own.most) {
            answers.push(answer(format!("take {}", own.name), more(state.clone())));
        }
        for other in inside.into_iter().filter(|other| state.variables[*other] > 0) {
            let mut dropped = state.clone();
            // Who drops something is asked again.
            dropped.tasks.pop();
            dropped.tasks.push(Task::Gain { item, left, counts });
            self.hold(other, state.variables[other] - 1, &mut dropped);
            answers.push(answer(format!("drop {}", self.system.variables[other].name), dropped));
        }
        answers.push(answer(format!("leave {}", own.name), state.clone()));
        self.ask(answers, &state)
    }

    pub fn take(&self, lines: &'b [(usize, Number)], at: usize, left: Option<u8>, mut state: State<'b>) -> Turn<'b> {
        let units = |line: &(usize, Number)| match (self.system.variables[line.0].container, &line.1) {
            (Some(_), Number::Constant(units)) if left.is_some() => usize::try_from(*units).expect("small"),
            _ => 1,
        };
        let mut first = 0;
        let line = lines.iter().find(|line| {
            first += units(line);
            at < first
        });
        let Some((thing, count)) = line.filter(|_| left != Some(0)) else { return Turn::On(state) };
        state.tasks.push(Task::Take { lines: Here(lines), at: at + 1, left });
        let own = &self.system.variables[*thing];
        let count = self.number(&state, count);
        if own.container.is_some() {
            let (count, counts) = if left.is_some() { (1, true) } else { (count, false) };
            state.tasks.push(Task::Gain { item: *thing, left: count, counts });
            return Turn::On(state);
        }
        let mut taken = state.clone();
        one_less(&mut taken);
        self.hold(*thing, state.variables[*thing] + count, &mut taken);
        let answer = |label: String, state| Answer { label, section: None, state };
        let answers =
            vec![answer(format!("take {}", own.name), taken), answer(format!("leave {}", own.name), state.clone())];
        self.ask(answers, &state)
    }

    /// What is taken.
    pub fn taken(&self, taken: &Taken) -> Vec<usize> {
        let variables = self.system.variables.iter().enumerate();
        variables.filter(|(place, own)| taken.takes(*place, own)).map(|(place, _)| place).collect()
    }

    /// Things are given up, one by one.
    pub fn give_up(&self, from: &'b Taken, left: u8, by_chance: bool, mut state: State<'b>) -> Turn<'b> {
        let had: Vec<usize> = self.taken(from).into_iter().filter(|own| state.variables[*own] > 0).collect();
        if left == 0 || had.is_empty() {
            return Turn::On(state);
        }
        state.tasks.push(Task::GiveUp { from: Here(from), left: left - 1, by_chance });
        let without = |own: usize| {
            let mut without = state.clone();
            self.hold(own, state.variables[own] - 1, &mut without);
            without
        };
        if by_chance {
            let ways = |own: usize| UBig::try_from(state.variables[own]).expect("some");
            return Turn::Chance(had.into_iter().map(|own| (ways(own), without(own))).collect());
        }
        let label = |own: usize| format!("give up {}", self.system.variables[own].name);
        let answers = had.into_iter().map(|own| Answer { label: label(own), section: None, state: without(own) });
        self.ask(answers.collect(), &state)
    }

    /// The player chooses what he wields.
    pub fn wields(&self, state: State<'b>) -> Turn<'b> {
        let Some(wield) = &self.system.fights.wield else { return Turn::On(state) };
        let bare = State { wielded: None, ..state };
        let items = self.about(&bare, Some(wield.stat));
        if items.is_empty() || !self.holds(&bare, &wield.when) {
            return Turn::On(bare);
        }
        let answer = |item: Option<usize>| Answer {
            label: self.named("fight with {item}", item),
            section: None,
            state: State { wielded: item, ..bare.clone() },
        };
        self.ask(items.into_iter().map(answer).collect(), &bare)
    }

    /// Where the hero, who has nothing vital left, is beaten in a fight that leaves him something: whether he goes on.
    pub fn is_beaten(&self, state: &mut State<'b>) -> Option<bool> {
        let on = |task: &Task<'b>| match task {
            Task::Fight { battle: Here(battle), stage, .. } if *stage != Stage::Begins => Some(*battle),
            _ => None,
        };
        let Some(Battle { defeat: Some((leaves, body)), .. }) = state.tasks.iter().rev().find_map(on) else {
            return None;
        };
        while let Some(task) = state.tasks.pop() {
            if let Task::Fight { before, .. } = task {
                state.go_back(before);
                break;
            }
        }
        for (own, variable) in self.system.variables.iter().enumerate().filter(|(_, own)| own.vital) {
            if state.variables[own] <= 0 {
                state.variables[own] += self.number(state, leaves).max(1);
            }
            let most = variable.initial.map_or(i64::MAX, |initial| state.variables[initial]);
            state.variables[own] = state.variables[own].min(most).min(variable.most.into());
        }
        let is_used_up = |(own, variable): (usize, &Variable)| variable.vital && state.variables[own] <= 0;
        if self.system.variables.iter().enumerate().any(is_used_up) {
            return Some(false);
        }
        state.block(body, false);
        Some(true)
    }
}

/// One thing less may be taken.
fn one_less(state: &mut State<'_>) {
    if let Some(Task::Take { left: Some(left), .. }) = state.tasks.last_mut() {
        *left -= 1;
    }
}
