"""The rulebook in English, and for each rule a position in which it decides.

Examples come from records where there are some, else from random games by the model itself; the
page says which. A rule that decided nowhere in the time there is has none.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from grl.board import Position
from grl.errors import GrlError
from grl.explain.answer import Explainer, Outlook
from grl.explain.rulings import Ruling
from grl.model import Rule
from grl.rulebook import Rulebook
from grl.rules.english.effects import effect_sentences
from grl.rules.english.sentences import sentences
from grl.serve.shelf import Served
from grl.serve.trees import changed, touched
from grl.traces import Traces
from grl.turn import Turn, play

PARTS = {
    "restrictions": "restriction",
    "endings": "ending",
    "control": "control",
    "passing": "pass",
}
"""The parts of the rules, with the word for a single rule."""
SECONDS = 2.5
"""Spent on examples."""
LONGEST = 400
"""Plies of a random game for examples."""


def book(served: Served) -> dict[str, Any]:
    """The rules as sentences, with what speaks for them."""
    model = served.rulebook.model
    verdict = model.report.get("verdict")
    line = verdict.get("line") if isinstance(verdict, dict) else None
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
    if model.rules is not None:
        for part, kind in PARTS.items():
            rules: tuple[Rule, ...] = getattr(model.rules, part)
            said = sentences(model.equipment, kind, rules)
            parts[part] = [_rule(rule, text) for rule, text in zip(rules, said, strict=True)]
    return {
        "game": model.game,
        "games": model.report.get("games"),
        "known": model.rules is not None,
        "effects": list(effect_sentences(model)),
        "passes": dict(model.passes),
        "order": list(model.equipment.players),
        "verdict": line if isinstance(line, str) else "",
        **parts,
    }


def _rule(rule: Rule, sentence: str) -> dict[str, Any]:
    return {
        "sentence": sentence,
        "support": rule.support,
        "against": rule.against,
        "status": rule.status.value,
    }


def examples(served: Served, records: Iterable[Traces]) -> dict[str, Any]:
    """A position for each rule, by part and number, found once and kept."""
    kept: dict[str, Any] | None = served.kept.get("examples")
    if kept is None:
        # Others go on asking the rulebook of the page meanwhile.
        kept = served.kept["examples"] = _searched(Rulebook(served.rulebook.model), list(records))
    return kept


def _searched(rulebook: Rulebook, records: list[Traces]) -> dict[str, Any]:
    rules, explainer = rulebook.model.rules, Explainer(rulebook)
    if rules is None:
        return {part: {} for part in PARTS}
    found: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    wanted = {part: len(getattr(rules, part)) for part in PARTS}
    end = time.monotonic() + SECONDS
    for source, positions in (
        ("the records", _recorded(rulebook, records)),
        ("a random game by the model", _random(rulebook)),
    ):
        for before, last, here in positions:
            _note(found, explainer.position(here), before, last, here, source)
            if before is not None and last != "pass" and wanted["control"]:
                ruling = explainer.control(before, Turn.parse(last))
                if ruling is not None and str(ruling.number) not in found["control"]:
                    shown = _shown(last, before, here, ruling, source)
                    found["control"][str(ruling.number)] = shown | {"then": here.to_move}
            if time.monotonic() > end or all(
                len(found[part]) == number for part, number in wanted.items()
            ):
                return found
    return found


Moment = tuple[Position | None, str, Position]
"""A position, with the turn that led there and where it was played."""


def _recorded(rulebook: Rulebook, records: Iterable[Traces]) -> Iterator[Moment]:
    for traces in records:
        if traces.header.equipment != rulebook.model.equipment:
            continue
        # A file may break off anywhere: what stands before is as good as any.
        with suppress(GrlError, OSError):
            for game in traces:
                before, last = None, ""
                for ply in game.plies:
                    yield before, last, ply.position
                    before, last = ply.position, ply.turn
                if game.goals is not None:
                    yield before, last, game.final


def _random(rulebook: Rulebook) -> Iterator[Moment]:
    chance = random.Random("examples")
    while True:
        here, before, last = rulebook.initial, None, ""
        for _ in range(LONGEST):
            yield before, last, here
            legal = rulebook.legal(here)
            if not legal:
                break
            turn = chance.choice(legal)
            before, last, here = here, str(turn), rulebook.after(here, turn)


def _note(
    found: dict[str, dict[str, Any]],
    outlook: Outlook,
    before: Position | None,
    last: str,
    here: Position,
    source: str,
) -> None:
    if outlook.ending is not None:
        number = str(outlook.ending.number)
        if number not in found["endings"]:
            found["endings"][number] = _shown(
                last, before or here, here, outlook.ending, source
            ) | {"goals": {str(player): goal for player, goal in outlook.goals.items()}}
        return
    for group in outlook.forbidden:
        number, part = str(group.rule.number), "restrictions"
        if group.example == "pass":
            part = "passing"
        if number in found[part]:
            continue
        try:
            after = play(here, Turn.parse(group.example))
        except GrlError:
            continue
        found[part][number] = _shown(group.example, here, after, group.rule, source)


def _shown(
    turn: str, before: Position, after: Position, ruling: Ruling, source: str
) -> dict[str, Any]:
    rivals = [rival for finding in ruling.findings for rival in finding.rivals]
    return {
        "turn": turn,
        "to_move": before.to_move,
        "before": before.cells,
        "after": after.cells,
        "squares": touched(before.board, Turn.parse(turn)) if turn else [],
        "changed": changed(before, after),
        "marked": sorted({s for finding in ruling.findings for s in finding.squares.values()}),
        "rivals": [
            {"turn": rival, "squares": touched(before.board, Turn.parse(rival))}
            for rival in rivals[:1]
        ],
        "source": source,
    }
