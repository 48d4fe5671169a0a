//! What stands in a line: text, tags, glue, braces, diverts.

use super::parser::{Parsed, Parser};
use super::syntax::{Divert, DivertKind, Node};
use crate::source::SourceError;

impl Parser<'_> {
    /// Text with braces, glue and tags, and the diverts after it; `None` if there is nothing.
    pub(super) fn text_and_logic(&mut self) -> Parsed<Vec<Node>> {
        self.nested(|own| own.attempt(Self::text_and_logic_here))
    }

    fn text_and_logic_here(&mut self) -> Parsed<Vec<Node>> {
        if self.skip_spaced("~") {
            return self.error("logic (~) needs a line of its own");
        }
        let mut nodes = Vec::new();
        loop {
            let text = self.text();
            let more = self.brace_glue_or_tag()?;
            if text.is_none() && more.is_none() {
                break;
            }
            nodes.extend(text.map(Node::Text));
            nodes.extend(more);
        }
        if !self.in_choice
            && let Some(diverts) = self.diverts()?
        {
            self.end_tag(&mut nodes);
            trim_end(&mut nodes, true);
            nodes.extend(diverts);
            return Ok(Some(nodes));
        }
        Ok(Some(nodes).filter(|nodes| !nodes.is_empty()))
    }

    /// Plain text; a backslash takes the next character as it is.
    fn text(&mut self) -> Option<String> {
        let begin = self.at;
        let mut text = String::new();
        while let Some(sign) = self.peek() {
            match sign {
                '\\' => {
                    self.at += 1;
                    text.extend(self.next());
                }
                '{' | '}' | '|' | '\n' | '\r' | '#' => break,
                '"' if self.in_quotes => break,
                '[' | ']' if self.in_choice && !self.in_quotes => break,
                '-' | '<' if self.is_at("->") || self.is_at("<-") || self.is_at("<>") => break,
                _ => {
                    text.push(sign);
                    self.at += 1;
                }
            }
        }
        (self.at > begin).then_some(text)
    }

    fn brace_glue_or_tag(&mut self) -> Parsed<Node> {
        if self.peek() == Some('{') {
            return self.nested(Self::brace).map(Some);
        }
        if self.skip("<>") {
            return Ok(Some(Node::Glue));
        }
        self.attempt(|own| {
            own.blanks();
            if !own.skip("#") {
                return Ok(None);
            }
            if own.in_quotes {
                return own.error("a text in quotes cannot contain a tag; \\# is the sign itself");
            }
            let begins = Node::Tag { begins: true };
            let node = if own.in_tag { Node::List(vec![Node::Tag { begins: false }, begins]) } else { begins };
            own.in_tag = true;
            own.blanks();
            Ok(Some(node))
        })
    }

    /// Ends the tag that is open.
    pub(super) fn end_tag(&mut self, nodes: &mut Vec<Node>) {
        if std::mem::take(&mut self.in_tag) {
            nodes.push(Node::Tag { begins: false });
        }
    }

    /// A thread, or diverts and tunnels in a row. A lonely arrow gives none.
    pub(super) fn diverts(&mut self) -> Parsed<Vec<Node>> {
        self.attempt(Self::diverts_here)
    }

    fn diverts_here(&mut self) -> Parsed<Vec<Node>> {
        self.blanks();
        if self.skip("<-") {
            let Some(thread) = self.target(DivertKind::Thread)? else {
                return self.error(format!("a thread (<-) needs a place where {} stands", self.here()));
            };
            return Ok(Some(vec![Node::Divert(thread)]));
        }
        let mut diverts: Vec<Node> = Vec::new();
        self.end_tag(&mut diverts);
        let mut last: Option<Divert> = None;
        let mut arrows = 0;
        loop {
            self.blanks();
            if self.skip("->->") {
                diverts.extend(last.take().map(into_tunnel));
                let after = self.target(DivertKind::Plain)?;
                self.blanks();
                if self.is_at("->") {
                    return self.error("nothing can follow the place after ->->");
                }
                diverts.push(Node::TunnelEnd(after));
                return Ok(Some(diverts));
            }
            if !self.skip("->") {
                break;
            }
            arrows += 1;
            diverts.extend(last.take().map(into_tunnel));
            last = self.target(DivertKind::Plain)?;
            if last.is_none() {
                break;
            }
        }
        if arrows == 0 {
            return Ok(None);
        }
        let is_lonely = last.is_none() && arrows == 1;
        diverts.extend(last.map(Node::Divert));
        if is_lonely && !self.in_choice {
            return self.error("an arrow (->) needs a place, unless it stands behind a choice");
        }
        Ok(Some(diverts))
    }

    /// A line of text, which ends with a line break unless it is a tag only.
    pub(super) fn text_line(&mut self) -> Parsed<Node> {
        self.attempt(|own| {
            own.empty_lines();
            let Some(mut nodes) = own.text_and_logic()? else { return Ok(None) };
            if !nodes.last().is_some_and(is_divert) {
                trim_end(&mut nodes, false);
            }
            own.end_tag(&mut nodes);
            if !matches!(nodes.first(), Some(Node::Tag { begins: true })) {
                nodes.push(Node::Text("\n".into()));
            }
            own.expect_line_end()?;
            Ok(Some(Node::List(nodes)))
        })
    }

    /// A line of diverts only.
    pub(super) fn divert_line(&mut self) -> Parsed<Node> {
        let Some(diverts) = self.diverts()? else { return Ok(None) };
        self.expect_line_end()?;
        Ok(Some(Node::List(diverts)))
    }

    /// Logic in a line of its own, after `~`.
    pub(super) fn logic_line(&mut self) -> Parsed<Node> {
        if !self.skip_spaced("~") {
            return Ok(None);
        }
        let (node, calls) = match self.attempt(Self::return_or_assignment)? {
            Some(found) => found,
            None => {
                let expression = self.expect_expression("logic (~)")?;
                let calls = expression.calls();
                (Node::Evaluate(expression), calls)
            }
        };
        self.expect_line_end()?;
        // What a function writes ends with a line.
        let line_break = calls.then(|| Node::Text("\n".into()));
        Ok(Some(Node::List([node].into_iter().chain(line_break).collect())))
    }

    /// A return or an assignment, and whether it calls a function.
    fn return_or_assignment(&mut self) -> Parsed<(Node, bool)> {
        let begin = self.at;
        if self.word("return") {
            let value = self.expression()?;
            let calls = value.as_ref().is_some_and(super::syntax::Expression::calls);
            return Ok(Some((Node::Return(value), calls)));
        }
        let declares = self.word("temp") && self.blanks();
        if !declares {
            self.at = begin;
        }
        let position = self.position();
        let Some(name) = self.name() else { return Ok(None) };
        self.blanks();
        let step = if self.skip("+") {
            Some(true)
        } else if self.skip("-") {
            Some(false)
        } else {
            None
        };
        if self.is_at("==") || !self.skip("=") {
            return if declares { self.error("a temporary variable needs = and a value") } else { Ok(None) };
        }
        let value = self.expect_expression("an assignment")?;
        let calls = value.calls();
        Ok(Some(match step {
            Some(up) => {
                let by = Some(Box::new(value));
                (Node::Evaluate(super::syntax::Expression::Step { name, by, up, position }), calls)
            }
            None => (Node::Assign { name, declares, value, position }, calls),
        }))
    }

    /// What follows braces and their condition, in one line.
    pub(super) fn expect_close(&mut self) -> Result<(), SourceError> {
        self.blanks();
        self.expect("}", "an open brace")
    }
}

fn is_divert(node: &Node) -> bool {
    matches!(node, Node::Divert(_))
}

fn into_tunnel(divert: Divert) -> Node {
    Node::Divert(Divert { kind: DivertKind::Tunnel, ..divert })
}

/// Removes the blanks at the end, but for one before diverts.
fn trim_end(nodes: &mut Vec<Node>, before_divert: bool) {
    while let Some(Node::Text(text)) = nodes.last_mut() {
        text.truncate(text.trim_end_matches([' ', '\t']).len());
        if before_divert {
            text.push(' ');
            return;
        }
        if !text.is_empty() {
            return;
        }
        nodes.pop();
    }
}
