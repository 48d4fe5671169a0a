//! `bestplay gamebook heroes`.

use std::fs;
#[cfg(feature = "sqlite")]
use std::process::{Command, Stdio};
#[cfg(feature = "sqlite")]
use std::time::{Duration, Instant};

use gamebook::DISCIPLINES;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use solved_table::{Roster, read_csv};

use crate::common::{command, json, stdout};

const HEROES: &str = "gamebook heroes";
const CAVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/heroes/cave.kdl");
const KEEP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/heroes/keep.kdl");

/// The lines of a CSV file without quotes, split.
fn fields(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_each_hero_wins_as_often_as_when_he_is_solved_alone() {
    let chosen = "--vary combat-skill=12,17 --vary endurance=20..29/9 --vary gold=4,7 --exact";
    let answer = json(HEROES, &format!("{KEEP} {chosen}"));
    let heroes = answer["heroes"].as_array().unwrap();
    // Two of ten disciplines.
    assert_eq!(heroes.len(), 45 * 8);
    for hero in heroes.iter().step_by(29) {
        let text = |name: &str| hero[name].as_str().unwrap().replace(' ', ",");
        let arguments = format!(
            "{KEEP} --combat-skill {} --endurance {} --gold {} --disciplines {} --items {} --exact",
            hero["combat_skill"],
            hero["endurance"],
            hero["gold"],
            text("disciplines"),
            text("items")
        );
        let alone = json("gamebook solve", &arguments);
        assert_eq!(hero["exact"], alone["win"]["exact"], "{hero}");
        let (lower, upper) = (hero["lower"].as_f64().unwrap(), hero["upper"].as_f64().unwrap());
        let win = alone["win"]["decimal"].as_f64().unwrap();
        assert!(lower <= win && win <= upper, "{hero}: {win}");
    }
}

/// The page of a table reads the table from its file, and shows the same of all heroes as the command.
#[test]
fn a_table_that_is_read_again_has_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("heroes.csv");
    let chosen = "--vary combat-skill=10..19/3 --vary endurance=20..29/3 --disciplines hunting,healing \
                  --disciplines weaponskill=axe,mindblast --items shield --items axe,potion";
    let output_text = stdout(HEROES, &format!("{KEEP} {chosen} --csv {}", csv.display()));
    let table = read_csv(&fs::read_to_string(&csv).unwrap()).unwrap();
    // All rolls are as likely as the others.
    let roster = Roster::of_table("heroes", &table, |_, _| None);
    assert!(output_text.contains(&format!("Mean over all heroes  {:.3} %", 100.0 * roster.mean())), "{output_text}");
    let best = &roster.groups()[0];
    let name = &roster.groups[best.group];
    let line = output_text.lines().skip_while(|line| !line.starts_with("The best over all rolls")).nth(1).unwrap();
    assert!(
        line.starts_with(&format!("{:>8.3} % {:>4} ", 100.0 * best.win, best.best_for)) && line.ends_with(name),
        "{line}: {name}"
    );
    let columns = [("disciplines", table.names(2)), ("items", table.names(5))];
    let named = columns.iter().flat_map(|(column, names)| roster.gains(column, names.iter().map(String::as_str)));
    let gains: Vec<_> = named.chain(roster.points()).collect();
    assert!(gains.len() >= 8, "{gains:?}");
    for own in gains {
        let line = output_text
            .lines()
            .find(|line| line.ends_with(&format!("  {}", own.what.replace("combat_skill", "combat-skill"))));
        let line = line.unwrap_or_else(|| panic!("{} is not in {output_text}", own.what));
        assert!(line.starts_with(&format!("{:>+9.3} %", 100.0 * own.gain)), "{line}: {own:?}");
    }
}

#[test]
fn bounds_hold_what_is_exact() {
    let chosen = "--vary combat-skill=10..19/3 --vary endurance=20..29/3 --disciplines hunting,healing \
                  --disciplines weaponskill=axe,mindblast --items shield --items axe,potion";
    let (near, exact) = (json(HEROES, &format!("{KEEP} {chosen}")), json(HEROES, &format!("{KEEP} {chosen} --exact")));
    let (near, exact) = (near["heroes"].as_array().unwrap(), exact["heroes"].as_array().unwrap());
    assert_eq!((near.len(), exact.len()), (64, 64));
    for (near, exact) in near.iter().zip(exact) {
        assert_eq!(near["disciplines"], exact["disciplines"]);
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let win = number(exact, "win");
        assert!(number(near, "lower") <= win && win <= number(near, "upper"), "{near} {exact}");
        assert!(number(near, "upper") - number(near, "lower") < 1e-10, "{near}");
    }
}

