//! Slay the Spire: fights of Act 1, what they are worth, and a walk through one.
//!
//! A question goes through the steps of a walk again and searches once, from wherever its log is not known.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::time::Duration;

use crate::question::{Problem, Question, Run, object, steps};
use budget::{Budget, Limits, Reason, Stopped};
use mdp::{Dice, Number};
use serde::{Deserialize, Serialize};
use slay_the_spire::{
    Encounters, Enemy, Exactness, FightAnswer, FightLook, FightOptions, FightRequest, FightStep, FightWalk, Hero,
    Named, Objective, Pile, Power, RequestError, Rules, RulesError, Simulating, WalkError, Worth, number,
    solve_or_simulate, soonest_over, walk_worths,
};

/// After so many seconds the bounds that are proved are told, where nobody says otherwise.
pub(super) const PATIENCE: u64 = 30;
/// As long as anybody can wait.
const MOST_PATIENCE: u64 = 600;
/// So many things that chance can bring are listed, the likeliest first.
const MOST_OUTCOMES: usize = 60;

pub(super) const RIGHT: &str =
    "docs/slay-the-spire-act-1.md and docs/slay-the-spire-rules.md list what is modelled, by its names";

/// A fight that was said.
pub(super) struct Fight {
    pub hero: Hero,
    pub encounters: Encounters,
    pub objective: Objective,
    pub health: i16,
    /// Of each group.
    rules: Vec<Rules>,
}

fn unsaid(error: RequestError) -> Problem {
    Problem::impossible(error, RIGHT)
}

pub(super) fn not_modelled(error: RulesError) -> Problem {
    Problem::impossible(error, RIGHT)
}

impl Fight {
    pub fn new(said: &FightRequest) -> Result<Self, Problem> {
        let hero = said.hero().map_err(unsaid)?;
        let encounters = said.encounters().map_err(unsaid)?;
        let (objective, health) = (said.objective().map_err(unsaid)?, said.health(&hero).map_err(unsaid)?);
        let rules = encounters.iter().map(|(_, foes)| Ok(hero.rules(foes)?.beginning_with(health)));
        let rules = rules.collect::<Result<_, _>>().map_err(not_modelled)?;
        Ok(Self { hero, encounters, objective, health, rules })
    }
}

/// Solves with a limit on time; what stopped it otherwise is a problem.
pub(super) fn within<T>(
    seconds: Option<u64>,
    run: &Run<'_>,
    work: impl FnOnce(&Budget<'_>) -> Result<(T, Option<Stopped>), Problem>,
) -> Result<T, Problem> {
    let time = Duration::from_secs(seconds.unwrap_or(PATIENCE));
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

pub(super) fn is_patient(seconds: Option<u64>) -> Result<(), Problem> {
    if seconds.is_none_or(|seconds| (1..=MOST_PATIENCE).contains(&seconds)) {
        return Ok(());
    }
    Err(Problem::impossible("seconds are out of range", format_args!("say 1 to {MOST_PATIENCE}")))
}

/// What a fight is worth before it begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightQuestion {
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// When the bounds that are proved are told.
    #[serde(default)]
    seconds: Option<u64>,
    /// Every other health at the start is asked for, too.
    #[serde(default)]
    by_health: bool,
    /// All numbers are wanted exactly, where they fit.
    #[serde(default)]
    exact: bool,
}

impl Question for FightQuestion {
    type Context = ();
    type Answer = FightAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        is_patient(self.seconds)?;
        Fight::new(&self.fight).map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightAnswer, Problem> {
        let Fight { hero, encounters, objective, health, .. } = Fight::new(&self.fight)?;
        within(self.seconds, run, |budget| {
            let others = (1..=hero.max_health).rev().filter(|_| self.by_health);
            let healths: Vec<i16> = [health].into_iter().chain(others).collect();
            let exact = if self.exact { Exactness::Everything } else { Exactness::Bounds };
            let asked = FightOptions { exact, ends: false };
            let simulating = Simulating::default();
            let solved = solve_or_simulate((&hero, &encounters), &healths, objective, asked, simulating, budget);
            let solved = solved.map_err(not_modelled)?;
            let answer = FightAnswer::new(&solved);
            let answer = if self.by_health { answer.by_health(&solved) } else { answer };
            Ok((answer, solved.stopped))
        })
    }
}

/// A fight that is walked through, and what is done next in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightWalkQuestion {
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// What was done, as answers tell it.
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    act: Option<Act>,
    /// So many entries of the log are known to who asks.
    #[serde(default)]
    since: usize,
    #[serde(default)]
    seconds: Option<u64>,
    /// Decides what is rolled.
    #[serde(default)]
    seed: Option<u64>,
}

