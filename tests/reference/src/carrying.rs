//! What the hero carries: getting, losing, buying and selling.

use dashu_int::UBig;
use gamebook::{Kind, Number, Thing, Trade};

use crate::node::{Rules, on};
use crate::place::{Place, Rest, Situation, Turn};
use crate::sheet::Sheet;

impl<'b> Rules<'b> {
    /// How many items of a kind he has.
    pub fn of_kind(&self, sheet: &Sheet, kind: Kind) -> i64 {
        self.all_of(kind).map(|item| sheet.get(self.items[item])).sum()
    }

    fn all_of(&self, kind: Kind) -> impl Iterator<Item = usize> {
        (0..self.items.len()).filter(move |item| self.book.items[*item].kind == kind)
    }

    /// Free places for a kind of item.
    pub fn room(&self, sheet: &Sheet, kind: Kind) -> i64 {
        match kind {
            Kind::Weapon => (i64::from(self.book.kai.most_weapons) - self.of_kind(sheet, kind)).max(0),
            Kind::Backpack => (self.places(sheet) - self.filled(sheet)).max(0),
            Kind::Special | Kind::Permanent | Kind::Container => i64::MAX,
        }
    }

    /// The places that backpack items take.
    fn filled(&self, sheet: &Sheet) -> i64 {
        let places = |item: usize| sheet.get(self.items[item]) * i64::from(self.book.items[item].places);
        self.all_of(Kind::Backpack).map(places).sum()
    }

    /// Places for backpack items.
    fn places(&self, sheet: &Sheet) -> i64 {
        let mut containers = self.all_of(Kind::Container);
        match containers.next() {
            None => self.book.kai.backpack.into(),
            Some(item) if sheet.get(self.items[item]) > 0 => i64::from(self.book.items[item].holds),
            Some(_) => 0,
        }
    }

    /// How many more of an item he can have.
    fn can_have(&self, sheet: &Sheet, item: usize) -> i64 {
        let kind = self.book.items[item].kind;
        match kind {
            Kind::Special | Kind::Permanent | Kind::Container => 1 - sheet.get(self.items[item]),
            Kind::Weapon => self.room(sheet, kind),
            Kind::Backpack => {
                let own = &self.book.items[item];
                let places = self.room(sheet, kind) / i64::from(own.places);
                places.min(i64::from(own.most) - sheet.get(self.items[item]))
            }
        }
    }

    /// Gets items for which there is room; what is put on adds to ENDURANCE.
    pub fn get(&self, sheet: &mut Sheet, item: usize, count: i64) {
        let before = sheet.get(self.items[item]);
        let count = count.min(self.can_have(sheet, item));
        if count <= 0 {
            return;
        }
        sheet.set(self.items[item], before + count);
        if before == 0 {
            let more = i64::from(self.book.items[item].endurance);
            sheet.set(self.endurance, sheet.get(self.endurance) + more);
        }
    }

    /// Loses items; what they held and what they gave goes with them.
    pub fn lose(&self, sheet: &mut Sheet, item: usize, count: i64) {
        let has = sheet.get(self.items[item]);
        if count <= 0 || has == 0 {
            return;
        }
        sheet.set(self.items[item], (has - count.min(has)).max(0));
        if self.book.items[item].kind == Kind::Container && sheet.get(self.items[item]) == 0 {
            for other in self.all_of(Kind::Backpack) {
                sheet.set(self.items[other], 0);
            }
        }
        sheet.set(self.endurance, sheet.get(self.endurance).min(self.max_endurance(sheet)));
    }

    /// The sheets without one item of a kind.
    fn without_one(&self, sheet: &Sheet, kind: Kind) -> Vec<(usize, Sheet)> {
        let carried = self.all_of(kind).filter(|item| sheet.get(self.items[*item]) > 0);
        carried
            .map(|item| {
                let mut less = sheet.clone();
                self.lose(&mut less, item, 1);
                (item, less)
            })
            .collect()
    }

