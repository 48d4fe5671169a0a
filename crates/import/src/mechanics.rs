//! The rules of a book's sections as the Kai Chronicles project writes them, run once for every outcome of
//! their tests: what happens in which order becomes a section of our language.
//!
//! The rules are a program that changes a page: choices are switched on and off, effects happen, handlers
//! wait for fights and numbers. It is run here with its tests open: where the outcome of a test is not known,
//! an `if` is written and the rest of the rules is run for both.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::fight::{Combat, Turn};
use crate::formula::{condition, formula};
use crate::line::{Line, quoted};
use crate::objects::Objects;
use crate::prose::number;
use crate::sentence::{slug, way};
use crate::source::Block;
use crate::xml::Element;

/// The most endings of one section's tests.
const MOST_BRANCHES: usize = 200;
/// How often rules of one section are run at most; each number picked runs what follows once for each of its cases.
const MOST_RUNS: usize = 1_000;

/// What stands in a section beside its rules.
pub(crate) struct Page<'s> {
    pub number: u16,
    /// Choices: the target and the label.
    pub choices: Vec<(u16, String)>,
    /// Enemies: name, COMBAT SKILL, ENDURANCE.
    pub enemies: Vec<(&'s str, i32, i32)>,
    pub is_dead_end: bool,
    pub is_last: bool,
}

