//! A book in Twee 3, for Twine: passages, links, and effects that `SugarCube` can express.

use std::fmt::Write;

use crate::book::{
    Book, Case, Choice, Condition, Node, NodeKind, Number, Pick, Roll, RollCase, Rule, Section, Target, Thing, Traits,
    VariableRef,
};
use crate::terms::{Comparison, Dice, Operator, SectionNumber};

/// Longer sections are cut: branches multiply.
const LONGEST: usize = 256 << 10;

/// A book in Twee 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twee {
    /// The file.
    pub text: String,
    /// What is only described in words, so that the story plays differently from the book: with its section.
    pub in_words: Vec<(SectionNumber, String)>,
}

impl Book {
    /// The book as a story in Twee 3, in the format `SugarCube`: texts, choices, conditions, numbers and rolls. What it cannot
    /// express (fights, shops, hooks of rules) is described in words.
    ///
    /// ```
    /// let text = "book \"B\" format=1 system=\"none\"\nstart \"Gate\"\ncounter coins max=9 start=2\n\
    ///     section \"Gate\" { choice \"pay\" { require \"coins >= 2\"; coins -2; goto \"In\"; }; choice \"go\" { death; }; }\n\
    ///     section \"In\" { victory; }";
    /// let (book, _) = gamebook::read(text)?;
    /// let twee = book.twee();
    /// assert!(twee.text.contains("<<if $coins gte 2>><<link \"pay\">>") && twee.in_words.is_empty());
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn twee(&self) -> Twee {
        let mut writer = Writer {
            book: self,
            section: self.start,
            locals: &[],
            more: String::new(),
            numbers: 0,
            in_words: Vec::new(),
        };
        let start = self.section_text(self.start);
        let mut text = format!(":: StoryTitle\n{}\n\n:: StoryData\n", plain(&self.title));
        let data = serde_json::json!({
            "ifid": identifier(&self.title),
            "format": "SugarCube",
            "format-version": "2.36.1",
            "start": start,
        });
        let _ = writeln!(text, "{data:#}\n\n:: StoryInit\n{}", writer.initial());
        for (number, section) in &self.sections {
            let passage = writer.passage(*number, section);
            let win = if self.goals.contains(number) { " [win]" } else { "" };
            let _ = writeln!(text, "\n:: {}{win}\n{passage}", name(&self.section_text(*number)));
            text.push_str(&std::mem::take(&mut writer.more));
        }
        text.push_str("\n:: Won [win]\nYou have won.\n\n:: Lost\nYou are dead, or have failed.\n");
        Twee { text, in_words: writer.in_words }
    }
}

/// The continuation of a block.
struct Rest<'b, 'r> {
    nodes: &'b [Node],
    then: Option<&'r Rest<'b, 'r>>,
}

struct Writer<'b> {
    book: &'b Book,
    section: SectionNumber,
    /// The names bound in the section.
    locals: &'b [String],
    /// Further passages of the section.
    more: String,
    numbers: usize,
    in_words: Vec<(SectionNumber, String)>,
}

impl<'b> Writer<'b> {
    /// The hero's initial numbers.
    fn initial(&mut self) -> String {
        let mut out = String::new();
        let mut set = |name: &str, number: i64| {
            let _ = write!(out, "<<set {} to {number}>>", variable(name));
        };
        match &self.book.system {
            Some(system) => system.variables.iter().for_each(|own| set(&own.name, own.start.into())),
            None => {
                let hero = &self.book.hero;
                set("endurance", hero.endurance.into());
                set("gold", hero.gold.into());
                for (item, own) in self.book.items.iter().enumerate() {
                    let had = hero.items.iter().chain(&self.book.fixed).filter(|(other, _)| *other == item);
                    set(&own.name, had.map(|(_, count)| i64::from(*count)).sum());
                }
                self.book.flags.iter().for_each(|own| set(own, 0));
                self.book.counters.iter().for_each(|own| set(&own.name, 0));
            }
        }
        if !self.book.on_enter.is_empty() {
            self.in_words.push((self.book.start, "what happens on entering each section".into()));
        }
        if self.book.system.as_ref().is_some_and(|own| !own.actions.is_empty() || !own.on_leave.is_empty()) {
            self.in_words.push((self.book.start, "what can be done at any time".into()));
        }
        out
    }

