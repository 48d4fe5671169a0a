//! Fighting Fantasy: the odds of a fight, the map of luck.

use fighting_fantasy::{
    Amplify, AnalysisError, Enemy, Extent, Fight, FightAnswer, Hero, LuckMap, Objective, Outcome, Player,
    Question as Luck, SpecialRules, SuddenDeath, analyse,
};
use maud::{Markup, html};
use mdp::nearest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::library::Library;
use crate::pages::{Addressed, Page, assets, number_field, switch_field};
use crate::question::{Problem, Question, Run};
use crate::site::{Site, always, asked};

pub const SITE: Site = Site {
    name: "Fighting Fantasy",
    about: "The odds of a fight with the best use of luck, and a map that shows where luck is worth it.",
    is_listed: always,
    pages: &[("/fighting-fantasy", page)],
    endpoints: &[("fighting-fantasy/fight", asked::<FightQuestion>), ("fighting-fantasy/map", asked::<MapQuestion>)],
    modules: assets!["fighting-fantasy.js"],
};

/// The highest stamina and luck of a fight here: four times what the books have. Longer fights have exact
/// values of thousands of digits, for which the command has the patience.
const MOST: u32 = 99;
/// The highest stamina of a map.
const MOST_OF_A_MAP: u32 = 40;
/// Situations (stamina, luck, enemies) of a fight that is solved in a moment.
const SMALL_FIGHT: u64 = 20_000;
/// The highest luck that the page's slider asks about.
const MOST_OF_A_SLIDER: u32 = 12;
/// The skill differences of a map: beyond, one side wins every round.
const DIFFERENCES: std::ops::RangeInclusive<i32> = -11..=11;

/// A fight that is asked about. What is left out is as in a plain fight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightQuestion {
    skill: u32,
    stamina: u32,
    luck: u32,
    /// Each as `SKILL/STAMINA`.
    enemies: Vec<String>,
    #[serde(default)]
    together: bool,
    #[serde(default = "usual_amplify")]
    amplify: u32,
    #[serde(default = "yes")]
    luck_allowed: bool,
    /// So many rounds won in a row kill the hero; 0 for never.
    #[serde(default)]
    sudden_death: u8,
    #[serde(default)]
    draw_resets: bool,
    #[serde(default)]
    objective: Aim,
    #[serde(default)]
    keep_stamina: u32,
    #[serde(default)]
    keep_luck: u32,
}

/// What is to be made as large as possible.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Aim {
    #[default]
    Win,
    Stamina,
    StaminaAndLuck,
}

fn usual_amplify() -> u32 {
    Amplify::default().damage()
}

fn yes() -> bool {
    true
}

fn amplify(damage: u32) -> Result<Amplify, Problem> {
    [Amplify::Three, Amplify::Four]
        .into_iter()
        .find(|amplify| amplify.damage() == damage)
        .ok_or_else(|| Problem::impossible(format_args!("amplify is {damage}"), "a lucky blow costs 3 or 4 points"))
}

fn at_most(what: &str, value: u32, most: u32) -> Result<(), Problem> {
    if value <= most {
        return Ok(());
    }
    Err(Problem::impossible(
        format_args!("{what} is {value}; here it may be {most} at most"),
        "for longer fights use the command: bestplay fighting-fantasy fight --help",
    ))
}

impl FightQuestion {
    fn objective(&self) -> Objective {
        match self.objective {
            Aim::Win => Objective::win(),
            Aim::Stamina => Objective::stamina(),
            Aim::StaminaAndLuck => Objective::weighted(0, 1, 1),
        }
        .keeping(self.keep_stamina, self.keep_luck)
    }

    fn fight(&self, luck_allowed: bool) -> Result<Fight<'static>, Problem> {
        let right = "heroes of the books have skill 7 to 12, stamina 14 to 24 and luck 7 to 12";
        at_most("the hero's stamina", self.stamina, MOST)?;
        at_most("the hero's luck", self.luck, MOST)?;
        let mut enemies = Vec::new();
        for text in &self.enemies {
            let enemy: Enemy = text.parse().map_err(|error| Problem::impossible(error, right))?;
            at_most("an enemy's stamina", enemy.stamina, MOST)?;
            let row = self.sudden_death;
            let sudden_death = (row > 0).then_some(SuddenDeath { row, draw_resets: self.draw_resets, won_already: 0 });
            enemies.push(Enemy { sudden_death, ..enemy });
        }
        let hero = Hero { skill: self.skill, stamina: self.stamina, luck: self.luck };
        let rules = SpecialRules {
            amplify: amplify(self.amplify)?,
            luck_allowed,
            together: self.together,
            ..SpecialRules::default()
        };
        Fight::new(hero, enemies, rules, self.objective(), Player::Free)
            .map_err(|error| Problem::impossible(error, right))
    }
}

