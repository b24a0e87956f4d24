"""How long clingo takes with exported models: ``python benchmarks/exports.py``.

Learns from the shipped records, exports, and asks clingo for the legal turns and the next state of
positions of random play, in both forms; the GDL is read back first.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import clingo

import grl
from grl.export.kif import asp_term, gdl_program
from grl.export.program import asp_program, fluents
from grl.export.spelling import term_of
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
POSITIONS = 20


def asked(rulebook: Rulebook, number: int) -> list[str]:
    """Facts of positions of random play, with a turn each."""
    dice = random.Random(0)
    found: list[str] = []
    while len(found) < number:
        position = rulebook.initial
        while legal := rulebook.legal(position):
            turn = dice.choice(legal)
            terms = fluents(rulebook.model, position)
            mover = next(m[1] for t in terms if (m := re.fullmatch(r"control\((\w+)\)", t)))
            facts = [f"true({term})." for term in terms]
            facts.append(f"does({mover},{term_of(turn, rulebook.model.equipment)}).")
            found.append("\n".join(facts))
            position = rulebook.play(position, turn)
    return dice.sample(found, number)


def seconds(program: str, positions: list[str]) -> list[float]:
    """How long clingo reads, grounds and solves for each."""
    found = []
    for facts in positions:
        start = time.perf_counter()
        control = clingo.Control(["--warn=none"])
        control.add("base", [], f"{program}\n{facts}")
        control.ground([("base", [])])
        control.solve()
        found.append(time.perf_counter() - start)
    return sorted(found)


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


def main() -> None:
    """Print the table."""
    print(f"{'game':14} {'asp lines':>9} {'median s':>9} {'most s':>7}", end="")
    print(f" {'gdl lines':>10} {'median s':>9} {'most s':>7}")
    for name, path in GAMES.items():
        rulebook = grl.learn([TRACES / path])
        positions = asked(rulebook, POSITIONS)
        asp, gdl = asp_program(rulebook.model), gdl_program(rulebook.model)
        row = f"{name:14}"
        for text, program, wide in ((asp, asp, 9), (gdl, read_back(gdl), 10)):
            times = seconds(program, positions)
            lines = len(text.splitlines())
            row += f" {lines:>{wide},} {times[len(times) // 2]:>9.2f} {times[-1]:>7.2f}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
