//! Every way to spend a turn: its decisions, its random outcomes, and its possible ends.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::data::card::{Effect, Kind, Pile as Into};
use crate::data::potion::Drink;
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::healing::Healing;
use crate::rules::queue::Outcomes;
use crate::rules::state::{Change, NONE, Pile, State, TOP};

/// An end of a turn: the fight is won, or the enemies have acted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The change of the health since the start of the turn.
    pub change: Change,
    /// The position after the enemies' turn; over when the fight is won.
    pub state: State,
}

/// A decision in a turn: all plays that can be made in any order without a random outcome are one decision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    /// The ends among which the player can choose.
    pub ends: Vec<End>,
    /// The plays with random outcomes, among which he can also choose: each a list of later decisions.
    pub chances: Vec<Vec<(Chance, usize)>>,
}

/// The decisions of a turn; the first one is where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnTree {
    pub points: Vec<Point>,
}

/// What is left out of a turn or added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Nothing: the turn as it is.
    Whole,
    /// For a lower bound of the damage of enemies: losses that the player inflicts on himself do not count, and cards
    /// can also be played without their target.
    AttacksOnly,
}

impl Rules {
    /// Whether nothing in the turn depends on the piles, nor on chance before the enemies act: then the turn depends on
    /// the hand only.
    pub(crate) fn is_closed(&self, state: &State) -> bool {
        let draws = |effect: &Effect| matches!(effect, Effect::Draw(_) | Effect::IfVulnerable);
        !self.relics_draw(state) && self.has_none(state, |effect, _| draws(effect) || looks_at_piles(effect))
    }

    /// Whether a relic can cause draws in the rest of the turn or in the enemies' turn.
    fn relics_draw(&self, state: &State) -> bool {
        self.has(Relic::InkBottle)
            || state.player.has(Power::Puzzle) > 0
            || self.has(Relic::GremlinHorn) && state.living().count() > 1
    }

    /// Whether the turn depends on the piles only by drawing cards one at a time.
    pub(crate) fn draws_singly(&self, state: &State) -> bool {
        let several = |effect: &Effect, form: usize| matches!(effect, Effect::Draw(cards) if cards[form] > 1);
        state.player.has(Power::Puzzle) == 0
            && self.has_none(state, |effect, form| looks_at_piles(effect) || several(effect, form))
    }

    /// Whether no card of the hand or potion has such an effect in its form, and none is active.
    fn has_none(&self, state: &State, open: impl Fn(&Effect, usize) -> bool) -> bool {
        // A card that is shuffled in among known cards may lie above them.
        let shuffles = |effect: &Effect| state.known() > 0 && matches!(effect, Effect::Create(_, Into::Draw, _));
        let closed_card = |slot: u8| {
            let card = self.card(slot);
            !card.data().effects.iter().any(|effect| open(effect, card.form()) || shuffles(effect))
        };
        let closed_potion = |place: usize| {
            let used = state.potions >> place & 1 == 0;
            used || !matches!(self.potions[place].data().does, Drink::As(effect) if open(&effect, 0))
        };
        state.waiting == 0
            && state.player.has(Power::DarkEmbrace) == 0
            && state.hand.iter().all(|(slot, _)| closed_card(slot) && self.card(slot).data().name != "dark-embrace")
            && (0..self.potions.len()).all(closed_potion)
    }

    /// Every way to spend the rest of the turn. With `reduced`, plays with random outcomes that could as well come
    /// sooner are left out where they come late.
    pub(crate) fn turn_tree(&self, space: &mut Workspace, start: &State, view: View, reduced: bool) -> TurnTree {
        let mut builder = Builder::new(self, space, view, reduced);
        builder.point(start);
        builder.tree
    }

    /// One decision of a turn that is not ended. The outcomes of random plays are not explored: the numbers among the
    /// chances are indices of the list of positions.
    pub(crate) fn decision(
        &self,
        space: &mut Workspace,
        start: &State,
        view: View,
        reduced: bool,
    ) -> (Point, Vec<State>) {
        let mut builder = Builder { later: Some(Vec::new()), ..Builder::new(self, space, view, reduced) };
        let point = builder.filled(start);
        let later = builder.later.filter(|_| !point.chances.is_empty());
        (point, later.unwrap_or_default())
    }

    /// Whether health can rise within a fight.
    pub(crate) fn can_heal(&self) -> bool {
        Healing::new(self).is_any()
    }

