"""LOCM's machines and ties in ASP: which words leave things undone, or do them in another order.

What a word does is a plan, `grl.locm.actions`: each letter completes an action or two, and the end
of the turn what is pending then. ``deed(W,Q,I,V,T)`` says that the letter after which the word is
Q completes the action of verb V and type T; first, I = 1, the plain move that a pending step turns
out to be, then, I = 2, its own. I = 3 is what Q leaves pending, if the turn ends there. Zero
machines go from deed to deed, ties hold their squares together, and ``disordered(W,Q)`` says that
one of them excludes that Q is a turn.

Machines and ties belong to what lies where the turn begins, and so to the automaton that begins
it. Only words of those automata are looked at of whose turns any bind (`grl.moves.binding`).
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.asp.layout import filled
from grl.board import EMPTY
from grl.export.walks import sights
from grl.locm.actions import KEEP, type_name
from grl.model import Machine, Model, Role, Tie
from grl.moves.turn_order import orders
from grl.rules.asp.naming import Names, distinct

ARITY = {
    "move": 2,
    "move_over": 3,
    "move_and_remove": 2,
    "remove": 1,
    "appear": 1,
    "keep": 1,
}
"""The verbs of actions, and how many squares each has."""
VERBS = {
    "move": "moving",
    "move_over": "crossing",
    "move_and_remove": "taking",
    "remove": "removing",
    "appear": "appearing",
    "keep": "keeping",
}
"""Their constants."""


class Ordering:
    """What the machines and ties that bind say."""

    def __init__(self, model: Model, names: Names) -> None:
        self.model, self.names = model, names
        found = orders(model)
        self.begun = {
            (dfa.key.mover, dfa.key.holds): f"a{number}"
            for number, dfa in enumerate(model.automata, 1)
            if dfa.key.role is Role.FIRST and (dfa.key.mover, dfa.key.holds) in found
        }
        self.zero = [
            (own, machine) for key, own in self.begun.items() for machine in found[key].zero
        ]
        self.ties = [
            (own, tie)
            for key, own in self.begun.items()
            for ties in found[key].ties.values()
            for tie in ties
        ]
        equipment = model.equipment
        types = {key: type_name(equipment, key) for key in sorted(equipment.pieces)}
        plain = sorted({*types.values(), type_name(equipment, EMPTY)})
        constants = dict(zip(plain, distinct(plain, ()), strict=True))
        self.typed = {names.piece[key]: constants[kind] for key, kind in types.items()}
        self.empty_hand = constants[type_name(equipment, EMPTY)]
        self.deeds: dict[str, list[tuple[str, str]]] = {}
        for verb in (each for each in VERBS if each != KEEP):
            for kind, name in constants.items():
                self.deeds.setdefault(f"{verb}_{kind}", []).append((verb, name))
        self.deeds[KEEP] = [(KEEP, self.empty_hand)]

    def facts(self) -> str:
        """Which automata's turns are ordered, and how."""
        found = [f"ordered({automaton})." for automaton in self.begun.values()]
        found += [f"typed({piece},{kind})." for piece, kind in self.typed.items()]
        found += [f"typed({hand},{self.empty_hand})." for hand in ("nothing", "bare")]
        for number, (owner, machine) in enumerate(self.zero, 1):
            found += self._machine(owner, f"z{number}", machine)
        for number, (owner, tie) in enumerate(self.ties, 1):
            found += self._tie(owner, f"t{number}", tie)
        return "\n".join(["% What LOCM's machines say.", *filled(dict.fromkeys(found))])

    def _machine(self, owner: str, me: str, machine: Machine) -> Iterator[str]:
        yield f"machine({owner},{me})."
        for source, action, _, target in machine.transitions:
            for verb, kind in self.deeds.get(action, ()):
                yield f"onward({me},{source},{VERBS[verb]},{kind},{target})."
                yield f"watches({me},{VERBS[verb]},{kind})."
        for action, target in machine.starts.items():
            for verb, kind in self.deeds.get(action, ()):
                yield f"onward({me},none,{VERBS[verb]},{kind},{target})."
        if not machine.whole:
            yield f"partial({me})."
            yield f"final({me},none)."
        for state in sorted(machine.final):
            yield f"final({me},{state})."

    def _tie(self, owner: str, me: str, tie: Tie) -> Iterator[str]:
        """A tie speaks of squares that its actions have, and of their names."""
        for verb, kind in self.deeds.get(tie.before, ()):
            if tie.first <= ARITY[verb]:
                yield f"passes_on({owner},{me},{VERBS[verb]},{kind},{tie.first})."
            yield f"renews({owner},{me},{VERBS[verb]},{kind})."
        for verb, kind in self.deeds.get(tie.after, ()):
            if tie.second <= ARITY[verb]:
                yield f"takes_up({owner},{me},{VERBS[verb]},{kind},{tie.second})."
            yield f"renews({owner},{me},{VERBS[verb]},{kind})."

    def rules(self) -> str:
        """The rules for ``disordered(W,Q)``; they rest on `grl.export.paths.growth`."""
        several = self.model.segments > 1
        n, one = (",N", ",1") if several else ("", "")
        arcs = [letter for dfa in self.model.automata for _, letter, _ in dfa.transitions]
        flies = any(letter.fly for letter in arcs)
        walk = f"walk(W,P,A,Q,S,H,B{n})"
        text = f"""% What is done in words whose order counts, letter by letter.
led(W,from(S),A) :- begin(W,from(S),A,S,C,board{one}), ordered(A).
led(W,Q,A) :- grows(W,Q,P), led(W,P,A).
carries(W,P,S,T) :- led(W,P,_), {walk}, typed(H,T).
onto(step(X,Y,K)) :- arc(_,_,step(X,Y,K),_), K != e.
freely(step(X,Y,e)) :- arc(_,_,step(X,Y,e),_).
settles(L) :- onto(L).
settles(appear(C)) :- arc(_,_,appear(C),_).
settles(keep(C)) :- arc(_,_,keep(C),_).
"""
        if flies:
            text += """onto(fly(S,K)) :- arc(_,_,fly(K),_), K != e, square(S,_,_).
freely(fly(S,e)) :- arc(_,_,fly(e),_), square(S,_,_).
"""
        text += """pending(W,Q,R,S,T) :- extends(W,Q,P,L), onto(L), carries(W,P,R,_),
    carries(W,Q,S,T).
waits(W,P) :- pending(W,P,R,S,T).
due(W,Q,1,P) :- extends(W,Q,P,L), settles(L), waits(W,P).
due(W,P,3,P) :- waits(W,P).
deed(W,Q,I,moving,T) :- due(W,Q,I,P), pending(W,P,R,S,T).
argument(W,Q,I,1,R) :- due(W,Q,I,P), pending(W,P,R,S,T).
argument(W,Q,I,2,S) :- due(W,Q,I,P), pending(W,P,R,S,T).
strolls(W,Q,P) :- extends(W,Q,P,L), freely(L), carries(W,P,_,_).
deed(W,Q,2,moving,T) :- strolls(W,Q,P), not waits(W,P), carries(W,Q,S,T).
deed(W,Q,2,crossing,T) :- strolls(W,Q,P), waits(W,P), carries(W,Q,S,T).
argument(W,Q,2,1,R) :- strolls(W,Q,P), not waits(W,P), carries(W,P,R,_).
argument(W,Q,2,2,S) :- strolls(W,Q,P), not waits(W,P), carries(W,Q,S,_).
argument(W,Q,2,3,S) :- strolls(W,Q,P), waits(W,P), carries(W,Q,S,_).
grabs(W,Q,P) :- extends(W,Q,P,remove), waits(W,P).
deed(W,Q,2,taking,T) :- grabs(W,Q,P), pending(W,P,R,S,T).
crosses(W,Q,P) :- strolls(W,Q,P), waits(W,P).
crosses(W,Q,P) :- grabs(W,Q,P).
argument(W,Q,2,1,R) :- crosses(W,Q,P), pending(W,P,R,S,T).
argument(W,Q,2,2,S) :- crosses(W,Q,P), pending(W,P,R,S,T).
clears(W,Q,P) :- extends(W,Q,P,remove), led(W,P,_), not waits(W,P).
argument(W,Q,2,1,S) :- clears(W,Q,P), carries(W,Q,S,_).
"""
        if several:
            text += "due(W,and(P,S),1,P) :- grows(W,and(P,S),P), waits(W,P).\n"
        for board, lies in sights("S", "C", lifted=True):
            at = f"walk(W,P,A,Z,S,H,{board}{n})"
            text += f"deed(W,Q,2,removing,T) :- clears(W,Q,P), {at}, {lies}, typed(C,T).\n"
        begin = f"begin(W,P,A,S,C,B{n})"
        text += f"deed(W,Q,2,removing,T) :- clears(W,Q,P), {begin}, typed(C,T).\n"
        for letter, verb, typed in (
            ("appear(C)", "appearing", "typed(C,T)"),
            ("keep(C)", "keeping", f"T = {self.empty_hand}"),
        ):
            at = f"extends(W,then(P,{letter}),P,{letter}), carries(W,P,S,_)"
            text += f"deed(W,then(P,{letter}),2,{verb},T) :- {at}, {typed}.\n"
            text += f"argument(W,then(P,{letter}),2,1,S) :- {at}.\n"
        text += """acts(W,Q,I) :- deed(W,Q,I,V,T).
% Q at I comes after P at J.
prior(W,Q,1,P,2) :- grows(W,Q,P), led(W,P,_).
prior(W,Q,2,Q,1) :- grows(W,Q,P), led(W,P,_).
prior(W,P,3,P,2) :- led(W,P,_)."""
        if self.zero:
            text += _MACHINES
        if self.ties:
            text += _TIES
        return text