/// Heroes of a book drawn at random, so many disciplines each: their bounds in the table hold what `solve --exact` finds.
fn random_entries_hold_what_is_exact(book: &str, learns: usize, weapon: &str, count: u32) {
    let mut dice = StdRng::seed_from_u64(17);
    for _ in 0..count {
        let mut names: Vec<&str> = DISCIPLINES.iter().map(|(_, name)| *name).collect();
        names.shuffle(&mut dice);
        let armed = |name: &&str| if *name == "weaponskill" { format!("{name}={weapon}") } else { (*name).to_string() };
        let set: Vec<String> = names[..learns].iter().map(armed).collect();
        let (set, skill, endurance) = (set.join(","), dice.random_range(10..=19), dice.random_range(20..=29));
        let chosen = format!("--disciplines {set} --vary combat-skill={skill} --vary endurance={endurance}");
        let table = json(HEROES, &format!("{book} {chosen}"));
        let hero = &table["heroes"][0];
        let figures = format!("--disciplines {set} --combat-skill {skill} --endurance {endurance}");
        let alone = json("gamebook solve", &format!("{book} {figures} --exact"));
        let exact: mdp::Rational = alone["win"]["exact"].as_str().expect("a fraction").parse().expect("a fraction");
        let bound = |name: &str| mdp::exactly(hero[name].as_f64().expect("a number")).expect("it is finite");
        assert!(bound("lower") <= exact && exact <= bound("upper"), "{figures}: {hero} {exact}");
        assert!(bound("upper") - bound("lower") < mdp::ratio(1, 1_000_000), "{figures}: {hero}");
    }
}

#[test]
fn random_entries_of_a_small_book_hold_what_is_exact() {
    random_entries_hold_what_is_exact(KEEP, 2, "axe", 12);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_random_entries_of_a_whole_book_hold_what_is_exact() {
    random_entries_hold_what_is_exact("fire-on-the-water", 5, "short-sword", 50);
}

#[test]
fn the_same_is_shown_in_every_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, svg) = (folder.path().join("heroes.csv"), folder.path().join("heroes.svg"));
    let chosen = format!("{KEEP} --vary combat-skill=12..18/3 --vary endurance=20,29 --disciplines tracking,hunting");
    let text = stdout(HEROES, &format!("{chosen} --csv {} --svg {} --threads 1", csv.display(), svg.display()));
    assert!(text.starts_with("The Keep, from section 1: 6 heroes\n"), "{text}");
    let written = fs::read_to_string(&csv).expect("a file");
    let lines = fields(&written);
    let heads = "combat_skill,endurance,disciplines,weaponskill,gold,items,win,lower,upper";
    assert_eq!(lines[0].join(","), heads);
    let answer = json(HEROES, &chosen);
    let heroes = answer["heroes"].as_array().unwrap();
    assert_eq!(lines.len(), 1 + heroes.len());
    for (line, hero) in lines[1..].iter().zip(heroes) {
        for (name, field) in lines[0].iter().zip(line) {
            match &hero[name] {
                Value::String(names) => assert_eq!(names, field),
                number => {
                    let own: f64 = field.parse().expect("a number");
                    assert!((number.as_f64().expect("a number") - own).abs() < 1e-15, "{name}");
                }
            }
        }
    }
    let picture = fs::read_to_string(&svg).expect("a file");
    assert_eq!(picture.matches("<rect").count(), 6);
    assert!(quick_xml::Reader::from_str(&picture).read_event().is_ok());
}