impl<'s> Page<'s> {
    pub fn new(number: u16, blocks: &'s [Block], is_last: bool) -> Self {
        let mut page = Self {
            number,
            choices: Vec::new(),
            enemies: Vec::new(),
            is_dead_end: blocks.contains(&Block::DeadEnd),
            is_last,
        };
        for block in blocks {
            match block {
                Block::Choice { to: Some(to), text } => page.choices.push((*to, way(text, false, false).label)),
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
    pub objects: Objects,
    /// Flags that are asked for or set.
    pub flags: BTreeSet<String>,
    /// Sections whose visit is asked for.
    pub visits: BTreeSet<u16>,
    /// Special items that stand for a lasting change of COMBAT SKILL.
    pub changes: BTreeSet<i32>,
}

/// A section in our language, and what a person has to look at.
pub(crate) fn section(page: &Page<'_>, rules: Option<&Element>, shared: &mut Shared) -> (Vec<Line>, Vec<String>) {
    let mut runner = Runner { page, shared, todos: BTreeSet::new(), branches: 1, runs: 0 };
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
    let todos: Vec<String> = runner.todos.into_iter().collect();
    (todos.iter().map(|todo| Line::todo(todo)).chain(lines).collect(), todos)
}

/// When rules are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Moment {
    /// The section is entered.
    #[default]
    Entered,
    /// The fight is over; whether it was won.
    Fought(bool),
    /// The hero has run from it.
    Evaded,
    /// A round of it is over.
    Round,
    /// A number was picked.
    Picked,
}

#[derive(Clone, Default)]
struct State<'r> {
    moment: Moment,
    /// Whether each choice can be taken.
    enabled: Vec<bool>,
    /// What is known of tests.
    known: BTreeMap<String, bool>,
    combats: Vec<Combat>,
    fights: bool,
    fake: bool,
    tables: Vec<&'r Element>,
    /// What is added to the number picked.
    plus: Vec<String>,
    fought: Vec<&'r Element>,
    evaded: Vec<&'r Element>,
    rounds: Vec<&'r Element>,
    /// What choosing a way does: the way, or all.
    selected: Vec<(Option<u16>, &'r Element)>,
    /// The names of the numbers picked so far.
    picked: usize,
}

struct Runner<'p, 's> {
    page: &'p Page<'s>,
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
                    let open = self.test(rule, &state);
                    let Some(condition) = open else {
                        self.todo("a test of the mechanics that is not understood");
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
                    for inner in rule.elements().collect::<Vec<_>>().into_iter().rev() {
                        rest.push_front(inner);
                    }
                }
                "object" | "sell" => {
                    let mut goods = vec![rule];
                    while let Some(next) =
                        rest.front().copied().filter(|next| matches!(next.name.as_str(), "object" | "sell"))
                    {
                        goods.push(next);
                        rest.pop_front();
                    }
                    self.goods(&goods, &mut lines);
                    state.forget();
                }
                name if SILENT.contains(&name) => {}
                _ => self.rule(rule, &mut state, &mut lines),
            }
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
                Some(increment) => match formula(increment, &name_of(state)) {
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

    fn combat(&mut self, rule: &Element, state: &mut State<'_>) {
        if rule.attribute("fake") == Some("true") {
            state.fake = true;
        }
        let index = rule.attribute("index").and_then(|index| index.parse::<usize>().ok());
        let whole = index.is_none();
        let range = match index {
            Some(index) => index..index.saturating_add(1).min(state.combats.len()),
            None => 0..state.combats.len(),
        };
        for combat in state.combats.get_mut(range).into_iter().flatten() {
            for (name, value) in rule.attributes() {
                if name == "index" || name == "fake" {
                    continue;
                }
                if !combat.set(name, value) {
                    self.todos.insert(format!("the combat rule `{name}`"));
                }
            }
        }
        if whole && state.combats.len() > 1 {
            // The first alone is meant by the letter; the text means all.
            self.todo("a combat rule that names none of several enemies");
        }
    }

    /// Tests of the weapon in hand mean something in fights only: those that our language says otherwise.
    fn combat_test(&mut self, rule: &Element, state: &mut State<'_>) -> bool {
        let Some(weapon) = rule.attribute("currentWeapon") else { return false };
        let inner: Vec<&Element> = rule.elements().collect();
        let [combat] = inner[..] else { return false };
        let is_not = rule.attribute("not") == Some("true");
        let multiplier = combat.attribute("damageMultiplier");
        match (is_not, multiplier) {
            (false, Some("2")) => state.combats.iter_mut().for_each(|combat| combat.kind.undead = true),
            (false, Some("1")) => {}
            (true, Some("0")) => {
                let name = self.shared.objects.name(weapon);
                state.combats.iter_mut().for_each(|combat| combat.only_weapon = Some(name.clone()));
            }
            _ => return false,
        }
        true
    }

    /// The condition of a test in our language; `always` and `never` where it is known.
    fn test(&mut self, rule: &Element, state: &State<'_>) -> Option<String> {
        let mut alternatives = Vec::new();
        for (name, value) in rule.attributes() {
            let each = value.split('|').filter(|part| !part.is_empty());
            let own: Vec<String> = match name {
                "not" => continue,
                "hasDiscipline" => each.map(discipline).collect::<Option<Vec<String>>>()?,
                "hasObject" => each.map(|id| format!("has {}", self.shared.objects.name(id))).collect(),
                "hasTag" => each
                    .map(|tag| {
                        let flag = format!("tag-{}", slug(tag));
                        self.shared.flags.insert(flag.clone());
                        flag
                    })
                    .collect(),
                "sectionVisited" => {
                    let sections: Vec<u16> = each.filter_map(number).collect();
                    self.shared.visits.extend(&sections);
                    sections.iter().map(|section| format!("visited-{section}")).collect()
                }
                "expression" => vec![condition(value, &name_of(state))?],
                "combatsWon" => match (state.moment, value) {
                    (Moment::Fought(won), _) => vec![truth(won == (value == "true"))],
                    (Moment::Round, "false") => vec!["always".into()],
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
        Some(match (is_not, is_simple) {
            (false, _) => any,
            (true, true) => format!("not {any}"),
            (true, false) => format!("not ({any})"),
        })
    }

    /// What a rule does, once.
    fn effect(&mut self, rule: &Element, state: &State<'_>) -> Vec<Line> {
        let names = name_of(state);
        let leaf = |text: String| vec![Line::leaf(text)];
        match rule.name.as_str() {
            "pick" => self.pick(rule, &names),
            "drop" => self.drop(rule),
            "endurance" => match rule.attribute("count") {
                Some("[MAXENDURANCE]") => leaf("endurance full".into()),
                Some(count) => match formula(count, &names) {
                    Some(points) if points == "0" => Vec::new(),
                    Some(points) => leaf(format!("endurance {}", as_number(&points))),
                    None => {
                        self.todo("how much ENDURANCE");
                        Vec::new()
                    }
                },
                None => Vec::new(),
            },
            "combatSkill" => match rule.attribute("count").and_then(|count| count.parse::<i32>().ok()) {
                Some(points @ -20..=-1) => {
                    self.shared.changes.insert(points);
                    leaf(format!("gain {}", change(points)))
                }
                Some(points @ 1..=20) if self.shared.changes.contains(&-points) => {
                    leaf(format!("lose {}", change(-points)))
                }
                _ => {
                    self.todo("a lasting change of COMBAT SKILL");
                    Vec::new()
                }
            },
            "meal" => {
                if rule.attribute("price").is_some() {
                    self.todo("a meal that can be bought");
                }
                if rule.attribute("huntDisabled") == Some("true") {
                    return leaf("eat hunting=#false".into());
                }
                if self.shared.flags.contains(NO_HUNTING) {
                    let without = vec![Line::leaf("eat hunting=#false")];
                    return vec![
                        Line::block(format!("if {}", quoted(NO_HUNTING)), without),
                        Line::block("else", vec![Line::leaf("eat")]),
                    ];
                }
                leaf("eat".into())
            }
            "huntStatus" => {
                let word = if rule.attribute("enabled") == Some("false") { "set" } else { "clear" };
                leaf(format!("{word} {NO_HUNTING}"))
            }
            "tag" => match rule.attribute("id").map(|id| format!("tag-{}", slug(id))) {
                // Where nobody asks, nobody has to remember.
                Some(flag) if self.shared.flags.contains(&flag) => leaf(format!("set {flag}")),
                _ => Vec::new(),
            },
            "currentWeapon" => Vec::new(),
            other => {
                self.todo(format!("the rule `{}`", other.chars().take(40).collect::<String>()));
                Vec::new()
            }
        }
    }

    fn pick(&mut self, rule: &Element, names: &str) -> Vec<Line> {
        if let Some(id) = rule.attribute("objectId") {
            return vec![Line::leaf(format!("gain {}", self.shared.objects.name(id)))];
        }
        let thing = match rule.attribute("class") {
            Some("money") if rule.attribute("currency").is_none_or(|currency| currency == "crown") => {
                "gold".to_string()
            }
            Some("meal") => self.shared.objects.name("meal"),
            _ => {
                self.todo("what is picked up");
                return Vec::new();
            }
        };
        let count = rule.attribute("count").unwrap_or("1").trim();
        if count == "-[MONEY]" {
            return vec![Line::leaf("lose gold all")];
        }
        match formula(count.trim_start_matches('-'), names) {
            Some(amount) if count.starts_with('-') => vec![Line::leaf(format!("lose {thing} {}", as_number(&amount)))],
            Some(amount) => vec![Line::leaf(format!("gain {thing} {}", as_number(&amount)))],
            None => {
                self.todo(format!("how many {thing}"));
                Vec::new()
            }
        }
    }

    fn drop(&mut self, rule: &Element) -> Vec<Line> {
        let Some(ids) = rule.attribute("objectId") else {
            self.todo("things lost by their place");
            return Vec::new();
        };
        let line = match ids {
            "allweapons" => "lose-all weapons".to_string(),
            "backpackcontent" => "lose-all backpack-items".into(),
            "backpack" => "lose-all container".into(),
            "allspecial" => "lose-all special".into(),
            "all" => "lose-all weapons container special gold".into(),
            "allobjects" => "lose-all weapons backpack-items special".into(),
            "allmeals" => format!("lose {} all", self.shared.objects.name("meal")),
            id if self.shared.objects.is_known(id) => format!("lose {}", self.shared.objects.name(id)),
            ids if ids.contains('|') => {
                let mut lines: Vec<Line> = Vec::new();
                for id in ids.split('|') {
                    let name = self.shared.objects.name(id);
                    let word = if lines.is_empty() { "if" } else { "else-if" };
                    let lose = vec![Line::leaf(format!("lose {name}"))];
                    lines.push(Line::block(format!("{word} {}", quoted(&format!("has {name}"))), lose));
                }
                return lines;
            }
            other => {
                self.todo(format!("the loss of `{}`", other.chars().take(40).collect::<String>()));
                return Vec::new();
            }
        };
        vec![Line::leaf(line)]
    }

    /// What lies there and what is bought and sold.
    fn goods(&mut self, goods: &[&Element], lines: &mut Vec<Line>) {
        let mut free: Vec<(String, usize)> = Vec::new();
        let mut trades = Vec::new();
        for rule in goods {
            let Some(id) = rule.attribute("objectId") else {
                self.todo("a trade in a class of things");
                continue;
            };
            let name = self.shared.objects.name(id);
            let price = rule.attribute("price").and_then(|price| price.parse::<u32>().ok());
            match (rule.name.as_str(), price) {
                ("sell", Some(price)) => trades.push(Line::leaf(format!("sell {name} {price}"))),
                (_, Some(price)) => {
                    let once = if rule.attribute("unlimited") == Some("true") { "" } else { " at-most=1" };
                    trades.push(Line::leaf(format!("buy {name} {price}{once}")));
                }
                _ => match free.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, count)) => *count += 1,
                    None => free.push((name, 1)),
                },
            }
        }
        if !free.is_empty() {
            // What other things are carried in comes first.
            free.sort_by_key(|(name, _)| *name != "backpack");
            let body = free.into_iter().map(|(name, count)| match count {
                count if count > 1 && name != "backpack" => Line::leaf(format!("{name} {count}")),
                _ => Line::leaf(name),
            });
            lines.push(Line::block("take", body.collect()));
        }
        if !trades.is_empty() {
            trades.sort_by_key(|trade| !trade.head.starts_with("sell"));
            lines.push(Line::block("shop", trades));
        }
    }

    fn death(&self) -> Line {
        Line::leaf(format!("death {}", quoted(&format!("the end in {}", self.page.number))))
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
        self.choices(&state)
    }

    fn table(&mut self, table: &'r Element, mut state: State<'r>) -> Vec<Line> {
        let zero_is_ten = table.attribute("zeroAsTen") == Some("true");
        let zero = if zero_is_ten { " zero-is=10" } else { "" };
        let added = std::mem::take(&mut state.plus);
        let (least, most) = totals(zero_is_ten, &added);
        let plus: Vec<Line> = added.iter().map(|points| Line::leaf(format!("plus {}", as_number(points)))).collect();
        let moment = state.moment;
        state.moment = Moment::Picked;
        state.forget();
        let only_cases = table.elements().all(|inner| inner.name == "case");
        if only_cases {
            let mut body = plus;
            for case in table.elements() {
                let (low, high) = bounds(case, least, most);
                let own = State { moment, ..state.clone() };
                let lines = self.run(case.elements().collect(), own);
                let range = if low == high { format!("when {low}") } else { format!("when {low} {high}") };
                body.push(Line::block(range, lines));
            }
            let ranges = table.elements().map(|case| bounds(case, least, most)).collect();
            if !covers(ranges, least, most) {
                body.push(Line::block("else", vec![Line::leaf("death \"not understood\"")]));
                self.todo("numbers that lead nowhere");
            }
            return vec![Line::block(format!("pick{zero}"), body)];
        }
        // The number is asked for further down.
        state.picked += 1;
        let name = name_of(&state);
        let mut lines = vec![Line::block(format!("pick as={name}{zero}"), plus)];
        let cases: Vec<&Element> = table.elements().filter(|inner| inner.name == "case").collect();
        let others: VecDeque<&Element> = table.elements().filter(|inner| inner.name != "case").collect();
        let mut rest: Vec<Line> = Vec::new();
        let ranges: Vec<(i32, i32)> = cases.iter().map(|case| bounds(case, least, most)).collect();
        for (case, (low, high)) in cases.iter().zip(&ranges) {
            let asked = match (*low > least, *high < most) {
                _ if low == high => format!("{name} = {low}"),
                (true, true) => format!("{name} >= {low} and {name} <= {high}"),
                (true, false) => format!("{name} >= {low}"),
                (false, _) => format!("{name} <= {high}"),
            };
            let inner: VecDeque<&Element> = case.elements().chain(others.iter().copied()).collect();
            let own = self.run(inner, State { moment, ..state.clone() });
            let word = if rest.is_empty() { "if" } else { "else-if" };
            rest.push(Line::block(format!("{word} {}", quoted(&asked)), own));
        }
        if rest.len() > 1 && covers(ranges, least, most) {
            // Every number has its case: the last is what is left.
            if let Some(last) = rest.last_mut() {
                last.head = "else".into();
            }
            lines.extend(rest);
            return lines;
        }
        let after = self.run(others, State { moment, ..state });
        if rest.is_empty() {
            lines.extend(after);
        } else {
            lines.extend(rest);
            lines.push(Line::block("else", after));
        }
        lines
    }

    fn fight(&mut self, mut state: State<'r>) -> Vec<Line> {
        let handlers = |rules: &[&'r Element]| -> VecDeque<&'r Element> {
            rules.iter().flat_map(|rule| rule.elements()).collect()
        };
        // What asks for wounds after every round asks for them after the last one, too.
        let wounds: Vec<&Element> = state
            .rounds
            .iter()
            .copied()
            .filter(|rule| Turn::new(rule, "").is_some_and(|turn| turn.any && turn.is_wound()))
            .collect();
        let fought = handlers(&[&wounds[..], &state.fought].concat());
        let evaded = handlers(&[&wounds[..], &state.evaded].concat());
        let mut body = Vec::new();
        let mut rounds = Vec::new();
        for rule in std::mem::take(&mut state.rounds) {
            match Turn::new(rule, &name_of(&state)) {
                Some(turn) => rounds.push(turn),
                None => self.todo("what happens after a round"),
            }
        }
        let mut compared = false;
        let changes: Vec<&Turn<'_>> = rounds.iter().filter(|turn| turn.changes_only()).collect();
        // From enemies who are run from in different ways come fights after one another.
        let mut lines = Vec::new();
        let mut first = 0;
        for next in 1..state.combats.len() {
            if state.combats[next].evade == state.combats[first].evade {
                continue;
            }
            if !rounds.is_empty() || state.fake {
                self.todo("enemies of one fight under different rules");
            }
            let mut body = Vec::new();
            let (enemies, combats) = (&self.page.enemies[first..next], &state.combats[first..next]);
            for problem in Combat::write(enemies, combats, &[], &mut body) {
                self.todo(problem);
            }
            body.extend(self.evade(combats[0].evade, &evaded, &state));
            lines.push(write_fight("fight", body, enemies.len()));
            first = next;
        }
        let enemies = &self.page.enemies[first..];
        let wrote = Combat::write(enemies, &state.combats[first..], &changes, &mut body);
        for problem in wrote {
            self.todo(problem);
        }
        for turn in rounds.iter().filter(|turn| !turn.changes_only()) {
            let own = State { moment: Moment::Round, fights: true, ..state.clone() };
            let rules = || turn.rule.elements().collect::<VecDeque<&Element>>();
            if let Some(cases) = turn.compared() {
                compared = true;
                for (name, inner) in cases {
                    let lines = self.run(inner.elements().collect(), own.clone());
                    body.push(Line::block(name, lines));
                }
            } else if turn.any && turn.is_wound() {
                let inner = turn.rule.elements().next().into_iter().flat_map(Element::elements).collect();
                body.push(Line::block("first-wound", self.run(inner, own)));
            } else if let Some(after) = turn.after.as_ref().filter(|after| after.parse::<u32>().is_ok()) {
                body.push(Line::block(format!("stop after={after}"), self.run(rules(), own)));
            } else {
                self.todo("what happens after every round");
            }
        }
        body.extend(self.evade(state.combats[first].evade, &evaded, &state));
        if state.fake {
            let own = State { moment: Moment::Fought(false), fights: false, ..state.clone() };
            body.push(Line::block("mock", self.run(fought.clone(), own)));
        }
        if compared {
            return vec![write_fight("one-round", body, enemies.len())];
        }
        let own = State { moment: Moment::Fought(true), fights: false, ..state };
        lines.push(write_fight("fight", body, enemies.len()));
        lines.extend(self.run(fought, own));
        lines
    }

    /// Where the hero may run from a round on.
    fn evade(&mut self, round: Option<i32>, evaded: &VecDeque<&'r Element>, state: &State<'r>) -> Option<Line> {
        let round = round?;
        let own = State { moment: Moment::Evaded, fights: false, ..state.clone() };
        let head = if round <= 1 { "evade".into() } else { format!("evade from-round={round}") };
        Some(Line::block(head, self.run(evaded.clone(), own)))
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
                None => self.todo("a test of a choice that is not understood"),
            }
        }
        lines
    }
}

impl State<'_> {
    /// Whether a condition holds is known from now on; where none of several holds, of each of them.
    fn learn(&mut self, condition: &str, holds: bool) {
        let (base, is) = positive(condition);
        self.known.insert(base.into(), is == holds);
        if is != holds && !base.contains('(') {
            self.known.extend(base.split(" or ").map(|alternative| (alternative.to_string(), false)));
        }
    }

