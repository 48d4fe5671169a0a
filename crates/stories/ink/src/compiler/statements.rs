//! Lines of a story: choices, gathers, declarations, knots and stitches.

use super::parser::{DEEPEST, Parsed, Parser};
use super::syntax::{Choice, Expression, Flow, Gather, ListDefinition, ListItem, Node, Parameter, Variable};
use super::weave::weave;
use crate::source::SourceError;

/// What the statements of a block stand in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Braces,
    Stitch,
    Knot,
    Top,
}

impl Parser<'_> {
    /// The content of a branch or an element.
    pub(super) fn block(&mut self) -> Result<Vec<Node>, SourceError> {
        self.nested(|own| own.statements(Level::Braces))
    }

    /// All statements of a block.
    pub(super) fn statements(&mut self, level: Level) -> Result<Vec<Node>, SourceError> {
        let mut nodes = Vec::new();
        loop {
            self.empty_lines();
            if self.is_end() || self.ends(level) {
                return Ok(nodes);
            }
            match self.statement(level)? {
                Some(node) => nodes.push(node),
                None => return Ok(nodes),
            }
        }
    }

    /// Whether the block ends here.
    fn ends(&mut self, level: Level) -> bool {
        let begin = self.at;
        self.blanks();
        let ends = match level {
            Level::Top => false,
            Level::Knot => self.is_at("=="),
            Level::Stitch => self.is_at("="),
            Level::Braces => self.is_at("=") || self.is_at("}") || self.is_at("-") && !self.is_at("->"),
        };
        self.at = begin;
        ends
    }

    fn statement(&mut self, level: Level) -> Parsed<Node> {
        let rules: [fn(&mut Self, Level) -> Parsed<Node>; 9] = [
            |own, _| own.divert_line(),
            Self::knot,
            |own, _| own.choice(),
            |own, _| Ok(own.note()),
            Self::gather,
            Self::stitch,
            |own, _| own.declaration(),
            |own, _| own.logic_line(),
            |own, _| own.text_line(),
        ];
        for rule in rules {
            if let Some(node) = self.attempt(|own| rule(own, level))? {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// `TODO: ...`, which is nothing in the story.
    fn note(&mut self) -> Option<Node> {
        self.blanks();
        if !(self.word("TODO") && self.skip_spaced(":")) {
            return None;
        }
        self.rest_of_line();
        self.line_end();
        Some(Node::List(Vec::new()))
    }

    fn gather(&mut self, level: Level) -> Parsed<Node> {
        if level == Level::Braces {
            return Ok(None);
        }
        let mut dashes = 0;
        while self.dash() {
            dashes += 1;
        }
        if dashes == 0 {
            return Ok(None);
        }
        self.check_level(dashes)?;
        self.blanks();
        let label = self.label()?;
        let id = self.point();
        self.line_break();
        Ok(Some(Node::Gather(Gather { id, level: dashes, label })))
    }

    fn check_level(&self, level: usize) -> Result<(), SourceError> {
        if level > DEEPEST { self.error(format!("more than {DEEPEST} bullets")) } else { Ok(()) }
    }

    /// A name in brackets.
    fn label(&mut self) -> Parsed<String> {
        self.attempt(|own| {
            if !own.skip("(") {
                return Ok(None);
            }
            own.blanks();
            let Some(name) = own.name() else { return Ok(None) };
            own.blanks();
            if !own.skip(")") {
                return Ok(None);
            }
            own.blanks();
            Ok(Some(name))
        })
    }

    fn choice(&mut self) -> Parsed<Node> {
        let once = self.skip_spaced("*");
        let bullet = if once { "*" } else { "+" };
        if !once && !self.skip_spaced(bullet) {
            return Ok(None);
        }
        let mut level = 1;
        while self.skip_spaced(bullet) {
            level += 1;
        }
        self.check_level(level)?;
        let label = self.label()?;
        self.blanks();
        let condition = self.choice_conditions()?;
        self.blanks();
        self.in_choice = true;
        let mut start = self.text_and_logic()?;
        let mut bracketed = None;
        let mut inner = None;
        if self.skip("[") {
            if let Some(start) = &mut start {
                self.end_tag(start);
            }
            bracketed = self.text_and_logic()?;
            self.expect("]", "a choice with an open bracket")?;
            match &mut bracketed {
                Some(bracketed) => self.end_tag(bracketed),
                None => self.in_tag = false,
            }
            inner = self.text_and_logic()?;
        }
        self.blanks();
        if let Some(text) = inner.as_mut().or(start.as_mut()) {
            self.end_tag(text);
        }
        let diverts = self.diverts()?;
        self.in_choice = false;
        self.blanks();
        let fallback = start.is_none() && bracketed.is_none() && inner.is_none();
        let mut inner = inner.unwrap_or_default();
        self.end_tag(&mut inner);
        inner.extend(diverts.into_iter().flatten());
        inner.push(Node::Text("\n".into()));
        self.expect_line_end()?;
        let id = self.point();
        Ok(Some(Node::Choice(Box::new(Choice {
            id,
            level,
            label,
            once,
            fallback,
            condition,
            start,
            bracketed,
            inner,
        }))))
    }

    /// The conditions of a choice, which may stand in several lines.
    fn choice_conditions(&mut self) -> Parsed<Expression> {
        let mut all: Option<Expression> = None;
        while self.skip("{") {
            let condition = self.expect_expression("a condition")?;
            self.expect_close()?;
            all = Some(match all {
                Some(all) => Expression::Binary("&&", Box::new(all), Box::new(condition)),
                None => condition,
            });
            let begin = self.at;
            self.line_break();
            self.blanks();
            if self.peek() != Some('{') {
                self.at = begin;
            }
        }
        // The text of the choice can stand in the next line.
        if all.is_some() {
            self.line_break();
        }
        Ok(all)
    }

    fn declaration(&mut self) -> Parsed<Node> {
        self.blanks();
        let position = self.position();
        let Some(word) = self.name() else { return Ok(None) };
        if !self.blanks() {
            return Ok(None);
        }
        match &word[..] {
            "VAR" | "CONST" => {
                let name = self.expect_name(&word)?;
                self.blanks();
                self.expect("=", &word)?;
                let value = self.expect_expression(&word)?;
                if word == "VAR" {
                    self.declare(name, Variable::Value(value))?;
                } else {
                    self.declarations.constants.insert(name, value);
                }
            }
            "LIST" => {
                let name = self.expect_name(&word)?;
                self.blanks();
                self.expect("=", &word)?;
                let items = self.list_items()?;
                self.declare(name.clone(), Variable::List(ListDefinition { name, items }))?;
            }
            "EXTERNAL" => {
                let name = self.expect_name(&word)?;
                self.blanks();
                if self.parameters()?.is_none() {
                    return self.error(format!("EXTERNAL {name} needs brackets"));
                }
                self.declarations.externals.insert(name, position);
            }
            "INCLUDE" => return self.included().map(Some),
            _ => return Ok(None),
        }
        self.expect_line_end()?;
        let is_variable = matches!(&word[..], "VAR" | "LIST");
        let node = is_variable.then(|| Node::Declaration(self.declarations.variables.len() - 1));
        Ok(Some(Node::List(node.into_iter().collect())))
    }

    fn declare(&mut self, name: String, variable: Variable) -> Result<(), SourceError> {
        if self.declarations.variables.iter().any(|(known, _)| *known == name) {
            return self.error(format!("{name} is declared twice"));
        }
        self.declarations.variables.push((name, variable));
        Ok(())
    }

    fn list_items(&mut self) -> Result<Vec<ListItem>, SourceError> {
        let mut items = Vec::new();
        let mut value = 1;
        loop {
            self.empty_lines();
            self.blanks();
            let contained = self.skip("(");
            self.blanks();
            let name = self.expect_name("a list")?;
            self.blanks();
            let mut is_open = contained;
            if is_open && self.skip_spaced(")") {
                is_open = false;
            }
            if self.skip("=") {
                self.blanks();
                match self.number()? {
                    Some(Expression::Whole(number)) => value = number,
                    _ => return self.error("the value of an item needs a whole number"),
                }
            }
            self.blanks();
            if is_open {
                self.expect(")", "an item in brackets")?;
            }
            items.push(ListItem { name, value, contained });
            value += 1;
            let begin = self.at;
            self.empty_lines();
            if !self.skip_spaced(",") {
                self.at = begin;
                return Ok(items);
            }
        }
    }

    fn knot(&mut self, level: Level) -> Parsed<Node> {
        self.blanks();
        if level < Level::Top || !self.is_at("==") {
            return Ok(None);
        }
        while self.skip("=") {}
        let mut knot = self.header()?;
        while self.skip("=") {}
        self.expect_line_end()?;
        let mut own = Vec::new();
        for node in self.statements(Level::Knot)? {
            match node {
                Node::Flow(stitch) => knot.parts.push(*stitch),
                node => own.push(node),
            }
        }
        knot.weave = (!own.is_empty()).then(|| weave(own, 1));
        Ok(Some(Node::Flow(Box::new(knot))))
    }

    fn stitch(&mut self, level: Level) -> Parsed<Node> {
        self.blanks();
        if level < Level::Knot || self.is_at("==") || !self.skip("=") {
            return Ok(None);
        }
        let mut stitch = self.header()?;
        self.expect_line_end()?;
        let own = self.statements(Level::Stitch)?;
        stitch.weave = (!own.is_empty()).then(|| weave(own, 1));
        Ok(Some(Node::Flow(Box::new(stitch))))
    }

    /// The name and the parameters of a knot or stitch.
    fn header(&mut self) -> Result<Flow, SourceError> {
        self.blanks();
        let position = Some(self.position());
        let begin = self.at;
        if !(self.word("function") && self.blanks()) {
            self.at = begin;
        }
        let name = self.expect_name("a knot or stitch")?;
        self.blanks();
        let parameters = self.parameters()?.unwrap_or_default();
        self.blanks();
        Ok(Flow { name, position, parameters, ..Flow::default() })
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        if !self.skip("(") {
            return Ok(None);
        }
        let mut parameters = Vec::new();
        loop {
            self.blanks();
            let begin = self.at;
            let by_reference = self.word("ref") && self.blanks() && !matches!(self.peek(), Some(',' | ')'));
            if !by_reference {
                self.at = begin;
            }
            self.skip("->");
            self.blanks();
            let Some(name) = self.name() else { break };
            parameters.push(Parameter { name, by_reference });
            if !self.skip_spaced(",") {
                break;
            }
        }
        self.blanks();
        self.expect(")", "parameters")?;
        Ok(Some(parameters))
    }
}
