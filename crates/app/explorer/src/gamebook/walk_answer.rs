//! The JSON of a walk: its log, and its last position.

use std::collections::BTreeSet;

use gamebook::{Belongings, Chance, End, FightNow, Phase, Play, SectionNumber, SheetKind, SheetLine, Step};
use import::Paragraph;
use mdp::Number;
use serde::Serialize;

use super::advise::AdviseQuestion;
use super::registry::{Gamebooks, OfferedBook};

/// An entry of the log: a step, and the position after it.
#[derive(Serialize)]
pub struct LogEntry {
    /// `null` for the beginning.
    step: Option<String>,
    /// `begin`, `answer`, `chance` or `correction`.
    kind: &'static str,
    text: String,
    /// The section after it, and the sections passed on the way.
    section: SectionNumber,
    passed: Vec<SectionNumber>,
    /// How the hero's sheet has changed.
    changes: Vec<String>,
    phase: &'static str,
    win: Option<Number>,
}

impl LogEntry {
    pub fn new(
        offered: &OfferedBook,
        play: &Play<'_>,
        step: Option<&Step>,
        text: String,
        before: Option<&Belongings>,
    ) -> Self {
        let kind = match step {
            None => "begin",
            Some(Step::Answer(_)) => "answer",
            Some(Step::Rolled(_)) => "chance",
            Some(Step::Correct(_)) => "correction",
        };
        let phase = play.phase();
        // The dead have nothing.
        let before = before.filter(|_| !matches!(phase, Phase::Over(End::Dead(_))));
        let passed = play.passed().map(|passed| passed.section);
        Self {
            step: step.map(ToString::to_string),
            kind,
            text: if text.is_empty() && kind == "answer" { leads(offered, play.section()) } else { text },
            section: play.section(),
            passed: passed.collect(),
            changes: before.map(|before| play.belongings().since(before)).unwrap_or_default(),
            phase: word(phase),
            win: win(play),
        }
    }
}

/// An answer without words.
fn leads(offered: &OfferedBook, section: SectionNumber) -> String {
    format!("go on to {}", offered.book.section_text(section))
}

/// The chance to win where a walk is, if it is known.
fn win(play: &Play<'_>) -> Option<Number> {
    play.win().as_ref().map(Number::from)
}

/// The word of JSON for who acts next, or for how play ended.
fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Question => "question",
        Phase::Chance => "chance",
        Phase::Over(End::Won(_)) => "won",
        Phase::Over(End::Dead(_)) => "dead",
        Phase::Over(End::Endless) => "endless",
    }
}

/// The last position of the walk.
#[derive(Serialize)]
pub struct Now {
    /// `question`, `chance`, `won`, `dead` or `endless`.
    phase: &'static str,
    section: SectionNumber,
    win: Option<Number>,
    /// The sections that are read now, the one in which the hero is last.
    read: Vec<ReadJson>,
    answers: Vec<AnswerJson>,
    chance: Option<ChanceJson>,
    fighting: bool,
    enemies: Vec<EnemyJson>,
    /// The combat ratio of a fight by Lone Wolf's rules.
    ratio: Option<i32>,
    sheet: Vec<LineJson>,
    /// In a series, the hero at this place of the book at hand alone.
    alone: Option<AdviseQuestion>,
}

/// A section with its text, if there is one.
#[derive(Serialize)]
struct ReadJson {
    section: SectionNumber,
    text: Option<Vec<Paragraph>>,
}

#[derive(Serialize)]
struct AnswerJson {
    label: String,
    section: Option<SectionNumber>,
    /// What best play does at once after it, where it only makes room for that.
    then: Option<String>,
    win: Option<Number>,
    /// `null` without odds.
    best: Option<bool>,
    /// Its standing beside the answer of best play: `first`, `equal`, `leads-back` or `worse`; `null` without odds.
    standing: Option<&'static str>,
}

#[derive(Serialize)]
struct ChanceJson {
    /// What is to be picked or rolled.
    asks: String,
    /// How dice can be typed.
    typed: String,
    /// Whether the number of a prospect is what is typed for it.
    listed: bool,
    prospects: Vec<ProspectJson>,
}

