//! What luck and the plays changed in a fight that was played.

use mdp::{Number, Rational};
use serde::Serialize;

use crate::card::Card;
use crate::fight::Objective;
use crate::pile::Pile;
use crate::replay::{Event, Step};

/// What each step of a fight changed; nothing for the first.
pub fn changes(steps: &[Step], objective: Objective) -> Vec<Option<Rational>> {
    let values = || steps.iter().map(|step| step.worth.value(objective));
    let since = values().skip(1).zip(values()).map(|(after, before)| Some(after - before));
    [None].into_iter().chain(since).collect()
}

/// What luck changed, and what the plays: 0 if all were best, else less.
pub fn luck_and_mistakes(steps: &[Step], objective: Objective) -> (Rational, Rational) {
    let (mut luck, mut mistakes) = (Rational::ZERO, Rational::ZERO);
    for (step, change) in steps.iter().zip(changes(steps, objective)) {
        let played = matches!(step.event, Event::Play { .. });
        *(if played { &mut mistakes } else { &mut luck }) += change.unwrap_or_default();
    }
    (luck, mistakes)
}

/// The answer to what luck and the plays changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayAnswer {
    format: u32,
    steps: Vec<StepAnswer>,
    /// The sum of what the Cultist's health and the draws changed.
    luck: Number,
    /// The sum of what the plays changed: 0 if all were best, else less.
    mistakes: Number,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct StepAnswer {
    #[serde(flatten)]
    event: EventAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Number>,
    value: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Number>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum EventAnswer {
    Start,
    Appears { cultist_hp: u16 },
    Draw { turn: u16, hand: Pile },
    Play { turn: u16, cards: Vec<Card>, best: Vec<Card> },
}

impl ReplayAnswer {
    /// The answer, from the steps of [`replay`](crate::replay()).
    pub fn new(steps: &[Step], objective: Objective) -> Self {
        let (luck, mistakes) = luck_and_mistakes(steps, objective);
        let changes = changes(steps, objective);
        let steps = steps.iter().zip(&changes).map(|(step, change)| StepAnswer::new(step, change.as_ref(), objective));
        Self { format: 1, steps: steps.collect(), luck: (&luck).into(), mistakes: (&mistakes).into() }
    }
}

impl StepAnswer {
    fn new(step: &Step, change: Option<&Rational>, objective: Objective) -> Self {
        let value = step.worth.value(objective);
        let event = match &step.event {
            Event::Start => EventAnswer::Start,
            Event::Appears(cultist_hp) => EventAnswer::Appears { cultist_hp: *cultist_hp },
            Event::Draw { turn, hand } => EventAnswer::Draw { turn: *turn, hand: *hand },
            Event::Play { turn, cards, best } => {
                EventAnswer::Play { turn: *turn, cards: cards.clone(), best: best.cards.clone() }
            }
        };
        Self {
            event,
            before: change.map(|change| (&(value - change)).into()),
            value: value.into(),
            change: change.map(Number::from),
        }
    }
}
