//! `bestplay lone-wolf fight`.

use std::fmt::Write;

use clap::Args;
use lone_wolf::{
    Analysis, AnalysisError, Enemy, Fight, FightAnswer, FightRequest, MOST_ENDURANCE, MOST_ROUNDS, MOST_SKILL, Rounds,
    Situation, analyse,
};
use mdp::{Rational, fraction_text, nearest};

use crate::arguments::engine_args::EngineArgs;
use crate::bar::bar;
use crate::numbers::percent;
use crate::output::{self, Failure, Format};

pub(super) const EXAMPLES: &str = "\
Against combat skill 22 and 30 ENDURANCE:
  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30
  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30 --format json

With what the hero has:
  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30 --mindblast --weaponskill --shield
  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30 --bonus 8 --double-damage

When to run, where the section allows it after two rounds:
  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30 --evade-from 3

An enemy that attacks the mind, and cannot hurt the hero for two rounds:
  bestplay lone-wolf fight --combat-skill 17 --endurance 24 --enemy 20/28 --enemy-mindblast --untouchable 2

With --evade-from the hero runs where that gives him the highest probability to live, by victory or by
running, and among equals the highest probability to win. He declares it before the round: what he loses in
it counts and can kill him, what the enemy loses does not.";

const HERO: &str = "The hero";
const RULES: &str = "The section's rules";

/// Arguments of `fight`.
#[derive(Args)]
pub struct FightArgs {
    /// The hero's combat skill, without the bonuses that other options name
    #[arg(long, value_name = "SKILL", allow_negative_numbers = true, value_parser = skill(), help_heading = HERO)]
    combat_skill: i32,
    /// The hero's ENDURANCE as the fight begins
    #[arg(long, value_name = "ENDURANCE", allow_negative_numbers = true, value_parser = endurance(), help_heading = HERO)]
    endurance: u8,
    /// The hero's ENDURANCE at full health: the text shows how much of it is left
    #[arg(long, value_name = "ENDURANCE", allow_negative_numbers = true, value_parser = endurance(), help_heading = HERO)]
    max_endurance: Option<u8>,
    /// Mindblast, against an enemy that is not immune: +2
    #[arg(long, help_heading = HERO)]
    mindblast: bool,
    #[command(flatten)]
    weapon: WeaponArgs,
    /// A shield: +2
    #[arg(long, help_heading = HERO)]
    shield: bool,
    /// Any other bonus that lasts the whole fight, or a penalty below 0
    #[arg(
        long,
        value_name = "BONUS",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = skill(),
        help_heading = HERO
    )]
    bonus: i32,
    /// The enemy's combat skill and ENDURANCE
    #[arg(long, value_name = "SKILL/ENDURANCE", allow_hyphen_values = true, value_parser = str::parse::<Enemy>)]
    enemy: Enemy,
    #[command(flatten)]
    rules: RuleArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What the hero fights with.
#[derive(Args)]
struct WeaponArgs {
    /// Weaponskill in the weapon that is used: +2
    #[arg(long, conflicts_with = "unarmed", help_heading = HERO)]
    weaponskill: bool,
    /// No weapon: -4
    #[arg(long, help_heading = HERO)]
    unarmed: bool,
}

/// What the section says about the fight.
#[derive(Args)]
struct RuleArgs {
    /// The enemy loses twice what the table says
    #[arg(long, help_heading = RULES)]
    double_damage: bool,
    /// The enemy's Mindblast: 2 ENDURANCE more lost in every round (a hero with Mindshield loses nothing: leave it out)
    #[arg(long, help_heading = RULES)]
    enemy_mindblast: bool,
    /// The first rounds in which the hero loses nothing at all, or always
    #[arg(long, value_name = "ROUNDS|always", default_value = "0", allow_negative_numbers = true, value_parser = str::parse::<Rounds>, help_heading = RULES)]
    untouchable: Rounds,
    /// The first round in which the hero may run; a section that says "after two rounds" means 3
    #[arg(
        long,
        value_name = "ROUND",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_ROUNDS)),
        help_heading = RULES
    )]
    evade_from: Option<u32>,
}

fn skill() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(i64::from(-MOST_SKILL)..=i64::from(MOST_SKILL))
}

fn endurance() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=i64::from(MOST_ENDURANCE))
}

/// Prints the odds of a fight.
pub fn run(args: &FightArgs) -> Result<(), Failure> {
    if args.max_endurance.is_some_and(|most| args.endurance > most) {
        return Err(Failure::bad_input(
            format_args!("--endurance {} is more than --max-endurance", args.endurance),
            "ENDURANCE never rises above what the hero has at full health",
        ));
    }
    let request = args.request();
    let fight = request.fight().map_err(|wrong| Failure::bad_input(wrong.message, wrong.help))?;
    let analysis =
        args.engine.run(|run| analyse(&fight, run.options)).map_err(|error| match (error.stopped(), &error) {
            (Some(stopped), _) => Failure::from(*stopped),
            (None, AnalysisError::Endless) => {
                Failure::bad_input(&error, "let the enemy lose ENDURANCE, or the hero, or run")
            }
            (None, error) => Failure::failed(error, "ask about a smaller fight"),
        })?;
    match args.format {
        Format::Text => output::print(&text(args, &request, &fight, &analysis)),
        Format::Json => output::print_json(&FightAnswer::new(&fight, &analysis)),
    }
}

