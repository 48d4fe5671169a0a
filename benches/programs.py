"""Which programs are measured, as arguments."""

import argparse
from pathlib import Path

BESTPLAY = Path(__file__).resolve().parent.parent / "target" / "release" / "bestplay"


def parser(documentation):
    """A parser that tells a script's documentation."""
    about, _, details = documentation.partition("\n\n")
    return argparse.ArgumentParser(
        description=about, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def given(parser):
    """What is given to a script that measures programs: `programs`, beside its own arguments."""
    parser.add_argument("programs", nargs="*", type=Path, help="programs to measure (default: target/release/bestplay)")
    given = parser.parse_args()
    given.programs = given.programs or [BESTPLAY]
    for program in given.programs:
        if not program.is_file():
            parser.error(f"{program} is not there: cargo build --release")
    return given
