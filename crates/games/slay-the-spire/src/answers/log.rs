//! A log of one fight by best play, with dice.

use std::fmt::Write;

use budget::{Budget, Stopped};
use mdp::{Dice, Distribution, Weight};

use super::advise::{Question, mix_of, named, worths};
use super::fight_error::FightError;
use super::solve::{Exactness, graph_of};
use crate::data::card::Card;
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::setup::{Foe, Hero};
use crate::rules::state::{Change, Enemy, Pile, State};
use crate::search::Search;
use crate::search::payoff::{Objective, Payoff};
use crate::search::root::Mix;

/// Plays one fight by best play against these enemies, with dice, and logs it line by line.
///
/// # Errors
/// When the fight is not modelled, or the budget stops the run.
///
/// ```
/// use slay_the_spire::{Foe, Hero, Objective, play_out};
///
/// let looter = Foe::of("looter".parse()?, 0);
/// let dice = &mut mdp::Dice::new(7, 0);
/// let lines = play_out(&Hero::new(0), &[looter], 80, Objective::Health, dice, &budget::Budget::unlimited()).unwrap();
/// assert!(lines[0].starts_with("80 health against looter"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_out(
    hero: &Hero,
    foes: &[Foe],
    health: i16,
    objective: Objective,
    dice: &mut Dice,
    budget: &Budget<'_>,
) -> Result<Vec<String>, FightError> {
    let rules = hero.rules(foes).map_err(FightError::Rules)?.beginning_with(health);
    let kinds: Vec<_> = foes.iter().map(|foe| foe.kind).collect();
    let payoff = Payoff::new(objective, &rules).map_err(FightError::Rules)?;
    let mut graph = graph_of(&rules, &kinds, &payoff, Exactness::Bounds);
    let potions = rules.all_potions();
    let search = Search::new(&mut graph, payoff, potions);
    let mut player = Player { rules: &rules, search, objective, dice, budget };
    let state = player.pick(&hero.starts(&rules, foes));
    let health = state.health.after(health).unwrap_or(health);
    let lines = vec![format!("{health} health against {}", enemies(&state))];
    player.fight(state, health, lines).map_err(FightError::Stopped)
}

/// The player of a fight, with what he needs.
struct Player<'g, 'a, 'b> {
    rules: &'a Rules,
    search: Search<'g, 'a>,
    objective: Objective,
    dice: &'b mut Dice,
    budget: &'b Budget<'b>,
}

