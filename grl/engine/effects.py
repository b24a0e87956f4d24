"""Effects as C: what the choices of a turn bring about (`grl.rules.play.effects`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grl.board import EMPTY, Player
from grl.engine.tables import numbers
from grl.engine.words import Word
from grl.errors import NotCompiled
from grl.logic.changes import PUSHED, change_of, effect_term, is_kept
from grl.logic.code import TAKES, Body, Code
from grl.logic.grid import WAYS_OF
from grl.logic.ops.counts import no_code
from grl.logic.relations import function
from grl.logic.terms import Term
from grl.model import Model
from grl.turn import REMOVE_LETTER, Letter

NOTHING = 255
"""The content that stands for no change."""


def keeps(model: Model) -> bool:
    """Whether pieces join the mover's reserve by an effect."""
    return any(is_kept(effect.becomes) for effect in model.effects)


def has_hands(model: Model, letters: Sequence[Letter]) -> bool:
    """Whether pieces are in hand, or may come to be: `letters` are those of the automata."""
    reserves = any(letter.reserves for letter in letters)
    return bool(model.equipment.stocked) or reserves or keeps(model)


class Effects:
    """Writes the effects of a model; their letters are numbered after those of automata."""

    def __init__(
        self, model: Model, code: Code, contents: Mapping[str, int], first_letter: int
    ) -> None:
        self.model, self.code, self.contents = model, code, contents
        self.first_letter = first_letter
        pieces = sorted(model.equipment.pieces) if model.effects else []
        self.letters: tuple[Letter, ...] = (
            *([REMOVE_LETTER] if model.effects else []),
            *(Letter(0, 0, "a", key) for key in pieces),
            *(Letter(0, 0, "r", key) for key in pieces if keeps(model)),
        )

    def _now(self, becomes: str, mover: Player, key: str) -> int:
        """The number of a square's content afterwards; a piece that is kept counts behind those."""
        change = change_of(self.model.equipment, becomes, mover, key)
        if change is None:
            return NOTHING
        if change.kept:
            return len(self.contents) - 1 + self.contents[change.kept]
        return self.contents[change.content]

    def text(self) -> Iterator[str]:
        """A function: it adds what a turn brings about; 0 where that can't be carried out."""
        if not self.model.effects:
            return
        equipment = self.model.equipment
        if equipment.sowing is not None:
            no_code()
        tests = []
        for number, effect in enumerate(self.model.effects):
            term = effect_term(effect.where, effect.becomes, equipment, f"effects[{number}]")
            tests.append(f"  where[{number}] = {self.code.define(term)}(&g, &t->squares);")
            if effect.becomes != PUSHED:
                rows = [
                    self._now(effect.becomes, mover, key)
                    for mover in equipment.players
                    for key in self.contents
                ]
                yield numbers("u8", f"heir_{number}", rows)
        count = len(self.model.effects)
        yield "static int walk_effects(Walk *w, Turn *t, State *after) {"
        yield f"  Ground g;\n  Set where[{count}], all = NO_SQUARE;"
        yield "  int me = w->from->to_move;"
        yield "  ground_of(&g, w->lies + 1, w->lies[0], me);"
        yield from tests
        yield f"  for (int e = 0; e < {count}; e++) all = set_or(all, where[e]);"
        yield "  SET_EACH(s, all) {"
        yield "    int content = CELL(w, s), now = 255;"
        for number, effect in enumerate(self.model.effects):
            becomes = f"heir_{number}[me * (KEYS + 1) + content]"
            if effect.becomes == PUSHED:
                becomes = "landed_on(w, t)"
            yield f"    if (now == 255 && set_has(where[{number}], s)) now = {becomes};"
        arguments = f"w, t, after, s, content, now, {self.first_letter}"
        yield f"    if (now != 255 && !effect_at({arguments})) return 0;"
        yield "  }\n  return 1;\n}"


