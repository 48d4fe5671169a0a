//! A running story: one step at a time, with random outcomes given beforehand.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bladeink::ink_list::InkList;
use bladeink::story::Story as Runtime;
use bladeink::story::external_functions::ExternalFunctionError;
use bladeink::value_type::ValueType;
use mdp::Dice;
use serde_json::Value;

use crate::chance::{ADD_DRAWN, BOUNDED, ENDED, LARGEST, LIST_RANDOM, OVER, RANDOM, SEED, SHUFFLE, SMALLEST};
use crate::goal::GOAL;
use crate::leaps::UNCOUNTED;
use crate::marks::{are_needed, with_marks, without_marks};
use crate::quiet::quietly;

/// The most bytes of a text that a story may build.
const LONGEST_TEXT: usize = 1 << 20;

/// Why a step is not followed, which is no fault of the story.
const NOT_FOLLOWED: &str = "a variable leads to where visits are counted otherwise than in ink";

/// The same, where ink takes the item that came first, and the runtime any.
const NO_ORDER: &str = "LIST_MAX or LIST_MIN has several items of the same value to choose from";

/// One step of a story, from one choice to the next.
#[derive(Debug)]
pub(crate) struct Step {
    /// The state at its end, as the runtime saves it.
    pub(crate) saved: Value,
    /// Whether there is a choice.
    pub(crate) asks: bool,
    /// The tags of the step, those of the choice first.
    pub(crate) tags: Vec<String>,
    /// The number of the end; `None` if there is a choice.
    pub(crate) end: Option<usize>,
    /// Whether the goal's condition holds.
    pub(crate) holds: bool,
}

/// Why a step did not finish, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) message: String,
    /// The state by then, if the runtime could save it.
    pub(crate) saved: Option<Value>,
}

/// The limits of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepLimits {
    /// The most operations of the runtime between two choices: beyond them a story loops without asking.
    pub operations: u32,
    /// The most combinations of random outcomes between two choices.
    pub outcomes: u32,
}

impl StepLimits {
    /// The most operations for all random outcomes between two choices.
    pub(crate) fn operations_of_all(self) -> u64 {
        u64::from(self.operations) * 50
    }
}

impl Default for StepLimits {
    /// 100,000 operations, about ten thousand lines of text; 20,000 outcomes.
    fn default() -> Self {
        Self { operations: 100_000, outcomes: 20_000 }
    }
}

/// The random outcomes, and the number of options of each draw.
#[derive(Debug, Default)]
struct Script {
    answers: Vec<u32>,
    asked: Vec<u32>,
    /// What decides draws without an answer; the first outcome if there are none.
    dice: Option<Dice>,
}

impl Script {
    /// The outcome of a draw with this many options, by its number.
    fn answer(&mut self, number: i32, answers: u32) -> Result<u32, ExternalFunctionError> {
        let number = usize::try_from(number).map_err(|_| error("a draw without a number"))?;
        if self.asked.len() <= number {
            self.asked.resize(number + 1, 1);
        }
        self.asked[number] = answers;
        if let Some(dice) = self.dice.as_mut().filter(|_| self.answers.len() <= number) {
            // A draw that the runtime repeats has the same number, and so the same outcome.
            self.answers.resize(number, 0);
            self.answers.push(u32::try_from(dice.number(answers.into())).unwrap_or(0));
        }
        Ok(self.answers.get(number).copied().unwrap_or(0))
    }
}

/// A story in the runtime, with our functions.
pub(crate) struct Runner {
    json: Rc<str>,
    /// Whether all that goes into the runtime gets marks, and what comes out loses them.
    marks: bool,
    /// Whether the goal is a condition, which is evaluated after each step.
    has_condition: bool,
    runtime: Runtime,
    script: Rc<RefCell<Script>>,
    /// The number of operations since the runtime was loaded, and before the current step.
    clock: Rc<Cell<u64>>,
    began: u64,
    /// Whether an error has left it in an undefined state.
    spoilt: bool,
    /// The text that the last step wrote.
    text: String,
}

impl Runner {
    /// Loads a rewritten story.
    pub(crate) fn new(json: &str) -> Result<Self, String> {
        let script = Rc::default();
        let clock = Rc::new(Cell::new(0));
        let marks = are_needed(json);
        let json: Rc<str> = if marks { with_marks(json).into() } else { json.into() };
        let runtime = load(&json, &script, &clock)?;
        Ok(Self {
            has_condition: json.contains(GOAL),
            json,
            marks,
            runtime,
            script,
            clock,
            began: 0,
            spoilt: false,
            text: String::new(),
        })
    }

