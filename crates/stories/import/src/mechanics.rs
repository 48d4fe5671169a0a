//! The rules of a book's sections as the Kai Chronicles project writes them, run once for every outcome of
//! their tests: what happens in which order becomes a section of our language.
//!
//! The rules are a program that changes a page: choices are switched on and off, effects happen, handlers
//! wait for fights and numbers. It is run here with its tests open: where the outcome of a test is not known,
//! an `if` is written and the rest of the rules is run for both.

mod agree;
mod effects;
mod fights;
mod inventory;
mod known;
mod state;
mod system_fights;
mod tables;
mod unknown;

use std::collections::{BTreeSet, VecDeque};

use gamebook::SectionNumber;

use self::agree::mastered_bow;
use self::known::decided;
use self::state::{Moment, State, name_of, positive};
use self::unknown::test_named;
use crate::fight::{Combat, count_fights};
use crate::line::{Line, quoted};
use crate::objects::Objects;
use crate::prose::number;
use crate::sentence::{slug, way};
use crate::source::Block;
use crate::target::Target;
use crate::xml::Element;

/// The most endings of one section's tests.
const MOST_BRANCHES: usize = 200;
/// How often rules of one section are run at most; each number picked runs what follows once for each of its cases.
const MOST_RUNS: usize = 1_000;

/// What stands in a section beside its rules.
pub(crate) struct Page<'s> {
    pub number: SectionNumber,
    /// Choices: the target and the label.
    pub choices: Vec<(SectionNumber, String)>,
    /// Enemies: name, COMBAT SKILL, ENDURANCE.
    pub enemies: Vec<(&'s str, i32, i32)>,
    pub is_dead_end: bool,
    pub is_last: bool,
    /// What the text adds to a shot for a mastered bow, where it says so.
    pub bow: Option<i32>,
    blocks: &'s [Block],
}

impl<'s> Page<'s> {
    pub fn new(number: SectionNumber, blocks: &'s [Block], is_last: bool) -> Self {
        let mut page = Self {
            number,
            choices: Vec::new(),
            enemies: Vec::new(),
            is_dead_end: blocks.contains(&Block::DeadEnd),
            is_last,
            bow: mastered_bow(blocks),
            blocks,
        };
        for block in blocks {
            match block {
                Block::Choice { to: Some(to), text } => {
                    page.choices.push((*to, way(text, false, false, Target::Kai).label));
                }
                Block::Puzzle { to } => {
                    page.choices.extend(to.iter().map(|to| (*to, format!("the answer {to}"))));
                }
                Block::Enemy { name, skill: Some(skill), endurance: Some(endurance) } => {
                    page.enemies.push((name, (*skill).clamp(0, 99), (*endurance).clamp(1, 150)));
                }
                _ => {}
            }
        }
        page
    }
}

/// What the rules of all sections share.
#[derive(Default)]
pub(crate) struct Shared {
    pub target: Target,
    pub objects: Objects,
    /// Flags that are asked for or set.
    pub flags: BTreeSet<String>,
    /// Sections whose visit is asked for.
    pub visits: BTreeSet<SectionNumber>,
    /// Special items that stand for a lasting change of COMBAT SKILL.
    pub changes: BTreeSet<i32>,
}

/// A section in our language, and what a person has to look at.
pub(crate) fn section(page: &Page<'_>, rules: Option<&Element>, shared: &mut Shared) -> (Vec<Line>, Vec<String>) {
    let mut runner = Runner { page, rules, shared, todos: BTreeSet::new(), branches: 1, runs: 0 };
    let state = State {
        enabled: vec![true; page.choices.len()],
        combats: vec![Combat::default(); page.enemies.len()],
        fights: !page.enemies.is_empty(),
        ..State::default()
    };
    let rest: VecDeque<&Element> = rules.into_iter().flat_map(Element::elements).collect();
    let mut lines = runner.run(rest, state);
    if page.is_last && page.choices.is_empty() {
        lines.pop();
        lines.push(Line::leaf("victory"));
    }
    if runner.shared.target.is_system() {
        runner.todos.extend(agree::differences(page.blocks, rules, runner.shared.target));
        count_fights(&mut lines);
    }
    let todos: Vec<String> = runner.todos.into_iter().collect();
    (todos.iter().map(|todo| Line::todo(todo)).chain(lines).collect(), todos)
}

