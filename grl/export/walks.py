"""How turns come about, in ASP: automata as facts, and the rules by which a hand walks them.

A turn is a term that spells it, letter by letter: ``then(from(c3),step(1,1,e))`` is the turn ``c3
(1 1 e)``, and ``and(P,d4)`` begins a further segment of P on d4. `grl.export.spelling` translates
both ways. A search state (GRL paper, section 3.4) is ``walk(W,P,A,Q,S,H,B)``: in position W the
letters so far are P, automaton A is in state Q, the hand is over square S with H in it, and B is
the board as changed on the way. H is a piece, ``nothing``, or ``bare``: nothing, after something
was changed. B is ``board``, or the term whose last letter changed the board: ``sets(W,P,B,S,C)``
says that P makes of board B the board P by putting C on S, and ``now(W,B,S,C)`` what a board holds.
Most boards only lack the piece that the turn took up first. Of such a one, ``from(S)``, `now` says
no more than that S is empty; the rest is the board itself, see `sights`. Of boards on which no hand
goes on it says what was put there last.

The rules are recursive, and the terms grow; a change takes something off the board or ends an
automaton's word, so they end. A dialect without growing terms gets a copy of each rule for each
number of letters: a mark ' after a predicate says that its term is a letter longer than those
without; see `grl.export.levels`.
"""

from __future__ import annotations

from collections.abc import Iterable

from grl.asp.layout import filled
from grl.board import EMPTY
from grl.export.shapes import Node
from grl.model import AutomatonKey, Dfa, Model, Role
from grl.rules.asp.naming import Names
from grl.turn import Kind, Letter


def letter_term(letter: Letter, names: Names) -> str:
    """A letter of an automaton as a term."""
    if letter.fly:
        return f"fly({letter.on})"
    if letter.kind is Kind.REMOVE:
        return "remove"
    if letter.kind in (Kind.APPEAR, Kind.RESERVE):
        return f"{'appear' if letter.kind is Kind.APPEAR else 'keep'}({names.piece[letter.piece]})"
    return f"step({letter.dx},{letter.dy},{letter.on})"


def automata(model: Model, names: Names) -> str:
    """The automata as facts, a paragraph each."""
    number = {dfa.key: f"a{i}" for i, dfa in enumerate(model.automata, 1)}
    blocks = []
    for dfa in model.automata:
        blocks.append(_automaton(model, dfa, number, names))
    return "\n\n".join(blocks)


def _automaton(model: Model, dfa: Dfa, number: dict[AutomatonKey, str], names: Names) -> str:
    me, key = number[dfa.key], dfa.key
    mover, holds = names.player[key.mover], names.cell(key.holds)
    what = "an empty square" if key.holds == EMPTY else f"a {holds}"
    says = {
        Role.FIRST: f"{me}: turns of {mover} that begin on {what}.",
        Role.LATER: f"{me}: further segments of {mover} that begin on {what}.",
        Role.APPEARED: f"{me}: how {mover} goes on with {what} that has appeared.",
    }
    lines = [f"% {says[key.role]}"]
    if key.role is Role.FIRST:
        lines.append(f"begins({mover},{holds},{me}).")
    elif key.role is Role.LATER:
        lines.append(f"resumes({mover},{holds},{me}).")
    row: list[str] = []
    for source, letter, target in dfa.transitions:
        row.append(f"arc({me},{source},{letter_term(letter, names)},{target}).")
        if letter.kind is Kind.APPEAR:
            heir = number.get(AutomatonKey(key.mover, letter.piece, Role.APPEARED))
            if heir is not None:
                row.append(f"inherits({me},{names.piece[letter.piece]},{heir}).")
    row = list(dict.fromkeys(row))
    row += [f"accepts({me},{state})." for state in sorted(dfa.accepting)]
    if model.segments > 1:
        row += [f"continues({me},{state})." for state in sorted(dfa.continuing)]
    return "\n".join([*lines, *filled(row)])


