"""What strategies may ask of a turn: a small vocabulary for any game, nothing of it by name.

A facet is a whole number, of a flag 0 or 1, which the turn and what comes next say: how the game
stands after it, what the next player could do there, what the mover could do if the next player
passed. The next player is the one after the mover in turn order. Where the game is over after the
turn facets of what comes next are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from grl.board import Player, Position, Square
from grl.engine.engine import State
from grl.logic.perspectives import frames_of, seen_from
from grl.players.forcing import following, forces, winning, won
from grl.players.interface import Game, final_value
from grl.turn import Turn

WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


class Outlook:
    """A state whose turns are looked at."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.position = state.position()
        self.state = game.state(self.position)  # a first state: positions of later ones are near
        self.players = game.equipment.players
        self.me = state.mover
        self.other = (self.me + 1) % len(self.players)
        self.frame = frames_of(game.initial.position())[self.players[self.me]]

    @cached_property
    def dangers(self) -> frozenset[str]:
        """The turns with which the next player would win if it were to move."""
        if len(self.players) == 1:
            return frozenset()
        return winning(self.game, self.seated(self.position, self.other))

    def seated(self, position: Position, seat: int) -> State:
        """A position with somebody else to move, as if the game began there."""
        return self.game.state(replace(position, to_move=self.players[seat], last=None, trail=None))

    def pieces(self, cells: str, seat: int) -> int:
        """How many pieces of a player lie on the board."""
        owner = self.players[seat]
        own = [key for key, piece in self.game.equipment.pieces.items() if piece.player == owner]
        return sum(map(cells.count, own))

    def number_of(self, turn: str) -> int | None:
        """The place of a turn among the legal ones, however it is spelled; None for no such."""
        turns = self.state.turns()
        if turn in turns:
            return turns.index(turn)
        wanted = Turn.parse(turn).effect(self.position)
        effects = (Turn.parse(each).effect(self.position) for each in turns)
        return next((number for number, each in enumerate(effects) if each == wanted), None)

    def facts(self, number: int, wanted: Collection[str]) -> dict[str, int]:
        """The facets of a turn, those of some names, in the order of `FACETS`."""
        view = View(self, number)
        return {name: int(facet.value(view)) for name, facet in FACETS.items() if name in wanted}


class View:
    """A turn, and what is found out about it as it is asked for."""

    def __init__(self, outlook: Outlook, number: int) -> None:
        self.outlook = outlook
        self.turn = Turn.parse(outlook.state.turns()[number])
        self.after = outlook.state.play(number)

    @cached_property
    def result(self) -> int:
        """The value for the mover of a game that is over."""
        return final_value(self.after.goals(), self.outlook.players, self.outlook.me)

    @cached_property
    def position(self) -> Position:
        return self.after.position()

    @cached_property
    def next(self) -> State | None:
        """The state with the next player to move; None where the game is over, or for one."""
        return self._with(self.outlook.other) if len(self.outlook.players) > 1 else None

    @cached_property
    def again(self) -> State | None:
        """The state if the mover could move again; None where the game is over."""
        return self._with(self.outlook.me)

    def _with(self, seat: int) -> State | None:
        if self.after.over:
            return None
        return self.after if self.after.mover == seat else self.outlook.seated(self.position, seat)

    @cached_property
    def risks(self) -> frozenset[str]:
        """The turns with which the next player would win."""
        return frozenset() if self.next is None else winning(self.outlook.game, self.next)

    @cached_property
    def end(self) -> Square | None:
        """Where the first segment ends; None for a pass."""
        board = self.outlook.game.equipment.board
        return self.turn.segments[0].path(board)[-1] if self.turn.segments else None

    @cached_property
    def off(self) -> tuple[int, int]:
        """Files and ranks between the end and the middle of the board, which may be two of each."""
        board = self.outlook.game.equipment.board
        if self.end is None:
            return 0, 0
        rank, file = divmod(self.end, board.width)
        return abs(2 * file - board.width + 1) // 2, abs(2 * rank - board.height + 1) // 2

    @cached_property
    def sides(self) -> int:
        """Sides of the board at which the end lies."""
        board = self.outlook.game.equipment.board
        if self.end is None:
            return 0
        rank, file = divmod(self.end, board.width)
        return sum((file == 0, file == board.width - 1, rank == 0, rank == board.height - 1))

    @cached_property
    def rank(self) -> int:
        """The rank of the end as the mover sees it, from 1."""
        board = self.outlook.game.equipment.board
        return 0 if self.end is None else seen_from(board, self.outlook.frame, self.end)[1]

    def fewer(self, seat: int) -> int:
        """By how much a player's pieces on the board become fewer; negative where they grow."""
        pieces = self.outlook.pieces
        return pieces(self.outlook.state.cells, seat) - pieces(self.after.cells, seat)

    def exposed(self) -> int:
        """The most pieces of the mover that a reply takes."""
        if self.next is None:
            return 0
        me, pieces = self.outlook.me, self.outlook.pieces
        left = [pieces(after.cells, me) for after in following(self.next)]
        return max(0, pieces(self.after.cells, me) - min(left)) if left else 0

    def beside(self, seat: int) -> int:
        """A player's pieces on the squares beside the end, diagonally too."""
        return sum(
            owner == self.outlook.players[seat]
            for dx, dy in AROUND
            for owner in self._owners(dx, dy, 1)
        )

    def line(self) -> int:
        """The most pieces of the mover in an unbroken straight line through the end."""
        me = self.outlook.players[self.outlook.me]
        best = 0
        for dx, dy in WAYS:
            found = 1
            for sign in (1, -1):
                for owner in self._owners(sign * dx, sign * dy, self.outlook.position.board.size):
                    if owner != me:
                        break
                    found += 1
            best = max(best, found)
        return best if self.end is not None else 0

    def _owners(self, dx: int, dy: int, most: int) -> Iterator[Player | None]:
        """Whose pieces lie on the squares from the end on; None for an empty one."""
        equipment, square = self.outlook.game.equipment, self.end
        for _ in range(most):
            square = None if square is None else equipment.board.step(square, dx, dy)
            if square is None:
                return
            piece = equipment.pieces.get(self.after.cells[square])
            yield None if piece is None else piece.player

    def held(self) -> bool:
        """Whether the mover wins with its next turn, whatever is replied."""
        return not self.after.over and forces(self.outlook.game, self.after, self.outlook.me, 1)

    def falls(self) -> bool:
        """Whether the next player has a turn after which it wins with the one after that."""
        return self.next is not None and forces(self.outlook.game, self.next, self.outlook.other, 2)


