"""What a model is worth, in one line: exact as far as the records tell, or what is not settled.

Unexplained is what the records show and the model gets wrong; open is what they leave undecided,
with the kind of records that would decide it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grl.model import Model, Rule, Status
from grl.sgrl.confidence import FEW
from grl.showing import count
from grl.summary.standing import alone, habitual, rivalled, undecided

LISTED = 3
"""How many open parts, and how many wishes, a line names."""
PARTS = {
    "restrictions": ("restrictions", "restriction"),
    "endings": ("endings", "ending"),
    "control": ("who moves next", "rule for who moves next"),
    "passing": ("passes", "rule for passes"),
}


@dataclass(frozen=True)
class Verdict:
    """What records show and the model gets wrong, and what they leave open.

    `positions` and `turns` are unexplained; `open` names automata and parts of the rules, `needs`
    the records that would settle them.
    """

    positions: int
    turns: int
    open: tuple[str, ...]
    needs: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether nothing is unexplained and nothing open."""
        return not (self.positions or self.turns or self.open)

    def line(self) -> str:
        """The verdict for people."""
        if self.exact:
            return "exact as far as the records tell"
        said = []
        if self.positions or self.turns:
            said.append(
                f"{count(self.positions, 'position')} and {count(self.turns, 'turn')} unexplained"
            )
        if self.open:
            said.append("open: " + _some(self.open))
        if self.needs:
            said.append("it takes " + _some(self.needs))
        return f"not exact: {'; '.join(said)}; grl ask MODEL TRACES asks for such positions"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "exact": self.exact,
            "positions": self.positions,
            "turns": self.turns,
            "open": list(self.open),
            "needs": list(self.needs),
            "line": self.line(),
        }


def verdict_of(model: Model) -> Verdict:
    """The verdict on a model that was just learned, by its report."""
    report = model.report
    rules, ended = _part(report, "restrictions"), _part(report, "endings")
    unexplained = (
        rules.get("unexplained", 0)
        + ended.get("unexplained", 0)
        + ended.get("early", 0)
        + _part(report, "passes").get("wrong", 0)
    )
    turns = rules.get("missing", 0) + _part(report, "control").get("wrong", 0)
    turns += _part(report, "effects").get("unexplained", 0)
    found = list(_open(model))
    return Verdict(
        unexplained,
        turns,
        tuple(dict.fromkeys(part for part, _ in found)),
        tuple(dict.fromkeys(need for _, need in found if need)),
    )


def _open(model: Model) -> Iterator[tuple[str, str]]:
    """What is open, with the records that would settle it."""
    report = model.report
    for item in report.get("automata", ()):
        if not item["sure"]:
            yield item["key"], _wish(item)
    for name in report.get("ended", ()):
        yield name, "more time"
    if model.rules is None:
        wish = "learning with rules"
        yield "all rules", "" if _part(report, "effects") else wish
        return
    every = "games that list every legal turn"
    if 2 * report.get("complete", 0) < report.get("decisions", 0):
        yield "restrictions", every
    if not _part(report, "endings").get("terminal", 0):
        yield "endings", "games played to their end"
    if "passes" in report and not _part(report, "passes").get("positions", 0):
        yield "passes", every
    silent = dict(habitual(model))
    for name, (part, kind) in PARTS.items():
        rules: tuple[Rule, ...] = getattr(model.rules, name)
        for number, rule in enumerate(rules, 1):
            if name == "restrictions" and number in silent:
                yield part, every
            elif rule.status is Status.PROVISIONAL:
                more = max(1, FEW - rule.support)
                yield part, f"{count(more, 'more position')} that {kind} {number} decides"
            elif rule.status is Status.REFUTED:
                yield part, ""
    for first, second, _ in undecided(model):
        yield PARTS["endings"][0], f"a position in which endings {first} and {second} both hold"
    for ending, _ in rivalled(model):
        yield PARTS["endings"][0], f"a position in which ending {ending} and one as simple differ"
    if alone(model):
        yield PARTS["endings"][0], "a position in which only the player to move has no turn"


def _wish(item: Mapping[str, Any]) -> str:
    """What is missing of an automaton's records."""
    key = item["key"]
    if item["open"]:
        return f"positions that decide on '{item['open'][0]}' of {key}"
    if item["support"] < FEW:
        more = FEW - item["support"]
        return f"{count(more, 'more turn')} with '{item['weakest']}' of {key}"
    return f"more games with turns of {key}"


def _part(report: Mapping[str, Any], name: str) -> Mapping[str, int]:
    found = report.get(name)
    return found if isinstance(found, Mapping) else {}


def _some(items: tuple[str, ...]) -> str:
    more = len(items) - LISTED
    return ", ".join(items[:LISTED]) + (f" and {more:,} more" if more > 0 else "")