fn unsolved(error: &AnalysisError) -> Problem {
    error.stopped().map_or_else(|| Problem::internal(error), Problem::stopped)
}

impl Question for FightQuestion {
    type Context = ();
    type Answer = FightAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        self.fight(self.luck_allowed).map(|_| ())
    }

    fn is_small(&self) -> bool {
        let stamina = |enemy: &String| enemy.parse::<Enemy>().map_or(u64::MAX, |enemy| u64::from(enemy.stamina) + 1);
        let product = |all: u64, one: u64| all.saturating_mul(one);
        let enemies = self.enemies.iter().map(stamina);
        let enemies = if self.together { enemies.fold(1, product) } else { enemies.fold(0, u64::saturating_add) };
        let hero = u64::from(self.stamina).saturating_add(1).saturating_mul(u64::from(self.luck) + 1);
        hero.saturating_mul(enemies).saturating_mul(u64::from(self.sudden_death).max(1)) <= SMALL_FIGHT
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightAnswer, Problem> {
        let solve = |luck_allowed| analyse(&self.fight(luck_allowed)?, &run.options).map_err(|error| unsolved(&error));
        let analysis = solve(self.luck_allowed)?;
        let without = solve(false)?.value;
        Ok(FightAnswer::new(&self.objective(), &analysis, &without))
    }
}

/// A map that is asked for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapQuestion {
    skill_difference: i32,
    luck: u32,
    #[serde(default = "usual_amplify")]
    amplify: u32,
    #[serde(default = "usual_stamina")]
    max_stamina: u32,
}

fn usual_stamina() -> u32 {
    24
}

/// A map: cells by the hero's stamina, then the enemy's, both from 1.
#[derive(Serialize)]
pub struct MapAnswer {
    format: u32,
    skill_difference: i32,
    luck: u32,
    amplify: u32,
    max_stamina: u32,
    cells: Vec<Cell>,
}

/// Decimals are the nearest to the exact numbers; a gain of 0 is a proved tie.
#[derive(Serialize)]
struct Cell {
    stamina: u32,
    enemy_stamina: u32,
    win: f64,
    win_without_luck: f64,
    on_lost_round: &'static str,
    on_won_round: &'static str,
    /// What luck adds to the chance to win, if it is used after a lost round; negative where it harms.
    gain_on_lost_round: f64,
    gain_on_won_round: f64,
    /// As in the paper's figure 4.
    figure_number: u8,
}

impl Question for MapQuestion {
    type Context = ();
    type Answer = MapAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        amplify(self.amplify)?;
        at_most("luck", self.luck, MOST)?;
        at_most("max_stamina", self.max_stamina, MOST_OF_A_MAP)?;
        if !DIFFERENCES.contains(&self.skill_difference) {
            return Err(Problem::impossible(
                format_args!("skill_difference is {}", self.skill_difference),
                format_args!("it is from {} to {}", DIFFERENCES.start(), DIFFERENCES.end()),
            ));
        }
        Ok(())
    }

    fn is_small(&self) -> bool {
        self.max_stamina <= usual_stamina() && self.luck <= MOST_OF_A_SLIDER
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<MapAnswer, Problem> {
        let Self { skill_difference, luck, max_stamina, .. } = *self;
        let extent = Extent { skill_difference, max_luck: luck, max_stamina, amplify: amplify(self.amplify)? };
        let map = LuckMap::new(extent, run.budget).map_err(|stopped| Problem::stopped(&stopped))?;
        let gain = |question: &Luck| match (&question.use_luck, &question.keep) {
            (Some(use_luck), Some(keep)) => nearest(&(use_luck - keep)),
            _ => 0.0,
        };
        let mut cells = Vec::with_capacity((max_stamina * max_stamina) as usize);
        for hero in 1..=max_stamina {
            if run.is_stopped() {
                break;
            }
            for enemy in 1..=max_stamina {
                let [lost, won] = [Outcome::Lost, Outcome::Won].map(|round| map.question(round, luck, hero, enemy));
                cells.push(Cell {
                    stamina: hero,
                    enemy_stamina: enemy,
                    win: map.win(luck, hero, enemy),
                    win_without_luck: nearest(&map.win_without_luck_exact(hero, enemy)),
                    on_lost_round: lost.decision.name(),
                    on_won_round: won.decision.name(),
                    gain_on_lost_round: gain(&lost),
                    gain_on_won_round: gain(&won),
                    figure_number: map.decisions(luck, hero, enemy).figure_number(),
                });
            }
        }
        Ok(MapAnswer { format: 1, skill_difference, luck, amplify: self.amplify, max_stamina, cells })
    }
}

