//! The objects of the mechanics by the names that our books give them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::sentence::slug;
use crate::target::Target;
use crate::xml::Element;

/// An object as `objects.xml` declares it.
#[derive(Clone, Debug, Default)]
struct Object {
    name: String,
    /// `weapon`, `object` or `special`.
    kind: String,
    weapon_type: Option<String>,
    food: bool,
    heals: Option<i32>,
    /// What it adds to COMBAT SKILL in a fight before which it is used.
    strengthens: Option<i32>,
    endurance: i32,
    combat_skill: i32,
    /// Places in the backpack.
    places: i32,
    /// How often it can be used.
    doses: i32,
    /// It helps only together with something else.
    helps_with: bool,
}

/// All objects, and which of them a book has used.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    by_id: BTreeMap<String, Object>,
    /// The names that the head of the book declares.
    declared: Vec<String>,
    /// What has to be declared as well: the name and its declaration.
    used: BTreeMap<String, String>,
    target: Target,
    /// The kinds of weapons that a weapon counts as, by its name.
    types: BTreeMap<String, Vec<String>>,
    /// What is asked for of weapons: which one it is, and of which kind it is.
    asked: BTreeSet<String>,
    asked_types: BTreeSet<String>,
}

/// Names that our books shorten.
const SHORTENED: [(&str, &str); 9] = [
    ("laumspurmeal", "laumspur"),
    ("sealofhammerdal", "seal"),
    ("portbaxticket", "ticket"),
    ("healingpotion3", "small-healing-potion"),
    ("pick", "pickaxe"),
    ("silverkeybook3", "silver-key"),
    ("leatherwaistcoat", "padded-leather"),
    ("largerope", "long-rope"),
    ("potionofstrength4", "distilled-alether"),
];

impl Objects {
    /// The objects of a file, for a book whose head declares some names already.
    pub fn new(root: Option<&Element>, declared: Vec<String>, target: Target) -> Self {
        let mut objects = Self { declared, target, ..Self::default() };
        if let Some(root) = root {
            objects.look(root);
        }
        objects
    }

    fn look(&mut self, element: &Element) {
        for inner in element.elements() {
            let Some(id) = inner.attribute("id") else {
                self.look(inner);
                continue;
            };
            let amount = |name: &str, class: &str| {
                let own = |effect: &&Element| effect.attribute("class") == Some(class);
                inner.named(name).find(own).and_then(|effect| effect.attribute("increment")?.parse::<i32>().ok())
            };
            let name = inner.named("name").next().map(Element::text).unwrap_or_default();
            let object = Object {
                name: slug(&name),
                kind: inner.name.clone(),
                weapon_type: inner.attribute("weaponType").map(String::from),
                food: inner.attribute("isMeal") == Some("true"),
                heals: amount("usage", "endurance").filter(|points| *points > 0),
                strengthens: amount("usage", "combatSkill").filter(|points| (1..=20).contains(points)),
                endurance: amount("effect", "endurance").unwrap_or(0),
                combat_skill: amount("effect", "combatSkill").unwrap_or(0),
                doses: inner.attribute("usageCount").and_then(|count| count.parse().ok()).unwrap_or(1),
                helps_with: inner.named("usage").any(|usage| {
                    ["takenWithMeal", "takenWithLaumspur"].iter().any(|name| usage.attribute(name) == Some("true"))
                }),
                places: inner.attribute("itemCount").and_then(|count| count.parse().ok()).unwrap_or(1),
            };
            self.by_id.insert(id.to_string(), object);
        }
    }

    /// Whether there is such an object.
    pub fn is_known(&self, id: &str) -> bool {
        self.by_id.contains_key(id) || self.declared.contains(&id.to_string())
    }

