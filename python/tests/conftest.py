"""What several tests use."""

import pytest


@pytest.fixture(scope="session")
def bets():
    """A small book that can be worked out by hand: two of five heroes win."""
    return """
book "Bets" format=1 rules="lone-wolf"
start 1
goal 2
hero { combat-skill 15; endurance 25; gold 1; }
section 1 {
    choice "pay" { require "gold >= 2"; goto 2; }
    choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
    choice "beg" { require "gold = 0"; death "hunger"; }
}
section 2 { victory; }
"""