    pub fn take(
        &self,
        here: Option<(Thing, i64)>,
        lines: &'b [(Thing, Number)],
        left: Option<i64>,
        then: &Rest<'b>,
        sheet: &Sheet,
    ) -> Turn<'b> {
        let Some((thing, count)) = here else {
            let Some(((thing, count), lines)) = lines.split_first() else {
                return on(Place::At(then.clone()), sheet.clone());
            };
            let here = Some((*thing, self.number(sheet, count)));
            return on(Place::Take { here, lines, left, then: then.clone() }, sheet.clone());
        };
        let offered = left.map_or(count, |left| count.min(left)).max(0);
        let most = match thing {
            Thing::Gold => offered.min(self.most_gold() - sheet.get(self.gold)),
            Thing::Item(item) => offered.min(self.can_have(sheet, item)),
        };
        // As they are listed: most of it first.
        let mut answers: Vec<Situation<'b>> = (0..=most)
            .rev()
            .map(|taken| {
                let mut sheet = sheet.clone();
                match thing {
                    Thing::Gold => self.add_gold(&mut sheet, taken),
                    Thing::Item(item) => self.get(&mut sheet, item, taken),
                }
                let left = left.map(|left| left - taken);
                Situation { place: Place::Take { here: None, lines, left, then: then.clone() }, sheet }
            })
            .collect();
        if let Thing::Item(item) = thing
            && offered > 0
            && matches!(self.book.items[item].kind, Kind::Weapon | Kind::Backpack)
        {
            // Something may be dropped for it.
            let others = self.without_one(sheet, self.book.items[item].kind);
            let place = Place::Take { here, lines, left, then: then.clone() };
            answers.extend(others.into_iter().map(|(_, sheet)| Situation { place: place.clone(), sheet }));
        }
        Turn::Asks(answers)
    }

    pub fn give_up(&self, kind: Kind, left: i64, by_chance: bool, then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        if left == 0 || self.of_kind(sheet, kind) == 0 {
            return on(Place::At(then.clone()), sheet.clone());
        }
        let place = Place::GiveUp { kind, left: left - 1, by_chance, then: then.clone() };
        let lost = self.without_one(sheet, kind);
        let next = |own: Sheet| Situation { place: place.clone(), sheet: own };
        if by_chance {
            let units = |item: usize| UBig::try_from(sheet.get(self.items[item])).unwrap_or(UBig::ZERO);
            return Turn::Chance(lost.into_iter().map(|(item, own)| (units(item), next(own))).collect());
        }
        Turn::Asks(lost.into_iter().map(|(_, own)| next(own)).collect())
    }

    /// First he sells, then he buys, in each as he likes. While he buys he may drop what takes the place of what he
    /// can pay for.
    pub fn shop(&self, trades: &'b [Trade], buying: bool, used: &[i64], then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        let place = |buying, used: &[i64]| Place::Shop { trades, buying, used: used.to_vec(), then: then.clone() };
        let done = if buying { Place::At(then.clone()) } else { place(true, used) };
        let mut answers = vec![Situation { place: done, sheet: sheet.clone() }];
        let mut dropping = Vec::new();
        for (line, trade) in trades.iter().enumerate().filter(|(_, trade)| trade.buy == buying) {
            if trade.at_most.is_some_and(|most| used[line] >= i64::from(most)) {
                continue;
            }
            let price = i64::from(trade.price);
            let kind = self.book.items[trade.item].kind;
            let mut own = sheet.clone();
            if buying {
                if sheet.get(self.gold) < price {
                    continue;
                }
                if matches!(kind, Kind::Weapon | Kind::Backpack) && !dropping.contains(&kind) {
                    dropping.push(kind);
                }
                if self.can_have(sheet, trade.item) <= 0 {
                    continue;
                }
                self.add_gold(&mut own, -price);
                self.get(&mut own, trade.item, 1);
            } else {
                if sheet.get(self.items[trade.item]) == 0 {
                    continue;
                }
                self.lose(&mut own, trade.item, 1);
                self.add_gold(&mut own, price);
            }
            let mut used = used.to_vec();
            if trade.at_most.is_some() {
                used[line] += 1;
            }
            answers.push(Situation { place: place(buying, &used), sheet: own });
        }
        dropping.sort_by_key(|kind| *kind != Kind::Weapon);
        for kind in dropping {
            let less = self.without_one(sheet, kind).into_iter();
            answers.extend(less.map(|(_, sheet)| Situation { place: place(buying, used), sheet }));
        }
        Turn::Asks(answers)
    }
}
