//! Chances in a play: possible outcomes, and their selection by rolls or input.

use dashu_int::UBig;
use lone_wolf::Losses;
use mdp::{Dice, Distribution, Weight};

use super::chance::{Chance, Prospect, Rolled};
use super::{Phase, Play, PlayError};
use crate::machine::{End, Machine};
use crate::program::{Roll, State, Throw, Value};

impl Play<'_> {
    /// How the current pick is made, if known.
    fn made(&self) -> Option<&Roll> {
        self.machine.program.notes.rolls.get(&self.now.state.place())?.as_deref()
    }

    /// The losses of the hero and the enemy in the current round, by the picked number.
    fn losses(&self) -> Option<[Losses; 10]> {
        let state = &self.now.state;
        let program = &self.machine.program;
        let duel = program.notes.duels.get(&state.place())?;
        let points = |value: &Value| u8::try_from(value.number(&program.layout, state)).unwrap_or(u8::MAX);
        let losses = duel.losses.iter().map(|(hero, enemy)| Losses { hero: points(hero), enemy: points(enemy) });
        losses.collect::<Vec<_>>().try_into().ok()
    }

    fn outcomes(&self) -> Vec<(UBig, State)> {
        let mut outcomes = Vec::new();
        self.machine.chances(&self.now.state, &mut outcomes);
        outcomes
    }

    fn prospect(&self, state: &State, probability: f64) -> Prospect {
        let next = self.machine.run(*state, &mut Vec::new());
        let end = Machine::end(&next);
        let what = match end {
            Some(End::Dead(_)) => "death".into(),
            Some(End::Won(_)) => "victory".into(),
            None => self.machine.belongings(&next).since(&self.belongings()).join(", "),
        };
        let section = self.machine.leads_to(state).filter(|_| end.is_none()).map(|section| self.shown_section(section));
        Prospect { what, section, probability, win: self.solved.and_then(|solved| solved.worth(state)) }
    }

    /// The current chance, if there is one.
    pub fn chance(&self) -> Option<Chance> {
        if self.phase() != Phase::Chance {
            return None;
        }
        let outcomes = self.outcomes();
        let each = || outcomes.iter().map(|(_, next)| self.prospect(next, 0.1)).collect();
        if let Some(losses) = self.losses() {
            return Some(Chance::Round { losses, prospects: each() });
        }
        if let Some(roll) = self.made() {
            let one = |number: u8| Some(self.prospect(&outcomes.get(roll.outcome(&[number])?)?.1, 0.1));
            let prospects = if roll.picks() == 1 { (0..10).filter_map(one).collect() } else { Vec::new() };
            return Some(Chance::Numbers { sums: roll.sums.clone(), prospects });
        }
        if let Some(throw) = self.throw() {
            let mut prospects = Vec::new();
            if let [(_, dice)] = &throw.sums[..] {
                let totals = Distribution::weighted(dice.totals().into_iter().map(|(sum, ways)| (sum, Weight(ways))));
                for (total, share) in totals.ok()?.probabilities() {
                    let next = outcomes.get(throw.outcome(&[*total])?)?.1;
                    prospects.push((*total, self.prospect(&next, mdp::nearest(&share))));
                }
            }
            return Some(Chance::Dice { sums: throw.sums.clone(), prospects });
        }
        let outcomes =
            Distribution::weighted(outcomes.into_iter().map(|(weight, next)| (next, Weight(weight)))).ok()?;
        let prospect = |(next, share): (&State, mdp::Rational)| self.prospect(next, mdp::nearest(&share));
        let mut prospects: Vec<Prospect> = outcomes.probabilities().map(prospect).collect();
        for (prospect, unit) in prospects.iter_mut().zip(self.machine.units(&self.now.state).unwrap_or_default()) {
            prospect.what = if prospect.what.is_empty() { unit } else { format!("{unit}: {}", prospect.what) };
        }
        Some(Chance::Outcomes(prospects))
    }

    /// How the current dice are rolled, if known.
    fn throw(&self) -> Option<&Throw> {
        self.machine.program.notes.throws.get(&self.now.state.place())?.as_deref()
    }

    /// How many numbers are picked; 0 for other kinds.
    fn picks(&self) -> usize {
        match self.made() {
            Some(roll) => roll.picks(),
            None => usize::from(self.losses().is_some()),
        }
    }

    /// The most likely outcome; `None` if there is no chance.
    pub(crate) fn likeliest(&self) -> Option<Rolled> {
        if self.phase() != Phase::Chance {
            return None;
        }
        let outcomes = self.outcomes();
        let (place, _) = outcomes.iter().enumerate().max_by(|(_, left), (_, right)| left.0.cmp(&right.0))?;
        if let Some(roll) = self.made() {
            roll.picked(place).map(Rolled::Numbers)
        } else if let Some(throw) = self.throw() {
            throw.summed(place).map(Rolled::Sums)
        } else if self.losses().is_some() {
            u8::try_from(place).ok().map(|number| Rolled::Numbers(vec![number]))
        } else {
            Some(Rolled::Outcome(place))
        }
    }

    /// Goes on with an outcome.
    ///
    /// # Errors
    /// If there is no chance now, or this outcome is impossible.
    pub fn bring(&mut self, rolled: &Rolled) -> Result<(), PlayError> {
        self.bring_with(rolled, self.now.dice.clone())
    }

    fn bring_with(&mut self, rolled: &Rolled, dice: Dice) -> Result<(), PlayError> {
        if self.phase() != Phase::Chance {
            return Err(PlayError::NoChance);
        }
        let (outcomes, picks) = (self.outcomes(), self.picks());
        let place = match rolled {
            Rolled::Numbers(picked) => {
                let wrong = PlayError::Numbers(picks);
                if picked.len() != picks || picked.iter().any(|number| *number > 9) {
                    return Err(if picks == 0 { PlayError::NoSuchOutcome(outcomes.len()) } else { wrong });
                }
                match self.made() {
                    Some(roll) => roll.outcome(picked).ok_or(wrong)?,
                    None => picked.first().map_or(0, |number| usize::from(*number)),
                }
            }
            Rolled::Dice(_) | Rolled::Sums(_) => {
                let throw = self.throw().ok_or(PlayError::NoSuchDice)?;
                let totals = match rolled {
                    Rolled::Dice(shown) => throw.shown(shown),
                    Rolled::Sums(sums) => throw.added(sums),
                    _ => None,
                };
                totals.and_then(|totals| throw.outcome(&totals)).ok_or(PlayError::NoSuchDice)?
            }
            Rolled::Outcome(_) if picks > 0 => return Err(PlayError::Numbers(picks)),
            Rolled::Outcome(_) if self.throw().is_some() => return Err(PlayError::NoSuchDice),
            Rolled::Outcome(place) => *place,
        };
        let next = outcomes.get(place).ok_or(PlayError::NoSuchOutcome(outcomes.len()))?.1;
        self.go(next, dice);
        Ok(())
    }

    /// Rolls the dice and goes on with the outcome.
    ///
    /// # Errors
    /// If there is no chance now.
    pub fn roll(&mut self) -> Result<Rolled, PlayError> {
        if self.phase() != Phase::Chance {
            return Err(PlayError::NoChance);
        }
        let mut dice = self.now.dice.clone();
        let picks = self.picks();
        let rolled = if picks > 0 {
            let numbers = Distribution::uniform(0..10u8).map_err(|_| PlayError::NoChance)?;
            Rolled::Numbers((0..picks).map(|_| *dice.draw(&numbers)).collect())
        } else if let Some(throw) = self.throw() {
            let mut shown = Vec::new();
            for sides in throw.sums.iter().flat_map(|(_, dice)| dice.sides()) {
                let faces = Distribution::uniform(1..=sides).map_err(|_| PlayError::NoChance)?;
                shown.push(*dice.draw(&faces));
            }
            Rolled::Dice(shown)
        } else {
            let places = self.outcomes().into_iter().enumerate().map(|(place, (weight, _))| (place, Weight(weight)));
            Rolled::Outcome(*dice.draw(&Distribution::weighted(places).map_err(|_| PlayError::NoChance)?))
        };
        self.bring_with(&rolled, dice)?;
        Ok(rolled)
    }
}
