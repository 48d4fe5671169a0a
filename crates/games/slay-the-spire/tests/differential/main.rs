//! A second, naive implementation of the rules of a fight: lists of cards, a queue of actions as in the game, no
//! search, nothing packed, nothing shared with the first. Random fights are played in both, and every transition is
//! compared.

mod cards;
mod description;
mod dice;
mod fight;
mod monsters;
mod queue;
mod random;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use description::{Description, card, ours, theirs};
use dice::{Chance, Dice, every};
use fight::{Fight, Id};
use random::Begun;
use slay_the_spire::{Action, Change, Outcomes, Rules, State};

/// No target, no choice.
const NONE: u8 = u8::MAX;
/// Up to this many random outcomes are all compared, with their probabilities; of more, one by the dice.
const WAYS: usize = 60;
/// Longer fights are cut off.
const TURNS: usize = 15;

/// Both implementations, in parallel.
struct Both {
    rules: Rules,
    state: State,
    fight: Fight,
    /// The player's health at the beginning of the turn.
    health: i16,
    exhumes: bool,
    /// Whether it is no longer known which of the solver's positions corresponds.
    unclear: bool,
    compared: usize,
    log: Vec<String>,
}

impl Both {
    fn new(begun: Begun) -> Self {
        let Begun { rules, state, fight, health, exhumes, text } = begun;
        let mut both = Self { rules, state, fight, health, exhumes, unclear: false, compared: 0, log: vec![text] };
        both.apply_changes();
        let (theirs, ours) = (both.theirs(&both.state, false), ours(&both.fight, false, exhumes));
        assert_eq!(theirs, ours, "at the start of {:#?}", both.log);
        both
    }

    fn theirs(&self, state: &State, within: bool) -> Description {
        theirs(&self.rules, state, self.health, within)
    }

    /// Applies the change of the health.
    fn apply_changes(&mut self) {
        self.health = self.state.health.after(self.health).unwrap_or(0);
        self.state.health = Change::none(999);
    }

    fn is_over(&self) -> bool {
        self.unclear || self.fight.dead || self.fight.won()
    }

    /// Both continue: their possible outcomes must be equal, with equal probabilities, and one of them is taken.
    fn go_on(
        &mut self,
        what: &str,
        within: bool,
        dice: &mut Dice,
        outcomes: &Outcomes,
        happens: impl Fn(&mut Fight, &mut Chance<'_>),
    ) {
        self.compared += 1;
        self.log.push(what.to_owned());
        let run = |chance: &mut Chance<'_>| {
            let mut next = self.fight.clone();
            happens(&mut next, chance);
            next
        };
        let all = if outcomes.len() > WAYS { None } else { every(WAYS, run) };
        let next = match all {
            Some(mut ways) => {
                let (mut left, mut right) = (BTreeMap::new(), BTreeMap::new());
                for (chance, state) in outcomes {
                    *left.entry(self.theirs(state, within)).or_insert(0.0) += chance.as_f64();
                }
                for (likelihood, next) in &ways {
                    *right.entry(ours(next, within, self.exhumes)).or_insert(0.0) += likelihood;
                }
                let same = left.len() == right.len()
                    && left.iter().zip(&right).all(|(one, other)| one.0 == other.0 && (one.1 - other.1).abs() < 1e-9);
                let before = ours(&self.fight, true, self.exhumes);
                assert!(same, "{:#?}\n{before:?}\nsolver: {left:#?}\nnaive: {right:#?}", self.log);
                ways.swap_remove(dice.roll(ways.len())).1
            }
            None => run(&mut Chance::by(dice)),
        };
        let own = ours(&next, within, self.exhumes);
        // Most are distinguished by the hand.
        let hand = self.rules.pile(&next.hand.iter().map(|card| card.text().parse().unwrap()).collect::<Vec<_>>());
        let is_own =
            |state: &State| (next.dead || next.won() || state.hand == hand) && self.theirs(state, within) == own;
        let found: Vec<&State> = outcomes.iter().map(|(_, state)| state).filter(|state| is_own(state)).collect();
        let Some(state) = found.first() else {
            let first = outcomes.first().map(|(_, state)| self.theirs(state, within));
            panic!("{:#?}\nnone of the solver's is {own:#?}, but {first:#?}", self.log);
        };
        // One of two that look the same died: only their later actions will show which one.
        self.unclear |= found.iter().any(|other| other.enemies != state.enemies);
        (self.fight, self.state) = (next, **state);
    }

