//! The examples, against published numbers.

#[path = "../../examples/blackjack.rs"]
mod blackjack;
#[path = "../../examples/chutes_and_ladders.rs"]
mod chutes_and_ladders;
#[path = "../../examples/gamblers_ruin.rs"]
mod gamblers_ruin;
#[path = "../../examples/pig.rs"]
mod pig;
#[path = "../../examples/slot_machine.rs"]
mod slot_machine;
#[path = "../../examples/stickers.rs"]
mod stickers;
#[path = "../../examples/yahtzee.rs"]
mod yahtzee;

use blackjack::Hand;
use gamblers_ruin::{GOAL, Roulette};
use mdp::{GameError, Rational, parse_fraction, ratio};
use slot_machine::{Action, State};

/// The fewest turns, as published for solitaire Pig; a policy that holds at 20 or at the goal takes 12.637 (Neller,
/// "Average Pig Turns").
#[test]
fn pig() -> Result<(), GameError> {
    pig::main()?;
    let turns = pig::solved()?.start_value();
    let expected = 12.545_232_351_955;
    assert!((expected..expected + 1e-12).contains(&turns.decimal()), "{turns}");
    Ok(())
}

/// The expected returns of hard hands with infinite decks that the Wizard of Odds publishes (Blackjack, appendix 5: the dealer
/// stands on soft 17 and has no blackjack), against 2 to 10 and an ace; the mean of all hands from another program.
#[test]
fn blackjack() -> Result<(), GameError> {
    const RETURNS: [(u8, [f64; 10]); 5] = [
        (5, [-0.1282, -0.0953, -0.0615, -0.024, -0.0012, -0.1194, -0.1881, -0.2666, -0.3134, -0.2786]),
        (7, [-0.1092, -0.0766, -0.043, -0.0073, 0.0292, -0.0688, -0.2106, -0.2854, -0.3191, -0.3101]),
        (12, [-0.2534, -0.2337, -0.2111, -0.1672, -0.1537, -0.2128, -0.2716, -0.34, -0.381, -0.3505]),
        (14, [-0.2928, -0.2523, -0.2111, -0.1672, -0.1537, -0.3213, -0.3719, -0.4309, -0.4663, -0.44]),
        (16, [-0.2928, -0.2523, -0.2111, -0.1672, -0.1537, -0.4148, -0.4584, -0.5093, -0.5398, -0.5171]),
    ];
    blackjack::main()?;
    let solved = blackjack::solved()?;
    for (total, returns) in RETURNS {
        for (dealer, expected) in (2..=10).chain([1]).zip(returns) {
            let value = solved.value(&blackjack::State::Player { hand: Hand(total, false), dealer })?.decimal();
            assert!((value - expected).abs() <= 0.000_051, "{total} against {dealer}: {value}, not {expected}");
        }
    }
    assert!((solved.start_value().decimal() - -0.024_208_121_953_717_65).abs() < 1e-12);
    Ok(())
}

/// The published probability of a Yahtzee in one turn with that aim only.
#[test]
fn yahtzee() -> Result<(), GameError> {
    yahtzee::main()?;
    let solved = yahtzee::solved()?;
    assert_eq!(solved.start_value().exact, Some(ratio(347_897, 7_558_272)));
    Ok(())
}

/// (1 - r^i) / (1 - r^n) with r = q / p; and (i - n (1 - r^i) / (1 - r^n)) / (q - p) bets.
#[test]
fn gamblers_ruin() -> Result<(), GameError> {
    gamblers_ruin::main()?;
    let (wins, bets) = (gamblers_ruin::solved(Roulette::Wins)?, gamblers_ruin::solved(Roulette::Bets)?);
    let power = |exponent: u8| (0..exponent).fold(Rational::ONE, |power, _| power * ratio(20, 18));
    for crowns in 0..=GOAL {
        let won = (Rational::ONE - power(crowns)) / (Rational::ONE - power(GOAL));
        let duration = (Rational::from(crowns) - Rational::from(GOAL) * &won) / ratio(2, 38);
        assert_eq!(wins.value(&crowns)?.exact, Some(won));
        assert_eq!(bets.value(&crowns)?.exact, Some(duration));
    }
    Ok(())
}

/// Althoen, King and Schilling, "How long is a game of Snakes and Ladders?" (Mathematical Gazette 77, 1993).
#[test]
fn chutes_and_ladders() -> Result<(), GameError> {
    const MOVES: &str = "225837582538403273407117496273279920181931269186581786048583/\
                         5757472998140039232950575874628786131130999406013041613400";
    chutes_and_ladders::main()?;
    assert_eq!(chutes_and_ladders::solved()?.start_value().exact, parse_fraction(MOVES));
    Ok(())
}

#[test]
fn stickers() -> Result<(), GameError> {
    stickers::main()?;
    let solved = stickers::solved()?;
    // Two missing: a packet costs three coins in the mean for each sticker that is found, as the shop does.
    let (packet, missing) = (stickers::Buy::Packet, stickers::Buy::Missing);
    assert_eq!(solved.best(&1)?, [missing]);
    assert_eq!(solved.best(&2)?, [packet, missing]);
    assert!((3..=6).all(|stickers| solved.best(&stickers) == Ok(vec![packet])));
    assert_eq!(solved.start_value().exact, Some(ratio(117, 10)));
    Ok(())
}

/// Values from another program, which solved the equations of each of the 256 policies.
#[test]
fn slot_machine() -> Result<(), GameError> {
    const VALUES: [(i64, u64); 9] = [
        (3001, 75_439),
        (46_789, 528_073),
        (75_553, 528_073),
        (8221, 40_621),
        (3001, 10_777),
        (28_783, 75_439),
        (248_137, 528_073),
        (294_793, 528_073),
        (388_105, 528_073),
    ];
    slot_machine::main()?;
    let solved = slot_machine::solved()?;
    for (crowns, (numerator, denominator)) in (1..).zip(VALUES) {
        let state = State::Crowns(crowns);
        assert_eq!(solved.value(&state)?.exact, Some(ratio(numerator, denominator)), "{crowns} crowns");
        assert_eq!(solved.best(&state)?, [if crowns < 8 { Action::Pull } else { Action::Coin }]);
    }
    assert_eq!(solved.best(&State::Crowns(0))?, [Action::GiveUp]);
    Ok(())
}
