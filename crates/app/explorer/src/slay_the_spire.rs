//! Slay the Spire: a hand with all its plays, and a fight turn by turn; fights of Act 1.

mod act1;
mod act1_page;
mod act1_position;
mod reward;

use maud::{Markup, html};
use mdp::{Number, Rational};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use slay_the_spire::{
    AdviceAnswer, Card, FightError, HealthRange, Objective, OddsAnswer, Pile, Position, Record, ReplayAnswer,
    ReplayError, Setup, advise, attack, odds, replay,
};

use crate::library::Library;
use crate::pages::{Addressed, Page, address, assets, number_field};
use crate::question::{Problem, Question, Run};
use crate::site::{Site, always, asked};

pub const SITE: Site = Site {
    name: "Slay the Spire",
    about: "The Ironclad against a Cultist, or whom he meets in Act 1: every play with what it is worth, step by step.",
    is_listed: always,
    pages: &[("/slay-the-spire", page), ("/slay-the-spire/act-1", act1_page::page)],
    endpoints: &[
        ("slay-the-spire/odds", asked::<OddsQuestion>),
        ("slay-the-spire/advise", asked::<AdviseQuestion>),
        ("slay-the-spire/draws", asked::<DrawsQuestion>),
        ("slay-the-spire/replay", asked::<ReplayQuestion>),
        ("slay-the-spire/act-1/fight", asked::<act1::FightQuestion>),
        ("slay-the-spire/act-1/walk", asked::<act1::FightWalkQuestion>),
        ("slay-the-spire/act-1/reward", asked::<reward::RewardQuestion>),
        ("slay-the-spire/act-1/advise", asked::<act1_position::PositionQuestion>),
    ],
    modules: assets![
        "slay-the-spire.js",
        "slay-the-spire-replay.js",
        "slay-the-spire-act-1.js",
        "slay-the-spire-act-1-further.js"
    ],
};

fn unsolved(error: &FightError) -> Problem {
    error.stopped().map_or_else(|| Problem::internal(error), Problem::stopped)
}

/// What a fight is worth before it starts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OddsQuestion {
    #[serde(default = "usual_health")]
    cultist_hp: HealthRange,
    #[serde(default = "usual_hp")]
    hp: u16,
    #[serde(default = "slay_the_spire::starting_deck")]
    deck: Pile,
    #[serde(default)]
    objective: Objective,
}

fn usual_health() -> HealthRange {
    Setup::default().cultist_hp
}

fn usual_hp() -> u16 {
    Setup::default().hp
}

impl Question for OddsQuestion {
    type Context = ();
    type Answer = OddsAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        if (1..=slay_the_spire::HIGHEST_HEALTH).contains(&self.hp) {
            return Ok(());
        }
        let right = format!("a health from 1 to {}", slay_the_spire::HIGHEST_HEALTH);
        Err(Problem::impossible(format_args!("hp is {}", self.hp), right))
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<OddsAnswer, Problem> {
        let setup = Setup { cultist_hp: self.cultist_hp, hp: self.hp, deck: self.deck };
        let objective = self.objective;
        let odds = odds(&setup, objective, &run.options).map_err(|error| unsolved(&error))?;
        Ok(OddsAnswer::new(&odds, objective, true))
    }
}

/// The position in the fields of a question.
fn position(fields: Map<String, Value>) -> Result<Position, serde_json::Error> {
    if fields.get("enemy").is_some_and(Value::is_array) {
        return Err(serde::de::Error::custom("enemy is an array; it is an object, such as {\"health\": 35}"));
    }
    serde_json::from_value(Value::Object(fields))
}

/// Fights of a starting deck against a Cultist are solved in a moment: the most cards, and the most health of an enemy.
const SMALL_DECK: usize = 12;
const SMALL_ENEMY: u16 = 56;

/// The most curses of a deck that can have left the game.
const MOST_GONE: i64 = 99;

/// How many cards there are, wherever they lie.
fn deck(position: &Position) -> usize {
    [position.hand, position.draw, position.discard].iter().map(|pile| pile.len()).sum()
}

/// A position in the form of the command's files, and what is played for, side by side.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct AdviseQuestion {
    position: Position,
    objective: Objective,
}

impl TryFrom<Map<String, Value>> for AdviseQuestion {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let objective = fields.remove("objective").map(serde_json::from_value).transpose()?.unwrap_or_default();
        Ok(Self { position: position(fields)?, objective })
    }
}

