//! Parsing declarations: items, flags, counters; and names of items.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use crate::book::{Condition, Counter, Item, ItemId, Kind, Thing, Weapon, When};
use crate::syntax::expression::Names;
use crate::syntax::kdl::{
    arguments, children, entry_span, flag, integer, integer_property, name_span, property, property_names, shown,
    shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// Reserved words of expressions.
const RESERVED: [&str; 20] = [
    "gold",
    "endurance",
    "max-endurance",
    "combat-skill",
    "disciplines",
    "weapons",
    "backpack-items",
    "backpack-room",
    "special",
    "container",
    "rounds",
    "wounded",
    "min",
    "max",
    "and",
    "or",
    "not",
    "has",
    "always",
    "never",
];

/// The most names declared in a book.
const MOST_NAMES: usize = 240;

impl Reader<'_> {
    pub(crate) fn declare(&mut self, name: &str, span: Range<usize>) -> bool {
        if !self.well_formed(name, &span) {
            return false;
        }
        if RESERVED.contains(&name) {
            self.error(span, format!("`{name}` has a meaning already"), "choose another name");
            return false;
        }
        if self.declared.contains_key(name) {
            self.error(span, format!("`{name}` is declared twice"), "keep one, or choose another name");
            return false;
        }
        if self.declared.len() >= MOST_NAMES {
            self.error(span, format!("more than {MOST_NAMES} names are declared"), "declare fewer");
            return false;
        }
        self.declared.insert(name.into(), span);
        true
    }

    pub(crate) fn items(&mut self, list: &KdlNode) {
        const KINDS: [&str; 5] = ["weapon", "backpack-item", "special", "permanent", "container"];
        self.shape(list, 0..=0, &[], true, "`items { ... }`");
        for node in children(list) {
            let kind = match node.name().value() {
                "weapon" => Kind::Weapon,
                "backpack-item" => Kind::Backpack,
                "special" => Kind::Special,
                "permanent" => Kind::Permanent,
                "container" => Kind::Container,
                other => {
                    let help =
                        did_you_mean(other, KINDS).unwrap_or_else(|| format!("an item is a {}", KINDS.join(", ")));
                    self.error(name_span(node), format!("`{}` is not a kind of item", shown_name(other)), help);
                    continue;
                }
            };
            self.item(node, kind);
        }
        let weapons: Vec<String> =
            self.items.iter().filter(|item| item.weapon.is_some()).map(|item| item.name.clone()).collect();
        for node in children(list).iter().filter(|node| node.name().value() == "weapon") {
            for other in children(node).iter().flat_map(arguments) {
                let name = other.value().as_string().unwrap_or_default();
                if !weapons.iter().any(|weapon| weapon == name) {
                    let help = did_you_mean(name, weapons.iter().map(String::as_str))
                        .unwrap_or_else(|| "name a weapon of this list".into());
                    self.error(entry_span(other), format!("`{}` is not the name of a weapon", shown(other)), help);
                }
            }
        }
        let containers: Vec<&Item> = self.items.iter().filter(|item| item.kind == Kind::Container).collect();
        if let Some(second) = containers.get(1) {
            let span = second.span.clone();
            self.error(span, "a second container", "one at most can be declared");
        }
    }

    fn item(&mut self, node: &KdlNode, kind: Kind) {
        let (properties, usage) = properties_of(kind);
        self.shape(node, 1..=1, properties, kind == Kind::Weapon, usage);
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of an item") else { return };
        if !self.declare(name, entry_span(entry)) {
            return;
        }
        let backpack = if kind == Kind::Container { self.kai().backpack } else { 0 };
        let problems = &mut self.problems;
        let bonus = integer_property(problems, node, "bonus", -20..=20).unwrap_or(0);
        let combat_skill = integer_property(problems, node, "combat-skill", -20..=20).unwrap_or(0);
        let endurance = integer_property(problems, node, "endurance", 0..=50).unwrap_or(0);
        let heals = integer_property(problems, node, "heals", 1..=99).unwrap_or(0);
        let strengthens = integer_property(problems, node, "strengthens", 1..=20).unwrap_or(0);
        let places = integer_property(problems, node, "places", 1..=15).unwrap_or(1);
        let most = integer_property(problems, node, "most", 1..=15).unwrap_or(u8::MAX);
        let holds = integer_property(problems, node, "holds", 1..=15).unwrap_or(backpack);
        let food = flag(problems, node, "food");
        let weapon = (kind == Kind::Weapon).then(|| Weapon {
            bonus,
            counts_as: children(node)
                .iter()
                .flat_map(arguments)
                .filter_map(|other| other.value().as_string().map(String::from))
                .collect(),
            doubles_undead: flag(&mut self.problems, node, "doubles-undead"),
        });
        for child in children(node) {
            if child.name().value() == "as" {
                self.shape(child, 1..=usize::MAX, &[], false, "`as sword broadsword`");
            } else {
                self.error(
                    name_span(child),
                    format!("`{}` means nothing here", shown_name(child.name().value())),
                    "write `as OTHER`",
                );
            }
        }
        let special = kind == Kind::Weapon && flag(&mut self.problems, node, "special");
        let when = self.when_used(node);
        if heals == 0
            && !food
            && let Some(entry) = property(node, "when")
        {
            self.error(entry_span(entry), "`when` without `heals`", "say how much it heals: heals=4");
        }
        self.items.push(Item {
            name: name.into(),
            kind: if special { Kind::Special } else { kind },
            weapon,
            food,
            heals: (heals > 0).then_some((heals, when)),
            cures: None,
            before_fights: None,
            strengthens,
            combat_skill,
            endurance,
            places,
            most,
            holds,
            span: entry_span(entry),
        });
    }

    /// When a healing item can be used.
    fn when_used(&mut self, node: &KdlNode) -> When {
        match property(node, "when").map(|entry| (entry, entry.value().as_string())) {
            None | Some((_, Some("after-combat"))) => When::AfterCombat,
            Some((_, Some("on-entering"))) => When::OnEntering,
            Some((_, Some("any-time"))) => When::AnyTime,
            Some((_, Some("since-combat"))) => When::SinceCombat,
            Some((entry, _)) => {
                self.error(
                    entry_span(entry),
                    format!("`{}` is not a time", shown(entry)),
                    "write when=after-combat, on-entering, any-time or since-combat",
                );
                When::AfterCombat
            }
        }
    }

    /// Resolves the readings and flags named by items, once all names are known.
    pub(crate) fn named_by_items(&mut self, list: &KdlNode) {
        for node in children(list) {
            let item = arguments(node).next().and_then(|name| self.item_place(name.value().as_string()?));
            if let Some((item, entry)) = item.zip(property(node, "before-fights")) {
                self.before_fights(item, entry);
            }
        }
        self.cures(list);
    }

    /// `before-fights="reading potions before-fights"`
    fn before_fights(&mut self, item: ItemId, entry: &KdlEntry) {
        if self.items[item].heals.is_none() {
            self.error(entry_span(entry), "`before-fights` without `heals`", "say how much it heals: heals=4");
        }
        match self.condition(entry) {
            Some(Condition::Reading(reading, value)) => self.items[item].before_fights = Some((reading, value)),
            Some(_) => self.error(
                entry_span(entry),
                format!("`{}` is not a reading", shown(entry)),
                "write before-fights=\"reading NAME VALUE\": it is used before fights where passages are read so",
            ),
            None => {}
        }
    }

    /// Resolves the flags that items clear.
    fn cures(&mut self, list: &KdlNode) {
        for node in children(list) {
            let Some(entry) = property(node, "cures") else { continue };
            let Some(flag) = string(&mut self.problems, entry, "the name of a flag") else { continue };
            let Some(flag) = Names::flag(self, flag) else {
                let _: Option<()> = self.no_such(entry, "a flag");
                continue;
            };
            let item = arguments(node).next().and_then(|name| self.item_place(name.value().as_string()?));
            let Some(item) = item else { continue };
            if self.items[item].heals.is_none() {
                self.error(entry_span(entry), "`cures` without `heals`", "say how much it heals: heals=4");
            }
            self.items[item].cures = Some(flag);
        }
    }

    pub(crate) fn flag_names(&mut self, node: &KdlNode) {
        self.shape(node, 1..=usize::MAX, &[], false, "`flags NAME NAME`");
        for entry in arguments(node) {
            if let Some(name) = string(&mut self.problems, entry, "the name of a flag")
                && self.declare(name, entry_span(entry))
            {
                self.flags.push(name.into());
            }
        }
    }

    pub(crate) fn counter_name(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["max"], false, "`counter NAME max=50`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a counter") else { return };
        if property(node, "max").is_none() {
            self.error(name_span(node), "the largest value of the counter is missing", "write max=50");
        }
        let max = integer_property(&mut self.problems, node, "max", 1..=255).unwrap_or(1);
        if self.declare(name, entry_span(entry)) {
            self.counters.push(Counter { name: name.into(), max });
        }
    }

    /// `seal meal=2`
    pub(crate) fn counted_items(&mut self, node: &KdlNode) -> Vec<(ItemId, u8)> {
        let usage = format!("`{} seal meal=2`", shown_name(node.name().value()));
        self.shape(node, 0..=usize::MAX, &property_names(node), false, &usage);
        let mut things = Vec::new();
        for entry in node.entries() {
            let (name, count) = match entry.name() {
                Some(name) => {
                    let count = integer(&mut self.problems, entry, 1..=15, "the number of an item");
                    (name.value().to_string(), count.unwrap_or(1))
                }
                None => (entry.value().as_string().unwrap_or_default().to_string(), 1),
            };
            if let Some(item) = self.item_name(&name, entry_span(entry)) {
                things.push((item, count));
            }
        }
        things
    }

    pub(crate) fn item_name(&mut self, name: &str, span: Range<usize>) -> Option<ItemId> {
        let found = self.item_place(name);
        if found.is_none() && !self.missing.head {
            let help = did_you_mean(name, self.items.iter().map(|item| item.name.as_str()))
                .unwrap_or_else(|| "declare it under `items`".into());
            let name = shown_name(name);
            self.error(span, format!("`{name}` is not the name of an item"), help);
        }
        found
    }

    pub(crate) fn item_place(&self, name: &str) -> Option<ItemId> {
        Names::item(self, name)
    }

    pub(crate) fn thing(&mut self, entry: &KdlEntry) -> Option<Thing> {
        let name = string(&mut self.problems, entry, "gold or an item")?;
        if name == "gold" {
            return Some(Thing::Gold);
        }
        self.item_name(name, entry_span(entry)).map(Thing::Item)
    }

    pub(crate) fn kind(&mut self, entry: &KdlEntry) -> Option<Kind> {
        match entry.value().as_string() {
            Some("weapons") => Some(Kind::Weapon),
            Some("backpack-items") => Some(Kind::Backpack),
            Some("special") => Some(Kind::Special),
            Some("container") => Some(Kind::Container),
            Some("permanent") => {
                let help = "name it: `lose NAME`";
                self.error(entry_span(entry), "what is permanent is not taken with all of its kind", help);
                None
            }
            _ => {
                self.error(
                    entry_span(entry),
                    format!("`{}` is not a kind of thing", shown(entry)),
                    "there are weapons, backpack-items, special, container and gold",
                );
                None
            }
        }
    }
}

/// The properties of a kind of items, and a sample.
fn properties_of(kind: Kind) -> (&'static [&'static str], &'static str) {
    match kind {
        Kind::Weapon => (
            &["bonus", "doubles-undead", "special"],
            "`weapon NAME bonus=8 doubles-undead=#true special=#true { as OTHER; }`",
        ),
        Kind::Backpack => (
            &["food", "heals", "when", "before-fights", "cures", "strengthens", "places", "most"],
            "`backpack-item NAME food=#true heals=4 when=after-combat cures=FLAG strengthens=2 places=2 most=1`",
        ),
        Kind::Special => (&["combat-skill", "endurance"], "`special NAME combat-skill=2 endurance=4`"),
        Kind::Permanent => (&["combat-skill", "endurance"], "`permanent NAME combat-skill=-2`"),
        Kind::Container => (&["holds"], "`container NAME holds=8`"),
    }
}
