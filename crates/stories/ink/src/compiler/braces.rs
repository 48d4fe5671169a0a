//! What stands in braces: values, conditions, sequences.

use super::parser::{Parsed, Parser};
use super::syntax::{Branch, BranchKind, Conditional, Expression, Node, Sequence, SequenceEnd, SequenceKind};
use super::weave::{base_level, weave};
use crate::source::SourceError;

/// A branch before it is known what decides it.
struct Found {
    is_else: bool,
    condition: Option<Expression>,
    content: Option<Vec<Node>>,
}

impl Parser<'_> {
    /// Braces with what is in them.
    pub(super) fn brace(&mut self) -> Result<Node, SourceError> {
        self.skip("{");
        let (in_quotes, in_tag) = (self.in_quotes, self.in_tag);
        self.blanks();
        let Some(inner) = self.inner()? else {
            return self.error(format!("braces need a value, a condition or a sequence where {} stands", self.here()));
        };
        self.expect_close()?;
        self.in_quotes = in_quotes;
        let mut nodes = vec![inner];
        if !in_tag {
            self.end_tag(&mut nodes);
        }
        Ok(Node::List(nodes))
    }

    fn inner(&mut self) -> Parsed<Node> {
        if let Some(kind) = self.attempt(|own| Ok(own.sequence_kind()))? {
            let elements = self.elements()?;
            if elements.is_empty() {
                return self.error("a sequence needs elements, each after a dash");
            }
            return Ok(Some(sequence(kind, elements)));
        }
        if let Some(condition) = self.attempt(Self::condition)? {
            return match self.branches(Some(condition))? {
                Some(conditional) => Ok(Some(conditional)),
                None => self.error("a condition needs content"),
            };
        }
        let rules: [fn(&mut Self) -> Parsed<Node>; 3] =
            [|own| own.branches(None), Self::stopping, |own| Ok(own.expression()?.map(Node::Write))];
        for rule in rules {
            let whole = self.attempt(|own| {
                let found = rule(own)?;
                let begin = own.at;
                own.blanks();
                let is_whole = own.peek() == Some('}');
                own.at = begin;
                Ok(found.filter(|_| is_whole))
            })?;
            if whole.is_some() {
                return Ok(whole);
            }
        }
        Ok(None)
    }

    /// An expression and a colon.
    fn condition(&mut self) -> Parsed<Expression> {
        let Some(condition) = self.expression()? else { return Ok(None) };
        self.blanks();
        Ok(self.skip(":").then_some(condition))
    }

    /// Signs (`&`, `!`, `~`, `$`) or words that tell the kind of a sequence.
    fn sequence_kind(&mut self) -> Option<SequenceKind> {
        let mut kind = SequenceKind::default();
        let mut found = false;
        loop {
            match self.peek() {
                Some('&') => kind.end = SequenceEnd::Cycle,
                Some('!') => kind.end = SequenceEnd::Once,
                Some('~') => kind.shuffle = true,
                Some('$') => kind.end = SequenceEnd::Stopping,
                _ => break,
            }
            self.at += 1;
            found = true;
        }
        if found {
            return Some(kind);
        }
        while let Some(word) = self.name() {
            match &word[..] {
                "cycle" => kind.end = SequenceEnd::Cycle,
                "once" => kind.end = SequenceEnd::Once,
                "shuffle" => kind.shuffle = true,
                "stopping" => kind.end = SequenceEnd::Stopping,
                _ => return None,
            }
            found = true;
            self.blanks();
        }
        (found && self.skip(":")).then_some(kind)
    }

    /// A sequence without a kind, of more than one element.
    fn stopping(&mut self) -> Parsed<Node> {
        self.blanks();
        let elements = self.elements()?;
        let kind = SequenceKind { end: SequenceEnd::Stopping, shuffle: false };
        Ok((elements.len() > 1).then(|| sequence(kind, elements)))
    }

    fn elements(&mut self) -> Result<Vec<Vec<Node>>, SourceError> {
        let mut elements = Vec::new();
        if self.line_break() {
            self.empty_lines();
            while let Some(element) = self.attempt(Self::element)? {
                elements.push(element);
            }
            return Ok(elements);
        }
        loop {
            elements.push(self.text_and_logic()?.unwrap_or_default());
            if !self.skip("|") {
                return Ok(elements);
            }
        }
    }

    /// An element of a sequence in lines of its own.
    fn element(&mut self) -> Parsed<Vec<Node>> {
        if !self.dash() {
            return Ok(None);
        }
        self.blanks();
        let mut content = self.block()?;
        if content.is_empty() {
            self.empty_lines();
        } else {
            content.insert(0, Node::Text("\n".into()));
        }
        Ok(Some(content))
    }

    /// A dash that is no arrow.
    pub(super) fn dash(&mut self) -> bool {
        self.blanks();
        !self.is_at("->") && self.skip("-")
    }

    /// The branches of a condition, or branches with conditions of their own.
    fn branches(&mut self, condition: Option<Expression>) -> Parsed<Node> {
        if !self.line_break() {
            return match condition {
                Some(condition) => self.inline_branches(condition),
                None => Ok(None),
            };
        }
        self.empty_lines();
        let mut found = Vec::new();
        while let Some(branch) = self.attempt(Self::branch)? {
            found.push(branch);
        }
        self.empty_lines();
        if found.is_empty() {
            if condition.is_none() {
                return Ok(None);
            }
            let content = self.block()?;
            if content.is_empty() {
                return Ok(None);
            }
            found.push(Found { is_else: false, condition: None, content: Some(content) });
            if let Some(branch) = self.attempt(Self::branch)? {
                if !branch.is_else {
                    return self.error("only \"- else:\" can follow content that begins without a dash");
                }
                found.push(branch);
            }
        } else if found.len() == 1 && found[0].is_else && condition.is_some() {
            found.insert(0, Found { is_else: false, condition: None, content: None });
        }
        let branches = if condition.is_some() { self.of_condition(found)? } else { self.of_their_own(found)? };
        Ok(Some(Node::Conditional(Conditional { condition, branches })))
    }

    fn inline_branches(&mut self, condition: Expression) -> Parsed<Node> {
        let mut branches = Vec::new();
        for kind in [BranchKind::True, BranchKind::Else] {
            if kind == BranchKind::Else && !self.skip("|") {
                break;
            }
            let content = self.text_and_logic()?.unwrap_or_default();
            branches.push(Branch { kind, condition: None, content: Some(inner_weave(content)), inline: true });
        }
        if self.peek() == Some('|') {
            return self.error("a condition has one or two alternatives");
        }
        Ok(Some(Node::Conditional(Conditional { condition: Some(condition), branches })))
    }

    /// A branch in lines of its own.
    fn branch(&mut self) -> Parsed<Found> {
        if !self.dash() {
            return Ok(None);
        }
        self.blanks();
        let is_else = self.attempt(|own| Ok((own.word("else") && own.skip_spaced(":")).then_some(())))?.is_some();
        let condition = if is_else { None } else { self.attempt(Self::condition)? };
        let content = self.block()?;
        if condition.is_none() && content.is_empty() && !is_else {
            return self.error("a branch needs content after its dash");
        }
        self.empty_lines();
        Ok(Some(Found { is_else, condition, content: Some(content).filter(|content| !content.is_empty()) }))
    }

    /// Branches that depend on the condition or value of the braces.
    fn of_condition(&self, found: Vec<Found>) -> Result<Vec<Branch>, SourceError> {
        let count = found.len();
        let mut compares = false;
        let mut branches = Vec::new();
        for (place, branch) in found.into_iter().enumerate() {
            let is_last = place + 1 == count;
            let kind = if branch.condition.is_some() {
                compares = true;
                BranchKind::Equal
            } else if compares && is_last {
                BranchKind::ElseOfValues
            } else if !is_last && count > 2 {
                return self.error("only the last branch can be without a condition");
            } else if place == 0 {
                BranchKind::True
            } else {
                BranchKind::Else
            };
            branches.push(branch.of(kind));
        }
        Ok(branches)
    }

    /// Branches with conditions of their own.
    fn of_their_own(&self, found: Vec<Found>) -> Result<Vec<Branch>, SourceError> {
        let count = found.len();
        if count == 1 && found[0].condition.is_none() {
            return self.error("a branch without a condition needs others before it");
        }
        let mut branches = Vec::new();
        for (place, branch) in found.into_iter().enumerate() {
            if branch.condition.is_none() && place + 1 < count {
                return self.error("only the last branch can be without a condition");
            }
            let kind = if branch.condition.is_some() { BranchKind::Own } else { BranchKind::Else };
            branches.push(branch.of(kind));
        }
        Ok(branches)
    }
}

impl Found {
    fn of(self, kind: BranchKind) -> Branch {
        Branch { kind, condition: self.condition, content: self.content.map(inner_weave), inline: false }
    }
}

fn sequence(kind: SequenceKind, elements: Vec<Vec<Node>>) -> Node {
    let elements = elements.into_iter().map(|nodes| (!nodes.is_empty()).then(|| inner_weave(nodes))).collect();
    Node::Sequence(Sequence { kind, elements })
}

/// The weave of content in braces.
fn inner_weave(nodes: Vec<Node>) -> super::syntax::Weave {
    let level = base_level(&nodes);
    weave(nodes, level)
}
