//! Fights, round by round.

use dashu_int::UBig;
use gamebook::{Discipline, Fight, Leaves, Node, NodeKind};
use lone_wolf::Loss;

use crate::node::{Rules, on};
use crate::place::{Place, Rest, Situation, Stage, Turn, Weapon, rest};
use crate::sheet::Sheet;

/// `rounds` counts up to this many.
const MOST_ROUNDS: i64 = 100;

/// What both lose in a round.
struct Losses {
    hero: i64,
    enemy: i64,
}

/// A round of a fight, in which a number is picked.
struct Round<'f> {
    fight: &'f Fight,
    weapon: Option<usize>,
    enemy: usize,
    /// Counted from 1.
    number: i64,
}

/// How a round ends.
struct RoundEnd {
    losses: Losses,
    /// The hero leaves.
    leaves: bool,
    /// A number was picked that leads away.
    slips: bool,
}

impl<'b> Rules<'b> {
    /// Before a fight what strengthens the hero in it may be used, one of each: this item, then the others.
    pub fn strengthen(&self, node: &'b Node, item: usize, then: &Rest<'b>, sheet: Sheet) -> Turn<'b> {
        let no_potions = match &node.kind {
            NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => fight.no_potions,
            _ => false,
        };
        let no_potions = no_potions || sheet.get(self.no_potions) == 1;
        let item = if no_potions { self.items.len() } else { item };
        let strengthens = |item: &usize| self.book.items[*item].strengthens > 0 && sheet.get(self.items[*item]) > 0;
        let Some(item) = (item..self.items.len()).find(strengthens) else {
            let then = then.clone();
            return on(
                match &node.kind {
                    NodeKind::Fight(fight) => Place::Fight { fight, stage: Stage::Weapon, then },
                    _ => Place::OneRound { node, weapon: None, then },
                },
                sheet,
            );
        };
        let mut used = sheet.clone();
        self.lose(&mut used, item, 1);
        used.set(self.strength, sheet.get(self.strength) + i64::from(self.book.items[item].strengthens));
        let next = |sheet| Situation { place: Place::Strengthen { node, item: item + 1, then: then.clone() }, sheet };
        Turn::Asks(vec![next(sheet), next(used)])
    }

    pub fn fight(&self, fight: &'b Fight, stage: Stage, then: &Rest<'b>, sheet: Sheet) -> Turn<'b> {
        let at = |stage| Place::Fight { fight, stage, then: then.clone() };
        match stage {
            Stage::Weapon => {
                let mut sheet = sheet;
                let before = if fight.looks_back() { sheet.get(self.endurance) } else { 0 };
                self.forget_fight(&mut sheet);
                let endurance = i64::from(fight.enemies[0].endurance);
                let begin = |weapon| {
                    let stage = Stage::Round { weapon, enemy: 0, endurance, fought: 0, before };
                    Situation { place: at(stage), sheet: sheet.clone() }
                };
                Turn::Asks(self.weapons(fight, &sheet).into_iter().map(begin).collect())
            }
            Stage::Round { weapon, enemy, endurance, fought, before } => {
                let clash = |leaves| {
                    let stage = Stage::Clash { weapon, enemy, endurance, fought, before, leaves };
                    Situation { place: at(stage), sheet: sheet.clone() }
                };
                let mut answers = vec![clash(false)];
                if fight.evade.as_ref().is_some_and(|(from, _)| fought + 1 >= i64::from(*from)) {
                    answers.push(clash(true));
                }
                Turn::Asks(answers)
            }
            Stage::Clash { weapon, enemy, endurance, fought, before, leaves } => {
                let outcomes = (0..10).flat_map(|picked| {
                    let round = Round { fight, weapon, enemy, number: fought + 1 };
                    let losses = self.losses(&round, picked, &sheet);
                    let stage = Stage::Round { weapon, enemy, endurance, fought, before };
                    let slips = fight.slip.as_ref().is_some_and(|(number, _)| *number == picked);
                    let after = |hero| {
                        let end = RoundEnd { losses: Losses { hero, ..losses }, leaves, slips };
                        self.after_round(fight, &stage, &end, then, sheet.clone())
                    };
                    if fight.venom == 0 || losses.hero == 0 {
                        return vec![(UBig::from(10u8), after(losses.hero))];
                    }
                    // Another number says whether the wound is deadly.
                    vec![(UBig::from(10 - fight.venom), after(0)), (UBig::from(fight.venom), after(255))]
                });
                Turn::Chance(outcomes.collect())
            }
        }
    }

    fn forget_fight(&self, sheet: &mut Sheet) {
        sheet.set(self.rounds, 0);
        sheet.set(self.wounded, 0);
    }

    /// What the hero can fight with: a weapon if he has one that may be used.
    fn weapons(&self, fight: &Fight, sheet: &Sheet) -> Vec<Option<usize>> {
        let usable = |item: &usize| {
            fight.bare_hands < u32::MAX
                && self.book.items[*item].weapon.is_some()
                && sheet.get(self.items[*item]) > 0
                && fight.only_weapon.is_none_or(|only| only == *item)
        };
        let mut weapons: Vec<Option<usize>> = Vec::new();
        let undead = fight.enemies.iter().any(|enemy| enemy.undead);
        let does = |item: usize| {
            let doubles = self.book.items[item].weapon.as_ref().is_some_and(|weapon| weapon.doubles_undead);
            (self.with_weapon(Some(item)), doubles && undead)
        };
        // Weapons that do the same are listed once.
        for item in (0..self.items.len()).filter(usable) {
            if !weapons.iter().flatten().any(|other| does(*other) == does(item)) {
                weapons.push(Some(item));
            }
        }
        if weapons.is_empty() { vec![None] } else { weapons }
    }

    /// What a weapon adds to COMBAT SKILL.
    fn with_weapon(&self, weapon: Option<usize>) -> i64 {
        let rules = &self.book.kai;
        let Some(place) = weapon else { return rules.unarmed.into() };
        let Some(weapon) = &self.book.items[place].weapon else { return rules.unarmed.into() };
        i64::from(weapon.bonus) + if self.is_skilled(place) { rules.weaponskill.into() } else { 0 }
    }

    /// Whether he has skill with a weapon.
    pub fn is_skilled(&self, item: usize) -> bool {
        let item = &self.book.items[item];
        let counts_as = item.weapon.as_ref().map_or(&[][..], |weapon| &weapon.counts_as);
        let own = self.hero.weaponskill.as_ref().filter(|_| self.knows(Discipline::Weaponskill));
        own.is_some_and(|own| *own == item.name || counts_as.contains(own))
    }

    /// What a round costs when this number is picked.
    fn losses(&self, round: &Round<'_>, picked: u8, sheet: &Sheet) -> Losses {
        let Round { fight, weapon, enemy, number: round } = *round;
        let foe = &fight.enemies[enemy];
        let weapon = weapon.filter(|_| round > i64::from(fight.bare_hands));
        let mut ratio = i64::from(self.hero.combat_skill) + self.with_weapon(weapon) - i64::from(foe.skill);
        ratio += sheet.get(self.strength);
        if self.knows(Discipline::Mindblast) && !foe.immune_to_mindblast {
            ratio += i64::from(self.book.kai.mindblast);
        }
        for (item, name) in self.book.items.iter().zip(&self.items) {
            if sheet.get(*name) > 0 {
                ratio += i64::from(item.combat_skill);
            }
        }
        for (bonus, rounds, condition) in &fight.bonuses {
            let in_force = rounds.is_none_or(|rounds| round <= i64::from(rounds));
            if in_force && self.holds(sheet, condition) {
                ratio += i64::from(*bonus);
            }
        }
        let cell = self.book.kai.table.cell(i32::try_from(ratio).expect("small"), picked);
        let points = |loss| match loss {
            Loss::Points(points) => i64::from(points),
            Loss::Killed => 255,
        };
        let strikes_undead = weapon.and_then(|item| self.book.items[item].weapon.as_ref());
        let doubled = fight.double_damage || foe.undead && strikes_undead.is_some_and(|weapon| weapon.doubles_undead);
        let shielded = self.knows(Discipline::Mindshield) && !fight.mindforce_always;
        let spared = fight.mindforce_after.as_ref().map_or(0, |after| self.number(sheet, after).min(MOST_ROUNDS));
        let mindforce = if shielded || round <= spared { 0 } else { i64::from(fight.mindforce) };
        let untouched = round <= i64::from(fight.untouchable);
        let parries = round <= i64::from(fight.only_parry);
        Losses {
            hero: if untouched { 0 } else { (points(cell.hero) + mindforce).min(255) },
            enemy: match points(cell.enemy) * if doubled { 2 } else { 1 } + i64::from(fight.helper) {
                _ if parries => 0,
                lost => lost.min(255),
            },
        }
    }

    /// A round is over.
    fn after_round(
        &self,
        fight: &'b Fight,
        stage: &Stage,
        RoundEnd { losses, leaves, slips }: &RoundEnd,
        then: &Rest<'b>,
        mut sheet: Sheet,
    ) -> Situation<'b> {
        let Stage::Round { weapon, enemy, endurance, fought, before } = *stage else {
            unreachable!("a round is fought in a round")
        };
        let hero = (sheet.get(self.endurance) - losses.hero).max(0);
        sheet.set(self.endurance, hero);
        // No number of rounds that a book can name is larger.
        let fought = (fought + 1).min(MOST_ROUNDS + 1);
        sheet.set(self.rounds, fought.min(MOST_ROUNDS));
        if losses.hero > 0 {
            sheet.set(self.wounded, 1);
        }
        if hero == 0 {
            return self.beaten(fight, before, then, sheet);
        }
        let stay_hurt = |body: &'b [Node], sheet| self.fight_over(fight, before, rest(body, then), sheet);
        if let Some((_, body)) = fight.slip.as_ref().filter(|_| *slips) {
            return stay_hurt(body, sheet);
        }
        let halfway = |mut sheet: Sheet| {
            if fight.returns_half {
                let lost = before - sheet.get(self.endurance);
                sheet.set(self.endurance, before - (lost - lost / 2));
            }
            sheet
        };
        if let Some((_, body)) = fight.evade.as_ref().filter(|_| *leaves) {
            return stay_hurt(body, halfway(sheet));
        }
        let left = (endurance - losses.enemy).max(0);
        if left == 0 && enemy + 1 == fight.enemies.len() {
            return self.fight_over(fight, before, then.clone(), halfway(sheet));
        }
        if let Some(body) = fight.first_wound.as_ref().filter(|_| losses.hero > 0) {
            return stay_hurt(body, sheet);
        }
        if let Some((_, body)) = fight.stop.as_ref().filter(|(after, _)| fought >= i64::from(*after)) {
            return stay_hurt(body, sheet);
        }
        let (enemy, endurance) =
            if left == 0 { (enemy + 1, fight.enemies[enemy + 1].endurance.into()) } else { (enemy, left) };
        let stage = Stage::Round { weapon, enemy, endurance, fought, before };
        Situation { place: Place::Fight { fight, stage, then: then.clone() }, sheet }
    }

    /// The fight is over and the hero stands: after a mock fight he has his ENDURANCE back, after another he may use
    /// what heals.
    fn fight_over(&self, fight: &Fight, before: i64, then: Rest<'b>, mut sheet: Sheet) -> Situation<'b> {
        if fight.mock.is_some() {
            sheet.set(self.endurance, before);
            return Situation { place: Place::At(then), sheet };
        }
        sheet.set(self.combat, 1);
        Situation { place: Place::Use { after_combat: true, then }, sheet }
    }

    /// The hero has no ENDURANCE left.
    fn beaten(&self, fight: &'b Fight, before: i64, then: &Rest<'b>, mut sheet: Sheet) -> Situation<'b> {
        let body = match (&fight.mock, &fight.defeat) {
            (Some(body), _) => {
                sheet.set(self.endurance, before);
                rest(body, then)
            }
            (None, Some((leaves, body))) => {
                let left = match leaves {
                    Leaves::Points(points) => i64::from(*points).min(self.max_endurance(&sheet)),
                    Leaves::Half => (before / 2).max(1),
                };
                sheet.set(self.endurance, left);
                rest(body, then)
            }
            // Dead: there is nothing left to run through.
            (None, None) => None,
        };
        Situation { place: Place::At(body), sheet }
    }

    pub fn one_round(&self, node: &'b Node, weapon: Option<Weapon>, then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        let NodeKind::OneRound { fight, worse, equal, better } = &node.kind else { return Turn::Lost };
        let Some(Weapon(weapon)) = weapon else {
            let mut sheet = sheet.clone();
            self.forget_fight(&mut sheet);
            let begin = |weapon| Situation {
                place: Place::OneRound { node, weapon: Some(Weapon(weapon)), then: then.clone() },
                sheet: sheet.clone(),
            };
            return Turn::Asks(self.weapons(fight, &sheet).into_iter().map(begin).collect());
        };
        let outcomes = (0..10).map(|picked| {
            let losses = self.losses(&Round { fight, weapon, enemy: 0, number: 1 }, picked, sheet);
            let mut sheet = sheet.clone();
            let hero = (sheet.get(self.endurance) - losses.hero).max(0);
            sheet.set(self.endurance, hero);
            sheet.set(self.rounds, 1);
            sheet.set(self.wounded, i64::from(losses.hero > 0));
            let body = match losses.hero.cmp(&losses.enemy) {
                std::cmp::Ordering::Greater => worse,
                std::cmp::Ordering::Equal => equal,
                std::cmp::Ordering::Less => better,
            };
            let place = Place::At(if hero == 0 { None } else { rest(body, then) });
            (UBig::ONE, Situation { place, sheet })
        });
        Turn::Chance(outcomes.collect())
    }
}
