//! A walk through a book, step by step. The server stores no walks: each request has the beginning and all steps.
//!
//! Each request repeats the steps, over a solved book from a shelf (`walk_session.rs`); a correction of the sheet begins another
//! session. In a series the answer also has the question about the book at hand alone, which a link to that book's walk needs.
//! `question/steps.rs` reads the steps of books and models.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use gamebook::{Analyses, Belongings, Phase, Play, PlayError, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::advise::AdviseQuestion;
use super::names::unlisted;
use super::registry::{Gamebooks, OfferedBook, Origin};
use super::walk_answer::{LogEntry, Now};
use super::walk_session::{self, Finding};
use crate::question::{Problem, Question, Run, steps};

/// The most numbers that are typed or corrected at once.
const MOST_NUMBERS: usize = 200;
/// The most steps of a fight that the server fights on its own.
const MOST_IN_A_FIGHT: usize = 500;

/// Asks for a walk: its beginning, its steps so far, and what to do next.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkQuestion {
    /// The hero, and the section where the walk began; without a section, the beginning of the book.
    here: AdviseQuestion,
    /// The steps so far, copied from the last answer.
    #[serde(default)]
    steps: Vec<String>,
    /// The next step.
    #[serde(default)]
    act: Option<Act>,
    /// How many entries of the log the client has already.
    #[serde(default)]
    since: usize,
    /// Whether the answer has odds: then the book is solved.
    #[serde(default = "yes")]
    odds: bool,
    /// The seed of the rolls.
    #[serde(default)]
    seed: Option<u64>,
}

const fn yes() -> bool {
    true
}

/// The next step of a walk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// The answer of this number, counted from 1.
    Answer(usize),
    /// The server rolls.
    Roll,
    /// The player's roll: the number picked, the dice, or the number of the outcome.
    Typed(Vec<u64>),
    /// All steps to the end of the fight.
    Fight,
    /// New numbers on the hero's sheet.
    Correct(BTreeMap<String, i32>),
}

#[derive(Serialize)]
pub struct WalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// The entries that the client does not have.
    log: Vec<LogEntry>,
    now: Now,
    /// What is left to do in the book, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// A walk while its steps are repeated.
struct Walk<'a> {
    question: &'a WalkQuestion,
    offered: &'a OfferedBook,
    steps: Vec<Step>,
    log: Vec<LogEntry>,
    entries: usize,
}

/// The problem of a step that is impossible where the walk is.
fn wrong(play: &Play<'_>, error: PlayError, place: usize) -> Problem {
    let help = match play.phase() {
        Phase::Chance => play.chance().map(|chance| chance.asks()).unwrap_or_default(),
        Phase::Question => format!("there are answers 1 to {}", play.answers().len()),
        Phase::Over(_) => "play is over here: undo a step".into(),
    };
    Problem::impossible(format_args!("step {}: {error}", place + 1), help)
}

impl Walk<'_> {
    /// Adds an entry to the log, unless the client has it.
    fn note(&mut self, entry: impl FnOnce(&OfferedBook) -> LogEntry) {
        if self.entries >= self.question.since {
            self.log.push(entry(self.offered));
        }
        self.entries += 1;
    }

    /// Records a step.
    fn done(&mut self, play: &Play<'_>, step: Step, text: String, before: Option<&Belongings>) {
        self.note(|offered| LogEntry::new(offered, play, Some(&step), text, before));
        self.steps.push(step);
    }

    /// Takes a step and records it.
    fn take(&mut self, play: &mut Play<'_>, step: Step) -> Result<(), Problem> {
        let (before, place) = (self.before(play), self.steps.len());
        let text = play.take(&self.offered.book, &step).map_err(|error| wrong(play, error, place))?;
        self.done(play, step, text, before.as_ref());
        Ok(())
    }

    /// What the hero has before a step, if the entry of this step is needed.
    fn before(&self, play: &Play<'_>) -> Option<Belongings> {
        (self.entries >= self.question.since).then(|| play.belongings())
    }

    /// Takes the next step; a correction of the sheet is returned instead.
    fn act(&mut self, play: &mut Play<'_>) -> Result<Option<Step>, Problem> {
        let book = &self.offered.book;
        let place = self.steps.len();
        let refused = |play: &Play<'_>, error| wrong(play, error, place);
        let step = match &self.question.act {
            None => return Ok(None),
            Some(Act::Correct(changes)) => {
                return Ok(Some(Step::Correct(changes.iter().map(|(name, number)| (name.clone(), *number)).collect())));
            }
            Some(Act::Answer(answer)) => {
                let answers = play.answers().len();
                let none = || refused(play, PlayError::NoSuchAnswer(answers));
                Step::Answer(answer.checked_sub(1).ok_or_else(none)?)
            }
            Some(Act::Typed(numbers)) => {
                let chance = play.chance().ok_or_else(|| refused(play, PlayError::NoChance))?;
                let asked = || Problem::impossible("this cannot come up here", chance.asks());
                Step::Rolled(chance.typed(numbers).ok_or_else(asked)?)
            }
            Some(Act::Roll) => {
                let (before, chance, fight) = (self.before(play), play.chance(), play.fight());
                let rolled = play.roll().map_err(|error| refused(play, error))?;
                let text = chance.map(|chance| chance.came(book, fight.as_ref(), &rolled)).unwrap_or_default();
                self.done(play, Step::Rolled(rolled), text, before.as_ref());
                return Ok(None);
            }
            Some(Act::Fight) => {
                if !play.is_fighting() {
                    return Err(Problem::impossible("there is no fight here", "roll, or give an answer"));
                }
                for _ in 0..MOST_IN_A_FIGHT.min(steps::MOST - place) {
                    let (before, chance, fight) = (self.before(play), play.chance(), play.fight());
                    let labels = play.answers();
                    let Some(step) = play.fight_on() else { break };
                    let text = match &step {
                        Step::Rolled(rolled) => chance.map(|chance| chance.came(book, fight.as_ref(), rolled)),
                        Step::Answer(answer) => labels.into_iter().nth(*answer).map(|(label, _)| label),
                        Step::Correct(_) => None,
                    };
                    self.done(play, step, text.unwrap_or_default(), before.as_ref());
                }
                return Ok(None);
            }
        };
        self.take(play, step)?;
        Ok(None)
    }
}

