//! Possessions from earlier books of a series, and whether books mean the same by the same name.

use std::collections::BTreeSet;

use budget::Budget;
use kdl::KdlNode;

use super::kdl::{Parsed, arguments, children, name_span, parse_kdl, shown_name};
use super::lone_wolf::source;
use super::problem::Problem;
use super::reader::Reader;
use crate::book::{
    Book, HeroQuantity, Item, Kind, NodeKind, OTHER_THINGS, Section, SeriesBook, Thing, every_node, is_same,
};

/// Longer declarations are cut in messages.
const LONGEST: usize = 120;

/// A book of a series on its own, with its text.
pub(super) struct Alone<'a> {
    /// Its name in the series.
    pub name: &'a str,
    pub text: &'a str,
    pub book: Book,
}

impl Alone<'_> {
    /// The line that declares a name, with its number.
    pub(super) fn declares(&self, name: &str) -> Option<String> {
        let Ok(Parsed { nodes, .. }) = parse_kdl(self.text, &Budget::unlimited()) else { return None };
        let named = |node: &&KdlNode| arguments(node).any(|own| own.value().as_string() == Some(name));
        let items = nodes.iter().filter(|node| node.name().value() == "items").flat_map(children);
        let heads = ["flags", "counter", "stat", "item", "container"];
        let others = nodes.iter().filter(|node| heads.contains(&node.name().value()));
        let node = items.chain(others).find(named)?;
        let (line, _) = Problem::error(name_span(node), "").position(self.text);
        let of = |node: &KdlNode| format!("{} {}", node.name().value(), source(self.text, node));
        let inner: Vec<String> = children(node).iter().map(|child| of(child) + ";").collect();
        let text = match node.name().value() {
            "flags" => format!("flags {name}"),
            _ if inner.is_empty() => of(node),
            _ => format!("{} {{ {} }}", of(node), inner.join(" ")),
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if text.chars().nth(LONGEST).is_some() {
            text.chars().take(LONGEST).chain(['…']).collect()
        } else {
            text
        };
        Some(format!("`{text}` in line {line} of {}", shown_name(self.name)))
    }
}

