//! Everything before the first section: the hero, items, flags.

use std::fmt::Write;

use std::collections::BTreeSet;

use gamebook::{BUILT_IN, SectionNumber};

use crate::line::quoted;
use crate::mechanics::{Shared, change};
use crate::pieces::{Piece, pieces};
use crate::sentence::slug;

/// The head of a book whose head is not known: what all books of the series have.
const COMMON: &str = "hero {
    combat-skill 15
    endurance 25
    learns 5
    disciplines hunting weaponskill=short-sword mindblast sixth-sense mindshield
    gold 15
    fixed backpack
    items short-sword meal=2
}

items {
    weapon dagger
    weapon spear
    weapon mace
    weapon short-sword
    weapon warhammer
    weapon sword
    weapon axe
    weapon quarterstaff
    weapon broadsword
    backpack-item meal food=#true
    container backpack holds=8
}
";

/// The head of a book that is being written.
pub(crate) struct Head {
    /// The nodes other than items.
    nodes: Vec<String>,
    /// The declarations of items.
    items: Vec<String>,
    declared: BTreeSet<String>,
}

impl Head {
    /// The head of our own book of this title, or what all books have.
    pub fn new(title: &str) -> Self {
        let ours = |text: &&str| {
            let of_book = |piece: &Piece<'_>| piece.name == "book" && piece.text.contains(&quoted(title));
            pieces(text).iter().any(of_book)
        };
        let text = BUILT_IN.iter().map(|(_, text)| *text).find(ours).unwrap_or(COMMON);
        let mut head = Self { nodes: Vec::new(), items: Vec::new(), declared: BTreeSet::new() };
        for piece in pieces(text) {
            match piece.name {
                "book" | "start" | "goal" | "section" => {}
                _ => head.add(&piece),
            }
        }
        head
    }

    fn add(&mut self, piece: &Piece<'_>) {
        if piece.name != "items" {
            self.nodes.push(piece.text.into());
            return;
        }
        for line in piece.body().lines() {
            let line = line.split("//").next().unwrap_or_default().trim();
            if !line.is_empty() {
                self.declare(line);
            }
        }
    }

    /// Adds the declaration of an item, unless there is one of that name.
    fn declare(&mut self, line: &str) {
        let name = line.split([' ', ';']).nth(1).unwrap_or_default();
        if self.declared.insert(name.into()) {
            self.items.push(line.into());
        }
    }

    /// The names of the items.
    pub fn declared(&self) -> Vec<String> {
        self.declared.iter().cloned().collect()
    }

    /// Declares items that a text asks for by their names.
    pub fn ask_for(&mut self, items: &[String]) {
        for item in items {
            let name = slug(item);
            let begins = name.starts_with(|c: char| c.is_alphabetic());
            if begins {
                // Where it is carried only the section knows that gives it.
                self.declare(&format!("special {name}"));
            }
        }
    }

    /// Adds what the rules of the sections need, and what a patch brings.
    pub fn more(&mut self, shared: &Shared, patch: &[Piece<'_>]) {
        for declaration in shared.objects.declarations() {
            self.declare(declaration);
        }
        for points in &shared.changes {
            self.declare(&format!("permanent {} combat-skill={points}", change(*points)));
        }
        let visits = shared.visits.iter().map(|section| format!("visited-{section}"));
        let flags: Vec<String> = shared.flags.iter().cloned().chain(visits).collect();
        if !flags.is_empty() {
            self.nodes.push(format!("flags {}", flags.join(" ")));
        }
        for piece in patch.iter().filter(|piece| piece.name != "section") {
            self.add(piece);
        }
    }

    /// The head as text.
    pub fn write(&self, title: &str, start: SectionNumber, goal: SectionNumber) -> String {
        let mut text = format!(
            "// An imported book. `bestplay gamebook check` lists what a person has to look at.\n\n\
             book {} format=1 rules=\"lone-wolf\"\nstart {start}\ngoal {goal}\n\nitems {{\n",
            quoted(title)
        );
        for item in &self.items {
            let _ = writeln!(text, "    {item}");
        }
        text.push_str("}\n");
        for node in &self.nodes {
            let _ = writeln!(text, "\n{node}");
        }
        text
    }
}
