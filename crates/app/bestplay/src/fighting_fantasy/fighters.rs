//! The arguments for a fight, shared by `fight` and `advise`.

use clap::{Args, ValueEnum};
use fighting_fantasy::{
    AnalysisError, Armour, Chance, Enemy, Escape, Fight, Hero, Objective, Player, SpecialRules, SuddenDeath,
};
use mdp::{Rational, nearest};

use super::maps::AmplifyArg;
use super::percent::percent;
use crate::arguments::engine_args::EngineArgs;
use crate::output::{Failure, Format};

const RULES: &str = "Special rules";
const AIM: &str = "The aim";

/// The fight in question.
#[derive(Args)]
pub(super) struct FightersArgs {
    /// The hero's skill
    #[arg(long, value_name = "SKILL")]
    pub skill: u32,
    /// The hero's stamina
    #[arg(long, value_name = "STAMINA")]
    pub stamina: u32,
    /// The hero's luck
    #[arg(long, value_name = "LUCK")]
    pub luck: u32,
    #[command(flatten)]
    pub encounter: EncounterArgs,
}

/// The fight apart from the hero.
#[derive(Args)]
pub(super) struct EncounterArgs {
    /// An enemy's skill and stamina; again for every further enemy
    #[arg(long = "enemy", value_name = "SKILL/STAMINA", required = true)]
    pub enemies: Vec<Enemy>,
    /// All enemies at once; otherwise one after the other
    #[arg(long, help_heading = RULES)]
    pub together: bool,
    /// The stamina that a lucky blow costs an enemy
    #[arg(long, value_enum, default_value = "4", help_heading = RULES)]
    amplify: AmplifyArg,
    /// Luck must not be used
    #[arg(long, help_heading = RULES)]
    pub no_luck: bool,
    /// An enemy who wins this many rounds in a row kills at once
    #[arg(long, value_name = "ROUNDS", help_heading = RULES)]
    sudden_death: Option<u8>,
    /// A drawn round ends the row; otherwise drawn rounds do not count
    #[arg(long, requires = "sudden_death", help_heading = RULES)]
    draw_resets: bool,
    /// Rounds in a row that the first enemy has won already
    #[arg(long, value_name = "ROUNDS", default_value_t = 0, requires = "sudden_death", help_heading = RULES)]
    row: u8,
    /// The chance to die at the beginning of every round, drawn ones too, such as 1/36
    #[arg(long, value_name = "CHANCE", default_value = "0", help_heading = RULES)]
    instant_death: Chance,
    /// The chance that a lost round kills at once
    #[arg(long, value_name = "CHANCE", default_value = "0", help_heading = RULES)]
    instant_death_on_loss: Chance,
    /// The stamina that a wound costs an enemy without luck
    #[arg(long, value_name = "STAMINA", default_value_t = 2, help_heading = RULES)]
    damage: u32,
    /// The stamina that a wound costs the hero without luck
    #[arg(long, value_name = "STAMINA", default_value_t = 2, help_heading = RULES)]
    enemy_damage: u32,
    /// The chance that armour softens a wound of the hero, such as 1/6
    #[arg(long, value_name = "CHANCE", help_heading = RULES)]
    armour: Option<Chance>,
    /// The stamina that armour saves
    #[arg(long, value_name = "STAMINA", default_value_t = 1, requires = "armour", help_heading = RULES)]
    armour_points: u32,
    /// The hero may run before any round, at this price in stamina (luck can soften it)
    #[arg(long, value_name = "STAMINA", requires = "escape_value", help_heading = RULES)]
    escape_cost: Option<u32>,
    /// The value of an escape, as a share of a victory, such as 1/2
    #[arg(long, value_name = "SHARE", requires = "escape_cost", help_heading = RULES)]
    escape_value: Option<Chance>,
    /// What to maximise
    #[arg(long, value_enum, default_value = "win", help_heading = AIM)]
    objective: ObjectiveArg,
    /// With --objective weights: the value of a victory, of a point of stamina left and of a point of luck left
    #[arg(
        long,
        value_name = "WIN,STAMINA,LUCK",
        value_parser = parse_weights,
        required_if_eq("objective", "weights"),
        help_heading = AIM
    )]
    weights: Option<[u16; 3]>,
    /// Only victories with at least this much stamina left count
    #[arg(long, value_name = "STAMINA", default_value_t = 0, help_heading = AIM)]
    keep_stamina: u32,
    /// Only victories with at least this much luck left count
    #[arg(long, value_name = "LUCK", default_value_t = 0, help_heading = AIM)]
    keep_luck: u32,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// The objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObjectiveArg {
    /// The chance to win
    Win,
    /// The expected stamina left, 0 after a defeat
    Stamina,
    /// The expected sum of stamina and luck left, 0 after a defeat
    StaminaAndLuck,
    /// A weighting of your own, with --weights
    Weights,
}

