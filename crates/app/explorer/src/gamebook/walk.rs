//! A book walked through step by step. The server keeps no walk: a question says how it began and what was done.
//!
//! A walk is a list of steps that each question goes through again, over a solved book from a shelf of its own
//! (`walk_session.rs`); a correction of the sheet begins another such session. In a series each section that is entered also
//! carries the question about that book alone, which is all that a link to that book's own walk needs. `question/steps.rs`
//! reads the steps of books and models.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use gamebook::{Analyses, Belongings, Look, Play, PlayError, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::advise::AdviseQuestion;
use super::names::unlisted;
use super::registry::{Gamebooks, OfferedBook, Origin};
use super::walk_answer::{Done, Now};
use super::walk_session::{self, Finding};
use crate::question::{Problem, Question, Run, steps};

/// Numbers that are typed or corrected at once.
const MOST_NUMBERS: usize = 200;
/// A fight that is fought by itself stops after so many steps.
const MOST_IN_A_FIGHT: usize = 500;

/// A walk, and what is done next in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkQuestion {
    /// Where it began, and as whom: without a section at the beginning of the book.
    here: AdviseQuestion,
    /// What was done, as answers tell it.
    #[serde(default)]
    steps: Vec<String>,
    /// What is done now.
    #[serde(default)]
    act: Option<Act>,
    /// So many entries of the log are known to who asks.
    #[serde(default)]
    since: usize,
    /// Whether the odds are wanted: then the book is solved.
    #[serde(default = "yes")]
    odds: bool,
    /// Decides what is rolled.
    #[serde(default)]
    seed: Option<u64>,
}

const fn yes() -> bool {
    true
}

/// What is done in a walk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// This answer, counted from 1.
    Answer(usize),
    /// Chance decides.
    Roll,
    /// Chance brought this: what was picked, what the dice show, or which outcome.
    Typed(Vec<u64>),
    /// On to the end of the fight.
    Fight,
    /// Numbers on the hero's sheet are others.
    Correct(BTreeMap<String, i32>),
}

/// A walk, told.
#[derive(Serialize)]
pub struct WalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// From the first entry that was not known on.
    log: Vec<Done>,
    now: Now,
    /// What is left to do in the book, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// A walk while it is gone again.
struct Walk<'a> {
    question: &'a WalkQuestion,
    offered: &'a OfferedBook,
    steps: Vec<Step>,
    log: Vec<Done>,
    entries: usize,
}

/// What stands in the way of a step.
fn wrong(play: &Play<'_>, error: PlayError, place: usize) -> Problem {
    let help = match play.look() {
        Look::Chance => play.chance().map(|chance| chance.asks()).unwrap_or_default(),
        Look::Question => format!("there are answers 1 to {}", play.answers().len()),
        Look::Over(_) => "play is over here: take something back".into(),
    };
    Problem::impossible(format_args!("step {}: {error}", place + 1), help)
}

impl Walk<'_> {
    /// Adds an entry to the log, unless it is known.
    fn note(&mut self, entry: impl FnOnce(&OfferedBook) -> Done) {
        if self.entries >= self.question.since {
            self.log.push(entry(self.offered));
        }
        self.entries += 1;
    }

    /// Notes a step that was done.
    fn done(&mut self, play: &Play<'_>, step: Step, told: String, before: Option<&Belongings>) {
        self.note(|offered| Done::new(offered, play, Some(&step), told, before));
        self.steps.push(step);
    }

    /// Does a step and notes it.
    fn take(&mut self, play: &mut Play<'_>, step: Step) -> Result<(), Problem> {
        let (before, place) = (self.before(play), self.steps.len());
        let told = play.take(&self.offered.book, &step).map_err(|error| wrong(play, error, place))?;
        self.done(play, step, told, before.as_ref());
        Ok(())
    }

    /// What the hero has, where an entry wants to know what changed.
    fn before(&self, play: &Play<'_>) -> Option<Belongings> {
        (self.entries >= self.question.since).then(|| play.belongings())
    }

    /// Does what is to be done now; returns numbers to be corrected.
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
                let told = chance.map(|chance| chance.came(book, fight.as_ref(), &rolled)).unwrap_or_default();
                self.done(play, Step::Rolled(rolled), told, before.as_ref());
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
                    let told = match &step {
                        Step::Rolled(rolled) => chance.map(|chance| chance.came(book, fight.as_ref(), rolled)),
                        Step::Answer(answer) => labels.into_iter().nth(*answer).map(|(label, _)| label),
                        Step::Correct(_) => None,
                    };
                    self.done(play, step, told.unwrap_or_default(), before.as_ref());
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
            return Err(Problem::impossible("there are too many numbers", format_args!("say at most {MOST_NUMBERS}")));
        }
        steps::read(&self.steps, self.since, self.act.is_some(), "steps are written as the answers tell them")
    }

    /// Goes the walk again, and does what is to be done; `None` where something that it needs is not kept.
    fn walk(&self, gamebooks: &Gamebooks, finding: Finding<'_>) -> Result<Option<WalkAnswer>, Problem> {
        let offered = gamebooks.walked(&self.here.book)?;
        let mut question = self.here.walked(offered)?;
        if !self.odds {
            // Nothing is solved: it need not be made small.
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
            walk.note(|offered| Done::new(offered, &play, step.as_ref(), String::new(), before.as_ref()));
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
        // What is wrong is said by who answers in his turn.
        if steps::are_few(&self.steps, self.since) {
            self.walk(gamebooks, Finding::Kept(gamebooks)).ok()?
        } else {
            None
        }
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<WalkAnswer, Problem> {
        let told = self.walk(gamebooks, Finding::Now(gamebooks, run))?;
        told.ok_or_else(|| Problem::internal("a walk that was to be found is not"))
    }
}
