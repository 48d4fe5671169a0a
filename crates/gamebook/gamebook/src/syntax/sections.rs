//! Parsing sections and their branches: `if`, `choice`, loops.

use std::collections::BTreeMap;
use std::ops::Range;

use budget::{Budget, Stopped};
use kdl::KdlNode;

use super::kdl::{
    LAST_SECTION, arguments, children, entry_span, flag, integer, name_span, property, report_reading, shown_name,
    string,
};
use super::problem::{Problem, did_you_mean};
use super::reader::Reader;
use super::{bounds, endings};
use crate::book::{Choice, Condition, LOCAL_NUMBERS, Node, NodeKind, Number, Section};
use crate::terms::SectionNumber;

/// A choice between more constant numbers is not unrolled in what follows.
const MOST_KNOWN: i32 = 64;

/// The most nodes of a section, including nested ones: they are compiled recursively.
const MOST_NODES: usize = 4000;

impl Reader<'_> {
    pub(super) fn sections(
        &mut self,
        nodes: &[KdlNode],
        budget: &Budget<'_>,
    ) -> Result<BTreeMap<SectionNumber, Section>, Stopped> {
        let mut sections: BTreeMap<SectionNumber, Section> = BTreeMap::new();
        for node in nodes.iter().filter(|node| node.name().value() == "section") {
            if self.problems.is_full() {
                break;
            }
            report_reading(budget, name_span(node).start, self.text.len())?;
            let properties: &[&str] = if self.is_system() { &[] } else { &["no-potions"] };
            self.shape(node, 1..=1, properties, true, "`section 12 { ... }`");
            let no_potions = flag(&mut self.problems, node, "no-potions");
            let Some(entry) = arguments(node).next() else { continue };
            let number = if self.is_system() && entry.value().as_string().is_some() {
                self.named_section(entry).map(i64::from)
            } else {
                integer(&mut self.problems, entry, 1..=LAST_SECTION, "the number of a section")
            };
            let Some(number) = number else { continue };
            let before = self.problems.errors();
            self.forget_names();
            self.many_nodes(children(node), entry_span(entry));
            let (text, nodes) = self.prose(children(node));
            let body = self.body(nodes);
            let (locals, span) = (std::mem::take(&mut self.locals), entry_span(entry));
            let section = Section { text, body, no_potions, locals, span };
            if self.problems.errors() == before && !self.missing.around(section.span.start) {
                self.endings(&section);
                // The names of a system of rules are only valid in their blocks.
                if !self.is_system() {
                    self.unbound(&section);
                }
            }
            let Ok(own) = SectionNumber::try_from(number) else { continue };
            if sections.insert(own, section).is_some() {
                self.error(entry_span(entry), format!("section {number} occurs twice"), "keep one");
            }
        }
        self.stubs(nodes, &mut sections);
        Ok(sections)
    }

    /// Rejects sections that are too long to be compiled.
    pub(super) fn many_nodes(&mut self, nodes: &[KdlNode], span: Range<usize>) {
        let count = count_nodes(nodes);
        if count > MOST_NODES {
            let help = format!("up to {MOST_NODES} are read: go on in another section");
            self.error(span, format!("a section of {count} nodes"), help);
        }
    }

    /// Resets the names and whether there was a fight.
    pub(super) fn forget_names(&mut self) {
        self.locals.clear();
        self.contest.clear();
        self.known_numbers.clear();
        self.chosen.clear();
        self.local_ranges.clear();
        self.loops.clear();
        self.fought = false;
    }

    /// Sections that are not written yet: play ends there.
    fn stubs(&mut self, nodes: &[KdlNode], sections: &mut BTreeMap<SectionNumber, Section>) {
        for node in nodes.iter().filter(|node| node.name().value() == "stub") {
            self.shape(node, 1..=usize::MAX, &[], false, "`stub 71 72`");
            for entry in arguments(node) {
                if self.problems.is_full() {
                    return;
                }
                let span = entry_span(entry);
                let Some(number) = self.section_number(entry) else { continue };
                let what = self.text.get(span.clone()).unwrap_or_default().trim().to_string();
                if sections.contains_key(&number) {
                    self.error(span, format!("section {what} stands in the book"), "remove the stub");
                    continue;
                }
                let end = Node { kind: NodeKind::Death("not written yet".into()), span: span.clone() };
                sections.insert(number, Section { body: vec![end], span: span.clone(), ..Section::default() });
                self.stubs += 1;
                self.problems.push(Problem::note(span, format!("section {what} is not written yet")));
            }
        }
    }

    /// The text at the beginning of a section, and the nodes that follow.
    fn prose<'n>(&mut self, nodes: &'n [KdlNode]) -> (String, &'n [KdlNode]) {
        let count = nodes.iter().take_while(|node| node.name().value() == "text").count();
        let (texts, rest) = nodes.split_at(count);
        let mut prose = String::new();
        for node in texts {
            self.shape(node, 1..=1, &[], false, "`text \"...\"`");
            let Some(entry) = arguments(node).next() else { continue };
            let Some(content) = string(&mut self.problems, entry, "what the reader reads") else { continue };
            if !prose.is_empty() {
                prose.push_str("\n\n");
            }
            prose.push_str(content.trim());
        }
        (prose, rest)
    }

    /// Reports a `text` in another place.
    pub(super) fn late_text(&mut self, node: &KdlNode) {
        let help = "put it before everything that happens in the section";
        self.error(name_span(node), "`text` stands at the beginning of a section", help);
    }

    pub(super) fn only_effects(&mut self, nodes: &[Node]) {
        for node in nodes {
            match &node.kind {
                NodeKind::If(branches, otherwise) => {
                    for (_, body, _) in branches {
                        self.only_effects(body);
                    }
                    self.only_effects(otherwise);
                }
                NodeKind::Endurance(_)
                | NodeKind::Restore { .. }
                | NodeKind::Lose(..)
                | NodeKind::LoseAll { .. }
                | NodeKind::Flag(..)
                | NodeKind::Counter(..) => {}
                _ => self.error(
                    node.span.clone(),
                    "only effects without a question may stand in `on-enter`",
                    "endurance, lose, lose-all, set, clear and if are possible",
                ),
            }
        }
    }

    pub(super) fn body(&mut self, nodes: &[KdlNode]) -> Vec<Node> {
        if self.is_system() { self.within(|reader| reader.body_here(nodes)) } else { self.body_here(nodes) }
    }

    /// The same with names that stay in scope after it.
    pub(super) fn body_here(&mut self, nodes: &[KdlNode]) -> Vec<Node> {
        let mut body: Vec<Node> = Vec::new();
        let mut place = 0;
        while place < nodes.len() && !self.problems.is_full() {
            let node = &nodes[place];
            place += 1;
            let span = name_span(node);
            if let Some(last) = body.last()
                && endings::leaves(&last.kind)
            {
                self.error(span.clone(), "this is never reached", "the node before it leaves the section");
            }
            let kind = match node.name().value() {
                "if" => {
                    let chain = nodes[place..]
                        .iter()
                        .take_while(|next| matches!(next.name().value(), "else-if" | "else"))
                        .count();
                    let kind = self.branches(&nodes[place - 1..place + chain]);
                    place += chain;
                    Some(kind)
                }
                "choice" => {
                    let more = nodes[place..].iter().take_while(|next| next.name().value() == "choice").count();
                    let choices = nodes[place - 1..place + more].iter().map(|choice| self.choice(choice)).collect();
                    place += more;
                    Some(NodeKind::Choices(choices))
                }
                _ if self.is_system() => self.step(node),
                _ => self.node(node),
            };
            if let Some(kind) = kind {
                // Nodes of a system's own file have no place in the book.
                let is_elsewhere = self.rules.as_ref().is_some_and(|rules| !rules.in_book);
                body.push(Node { kind, span: if is_elsewhere { 0..0 } else { span } });
            }
        }
        body
    }

    pub(super) fn branches(&mut self, nodes: &[KdlNode]) -> NodeKind {
        let mut branches = Vec::new();
        let mut otherwise = None;
        let fought = self.fought;
        let mut fought_somewhere = fought;
        for node in nodes {
            self.fought = fought;
            if otherwise.is_some() {
                self.error(name_span(node), "a branch after `else`", "put `else` last");
            }
            let is_else_if = arguments(node).next().is_some_and(|entry| entry.value().as_string() == Some("if"));
            if node.name().value() == "else" && is_else_if {
                self.error(name_span(node), "`else if` is one word", "write `else-if \"condition\" { ... }`");
            } else if node.name().value() == "else" {
                self.shape(node, 0..=0, &[], true, "`else { ... }`");
                otherwise = Some(self.body(children(node)));
            } else {
                let span = arguments(node).next().map_or_else(|| name_span(node), entry_span);
                let usage = format!("`{} \"condition\" {{ ... }}`", node.name().value());
                let condition = self.condition_of(node, true, &usage);
                let body = self.body(children(node));
                branches.push((condition.unwrap_or(Condition::Constant(true)), body, span));
            }
            fought_somewhere |= self.fought;
        }
        self.fought = fought_somewhere;
        NodeKind::If(branches, otherwise.unwrap_or_default())
    }

    pub(super) fn choice(&mut self, node: &KdlNode) -> Choice {
        if self.is_system() { self.within(|reader| reader.choice_here(node)) } else { self.choice_here(node) }
    }

    fn choice_here(&mut self, node: &KdlNode) -> Choice {
        const USAGE: &str = "`choice \"label\" { require \"condition\"; ...; goto 12; }`";
        let properties: &[&str] =
            if self.is_system() { &["each", "from", "to", "with"] } else { &["each", "from", "to"] };
        self.shape(node, 0..=1, properties, true, USAGE);
        let with = property(node, "with").filter(|_| self.is_system()).and_then(|entry| self.with(entry));
        let label = arguments(node)
            .next()
            .and_then(|entry| string(&mut self.problems, entry, "the label of a choice").map(String::from))
            .unwrap_or_default();
        let each = property(node, "each").and_then(|entry| {
            let name = string(&mut self.problems, entry, "the name of a number")?;
            let bounds = ["from", "to"].map(|bound| match property(node, bound) {
                Some(entry) => {
                    let number = self.number(entry)?;
                    let range = if self.is_system() { (0, 0) } else { self.range(entry, &number)? };
                    Some((number, range))
                }
                None => {
                    self.error(name_span(node), format!("`each` without `{bound}`"), "write each=n from=0 to=9");
                    None
                }
            });
            let local = if self.is_system() { self.each_name(entry)? } else { self.local(name, entry_span(entry))? };
            let [Some((from, least)), Some((to, most))] = bounds else { return None };
            let range = (least.0, most.1);
            if !self.is_system() && !bounds::fits(range) {
                let (least, most) = (LOCAL_NUMBERS.start(), LOCAL_NUMBERS.end());
                let help = format!("{least} to {most} are possible: say it with min(..., {most}) or max(..., {least})");
                self.error(entry_span(entry), format!("a choice of numbers from {} to {}", range.0, range.1), help);
            }
            if !self.is_system() {
                self.bind(local, range);
            }
            Some((local, from, to, range))
        });
        if property(node, "each").is_none()
            && let Some(bound) = property(node, "from").or_else(|| property(node, "to"))
        {
            self.error(entry_span(bound), "a bound without `each`", "write each=n from=0 to=9");
        }
        let fought = self.fought;
        let (require, nodes) = self.required(children(node));
        let known = self.known_numbers.len();
        if let Some((local, Number::Constant(from), Number::Constant(to), _)) = &each
            && to.saturating_sub(*from) < MOST_KNOWN
        {
            self.known_numbers.push(*local);
        }
        let chosen = self.chosen.len();
        self.chosen.extend(each.iter().map(|(local, _, _, range)| (*local, *range)));
        let body = self.body(nodes);
        self.chosen.truncate(chosen);
        self.known_numbers.truncate(known);
        let each = each.map(|(local, from, to, _)| (local, from, to));
        self.fought |= fought;
        Choice { label, require, each, with, body, span: name_span(node) }
    }

    /// A loop, or a jump to its head.
    pub(super) fn loop_node(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let first = arguments(node).next();
        match node.name().value() {
            "repeat" => {
                self.shape(node, 1..=1, &[], true, "`repeat NAME { ...; again NAME; }`");
                let name = string(&mut self.problems, first?, "the name of a loop")?;
                self.loops.push(name.into());
                let body = self.body(children(node));
                self.loops.pop();
                Some(NodeKind::Repeat(body))
            }
            _ => {
                self.shape(node, 1..=1, &[], false, "`again NAME`");
                let name = string(&mut self.problems, first?, "the name of a loop")?;
                match self.loops.iter().rev().position(|around| around == name) {
                    Some(depth) => Some(NodeKind::Again(depth)),
                    None => {
                        let loops = self.loops.clone();
                        let help = did_you_mean(name, loops.iter().map(String::as_str))
                            .unwrap_or_else(|| "put it into `repeat NAME { ... }`".into());
                        let name = shown_name(name);
                        self.error(entry_span(first?), format!("this stands in no loop `{name}`"), help);
                        None
                    }
                }
            }
        }
    }
}

/// The number of nodes, including nested ones.
fn count_nodes(nodes: &[KdlNode]) -> usize {
    nodes.iter().map(|node| 1 + count_nodes(children(node))).sum()
}
