//! The register allocation of a book, or of several books with the same hero.

use super::carrier::{Carrier, Others};
use super::registers;
use crate::book::{ItemId, LOCAL_NUMBERS, LocalId};
use crate::program::{Layout, Register, StateTooLarge, Weaker};

/// The registers of a book that differ between books.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    items: Vec<Register>,
    flags: Register,
    counters: Register,
    stocks: Register,
    locals: Register,
    weaker: Option<Weaker>,
}

/// Names of registers with their ranges.
type Registers = Vec<(String, i32, i32)>;

impl Slots {
    /// The registers of books that share a state, and its layout. What several books know has the same register in all of them;
    /// what only one knows overlaps with others.
    ///
    /// # Errors
    /// If a state cannot hold them.
    pub(super) fn of(books: &[Carrier<'_>]) -> Result<(Vec<Self>, Layout), StateTooLarge> {
        let mut registers = registers::registers(books);
        let items = items(books, &mut registers);
        // Each kind is a block of the size that the largest book needs.
        let mut block = |own: &dyn Fn(&Carrier<'_>) -> Registers| {
            let first = register(registers.len());
            let mut all = Registers::new();
            for book in books {
                for (place, (name, least, most)) in own(book).into_iter().enumerate() {
                    match all.get_mut(place) {
                        Some(known) => widen(known, &name, least, most),
                        None => all.push((name, least, most)),
                    }
                }
            }
            registers.extend(all);
            first
        };
        let flags = block(&|own| own.book.flags.iter().map(|flag| (flag.clone(), 0, 1)).collect());
        let counters = block(&|own| {
            own.book.counters.iter().map(|counter| (counter.name.clone(), 0, counter.max.into())).collect()
        });
        let stocks = block(&|own| {
            (1..=own.most.stocks).map(|stock| (format!("traded {stock}"), 0, own.most.traded.into())).collect()
        });
        let locals = block(&|own| {
            let locals = own.sections().map(|section| section.locals.len()).max().unwrap_or(0);
            let (least, most) = (*LOCAL_NUMBERS.start(), *LOCAL_NUMBERS.end());
            (1..=locals).map(|local| (format!("name {local}"), least, most)).collect()
        });
        let weaker = books.first().filter(|own| own.others != Others::default()).map(|own| {
            let [short, apart, most, skill] = [0, 1, 2, 3].map(|more| register(registers.len() + more));
            let Others { weaker: count, skilled } = own.others;
            // A range from 0 to 1 would be taken for a known flag, but this is no particular hero.
            registers.push(("points short".into(), 0, i32::from(count).max(2)));
            registers.push(("points short, shown apart".into(), 0, count.into()));
            registers.push(("the most endurance".into(), own.hero.endurance.into(), own.hero.endurance.into()));
            registers.push(("points of skill more".into(), 0, i32::from(skilled).max(2)));
            Weaker { count, short, apart, most, skill }
        });
        let slots = items.into_iter().map(|items| Self { items, flags, counters, stocks, locals, weaker }).collect();
        Ok((slots, Layout::new(registers)?))
    }

    pub(super) fn weaker(&self) -> Option<Weaker> {
        self.weaker
    }

    pub(super) fn item(&self, item: ItemId) -> Register {
        self.items[item]
    }

    pub(super) fn flag(&self, flag: usize) -> Register {
        after(self.flags, flag)
    }

    pub(super) fn counter(&self, counter: usize) -> Register {
        after(self.counters, counter)
    }

    pub(super) fn stock(&self, stock: usize) -> Register {
        after(self.stocks, stock)
    }

    pub(super) fn local(&self, local: LocalId) -> Register {
        after(self.locals, local)
    }
}

/// For each book the registers of its items.
fn items(books: &[Carrier<'_>], registers: &mut Registers) -> Vec<Vec<Register>> {
    let knows = |name: &str| books.iter().filter(|own| own.book.item(name).is_some()).count();
    // The registers of items that several books know.
    let mut shared: Vec<(&str, usize)> = Vec::new();
    // The registers of items that one book knows, by their maximum.
    let mut own: Vec<(i32, usize)> = Vec::new();
    let mut all = Vec::with_capacity(books.len());
    for Carrier { book, .. } in books {
        let mut taken = vec![false; own.len()];
        let places = book.items.iter().map(|item| {
            let most = i32::from(book.most_of(item));
            if knows(&item.name) > 1 {
                if let Some((_, place)) = shared.iter().find(|(name, _)| *name == item.name) {
                    widen(&mut registers[*place], &item.name, 0, most);
                    return register(*place);
                }
                shared.push((&item.name, registers.len()));
            } else {
                let free = own.iter().zip(&mut taken).find(|((known, _), taken)| *known == most && !**taken);
                if let Some(((_, place), taken)) = free {
                    *taken = true;
                    widen(&mut registers[*place], &item.name, 0, most);
                    return register(*place);
                }
                own.push((most, registers.len()));
                taken.push(true);
            }
            registers.push((item.name.clone(), 0, most));
            register(registers.len() - 1)
        });
        all.push(places.collect());
    }
    all
}

/// Extends a register so that it can also hold this.
fn widen(known: &mut (String, i32, i32), name: &str, least: i32, most: i32) {
    if known.0.split(" / ").all(|own| own != name) {
        known.0 = format!("{} / {name}", known.0);
    }
    known.1 = known.1.min(least);
    known.2 = known.2.max(most);
}

/// The register at an offset from `first`.
fn after(first: Register, many: usize) -> Register {
    first.saturating_add(register(many))
}

/// Too large registers are rejected by the layout.
fn register(place: usize) -> Register {
    Register::try_from(place).unwrap_or(Register::MAX)
}
