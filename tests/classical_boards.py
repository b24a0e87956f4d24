"""The games of `benchmarks/classical` on boards set up by hand, as the tests of them have these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from classical_games import FOLDER

from grl.board import EMPTY, HOLE, Player, Position, make_position
from grl.games import Game, load
from grl.turn import Turn

Rows = str | Sequence[str]
"""The ranks of a board, the highest first; in a text they stand with ``/`` between."""


@cache
def the(name: str) -> Game:
    return load(str(FOLDER / f"{name}.py"))


def at(name: str, rows: Rows, to_move: str, **hands: dict[str, int]) -> Position:
    """A position by its rows; what `hands` doesn't say is not in hand."""
    game = the(name)
    parts = rows.split("/") if isinstance(rows, str) else rows
    nothing: dict[str, dict[str, int]] = {}
    for player, key in game.equipment.stocked:
        nothing.setdefault(player, {})[key] = 0
    given = {player: nothing.get(player, {}) | hand for player, hand in hands.items()}
    return make_position(game.equipment, parts, to_move, nothing | given)


def turns(name: str, rows: Rows, to_move: str, **hands: dict[str, int]) -> set[str]:
    """The legal turns of such a position."""
    return set(the(name).legal(at(name, rows, to_move, **hands)))


def after(name: str, position: Position, turn: str) -> Position:
    """What a legal turn leads to."""
    assert turn in the(name).legal(position)
    return the(name).play(position, turn)


def winner(name: str, position: Position) -> str | None:
    """Who has won a position that is over; None for a draw."""
    assert the(name).is_terminal(position)
    assert the(name).legal(position) == []
    goals = the(name).goals(position)
    return next((player for player, goal in goals.items() if goal == 100), None)


def played(game: Game, chance: Random) -> Iterator[tuple[Position, list[str]]]:
    """The positions of three random games with their legal turns, which all differ in effect."""
    for _ in range(3):
        position = game.initial
        for _ in range(60):
            legal = game.legal(position)
            assert game.is_terminal(position) == (not legal)
            if not legal:
                assert sum(game.goals(position).values()) == 100
                break
            assert len({Turn.parse(turn).effect(position) for turn in legal}) == len(legal)
            yield position, legal
            position = game.play(position, chance.choice(legal))


def seen_from_the_other_side(game: Game, position: Position) -> Position:
    """The board turned by half a turn, the players exchanged."""
    pieces = game.equipment.pieces
    other = {
        key: next(k for k, p in pieces.items() if p.type == piece.type and p.player != piece.player)
        for key, piece in pieces.items()
        if piece.player is not None
    }
    rows = ["".join(other.get(c, c) for c in row[::-1]) for row in reversed(position.rows)]
    following = game.equipment.next_player
    hands = {
        str(following(Player(player))): {other.get(key, key): n for key, n in hand.items()}
        for player, hand in position.reserve.items()
    }
    return make_position(game.equipment, rows, following(position.to_move), hands)


def mirrored(game: Game, position: Position) -> Position:
    """The board with left and right exchanged."""
    rows = [row[::-1] for row in position.rows]
    return make_position(game.equipment, rows, position.to_move, position.reserve)


def standing(name: str, to_move: str, **pieces: str) -> Position:
    """A position by the squares of its pieces, nothing in hand; keys may have a ``_`` before them.

    Keys that are digits must.
    """
    board = the(name).equipment.board
    keys = {square: key[-1] for key, squares in pieces.items() for square in squares.split()}
    assert keys.keys() <= {board.names[s] for s in board.squares}
    names = enumerate(board.names)
    cells = [HOLE if s in board.holes else keys.get(square, EMPTY) for s, square in names]
    return at(name, board.rows("".join(cells)), to_move)


def legal(name: str, to_move: str, **pieces: str) -> set[str]:
    """The legal turns of such a position."""
    return set(the(name).legal(standing(name, to_move, **pieces)))


def contents(position: Position) -> dict[str, str]:
    """The pieces by the names of their squares."""
    board = position.board
    return {board.names[s]: c for s in board.squares if (c := position.cells[s]) != EMPTY}


def carried_out(position: Position, turn: str) -> dict[str, str]:
    """What a turn leaves by the words of the trace format, without the code of `grl.turn`."""
    found, view = contents(position), position.equipment.views[position.to_move]
    for segment in turn.split("; ") if turn != "pass" else ():
        square, *letters = segment.split(" (")
        x, y = ord(square[0]), int(square[1:])
        hand = "" if letters[0] == "0 0 d)" else found.pop(square, "")
        for letter in letters:
            here = f"{chr(x)}{y}"
            dx, dy, on, *piece = re.split(" ", _stepped(letter.removesuffix(")"), x, y))
            if on == "r":
                continue
            if on == "d":
                del found[here]
            elif on == "a":
                if hand:
                    found[here] = hand
                (hand,) = piece
            else:
                x, y = x + int(dx), y + int(dy)
                assert view[found.get(f"{chr(x)}{y}", EMPTY)] == on
        if hand:
            found[f"{chr(x)}{y}"] = hand
    return found


def _stepped(letter: str, x: int, y: int) -> str:
    """A flight from a square as a step; other letters as they are."""
    if not letter.startswith("@"):
        return letter
    target, on = letter[1:].split(" ")
    return f"{ord(target[0]) - x} {int(target[1:]) - y} {on}"


def coordinates(position: Position, text: str) -> str:
    """A turn as ``a2a3`` or ``a5a6q``."""
    (segment,) = Turn.parse(text).segments
    board = position.board
    key = segment.letters[-1].piece.lower()
    return segment.origin + board.names[segment.path(board)[-1]] + key


def keeps_the_contract(name: str, *, opposite: bool, even: bool) -> None:
    """In random games turns lead where the trace format says, and need no history.

    Players who sit `opposite` each other have the same turns seen from the other side, and where
    left and right are `even` positions have as many when they are mirrored.
    """
    game, chance = the(name), Random(name)
    for position, found in played(game, chance):
        bare = make_position(game.equipment, position.rows, position.to_move, position.reserve)
        assert game.legal(bare) == found
        if chance.random() < 0.3:
            if opposite:
                assert len(game.legal(seen_from_the_other_side(game, position))) == len(found)
            if even:
                assert len(game.legal(mirrored(game, position))) == len(found)
        turn = chance.choice(found)
        assert contents(game.play(position, turn)) == carried_out(position, turn)
