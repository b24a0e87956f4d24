"""What can be said of turns that were walked: squares, letters, parts, and which are alike."""

from __future__ import annotations

from grl.asp.layout import filled
from grl.export.walks import letter_term, sights
from grl.model import Model
from grl.rules.asp.naming import Names

KINDS = """% What kinds of letters there are, and which of them are steps.
kind(step(X,Y,K),K) :- arc(_,_,step(X,Y,K),_).
kind(fly(S,K),K) :- arc(_,_,fly(K),_), square(S,_,_).
kind(fly(S,K),fly) :- arc(_,_,fly(K),_), square(S,_,_).
kind(remove,d) :- arc(_,_,remove,_).
kind(appear(C),a) :- arc(_,_,appear(C),_).
kind(keep(C),r) :- arc(_,_,keep(C),_).
moves(step(X,Y,K)) :- kind(step(X,Y,K),_).
moves(fly(S,K)) :- kind(fly(S,K),_)."""


STRODE = ("strode", "restrode")
"""The squares that the hand has stepped on, and those on which it has more than once."""


def strides(model: Model, *, twice: bool = False) -> tuple[str, str]:
    """The rules for the squares that the hand steps on, and those on which it does `twice`;
    literals that none flies to P's end."""
    n = ",N" if model.segments > 1 else ""
    text = f"""strode(W,Q,S) :- extends(W,Q,P,L), moves(L), walk(W,Q,A,Z,S,H,B{n}).
strode(W,Q,S) :- extends(W,Q,P,L), strode(W,P,S)."""
    if twice:
        text += f"""
restrode(W,Q,S) :- extends(W,Q,P,L), moves(L), walk(W,Q,A,Z,S,H,B{n}), strode(W,P,S).
restrode(W,Q,S) :- extends(W,Q,P,L), restrode(W,P,S)."""
    if not any(letter.fly for dfa in model.automata for _, letter, _ in dfa.transitions):
        return text, ""
    flown = """
flew(W,then(P,fly(R,K))) :- extends(W,then(P,fly(R,K)),P,fly(R,K)).
flew(W,Q) :- extends(W,Q,P,L), flew(W,P)."""
    return text + flown, ", not flew(W,P)"


def growth(several: bool) -> str:
    """How words go on from their beginnings."""
    any_walk = f"_,_,_,_,_{',_' if several else ''}"
    text = "% Q goes on from P, by a letter or by a further segment.\n"
    text += f"extends(W,then(P,L),P,L) :- walk(W,then(P,L),{any_walk})."
    text += "\ngrows(W,Q,P) :- extends(W,Q,P,L)."
    if several:
        text += "\ngrows(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,_)."
    return text


def halting(several: bool, effects: bool) -> str:
    """The rules for the squares on which first segments of turns end: ``halt(W,S)``.

    They rest on `growth` where turns have several segments. With `effects` `grl.export.effects`
    says where those of words do.
    """
    if effects:
        return "halt(W,S) :- whole(W,T,U), stops(W,U,S)."
    if not several:
        return "halt(W,S) :- turn(W,T), walk(W,T,A,Q,S,H,B)."
    return f"""{_STOPPED}
halt(W,S) :- turn(W,T), walk(W,T,A,Q,S,H,B,1).
halt(W,S) :- turn(W,T), stopped(W,T,1,S)."""


_STOPPED = """stopped(W,and(P,R),N,S) :- begin(W,and(P,R),_,_,_,_,_), walk(W,P,A,Q,S,H,B,N).
stopped(W,Q,I,S) :- grows(W,Q,P), stopped(W,P,I,S)."""


