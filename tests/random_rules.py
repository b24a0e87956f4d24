"""Features drawn at random: every template, with arguments of every sort that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from random_terms import random_term

from grl.logic.contents import contents_by_player, contents_of
from grl.logic.geometry import ZONES
from grl.logic.ops.lines import LINED
from grl.logic.ops.places import LAST, LINE, RING, ZONE, lies, square
from grl.logic.ops.sets import NEAR, SHIFT, WITHOUT, together
from grl.logic.terms import make
from grl.model import Feature, Model
from grl.rules.features import vocabulary
from grl.rules.features.cases import Setting
from grl.rules.features.past import events
from grl.rules.features.terms import TERM_TEMPLATES, terms_in
from grl.rules.templates import POSITIONS, RELATIONS, TURNS, history, letters, sorts
from grl.rules.templates.evaluation import check_position, check_turn
from grl.rules.templates.template import Template

Draw = Callable[["Features"], object]
ATTEMPTS = 40
MOST_LEVELS = 9
"""So deep a feature may nest; others may hold it still: ``rival_has``, ``and``, ``before``."""
NOTHING: Feature = ("passes", 1)
PAST = frozenset(
    {"passes", "times", "again", "since", "stuck", "moved", "last", "threatened", "reachable"}
)
"""Names in features that ask for the game before, and some that take long to answer."""
WORDLY = frozenset({"moves", "takes", "letter", "opens", "steps", "appears", "segments"})
"""Features of turns that their letters decide."""
SETWISE = ("takes", "takes", "steps", "before", "and", "rival_has", "rival_has", "rival_lacks")
SETWISE += ("more", "beyond", "prefix", "appears", "moves", "letter", "opens", "otherwise")


AMOUNTS = ["term", "term", "term", "hand", "all", "points"]
ALONE = ("single", "single", "line")
"""Kinds of features that are asked of one turn after the other."""


class Features:
    """Draws features for a model; `setting` is that of its rules."""

    def __init__(self, chance: Random, model: Model, setting: Setting) -> None:
        self.chance, self.setting, self.equipment = chance, setting, model.equipment
        words = vocabulary.words_of(model)
        self.turn_words = [
            [priced.feature for priced in vocabulary.turn_features(setting, words, level)]
            for level in range(vocabulary.ROUNDS)
        ]
        self.words = words

    def position(self, *, stuck: bool = True) -> Feature:
        """A feature of positions; with `stuck` off none that asks for turns."""
        if self.chance.random() < 0.35:
            return self._checked(self._usual_position, NOTHING)
        names = [n for n in sorted(POSITIONS) if stuck or n != "stuck"]
        return self._checked(lambda: self._filled(self.chance.choice(names), "now"), NOTHING)

    def turn(self, *, stuck: bool = True, before_stuck: bool = False) -> Feature:
        """A feature of turns, no relation. `stuck`: it may ask who has turns after the turn;
        `before_stuck`: or before it, which a restriction that turns are asked of may not."""
        kind = self.chance.random()
        if kind < 0.3:
            return self.chance.choice(self.chance.choice(self.turn_words))
        if kind < 0.5:
            return self.usual_turn()
        name = self.chance.choice(sorted(TURNS))
        if name == "before":
            return (name, self.position(stuck=before_stuck))
        if name in ("after", "midway"):
            return (name, self.position(stuck=stuck))
        if name == "and":
            return (name, self._plain(), self._plain())
        when = self.chance.choice(["before", "after"])
        return self._checked(lambda: self._filled(name, when), ("before", NOTHING))

    def _plain(self) -> Feature:
        """A feature of turns that holds no other, but perhaps one of positions."""
        if self.chance.random() < 0.5:
            return self.usual_turn()
        return self.chance.choice(self.chance.choice(self.turn_words))

    def relation(self) -> Feature:
        """A relation between turns, about any feature of turns."""
        name = self.chance.choice(["rival_has", "rival_has", "rival_lacks", *RELATIONS])
        arguments = [
            self.turn(stuck=self.chance.random() < 0.2)
            if sort is sorts.TURN
            else self.chance.choice(["any", *sort.words])
            if "any" in sort.words
            else self._argument(sort)
            for sort in RELATIONS[name].takes
        ]
        return (name, *arguments)

    def timeless(self) -> Feature:
        """A feature of positions that asks nothing of the game before."""
        for _ in range(ATTEMPTS):
            feature = self.position()
            if not PAST & set(_names(feature)):
                return feature
        return ("size", "now", ("lies", "own"), "<", 2)

    def setwise(self, *, nested: bool = True) -> Feature:
        """A feature of turns, or a relation, that sets of origins may answer."""
        chance = self.chance
        kind = chance.choice(["word", "place", "place", "near", "whole", "plain", *SETWISE, *ALONE])
        if (
            kind in ("more", "beyond", "rival_has", "rival_lacks", "prefix", "and", "single")
            and not nested
        ):
            kind = "place"
        scope = chance.choice(["any", "any", "start", "first"])
        if kind == "single":
            return self.turn()
        if kind == "line" and nested:
            ways, number = (
                chance.choice(["around", "orthogonal", "diagonal"]),
                chance.choice([2, 3]),
            )
            lined = ("lined", ways, number, ("lies", chance.choice(["own", "opposing"])))
            return ("some", "after", ("both", ("square", "end1"), lined))
        if kind in ("word", "line"):
            words = [f for some in self.turn_words for f in some if f[0] in WORDLY]
            return chance.choice(words or [("takes", _what(self))])
        if kind == "plain":
            return self._checked(lambda: self._filled("some", "before"), ("before", NOTHING))
        if kind == "whole":
            name = chance.choice(["some", "size", "sizes"])
            return self._checked(lambda: self._filled(name, "before"), ("before", NOTHING))
        if kind in ("place", "near"):
            return self._checked(lambda: self._placed(kind == "near"), ("before", NOTHING))
        if kind == "before":
            return (kind, self.timeless())
        if kind == "and":
            return (kind, self.setwise(nested=False), self.setwise(nested=False))
        if kind in ("rival_has", "rival_lacks"):
            return (kind, scope, self.setwise(nested=False))
        if kind == "more":
            return (kind, "first" if chance.random() < 0.1 else "any", _what(self))
        if kind == "beyond":
            return (kind, "any", "distance", chance.choice(["more", "less"]))
        if kind == "prefix":
            return (kind,)
        return (kind, *map(self._argument, TURNS[kind].takes))

    def _placed(self, near: bool) -> Feature:
        """Whether squares of the turn, or squares beside them, lie in this and outside of that."""
        chance = self.chance
        role = chance.choice(["end1", "end1", "start1", "taken", "drop", "captured"])
        point = square(role)
        for _ in range(chance.choice([0, 0, 0, 1, 2])):
            dx, dy = chance.randint(-2, 2), chance.randint(-2, 2)
            point = make(SHIFT, chance.choice(["board", "seen"]), dx, dy, point)
        if near:
            point = make(NEAR, chance.choice(sorted(self.setting.near)), point)
        found = point
        for _ in range(chance.randint(1, 2)):
            where = chance.choice(
                [
                    lies(chance.choice(contents_of(self.equipment))),
                    lies(chance.choice(contents_of(self.equipment))),
                    make(LINE, chance.choice(["rank", "file"]), 0, "<", chance.randint(2, 4)),
                    make(RING, chance.choice("=<"), chance.randint(1, 2)),
                    make(ZONE, chance.choice(ZONES)),
                    make(NEAR, chance.choice(sorted(self.setting.near)), square("start1")),
                    random_term(chance, self.equipment, chance.randint(0, 2)),
                ]
            )
            belongs = chance.random() < 0.7
            found = together(found, where) if belongs else make(WITHOUT, found, where)
        return ("some", "before", found.data)

    def _filled(self, name: str, when: str) -> Feature:
        if name in TERM_TEMPLATES:
            return self._of_terms(name, when)
        if name == "times":
            scope = self.chance.choice(history.SCOPE.words)
            return (name, scope, self.chance.choice(["<", "="]), self.chance.randint(1, 2))
        taken = (POSITIONS if when == "now" else TURNS)[name].takes
        return (name, *map(self._argument, taken))

    def of(self, template: Template) -> Feature:
        """A feature of a template, of whichever kind."""
        name, takes = template.name, template.takes
        if RELATIONS.get(name) is template:
            return (name, *map(self._argument, takes))
        if POSITIONS.get(name) is template:
            return self._checked(lambda: self._filled(name, "now"), NOTHING)
        when = self.chance.choice(["before", "after"])
        return self._checked(lambda: self._filled(name, when), ("before", NOTHING))

    def _argument(self, sort: sorts.Sort) -> object:
        return DRAWS[sort](self) if sort in DRAWS else self.chance.choice(sort.words)

    def _of_terms(self, name: str, when: str) -> Feature:
        def term() -> Feature:
            return random_term(self.chance, self.equipment, self.chance.randint(0, 2)).data

        def amount() -> Feature:
            kind = self.chance.choice(AMOUNTS) if when == "now" else "term"
            if kind == "points":
                parts = [(self.chance.randint(1, 3), one_of(["term", "hand"])) for _ in range(2)]
                return (kind, *parts)
            return one_of([kind])

        def one_of(kinds: list[str]) -> Feature:
            kind = self.chance.choice(kinds)
            return term() if kind == "term" else (kind, _what(self))

        if name == "some":
            return (name, when, term())
        op = self.chance.choice(["=", "<"])
        if name == "size":
            return (name, when, amount(), op, self.chance.randint(0, 6))
        more = self.chance.choice([(), (), (1,), (3,)])
        return (name, when, amount(), op, amount(), *more)

    def _usual_position(self) -> Feature:
        """What endings of real games ask: counts, lines, ranks, who is stuck, where pieces are."""
        chance, board = self.chance, self.setting.board
        kind = chance.choice(contents_of(self.equipment)[1:])
        what = chance.choice(contents_by_player(self.equipment))
        usual: list[Feature] = [
            ("size", "now", ("all", what), "<", chance.randint(1, 4)),
            ("size", "now", lies(what).data, "<", chance.randint(1, 4)),
            ("sizes", "now", ("lies", "own"), "<", lies(what).data),
            ("some", "now", make(LINED, "around", chance.randint(2, 4), lies(kind)).data),
            (
                "some",
                "now",
                together(
                    lies(kind), make(LINE, "rank", 0, "=", chance.choice([1, board.height]))
                ).data,
            ),
            ("some", "now", together(lies(kind), make(ZONE, chance.choice(ZONES))).data),
            ("some", "now", together(lies(kind), make(LAST, "end1", 1)).data),
            ("mover", chance.choice(self.equipment.players)),
            vocabulary.attacked(what, chance.randrange(len(self.equipment.players))),
            vocabulary.reached(what, chance.randrange(len(self.equipment.players))),
        ]
        return chance.choice(usual)

    def usual_turn(self) -> Feature:
        """Where a turn ends or begins: on a rank, a ring, beside something."""
        chance = self.chance
        here = square(chance.choice(["end1", "end1", "start1"]))
        kind = chance.choice(contents_of(self.equipment))
        where = chance.choice(
            [
                make(LINE, "rank", 0, "<", chance.randint(2, 4)),
                make(RING, "=", chance.randint(1, 2)),
                make(NEAR, chance.choice(sorted(self.setting.near)), lies(kind)),
                make(SHIFT, "board", 0, chance.choice([-1, 1]), lies(kind)),
                make(LINED, "around", 2, lies(kind if kind != "empty" else "own")),
            ]
        )
        return ("some", chance.choice(["before", "after"]), together(here, where).data)

    def _checked(self, draw: Callable[[], Feature], otherwise: Feature) -> Feature:
        """The first feature drawn that templates can work with; directed terms are none."""
        check = check_position if otherwise is NOTHING else check_turn
        for _ in range(ATTEMPTS):
            feature = draw()
            try:
                check(self.setting, feature)
            except ValueError:
                continue
            if deep(feature) <= MOST_LEVELS:
                return feature
        return otherwise


def deep(feature: Feature) -> int:
    """How deep tuples nest."""
    return 1 + max((deep(each) for each in feature if isinstance(each, tuple)), default=0)


def _names(feature: Feature) -> Iterator[object]:
    """All names of templates and operators in a feature."""
    for each in feature:
        if isinstance(each, tuple):
            yield from _names(each)
        else:
            yield each


def leveled(feature: Feature) -> bool:
    """Whether a feature asks for turns that restrictions leave."""
    inner = [each for each in feature if isinstance(each, tuple) and each]
    return any(term.leveled for term in terms_in(feature)) or any(map(leveled, inner))


def _what(draw: Features) -> str:
    keys = [f"={key}" for key in draw.equipment.pieces]
    whats = contents_by_player(draw.equipment)
    return draw.chance.choice([*whats, *whats, *keys, "empty"])


def _role(draw: Features) -> str:
    return draw.chance.choice([*vocabulary.roles(draw.words), "end1", "taken", "drop", "captured"])


def _seat(draw: Features) -> int:
    return draw.chance.randrange(len(draw.equipment.players))


DRAWS: Mapping[sorts.Sort, Draw] = {
    sorts.POSITION: Features.timeless,
    sorts.TURN: Features.usual_turn,
    sorts.PLAIN: Features.usual_turn,
    sorts.CONTENT: _what,
    sorts.ROLE: _role,
    sorts.SEAT: _seat,
    sorts.NUMBER: lambda draw: draw.chance.randint(1, 5),
    sorts.COUNT: lambda draw: draw.chance.randint(1, 3),
    sorts.PLAYER: lambda draw: draw.chance.choice(draw.equipment.players),
    history.EVENT: lambda draw: draw.chance.choice(events(draw.setting)),
    letters.PART: lambda draw: draw.chance.choice(["takes", "takes", *letters.OF_CONTENTS]),
    sorts.PAIRS: lambda draw: tuple(
        (_what(draw), _what(draw)) for _ in range(draw.chance.randint(1, 3))
    ),
}
"""How an argument is drawn, by its sort, where the sort doesn't list its words."""