    fn passage(&mut self, number: SectionNumber, section: &'b Section) -> String {
        self.section = number;
        self.locals = &section.locals;
        self.numbers = 0;
        let mut text = plain(&section.text);
        if self.book.goals.contains(&number) {
            return text;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text + &self.block(&section.body, None, false)
    }

    fn note(&mut self, what: &str) -> String {
        self.in_words.push((self.section, what.into()));
        format!("({}) ", plain(what))
    }

    fn rest(&mut self, then: Option<&Rest<'b, '_>>, in_link: bool) -> String {
        match then {
            Some(rest) => self.block(rest.nodes, rest.then, in_link),
            None => "<<goto \"Lost\">>".into(),
        }
    }

    /// The effects of nodes and what follows. A link cannot contain other links.
    fn block(&mut self, nodes: &'b [Node], then: Option<&Rest<'b, '_>>, in_link: bool) -> String {
        let Some((first, after)) = nodes.split_first() else { return self.rest(then, in_link) };
        let rest = Rest { nodes: after, then };
        if self.more.len() > LONGEST {
            return self.note("more than can be written here");
        }
        match &first.kind {
            NodeKind::Goto(section) => format!("<<goto {}>>", quoted(&self.book.section_text(*section))),
            NodeKind::Death(_) => "<<goto \"Lost\">>".into(),
            NodeKind::Victory => "<<goto \"Won\">>".into(),
            NodeKind::If(branches, otherwise) => {
                let mut out = String::new();
                for (number, (condition, body, _)) in branches.iter().enumerate() {
                    let Some(test) = self.test(condition) else {
                        let noted = self.note("a condition");
                        return noted + &self.block(otherwise, Some(&rest), in_link);
                    };
                    let word = if number == 0 { "if" } else { "elseif" };
                    let body = self.block(body, Some(&rest), in_link);
                    let _ = write!(out, "<<{word} {test}>>{body}");
                }
                let otherwise = self.block(otherwise, Some(&rest), in_link);
                out + "<<else>>" + &otherwise + "<</if>>"
            }
            NodeKind::Choices(choices) if in_link => {
                self.numbers += 1;
                let own = format!("{} - {}", self.book.section_text(self.section), self.numbers);
                let passage = self.choices(choices, &rest);
                let _ = write!(self.more, "\n:: {}\n{passage}\n", name(&own));
                format!("<<goto {}>>", quoted(&own))
            }
            NodeKind::Choices(choices) => self.choices(choices, &rest),
            NodeKind::Pick(pick) => match self.pick(pick, &rest, in_link) {
                Some(done) => done,
                None => self.note("numbers are picked") + &self.rest(Some(&rest), in_link),
            },
            NodeKind::Rule(rule) => match &**rule {
                Rule::Roll(roll) => match self.roll(roll, &rest, in_link) {
                    Some(done) => done,
                    None => self.note("dice are rolled") + &self.rest(Some(&rest), in_link),
                },
                _ => self.effect(first, &rest, in_link),
            },
            _ => self.effect(first, &rest, in_link),
        }
    }

    fn choices(&mut self, choices: &'b [Choice], rest: &Rest<'b, '_>) -> String {
        let mut out = String::new();
        for choice in choices {
            let test = self.test(&choice.require);
            let (Some(test), None, None) = (test, &choice.each, choice.with) else {
                out.push_str(&self.note(&format!("a choice: {}", choice.label)));
                continue;
            };
            let body = self.block(&choice.body, Some(rest), true);
            let label = if choice.label.is_empty() { "Go on" } else { &choice.label };
            let link = format!("<<link {}>>{body}<</link>>", quoted(label));
            let _ = match test.as_str() {
                "true" => writeln!(out, "{link}"),
                test => writeln!(out, "<<if {test}>>{link}<</if>>"),
            };
        }
        out
    }

    /// A node with an effect and no decision.
    fn effect(&mut self, node: &'b Node, rest: &Rest<'b, '_>, in_link: bool) -> String {
        let kai = &self.book.kai;
        let done = match &node.kind {
            NodeKind::Flag(flag, on) => Some(set(&self.book.flags[*flag], &i32::from(*on).to_string(), (0, 1))),
            NodeKind::Counter(counter, number) => {
                let counter = &self.book.counters[*counter];
                self.number(number).map(|to| set(&counter.name, &to, (0, counter.max.into())))
            }
            NodeKind::Endurance(number) => self
                .number(number)
                .map(|by| set("endurance", &format!("$endurance + {by}"), (0, self.book.hero.endurance.into()))),
            NodeKind::Gain(Thing::Gold, number) => {
                self.number(number).map(|by| set("gold", &format!("$gold + {by}"), (0, kai.most_gold.into())))
            }
            NodeKind::Lose(Thing::Gold, Some(number)) => {
                self.number(number).map(|by| set("gold", &format!("$gold - {by}"), (0, kai.most_gold.into())))
            }
            NodeKind::Lose(Thing::Gold, None) => Some(set("gold", "0", (0, 1))),
            NodeKind::Rule(rule) => self.change(rule),
            _ => None,
        };
        let vital = match &node.kind {
            NodeKind::Endurance(_) => Some("endurance".to_string()),
            NodeKind::Rule(rule) => match &**rule {
                Rule::Change(Target::Variable(VariableRef::Own(own)), _)
                | Rule::Set(Target::Variable(VariableRef::Own(own)), _) => {
                    let own = self.book.system.as_ref().map(|system| &system.variables[*own]);
                    own.filter(|own| own.vital).map(|own| own.name.clone())
                }
                _ => None,
            },
            _ => None,
        };
        let done = done.unwrap_or_else(|| self.note(words(&node.kind)));
        let rest = self.rest(Some(rest), in_link);
        match vital {
            Some(own) => {
                format!("{done}<<if {} lte 0>><<goto \"Lost\">><<else>>{rest}<</if>>", variable(&own))
            }
            None => done + &rest,
        }
    }

    /// The effect of a node of a system of rules on one number.
    fn change(&mut self, rule: &Rule) -> Option<String> {
        let (target, to) = match rule {
            Rule::Set(target, number) => (*target, self.number(number)?),
            Rule::Change(target, number) => {
                let by = self.number(number)?;
                (*target, format!("{} + {by}", self.target(*target)?))
            }
            Rule::Let(local, number) => (Target::Local(*local), self.number(number)?),
            Rule::Gain(item, number) => {
                let by = self.number(number)?;
                let target = Target::Variable(VariableRef::Own(*item));
                (target, format!("{} + {by}", self.target(target)?))
            }
            _ => return None,
        };
        let system = self.book.system.as_ref()?;
        match target {
            Target::Local(local) => Some(format!("<<set {} to {to}>>", self.local(local)?)),
            Target::Variable(VariableRef::Own(own)) => {
                let own = &system.variables[own];
                // Gains stop at an initial value, and at the capacity of a container.
                if own.initial.is_some() || own.container.is_some() || own.traits != Traits::default() {
                    None
                } else {
                    Some(set(&own.name, &to, (own.least, own.most)))
                }
            }
            Target::Variable(VariableRef::Enemy(_) | VariableRef::AtHand) => None,
        }
    }

    fn target(&self, target: Target) -> Option<String> {
        match target {
            Target::Local(local) => self.local(local),
            Target::Variable(own) => self.number(&Number::Variable(own)),
        }
    }

    /// A bound name; the story keeps it, since a section can have several passages.
    fn local(&self, local: usize) -> Option<String> {
        let name = match &self.book.system {
            Some(system) => system.locals.get(local).map(|own| own.name.as_str()),
            None => self.locals.get(local).map(String::as_str),
        };
        name.map(|own| format!("{}_here", variable(own)))
    }

    fn roll(&mut self, roll: &'b Roll, rest: &Rest<'b, '_>, in_link: bool) -> Option<String> {
        let [(local, dice)] = &roll.sums[..] else { return None };
        if !roll.plus.is_empty() {
            return None;
        }
        let own = local.map_or_else(|| Some("$roll_here".into()), |local| self.local(local))?;
        let mut out = format!("<<set {own} to {}>>", thrown(dice));
        if roll.cases.is_empty() {
            return Some(out + &self.rest(Some(rest), in_link));
        }
        for (number, (case, body, _)) in roll.cases.iter().enumerate() {
            let test = match case {
                RollCase::Between(least, most) => format!("{own} gte {least} and {own} lte {most}"),
                RollCase::When(condition) => self.test(condition)?,
                RollCase::Else => "true".into(),
            };
            let body = self.block(body, Some(rest), in_link);
            let _ = write!(out, "<<{} {test}>>{body}", if number == 0 { "if" } else { "elseif" });
        }
        Some(out + "<</if>>")
    }

    fn pick(&mut self, pick: &'b Pick, rest: &Rest<'b, '_>, in_link: bool) -> Option<String> {
        let [(local, count)] = &pick.sums[..] else { return None };
        let own = local.map_or_else(|| Some("$picked_here".into()), |local| self.local(local))?;
        let one = if pick.zero_is_ten { "random(1, 10)" } else { "random(0, 9)" };
        let mut out = format!("<<set {own} to {}>>", vec![one; usize::from(*count)].join(" + "));
        for (number, condition) in &pick.plus {
            let _ = write!(out, "<<if {}>><<set {own} += {}>><</if>>", self.test(condition)?, self.number(number)?);
        }
        if pick.cases.is_empty() {
            return Some(out + &self.rest(Some(rest), in_link));
        }
        for (number, (case, body, _)) in pick.cases.iter().enumerate() {
            let test = match case {
                Case::Between(least, most) => format!("{own} gte {least} and {own} lte {most}"),
                Case::When(condition) => self.test(condition)?,
                Case::Else => "true".into(),
            };
            let body = self.block(body, Some(rest), in_link);
            let _ = write!(out, "<<{} {test}>>{body}", if number == 0 { "if" } else { "elseif" });
        }
        Some(out + "<</if>>")
    }

    fn number(&self, number: &Number) -> Option<String> {
        let hero = &self.book.hero;
        Some(match number {
            Number::Constant(own @ ..0) => format!("({own})"),
            Number::Constant(own) => own.to_string(),
            Number::Gold => variable("gold"),
            Number::Endurance => variable("endurance"),
            Number::MaxEndurance => hero.endurance.to_string(),
            Number::CombatSkill => hero.combat_skill.to_string(),
            Number::Disciplines if self.book.system.is_none() => hero.disciplines.len().to_string(),
            Number::Item(item) => variable(&self.book.items[*item].name),
            Number::Counter(counter) => variable(&self.book.counters[*counter].name),
            Number::Local(local) => self.local(*local)?,
            Number::Variable(VariableRef::Own(own)) => variable(&self.book.system.as_ref()?.variables[*own].name),
            Number::Operation(operator, left, right) => {
                let sign = match operator {
                    Operator::Plus => "+",
                    Operator::Minus => "-",
                    Operator::Times => "*",
                    _ => return None,
                };
                format!("({} {sign} {})", self.number(left)?, self.number(right)?)
            }
            _ => return None,
        })
    }

    fn test(&self, condition: &Condition) -> Option<String> {
        Some(match condition {
            Condition::Constant(own) => own.to_string(),
            Condition::Discipline(own) => self.book.hero.disciplines.contains(own).to_string(),
            Condition::Flag(flag) => format!("{} eq 1", variable(&self.book.flags[*flag])),
            Condition::Reading(_, value) => (*value == 0).to_string(),
            Condition::Compare(comparison, left, right) => {
                let word = match comparison {
                    Comparison::Equal => "eq",
                    Comparison::NotEqual => "neq",
                    Comparison::Less => "lt",
                    Comparison::AtMost => "lte",
                    Comparison::More => "gt",
                    Comparison::AtLeast => "gte",
                };
                format!("{} {word} {}", self.number(left)?, self.number(right)?)
            }
            Condition::Not(inner) => format!("not ({})", self.test(inner)?),
            Condition::And(left, right) => format!("({}) and ({})", self.test(left)?, self.test(right)?),
            Condition::Or(left, right) => format!("({}) or ({})", self.test(left)?, self.test(right)?),
            Condition::Skilled(_) | Condition::Wounded => return None,
        })
    }
}

/// Assigns a variable within a range.
fn set(name: &str, to: &str, (least, most): (i32, i32)) -> String {
    let own = variable(name);
    let mut out = format!("<<set {own} to {to}>>");
    if to.parse().is_ok_and(|to: i32| (least..=most).contains(&to)) {
        return out;
    }
    let _ = write!(
        out,
        "<<if {own} gt {most}>><<set {own} to {most}>><<elseif {own} lt {least}>><<set {own} to {least}>><</if>>"
    );
    out
}

/// The name of a variable in a story.
fn variable(name: &str) -> String {
    let word: String = name.chars().map(|own| if own.is_alphanumeric() { own } else { '_' }).collect();
    format!("${word}")
}

fn thrown(dice: &Dice) -> String {
    let one: Vec<String> = dice.sides().map(|sides| format!("random(1, {sides})")).collect();
    let plus = match dice.plus {
        0 => String::new(),
        less @ ..0 => format!(" - {}", -less),
        more => format!(" + {more}"),
    };
    one.join(" + ") + &plus
}

/// A description of a node that a story cannot express.
fn words(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Fight(_) | NodeKind::OneRound { .. } => "a fight",
        NodeKind::Eat { .. } => "a Meal is due",
        NodeKind::Take { .. } => "things that can be taken",
        NodeKind::Shop(_) => "a shop",
        NodeKind::Repeat(_) | NodeKind::Again(_) => "a loop",
        NodeKind::Gain(..) => "something is got",
        NodeKind::Lose(..) | NodeKind::LoseAll { .. } | NodeKind::GiveUp { .. } => "something is lost",
        _ => "something that the rules say",
    }
}

