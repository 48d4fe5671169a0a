//! Names and scopes while a system of rules is parsed.

use std::collections::{BTreeMap, BTreeSet};

use crate::book::{Draft, HeroCreation, LocalId, Node, Number, Policy, Reading, System, VariableKind, VariableRef};
use crate::syntax::kdl::shown_name;
use crate::terms::SectionNumber;

/// The state of parsing a system of rules.
#[expect(clippy::struct_excessive_bools, reason = "what is possible at a place, each by itself")]
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) system: System,
    /// The names in scope, the innermost last.
    pub(crate) scope: Vec<(String, LocalId)>,
    /// Whether there may be an enemy here.
    pub(crate) fighting: bool,
    /// Whether this is surely part of a fight, so that it cannot contain another.
    pub(crate) in_fight: bool,
    /// Whether this is part of a round, so that events can happen.
    pub(crate) in_round: bool,
    /// Whether the hero is dying here.
    pub(crate) dying: bool,
    /// The block parameters in scope, and the number of all block parameters.
    pub(crate) given_blocks: Vec<(String, usize)>,
    pub(crate) all_blocks: usize,
    /// Whether there is an item at hand.
    pub(crate) at_hand: bool,
    /// The names declared by inherited files, which can be redeclared.
    pub(crate) inherited: BTreeSet<String>,
    /// Skills tied to items, and the stat of those items.
    pub(crate) skills_of: Vec<(usize, usize)>,
    /// Whether this is part of a book: the file of a system knows no sections.
    pub(crate) in_book: bool,
    /// The nesting depth of the current definition, and whether it contains a fight.
    pub(crate) depth: usize,
    pub(crate) fights: bool,
    /// The names of sections.
    pub(crate) names: BTreeMap<String, SectionNumber>,
    /// The test or definition that is being parsed, and those after it.
    pub(crate) block: Option<String>,
    pub(crate) later: BTreeSet<String>,
    /// The span of each test and definition: `test lucky`, `block heal`.
    pub(crate) blocks: BTreeMap<String, std::ops::Range<usize>>,
    pub(crate) hero_named: bool,
    /// The declarations of the system's own file, and its effects on entering a section.
    pub(crate) declared: BTreeMap<String, std::ops::Range<usize>>,
    pub(crate) on_enter: Vec<Node>,
    /// The creation of a hero, readings and policies of the system's own file.
    pub(crate) creation: HeroCreation,
    pub(crate) readings: Vec<Reading>,
    pub(crate) policies: Vec<Policy>,
    /// The unfinished parts of the system's own file.
    pub(crate) draft: Draft,
}

impl Rules {
    /// The state for a file that inherits from this one and may redeclare names.
    pub(crate) fn inherit(mut self) -> Self {
        let system = &self.system;
        let values = system.values.iter().map(|(name, _)| name.clone());
        let tables = system.tables.iter().map(|own| own.name.clone());
        let blocks = self.blocks.keys().cloned();
        self.inherited = values.chain(tables).chain(blocks).collect();
        self
    }

    pub(crate) fn number(&self, name: &str) -> Option<Number> {
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
        if let Some(value) = self.system.values.iter().position(|(own, _)| own == name) {
            return Some(Number::Value(value));
        }
        match name {
            "item" if self.at_hand => return Some(Number::Variable(VariableRef::AtHand)),
            "skills" if self.system.skills().next().is_some() => return Some(Number::Disciplines),
            _ => {}
        }
        let (whose, what) = name.split_once('.')?;
        let stat = |name: &str| self.system.item_stats.iter().position(|own| own.name == name);
        match whose {
            "item" if self.at_hand => return stat(what).map(Number::AtHand),
            "carried" => return stat(what).map(Number::Carried),
            "wielded" if self.fighting => {
                return stat(what).map(Number::Wielded).or_else(|| self.skill(what).map(Number::SkilledWith));
            }
            _ => {}
        }
        let container = self.system.containers.iter().position(|own| own.name == whose)?;
        match what {
            "items" => Some(Number::InContainer(container)),
            "room" => Some(Number::Room(container)),
            _ => None,
        }
    }

    /// The skill with this name.
    pub(crate) fn skill(&self, name: &str) -> Option<usize> {
        self.variable(name).filter(|own| self.system.variables[*own].kind == VariableKind::Skill)
    }

    /// The table with this name.
    pub(crate) fn table(&self, name: &str) -> Option<usize> {
        self.system.tables.iter().position(|own| own.name == name)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<usize> {
        self.system.own_variables().find(|(_, own)| own.name == name).map(|(place, _)| place)
    }

    pub(crate) fn is_flag(&self, name: &str) -> bool {
        let shadowed = self.scope.iter().any(|(own, _)| own == name);
        !shadowed && self.variable(name).is_some_and(|own| self.system.variables[own].kind.is_yes_or_no())
    }

    /// The error and the suggestion for a name that is only valid elsewhere.
    pub(crate) fn elsewhere(&self, name: &str) -> Option<(String, String)> {
        let system = &self.system;
        if let Some(stat) = name.strip_prefix("enemy.").filter(|_| !self.fighting)
            && system.enemy_stats.iter().any(|own| own.name == stat)
        {
            let help = "an enemy is there within a fight and what happens in it";
            return Some(("there is no fight here".into(), help.into()));
        }
        if name.strip_prefix("wielded.").is_some() && !self.fighting {
            let help = "something is wielded within a fight and what happens in it";
            return Some(("there is no fight here".into(), help.into()));
        }
        if (name == "item" || name.starts_with("item.")) && !self.at_hand {
            let help = "write `choice \"use {item}\" with=STAT { ... }` around it";
            return Some(("there is no item at hand here".into(), help.into()));
        }
        let bound = system.locals.iter().any(|own| own.name == name);
        bound.then(|| {
            let name = shown_name(name);
            let help = "a name means something only till the block ends in which it is bound";
            (format!("`{name}` means nothing here"), help.into())
        })
    }

    pub(crate) fn known(&self) -> Vec<String> {
        let system = &self.system;
        let enemy = system.enemy_stats.iter().filter(|_| self.fighting).map(|own| format!("enemy.{}", own.name));
        let variables = system.own_variables().map(|(_, own)| own.name.clone());
        let item_stats = system.item_stats.iter().map(|own| own.name.as_str());
        let at_hand = item_stats.clone().filter(|_| self.at_hand).map(|own| format!("item.{own}"));
        let carried = item_stats.clone().map(|own| format!("carried.{own}"));
        let skills = system.skills().map(|own| system.variables[own].name.as_str());
        let wielded = item_stats.chain(skills).filter(|_| self.fighting).map(|own| format!("wielded.{own}"));
        let containers =
            system.containers.iter().flat_map(|own| ["items", "room"].map(|what| format!("{}.{what}", own.name)));
        let names =
            self.scope.iter().map(|(name, _)| name.clone()).chain(system.values.iter().map(|(name, _)| name.clone()));
        let tables = system.tables.iter().map(|own| own.name.clone());
        let of_items = at_hand.chain(carried).chain(wielded).chain(containers);
        variables.chain(names).chain(enemy).chain(of_items).chain(tables).collect()
    }

    /// The text of a bound name.
    pub(crate) fn local_name(&self, local: LocalId) -> String {
        self.system.locals[local].name.clone()
    }

    /// Brings bound names into scope.
    pub(crate) fn bring(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            let name = self.local_name(local);
            self.scope.push((name, local));
        }
    }
}