    /// Whether every card that targets an enemy only harms it: then not playing it is the same as playing it without a
    /// target.
    pub(crate) fn attacks_can_be_skipped(&self) -> bool {
        let harms = |effect: &Effect| {
            matches!(
                effect,
                Effect::Hit(..)
                    | Effect::HitBlock
                    | Effect::HitStrength(..)
                    | Effect::Vulnerable(_)
                    | Effect::Weak(_)
                    | Effect::HitStrikes(..)
            )
        };
        let counting = [
            Relic::Akabeko,
            Relic::PenNib,
            Relic::Nunchaku,
            Relic::Kunai,
            Relic::Shuriken,
            Relic::OrnamentalFan,
            Relic::ArtOfWar,
            Relic::InkBottle,
            // An earlier death brings a card earlier.
            Relic::GremlinHorn,
        ];
        let random = |effect: &Effect| {
            matches!(effect, Effect::HitRandom(..) | Effect::Gain(Power::Juggernaut, _) | Effect::PlayTop)
        };
        !counting.into_iter().any(|relic| self.has(relic))
            && !self.cards.iter().any(|card| card.data().effects.iter().any(random))
            && self.cards.iter().all(|card| {
                let data = card.data();
                let only_harms = data.effects.iter().all(harms) && !data.exhausts[card.form()] && !data.ethereal;
                let triggers = matches!(data.name, "rage" | "double-tap" | "pain" | "normality");
                (!data.targeted || (only_harms && data.kind == Kind::Attack)) && !triggers
            })
    }
}

/// Whether an effect depends on the piles other than by drawing.
fn looks_at_piles(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::DiscardToTop
            | Effect::HandToTop
            | Effect::HitStrikes(..)
            | Effect::ExhaustedToHand
            | Effect::PlayTop
            | Effect::RandomAttack
    )
}

/// A position without piles: everything on which a closed turn depends.
pub(crate) fn without_piles(state: &State) -> State {
    State { draw: Pile::default(), discard: Pile::default(), exhausted: Pile::default(), top: [NONE; TOP], ..*state }
}

/// Buffers that are reused for every turn.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    known: FxHashMap<State, usize>,
    actions: Vec<Action>,
    outcomes: Outcomes,
    meetings: Vec<Meetings>,
    ends: Vec<Vec<End>>,
}

impl Workspace {
    /// A decision without choices yet.
    fn point(&mut self) -> Point {
        Point { ends: self.ends.pop().unwrap_or_default(), chances: Vec::new() }
    }

    /// Takes back a list of ends that is no longer needed.
    pub(crate) fn take_back(&mut self, mut ends: Vec<End>) {
        ends.clear();
        self.ends.push(ends);
    }
}

struct Builder<'a> {
    rules: &'a Rules,
    space: &'a mut Workspace,
    view: View,
    /// Whether plays that could as well come sooner are left out where they come late.
    reduced: bool,
    tree: TurnTree,
    /// If set, outcomes of random plays are only listed: the positions that occurred.
    later: Option<Vec<State>>,
}

/// The positions that occurred within one decision, each once.
#[derive(Debug, Default)]
struct Meetings {
    list: Vec<Met>,
    numbers: HashTable<usize>,
}

impl Meetings {
    fn clear(&mut self) {
        self.list.clear();
        self.numbers.clear();
    }

    /// Adds a position to which a play leads. Returns whether it is new.
    fn add(&mut self, state: &State, from: Option<(usize, Action)>) -> bool {
        let hash = |state: &State| FxBuildHasher.hash_one(state);
        let is_same = |number: &usize| self.list[*number].state == *state;
        let rehash = |number: &usize| hash(&self.list[*number].state);
        let hashbrown::hash_table::Entry::Vacant(entry) = self.numbers.entry(hash(state), is_same, rehash) else {
            return false;
        };
        entry.insert(self.list.len());
        self.list.push(Met { state: *state, from, chances: Vec::new() });
        true
    }
}

/// A position that occurred within one decision.
#[derive(Debug)]
struct Met {
    state: State,
    /// The position before it, and the play that led from there.
    from: Option<(usize, Action)>,
    /// The plays here with random outcomes.
    chances: Vec<(Action, Outcomes)>,
}

impl<'a> Builder<'a> {
    fn new(rules: &'a Rules, space: &'a mut Workspace, view: View, reduced: bool) -> Self {
        space.known.clear();
        Self { rules, space, view, reduced, tree: TurnTree::default(), later: None }
    }

    fn point(&mut self, start: &State) -> usize {
        if let Some(known) = self.space.known.get(start) {
            return *known;
        }
        if let Some(later) = &mut self.later {
            later.push(*start);
            self.space.known.insert(*start, later.len() - 1);
            return later.len() - 1;
        }
        let number = self.tree.points.len();
        self.tree.points.push(Point::default());
        self.space.known.insert(*start, number);
        self.tree.points[number] = if start.is_over() {
            let mut point = self.space.point();
            point.ends.push(self.won(start));
            point
        } else {
            self.filled(start)
        };
        number
    }

    /// The decision of a position in which the fight is not over.
    fn filled(&mut self, start: &State) -> Point {
        let mut point = self.space.point();
        let mut met = self.space.meetings.pop().unwrap_or_default();
        self.fill(start, &mut met, &mut point);
        met.clear();
        self.space.meetings.push(met);
        point
    }