    /// Runs from the beginning, or from a saved state by one of its choices, to the next choice or the end.
    ///
    /// Also returns the number of options of each draw, in order.
    pub(crate) fn step(
        &mut self,
        from: Option<(&str, usize)>,
        answers: &[u32],
        limits: StepLimits,
    ) -> (Result<Step, Broken>, Vec<u32>) {
        self.script.replace(Script { answers: answers.to_vec(), ..Script::default() });
        let step = self.run(from, limits);
        (step, self.script.take().asked)
    }

    /// The same with dice that decide each draw.
    pub(crate) fn rolled(
        &mut self,
        from: Option<(&str, usize)>,
        dice: &mut Dice,
        limits: StepLimits,
    ) -> Result<Step, Broken> {
        self.script.replace(Script { dice: Some(dice.clone()), ..Script::default() });
        let step = self.run(from, limits);
        if let Some(rolled) = self.script.take().dice {
            *dice = rolled;
        }
        step
    }

    fn run(&mut self, from: Option<(&str, usize)>, limits: StepLimits) -> Result<Step, Broken> {
        if self.spoilt {
            match load(&self.json, &self.script, &self.clock) {
                Ok(runtime) => (self.runtime, self.spoilt) = (runtime, false),
                Err(message) => return Err(Broken { message, saved: None }),
            }
        }
        self.began = self.clock.get();
        self.text.clear();
        let step = quietly(|| self.go(from, limits)).unwrap_or_else(Err);
        step.map_err(|message| {
            self.spoilt = true;
            Broken { message: self.shown(plain(&message)), saved: quietly(|| self.saved()).ok().flatten() }
        })
    }

    /// The text that the last step wrote, as far as it came.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The tags at the top of the story.
    pub(crate) fn global_tags(&self) -> Vec<String> {
        let tags = self.runtime.get_global_tags().unwrap_or_default();
        tags.into_iter().map(|tag| self.shown(tag)).collect()
    }

    /// The operations of the last step.
    pub(crate) fn operations(&self) -> u64 {
        self.clock.get() - self.began
    }

    fn go(&mut self, from: Option<(&str, usize)>, limits: StepLimits) -> Result<Step, String> {
        self.runtime.reset_state().map_err(|error| error.to_string())?;
        let mut tags = Vec::new();
        if let Some((saved, choice)) = from {
            let saved = self.given(saved);
            self.runtime.load_state(&saved).map_err(|error| error.to_string())?;
            let choices = self.runtime.get_current_choice_infos();
            tags.extend(choices.into_iter().nth(choice).into_iter().flat_map(|choice| choice.tags));
            self.runtime.choose_choice_index(choice).map_err(|error| error.to_string())?;
        }
        while self.runtime.can_continue() {
            self.line(limits)?;
            let text = self.runtime.get_current_text().map_err(|error| error.to_string())?;
            self.text += &self.shown(text);
            tags.extend(self.runtime.get_current_tags().map_err(|error| error.to_string())?);
        }
        // `-> END` ends the story whatever there is still to choose; the runtime would go on.
        let over = self.number(OVER).and_then(|number| number.checked_sub(1));
        let asks = over.is_none() && !self.runtime.get_current_choice_infos().is_empty();
        let tags = tags.into_iter().map(|tag| self.shown(tag)).collect();
        let saved = self.shown(self.runtime.save_state().map_err(|error| error.to_string())?);
        let mut saved = serde_json::from_str(&saved).map_err(|error| error.to_string())?;
        self.keep_origins(&mut saved);
        let end = over.or_else(|| self.number(ENDED)).filter(|_| !asks);
        let holds = self.holds()?;
        Ok(Step { saved, asks, tags, end, holds })
    }

    /// What one of our variables holds.
    fn number(&self, name: &str) -> Option<usize> {
        match self.runtime.get_variable(name) {
            Some(ValueType::Int(number)) => usize::try_from(number).ok(),
            _ => None,
        }
    }

