"""The rules of a model as C: features, lists of rules, and what states keep for them."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from grl.board import Equipment
from grl.logic.code import Code
from grl.model import Feature, Rule, Rules
from grl.rules.code.history import follow
from grl.rules.code.rulelists import RuleLists
from grl.rules.code.source import Source
from grl.rules.features.cases import Setting


class Needs(NamedTuple):
    """What rules need of states, lists and of who calls them.

    `back`: of so many turns it is known where they began and ended; `own`: whether of each player's
    last one, too; `events`: what is counted, in the order of `State.since`; `moved`, `trail`:
    whether those are kept; `scratch`: so many bytes a turn; `midway`: whether turns are broken off;
    `stuck`, `threats`, `reached`: whether the functions ``is_stuck``, ``threatened`` or
    ``reachable``, and ``reaches`` are called; `anywhere`: how many relations ask for rivals from
    any square.
    """

    back: int
    own: bool
    events: tuple[str, ...]
    moved: bool
    trail: bool
    scratch: int
    midway: bool
    stuck: bool
    threats: bool
    reached: bool
    anywhere: int


class RuleCode(Source):
    """The rules of a game in C; raises `NotCompiled` for what can't be written so.

    `code` writes the terms in them, and its text comes before this one's. Further features get
    functions when they are asked for, before `text` and `needs` are.
    """

    def __init__(self, equipment: Equipment, rules: Rules, code: Code) -> None:
        super().__init__(Setting(equipment, rules.frames, lambda _: ()), code)
        self._board = self.board()
        self._lists = RuleLists(self, rules)
        self.endings: tuple[Rule, ...] = rules.endings
        self.control: tuple[Rule, ...] = rules.control

    def relation(self, feature: Feature) -> str:
        """The name of the function of a relation: ``void NAME(List *l, u8 *found, int holds)``."""
        return self._lists.rivals.relation(feature)

    def highest(self, feature: Feature) -> tuple[int, str]:
        """What the turns of a list have at most, see `Relations.highest`."""
        return self._lists.rivals.highest(feature)

    @property
    def needs(self) -> Needs:
        """What the rules need."""
        rivals = self._lists.rivals
        return Needs(
            self.back,
            self.own,
            tuple(self.events),
            self.moved,
            self.trail,
            16 * rivals.grouped + rivals.layers + rivals.columns,
            self.midway,
            self.asks_stuck,
            not self.code.asked.isdisjoint({"threatened", "reachable"}),
            "reaches" in self.code.asked,
            rivals.anywhere,
        )

    def text(self) -> str:
        """The text, which comes after `grl/rules/code/cases.h` and the terms."""
        rivals = self._lists.rivals
        parts = [
            f"#define ASKS {int(bool(self.code.asked))}",
            f"#define GROUPED {int(rivals.grouped)}",
            f"#define LAYERS {rivals.layers}",
            f"#define COLUMNS {rivals.columns}",
            "INLINE Set empty_of(const Set *pieces) {",
            f"  Set s = {self._board};",
            "  for (int k = 0; k < KEYS; k++) s = set_less(s, pieces[k]);",
            "  return s;",
            "}",
        ]
        if self.asks_stuck:
            parts.append("static int is_stuck(Space *p, const State *s, int seat, int level);")
        parts += [
            follow(self),
            (files("grl.rules.code") / "lists.h").read_text(encoding="utf-8"),
            *self.texts,
            *self._lists.texts,
        ]
        return "\n".join([*parts, ""])