fn parse_weights(text: &str) -> Result<[u16; 3], String> {
    let weights: Result<Vec<u16>, _> = text.split(',').map(|weight| weight.trim().parse()).collect();
    weights
        .ok()
        .and_then(|weights| weights.try_into().ok())
        .ok_or_else(|| "write three whole numbers such as 10,1,2".to_string())
}

impl EncounterArgs {
    /// The enemies with all their options.
    pub fn all_enemies(&self) -> Vec<Enemy> {
        let with_rules = |(place, enemy): (usize, &Enemy)| Enemy {
            damage: self.enemy_damage,
            sudden_death: self.sudden_death.map(|row| SuddenDeath {
                row,
                draw_resets: self.draw_resets,
                won_already: if place == 0 { self.row } else { 0 },
            }),
            ..*enemy
        };
        self.enemies.iter().enumerate().map(with_rules).collect()
    }

    /// The rules that the arguments name.
    pub fn rules(&self) -> SpecialRules {
        let escape = self.escape_cost.zip(self.escape_value);
        SpecialRules {
            damage: self.damage,
            amplify: self.amplify.into(),
            luck_allowed: !self.no_luck,
            together: self.together,
            armour: self.armour.map(|chance| Armour { chance, softens: self.armour_points }),
            death_each_round: self.instant_death,
            death_on_lost_round: self.instant_death_on_loss,
            escape: escape.map(|(cost, value)| Escape { cost, value: value.exact() }),
        }
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        let objective = match (self.objective, self.weights) {
            (ObjectiveArg::Stamina, _) => Objective::stamina(),
            (ObjectiveArg::StaminaAndLuck, _) => Objective::weighted(0, 1, 1),
            (ObjectiveArg::Weights, Some([win, stamina, luck])) => {
                Objective::weighted(win.into(), stamina.into(), luck.into())
            }
            (ObjectiveArg::Win | ObjectiveArg::Weights, _) => Objective::win(),
        };
        objective.keeping(self.keep_stamina, self.keep_luck)
    }

    /// The validated fight of a hero.
    pub fn fight<'a>(&self, hero: Hero, rules: SpecialRules, player: Player<'a>) -> Result<Fight<'a>, Failure> {
        Fight::new(hero, self.all_enemies(), rules, self.objective(), player).map_err(|error| {
            Failure::bad_input(error, "heroes of the books have skill 7 to 12, stamina 14 to 24 and luck 7 to 12")
        })
    }

    /// Whether the objective is a probability.
    pub fn is_chance(&self) -> bool {
        self.objective == ObjectiveArg::Win
    }

    /// A value of the objective, formatted.
    pub fn show(&self, value: &Rational) -> String {
        let nearest = nearest(value);
        if self.is_chance() {
            percent(nearest)
        } else if nearest == 0.0 || nearest.abs() >= 1e-4 {
            format!("{nearest:.6}")
        } else {
            format!("{nearest:.6e}")
        }
    }

    /// The enemies' numbers, formatted.
    pub fn show_enemies(&self) -> String {
        let enemies: Vec<String> =
            self.enemies.iter().map(|enemy| format!("skill {}, stamina {}", enemy.skill, enemy.stamina)).collect();
        enemies.join(if self.together { " together with " } else { ", then " })
    }
}

impl FightersArgs {
    /// The validated fight.
    pub fn fight<'a>(&self, rules: SpecialRules, player: Player<'a>) -> Result<Fight<'a>, Failure> {
        let hero = Hero { skill: self.skill, stamina: self.stamina, luck: self.luck };
        self.encounter.fight(hero, rules, player)
    }

    /// The hero's skill minus that of the first enemy; the fight must be valid.
    pub fn skill_difference(&self) -> i32 {
        self.skill.cast_signed() - self.encounter.enemies.first().map_or(0, |enemy| enemy.skill.cast_signed())
    }

    /// All numbers, formatted.
    pub fn show_fighters(&self) -> String {
        let Self { skill, stamina, luck, encounter } = self;
        format!("Skill {skill}, stamina {stamina}, luck {luck} against {}", encounter.show_enemies())
    }
}

/// The failure of an analysis that did not finish.
pub(super) fn failed(error: &AnalysisError) -> Failure {
    match error.stopped() {
        Some(stopped) => Failure::from(*stopped),
        None => Failure::failed(error, "ask about a smaller fight"),
    }
}