def circular(model: Model, nodes: Iterable[Node], names: Names) -> str:
    """Where a hand may come by twice without having changed anything, as facts."""
    number = {dfa.key: f"a{i}" for i, dfa in enumerate(model.automata, 1)}
    facts = [
        f"circular({number[key]},{state},{names.squares[square]})."
        for key, state, square in sorted(nodes)
    ]
    return "\n".join(["% States and squares to which words may come back.", *filled(facts)])


def walking(model: Model, *, links: bool, stocked: bool, circles: bool = False) -> str:
    """The rules that make turns out of automata, with only what this model's letters need.

    With `circles` a word ends where it comes back to a state and a square, unless something was
    changed in between.
    """
    kinds = {"fly" if x.fly else x.on for dfa in model.automata for _, x, _ in dfa.transitions}
    several = model.segments > 1
    n = ",N" if several else ""
    one = ",1" if several else ""
    lifts = any(
        dfa.key.holds != EMPTY and dfa.key.role is not Role.APPEARED for dfa in model.automata
    )
    changes = changes_board(model)
    lifted = any(dfa.key.role is Role.FIRST and dfa.key.holds != EMPTY for dfa in model.automata)
    goes = "goes" if links else "away"
    parts = ["now(W,board,S,C) :- board(W,S,C)."]
    parts.append(
        "% A turn begins on a square; the hand takes up what lies there, unless that is removed.\n"
        f"begin'(W,from(S),A,S,C,board{one}) :- plays(W,M), begins(M,C,A), board(W,S,C)."
    )
    if lifts:
        parts.append(
            f"walk'(W,P,A,0,S,C,P{n}) :- begin'(W,P,A,S,C,B{n}), C != empty.\n"
            f"sets'(W,P,B,S,empty) :- begin'(W,P,A,S,C,B{n}), C != empty."
        )
    parts.append(f"walk'(W,P,A,0,S,nothing,B{n}) :- begin'(W,P,A,S,empty,B{n}).")
    if "d" in kinds and lifts:
        strike = f"begin(W,P,A,S,C,B{n}), C != empty, arc(A,0,remove,Q)."
        parts.append(
            f"walk'(W,then(P,remove),A,Q,S,bare,then(P,remove){n}) :- {strike}\n"
            f"sets'(W,then(P,remove),B,S,empty) :- {strike}"
        )
    here = f"walk(W,P,A,Q,S,H,B{n})"
    there = sights("R", "C", lifted=lifted)
    if changes:
        parts.append(
            "% A board holds what was put there last.\n"
            "now'(W,P,S,C) :- sets'(W,P,B,S,C).\n"
            "% What else it holds matters where the hand goes on.\n"
            f"looks(A,Q) :- arc(A,Q,_,_).{' looks(A,Q) :- continues(A,Q).' * several}\n"
            f"live'(W,P) :- walk'(W,P,A,Q,S,H,P{n}), looks(A,Q){', P != from(S)' * lifted}."
        )
        if several:
            parts[-1] += "\nlive'(W,P) :- down'(W,Q,P,N)."
        parts[-1] += "".join(
            f"\nnow'(W,P,R,D) :- live'(W,P), sets'(W,P,{board},S,C), {lies}, R != S."
            for board, lies in sights("R", "D", lifted=lifted)
        )
    sight = "plays(W,M), sees(M,C,K)"
    onward = (", fresh(W,P,Z,R)", ", not circular(A,Z,R)") if circles else ("",)
    if kinds & set("ewpn"):
        parts.append("% A step, by what lies where it leads.")
        parts[-1] += "".join(
            f"\nwalk'(W,then(P,step(X,Y,K)),A,Z,R,H,{board}{n}) :- walk(W,P,A,Q,S,H,{board}{n}),\n"
            f"    arc(A,Q,step(X,Y,K),Z), {goes}(S,X,Y,R), {lies}, {sight}{may}."
            for board, lies in there
            for may in onward
        )
    if "fly" in kinds:
        parts.append("% A flight to any square.")
        parts[-1] += "".join(
            f"\nwalk'(W,then(P,fly(R,K)),A,Z,R,H,{board}{n}) :- walk(W,P,A,Q,S,H,{board}{n}),\n"
            f"    arc(A,Q,fly(K),Z), {lies}, {sight}, R != S{may}."
            for board, lies in there
            for may in onward
        )
    if "d" in kinds:
        parts.append("% A piece under the hand is removed.")
        for board, lies in sights("S", "C", lifted=lifted):
            removal = f"walk(W,P,A,Q,S,H,{board}{n}), arc(A,Q,remove,Z),\n    {lies}, C != empty"
            parts[-1] += (
                f"\nwalk'(W,then(P,remove),A,Z,S,G,then(P,remove){n}) :- {removal}, acted(H,G).\n"
                f"sets'(W,then(P,remove),{board},S,empty) :- {removal}."
            )
    if "r" in kinds:
        parts.append(
            "% A piece joins the reserve.\n"
            f"walk'(W,then(P,keep(C)),A,Z,S,G,B{n}) :- {here}, arc(A,Q,keep(C),Z), acted(H,G)."
        )
    if "a" in kinds:
        parts.append(_appearing(here, n, changes=changes, stocked=stocked))
    if stocked:
        parts.append(_reserves(one, n, kinds))
    if circles:
        parts.append(_freshness(kinds, n))
    if several:
        ends = f"walk(W,then(P,L),A,Q,S,H,B,N), continues(A,Q), N < {model.segments}"
        parts.append(
            "% The hand is put down, and another segment begins.\n"
            f"down'(W,then(P,L),put(then(P,L)),N) :- {ends}, piece(H,_,_).\n"
            f"sets'(W,put(then(P,L)),B,S,H) :- {ends}, piece(H,_,_).\n"
            f"down'(W,then(P,L),B,N) :- {ends}, H = bare.\n"
            f"begin'(W,and(P,S),A,S,C,B,K) :- down(W,P,B,N), succ(N,K), now(W,B,S,C), plays(W,M),\n"
            "    resumes(M,C,A)."
        )
    return "\n\n".join(parts)


