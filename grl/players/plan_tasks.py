"""A win by two turns of one's own as a task for a learner of answer set programs.

Grillotti, draft of a report, 3.1.1, "Learning Exception Structure": the hypothesis is a turn,
a general rule for the next one, and rules for exceptions from it. Every answer set, whatever the
reply, has to be a win.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grl.players.plans import Graph

TASK = """% The player to move wins by two turns of its own, whatever the reply: a turn, a general
% rule for the next one, and exceptions from it.
% at(S,K): after K-1 turns the game stands as in node S. does(P,A,K): player P plays A as the K-th.
at(0,1).
at(T,K+1) :- at(S,K), does(_,A,K), turn(S,A,T).
1 { does(other,A,2) : turn(S,A,_) } 1 :- at(S,2), turn(S,_,_).
win :- at(S,_), won(S).
twice :- does(P,A,K), does(P,B,K), A < B.
#pos(played,{},{twice}).
#neg(missed,{},{win}).
#neg(both,{twice},{}).
#modeh(does(mover,const(first),1)).
#modeh(does(mover,const(next),3)).
#modeb(2,does(other,const(reply),2)).
#maxv(0).
#maxhl(1).
#bias(":- in_head(_).").
#bias(":- head(does(_,_,1)), body(_).").
#bias(":- constraint.").
#defined won/1.
"""


def task_text(graph: Graph) -> str:
    """The task of a graph of two own turns; ``grl las -ml 2`` and ILASP read it."""
    names = {own: named(_turns(graph, own), graph.texts) for own in (True, False)}
    constants: dict[tuple[str, str], None] = {}
    facts = []
    for node, turns in enumerate(graph.turns):
        kind = "reply" if not graph.own[node] else "next" if node else "first"
        if graph.won[node]:
            facts.append(f"won({node}).")
        for turn, after in turns:
            name = names[graph.own[node]][turn]
            constants[kind, name] = None
            facts.append(f"turn({node},{name},{after}).")
    listed = {
        f"%   {name}: {graph.texts[turn]}" for each in names.values() for turn, name in each.items()
    }
    declared = [f"#constant({kind},{name})." for kind, name in sorted(constants)]
    return "\n".join(["% Turns by name:", *sorted(listed), TASK, *declared, *facts, ""])


def _turns(graph: Graph, own: bool) -> list[int]:
    """The turns of the player to move, or those of others."""
    found = {
        turn
        for turns, mine in zip(graph.turns, graph.own, strict=True)
        for turn, _ in turns
        if mine == own
    }
    return sorted(found)


def named(turns: Sequence[int], texts: Sequence[str]) -> dict[int, str]:
    """Constants for turns: the square where one begins if no other begins there, or all of it."""
    origins = [texts[turn].split(" ", 1)[0] for turn in turns]
    found: dict[int, str] = {}
    for turn, origin in zip(turns, origins, strict=True):
        name = origin if origins.count(origin) == 1 else "_".join(_parts(texts[turn]))
        while name in found.values():
            name += "_"
        found[turn] = name
    return found


def _parts(text: str) -> Iterator[str]:
    """What a turn is spelled with, as far as a constant can hold it."""
    for part in re.findall(r"-?\w+", text):
        yield part.lower().replace("-", "m")
