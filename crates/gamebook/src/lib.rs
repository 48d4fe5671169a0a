//! Gamebooks: a language for them, and their exact solution.
//!
//! A text in the book language is [`read`] into a [`Book`]. A [`Question`] asks about a book: which hero, from where to where.
//! [`Solved`] knows its answer: the probability to win, what each choice is worth, and, by its [`Journey`], where heroes die.
//! [`check`] tells an author what is wrong with a book, [`Play`] plays it, [`Map`] draws it.
//!
//! ```
//! use gamebook::{Question, Solved, built_in, read};
//! use mdp::ExploreOptions;
//!
//! let (book, warnings) = read(built_in("fire-on-the-water").unwrap())?;
//! // From the section before the last.
//! let question = Question { start: 225, ..Question::new(&book) };
//! let solved = Solved::new(&book, &question, &ExploreOptions::default())?;
//! assert_eq!(solved.win().decimal(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod check;
mod export;
mod first_choices;
mod follow;
mod links;
mod lower;
mod machine;
mod map;
mod mentions;
mod passes;
mod places;
mod play;
mod program;
mod quiet;
mod reading;
mod report;
mod sections;
mod solve;
mod syntax;
mod terms;
mod texts;

pub use book::{
    Action, ActionTime, Battle, Book, Bundles, Case, Choice, Condition, Container, Counter, DISCIPLINES, Define,
    Discipline, Draft, Enemy, EnemyStat, Event, Fight, FightLocal, Fights, Forget, Hero, HeroError, Item, ItemId,
    KaiRules, Kind, Kinder, Learns, Leaves, Local, LocalId, Made, Making, Node, NodeKind, Number, Order, Pick, Policy,
    PolicyKind, PolicyRule, Reading, Roll, RollCase, RolledStat, Rule, Section, Series, SeriesBook, Situation, System,
    Target, Test, Thing, Trade, Variable, VariableKind, VariableRef, Weapon, When, said_disciplines,
};
pub use check::{check, check_hero, check_policy};
pub use export::Twee;
pub use first_choices::FirstChoice;
pub use links::{SectionLink, section_links};
pub use lower::CompileError;
pub use machine::Machine;
pub use map::{BOX, Figures, Layout, Map, Place, Visit, Way, layout};
pub use mentions::{Mention, MentionKind};
pub use passes::{Analyses, EndlessLoop};
pub use places::{NoNumber, NumberPlace, number_named, numbers};
pub use play::{
    Chance, Corrected, End, FightNow, Look, NoStep, Passed, Play, PlayError, Prospect, Rolled, SheetKind, SheetLine,
    Step,
};
pub use program::{State, TooMuchToRemember};
pub use quiet::quiet;
pub use reading::{read, read_beside, read_series, read_within};
pub use report::{ChoiceVerdict, Odds, Player, Report, Variant, Worth};
pub use sections::Outline;
pub use solve::{
    Advice, AnswerGuide, BUILT_IN, BUILT_IN_SERIES, Belongings, BestPlay, BookReached, Crowd, CrowdedSection, Ends,
    EnemyNow, Fares, Guide, HeroChoice, HeroGroup, HeroSaid, InMemory, Journey, Keep, KnownBounds, Learned, Length,
    MadeHero, Question, QuestionGuide, Reader, Rolls, SAY_AS_THEN, Sample, SectionGuide, SectionVisit, SeriesQuestion,
    Shelf, SituationGuide, SolveBookError, Solved, SolvedSeries, Spread, StatNow, built_in, hero_layout, heroes_asked,
    known_bounds, roll_chance,
};
pub use syntax::{
    ArgumentError, Beside, Lines, Problem, Problems, ReadError, ReadSeriesError, Severity, did_you_mean, is_series,
    policy_named, read_disciplines, read_flags, read_forgets, read_items, read_leaving, read_policy, read_readings,
    read_system_flags, read_values,
};
pub use terms::{Comparison, Dice, Operator, SectionNumber};
pub use texts::{Piece, text_pieces};