def sights(square: str, content: str, *, lifted: bool) -> list[tuple[str, str]]:
    """Terms for boards, and the literals for what they hold on a square.

    The second one is for boards on which the first piece was taken up and nothing else changed.
    """
    found = [("B", f"now(W,B,{square},{content})")]
    if lifted:
        found.append(("from(O)", f"board(W,{square},{content}), {square} != O"))
    return found


def _freshness(kinds: set[str], n: str) -> str:
    """To which states and squares a word has not come yet since it changed something."""
    patterns = {
        "step(X,Y,K)": bool(kinds & set("ewpn")),
        "fly(R,K)": "fly" in kinds,
        "remove": "d" in kinds,
        "appear(C)": "a" in kinds,
        "keep(C)": "r" in kinds,
    }
    text = "% Where P has not been since it changed something."
    text += f"\nfresh'(W,P,Z,V) :- begin'(W,P,A,S,C,B{n}), circular(A,Z,V)."
    for letter in (letter for letter, there in patterns.items() if there):
        before = "fresh(W,P,Z,V)" if letter[0] in "sf" else "circular(A,Z,V)"
        for other in ("Z != Q", "V != S"):
            text += f"\nfresh'(W,then(P,{letter}),Z,V) :- {before}, {other},"
            text += f"\n    walk'(W,then(P,{letter}),A,Q,S,H,B{n})."
    return text


def changes_board(model: Model) -> bool:
    """Whether the board may change before a turn is over; it does not where pieces only appear."""
    return model.segments > 1 or any(
        dfa.key.holds != EMPTY
        if dfa.key.role is not Role.APPEARED
        else any(letter.kind is Kind.APPEAR for _, letter, _ in dfa.transitions)
        for dfa in model.automata
    )