    /// What a person has to look at where an object is found.
    pub fn peculiar(&self, id: &str) -> Option<&'static str> {
        let object = self.by_id.get(id).filter(|_| self.target.is_system())?;
        if object.doses > 1 {
            return Some("a thing that can be used several times");
        }
        object.helps_with.then_some("a thing that helps only together with something else")
    }

    /// The name of an object, which is declared from now on.
    pub fn name(&mut self, id: &str) -> String {
        let object = self.by_id.get(id).cloned().unwrap_or_default();
        let plain = |name: &str| name.replace('-', "");
        let own = SHORTENED.iter().find(|(long, _)| *long == id).map(|(_, short)| *short);
        let wanted = [own.unwrap_or_default(), id, object.name.as_str()];
        let found = wanted
            .iter()
            .filter(|name| !name.is_empty())
            .find_map(|name| self.declared.iter().find(|declared| plain(declared) == plain(name)).cloned());
        if let Some(name) = found {
            self.types.entry(name.clone()).or_insert_with(|| types_of(id, &object));
            return name;
        }
        let mut name =
            own.map_or_else(|| if object.name.is_empty() { slug(id) } else { object.name.clone() }, String::from);
        // A name begins with a letter.
        if !name.starts_with(char::is_alphabetic) {
            name = format!("the-{name}");
        }
        let target = self.target;
        let wanted = declaration(&name, &object, target);
        // Two objects of one name are told apart by what they are called in the file.
        if self.used.get(&name).is_some_and(|other| *other != wanted) {
            name = slug(id);
        }
        let declaration = declaration(&name, &object, target);
        self.types.insert(name.clone(), types_of(id, &object));
        self.used.insert(name.clone(), declaration);
        name
    }

    /// The number of items that is 1 for this weapon alone, from now on.
    pub fn itself(&mut self, id: &str) -> String {
        let name = self.name(id);
        self.asked.insert(name.clone());
        format!("is-{name}")
    }

    /// The number of items that is 1 for weapons of this kind, from now on.
    pub fn of_type(&mut self, kind: &str) -> String {
        self.asked_types.insert(kind.into());
        format!("type-{kind}")
    }

    /// The numbers of items that are asked for.
    pub fn marks(&self) -> impl Iterator<Item = String> {
        let types = self.asked_types.iter().map(|kind| format!("type-{kind}"));
        self.asked.iter().map(|name| format!("is-{name}")).chain(types)
    }

    /// Those of them that an item has, as they are written after it.
    pub fn marks_of(&self, name: &str) -> String {
        let itself = self.asked.get(name).map(|name| format!(" is-{name}=1"));
        let own = self.types.get(name).cloned().unwrap_or_else(|| vec![name.replace('-', "")]);
        let types = self.asked_types.iter().filter(|kind| own.contains(kind)).map(|kind| format!(" type-{kind}=1"));
        itself.into_iter().chain(types).collect()
    }

    /// What has to be declared beside the head.
    pub fn declarations(&self) -> impl Iterator<Item = &str> {
        self.used.values().map(String::as_str)
    }
}

/// The kinds of weapons that an object counts as.
fn types_of(id: &str, object: &Object) -> Vec<String> {
    match &object.weapon_type {
        Some(types) => types.split('|').map(String::from).collect(),
        None => vec![id.into()],
    }
}

/// The line that declares an object.
fn declaration(name: &str, object: &Object, target: Target) -> String {
    let is_system = target.is_system();
    let mut line = match (object.kind.as_str(), &object.weapon_type) {
        ("weapon", _) => format!("weapon {name}"),
        ("special", Some(_)) if is_system => format!("special-weapon {name}"),
        ("special", Some(_)) => format!("weapon {name} special=#true"),
        ("object", _) => format!("backpack-item {name}"),
        _ if is_system => format!("special-item {name}"),
        _ => format!("special {name}"),
    };
    let is_weapon = object.kind == "weapon" || object.weapon_type.is_some();
    let is_bow = object.weapon_type.as_ref().is_some_and(|types| types.split('|').any(|kind| kind == "bow"));
    let is_bow = is_bow && is_system;
    if is_bow {
        line.push_str(" bow=1 hand=0");
    }
    if object.combat_skill != 0 && object.kind != "object" {
        let word = match (is_weapon, is_bow) {
            (true, true) => "aim",
            (true, false) => "bonus",
            (false, _) => "combat-skill",
        };
        let _ = write!(line, " {word}={}", object.combat_skill);
    }
    if object.endurance > 0 && object.kind == "special" && !is_weapon {
        let _ = write!(line, " endurance={}", object.endurance);
    }
    if object.food {
        line.push_str(" food=#true");
    }
    if let Some(points) = object.heals.filter(|_| object.kind == "object") {
        let _ = match (is_system, object.food) {
            // A hero whose only food heals may save it.
            (true, true) => write!(line, " heals={points} saved=#true"),
            (true, false) => write!(line, " heals={points}"),
            (false, true) => write!(line, " heals={points} when=any-time"),
            (false, false) => write!(line, " heals={points} when=after-combat"),
        };
    }
    if let Some(points) = object.strengthens.filter(|_| object.kind == "object") {
        let _ = write!(line, " strengthens={points}");
    }
    if object.kind == "object" && (2..=15).contains(&object.places) {
        let _ = write!(line, " places={}", object.places);
    }
    if let Some(types) = object.weapon_type.as_ref().filter(|_| is_weapon) {
        const TYPES: [(&str, &str); 3] =
            [("shortsword", "short-sword"), ("sword", "sword"), ("broadsword", "broadsword")];
        const SAME: [&str; 7] = ["dagger", "spear", "mace", "warhammer", "axe", "quarterstaff", "bow"];
        let own: Vec<&str> = types
            .split('|')
            .filter_map(|wanted| {
                let renamed = TYPES.iter().find(|(theirs, _)| *theirs == wanted).map(|(_, ours)| *ours);
                let is_same = |same: &&&str| **same == wanted && (is_system || wanted != "bow");
                renamed.or_else(|| SAME.iter().find(is_same).copied())
            })
            .collect();
        if !own.is_empty() {
            let _ = write!(line, " {{ as {}; }}", own.join(" "));
        }
    }
    line
}