const HELP: &[&str] = &[
    "This page gives the odds of a fight with and without luck, against one enemy or several, one after the other or at once. \
     Goals can keep stamina or luck. Razaak kills who loses two rounds in a row. Change a number and the answer follows.",
    "Best use of luck means: after each round the hero uses luck exactly when that wins more often. The values are exact.",
    "The map shows where luck is worth it, for every stamina of the hero and of the enemy; the colour is what luck adds. Click a \
     cell, or go to it with the arrow keys. Stamina and luck go up to 99 here; the command has no such \
     limit.",
];

/// The page's state at its bare address: the fight against a Hell Demon, and its map. The map's part has the
/// same names as its question; the rest is the fight's.
fn template() -> Value {
    json!({
        "skill": 12, "stamina": 24, "luck": 12, "enemies": ["14/12"],
        "together": false, "amplify": 4, "luck_allowed": true, "sudden_death": 0, "draw_resets": false,
        "objective": "win", "keep_stamina": 0, "keep_luck": 0,
        "map": {"skill_difference": -2, "luck": 12, "max_stamina": 24},
    })
}

/// Checks both questions of a state.
fn check(state: &Value) -> Result<(), Problem> {
    let wrong = |error: serde_json::Error| Problem::impossible(error, "start from the page's bare address");
    let mut fight = state.clone();
    let map = fight.as_object_mut().and_then(|state| state.remove("map")).unwrap_or_default();
    serde_json::from_value::<FightQuestion>(fight).map_err(wrong)?.check(&())?;
    serde_json::from_value::<MapQuestion>(map).map_err(wrong)?.check(&())
}

/// The page.
fn page(_: &Library, query: &str) -> Page {
    let addressed = Addressed::plain(template(), query, check);
    let lead = "The odds of any fight with luck used best, and where luck is worth its price.";
    Page { module: "fighting-fantasy.js", lead, help: HELP, addressed, content: content() }
}

fn content() -> Markup {
    html! {
        div.columns {
            form #fight.card novalidate aria-label="The fight" autocomplete="off" {
                h2 { "The fight" }
                p.presets role="group" aria-label="Examples" {
                    button type="button" data-preset="hell-demon" { "Hell Demon" }
                    button type="button" data-preset="white-dragon" { "White Dragon" }
                    button type="button" data-preset="razaak" { "Razaak" }
                    button type="button" data-preset="orcs" { "Two Orcs at once" }
                }
                fieldset {
                    legend { "Hero" }
                    div.fields {
                        (number_field("skill", "Skill", 1, 99))
                        (number_field("stamina", "Stamina", 1, MOST))
                        (number_field("luck", "Luck", 0, MOST))
                    }
                }
                fieldset {
                    legend { "Enemies" }
                    ol #enemies {}
                    button #add-enemy type="button" { "Add an enemy" }
                    (switch_field("together", "All at once, instead of one after the other"))
                }
                fieldset {
                    legend { "Goal" }
                    label for="objective" { "What counts" }
                    select #objective name="objective" {
                        option value="win" { "the chance to win" }
                        option value="stamina" { "the stamina left" }
                        option value="stamina-and-luck" { "stamina and luck left" }
                    }
                    div.fields {
                        (number_field("keep_stamina", "Keep stamina", 0, MOST))
                        (number_field("keep_luck", "Keep luck", 0, MOST))
                    }
                    p.hint { "Only victories with at least this much left count." }
                }
                details {
                    summary { "Special rules" }
                    (number_field("sudden_death", "Rounds lost in a row that kill (Razaak: 2; 0: none)", 0, 9))
                    (switch_field("draw_resets", "A drawn round breaks the row"))
                    (switch_field("luck_allowed", "Luck may be used"))
                    label for="amplify" { "A lucky blow costs" }
                    select #amplify name="amplify" { option value="4" { "4 points" } option value="3" { "3 points" } }
                }
            }
            section #odds.card aria-label="The odds" {}
        }
        section #policy.card aria-labelledby="policy-title" {
            h2 #policy-title { "Where luck is worth it" }
            p.hint { "Each cell is a fight against one enemy: the hero's stamina downwards, the enemy's to the right. \
                Point at a cell, or move with the arrow keys; Enter takes its fight over." }
            div.sliders {
                label for="difference" { "Skill difference " output #difference-now for="difference" {} }
                input #difference type="range" min=(DIFFERENCES.start()) max=(DIFFERENCES.end());
                label for="map-luck" { "Luck " output #map-luck-now for="map-luck" {} }
                input #map-luck type="range" min="0" max=(MOST_OF_A_SLIDER);
            }
            div.map {
                div #map {}
                div #cell {}
            }
            div #map-files {}
        }
    }
}
