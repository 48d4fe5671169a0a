//! The odds of a fight before it starts.

use std::io::Write;

use budget::Budget;
use mdp::{Counts, Distribution, ExploreOptions, Rational, SaveError, Solution, StateSpace};

use crate::fight::{Fights, Objective, Plays};
use crate::position::Position;
use crate::setup::Setup;
use crate::solved::{FightError, SolvedFights, Worth};

/// What a fight is worth before it starts, played best.
#[derive(Clone, Debug)]
pub struct Odds {
    /// What it is worth, whatever health the Cultist turns out to have.
    pub worth: Worth,
    /// For every health of the Cultist what it is worth against that one.
    pub by_cultist_hp: Vec<(u16, Worth)>,
    /// Every health with which the Ironclad can end the fight, 0 for death, and how likely it is.
    pub final_health: Vec<(u16, Rational)>,
    /// How large the solved model was.
    pub counts: Counts,
}

/// Solves a fight.
///
/// # Errors
/// When the states are too many for the limits of `options`.
pub fn odds(setup: &Setup, objective: Objective, options: &ExploreOptions<'_>) -> Result<Odds, FightError> {
    SolvedFight::new(setup, objective, Plays::Promising, options)?.odds(options.budget)
}

/// A fight that was solved before it starts: its odds, and all that stands behind them.
pub struct SolvedFight {
    setup: Setup,
    game: Fights,
    solved: SolvedFights,
}

impl SolvedFight {
    /// Solves a fight.
    ///
    /// # Errors
    /// When the states are too many for the limits of `options`.
    pub fn new(
        setup: &Setup,
        objective: Objective,
        plays: Plays,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, FightError> {
        let each = setup.cultist_hp.iter().map(|health| Distribution::certain(setup.against(health)));
        let starts: Vec<_> = [setup.start()].into_iter().chain(each).collect();
        let game = Fights::with_plays(objective, plays, &starts);
        Ok(Self { setup: setup.clone(), solved: SolvedFights::new(&game, options)?, game })
    }

    /// The odds.
    ///
    /// # Errors
    /// When the way to the ends cannot be followed within the engine's limits.
    pub fn odds(&self, budget: Option<&Budget<'_>>) -> Result<Odds, FightError> {
        let Self { setup, solved, .. } = self;
        let healths = setup.cultist_hp.iter();
        Ok(Odds {
            worth: solved.worth(0),
            by_cultist_hp: healths.zip(1..).map(|(health, start)| (health, solved.worth(start))).collect(),
            final_health: solved.final_health(0, budget)?,
            counts: solved.space().model().counts(),
        })
    }

    /// The game that was solved. Its first start is the whole fight, the others are one for each health
    /// of the Cultist.
    pub fn game(&self) -> &Fights {
        &self.game
    }

    /// All states of the game.
    pub fn space(&self) -> &StateSpace<Position> {
        self.solved.space()
    }

    /// Their values and best choices.
    pub fn solution(&self) -> &Solution {
        self.solved.solution()
    }

    /// Writes the solution, for a file. If it was made with [`Plays::All`], a
    /// [`SavedFight`](crate::SavedFight) then gives advice on every position that can come up.
    ///
    /// # Errors
    /// When it cannot be written, or the budget says stop.
    pub fn save(self, output: &mut dyn Write, budget: Option<&Budget<'_>>) -> Result<(), SaveError> {
        self.solved.save(&self.setup, output, budget)
    }
}
