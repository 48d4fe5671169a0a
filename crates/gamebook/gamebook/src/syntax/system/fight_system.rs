//! Parsing the rules of fights: the `fight-system`.

use kdl::{KdlEntry, KdlNode};

use crate::book::{Condition, Event, FightLocal, Number, Order, Wield};
use crate::syntax::kdl::{
    arguments, children, entry_span, name_span, property, property_names, shown, shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

impl Reader<'_> {
    /// The names that a fight system binds: numbers of a fight, parameters of events, stats of allies.
    pub(crate) fn fight_names(&mut self, node: &KdlNode) {
        self.shape(node, 0..=0, &[], true, "`fight-system { round { ... } }`");
        self.own().system.fights.declared = true;
        for child in children(node) {
            match child.name().value() {
                "local" => {
                    if let Some(local) = self.fight_local(child) {
                        self.own().system.fights.locals.push(local);
                    }
                    // Its name is only valid in fights.
                    self.own().scope.pop();
                }
                "round" | "others" => self.event_names(children(child)),
                "ally" => {
                    self.shape(child, 0..=usize::MAX, &[], true, "`ally attack hit { ... }`");
                    let named = |entry| string(&mut self.problems, entry, "a name of an ally").map(String::from);
                    let names: Vec<String> = arguments(child).filter_map(named).collect();
                    let parameters = names.iter().map(|name| self.bind_name(&format!("ally.{name}"))).collect();
                    let rules = self.own();
                    rules.scope.truncate(rules.scope.len() - names.len());
                    rules.system.fights.ally = Some((parameters, Vec::new()));
                }
                _ => {}
            }
        }
    }

    /// The events of a round, with their parameters.
    fn event_names(&mut self, nodes: &[KdlNode]) {
        for node in nodes {
            if node.name().value() == "event"
                && let Some(name) = arguments(node).next().and_then(|entry| entry.value().as_string())
            {
                let events = &mut self.own().system.fights.events;
                let place = events.iter().position(|own| own.name == name).unwrap_or_else(|| {
                    events.push(Event { name: name.into(), ..Event::default() });
                    events.len() - 1
                });
                for parameter in property_names(node) {
                    let system = &self.own().system;
                    let known = &system.fights.events[place].parameters;
                    if !known.iter().any(|own| system.locals[*own].name == parameter) {
                        let local = self.bind_name(parameter);
                        self.own().scope.pop();
                        self.own().system.fights.events[place].parameters.push(local);
                    }
                }
            }
            self.event_names(children(node));
        }
    }

    /// `local NAME start=0 min=0 max=9`
    pub(crate) fn fight_local(&mut self, node: &KdlNode) -> Option<FightLocal> {
        self.shape(node, 1..=1, &["start", "min", "max"], false, "`local run start=0 min=0 max=9`");
        let (least, most) = self.bounds(node, 0, 99);
        let start = match property(node, "start") {
            Some(entry) => self.number(entry)?,
            None => Number::Constant(0i32.clamp(least, most)),
        };
        let entry = arguments(node).next()?;
        let local = self.bind_new(entry, "a name of the fight")?;
        let own = &mut self.own().system.locals[local];
        (own.changed, own.is_bounded) = (Some((least, most)), true);
        Some(FightLocal { local, least, most, start })
    }

    /// `wield weapon if="bare-hands = 0"`
    fn wield(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &["if"], false, "`wield weapon`, where `weapon` is an item-stat");
        let Some(entry) = arguments(node).next() else { return };
        let wield = self.in_fight(None, |reader| {
            let stat = reader.with(entry);
            reader.own().at_hand = false;
            let when = property(node, "if").and_then(|entry| reader.condition(entry));
            stat.map(|stat| Wield { stat, when: when.unwrap_or(Condition::Constant(true)) })
        });
        if wield.is_some() {
            self.own().system.fights.wield = wield;
        }
    }

    pub(crate) fn fight_system(&mut self, node: &KdlNode) {
        const PARTS: [&str; 9] =
            ["order", "local", "round", "others", "on", "end-of-round", "on-escape", "ally", "wield"];
        for child in children(node) {
            let name = child.name().value();
            match name {
                "local" => {}
                "wield" => self.wield(child),
                "order" => {
                    if let Some(order) = self.order(child) {
                        self.own().system.fights.order = order;
                    }
                }
                "round" | "others" => {
                    self.shape(child, 0..=0, &[], true, "`round { roll 2d6 as=mine; ...; event won hit=2; }`");
                    let body = self.in_fight(None, |reader| {
                        reader.own().in_round = true;
                        reader.body(children(child))
                    });
                    let fights = &mut self.own().system.fights;
                    if name == "round" { fights.round = body } else { fights.others = body }
                }
                "end-of-round" | "on-escape" => {
                    self.shape(child, 0..=0, &[], true, "`end-of-round { ... }`");
                    let body = self.fight_body(None, child);
                    let fights = &mut self.own().system.fights;
                    if name == "end-of-round" { fights.end_of_round = body } else { fights.on_escape = body }
                }
                "on" => {
                    self.shape(child, 1..=1, &[], true, "`on won { ... }`");
                    let Some(event) = arguments(child).next().and_then(|entry| self.event_name(entry)) else {
                        continue;
                    };
                    let body = self.fight_body(Some(event), child);
                    self.own().system.fights.events[event].body = body;
                }
                "ally" => {
                    let body = self.in_fight(None, |reader| {
                        let rules = reader.own();
                        let ally = rules.system.fights.ally.as_ref();
                        let parameters = ally.map_or(Vec::new(), |(own, _)| own.clone());
                        rules.bring(parameters);
                        reader.body(children(child))
                    });
                    if let Some((_, own)) = &mut self.own().system.fights.ally {
                        *own = body;
                    }
                }
                other => {
                    let help = did_you_mean(other, PARTS)
                        .unwrap_or_else(|| format!("a fight system has {}", PARTS.join(", ")));
                    self.error(
                        name_span(child),
                        format!("`{}` means nothing in a fight system", shown_name(other)),
                        help,
                    );
                }
            }
        }
        // What is wrong in a round is reported already.
        let is_round = |child: &KdlNode| child.name().value() == "round" && !children(child).is_empty();
        if self.own().system.fights.round.is_empty() && !children(node).iter().any(is_round) {
            self.error(name_span(node), "what happens in a round?", "write `round { ... }`");
        } else if !self.own().system.enemy_stats.iter().any(|own| own.vital) {
            self.error(name_span(node), "no enemy ever falls", "declare `enemy-stat stamina vital=#true`");
        }
    }

    pub(crate) fn order(&mut self, node: &KdlNode) -> Option<Order> {
        const ORDERS: [(&str, Order); 3] =
            [("one-by-one", Order::OneByOne), ("all-at-once", Order::AllAtOnce), ("player-picks", Order::PlayerPicks)];
        self.shape(node, 1..=1, &[], false, "`order one-by-one`");
        let entry = arguments(node).next()?;
        let found = ORDERS.iter().find(|own| entry.value().as_string() == Some(own.0));
        if found.is_none() {
            let help = "write one-by-one, all-at-once or player-picks";
            self.error(entry_span(entry), format!("`{}` is not an order", shown(entry)), help);
        }
        found.map(|own| own.1)
    }

    /// Resolves the name of an event.
    pub(crate) fn event_name(&mut self, entry: &KdlEntry) -> Option<usize> {
        let name = string(&mut self.problems, entry, "the name of an event")?.to_string();
        let events = &self.own().system.fights.events;
        if let Some(place) = events.iter().position(|own| own.name == name) {
            return Some(place);
        }
        let known: Vec<String> = events.iter().map(|own| own.name.clone()).collect();
        let help = did_you_mean(&name, known.iter().map(String::as_str)).unwrap_or_else(|| {
            format!("there are {}", if known.is_empty() { "none".into() } else { known.join(", ") })
        });
        self.error(entry_span(entry), format!("nothing called `{}` happens in a round", shown_name(&name)), help);
        None
    }
}
