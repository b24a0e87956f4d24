"""What turns bring about without a choice, in ASP: `grl.rules.effects` at work in a program.

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
from collections.abc import Callable, Mapping

from grl.board import Player
from grl.errors import ModelError
from grl.export import levels, paths
from grl.export.walks import letter_term
from grl.model import Effect, Model
from grl.rules.asp_telling import AXIS_NAMES, Telling
from grl.rules.cases import AXES
from grl.rules.effects import REMOVED, SAME, EffectGenerator
from grl.rules.english_effects import effect_sentence
from grl.rules.naming import Names
from grl.turn import REMOVE_LETTER, Letter

LINES: Mapping[str, tuple[int, ...]] = {
    "orthogonal": (0, 1),
    "diagonal": (2, 3),
    "around": (0, 1, 2, 3),
}
"""Axes of `AXES` along which runs are enclosed."""
BACK = {"east": "west", "north": "south", "northeast": "southwest", "southeast": "northwest"}


def check_effects(model: Model) -> None:
    """Raises `ModelError` for effects that can't be carried out, or not be told in ASP."""
    EffectGenerator(model.equipment, model.effects, lambda _: ())
    for effect in model.effects:
        if effect.where[0] not in _TELL:
            raise ModelError(
                f"the model of {model.game} can't be written as a program",
                found=f"the effect {' '.join(effect.where)}",
                expected=f"one of {', '.join(_TELL)}",
            )


def effect_letters(model: Model, names: Names) -> list[str]:
    """The letters that effects add to turns, as terms."""
    return sorted({letter for _, _, _, letter in _brought(model, names)})


def kind_facts(model: Model, names: Names) -> str:
    """What kinds the letters of effects are of, as `paths.KINDS` has it."""
    return " ".join(
        f"kind({term},{'d' if term == 'remove' else 'a'})." for term in effect_letters(model, names)
    )


def passes_over(model: Model) -> bool:
    """Whether an effect asks how first segments come about, and so for `paths.growth`."""
    return any(effect.where[0] == "passed" for effect in model.effects)


def effect_facts(model: Model, names: Names) -> str:
    """Which effect meets which pieces, and what becomes of them; a sentence for each effect."""
    said: list[str] = []
    for number, effect in enumerate(model.effects, 1):
        said += textwrap.wrap(f"Effect {number}. {effect_sentence(effect)}", 94)
    facts = []
    for number, effect in enumerate(model.effects, 1):
        for player, keys in _prey(model, effect).items():
            facts += [f"prey({number},{names.player[player]},{names.piece[key]})." for key in keys]
    facts += [
        f"brings({number},{mover},{content},{letter})."
        for number, mover, content, letter in _brought(model, names)
    ]
    return "\n".join([*(f"% {line}" for line in said), *levels.filled(facts)])


def _prey(model: Model, effect: Effect) -> dict[Player, list[str]]:
    """The pieces of opponents that an effect meets, by the mover."""
    pieces = sorted(model.equipment.pieces.items())
    return {
        player: [k for k, p in pieces if p.player not in (None, player) and p.type in effect.types]
        for player in model.equipment.players
    }


def _brought(model: Model, names: Names) -> list[tuple[int, str, str, str]]:
    """Number of the effect, mover, piece that was there, and the letter that it brings."""
    found = []
    for number, effect in enumerate(model.effects, 1):
        for player, keys in _prey(model, effect).items():
            for key in keys:
                letter = _letter(model, effect, player, key)
                if letter is not None:
                    term = letter_term(letter, names)
                    found.append((number, names.player[player], names.piece[key], term))
    return found


def _letter(model: Model, effect: Effect, mover: Player, key: str) -> Letter | None:
    """What happens to a piece; None where the mover has none of the type that it should become."""
    if effect.becomes == REMOVED:
        return REMOVE_LETTER
    pieces = model.equipment.pieces
    kind = pieces[key].type if effect.becomes == SAME else effect.becomes
    heirs = [k for k, p in sorted(pieces.items()) if p.player == mover and p.type == kind]
    return Letter(0, 0, "a", heirs[0]) if heirs else None


# Rules -----------------------------------------------------------------------------------------