def midway(several: bool, stocked: bool) -> str:
    """The rules for the positions ``midway(W,P)`` that turns leave which break off after P."""
    n = ",N" if several else ""
    walk = f"walk(W,P,A,Q,S,H,B{n})"
    text = f"""% Where turns break off in their first segment, the next player to move.
breaks(W,T,P) :- opening(W,T,R), part(W,R,P), extends(W,P,O,L), {walk}, H != nothing.
broken(W,P) :- breaks(W,T,P).
position(midway(W,P)) :- broken(W,P).
mover(midway(W,P),N) :- broken(W,P), plays(W,M), follows_on(M,N).
laid(W,P,S) :- broken(W,P), {walk}, piece(H,_,_).
cell(midway(W,P),S,H) :- broken(W,P), {walk}, piece(H,_,_)."""
    for board, lies in sights("R", "C", lifted=True):
        at = f"walk(W,P,A,Q,S,H,{board}{n})"
        text += f"\ncell(midway(W,P),R,C) :- broken(W,P), {at}, {lies}, not laid(W,P,R)."
    if stocked:
        text += """
hand(midway(W,P),M,C,N) :- broken(W,P), plays(W,M), left(W,P,C,N).
hand(midway(W,P),N,C,K) :- broken(W,P), plays(W,M), reserve(W,N,C,K), N != M."""
    return text


def moved_rules(several: bool, effects: bool = False) -> str:
    """Which pieces have moved after a turn: those that stepped, or had moved and were lifted.

    What effects put on a square has not moved.
    """
    n = ",N" if several else ""
    word, spared = "T", ""
    if effects:
        word, spared = "U", ", whole(now,T,U), not struck(now,U,{})"
    return f"""% A piece has moved when it was put down after a step, or had moved before.
stirred(P) :- begin(now,P,A,S,C,B{n}), square(S,X,Y), true(moved(X,Y)).
stirred(Q) :- extends(now,Q,P,L), stirred(P), not kind(L,a).
stirred(Q) :- extends(now,Q,P,L), moves(L).
settled(B,S) :- sets(now,B,D,S,C), C != empty, put_by(B,P), stirred(P).
settled(B,R) :- sets(now,B,D,S,C), settled(D,R), R != S.
put_by(Q,P) :- extends(now,Q,P,L).
next(moved(X,Y)) :- does(M,T), option(now,T), walk(now,{word},A,Q,S,H,B{n}), piece(H,_,_),
    stirred({word}), square(S,X,Y){spared.format("S")}.
next(moved(X,Y)) :- does(M,T), option(now,T), walk(now,{word},A,Q,S,H,B{n}), settled(B,R),
    square(R,X,Y), not put_down(now,{word},R){spared.format("R")}.
next(moved(X,Y)) :- does(M,T), option(now,T), true(moved(X,Y)), square(S,X,Y),
    not altered(now,T,S).""" + ("\nput_by(put(P),P) :- down(now,P,put(P),N)." if several else "")


def removals(several: bool) -> str:
    """The rules for the squares on which pieces are removed on the way."""
    walk = f"walk(W,Q,A,Z,S,H,B{',N' if several else ''})"
    return f"""removes(W,Q,S) :- extends(W,Q,P,L), kind(L,d), {walk}.
removes(W,Q,S) :- grows(W,Q,P), removes(W,P,S)."""


PATHS = {
    *("start", "opening", "passage", "repassage", "removal", "drop", "taken", "letter"),
    *("lead", "steps", "part", "longer", "meets", "twins", "moved"),
}
"""What is said of turns by how they come about."""


def asks_growth(needs: set[str], several: bool) -> bool:
    """Whether `role_rules` rest on `growth`."""
    return bool(needs & (PATHS | ({"end"} if several else set())))