class SetEffects:
    """Effects of turns that do no more than to put a piece on an empty square: of which squares it
    would change something, and what it changes, as sets.

    Such are terms that look in a direction from where the turn ends, and never back: what lies
    there doesn't matter, so that they are asked on the board before. Raises `NotCompiled` for
    others.
    """

    def __init__(self, model: Model, code: Code, contents: Mapping[str, int]) -> None:
        self.equipment, self.code, self.contents = model.equipment, code, contents
        if len(model.effects) != 1 or model.effects[0].becomes == PUSHED:
            raise NotCompiled("several effects, or such as push on, are left to the walk")
        effect = model.effects[0]
        if keeps(model):
            raise NotCompiled("what effects keep is left to the walk")
        self.term = effect_term(effect.where, effect.becomes, model.equipment, "effects[0]")
        self.heirs = [
            {
                key: change.content
                for key in contents
                if (change := change_of(model.equipment, effect.becomes, mover, key))
            }
            for mover in model.equipment.players
        ]
        changed = {key for heirs in self.heirs for key in heirs}
        if self.term.operator.name != "some_way" or not changed >= set(model.equipment.pieces):
            raise NotCompiled("such an effect is left to the walk")
        ways, inner = self.term.arguments
        if ways not in WAYS_OF or not isinstance(inner, Term) or not self._ahead(inner):
            raise NotCompiled("such an effect is left to the walk")
        self.ways, self.inner = WAYS_OF[str(ways)], inner
        if not self._never(inner):
            raise NotCompiled("an effect on empty squares is left to the walk")

    def fits(self, words: Sequence[Word]) -> bool:
        """Whether these words, one from each origin, put a piece on an empty square and no more."""
        kinds = [word.holds for word in words]
        return len(set(kinds)) == len(kinds) and all(
            word.holds == EMPTY and set(word.leaves) == {(0, 0)} == {word.end} for word in words
        )

    def _ahead(self, term: Term) -> bool:
        """Whether a directed term speaks of squares ahead of where the turn ends, and each of them
        belongs to it by what lies there and ahead."""
        name, *parts = term.operator.name, *(a for a in term.arguments if isinstance(a, Term))
        if name == "ahead":
            return self._ends(parts[0]) or self._ahead(parts[0])
        if name == "run":
            return self._ahead(parts[0]) and self._looks_ahead(parts[1])
        if name in ("both", "without"):
            one, other = parts
            if name == "both" and other.of_turn:
                one, other = other, one
            return self._ahead(one) and self._looks_ahead(other)
        return False

    def _ends(self, term: Term) -> bool:
        return term.operator.name == "square" and term.arguments[0] == "end1"

    def _looks_ahead(self, term: Term) -> bool:
        name, parts = term.operator.name, [a for a in term.arguments if isinstance(a, Term)]
        if name == "lies":
            return True
        known = name in ("behind", "run_up", "both", "without", "either")
        return known and all(map(self._looks_ahead, parts))

    def _never(self, term: Term) -> bool:
        """Whether no empty square belongs to a term."""
        name, parts = term.operator.name, [a for a in term.arguments if isinstance(a, Term)]
        if name == "lies":
            return term.arguments[0] in ("own", "opposing")
        if name == "run":
            return self._never(parts[1])
        if name == "both":
            return any(map(self._never, parts))
        return name == "without" and self._never(parts[0])

    def changing(self) -> str:
        """The name of the function of the squares where a turn's end would change something."""
        return self.code.interned("changing", self.term, self._changing)

    def _changing(self, name: str) -> str:
        body = Body(self.code, self.term)
        self._hoist(body, self.inner)
        body.line("Set found = NO_SQUARE;")
        body.open(self.ways)
        body.line("Set x = board_squares;")
        self._back(body, self.inner)
        body.line("found = set_or(found, x);")
        body.close()
        return function(f"Set {name}{TAKES}", body.lines, "found")

    def _hoist(self, body: Body, term: Term) -> None:
        for each in term.arguments:
            if isinstance(each, Term) and not self._ends(each):
                self._hoist(body, each) if each.of_turn else body.hoist(each)

    def _back(self, body: Body, term: Term) -> None:
        """Of the squares ``x``, in the direction ``d``, those from where the term comes to one."""
        name, *parts = term.operator.name, *(a for a in term.arguments if isinstance(a, Term))
        one = next(each for each in parts if each.of_turn)
        rest = [body.ahead(each) for each in parts if each is not one]
        if name == "ahead":
            body.line(f"x = {body.way('behind')}(d, x);")
        elif name == "run":
            body.line(f"x = {body.way('run_up')}(d, x, {rest[0]});")
        else:
            body.line(f"x = set_{'and' if name == 'both' else 'less'}(x, {rest[0]});")
        if not self._ends(one):
            self._back(body, one)

    def text(self) -> Iterator[str]:
        """The function ``bring_about``: what a turn that ends on a square changes."""
        changed = self.code.define(self.term)
        yield "static void bring_about(const State *before, State *after, int end) {"
        yield "  Ground g; Squares t; Set pieces[KEYS];"
        yield "  for (int i = 0; i < ROLES; i++) t.start[i] = t.end[i] = NONE;"
        yield "  t.end[0] = (i16)end;"
        yield "  for (int k = 0; k < KEYS; k++) pieces[k] = after->pieces[k];"
        yield "  ground_of(&g, pieces, empty_of(pieces), before->to_move);"
        yield f"  const Set where = {changed}(&g, &t);"
        yield "  for (int k = 0; k < KEYS; k++) after->pieces[k] = set_less(pieces[k], where);"
        yield "#if MOVED\n  after->moved = set_less(after->moved, where);\n#endif"
        yield "  switch (before->to_move) {"
        for seat, heirs in enumerate(self.heirs):
            yield f"  case {seat}:"
            for key, now in sorted(heirs.items()):
                if EMPTY in (key, now):
                    continue
                put, lay = (f"pieces[{self.contents[each] - 1}]" for each in (now, key))
                yield f"    after->{put} = set_or(after->{put}, set_and({lay}, where));"
            yield "    break;"
        yield "  }\n}"
