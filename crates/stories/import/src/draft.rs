//! Drafts a section of our language from the plain sentences of its text; everything else becomes a `todo`.

use gamebook::SectionNumber;

use crate::asked::unclear;
use crate::fight::{Exit, Plain, count_fights};
use crate::line::{Line, quoted};
use crate::sentence::{self, Fact, Modifier, Way, When, sentences, way};
use crate::source::Block;
use crate::target::Target;

/// A section, as far as its text is understood.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub lines: Vec<Line>,
    /// The parts that a person has to look at, for the comment and the summary.
    pub todos: Vec<String>,
    /// The items in conditions, by the names the book gives them.
    pub items: Vec<String>,
    pub choices: usize,
    pub fights: usize,
    pub picks: usize,
}

/// The rules in the paragraphs of a section.
#[derive(Default)]
struct Facts {
    effects: Vec<Line>,
    modifiers: Vec<Modifier>,
    todos: Vec<String>,
    picks: usize,
    zero_is_ten: bool,
    plus: Vec<(i32, String)>,
    /// The attacks of the mind to which the enemies are immune.
    immune: Vec<&'static str>,
    undead: bool,
}

/// An enemy: name, COMBAT SKILL, ENDURANCE.
type Enemy<'a> = (&'a str, Option<i32>, Option<i32>);

/// Drafts a section. The last section of a book is its goal when it leads nowhere.
pub(crate) fn draft(number: SectionNumber, blocks: &[Block], is_last: bool, target: Target) -> Draft {
    let enemies: Vec<Enemy<'_>> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Enemy { name, skill, endurance } => Some((name.as_str(), *skill, *endurance)),
            _ => None,
        })
        .collect();
    let facts = read_facts(blocks, !enemies.is_empty(), target);
    let mut draft = Draft {
        todos: facts.todos.clone(),
        fights: usize::from(!enemies.is_empty()),
        picks: facts.picks,
        ..Draft::default()
    };
    let mut ways: Vec<(Option<SectionNumber>, Way)> = Vec::new();
    for block in blocks {
        match block {
            Block::Choice { to, text } => {
                let way = way(text, facts.picks > 0, !enemies.is_empty(), target);
                if way.unclear {
                    draft.todos.push(format!("the condition of a choice: {}", unclear(text)));
                }
                if to.is_none() {
                    draft.todos.push(format!("a choice without a target: {}", way.label));
                }
                draft.items.extend(way.item.clone());
                ways.push((*to, way));
            }
            Block::Puzzle { to } => {
                draft.todos.push("a number that the reader finds out".into());
                for target in to {
                    let label = format!("the answer {target}");
                    ways.push((
                        Some(*target),
                        Way { when: When::May(None), effect: None, unclear: true, label, item: None },
                    ));
                }
            }
            _ => {}
        }
    }
    draft.choices = ways.len();
    let mut lines = facts.effects.clone();
    if !enemies.is_empty() {
        lines.extend(fight(&enemies, &facts, target, &mut ways, &mut draft.todos));
    }
    let pick = Pick { target, zero_is_ten: facts.zero_is_ten, plus: &facts.plus, asked: facts.picks };
    let end = if blocks.contains(&Block::DeadEnd) {
        Line::leaf(format!("death {}", quoted(&format!("the end in {number}"))))
    } else if ways.is_empty() && is_last {
        Line::leaf("victory")
    } else {
        Line::leaf("death \"not understood\"")
    };
    let is_dead_end = blocks.contains(&Block::DeadEnd);
    let leaves = leave(ways, &pick, &mut lines, &mut draft.todos);
    if !leaves {
        if !(is_dead_end || draft.choices == 0 && is_last) {
            draft.todos.push("no way out of the section is known".into());
        }
        lines.push(end);
    } else if is_dead_end {
        draft.todos.push("an end that only some come to".into());
    }
    if target.is_system() {
        in_numbers(&mut lines);
        count_fights(&mut lines);
    }
    draft.lines = draft.todos.iter().map(|todo| Line::todo(todo)).chain(lines).collect();
    draft
}

fn read_facts(blocks: &[Block], fights: bool, target: Target) -> Facts {
    let mut facts = Facts::default();
    for block in blocks {
        match block {
            Block::Text(text) => {
                for sentence in sentences(text) {
                    for fact in sentence::facts(sentence, fights, target) {
                        facts.add(fact, sentence);
                    }
                }
            }
            Block::Footnote(text)
                if sentences(text).iter().any(|sentence| !sentence::facts(sentence, fights, target).is_empty()) =>
            {
                facts.todos.push(format!("a footnote: {}", unclear(text)));
            }
            _ => {}
        }
    }
    if target.is_system() && facts.picks == 0 && !facts.plus.is_empty() {
        facts.todos.push("what is added to a number that is not picked here".into());
    }
    if facts.picks > 1 {
        facts.todos.push("several numbers are picked".into());
    }
    facts
}