def _appearing(here: str, n: str, *, changes: bool, stocked: bool) -> str:
    arc = f"{here}, arc(A,Q,appear(C),Z), inherits(A,C,I)"
    text = "% A piece appears"
    text += "; what was in the hand is put down under it." if changes else "."
    for can in ("left(W,P,C,L), L != 0", "not limited(W,C)") if stocked else ("",):
        more = f", {can}" if can else ""
        if changes:
            text += f"""
walk'(W,then(P,appear(C)),I,0,S,C,then(P,appear(C)){n}) :- {arc}, piece(H,_,_){more}.
sets'(W,then(P,appear(C)),B,S,H) :- {arc}, piece(H,_,_){more}."""
        text += f"""
walk'(W,then(P,appear(C)),I,0,S,C,B{n}) :- {arc}, hollow(H){more}."""
    return text


def _reserves(one: str, n: str, kinds: set[str]) -> str:
    text = f"""% What is left of the mover's reserve, where it lists a piece.
limited(W,C) :- plays(W,M), reserve(W,M,C,_).
left'(W,P,C,L) :- begin'(W,P,A,S,D,board{one}), plays(W,M), reserve(W,M,C,L)."""
    any_walk = f"_,_,_,_,_{',_' if n else ''}"

    def walked(letter: str) -> str:
        return f"walk'(W,then(P,{letter}),{any_walk}), left(W,P,C,L)"

    text += f"\nleft'(W,then(P,X),C,L) :- {walked('X')}, X != appear(C), X != keep(C)."
    for verb, kind, change in (("appear", "a", "succ(K,L)"), ("keep", "r", "succ(L,K)")):
        if kind in kinds:
            letter = f"{verb}(C)"
            text += f"\nleft'(W,then(P,{letter}),C,K) :- {walked(letter)}, {change}."
    if n:
        text += "\nleft'(W,and(P,S),C,L) :- begin'(W,and(P,S),_,_,_,_,_), left(W,P,C,L)."
    return text


SIGHT = """sees(M,empty,e) :- player(M).
sees(M,C,w) :- piece(C,M,_), player(M).
sees(M,C,p) :- piece(C,N,_), player(N), player(M), M != N.
sees(M,C,n) :- piece(C,nobody,_), player(M)."""
HANDS = """hollow(nothing). hollow(bare).
acted(nothing,bare). acted(bare,bare). acted(C,C) :- piece(C,_,_)."""


def outcome(model: Model, *, ordered: bool = False) -> str:
    """Whole turns, and what they leave on the squares that they touch.

    With `ordered` machines have a say, too, see `grl.export.ordering`.
    In a model with effects these are words, to which `grl.export.effects` adds the effects.
    """
    n = ",N" if model.segments > 1 else ""
    effects = bool(model.effects)
    what = "word" if effects else "turn"
    changed, altered = ("wrote", "written") if effects else ("changed", "altered")
    order = ",\n    not disordered(W,then(P,L))" if ordered else ""
    text = f"""% A {what} is whole where its automaton accepts and something was done.
{what}(W,then(P,L)) :- walk(W,then(P,L),A,Q,S,H,B{n}), accepts(A,Q), H != nothing{order}.

% What a {what} leaves on the squares that it touches: the hand is put down at the end.
{changed}(W,T,S,H) :- {what}(W,T), walk(W,T,A,Q,S,H,B{n}), piece(H,_,_).
{altered}(W,T,S) :- {changed}(W,T,S,C)."""
    if not changes_board(model):
        return text
    return f"""{text}
{changed}(W,T,R,C) :- {what}(W,T), walk(W,T,A,Q,S,H,B{n}), got(W,B,R,C), not put_down(W,T,R).
put_down(W,T,S) :- {what}(W,T), walk(W,T,A,Q,S,H,B{n}), piece(H,_,_).
got(W,B,S,C) :- sets(W,B,D,S,C).
got(W,B,R,C) :- sets(W,B,D,S,E), got(W,D,R,C), R != S."""
