"""The C text that features share: contents, tables by seat, neighbourhoods; each written once.

Players are seats, pieces are numbers, squares are bits: nothing of a model but integers reaches
the text. What depends on who looks is a table by seat, looked up when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Final

from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.contents import NOTHING
from grl.logic.terms import OWN, Term
from grl.model import Feature
from grl.rules.features.cases import Setting
from grl.rules.features.levels import asks
from grl.rules.templates import POSITIONS, RELATIONS, TURNS, sorts
from grl.rules.templates.template import Template

INNER: Final = (sorts.POSITION, sorts.PLAIN)


class Source:
    """C text in the making, with what the features in it need."""

    signs: Final = {"=": "==", "<": "<"}
    """How numbers are compared."""
    me: Final = "c->ground.me"
    pieces: Final = "c->ground.pieces"
    """Who looks at a case, and what lies there; functions of positions have it as `c`."""
    mover: Final = "l->before.ground.me"
    before: Final = "l->before.ground.pieces"
    after: Final = "l->turns[i].after.pieces"
    start: Final = "l->turns[i].squares.start[0]"
    end: Final = "l->turns[i].squares.end[0]"
    """The same before turn `i` of a list `l` and after it, and where its first segment leads."""

    def __init__(self, setting: Setting, code: Code) -> None:
        self.setting, self.code = setting, code
        self.players = setting.equipment.players
        self.keys = sorted(setting.equipment.pieces)
        self.back, self.own = 0, False
        self.events: dict[str, int] = {}
        self.moved = self.trail = self.midway = False
        self.asks_stuck = False
        self.texts: list[str] = []
        """All that was written, in the order in which it has to stand."""
        self._names: dict[object, str] = {}
        self._counts: dict[str, int] = {}

    def named(self, key: object, kind: str, write: Callable[[str], str]) -> str:
        """The name of a text that `write` makes of its name; equal keys have one text."""
        found = self._names.get((kind, key))
        if found is None:
            number = self._counts[kind] = self._counts.get(kind, -1) + 1
            found = self._names[kind, key] = f"{kind}_{number}"
            self.texts.append(write(found))
        return found

    def board(self) -> str:
        """The set of all squares that there are."""
        return self.code.constant(self.setting.board.squares)

    def rank(self, me: str, at: str) -> str:
        """The rank of a square `at` as the seat `me` sees it, from 1."""
        tables = [[rank for _, rank in self.setting.relative[p]] for p in self.players]
        if all(each == tables[0] for each in tables):
            return f"{self.code.table(tables[0])}[{at}]"
        return f"{self.code.table(list(chain(*tables)))}[SQUARES * {me} + {at}]"

    def kinds(self, what: str) -> list[list[int]]:
        """By seat the numbers of the pieces that `what` names when that player looks."""
        named = [self.setting.keys(player, what) for player in self.players]
        return [[i for i, key in enumerate(self.keys) if key in keys] for keys in named]

    def holding(self, what: str, pieces: str, me: str) -> str:
        """An expression for the squares that hold `what` as the seat `me` sees it."""
        if what == NOTHING:
            return f"empty_of({pieces})"
        return self.code.holding(what, pieces, me)

    def position(self, feature: Feature) -> str:
        """The name of the C function of a feature of positions: ``int NAME(Case *c)``.

        Raises `NotCompiled` where there can be none.
        """
        return self._feature("position", POSITIONS, feature, "Case *c", "(void)c;")

    def turn(self, feature: Feature) -> str:
        """The name of the C function of a feature of turns: ``int NAME(List *l, int i)``.

        Raises `NotCompiled` where there can be none; relations have columns instead.
        """
        return self._feature("turn", TURNS, feature, "List *l, int i", "(void)l, (void)i;")

    def _feature(
        self,
        kind: str,
        templates: Mapping[str, Template],
        feature: Feature,
        takes: str,
        unused: str,
    ) -> str:
        if feature[0] not in templates:
            raise NotCompiled(
                f"{feature[0]} can't be written in C", expected=f"a feature of {kind}s"
            )

        def write(name: str) -> str:
            body = templates[feature[0]].code(self, *feature[1:])
            return f"static int {name}({takes}) {{\n  {unused}\n  {body}\n}}"

        return self.named(feature, kind, write)

    def effort(self, feature: Feature) -> int:
        """What a feature of positions or turns costs to ask: cheap literals come first."""
        name, *arguments = feature
        if asks(feature):
            return 100
        template = TURNS.get(name) or POSITIONS.get(name) or RELATIONS[name]
        cost = template.effort
        if isinstance(cost, int):
            return cost
        pairs = zip(template.takes, arguments, strict=False)
        return cost(*(self.effort(value) if sort in INNER else value for sort, value in pairs))

    # What templates ask for -------------------------------------------------------------------

    def on(self, what: str) -> str:
        """The squares of a case that hold `what`."""
        return "c->ground.empty" if what == NOTHING else self.holding(what, self.pieces, self.me)

    def role(self, name: str) -> str:
        """The square of turn `i` that plays a role."""
        squares = "l->turns[i].squares"
        if name[-1].isdigit():
            return f"{squares}.{name[:-1]}[{int(name[-1]) - 1}]"
        return f"{squares}.{name}"

    def know(self, terms: Iterable[Term]) -> None:
        """Takes down what terms ask of the game before."""
        for inner in chain.from_iterable(term.terms() for term in terms):
            if inner.operator.name == "last":
                back = int(str(inner.arguments[1]))
                self.back, self.own = max(self.back, back), self.own or back == OWN
            elif inner.operator.name == "moved":
                self.moved = True
