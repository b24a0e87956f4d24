"""Further positions that a program asks about: what a player could do there, what a turn leaves.

Their turns come about by copies of the rules for the turns of the position that is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from grl.asp.rules import Rule, printed
from grl.export.copies import below, between, copied, heads
from grl.logic.terms import OWN
from grl.rules.asp.definitions import passed, recalled, recalled_own

WORLDS = {
    "now": ("W", "plays"),
    "after": ("after(W,T)", "mover"),
    "midway": ("midway(W,P)", "mover"),
}
"""Terms for positions of a kind, and the predicate that says who moves there."""


def after(needs: Set[str], left: str, *, passes: bool) -> str:
    """The position after each turn; `left` as of `later`."""
    text = """% The position after a turn, the next player to move.
position(after(W,T)) :- option(W,T).
mover(after(W,T),N) :- option(W,T), plays(W,M), follows_on(M,N).
cell(after(W,T),S,C) :- option(W,T), changed(W,T,S,C).
cell(after(W,T),S,C) :- option(W,T), board(W,S,C), not altered(W,T,S)."""
    if left:
        text += f"""
hand(after(W,T),M,C,N) :- option(W,T), plays(W,M), {left}(W,T,C,N).
hand(after(W,T),N,C,K) :- option(W,T), plays(W,M), reserve(W,N,C,K), N != M."""
        if passes:
            text += "\nhand(after(W,pass),M,C,N) :- option(W,pass), plays(W,M), reserve(W,M,C,N)."
    for number in passed(needs):
        before = f", passed(W,{number - 1})" if number > 1 else ""
        text += f"\npassed(after(W,pass),{number}) :- option(W,pass){before}."
    return text + earlier(needs, "after(W,T)", "option(W,T)")


def earlier(needs: Set[str], world: str, given: str) -> str:
    """The rules for the squares of the turns before the one that leads to a world."""
    text = "".join(
        f"\nlast({world},{role},{back},S) :- {given}, last(W,{role},{back - 1},S)."
        for role, back in recalled(needs)
        if back > 1
    )
    for role in recalled_own(needs):
        text += (
            f"\nlast({world},{role},{OWN},S) :- {given}, plays(W,M), follows_on(M,N), N != M,\n"
            f"    own(W,{role},N,S)."
        )
    return text


def replies(needs: Set[str], body: Sequence[Rule], *, stocked: bool) -> str:
    """The turns that players would have where that is asked, by the rules of `body`."""
    text = "% The turns that the player K later would have, were it their turn: seen(W,K)."
    for seat, world in sorted(need.split()[1:] for need in needs if need.startswith("reply ")):
        at, mover = WORLDS[world]
        text += f"\nreply_plays(seen({at},{seat}),N) :- {mover}({at},M), seat(M,{seat},N)."
    text += "\nreply_board(seen(W,K),S,C) :- reply_plays(seen(W,K),N), cell(W,S,C)."
    if stocked:
        text += "\nreply_reserve(seen(W,K),M,C,N) :- reply_plays(seen(W,K),_), hand(W,M,C,N)."
    asked = ({"halt"} & needs) | ({"turn", "changed"} if "threats" in needs else set())
    names = heads(body) | {"board", "plays", "reserve"}
    return f"{text}\n\n{printed(copied(below(body, asked), names, prefix='reply_'))}"


def later(needs: Set[str], rules: Sequence[Rule], left: str) -> str:
    """The rules once more, for the position that the turn played leaves, as far as needed.

    `left` is the predicate of what turns leave in reserve, empty where there is none.
    """
    text = "% seat(K): the position that the turn played leaves, player K after the next to move."
    for seat in (need.split()[1] for need in sorted(needs) if need.startswith("later ")):
        text += (
            f"\nlater_plays(seat({seat}),N) :- does(M,T), option(now,T), plays(now,M), "
            f"follows_on(M,P),\n    seat(P,{seat},N)."
        )
    text += """
later_board(W,S,C) :- later_plays(W,_), does(M,T), changed(now,T,S,C).
later_board(W,S,C) :- later_plays(W,_), does(M,T), option(now,T), board(now,S,C),
    not altered(now,T,S)."""
    if left:
        text += f"""
later_reserve(W,M,C,N) :- later_plays(W,_), does(M,T), {left}(now,T,C,N).
later_reserve(W,N,C,K) :- later_plays(W,_), does(M,T), option(now,T), reserve(now,N,C,K), N != M."""
    known = [rule for rule in rules if not rule.predicates & {"true", "does", "init"}]
    given = {"plays", "board", "reserve", "moved", "last", "own", "passed"}
    return f"{text}\n\n{printed(copied(*between(known, given, 'able'), prefix='later_'))}"
