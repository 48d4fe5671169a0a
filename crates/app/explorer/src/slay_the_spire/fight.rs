//! Slay the Spire: the value of a fight of Act 1, and a walk through one.
//!
//! The server stores no walks. Each request repeats the steps of its walk and searches once, for those positions that are new
//! in its log.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::time::Duration;

use crate::question::{Problem, Question, Run, object, steps};
use budget::{Budget, Limits, Reason, Stopped};
use mdp::{Dice, Number};
use serde::{Deserialize, Serialize};
use slay_the_spire::{
    Encounters, Enemy, Exactness, FightAnswer, FightOptions, FightPhase, FightRequest, FightStep, FightWalk, Hero,
    Named, Objective, Pile, Power, RequestError, Rules, RulesError, Simulating, WalkError, Worth, number,
    solve_or_simulate, soonest_over, walk_worths,
};

/// The limit on a search, in seconds, where a request sets none. The bounds that are proven by then are the answer.
const DEFAULT_SECONDS: u64 = 30;
/// The highest limit that a request may set.
const MAX_SECONDS: u64 = 600;
/// The most outcomes of chance that are listed, the likeliest first.
const MAX_OUTCOMES: usize = 60;

/// The help of every problem with a name or a number in a request.
pub(super) const NAMES_HELP: &str =
    "docs/slay-the-spire-act-1.md and docs/slay-the-spire-rules.md list what is modelled, by its names";

/// The fight of a request, checked.
pub(super) struct Fight {
    pub hero: Hero,
    pub encounters: Encounters,
    pub objective: Objective,
    pub health: i16,
    /// One for each group of enemies.
    rules: Vec<Rules>,
}

fn invalid(error: RequestError) -> Problem {
    Problem::impossible(error, NAMES_HELP)
}

pub(super) fn not_modelled(error: RulesError) -> Problem {
    Problem::impossible(error, NAMES_HELP)
}

impl Fight {
    pub fn new(request: &FightRequest) -> Result<Self, Problem> {
        let hero = request.hero().map_err(invalid)?;
        let encounters = request.encounters().map_err(invalid)?;
        let (objective, health) = (request.objective().map_err(invalid)?, request.health(&hero).map_err(invalid)?);
        let rules = encounters.iter().map(|(_, foes)| Ok(hero.rules(foes)?.beginning_with(health)));
        let rules = rules.collect::<Result<_, _>>().map_err(not_modelled)?;
        Ok(Self { hero, encounters, objective, health, rules })
    }
}

/// Does `work` within so many seconds. At this limit, and at the limits of the server, the bounds found so far are the
/// answer; only a cancelled request is a problem.
pub(super) fn within<T>(
    seconds: Option<u64>,
    run: &Run<'_>,
    work: impl FnOnce(&Budget<'_>) -> Result<(T, Option<Stopped>), Problem>,
) -> Result<T, Problem> {
    let time = Duration::from_secs(seconds.unwrap_or(DEFAULT_SECONDS));
    let watch = |progress| match run.budget.advance(progress) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let budget = Budget::new(Limits { max_time: Some(time), ..*run.budget.limits() }).watched(&watch);
    let (answer, stopped) = work(&budget)?;
    match stopped {
        Some(stopped) if matches!(stopped.reason, Reason::Interrupted) => Err(Problem::stopped(&stopped)),
        _ => Ok(answer),
    }
}

pub(super) fn check_seconds(seconds: Option<u64>) -> Result<(), Problem> {
    if seconds.is_none_or(|seconds| (1..=MAX_SECONDS).contains(&seconds)) {
        return Ok(());
    }
    Err(Problem::impossible("seconds are out of range", format_args!("give 1 to {MAX_SECONDS}")))
}

/// Asks for the value of a fight before it begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightQuestion {
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// The limit on the search.
    #[serde(default)]
    seconds: Option<u64>,
    /// Whether to solve the fight for every health at the start.
    #[serde(default)]
    by_health: bool,
    /// Whether to give every number as a fraction, where that fits.
    #[serde(default)]
    exact: bool,
}

