//! Lone Wolf: fights of the gamebooks, side by side.

use lone_wolf::{FightAnswer, FightRequest, MOST_ENDURANCE, MOST_ROUNDS, MOST_SKILL, WrongFight, analyse};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::library::Library;
use crate::pages::{Addressed, Page, assets, number_field, switch_field};
use crate::question::{Problem, Question, Run};
use crate::site::{Site, always, asked};

pub const SITE: Site = Site {
    name: "Lone Wolf",
    about: "A fight of the gamebooks: the odds, what ENDURANCE is left, and when to run; several fights side by side.",
    is_listed: always,
    pages: &[("/lone-wolf", page)],
    endpoints: &[("lone-wolf/fight", asked::<FightQuestion>)],
    modules: assets!["lone-wolf.js"],
};

/// The most situations (the ENDURANCE of both, and the rounds with rules of their own) of a fight that is solved in a moment.
const SMALL_FIGHT: u64 = 10_000;
/// The most fights side by side.
const MOST_FIGHTS: usize = 6;

/// Asks for the odds of a fight.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub struct FightQuestion(FightRequest);

fn impossible(WrongFight { message, help }: WrongFight) -> Problem {
    Problem::impossible(message, help)
}

impl Question for FightQuestion {
    type Context = ();
    type Answer = FightAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        self.0.fight().map(|_| ()).map_err(impossible)
    }

    fn is_small(&self) -> bool {
        self.0.fight().is_ok_and(|fight| {
            u64::from(fight.hero) * u64::from(fight.enemy) * (u64::from(fight.steady_after()) + 1) <= SMALL_FIGHT
        })
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightAnswer, Problem> {
        let fight = self.0.fight().map_err(impossible)?;
        let analysis = analyse(&fight, &run.options)
            .map_err(|error| error.stopped().map_or_else(|| Problem::internal(&error), Problem::stopped))?;
        Ok(FightAnswer::new(&fight, &analysis))
    }
}

/// The fight of a part of the page's address: the hero, the enemy, and options of the command, such as
/// `15/25,22/30,mindblast,evade-from=3`.
fn fight_of(text: &str) -> Result<FightQuestion, Problem> {
    let wrong = |message: String| {
        let help = "a fight is the hero's figures, the enemy's, and options of the command: 15/25,22/30,mindblast,evade-from=3";
        Problem::impossible(format_args!("the fight {text:?}: {message}"), help)
    };
    let mut parts = text.split(',');
    let hero = parts.next().and_then(|hero| hero.split_once('/'));
    let figures =
        hero.and_then(|(skill, endurance)| Some((skill.parse::<i64>().ok()?, endurance.parse::<i64>().ok()?)));
    let (skill, endurance) = figures.ok_or_else(|| wrong("the hero has no figures such as 15/25".into()))?;
    let mut fields = Map::from_iter([
        ("combat_skill".to_owned(), json!(skill)),
        ("endurance".to_owned(), json!(endurance)),
        ("enemy".to_owned(), json!(parts.next().unwrap_or_default())),
    ]);
    for part in parts {
        let (name, value) = match part.split_once('=') {
            None => (part, json!(true)),
            Some((name, value)) => (name, value.parse::<i64>().map_or_else(|_| json!(value), |number| json!(number))),
        };
        if fields.insert(name.replace('-', "_"), value).is_some() {
            return Err(wrong(format!("{name} is given twice")));
        }
    }
    serde_json::from_value(Value::Object(fields)).map_err(|error| wrong(error.to_string()))
}

const HELP: &[&str] = &[
    "This page computes the odds of a fight of the gamebooks: the chance to win, the ENDURANCE that is left, the number of \
     rounds, and when the hero should run. Change a number, and the answer changes with it.",
    "The page compares up to six fights side by side. \u{201c}Another fight beside it\u{201d} copies the one in the form; a click \
     on a fight puts it into the form. A section can add rules of its own: double damage, an enemy's Mindblast, rounds in which \
     the hero loses nothing, and the first round in which he may run.",
    "All odds are exact, or lie between proven bounds.",
];

/// The page's state at its bare address: the example of the documentation.
fn template() -> Value {
    // Which of the fights is in the form.
    json!({"fights": ["15/25,22/30"], "at": 0})
}

/// Checks a page's state.
fn check(state: &Value) -> Result<(), Problem> {
    let fights = state["fights"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !(1..=MOST_FIGHTS).contains(&fights.len()) {
        let help = format_args!("there are 1 to {MOST_FIGHTS} side by side").to_string();
        return Err(Problem::impossible(format_args!("there are {} fights", fights.len()), help));
    }
    for fight in fights {
        fight_of(&fight.as_str().map_or_else(|| fight.to_string(), String::from))?.check(&())?;
    }
    let at = &state["at"];
    if at.as_u64().is_none_or(|at| at >= fights.len() as u64) {
        let help = format!("it is from 0 to {}", fights.len() - 1);
        return Err(Problem::impossible(format_args!("at is {at}"), help));
    }
    Ok(())
}

/// The page.
fn page(_: &Library, query: &str) -> Page {
    let addressed = Addressed::plain(template(), query, check);
    let lead = "What are the odds of this fight, what is left of the hero, and when should he run?";
    Page { module: "lone-wolf.js", lead, help: HELP, addressed, content: content() }
}

/// A field for a number that can be negative.
fn skill_field(name: &str, label: &str) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type="number" min=(-MOST_SKILL) max=(MOST_SKILL) required;
        }
    }
}

fn content() -> Markup {
    let endurance = u32::from(MOST_ENDURANCE);
    html! {
        section.card aria-labelledby="fights-title" {
            h2 #fights-title { "Side by side" }
            div #fights {}
            div.row {
                button #another type="button" { "Another fight beside it" }
                button #remove type="button" { "Take this one away" }
            }
        }
        div.columns {
            form #fight.card novalidate aria-label="The fight" autocomplete="off" {
                h2 { "The fight" }
                fieldset {
                    legend { "The hero" }
                    div.fields {
                        (skill_field("combat_skill", "Combat skill"))
                        (number_field("endurance", "Endurance", 1, endurance))
                        (skill_field("bonus", "Other bonus"))
                    }
                    (switch_field("mindblast", "Mindblast (+2; not against immune enemies)"))
                    (switch_field("weaponskill", "Weaponskill (+2)"))
                    (switch_field("unarmed", "No weapon (−4)"))
                    (switch_field("shield", "Shield (+2)"))
                }
                fieldset {
                    legend { "The enemy" }
                    div.fields {
                        (skill_field("enemy_skill", "Combat skill"))
                        (number_field("enemy_endurance", "Endurance", 1, endurance))
                    }
                }
                fieldset {
                    legend { "The section's rules" }
                    (switch_field("double_damage", "The enemy loses twice as much"))
                    (switch_field("enemy_mindblast", "The enemy's Mindblast: 2 more lost in every round"))
                    div.fields {
                        div.field {
                            label for="evade_from" { "He may run from round" }
                            input #evade_from name="evade_from" type="number" inputmode="numeric" min="1" max=(MOST_ROUNDS) placeholder="never";
                        }
                        div.field {
                            label for="untouchable" { "Loses nothing in the first rounds" }
                            input #untouchable name="untouchable" type="number" inputmode="numeric" min="0" max=(MOST_ROUNDS) placeholder="none";
                        }
                    }
                    (switch_field("always", "Loses nothing in any round"))
                    p.hint { "A section that says \u{201c}after two rounds\u{201d} means from round 3." }
                }
            }
            section #odds .card aria-label="The odds" {}
        }
    }
}
