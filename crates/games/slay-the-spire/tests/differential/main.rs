//! The rules of a fight a second time, written naively: lists of cards, a queue of actions as the game has it, no search,
//! nothing packed, nothing shared with the first. Random fights are played in both, and every transition is compared.

mod cards;
mod dice;
mod fight;
mod monsters;
mod queue;
mod random;
mod told;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use dice::{Chance, Dice, every};
use fight::{Fight, Id};
use random::Begun;
use slay_the_spire::{Action, Change, Outcomes, Rules, State};
use told::{Told, card, ours, theirs};

/// No target, no choice.
const NONE: u8 = u8::MAX;
/// So many ways in which chance can have it are all compared, with how likely they are; of more, one by the dice.
const WAYS: usize = 60;
/// Longer fights are broken off.
const TURNS: usize = 15;

/// Both implementations, side by side.
struct Both {
    rules: Rules,
    state: State,
    fight: Fight,
    /// What the player had when the turn began.
    health: i16,
    exhumes: bool,
    /// It is not known any more which of the solver's positions is meant.
    unclear: bool,
    compared: usize,
    log: Vec<String>,
}

impl Both {
    fn new(begun: Begun) -> Self {
        let Begun { rules, state, fight, health, exhumes, told } = begun;
        let mut both = Self { rules, state, fight, health, exhumes, unclear: false, compared: 0, log: vec![told] };
        both.settle();
        let (theirs, ours) = (both.theirs(&both.state, false), ours(&both.fight, false, exhumes));
        assert_eq!(theirs, ours, "at the start of {:#?}", both.log);
        both
    }

    fn theirs(&self, state: &State, within: bool) -> Told {
        theirs(&self.rules, state, self.health, within)
    }

    /// Health as a number.
    fn settle(&mut self) {
        self.health = self.state.health.after(self.health).unwrap_or(0);
        self.state.health = Change::none(999);
    }

    fn is_over(&self) -> bool {
        self.unclear || self.fight.dead || self.fight.won()
    }

    /// Both go on: what can come must be the same, with the same chances, and one of it does.
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
        // Most are told apart by the hand.
        let hand = self.rules.pile(&next.hand.iter().map(|card| card.told().parse().unwrap()).collect::<Vec<_>>());
        let is_own =
            |state: &State| (next.dead || next.won() || state.hand == hand) && self.theirs(state, within) == own;
        let found: Vec<&State> = outcomes.iter().map(|(_, state)| state).filter(|state| is_own(state)).collect();
        let Some(state) = found.first() else {
            let first = outcomes.first().map(|(_, state)| self.theirs(state, within));
            panic!("{:#?}\nnone of the solver's is {own:#?}, but {first:#?}", self.log);
        };
        // Of two that look the same one died: which of them will tell by what the other does next.
        self.unclear |= found.iter().any(|other| other.enemies != state.enemies);
        (self.fight, self.state) = (next, **state);
    }

    /// What can be done is the same in both.
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
                right.extend(targets(card.is('t')).into_iter().map(|target| (card.told(), target)));
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

    /// The cards that can be chosen for this play are those for which it asks.
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

    /// One thing that the player can do.
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
            self.settle();
        }
    }
}

/// Plays fights until so many transitions are compared.
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
