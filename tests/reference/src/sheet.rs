//! The hero's sheet: numbers by name.

use std::collections::BTreeMap;

use gamebook::Book;

/// Where a number stands on a sheet.
pub type Name = usize;

/// The names of all numbers that play can change.
#[derive(Debug, Default)]
pub struct Names(BTreeMap<String, Name>);

/// Names bound in a section, of which there are no more than this.
const MOST_LOCALS: usize = 8;

impl Names {
    /// All numbers of a book.
    pub fn new(book: &Book) -> Self {
        let mut names = Self::default();
        for own in
            ["gold", "endurance", "rounds", "wounded", "fought", "combat", "strength", "fight to come", "no potions"]
        {
            names.add(own.into());
        }
        for item in &book.items {
            names.add(format!("item {}", item.name));
        }
        for flag in &book.flags {
            names.add(format!("flag {flag}"));
        }
        for counter in &book.counters {
            names.add(format!("counter {}", counter.name));
        }
        for local in 0..MOST_LOCALS {
            names.add(format!("local {local}"));
        }
        names
    }

    fn add(&mut self, name: String) {
        let place = self.0.len();
        self.0.insert(name, place);
    }

    /// Where a name stands.
    pub fn of(&self, name: &str) -> Name {
        self.0[name]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// What a hero has and is at some moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sheet(Vec<i64>);

impl Sheet {
    /// Nothing at all.
    pub fn empty(names: &Names) -> Self {
        Self(vec![0; names.len()])
    }

    /// A number.
    pub fn get(&self, name: Name) -> i64 {
        self.0[name]
    }

    /// Changes a number.
    pub fn set(&mut self, name: Name, value: i64) {
        self.0[name] = value;
    }
}
