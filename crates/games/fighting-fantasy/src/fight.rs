//! A fight as a game: what the engine solves.
//!
//! A drawn round changes nothing, so it is divided out: a round is the next roll that changes anything. What remains of
//! a fight has no cycles (unless a blow can cost nothing).

use mdp::{Distribution, Game, Turn, Weight};

use crate::dice::{RoundOdds, lucky_rolls};
use crate::rules::{Chance, Enemy, Hero, MOST_ENEMIES, Objective, PLACES, RulesError, SpecialRules, Wound, check};
use crate::state::{Action, End, Moment, Phase, Player, State, over, points};
use crate::strategy::Outcome;

/// A fight: a [`Game`] with the objective as its payoff.
pub struct Fight<'a> {
    hero: Hero,
    enemies: Vec<Enemy>,
    rules: SpecialRules,
    objective: Objective,
    player: Player<'a>,
    odds: Vec<RoundOdds>,
    dealt: Wound,
}

/// The choices that correspond to the answers to a question of luck. Keeping it comes first, so that this is the choice
/// taken among equals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answers {
    pub keep: Option<usize>,
    pub use_luck: Option<usize>,
}

/// The starts of a [`Fight`]: the fight itself, then the two questions about its first round.
pub(crate) const BEGINNING: usize = 0;
pub(crate) const AFTER_LOST_ROUND: usize = 1;
pub(crate) const AFTER_WON_ROUND: usize = 2;

impl<'a> Fight<'a> {
    /// A fight at its beginning.
    ///
    /// # Errors
    /// When a number is outside its limits; the error names the number and the limits.
    pub fn new(
        hero: Hero,
        enemies: Vec<Enemy>,
        rules: SpecialRules,
        objective: Objective,
        player: Player<'a>,
    ) -> Result<Self, RulesError> {
        check(&hero, &enemies, &rules)?;
        // Both skills are at most a million.
        let odds =
            enemies.iter().map(|enemy| RoundOdds::new(hero.skill.cast_signed() - enemy.skill.cast_signed())).collect();
        let dealt = Wound::dealt(rules.damage, rules.amplify);
        Ok(Self { hero, enemies, rules, objective, player, odds, dealt })
    }

    /// The enemies, in the order in which they are numbered.
    pub fn enemies(&self) -> &[Enemy] {
        &self.enemies
    }

    /// How the fight begins.
    pub fn beginning(&self) -> State {
        let mut enemies = [0; MOST_ENEMIES];
        let mut rows = [0; MOST_ENEMIES];
        for (place, enemy) in self.enemies.iter().enumerate() {
            enemies[place] = points(enemy.stamina);
            rows[place] = enemy.sudden_death.map_or(0, |sudden_death| sudden_death.won_already);
        }
        State { hero: points(self.hero.stamina), luck: points(self.hero.luck), enemies, rows, phase: Phase::Round }
    }

    /// The fight after the first enemy has won the first round, before luck is decided.
    pub fn after_lost_round(&self) -> State {
        self.lose(self.beginning(), 0, 0)
    }

    /// The fight after the hero has won the first round against the first enemy, before luck is decided.
    pub fn after_won_round(&self) -> State {
        State { phase: Phase::Won { target: 0 }, ..Self::break_row(self.beginning(), 0) }
    }

    /// The hero is wounded, or dies after a row of lost rounds.
    fn lose(&self, mut state: State, target: u8, enemy: u8) -> State {
        if let Some(sudden_death) = self.enemies[usize::from(enemy)].sudden_death {
            let row = &mut state.rows[usize::from(enemy)];
            *row += 1;
            if *row >= sudden_death.row {
                return over(End::SuddenDeath);
            }
        }
        State { phase: Phase::Lost { target, enemy }, ..state }
    }

    /// The state after enemy `enemy` has had its turn in this round: the next enemy that still rolls, or the end of the
    /// round. All enemies except the target roll in their order, after it.
    fn next(&self, state: State, target: u8, enemy: u8) -> State {
        if self.others(&state, target, enemy).next().is_some() {
            State { phase: Phase::Others { target, enemy }, ..state }
        } else {
            Self::end_of_round(state)
        }
    }