/// What is done in a walk.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// This play, counted from 1.
    Play(usize),
    /// Chance decides.
    Roll,
    /// Chance brought this, counted from 1.
    Came(usize),
}

#[derive(Serialize)]
pub struct FightWalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// From the first entry that was not known on.
    log: Vec<Done>,
    now: Now,
    /// Why bounds are wider than they could be.
    stopped: Option<String>,
}

/// An entry of the log: what was done, and how it stands after it.
#[derive(Serialize)]
struct Done {
    /// `null` for the beginning.
    step: Option<String>,
    /// `begin`, `answer` or `chance`.
    kind: &'static str,
    told: String,
    look: &'static str,
    health: i16,
    turn: u32,
    /// What is played for.
    win: Number,
    survival: Number,
}

/// Where the walk is.
#[derive(Serialize)]
struct Now {
    /// `play`, `chance`, `won` or `dead`.
    look: &'static str,
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
    /// What is given back to play it.
    play: usize,
    label: String,
    /// The card or the potion, where it is one.
    card: Option<String>,
    win: Number,
    survival: Number,
    /// Whether no other is surely better.
    best: bool,
    /// Whether it is the one to play: of the best that after which the fight is over soonest.
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
    /// What is given back when it came.
    outcome: usize,
    told: String,
    probability: f64,
}

/// The position in which the player is to act, or which chance changes next.
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
    /// Known to lie on top of the draw pile, the next one first.
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
    /// What it intends, and how hard and how often it hits.
    intends: Option<&'static str>,
    attack: Option<(u16, u8)>,
}

/// What a walk waits for, in a word.
const fn word(look: FightLook) -> &'static str {
    match look {
        FightLook::Play => "play",
        FightLook::Chance => "chance",
        FightLook::Won => "won",
        FightLook::Dead => "dead",
    }
}

impl Table {
    fn new(walk: &FightWalk<'_>) -> Option<Self> {
        let standing = walk.standing()?;
        let (rules, state) = (standing.rules, standing.state);
        let pile = |pile: &Pile| pile.iter().map(|(slot, count)| (rules.card(slot).to_string(), count)).collect();
        let potions = rules.potions.iter().enumerate().filter(|(place, _)| state.potions >> place & 1 == 1);
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

/// The steps of a walk, with where each led.
type Gone<'a> = Vec<(Option<FightStep>, String, FightWalk<'a>)>;

impl FightWalkQuestion {
    fn read_steps(&self) -> Result<Vec<FightStep>, Problem> {
        steps::read(
            &self.steps,
            self.since,
            self.act.is_some(),
            "steps are written as the answers tell them: p3 for a play, o12 for chance",
        )
    }

    /// Goes the walk again, and does what is to be done.
    fn gone<'a>(&self, fight: &'a Fight) -> Result<Gone<'a>, Problem> {
        let Fight { hero, encounters, objective, health, rules } = fight;
        let mut walk = FightWalk::new(hero, encounters, rules, *health, *objective).map_err(not_modelled)?;
        let mut gone = vec![(None, String::new(), walk.clone())];
        let mut steps = self.read_steps()?;
        let given = steps.len();
        let mut place = 0;
        loop {
            if place == given {
                let none = || Problem::impossible("plays and outcomes are counted from 1", "say 1 or more");
                let next = match self.act {
                    None => break,
                    Some(Act::Play(play)) => FightStep::Play(play.checked_sub(1).ok_or_else(none)?),
                    Some(Act::Came(outcome)) => FightStep::Came(outcome.checked_sub(1).ok_or_else(none)?),
                    Some(Act::Roll) => {
                        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
                        // Each roll of a walk has a stream of its own.
                        let rolled = walk.roll(&mut Dice::new(seed, place as u64));
                        rolled.map_err(|error| refused(&walk, error, place))?
                    }
                };
                steps.push(next);
            }
            let Some(step) = steps.get(place) else { break };
            let told = walk.take(*step, rules);
            let told = told.map_err(|error| refused(&walk, error, place))?;
            gone.push((Some(*step), told, walk.clone()));
            place += 1;
            if place > given {
                break;
            }
        }
        Ok(gone)
    }
}

/// Why a step cannot be done.
fn refused(walk: &FightWalk<'_>, error: WalkError, place: usize) -> Problem {
    let help = match walk.look() {
        FightLook::Chance => "roll, or say what came",
        FightLook::Play => "play something, or end the turn",
        FightLook::Won | FightLook::Dead => "the fight is over: take something back",
    };
    Problem::impossible(format_args!("step {}: {error}", place + 1), help)
}