/// The items that a hero can have from earlier books: those that the next book or a later one knows, by name or as `renamed`,
/// and those with an effect everywhere. Of the rest only the number in the backpack is kept.
pub(super) fn inherited(before: &[SeriesBook], books: &[Alone<'_>], renamed: &[&str]) -> Vec<Item> {
    let Some(last) = before.last() else { return Vec::new() };
    let (earlier, now_and_later) = books.split_at(before.len());
    let matters = |item: &&Item| {
        let does = item.kind == Kind::Weapon
            || item.weapon.is_some()
            || item.food
            || item.heals.is_some()
            || item.strengthens > 0
            || item.combat_skill != 0
            || item.endurance > 0
            || item.kind == Kind::Backpack && item.places > 1
            || item.name == OTHER_THINGS;
        let named = renamed.contains(&item.name.as_str());
        item.kind != Kind::Container && does
            || named
            || now_and_later.iter().any(|own| own.book.item(&item.name).is_some())
    };
    // Items renamed since then, unless that book uses the old name for something else.
    let is_gone = |place: usize| {
        let own = |item: &Item| earlier[earlier.len() - 1].book.item(&item.name).is_some();
        last.renamed.iter().any(|(old, _)| *old == place) && !own(&last.book.items[place])
    };
    let has = last.book.items.iter().enumerate().filter(|(place, _)| !is_gone(*place)).map(|(_, item)| item);
    let (mut kept, left): (Vec<&Item>, Vec<&Item>) = has.partition(matters);
    // A container that this book does not know is empty.
    kept.retain(|item| {
        let known = || now_and_later[0].book.item(&item.name).is_some() || renamed.contains(&item.name.as_str());
        item.kind != Kind::Container || known()
    });
    let mut kept: Vec<Item> = kept.into_iter().cloned().collect();
    if left.iter().any(|item| item.kind == Kind::Backpack) && kept.iter().all(|item| item.name != OTHER_THINGS) {
        kept.push(plain_item(OTHER_THINGS, Kind::Backpack));
    }
    kept
}

/// An item without effects.
pub(super) fn plain_item(name: &str, kind: Kind) -> Item {
    Item {
        name: name.into(),
        kind,
        weapon: None,
        food: false,
        heals: None,
        before_fights: None,
        cures: None,
        strengthens: 0,
        combat_skill: 0,
        endurance: 0,
        places: 1,
        most: u8::MAX,
        holds: 0,
        span: 0..0,
    }
}

/// Adds to `had` what a hero can have got in a book or on the way to it, and renames what is renamed. In the end `had` holds
/// the names of everything that he can bring into the next book.
pub(super) fn brings(own: &SeriesBook, is_first: bool, had: &mut BTreeSet<String>) {
    let SeriesBook { book, arrival, renamed, remembered, .. } = own;
    let name = |item: usize| book.items[item].name.clone();
    if book.system.is_some() {
        return;
    }
    let news: Vec<String> =
        renamed.iter().filter(|(old, _)| had.contains(&name(*old))).map(|(_, new)| name(*new)).collect();
    for (old, _) in renamed {
        had.remove(&name(*old));
    }
    let mut got = |item: usize| {
        had.insert(name(item));
    };
    // A hero from another book keeps what he has; he chooses if he starts anew.
    let chosen = book.creation.chosen.iter().filter(|_| is_first || own.sets_out);
    let chosen = chosen.flat_map(|own| own.bundles.iter().flatten());
    chosen.for_each(|(quantity, _)| {
        if let HeroQuantity::Item(item) = quantity {
            got(*item);
        }
    });
    let begins = book.hero.items.iter().filter(|_| is_first);
    book.fixed.iter().chain(begins).for_each(|(item, _)| got(*item));
    for (item, _) in remembered {
        got(*item);
    }
    let bodies = book.sections.values().chain([arrival]).map(|Section { body, .. }| body).chain([&book.on_enter]);
    for body in bodies {
        every_node(body, &mut |node| match &node.kind {
            NodeKind::Gain(Thing::Item(item), _) => got(*item),
            NodeKind::Take { lines, .. } => {
                for (thing, _) in lines {
                    if let Thing::Item(item) = thing {
                        got(*item);
                    }
                }
            }
            NodeKind::Shop(trades) => trades.iter().filter(|trade| trade.buy).for_each(|trade| got(trade.item)),
            _ => {}
        });
    }
    had.extend(news);
}

impl Reader<'_> {
    /// Reports names that the book of `node`, the last of these, uses for something else than an earlier book. `inherited` is
    /// what a hero of those can have, `had` the part that he can really get.
    pub(super) fn one_meaning(
        &mut self,
        node: &KdlNode,
        books: &[Alone<'_>],
        inherited: &[Item],
        had: &BTreeSet<String>,
    ) {
        const HELP: &str = "let both books declare it alike, or rename it in one of them";
        let Some((own, before)) = books.split_last() else { return };
        let renamed: Vec<&str> = first_words(node, "rename").collect();
        for item in inherited.iter().filter(|item| !renamed.contains(&item.name.as_str())) {
            let book = &own.book;
            let is_other = book.flags.contains(&item.name) || book.counters.iter().any(|own| own.name == item.name);
            let differs = book.item(&item.name).is_some_and(|own| !is_same(&book.items[own], item));
            if !is_other && !differs {
                continue;
            }
            let lines = before.iter().rev().find_map(|other| other.declares(&item.name));
            let lines = lines.into_iter().chain(own.declares(&item.name)).collect::<Vec<_>>().join(", ");
            let message = format!("`{}` means different things in two books: {lines}", shown_name(&item.name));
            // What he cannot get there he does not bring, unless he had it from the beginning.
            if is_other || had.contains(&item.name) {
                self.error(name_span(node), message, HELP);
            } else {
                self.warning(name_span(node), message, HELP);
            }
        }
    }
}

/// The first words of the lines with this name in the braces of a book.
pub(super) fn first_words<'n>(node: &'n KdlNode, line: &'static str) -> impl Iterator<Item = &'n str> {
    let nodes = children(node).iter().filter(move |child| child.name().value() == line);
    nodes.filter_map(|child| arguments(child).next()?.value().as_string())
}
