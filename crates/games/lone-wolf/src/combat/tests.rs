use super::*;

/// The published table, copied as text: rows by the picked number 1 to 9, then 0.
const PUBLISHED: [&str; 13] = [
    "0/k 0/k 0/8 0/8 1/7 2/6 3/5 4/4 5/3 6/0",
    "0/k 0/8 0/7 1/7 2/6 3/6 4/5 5/4 6/3 7/0",
    "0/8 0/7 1/6 2/6 3/5 4/5 5/4 6/3 7/2 8/0",
    "0/6 1/6 2/5 3/5 4/4 5/4 6/3 7/2 8/0 9/0",
    "1/6 2/5 3/5 4/4 5/4 6/3 7/2 8/1 9/0 10/0",
    "2/5 3/5 4/4 5/4 6/3 7/2 8/2 9/1 10/0 11/0",
    "3/5 4/4 5/4 6/3 7/2 8/2 9/1 10/0 11/0 12/0",
    "4/5 5/4 6/3 7/3 8/2 9/2 10/1 11/0 12/0 14/0",
    "5/4 6/3 7/3 8/2 9/2 10/2 11/1 12/0 14/0 16/0",
    "6/4 7/3 8/3 9/2 10/2 11/1 12/0 14/0 16/0 18/0",
    "7/4 8/3 9/2 10/2 11/2 12/1 14/0 16/0 18/0 k/0",
    "8/3 9/3 10/2 11/2 12/2 14/1 16/0 18/0 k/0 k/0",
    "9/3 10/2 11/2 12/2 14/1 16/1 18/0 k/0 k/0 k/0",
];

#[test]
fn the_published_table() {
    for (column, cells) in (-6..=6).zip(PUBLISHED) {
        let cells: Vec<Cell> = cells.split(' ').map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells.len(), 10);
        let ratio = column * 2;
        for (pick, cell) in [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].into_iter().zip(cells) {
            assert_eq!(CombatTable::standard().cell(ratio, pick), cell, "ratio {ratio}, picked {pick}");
        }
    }
}

#[test]
fn columns_of_the_books() {
    let columns = |rule: ColumnRule| (-13..=13).map(|ratio| rule.column(ratio)).collect::<Vec<_>>();
    #[rustfmt::skip]
    assert_eq!(columns(ColumnRule::Standard), [
        -6, -6, -6, -5, -5, -4, -4, -3, -3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6,
    ]);
    #[rustfmt::skip]
    assert_eq!(columns(ColumnRule::FloorHalf), [
        -6, -6, -6, -5, -5, -4, -4, -3, -3, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6,
    ]);
    for rule in [ColumnRule::Standard, ColumnRule::FloorHalf] {
        assert_eq!((rule.column(i32::MIN), rule.column(i32::MAX)), (-6, 6));
    }
}

#[test]
fn cells_from_text() {
    assert_eq!("12/3".parse(), Ok(Cell { enemy: Loss::Points(12), hero: Loss::Points(3) }));
    assert_eq!("K/0".parse(), Ok(Cell { enemy: Loss::Killed, hero: Loss::Points(0) }));
    for wrong in ["", "/", "3", "3/", "/3", "+3/4", "-3/4", "3/4/5", " 3/4", "256/0", "x/y", "kk/0", "3/\u{0663}"] {
        assert!(wrong.parse::<Cell>().is_err(), "{wrong}");
    }
    let long = "9".repeat(4000).parse::<Cell>().unwrap_err().to_string();
    assert!(long.len() < 200, "{long}");
}

#[test]
fn losses_saturate() {
    let cell = |text: &str| text.parse::<Cell>().unwrap();
    let table = CombatTable::new(ColumnRule::Standard, [[cell("200/254"); 13]; 10]);
    let doubled = Conditions { mindforce: 9, double_damage: true, ..Conditions::default() };
    assert_eq!(doubled.round(&table, 1)[0], Losses { hero: 255, enemy: 255 });
    let extreme = TimedBonus { rounds: u32::MAX, bonus: i32::MIN };
    let extreme = Conditions { ratio: i32::MIN, bonuses: vec![extreme; 2], ..Conditions::default() };
    assert_eq!(extreme.round(CombatTable::standard(), u32::MAX)[1], Losses { hero: 255, enemy: 0 });
}

#[test]
fn conditions_become_steady() {
    let timed = |rounds| TimedBonus { rounds, bonus: 2 };
    let fight = |bonuses, untouchable| Conditions { bonuses, untouchable, ..Conditions::default() };
    assert_eq!(fight(vec![], 0).steady_from(), 1);
    assert_eq!(fight(vec![], u32::MAX).steady_from(), 1);
    assert_eq!(fight(vec![timed(3), timed(1)], 2).steady_from(), 4);
    assert_eq!(fight(vec![timed(u32::MAX)], 2).steady_from(), 3);
    assert_eq!(fight(vec![timed(u32::MAX - 1)], u32::MAX).steady_from(), u32::MAX);
}
