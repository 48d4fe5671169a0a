//! Simulated plays of a reader whose exact results are too expensive.

use std::collections::BTreeMap;

use budget::{Budget, Stage};
use mdp::{Dice, Value};

use super::player::{Odds, Player};
use crate::book::Book;
use crate::machine::{End, Machine};
use crate::solve::{Length, Question, Reader, SectionVisit, SolveBookError};
use crate::terms::SectionNumber;

/// A longer play counts as endless.
const MOST_STEPS: u32 = 100_000;

/// The results of a reader in this many simulated plays.
pub(super) fn player(
    reader: Reader,
    book: &Book,
    question: &Question,
    plays: u32,
    budget: &Budget<'_>,
) -> Result<Player, SolveBookError> {
    let machine = reader.machine(book, question, false, budget)?;
    let mut all = Plays::default();
    for play in 0..plays {
        budget.step(Stage::Simulating, play.into(), (plays - play).into())?;
        all.add(&machine, &mut Dice::new(1, play.into()));
    }
    let share = |count: u32| f64::from(count) / f64::from(plays);
    let shares = |counts: &BTreeMap<SectionNumber, u32>| {
        let mut shares: Vec<(SectionNumber, f64)> =
            counts.iter().map(|(section, count)| (*section, share(*count))).collect();
        shares.sort_by(|left, right| right.1.total_cmp(&left.1));
        shares
    };
    let visit = |(section, (visited, won)): (&SectionNumber, &(u32, u32))| SectionVisit {
        section: *section,
        visited: share(*visited),
        win_if_here: f64::from(*won) / f64::from(*visited),
    };
    let length = |sums: Sums| sums.length(plays);
    Ok(Player {
        win: Odds::Estimated { won: all.won, plays },
        sections: all.ended.then(|| length(all.sections)),
        rolls: all.ended.then(|| length(all.rolls)),
        victories: shares(&all.victories),
        deaths: shares(&all.deaths),
        visits: all.visits.iter().map(visit).collect(),
    })
}

/// The results of plays.
struct Plays {
    won: u32,
    victories: BTreeMap<SectionNumber, u32>,
    deaths: BTreeMap<SectionNumber, u32>,
    /// For each section the number of visits and of wins among them.
    visits: BTreeMap<SectionNumber, (u32, u32)>,
    sections: Sums,
    rolls: Sums,
    /// Whether all plays ended.
    ended: bool,
}

impl Default for Plays {
    fn default() -> Self {
        let (victories, deaths, visits) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { won: 0, victories, deaths, visits, sections: Sums::default(), rolls: Sums::default(), ended: true }
    }
}

/// Sums of numbers and their squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    numbers: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, number: u32) {
        self.numbers += f64::from(number);
        self.squares += f64::from(number) * f64::from(number);
    }

    /// The mean with bounds of four standard errors, and the standard deviation.
    fn length(self, plays: u32) -> Length {
        let plays = f64::from(plays);
        let mean = self.numbers / plays;
        let deviation = (self.squares / plays - mean * mean).max(0.0).sqrt();
        let error = 4.0 * deviation / plays.sqrt();
        Length { mean: Value { lower: mean - error, upper: mean + error, exact: None }, deviation }
    }
}

impl Plays {
    /// Adds a play.
    fn add(&mut self, machine: &Machine, dice: &mut Dice) {
        let (mut state, mut moves) = (machine.start(), Vec::new());
        let (mut sections, mut rolls) = (0, 0);
        let mut visited: Vec<SectionNumber> = Vec::new();
        let mut end = None;
        for _ in 0..MOST_STEPS {
            let stop = if machine.enters(&state) { state } else { machine.run(state, &mut moves) };
            end = Machine::end(&stop);
            if let Some(end) = end {
                if let End::Won(section) = end
                    && visited.last() != Some(&section)
                {
                    visited.push(section);
                }
                break;
            }
            if machine.enters(&stop) {
                sections += 1;
                visited.push(machine.section(&stop));
                state = stop;
                machine.step(&mut state);
                continue;
            }
            rolls += u32::from(machine.rolls(&stop));
            // Without outcomes it is a question without an answer.
            let Some(next) = machine.drawn(&stop, dice) else { break };
            state = next;
        }
        self.sections.add(sections);
        self.rolls.add(rolls);
        self.ended &= end.is_some();
        let won = u32::from(matches!(end, Some(End::Won(_))));
        self.won += won;
        match end {
            Some(End::Won(section)) => *self.victories.entry(section).or_default() += 1,
            Some(End::Dead(section)) => *self.deaths.entry(section).or_default() += 1,
            None => {}
        }
        visited.sort_unstable();
        visited.dedup();
        for section in visited {
            let (count, wins) = self.visits.entry(section).or_default();
            *count += 1;
            *wins += won;
        }
    }
}
