//! A fight walked through step by step: the possible outcomes and plays.

use std::fmt;
use std::str::FromStr;

use mdp::{Dice, Rational, nearest};

use super::advise::{mix_of, named};
use super::log::{changes_text, draw, enemies, intentions, pile};
use super::named::Named;
use crate::numbers::chance::Chance;
use crate::request::encounters::Encounters;
use crate::rules::action::Action;
use crate::rules::setup::{Foe, Hero};
use crate::rules::state::{Change, State};
use crate::rules::{Rules, RulesError};
use crate::search::Search;
use crate::search::induced_chain::Ending;
use crate::search::payoff::{Objective, Payoff};
use crate::search::root::{Mix, Root};

/// A step of a walk, written `p3` (the third possible play) or `o12` (the twelfth possible outcome).
///
/// ```
/// use slay_the_spire::FightStep;
///
/// assert_eq!("p3".parse(), Ok(FightStep::Play(2)));
/// assert_eq!(FightStep::Came(11).to_string(), "o12");
/// assert!("p0".parse::<FightStep>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightStep {
    /// A play of the player, counted from 0.
    Play(usize),
    /// An outcome of chance, counted from 0.
    Came(usize),
}

impl fmt::Display for FightStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(place) => write!(f, "p{}", place + 1),
            Self::Came(place) => write!(f, "o{}", place + 1),
        }
    }
}

impl FromStr for FightStep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let from_one = |rest: &str| rest.parse::<usize>().ok().filter(|_| !rest.starts_with('+'))?.checked_sub(1);
        let step = match (text.strip_prefix('p'), text.strip_prefix('o')) {
            (Some(rest), _) => from_one(rest).map(Self::Play),
            (_, Some(rest)) => from_one(rest).map(Self::Came),
            _ => None,
        };
        let shown: String = text.chars().take(40).collect();
        step.ok_or_else(|| format!("{shown:?} is no step: p3 is the third play, o12 the twelfth that chance can bring"))
    }
}

/// What a walk is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightPhase {
    /// The player's play.
    Play,
    /// Chance.
    Chance,
    /// Nothing: the fight is won.
    Won,
    /// Nothing: the player is dead.
    Dead,
}

/// The event that is left to chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// The enemies' healths.
    Begun,
    /// The enemies' next moves.
    Rolled,
    /// The hand.
    Drawn,
    /// The outcome of a play.
    Played,
    /// The outcome of the enemies' turn.
    Ended,
}

#[derive(Clone)]
enum At {
    /// One of these groups will be met.
    Meeting,
    /// The player is to act.
    Play(State),
    /// Chance is to decide; `before` is the position before that.
    Chance { asks: Asks, before: State, outcomes: Vec<(Chance, State)> },
    /// Over, with this health and these potions: 0 for death.
    Over(Ending),
}

/// A walk through a fight.
#[derive(Clone)]
pub struct FightWalk<'a> {
    pub(super) hero: &'a Hero,
    pub(super) encounters: &'a Encounters,
    pub(super) objective: Objective,
    /// The rules of the fight, once the group is known.
    pub(super) rules: Option<&'a Rules>,
    pub(super) foes: &'a [Foe],
    /// The health at the start of the turn.
    pub(super) health: i16,
    turn: u32,
    at: At,
}

/// The current position of a walk, for display.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// The rules of the fight.
    pub rules: &'a Rules,
    /// The position, without its health.
    pub state: &'a State,
    /// The health now.
    pub health: i16,
    /// The turn, counted from 1; 0 before the first.
    pub turn: u32,
}

/// Why a step is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkError {
    /// It is not the player's turn to act.
    NoPlay,
    /// Nothing is left to chance now.
    NoChance,
    /// There are only this many.
    NoSuch(usize),
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlay => f.write_str("nothing can be played now"),
            Self::NoChance => f.write_str("nothing is left to chance now"),
            Self::NoSuch(0) => f.write_str("there is nothing to choose from"),
            Self::NoSuch(most) => write!(f, "there are 1 to {most}"),
        }
    }
}

impl std::error::Error for WalkError {}

impl<'a> FightWalk<'a> {
    /// A walk of this player against one of these groups; `rules` are those of each group.
    ///
    /// # Errors
    /// When the objective does not suit such fights; a walk is for players who can die.
    pub fn new(
        hero: &'a Hero,
        encounters: &'a Encounters,
        rules: &'a [Rules],
        health: i16,
        objective: Objective,
    ) -> Result<Self, RulesError> {
        if objective == Objective::Loss {
            let why = "in a fight that is played the player can die: ask for health or survival";
            return Err(RulesError::Other(why.into()));
        }
        let mut walk = Self { hero, encounters, objective, rules: None, foes: &[], health, turn: 0, at: At::Meeting };
        if let ([(_, foes)], [rules]) = (&encounters[..], rules) {
            walk.meet(foes, rules);
        }
        Ok(walk)
    }

