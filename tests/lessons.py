"""Rulebooks learned from generated games of one's choice: near endings, single moves, greedy."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from made_once import made_once

import grl
from grl.fresh import fresh_positions
from grl.games import Game
from grl.generate import Players, generate
from grl.records import Moment
from grl.rulebook import Rulebook
from grl.rules.features.cases import Setting
from grl.rules.restrictions.labelled import Labelled, label
from grl.traces import header_dict, write_traces

Play = dict[str, Any]


def games_of(
    game: Game,
    n: int,
    *,
    all_moves: bool = True,
    endgames: float = 0.25,
    max_plies: int | None = None,
    players: Players = "random",
    seed: int = 1,
) -> list[Play]:
    """`n` games as plain data of the trace format."""
    return list(
        generate(
            game,
            n,
            all_moves=all_moves,
            seed=seed,
            players=players,
            max_plies=max_plies,
            endgames=endgames,
        )
    )


def taught(game: Game, plays: Iterable[Play]) -> Rulebook:
    """What is learned from these records of a game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        write_traces(path, header_dict(game), plays)
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        return made_once(f"records {content}", lambda: grl.learn([path]))


def judged(setting: Setting, game: Game, number: int) -> list[Labelled]:
    """Fresh positions of a game that goes on, with all pseudo-legal turns and which are legal."""
    return [
        label(setting, Moment(position, True, frozenset(legal), frozenset()))
        for position, legal in fresh_positions(game, number, 5, 0)
        if legal
    ]
