//! Parsing losses that do not name each item.

use kdl::KdlNode;

use crate::book::{Rule, Taken, VariableKind};
use crate::syntax::kdl::{arguments, entry_span, integer, property, shown, shown_name, string};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

impl Reader<'_> {
    /// `lose-all weapon backpack gold except="seal map"`
    pub(crate) fn lose_all_step(&mut self, node: &KdlNode) -> Rule {
        self.shape(node, 1..=usize::MAX, &["except"], false, "`lose-all weapon backpack except=\"seal\"`");
        let mut taken = self.taken(node, usize::MAX);
        if let Some(entry) = property(node, "except") {
            let names = string(&mut self.problems, entry, "what is kept").unwrap_or_default();
            for name in names.split_whitespace() {
                match self.own().variable(name) {
                    Some(own) => taken.but.push(own),
                    None => {
                        let known = self.own().known();
                        let help = did_you_mean(name, known.iter().map(String::as_str))
                            .unwrap_or_else(|| "name what is kept, with spaces between".into());
                        let message = format!("`{}` is nothing that he can have", shown_name(name));
                        self.error(entry_span(entry), message, help);
                    }
                }
            }
        }
        Rule::LoseAll(taken)
    }

    /// `give-up backpack 2 by=chance`
    pub(crate) fn give_up_step(&mut self, node: &KdlNode) -> Option<Rule> {
        self.shape(node, 1..=2, &["by"], false, "`give-up backpack 2`");
        let from = self.taken(node, 1);
        let count = match arguments(node).nth(1) {
            Some(entry) => integer(&mut self.problems, entry, 1..=30, "how many")?,
            None => 1,
        };
        let by_chance = property(node, "by").is_some_and(|entry| {
            let is_chance = entry.value().as_string() == Some("chance");
            if !is_chance {
                self.error(entry_span(entry), format!("by `{}`?", shown(entry)), "write by=chance, or leave it out");
            }
            is_chance
        });
        Some(Rule::GiveUp { from, count, by_chance })
    }

    /// The kinds, containers and variables named by the first arguments of a node.
    fn taken(&mut self, node: &KdlNode, most: usize) -> Taken {
        let mut taken = Taken::default();
        for entry in arguments(node).take(most) {
            let Some(name) = string(&mut self.problems, entry, "what is lost").map(String::from) else { continue };
            let system = &self.own().system;
            if let Some(kind) = system.kinds.iter().position(|own| own.name == name) {
                taken.kinds.push(kind);
            } else if let Some(container) = system.containers.iter().position(|own| own.name == name) {
                taken.containers.push(container);
            } else if let Some(own) = self.own().variable(&name).filter(|own| self.is_taken(*own)) {
                taken.named.push(own);
            } else {
                let rules = self.own();
                let kinds = rules.system.kinds.iter().map(|own| own.name.clone());
                let containers = rules.system.containers.iter().map(|own| own.name.clone());
                let known: Vec<String> = kinds.chain(containers).chain(rules.known()).collect();
                let help = did_you_mean(&name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| "name a kind, a container, an item or a counter".into());
                self.error(entry_span(entry), format!("`{}` cannot be lost as a whole", shown_name(&name)), help);
            }
        }
        taken
    }

    fn is_taken(&mut self, own: usize) -> bool {
        matches!(self.own().system.variables[own].kind, VariableKind::Item | VariableKind::Counter)
    }
}
