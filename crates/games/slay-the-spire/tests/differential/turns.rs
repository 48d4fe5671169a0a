//! The beginning of a fight, and the course and end of turns.

use super::cards::Card;
use super::dice::Chance;
use super::fight::{Fight, Id, whole};
use super::monsters::Monster;
use super::queue::{Do, Queued};

/// The health for each point of Divider's strength.
const DIVIDER: i32 = 12;

impl Fight {
    /// The effects of relics at the start of a fight, before the first moves are rolled.
    pub fn begin_fight(&mut self) {
        for (relic, power, amount) in [
            ("akabeko", "vigor", 8),
            ("anchor", "next block", 10),
            ("bronze-scales", "thorns", 3),
            ("vajra", "strength", 1),
            ("oddly-smooth-stone", "dexterity", 1),
            ("centennial-puzzle", "puzzle", 1),
        ] {
            if self.relic(relic) {
                self.apply(power, amount, false);
            }
        }
        if self.relic("bag-of-marbles") {
            self.monsters.iter_mut().for_each(|monster| monster.apply("vulnerable", 1));
        }
        if self.relic("du-vu-doll") {
            let curses = self.draw.iter().filter(|card| card.kind() == 'C').count();
            self.apply("strength", i32::try_from(curses).unwrap(), false);
        }
        if self.relic("blood-vial") {
            self.heal(2);
        }
        self.look_at_skull();
        if let Some(Do::Power(power, amount)) = self.actions.pop_front() {
            self.apply(power, amount, false);
        }
        let (innate, rest): (Vec<Card>, Vec<Card>) = self.draw.drain(..).partition(Card::innate);
        self.known = innate.len();
        self.draw = [rest, innate].concat();
        self.counters.insert("turn", 0);
    }

    /// A monster as it is at first.
    pub fn add_monster(&mut self, kind: &'static str, hp: i32, curl_up: i32) {
        self.next_id += 1;
        let mut monster = Monster { id: self.next_id, kind, hp, max_hp: hp, ..Monster::default() };
        let shift = match self.ascension {
            ..9 => 30,
            9..19 => 35,
            _ => 40,
        };
        match kind {
            "red-louse" | "green-louse" => drop(monster.powers.insert("curl up", curl_up)),
            "sentry" => drop(monster.powers.insert("artifact", 1)),
            "the-guardian" => (monster.open, monster.threshold) = (true, shift),
            "gremlin-wizard" => monster.count = 1,
            "lagavulin" => {
                monster.block = 8;
                monster.powers.insert("asleep", 1);
            }
            _ => {}
        }
        self.monsters.push(monster);
    }

    /// The monsters choose their next moves.
    pub fn roll(&mut self, chance: &mut Chance<'_>) {
        self.monsters.retain(|monster| monster.hp > 0);
        let ascension = self.ascension;
        for (place, monster) in self.monsters.iter_mut().enumerate() {
            if monster.next.is_none() {
                let moves = monster.next_moves(ascension, place);
                let weights: Vec<u32> = moves.iter().map(|(_, weight)| *weight).collect();
                monster.next = Some(moves[chance.pick(&weights)].0);
            }
            if monster.kind.ends_with("louse") && monster.next == Some("bite") && monster.bite == 0 {
                let lowest = if ascension >= 2 { 6 } else { 5 };
                monster.bite = lowest + i32::try_from(chance.one_of(3)).unwrap();
            }
        }
    }

    /// The player's turn begins.
    pub fn start_turn(&mut self, chance: &mut Chance<'_>) {
        let turn = self.counts("turn", i32::MAX);
        self.powers.remove("flame barrier");
        self.energy = 3 + self.amount("berserk");
        (self.attacks_played, self.skills_played, self.cards_played) = (0, 0, 0);
        for (relic, when, energy) in [("lantern", 1, 1), ("ancient-tea-set", 1, 2)] {
            if self.relic(relic) && turn == when {
                self.bottom(Do::Energy(energy));
            }
        }
        if self.relic("happy-flower") && self.counts("happy-flower", 3) == 0 {
            self.bottom(Do::Energy(1));
        }
        if self.powers.remove("art of war").is_some() {
            self.bottom(Do::Energy(1));
        }
        if self.relic("horn-cleat") && turn == 2 {
            self.bottom(Do::Block(14));
        }
        if self.relic("mercury-hourglass") {
            self.bottom(Do::SearAll(3));
        }
        if let Some(block) = self.powers.remove("next block") {
            self.bottom(Do::Block(block));
        }
        let more = if turn == 1 && self.relic("bag-of-preparation") { 2 } else { 0 };
        self.bottom(Do::Draw(5 + more));
        if self.has("brutality") {
            self.bottom(Do::Draw(self.amount("brutality")));
            self.bottom(Do::LoseHp(self.amount("brutality")));
        }
        if self.has("demon form") {
            self.bottom(Do::Power("strength", self.amount("demon form")));
        }
        self.go(chance);
    }