    /// The possible actions are the same in both.
    fn compare_actions(&self, actions: &[Action]) {
        let mut left = BTreeSet::new();
        for action in actions {
            match action {
                Action::Play { slot, target, .. } => drop(left.insert((self.rules.card(*slot).to_string(), *target))),
                Action::Use { potion, target } => {
                    left.insert((self.rules.potions[usize::from(*potion)].to_string(), *target));
                }
                Action::Choose { .. } | Action::EndTurn => {}
            }
        }
        let mut right = BTreeSet::new();
        let alive = u8::try_from(self.fight.alive().len()).unwrap();
        let targets = |targeted: bool| if targeted { (0..alive).collect() } else { vec![NONE] };
        for card in self.fight.hand.iter().filter(|card| self.fight.allowed(card)) {
            if card.cost(&self.fight).is_some_and(|cost| cost <= self.fight.energy) {
                right.extend(targets(card.is('t')).into_iter().map(|target| (card.text(), target)));
            }
        }
        for (_, name) in &self.fight.potions {
            let targeted = ["fire", "fear", "weak"].contains(&name.as_str());
            right.extend(targets(targeted).into_iter().map(|target| (name.clone(), target)));
        }
        if self.fight.asked.is_none() {
            assert_eq!(left, right, "{:#?}", self.log);
        }
    }

    /// The cards that can be chosen for this play are the ones that it asks for.
    fn compare_choices(&self, actions: &[Action], slot: u8, target: u8) {
        let mut left = BTreeSet::new();
        for action in actions {
            if let Action::Play { slot: own, target: at, choice } = action
                && (*own, *at) == (slot, target)
                && *choice != NONE
            {
                left.insert(card(self.rules.card(*choice)));
            }
        }
        if !left.is_empty() {
            let mut asking = self.fight.clone();
            let played = card(self.rules.card(slot));
            asking.play(&played, self.target(target), None, &mut Chance::by(&mut Dice(1)));
            let ended = asking.won() || asking.dead;
            assert!(ended || asking.asked.map(BTreeSet::from_iter) == Some(left), "{played:?}\n{:#?}", self.log);
        }
    }

    fn target(&self, place: u8) -> Option<Id> {
        self.fight.alive().get(usize::from(place)).copied()
    }

    /// A random action of the player.
    fn act(&mut self, dice: &mut Dice) -> Action {
        let mut actions = Vec::new();
        self.rules.actions(&self.state, &mut actions);
        self.compare_actions(&actions);
        let last = actions.len() - 1;
        let ends = dice.roll(9) == 0 && actions[last] == Action::EndTurn;
        let action = if ends || last == 0 { actions[last] } else { actions[dice.roll(last)] };
        if let Action::Play { slot, target, .. } = action {
            self.compare_choices(&actions, slot, target);
        }
        let what = match action {
            Action::Play { slot, target, choice } => {
                let chosen = if choice == NONE { String::new() } else { self.rules.card(choice).to_string() };
                format!("{} at {target} ({chosen})", self.rules.card(slot))
            }
            Action::Choose { slot } => format!("choose {}", self.rules.card(slot)),
            Action::Use { potion, .. } => format!("use {}", self.rules.potions[usize::from(potion)]),
            Action::EndTurn => "end the turn".into(),
        };
        let mut outcomes = Vec::new();
        if action == Action::EndTurn {
            outcomes = self.rules.end_turn(&self.state);
        } else {
            self.rules.act(&self.state, action, &mut outcomes);
        }
        let named = |slot: u8| card(self.rules.card(slot));
        match action {
            Action::Play { slot, target, choice } => {
                let (played, target) = (named(slot), self.target(target));
                let choice = (choice != NONE).then(|| named(choice));
                self.go_on(&what, true, dice, &outcomes, |fight, chance| {
                    fight.play(&played, target, choice.clone(), chance);
                });
            }
            Action::Choose { slot } => {
                let chosen = named(slot);
                self.go_on(&what, true, dice, &outcomes, |fight, chance| fight.choose(&chosen, chance));
            }
            Action::Use { potion, target } => {
                let target = self.target(target);
                self.go_on(&what, true, dice, &outcomes, |fight, chance| fight.drink(potion.into(), target, chance));
            }
            Action::EndTurn => self.go_on(&what, false, dice, &outcomes, Fight::end_turn),
        }
        action
    }

    /// A whole fight.
    fn play(&mut self, dice: &mut Dice) {
        for _ in 0..TURNS {
            let rolled = self.rules.roll(&self.state);
            self.go_on("roll", true, dice, &rolled, Fight::roll);
            if self.is_over() {
                return;
            }
            let begun = self.rules.start_turn(&self.state);
            self.go_on("draw", true, dice, &begun, Fight::start_turn);
            while !self.is_over() {
                if self.act(dice) == Action::EndTurn {
                    break;
                }
            }
            if self.is_over() {
                return;
            }
            self.apply_changes();
        }
    }
}

/// Plays fights until this many transitions have been compared.
fn compare(transitions: usize, seed: u64) {
    let mut dice = Dice(seed);
    let (mut compared, mut fights) = (0, 0);
    while compared < transitions {
        let Some(begun) = random::begin(&mut dice) else { continue };
        let mut both = Both::new(begun);
        both.play(&mut dice);
        compared += both.compared;
        fights += 1;
    }
    println!("{compared} transitions of {fights} fights");
}

#[test]
fn some_fights() {
    compare(4_000, 1);
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_fights() {
    compare(100_000, 2);
}

#[test]
#[ignore = "takes minutes: a million transitions"]
fn full_count_of_fights() {
    compare(1_000_000, 3);
}
