"""What lies on a square as who looks sees it: nothing, or whose piece it is, and of which type.

There is ``empty``; ``own``, ``opposing`` and ``neutral`` pieces, with a type after a colon
(``own:king``) where pieces of that owner are of several types; with more than two players
``next1``, ``next2`` for those in turn order, and ``opposing`` for all of them. ``=k`` is the piece
with key k, whoever looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grl.board import EMPTY, Equipment, Player

OWNERS = ("own", "opposing", "neutral")
NOTHING = "empty"
MOST_PAIRED = 10
"""With more contents than these not every two are looked at together."""


def contents_of(equipment: Equipment) -> list[str]:
    """What may lie on a square, ``empty`` first; pieces by their keys are left out."""
    found = [NOTHING]
    others = range(1, len(equipment.players)) if len(equipment.players) > 2 else ()
    for owner in (*OWNERS, *(f"next{seat}" for seat in others)):
        types = types_of(equipment, owner)
        if types or (owner == "neutral" and numbers_of(equipment)):
            found.append(owner)
        if len(types) > 1:
            found += [f"{owner}:{kind}" for kind in types]
    return found


def contents_by_player(equipment: Equipment) -> list[str]:
    """Pieces of single players, in turn order from who looks on, and nobody's."""
    players = len(equipment.players)
    owners = [*(owner_at(seat, players) for seat in range(players)), "neutral"]
    known = contents_of(equipment)
    return [each for owner in owners for each in known if owner_in(each) == owner]


def finest_contents(equipment: Equipment) -> list[str]:
    """What may lie on a square, one of them on every square: pieces by type and by player."""
    found = [NOTHING, *contents_by_player(equipment)]
    typed = {owner_in(each) for each in found if names_type(each)}
    return [each for each in found if each not in typed]


def held_contents(equipment: Equipment) -> list[str]:
    """What else players may have in hand, in turn order from who looks on: pieces of nobody's, by
    whose hands they are in."""
    pieces = (equipment.pieces[key] for _, key in equipment.stocked)
    types = {piece.type for piece in pieces if piece.player is None}
    names = ["", *sorted(types)] if len(types) > 1 else [""] * len(types)
    players = len(equipment.players)
    found = [of_type(owner_at(seat, players), kind) for seat in range(players) for kind in names]
    return [each for each in found if not is_content(equipment, each)]


def is_content(equipment: Equipment, content: str) -> bool:
    """Whether something with that name may lie on a square."""
    if content[:1] == "=":
        return content[1:] in equipment.pieces
    if type_in(content):
        return type_in(content) in types_of(equipment, owner_in(content))
    return content in contents_of(equipment)


def types_of(equipment: Equipment, owner: str) -> list[str]:
    """The types of pieces that somebody has of whom a word speaks; numbers are none."""
    nobodys, numbers = owner == "neutral", numbers_of(equipment)
    return sorted(
        {
            piece.type
            for key, piece in equipment.pieces.items()
            if (piece.player is None) == nobodys and key not in numbers
        }
    )


def numbers_of(equipment: Equipment) -> Mapping[str, int]:
    """The contents that stand for numbers."""
    return {} if equipment.sowing is None else equipment.sowing.values


def owner_in(content: str) -> str:
    """Whose pieces a content names."""
    return content.partition(":")[0]


def type_in(content: str) -> str:
    """The type that a content names, or nothing."""
    return content.partition(":")[2]


def held_of(equipment: Equipment, looks: Player, content: str) -> Callable[[Player, str], bool]:
    """Whether a content names what a player has in hand, given by key; hands are players'."""
    if content[0] == "=":
        return lambda _, key: key == content[1:]
    owners, kind = owned_by(equipment, looks, content), type_in(content)
    return lambda player, key: player in owners and kind in ("", equipment.pieces[key].type)


def many_contents(equipment: Equipment) -> bool:
    """Whether there are so many contents that not every two are looked at together."""
    return len(contents_of(equipment)) - 1 > MOST_PAIRED


def names_type(content: str) -> bool:
    """Whether a content says more than whose pieces it names."""
    return ":" in content or content[:1] == "="


def of_type(owner: str, kind: str) -> str:
    """The content of somebody's pieces of a type, or of any where it is nothing."""
    return f"{owner}:{kind}" if kind else owner


def owner_at(seat: int, players: int) -> str:
    """What the player so many places after who looks is called."""
    if seat == 0:
        return "own"
    return "opposing" if players == 2 else f"next{seat}"


def seat_of(content: str, players: int) -> int | None:
    """How many places after who looks the player comes whose pieces are named; None where they are
    no single player's."""
    owner = owner_in(content)
    if owner.startswith("next"):
        return int(owner[4:])
    return {"own": 0, "opposing": 1 if players == 2 else None}.get(owner)


def owner_of(player: Player | None, looks: Player) -> str:
    """Whose a piece is, as somebody sees it."""
    if player is None:
        return "neutral"
    return "own" if player == looks else "opposing"


def owned_by(equipment: Equipment, looks: Player, content: str) -> frozenset[Player | None]:
    """Who may have what a content names when `looks` looks; None for nobody."""
    owner, players = owner_in(content), equipment.players
    if owner.startswith("next"):
        return frozenset({players[(players.index(looks) + int(owner[4:])) % len(players)]})
    return frozenset(each for each in (*players, None) if owner_of(each, looks) == owner)


def keys_of(equipment: Equipment, looks: Player, content: str) -> frozenset[str]:
    """The cells' characters that a content names when `looks` looks."""
    if content == NOTHING:
        return frozenset(EMPTY)
    if content[0] == "=":
        return frozenset(content[1:])
    owners, kind = owned_by(equipment, looks, content), type_in(content)
    return frozenset(
        key
        for key, piece in equipment.pieces.items()
        if kind in ("", piece.type) and piece.player in owners
    )


def exactly(cell: str) -> str:
    """The content that a cell's character alone is."""
    return NOTHING if cell == EMPTY else f"={cell}"


def content_turned(content: str, by: int, players: int) -> str | None:
    """The content that says of the player `by` places later what this one says of who looks; None
    where there is none."""
    if content == NOTHING or content[0] == "=":
        return content
    owner, kind = owner_in(content), type_in(content)
    if owner == "neutral":
        return content
    seat = seat_of(owner, players)
    return None if seat is None else of_type(owner_at((seat + by) % players, players), kind)
