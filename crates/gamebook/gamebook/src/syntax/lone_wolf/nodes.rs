//! Parsing the content of sections under Lone Wolf's rules.

use kdl::KdlNode;

use crate::book::{Draft, Kind, NodeKind, Number, Thing};
use crate::syntax::expression::Names;
use crate::syntax::kdl::{
    arguments, entry_span, flag, flag_or, integer, name_span, property, shown, shown_name, string,
};
use crate::syntax::misplaced_words;
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The nodes of a section.
const NODES: [&str; 28] = [
    "endurance",
    "gain",
    "lose",
    "lose-all",
    "give-up",
    "set",
    "clear",
    "eat",
    "goto",
    "if",
    "else-if",
    "else",
    "choice",
    "death",
    "victory",
    "pick",
    "take",
    "shop",
    "repeat",
    "again",
    "fight",
    "one-round",
    "require",
    "when",
    "evade",
    "enemy",
    "todo",
    "text",
];

/// Further `todo`s are only counted: a long draft is still readable.
const MOST_REPORTED_TODOS: usize = 500;

impl Reader<'_> {
    pub(crate) fn node(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let name = node.name().value();
        let first = arguments(node).next();
        match name {
            "endurance" => {
                self.shape(node, 1..=1, &[], false, "`endurance -5`, `endurance full` or `endurance half`");
                match first?.value().as_string() {
                    Some("full") => Some(NodeKind::Restore { half: false }),
                    Some("half") => Some(NodeKind::Restore { half: true }),
                    _ => Some(NodeKind::Endurance(self.number(first?)?)),
                }
            }
            "gain" => {
                self.shape(node, 1..=2, &[], false, "`gain gold 6` or `gain seal`");
                let thing = self.thing(first?)?;
                let count = self.second_number(node)?;
                self.sensible_count(node, thing, &count);
                Some(NodeKind::Gain(thing, count))
            }
            "lose" => self.lose(node),
            "lose-all" => self.lose_all(node),
            "give-up" => self.give_up(node),
            "set" => self.set(node),
            "clear" => {
                self.shape(node, 1..=1, &[], false, "`clear FLAG`");
                let name = string(&mut self.problems, first?, "the name of a flag")?;
                match Names::flag(self, name) {
                    Some(flag) => Some(NodeKind::Flag(flag, false)),
                    None => self.no_such(first?, "a flag"),
                }
            }
            "eat" => {
                self.shape(node, 0..=0, &["hunting", "optional"], false, "`eat` or `eat hunting=#false`");
                let hunting = flag_or(&mut self.problems, node, "hunting", true);
                Some(NodeKind::Eat { hunting, optional: flag(&mut self.problems, node, "optional") })
            }
            "goto" => self.section_argument(node).map(NodeKind::Goto),
            "death" => {
                self.shape(node, 0..=1, &[], false, "`death \"label\"`");
                let label = first.and_then(|entry| string(&mut self.problems, entry, "the label"));
                Some(NodeKind::Death(label.unwrap_or_default().into()))
            }
            "victory" => {
                self.shape(node, 0..=0, &[], false, "`victory`");
                Some(NodeKind::Victory)
            }
            "pick" => Some(self.pick(node)),
            "take" => Some(self.take(node)),
            "shop" => Some(self.shop(node)),
            "repeat" | "again" => self.loop_node(node),
            "fight" | "one-round" => self.fight(node),
            "todo" => self.todo(node),
            "else-if" | "else" => {
                self.error(name_span(node), format!("`{name}` without `if` before it"), "put it right after an `if`");
                None
            }
            "require" => {
                self.error(name_span(node), "`require` stands at the beginning of a choice only", "use `if`");
                None
            }
            _ => {
                self.means_nothing(node);
                None
            }
        }
    }

    /// `lose gold 6`
    fn lose(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let first = arguments(node).next();
        self.shape(node, 1..=2, &[], false, "`lose gold 6`, `lose gold all` or `lose seal`");
        let thing = self.thing(first?)?;
        let all = arguments(node).nth(1).is_some_and(|entry| entry.value().as_string() == Some("all"));
        let count = if all { None } else { Some(self.second_number(node)?) };
        if let (Some(Number::Constant(number @ ..=0)), Some(entry)) = (&count, arguments(node).nth(1)) {
            let what = format!("{number} lost");
            if *number < 0 {
                self.error(entry_span(entry), what, "write how many are lost, or `gain` what is got");
            } else {
                self.warning(entry_span(entry), what, "write how many are lost, or leave it out");
            }
        }
        Some(NodeKind::Lose(thing, count))
    }

    /// `give-up backpack-items 2`
    fn give_up(&mut self, node: &KdlNode) -> Option<NodeKind> {
        let first = arguments(node).next();
        self.shape(node, 2..=2, &["by"], false, "`give-up backpack-items 2 by=chance`");
        let kind = self.kind(first?)?;
        if !matches!(kind, Kind::Weapon | Kind::Backpack) {
            self.error(entry_span(first?), "only weapons and backpack-items can be given up", "use lose");
        }
        let count = integer(&mut self.problems, arguments(node).nth(1)?, 1..=15, "how many")?;
        let by_chance = match property(node, "by").map(|entry| (entry, entry.value().as_string())) {
            None | Some((_, Some("player"))) => false,
            Some((_, Some("chance"))) => true,
            Some((entry, _)) => {
                self.error(
                    entry_span(entry),
                    format!("`{}` decides nothing", shown(entry)),
                    "write by=player or by=chance",
                );
                false
            }
        };
        Some(NodeKind::GiveUp { kind, count, by_chance })
    }

    /// Reports a node that is not valid in a section.
    fn means_nothing(&mut self, node: &KdlNode) {
        let name = node.name().value();
        if name == "text" {
            return self.late_text(node);
        }
        let is_number = |name: &str| name == "gold" || self.item_place(name).is_some();
        let help = if is_number(name) {
            let what = source(self.text, node);
            match what.strip_prefix('-') {
                Some(less) => format!("write `lose {name} {}`", less.trim_start()),
                None => format!("write `gain {name} {}`", what.trim_start_matches(['+', '=']).trim_start()),
            }
        } else if Names::counter(self, name).is_some() {
            format!("write `set {name} \"{name} + 1\"`")
        } else if Names::flag(self, name).is_some() {
            format!("write `set {name}`")
        } else {
            misplaced_words::in_lone_wolf(name)
                .or_else(|| did_you_mean(name, NODES))
                .unwrap_or_else(|| "see docs/book-language.md for what a section can say".into())
        };
        self.error(name_span(node), format!("`{}` means nothing here", shown_name(name)), help);
    }

    /// A `todo` node, which has no effect but a warning.
    pub(crate) fn todo(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(node, 1..=1, &[], false, "`todo \"what is missing\"`");
        let what = string(&mut self.problems, arguments(node).next()?, "what is missing")?;
        if self.todos.insert(name_span(node).start) && self.todos.len() <= MOST_REPORTED_TODOS {
            let message = format!("to do: {}", shown_name(what));
            self.warning(name_span(node), message, "write what happens in the section, and remove this");
        }
        None
    }

    /// The unfinished parts of the text, and what it assumes.
    pub(crate) fn draft(&self) -> Draft {
        Draft { todos: self.todos.len(), stubs: self.stubs, assumed: self.assumed }
    }

    /// Reports the `todo`s that were only counted.
    pub(crate) fn report_more_todos(&mut self) {
        if let Some(&next) = self.todos.iter().nth(MOST_REPORTED_TODOS) {
            let more = self.todos.len() - MOST_REPORTED_TODOS;
            let help = "they are reported once those before are done";
            self.warning(next..next + "todo".len(), format!("{more} more `todo`s from here on"), help);
        }
    }

    /// Checks the count of a gain.
    pub(crate) fn sensible_count(&mut self, node: &KdlNode, thing: Thing, count: &Number) {
        let Number::Constant(count) = count else { return };
        let Some(entry) = arguments(node).last() else { return };
        let once = matches!(thing, Thing::Item(item) if self.items[item].kind.is_single());
        if *count < 0 {
            self.error(entry_span(entry), format!("{count} got"), "write how many are got, or `lose` what is lost");
        } else if *count == 0 {
            self.warning(entry_span(entry), "0 got", "write how many are got, or leave it out");
        } else if once && *count > 1 {
            self.warning(entry_span(entry), format!("{count} of what can be had once"), "leave the number out");
        }
    }

    fn set(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(node, 1..=2, &[], false, "`set FLAG` or `set COUNTER 3`");
        let first = arguments(node).next()?;
        let name = string(&mut self.problems, first, "the name of a flag or counter")?;
        if let Some(flag) = Names::flag(self, name) {
            if let Some(second) = arguments(node).nth(1) {
                self.error(entry_span(second), "a flag is only set or cleared", "leave the number out");
            }
            return Some(NodeKind::Flag(flag, true));
        }
        let Some(counter) = Names::counter(self, name) else { return self.no_such(first, "a flag or counter") };
        if arguments(node).nth(1).is_none() {
            self.error(name_span(node), "to which number is the counter set?", format!("write `set {name} 3`"));
        }
        Some(NodeKind::Counter(counter, self.second_number(node)?))
    }

    fn lose_all(&mut self, node: &KdlNode) -> Option<NodeKind> {
        self.shape(
            node,
            1..=usize::MAX,
            &["except"],
            false,
            "`lose-all weapons backpack-items special gold except=\"seal\"`",
        );
        let mut gold = false;
        let mut kinds = Vec::new();
        for entry in arguments(node) {
            if entry.value().as_string() == Some("gold") {
                gold = true;
            } else {
                kinds.push(self.kind(entry)?);
            }
        }
        if kinds.contains(&Kind::Container) {
            kinds.push(Kind::Backpack);
        }
        let mut kept = Vec::new();
        if let Some(entry) = property(node, "except") {
            let names = string(&mut self.problems, entry, "names of items")?.to_string();
            for name in names.split_whitespace() {
                let item = self.item_name(name, entry_span(entry))?;
                if self.items[item].kind == Kind::Permanent {
                    let help = "leave its name out";
                    self.warning(entry_span(entry), format!("nothing takes `{name}`: it is permanent"), help);
                }
                kept.push(item);
            }
        }
        let items = (0..self.items.len())
            .filter(|item| kinds.contains(&self.items[*item].kind) && !kept.contains(item))
            .collect();
        Some(NodeKind::LoseAll { gold, items })
    }
}

/// The text after the name of a node, before its braces.
pub(crate) fn source<'t>(text: &'t str, node: &KdlNode) -> &'t str {
    let (Some(first), Some(last)) = (node.entries().first(), node.entries().last()) else { return "" };
    text.get(entry_span(first).start..entry_span(last).end).unwrap_or_default().trim()
}
