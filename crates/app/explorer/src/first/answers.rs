//! What the first page shows, found once: the answers of the endpoints that the other pages ask.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use gamebook::{Journey, SectionNumber, SectionVisit};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::fighting_fantasy::FightQuestion;
use crate::gamebook::{Gamebooks, OfferedBook, SolveQuestion};
use crate::question::{Jobs, Problem, Question, Size};
use crate::slay_the_spire::PositionQuestion;

/// How long a visitor waits for them; the page says later what is not found by then.
const PATIENCE: Duration = Duration::from_millis(900);

/// The built-in book that is shown where the first book takes longer than a moment.
const USUAL: &str = "fire-on-the-water";

/// The hero of the fight: stamina, and skill and luck, which have sliders.
pub const STAMINA: u32 = 24;
pub const SKILL: u32 = 11;
pub const LUCK: u32 = 9;
/// The enemy, skill and stamina.
pub const ENEMY: &str = "14/12";

/// The position of the hand, as a file of the command has it.
pub const POSITION: &str = r#"{"hp": 30, "hand": {"strike": 2, "defend": 2, "bash": 1}, "draw": {"strike": 3, "defend": 2}, "enemies": [{"kind": "jaw_worm", "hp": 42, "intent": "chomp"}]}"#;

/// What is found; nothing in place of what the limits of the server forbid.
#[derive(Clone, Default)]
pub struct Found {
    pub book: Option<SolvedBook>,
    pub fight: Option<Value>,
    pub hand: Option<Value>,
    /// The book is still to be solved.
    pub is_at_work: bool,
}

/// A book solved for its own hero.
#[derive(Clone)]
pub struct SolvedBook {
    pub offered: OfferedBook,
    pub win: f64,
    /// Where heroes die, the most dangerous section first.
    pub deaths: Vec<(SectionNumber, f64)>,
    pub sections: Vec<SectionVisit>,
    /// The likeliest play that wins.
    pub way: Vec<SectionNumber>,
}

/// How far the search for them is, with what is found.
#[derive(Clone)]
enum Stage {
    Idle,
    Begun(Arc<Found>),
    Done(Arc<Found>),
}

/// The answers of the first page, found once.
pub struct FirstAnswers {
    jobs: Arc<Jobs>,
    gamebooks: Arc<Gamebooks>,
    stage: watch::Sender<Stage>,
}

impl FirstAnswers {
    pub fn new(jobs: Arc<Jobs>, gamebooks: Arc<Gamebooks>) -> Self {
        Self { jobs, gamebooks, stage: watch::Sender::new(Stage::Idle) }
    }

    /// Begins to find them, where nobody has.
    pub fn begin(self: &Arc<Self>) {
        let nothing = Found { is_at_work: true, ..Found::default() };
        let begins = self.stage.send_if_modified(|stage| {
            let is_idle = matches!(stage, Stage::Idle);
            if is_idle {
                *stage = Stage::Begun(Arc::new(nothing));
            }
            is_idle
        });
        if begins {
            let own = Arc::clone(self);
            tokio::spawn(async move {
                // A server that has too much to do now is asked again by the next visitor.
                let stage = own.find().await.map_or(Stage::Idle, |found| Stage::Done(Arc::new(found)));
                own.stage.send_replace(stage);
            });
        }
    }

    /// They, or what is there of them in a moment.
    pub async fn soon(self: &Arc<Self>) -> Arc<Found> {
        self.begin();
        let mut stage = self.stage.subscribe();
        let over = stage.wait_for(|stage| !matches!(stage, Stage::Begun(_)));
        // Who has waited enough sees what is there.
        let _ = tokio::time::timeout(PATIENCE, over).await;
        match &*self.stage.borrow() {
            Stage::Begun(found) | Stage::Done(found) => Arc::clone(found),
            Stage::Idle => Arc::default(),
        }
    }

    async fn find(&self) -> Result<Found, Problem> {
        let small = async {
            let fight = json!({"skill": SKILL, "stamina": STAMINA, "luck": LUCK, "enemies": [ENEMY]});
            let position: Value = serde_json::from_str(POSITION).map_err(Problem::internal)?;
            let fight = self.ask::<FightQuestion>(fight).await?;
            let hand = self.ask::<PositionQuestion>(json!({ "position": position })).await?;
            let found = Found { book: None, fight, hand, is_at_work: true };
            self.stage.send_replace(Stage::Begun(Arc::new(found.clone())));
            Ok::<_, Problem>(found)
        };
        let (small, book) = join(small, self.book()).await;
        Ok(Found { book: book?, is_at_work: false, ..small? })
    }

    /// The answer to a small question about nothing that the server has, as its endpoint gives it.
    async fn ask<Q: Question<Context = ()>>(&self, question: Value) -> Result<Option<Value>, Problem> {
        let question: Q = serde_json::from_value(question).map_err(Problem::internal)?;
        let mut job = self.jobs.start(Size::Small, move |run| {
            let answer = question.answer(run, &())?;
            serde_json::to_value(answer).map_err(Problem::internal)
        })?;
        Ok(job.result().await.ok())
    }

    /// The first book, if it is solved in a moment, or else the usual one.
    async fn book(&self) -> Result<Option<SolvedBook>, Problem> {
        let books = &self.gamebooks.books;
        let first = books.first().filter(|first| first.name != USUAL).map(|first| (first, Size::Trial));
        let usual = books.iter().find(|book| book.name == USUAL).map(|usual| (usual, Size::Large));
        for (offered, size) in first.into_iter().chain(usual) {
            let question = SolveQuestion::of(&offered.name);
            let gamebooks = Arc::clone(&self.gamebooks);
            let mut job = self.jobs.start(size, move |run| question.journey(run, &gamebooks))?;
            if let Ok((win, Journey { deaths, sections, way, .. })) = job.result().await {
                return Ok(Some(SolvedBook { offered: offered.clone(), win: win.decimal, deaths, sections, way }));
            }
        }
        Ok(None)
    }
}