/// A text without markup of Twine.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for own in text.chars() {
        match own {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '[' => out.push_str("&#91;"),
            '$' => out.push_str("&#36;"),
            ':' if out.is_empty() || out.ends_with('\n') => out.push_str("&#58;"),
            '\n' => out.push('\n'),
            own if own.is_control() => out.push(' '),
            own => out.push(own),
        }
    }
    out
}

/// The name of a passage in its header.
fn name(text: &str) -> String {
    let mut out = String::new();
    for own in text.chars().filter(|own| !own.is_control()) {
        if matches!(own, '[' | ']' | '{' | '}' | '\\') {
            out.push('\\');
        }
        out.push(own);
    }
    out
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let text: String = text.chars().filter(|own| !own.is_control()).collect();
    format!("\"{}\"", text.replace('"', "'"))
}

/// The identifier of the story, derived from the title.
fn identifier(title: &str) -> String {
    let number =
        |seed: u64| title.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let (one, two) = (number(0xcbf2_9ce4_8422_2325), number(0x9e37_79b9_7f4a_7c15));
    format!(
        "{:08X}-{:04X}-4{:03X}-A{:03X}-{:012X}",
        one >> 32,
        (one >> 16) & 0xffff,
        one & 0xfff,
        two >> 52,
        two & 0xffff_ffff_ffff
    )
}