def role_rules(needs: set[str], several: bool, effects: bool = False) -> list[tuple[str, str]]:
    """What features say of turns, with a comment each: only what is in `needs`, in order.

    With `effects` a turn T is a word U and the segments that they add, see `grl.export.effects`.
    """
    n = ",N" if several else ""
    found = []
    turn, word = ("whole(W,T,U)", "U") if effects else ("turn(W,T)", "T")
    added = "whole(W,T,U), rest(W,U,I,S,P), S != outset"
    if needs & {"start", "twins"}:
        text = f"begun(W,from(S),1,S) :- begin(W,from(S),A,S,C,B{',1' if several else ''})."
        if several:
            text += "\nbegun(W,and(P,S),K,S) :- begin(W,and(P,S),A,S,C,B,K)."
        text += "\nbegun(W,Q,I,S) :- grows(W,Q,P), begun(W,P,I,S)."
        text += f"\nstart(W,T,I,S) :- {turn}, begun(W,{word},I,S)."
        if effects:
            text += f"\nstart(W,T,I,S) :- {added}."
        found.append(("Segment I of a turn begins on S.", text))
    if "end" in needs:
        text = f"end(W,T,{'N' if several else '1'},S) :- {turn}, walk(W,{word},A,Q,S,H,B{n})."
        if effects:
            text += f"\nend(W,T,I,S) :- {added}."
        if several:
            text += f"\n{_STOPPED}\nend(W,T,I,S) :- {turn}, stopped(W,{word},I,S)."
        found.append(("Segment I of a turn ends on S.", text))
    begun = f"begin(W,from(S),_,_,_,_{',_' if several else ''})"
    for role, kind, comment in (
        ("drop", "a", "The first piece that appears in the first segment does so on S."),
        ("taken", "d", "The first piece that is removed in the first segment lay on S."),
    ):
        if role in needs:
            text = f"""no_{kind}(W,from(S)) :- {begun}.
no_{kind}(W,Q) :- extends(W,Q,P,L), no_{kind}(W,P), not kind(L,{kind}).
first_{kind}(W,Q,S) :- extends(W,Q,P,L), no_{kind}(W,P), kind(L,{kind}), walk(W,Q,A,Z,S,H,B{n}).
first_{kind}(W,Q,S) :- grows(W,Q,P), first_{kind}(W,P,S).
{role}(W,T,S) :- {turn}, first_{kind}(W,{word},S)."""
            found.append((comment, text))
    if "letter" in needs:
        text = """letter(W,Q,L) :- extends(W,Q,P,L).
letter(W,Q,L) :- grows(W,Q,P), letter(W,P,L)."""
        if effects:
            text += "\nletter(W,T,L) :- whole(W,T,U), letter(W,U,L)."
            text += "\nletter(W,T,L) :- whole(W,T,U), hit(W,U,S,L)."
            text += "\nletter(W,T,remove) :- whole(W,T,U), hit(W,U,S,keep(C))."
        found.append(("L is one of the letters.", text))
    if "lead" in needs:
        text = """lead(W,then(from(S),L),L) :- extends(W,then(from(S),L),from(S),L).
lead(W,Q,L) :- grows(W,Q,P), lead(W,P,L)."""
        if effects:
            text += "\nlead(W,T,L) :- whole(W,T,U), lead(W,U,L)."
        found.append(("L is the first letter.", text))
    if "segments" in needs:
        text = f"segments(W,T,{'N' if several else '1'}) :- turn(W,T), walk(W,T,A,Q,S,H,B{n})."
        if effects:
            text = "segments(W,T,N) :- whole(W,T,U), rest(W,U,N,S,T)."
        found.append(("The number of segments.", text))
    if "steps" in needs:
        text = """paces(W,from(S),0) :- start_node(W,from(S)).
paces(W,Q,N) :- extends(W,Q,P,L), paces(W,P,N), not moves(L).
paces(W,Q,K) :- extends(W,Q,P,L), paces(W,P,N), moves(L), succ(N,K).
start_node(W,from(S)) :- begin(W,from(S),_,_,_,_SEG).""".replace("SEG", ",_" if several else "")
        text += f"\nsteps(W,T,N) :- {turn}, paces(W,{word},N)."
        if several:
            text += "\npaces(W,and(P,S),N) :- grows(W,and(P,S),P), paces(W,P,N)."
        found.append(("The hand makes N steps.", text))
    if "meets" in needs:
        walk = f"walk(W,Q,A,Z,S,H,B{n})"
        text = f"""onto(L) :- moves(L), not kind(L,e).
met(W,from(S),0) :- {begun}.
met(W,Q,N) :- extends(W,Q,P,L), met(W,P,N), not onto(L).
met(W,Q,K) :- extends(W,Q,P,L), met(W,P,N), onto(L), succ(N,K).
comes(W,Q,N,S) :- extends(W,Q,P,L), onto(L), met(W,Q,N), {walk}.
comes(W,Q,N,S) :- grows(W,Q,P), comes(W,P,N,S).
meets(W,T,N,S) :- {turn}, comes(W,{word},N,S)."""
        if several:
            text += "\nmet(W,and(P,S),N) :- grows(W,and(P,S),P), met(W,P,N)."
        found.append(("The Nth piece that a turn comes to lies on S.", text))
    if "opening" in needs:
        text = "opening(W,T,T) :- turn(W,T)."
        if effects:
            text = "opening(W,T,P) :- whole(W,T,U), first(W,U,P)."
        elif several:
            text = """opened(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,2).
opened(W,Q,R) :- grows(W,Q,P), opened(W,P,R).
opening(W,T,P) :- turn(W,T), opened(W,T,P).
opening(W,T,T) :- turn(W,T), walk(W,T,A,Q,S,H,B,1)."""
        found.append(("The first segment of a turn.", text))
    if "part" in needs:
        text = """part(W,Q,P) :- grows(W,Q,P).
part(W,Q,R) :- grows(W,Q,P), part(W,P,R)."""
        found.append(("Q goes on after P.", text))
    if "longer" in needs:
        text = "longer(W,T,U) :- part(W,T,U)."
        if effects:
            text = "longer(W,T,U) :- whole(W,T,Q), part(W,Q,P), whole(W,U,P)."
        found.append(("T begins with all that is chosen in U and goes on.", text))
    return found


