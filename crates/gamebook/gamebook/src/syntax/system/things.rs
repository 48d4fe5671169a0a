//! Parsing items of a system of rules: their stats, kinds and containers.

use kdl::{KdlEntry, KdlNode};

use super::declared::LARGEST;
use crate::book::{Container, ItemKind, ItemStat, Traits, VariableKind};
use crate::syntax::kdl::{
    arguments, children, entry_span, flag, flag_or, integer, integer_property, name_span, property, shown, shown_name,
    string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The properties of an item or a kind besides its stats.
const PROPERTIES: [&str; 4] = ["in", "max", "places", "permanent"];

impl Reader<'_> {
    /// Reads everything that can be carried.
    pub(crate) fn things(&mut self, nodes: &[KdlNode]) {
        for node in nodes.iter().filter(|node| node.name().value() == "container") {
            self.own_container(node);
        }
        for node in nodes.iter().filter(|node| node.name().value() == "kind") {
            self.own_kind(node);
        }
        for node in nodes {
            match node.name().value() {
                "item" => self.own_item(node, None),
                "items" => self.own_items(node),
                _ => {}
            }
        }
    }

    /// `item-stat bonus min=-20 max=20 unarmed=-4 raises=endurance`
    pub(crate) fn item_stat(&mut self, node: &KdlNode) {
        const USAGE: &str = "`item-stat bonus min=-20 max=20 unarmed=-4`";
        self.shape(node, 1..=1, &["min", "max", "unarmed", "raises"], false, USAGE);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of an item's number").map(String::from) else {
            return;
        };
        if !self.well_formed(&name, &entry_span(entry)) {
            return;
        }
        let rules = self.own();
        if rules.system.item_stats.iter().any(|own| own.name == name) || PROPERTIES.contains(&name.as_str()) {
            let message = format!("`{}` is a property of items already", shown_name(&name));
            self.error(entry_span(entry), message, "choose another name");
            return;
        }
        let (least, most) = self.bounds(node, 0, 99);
        let unarmed = integer_property(&mut self.problems, node, "unarmed", i64::from(least)..=i64::from(most));
        let raises = property(node, "raises").and_then(|entry| {
            let wanted = entry.value().as_string().unwrap_or_default();
            let found = self.own().variable(wanted);
            let found = found.filter(|own| self.own().system.variables[*own].initial.is_some() && least >= 0);
            if found.is_none() {
                let help = "name a stat that has initial=#true and stands before this, and let min be 0";
                self.error(entry_span(entry), format!("`{}` cannot be raised by an item", shown(entry)), help);
            }
            found
        });
        let stat = ItemStat { name, least, most, unarmed: unarmed.unwrap_or(0), raises };
        self.own().system.item_stats.push(stat);
    }

    fn own_container(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["holds", "carried", "start"], false, "`container backpack holds=8`");
        let Some(name) = self.declares(node, "the name of a container") else { return };
        if property(node, "holds").is_none() {
            self.error(name_span(node), "how many items does it hold?", "write holds=8");
        }
        let holds = integer_property(&mut self.problems, node, "holds", 1..=99).unwrap_or(1);
        let carried = flag(&mut self.problems, node, "carried");
        let start = self.start(node, (0, 1), 1);
        let itself = carried.then(|| self.declare_number(name.clone(), VariableKind::Item, (0, 1), start));
        self.own().system.containers.push(Container { name, holds, itself });
    }

    /// `kind weapon in=weapons weapon=#true`
    fn own_kind(&mut self, node: &KdlNode) {
        let stats = self.item_stat_names();
        let properties: Vec<&str> = PROPERTIES.into_iter().chain(stats.iter().map(String::as_str)).collect();
        self.shape(node, 1..=1, &properties, false, "`kind weapon in=weapons`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a kind").map(String::from) else { return };
        if !self.well_formed(&name, &entry_span(entry)) {
            return;
        }
        if self.own().system.kinds.iter().any(|own| own.name == name) || name == "item" {
            let message = format!("the kind `{}` is declared twice", shown_name(&name));
            self.error(entry_span(entry), message, "keep one");
            return;
        }
        let place = self.own().system.kinds.len();
        let container = self.container_of(node);
        let most = integer_property(&mut self.problems, node, "max", 1..=LARGEST);
        let traits = Traits { kind: Some(place), ..self.traits(node, &Traits::default()) };
        self.own().system.kinds.push(ItemKind { name, container, most, traits });
    }

    /// `items { weapon sword bonus=1; item rope in=backpack; }`
    fn own_items(&mut self, node: &KdlNode) {
        self.shape(node, 0..=0, &[], true, "`items { weapon sword; item rope; }`");
        for child in children(node) {
            let name = child.name().value();
            let kinds = &self.own().system.kinds;
            let kind = kinds.iter().position(|own| own.name == name);
            if kind.is_none() && name != "item" {
                let known: Vec<String> = kinds.iter().map(|own| own.name.clone()).chain(["item".into()]).collect();
                let help = did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("there are {}", known.join(", ")));
                self.error(name_span(child), format!("`{}` is not a kind of item", shown_name(name)), help);
                self.missing.head = true;
                continue;
            }
            self.own_item(child, kind);
        }
    }

    /// `item rope in=backpack max=1`, or the same for a kind.
    fn own_item(&mut self, node: &KdlNode, kind: Option<usize>) {
        let stats = self.item_stat_names();
        let properties: Vec<&str> =
            PROPERTIES.into_iter().chain(["start"]).chain(stats.iter().map(String::as_str)).collect();
        let word = node.name().value();
        self.shape(node, 1..=1, &properties, true, &format!("`{} rope in=backpack max=1`", shown_name(word)));
        let Some(name) = self.declares(node, "the name of an item") else { return };
        let kind = kind.map(|kind| self.own().system.kinds[kind].clone()).unwrap_or_default();
        let container = self.container_of(node).or(kind.container);
        let mut traits = self.traits(node, &kind.traits);
        let places = traits.places();
        let default = container.map_or(1, |own| self.own().system.containers[own].holds / places);
        let most = integer_property(&mut self.problems, node, "max", 1..=LARGEST);
        let most = most.or(kind.most).unwrap_or(default.max(1));
        let start = self.start(node, (0, most), 0);
        for child in children(node) {
            if child.name().value() == "as" {
                self.shape(child, 1..=usize::MAX, &[], false, "`as spear short-sword`");
                for entry in arguments(child) {
                    traits.counts_as.extend(string(&mut self.problems, entry, "an item").map(String::from));
                }
            } else {
                let message = format!("`{}` means nothing in an item", shown_name(child.name().value()));
                self.error(name_span(child), message, "write `as spear short-sword`");
            }
        }
        let place = self.declare_number(name, VariableKind::Item, (0, most), start);
        let item = &mut self.own().system.variables[place];
        (item.container, item.traits) = (container, traits);
    }

    /// The names of item stats.
    pub(crate) fn item_stat_names(&mut self) -> Vec<String> {
        self.own().system.item_stats.iter().map(|own| own.name.clone()).collect()
    }

    /// The item stat with the name of an entry; `help` is the suggestion if no name is similar.
    pub(crate) fn named_item_stat(&mut self, entry: &KdlEntry, help: &str) -> Option<usize> {
        let wanted = entry.value().as_string().unwrap_or_default();
        let stats = &self.own().system.item_stats;
        let found = stats.iter().position(|own| own.name == wanted);
        if found.is_none() {
            let near = did_you_mean(wanted, stats.iter().map(|own| own.name.as_str()));
            let message = format!("`{}` is not a number of items", shown(entry));
            self.error(entry_span(entry), message, near.unwrap_or_else(|| help.into()));
        }
        found
    }

    /// The container that a node names.
    fn container_of(&mut self, node: &KdlNode) -> Option<usize> {
        let entry = property(node, "in")?;
        let wanted = entry.value().as_string().unwrap_or_default();
        let containers = &self.own().system.containers;
        let found = containers.iter().position(|own| own.name == wanted);
        if found.is_none() {
            let help = did_you_mean(wanted, containers.iter().map(|own| own.name.as_str()))
                .unwrap_or_else(|| "declare it: `container backpack holds=8`".into());
            self.error(entry_span(entry), format!("there is no container `{}`", shown(entry)), help);
        }
        found
    }

    /// The traits of an item: those of its node, else those of its kind.
    pub(crate) fn traits(&mut self, node: &KdlNode, kind: &Traits) -> Traits {
        let places = integer_property::<i32>(&mut self.problems, node, "places", 1..=99);
        let permanent = flag_or(&mut self.problems, node, "permanent", kind.permanent);
        let item_stats = self.own().system.item_stats.clone();
        let mut stats = kind.stats.clone();
        stats.resize(item_stats.len(), 0);
        for (own, number) in item_stats.iter().zip(&mut stats) {
            if let Some(entry) = property(node, &own.name)
                && let Some(value) = self.yes_or_number(entry, (own.least, own.most), &format!("`{}`", own.name))
            {
                *number = value;
            }
        }
        Traits { more_places: places.map_or(kind.more_places, |places| places - 1), permanent, stats, ..kind.clone() }
    }

    /// A number, or `#true` for 1 and `#false` for 0.
    pub(crate) fn yes_or_number(&mut self, entry: &KdlEntry, (least, most): (i32, i32), what: &str) -> Option<i32> {
        match entry.value().as_bool() {
            Some(yes) if (least..=most).contains(&i32::from(yes)) => Some(yes.into()),
            _ => integer(&mut self.problems, entry, i64::from(least)..=i64::from(most), what),
        }
    }
}