#[test]
fn heroes_of_a_system_of_rules_are_shown_by_their_stats() {
    let chosen = format!("{CAVE} --vary skill=7..12/2 --vary luck=7,12");
    let answer = json(HEROES, &chosen);
    let heroes = answer["heroes"].as_array().unwrap();
    assert_eq!(answer["columns"].to_string(), r#"["skill","stamina","luck","win","lower","upper"]"#);
    // STAMINA is rolled: 14 to 24.
    assert_eq!(heroes.len(), 3 * 11 * 2);
    for hero in heroes.iter().step_by(7) {
        let values = format!("skill={},stamina={},luck={}", hero["skill"], hero["stamina"], hero["luck"]);
        let alone = json("gamebook solve", &format!("{CAVE} --hero {values}"));
        assert_eq!(hero["win"].as_f64(), alone["win"]["decimal"].as_f64(), "{hero}");
    }
}

#[cfg(feature = "sqlite")]
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_killed_ten_times_the_table_is_the_same() {
    let chosen = "--vary combat-skill=10..19/3 --vary endurance=20,25,29";
    let began = Instant::now();
    let whole = json(HEROES, &format!("{KEEP} {chosen}"));
    let took = began.elapsed();
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("heroes.sqlite");
    let mut killed = 0;
    for turn in 1..=10u32 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bestplay"))
            .args(["gamebook", "heroes", KEEP, "--state"])
            .arg(&state)
            .args(chosen.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Moments that are as good as random.
        std::thread::sleep(took.mul_f64(f64::from(turn * 7 % 11) / 40.0) + Duration::from_millis(turn.into()));
        killed += u32::from(child.try_wait().expect("it is our child").is_none());
        child.kill().expect("it is our child, or has ended");
        child.wait().expect("it is our child");
    }
    assert!(killed > 0, "it always ended before it was killed");
    let arguments = format!("{KEEP} {chosen} --state {}", state.display());
    assert_eq!(json(HEROES, &arguments), whole);
    // The whole table is there now, and some heroes are requested: they are shown as they were found, with the others.
    let few = json(HEROES, &format!("{KEEP} --vary combat-skill=13 --vary endurance=25 --state {}", state.display()));
    let own = |hero: &&Value| hero["combat_skill"] == 13 && hero["endurance"] == 25;
    let of_whole: Vec<&Value> = whole["heroes"].as_array().unwrap().iter().filter(own).collect();
    assert_eq!(few["heroes"].as_array().unwrap().iter().collect::<Vec<_>>(), of_whole);
    // Who is solved with fewer others has the same odds, but for the last digits.
    let fresh = json(HEROES, &format!("{KEEP} --vary combat-skill=13 --vary endurance=25"));
    for (own, other) in few["heroes"].as_array().unwrap().iter().zip(fresh["heroes"].as_array().unwrap()) {
        assert_eq!(own["disciplines"], other["disciplines"]);
        let bound = |hero: &Value, name: &str| hero[name].as_f64().expect("a number");
        assert!(bound(own, "lower") <= bound(other, "upper") && bound(other, "lower") <= bound(own, "upper"), "{own}");
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn a_state_of_something_else_or_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("heroes.sqlite");
    let chosen = "--vary combat-skill=15 --vary endurance=25";
    let with = |more: &str| format!("{KEEP} {chosen} --state {} {more}", state.display());
    stdout(HEROES, &with(""));
    let refused = |arguments: &str, words: &str| {
        let output = command(HEROES, arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{stderr}");
    };
    refused(&with("--exact"), "another question");
    refused(&with("--goal 7"), "another question");
    let other = folder.path().join("keep.kdl");
    fs::write(&other, fs::read_to_string(KEEP).unwrap().replace("skill=17", "skill=18")).unwrap();
    refused(&with("").replace(KEEP, &other.display().to_string()), "about the book");
    // Every page damaged in turn, and the end of it missing.
    let whole = fs::read(&state).expect("a file");
    for at in (0..whole.len()).step_by(997) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        fs::write(&state, &bytes).unwrap();
        let output = command(HEROES, &with("--format json")).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            // What was changed is nothing that is looked at.
            Some(0) => assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                stdout(HEROES, &format!("{KEEP} {chosen} --format json"))
            ),
            Some(1 | 2) => {
                assert!(stderr.contains("cannot be used") || stderr.contains("cannot write"), "{at}: {stderr}");
            }
            code => panic!("{at}: {code:?} {stderr}"),
        }
    }
    fs::write(&state, &whole[..whole.len() - 600]).unwrap();
    refused(&with(""), "damaged");
    fs::write(&state, "heroes,\n").unwrap();
    refused(&with(""), "no SQLite file");
}

