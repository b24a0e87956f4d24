"""How turns come about, in ASP: automata as facts, and the rules by which a hand walks them.

A turn is a term that spells it, letter by letter: ``then(from(c3),step(1,1,e))`` is the turn ``c3
(1 1 e)``, and ``and(P,d4)`` begins a further segment of P on d4. `grl.export.spelling` translates
both ways. A search state (GRL paper, section 3.4) is ``walk(W,P,A,Q,S,H,B)``: in position W the
letters so far are P, automaton A is in state Q, the hand is over square S with H in it, and B is
the board as changed on the way. H is a piece, ``nothing``, or ``bare``: nothing, after something
was changed. B is ``board``, or the term whose last letter changed the board: ``sets(W,P,B,S,C)``
says that P makes of board B the board P by putting C on S, and ``now(W,B,S,C)`` what a board holds.

The rules are recursive, and the terms grow; a change takes something off the board or ends an
automaton's word, so they end. A dialect without growing terms gets a copy of each rule for each
number of letters: a mark ' after a predicate says that its term is a letter longer than those
without. See `unrolled`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from grl.board import EMPTY
from grl.model import AutomatonKey, Dfa, Model, Role
from grl.rules.naming import Names
from grl.turn import Letter

LEVELLED = frozenset({"begin", "walk", "sets", "now", "down", "left"})
"""The predicates that are recursive in the length of a turn."""
LEVELLED_NAMES = rf"(?:later_)?(?:reply_)?(?:{'|'.join(sorted(LEVELLED))})"


def letter_term(letter: Letter, names: Names) -> str:
    """A letter of an automaton as a term."""
    if letter.fly:
        return f"fly({letter.on})"
    if letter.on == "d":
        return "remove"
    if letter.on in "ar":
        return f"{'appear' if letter.on == 'a' else 'keep'}({names.piece[letter.piece]})"
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
        if letter.on == "a":
            heir = number.get(AutomatonKey(key.mover, letter.piece, Role.APPEARED))
            if heir is not None:
                row.append(f"inherits({me},{names.piece[letter.piece]},{heir}).")
    row = list(dict.fromkeys(row))
    row += [f"accepts({me},{state})." for state in sorted(dfa.accepting)]
    if model.segments > 1:
        row += [f"continues({me},{state})." for state in sorted(dfa.continuing)]
    return "\n".join([*lines, *filled(row)])


def filled(facts: list[str]) -> list[str]:
    """Facts on lines of up to 96 characters."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + len(fact) < 96:
            lines[-1] += f" {fact}"
        else:
            lines.append(fact)
    return lines