impl Question for FightQuestion {
    type Context = ();
    type Answer = FightAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        check_seconds(self.seconds)?;
        Fight::new(&self.fight).map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightAnswer, Problem> {
        let Fight { hero, encounters, objective, health, .. } = Fight::new(&self.fight)?;
        within(self.seconds, run, |budget| {
            let others = (1..=hero.max_health).rev().filter(|_| self.by_health);
            let healths: Vec<i16> = [health].into_iter().chain(others).collect();
            let exact = if self.exact { Exactness::Everything } else { Exactness::Bounds };
            let options = FightOptions { exact, ends: false };
            let simulating = Simulating::default();
            let solved = solve_or_simulate((&hero, &encounters), &healths, objective, options, simulating, budget);
            let solved = solved.map_err(not_modelled)?;
            let answer = FightAnswer::new(&solved);
            let answer = if self.by_health { answer.by_health(&solved) } else { answer };
            Ok((answer, solved.stopped))
        })
    }
}

/// Asks for a walk through a fight: its steps so far, and what to do next.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightWalkQuestion {
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// The steps so far, copied from the last answer.
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    act: Option<Act>,
    /// How many entries of the log the client has already.
    #[serde(default)]
    since: usize,
    #[serde(default)]
    seconds: Option<u64>,
    /// The seed of the rolls.
    #[serde(default)]
    seed: Option<u64>,
}

/// The next step of a walk.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// The play of this number, counted from 1.
    Play(usize),
    /// The server rolls.
    Roll,
    /// The outcome of this number, counted from 1.
    Came(usize),
}

#[derive(Serialize)]
pub struct FightWalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// The entries that the client does not have.
    log: Vec<LogEntry>,
    now: Now,
    /// Why bounds are wider than they could be.
    stopped: Option<String>,
}

/// An entry of the log: a step, and the position after it.
#[derive(Serialize)]
struct LogEntry {
    /// `null` for the beginning.
    step: Option<String>,
    /// `begin`, `answer` or `chance`.
    kind: &'static str,
    text: String,
    phase: &'static str,
    health: i16,
    turn: u32,
    /// The value of the objective.
    win: Number,
    survival: Number,
}

/// The last position of the walk.
#[derive(Serialize)]
struct Now {
    /// `play`, `chance`, `won` or `dead`.
    phase: &'static str,
    health: i16,
    win: Number,
    survival: Number,
    expected_health: Option<Number>,
    table: Option<Table>,
    /// Best first.
    plays: Vec<PlayJson>,
    chance: Option<ChanceJson>,
}

#[derive(Serialize)]
struct PlayJson {
    /// Its number in a request.
    play: usize,
    label: String,
    /// The card or the potion that is played, if any.
    card: Option<String>,
    win: Number,
    survival: Number,
    /// Whether no other play is proven to be better.
    best: bool,
    /// Whether it is the play to choose: the best one after which the fight ends soonest.
    first: bool,
}

#[derive(Serialize)]
struct ChanceJson {
    asks: &'static str,
    count: usize,
    /// The likeliest first.
    outcomes: Vec<OutcomeJson>,
}

#[derive(Serialize)]
struct OutcomeJson {
    /// Its number in a request.
    outcome: usize,
    text: String,
    probability: f64,
}

/// The position, before the player's next play or before the next roll.
#[derive(Serialize)]
struct Table {
    turn: u32,
    energy: u8,
    block: u16,
    strength: i16,
    dexterity: i16,
    powers: Vec<(String, u8)>,
    hand: Vec<(String, u8)>,
    draw: Vec<(String, u8)>,
    /// The known cards on top of the draw pile, the next one first.
    top: Vec<String>,
    discard: Vec<(String, u8)>,
    potions: Vec<String>,
    enemies: Vec<EnemyJson>,
}

#[derive(Serialize)]
struct EnemyJson {
    kind: String,
    health: u16,
    block: u16,
    strength: i16,
    vulnerable: u8,
    weak: u8,
    intends: Option<&'static str>,
    /// The damage of each hit of the intended attack, and the number of hits.
    attack: Option<(u16, u8)>,
}

/// The word of JSON for who acts next, or for how the fight ended.
const fn word(phase: FightPhase) -> &'static str {
    match phase {
        FightPhase::Play => "play",
        FightPhase::Chance => "chance",
        FightPhase::Won => "won",
        FightPhase::Dead => "dead",
    }
}

