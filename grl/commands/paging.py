"""A model's rulebook as one page: what ``grl rules`` says, with board, pieces and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grl.progress import Progress
from grl.render.page import Part, Said, game_page
from grl.showing import count
from grl.summary.text import rules_data

if TYPE_CHECKING:
    from grl.model import Model

_TITLES = {
    "restrictions": "Restrictions",
    "passing": "Passes",
    "endings": "Endings",
    "control": "Who moves next",
}
_WITHOUT = {
    "restrictions": "All that pieces can do is legal.",
    "endings": "The game is over when no turn is left; the goals are unknown.",
}


def page_of(model: Model, progress: Progress) -> str:
    """The page of a model, as HTML."""
    data = rules_data(model)
    games = data["games"]
    subtitle = "Rules learned from records"
    if isinstance(games, int):
        subtitle = f"Rules learned from the records of {count(games, 'game')}"
    return game_page(model, subtitle, _parts(model, data), _languages(model, data), progress)


def _languages(model: Model, data: Mapping[str, Any]) -> list[Said]:
    """For each automaton how large it is, and whether it is sure."""
    sure = {report["key"]: report["sure"] for report in model.report.get("automata", ())}
    said = []
    for dfa, piece in zip(model.automata, data["pieces"], strict=True):
        words = piece["words"]
        size = "words without bound" if words is None else count(words, "word")
        known = sure.get(str(dfa.key))
        said.append(Said(size, standing="" if known is None else "sure" if known else "not sure"))
    return said


def _parts(model: Model, data: Mapping[str, Any]) -> list[Part]:
    """The parts of the rulebook that a model has something to say of."""
    parts = []
    effects = [Said(sentence) for sentence in data["effects"]]
    if effects:
        parts.append(Part("Effects", tuple(effects)))
    if model.rules is None:
        unknown = Said("Restrictions, endings and who moves next were not learned.")
        return [*parts, Part("Rules", (unknown,))]
    for kind, title in _TITLES.items():
        said = [_said(rule) for rule in data[kind]]
        numbered = bool(said)
        if kind == "control":
            said += _in_turn(model)
        if kind == "passing":
            said += [_passes(player, when) for player, when in model.passes.items()]
        if not said and kind in _WITHOUT:
            said = [Said(_WITHOUT[kind])]
        if said:
            parts.append(Part(title, tuple(said), numbered))
    left = data["open"] or ["The records leave nothing open that shows."]
    return [*parts, Part("What the records leave open", tuple(map(Said, left)))]


def _said(rule: Mapping[str, Any]) -> Said:
    against = f"{rule['against']:,} against" if rule["against"] else "none against"
    evidence = f"{count(rule['support'], 'position')} for it, {against}"
    return Said(rule["sentence"], evidence, rule["status"])


def _in_turn(model: Model) -> list[Said]:
    players = model.equipment.players
    if len(players) == 1:
        return []
    otherwise = "otherwise" if model.rules and model.rules.control else "always"
    return [Said(f"In turn order {otherwise}: {', '.join(players[:-1])} and {players[-1]}.")]


def _passes(player: str, when: str) -> Said:
    free = "may pass where no rule forbids it" if when == "free" else "passes when it has no turn"
    return Said(f"{player} {free}.")