    /// All enemies have had their turn in this round.
    fn end_of_round(state: State) -> State {
        if state.enemies.iter().all(|stamina| *stamina == 0) {
            return State { phase: Phase::Over(End::Won), rows: [0; MOST_ENEMIES], ..state };
        }
        State { phase: Phase::Round, ..state }
    }

    /// The enemies that roll in this round after `enemy`.
    fn others(&self, state: &State, target: u8, enemy: u8) -> impl Iterator<Item = u8> + use<> {
        let first = if !self.rules.together {
            PLACES
        } else if enemy == target {
            0
        } else {
            enemy + 1
        };
        let staminas = state.enemies;
        (first..PLACES).filter(move |other| *other != target && staminas[usize::from(*other)] > 0)
    }

    /// The enemy's row of won rounds is broken.
    fn break_row(state: State, enemy: u8) -> State {
        let mut rows = state.rows;
        rows[usize::from(enemy)] = 0;
        State { rows, ..state }
    }

    /// Every outcome of a roll of `enemy`, and in how many of `ROLLS * all deaths` cases it occurs; the remaining cases
    /// change nothing.
    fn roll(&self, state: State, target: u8, enemy: u8, mut happens: impl FnMut(u128, State)) {
        let odds = self.odds[usize::from(enemy)];
        let Chance { of_them, all } = self.rules.death_on_lost_round;
        let row = state.rows[usize::from(enemy)] > 0;
        let broken = Self::break_row(state, enemy);
        if enemy == target {
            happens(u128::from(odds.won) * u128::from(all), State { phase: Phase::Won { target }, ..broken });
        } else if row {
            // The blow is parried.
            happens(u128::from(odds.won) * u128::from(all), self.next(broken, target, enemy));
        }
        if row && self.enemies[usize::from(enemy)].sudden_death.is_some_and(|rule| rule.draw_resets) {
            happens(u128::from(odds.drawn) * u128::from(all), self.next(broken, target, enemy));
        }
        let lost = self.lose(state, target, enemy);
        if lost.phase == Phase::Over(End::SuddenDeath) {
            happens(u128::from(odds.lost) * u128::from(all), lost);
        } else {
            happens(u128::from(odds.lost) * u128::from(of_them), over(End::InstantDeath));
            happens(u128::from(odds.lost) * u128::from(all - of_them), lost);
        }
    }

    /// The first event when these enemies roll in turn, with its weight; then the weight of no event at all.
    fn first_event(
        &self,
        state: State,
        target: u8,
        enemies: impl Iterator<Item = u8>,
        events: &mut Vec<(u128, State)>,
    ) -> u128 {
        let cases = u128::from(RoundOdds::ROLLS) * u128::from(self.rules.death_on_lost_round.all);
        let mut nothing = 1;
        for enemy in enemies {
            for (weight, _) in events.iter_mut() {
                *weight *= cases;
            }
            let mut left = cases;
            self.roll(state, target, enemy, |weight, state| {
                left -= weight;
                events.push((weight * nothing, state));
            });
            nothing *= left;
        }
        nothing
    }

    /// The hero fights `target` for a round.
    fn round(&self, state: State, target: u8, turn: &mut Turn<State, Action>) {
        let mut events = Vec::with_capacity(16);
        let rolling = std::iter::once(target).chain(self.others(&state, target, target));
        let nothing = self.first_event(state, target, rolling, &mut events);
        let Chance { of_them, all } = self.rules.death_each_round;
        if of_them > 0 {
            let total = nothing + events.iter().map(|(weight, _)| weight).sum::<u128>();
            for (weight, _) in &mut events {
                *weight *= u128::from(all - of_them);
            }
            events.push((total * u128::from(of_them), over(End::InstantDeath)));
        }
        leave_to_chance(turn, events);
    }

    /// The hero's stamina after a wound, if any is left.
    fn wounded(state: State, damage: u32, then: impl FnOnce(State) -> State) -> State {
        match u32::from(state.hero).checked_sub(damage) {
            None | Some(0) => over(End::NoStamina),
            Some(left) => then(State { hero: points(left), ..state }),
        }
    }

