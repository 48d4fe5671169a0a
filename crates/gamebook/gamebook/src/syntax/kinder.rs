//! Parsing relaxed games: named sets of what need not be remembered.

use kdl::KdlNode;

use super::kdl::{arguments, entry_span, name_span, shown_name, string};
use super::parse_lists::read_forget;
use super::reader::Reader;
use crate::book::{Book, Kinder, MOST_FORGOTTEN};

/// The most relaxed games of a book.
const MOST: usize = 64;

impl Reader<'_> {
    /// Reads the relaxed games of a book.
    pub(super) fn kinder_nodes(&mut self, nodes: &[KdlNode], book: &mut Book) {
        const USAGE: &str = "`kinder \"careless\" \"gold@67\" \"rope\"`: a name, and what need not be remembered";
        let kinder = nodes.iter().filter(|node| node.name().value() == "kinder");
        for (number, node) in kinder.enumerate() {
            if number == MOST {
                self.error(name_span(node), format!("more than {MOST} kinder games"), "leave some out");
                return;
            }
            if !self.shape(node, 2..=1 + MOST_FORGOTTEN, &[], false, USAGE) {
                continue;
            }
            let mut words: Vec<String> = Vec::new();
            for entry in arguments(node) {
                let Some(word) = string(&mut self.problems, entry, "a name").map(String::from) else { break };
                // The first word is its own name.
                if !words.is_empty()
                    && let Err(error) = read_forget(book, &word)
                {
                    self.error(entry_span(entry), error.message, error.help);
                    break;
                }
                words.push(word);
            }
            if words.len() < arguments(node).count() {
                continue;
            }
            let name = words.remove(0);
            if book.kinder.iter().any(|own| own.name == name) {
                self.error(name_span(node), format!("`{}` occurs twice", shown_name(&name)), "keep one");
            } else if read_forget(book, &name).is_ok() {
                let message = format!("`{}` is something that can be forgotten itself", shown_name(&name));
                self.error(name_span(node), message, "call it otherwise");
            } else {
                book.kinder.push(Kinder { name, forgets: words });
            }
        }
    }
}
