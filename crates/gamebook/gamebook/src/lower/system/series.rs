//! A series of books with one system of rules, lowered to one program: the end of a book leads to the beginning of the next.

use std::collections::BTreeSet;

use budget::Budget;

use super::lowering::{Env, Lowered, Lowering, register_of};
use crate::book::{Book, HeroCreation, HeroQuantity, Series, SeriesBook, Situation, System, VariableKind};
use crate::lower::error::CompileError;
use crate::lower::stage::Stage;
use crate::program::{Label, Register, StageNumbers, Starting, Value};
use crate::terms::SectionNumber;

/// Lowers a series for a hero who begins the book of the first stage in `situation`, in section `start`. Winning the last book
/// wins. `numbers` are the offsets of each stage's section numbers in the program and in reports.
pub(crate) fn lower_series(
    series: &Series,
    stages: &[Stage],
    numbers: &[(SectionNumber, SectionNumber)],
    situation: &Situation,
    start: SectionNumber,
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    let own = |stage: &Stage| {
        let own = &series.books[stage.book];
        let system = own.book.system.as_deref();
        system.map(|system| (own, system)).ok_or_else(|| CompileError::Rules {
            section: own.book.start,
            message: "a book of Lone Wolf among others".into(),
        })
    };
    let books: Vec<(&SeriesBook, &System)> = stages.iter().map(own).collect::<Result<_, _>>()?;
    let defaults: Vec<Situation> = books
        .iter()
        .map(|(own, _)| Situation { policy: own.book.default_policy().cloned(), ..Situation::default() })
        .collect();
    let (first, system) = books[0];
    let mut lowering = Lowering::new(&first.book, system, &first.book.goals, budget);
    let mut begin = 0;
    for place in (0..books.len()).rev() {
        let ((own, system), book) = (books[place], &books[place].0.book);
        let (situation, start) = if place == 0 { (situation, start) } else { (&defaults[place], book.start) };
        lowering.turns_to(book, system, situation);
        lowering.first = numbers[place].0;
        lowering.remembered = &own.remembered;
        begin = lowering.book(book, start, &book.goals)?;
        lowering.section = start;
        if place == 0 {
            if let Some(creation) = &situation.creation {
                begin = lowering.creation(book, creation, false, begin)?;
            }
        } else {
            begin = lowering.arrive(own, &books[..place], begin)?;
        }
        lowering.then = Some(begin);
    }
    let mut starting = lowering.finish(situation, begin)?;
    starting.program.stages = stages
        .iter()
        .zip(numbers)
        .zip(&books)
        .map(|((stage, (first, shown)), (_, system))| StageNumbers {
            first: *first,
            shown: *shown,
            book: stage.book,
            sheet: super::lowering::sheet(system, &starting.program.layout),
            learned: Vec::new(),
        })
        .collect();
    Ok(starting)
}

impl<'a> Lowering<'a> {
    /// Switches to the next book.
    pub(super) fn turns_to(&mut self, book: &'a Book, system: &'a System, situation: &'a Situation) {
        // Enemies of books with equal declarations share registers.
        let known = self.system;
        self.enemies.retain(|(_, stat), _| known.enemy_stats.get(*stat) == system.enemy_stats.get(*stat));
        self.system = system;
        self.called = &book.names;
        self.readings = situation.read_as(book);
        self.policy = situation.policy.as_ref().map_or(&[], |policy| &policy.rules);
        self.plays_best = situation.policy.is_none() && !situation.every_question;
        self.leaving = &situation.leaving;
        self.known.clear();
        self.tables.clear();
    }

    /// The beginning of a book after the books `before`: variables of the same name keep their values, the rest of the sheet is
    /// as in the book; then come the events of the series and, if wanted, the start as this book describes it.
    fn arrive(&mut self, own: &'a SeriesBook, before: &[(&SeriesBook, &System)], start: Label) -> Lowered {
        let system = self.system;
        let mut next = start;
        if own.sets_out {
            let is_stat = |quantity: &HeroQuantity| match quantity {
                HeroQuantity::Variable(own) => system.variables[*own].kind == VariableKind::Stat,
                _ => false,
            };
            let creation = &own.book.creation;
            let stats: Vec<HeroQuantity> =
                creation.rolled.iter().map(|(quantity, _)| *quantity).filter(is_stat).collect();
            let creation: HeroCreation = creation.without(&stats, false);
            next = self.creation(&own.book, &creation, true, next)?;
        }
        next = self.block(&own.arrival.body, &Env::default(), next)?;
        // What is on the sheet of one of them, or remembered from it.
        let mut had: BTreeSet<usize> = BTreeSet::new();
        for (other, system) in before {
            had.extend(system.own_variables().map(|(place, _)| place));
            had.extend(other.remembered.iter().map(|(place, _)| *place));
        }
        let mut sets: Vec<(Register, Value)> = Vec::new();
        let renamed: BTreeSet<usize> = own.renamed.iter().map(|(_, new)| *new).collect();
        for new in &renamed {
            let olds = own.renamed.iter().filter(|(_, other)| other == new).map(|(old, _)| *old);
            let all = had.get(new).copied().into_iter().chain(olds).map(register_of);
            sets.push((register_of(*new), Value::Sum(all.collect())));
        }
        let remembered = own.remembered.iter().map(|(place, _)| *place);
        let known: BTreeSet<usize> = system.own_variables().map(|(place, _)| place).chain(remembered).collect();
        let new = known.into_iter().filter(|place| !had.contains(place) && !renamed.contains(place));
        sets.extend(new.map(|place| (register_of(place), Value::Constant(system.variables[place].start))));
        let olds = own.renamed.iter().map(|(old, _)| register_of(*old));
        sets.extend(olds.map(|old| (old, Value::Constant(0))));
        self.set(sets, next)
    }
}
