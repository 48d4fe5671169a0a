//! Positions of fights of Slay the Spire, messages of `CommunicationMod`, and fights that were played.

use slay_the_spire::{Action, CommunicationMessage, FightRecord, Position, PositionFile};

use crate::{Corpus, Target, Verdict};

/// A position is refused, or read; then everything can be played, and the turn can end. A fight is refused, or read.
pub const TARGET: Target = Target {
    name: "fight",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/fight", ending: ".json" }],
    words: &[
        "\"hp\":",
        "\"max_hp\":",
        "\"ascension\":",
        "\"relics\":",
        "\"enemies\":",
        "\"kind\":",
        "\"intent\":",
        "\"hand\":",
        "\"draw\":",
        "\"potions\":",
        "\"strength\":",
        "\"metallicize\":",
        "\"bite\":",
        "\"evolve\"",
        "\"dual_wield\"",
        "\"limit_break\"",
        "\"entrench\"",
        "\"juggernaut\"",
        "\"double_tap\"",
        "\"havoc\"",
        "\"infernal_blade\"",
        "\"rampage-13\"",
        "\"red_skull\"",
        "\"pen_nib\"",
        "\"lagavulin\"",
        "\"shield_gremlin\"",
        "\"fight\":",
        "\"steps\":",
        "\"enemy_hp\":",
        "\"deck\":",
        "\"powers\":",
        "\"top\":",
        "\"free\":",
        "\"combat_state\":",
        "\"monsters\":",
        "\"move_id\":",
        "\"amount\":",
        "\"cost\":",
        "\"Hexaghost\"",
        "\"upgrades\":",
        "255",
        "999",
        "-999",
        "{",
        "}",
        "[",
        "]",
        ",",
        "null",
    ],
    longest: 4_000,
    check: |input| Ok(check(input)),
};

fn check(input: &[u8]) -> Verdict {
    if let Ok(record) = serde_json::from_slice::<FightRecord>(input) {
        let is_valid = record.fight.hero().is_ok() && record.fight.encounters().is_ok();
        return if is_valid { Verdict::Accepted } else { Verdict::Refused };
    }
    let position = match serde_json::from_slice::<PositionFile>(input) {
        Ok(file) => file.position(),
        Err(_) => match serde_json::from_slice::<CommunicationMessage>(input) {
            Ok(message) => message.position().map(|read| read.position),
            Err(_) => return Verdict::Refused,
        },
    };
    let Ok(Position { rules, state, .. }) = position else { return Verdict::Refused };
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    rules.actions(&state, &mut actions);
    // A hand of many kinds can be drawn in more ways than there is time for.
    for action in actions.into_iter().filter(|action| *action != Action::EndTurn).take(20) {
        rules.act(&state, action, &mut outcomes);
    }
    for (_, state) in rules.end_turn(&state) {
        for (_, state) in rules.roll(&state).into_iter().take(2) {
            drop(rules.start_turn(&state));
        }
    }
    Verdict::Accepted
}
