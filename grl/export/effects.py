"""What turns bring about without a choice, in ASP: `grl.rules.play.effects` at work in a program.

What the automata spell is a word then, ``word(W,U)``, and a turn is a word with its effects.
``lies(W,U,S,C)`` is the board after word U in position W, ``stops(W,U,S)`` the square on which its
first segment stops, and ``hit(W,U,S,L)`` says that letter L then happens on S. Squares that are hit
are gone through in the order of squares, each a further segment: ``rest(W,U,N,S,T)`` says that T
has N segments and the last of them is on S, and ``whole(W,T,U)`` that turn T is word U with all its
effects. Where pieces in reserve give out on the way there is no such turn: ``spare(W,T,C,N)`` is
what is left of them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grl.asp.layout import filled
from grl.board import EMPTY, Player
from grl.errors import ModelError
from grl.export import paths
from grl.export.walks import letter_term
from grl.logic.asp import Atom, Writer
from grl.logic.changes import PUSHED, change_of, effect_term
from grl.logic.geometry import Geometry
from grl.logic.grid import DIRECTIONS, Grid, Indices
from grl.logic.ops.counts import no_rules
from grl.logic.ops.places import square
from grl.logic.rows import Ground, Rows, Values, Walked
from grl.logic.terms import FARTHEST, ROLES, Term
from grl.model import Model
from grl.rules.asp.definitions import Definitions
from grl.rules.asp.naming import Names
from grl.rules.asp.terms import Static
from grl.rules.english.effects import effect_sentences


def terms_of(model: Model) -> list[Term]:
    """The terms of the effects; raises `ModelError` for effects that there are not, and where
    contents are numbers."""
    if model.equipment.sowing is not None:
        no_rules()
    return [
        effect_term(effect.where, effect.becomes, model.equipment, f"effects[{number}]")
        for number, effect in enumerate(model.effects)
    ]


def effect_letters(model: Model, names: Names) -> list[str]:
    """The letters that effects add to turns, as terms; before one that keeps is a removal."""
    return sorted({letter for _, _, _, letter in _brought(model, names)})


def kind_facts(model: Model, names: Names) -> str:
    """What kinds the letters of effects are of, as `paths.KINDS` has it."""
    letters = effect_letters(model, names)
    if any(map(_keeps, letters)) and "remove" not in letters:
        letters.append("remove")
    kinds = {"remove": "d", "keep": "r", "appear": "a"}
    return " ".join(f"kind({term},{kinds[term.partition('(')[0]]})." for term in letters)


def _keeps(letter: str) -> bool:
    return letter.startswith("keep")


def keeps(model: Model) -> frozenset[tuple[Player, str]]:
    """Who keeps which pieces by effects."""
    return frozenset(
        (player, change.kept)
        for effect in model.effects
        for player in model.equipment.players
        for key in model.equipment.pieces
        if (change := change_of(model.equipment, effect.becomes, player, key, key)) and change.kept
    )


PASSED = frozenset({"path", "crossed", "taken"})
"""Terms of squares that the hand passes."""


def passes_over(model: Model) -> bool:
    """Whether an effect asks how first segments come about, and so for `paths.growth`."""
    return asks_landing(model) or any(
        part.operator.name in PASSED or {"start1", "onward"} & set(part.arguments)
        for term in terms_of(model)
        for part in term.terms()
    )


def asks_landing(model: Model) -> bool:
    """Whether an effect asks for the piece on which first segments land."""
    return any(effect.becomes == PUSHED for effect in model.effects) or any(
        "captured" in part.arguments for term in terms_of(model) for part in term.terms()
    )


def effect_facts(model: Model, names: Names) -> str:
    """What becomes of which contents by which effect; a sentence for each effect."""
    said: list[str] = []
    for number, sentence in enumerate(effect_sentences(model), 1):
        said += textwrap.wrap(f"Effect {number}. {sentence}", 94)
    facts = [
        f"brings({number},{mover},{content},{letter})."
        for number, mover, content, letter in _brought(model, names)
    ]
    return "\n".join([*(f"% {line}" for line in said), *filled(facts)])


def _brought(model: Model, names: Names) -> list[tuple[int, str, str, str]]:
    """Number of the effect, mover, content that was there, and the letter that it brings.

    Of pieces pushed on the content is what they were.
    """
    found = []
    contents = (EMPTY, *sorted(model.equipment.pieces))
    for number, effect in enumerate(model.effects, 1):
        for player in model.equipment.players:
            for key in contents:
                change = change_of(model.equipment, effect.becomes, player, key, key)
                if change is not None:
                    term = letter_term(change.letters[-1], names)
                    found.append((number, names.player[player], names.cell(key), term))
    return found


# Rules -----------------------------------------------------------------------------------------


def meeting(model: Model, definitions: Definitions) -> str:
    """The rules that say on which squares what happens; they may be copied for other positions.

    Where an effect `passes_over` squares they rest on `grl.export.paths.growth`.
    """
    several = model.segments > 1
    parts = [
        _ORIGIN.format(n=",1" if several else "") if passes_over(model) else "",
        _stopping(several),
        _LANDING if asks_landing(model) else "",
        "% The board after a word.\n"
        "lies(W,U,S,C) :- wrote(W,U,S,C).\n"
        "lies(W,U,S,C) :- word(W,U), board(W,S,C), not written(W,U,S).",
    ]
    writer = Writer(_Words(model, definitions), "set")
    atoms = [writer.define(term) for term in terms_of(model)]
    parts.append(writer.text())
    for number, atom in enumerate(atoms, 1):
        parts.append(f"% Squares that effect {number} meets.\nmet_{number}(W,U,S) :- {atom('S')}.")
    parts += [_hits([effect.becomes for effect in model.effects]), _OUTCOME]
    if keeps(model):
        parts.append("changed(W,T,S,empty) :- whole(W,T,U), hit(W,U,S,keep(C)).")
    return "\n\n".join(filter(None, parts))


_ORIGIN = """% Where words begin.
outset(W,from(S),S) :- begin(W,from(S),_,_,_,_{n}).
outset(W,Q,S) :- grows(W,Q,P), outset(W,P,S)."""

_LANDING = """% The pieces on which words land.
landed(W,U,S,C) :- stops(W,U,S), board(W,S,C), C != empty, not outset(W,U,S)."""


class _Words(Static):
    """What a program says of words, for `grl.logic.asp`."""

    mover = "plays(W,M)"

    def __init__(self, model: Model, definitions: Definitions) -> None:
        super().__init__(definitions)
        self.model = model

    def row(self, of_turn: bool) -> str:  # noqa: ARG002
        """The variables of a word; every word has a board of its own."""
        return "W,U"

    def given(self, row: str) -> str:  # noqa: ARG002
        """The literal that binds a word."""
        return "word(W,U)"

    def holds(self, square: str, content: str) -> str:
        """The literals: a square holds a content on the board after the word."""
        if content == "empty":
            return f"lies(W,U,{square},empty)"
        return f"lies(W,U,{square},C), {self.mover}, {self.definitions.of(content, 'M', 'C')}"

    def role(self, role: str, square: str) -> str:
        """The literal: a square plays a role in the first segment."""
        known = {"start1": "outset", "end1": "stops", "drop": "first_a", "taken": "first_d"}
        if role == "captured":
            return f"landed(W,U,{square},_)"
        if role not in known:
            raise _unwritten(role)
        if role in ("drop", "taken"):
            self.definitions.needs.add(role)
        return f"{known[role]}(W,U,{square})"

    def path(self, head: Atom, *, twice: bool = False) -> str:
        """The rules for the squares that the first segment passes, or passes more than once; none
        where the hand flies."""
        rules, unflown = paths.strides(self.model, twice=twice)
        strode = paths.STRODE[twice]
        return f"{rules}\n{head('S')} :- first(W,U,P), {strode}(W,P,S){unflown}."

    def taken(self, head: Atom) -> str:
        """The rules for the squares on which the choices of a turn remove pieces."""
        rules = paths.removals(self.model.segments > 1)
        return f"{rules}\n{head('S')} :- word(W,U), removes(W,U,S)."

    def last(self, role: str, back: int, square: str) -> str:  # noqa: ARG002
        """Raises `ModelError`: effects don't ask for the turn before."""
        raise _unwritten(role)

    def moved(self, square: str) -> str:  # noqa: ARG002
        """Raises `ModelError`: effects don't ask what has moved before."""
        raise _unwritten("moved")

    def touched(self, head: Atom, sort: str, seat: int, level: int) -> str:  # noqa: ARG002
        """Raises `ModelError`: effects don't ask for turns of players."""
        raise _unwritten(sort)