#[test]
fn heroes_who_cannot_be_are_refused() {
    for (arguments, words) in [
        ("--vary strength=3", "combat-skill, endurance and gold"),
        ("--vary combat-skill=30", "a hero has 10 to 19"),
        ("--vary endurance", "no `=`"),
        ("--vary endurance=9..1", "no values"),
        ("--vary endurance=400", "so much or so little"),
        ("--disciplines juggling", "no discipline"),
        ("--disciplines hunting,healing,tracking", "2 at most"),
        ("--items anvil", "no item"),
        ("--weaponskill potion", "no weapon"),
    ] {
        let output = command(HEROES, &format!("{KEEP} {arguments}")).assert().code(2);
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{arguments}: {stderr}");
    }
}

#[test]
fn who_is_stopped_hears_how_many_heroes_are_known() {
    let chosen = format!("{KEEP} --vary combat-skill=15 --vary endurance=25 --max-states 2");
    let output = command(HEROES, &chosen).assert().code(1);
    let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(stderr.contains("how 0 of 45 heroes fare") && stderr.contains("--state FILE"), "{stderr}");
}

/// A book in which one of 13 things is lost by chance: a rope is death.
fn thirteen(weapon: &str, item: &str) -> String {
    format!(
        "book \"Thirteen\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n\
         hero {{ combat-skill 15; endurance 25; items {item} pack rope=6 meal=7; }}\n\
         items {{ {weapon} backpack-item rope; backpack-item meal; container pack holds=13; }}\n\
         section 1 {{ give-up backpack-items 1 by=chance; if \"rope >= 6\" {{ goto 3; }}; death \"no rope\"; }}\n\
         section 3 {{ choice {{ goto 4; }}; choice {{ goto 5; }}; }}\n\
         section 4 {{ fight \"guard\" skill=18 endurance=25; goto 2; }}\n\
         section 5 {{ fight \"wolf\" skill=17 endurance=30; goto 2; }}\nsection 2 {{ victory; }}\n"
    )
}

#[test]
fn what_chance_draws_is_no_fight() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("thirteen.kdl");
    fs::write(&book, thirteen("weapon sword;", "sword")).unwrap();
    let chosen = "--vary combat-skill=15..16 --vary endurance=25 --disciplines hunting,healing,mindshield,sixth-sense";
    let answer = json(HEROES, &format!("{} {chosen}", book.display()));
    for hero in answer["heroes"].as_array().unwrap() {
        let arguments = format!(
            "{} --combat-skill {} --disciplines hunting,healing,mindshield,sixth-sense --exact",
            book.display(),
            hero["combat_skill"]
        );
        let win = json("gamebook solve", &arguments)["win"]["decimal"].as_f64().unwrap();
        let (lower, upper) = (hero["lower"].as_f64().unwrap(), hero["upper"].as_f64().unwrap());
        assert!(lower <= win && win <= upper && upper - lower < 1e-10, "{hero}: {win}");
    }
}

#[test]
fn nobody_has_weaponskill_in_a_book_without_weapons() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("thirteen.kdl");
    fs::write(&book, thirteen("", "")).unwrap();
    for weapons in ["", "--weaponskill each"] {
        let answer = json(HEROES, &format!("{} --vary combat-skill=15 --vary endurance=25 {weapons}", book.display()));
        let heroes = answer["heroes"].as_array().unwrap();
        // Five of the nine other disciplines.
        assert_eq!(heroes.len(), 126);
        assert!(heroes.iter().all(|hero| !hero["disciplines"].as_str().unwrap().contains("weaponskill")));
    }
    fs::write(&book, thirteen("", "").replace("endurance 25;", "endurance 25; learns 10;")).unwrap();
    let output = command(HEROES, &book.display().to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output_text = String::from_utf8(output.stderr).unwrap();
    assert!(
        output_text.contains("every set of 10 disciplines has weaponskill, and this book has no weapon"),
        "{output_text}"
    );
}
