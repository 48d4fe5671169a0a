//! Solving many heroes: all that the rules allow, each with its probability of winning.
//!
//! Heroes with the same disciplines and equipment, who differ only in their rolls, form a group. A group is solved at once
//! (`heroes/together.rs`): one exploration serves all its ENDURANCEs and COMBAT SKILLs.
//!
//! - *ENDURANCE*: a hero who begins with some points less has as many less everywhere, and is dead where the strongest has no
//!   more left than the difference (`lower/lone_wolf/share_endurance.rs`, `machine/weaker.rs`). Where more depends on it, a
//!   section first splits the heroes.
//! - *COMBAT SKILL* decides only fights. Outcomes are recorded for all heroes; the weights are tagged, and the tag gives the
//!   probability for each hero (`program/skills.rs`). The engine solves ten heroes in one sweep.
//!
//! Where a book does not allow this, smaller groups are solved together, in the end single heroes. Groups that the book does
//! not distinguish are found by comparing their programs.

mod choice;
mod together;

use std::hash::{Hash, Hasher};

use budget::Budget;
use dashu_int::UBig;
use mdp::advanced::VariantSolver;
use mdp::rows::explore_by_rows;
use mdp::{ExploreOptions, Rational, SolveOptions, Value, solve};
use rustc_hash::FxHasher;
use solved_table::{Cell, Layout};

use super::question::Question;
use super::solve_error::SolveBookError;
use super::solved::{Solved, probability};
use crate::book::{Book, Hero, HeroQuantity, System};
use crate::lower::{Others, compile};
use crate::program::{MOST_SKILLS, Starting};
use crate::syntax::{disciplines_text, items_text, or_none};
use crate::terms::Dice;
use together::HeroesTogether;

pub use choice::HeroChoice;

/// Receives the heroes who were solved together: their indexes among the rolls of the group, and their probabilities of
/// winning. An error stops the computation.
pub type HeroSink<'a> = &'a mut dyn FnMut(&[(usize, Value)]) -> Result<(), SolveBookError>;

/// Heroes who differ only in the numbers on their sheets.
#[derive(Clone, Debug)]
pub struct HeroGroup {
    /// The question about them.
    pub question: Question,
    /// For each hero the numbers that replace those in the question.
    pub rolls: Vec<Vec<(HeroQuantity, i32)>>,
}

/// The dice for a number of the hero, if it is rolled: as the book says, or else its rules.
fn dice_of(book: &Book, quantity: HeroQuantity) -> Option<&Dice> {
    let own = book.creation.rolled.iter().find(|(other, _)| *other == quantity).map(|(_, dice)| dice);
    own.or_else(|| match (quantity, &book.system) {
        (HeroQuantity::CombatSkill, None) => Some(&book.kai.combat_skill.from),
        (HeroQuantity::Endurance, None) => Some(&book.kai.endurance.from),
        (HeroQuantity::Variable(own), Some(system)) => system.variables[own].from.as_ref(),
        _ => None,
    })
}

/// The probability that a number of the hero is rolled, as a decimal; `None` if it is not rolled.
pub fn roll_chance(book: &Book, quantity: HeroQuantity, number: i32) -> Option<f64> {
    let totals = dice_of(book, quantity)?.totals();
    let all: UBig = totals.iter().map(|(_, ways)| ways).sum();
    let ways = totals.into_iter().find(|(total, _)| *total == number).map_or(UBig::ZERO, |(_, ways)| ways);
    Some(mdp::nearest(&Rational::from_parts(ways.into(), all)))
}

