"""Features as answer set programs: for reading, export and proof.

`Definitions.position` and `Definitions.turn` give the name of a predicate for a feature and collect
its definition and all that this rests on, each once. A feature of positions is a predicate ``f(W)``
over positions W, one of turns a predicate ``f(W,T)``. They rest on these:

===========================  =====================================================================
``square(S,X,Y)``            square S lies on file X and rank Y, both from 1
``player(M)``                a player; ``seat(M,K,N)``: N comes K places after M in turn order
``piece(C,M,T)``             piece C of type T belongs to M, or to ``nobody``
``succ(N,M)``                M is N + 1, from 0 on
``position(W)``              W is a position: ``now``; or ``after(W,T)`` and ``midway(W,P)``, with
                             the next player to move
``cell(W,S,C)``              S holds C there, a piece or ``empty``; ``mover(W,M)``: M is to move
``hand(W,M,C,N)``            M has N of C in hand
``option(W,T)``              T is a turn of W, pseudo-legal or a pass
``changed(W,T,S,C)``         turn T leaves C on square S, which it touches; ``altered(W,T,S)``
``start(W,T,I,S)``           segment I of T begins on S; ``end(W,T,I,S)``
``drop(W,T,S)``             the first piece that appears in T does so on S; ``taken(W,T,S)``
``letter(W,T,L)``            T has letter L; ``kind(L,K)``: of kind K, as in `letter` features
``segments(W,T,N)``          T has N segments; ``steps(W,T,N)``: the hand makes N steps
``opening(W,T,P)``           P is the first segment of T; ``part(W,T,P)``: T goes on after P
``breaks(W,T,P)``            T may be broken off after P, of its first segment
``lead(W,T,L)``              L is the first letter of T
``moved(W,S)``               the piece on S has moved; ``last(W,I,K,S)``: I is start1 or end1 of the
                             turn K plies ago; ``passed(W)``
===========================  =====================================================================

Arithmetic stays in rules that depend on no position; with `chains` counts do without aggregates
too, so that what comes out is Datalog with negation.
"""

from __future__ import annotations

from collections.abc import Iterable

from grl.board import Player
from grl.rules.asp.definitions import Definitions, Templates
from grl.rules.asp.positions import POSITIONS
from grl.rules.asp.turns import RELATIVE, TURNS
from grl.rules.features.cases import Setting

TEMPLATES = Templates(POSITIONS, TURNS, RELATIVE)


def definitions_for(
    setting: Setting, *, chains: bool = False, stock: Iterable[tuple[Player, str]] = ()
) -> Definitions:
    """An empty collection for one game; `stock` lists the reserves there are by player and key."""
    return Definitions(setting, TEMPLATES, chains=chains, stock=stock)