    /// Adds its lists to every empty list in a variable: the runtime saves only those of items, but `LIST_ALL` and
    /// `LIST_INVERT` need them.
    fn keep_origins(&self, saved: &mut Value) {
        for (name, value) in saved.get_mut("variablesState").and_then(Value::as_object_mut).into_iter().flatten() {
            let is_empty = value.get("list").and_then(Value::as_object).is_some_and(serde_json::Map::is_empty);
            if is_empty && let Some(ValueType::List(list)) = self.runtime.get_variable(&self.given(name)) {
                let origins: Vec<_> = list.get_origin_names().into_iter().map(|name| self.shown(name)).collect();
                if !origins.is_empty() {
                    value["origins"] = origins.into();
                }
            }
        }
    }

    /// Runs to the end of a line.
    fn line(&mut self, limits: StepLimits) -> Result<(), String> {
        let left = u64::from(limits.operations).saturating_sub(self.operations());
        // Each reading of the clock is one operation, and counts as a millisecond.
        let left = Duration::from_millis(left.max(1)).as_secs_f32() * 1000.0;
        self.runtime.continue_async(left).map_err(|error| error.to_string())?;
        if self.runtime.is_async_continue_active() {
            return Err(format!("it loops without asking for a choice: {} operations", limits.operations));
        }
        Ok(())
    }

    fn holds(&mut self) -> Result<bool, String> {
        if !self.has_condition {
            return Ok(false);
        }
        let value = self.runtime.evaluate_function(GOAL, None, &mut String::new());
        Ok(match value.map_err(|error| format!("the goal cannot be evaluated: {error}"))? {
            Some(ValueType::Bool(holds)) => holds,
            Some(ValueType::Int(number)) => number != 0,
            Some(ValueType::Float(number)) => number != 0.0,
            Some(ValueType::String(text)) => !text.string.is_empty(),
            Some(ValueType::List(list)) => !list.items.is_empty(),
            Some(ValueType::DivertTarget(_) | ValueType::VariablePointer(_)) | None => false,
        })
    }

    /// The current state, as the runtime saves it.
    pub(crate) fn saved(&self) -> Option<Value> {
        serde_json::from_str(&self.shown(self.runtime.save_state().ok()?)).ok()
    }

    /// What the runtime is given of a text.
    fn given<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.marks { with_marks(text).into() } else { text.into() }
    }

    /// What the story says where the runtime says this.
    fn shown(&self, text: String) -> String {
        if self.marks { without_marks(text) } else { text }
    }
}

impl Broken {
    /// Whether the step was not followed, by no fault of the story.
    pub(crate) fn is_ours(&self) -> bool {
        [NOT_FOLLOWED, NO_ORDER].iter().any(|why| self.message.contains(why))
    }

    /// The path of the last operation.
    pub(crate) fn path(&self) -> Option<&str> {
        let threads = self.saved.as_ref()?.pointer("/flows/DEFAULT_FLOW/callstack/threads")?.as_array()?;
        threads.last()?.get("previousContentObject")?.as_str()
    }
}

/// The runtime's message without its notes for programmers.
fn plain(message: &str) -> String {
    let message = message.rsplit("RUNTIME ERROR: ").next().unwrap_or(message);
    message.strip_prefix("Invalid story state: ").unwrap_or(message).to_owned()
}

fn error(message: &str) -> ExternalFunctionError {
    ExternalFunctionError::new(message)
}

/// A runtime with a story, whose functions follow the script, and whose clock counts operations.
fn load(json: &str, script: &Rc<RefCell<Script>>, clock: &Rc<Cell<u64>>) -> Result<Runtime, String> {
    quietly(|| {
        let mut runtime = Runtime::new_with_seed(json, 0)?;
        runtime.set_allow_external_function_fallbacks(true);
        let ticks = clock.clone();
        runtime.set_time_source(move || {
            ticks.set(ticks.get() + 1);
            Duration::from_millis(ticks.get())
        });
        for (name, function) in FUNCTIONS {
            let script = script.clone();
            runtime.bind_external_function(
                name,
                move |_, arguments| function(&mut script.borrow_mut(), arguments),
                true,
            )?;
        }
        Ok(runtime)
    })
    .and_then(|loaded: Result<Runtime, bladeink::story::error::StoryError>| loaded.map_err(|error| error.to_string()))
}