impl WalkQuestion {
    fn read_steps(&self) -> Result<Vec<Step>, Problem> {
        let many = match &self.act {
            Some(Act::Typed(numbers)) => numbers.len(),
            Some(Act::Correct(changes)) => changes.len(),
            _ => 0,
        };
        if many > MOST_NUMBERS {
            return Err(Problem::impossible("there are too many numbers", format_args!("give at most {MOST_NUMBERS}")));
        }
        steps::read(&self.steps, self.since, self.act.is_some(), "copy the steps of an answer")
    }

    /// Repeats the steps of the walk, and then takes the next one; `None` if the shelves lack a session and `finding` allows
    /// no other source.
    fn walk(&self, gamebooks: &Gamebooks, finding: Finding<'_>) -> Result<Option<WalkAnswer>, Problem> {
        let offered = gamebooks.walked(&self.here.book)?;
        let mut question = self.here.walked(offered)?;
        if !self.odds {
            // Nothing is solved, so reductions would not pay.
            question.analyses = Analyses::NONE;
        }
        let done = self.read_steps()?;
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
        let begun = walk_session::key(offered, &question);
        let found = finding.find(&begun, offered, &Origin::Question(&question), self.odds)?;
        let Some(mut session) = found else { return Ok(None) };
        let mut walk = Walk { question: self, offered, steps: Vec::new(), log: Vec::new(), entries: 0 };
        let mut left = done.into_iter();
        let mut entry: Option<(Step, Option<Belongings>)> = None;
        loop {
            let mut play = session.play(seed);
            let (step, before) = entry.take().map_or((None, None), |(step, before)| (Some(step), before));
            walk.note(|offered| LogEntry::new(offered, &play, step.as_ref(), String::new(), before.as_ref()));
            walk.steps.extend(step);
            let mut correction = None;
            for step in left.by_ref() {
                if let Step::Correct(_) = step {
                    correction = Some(step);
                    break;
                }
                walk.take(&mut play, step)?;
            }
            if correction.is_none() && left.as_slice().is_empty() && walk.steps.len() == self.steps.len() {
                correction = walk.act(&mut play)?;
            }
            let Some(Step::Correct(changes)) = correction else {
                let now = Now::new(gamebooks, offered, &question, &play);
                let steps = walk.steps.iter().map(ToString::to_string).collect();
                return Ok(Some(WalkAnswer {
                    format: 1,
                    steps,
                    log: walk.log,
                    now,
                    draft: offered.book.draft.fields(),
                }));
            };
            let corrected = play.corrected(offered.at_hand(&play), &question, &changes).map_err(unlisted)?;
            let step = Step::Correct(changes);
            let all = walk.steps.iter().chain([&step]).map(ToString::to_string).collect::<Vec<_>>().join(" ");
            entry = Some((step, walk.before(&play)));
            question = corrected.question().clone();
            let key = format!("{begun} after {all}");
            drop(play);
            let found = finding.find(&key, offered, &Origin::Corrected(&corrected), self.odds)?;
            let Some(next) = found else { return Ok(None) };
            session = next;
        }
    }
}

impl Question for WalkQuestion {
    type Context = Gamebooks;
    type Answer = WalkAnswer;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        self.here.walked(gamebooks.walked(&self.here.book)?)?;
        self.read_steps().map(|_| ())
    }

    fn may_be_small(&self, gamebooks: &Gamebooks) -> bool {
        gamebooks.walked(&self.here.book).is_ok_and(OfferedBook::is_small)
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<WalkAnswer> {
        // A problem is reported by `answer`, which repeats the walk.
        if steps::are_few(&self.steps, self.since) {
            self.walk(gamebooks, Finding::Kept(gamebooks)).ok()?
        } else {
            None
        }
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<WalkAnswer, Problem> {
        let answer = self.walk(gamebooks, Finding::Now(gamebooks, run))?;
        answer.ok_or_else(|| Problem::internal("a walk has no answer"))
    }
}
