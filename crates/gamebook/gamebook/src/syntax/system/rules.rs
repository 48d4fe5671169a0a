//! Names and scopes while a system of rules is parsed.

use kdl::{KdlEntry, KdlNode};

use super::scope::Rules;
use crate::book::{Local, LocalId, Node};
use crate::syntax::kdl::{children, entry_span, string};
use crate::syntax::reader::Reader;

/// The most bound names of a book.
const MOST_BOUND: usize = 4_000;

impl Reader<'_> {
    pub(crate) fn is_system(&self) -> bool {
        self.rules.is_some()
    }

    /// The rules that are being parsed; must exist.
    pub(crate) fn own(&mut self) -> &mut Rules {
        self.rules.get_or_insert_default()
    }

    /// Binds a new name in the scope.
    pub(crate) fn bind_name(&mut self, name: &str) -> LocalId {
        let rules = self.own();
        let local = rules.system.locals.len();
        rules.system.locals.push(Local { name: name.into(), changed: None, is_bounded: false });
        rules.scope.push((name.into(), local));
        local
    }

    /// Binds a new name in the scope, if it is valid.
    pub(crate) fn bind_new(&mut self, entry: &KdlEntry, what: &str) -> Option<LocalId> {
        let name = string(&mut self.problems, entry, what)?.to_string();
        let span = entry_span(entry);
        if self.own().variable(&name).is_some() {
            self.error(span, format!("`{name}` is declared at the head of the file"), "choose another name");
            return None;
        }
        if self.own().system.locals.len() >= MOST_BOUND {
            self.error(span, format!("more than {MOST_BOUND} names are bound"), "bind fewer");
            return None;
        }
        let before = self.declared.remove(&name);
        let good = self.new_name(&name, span);
        self.declared.remove(&name);
        if let Some(before) = before {
            self.declared.insert(name.clone(), before);
        }
        good.then(|| self.bind_name(&name))
    }

    /// Restores the scope after `read`.
    pub(crate) fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (scope, fighting, in_fight, in_round, at_hand) = {
            let rules = self.own();
            (rules.scope.len(), rules.fighting, rules.in_fight, rules.in_round, rules.at_hand)
        };
        let read = read(self);
        let rules = self.own();
        rules.scope.truncate(scope);
        (rules.fighting, rules.in_fight, rules.in_round) = (fighting, in_fight, in_round);
        rules.at_hand = at_hand;
        read
    }

    /// Adds the names of an event, or of the fight itself, to the scope.
    pub(crate) fn fight_scope(&mut self, event: Option<usize>) {
        let rules = self.own();
        let fights = &rules.system.fights;
        let event = event.map_or(&[][..], |event| &fights.events[event].parameters[..]);
        let locals = fights.locals.iter().map(|own| own.local).chain(event.iter().copied()).collect::<Vec<_>>();
        rules.bring(locals);
        (rules.fighting, rules.in_fight) = (true, true);
    }

    /// Parses a part of a fight, or of an event in it.
    pub(crate) fn in_fight<T>(&mut self, event: Option<usize>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.within(|reader| {
            reader.fight_scope(event);
            read(reader)
        })
    }

    /// Parses the children of a node that is part of a fight, or of an event in it.
    pub(crate) fn fight_body(&mut self, event: Option<usize>, node: &KdlNode) -> Vec<Node> {
        self.in_fight(event, |reader| reader.body(children(node)))
    }
}
