"""A model as a rulebook to read, part by part, with what it lacks: text, and plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from grl.rulesfile import goal_data
from grl.showing import count
from grl.summary.standing import automaton_lacks, passing, standings

if TYPE_CHECKING:
    from grl.model import Dfa, Model, Rule, StateId

LONGEST_WORD = 40
LISTED_WORDS = 6
WIDTH = 100
FRAMES = {
    "flip": "with ranks from the other end",
    "turn": "turned by half",
    "mirror": "with files from the other end",
    "quarter": "turned by a quarter",
    "back-quarter": "turned back by a quarter",
    "transpose": "reflected in its rising diagonal",
    "back-transpose": "reflected in its falling diagonal",
}
"""How a player sees the board, by the names of `grl.logic.perspectives`."""
KINDS = {
    "restrictions": "restriction",
    "endings": "ending",
    "control": "control",
    "passing": "pass",
}
"""The parts of the rules, with the word for a single rule."""


def rules_text(model: Model) -> str:
    """The rulebook for people."""
    return "\n".join(_lines(model))


def _lines(model: Model) -> Iterator[str]:
    games = model.report.get("games")
    yield model.game + (f", from {count(games, 'game')}" if isinstance(games, int) else "")
    yield ""
    yield "Pieces"
    yield from (f"  {line}" for line in _pieces(model))
    for sentence in _effects(model):
        yield from wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield from (f"  {sentence}." for sentence in passing(model))
    if model.rules is None:
        yield ""
        yield "Restrictions, endings and who moves next were not learned."
        return
    for player, frame in model.rules.frames.items():
        if frame in FRAMES:
            yield f"  {player} sees the board {FRAMES[frame]}."
    yield from _part(model, "restrictions", "Restrictions")
    if not model.rules.restrictions:
        yield "  All that pieces can do is legal."
    if model.rules.passing:
        yield from _part(model, "passing", "Passes")
    yield from _part(model, "endings", "Endings")
    if not model.rules.endings:
        yield "  The game is over when no turn is left; the goals are unknown."
    if len(model.equipment.players) > 1:
        yield from _part(model, "control", "Who moves next")
        *others, last = model.equipment.players
        otherwise = "otherwise" if model.rules.control else "always"
        yield f"  In turn order {otherwise}: {', '.join(others)} and {last}."
    yield ""
    verdict = model.report.get("verdict")
    if isinstance(verdict, dict) and isinstance(verdict.get("line"), str):
        line = f"As learned: {verdict['line']}."
        yield from wrap(line, WIDTH, subsequent_indent="  ")
    lacks = list(_lacks(model))
    yield "What the records leave open" if lacks else "The records leave nothing open that shows."
    for line in lacks:
        yield from wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _part(model: Model, part: str, title: str) -> Iterator[str]:
    """The rules of a part, numbered in the order in which they are asked."""
    yield ""
    yield title
    for number, (rule, sentence) in enumerate(_rules(model, part), 1):
        text = f"{number}. {sentence} ({_evidence(rule)})"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="     ")


def _rules(model: Model, part: str) -> list[tuple[Rule, str]]:
    """The rules of a part, each with its sentence."""
    from grl.rules.english.sentences import sentences

    assert model.rules is not None
    rules: Sequence[Rule] = getattr(model.rules, part)
    return list(zip(rules, sentences(model.equipment, KINDS[part], rules), strict=True))


def _evidence(rule: Rule) -> str:
    against = f", {rule.against:,} against" if rule.against else ""
    refuted = rule.status == "refuted"
    provisional = "; refuted" if refuted else "; provisional" if rule.provisional else ""
    return f"{count(rule.support, 'position')}{against}{provisional}"


def _pieces(model: Model) -> Iterator[str]:
    """The automata; those of numbers that a player takes up alike as one."""
    from grl.render.words import ROLE_WORDS

    sowing = model.equipment.sowing
    said: set[str] = set()
    for dfa in model.automata:
        line = f"{_piece(model, dfa)}: {_language(dfa)}."
        if sowing is not None and dfa.key.holds in sowing.values:
            line = f"{dfa.key.mover}, any number, {ROLE_WORDS[dfa.key.role]}: {_language(dfa)}."
            if line in said:
                continue
            said.add(line)
        yield line


def _piece(model: Model, dfa: Dfa) -> str:
    from grl.render.words import ROLE_WORDS, piece_words

    what = piece_words(model.equipment, dfa.key.mover, dfa.key.holds)
    return f"{dfa.key.mover}, {what}, {ROLE_WORDS[dfa.key.role]}"


def _effects(model: Model) -> list[str]:
    """What turns bring about without a choice."""
    from grl.rules.english.effects import effect_sentences, sowing_sentences

    return [*effect_sentences(model), *sowing_sentences(model)]


def _language(dfa: Dfa) -> str:
    """How large an automaton is, and its words where they are few."""
    from grl.model import StateId

    number = _word_count(dfa)
    size = count(dfa.size, "state")
    if number is None:
        return f"{size}, words without bound"
    if number > LISTED_WORDS:
        return f"{size}, {count(number, 'word')}"
    return f"{size}; {', '.join(_words(dfa, StateId(0)))}"


def _word_count(dfa: Dfa) -> int | None:
    """How many words an automaton accepts; None where there is no bound to their length."""
    from grl.model import StateId

    ends = dfa.accepting | dfa.continuing
    order = TopologicalSorter({s: {t for _, t in dfa.successors[s]} for s in dfa.successors})
    number: dict[StateId, int] = {}
    try:
        for state in order.static_order():
            number[state] = (state in ends) + sum(number[t] for _, t in dfa.successors[state])
    except CycleError:
        return None
    return number[StateId(0)]


def _words(dfa: Dfa, state: StateId) -> Iterator[str]:
    """The words that go on from a state, in order; … for a segment that may follow."""
    stack: list[tuple[StateId, tuple[str, ...]]] = [(state, ())]
    while stack:
        here, before = stack.pop()
        word = " ".join(before) if len(before) <= LONGEST_WORD else f"{len(before)} letters"
        if here in dfa.accepting:
            yield word or "nothing further"
        elif here in dfa.continuing:
            yield f"{word}; …"
        onward = [(target, (*before, str(letter))) for letter, target in dfa.successors[here]]
        stack += reversed(onward)


def _lacks(model: Model) -> Iterator[str]:
    """What the records leave open of automata and rules; raises `ModelError` for a bad report."""
    from grl.errors import ModelError

    try:
        for report in model.report.get("automata", ()):
            if not report["sure"]:
                yield f"{report['key']}: {'; '.join(automaton_lacks(report, model))}"
    except (KeyError, TypeError, AttributeError):
        raise ModelError(
            "field report.automata is wrong", expected="what grl learn writes"
        ) from None
    for part in standings(model):
        yield from (f"{part.part}: {lack}" for lack in part.lacks)


def rules_data(model: Model) -> dict[str, Any]:
    """The rulebook as plain data."""
    found: dict[str, Any] = {
        "game": model.game,
        "games": model.report.get("games"),
        "pieces": [
            {
                "mover": dfa.key.mover,
                "on": dfa.key.holds,
                "role": dfa.key.role.value,
                "states": dfa.size,
                "words": _word_count(dfa),
            }
            for dfa in model.automata
        ],
        "effects": _effects(model),
        "passes": dict(model.passes),
        "open": list(_lacks(model)),
    }
    if isinstance(model.report.get("verdict"), dict):
        found["verdict"] = model.report["verdict"]
    if model.rules is not None:
        found["frames"] = dict(model.rules.frames)
        found |= {part: [_rule_data(*r) for r in _rules(model, part)] for part in KINDS}
    return found


def _rule_data(rule: Rule, sentence: str) -> dict[str, Any]:
    return {
        "sentence": sentence,
        "value": [goal_data(goal) for goal in rule.value],
        "support": rule.support,
        "against": rule.against,
        "provisional": rule.provisional,
        "status": rule.status.value,
    }