impl HeroGroup {
    /// Groups heroes under the same question; each group comes with the indexes of its heroes, roll by roll.
    ///
    /// ```
    /// use gamebook::{Hero, HeroGroup, Question, built_in, read};
    ///
    /// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
    /// let own = book.hero.clone();
    /// let heroes = [Hero { gold: 0, ..own.clone() }, own.clone(), Hero { endurance: 20, ..own }];
    /// let groups = HeroGroup::of(&Question::new(&book), &heroes);
    /// let places: Vec<_> = groups.iter().map(|(_, places)| places.clone()).collect();
    /// assert_eq!(places, [vec![0], vec![1, 2]]);
    /// ```
    pub fn of(question: &Question, heroes: &[Hero]) -> Vec<(Self, Vec<usize>)> {
        let mut groups: Vec<(Self, Vec<usize>)> = Vec::new();
        for (place, hero) in heroes.iter().enumerate() {
            let Hero { combat_skill, endurance, .. } = *hero;
            let alike =
                |group: &(Self, Vec<usize>)| Hero { combat_skill, endurance, ..group.0.question.hero.clone() } == *hero;
            let own = groups.iter().position(alike).unwrap_or_else(|| {
                let question = Question { hero: hero.clone(), ..question.clone() };
                groups.push((Self { question, rolls: Vec::new() }, Vec::new()));
                groups.len() - 1
            });
            let (group, places) = &mut groups[own];
            group
                .rolls
                .push(vec![(HeroQuantity::CombatSkill, combat_skill), (HeroQuantity::Endurance, endurance.into())]);
            places.push(place);
        }
        groups
    }

    /// The question about one of them.
    pub fn question_of(&self, book: &Book, roll: usize) -> Question {
        let mut question = self.question.clone();
        for (quantity, number) in &self.rolls[roll] {
            quantity.give(book, &mut question, *number);
        }
        question
    }

    /// The table cells of one of them (see [`hero_layout`]). Equal heroes have equal cells.
    pub fn cells(&self, book: &Book, roll: usize) -> Vec<Cell> {
        let Question { hero, situation, .. } = self.question_of(book, roll);
        if let Some(system) = &book.system {
            let value = |own: usize| {
                let set = situation.values.iter().rev().find(|(other, _)| *other == own);
                set.map_or(system.variables[own].start, |(_, number)| *number)
            };
            let known = system.skills().filter(|skill| value(*skill) > 0);
            let known: Vec<String> = known.map(|skill| system.variables[skill].name.clone()).collect();
            let skills = has_skills(system).then(|| Cell::Names(or_none(&known)));
            let rolled = self.rolls[roll].iter().map(|(_, number)| Cell::Number(*number));
            return skills.into_iter().chain(rolled).collect();
        }
        let (mut disciplines, mut items) = (hero.disciplines, hero.items);
        disciplines.sort();
        items.sort_unstable();
        vec![
            Cell::Number(hero.combat_skill),
            Cell::Number(hero.endurance.into()),
            Cell::Names(disciplines_text(&disciplines, hero.weaponskill.as_deref())),
            Cell::Names(hero.weaponskill.unwrap_or_default()),
            Cell::Number(hero.gold.into()),
            Cell::Names(items_text(book, &items)),
        ]
    }

    /// Solves the book for the heroes of the group that are `wanted`, and calls `found` with those who are solved together:
    /// their indexes among the rolls and their probabilities of winning. The last digits of the bounds depend on which heroes
    /// are solved together. An error of `found` ends it.
    ///
    /// ```
    /// use gamebook::{HeroChoice, Question, read};
    /// use mdp::ExploreOptions;
    ///
    /// let text = r#"
    ///     book "Gate" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; learns 1; }
    ///     section 1 { if "discipline tracking or combat-skill >= 18" { goto 2; }; death; }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let groups = HeroChoice::all(&book, Some("sword")).groups(&book, &Question::new(&book));
    /// assert!(groups.is_err(), "there is no sword in this book");
    /// # let text = text.replace("section 1", "items { weapon sword; }; section 1");
    /// # let (book, _) = read(&text)?;
    /// let mut won = 0;
    /// for group in HeroChoice::all(&book, None).groups(&book, &Question::new(&book))? {
    ///     group.solve(&book, &ExploreOptions::default(), &|_| true, &mut |solved| {
    ///         won += solved.iter().filter(|(_, win)| win.lower == 1.0).count();
    ///         Ok(())
    ///     })?;
    /// }
    /// // All hundred who know tracking, and of each of the other nine sets twenty.
    /// assert_eq!(won, 100 + 9 * 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`], and errors of `found`.
    pub fn solve(
        &self,
        book: &Book,
        options: &ExploreOptions<'_>,
        wanted: &dyn Fn(usize) -> bool,
        found: HeroSink<'_>,
    ) -> Result<(), SolveBookError> {
        let mut solver = VariantSolver::default();
        let mut open: Vec<usize> = (0..self.rolls.len()).filter(|roll| wanted(*roll)).collect();
        // All together if possible, then those with one COMBAT SKILL, then each alone.
        for same in [Self::without_life_and_skill, Self::without_life] {
            let mut left = Vec::new();
            while let Some(first) = open.first().copied() {
                let alike = |roll: &usize| same(self, *roll) == same(self, first);
                let (alike, others): (Vec<usize>, Vec<usize>) = open.into_iter().partition(alike);
                open = others;
                if !self.solve_together(book, &alike, &mut solver, options, found)? {
                    left.extend(alike);
                }
            }
            open = left;
        }
        for roll in open {
            found(&[(roll, win(book, &self.question_of(book, roll), options)?)])?;
        }
        Ok(())
    }