_MACHINES = """
% Each machine goes from deed to deed, and ends where it may.
at_state(W,from(S),2,Z,none) :- led(W,from(S),A), machine(A,Z).
at_state(W,Q,I,Z,X) :- prior(W,Q,I,P,J), at_state(W,P,J,Z,X), not acts(W,Q,I).
at_state(W,Q,I,Z,Y) :- prior(W,Q,I,P,J), at_state(W,P,J,Z,X), deed(W,Q,I,V,T), onward(Z,X,V,T,Y).
at_state(W,Q,I,Z,X) :- prior(W,Q,I,P,J), at_state(W,P,J,Z,X), deed(W,Q,I,V,T), partial(Z),
    not watches(Z,V,T).
through(W,P,Z) :- at_state(W,P,3,Z,X), final(Z,X).
disordered(W,P) :- led(W,P,A), machine(A,Z), not through(W,P,Z)."""

_TIES = """
% The squares that deeds leave to the next ones that are tied to them.
renewed(W,Q,I,E) :- led(W,Q,A), deed(W,Q,I,V,T), renews(A,E,V,T).
left_to(W,Q,I,E,S) :- led(W,Q,A), deed(W,Q,I,V,T), passes_on(A,E,V,T,F), argument(W,Q,I,F,S).
left_to(W,Q,I,E,S) :- prior(W,Q,I,P,J), left_to(W,P,J,E,S), not renewed(W,Q,I,E).
torn(W,Q,I) :- prior(W,Q,I,P,J), left_to(W,P,J,E,S), led(W,Q,A), deed(W,Q,I,V,T),
    takes_up(A,E,V,T,G), argument(W,Q,I,G,R), R != S.
torn_before(W,Q) :- torn(W,Q,1).
torn_before(W,Q) :- torn(W,Q,2).
torn_before(W,Q) :- grows(W,Q,P), torn_before(W,P).
disordered(W,P) :- torn_before(W,P).
disordered(W,P) :- torn(W,P,3)."""
