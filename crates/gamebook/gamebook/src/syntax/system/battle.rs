//! Parsing fights under a system of rules.

use kdl::{KdlEntry, KdlNode};

use crate::book::{Battle, Condition, Number, Rule};
use crate::syntax::kdl::{
    arguments, children, integer_property, name_span, property, property_names, shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most enemies of a fight, of those fought at once, and the most allies.
const MOST_ENEMIES: usize = 30;

const MOST_AT_ONCE: usize = 4;

const MOST_ALLIES: usize = 8;

impl Reader<'_> {
    pub(crate) fn event_step(&mut self, node: &KdlNode) -> Option<Rule> {
        self.shape(node, 1..=1, &property_names(node), false, "`event won hit=2`");
        if !self.own().in_round {
            self.error(
                name_span(node),
                "this is not a round of a fight",
                "`event` stands in a `round` of a `fight-system`",
            );
            return None;
        }
        let event = self.event_name(arguments(node).next()?)?;
        let parameters = self.own().system.fights.events[event].parameters.clone();
        let mut given = Vec::new();
        for local in parameters {
            let name = self.own().local_name(local);
            let number = match property(node, &name) {
                Some(entry) => self.number(entry)?,
                None => Number::Constant(0),
            };
            given.push((local, number));
        }
        Some(Rule::Event { event, arguments: given })
    }

    pub(crate) fn battle(&mut self, node: &KdlNode) -> Option<Rule> {
        if self.own().in_fight {
            self.error(name_span(node), "a fight within a fight", "end the one first");
            return None;
        }
        if !self.own().system.fights.declared {
            let help = "write `fight-system { round { ... } }` at the head of the file";
            self.error(name_span(node), "how is fought here?", help);
            return None;
        }
        self.own().fights = true;
        let mut battle = Battle { locals: self.own().system.fights.locals.clone(), ..Battle::default() };
        let stats: Vec<String> = self.own().system.enemy_stats.iter().map(|own| own.name.clone()).collect();
        let rules = self.own();
        let locals: Vec<String> = rules.system.fights.locals.iter().map(|own| rules.local_name(own.local)).collect();
        let usage =
            format!("`fight \"Name\" {}`", stats.iter().map(|name| format!("{name}=8")).collect::<Vec<_>>().join(" "));
        let mut properties: Vec<&str> = stats.iter().map(String::as_str).collect();
        let enemy_properties = properties.clone();
        properties.extend(locals.iter().map(String::as_str));
        let before = self.problems.errors();
        let well_formed = self.shape(node, 0..=1, &properties, true, &usage);
        for (own, name) in locals.iter().enumerate() {
            if let Some(entry) = property(node, name)
                && let Some(number) = self.number_or_yes(entry)
            {
                battle.locals[own].start = number;
            }
        }
        let alone = arguments(node).next().is_some() || stats.iter().any(|name| property(node, name).is_some());
        if alone {
            battle.enemies.extend(self.enemy_of(node, well_formed, &usage));
        }
        self.within(|reader| {
            for child in children(node) {
                reader.battle_part(child, &mut battle, &enemy_properties, &usage);
            }
        });
        if battle.enemies.is_empty() {
            // Invalid enemies are reported already.
            if self.problems.errors() == before {
                self.error(name_span(node), "a fight without enemies", format!("write {usage}"));
            }
            return None;
        }
        let at_once = battle.order.unwrap_or(self.own().system.fights.order) != crate::book::Order::OneByOne;
        let most = if at_once { MOST_AT_ONCE } else { MOST_ENEMIES };
        if battle.enemies.len() > most {
            let message = format!("{} enemies", battle.enemies.len());
            self.error(name_span(node), message, format!("up to {most} are possible"));
            return None;
        }
        Some(Rule::Battle(Box::new(battle)))
    }

    /// A number; `#true` is 1 and `#false` is 0.
    pub(crate) fn number_or_yes(&mut self, entry: &KdlEntry) -> Option<Number> {
        match entry.value().as_bool() {
            Some(yes) => Some(Number::Constant(yes.into())),
            None => self.number(entry),
        }
    }

    fn battle_part(&mut self, node: &KdlNode, battle: &mut Battle, stats: &[&str], usage: &str) {
        const PARTS: [&str; 9] =
            ["enemy", "local", "on", "before-round", "end-of-round", "ally", "escape", "order", "defeat"];
        let name = node.name().value();
        match name {
            "enemy" => {
                let usage = usage.replacen("fight", "enemy", 1);
                let well_formed = self.shape(node, 1..=1, stats, false, &usage);
                battle.enemies.extend(self.enemy_of(node, well_formed, &usage));
            }
            "local" => battle.locals.extend(self.fight_local(node)),
            "order" => battle.order = self.order(node),
            "on" => {
                self.shape(node, 1..=1, &[], true, "`on won { ... }`");
                let Some(event) = arguments(node).next().and_then(|entry| self.event_name(entry)) else { return };
                let body = self.fight_body(Some(event), node);
                battle.handlers.push((event, body));
            }
            "before-round" | "end-of-round" => {
                self.shape(node, 0..=0, &[], true, &format!("`{name} {{ ... }}`"));
                let body = self.fight_body(None, node);
                if name == "before-round" { battle.before_round.extend(body) } else { battle.end_of_round.extend(body) }
            }
            "defeat" => {
                self.shape(node, 0..=0, &["leaves"], true, "`defeat leaves=1 { goto 12; }`");
                let leaves = match property(node, "leaves") {
                    Some(entry) => self.number(entry).unwrap_or(Number::Constant(1)),
                    None => Number::Constant(1),
                };
                let body = self.within(|reader| {
                    (reader.own().fighting, reader.own().in_fight) = (false, true);
                    reader.body(children(node))
                });
                battle.defeat = Some((leaves, body));
            }
            "escape" => {
                self.shape(node, 0..=0, &["if"], true, "`escape if=\"luck >= 3\" { goto 12; }`");
                let when = property(node, "if").and_then(|entry| self.in_fight(None, |reader| reader.condition(entry)));
                let body = self.fight_body(None, node);
                battle.escape = Some((when.unwrap_or(Condition::Constant(true)), body));
            }
            "ally" => {
                let Some((parameters, _)) = self.own().system.fights.ally.clone() else {
                    let help = "write `ally attack hit { ... }` in the `fight-system`";
                    self.error(name_span(node), "how does an ally fight?", help);
                    return;
                };
                let rules = self.own();
                let names: Vec<String> =
                    parameters.iter().map(|own| rules.local_name(*own).replacen("ally.", "", 1)).collect();
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                let usage = names.iter().fold(String::new(), |all, name| all + &format!(" {name}=2"));
                self.shape(node, 0..=1, &known, false, &format!("`ally{usage}`"));
                if let Some(entry) = arguments(node).next() {
                    string(&mut self.problems, entry, "the name of an ally");
                }
                if battle.allies.len() >= MOST_ALLIES {
                    self.error(name_span(node), format!("more than {MOST_ALLIES} allies"), "let fewer help");
                    return;
                }
                let mut numbers = Vec::new();
                for name in &names {
                    match property(node, name) {
                        Some(entry) => numbers.extend(self.number(entry)),
                        None => self.error(
                            name_span(node),
                            format!("the ally's `{name}` is missing"),
                            format!("write `ally{usage}`"),
                        ),
                    }
                }
                if numbers.len() == names.len() {
                    battle.allies.push(numbers);
                }
            }
            _ => {
                let help = self.no_battle_part(name, &PARTS);
                self.error(name_span(node), format!("`{}` means nothing in a fight", shown_name(name)), help);
            }
        }
    }

    /// What would be right where something means nothing in a fight.
    fn no_battle_part(&mut self, name: &str, parts: &[&str]) -> String {
        let rules = self.own();
        if rules.system.fights.locals.iter().any(|own| rules.local_name(own.local) == name) {
            return format!("write it before the braces: `fight {name}=1 {{ ... }}`");
        }
        did_you_mean(name, parts.iter().copied()).unwrap_or_else(|| format!("a fight has {}", parts.join(", ")))
    }

    /// The enemy described by a node.
    fn enemy_of(&mut self, node: &KdlNode, well_formed: bool, usage: &str) -> Option<(String, Vec<Number>)> {
        let name = arguments(node).next().and_then(|entry| string(&mut self.problems, entry, "the name of an enemy"));
        let name = name.unwrap_or_default().to_string();
        let mut stats = Vec::new();
        for stat in self.own().system.enemy_stats.clone() {
            let number = match property(node, &stat.name) {
                Some(entry) if entry.value().as_integer().is_some() => {
                    let range = i64::from(stat.least)..=i64::from(stat.most);
                    let number = integer_property(&mut self.problems, node, &stat.name, range);
                    number.map(Number::Constant)
                }
                Some(entry) => self.number_or_yes(entry),
                None => match stat.start {
                    Some(start) => Some(Number::Constant(start)),
                    // Misspelt stats are reported already.
                    None if !well_formed => None,
                    None => {
                        self.error(
                            name_span(node),
                            format!("the enemy's `{}` is missing", stat.name),
                            format!("write {usage}, or give `enemy-stat {}` a `start` in the system", stat.name),
                        );
                        None
                    }
                },
            };
            stats.push(number?);
        }
        Some((name, stats))
    }
}