    /// The group is known now.
    fn meet(&mut self, foes: &'a [Foe], rules: &'a Rules) {
        (self.rules, self.foes) = (Some(rules), foes);
        let starts = self.hero.starts(rules, foes);
        let before = starts.first().map_or_else(|| rules.start(&[], &[]), |(_, state)| *state);
        self.leave(Asks::Begun, &before, starts);
    }

    /// Leaves something to chance; a single possible outcome is taken at once.
    fn leave(&mut self, asks: Asks, before: &State, outcomes: Vec<(Chance, State)>) {
        if let [(_, only)] = outcomes[..] {
            return self.came(asks, only);
        }
        self.at = At::Chance { asks, before: *before, outcomes };
    }

    /// Continues after an outcome of chance.
    fn came(&mut self, asks: Asks, mut state: State) {
        let Some(rules) = self.rules else { return };
        match asks {
            Asks::Begun | Asks::Ended => {
                // Healing at the start of a fight does not kill.
                let left = state.health.after(self.health);
                let left = if asks == Asks::Begun { left.or(Some(self.health)) } else { left };
                let Some(left) = left else { return self.dead() };
                self.health = left;
                if state.is_over() {
                    return self.won(&state);
                }
                state.health = Change::none(rules.most_health());
                self.leave(Asks::Rolled, &state, rules.roll(&state));
            }
            Asks::Rolled => self.leave(Asks::Drawn, &state, rules.start_turn(&state)),
            Asks::Drawn => {
                self.turn += 1;
                self.stand(&state);
            }
            Asks::Played => self.stand(&state),
        }
    }

    /// It is the player's turn, unless the fight is over.
    fn stand(&mut self, state: &State) {
        match state.health.after(self.health) {
            None => self.dead(),
            Some(left) if state.is_over() => {
                self.health = left;
                self.won(state);
            }
            Some(_) => self.at = At::Play(*state),
        }
    }

    fn dead(&mut self) {
        self.health = 0;
        self.at = At::Over(Ending::DEAD);
    }

    fn won(&mut self, state: &State) {
        let spoils = state.spoils();
        let end =
            self.payoff().map_or(Ending { health: self.health, spoils }, |payoff| payoff.ending(self.health, spoils));
        self.health = end.health;
        self.at = At::Over(end);
    }

    fn payoff(&self) -> Option<Payoff> {
        self.rules.and_then(|rules| Payoff::new(self.objective, rules).ok())
    }

    /// What the walk is waiting for.
    pub fn phase(&self) -> FightPhase {
        match &self.at {
            At::Meeting | At::Chance { .. } => FightPhase::Chance,
            At::Play(_) => FightPhase::Play,
            At::Over(end) if end.health > 0 => FightPhase::Won,
            At::Over(_) => FightPhase::Dead,
        }
    }

    /// The current health; after a won fight, including the healing at its end.
    pub fn health(&self) -> i16 {
        match &self.at {
            At::Play(state) => state.health.after(self.health).unwrap_or(0),
            At::Chance { asks: Asks::Played, before, .. } => before.health.after(self.health).unwrap_or(0),
            _ => self.health,
        }
    }