type Function = fn(&mut Script, &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError>;

const FUNCTIONS: [(&str, Function); 9] = [
    (RANDOM, random),
    (LIST_RANDOM, list_random),
    (SEED, |_, _| Ok(None)),
    (SHUFFLE, shuffle),
    (ADD_DRAWN, add_drawn),
    (BOUNDED, bounded),
    (LARGEST, |_, arguments| outermost_item(arguments, 1)),
    (SMALLEST, |_, arguments| outermost_item(arguments, -1)),
    (UNCOUNTED, |_, _| Err(error(NOT_FOLLOWED))),
];

/// A number between the least and the largest, both included.
fn random(script: &mut Script, arguments: &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError> {
    let [ValueType::Int(least), ValueType::Int(most), ValueType::Int(number)] = arguments else {
        return Err(error("RANDOM needs two whole numbers"));
    };
    let answers = i64::from(*most) - i64::from(*least) + 1;
    if answers < 1 {
        return Err(error(&format!("RANDOM was called with minimum as {least} and maximum as {most}")));
    }
    let answers = u32::try_from(answers).map_err(|_| error("RANDOM has too many outcomes"))?;
    let answer = i64::from(*least) + i64::from(script.answer(*number, answers)?);
    let answer = i32::try_from(answer).map_err(|_| error("RANDOM has too many outcomes"))?;
    Ok(Some(ValueType::Int(answer)))
}

/// One item of a list; none of an empty one.
fn list_random(script: &mut Script, arguments: &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError> {
    let [ValueType::List(list), ValueType::Int(number)] = arguments else {
        return Err(error("LIST_RANDOM needs a list"));
    };
    let mut items: Vec<_> = list.items.iter().collect();
    if items.is_empty() {
        return Ok(Some(ValueType::List(InkList::new())));
    }
    items.sort_by_key(|(item, value)| (**value, item.get_full_name()));
    let answers = u32::try_from(items.len()).map_err(|_| error("LIST_RANDOM has too many outcomes"))?;
    let answer = script.answer(*number, answers)? as usize;
    let (item, value) = items.get(answer).ok_or_else(|| error("an answer that there is not"))?;
    Ok(Some(ValueType::List(InkList::from_single_element(((*item).clone(), **value)))))
}

/// An element that has not been drawn yet: the arguments are the number of visits, the number of elements, the drawn
/// ones as bits, and the number of the draw.
fn shuffle(script: &mut Script, arguments: &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError> {
    let [_, ValueType::Int(elements), ValueType::Int(drawn), ValueType::Int(number)] = arguments else {
        return Err(error("a shuffle without its elements"));
    };
    let left: Vec<i32> = (0..*elements).filter(|element| drawn >> element & 1 == 0).collect();
    let answers = u32::try_from(left.len()).map_err(|_| error("a shuffle has too many outcomes"))?;
    let answer = script.answer(*number, answers)? as usize;
    left.get(answer).map(|element| Some(ValueType::Int(*element))).ok_or_else(|| error("an answer that there is not"))
}

/// The bits of the drawn elements with one more; 0 once all have been drawn.
fn add_drawn(_: &mut Script, arguments: &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError> {
    let [ValueType::Int(element), ValueType::Int(drawn), ValueType::Int(elements)] = arguments else {
        return Err(error("a shuffle without its elements"));
    };
    let drawn = drawn | 1 << element;
    Ok(Some(ValueType::Int(if drawn == (1 << elements) - 1 { 0 } else { drawn })))
}

/// The item with the largest value of a list, or with the smallest if `sign` is -1.
fn outermost_item(arguments: &[ValueType], sign: i32) -> Result<Option<ValueType>, ExternalFunctionError> {
    let [ValueType::List(list)] = arguments else { return Err(error("LIST_MAX and LIST_MIN need a list")) };
    let most = list.items.values().map(|value| sign * value).max();
    let mut found = list.items.iter().filter(|(_, value)| Some(sign * **value) == most);
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(error(NO_ORDER)),
        (Some((item, value)), None) => Ok(Some(ValueType::List(InkList::from_single_element((item.clone(), *value))))),
        (None, _) => Ok(Some(ValueType::List(InkList::new()))),
    }
}

/// Refuses a text that grows without end.
fn bounded(_: &mut Script, arguments: &[ValueType]) -> Result<Option<ValueType>, ExternalFunctionError> {
    match arguments {
        [ValueType::String(text)] if text.string.len() > LONGEST_TEXT => {
            Err(error(&format!("a text grows beyond {LONGEST_TEXT} bytes")))
        }
        _ => Ok(None),
    }
}