def _unwritten(found: str) -> ModelError:
    expected = "what the first segment does, and what lies on the board"
    return ModelError("an effect can't be written", found=found, expected=expected)


def _stopping(several: bool) -> str:
    if not several:
        return (
            "% A word is a first segment; where it stops.\n"
            "first(W,U,U) :- word(W,U).\n"
            "stops(W,U,S) :- word(W,U), walk(W,U,A,Q,S,H,B)."
        )
    return """% The first segment of a word, and where it stops.
headed(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,2).
headed(W,Q,R) :- onward(W,Q,P), headed(W,P,R).
onward(W,then(P,L),P) :- walk(W,then(P,L),_,_,_,_,_,_).
onward(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,_).
first(W,U,U) :- word(W,U), walk(W,U,A,Q,S,H,B,1).
first(W,U,P) :- word(W,U), headed(W,U,P).
stops(W,U,S) :- first(W,U,P), walk(W,P,A,Q,S,H,B,1)."""


def _hits(becomes: Sequence[str]) -> str:
    """What happens where; of several effects on one square the first counts."""
    rules = ["% What happens on squares that effects meet."]
    number = len(becomes)
    for one, word in enumerate(becomes, 1):
        content = "landed(W,U,R,C)" if word == PUSHED else "lies(W,U,S,C)"
        head = "hit(W,U,S,L)" if number == 1 else f"hit_{one}(W,U,S,L)"
        free = "".join(f", not struck_{before}(W,U,S)" for before in range(1, one))
        rules.append(
            f"{head} :- met_{one}(W,U,S), {content}, plays(W,M), brings({one},M,C,L){free}."
        )
        if number > 1:
            rules.append(f"hit(W,U,S,L) :- {head}.")
            rules.append(f"struck_{one}(W,U,S) :- {head}.")
    rules.append("struck(W,U,S) :- hit(W,U,S,L).\neventful(W,U) :- hit(W,U,S,L).")
    return "\n".join(rules)


