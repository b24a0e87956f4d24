"""Exported models at work in clingo: ``python benchmarks/exports.py [MODEL ...]``.

Exports models, by default some learned from the shipped records, and asks clingo for the turns
and the next state of positions of random play, in both forms; the GDL is read back first. How long
that takes, and in how many positions anything is not as the model has it. With ``--rare chess``
half of the positions are those that this reference game draws around its rare turns.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import clingo

import grl
from grl.board import Position
from grl.export.kif import asp_term, gdl_program
from grl.export.program import asp_program, fluents
from grl.export.spelling import term_of
from grl.games import Game, load
from grl.rulebook import Rulebook

TRACES = Path(__file__).parents[1] / "traces"
GAMES = {
    "tic-tac-toe": "tic-tac-toe/all-moves.jsonl",
    "connect-four": "connect-four/all-moves.jsonl.gz",
    "breakthrough": "breakthrough/all-moves.jsonl.gz",
    "checkers": "checkers/all-moves.jsonl.gz",
    "amazons-6x6": "amazons/6x6-all-moves.jsonl.zst",
    "peg-solitaire": "peg-solitaire/all-moves.jsonl.gz",
}
PLIES, FEW = 300, 3
"""Of random games, and of games from positions that a reference game draws."""
PART = 20
WAITING = "noop"
"""What players may do who don't move."""


class Asked(NamedTuple):
    """Facts of a position with a turn, and what should follow: the legal turns, the next state."""

    facts: str
    legal: frozenset[str]
    following: frozenset[str]


def asked(rulebook: Rulebook, number: int, rare: Game | None = None) -> list[Asked]:
    """Positions of random play, with a turn each; half of them drawn by `rare`, if given."""
    dice = random.Random(0)
    plain = number if rare is None else number // 2
    found: list[Position] = []
    while len(found) < 10 * plain:
        found += islice(_walked(rulebook, rulebook.initial, dice), PLIES)
    chosen = dice.sample(found, plain)
    while rare is not None and len(chosen) < number:
        start = rare.rare(dice)
        assert start is not None, "a game with rare turns"
        chosen += islice(_walked(rulebook, start, dice), FEW)
    return [_asked(rulebook, position, dice) for position in chosen[:number]]


def _walked(rulebook: Rulebook, position: Position, dice: random.Random) -> Iterator[Position]:
    """Positions of random play from this one on, those in which the game goes on."""
    while legal := rulebook.legal(position):
        yield position
        position = rulebook.play(position, dice.choice(legal))


def _asked(rulebook: Rulebook, position: Position, dice: random.Random) -> Asked:
    model, legal = rulebook.model, rulebook.legal(position)
    turn = dice.choice(legal)
    terms = fluents(model, position)
    mover = next(m[1] for t in terms if (m := re.fullmatch(r"control\((\w+)\)", t)))
    facts = [f"true({term})." for term in terms]
    facts.append(f"does({mover},{term_of(turn, model.equipment)}).")
    turns = frozenset(_plain(term_of(each, model.equipment)) for each in legal)
    following = frozenset(map(_plain, fluents(model, rulebook.play(position, turn))))
    return Asked("\n".join(facts), turns, following)


def _plain(term: str) -> str:
    return str(clingo.parse_term(term))


def replayed(program: str, positions: list[Asked]) -> tuple[list[float], int]:
    """How long clingo reads, grounds and solves for each, and for how many it says otherwise."""
    times, others = [], 0
    for position in positions:
        start = time.perf_counter()
        control = clingo.Control(["--warn=none"])
        control.add("base", [], f"{program}\n{position.facts}")
        control.ground([("base", [])])
        said: dict[str, set[str]] = {"legal": set(), "next": set()}
        with control.solve(yield_=True) as handle:
            for atom in next(iter(handle)).symbols(atoms=True):
                if atom.name in said and str(atom.arguments[-1]) != WAITING:
                    said[atom.name].add(str(atom.arguments[-1]))
        times.append(time.perf_counter() - start)
        others += said["legal"] != position.legal or said["next"] != position.following
    return sorted(times), others


def _in_parts(program: str, positions: list[Asked]) -> tuple[list[float], int]:
    """`replayed`, a few positions a process: clingo keeps all terms that it met."""
    with Pool(1, maxtasksperchild=1) as pool:
        parts = [
            pool.apply(replayed, (program, positions[first : first + PART]))
            for first in range(0, len(positions), PART)
        ]
    return sorted(time for times, _ in parts for time in times), sum(each for _, each in parts)


def read_back(text: str) -> str:
    """A GDL program as one for clingo."""
    rules = []
    for line in re.sub(r";.*", "", text).splitlines():
        for rule in _expressions(line):
            rules.append(_rule(rule))
    return "\n".join(rules)


def _expressions(line: str) -> list[str]:
    found: list[str] = []
    depth = start = 0
    for at, character in enumerate(line):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == ")" and depth == 0:
            found.append(line[start : at + 1].strip())
            start = at + 1
    return found


def _rule(text: str) -> str:
    inner = re.sub(r"\?(\w+)", lambda m: m[1].capitalize(), text)
    if not inner.startswith("(<="):
        return f"{asp_term(inner)}."
    head, *body = _parts(inner[3:-1])
    return f"{asp_term(head)} :- {', '.join(map(_literal, body))}."


def _parts(text: str) -> list[str]:
    found: list[str] = []
    depth, word = 0, ""
    for character in f"{text} ":
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character.isspace() and depth == 0:
            found += [word] if word else []
            word = ""
        else:
            word += character
    return found


def _literal(text: str) -> str:
    parts = _parts(text[1:-1]) if text[0] == "(" else [text]
    if parts[0] == "not":
        return f"not {asp_term(parts[1])}"
    if parts[0] == "distinct":
        return f"{asp_term(parts[1])} != {asp_term(parts[2])}"
    return asp_term(text)


def main(words: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", help="model files")
    parser.add_argument("--positions", type=int, default=20, help="how many of each model")
    parser.add_argument("--rare", help="a reference game that draws half of them")
    options = parser.parse_args(words)
    paths, game = options.models, options.rare and load(options.rare)
    print(f"{'game':14} {'asp lines':>9} {'median s':>9} {'most s':>7} {'differ':>6}", end="")
    print(f" {'gdl lines':>10} {'median s':>9} {'most s':>7} {'differ':>6}")
    given = {Path(path).name.partition(".")[0]: path for path in paths}
    for name, path in (given or GAMES).items():
        rulebook = grl.load(path) if given else grl.learn([TRACES / path])
        positions = asked(rulebook, options.positions, game)
        asp, gdl = asp_program(rulebook.model), gdl_program(rulebook.model)
        row = f"{name:14}"
        for text, program, wide in ((asp, asp, 9), (gdl, read_back(gdl), 10)):
            times, others = _in_parts(program, positions)
            lines = len(text.splitlines())
            median, most = times[len(times) // 2], times[-1]
            row += f" {lines:>{wide},} {median:>9.2f} {most:>7.2f} {others:>6}"
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
