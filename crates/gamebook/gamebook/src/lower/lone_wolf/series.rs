//! A series of Lone Wolf books compiled to one program: the end of a book leads to the beginning of the next.

use budget::Budget;

use super::carrier::Carrier;
use super::compiler::{Compiled, Compiler, Env, Rest, answer};
use super::gear::{self, Changes, Gear};
use super::registers::FOUGHT;
use super::setting_out::{empty, setting_out};
use super::slots::Slots;
use crate::book::{
    Book, HeroQuantity, Item, ItemId, Kind, OTHER_THINGS, Series, SeriesBook, Situation, Thing, discipline_names,
};
use crate::lower::error::CompileError;
use crate::lower::stage::{Stage, label_of};
use crate::program::{Label, Register, StageNumbers, Starting, Test, Value};
use crate::terms::SectionNumber;

/// Compiles a series; `numbers` are the offsets of its stages.
pub(in crate::lower) fn compile_series(
    series: &Series,
    stages: &[Stage],
    numbers: &[(SectionNumber, SectionNumber)],
    situation: &Situation,
    start: SectionNumber,
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    let books: Vec<Carrier<'_>> = stages
        .iter()
        .map(|stage| {
            let SeriesBook { book, arrival, .. } = &series.books[stage.book];
            Carrier::new(book, &stage.hero, Some(arrival))
        })
        .collect();
    let (slots, layout) = Slots::of(&books)?;
    let groups = gear::groups(&books, &slots);
    let gear = |stage: usize| Gear::new(books[stage].book, books[stage].hero, slots[stage].clone(), &groups);
    let first = gear(0);
    let mut program = empty(layout, first.sheet(books[0].book), groups.clone());
    for (place, (Carrier { book, .. }, (first, shown))) in books.iter().zip(numbers).enumerate() {
        let own = stages[place].book;
        let hero = &stages[place].hero;
        let learned = discipline_names(&hero.disciplines, hero.weaponskill.as_deref());
        let sheet = gear(place).sheet(book);
        program.stages.push(StageNumbers { first: *first, shown: *shown, book: own, sheet, learned });
    }
    let defaults: Vec<Situation> = books
        .iter()
        .map(|Carrier { book, .. }| Situation { policy: book.default_policy().cloned(), ..Situation::default() })
        .collect();
    // The place at which each stage begins after the book before it.
    let mut arrivals: Vec<Label> = vec![0; stages.len()];
    let mut begin = 0;
    for (place, stage) in stages.iter().enumerate().rev() {
        let Carrier { book, hero, .. } = books[place];
        let sets_out = stage.book == stages[0].book;
        let (own, from) = if sets_out { (situation, start) } else { (&defaults[place], book.start) };
        let mut compiler = Compiler::new(book, hero, own, gear(place), program, budget);
        compiler.first = compiler.program.stages[place].first;
        compiler.remembered = &series.books[stage.book].remembered;
        // Disciplines are learned after a victory, or before the first book.
        compiler.section = if stage.is_choice { from } else { book.goals.first().copied().unwrap_or(book.start) };
        let onwards = compiler.onwards(stage, &arrivals)?;
        if let Some(chosen) = onwards.filter(|_| stage.is_choice) {
            begin = chosen;
            program = compiler.program;
            continue;
        }
        compiler.then = onwards;
        begin = compiler.opening(from, &book.goals)?;
        arrivals[place] = if sets_out {
            begin
        } else {
            let before = stages.iter().position(|other| other.book + 1 == stage.book).unwrap_or(0);
            compiler.arrive(&series.books[stage.book], (books[before].book, &slots[before]), begin)?
        };
        program = compiler.program;
    }
    program.start = begin;
    let state = setting_out(&program, &first, books[0].book, books[0].hero, situation, start);
    Ok(Starting { program, state })
}

impl<'a> Compiler<'a> {
    /// What follows a victory in this stage: a choice of disciplines, if there is one.
    fn onwards(&mut self, stage: &Stage, arrivals: &[Label]) -> Result<Option<Label>, CompileError> {
        let mut answers = Vec::new();
        for (learned, next) in &stage.next {
            let label = self.label(&label_of(learned));
            answers.push(answer(label, Test::ALWAYS, [], arrivals[*next]));
        }
        match &answers[..] {
            [] => Ok(None),
            [only] => Ok(Some(only.next)),
            _ => self.ask("what to learn", answers).map(Some),
        }
    }

