//! Everything before the first section: the hero, items, flags.

use std::fmt::Write;

use std::collections::BTreeSet;

use gamebook::{BUILT_IN, SectionNumber};

use crate::line::quoted;
use crate::mechanics::{Shared, change};
use crate::pieces::{Piece, pieces};
use crate::sentence::slug;
use crate::target::Target;

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

/// What the systems of later books declare themselves: items, and what a text could ask for as if it were one.
const DECLARED: [&str; 10] =
    ["bow", "arrow", "quiver", "backpack", "weapons", "special-items", "gold", "endurance", "combat-skill", "fought"];

/// The head of a book for a system: the weapons of all books, and a hero with the first disciplines.
fn of_system(target: Target) -> String {
    let skills: Vec<&str> = target.disciplines().iter().take(target.learns()).map(|(_, name)| *name).collect();
    let weaponry = skills[0];
    let skills = skills.join("\n    ").replacen(weaponry, &format!("{weaponry} sword"), 1);
    let (skill, endurance) = target.hero();
    let weapons = ["dagger", "spear", "mace", "short-sword", "warhammer", "sword", "axe", "quarterstaff", "broadsword"];
    let weapons = weapons.map(|name| format!("    weapon {name}\n")).concat();
    format!(
        "hero {{\n    combat-skill {skill}\n    endurance {endurance}\n    {skills}\n    gold 15\n    sword 1\n    meal 2\n}}\n\n\
         items {{\n{weapons}    backpack-item meal food=#true\n}}\n"
    )
}

/// The head of a book that is being written.
pub(crate) struct Head {
    target: Target,
    /// The nodes other than items.
    nodes: Vec<String>,
    /// The declarations of items.
    items: Vec<String>,
    declared: BTreeSet<String>,
    /// Numbers of items that only this book asks for.
    marks: Vec<String>,
}

impl Head {
    /// The head of our own book of this title, or what all books have.
    pub fn new(title: &str, target: Target) -> Self {
        let ours = |text: &&str| {
            let of_book = |piece: &Piece<'_>| piece.name == "book" && piece.text.contains(&quoted(title));
            pieces(text).iter().any(of_book)
        };
        let built_in = BUILT_IN.iter().map(|(_, text)| *text).find(ours);
        let text = match built_in {
            _ if target.is_system() => of_system(target),
            Some(text) => text.into(),
            None => COMMON.into(),
        };
        let mut head =
            Self { target, nodes: Vec::new(), items: Vec::new(), declared: BTreeSet::new(), marks: Vec::new() };
        if target.is_system() {
            head.declared.extend(DECLARED.map(String::from));
        }
        for piece in pieces(&text) {
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
                let kind = if self.target.is_system() { "special-item" } else { "special" };
                self.declare(&format!("{kind} {name}"));
            }
        }
    }

    /// Adds what the rules of the sections need, and what a patch brings.
    pub fn more(&mut self, shared: &Shared, patch: &[Piece<'_>]) {
        for declaration in shared.objects.declarations() {
            self.declare(declaration);
        }
        for line in &mut self.items {
            let marks = shared.objects.marks_of(line.split(' ').nth(1).unwrap_or_default());
            let end = line.find(" {").unwrap_or(line.len());
            line.insert_str(end, &marks);
        }
        self.marks.extend(shared.objects.marks());
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
             book {} format=1 rules=\"{}\"\nstart {start}\ngoal {goal}\n\n",
            quoted(title),
            self.target.name()
        );
        for mark in &self.marks {
            let _ = writeln!(text, "item-stat {mark} max=1");
        }
        text.push_str("items {\n");
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