def walking(model: Model, *, links: bool, stocked: bool) -> str:
    """The rules that make turns out of automata, with only what this model's letters need."""
    kinds = {"fly" if x.fly else x.on for dfa in model.automata for _, x, _ in dfa.transitions}
    several = model.segments > 1
    n = ",N" if several else ""
    one = ",1" if several else ""
    lifts = any(
        dfa.key.holds != EMPTY and dfa.key.role is not Role.APPEARED for dfa in model.automata
    )
    changes = changes_board(model)
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
    if changes:
        parts.append(
            "% A board holds what was put there last.\n"
            "now'(W,P,S,C) :- sets'(W,P,B,S,C).\n"
            "now'(W,P,R,D) :- sets'(W,P,B,S,C), now(W,B,R,D), R != S."
        )
    sight = "now(W,B,R,C), plays(W,M), sees(M,C,K)"
    if kinds & set("ewpn"):
        parts.append(
            "% A step, by what lies where it leads.\n"
            f"walk'(W,then(P,step(X,Y,K)),A,Z,R,H,B{n}) :- {here}, arc(A,Q,step(X,Y,K),Z),\n"
            f"    {goes}(S,X,Y,R), {sight}."
        )
    if "fly" in kinds:
        parts.append(
            "% A flight to any square.\n"
            f"walk'(W,then(P,fly(R,K)),A,Z,R,H,B{n}) :- {here}, arc(A,Q,fly(K),Z),\n"
            f"    {sight}, R != S."
        )
    if "d" in kinds:
        removal = f"{here}, arc(A,Q,remove,Z),\n    now(W,B,S,C), C != empty"
        parts.append(
            "% A piece under the hand is removed.\n"
            f"walk'(W,then(P,remove),A,Z,S,G,then(P,remove){n}) :- {removal}, acted(H,G).\n"
            f"sets'(W,then(P,remove),B,S,empty) :- {removal}."
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


def changes_board(model: Model) -> bool:
    """Whether the board may change before a turn is over; it does not where pieces only appear."""
    return model.segments > 1 or any(
        dfa.key.holds != EMPTY
        if dfa.key.role is not Role.APPEARED
        else any(letter.on == "a" for _, letter, _ in dfa.transitions)
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
    walked = f"walk'(W,then(P,X),_,_,_,_,_{n.replace('N', '_')}), left(W,P,C,L)"
    text += f"\nleft'(W,then(P,X),C,L) :- {walked}, X != appear(C), X != keep(C)."
    if "a" in kinds:
        text += (
            f"\nleft'(W,then(P,appear(C)),C,K) :- {walked.replace('X', 'appear(C)')}, succ(K,L)."
        )
    if "r" in kinds:
        text += f"\nleft'(W,then(P,keep(C)),C,K) :- {walked.replace('X', 'keep(C)')}, succ(L,K)."
    if n:
        text += "\nleft'(W,and(P,S),C,L) :- begin'(W,and(P,S),_,_,_,_,_), left(W,P,C,L)."
    return text


SIGHT = """sees(M,empty,e) :- player(M).
sees(M,C,w) :- piece(C,M,_), player(M).
sees(M,C,p) :- piece(C,N,_), player(N), player(M), M != N.
sees(M,C,n) :- piece(C,nobody,_), player(M)."""
HANDS = """hollow(nothing). hollow(bare).
acted(nothing,bare). acted(bare,bare). acted(C,C) :- piece(C,_,_)."""


KINDS = """% What kinds of letters there are, and which of them are steps.
kind(step(X,Y,K),K) :- arc(_,_,step(X,Y,K),_).
kind(fly(S,K),K) :- arc(_,_,fly(K),_), square(S,_,_).
kind(fly(S,K),fly) :- arc(_,_,fly(K),_), square(S,_,_).
kind(remove,d) :- arc(_,_,remove,_).
kind(appear(C),a) :- arc(_,_,appear(C),_).
kind(keep(C),r) :- arc(_,_,keep(C),_).
moves(step(X,Y,K)) :- kind(step(X,Y,K),_).
moves(fly(S,K)) :- kind(fly(S,K),_)."""


def moved_rules(several: bool) -> str:
    """Which pieces have moved after a turn: those that stepped, or had moved and were lifted."""
    n = ",N" if several else ""
    return f"""% A piece has moved when it was put down after a step, or had moved before.
stirred(P) :- begin(now,P,A,S,C,B{n}), square(S,X,Y), true(moved(X,Y)).
stirred(Q) :- extends(now,Q,P,L), stirred(P), not kind(L,a).
stirred(Q) :- extends(now,Q,P,L), moves(L).
settled(B,S) :- sets(now,B,D,S,C), C != empty, put_by(B,P), stirred(P).
settled(B,R) :- sets(now,B,D,S,C), settled(D,R), R != S.
put_by(Q,P) :- extends(now,Q,P,L).
next(moved(X,Y)) :- does(M,T), option(now,T), walk(now,T,A,Q,S,H,B{n}), piece(H,_,_),
    stirred(T), square(S,X,Y).
next(moved(X,Y)) :- does(M,T), option(now,T), walk(now,T,A,Q,S,H,B{n}), settled(B,R),
    square(R,X,Y), not put_down(now,T,R).
next(moved(X,Y)) :- does(M,T), option(now,T), true(moved(X,Y)), square(S,X,Y),
    not altered(now,T,S).""" + ("\nput_by(put(P),P) :- down(now,P,put(P),N)." if several else "")


def outcome(model: Model) -> str:
    """Whole turns, and what they leave on the squares that they touch."""
    n = ",N" if model.segments > 1 else ""
    text = f"""% A turn is whole where its automaton accepts and something was done.
turn(W,then(P,L)) :- walk(W,then(P,L),A,Q,S,H,B{n}), accepts(A,Q), H != nothing.

% What a turn leaves on the squares that it touches: the hand is put down at the end.
changed(W,T,S,H) :- turn(W,T), walk(W,T,A,Q,S,H,B{n}), piece(H,_,_).
altered(W,T,S) :- changed(W,T,S,C)."""
    if not changes_board(model):
        return text
    return f"""{text}
changed(W,T,R,C) :- turn(W,T), walk(W,T,A,Q,S,H,B{n}), touched(W,B,R), now(W,B,R,C),
    not put_down(W,T,R).
put_down(W,T,S) :- turn(W,T), walk(W,T,A,Q,S,H,B{n}), piece(H,_,_).
touched(W,B,S) :- sets(W,B,D,S,C).
touched(W,B,R) :- sets(W,B,D,S,C), touched(W,D,R)."""


def role_rules(needs: set[str], several: bool) -> list[tuple[str, str]]:
    """What features say of turns, with a comment each: only what is in `needs`, in order."""
    n = ",N" if several else ""
    any_walk = f"_,_,_,_,_{',_' if several else ''}"
    found = []
    paths = {"start", "opening", "drop", "letter", "steps", "part", "twins", "moved"}
    if needs & (paths | ({"end"} if several else set())):
        text = f"extends(W,then(P,L),P,L) :- walk(W,then(P,L),{any_walk})."
        text += "\ngrows(W,Q,P) :- extends(W,Q,P,L)."
        if several:
            text += "\ngrows(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,_)."
        found.append(("Q goes on from P, by a letter or by a further segment.", text))
    if needs & {"start", "twins"}:
        text = f"begun(W,from(S),1,S) :- begin(W,from(S),A,S,C,B{',1' if several else ''})."
        if several:
            text += "\nbegun(W,and(P,S),K,S) :- begin(W,and(P,S),A,S,C,B,K)."
        text += "\nbegun(W,Q,I,S) :- grows(W,Q,P), begun(W,P,I,S)."
        text += "\nstart(W,T,I,S) :- turn(W,T), begun(W,T,I,S)."
        found.append(("Segment I of a turn begins on S.", text))
    if "end" in needs:
        text = f"end(W,T,{'N' if several else '1'},S) :- turn(W,T), walk(W,T,A,Q,S,H,B{n})."
        if several:
            text += """
stopped(W,and(P,R),N,S) :- begin(W,and(P,R),_,_,_,_,_), walk(W,P,A,Q,S,H,B,N).
stopped(W,Q,I,S) :- grows(W,Q,P), stopped(W,P,I,S).
end(W,T,I,S) :- turn(W,T), stopped(W,T,I,S)."""
        found.append(("Segment I of a turn ends on S.", text))
    if "drop" in needs:
        text = f"""plain(W,from(S)) :- begin(W,from(S),_,_,_,_{",_" if several else ""}).
plain(W,Q) :- extends(W,Q,P,L), plain(W,P), not kind(L,a).
dropped(W,Q,S) :- extends(W,Q,P,L), plain(W,P), kind(L,a), walk(W,Q,A,Z,S,H,B{n}).
dropped(W,Q,S) :- grows(W,Q,P), dropped(W,P,S).
drop(W,T,S) :- turn(W,T), dropped(W,T,S)."""
        found.append(("The first piece that appears in the first segment does so on S.", text))
    if "letter" in needs:
        text = """letter(W,Q,L) :- extends(W,Q,P,L).
letter(W,Q,L) :- grows(W,Q,P), letter(W,P,L)."""
        found.append(("L is one of the letters.", text))
    if "segments" in needs:
        text = f"segments(W,T,{'N' if several else '1'}) :- turn(W,T), walk(W,T,A,Q,S,H,B{n})."
        found.append(("The number of segments.", text))
    if "steps" in needs:
        text = """paces(W,from(S),0) :- start_node(W,from(S)).
paces(W,Q,N) :- extends(W,Q,P,L), paces(W,P,N), not moves(L).
paces(W,Q,K) :- extends(W,Q,P,L), paces(W,P,N), moves(L), succ(N,K).
start_node(W,from(S)) :- begin(W,from(S),_,_,_,_SEG).
steps(W,T,N) :- turn(W,T), paces(W,T,N).""".replace("SEG", ",_" if several else "")
        if several:
            text += "\npaces(W,and(P,S),N) :- grows(W,and(P,S),P), paces(W,P,N)."
        found.append(("The hand makes N steps.", text))
    if "opening" in needs:
        text = "opening(W,T,T) :- turn(W,T)."
        if several:
            text = """opened(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,2).
opened(W,Q,R) :- grows(W,Q,P), opened(W,P,R).
opening(W,T,P) :- turn(W,T), opened(W,T,P).
opening(W,T,T) :- turn(W,T), walk(W,T,A,Q,S,H,B,1)."""
        found.append(("The first segment of a turn.", text))
    if "part" in needs:
        text = """part(W,Q,P) :- grows(W,Q,P).
part(W,Q,R) :- grows(W,Q,P), part(W,P,R)."""
        found.append(("Q goes on after P.", text))
    return found


def twin_rules(model: Model, names: Names, alive: str, *, stocked: bool) -> str:
    """The rules that keep one of several turns with the same origin and effect: ``kept(T)``."""
    several = model.segments > 1
    board = model.equipment.board
    squares = [names.squares[s] for s in board.squares]
    letters = sorted({x for dfa in model.automata for _, x, _ in dfa.transitions})
    ranks, number = [], len(squares)
    for letter in letters:
        terms = [letter_term(letter, names)]
        if letter.fly:
            terms = [f"fly({square},{letter.on})" for square in squares]
        for term in terms:
            number += 1
            ranks.append(f"rank({term},{number}).")
    text = f"""% Of turns that begin on one square and leave the same, the first counts: where they
% part, the one with the lower rank.
rivals(T,U) :- {alive}(now,T), {alive}(now,U), start(now,T,1,S), start(now,U,1,S), T != U.
differ(T,U) :- rivals(T,U), changed(now,T,S,C), not changed(now,U,S,C), not alike(T,U,S).
differ(T,U) :- rivals(T,U), changed(now,U,S,C), not changed(now,T,S,C), not alike(T,U,S).
alike(T,U,S) :- rivals(T,U), changed(now,T,S,C), board(now,S,C), not altered(now,U,S).
alike(T,U,S) :- rivals(T,U), changed(now,U,S,C), board(now,S,C), not altered(now,T,S).
twins(T,U) :- rivals(T,U), not differ(T,U).
within(T,T) :- twins(T,U).
within(T,P) :- within(T,Q), grows(now,Q,P).
order(Q,N) :- extends(now,Q,P,L), L != remove, rank(L,N).
order(Q,0) :- extends(now,Q,P,remove), opens(P).
order(Q,N) :- extends(now,Q,P,remove), not opens(P), rank(remove,N).
opens(P) :- begin(now,P,A,S,C,B{",N" if several else ""}).
repeated(U) :- twins(T,U), within(T,P), within(U,Q), grows(now,P,R), grows(now,Q,R), order(P,N),
    order(Q,M), N < M.
repeated(U) :- twins(T,U), within(U,Q), grows(now,Q,T).
kept(T) :- {alive}(now,T), not repeated(T)."""
    if stocked:
        text += "\ndiffer(T,U) :- rivals(T,U), left(now,T,C,N), left(now,U,C,M), N != M."
    if several:
        text += "\norder(and(P,S),N) :- grows(now,and(P,S),P), place(S,N)."
        ranks += [f"place({square},{n})." for n, square in enumerate(squares, 1)]
    return "\n".join([text, *filled(ranks)])


def unrolled(rules: str, levels: int) -> str:
    """Rules with a copy for each number of letters up to `levels`, without recursion in terms.

    A levelled predicate ``p`` becomes ``p_k``; with a mark ``p_k+1``. What a board holds, and what
    is left in reserve, is handed on from level to level.
    """
    found = []
    for rule in split(rules):
        if "'" not in rule and "now(W,board" not in rule:
            found.append(rule)
        elif "now(W,board" in rule or "from(S)," in rule.split(":-", maxsplit=1)[0]:
            found.append(_at_level(rule, 0))
        else:
            found += [_at_level(rule, level) for level in range(levels)]
    for prefix in ("", "reply_", "later_", "later_reply_"):
        for name in ("now", "left"):
            if re.search(rf"\b{prefix}{name}'", rules):
                rule = f"{prefix}{name}'(W,B,S,C) :- {prefix}{name}(W,B,S,C)."
                found += [_at_level(rule, level) for level in range(levels)]
    found = _grounded(found)
    heads: dict[tuple[str, str], int] = {}
    for rule in found:
        head = re.match(rf"({LEVELLED_NAMES})_(\d+)\(", rule)
        if head:
            heads[head[1], head[2]] = _arity(rule)
    for (name, level), arity in heads.items():
        arguments = ",".join(f"X{i}" for i in range(arity))
        found.append(f"{name}({arguments}) :- {name}_{level}({arguments}).")
    return "\n".join(found)


def _grounded(rules: list[str]) -> list[str]:
    """Rules without those that rest on a level at which nothing is derived."""
    level = re.compile(rf"\b(?:{LEVELLED_NAMES})_\d+(?=\()")
    while True:
        heads = {m[0] for rule in rules if (m := level.match(rule))}
        kept = [
            rule
            for rule in rules
            if all(name in heads for name in level.findall(rule.partition(":-")[2]))
        ]
        if len(kept) == len(rules):
            return rules
        rules = kept


def _arity(rule: str) -> int:
    """The number of arguments of a rule's head."""
    depth = commas = 0
    for character in rule.partition(":-")[0]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        commas += character == "," and depth == 1
    return commas + 1


def split(rules: str) -> list[str]:
    """Rules one by one, comments left out."""
    bare = re.sub(r"%.*", "", rules)
    return [f"{' '.join(rule.split())}." for rule in re.split(r"\.(?=\s|$)", bare) if rule.strip()]


def _at_level(rule: str, level: int) -> str:
    return re.sub(
        rf"\b({LEVELLED_NAMES})('?)\(",
        lambda m: f"{m[1]}_{level + 1 if m[2] else level}(",
        rule,
    )


def recursive(rules: str) -> str:
    """The same rules without marks: one recursive program."""
    return rules.replace("'(", "(")


def wrapped(line: str, width: int = 96) -> str:
    """A rule on lines that are not too long, broken between literals."""
    if len(line) <= width or line.startswith("%"):
        return line
    parts, depth, start = [], 0, 0
    for at, character in enumerate(line):
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if depth == 0 and line[at : at + 2] == ", ":
            parts.append(line[start : at + 1])
            start = at + 2
    parts.append(line[start:])
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) < width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"    {part}")
    return "\n".join(lines)


def bare(rules: str) -> str:
    """Rules without comments, one a line, marks kept."""
    return "\n".join(split(rules))


DYNAMIC = (*sorted(LEVELLED), "board", "plays", "reserve", "limited", "turn", "touched")
DYNAMIC += ("changed", "altered", "put_down")


def renamed(rules: str, prefix: str, names: Iterable[str] = DYNAMIC) -> str:
    """A copy of rules: each of these predicates with a prefix."""
    return re.sub(rf"(?<!\w)({'|'.join(sorted(names))})(?='?\()", rf"{prefix}\1", rules)
