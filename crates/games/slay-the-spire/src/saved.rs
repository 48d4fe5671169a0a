//! Solved fights on disk: advice at the table without solving again.

use std::fmt;
use std::io::Write;
use std::path::Path;

use budget::Budget;
use mdp::{Distribution, Identity, SaveError, Saved};
use serde::{Deserialize, Serialize};

use crate::advise::{Play, ranked, ways};
use crate::fight::{Fights, Objective};
use crate::pile::Pile;
use crate::position::Position;
use crate::setup::Setup;
use crate::solved::{SolvedFights, worth_of};

/// Changed with every change of the rules that can change a value.
const RULES: u32 = 1;
const GAME: &str = "slay-the-spire";

/// A position as the file keeps it: piles as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Packed {
    turn: u16,
    energy: u8,
    health: u16,
    block: u16,
    enemy: u16,
    vulnerable: u8,
    piles: [u64; 3],
}

impl From<Position> for Packed {
    fn from(position: Position) -> Self {
        let Position { turn, energy, health, block, enemy, vulnerable, hand, draw, discard } = position;
        Self { turn, energy, health, block, enemy, vulnerable, piles: [hand.bits(), draw.bits(), discard.bits()] }
    }
}

impl From<Packed> for Position {
    fn from(packed: Packed) -> Self {
        let Packed { turn, energy, health, block, enemy, vulnerable, piles } = packed;
        let [hand, draw, discard] = piles.map(Pile::from_bits);
        Self { turn, energy, health, block, enemy, vulnerable, hand, draw, discard }
    }
}

/// A fight that was solved and saved.
#[derive(Debug)]
pub struct SavedFight {
    saved: Saved<Packed>,
    fights: Fights,
    objective: Objective,
}

/// A position that cannot come up in the fight that was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInThisFight;

impl fmt::Display for NotInThisFight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the position cannot come up in the fight that was saved")
    }
}

impl std::error::Error for NotInThisFight {}

impl SolvedFights {
    /// Writes the fights, which went on from this setup.
    pub(crate) fn save(
        self,
        setup: &Setup,
        output: &mut dyn Write,
        budget: Option<&Budget<'_>>,
    ) -> Result<(), SaveError> {
        let objective = self.objective;
        let (space, solution) = self.into_parts();
        let identity = Identity {
            game: GAME.into(),
            rules: RULES,
            parameters: format!(
                "cultist-hp={} hp={} deck={} objective={}",
                setup.cultist_hp,
                setup.hp,
                setup.deck,
                objective.name()
            ),
        };
        Saved::new(identity, space.map(|position| Packed::from(*position)), solution).write(output, budget)
    }
}

impl SavedFight {
    /// Reads a file that [`SolvedFight::save`](crate::SolvedFight::save) wrote.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or holds something else, or the budget says stop.
    pub fn load(path: &Path, budget: Option<&Budget<'_>>) -> Result<Self, SaveError> {
        let saved: Saved<Packed> = Saved::load(path, None, budget)?;
        let Identity { game, rules, parameters } = saved.identity();
        let objective = Objective::ALL.into_iter().find(|objective| parameters.ends_with(objective.name()));
        let (GAME, RULES, Some(objective)) = (game.as_str(), *rules, objective) else {
            let expected = Identity { game: GAME.into(), rules: RULES, parameters: "any parameters".into() };
            return Err(SaveError::Other { expected: expected.into(), found: saved.identity().clone().into() });
        };
        let starts: Vec<Distribution<Position>> = saved
            .space()
            .starts()
            .iter()
            .map(|start| start.map(|state| (*saved.space().state(*state)).into()))
            .collect();
        Ok(Self { fights: Fights::new(objective, &starts), saved, objective })
    }

    /// What the fight was solved for.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The fight: the Cultist's health, the Ironclad's, the deck, the objective.
    pub fn parameters(&self) -> &str {
        &self.saved.identity().parameters
    }

    /// [`advise`](crate::advise()) without solving.
    ///
    /// # Errors
    /// When the position cannot come up in this fight.
    pub fn advise(&self, position: &Position) -> Result<Vec<Play>, NotInThisFight> {
        let ways = ways(position);
        let worths = ways
            .iter()
            .map(|(_, end)| {
                let state = self.saved.space().number_of(&self.fights.reduced(*end).into()).ok_or(NotInThisFight)?;
                Ok(worth_of(self.saved.solution(), self.objective, &Distribution::certain(state)))
            })
            .collect::<Result<_, _>>()?;
        Ok(ranked(ways, worths, self.objective))
    }
}