    /// The player ends his turn; then the monsters take theirs, and the round is over.
    pub fn end_turn(&mut self, chance: &mut Chance<'_>) {
        if self.relic("orichalcum") && self.block == 0 {
            self.top(Do::Block(6));
        }
        for power in ["metallicize", "plated armor"] {
            if self.has(power) {
                self.bottom(Do::Block(self.amount(power)));
            }
        }
        let hand = i32::try_from(self.hand.len()).unwrap();
        for name in ["burn", "burn+", "decay", "doubt", "shame", "regret"] {
            for card in self.hand.iter().filter(|card| card.text() == name) {
                self.cards.push_back(Queued::Held(card.clone(), hand));
            }
        }
        self.cards.push_back(Queued::TurnEnds);
        self.go(chance);
    }

    /// A card that was held at the end of the turn.
    pub fn held(&mut self, card: Card, hand: i32) {
        self.bottom(match card.name {
            "burn" => Do::Burn(if card.upgraded { 4 } else { 2 }),
            "decay" => Do::Burn(2),
            "doubt" => Do::Inflict("weak", 1),
            "shame" => Do::Inflict("frail", 1),
            _ => Do::LoseHp(hand),
        });
        let place = self.hand.iter().position(|other| *other == card).unwrap();
        self.hand.remove(place);
        self.bottom(Do::PutAway(card, false));
    }

    pub fn turn_ends(&mut self) {
        if self.has("regeneration") {
            self.bottom(Do::Heal(self.amount("regeneration")));
            self.bottom(Do::Power("regeneration", -1));
        }
        if self.has("combust") {
            self.bottom(Do::LoseHp(self.amount("combust cost")));
            self.bottom(Do::SearAll(self.amount("combust")));
        }
        for power in std::mem::take(&mut self.losses) {
            let lost = if power == "lose strength" { "strength" } else { "dexterity" };
            let amount = self.powers.remove(power).unwrap_or(0);
            self.bottom(Do::Power(lost, -amount));
        }
        if self.has("ritual") {
            self.bottom(Do::Power("strength", self.amount("ritual")));
        }
        for power in ["entangled", "no draw", "double tap", "rage"] {
            self.powers.remove(power);
        }
        if self.relic("art-of-war") && self.attacks_played == 0 {
            self.powers.insert("art of war", 1);
        }
        self.bottom(Do::DiscardHand);
        self.bottom(Do::EndTurn);
    }

    /// Actions of the course of turns and of monsters.
    pub fn act_of_turn(&mut self, action: Do, chance: &mut Chance<'_>) {
        match action {
            Do::DiscardHand => {
                self.free.clear();
                let (ethereal, rest): (Vec<Card>, Vec<Card>) = self.hand.drain(..).partition(|card| card.is('e'));
                self.discard.extend(rest);
                for card in ethereal {
                    self.exhaust(card);
                }
            }
            Do::EndTurn => self.bottom(Do::MonstersStart),
            Do::MonstersStart => {
                self.monsters_act = true;
                self.monsters.iter_mut().for_each(|monster| monster.block = 0);
                let all = self.alive().into_iter().map(Queued::Monster);
                self.cards.extend(all.collect::<Vec<_>>());
                self.cards.push_back(Queued::EndOfRound);
            }
            Do::MonsterHit(monster, base) => self.monster_hits(monster, base),
            Do::GuardianCloses(monster) => {
                if let Some(guardian) = self.monster(monster) {
                    guardian.next = Some("defensive-mode");
                    (guardian.open, guardian.lost, guardian.threshold) = (false, 0, guardian.threshold + 10);
                    self.bottom(Do::MonsterBlock(monster, 20));
                }
            }
            Do::Own(monster, what, amount) => self.monster_does(monster, what, amount, chance),
            other => panic!("{other:?} is no action of a turn"),
        }
    }

    fn monster_hits(&mut self, id: Id, base: i32) {
        let vulnerable = match (self.has("vulnerable"), self.relic("odd-mushroom")) {
            (false, _) => 1.0,
            (true, false) => 1.5,
            (true, true) => 1.25,
        };
        let Some(monster) = self.monster(id) else { return };
        let weak = if monster.has("weak") { 0.75 } else { 1.0 };
        let damage = whole(f64::from(base + monster.amount("strength")) * weak * vulnerable);
        if self.damage_player(damage, false) && self.has("plated armor") {
            self.bottom(Do::Power("plated armor", -1));
        }
        for power in ["thorns", "flame barrier"] {
            if self.has(power) {
                self.top(Do::Sear(id, self.amount(power)));
            }
        }
    }

    /// A monster makes its move.
    pub fn takes_turn(&mut self, id: Id) {
        let (ascension, alive) = (self.ascension, self.alive().len());
        let Some(monster) = self.monster(id) else { return };
        let Some(name) = monster.next.take() else { return };
        let acts = monster.acts(name, ascension);
        monster.history.push(name);
        monster.alone = alive == 1;
        match name {
            "charging" => monster.count += 1,
            "ultimate-blast" => monster.count = 0,
            "divider" => monster.bite = 0,
            _ => {}
        }
        self.actions.extend(acts);
    }