impl Facts {
    fn add(&mut self, fact: Fact, sentence: &str) {
        match fact {
            Fact::Pick => self.picks += 1,
            Fact::ZeroIsTen => self.zero_is_ten = true,
            Fact::Plus(points, condition) => self.plus.push((points, condition)),
            Fact::Effect(line) => self.effects.push(Line::leaf(line)),
            Fact::Modifier(modifier) => self.modifiers.push(modifier),
            Fact::Immune(attacks) => self.immune.extend(attacks),
            Fact::Undead => self.undead = true,
            Fact::Unclear => self.todos.push(unclear(sentence)),
        }
    }
}

/// The fight of a section. The ways that lead out of it are taken from `ways`.
fn fight(
    enemies: &[Enemy<'_>],
    facts: &Facts,
    target: Target,
    ways: &mut Vec<(Option<SectionNumber>, Way)>,
    todos: &mut Vec<String>,
) -> Vec<Line> {
    let mut known = Vec::new();
    for (name, skill, endurance) in enemies {
        let (Some(skill), Some(endurance)) = (skill, endurance) else {
            todos.push("an enemy without COMBAT SKILL or ENDURANCE".into());
            continue;
        };
        // What our language can hold.
        known.push((*name, (*skill).clamp(0, 99), (*endurance).clamp(1, 150)));
    }
    if known.is_empty() {
        return Vec::new();
    }
    let mut exits: Vec<(Exit, Vec<Line>)> = Vec::new();
    let mut evades = 0;
    ways.retain(|(to, way)| {
        let exit = match way.when {
            When::Evading(round) => Exit::Evade(round),
            When::Lasting(rounds) => Exit::Stop(rounds),
            _ => return true,
        };
        evades += usize::from(matches!(exit, Exit::Evade(_)));
        if evades < 2 {
            exits.push((exit, vec![to.map_or_else(|| Line::leaf("death \"not understood\""), Line::goto)]));
        }
        false
    });
    if evades > 1 {
        todos.push("several ways to evade".into());
    }
    let immune = facts.immune.as_slice();
    let fight = Plain { enemies: &known, modifiers: &facts.modifiers, immune, undead: facts.undead, exits };
    if target.is_system() {
        let (line, problems) = fight.in_system(target);
        todos.extend(problems.into_iter().map(String::from));
        return vec![line];
    }
    let mut line = fight.in_lone_wolf();
    // One enemy of several that are not known stands in a line of its own.
    if known.len() == 1 && enemies.len() > 1 {
        line = fight.with_enemies_apart();
    }
    vec![line]
}

struct Pick<'a> {
    target: Target,
    zero_is_ten: bool,
    plus: &'a [(i32, String)],
    asked: usize,
}

/// What leads out of a section when everything else in it has happened; whether that is always the case.
fn leave(
    ways: Vec<(Option<SectionNumber>, Way)>,
    pick: &Pick<'_>,
    lines: &mut Vec<Line>,
    todos: &mut Vec<String>,
) -> bool {
    let target = |to: Option<SectionNumber>, way: &Way| {
        let last = to.map_or_else(|| Line::leaf("death \"not understood\""), Line::goto);
        way.effect.iter().map(Line::leaf).chain([last]).collect::<Vec<Line>>()
    };
    let mut cases = Vec::new();
    let mut free: Vec<Free> = Vec::new();
    for (to, way) in ways {
        match &way.when {
            When::Totals(totals) => cases.extend(totals.iter().map(|range| (*range, target(to, &way)))),
            When::AfterFight(condition) if lines.last().is_some_and(|last| is_other(&last.head, condition)) => {
                lines.push(Line::block("else", target(to, &way)));
            }
            When::If(condition) | When::AfterFight(condition) => {
                let condition = quoted(condition);
                // Who may choose before is asked first.
                if !free.is_empty() {
                    todos.push("a condition after choices of free will".into());
                }
                lines.push(Line::block(format!("if {condition}"), target(to, &way)));
            }
            When::Otherwise if lines.last().is_some_and(|last| last.head.starts_with("if ")) && free.is_empty() => {
                lines.push(Line::block("else", target(to, &way)));
                if !cases.is_empty() {
                    todos.push("a number that only some pick".into());
                }
            }
            When::Otherwise if pick.target.is_system() && cases.is_empty() && all_ask(&free) => {
                let others: Vec<&str> = free.iter().filter_map(|(condition, ..)| condition.as_deref()).collect();
                let condition = format!("not ({})", others.join(" or "));
                free.push((Some(condition), way.label.clone(), target(to, &way)));
            }
            When::Otherwise => {
                todos.push("who else goes this way".into());
                free.push((None, way.label.clone(), target(to, &way)));
            }
            When::May(condition) => free.push((condition.clone(), way.label.clone(), target(to, &way))),
            When::Won | When::Evading(_) | When::Lasting(_) => free.push((None, way.label.clone(), target(to, &way))),
        }
    }
    if lines.last().is_some_and(|last| last.head == "else") && free.is_empty() && cases.is_empty() {
        return true;
    }
    if !cases.is_empty() {
        let picked = write_pick(cases, pick, todos);
        if free.is_empty() {
            lines.push(picked);
            return true;
        }
        todos.push("choices of free will beside a number that is picked".into());
        free.push((None, "pick a number".into(), vec![picked]));
    } else if pick.asked > 0 {
        todos.push("what the number that is picked decides".into());
    }
    if let [(None, _, _)] = &free[..] {
        lines.extend(free.remove(0).2);
        return true;
    }
    for (condition, label, target) in &free {
        let require = condition.iter().map(|condition| Line::leaf(format!("require {}", quoted(condition))));
        let body: Vec<Line> = require.chain(target.iter().cloned()).collect();
        lines.push(Line::block(format!("choice {}", quoted(label)), body));
    }
    !free.is_empty()
}

