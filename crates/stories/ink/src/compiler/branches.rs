//! From conditionals and sequences to operations.

use serde_json::{Value, json};

use super::containers::{ContainerId, VISITS_AT_BEGINNING};
use super::emit::{Emitted, Emitter};
use super::syntax::{Branch, BranchKind, Conditional, Sequence, SequenceEnd};

impl Emitter<'_> {
    pub(super) fn conditional(&mut self, conditional: &Conditional, to: ContainerId) -> Emitted {
        if let Some(condition) = &conditional.condition {
            self.evaluated(condition, to)?;
        }
        let after = self.containers.add();
        for branch in &conditional.branches {
            self.branch(branch, after, to)?;
        }
        let kinds = || conditional.branches.iter().map(|branch| branch.kind);
        let has_else = kinds().next_back() == Some(BranchKind::ElseOfValues);
        if kinds().next() == Some(BranchKind::Equal) && !has_else {
            self.containers.push(to, "pop");
        }
        self.containers.push_mark(to, after);
        Ok(())
    }

    fn branch(&mut self, branch: &Branch, after: ContainerId, to: ContainerId) -> Emitted {
        let own = self.containers.inner(to);
        let content = self.containers.add();
        self.containers.name(content, "b");
        if branch.kind == BranchKind::Equal {
            self.containers.push(own, "du");
        }
        if let Some(condition) = &branch.condition {
            self.containers.push(own, "ev");
            self.expression(condition, own)?;
            if branch.kind == BranchKind::Equal {
                self.containers.push(own, "==");
            }
            self.containers.push(own, "/ev");
        }
        let is_else = matches!(branch.kind, BranchKind::Else | BranchKind::ElseOfValues);
        let more = if is_else { Value::Null } else { json!({"c": true}) };
        self.containers.push_path(own, "->", content, &more);
        self.containers.push_named(own, content);
        if matches!(branch.kind, BranchKind::Equal | BranchKind::ElseOfValues) {
            self.containers.push(content, "pop");
        }
        if !branch.inline {
            self.containers.push(content, "\n");
        }
        if let Some(weave) = &branch.content {
            self.weave(weave, content, true)?;
        }
        self.containers.divert(content, after);
        Ok(())
    }

    pub(super) fn sequence(&mut self, sequence: &Sequence, to: ContainerId) -> Emitted {
        let own = self.containers.inner(to);
        self.containers.count(own, VISITS_AT_BEGINNING);
        let Sequence { kind, elements } = sequence;
        let branches = elements.len() + usize::from(kind.end == SequenceEnd::Once);
        let stops = kind.end == SequenceEnd::Stopping;
        let ends = stops || kind.end == SequenceEnd::Once;
        self.containers.push_all(own, &["ev", "visit"]);
        if ends {
            self.containers.push(own, branches - 1);
            self.containers.push(own, "MIN");
        } else if !kind.shuffle {
            self.containers.push(own, elements.len());
            self.containers.push(own, "%");
        }
        if kind.shuffle {
            let skipped = self.containers.add();
            let drawn = elements.len() - usize::from(stops);
            if ends {
                self.containers.push(own, "du");
                self.containers.push(own, if stops { elements.len() - 1 } else { elements.len() });
                self.containers.push(own, "==");
                self.containers.push_path(own, "->", skipped, &json!({"c": true}));
            }
            self.containers.push(own, drawn);
            self.containers.push(own, "seq");
            if ends {
                self.containers.push_mark(own, skipped);
            }
        }
        self.containers.push(own, "/ev");
        let after = self.containers.add();
        for place in 0..branches {
            self.containers.push_all(own, &["ev", "du"]);
            self.containers.push(own, place);
            self.containers.push_all(own, &["==", "/ev"]);
            let element = self.containers.add();
            self.containers.name(element, format!("s{place}"));
            self.containers.push_path(own, "->", element, &json!({"c": true}));
            self.containers.push_named(own, element);
            self.containers.push(element, "pop");
            if let Some(Some(weave)) = elements.get(place) {
                self.weave(weave, element, true)?;
            }
            self.containers.divert(element, after);
        }
        self.containers.push_mark(own, after);
        Ok(())
    }
}
