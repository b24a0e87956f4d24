"""Turns of two segments of which the second removes a piece, as rows: a first segment, which is a
word from an origin, and the set of squares of which one is removed then.

What restrictions say of a row rests on its first segment, which decides for all of it, or on the
square that is removed, by sets of squares as the position has them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from grl.engine.literals import Literals, Value
from grl.engine.pruning import speaks_of_first
from grl.engine.words import Stem, Word, clash
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.ops import known_term
from grl.logic.terms import literals_of
from grl.model import Feature, Rules
from grl.rules.features.terms import TERM_TEMPLATES, terms_in
from grl.rules.templates import RELATIONS

MOST_ROWS = 2_048
"""So many first segments from all origins may have rows."""
REMOVED = ("start2", "end2")
"""The square that is removed, as terms speak of it."""
AS_FIRST = frozenset({"before", "moves", "opens", "appears", "keeps", "steps"})
"""Features of such a turn that its first segment has or has not."""
OF_WORD = frozenset({"segments", "letter", "takes", "otherwise", "after"})
"""Features of it that its word and the kinds of pieces removed decide."""

Reader = Callable[[Value], str]
"""Of a value of first segments whether it holds of row ``r``, in C."""


def rows_of(
    words: Sequence[Word], stems: Sequence[Stem], every: frozenset[str], counted: frozenset[str]
) -> list[Word]:
    """The first segments of a player's rows; none where something else may follow, or where two
    turns may have one effect."""
    firsts = [stem.first for stem in stems if stem.first is not None]
    if not firsts or len(firsts) < len(stems) or not all(each.removes for each in firsts):
        return []
    removed = firsts[0].removes
    if any(each.removes != removed for each in firsts):
        return []
    if any(removed & set(each.leaves.values()) for each in firsts):
        return []
    if sum(len(each.origins) for each in firsts) > MOST_ROWS:
        return []
    pairs = [pair for pair in combinations(firsts, 2) if pair[0].state != pair[1].state]
    pairs += [(one, other) for one in firsts for other in words if one.leaves != other.leaves]
    if any(clash(*pair, every, counted, removed) for pair in pairs):
        return []
    return firsts


class Removals:
    """What rules ask of rows; raises `NotCompiled` where they ask for more than rows say.

    `literals` are those of the first segments; rules whose numbers are in `decided` were asked of
    these before.
    """

    def __init__(self, literals: Literals, decided: Collection[int], code: Code) -> None:
        self.literals, self.decided, self.code = literals, frozenset(decided), code

    @property
    def firsts(self) -> Sequence[Word]:
        """The first segments, by number."""
        return self.literals.words

    def known(self, rules: Rules) -> bool:
        """Whether rows say all that rules ask of them."""
        if rules.control:
            return False
        try:
            for number, rule in enumerate(rules.restrictions):
                for feature, _ in rule.body if number not in self.decided else ():
                    self._checked(feature)
        except NotCompiled:
            return False
        return True

    def _checked(self, feature: Feature) -> None:
        name, *arguments = feature
        if name in ("rival_has", "rival_lacks") and isinstance(arguments[1], tuple):
            self._checked(arguments[1])
        elif name in ("more", "beyond"):
            if arguments[0] != "any":
                raise NotCompiled("numbers of rivals from one square are left to the walk")
            self.literals.numbers(feature)
        elif name not in RELATIONS:
            self.held(feature, lambda _: "")

    def held(self, feature: Feature, reader: Reader) -> tuple[str, str]:
        """Of which squares of a row a feature holds: whether of any, and of which of them."""
        name = feature[0]
        if name in TERM_TEMPLATES:
            if not all(map(speaks_of_first, terms_in(feature))):
                return "1", self._removed(feature)
            if feature[1] != "before":
                raise NotCompiled("a term on the board after a removal is left to the walk")
        elif name not in AS_FIRST | OF_WORD:
            raise NotCompiled(f"a feature {name!r} of a removal is left to the walk")
        value = self.literals.value(feature)
        if value.asked:
            raise NotCompiled(f"a feature {name!r} of a removal is left to the walk")
        return reader(value), ""

    def _removed(self, feature: Feature) -> str:
        """The squares of which a term holds when they are removed."""
        name, when, data, *_ = feature
        parts = list(literals_of(known_term(data)))
        points = [
            (each, holds)
            for each, holds in parts
            if each.operator.name == "square" and str(each.arguments[0]) in REMOVED and holds
        ]
        others = [part for part in parts if part not in points]
        if name != "some" or when != "before" or not points:
            raise NotCompiled("what a term asks of a removal is left to the walk")
        if any(each.of_turn or each.directed for each, _ in others):
            raise NotCompiled("what a term asks of a removal is left to the walk")
        found = "board_squares"
        for each, holds in others:
            squares = f"{self.code.define(each)}(&c->ground, 0)"
            found = f"set_{'and' if holds else 'less'}({found}, {squares})"
        return found
