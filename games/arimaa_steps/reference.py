"""Arimaa on 5 x 5 with one step, push or pull a turn: bring a rabbit to the far rank.

Stronger pieces freeze weaker opposing ones that no piece of their own stands beside, and push and
pull them. A piece on one of the two traps with none of its own beside it is removed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    ORTHOGONALS,
    REMOVE_TEXT,
    Direction,
    leads_to,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
    step_text,
)

GOLD = Player("gold")
SILVER = Player("silver")
SIDE = 5
START = (
    "rcrcr",
    ".ded.",
    ".....",
    ".DED.",
    "RCRCR",
)
TYPES = {"E": "elephant", "D": "dog", "C": "cat", "R": "rabbit"}
WEAKEST_FIRST = "RCDE"
TRAPS = ("b3", "d3")
RABBIT = {GOLD: "R", SILVER: "r"}
FORWARD = {GOLD: 1, SILVER: -1}
GOAL = {GOLD: slice(SIDE**2 - SIDE, SIDE**2), SILVER: slice(0, SIDE)}
OTHER = {GOLD: SILVER, SILVER: GOLD}
NEAR_EACH_END = 24

Step = tuple[Square, Direction, Square]
"""From where, in which direction, to where."""


class ArimaaSteps(Game):
    """Gold's pieces are `E D C R`, silver's the small letters; gold begins."""

    name = "arimaa-steps"
    provenance = (
        "the rules of Arimaa (Omar and Aamir Syed, 2002) for steps, pushes, pulls, freezing, "
        "traps and the order of endings; one step, push or pull a turn, board and setup are ours"
    )

    def __init__(self) -> None:
        board = Board(SIDE, SIDE)
        pieces: dict[str, tuple[Player | None, str]] = {k: (GOLD, t) for k, t in TYPES.items()}
        pieces |= {k.lower(): (SILVER, t) for k, t in TYPES.items()}
        self.equipment = make_equipment(board, (GOLD, SILVER), pieces)
        self.initial = position_of(self.equipment, "".join(reversed(START)), GOLD)
        self._near: list[list[tuple[Direction, Square]]] = [
            [(d, t) for d in ORTHOGONALS if (t := board.step(s, *d)) is not None]
            for s in board.squares
        ]
        self._traps = [board.square(name) for name in TRAPS]

    def legal(self, position: Position) -> list[str]:
        if self._result(position) is not None:
            return []
        found: dict[tuple[Square, str], str] = {}
        for steps in self._turns(position):
            text, after = self._carried_out(position.cells, steps)
            found.setdefault((steps[0][0], after), text)
        return list(found.values())

    def is_terminal(self, position: Position) -> bool:
        return self._result(position) is not None or next(self._turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        result = self._result(position)
        winner = OTHER[position.to_move] if result is None else result[1]
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        result = self._result(position)
        return "no turn" if result is None else result[0]

    def endgames(self) -> list[Position]:
        """Few pieces, a turn away from each kind of ending, for either player."""
        chance = random.Random(5)
        found: dict[object, Position] = {}
        for kind in ("rabbit at its goal", "no rabbit left", "no turn"):
            for player in self.equipment.players:
                enough = len(found) + NEAR_EACH_END
                while len(found) < enough:
                    position = self._few_pieces(chance, player)
                    if not self.is_terminal(position) and leads_to(self, position, kind):
                        found[position.outcome] = position
        return list(found.values())

    def _few_pieces(self, chance: random.Random, mover: Player) -> Position:
        """A rabbit each and some more pieces, the strongest of the player to move."""
        pieces = "Rr" + "".join(chance.choices("EDCRrcd", k=chance.randint(1, 4)))
        cells = [EMPTY] * SIDE**2
        squares = chance.sample(self.equipment.board.squares, len(pieces))
        for square, piece in zip(squares, pieces, strict=True):
            cells[square] = piece if mover == GOLD else piece.swapcase()
        return position_of(self.equipment, cells, mover)

    def _result(self, position: Position) -> tuple[str, Player] | None:
        """How the game has ended and who has won, as far as rabbits decide it.

        Where two endings meet, the order is Arimaa's: goals first, who has just moved first.
        """
        cells = position.cells
        last, following = OTHER[position.to_move], position.to_move
        for player in (last, following):
            if RABBIT[player] in cells[GOAL[player]]:
                return "rabbit at its goal", player
        for player in (last, following):
            if RABBIT[OTHER[player]] not in cells:
                return "no rabbit left", player
        return None

    def _turns(self, position: Position) -> Iterator[list[Step]]:
        """The steps of each turn; two that lead to the same are both given."""
        cells, mover = position.cells, position.to_move
        for square in position.board.squares:
            piece = cells[square]
            if not _owns(mover, piece) or self._frozen(cells, square):
                continue
            for direction, target in self._near[square]:
                if cells[target] == EMPTY:
                    step = (square, direction, target)
                    if piece != RABBIT[mover] or direction[1] != -FORWARD[mover]:
                        yield [step]
                    for (dx, dy), pulled in self._near[square]:
                        if _overpowers(piece, cells[pulled]):
                            yield [step, (pulled, (-dx, -dy), square)]
                elif _overpowers(piece, cells[target]):
                    for away, free in self._near[target]:
                        if cells[free] == EMPTY:
                            yield [(target, away, free), (square, direction, target)]

    def _frozen(self, cells: str, square: Square) -> bool:
        """Whether a stronger opposing piece stands beside the one here and none of its own."""
        piece = cells[square]
        beside = [cells[near] for _, near in self._near[square]]
        return any(_overpowers(other, piece) for other in beside) and not any(
            _same_side(other, piece) for other in beside
        )

    def _carried_out(self, cells: str, steps: Sequence[Step]) -> tuple[str, str]:
        """The text of a turn and the board after it, traps seen to."""
        names = self.equipment.board.names
        after = list(cells)
        texts = []
        for start, direction, end in steps:
            after[start], after[end] = EMPTY, after[start]
            texts.append(names[start] + step_text(direction, "e"))
        for trap in self._traps:
            beside = [after[near] for _, near in self._near[trap]]
            if after[trap] != EMPTY and not any(_same_side(c, after[trap]) for c in beside):
                after[trap] = EMPTY
                texts.append(names[trap] + REMOVE_TEXT)
        return "; ".join(texts), "".join(after)


def _owns(player: Player, key: str) -> bool:
    return key.isupper() if player == GOLD else key.islower()


def _same_side(one: str, other: str) -> bool:
    return one != EMPTY and one.isupper() == other.isupper()


def _overpowers(piece: str, other: str) -> bool:
    """Whether `other` is an opposing piece, weaker than `piece`; either may be no piece."""
    if EMPTY in (piece, other) or _same_side(piece, other):
        return False
    return WEAKEST_FIRST.index(piece.upper()) > WEAKEST_FIRST.index(other.upper())