def meeting(model: Model, told: Telling) -> str:
    """The rules that say on which squares what happens; they may be copied for other positions."""
    several = model.segments > 1
    parts = [
        paths.growth(several) if passes_over(model) else "",
        _stopping(several),
        "% The board after a word.\n"
        "lies(W,U,S,C) :- wrote(W,U,S,C).\n"
        "lies(W,U,S,C) :- word(W,U), board(W,S,C), not written(W,U,S).",
    ]
    for number, effect in enumerate(model.effects, 1):
        tell, *arguments = effect.where
        parts.append(
            f"% Squares that effect {number} meets.\n"
            f"prey_{number}(W,U,S) :- lies(W,U,S,C), plays(W,M), prey({number},M,C).\n"
            + _TELL[tell](model, told, number, *arguments)
        )
    parts += [_hits(len(model.effects)), _OUTCOME]
    return "\n\n".join(filter(None, parts))


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


def _enclosed(
    model: Model,  # noqa: ARG001
    told: Telling,
    number: int,
    directions: str,
    length: str,
    closer: str,
) -> str:
    ray = _ray(told, directions)
    run, met = f"run_{number}", f"met_{number}"
    rules = [f"{run}(W,U,D,R) :- stops(W,U,S), {ray}(D,S,R), prey_{number}(W,U,R)."]
    if length == "any":
        rules.append(f"{run}(W,U,D,R) :- {run}(W,U,D,S), {ray}(D,S,R), prey_{number}(W,U,R).")
    closed = f"closed_{number}(W,U,D) :- {run}(W,U,D,S)"
    rules.append(f"{closed}, {ray}(D,S,R), lies(W,U,R,C), plays(W,M), piece(C,M,_).")
    if closer == "own or edge":
        brink, inner = f"brink_{directions}", f"inner_{directions}"
        told.define(
            brink,
            f"{brink}: no square is next in a direction.",
            f"{brink}(D,S) :- {ray}(D,_,_), square(S,_,_), not {inner}(D,S).\n"
            f"{inner}(D,S) :- {ray}(D,S,_).",
        )
        rules.append(f"{closed}, {brink}(D,S).")
    rules.append(f"{met}(W,U,S) :- {run}(W,U,D,S), closed_{number}(W,U,D).")
    return "\n".join(rules)


def _ray(told: Telling, directions: str) -> str:
    """The static relation of a direction and two squares: the next one that way."""
    told.lines()
    name = f"ray_{directions}"
    rules = []
    for axis in LINES[directions]:
        on = AXIS_NAMES[AXES[axis]]
        rules.append(f"{name}({on},S,R) :- ahead(S,{on},R).")
        rules.append(f"{name}({BACK[on]},S,R) :- behind(S,{on},R).")
    return told.define(name, f"{name}: the next square in a direction.", "\n".join(rules))


def _breathless(model: Model, told: Telling, number: int, adjacency: str) -> str:  # noqa: ARG001
    near = told.near(adjacency)
    group, prey = f"group_{number}", f"prey_{number}(W,U,R)"
    return f"""{group}(W,U,R) :- stops(W,U,S), {near}(S,R), {prey}.
{group}(W,U,R) :- {group}(W,U,S), {near}(S,R), {prey}.
breathes_{number}(W,U,S) :- {group}(W,U,S), {near}(S,R), lies(W,U,R,empty).
breathes_{number}(W,U,S) :- {group}(W,U,S), {near}(S,R), breathes_{number}(W,U,R).
met_{number}(W,U,S) :- {group}(W,U,S), not breathes_{number}(W,U,S)."""


def _around(model: Model, told: Telling, number: int, adjacency: str) -> str:  # noqa: ARG001
    near = told.near(adjacency)
    return f"met_{number}(W,U,R) :- stops(W,U,S), {near}(S,R), prey_{number}(W,U,R)."


def _passed(model: Model, told: Telling, number: int) -> str:  # noqa: ARG001
    n = ",N" if model.segments > 1 else ""
    rules = f"""over_{number}(W,Q,S) :- extends(W,Q,P,L), moves(L), walk(W,Q,A,Z,S,H,B{n}).
over_{number}(W,Q,S) :- extends(W,Q,P,L), over_{number}(W,P,S).
met_{number}(W,U,S) :- first(W,U,P), over_{number}(W,P,S), prey_{number}(W,U,S)"""
    if not any(letter.fly for dfa in model.automata for _, letter, _ in dfa.transitions):
        return f"{rules}."
    return f"""{rules}, not flew_{number}(W,P).
flew_{number}(W,then(P,fly(R,K))) :- extends(W,then(P,fly(R,K)),P,fly(R,K)).
flew_{number}(W,Q) :- extends(W,Q,P,L), flew_{number}(W,P)."""


