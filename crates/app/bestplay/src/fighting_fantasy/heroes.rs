//! `heroes`: the odds of a fight for all heroes that the dice can make.

use std::fmt::Write;
use std::path::PathBuf;

use budget::{Progress, Stage};
use clap::Args;
use fighting_fantasy::{Hero, Player, rolled_skill, rolled_stamina};
use mdp::{ExploreOptions, SolveOptions, explore, solve};
use rayon::prelude::*;
use serde_json::json;
use solved_table::{Cell, Known, Layout, LineValues, Roster, RosterNumber, RosterRow, Solved, every_roll, write_json};

use super::fighters::{EncounterArgs, failed};
use crate::arguments::engine_args::Run;
use crate::arguments::table_args::TableArgs;
use crate::memory;
use crate::output::{self, Failure, Format};
use crate::roster;
use crate::shown::Escapes;
use crate::table_file::TableFile;
use crate::values::Values;

pub(super) const EXAMPLES: &str = "\
All heroes against a Hell Demon, and those with a luck of 7 only:
  bestplay fighting-fantasy heroes --enemy 14/12 --csv heroes.csv
  bestplay fighting-fantasy heroes --enemy 14/12 --luck 7

Two Orcs at once, as fractions; with stamina left for the rest of the book:
  bestplay fighting-fantasy heroes --enemy 5/5 --enemy 6/4 --together --exact --format json
  bestplay fighting-fantasy heroes --enemy 9/10 --keep-stamina 10 --svg heroes.svg

A long run, which can be stopped at any moment and continued later:
  bestplay fighting-fantasy heroes --enemy 9/12 --enemy 9/12 --enemy 8/10 --together --state heroes.sqlite";

/// The most heroes in one run.
const MOST: usize = 1_000_000;
/// The number of heroes per thread that are solved between two writes of the table's file.
const AT_ONCE: usize = 4;

/// Arguments of `heroes`.
#[derive(Args)]
pub struct HeroesArgs {
    /// Skills: 7..12, 9, or 7,10,12
    #[arg(long, value_name = "VALUES", default_value = "7..12", help_heading = "Heroes")]
    skill: Values,
    /// Staminas: 14..24, or 14..24/5
    #[arg(long, value_name = "VALUES", default_value = "14..24", help_heading = "Heroes")]
    stamina: Values,
    /// Lucks
    #[arg(long, value_name = "VALUES", default_value = "7..12", help_heading = "Heroes")]
    luck: Values,
    #[command(flatten)]
    encounter: EncounterArgs,
    #[command(flatten)]
    table: TableArgs,
    /// Draw what heroes win with each skill and stamina
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    svg: Option<PathBuf>,
}

/// Solves the fight for all heroes and prints a table.
pub fn run(args: &HeroesArgs) -> Result<(), Failure> {
    args.encounter.engine.run(|run| heroes(args, run))
}

