//! The effects that a part of a section can have.

use crate::book::{Item, ItemId, Kind, LocalId, Node, NodeKind, Thing, When};

/// The effects that a part of a section can have.
#[derive(Default)]
pub(super) struct Changed {
    pub gold: bool,
    pub fight: bool,
    pub items: Vec<ItemId>,
    pub flags: Vec<usize>,
    pub counters: Vec<usize>,
    pub locals: Vec<LocalId>,
}

impl Changed {
    /// Adds the effects of nodes.
    pub(super) fn add(&mut self, items: &[Item], nodes: &[Node]) {
        let of_kind = |kind: Kind| (0..items.len()).filter(move |item| items[*item].kind == kind);
        let got = |changed: &mut Self, item: usize| {
            changed.items.push(item);
            match items[item].kind {
                Kind::Weapon => changed.items.extend(of_kind(Kind::Weapon)),
                Kind::Backpack | Kind::Container => changed.items.extend(of_kind(Kind::Backpack)),
                Kind::Special | Kind::Permanent => {}
            }
        };
        let between = |item: &usize| is_used_between(&items[*item]);
        self.items.extend((0..items.len()).filter(between));
        self.flags.extend(items.iter().filter_map(|item| item.cures));
        for node in nodes {
            match &node.kind {
                NodeKind::Gain(Thing::Gold, _) | NodeKind::Lose(Thing::Gold, _) => self.gold = true,
                NodeKind::Gain(Thing::Item(item), _) | NodeKind::Lose(Thing::Item(item), _) => got(self, *item),
                NodeKind::LoseAll { gold, items: lost } => {
                    self.gold |= gold;
                    for item in lost {
                        got(self, *item);
                    }
                }
                NodeKind::GiveUp { kind, .. } => self.items.extend(of_kind(*kind)),
                NodeKind::Flag(flag, _) => self.flags.push(*flag),
                NodeKind::Counter(counter, _) => self.counters.push(*counter),
                NodeKind::Eat { .. } => self.items.extend((0..items.len()).filter(|item| items[*item].food)),
                NodeKind::If(branches, otherwise) => {
                    for (_, body, _) in branches {
                        self.add(items, body);
                    }
                    self.add(items, otherwise);
                }
                NodeKind::Choices(choices) => {
                    for choice in choices {
                        self.locals.extend(choice.each.as_ref().map(|(local, _, _)| *local));
                        self.add(items, &choice.body);
                    }
                }
                NodeKind::Pick(pick) => {
                    self.locals.extend(pick.sums.iter().filter_map(|(local, _)| *local));
                    pick.cases.iter().for_each(|(_, body, _)| self.add(items, body));
                }
                NodeKind::Take { lines, .. } => {
                    for (thing, _) in lines {
                        match thing {
                            Thing::Gold => self.gold = true,
                            Thing::Item(item) => got(self, *item),
                        }
                    }
                }
                NodeKind::Shop(trades) => {
                    self.gold = true;
                    for trade in trades {
                        got(self, trade.item);
                    }
                }
                NodeKind::Repeat(body) => self.add(items, body),
                NodeKind::Fight(fight) => {
                    self.add_fight(items);
                    fight.bodies().for_each(|body| self.add(items, body));
                }
                NodeKind::OneRound { worse, equal, better, .. } => {
                    self.add_fight(items);
                    for body in [worse, equal, better] {
                        self.add(items, body);
                    }
                }
                NodeKind::Rule(_)
                | NodeKind::Endurance(_)
                | NodeKind::Restore { .. }
                | NodeKind::Goto(_)
                | NodeKind::Death(_)
                | NodeKind::Victory
                | NodeKind::Again(_) => {}
            }
        }
        for list in [&mut self.items, &mut self.flags, &mut self.counters, &mut self.locals] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// Adds the effects of a fight itself.
    fn add_fight(&mut self, items: &[Item]) {
        self.fight = true;
        let is_used = |item: &usize| items[*item].heals.is_some() || items[*item].strengthens > 0;
        self.items.extend((0..items.len()).filter(is_used));
    }
}

/// Whether an item heals between two events of a section.
pub(super) fn is_used_between(item: &Item) -> bool {
    matches!(item.heals, Some((_, When::AnyTime | When::SinceCombat)))
}