_TELL: Mapping[str, Callable[..., str]] = {
    "enclosed": _enclosed,
    "passed": _passed,
    "breathless": _breathless,
    "around": _around,
}
"""What tells each description: rules for ``met_N(W,U,S)``, N the number of the effect."""


def _hits(number: int) -> str:
    """What happens where; of several effects on one square the first counts."""
    rules = ["% What happens on squares that effects meet."]
    for one in range(1, number + 1):
        head = "hit(W,U,S,L)" if number == 1 else f"hit_{one}(W,U,S,L)"
        free = "".join(f", not struck_{before}(W,U,S)" for before in range(1, one))
        rules.append(
            f"{head} :- met_{one}(W,U,S), lies(W,U,S,C), plays(W,M), brings({one},M,C,L){free}."
        )
        if number > 1:
            rules.append(f"hit(W,U,S,L) :- {head}.")
            rules.append(f"struck_{one}(W,U,S) :- {head}.")
    rules.append("struck(W,U,S) :- hit(W,U,S,L).\neventful(W,U) :- hit(W,U,S,L).")
    return "\n".join(rules)


def adding(model: Model, told: Telling, *, stocked: bool) -> str:
    """The rules that add segments to words, square by square; `grl.export.levels` unrolls them."""
    told.follows()
    first = told.names.squares[model.equipment.board.squares[0]]
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
    cases = [""]
    letters = effect_letters(model, told.names)
    appearing = [letter for letter in letters if letter != "remove"]
    if stocked and appearing:
        cases = [", L = appear(C), spare(W,P,C,J), J != 0", ", L = appear(C), not limited(W,C)"]
        cases += [", L = remove"] if "remove" in letters else []
    for case in cases:
        text += f"\nrest'(W,U,K,R,then(and(P,R),L)) :- {longer}{case}."
    if stocked:
        text += "\nspare(W,U,C,N) :- word(W,U), left(W,U,C,N)."
        said = "rest'(W,U,K,R,then(and(P,R),L)), spare(W,P,C,N)"
        text += f"\nspare'(W,then(and(P,R),L),C,N) :- {said}, L != appear(C)."
        if appearing:
            text += f"\nspare'(W,then(and(P,R),L),C,J) :- {said}, L = appear(C), succ(J,N)."
    return text


_OUTCOME = """% Whole turns, and what they leave on the squares that they touch.
more(W,U,S) :- gap(W,U,S,R), struck(W,U,R).
whole(W,T,U) :- rest(W,U,N,S,T), not more(W,U,S).
turn(W,T) :- whole(W,T,U).
changed(W,T,S,C) :- whole(W,T,U), wrote(W,U,S,C), not struck(W,U,S).
changed(W,T,S,empty) :- whole(W,T,U), hit(W,U,S,remove).
changed(W,T,S,C) :- whole(W,T,U), hit(W,U,S,appear(C)).
altered(W,T,S) :- changed(W,T,S,C)."""


def most_changes(model: Model, told: Telling, longest: int) -> int:
    """No turn has more squares that its effects change; `longest` bounds the letters of words."""
    setting = told.setting
    squares = model.equipment.board.squares
    total = 0
    for name, *arguments in (effect.where for effect in model.effects):
        if name == "enclosed":
            directions, length, closer = arguments
            total += max(
                sum(
                    _run_length(len(ray), length, closer)
                    for axis in LINES[directions]
                    for ray in setting.rays[square][axis]
                )
                for square in squares
            )
        elif name == "around":
            total += max(setting.near[arguments[0]][square].bit_count() for square in squares)
        else:
            total += longest if name == "passed" else len(squares)
    return min(total, len(squares))


def _run_length(squares: int, length: str, closer: str) -> int:
    """How long a run along so many squares can be."""
    most = squares if closer == "own or edge" else max(0, squares - 1)
    return min(most, 1) if length == "one" else most