impl Table {
    fn new(walk: &FightWalk<'_>) -> Option<Self> {
        let standing = walk.standing()?;
        let (rules, state) = (standing.rules, standing.state);
        let pile = |pile: &Pile| pile.iter().map(|(slot, count)| (rules.card(slot).to_string(), count)).collect();
        let potions = rules.potions.iter().enumerate().filter(|(slot, _)| state.potions >> slot & 1 == 1);
        let top = state.top.iter().take(state.known()).map(|slot| rules.card(*slot).to_string());
        let enemy = |enemy: &Enemy| EnemyJson {
            kind: enemy.kind.to_string(),
            health: enemy.health,
            block: enemy.block,
            strength: enemy.strength,
            vulnerable: enemy.vulnerable,
            weak: enemy.weak,
            intends: enemy.intends(),
            attack: rules.attack_of(state, enemy),
        };
        let powers = Power::SHOWN.iter().map(|(power, name)| ((*name).to_owned(), state.player.has(*power)));
        Some(Self {
            turn: standing.turn,
            energy: state.energy,
            block: state.player.block,
            strength: state.player.strength,
            dexterity: state.player.dexterity,
            powers: powers.filter(|(_, amount)| *amount > 0).collect(),
            hand: pile(&state.hand),
            draw: pile(&state.unknown()),
            top: top.collect(),
            discard: pile(&state.discard),
            potions: potions.map(|(_, potion)| potion.to_string()).collect(),
            enemies: state.living().map(enemy).collect(),
        })
    }
}

/// The positions of a walk, each with the step that led there (none for the first) and the text of this step.
type Positions<'a> = Vec<(Option<FightStep>, String, FightWalk<'a>)>;

impl FightWalkQuestion {
    fn read_steps(&self) -> Result<Vec<FightStep>, Problem> {
        steps::read(
            &self.steps,
            self.since,
            self.act.is_some(),
            "copy the steps of an answer: p3 is a play, o12 an outcome of chance",
        )
    }

    /// Repeats the steps of the walk, and then takes the next one.
    fn replay<'a>(&self, fight: &'a Fight) -> Result<Positions<'a>, Problem> {
        let Fight { hero, encounters, objective, health, rules } = fight;
        let mut walk = FightWalk::new(hero, encounters, rules, *health, *objective).map_err(not_modelled)?;
        let mut positions = vec![(None, String::new(), walk.clone())];
        let mut steps = self.read_steps()?;
        let given = steps.len();
        let mut index = 0;
        loop {
            if index == given {
                let none = || Problem::impossible("plays and outcomes are counted from 1", "give 1 or more");
                let next = match self.act {
                    None => break,
                    Some(Act::Play(play)) => FightStep::Play(play.checked_sub(1).ok_or_else(none)?),
                    Some(Act::Came(outcome)) => FightStep::Came(outcome.checked_sub(1).ok_or_else(none)?),
                    Some(Act::Roll) => {
                        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
                        // Each roll of a walk has its own stream of random numbers.
                        let rolled = walk.roll(&mut Dice::new(seed, index as u64));
                        rolled.map_err(|error| refused(&walk, error, index))?
                    }
                };
                steps.push(next);
            }
            let Some(step) = steps.get(index) else { break };
            let text = walk.take(*step, rules);
            let text = text.map_err(|error| refused(&walk, error, index))?;
            positions.push((Some(*step), text, walk.clone()));
            index += 1;
            if index > given {
                break;
            }
        }
        Ok(positions)
    }
}

/// The problem of a step that is impossible where the walk is.
fn refused(walk: &FightWalk<'_>, error: WalkError, index: usize) -> Problem {
    let help = match walk.phase() {
        FightPhase::Chance => "roll, or give the outcome",
        FightPhase::Play => "play something, or end the turn",
        FightPhase::Won | FightPhase::Dead => "the fight is over: undo a step",
    };
    Problem::impossible(format_args!("step {}: {error}", index + 1), help)
}

fn log_entry(step: Option<&FightStep>, text: &str, walk: &FightWalk<'_>, worth: &Worth) -> LogEntry {
    let kind = match step {
        None => "begin",
        Some(FightStep::Play(_)) => "answer",
        Some(FightStep::Came(_)) => "chance",
    };
    LogEntry {
        step: step.map(ToString::to_string),
        kind,
        text: text.to_owned(),
        phase: word(walk.phase()),
        health: walk.health(),
        turn: walk.turn(),
        win: number(worth.value),
        survival: number(worth.survival),
    }
}