    /// The numbers of one of them without ENDURANCE, and with COMBAT SKILL only to the ten.
    fn without_life_and_skill(&self, roll: usize) -> Vec<(HeroQuantity, i32)> {
        let tens = i32::from(MOST_SKILLS);
        let own = self.without_life(roll).into_iter();
        own.map(|(quantity, number)| {
            (quantity, if quantity == HeroQuantity::CombatSkill { number.div_euclid(tens) } else { number })
        })
        .collect()
    }

    /// The numbers of one of them without ENDURANCE.
    fn without_life(&self, roll: usize) -> Vec<(HeroQuantity, i32)> {
        self.rolls[roll].iter().filter(|(quantity, _)| *quantity != HeroQuantity::Endurance).copied().collect()
    }

    /// Solves for heroes who differ only in ENDURANCE and COMBAT SKILL; returns whether that was possible.
    fn solve_together(
        &self,
        book: &Book,
        rolls: &[usize],
        solver: &mut VariantSolver,
        options: &ExploreOptions<'_>,
        found: HeroSink<'_>,
    ) -> Result<bool, SolveBookError> {
        if rolls.len() < 2 || self.question.exact || book.system.is_some() {
            return Ok(false);
        }
        let heroes: Vec<(i32, u8)> = rolls
            .iter()
            .map(|roll| self.question_of(book, *roll).hero)
            .map(|hero| (hero.combat_skill, hero.endurance))
            .collect();
        let skills = || heroes.iter().map(|(skill, _)| *skill);
        let lives = || heroes.iter().map(|(_, life)| *life);
        let (Some(least_skill), Some(most_skill)) = (skills().min(), skills().max()) else { return Ok(true) };
        let (Some(least_life), Some(most_life)) = (lives().min(), lives().max()) else { return Ok(true) };
        let mut question = self.question_of(book, rolls[0]);
        (question.hero.combat_skill, question.hero.endurance) = (least_skill, most_life);
        let skilled = u8::try_from(most_skill - least_skill).unwrap_or(u8::MAX);
        let others = Others { weaker: most_life - least_life, skilled };
        if skilled >= MOST_SKILLS {
            return Ok(false);
        }
        let wins = match HeroesTogether::new(book, &question, others, options) {
            Ok(Some(together)) => together.wins(solver, options),
            Ok(None) => return Ok(false),
            Err(error) => Err(error),
        };
        let wins = match wins {
            Ok(Some(wins)) => wins,
            Ok(None) => return Ok(false),
            // What is too large together may be small enough alone.
            Err(error) if error.is_too_large() => return Ok(false),
            Err(error) => return Err(error),
        };
        let win = |(roll, (skill, life)): (&usize, &(i32, u8))| {
            let skill = usize::try_from(skill - least_skill).unwrap_or(0);
            (*roll, wins[skill][usize::from(most_life - life)].clone())
        };
        found(&rolls.iter().zip(&heroes).map(win).collect::<Vec<_>>())?;
        Ok(true)
    }

    /// The number of heroes, from the first on, who differ from it at most in ENDURANCE: these are best solved together.
    pub fn alike_in_a_row(&self) -> usize {
        let first = |roll: &usize| self.without_life(*roll) == self.without_life(0);
        (0..self.rolls.len()).take_while(first).count().max(1)
    }

