use std::fmt::Write;

use super::coordinates::GAP;
use super::*;

/// A book of these ways; section 1 is the first.
fn book(sections: SectionNumber, ways: &[(SectionNumber, SectionNumber)]) -> Book {
    let mut text = String::from("book \"B\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 1\n");
    text.push_str("hero { combat-skill 15; endurance 25; }\n");
    for section in 1..=sections {
        let choices = ways.iter().filter(|(from, _)| *from == section);
        let choices: Vec<String> = choices.map(|(_, to)| format!("choice x{to} {{ goto {to}; }}; ")).collect();
        let body = if choices.is_empty() { "death x;".into() } else { choices.concat() };
        let _ = writeln!(text, "section {section} {{ {body} }}");
    }
    crate::read(&text).expect("a book").0
}

/// Nothing overlaps, everything is on the paper, and ways lead from box to box, downwards but for those that lead back.
fn check(layout: &Layout) {
    let boxes: Vec<&SectionPosition> = layout.places.values().collect();
    for (number, one) in boxes.iter().enumerate() {
        assert!(one.x >= BOX.0 / 2.0 && one.x <= layout.width - BOX.0 / 2.0, "{one:?}");
        assert!(one.y >= BOX.1 / 2.0 && one.y <= layout.height - BOX.1 / 2.0, "{one:?}");
        for other in &boxes[..number] {
            assert!(one.layer != other.layer || (one.x - other.x).abs() >= BOX.0 + GAP - 1e-6, "{one:?} {other:?}");
        }
    }
    for way in layout.ways.iter().filter(|way| way.from != way.to) {
        let (from, to) = (layout.places[&way.from], layout.places[&way.to]);
        assert_eq!(way.back, from.layer > to.layer, "{way:?}");
        let (first, last) = (way.points[0], way.points[way.points.len() - 1]);
        for ((x, y), place) in [(first, from), (last, to)] {
            assert!((x - place.x).abs() <= BOX.0 / 2.0 && (y - place.y).abs() == BOX.1 / 2.0, "{way:?}");
        }
        let down = |pair: &[(f64, f64)]| (pair[1].1 > pair[0].1) != way.back;
        assert!(way.points.windows(2).all(down), "{way:?}");
        // No way runs through a box.
        for pair in way.points[1..way.points.len() - 1].chunks(2) {
            for place in &boxes {
                let beside = (pair[0].0 - place.x).abs() >= BOX.0 / 2.0;
                assert!(beside || (pair[0].1 - place.y).abs() > BOX.1, "{way:?} {place:?}");
            }
        }
    }
}

#[test]
fn loops_and_islands() {
    let ways = [(1, 2), (2, 3), (3, 1), (3, 3), (2, 1), (4, 5), (5, 4), (1, 6), (6, 3)];
    let drawn = layout(&book(7, &ways), 1);
    check(&drawn);
    assert_eq!((drawn.places.len(), drawn.ways.len()), (7, ways.len()));
    let back: Vec<(SectionNumber, SectionNumber)> =
        drawn.ways.iter().filter(|way| way.back).map(|way| (way.from, way.to)).collect();
    assert_eq!(back, [(2, 1), (3, 1), (3, 3), (5, 4)]);
    assert!(drawn.ways.iter().all(|way| way.path().starts_with('M')));
    check(&layout(&book(7, &ways), 5));
    check(&layout(&book(1, &[]), 1));
}

#[test]
fn sections_come_after_those_that_lead_to_them() {
    // Section 5 leads to 4 only, so it stands just above it, and nothing crosses.
    let drawn = layout(&book(5, &[(1, 2), (2, 3), (3, 4), (1, 4), (5, 4)]), 1);
    check(&drawn);
    let layers: Vec<usize> = drawn.places.values().map(|place| place.layer).collect();
    assert_eq!(layers, [0, 1, 2, 3, 2]);
}

#[test]
fn trees_are_drawn_without_crossings() {
    // Three ways from each section, numbered so that they stand crosswise at first.
    let section = |place: SectionNumber| if place == 0 { 1 } else { 2 + place * 53 % 120 };
    let ways: Vec<(SectionNumber, SectionNumber)> =
        (1..=120).map(|place| (section((place - 1) / 3), section(place))).collect();
    let book = book(121, &ways);
    let drawn = layout(&book, 1);
    check(&drawn);
    for one in &drawn.ways {
        for other in &drawn.ways {
            let ends = |way: &MapLink| (way.points[0], way.points[way.points.len() - 1]);
            let ((a, b), (c, d)) = (ends(one), ends(other));
            let single = one.points.len() == 2 && other.points.len() == 2;
            assert!(!single || a.1 != c.1 || (a.0 - c.0) * (b.0 - d.0) >= 0.0, "{one:?} crosses {other:?}");
        }
    }
}

#[test]
fn huge_books_are_drawn_in_time() {
    // A chain of which every section also leads to the last: millions of layers crossed.
    let ways: Vec<(SectionNumber, SectionNumber)> =
        (1..3_000).flat_map(|from| [(from, from + 1), (from, 3_000)]).collect();
    let ways: Vec<(SectionNumber, SectionNumber)> = ways.into_iter().filter(|way| *way != (2_999, 3_000)).collect();
    let drawn = layout(&book(3_000, &ways), 1);
    assert_eq!(drawn.places[&2_999].layer, 2_998);
    assert!(drawn.width.is_finite() && drawn.width < 100_000.0, "{}", drawn.width);
}