def adding(model: Model, definitions: Definitions, *, stocked: bool) -> str:
    """The rules that add segments to words, square by square; `grl.export.levels` unrolls them."""
    definitions.follows()
    first = definitions.names.squares[model.equipment.board.squares[0]]
    begun = (
        "rest(W,U,N,outset,U) :- word(W,U), walk(W,U,A,Q,S,H,B,N)."
        if model.segments > 1
        else "rest(W,U,1,outset,U) :- word(W,U)."
    )
    text = f"""% Each such square is a further segment, in the order of squares.
gap(W,U,outset,{first}) :- eventful(W,U).
gap(W,U,S,R) :- hit(W,U,S,L), follows(S,R).
gap(W,U,S,R) :- gap(W,U,S,Q), not struck(W,U,Q), follows(Q,R).
{begun}"""
    longer = "rest(W,U,N,S,P), gap(W,U,S,R), hit(W,U,R,L), succ(N,K)"
    letters = effect_letters(model, definitions.names)
    keeping = any(map(_keeps, letters))
    appearing = any(letter.startswith("appear") for letter in letters)
    one, kept = "then(and(P,R),L)", "then(then(and(P,R),remove),keep(C))"
    cases = [(one, "")]
    if stocked and (keeping or appearing):
        cases = [
            (one, ", L = appear(C), spare(W,P,C,J), J != 0"),
            (one, ", L = appear(C), not limited(W,C)"),
        ][: 2 * appearing]
        cases += [(one, ", L = remove")] * ("remove" in letters)
        cases += [(kept, ", L = keep(C)")] * keeping
    for ending, case in cases:
        text += f"\nrest'(W,U,K,R,{ending}) :- {longer}{case}."
    if stocked:
        text += "\nspare(W,U,C,N) :- word(W,U), left(W,U,C,N)."
        said = f"rest'(W,U,K,R,{one}), spare(W,P,C,N)"
        text += f"\nspare'(W,{one},C,N) :- {said}, L != appear(C)."
        if appearing:
            text += f"\nspare'(W,{one},C,J) :- {said}, L = appear(C), succ(J,N)."
        if keeping:
            said = f"rest'(W,U,K,R,{kept}), spare"
            text += f"\nspare'(W,{kept},D,N) :- {said}(W,P,D,N), C != D."
            text += f"\nspare'(W,{kept},C,J) :- {said}(W,P,C,N), succ(N,J)."
    return text