impl Question for AdviseQuestion {
    type Context = ();
    type Answer = AdviceAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        Ok(())
    }

    fn is_small(&self) -> bool {
        self.position.enemy <= SMALL_ENEMY && deck(&self.position) <= SMALL_DECK
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<AdviceAnswer, Problem> {
        let objective = self.objective;
        let plays = advise(&self.position, objective, &run.options).map_err(|error| unsolved(&error))?;
        Ok(AdviceAnswer::new(&plays, objective))
    }
}

/// What follows when these cards are played and the turn ends; with `cards` null, what can be drawn now.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct DrawsQuestion {
    position: Position,
    cards: Option<Vec<Card>>,
}

impl TryFrom<Map<String, Value>> for DrawsQuestion {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let cards = fields.remove("cards").map(serde_json::from_value).transpose()?.flatten();
        Ok(Self { position: position(fields)?, cards })
    }
}

/// The position before the draw, and every hand that can be drawn.
#[derive(Serialize)]
pub struct DrawsAnswer {
    format: u32,
    /// `won`, `dead`, or null while the fight goes on.
    over: Option<&'static str>,
    /// After the cards, and before the enemy acts; null when none were asked about.
    played: Option<Table>,
    /// Before the draw. Its hand is empty.
    position: Table,
    /// The damage with which the enemy will attack in that turn.
    attack: u16,
    draws: Vec<Draw>,
}

#[derive(Serialize)]
struct Draw {
    probability: Number,
    position: Table,
}

/// A position as the files of the command have it.
#[derive(Serialize)]
struct Table {
    turn: u16,
    energy: u8,
    health: u16,
    block: u16,
    enemy: Enemy,
    hand: Pile,
    draw: Pile,
    discard: Pile,
}

#[derive(Serialize)]
struct Enemy {
    health: u16,
    vulnerable: u8,
}

impl From<&Position> for Table {
    fn from(position: &Position) -> Self {
        let Position { turn, energy, health, block, enemy, vulnerable, hand, draw, discard } = *position;
        Self { turn, energy, health, block, enemy: Enemy { health: enemy, vulnerable }, hand, draw, discard }
    }
}

impl DrawsQuestion {
    /// The position after the cards.
    fn played(&self) -> Result<Position, Problem> {
        self.cards.iter().flatten().try_fold(self.position, |position, card| {
            position.play(*card).ok_or_else(|| {
                Problem::impossible(
                    format_args!("{card} cannot be played there"),
                    "play cards of the hand for which there is energy, until the fight is over",
                )
            })
        })
    }
}

impl Question for DrawsQuestion {
    type Context = ();
    type Answer = DrawsAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        if self.cards.is_none() && !self.position.hand.is_empty() {
            return Err(Problem::impossible(
                "there are cards in the hand, so nothing is drawn",
                "give the cards that are played, or an empty hand",
            ));
        }
        self.played().map(|_| ())
    }

    fn is_small(&self) -> bool {
        true
    }

    fn answer(&self, _: &Run<'_>, (): &()) -> Result<DrawsAnswer, Problem> {
        let played = self.played()?;
        let position = if self.cards.is_some() { played.end_turn() } else { played };
        let over = match (position.health, position.enemy) {
            (0, _) => Some("dead"),
            (_, 0) => Some("won"),
            _ => None,
        };
        let draws = if over.is_some() { Vec::new() } else { position.draws() };
        let all: u64 = draws.iter().map(|(ways, _)| ways).sum();
        let share = |ways: u64| Rational::from_parts(ways.into(), all.into());
        let draw = |(ways, position): &(u64, Position)| Draw {
            probability: (&share(*ways)).into(),
            position: position.into(),
        };
        Ok(DrawsAnswer {
            format: 1,
            over,
            played: self.cards.is_some().then(|| (&played).into()),
            position: (&position).into(),
            attack: attack(position.turn),
            draws: draws.iter().map(draw).collect(),
        })
    }
}

/// A fight that was played, in the form of the command's files, and what was played for, side by side.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct ReplayQuestion {
    record: Record,
    objective: Objective,
}

impl TryFrom<Map<String, Value>> for ReplayQuestion {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let objective = fields.remove("objective").map(serde_json::from_value).transpose()?.unwrap_or_default();
        Ok(Self { record: serde_json::from_value(Value::Object(fields))?, objective })
    }
}

impl Question for ReplayQuestion {
    type Context = ();
    type Answer = ReplayAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        Ok(())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<ReplayAnswer, Problem> {
        let steps = replay(&self.record, self.objective, &run.options).map_err(|error| match error {
            ReplayError::Fight(error) => unsolved(&error),
            ReplayError::Record(error) => {
                Problem::impossible(error, "write the fight down as it was played; turns count from 0")
            }
        })?;
        Ok(ReplayAnswer::new(&steps, self.objective))
    }
}