fn heroes(args: &HeroesArgs, run: Run<'_>) -> Result<(), Failure> {
    let HeroesArgs { skill, stamina, luck, encounter, .. } = args;
    let all = [skill, stamina, luck].map(|values| values.0.len());
    if all.iter().try_fold(1usize, |product, own| product.checked_mul(*own)).is_none_or(|count| count > MOST) {
        return Err(Failure::bad_input(
            format_args!("these are more than {MOST} heroes"),
            "vary fewer numbers, or in larger steps: 14..24/5",
        ));
    }
    let mut heroes = Vec::new();
    for skill in &skill.0 {
        for stamina in &stamina.0 {
            for luck in &luck.0 {
                let cells = [*skill, *stamina, *luck].map(Cell::Number).to_vec();
                let [skill, stamina, luck] = [*skill, *stamina, *luck].map(|number| u32::try_from(number).unwrap_or(0));
                let hero = Hero { skill, stamina, luck };
                // Checks the figures before anybody fights.
                encounter.fight(hero, encounter.rules(), Player::Free)?;
                heroes.push((hero, cells));
            }
        }
    }
    let layout = Layout {
        lines: "heroes",
        cells: ["skill", "stamina", "luck"].map(String::from).to_vec(),
        values: vec![if encounter.is_chance() { "win" } else { "value" }],
        exact: encounter.engine.exact,
    };
    let same = || {
        let asked = format!("{:?} {:?} {}", encounter.rules(), encounter.objective(), layout.exact);
        vec![("fight", format!("{:?}", encounter.all_enemies())), ("question", asked)]
    };
    let repeated = "the special rules, the aim and --exact";
    let (mut keep, known) = TableFile::open(args.table.state.as_deref(), &layout, same, repeated)?;
    let known = solved(encounter, &heroes, known, run, &mut keep)?;
    keep.is_still_there()?;
    let rows = heroes.into_iter().enumerate().filter_map(|(roll, (_, cells))| {
        let found = known.get(&cells)?.clone();
        Some(RosterRow { cells, found, group: 0, roll })
    });
    let number = |name: &str, values: &Values, dice: Vec<(u32, u32)>| {
        let ways = |value: &i32| dice.iter().find(|(own, _)| u32::try_from(*value) == Ok(*own)).map_or(0, |own| own.1);
        RosterNumber {
            name: name.into(),
            chances: values.0.iter().map(|own| ways(own).into()).collect(),
            values: values.0.clone(),
        }
    };
    let numbers = vec![
        number("skill", skill, rolled_skill()),
        number("stamina", stamina, rolled_stamina()),
        number("luck", luck, rolled_skill()),
    ];
    let roster = Roster {
        title: format!("Heroes against {}", encounter.show_enemies()),
        rolls: every_roll(&numbers),
        numbers,
        groups: vec![String::new()],
        rows: rows.collect(),
        layout,
        is_chance: encounter.is_chance(),
    };
    write_answer(args, &roster)
}

/// Writes the requested files and the answer.
fn write_answer(args: &HeroesArgs, roster: &Roster) -> Result<(), Failure> {
    args.table.write(roster, args.svg.as_deref())?;
    let objective = args.encounter.objective().name();
    if args.encounter.format == Format::Json {
        let head = serde_json::Map::from_iter([
            ("format".into(), json!(1)),
            ("fight".into(), json!(args.encounter.show_enemies())),
            ("objective".into(), json!(objective)),
        ]);
        return output::print_with(Escapes::Json, |out| write_json(head, &roster.layout, roster.lines(), out));
    }
    let mut text = format!("{}: {} heroes, {objective}\n", roster.title, roster.rows.len());
    roster::numbers_text(roster, &mut text);
    roster::text(roster, Vec::new(), &mut text);
    let _ = writeln!(
        text,
        "\nMeans are over heroes as the dice make them: skill and luck one die and 6, stamina two and 12."
    );
    output::print(&text)
}

/// Solves the fight for the heroes that are not known yet, and stores the results as they come.
fn solved(
    encounter: &EncounterArgs,
    heroes: &[(Hero, Vec<Cell>)],
    mut known: Known,
    run: Run<'_>,
    keep: &mut TableFile,
) -> Result<Known, Failure> {
    let open: Vec<&(Hero, Vec<Cell>)> = heroes.iter().filter(|(_, cells)| !known.contains_key(cells)).collect();
    let mut done = 0;
    for some in open.chunks(AT_ONCE * run.threads()) {
        let solved: Result<Vec<Solved>, Failure> = some
            .par_iter()
            .map(|(hero, cells)| Ok((cells.clone(), won(encounter, *hero, &run.options.with_threads(1))?)))
            .collect();
        let solved = solved?;
        keep.add(&solved)?;
        done += solved.len();
        known.extend(solved);
        let memory = memory::used().unwrap_or(0);
        let waiting = (open.len() - done) as u64;
        run.budget.advance(Progress { stage: Stage::Heroes, done: done as u64, waiting, memory })?;
    }
    Ok(known)
}

/// The value of the fight for a hero.
fn won(encounter: &EncounterArgs, hero: Hero, options: &ExploreOptions<'_>) -> Result<LineValues, Failure> {
    let fight = encounter.fight(hero, encounter.rules(), Player::Free)?;
    let space = explore(&fight, options).map_err(|error| failed(&error.into()))?;
    let solve_options = SolveOptions::from(*options).with_exact(encounter.engine.exact);
    let solution = solve(space.model(), &solve_options).map_err(|error| failed(&error.into()))?;
    // The first start is the fight itself.
    Ok(LineValues::from(&solution.value_of(&space.starts()[0])))
}
