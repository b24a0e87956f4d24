"""What never changes: players, squares, pieces, what states are made of, and the initial state."""

from __future__ import annotations

from collections.abc import Sequence

from grl.asp.layout import filled
from grl.board import Equipment, Player
from grl.rules.asp.naming import Names


def things(
    equipment: Equipment,
    names: Names,
    stock: Sequence[tuple[Player, str]],
    limit: int,
    initial: Sequence[str],
) -> str:
    """The facts of a game; numbers go up to `limit`, `initial` are the terms of the first state."""
    players = [names.player[p] for p in equipment.players]
    count = len(players)
    seats = [
        f"seat({players[i]},{k},{players[(i + k) % count]})."
        for i in range(count)
        for k in range(count)
    ]
    following = [f"follows_on({players[i]},{players[(i + 1) % count]})." for i in range(count)]
    width = equipment.board.width
    squares = [
        f"square({names.squares[s]},{s % width + 1},{s // width + 1})."
        for s in equipment.board.squares
    ]
    pieces = [
        f"piece({names.piece[key]},{names.player[p.player] if p.player else 'nobody'},"
        f"{names.type[p.type]})."
        for key, p in sorted(equipment.pieces.items())
    ]
    parts = [
        "\n".join(filled([f"role({player})." for player in players])),
        "player(M) :- role(M).",
        "% seat(M,K,N): N moves K places after M; follows_on(M,N): N is next.",
        "\n".join(filled([*seats, *following])),
        "% square(S,X,Y): file and rank.",
        "\n".join(filled(squares)),
        "% piece(C,M,T): C is a piece of type T that belongs to M.",
        "\n".join(filled(pieces)),
        f"succ(N-1,N) :- N = 1..{limit}.",
        _bases(names, stock),
        "% The initial state.",
        "\n".join(filled([f"init({fluent})." for fluent in initial])),
    ]
    return "\n".join(parts)


def _bases(names: Names, stock: Sequence[tuple[Player, str]]) -> str:
    text = """% What states are made of.
content(empty). content(C) :- piece(C,_,_).
base(cell(X,Y,C)) :- square(_,X,Y), content(C).
base(control(M)) :- role(M)."""
    for player, key in stock:
        text += f"\nbase(hand({names.player[player]},{names.piece[key]},N)) :- succ(N,_)."
    return text