#[derive(Serialize)]
struct ProspectJson {
    number: i32,
    text: String,
    probability: f64,
    win: Option<Number>,
}

#[derive(Serialize)]
struct EnemyJson {
    name: String,
    stats: Vec<(String, i32)>,
}

#[derive(Serialize)]
struct LineJson {
    name: String,
    kind: &'static str,
    now: i32,
    least: i32,
    most: i32,
}

impl Now {
    pub fn new(gamebooks: &Gamebooks, offered: &OfferedBook, question: &gamebook::Question, play: &Play<'_>) -> Self {
        let (phase, section) = (play.phase(), play.section());
        let mut read: Vec<SectionNumber> = play.passed().map(|passed| passed.section).collect();
        if read.last() != Some(&section) {
            read.push(section);
        }
        let mut known = BTreeSet::new();
        let read = read.into_iter().filter(|section| known.insert(*section));
        let fight = play.fight().filter(|_| !matches!(phase, Phase::Over(_)));
        let sheet = match phase {
            Phase::Over(End::Dead(_)) => Vec::new(),
            _ => play.sheet(offered.at_hand(play), question),
        };
        Self {
            phase: word(phase),
            section,
            win: win(play),
            read: read.map(|section| ReadJson { section, text: offered.paragraphs(section) }).collect(),
            answers: answers(play),
            chance: play.chance().map(|chance| ChanceJson::new(offered, chance)),
            fighting: play.is_fighting(),
            enemies: enemies(play, fight.as_ref()),
            ratio: fight.and_then(|fight| fight.ratio),
            alone: AdviseQuestion::alone(gamebooks, offered, play, &sheet),
            sheet: sheet.into_iter().map(LineJson::from).collect(),
        }
    }
}

fn answers(play: &Play<'_>) -> Vec<AnswerJson> {
    let mut hints = play.hints().into_iter();
    let answer = |(label, section)| {
        let hint = hints.next();
        AnswerJson {
            label,
            section,
            win: hint.as_ref().and_then(|hint| hint.win.as_ref()).map(Number::from),
            best: hint.as_ref().map(|hint| hint.best),
            standing: hint.as_ref().map(|hint| hint.standing.name()),
            then: hint.and_then(|hint| hint.then),
        }
    };
    play.answers().into_iter().map(answer).collect()
}

/// Whom the hero fights: by Lone Wolf's rules one, by a system of rules all who stand.
fn enemies(play: &Play<'_>, fight: Option<&FightNow>) -> Vec<EnemyJson> {
    let own = fight.map(|fight| EnemyJson {
        name: fight.name.clone(),
        stats: vec![("combat skill".into(), fight.combat_skill), ("endurance".into(), fight.endurance.into())],
    });
    let all = match play.phase() {
        Phase::Over(_) => Vec::new(),
        _ => play.enemies(),
    };
    own.into_iter().chain(all.into_iter().map(|own| EnemyJson { name: own.name, stats: own.stats })).collect()
}

impl ChanceJson {
    fn new(offered: &OfferedBook, chance: Chance) -> Self {
        let (asks, typed) = (chance.asks(), chance.how_dice_are_typed());
        let listed = !matches!(chance, Chance::Dice { .. });
        let prospects = chance.prospects().into_iter().map(|(number, prospect)| ProspectJson {
            number,
            text: prospect.text(&offered.book),
            probability: prospect.probability,
            win: prospect.win.as_ref().map(Number::from),
        });
        Self { asks, typed, listed, prospects: prospects.collect() }
    }
}

impl From<SheetLine> for LineJson {
    fn from(SheetLine { name, kind, now, least, most }: SheetLine) -> Self {
        let kind = match kind {
            SheetKind::CombatSkill => "combat-skill",
            SheetKind::Endurance => "endurance",
            SheetKind::Gold => "gold",
            SheetKind::Item => "item",
            SheetKind::Flag => "flag",
            SheetKind::Stat => "stat",
            SheetKind::Initial => "initial",
            SheetKind::Counter => "counter",
        };
        Self { name, kind, now, least, most }
    }
}
