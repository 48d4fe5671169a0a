use super::{Dominance, Standing};
use crate::rules::state::{ENEMIES, Enemy};
use crate::{EnemyKind, Relic, Relics, Rules};

/// A player who is hit harder by the stronger one may have more block in the next turn.
#[test]
fn weaker_enemies_are_no_better_where_losses_help() {
    let compared = |deck: &[&str], relics: &[Relic]| {
        let deck: Vec<_> = deck.iter().map(|name| name.parse().unwrap()).collect();
        let relics: Relics = relics.iter().copied().collect();
        let rules = Rules::new(0, 80, &deck, &[EnemyKind::JawWorm], relics, &[]).unwrap();
        let strong = rules.enemy(EnemyKind::JawWorm, 40, 0);
        let alone = |enemy: Enemy| -> Standing {
            let mut standing = [None; ENEMIES];
            standing[0] = Some(enemy);
            standing
        };
        Dominance::new(&rules).is_as_good(&alone(Enemy { strength: -1, ..strong }), &alone(strong))
    };
    assert!(compared(&["strike", "defend"], &[]));
    assert!(!compared(&["strike", "defend"], &[Relic::SelfFormingClay]));
    assert!(!compared(&["strike", "blood-for-blood"], &[]));
}