    /// A choice that wounds the hero.
    fn take(&self, turn: &mut Turn<State, Action>, cases: &[(u64, u32)], state: State, then: impl Fn(State) -> State) {
        let armour = self.rules.armour.filter(|_| state.phase != Phase::Escaping);
        let mut outcomes = Vec::with_capacity(4);
        for (weight, damage) in cases {
            if let Some(armour) = armour {
                let Chance { of_them, all } = armour.chance;
                let softened = damage.saturating_sub(armour.softens);
                outcomes.push((weight * u64::from(of_them), Self::wounded(state, softened, &then)));
                outcomes.push((weight * u64::from(all - of_them), Self::wounded(state, *damage, &then)));
            } else {
                outcomes.push((*weight, Self::wounded(state, *damage, &then)));
            }
        }
        turn.chance(outcomes.into_iter().map(|(weight, state)| (state, Weight(weight))));
    }

    /// The information of a player who decides about luck; `None` when there is nothing to decide.
    fn moment(state: &State) -> Option<Moment> {
        let (outcome, enemy) = match state.phase {
            Phase::Won { target } => (Outcome::Won, Some(usize::from(target))),
            Phase::Lost { enemy, .. } => (Outcome::Lost, Some(usize::from(enemy))),
            Phase::Escaping => (Outcome::Lost, state.enemies.iter().position(|stamina| *stamina > 0)),
            Phase::Round | Phase::Others { .. } | Phase::Over(_) => return None,
        };
        Some(Moment {
            outcome,
            luck: u32::from(state.luck),
            hero_stamina: u32::from(state.hero),
            enemy_stamina: enemy.map_or(0, |enemy| u32::from(state.enemies[enemy])),
        })
    }

    /// The choices that correspond to the two answers to the question of luck; `None` for an answer that is not
    /// available, or where there is no question.
    pub(crate) fn answers(&self, state: &State) -> Answers {
        let Some(moment) = Self::moment(state) else { return Answers::default() };
        // A test that cannot succeed, costs no luck and deals no wound is useless.
        let idle = moment.luck == 0 && moment.outcome == Outcome::Won && self.dealt.unlucky == 0;
        if !self.rules.luck_allowed || idle {
            return Answers { keep: Some(0), use_luck: None };
        }
        match self.player {
            Player::Free => Answers { keep: Some(0), use_luck: Some(1) },
            Player::Rule(rule) if rule(moment) => Answers { keep: None, use_luck: Some(0) },
            Player::Rule(_) => Answers { keep: Some(0), use_luck: None },
        }
    }

    /// The question of luck after the hero is wounded.
    fn taking(&self, state: State, wound: Wound, turn: &mut Turn<State, Action>, then: impl Fn(State) -> State) {
        let answers = self.answers(&state);
        if answers.keep.is_some() {
            turn.choice(Action::KeepLuck);
            self.take(turn, &[(1, wound.plain)], state, &then);
        }
        if answers.use_luck.is_some() {
            let lucky = u64::from(lucky_rolls(u32::from(state.luck)));
            let tested = State { luck: state.luck.saturating_sub(1), ..state };
            turn.choice(Action::UseLuck);
            self.take(turn, &[(lucky, wound.lucky), (36 - lucky, wound.unlucky)], tested, &then);
        }
    }

    /// The question of luck after the hero has wounded `target`.
    fn dealing(&self, state: State, target: u8, turn: &mut Turn<State, Action>) {
        let answers = self.answers(&state);
        if answers.keep.is_some() {
            turn.choice(Action::KeepLuck);
            turn.to(self.hit(state, target, self.dealt.plain));
        }
        if answers.use_luck.is_some() {
            let lucky = u64::from(lucky_rolls(u32::from(state.luck)));
            let tested = State { luck: state.luck.saturating_sub(1), ..state };
            turn.choice(Action::UseLuck);
            let [good, bad] = [self.dealt.lucky, self.dealt.unlucky].map(|damage| self.hit(tested, target, damage));
            turn.chance([(good, Weight(lucky)), (bad, Weight(36 - lucky))]);
        }
    }