    fn monster_does(&mut self, id: Id, what: &'static str, amount: i32, chance: &mut Chance<'_>) {
        let measured = self.hp / DIVIDER + 1;
        let others: Vec<Id> = self.alive().into_iter().filter(|other| *other != id).collect();
        let shift = self.monsters.iter().position(|monster| monster.id == id).unwrap();
        if self.monster(id).is_none() {
            return;
        }
        let monster = &mut self.monsters[shift];
        match what {
            "ritual" => monster.powers.extend([("ritual", 1), ("new ritual", 1)]),
            "sleep" => {
                monster.count += 1;
                if monster.count == 3 {
                    monster.powers.remove("asleep");
                }
            }
            "escape" => monster.hp = 0,
            "open" => {
                monster.powers.remove("sharp hide");
                (monster.open, monster.closing, monster.lost) = (true, false, 0);
            }
            "measure" => monster.bite = measured,
            "guard" => {
                let guarded = if others.is_empty() { id } else { others[chance.one_of(others.len())] };
                self.top(Do::MonsterBlock(guarded, amount));
            }
            "burn" => {
                let burn = Card::of(if monster.count > 0 { "burn+" } else { "burn" });
                (0..amount).for_each(|_| self.discard.push(burn.clone()));
            }
            "inferno" => {
                monster.count = 1;
                let burns = self.draw.iter_mut().chain(&mut self.discard).filter(|card| card.name == "burn");
                burns.for_each(|card| card.upgraded = true);
                (0..amount).for_each(|_| self.discard.push(Card::of("burn+")));
            }
            "split" => {
                let halves: [&'static str; 2] = match monster.kind {
                    "slime-boss" => ["spike-slime-l", "acid-slime-l"],
                    "acid-slime-l" => ["acid-slime-m", "acid-slime-m"],
                    _ => ["spike-slime-m", "spike-slime-m"],
                };
                let hp = monster.hp;
                let ids = [self.next_id + 1, self.next_id + 2];
                self.next_id += 2;
                let half = |(kind, id)| Monster { id, kind, hp, max_hp: hp, ..Monster::default() };
                self.monsters.splice(shift..=shift, halves.into_iter().zip(ids).map(half));
            }
            what => panic!("nobody does {what}"),
        }
    }

    pub fn end_round(&mut self) {
        let enraged = match self.ascension {
            ..2 => 3,
            2..17 => 4,
            _ => 5,
        };
        for power in ["frail", "vulnerable", "weak"] {
            if self.has(power) && !self.just_applied.contains(power) {
                *self.powers.get_mut(power).unwrap() -= 1;
            }
        }
        self.just_applied.clear();
        for monster in &mut self.monsters {
            if monster.powers.remove("new ritual").is_none() && monster.has("ritual") {
                monster.apply("strength", enraged);
            }
            if monster.has("asleep") {
                monster.block += 8;
            }
            for power in ["vulnerable", "weak"] {
                if monster.has(power) {
                    *monster.powers.get_mut(power).unwrap() -= 1;
                }
            }
        }
        self.monsters_act = false;
        self.powers.remove("flame barrier");
        self.energy = 0;
        if !self.has("barricade") {
            self.block = 0;
        }
    }

    /// A potion, by its index and at this monster.
    pub fn drink(&mut self, place: usize, target: Option<Id>, chance: &mut Chance<'_>) {
        let at = self.potions.iter().position(|(own, _)| *own == place).unwrap();
        let (_, name) = self.potions.remove(at);
        let target = target.unwrap_or(Id::MAX);
        let todo = match name.as_str() {
            "block" => vec![Do::Block(12)],
            "fire" => vec![Do::Sear(target, 20)],
            "explosive" => vec![Do::SearAll(10)],
            "strength" => vec![Do::Power("strength", 2)],
            "dexterity" => vec![Do::Power("dexterity", 2)],
            "flex" => vec![Do::Power("strength", 5), Do::Power("lose strength", 5)],
            "speed" => vec![Do::Power("dexterity", 5), Do::Power("lose dexterity", 5)],
            "energy" => vec![Do::Energy(2)],
            "swift" => vec![Do::Draw(3)],
            "fear" => vec![Do::MonsterPower(target, "vulnerable", 3)],
            "weak" => vec![Do::MonsterPower(target, "weak", 3)],
            "blood" => vec![Do::Heal(self.max_hp * 20 / 100)],
            "blessing-of-the-forge" => vec![Do::UpgradeAll],
            "ancient" => vec![Do::Power("artifact", 1)],
            "regen" => vec![Do::Power("regeneration", 5)],
            "essence-of-steel" => vec![Do::Power("plated armor", 4)],
            "liquid-bronze" => vec![Do::Power("thorns", 3)],
            "cultist" => vec![Do::Power("ritual", 1)],
            "heart-of-iron" => vec![Do::Power("metallicize", 6)],
            "fruit-juice" => {
                self.max_hp += 5;
                self.heal(5);
                Vec::new()
            }
            name => panic!("{name} is no potion"),
        };
        self.actions.extend(todo);
        if self.relic("toy-ornithopter") {
            self.bottom(Do::Heal(5));
        }
        self.go(chance);
    }
}