    /// The turn, counted from 1; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The position, once the enemies are known and while the fight goes on.
    pub fn standing(&self) -> Option<Standing<'_>> {
        let state = match &self.at {
            At::Play(state) => state,
            At::Chance { asks, before, .. } if *asks != Asks::Begun => before,
            _ => return None,
        };
        let rules = self.rules?;
        Some(Standing { rules, state, health: self.health(), turn: self.turn })
    }

    /// Everything that the player can do now.
    pub fn plays(&self) -> Vec<Named> {
        let (At::Play(state), Some(rules)) = (&self.at, self.rules) else { return Vec::new() };
        actions(rules, state).into_iter().map(|action| named(rules, action)).collect()
    }

    /// The event that is left to chance now, as text; empty if there is none.
    pub fn asks(&self) -> &'static str {
        match &self.at {
            At::Meeting => "Who is met?",
            At::Chance { asks: Asks::Begun, .. } => "How do the enemies begin?",
            At::Chance { asks: Asks::Rolled, .. } => "What do the enemies intend?",
            At::Chance { asks: Asks::Drawn, .. } => "What is drawn?",
            At::Chance { asks: Asks::Played, .. } => "What does the play bring?",
            At::Chance { .. } => "What does the enemies' turn bring?",
            _ => "",
        }
    }

    /// The probabilities of the possible outcomes; empty if nothing is left to chance.
    pub fn outcomes(&self) -> Vec<f64> {
        match &self.at {
            At::Meeting => self.encounters.iter().map(|(share, _)| nearest(share)).collect(),
            At::Chance { outcomes, .. } => outcomes.iter().map(|(chance, _)| chance.as_f64()).collect(),
            _ => Vec::new(),
        }
    }

    /// An outcome as text.
    pub fn outcome(&self, place: usize) -> String {
        match (&self.at, self.rules) {
            (At::Meeting, _) => self.encounters.get(place).map_or_else(String::new, |(_, foes)| group(foes)),
            (At::Chance { asks, before, outcomes }, Some(rules)) => {
                let Some((_, state)) = outcomes.get(place) else { return String::new() };
                match asks {
                    Asks::Begun => enemies(state),
                    Asks::Rolled => intentions(state).join("; "),
                    Asks::Drawn => pile(rules, &state.hand),
                    Asks::Played | Asks::Ended => {
                        let line = changes_text(rules, before, state);
                        let line = line.trim_start_matches([':', ' ', ',']);
                        if line.is_empty() { enemies(state) } else { line.to_owned() }
                    }
                }
            }
            _ => String::new(),
        }
    }

    /// A random outcome.
    ///
    /// # Errors
    /// When nothing is left to chance.
    ///
    /// # Panics
    /// When a group of enemies has a negative share.
    pub fn roll(&self, dice: &mut Dice) -> Result<FightStep, WalkError> {
        const PARTS: u128 = 1 << 53;
        match &self.at {
            At::Meeting => {
                // Shares that are not multiples of the unit still work as weights.
                let parts = |share: &Rational| u128::try_from((share * Rational::from(PARTS)).floor());
                let chance = |share| Chance::new(parts(share).expect("a share is at least 0"), PARTS);
                let all: Vec<(Chance, ())> = self.encounters.iter().map(|(share, _)| (chance(share), ())).collect();
                Ok(FightStep::Came(draw(&all, dice)))
            }
            At::Chance { outcomes, .. } => Ok(FightStep::Came(draw(outcomes, dice))),
            _ => Err(WalkError::NoChance),
        }
    }

    /// Takes a step, and returns its text; `rules` are those of each group.
    ///
    /// # Errors
    /// When the step is impossible now.
    pub fn take(&mut self, step: FightStep, rules: &'a [Rules]) -> Result<String, WalkError> {
        match (step, &self.at) {
            (FightStep::Came(place), At::Meeting | At::Chance { .. }) => {
                let line = self.outcome(place);
                let most = self.outcomes().len();
                if place >= most {
                    return Err(WalkError::NoSuch(most));
                }
                match self.at.clone() {
                    At::Meeting => self.meet(&self.encounters[place].1, &rules[place]),
                    At::Chance { asks, outcomes, .. } => self.came(asks, outcomes[place].1),
                    _ => {}
                }
                Ok(line)
            }
            (FightStep::Came(_), _) => Err(WalkError::NoChance),
            (FightStep::Play(place), At::Play(state)) => {
                let (Some(rules), state) = (self.rules, *state) else { return Err(WalkError::NoPlay) };
                let actions = actions(rules, &state);
                let action = *actions.get(place).ok_or(WalkError::NoSuch(actions.len()))?;
                let line = named(rules, action).to_string();
                if action == Action::EndTurn {
                    self.leave(Asks::Ended, &state, rules.end_turn(&state));
                } else {
                    let mut outcomes = Vec::new();
                    rules.act(&state, action, &mut outcomes);
                    self.leave(Asks::Played, &state, outcomes);
                }
                Ok(line)
            }
            (FightStep::Play(_), _) => Err(WalkError::NoPlay),
        }
    }

    /// How many turns are over.
    pub(super) fn turns_over(&self) -> u32 {
        match &self.at {
            At::Play(_) | At::Chance { asks: Asks::Played, .. } => self.turn.saturating_sub(1),
            _ => self.turn,
        }
    }

    /// The position, if it is the player's turn.
    pub(super) fn decision(&self) -> Option<&State> {
        if let At::Play(state) = &self.at { Some(state) } else { None }
    }

    /// The possible continuations from here.
    pub(super) fn mix(&self, search: &mut Search<'_, '_>) -> Mix {
        let health = self.health;
        match &self.at {
            At::Meeting => Mix::new(),
            At::Over(end) => vec![(Chance::ONE, Root::End(*end), health)],
            At::Play(state) => vec![(Chance::ONE, Root::Point(search.graph.point(state)), health)],
            At::Chance { asks, before, outcomes } => match asks {
                // The moves are rolled from there.
                Asks::Rolled => vec![(Chance::ONE, Root::After(search.graph.after_node(before)), health)],
                Asks::Begun | Asks::Ended => outcomes
                    .iter()
                    .map(|(chance, state)| {
                        let mut next = Self { at: At::Meeting, ..self.clone() };
                        next.came(*asks, *state);
                        let root = match &next.at {
                            At::Over(end) => Root::End(*end),
                            _ => Root::After(search.graph.after_node(state)),
                        };
                        (*chance, root, next.health)
                    })
                    .collect(),
                Asks::Drawn | Asks::Played => mix_of(search.graph, outcomes.iter().copied(), health),
            },
        }
    }
}

fn actions(rules: &Rules, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    actions
}

/// A group of enemies as text.
fn group(foes: &[Foe]) -> String {
    foes.iter().map(|foe| foe.kind.to_string()).collect::<Vec<_>>().join(", ")
}
