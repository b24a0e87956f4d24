"""Games of other engines: which of them are learned exactly, and which are not.

OpenSpiel and pyffish say what is legal, what a turn leads to, and how games end. Of each game on
the list below, written down before the learner had met it, 200 random games of at most 60 plies are
recorded with all legal turns, a quarter of them begun shortly before an end where the position is
all that the rules ask for; a model of them is learned in a child process under limits and held to
the library on 1,000 fresh positions and on the ends of 60 random games. Where `grl learn` would say
that records look as if steps were written as one leap, they are read with ``--slides``.

    make bench PART=outside
    make bench PART="outside --games 'dobutsu;joust'"
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from exactness import Trial, run_all
from refereed_game import RefereedGame

from grl.fresh import Met, fresh_positions
from grl.games import Game
from grl.importers.fairy import Variant
from grl.importers.spiel import SpielReferee
from grl.leaps import find_slides, notice
from grl.traces import Traces

RECORDED, POSITIONS, ENDS, LIMIT, MEMORY, MOST = 200, 1000, 60, 240.0, 4096, 60
NEAR_ENDINGS = 0.25


@dataclass(frozen=True)
class Outside:
    """A game of another engine by the name that it has there.

    `recalls`: its rules look at more than the position, so games begin at its start. `counted`:
    its draws come of numbers of moves or repetitions, which the board doesn't show; such games are
    recorded as stopped, and such ends not compared.
    """

    engine: str
    name: str
    recalls: bool = False
    counted: bool = False

    def make(self) -> RefereedGame:
        """The game; raises `GrlError` where the importers can't see its board."""
        known = SpielReferee(self.name) if self.engine == "open_spiel" else Variant(self.name)
        return RefereedGame(known)

    def trial(self, games: int, limit: float, memory: int) -> Trial:
        """The game, to be learned."""
        return Trial(
            self.name,
            self.make,
            1,
            games,
            POSITIONS,
            limit,
            memory,
            MOST,
            near=0.0 if self.recalls else NEAR_ENDINGS,
            met=self.met,
            recorded=partial(_without_draws) if self.counted else dict,
            read=_advised,
        )

    def met(self, game: Game, positions: int, seed: int) -> Iterator[Met]:
        """The positions that a model is held to."""
        assert isinstance(game, RefereedGame)
        found = chain(fresh_positions(game, positions, seed, endings=0), game.ended(ENDS, seed))
        for position, legal in found:
            drawn = not legal and len(set(game.goals(position).values())) == 1
            if not (drawn and self.counted):
                yield position, legal


def _advised(path: Path) -> Path | Traces:
    """The records as `grl learn` advises to read them."""
    if notice(Traces.open(path)) is None:
        return path
    return Traces.open(path, slides=find_slides([Traces.open(path)]).slides())


def _without_draws(play: dict[str, Any]) -> dict[str, Any]:
    """A play as stopped, if nobody won it."""
    if len(set(play.get("goals", {}).values())) != 1:
        return play
    return {key: value for key, value in play.items() if key != "goals"} | {"end": "stopped"}


SPIEL = partial(Outside, "open_spiel")
FISH = partial(Outside, "pyffish")
GAMES: Sequence[Outside] = (
    SPIEL("clobber(rows=5,columns=5)"),
    SPIEL("breakthrough(rows=6,columns=6)"),
    SPIEL("hex(board_size=5,num_cols=5,num_rows=5)"),
    SPIEL("havannah(board_size=4)"),
    SPIEL("y(board_size=6)"),
    SPIEL("mnk(m=5,n=5,k=4)"),
    SPIEL("gomoku(size=6,connect=4,anti=true)"),
    SPIEL("gomoku(size=6,connect=4,wrap=true)"),
    SPIEL("connect_four(rows=5,columns=6)"),
    SPIEL("ultimate_tic_tac_toe", recalls=True),
    SPIEL("nine_mens_morris", counted=True),
    SPIEL("amazons(board_size=6)"),
    SPIEL("go(board_size=5)", recalls=True),
    SPIEL("othello"),
    SPIEL("checkers", counted=True),
    SPIEL("lines_of_action", counted=True),
    FISH("dobutsu"),
    FISH("gardner"),
    FISH("micro"),
    FISH("gorogoro"),
    FISH("mini"),
    FISH("judkins"),
    FISH("minixiangqi"),
    FISH("flipello"),
    FISH("ataxx"),
    FISH("fox-and-hounds"),
    FISH("joust"),
    FISH("isolation"),
    FISH("jesonmor"),
    FISH("codrus", recalls=True),
    FISH("atomic", recalls=True),
)
"""The list, from small boards to large ones of each engine; fixed before any was learned."""


def main(arguments: Sequence[str]) -> int:
    """Print a line for each game and a total."""
    parser = argparse.ArgumentParser(prog="outside.py", description=__doc__)
    parser.add_argument("--games", default="", help="some games of the list, with ';' between")
    parser.add_argument("--engine", choices=["open_spiel", "pyffish"], help="for others: whose")
    parser.add_argument("--number", type=int, default=RECORDED, help="games to learn from")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of the processor")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB for one game")
    parser.add_argument("--out", type=Path, help="a file to add the outcomes to, as JSON lines")
    parser.add_argument("--resume", action="store_true", help="leave out the games in that file")
    parser.add_argument("--leaps", action="store_true", help="read leaps as they are written")
    asked = parser.parse_args(arguments)
    known = {game.name: game for game in GAMES}
    names = list(filter(None, asked.games.split(";"))) or list(known)
    if asked.engine:
        known = {name: Outside(asked.engine, name) for name in names} | known
    unknown = sorted(set(names) - known.keys())
    if unknown:
        parser.error(f"not on the list: {'; '.join(unknown)}")
    trials = [known[name].trial(asked.number, asked.limit, asked.memory) for name in names]
    if asked.leaps:
        trials = [replace(trial, read=Path) for trial in trials]
    return run_all(trials, 1, asked.out, resume=asked.resume, what="games of other engines")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
