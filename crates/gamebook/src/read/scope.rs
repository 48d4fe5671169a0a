//! What is known of a system of rules while it is read: its names, and which of them mean something where.

use std::collections::{BTreeMap, BTreeSet};

use crate::book::{Draft, LocalId, Node, Number, Reading, VariableRef};
use crate::entries::shown_name;
use crate::making::Making;
use crate::policy::Policy;
use crate::rules::{System, VariableKind};
use crate::terms::SectionNumber;

/// What is being read of a system of rules.
#[expect(clippy::struct_excessive_bools, reason = "what is possible at a place, each by itself")]
#[derive(Default)]
pub(super) struct Rules {
    pub(super) system: System,
    /// The names that mean something here, the innermost last.
    pub(super) scope: Vec<(String, LocalId)>,
    /// Whether somebody is fought here: then there is an enemy.
    pub(super) fighting: bool,
    /// Whether this is surely a part of a fight: then there can be no other.
    pub(super) in_fight: bool,
    /// Whether this is a round: then something can happen in it.
    pub(super) in_round: bool,
    /// Whether the hero is dying here.
    pub(super) dying: bool,
    /// Whether there is a book around: a system's own file knows no sections.
    pub(super) in_book: bool,
    /// How deeply others are used in the block that is read, and whether there is a fight in it.
    pub(super) depth: usize,
    pub(super) fights: bool,
    /// The sections' names.
    pub(super) names: BTreeMap<String, SectionNumber>,
    /// The test or block that is being read, and those that follow it.
    pub(super) block: Option<String>,
    pub(super) later: BTreeSet<String>,
    /// Where each test and block stands: `test lucky`, `block heal`.
    pub(super) blocks: BTreeMap<String, std::ops::Range<usize>>,
    pub(super) hero_named: bool,
    /// What the system's own file declares, and what it does on entering a section.
    pub(super) declared: BTreeMap<String, std::ops::Range<usize>>,
    pub(super) on_enter: Vec<Node>,
    /// How a hero is made, the readings and policies of the system's own file.
    pub(super) making: Making,
    pub(super) readings: Vec<Reading>,
    pub(super) policies: Vec<Policy>,
    /// What is left to do in the system's own file.
    pub(super) draft: Draft,
}

impl Rules {
    pub(super) fn number(&self, name: &str) -> Option<Number> {
        if let Some((_, local)) = self.scope.iter().rev().find(|(own, _)| own == name) {
            return Some(Number::Local(*local));
        }
        if let Some(place) = self.variable(name) {
            return Some(Number::Variable(VariableRef::Own(place)));
        }
        if let Some(stat) = name.strip_prefix("enemy.").filter(|_| self.fighting) {
            let place = self.system.enemy_stats.iter().position(|own| own.name == stat)?;
            return Some(Number::Variable(VariableRef::Enemy(place)));
        }
        let (container, what) = name.split_once('.')?;
        let container = self.system.containers.iter().position(|own| own.name == container)?;
        let in_it = self.system.variables.iter().enumerate().filter(|(_, own)| own.container == Some(container));
        let held = in_it.map(|(place, _)| Number::Variable(VariableRef::Own(place)));
        let sum = |left, right| Number::Operation(crate::terms::Operator::Plus, Box::new(left), Box::new(right));
        let held = held.reduce(sum).unwrap_or(Number::Constant(0));
        match what {
            "items" => Some(held),
            "room" => {
                let holds = Number::Constant(self.system.containers[container].holds);
                Some(Number::Operation(crate::terms::Operator::Minus, Box::new(holds), Box::new(held)))
            }
            _ => None,
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.system.own_variables().find(|(_, own)| own.name == name).map(|(place, _)| place)
    }

    pub(super) fn is_flag(&self, name: &str) -> bool {
        let shadowed = self.scope.iter().any(|(own, _)| own == name);
        !shadowed && self.variable(name).is_some_and(|own| self.system.variables[own].kind == VariableKind::Flag)
    }

    /// What is to be said of a name that means something, but not here.
    pub(super) fn elsewhere(&self, name: &str) -> Option<(String, String)> {
        let system = &self.system;
        if let Some(stat) = name.strip_prefix("enemy.").filter(|_| !self.fighting)
            && system.enemy_stats.iter().any(|own| own.name == stat)
        {
            let help = "an enemy is there within a fight and what happens in it";
            return Some(("nobody is fought here".into(), help.into()));
        }
        let bound = system.locals.iter().any(|own| own.name == name);
        bound.then(|| {
            let name = shown_name(name);
            let help = "a name means something only till the block ends in which it is bound";
            (format!("`{name}` means nothing here"), help.into())
        })
    }

    pub(super) fn known(&self) -> Vec<String> {
        let system = &self.system;
        let enemy = system.enemy_stats.iter().filter(|_| self.fighting).map(|own| format!("enemy.{}", own.name));
        let variables = system.own_variables().map(|(_, own)| own.name.clone());
        variables.chain(self.scope.iter().map(|(name, _)| name.clone())).chain(enemy).collect()
    }

    /// The name of something that is bound.
    pub(super) fn local_name(&self, local: LocalId) -> String {
        self.system.locals[local].name.clone()
    }

    /// The names of things that are bound mean something from here on.
    pub(super) fn bring(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            let name = self.local_name(local);
            self.scope.push((name, local));
        }
    }
}