def twin_rules(model: Model, names: Names, alive: str, *, stocked: bool) -> str:
    """The rules that keep one of several turns with the same origin and effect: ``kept(T)``."""
    several = model.segments > 1
    effects = bool(model.effects)
    word = "within(T,V) :- twins(T,U), whole(now,T,V)" if effects else "within(T,T) :- twins(T,U)"
    earlier = "whole(now,T,V), grows(now,Q,V)" if effects else "grows(now,Q,T)"
    board = model.equipment.board
    squares = [names.squares[s] for s in board.squares]
    letters = sorted(
        {x for dfa in model.automata for _, x, _ in dfa.transitions}, key=lambda x: x.order
    )
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
{word}.
within(T,P) :- within(T,Q), grows(now,Q,P).
order(Q,N) :- extends(now,Q,P,L), L != remove, rank(L,N).
order(Q,0) :- extends(now,Q,P,remove), opens(P).
order(Q,N) :- extends(now,Q,P,remove), not opens(P), rank(remove,N).
opens(P) :- begin(now,P,A,S,C,B{",N" if several else ""}).
repeated(U) :- twins(T,U), within(T,P), within(U,Q), grows(now,P,R), grows(now,Q,R), order(P,N),
    order(Q,M), N < M.
repeated(U) :- twins(T,U), within(U,Q), {earlier}.
kept(T) :- {alive}(now,T), not repeated(T)."""
    if stocked:
        spare = "spare" if effects else "left"
        text += f"\ndiffer(T,U) :- rivals(T,U), {spare}(now,T,C,N), {spare}(now,U,C,M), N != M."
    if several:
        text += "\norder(and(P,S),N) :- grows(now,and(P,S),P), place(S,N)."
        ranks += [f"place({square},{n})." for n, square in enumerate(squares, 1)]
    return "\n".join([text, *filled(ranks)])