fn done(step: Option<&FightStep>, told: &str, walk: &FightWalk<'_>, worth: &Worth) -> Done {
    let kind = match step {
        None => "begin",
        Some(FightStep::Play(_)) => "answer",
        Some(FightStep::Came(_)) => "chance",
    };
    Done {
        step: step.map(ToString::to_string),
        kind,
        told: told.to_owned(),
        look: word(walk.look()),
        health: walk.health(),
        turn: walk.turn(),
        win: number(worth.value),
        survival: number(worth.survival),
    }
}

/// Everything that can be done, best first; of several enemies the first is named as well.
fn plays(named: Vec<Named>, worths: &[Worth], objective: Objective, enemies: usize) -> Vec<PlayJson> {
    let label = |named: &Named| {
        let first = if named.target == Some(0) && enemies > 1 { " at enemy 1" } else { "" };
        format!("{}{first}", named.to_string().replace('_', " "))
    };
    let first = soonest_over(worths.iter(), objective);
    let sure = worths.iter().map(|worth| worth.value.lower).fold(f64::NEG_INFINITY, f64::max);
    let play = |(place, (named, worth)): (usize, (Named, &Worth))| PlayJson {
        play: place + 1,
        label: label(&named),
        card: named.play.or(named.potion),
        win: number(worth.value),
        survival: number(worth.survival),
        // Bounds of the same number differ by rounding.
        best: worth.value.upper >= sure - 1e-9,
        first: place == first,
    };
    let mut plays: Vec<PlayJson> = named.into_iter().zip(worths).enumerate().map(play).collect();
    plays.sort_by(|a, b| b.first.cmp(&a.first).then(b.win.decimal.total_cmp(&a.win.decimal)));
    plays
}

fn chance(walk: &FightWalk<'_>) -> Option<ChanceJson> {
    let outcomes = walk.outcomes();
    let mut ranked: Vec<(usize, f64)> = outcomes.iter().copied().enumerate().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let told = ranked.iter().take(MOST_OUTCOMES).map(|(place, probability)| OutcomeJson {
        outcome: place + 1,
        told: walk.outcome(*place),
        probability: *probability,
    });
    (walk.look() == FightLook::Chance).then(|| ChanceJson {
        asks: walk.asks(),
        count: outcomes.len(),
        outcomes: told.collect(),
    })
}

impl FightWalkQuestion {
    /// Refuses a fight that cannot be; a walk through it only where there is to be one.
    pub(super) fn check_fight(&self, walks: bool) -> Result<(), Problem> {
        if walks {
            return self.check(&());
        }
        is_patient(self.seconds)?;
        Fight::new(&self.fight).map(|_| ())
    }
}

impl Question for FightWalkQuestion {
    type Context = ();
    type Answer = FightWalkAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        is_patient(self.seconds)?;
        self.read_steps()?;
        let fight = Fight::new(&self.fight)?;
        let walk = FightWalk::new(&fight.hero, &fight.encounters, &fight.rules, fight.health, fight.objective);
        walk.map(|_| ()).map_err(not_modelled)
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<FightWalkAnswer, Problem> {
        let fight = Fight::new(&self.fight)?;
        let gone = self.gone(&fight)?;
        // Of what is known already only the last is needed, which is told as what there is now.
        let first = self.since.min(gone.len() - 1);
        let walks: Vec<FightWalk<'_>> = gone[first..].iter().map(|(.., walk)| walk.clone()).collect();
        let worths = within(self.seconds, run, |budget| {
            let worths = walk_worths(&walks, Exactness::Bounds, budget).map_err(not_modelled)?;
            let stopped = worths.stopped;
            Ok((worths, stopped))
        })?;
        let missing = || Problem::internal("a situation without a worth");
        let (last, worth) = (walks.last().ok_or_else(missing)?, worths.situations.last().ok_or_else(missing)?);
        let now = Now {
            look: word(last.look()),
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
        let entries = gone.iter().zip(std::iter::repeat_n(None, first).chain(worths.situations.iter().map(Some)));
        let log = entries
            .skip(self.since)
            .filter_map(|((step, told, walk), worth)| Some(done(step.as_ref(), told, walk, worth?)));
        Ok(FightWalkAnswer {
            format: 1,
            steps: gone.iter().filter_map(|(step, ..)| step.map(|step| step.to_string())).collect(),
            log: log.collect(),
            now,
            stopped: worths.stopped.map(|stopped| stopped.to_string()),
        })
    }
}
