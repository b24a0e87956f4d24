"""The learned models that `engine.py` measures, made once and kept under ``build/engine``.

Every model is learned from generated games of a reference, the repository's or one of the folder
`own_games`; nothing of a model is written by hand. A model that is not exact is measured all the
same, and the table says so.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grl
from grl.compare import compare_game
from grl.games import Game, load
from grl.generate import Players, generate
from grl.rulebook import Rulebook
from grl.traces import header_dict, write_traces

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "build" / "engine"
OWN: Mapping[str, Path] = {
    **{
        name: HERE / "own_games" / f"{name}.py"
        for name in ("clobber", "gomoku", "hex", "knightthrough")
    },
    "reversing": HERE.parent / "tests" / "reversing_game.py",
}
"""Games with a reference in a file of their own."""
NEAR_ENDINGS = 0.5
COMPARED = 300
"""Fresh positions on which a model is compared with its reference once it is learned."""


@dataclass(frozen=True)
class Lesson:
    """From how many games a model is learned, after how many plies they break off, from how many
    positions (None: all), and who plays; on how many fresh positions it is held to the reference.

    `rare` short games around rare turns come in addition.
    """

    games: int
    plies: int | None = None
    positions: int | None = None
    compared: int = COMPARED
    players: Players = "random"
    rare: int = 0


LESSONS: Mapping[str, Lesson] = {
    "tic-tac-toe": Lesson(50),
    "connect-four": Lesson(50, players="search"),
    "breakthrough": Lesson(50),
    "checkers": Lesson(100),
    "amazons:width=6,height=6": Lesson(5, compared=60),
    "amazons": Lesson(5, positions=100, compared=10),
    "nine-mens-morris": Lesson(100, 200),
    "nine-mens-morris:flying=1": Lesson(100, 200, compared=100),
    "checker-bt": Lesson(50),
    "chess-bt": Lesson(50, 200),
    "chess": Lesson(20, 120, compared=1_000, rare=2_500),
    "peg-solitaire": Lesson(50),
    "asalto": Lesson(50),
    "breakthrough:width=6,height=6": Lesson(50),
    "connect-four:width=5,height=4": Lesson(50, players="search"),
    "knightthrough": Lesson(50),
    "clobber:width=6,height=5": Lesson(30),
    "clobber": Lesson(10),
    "gomoku:size=9": Lesson(30, players="search"),
    "reversing:size=8": Lesson(40, 100, compared=100),
    "hex:size=9": Lesson(40),
    "hex": Lesson(40),
}
"""The games of the table and what each is learned from."""


def game_of(spec: str) -> Game:
    """The reference of a game."""
    name, colon, options = spec.partition(":")
    return load(f"{OWN[name]}{colon}{options}" if name in OWN else spec)


def file_of(spec: str) -> Path:
    """Where the model of a game is kept."""
    return FOLDER / f"{spec.replace(':', '-').replace(',', '-').replace('=', '')}.grl.json"


def learned(spec: str) -> tuple[Rulebook, Mapping[str, object]]:
    """The model of a game and what is known of its learning; learned by whoever asks first."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = file_of(spec)
    name = path.name.removesuffix(".grl.json")
    notes = FOLDER / f"{name}.json"
    if not (path.exists() and notes.exists()):
        lesson, game = LESSONS[spec], game_of(spec)
        records = FOLDER / f"{name}.jsonl"
        near = NEAR_ENDINGS if game.endgames() and not lesson.rare else 0.0
        plays = generate(
            game,
            lesson.games,
            all_moves=True,
            seed=1,
            players=lesson.players,
            endgames=near,
            max_plies=lesson.plies,
        )
        write_traces(records, header_dict(game), plays)
        rare = FOLDER / f"{name}-rare.jsonl"
        plays = generate(game, lesson.rare, all_moves=True, seed=1, rare=1.0)
        write_traces(rare, header_dict(game), plays)
        began = time.process_time()
        files = [records, rare] if lesson.rare else [records]
        rulebook = grl.learn(files, positions=lesson.positions)
        seconds = time.process_time() - began
        records.unlink()
        rare.unlink()
        same = compare_game(rulebook, game, lesson.compared, 1001).same
        rulebook.save(path)
        known = {"games": lesson.games, "seconds": round(seconds, 1), "exact": same}
        notes.write_text(json.dumps(known) + "\n", encoding="utf-8")
    known = json.loads(notes.read_text(encoding="utf-8"))
    return grl.load(path), known