    fn fill(&mut self, start: &State, met: &mut Meetings, point: &mut Point) {
        met.add(start, None);
        let mut unvisited = vec![0];
        let perfect = !self.rules.can_heal();
        while let Some(number) = unvisited.pop() {
            let state = met.list[number].state;
            let mut actions = std::mem::take(&mut self.space.actions);
            self.rules.actions(&state, &mut actions);
            if self.view == View::AttacksOnly {
                add_plays_without_target(&mut actions);
            }
            for action in &actions {
                if *action == Action::EndTurn {
                    self.end_turn(&state, point);
                    continue;
                }
                let mut outcomes = std::mem::take(&mut self.space.outcomes);
                self.rules.act(&state, *action, &mut outcomes);
                match outcomes.as_slice() {
                    [(_, next)] if next.is_over() => {
                        let end = self.won(next);
                        point.ends.push(end);
                        let nothing_lost = end.change == Change::none(self.rules.most_health());
                        if perfect && nothing_lost && next.potions == start.potions {
                            // Nothing is better than winning at once without a loss.
                            let won = point.ends.pop();
                            point.ends.clear();
                            point.chances.clear();
                            point.ends.extend(won);
                            (self.space.outcomes, self.space.actions) = (outcomes, actions);
                            return;
                        }
                    }
                    [(_, next)] => {
                        if met.add(next, Some((number, *action))) {
                            unvisited.push(met.list.len() - 1);
                        }
                    }
                    many => {
                        if !(self.reduced && self.could_come_sooner(&met.list, number, *action, many)) {
                            let items = many.iter().map(|(chance, next)| (*chance, self.point(next))).collect();
                            point.chances.push(items);
                        }
                        if self.reduced {
                            met.list[number].chances.push((*action, std::mem::take(&mut outcomes)));
                        }
                    }
                }
                self.space.outcomes = outcomes;
            }
            self.space.actions = actions;
        }
    }

    /// Whether a play with random outcomes could as well come before the play that led here.
    ///
    /// It could if it was possible there, if after each of its outcomes the other play is possible, and if that leads
    /// to the same positions with the same probabilities. Then playing it sooner is at least as good: the player can
    /// still make the other play, and knows more. The play with which it is compared may be left out for the same
    /// reason; at the beginning of the decision nothing is left out.
    fn could_come_sooner(&self, met: &[Met], number: usize, late: Action, outcomes: &[(Chance, State)]) -> bool {
        let Some((from, through)) = met[number].from else { return false };
        let Some((_, sooner)) = met[from].chances.iter().find(|(action, _)| *action == late) else { return false };
        let (mut actions, mut next) = (Vec::new(), Outcomes::new());
        sooner.len() == outcomes.len()
            && sooner.iter().zip(outcomes).all(|((chance, state), (late_chance, late_state))| {
                if chance != late_chance || state.is_over() {
                    return false;
                }
                self.rules.actions(state, &mut actions);
                if self.view == View::AttacksOnly {
                    add_plays_without_target(&mut actions);
                }
                if !actions.contains(&through) {
                    return false;
                }
                self.rules.act(state, through, &mut next);
                matches!(next.as_slice(), [(_, next)] if next == late_state)
            })
    }

    fn won(&self, state: &State) -> End {
        let change = if self.view == View::Whole { state.health } else { Change::none(self.rules.most_health()) };
        End { change, state: *state }
    }

    fn end_turn(&mut self, state: &State, point: &mut Point) {
        let mut ends = std::mem::take(&mut self.space.outcomes);
        self.rules.end_turn_counting(state, self.view == View::Whole, &mut ends);
        let none = Change::none(self.rules.most_health());
        let end = |state: &State| End { change: state.health, state: State { health: none, ..*state } };
        if let [(_, state)] = ends.as_slice() {
            point.ends.push(end(state));
            self.space.outcomes = ends;
            return;
        }
        if self.later.is_some() {
            // The end of the turn is a decision of its own, without other choices.
            let number = self.point(&State { ended: true, ..*state });
            point.chances.push(vec![(Chance::ONE, number)]);
            self.space.outcomes = ends;
            return;
        }
        let items = ends.iter().map(|(chance, state)| {
            let number = self.tree.points.len();
            let mut point = self.space.point();
            point.ends.push(end(state));
            self.tree.points.push(point);
            (*chance, number)
        });
        let items = items.collect();
        point.chances.push(items);
        self.space.outcomes = ends;
    }
}

/// Adds for each card that needs a target the play without one.
fn add_plays_without_target(actions: &mut Vec<Action>) {
    let wasted = actions.iter().filter_map(|action| match *action {
        Action::Play { slot, target: 0, choice } => Some(Action::Play { slot, target: NONE, choice }),
        _ => None,
    });
    let wasted: Vec<Action> = wasted.collect();
    actions.extend(wasted);
}