/// Asks for wounds as systems of rules do, by what was lost.
fn in_numbers(lines: &mut [Line]) {
    for line in lines {
        line.head = line.head.replace("\"not wounded\"", "\"lost = 0\"").replace("\"wounded\"", "\"lost > 0\"");
        in_numbers(line.body.as_deref_mut().unwrap_or_default());
    }
}

/// A choice of free will: its condition, its label and what it leads to.
type Free = (Option<String>, String, Vec<Line>);

/// Whether there are choices, and each asks for something.
fn all_ask(free: &[Free]) -> bool {
    !free.is_empty() && free.iter().all(|(condition, ..)| condition.is_some())
}

/// Whether a condition holds when that of an `if` before it does not.
fn is_other(head: &str, condition: &str) -> bool {
    let opposite = match condition.strip_prefix("not ") {
        Some(own) => own.to_string(),
        None => match condition.strip_prefix("rounds > ") {
            Some(rounds) => format!("rounds <= {rounds}"),
            None => format!("not {condition}"),
        },
    };
    head == format!("if {}", quoted(&opposite))
}

/// A range of totals and what follows it.
type Case = ((Option<i32>, Option<i32>), Vec<Line>);

/// A pick with its cases: the last of them reach as far as the totals do.
fn write_pick(cases: Vec<Case>, pick: &Pick<'_>, todos: &mut Vec<String>) -> Line {
    let head = pick.target.pick(None, pick.zero_is_ten);
    let (mut least, mut most): (i32, i32) = if pick.zero_is_ten { (1, 10) } else { (0, 9) };
    let mut body = Vec::new();
    for (points, condition) in pick.plus {
        body.push(Line::leaf(format!("plus {points} if={}", quoted(condition))));
        let end = if *points < 0 { &mut least } else { &mut most };
        *end = end.saturating_add(*points);
    }
    let mut bounded: Vec<(i32, i32, Vec<Line>)> =
        cases.into_iter().map(|((low, high), lines)| (low.unwrap_or(least), high.unwrap_or(most), lines)).collect();
    bounded.sort_by_key(|(low, high, _)| (*low, *high));
    // With a bonus the highest range means its number or more, with a deduction the lowest its number or less.
    if let Some(last) = bounded.last_mut().filter(|last| !pick.plus.is_empty() && last.1 < most && last.1 >= 9) {
        last.1 = most;
    }
    if let Some(first) = bounded.first_mut().filter(|first| first.0 > least && first.0 <= 0) {
        first.0 = least;
    }
    let mut next = least;
    let mut gap = false;
    for (low, high, lines) in bounded {
        if low > next {
            gap = true;
        }
        let low = low.max(next);
        if low > high {
            todos.push("ranges of numbers overlap".into());
            continue;
        }
        let range = if low == high { format!("when {low}") } else { format!("when {low} {high}") };
        body.push(Line::block(range, lines));
        next = high.saturating_add(1);
    }
    if gap || next <= most {
        todos.push("numbers that lead nowhere".into());
        body.push(Line::block("else", vec![Line::leaf("death \"not understood\"")]));
    }
    Line::block(head, body)
}