    /// A hash that is the same for groups whose heroes play the same game, because the book does not distinguish them.
    ///
    /// # Errors
    /// As [`Question::machine`].
    pub fn fingerprint(&self, book: &Book, budget: &Budget<'_>) -> Result<u64, SolveBookError> {
        let mut hasher = FxHasher::default();
        let Starting { program, state } = self.starting(book, budget)?;
        (program.start, state).hash(&mut hasher);
        for step in program.steps {
            step.without_labels().hash(&mut hasher);
        }
        Ok(hasher.finish())
    }

    /// Whether the heroes of two groups play the same game: their programs are compared step by step.
    ///
    /// # Errors
    /// As [`Question::machine`].
    pub fn plays_as(&self, other: &Self, book: &Book, budget: &Budget<'_>) -> Result<bool, SolveBookError> {
        if self.rolls != other.rolls {
            return Ok(false);
        }
        let (own, other) = (self.starting(book, budget)?, other.starting(book, budget)?);
        let natives = |starting: &Starting| format!("{:?}", starting.program.natives);
        let groups = |starting: &Starting| format!("{:?}", starting.program.groups);
        let without_labels =
            |starting: Starting| starting.program.steps.into_iter().map(crate::program::Instruction::without_labels);
        let ranges = |starting: &Starting| -> Vec<(i32, i32)> {
            let layout = &starting.program.layout;
            (0..).take(layout.registers()).map(|register| layout.range(register)).collect()
        };
        Ok(own.state == other.state
            && own.program.start == other.program.start
            && own.program.sections == other.program.sections
            && ranges(&own) == ranges(&other)
            && groups(&own) == groups(&other)
            && natives(&own) == natives(&other)
            && without_labels(own).eq(without_labels(other)))
    }

    /// The compiled program of the group's first hero.
    fn starting(&self, book: &Book, budget: &Budget<'_>) -> Result<Starting, SolveBookError> {
        let question = if self.rolls.is_empty() { self.question.clone() } else { self.question_of(book, 0) };
        question.check(book)?;
        Ok(compile(question.quest(book), budget)?)
    }
}

/// The column of a table of heroes that lists the skills they know in a system of rules.
pub const SKILLS_COLUMN: &str = "skills";

/// Whether heroes of a system differ in their skills.
fn has_skills(system: &System) -> bool {
    system.learns.is_some() && system.skills().next().is_some()
}

/// The columns of a table of heroes, in the order of [`HeroGroup::cells`]; in a system of rules these are the skills, if heroes
/// learn any, and the given numbers.
pub fn hero_layout(book: &Book, numbers: &[HeroQuantity], exact: bool) -> Layout {
    let cells = if let Some(system) = &book.system {
        let skills = has_skills(system).then(|| SKILLS_COLUMN.to_string());
        skills.into_iter().chain(numbers.iter().map(|quantity| quantity.name(book))).collect()
    } else {
        ["combat_skill", "endurance", "disciplines", "weaponskill", "gold", "items"].map(String::from).into()
    };
    Layout { lines: "heroes", cells, values: vec!["win"], exact }
}

/// What all heroes of a table have in common: the book, word for word, and the parts of the question that are not columns.
pub fn heroes_asked(book: &Book, question: &Question) -> Vec<(&'static str, String)> {
    let Question { situation, start, goals, exact, hero, .. } = question;
    let mut hasher = FxHasher::default();
    hasher.write(format!("{book:?}").as_bytes());
    vec![
        ("book", format!("{} ({:016x})", book.title, hasher.finish())),
        ("question", format!("{start} {goals:?} {exact} {situation:?} {:?}", hero.lost)),
    ]
}

/// The options that must be repeated to continue a table: [`heroes_asked`].
pub const OPTIONS_TO_REPEAT: &str = "--start, --goal, --lost, --reading, --policy and --exact";

/// The probability of winning of one hero.
fn win(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Value, SolveBookError> {
    if question.exact {
        return Ok(Solved::new(book, question, options)?.win());
    }
    let own = Budget::default();
    let machine = question.machine(book, options.budget.unwrap_or(&own))?;
    let space = explore_by_rows(&machine, options)?;
    let solution = solve(space.model(), &SolveOptions::from(*options))?;
    Ok(probability(solution.value_of(&space.starts()[0])))
}
