"""Models with hand-written rules, and programs at work beside them."""

from __future__ import annotations

import re
from dataclasses import replace

import clingo
from learned import learned, learned_movements
from shorthand import at, near, on, row

from grl.export.program import fluents
from grl.export.spelling import term_of, turn_of
from grl.model import Literal, Model, Rule, Rules
from grl.rulebook import Rulebook


def yes(*feature):
    return Literal(feature, True)


def no(*feature):
    return Literal(feature, False)


CONNECT_FOUR = Rules(
    {"white": "identity", "black": "identity"},
    restrictions=(
        Rule(
            (
                yes(*near("end1", "board", 0, -1, "#", "before")),
                yes(*near("end1", "board", 0, -1, "empty", "before")),
            ),
            support=50,
        ),
    ),
    endings=(
        Rule((yes(*row("opposing", 4)),), (0, 100), 40),
        Rule((yes("stuck", 0),), (50, 50), 3),
    ),
)
CHECKERS = Rules(
    {"white": "identity", "black": "turn"},
    restrictions=(
        Rule((yes("appears", "own:king"), yes(*at("end1", "rank", "<", 8))), support=20),
        Rule(
            (yes("moves", "own:man"), no("appears", "own:king"), yes(*at("end1", "rank", "=", 8))),
            support=20,
        ),
        Rule((yes("rival_has", "any", ("takes", "opposing")),), support=30),
        Rule((yes("prefix"),), support=9, provisional=True),
    ),
    endings=(Rule((yes("stuck", 0),), (0, 100)),),
)
BREAKTHROUGH = Rules(
    {"white": "identity", "black": "flip"},
    endings=(
        Rule((yes(*on("opposing", "rank", "=", 6)),), (0, 100), 12),
        Rule((yes("size", "now", ("lies", "own"), "=", 0),), (0, 100), 1),
    ),
)


AMAZONS = Rules(
    {"white": "identity", "black": "flip"}, endings=(Rule((yes("stuck", 0),), (0, 100), 9),)
)


def model_with(rules: Rules | None, spec: str, n: int | None = None) -> Model:
    """A learned model with these rules instead of its own; with its own for None."""
    if rules is None:
        return learned(spec, n).model
    return replace(learned_movements(spec, n).model, rules=rules)


class Verdict:
    """What a program says of a state, and of a turn played there."""

    def __init__(self, model: Model, atoms: list[str]) -> None:
        equipment = model.equipment
        legal = [re.fullmatch(r"legal\(\w+,(.*)\)", atom) for atom in atoms]
        terms = [m[1] for m in legal if m and m[1] != "noop"]
        self.legal = {turn_of(term, equipment) for term in terms}
        assert len(self.legal) == len(terms)
        assert all(term_of(turn_of(term, equipment), equipment) == term for term in terms)
        self.terminal = "terminal" in atoms
        goals = [re.fullmatch(r"goal\((\w+),(\d+)\)", atom) for atom in atoms]
        self.goals = {m[1]: int(m[2]) for m in goals if m}
        nexts = [re.fullmatch(r"next\((.*)\)", atom) for atom in atoms]
        self.next = {m[1] for m in nexts if m}
        self.done = next((atom for atom in atoms if atom.startswith("does(")), None)


def solved(program: str, facts: list[str], minus: bool = False) -> list[str]:
    """The atoms of GDL's relations in the one answer set; `minus`: -1 is ``minus_1``."""
    (found,) = answers(program, facts, minus)
    return found


def answers(program: str, facts: list[str], minus: bool = False) -> list[list[str]]:
    """Those of every answer set, with what is done."""
    if minus:
        facts = [re.sub(r"-(\d)", r"minus_\1", fact) for fact in facts]
    control = clingo.Control(["--warn=none", "--models=0"])
    shown = "#show legal/2. #show next/1. #show terminal/0. #show goal/2. #show does/2."
    control.add("base", [], "\n".join([program, *facts, shown]))
    control.ground([("base", [])])
    found: list[list[str]] = []
    control.solve(on_model=lambda m: found.append([str(a) for a in m.symbols(shown=True)]))
    return [[re.sub(r"minus_(\d)", r"-\1", atom) for atom in atoms] for atoms in found]


def differences(
    model: Model, program: str, positions, turns_each: int = 1, minus: bool = False
) -> int:
    """Positions and successors looked at; asserts that program and model agree on all.

    Which turn of a position is played is a choice, so that each position is grounded once.
    """
    rulebook = Rulebook(model)
    looked = 0
    for number, position in enumerate(positions):
        facts = [f"true({f})." for f in fluents(model, position)]
        legal = {str(turn) for turn in rulebook.legal(position)}
        goals = dict(rulebook.goals(position))
        chosen = sorted(legal)[number % 7 :: 7][:turns_each] or sorted(legal)[:1]
        does = {}
        if chosen:
            player = re.search(r"control\((\w+)\)", " ".join(facts))[1]
            does = {f"does({player},{term_of(text, model.equipment)})": text for text in chosen}
            facts.append(f"1 {{ {'; '.join(does)} }} 1.")
        done = []
        for atoms in answers(program, facts, minus):
            verdict = Verdict(model, atoms)
            text = does[verdict.done] if chosen else None
            where = position.rows, position.to_move, text
            assert verdict.legal == legal, where
            assert verdict.terminal == (not legal), where
            assert verdict.goals == goals, where
            if text is not None:
                after = rulebook.play(position, text)
                assert verdict.next == set(fluents(model, after)), where
            done.append(text)
        assert sorted(done) == chosen if chosen else done == [None]
        looked += len(done)
    return looked