/// All plays, best first. A play at the first of several enemies names its target, too.
fn plays(named: Vec<Named>, worths: &[Worth], objective: Objective, enemies: usize) -> Vec<PlayJson> {
    let label = |named: &Named| {
        let first = if named.target == Some(0) && enemies > 1 { " at enemy 1" } else { "" };
        format!("{}{first}", named.to_string().replace('_', " "))
    };
    let first = soonest_over(worths.iter(), objective);
    let highest_lower = worths.iter().map(|worth| worth.value.lower).fold(f64::NEG_INFINITY, f64::max);
    let play = |(index, (named, worth)): (usize, (Named, &Worth))| PlayJson {
        play: index + 1,
        label: label(&named),
        card: named.play.or(named.potion),
        win: number(worth.value),
        survival: number(worth.survival),
        // The bounds of equal values differ by rounding errors.
        best: worth.value.upper >= highest_lower - 1e-9,
        first: index == first,
    };
    let mut plays: Vec<PlayJson> = named.into_iter().zip(worths).enumerate().map(play).collect();
    plays.sort_by(|a, b| b.first.cmp(&a.first).then(b.win.decimal.total_cmp(&a.win.decimal)));
    plays
}

fn chance(walk: &FightWalk<'_>) -> Option<ChanceJson> {
    let outcomes = walk.outcomes();
    let mut ranked: Vec<(usize, f64)> = outcomes.iter().copied().enumerate().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let listed = ranked.iter().take(MAX_OUTCOMES).map(|(index, probability)| OutcomeJson {
        outcome: index + 1,
        text: walk.outcome(*index),
        probability: *probability,
    });
    (walk.phase() == FightPhase::Chance).then(|| ChanceJson {
        asks: walk.asks(),
        count: outcomes.len(),
        outcomes: listed.collect(),
    })
}

impl FightWalkQuestion {
    /// Checks the fight, and also the walk through it if `walks`.
    pub(super) fn check_fight(&self, walks: bool) -> Result<(), Problem> {
        if walks {
            return self.check(&());
        }
        check_seconds(self.seconds)?;
        Fight::new(&self.fight).map(|_| ())
    }
}

impl Question for FightWalkQuestion {
    type Context = ();
    type Answer = FightWalkAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        check_seconds(self.seconds)?;
        self.read_steps()?;
        let fight = Fight::new(&self.fight)?;
        let walk = FightWalk::new(&fight.hero, &fight.encounters, &fight.rules, fight.health, fight.objective);
        walk.map(|_| ()).map_err(not_modelled)
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightWalkAnswer, Problem> {
        let fight = Fight::new(&self.fight)?;
        let positions = self.replay(&fight)?;
        // The values of positions that the client has are not needed, except that of the last position.
        let first = self.since.min(positions.len() - 1);
        let walks: Vec<FightWalk<'_>> = positions[first..].iter().map(|(.., walk)| walk.clone()).collect();
        let worths = within(self.seconds, run, |budget| {
            let worths = walk_worths(&walks, Exactness::Bounds, budget).map_err(not_modelled)?;
            let stopped = worths.stopped;
            Ok((worths, stopped))
        })?;
        let missing = || Problem::internal("a situation without a worth");
        let (last, worth) = (walks.last().ok_or_else(missing)?, worths.situations.last().ok_or_else(missing)?);
        let now = Now {
            phase: word(last.phase()),
            health: last.health(),
            win: number(worth.value),
            survival: number(worth.survival),
            expected_health: worth.expected_health.map(number),
            table: Table::new(last),
            plays: plays(
                last.plays(),
                &worths.plays,
                fight.objective,
                last.standing().map_or(0, |own| own.state.living().count()),
            ),
            chance: chance(last),
        };
        let entries = positions.iter().zip(std::iter::repeat_n(None, first).chain(worths.situations.iter().map(Some)));
        let log = entries
            .skip(self.since)
            .filter_map(|((step, text, walk), worth)| Some(log_entry(step.as_ref(), text, walk, worth?)));
        Ok(FightWalkAnswer {
            format: 1,
            steps: positions.iter().filter_map(|(step, ..)| step.map(|step| step.to_string())).collect(),
            log: log.collect(),
            now,
            stopped: worths.stopped.map(|stopped| stopped.to_string()),
        })
    }
}
