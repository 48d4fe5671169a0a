//! A situation of the game, packed: where play is, and what the registers hold.

use std::hash::{Hash, Hasher};

use crate::book::Book;

/// The place of a register.
pub type Register = u8;

/// ENDURANCE.
pub(crate) const ENDURANCE: Register = 0;
/// Gold Crowns.
pub(crate) const GOLD: Register = 1;
/// Weapons of which nothing but "a weapon" can matter any more.
pub(crate) const PLAIN: Register = 2;
/// The enemy's ENDURANCE.
pub(crate) const ENEMY: Register = 3;
/// Rounds of this fight, as far as they can matter.
pub(crate) const ROUND: Register = 4;
/// What is used as a weapon in this fight.
pub(crate) const ARM: Register = 5;
/// Whether the hero lost ENDURANCE in this fight.
pub(crate) const WOUNDED: Register = 6;
/// ENDURANCE before a mock fight.
pub(crate) const BEFORE: Register = 7;
/// Units that may still be taken, or must still be given up.
pub(crate) const LEFT: Register = 8;
/// The first item.
pub(crate) const ITEMS: Register = 9;

/// The numbers that a name bound in a section can stand for.
pub(crate) const LOCAL_NUMBERS: std::ops::RangeInclusive<i32> = -128..=383;
/// A name's register holds its number and this.
pub(crate) const LOCAL_ZERO: i32 = 128;
const LOCAL_MAX: u16 = 511;
/// Rounds of a fight are counted up to this many: `rounds` is never more.
pub(crate) const MOST_ROUNDS: u16 = 100;
/// Registers for names bound in a section, shared by all sections.
pub(crate) const LOCALS: u8 = 8;
/// Registers for goods of which a shop has few.
pub(crate) const STOCKS: u8 = 4;

const WORDS: usize = 4;
/// The bits of the place in the program.
const PLACE_BITS: u32 = 24;
/// States at these places and the [`SectionNumber`](crate::book::SectionNumber)s after them are over: the hero died
/// in that section, or has won in it.
pub(crate) const DEAD: u32 = 0x00F0_0000;
pub(crate) const WON: u32 = 0x00F8_0000;
/// No state is here.
pub(crate) const NO_PLACE: u32 = (1 << PLACE_BITS) - 1;
/// The last place that a step of a program can have.
pub(crate) const LAST_PLACE: u32 = DEAD - 1;

/// A situation. Compact, so that many fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State([u64; WORDS]);

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for word in self.0 {
            hasher.write_u64(word);
        }
    }
}

/// Where each register lies in a state, and how large it can get.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    pub(crate) items: usize,
    pub(crate) flags: usize,
    pub(crate) counters: usize,
}

/// Where in a state a register is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    word: u8,
    shift: u8,
    max: u16,
    /// As many ones as the register has bits.
    ones: u16,
}

/// The book has more to remember than a state can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchToRemember {
    /// Bits that are needed.
    pub bits: u32,
}

impl std::fmt::Display for TooMuchToRemember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let most = WORDS as u32 * 64;
        write!(f, "the items, flags and counters of this book need {} bits; a state has {most}", self.bits)
    }
}

impl std::error::Error for TooMuchToRemember {}

impl Layout {
    pub(crate) fn new(book: &Book) -> Result<Self, TooMuchToRemember> {
        let mut maxima: Vec<u16> = vec![255, 50, 2, 255, 127, 63, 1, 255, 15];
        maxima.extend(book.items.iter().map(|item| u16::from(book.most_of(item))));
        maxima.extend(book.flags.iter().map(|_| 1));
        maxima.extend(book.counters.iter().map(|counter| u16::from(counter.max)));
        maxima.extend([LOCAL_MAX; LOCALS as usize]);
        maxima.extend([15; STOCKS as usize]);
        let (mut word, mut shift) = (0usize, PLACE_BITS);
        let mut fields = Vec::with_capacity(maxima.len());
        for max in &maxima {
            let bits = u16::BITS - max.leading_zeros();
            if shift + bits > u64::BITS {
                word += 1;
                shift = 0;
            }
            let ones = u16::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
            fields.push(Field { word: word as u8, shift: shift as u8, max: *max, ones });
            shift += bits;
        }
        if word >= WORDS || fields.len() > usize::from(Register::MAX) {
            return Err(TooMuchToRemember { bits: word as u32 * 64 + shift });
        }
        Ok(Self { fields, items: book.items.len(), flags: book.flags.len(), counters: book.counters.len() })
    }

    /// How many registers there are.
    pub(crate) fn registers(&self) -> usize {
        self.fields.len()
    }

    /// The largest number that a register holds.
    #[inline]
    pub(crate) fn max(&self, register: Register) -> u16 {
        self.fields[usize::from(register)].max
    }

    pub(crate) fn item(item: usize) -> Register {
        ITEMS + item as Register
    }

    pub(crate) fn flag(&self, flag: usize) -> Register {
        Self::item(self.items + flag)
    }

    pub(crate) fn counter(&self, counter: usize) -> Register {
        Self::item(self.items + self.flags + counter)
    }

    pub(crate) fn local(&self, local: usize) -> Register {
        Self::item(self.items + self.flags + self.counters + local)
    }

    pub(crate) fn stock(&self, stock: usize) -> Register {
        self.local(LOCALS as usize + stock)
    }

    /// What a register holds.
    #[inline]
    pub(crate) fn get(&self, state: &State, register: Register) -> u16 {
        state.get(self.field(register))
    }

    /// Where a register is.
    #[inline]
    pub(crate) fn field(&self, register: Register) -> Field {
        self.fields[usize::from(register)]
    }

    /// Puts a number into a register; what is too large becomes the largest.
    #[inline]
    pub(crate) fn set(&self, state: &mut State, register: Register, value: u16) {
        state.set(self.field(register), value);
    }

    /// A state with the bits of one register set, all others clear.
    pub(crate) fn mask(&self, register: Register) -> State {
        let field = self.fields[usize::from(register)];
        let mut state = State::default();
        state.0[usize::from(field.word)] = (u64::MAX >> u64::from(field.max).leading_zeros()) << field.shift;
        state
    }
}

impl Default for State {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl State {
    /// The place in the program.
    #[inline]
    pub(crate) fn place(&self) -> u32 {
        (self.0[0] & ((1 << PLACE_BITS) - 1)) as u32
    }

    /// What a register holds.
    #[inline]
    pub(crate) fn get(&self, field: Field) -> u16 {
        (self.0[usize::from(field.word) % WORDS] >> (field.shift % 64)) as u16 & field.ones
    }

    /// Puts a number into a register; what is too large becomes the largest.
    #[inline]
    pub(crate) fn set(&mut self, field: Field, value: u16) {
        let word = &mut self.0[usize::from(field.word) % WORDS];
        *word = *word & !(u64::from(field.ones) << (field.shift % 64))
            | u64::from(value.min(field.max)) << (field.shift % 64);
    }

    /// The same situation at another place.
    #[inline]
    pub(crate) fn at(mut self, place: u32) -> Self {
        self.0[0] = self.0[0] & !((1 << PLACE_BITS) - 1) | u64::from(place);
        self
    }

    /// Only the bits of `mask`, and the place.
    #[inline]
    pub(crate) fn only(&self, mask: &Self) -> Self {
        let mut kept = *self;
        for (word, mask) in kept.0.iter_mut().zip(mask.0) {
            *word &= mask;
        }
        kept.0[0] |= u64::from(self.place());
        kept
    }

    /// The bits of both.
    pub(crate) fn union(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }
}