    /// The beginning of a book after the book `before`: the hero leaves behind what later books do not know, and gets what
    /// every hero of this book has; then come the events of the series and, if wanted, the start as this book describes it.
    /// Continues at `start`.
    fn arrive(&mut self, own: &'a SeriesBook, before: (&Book, &Slots), start: Label) -> Compiled {
        let book = self.book;
        self.begin(0, &own.arrival);
        let mut next = start;
        if own.sets_out {
            let rolled = [HeroQuantity::CombatSkill, HeroQuantity::Endurance];
            next = self.creation(&book.creation.without(&rolled, false), true, next)?;
        }
        next = self.block(&own.arrival.body, Some(&Rest::At(next)), &Env::default())?;
        // Containers come first.
        for single in [false, true] {
            for (item, count) in book.fixed.iter().rev() {
                if self.gear.is_single(*item) != single {
                    continue;
                }
                next = if single {
                    let got = self.gear.get(*item, Value::Constant(1));
                    self.set(got, next)?
                } else {
                    self.take(Thing::Item(*item), Value::Constant((*count).into()), false, next)?
                };
            }
        }
        let sets = self.left_behind(own, before);
        self.set(sets, next)
    }

    /// What a hero from the book `before` loses, and what is renamed in this one.
    fn left_behind(&self, own: &SeriesBook, (known, slots): (&Book, &Slots)) -> Changes {
        let book = self.book;
        let knew = |item: &Item| known.item(&item.name).is_some();
        let left = || known.items.iter().enumerate().filter(|(_, item)| book.item(&item.name).is_none());
        let mut sets: Changes = vec![(FOUGHT, Value::Constant(0))];
        let others = book.item(OTHER_THINGS);
        if let Some(others) = others {
            let things = left().filter(|(_, item)| item.kind == Kind::Backpack).map(|(item, _)| slots.item(item));
            let counted = knew(&book.items[others]).then(|| self.gear.item(others));
            sets.push((self.gear.item(others), Value::Sum(counted.into_iter().chain(things).collect())));
        }
        // Shared registers keep what they hold.
        let mut standing: Vec<ItemId> = others.into_iter().collect();
        let is_old = |item: ItemId| own.renamed.iter().any(|(old, _)| *old == item);
        let mut news: Vec<ItemId> = own.renamed.iter().map(|(_, new)| *new).collect();
        news.sort_unstable();
        news.dedup();
        // What is renamed itself moves before something else takes its name.
        while let Some(place) = news.iter().position(|new| {
            let mut leads = own.renamed.iter().filter(|(old, _)| old == new);
            leads.all(|(_, next)| !news.contains(next))
        }) {
            let new = news.swap_remove(place);
            let olds = own.renamed.iter().filter(|(_, other)| *other == new).map(|(old, _)| self.gear.item(*old));
            let had = (knew(&book.items[new]) && !is_old(new)).then(|| self.gear.item(new));
            sets.push((self.gear.item(new), Value::Sum(had.into_iter().chain(olds).collect())));
            standing.push(new);
        }
        let standing: Vec<Register> = standing.into_iter().map(|item| self.gear.item(item)).collect();
        let new = book.items.iter().enumerate().filter(|(_, item)| !knew(item)).map(|(item, _)| self.gear.item(item));
        let olds = own.renamed.iter().map(|(old, _)| self.gear.item(*old));
        let items = left().map(|(item, _)| slots.item(item)).chain(new).chain(olds);
        let flags = (0..known.flags.len().max(book.flags.len())).map(|flag| self.gear.flag(flag));
        let counters = (0..known.counters.len().max(book.counters.len())).map(|counter| self.gear.counter(counter));
        let cleared = items.chain(flags).chain(counters).filter(|register| !standing.contains(register));
        sets.extend(cleared.map(|register| (register, Value::Constant(0))));
        sets
    }
}