_OUTCOME = """% Whole turns, and what they leave on the squares that they touch.
more(W,U,S) :- gap(W,U,S,R), struck(W,U,R).
whole(W,T,U) :- rest(W,U,N,S,T), not more(W,U,S).
turn(W,T) :- whole(W,T,U).
changed(W,T,S,C) :- whole(W,T,U), wrote(W,U,S,C), not struck(W,U,S).
changed(W,T,S,empty) :- whole(W,T,U), hit(W,U,S,remove).
changed(W,T,S,C) :- whole(W,T,U), hit(W,U,S,appear(C)).
altered(W,T,S) :- changed(W,T,S,C)."""


def most_changes(model: Model, longest: int) -> int:
    """No turn has more squares that its effects change; `longest` bounds the letters of words."""
    equipment, squares = model.equipment, model.equipment.board.squares
    ground = Ground(equipment.players[0], "." * equipment.board.size)
    turns = [Walked(dict.fromkeys(ROLES, end).get, lambda: squares) for end in squares]
    grid = Grid(Geometry(equipment.board), dict.fromkeys(equipment.players, "identity"))
    rows = _Widest(equipment, grid, [ground] * len(squares), turns)
    total = 0
    for term in terms_of(model):
        most = int(rows.squares(term).sum(axis=1).max())
        total += min(most, longest) if _within_path(term) else most
    return min(total, len(squares))


def _within_path(term: Term) -> bool:
    """Whether all squares are passed by the hand."""
    if term.operator.name in PASSED:
        return True
    inner = [a for a in term.arguments if isinstance(a, Term)]
    if term.operator.name in ("both", "some_way"):
        return any(map(_within_path, inner))
    return term.operator.name == "without" and _within_path(inner[0])


class _Widest(Rows):
    """Whatever lies on the board and wherever turns start: no term denotes more squares."""

    def holding(self, content: str) -> Values:  # noqa: ARG002
        """All squares."""
        found = np.zeros((len(self), 1, self.grid.size), dtype=np.bool_)
        found[:, :, list(self.equipment.board.squares)] = True
        return found

    def value(self, term: Term) -> Values:
        """What a term denotes, points being anywhere but for the turns' ends."""
        anywhere = term.point and term is not square("end1")
        return self.holding("") if anywhere else super().value(term)

    def paths(self, *, twice: bool = False) -> Values:  # noqa: ARG002
        """All squares."""
        return self.holding("")

    def taken(self) -> Values:
        """All squares."""
        return self.holding("")

    def less(self, one: Values, other: Values) -> Values:  # noqa: ARG002
        """All of the first set."""
        return one

    def counted(self, squares: Values) -> NDArray[np.int16]:
        """More than any number."""
        return super().counted(squares | True) + FARTHEST

    def numbered(self, seat: int, scale: str) -> Indices:
        """Below any number."""
        return super().numbered(seat, scale) * 0 - FARTHEST

    @property
    def onward(self) -> Values:
        """All directions."""
        return np.ones((1, len(DIRECTIONS), 1), dtype=np.bool_)
