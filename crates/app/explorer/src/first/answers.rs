//! The answers that the first page shows, computed once, by the endpoints of the other pages.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::solved_book::SolvedBook;
use crate::fighting_fantasy::FightQuestion;
use crate::gamebook::{Gamebooks, SolveQuestion};
use crate::question::{Jobs, Problem, Question, Size};
use crate::slay_the_spire::PositionQuestion;

/// How long a visitor waits for them; a later page shows those that take longer.
const PATIENCE: Duration = Duration::from_millis(900);

/// The built-in book that is shown unless another book comes first and is solved in a moment. Its answer is stored.
const USUAL: &str = "fire-on-the-water";

/// The hero of the fight: stamina, and skill and luck, which have sliders.
pub const STAMINA: u32 = 24;
pub const SKILL: u32 = 11;
pub const LUCK: u32 = 9;
/// The enemy, skill and stamina.
pub const ENEMY: &str = "14/12";

/// The position of the hand, as a file of the command has it.
pub const POSITION: &str = r#"{"hp": 30, "hand": {"strike": 2, "defend": 2, "bash": 1}, "draw": {"strike": 3, "defend": 2}, "enemies": [{"kind": "jaw_worm", "hp": 42, "intent": "chomp"}]}"#;

/// The answers so far; `None` where a limit of the server forbids one.
#[derive(Clone, Default)]
pub struct Found {
    pub book: Option<SolvedBook>,
    pub fight: Option<Value>,
    pub hand: Option<Value>,
    /// Whether further answers are being computed.
    pub is_at_work: bool,
}

/// The progress of computing them, with the answers so far.
#[derive(Clone)]
enum Stage {
    Idle,
    Begun(Arc<Found>),
    Done(Arc<Found>),
}

/// The answers of the first page, computed once.
pub struct FirstAnswers {
    jobs: Arc<Jobs>,
    gamebooks: Arc<Gamebooks>,
    stage: watch::Sender<Stage>,
}

impl FirstAnswers {
    pub fn new(jobs: Arc<Jobs>, gamebooks: Arc<Gamebooks>) -> Self {
        Self { jobs, gamebooks, stage: watch::Sender::new(Stage::Idle) }
    }

    /// Begins to compute them, unless that has begun.
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
                // If the server is too busy now, the next visitor tries again.
                let stage = own.find().await.map_or(Stage::Idle, |found| Stage::Done(Arc::new(found)));
                own.stage.send_replace(stage);
            });
        }
    }

    /// The answers, or those that are there in a moment.
    pub async fn soon(self: &Arc<Self>) -> Arc<Found> {
        self.begin();
        let mut stage = self.stage.subscribe();
        let over = stage.wait_for(|stage| !matches!(stage, Stage::Begun(_)));
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
            self.show(|found| (found.fight, found.hand) = (fight, hand));
            Ok::<_, Problem>(())
        };
        let book = async {
            let book = self.book().await?;
            self.show(|found| found.book = book);
            Ok::<_, Problem>(())
        };
        let (small, book) = join(small, book).await;
        small.and(book)?;
        let Stage::Begun(found) = &*self.stage.borrow() else { return Ok(Found::default()) };
        Ok(Found { is_at_work: false, ..Found::clone(found) })
    }

    /// Adds to the answers so far.
    fn show(&self, add: impl FnOnce(&mut Found)) {
        self.stage.send_modify(|stage| {
            if let Stage::Begun(found) = stage {
                add(Arc::make_mut(found));
            }
        });
    }

    /// The answer of an endpoint to a small question about none of the server's files.
    async fn ask<Q: Question<Context = ()>>(&self, question: Value) -> Result<Option<Value>, Problem> {
        let question: Q = serde_json::from_value(question).map_err(Problem::internal)?;
        let mut job = self.jobs.start(Size::Small, move |run| {
            let answer = question.answer(run, &())?;
            serde_json::to_value(answer).map_err(Problem::internal)
        })?;
        Ok(job.result().await.ok())
    }

    /// The first book, if it is solved in a moment, or else the usual one, with its stored answer if the limits allow it.
    async fn book(&self) -> Result<Option<SolvedBook>, Problem> {
        let books = &self.gamebooks.books;
        let first = books.first().filter(|first| first.name != USUAL).map(|first| (first, Size::Trial));
        let usual = books.iter().find(|book| book.name == USUAL).map(|usual| (usual, Size::Large));
        for (offered, size) in first.into_iter().chain(usual) {
            let stored = SolvedBook::stored(offered, self.jobs.ceilings().states);
            if stored.is_some() {
                return Ok(stored);
            }
            let question = SolveQuestion::of(&offered.name);
            let gamebooks = Arc::clone(&self.gamebooks);
            let mut job = self.jobs.start(size, move |run| question.journey(run, &gamebooks))?;
            if let Ok((win, journey)) = job.result().await {
                return Ok(Some(SolvedBook::new(offered.clone(), win.decimal, journey)));
            }
        }
        Ok(None)
    }
}