@dataclass(frozen=True)
class Facet:
    """A facet: its value, its words, whether it is a flag, and how many turns ahead it looks.

    Words of a flag go on after "turns", those of a number are things that are counted.
    """

    value: Callable[[View], int]
    words: str
    flag: bool = False
    ahead: int = 0


def _count(state: State | None) -> int:
    return 0 if state is None else state.count()


FACETS: Mapping[str, Facet] = {
    "wins": Facet(
        lambda view: won(view.after, view.outlook.players, view.outlook.me),
        "that win at once",
        flag=True,
    ),
    "loses": Facet(
        lambda view: view.after.over and view.result < 0, "that lose at once", flag=True
    ),
    "draws": Facet(
        lambda view: view.after.over and view.result == 0, "that end in a draw at once", flag=True
    ),
    "blocks": Facet(
        lambda view: 0 if view.after.over else len(view.outlook.dangers - view.risks),
        "turns with which the next player would have won and no longer can",
        ahead=1,
    ),
    "risks": Facet(
        lambda view: len(view.risks), "turns with which the next player wins at once", ahead=1
    ),
    "forces": Facet(
        lambda view: view.held(), "after which the next turn wins, whatever the reply", True, 2
    ),
    "falls": Facet(
        lambda view: view.falls(),
        "after which the next player can force a win within two turns",
        True,
        2,
    ),
    "threats": Facet(
        lambda view: 0 if view.again is None else len(winning(view.outlook.game, view.again)),
        "turns that would win at once if the mover could go on",
        ahead=1,
    ),
    "takes": Facet(
        lambda view: max(0, view.fewer(view.outlook.other)),
        "pieces of the next player that leave the board",
    ),
    "exposed": Facet(
        lambda view: view.exposed(), "pieces of the mover that one reply can take", ahead=1
    ),
    "gains": Facet(
        lambda view: -view.fewer(view.outlook.me), "pieces of the mover more on the board"
    ),
    "file_off": Facet(lambda view: view.off[0], "files from the end to the middle"),
    "rank_off": Facet(lambda view: view.off[1], "ranks from the end to the middle"),
    "off_middle": Facet(
        lambda view: max(view.off), "steps in any direction from the end to the middle"
    ),
    "sides": Facet(lambda view: view.sides, "sides of the board at the end"),
    "rank": Facet(lambda view: view.rank, "ranks up to the end, as the mover sees the board"),
    "line": Facet(lambda view: view.line(), "own pieces in an unbroken line through the end"),
    "beside_own": Facet(lambda view: view.beside(view.outlook.me), "own pieces beside the end"),
    "beside_other": Facet(
        lambda view: view.beside(view.outlook.other), "pieces of the next player beside the end"
    ),
    "replies": Facet(lambda view: _count(view.next), "turns of the next player", ahead=1),
    "freedom": Facet(
        lambda view: _count(view.again),
        "turns that the mover would have if it could go on",
        False,
        1,
    ),
}
"""The facets by name, from the weightiest; of descriptions that fit equally the first is taken."""


def vocabulary(ahead: int) -> tuple[str, ...]:
    """The facets that look so many turns ahead, or fewer."""
    return tuple(name for name, facet in FACETS.items() if facet.ahead <= ahead)


def fact_text(name: str, value: int) -> str:
    """A facet of a turn as a fact; nothing for a flag that is not there."""
    if FACETS[name].flag:
        return f"{name}." if value else ""
    return f"{name}({value})."
