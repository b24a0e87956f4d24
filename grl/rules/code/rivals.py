"""Relations between turns in C: each is a function that goes through a list.

``void NAME(List *l, u8 *found, int holds)`` leaves of the turns that are found those of which the
relation holds, or does not. All but those `ABOUT_BEGINNINGS` are one thing: some number of a living
rival lies above the turn's own. What they mean stands in `grl.rules.templates.rivals`.
"""

from __future__ import annotations

from grl.errors import NotCompiled
from grl.model import Feature
from grl.rules.code.source import Source
from grl.rules.templates import RELATIONS
from grl.rules.templates.rivals import Contest

ABOUT_BEGINNINGS = ("prefix", "further")
"""Relations of which `grl/rules/code/lists.h` has the functions."""


class Relations:
    """The relations of some rules, which their templates write as contests.

    `columns` counts the features of turns that are kept, `layers` the columns that are worked on at
    once, and `grouped` says whether turns that begin alike are sought.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.columns = self.layers = 0
        self.grouped = False
        self._anywhere: dict[Feature, tuple[int, str]] = {}

    def relation(self, feature: Feature) -> str:
        """The name of the C function of a relation; raises `NotCompiled`."""
        beginnings = feature[0] in ABOUT_BEGINNINGS
        self.layers = max(self.layers, 1 if beginnings else depth(feature))
        if beginnings:
            self.grouped = True
            return "_".join(("keep", *map(str, feature)))
        if feature[0] not in RELATIONS:
            raise NotCompiled(f"{feature[0]} can't be written in C", expected="a relation of turns")
        self.grouped |= feature[1] == "first"
        return self.source.named(feature, "relation", lambda name: self._write(name, feature))

    def _write(self, name: str, feature: Feature) -> str:
        contest: Contest = RELATIONS[feature[0]].code(self, *feature[1:])
        scope, beside = f"RIVAL_{feature[1].upper()}", "LEAST"
        valued = self.source.named(
            feature,
            "value",
            lambda name: f"static int {name}(List *l, int i) {{\n  {contest.value}\n}}",
        )
        if feature[1] == "any":
            place = len(self._anywhere)
            self._anywhere[feature] = place, f"highest_of(l, {contest.most}, {valued})"
            beside = f"BESIDE_LIST(l, {place})"
        return (
            f"static void {name}(List *l, u8 *found, int holds) {{\n{contest.before}"
            f"  keep_below(l, found, holds, {scope}, {beside}, {contest.most}, {valued});\n}}"
        )

    def contrast(self, feature: Feature, *, lacks: bool) -> Contest:
        """The contest for having a feature of turns, or for lacking it."""
        sign = "!" if lacks else ""
        if feature[0] not in RELATIONS:
            return Contest(f"return {sign}{self._kept(feature)}(l, i);", most="1")
        layer = f"layer(l, {depth(feature)})"
        before = (
            f"  u8 *inner = {layer};\n"
            "  for (int i = 0; i < l->size; i++) inner[i] = l->alive[i] || found[i];\n"
            f"  {self.relation(feature)}(l, inner, 1);\n"
        )
        return Contest(f"return {sign}{layer}[i];", most="1", before=before)

    @property
    def anywhere(self) -> int:
        """How many relations ask for rivals from any square."""
        return len(self._anywhere)

    def highest(self, feature: Feature) -> tuple[int, str]:
        """Of a relation to rivals from any square: its place among such, and an expression over the
        list `l` for what the living turns have at most."""
        self.relation(feature)
        return self._anywhere[feature]

    def _kept(self, feature: Feature) -> str:
        """The name of the function of a feature of turns, of which the column is kept."""
        name = self.source.turn(feature)
        if self.source.effort(feature) < 2:
            return name

        def write(kept: str) -> str:
            column, self.columns = self.columns, self.columns + 1
            return (
                f"static int {kept}(List *l, int i) {{\n"
                f"  u8 *at = kept(l, i) + {column};\n"
                f"  if (!*at) *at = (u8)(1 + {name}(l, i));\n"
                "  return *at == 2;\n"
                "}"
            )

        return self.source.named(feature, "known", write)


def depth(feature: Feature) -> int:
    """How many relations are nested in a feature; those are the only features that have some."""
    if feature[0] not in RELATIONS:
        return 0
    return 1 + max((depth(part) for part in feature[1:] if isinstance(part, tuple)), default=0)
