//! Parsing items to take, and shops.

use kdl::KdlNode;

use crate::book::{Kind, MOST_AT_ONCE, NodeKind, Number, Thing, Trade};
use crate::syntax::kdl::{arguments, children, entry_span, integer, integer_property, name_span, shown_name};
use crate::syntax::reader::Reader;

impl Reader<'_> {
    pub(crate) fn take(&mut self, node: &KdlNode) -> NodeKind {
        self.shape(node, 0..=0, &["at-most"], true, "`take at-most=2 { sword; meal 3; gold 12; }`");
        let at_most = integer_property(&mut self.problems, node, "at-most", 1..=MOST_AT_ONCE.into());
        let mut lines = Vec::new();
        for line in children(node) {
            self.shape(line, 0..=1, &[], false, "`meal 3`");
            let name = line.name().value().to_string();
            let thing = if name == "gold" {
                Some(Thing::Gold)
            } else {
                self.item_name(&name, name_span(line)).map(Thing::Item)
            };
            let count = match arguments(line).next() {
                Some(entry) => self.number(entry),
                None => Some(Number::Constant(1)),
            };
            if let (Some(thing), Some(count)) = (thing, count) {
                self.sensible_count(line, thing, &count);
                lines.push((thing, count));
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "nothing to take", "write what lies there: `take { sword; gold 6; }`");
        }
        NodeKind::Take { at_most, lines }
    }

    pub(crate) fn shop(&mut self, node: &KdlNode) -> NodeKind {
        self.shape(node, 0..=0, &[], true, "`shop { sell sword 3; buy meal 2; }`");
        let mut trades = Vec::new();
        for line in children(node) {
            let buy = match line.name().value() {
                "buy" => true,
                "sell" => false,
                other => {
                    self.error(
                        name_span(line),
                        format!("`{}` means nothing in a shop", shown_name(other)),
                        "write `buy` or `sell`",
                    );
                    continue;
                }
            };
            if !self.shape(line, 2..=2, &["at-most"], false, "`buy meal 2 at-most=1`") {
                continue;
            }
            let mut entries = arguments(line);
            let (Some(name), Some(price)) = (entries.next(), entries.next()) else { continue };
            let item = match self.thing(name) {
                Some(Thing::Item(item)) => item,
                Some(Thing::Gold) => {
                    self.error(entry_span(name), "gold is what everything is paid with", "name an item");
                    continue;
                }
                None => continue,
            };
            if !buy && self.items[item].kind == Kind::Permanent {
                self.error(entry_span(name), "nothing takes what is permanent", "sell something else");
            }
            let most = self.kai().most_gold.into();
            let price = integer(&mut self.problems, price, 0..=most, "a price in gold");
            let at_most = integer_property(&mut self.problems, line, "at-most", 1..=MOST_AT_ONCE.into());
            if let Some(price) = price {
                if price == 0 && buy && at_most.is_none() && self.items[item].kind == Kind::Backpack {
                    self.error(entry_span(name), "an endless gift", "use `take`, or give a price or at-most");
                }
                trades.push(Trade { item, price, buy, at_most, span: entry_span(name) });
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "a shop without goods", "write `sell sword 3` or `buy meal 2`");
        }
        NodeKind::Shop(trades)
    }
}