    /// After something was got or lost, only what the hero is stays known.
    fn forget(&mut self) {
        self.known.retain(|condition, _| {
            let changes = ["has ", "gold", "endurance", "meal", "weapons", "backpack"];
            !changes.iter().any(|word| condition.contains(word))
        });
    }
}

/// The flag of a land in which hunting feeds nobody.
pub(crate) const NO_HUNTING: &str = "no-hunting";

/// The item that stands for a lasting change of COMBAT SKILL.
pub(crate) fn change(points: i32) -> String {
    format!("combat-skill-less-{}", -points)
}

/// The name of the number that was picked last.
fn name_of(state: &State<'_>) -> String {
    if state.picked <= 1 { "r".into() } else { format!("r{}", state.picked) }
}

/// A condition without `not`, and whether it is asked to hold.
fn positive(condition: &str) -> (&str, bool) {
    match condition.strip_prefix("not ") {
        None => (condition, true),
        Some(inner) => (inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner), false),
    }
}

fn truth(is: bool) -> String {
    if is { "always".into() } else { "never".into() }
}

/// A number as it stands alone in a line: quoted when it is a formula.
fn as_number(formula: &str) -> String {
    if formula.parse::<i32>().is_ok() { formula.into() } else { quoted(formula) }
}

/// The discipline of a short name.
fn discipline(id: &str) -> Option<String> {
    let name = match id {
        "camflage" => "camouflage",
        "hunting" => "hunting",
        "sixthsns" => "sixth-sense",
        "tracking" => "tracking",
        "healing" => "healing",
        "wepnskll" => "weaponskill",
        "mindshld" => "mindshield",
        "mndblst" => "mindblast",
        "anmlknsp" => "animal-kinship",
        "mindomtr" => "mind-over-matter",
        _ => return None,
    };
    Some(format!("discipline {name}"))
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

/// The least and the largest total that can come up; a formula can be anything.
fn totals(zero_is_ten: bool, added: &[String]) -> (i32, i32) {
    let (mut least, mut most): (i32, i32) = if zero_is_ten { (1, 10) } else { (0, 9) };
    for points in added {
        match points.parse::<i32>() {
            Ok(points) if points < 0 => least = i32::max(least.saturating_add(points), -500),
            Ok(points) => most = i32::min(most.saturating_add(points), 500),
            Err(_) => (least, most) = (-500, 500),
        }
    }
    (least, most)
}

/// Between which totals a case holds.
fn bounds(case: &Element, least: i32, most: i32) -> (i32, i32) {
    let bound = |name: &str| case.attribute(name).and_then(|value| value.parse::<i32>().ok());
    let low = bound("value").or_else(|| bound("from")).unwrap_or(least).clamp(-500, 500);
    let high = bound("value").or_else(|| bound("to")).unwrap_or(most).clamp(-500, 500);
    (low, high.max(low))
}

/// Whether ranges reach from the least total to the largest.
fn covers(mut ranges: Vec<(i32, i32)>, least: i32, most: i32) -> bool {
    ranges.sort_unstable();
    let mut next = least;
    for (low, high) in ranges {
        if low > next {
            return false;
        }
        next = next.max(high.saturating_add(1));
    }
    next > most
}

/// A fight with its enemies; a single one stands in the line of the fight.
fn write_fight(word: &str, mut body: Vec<Line>, enemies: usize) -> Line {
    if enemies == 1 && !body.is_empty() {
        let head = body.remove(0).head.replacen("enemy ", &format!("{word} "), 1);
        return if body.is_empty() { Line::leaf(head) } else { Line::block(head, body) };
    }
    Line::block(word, body)
}