impl Player<'_, '_, '_> {
    fn fight(&mut self, mut state: State, mut health: i16, mut lines: Vec<String>) -> Result<Vec<String>, Stopped> {
        for turn in 1.. {
            state.health = Change::none(self.rules.most_health());
            let rolled = self.pick(&self.rules.roll(&state));
            state = self.pick(&self.rules.start_turn(&rolled));
            lines.push(format!("Turn {turn}: {}", intentions(&state).join("; ")));
            lines.push(format!("  hand: {}", pile(self.rules, &state.hand)));
            while !state.is_over() {
                let (action, outcomes) = self.best(&state, health)?;
                if action == Action::EndTurn {
                    break;
                }
                let next = self.pick(&outcomes);
                lines.push(format!("  {}{}", named(self.rules, action), changes_text(self.rules, &state, &next)));
                state = next;
                if state.health.after(health).is_none() {
                    break;
                }
            }
            if !state.is_over() && state.health.after(health).is_some() {
                state = self.pick(&self.rules.end_turn(&state));
            }
            let Some(left) = state.health.after(health) else {
                lines.push("  dead".into());
                return Ok(lines);
            };
            let lost = health - left;
            health = left;
            if state.is_over() {
                let end = self.search.payoff.ending(health, state.spoils()).health;
                let healed = if end > health { format!(", {end} after healing") } else { String::new() };
                lines.push(format!("  the fight is over: {health} health{healed}"));
                return Ok(lines);
            }
            let text = if lost > 0 { format!("{lost} health lost, {health} left") } else { format!("{health} health") };
            lines.push(format!("  end of turn: {text}"));
        }
        Ok(lines)
    }

    /// The best play of a position, with its outcomes.
    fn best(&mut self, state: &State, health: i16) -> Result<(Action, Vec<(Chance, State)>), Stopped> {
        /// Values that are closer than this differ by rounding only.
        const ROUNDING: f64 = 1e-9;
        let mut actions = Vec::new();
        self.rules.actions(state, &mut actions);
        let health = if self.search.payoff.loss { 0 } else { health };
        let mut plays = Vec::with_capacity(actions.len());
        for action in actions {
            let mut outcomes = vec![(Chance::ONE, State { ended: true, ..*state })];
            if action != Action::EndTurn {
                self.rules.act(state, action, &mut outcomes);
            }
            let mut value = 0.0;
            for (chance, next) in &outcomes {
                let point = self.search.graph.point(next);
                value += chance.as_f64() * self.search.solve_point(point, health, self.budget)?;
            }
            plays.push((value, action, outcomes));
        }
        let most = plays.iter().map(|(value, ..)| *value).fold(f64::NEG_INFINITY, f64::max);
        plays.retain(|(value, ..)| *value >= most - ROUNDING);
        let mut place = 0;
        if plays.len() > 1 {
            // A player who takes any of them could go on for ever.
            let outcomes = plays.iter().map(|(_, _, outcomes)| outcomes.iter().copied());
            let mixes: Vec<Mix> = outcomes.map(|outcomes| mix_of(self.search.graph, outcomes, health)).collect();
            let asked = Question { objective: self.objective, health, exact: Exactness::Bounds };
            let (worths, stopped) = worths(&mut self.search, &mixes, asked, self.budget);
            stopped.map_or(Ok(()), Err)?;
            let turns = worths.iter().map(|worth| worth.turns).enumerate();
            place = turns.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place);
        }
        let (_, action, outcomes) = plays.swap_remove(place);
        Ok((action, outcomes))
    }

    fn pick<T: Clone>(&mut self, outcomes: &[(Chance, T)]) -> T {
        outcomes[draw(outcomes, self.dice)].1.clone()
    }
}

/// A random one of these outcomes.
pub(crate) fn draw<T>(outcomes: &[(Chance, T)], dice: &mut Dice) -> usize {
    let total = outcomes.iter().fold(1, |common: u128, (chance, _)| {
        let (_, of) = chance.fraction();
        common / crate::numbers::chance::greatest_common_divisor(common, of) * of
    });
    let weighted = outcomes.iter().enumerate().map(|(place, (chance, _))| {
        let (ways, of) = chance.fraction();
        (place, Weight(ways * (total / of)))
    });
    let distribution = Distribution::weighted(weighted).expect("chances of at least one outcome");
    *dice.draw(&distribution)
}

pub(crate) fn enemies(state: &State) -> String {
    let all: Vec<String> = state.living().map(|enemy| format!("{} ({})", enemy.kind, enemy.health)).collect();
    all.join(", ")
}

/// The intents of the enemies, as text.
pub(crate) fn intentions(state: &State) -> Vec<String> {
    let intention = |enemy: &Enemy| {
        let name = enemy.intends().unwrap_or("nothing");
        let block = if enemy.block > 0 { format!(", {} block", enemy.block) } else { String::new() };
        format!("{} ({}{block}) intends {name}", enemy.kind, enemy.health)
    };
    state.living().map(intention).collect()
}

pub(crate) fn pile(rules: &Rules, pile: &Pile) -> String {
    let card = |(slot, count): (u8, u8)| {
        let card: Card = rules.card(slot);
        if count > 1 { format!("{count} {card}") } else { card.to_string() }
    };
    let cards: Vec<String> = pile.iter().map(card).collect();
    if cards.is_empty() { "nothing".into() } else { cards.join(", ") }
}

/// The visible changes of a play, as text.
pub(crate) fn changes_text(rules: &Rules, before: &State, after: &State) -> String {
    let mut out = String::new();
    if enemies(before) != enemies(after) && !after.is_over() {
        let _ = write!(out, ": {}", enemies(after));
    }
    if after.player.block > before.player.block {
        let _ = write!(out, ": {} block", after.player.block);
    }
    let mut drawn = Pile::default();
    for (slot, count) in after.hand.iter() {
        drawn.add(slot, count.saturating_sub(before.hand.count(slot)));
    }
    if !drawn.is_empty() {
        let _ = write!(out, ", to the hand: {}", pile(rules, &drawn));
    }
    out
}