    /// The target has lost stamina.
    fn hit(&self, mut state: State, target: u8, damage: u32) -> State {
        let place = usize::from(target);
        state.enemies[place] = points(u32::from(state.enemies[place]).saturating_sub(damage));
        if state.enemies[place] == 0 {
            state.rows[place] = 0;
        }
        self.next(state, target, target)
    }

    /// The enemies whom the hero may choose to fight.
    fn targets(&self, state: &State) -> impl Iterator<Item = u8> + use<> {
        let free = self.rules.together && matches!(self.player, Player::Free);
        let staminas = state.enemies;
        (0..PLACES).filter(move |enemy| staminas[usize::from(*enemy)] > 0).take(if free { MOST_ENEMIES } else { 1 })
    }

    /// The value of an end.
    fn payoff(&self, end: End, state: &State) -> mdp::Rational {
        let value = || self.objective.value(u32::from(state.hero), u32::from(state.luck));
        match (end, &self.rules.escape) {
            (End::Won, _) => value(),
            (End::Escaped, Some(escape)) => value() * &escape.value,
            _ => mdp::Rational::ZERO,
        }
    }
}

/// A choice with these outcomes; weights are divided by their common factor, because small weights make small
/// fractions.
fn leave_to_chance(turn: &mut Turn<State, Action>, mut events: Vec<(u128, State)>) {
    fn gcd(a: u128, b: u128) -> u128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let common = events.iter().fold(0, |common, (weight, _)| gcd(common, *weight)).max(1);
    for (weight, _) in &mut events {
        *weight /= common;
    }
    let small: Option<Vec<_>> =
        events.iter().map(|(weight, state)| Some((*state, Weight(u32::try_from(*weight).ok()?.into())))).collect();
    if let Some(small) = small {
        turn.chance(small);
    } else if let Ok(outcomes) =
        Distribution::weighted(events.into_iter().map(|(weight, state)| (state, Weight(weight))))
    {
        turn.chance_from(&outcomes);
    }
}

impl Game for Fight<'_> {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        let mut starts = vec![Distribution::certain(self.beginning()); 3];
        starts[AFTER_LOST_ROUND] = Distribution::certain(self.after_lost_round());
        starts[AFTER_WON_ROUND] = Distribution::certain(self.after_won_round());
        starts
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, Action>) {
        let state = *state;
        match state.phase {
            Phase::Round => {
                let several = self.targets(&state).nth(1).is_some();
                for target in self.targets(&state) {
                    turn.choice(if several { Action::FightEnemy(target) } else { Action::Fight });
                    self.round(state, target, turn);
                }
                if self.rules.escape.is_some() && matches!(self.player, Player::Free) {
                    // After the escape the enemies do not matter.
                    turn.choice(Action::Escape);
                    turn.to(State { phase: Phase::Escaping, rows: [0; MOST_ENEMIES], ..state });
                }
            }
            Phase::Won { target } => self.dealing(state, target, turn),
            Phase::Lost { target, enemy } => {
                let wound = Wound::taken(self.enemies[usize::from(enemy)].damage);
                self.taking(state, wound, turn, |state| self.next(state, target, enemy));
            }
            Phase::Others { target, enemy } => {
                let mut events = Vec::with_capacity(16);
                let others = self.others(&state, target, enemy);
                let nothing = self.first_event(state, target, others, &mut events);
                events.push((nothing, Self::end_of_round(state)));
                turn.choice(Action::OthersAttack);
                leave_to_chance(turn, events);
            }
            Phase::Escaping => {
                let wound = Wound::taken(self.rules.escape.as_ref().map_or(0, |escape| escape.cost));
                let escaped =
                    |state: State| State { enemies: [0; MOST_ENEMIES], phase: Phase::Over(End::Escaped), ..state };
                self.taking(state, wound, turn, escaped);
            }
            Phase::Over(end) => turn.end(self.payoff(end, &state)),
        }
    }
}