impl FightArgs {
    fn request(&self) -> FightRequest {
        FightRequest {
            combat_skill: self.combat_skill,
            endurance: self.endurance,
            enemy: self.enemy,
            max_endurance: self.max_endurance,
            mindblast: self.mindblast,
            weaponskill: self.weapon.weaponskill,
            unarmed: self.weapon.unarmed,
            shield: self.shield,
            bonus: self.bonus,
            double_damage: self.rules.double_damage,
            enemy_mindblast: self.rules.enemy_mindblast,
            untouchable: self.rules.untouchable,
            evade_from: self.rules.evade_from,
        }
    }
}

fn text(args: &FightArgs, request: &FightRequest, fight: &Fight<'_>, analysis: &Analysis) -> String {
    let mut text = format!("Combat skill {}", args.combat_skill);
    for (bonus, name) in request.bonuses() {
        let sign = if bonus < 0 { '-' } else { '+' };
        let _ = write!(text, " {sign} {} ({name})", bonus.abs());
    }
    if request.bonuses().next().is_some() {
        let _ = write!(text, " = {}", request.hero_skill());
    }
    let of_most = args.max_endurance.map_or(String::new(), |most| format!(" of {most}"));
    let _ = writeln!(
        text,
        ", ENDURANCE {}{of_most}, against combat skill {}, ENDURANCE {}: combat ratio {}\n",
        args.endurance, args.enemy.combat_skill, args.enemy.endurance, fight.conditions.ratio
    );
    let lives = &analysis.win + &analysis.evaded;
    let mut ends = vec![("wins", &analysis.win), ("dies", &analysis.death)];
    if args.rules.evade_from.is_some() {
        ends.splice(1..1, [("runs", &analysis.evaded), ("lives (wins or runs)", &lives)]);
    }
    for (name, chance) in ends {
        let exactly = if args.engine.exact { format!("   {}", fraction_text(chance)) } else { String::new() };
        let _ = writeln!(text, "{name:<20}{:>12}{exactly}", percent(chance));
    }
    if args.rules.evade_from.is_some() {
        text.push_str(&when_to_run(&analysis.situations));
    }
    text.push_str(&what_is_left(analysis, &of_most));
    text.push_str(&round_by_round(analysis));
    text
}

/// The text lists rounds until at most this share of fights is undecided; JSON has them all.
fn what_is_left(analysis: &Analysis, of_most: &str) -> String {
    const LONGEST: f64 = 40.0;
    let Some(highest) = analysis.endurance_left.iter().map(|(_, p)| nearest(p)).reduce(f64::max) else {
        return String::new();
    };
    let sum =
        analysis.endurance_left.iter().map(|(hero, p)| Rational::from(*hero) * p).fold(Rational::ZERO, |a, b| a + b);
    let mean = nearest(&(sum / &analysis.win));
    let mut text = format!("\nENDURANCE left after a victory: {mean:.2}{of_most} on average\n");
    for (endurance, probability) in &analysis.endurance_left {
        let bar = bar(nearest(probability) / highest * LONGEST);
        let line = format!("{endurance:>4}{:>12}  {bar}", percent(probability));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The text stops listing rounds when all but this chance of fights are over; JSON has them all.
const FEW: f64 = 0.0005;

fn round_by_round(analysis: &Analysis) -> String {
    let mut text = "\n             mean ENDURANCE\nround       hero's   enemy's        over\n".to_owned();
    let last = analysis.rounds.iter().position(|round| 1.0 - round.over < FEW).unwrap_or(analysis.rounds.len());
    for (number, round) in (1..).zip(analysis.rounds.iter().take(last + 1)) {
        let over = if round.over < 1.0 { format!("{:.3} %", (round.over * 100.0).min(99.999)) } else { "100 %".into() };
        let _ =
            writeln!(text, "{number:>5}{:>13.2}{:>10.2}{over:>12}", round.mean_endurance, round.mean_enemy_endurance);
    }
    text
}

/// When to run: a line for every range of the hero's ENDURANCE with the same answer.
fn when_to_run(situations: &[Situation]) -> String {
    let mut text = String::new();
    if situations.is_empty() {
        return "\nThe question to run does not come up.\n".into();
    }
    if situations.iter().all(|now| !now.leave) {
        return "\nNever run.\n".into();
    }
    text.push_str("\nRun when (otherwise fight):\n        round   his ENDURANCE   the enemy's\n");
    // A range of the hero's ENDURANCE, and the enemy's at which he runs.
    let mut lines: Vec<(Situation, u8, String)> = Vec::new();
    for row in Situation::groups(situations) {
        let (Some(first), enemies) = (row.first(), Situation::enemies_to_run_from(row)) else { continue };
        match lines.last_mut() {
            Some((same, last, text)) if same.round == first.round && *text == enemies => *last = first.hero,
            _ => lines.push((*first, first.hero, enemies)),
        }
    }
    for (first, last, enemies) in lines.into_iter().filter(|(_, _, enemies)| !enemies.is_empty()) {
        let round = if first.and_later { format!("{} and later", first.round) } else { first.round.to_string() };
        let hero = if first.hero == last { last.to_string() } else { format!("{}-{last}", first.hero) };
        let _ = writeln!(text, "{round:>13}{hero:>16}   {enemies}");
    }
    text
}