struct Runner<'p, 's> {
    page: &'p Page<'s>,
    rules: Option<&'p Element>,
    shared: &'p mut Shared,
    todos: BTreeSet<String>,
    branches: usize,
    runs: usize,
}

/// Rules that change nothing that counts.
const SILENT: [&str; 9] = [
    "message",
    "toast",
    "displayIllustration",
    "resetSectionState",
    "setSkills",
    "setDisciplines",
    "chooseEquipment",
    "kaiMonasteryStorage",
    "runInventoryEvent",
];

impl<'r> Runner<'_, '_> {
    fn todo(&mut self, what: impl Into<String>) {
        self.todos.insert(what.into());
    }

    /// Runs rules from a state to the end of the section.
    fn run(&mut self, mut rest: VecDeque<&'r Element>, mut state: State<'r>) -> Vec<Line> {
        self.runs += 1;
        if self.runs > MOST_RUNS {
            self.todo("too many numbers");
            return vec![Line::leaf("death \"not understood\"")];
        }
        let mut lines = Vec::new();
        while let Some(rule) = rest.pop_front() {
            match rule.name.as_str() {
                "test" => {
                    if self.combat_test(rule, &mut state) {
                        continue;
                    }
                    lines.extend(self.give_up(rule, &mut state));
                    let open = self.test(rule, &state);
                    let Some(condition) = open else {
                        self.todo(test_named(rule));
                        continue;
                    };
                    let inner = || rule.elements().chain(rest.iter().copied()).collect::<VecDeque<&Element>>();
                    let known = match condition.as_str() {
                        "always" => Some(true),
                        "never" => Some(false),
                        condition => {
                            let (base, is) = positive(condition);
                            state.known.get(base).map(|known| *known == is)
                        }
                    };
                    match known {
                        Some(true) => rest = inner(),
                        Some(false) => {}
                        None if self.branches >= MOST_BRANCHES => self.todo("too many tests"),
                        None => {
                            self.branches += 1;
                            let mut yes = state.clone();
                            yes.learn(&condition, true);
                            state.learn(&condition, false);
                            let then = self.run(inner(), yes);
                            let otherwise = self.run(rest, state);
                            join(&condition, then, otherwise, &mut lines);
                            return lines;
                        }
                    }
                }
                "death" => {
                    lines.push(self.death());
                    return lines;
                }
                "goToSection" => {
                    if let Some(to) = rule.attribute("section").and_then(number) {
                        lines.push(Line::goto(to));
                        return lines;
                    }
                }
                "executeOnce" => {
                    rest = rule.elements().chain(rest).collect();
                }
                "object" | "sell" => {
                    let mut goods = vec![rule];
                    let is_good = |next: &&Element| matches!(next.name.as_str(), "object" | "sell");
                    while let Some(next) = rest.front().copied().filter(is_good) {
                        goods.push(next);
                        rest.pop_front();
                    }
                    self.goods(&goods, &mut lines);
                    state.goods = true;
                    state.forget();
                }
                name if SILENT.contains(&name) => {}
                _ => self.rule(rule, &mut state, &mut lines),
            }
        }
        if !state.inventory.is_empty() && state.moment == Moment::Entered {
            let again = std::mem::take(&mut state.inventory);
            let inner = again.iter().flat_map(|rule| rule.elements()).collect();
            lines.extend(self.run(inner, state));
            return lines;
        }
        let tail = self.finish(state);
        lines.extend(tail);
        lines
    }

    fn rule(&mut self, rule: &'r Element, state: &mut State<'r>, lines: &mut Vec<Line>) {
        match rule.name.as_str() {
            "choiceState" => self.choice_state(rule, state),
            "randomTable" => state.tables.push(rule),
            "randomTableIncrement" => match rule.attribute("increment") {
                Some("reset") => state.plus.clear(),
                Some(increment) => match self.increment(increment, state) {
                    Some(points) => state.plus.push(points),
                    None => self.todo("what is added to a number"),
                },
                None => {}
            },
            "combat" => self.combat(rule, state),
            "disableCombats" => state.fights = rule.attribute("disabled") == Some("false"),
            "afterCombats" => state.fought.push(rule),
            "afterElude" => state.evaded.push(rule),
            "afterCombatTurn" => state.rounds.push(rule),
            "randomNumber" if self.shared.target.is_system() => {
                state.picked += 1;
                lines.push(Line::leaf(self.shared.target.pick(Some(&name_of(state)), false)));
            }
            "pick" if self.is_needed(rule) => {
                let name = self.shared.objects.name(rule.attribute("objectId").unwrap_or_default());
                state.forget();
                state.known.insert(format!("has {name}"), true);
                let again =
                    Line::block(format!("if {}", quoted(&format!("not has {name}"))), vec![Line::leaf("again needed")]);
                lines.push(Line::block("repeat needed", vec![Line::leaf(format!("gain {name}")), again]));
            }
            "onInventoryEvent" if self.shared.target.is_system() && state.moment == Moment::Entered => {
                state.inventory.push(rule);
            }
            "numberPicker" | "numberPickerChoosed" if self.shared.target.is_system() => {
                self.todo("a number that the reader finds out");
            }
            "choiceSelected" => {
                state.selected.push((rule.attribute("section").and_then(number), rule));
            }
            _ => {
                let own = self.effect(rule, state);
                if !own.is_empty() {
                    state.forget();
                }
                lines.extend(own);
            }
        }
    }

    fn choice_state(&mut self, rule: &Element, state: &mut State<'_>) {
        let on = rule.attribute("set") == Some("enabled");
        let target = rule.attribute("section").unwrap_or_default();
        if target == "all" {
            state.enabled.fill(on);
            return;
        }
        let target = number(target);
        let mut found = false;
        for ((to, _), enabled) in self.page.choices.iter().zip(&mut state.enabled) {
            if Some(*to) == target {
                *enabled = on;
                found = true;
            }
        }
        if !found {
            self.todo("the mechanics name a choice that the text does not have");
        }
    }

    /// The condition of a test in our language; `always` and `never` where it is known.
    fn test(&mut self, rule: &Element, state: &State<'_>) -> Option<String> {
        let mut alternatives = Vec::new();
        for (name, value) in rule.attributes() {
            let each = value.split('|').filter(|part| !part.is_empty());
            let own: Vec<String> = match name {
                "not" => continue,
                "hasDiscipline" => each.map(|id| self.shared.target.discipline(id)).collect::<Option<Vec<String>>>()?,
                "hasObject" => each.map(|id| format!("has {}", self.shared.objects.name(id))).collect(),
                "hasTag" => each
                    .map(|tag| {
                        let flag = format!("tag-{}", slug(tag));
                        self.shared.flags.insert(flag.clone());
                        flag
                    })
                    .collect(),
                "sectionVisited" => {
                    let sections: Vec<SectionNumber> = each.filter_map(number).collect();
                    self.shared.visits.extend(&sections);
                    sections.iter().map(|section| format!("visited-{section}")).collect()
                }
                "expression" => vec![self.expression(value, state)?],
                "hasCircle" | "canUseBow" | "hasWeaponskillWith" | "hasWeaponType"
                    if self.shared.target.is_system() =>
                {
                    self.of_system(name, value)?
                }
                "combatsWon" => match (state.moment, value) {
                    (Moment::Fought(won), _) => vec![truth(won == (value == "true"))],
                    (Moment::Round, "false") => vec!["always".into()],
                    (Moment::Round, "true") if self.shared.target.is_system() => vec!["never".into()],
                    _ => return None,
                },
                "combatsActive" if state.moment == Moment::Round => vec![truth(value == "true")],
                "isChoiceEnabled" => {
                    let target = number(value)?;
                    let mut choices = self.page.choices.iter().zip(&state.enabled);
                    vec![truth(choices.any(|((to, _), enabled)| *to == target && *enabled))]
                }
                _ => return None,
            };
            alternatives.extend(own);
        }
        let is_not = rule.attribute("not") == Some("true");
        // What is known of each is known here, too.
        for condition in &mut alternatives {
            let (base, is) = positive(condition);
            if let Some(known) = state.known.get(base) {
                *condition = truth(*known == is);
            }
        }
        alternatives.retain(|condition| condition != "never");
        if alternatives.is_empty() || alternatives.iter().any(|condition| condition == "always") {
            return Some(truth(alternatives.is_empty() == is_not));
        }
        let any = alternatives.join(" or ");
        let is_simple = any.matches(' ').count() <= 1 && !any.contains(['<', '>', '=']);
        let condition = match (is_not, is_simple) {
            (false, _) => any,
            (true, true) => format!("not {any}"),
            (true, false) => format!("not ({any})"),
        };
        let follows = if self.shared.target.is_system() { decided(&condition, &state.known) } else { None };
        Some(follows.map_or(condition, truth))
    }

    /// What follows when all rules of a moment were run: fights, then numbers, then choices.
    fn finish(&mut self, mut state: State<'r>) -> Vec<Line> {
        if state.fights && state.moment == Moment::Entered && !state.combats.is_empty() {
            if !state.tables.is_empty() {
                self.todo("a number beside a fight: which comes first?");
            }
            return self.fight(state);
        }
        if !state.tables.is_empty() {
            let table = state.tables.remove(0);
            return self.table(table, state);
        }
        if state.moment == Moment::Round && state.fights && self.shared.target.is_system() {
            // The fight goes on.
            if state.enabled != state.before {
                self.todo("a choice that opens while a fight goes on");
            }
            return Vec::new();
        }
        self.choices(&state)
    }

    /// The choices that can be taken now.
    fn choices(&mut self, state: &State<'r>) -> Vec<Line> {
        let mut open = Vec::new();
        for ((to, label), enabled) in self.page.choices.iter().zip(&state.enabled) {
            if !enabled {
                continue;
            }
            let chosen: Vec<&Element> = state
                .selected
                .iter()
                .filter(|(section, _)| section.is_none_or(|section| section == *to))
                .flat_map(|(_, rule)| rule.elements())
                .collect();
            let mut body = self.selected(&chosen, state);
            body.push(Line::goto(*to));
            open.push((label.clone(), body));
        }
        if open.is_empty() {
            if !self.page.is_dead_end && !self.page.is_last {
                self.todo("no way leads on");
                return vec![Line::leaf("death \"not understood\"")];
            }
            return vec![self.death()];
        }
        if let [(_, body)] = &mut open[..] {
            return std::mem::take(body);
        }
        open.into_iter().map(|(label, body)| Line::block(format!("choice {}", quoted(&label)), body)).collect()
    }

    /// What choosing does: effects and tests around them.
    fn selected(&mut self, rules: &[&Element], state: &State<'_>) -> Vec<Line> {
        let mut lines = Vec::new();
        for rule in rules {
            if rule.name != "test" {
                lines.extend(self.effect(rule, state));
                continue;
            }
            let inner: Vec<&Element> = rule.elements().collect();
            match self.test(rule, state) {
                Some(condition) => {
                    let body = self.selected(&inner, state);
                    lines.push(Line::block(format!("if {}", quoted(&condition)), body));
                }
                None => self.todo(format!("{}, where a choice is taken", test_named(rule))),
            }
        }
        lines
    }
}

/// The item that stands for a lasting change of COMBAT SKILL.
pub(crate) fn change(points: i32) -> String {
    format!("combat-skill-less-{}", -points)
}

fn truth(is: bool) -> String {
    if is { "always".into() } else { "never".into() }
}

/// A number as it stands alone in a line: quoted when it is a formula.
fn as_number(formula: &str) -> String {
    if formula.parse::<i32>().is_ok() { formula.into() } else { quoted(formula) }
}

/// Writes what follows a test, once where both outcomes lead to the same.
fn join(condition: &str, then: Vec<Line>, otherwise: Vec<Line>, lines: &mut Vec<Line>) {
    if then == otherwise {
        lines.extend(then);
        return;
    }
    lines.push(Line::block(format!("if {}", quoted(condition)), then));
    lines.push(Line::block("else", otherwise));
}
