//! Gamebooks: a language for them, and their exact solution.
//!
//! [`read`] parses a text in the book language into a [`Book`]. A [`Question`] adds the hero, the start and the goals.
//! [`Solved`] is its solution: the probability of winning, the worth of each choice, and, by its [`Journey`], where heroes die.
//! [`check`] finds an author's mistakes, [`Play`] plays a book, [`Map`] draws it.
//!
//! The modules form a pipeline: a text is parsed (`syntax`) into a book (`book`); a book and a hero are lowered (`lower`) to a
//! program (`program`); passes (`passes`) reduce it; a machine (`machine`) executes it for the engine; solutions (`solve`) are
//! presented to authors and players (`author`). The crate knows no command, page or file. Start with `book.rs`, then
//! `program.rs`, then [`Question`], where everything meets.
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

mod author;
mod book;
mod lower;
mod machine;
mod passes;
mod program;
mod solve;
mod syntax;
mod terms;

pub use author::{
    BOX, BUILT_IN, BUILT_IN_SERIES, Chance, ChoiceVerdict, Corrected, End, EnteredSection, FightNow, Figures,
    FirstChoice, KnownBounds, Layout, Map, MapLink, Mention, MentionKind, NoNumber, NoStep, NumberPlace, Odds, Outline,
    Phase, Piece, Play, PlayError, Player, Prospect, Report, Rolled, SectionLink, SectionPosition, SheetKind,
    SheetLine, Step, Twee, Variant, Visit, Worth, built_in, check, check_hero, check_policy, known_bounds, layout,
    number_named, numbers, quiet, read, read_beside, read_series, read_within, section_links, text_pieces,
};
pub use book::{
    Action, ActionTime, Battle, Book, Bundles, Case, Choice, Circle, Condition, Container, Counter, DISCIPLINES,
    Define, Discipline, Draft, Edition, Enemy, EnemyStat, Event, Fight, FightLocal, Fights, Forget, Hero, HeroCreation,
    HeroError, HeroQuantity, Item, ItemId, ItemKind, ItemStat, KaiRules, Kind, Kinder, Learns, Leaves, Local, LocalId,
    Node, NodeKind, Number, NumberTable, Order, Pick, Policy, PolicyKind, PolicyRule, Reading, Roll, RollCase,
    RolledStat, Rule, Section, Series, SeriesBook, Situation, SkillIn, System, Taken, Target, Test, Thing, Trade,
    Traits, Variable, VariableKind, VariableRef, Weapon, When, Wield, discipline_names,
};
pub use lower::CompileError;
pub use machine::Machine;
pub use passes::{Analyses, EndlessLoop};
pub use program::{State, StateTooLarge};
pub use solve::{
    Advice, AnswerGuide, Belongings, BestPlay, BookReached, Ends, EnemyNow, Guide, HeroChoice, HeroGroup,
    HeroOverrides, HeroSink, InMemory, Journey, Learned, Length, NumberStatistics, OPTIONS_TO_REPEAT, Question,
    QuestionGuide, Reader, ReaderResult, RolledHero, Rolls, SKILLS_COLUMN, Sample, SectionGuide, SectionStates,
    SectionVisit, SeriesQuestion, Shelf, SituationGuide, SolveBookError, Solved, SolvedSeries, StatNow, StateHistogram,
    hero_layout, heroes_asked, roll_chance,
};
pub use syntax::{
    ArgumentError, Beside, Lines, Problem, Problems, ReadError, ReadSeriesError, Severity, did_you_mean, is_series,
    policy_named, read_disciplines, read_flags, read_forgets, read_items, read_leaving, read_policy, read_readings,
    read_skills, read_system_flags, read_values,
};
pub use terms::{Comparison, Dice, Operator, SectionNumber};