/// The page's state at its bare address: the example of the documentation.
fn template() -> Value {
    let pile = |counts: [u8; 7]| -> Value {
        Card::ALL.into_iter().zip(counts).map(|(card, count)| (card.name().to_owned(), Value::from(count))).collect()
    };
    json!({
        "turn": 1, "energy": 3, "health": 68, "block": 0,
        "enemy": {"health": 35, "vulnerable": 0},
        "hand": pile([0, 1, 0, 2, 0, 1, 1]),
        "draw": pile([0, 0, 0, 0, 0, 1, 0]),
        "discard": pile([0, 0, 0, 3, 0, 2, 0]),
        "objective": "health",
        // Curses of the deck that left the game in this fight.
        "gone": 0,
    })
}

/// The address of a position in a file.
pub fn address_of(text: &str) -> Result<String, serde_json::Error> {
    let template = template();
    let position: Position = serde_json::from_str(text)?;
    let mut state = template.clone();
    merge(&mut state, serde_json::to_value(Table::from(&position))?);
    Ok(format!("/slay-the-spire?{}", address::write(&template, &state)))
}

/// Puts the parts of a position into a state. Cards that are not in a pile are there no times.
fn merge(state: &mut Value, position: Value) {
    match (state, position) {
        (Value::Object(state), Value::Object(mut position)) => {
            for (key, part) in state {
                match position.remove(key) {
                    Some(now) => merge(part, now),
                    None if part.is_number() => *part = 0.into(),
                    None => {}
                }
            }
        }
        (state, now) => *state = now,
    }
}

/// Refuses a state about something that cannot be.
fn check(state: &Value) -> Result<(), Problem> {
    let mut question = state.clone();
    let gone = question.as_object_mut().and_then(|fields| fields.remove("gone")).unwrap_or_default();
    if !(0..=MOST_GONE).contains(&gone.as_i64().unwrap_or(-1)) {
        let message = format_args!("the address says gone={gone}").to_string();
        return Err(Problem::unreadable(message, format_args!("gone is a whole number from 0 to {MOST_GONE}")));
    }
    let checked = serde_json::from_value::<AdviseQuestion>(question);
    checked.map(|_| ()).map_err(|error| Problem::impossible(error, "start from the page's bare address"))
}

/// The page.
fn page(_: &Library, query: &str) -> Page {
    let addressed = Addressed::plain(template(), query, check);
    let lead = "The Ironclad against a Cultist. Set up a turn, see what every play is worth, and play on.";
    Page { module: "slay-the-spire.js", lead, addressed, content: content() }
}

fn content() -> Markup {
    html! {
        p.hint { a href="/slay-the-spire/act-1" { "Other enemies, cards, relics and potions of Act 1" } }
        section #table.card aria-label="The table" {
            div.sides {
                div.side {
                    h2 { "Ironclad" }
                    div.fields {
                        (number_field("health", "Health", 1, 999))
                        (number_field("block", "Block", 0, 999))
                        (number_field("energy", "Energy", 0, 3))
                        (number_field("turn", "Turn (from 0)", 0, 99))
                    }
                }
                div.side {
                    h2 { "Cultist" }
                    div.fields {
                        (number_field("enemy.health", "Health", 1, 999))
                        (number_field("enemy.vulnerable", "Vulnerable", 0, 99))
                    }
                    p #intent {}
                }
            }
            div #hand .pile {}
            div.row {
                label for="objective" { "Play for" }
                select #objective name="objective" {
                    option value="health" { "the health left" }
                    option value="survival" { "survival" }
                }
                button #new-fight type="button" { "New fight" }
            }
        }
        section #next.card hidden aria-label="The next turn" {}
        section #plays.card aria-label="Every play" {}
        section #piles.card aria-label="The piles" {}
        section #before.card {
            h2 { "Before the fight" }
            p { "What this deck is worth against a Cultist of 50 to 56 health, when all is still open." }
            button #ask-odds type="button" { "Compute" }
            div #odds {}
        }
        section.card aria-labelledby="replay-title" {
            h2 #replay-title { "A fight that was played" }
            p.hint { "What was luck, and what did your plays cost? A fight that begins with New fight is written down here while \
                you play it; or open the file of a fight, as bestplay slay-the-spire replay reads it." }
            p #log role="status" { "Nothing is written down yet." }
            div.row {
                label for="record-file" { "A file" }
                input #record-file type="file" accept=".json,application/json";
                button #take-log type="button" disabled { "The fight above" }
            }
            label for="record" { "The fight" }
            textarea #record rows="5" spellcheck="false" {}
            div.row { button #replay .main type="button" { "What was luck?" } }
            div.problem role="alert" hidden {}
            div #replayed {}
        }
    }
}
