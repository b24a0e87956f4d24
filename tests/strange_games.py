"""Small games with one strange rule each, for what learners make of them."""

from __future__ import annotations

from collections.abc import Iterable

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.games import Game
from grl.turn import Turn, play

WHITE, BLACK = Player("white"), Player("black")
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Strange(Game):
    """Men step orthogonally onto empty squares; who reaches the far rank wins, who is stuck loses.

    Subclasses say which of these turns are legal and when the board ends a game.
    """

    provenance = "made up"
    name = "strange"
    rows: tuple[str, ...] = ("bbb.", "....", "....", "....", ".www")

    def __init__(self) -> None:
        pieces = {"w": Piece("w", WHITE, "man"), "b": Piece("b", BLACK, "man")}
        board = Board(len(self.rows[0]), len(self.rows))
        self.equipment = Equipment(board, (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.rows, WHITE)

    def own(self, position: Position) -> str:
        return "w" if position.to_move == WHITE else "b"

    def steps(self, position: Position) -> list[tuple[Square, tuple[int, int], Square]]:
        """Start, direction and end of every step of the player to move onto an empty square."""
        board, own = position.board, self.own(position)
        return [
            (square, way, target)
            for square in board.squares
            if position.cells[square] == own
            for way in STEPS
            if (target := board.step(square, *way)) is not None and position.cells[target] == "."
        ]

    def allowed(
        self,
        position: Position,  # noqa: ARG002
        steps: list[tuple[Square, tuple[int, int], Square]],
    ) -> Iterable[tuple[Square, tuple[int, int], Square]]:
        """The steps that the strange rule leaves."""
        return steps

    def winner(self, position: Position) -> Player | None:
        """Who has won by what is on the board."""
        if "w" in position.rows[0]:
            return WHITE
        return BLACK if "b" in position.rows[-1] else None

    def legal(self, position: Position) -> list[str]:
        if self.winner(position) is not None:
            return []
        names = position.board.names
        return [
            f"{names[start]} ({dx} {dy} e)"
            for start, (dx, dy), _ in self.allowed(position, self.steps(position))
        ]

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        won = self.winner(position) or (BLACK if position.to_move == WHITE else WHITE)
        return {player: 100 * (player == won) for player in self.equipment.players}


def last_step(position: Position) -> tuple[Square, tuple[int, int]] | None:
    """Where the last turn ended, and its direction; None before the first turn."""
    if position.last is None:
        return None
    segment = Turn.parse(position.last).segments[0]
    letter = segment.letters[0]
    board = position.board
    end = board.step(board.square(segment.origin), letter.dx, letter.dy)
    assert end is not None
    return end, (letter.dx, letter.dy)


def ended(position: Position, back: int) -> Square:
    """Where the turn so many plies ago ended."""
    assert position.trail is not None
    turn = Turn.parse(position.trail[len(position.trail) - back].turn)
    return turn.segments[0].path(position.board)[-1]


class NoEcho(Strange):
    """No step in the direction of the last one."""

    name = "no-echo"

    def allowed(self, position, steps):
        last = last_step(position)
        return [step for step in steps if last is None or step[1] != last[1]]


class Rearguard(Strange):
    """No steps back, and only men on the lowest rank, as the mover sees it, that can step."""

    name = "rearguard"

    def allowed(self, position, steps):
        ahead = 1 if position.to_move == WHITE else -1
        steps = [step for step in steps if step[1][1] != -ahead]
        rank = {step: ahead * (step[0] // position.board.width) for step in steps}
        return [step for step in steps if rank[step] == min(rank.values())]


class Rationed(Strange):
    """No step to a well by which more than one man of the mover would be on wells."""

    name = "rationed"
    rows = ("bbbb.", ".....", ".....", ".....", ".....", ".wwww")
    wells = ("b3", "b4", "d4", "d3", "e2")

    def allowed(self, position, steps):
        board, own = position.board, self.own(position)
        wells = {board.square(name) for name in self.wells}
        return [
            step
            for step in steps
            if step[2] not in wells
            or not any(position.cells[well] == own for well in wells - {step[0]})
        ]


class Balanced(Rationed):
    """No step to a well by which the mover has over one man more on wells than the opponent."""

    name = "balanced"

    def allowed(self, position, steps):
        board, own = position.board, self.own(position)
        wells = {board.square(name) for name in self.wells}
        theirs = sum(position.cells[well] not in (own, ".") for well in wells)
        return [
            step
            for step in steps
            if step[2] not in wells
            or sum(position.cells[well] == own for well in wells - {step[0]}) <= theirs
        ]


class Meeting(Strange):
    """Who moves a man next to one of the opponent wins."""

    name = "meeting"

    def winner(self, position):
        board, cells = position.board, position.cells
        met = any(
            cells[s] == "w" and (t := board.step(s, *way)) is not None and cells[t] == "b"
            for s in board.squares
            for way in STEPS
        )
        return (BLACK if position.to_move == WHITE else WHITE) if met else super().winner(position)


class Crowd(Strange):
    """Who has two men on the outer files of the far half wins: a count on four squares."""

    name = "crowd"
    rows = (".bbb.", ".....", ".....", ".....", ".www.")

    def winner(self, position):
        rows = position.rows
        for player, own, half in ((WHITE, "w", rows[:2]), (BLACK, "b", rows[-2:])):
            if sum((row[0] + row[-1]).count(own) for row in half) >= 2:
                return player
        return None


class Corners(Strange):
    """White wins by men on b1 and d3, Black by men half a turn away; both begin in the middle.

    The first position fits a reflection as well as half a turn.
    """

    name = "corners"
    rows = (".bbb.", ".....", ".....", ".www.")

    def winner(self, position):
        cells, board = position.cells, position.board
        goal = [board.square("b1"), board.square("d3")]
        if all(cells[s] == "w" for s in goal):
            return WHITE
        return BLACK if all(cells[board.size - 1 - s] == "b" for s in goal) else None


class Outflanked(Strange):
    """A man on a far rank ends the game; who has more men on his far half wins, a tie is drawn."""

    name = "outflanked"
    rows = ("bbbb", "....", "....", "....", "....", "wwww")

    def lead(self, position):
        """By how many men White has more on the upper half than Black on the lower."""
        if "w" not in position.rows[0] and "b" not in position.rows[-1]:
            return None
        upper, lower = "".join(position.rows[:3]), "".join(position.rows[3:])
        return upper.count("w") - lower.count("b")

    def winner(self, position):
        lead = self.lead(position)
        return None if lead is None else WHITE if lead > 0 else BLACK

    def goals(self, position):
        return (
            dict.fromkeys((WHITE, BLACK), 50)
            if self.lead(position) == 0
            else super().goals(position)
        )


class Pairs(Strange):
    """Everybody makes two turns in a row, but for the first turn of a game."""

    name = "pairs"

    def next_player(self, position, turn):
        before = next(reversed(position.trail or ()), None)
        if before is None or before.to_move == position.to_move:
            return super().next_player(position, turn)
        return position.to_move


class Restless(Pairs):
    """Two turns in a row, and nobody steps with the man that his own last turn took there."""

    name = "restless"

    def allowed(self, position, steps):
        before = enumerate(reversed(position.trail or ()), 1)
        own = next((back for back, past in before if past.to_move == position.to_move), None)
        return [step for step in steps if own is None or step[0] != ended(position, own)]


class Precedence(Strange):
    """Men capture by steps, horses by leaps; where a horse can, no man may capture."""

    name = "precedence"
    rows = ("bBbB.", "b....", ".....", "....w", ".WwWw")

    def __init__(self):
        pieces = {
            key: Piece(key, player, kind)
            for player, keys in ((WHITE, "wW"), (BLACK, "bB"))
            for key, kind in zip(keys, ("man", "horse"), strict=True)
        }
        self.equipment = Equipment(Board(5, 5), (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.rows, WHITE)

    def winner(self, position):
        cells = position.cells.lower()
        return next((p for p, one in ((WHITE, "b"), (BLACK, "w")) if one not in cells), None)

    def legal(self, position):
        if self.winner(position) is not None:
            return []
        board, cells = position.board, position.cells
        mine, others = ("wW", "bB") if position.to_move == WHITE else ("bB", "wW")
        found = [
            (cells[s], f"{board.names[s]} ({way[0]} {way[1]} {'p' if taken else 'e'})", taken)
            for s in board.squares
            if cells[s] in mine
            for way in (LEAPS if cells[s].isupper() else STEPS)
            if (t := board.step(s, *way)) is not None and cells[t] not in mine
            for taken in (cells[t] in others,)
        ]
        able = any(key.isupper() and taken for key, _, taken in found)
        return [turn for key, turn, taken in found if key.isupper() or not (able and taken)]


class Barred(Strange):
    """White's men never rest on b2, Black's never half a turn away, on d3.

    The first position fits a reflection as well as half a turn.
    """

    name = "barred"
    rows = (".bbb.", ".....", ".....", ".www.")

    def allowed(self, position, steps):
        barred = position.board.square("b2" if position.to_move == WHITE else "d3")
        return [step for step in steps if step[2] != barred]


class NoReturn(Strange):
    """No man goes straight back where its player's last turn took it from."""

    name = "no-return"

    def allowed(self, position, steps):
        if position.trail is None or len(position.trail) < 2:
            return steps
        segment = Turn.parse(position.trail[len(position.trail) - 2].turn).segments[0]
        path = segment.path(position.board)
        return [step for step in steps if (step[2], step[0]) != (path[0], path[-1])]


class Shade(Strange):
    """No man steps onto a dark square while another one of its own stands on one."""

    name = "shade"
    rows = ("bbb.", "....", "....", ".www")

    def allowed(self, position, steps):
        width, own = position.board.width, self.own(position)

        def dark(square):
            return (square % width + square // width) % 2 == 0

        standing = {s for s in position.board.squares if position.cells[s] == own and dark(s)}
        return [step for step in steps if not dark(step[2]) or standing <= {step[0]}]


class Follow(Strange):
    """Every step ends on the rank or file where the last one ended."""

    name = "follow"

    def allowed(self, position, steps):
        last = last_step(position)
        if last is None:
            return steps
        width = position.board.width
        rank, file = divmod(last[0], width)
        return [s for s in steps if s[2] // width == rank or s[2] % width == file]


class Merciful(Strange):
    """No step leaves the opponent without one."""

    name = "merciful"
    rows = ("bb", "..", "..", "ww")

    def allowed(self, position, steps):
        names = position.board.names
        return [
            (start, (dx, dy), end)
            for start, (dx, dy), end in steps
            if self.steps(play(position, Turn.parse(f"{names[start]} ({dx} {dy} e)")))
        ]


class Battery(Strange):
    """Two men side by side in a line of any direction shoot what is two squares before them, over
    an empty one."""

    name = "battery"
    rows = ("bbbb", "b..b", "....", "w..w", "wwww")

    def legal(self, position):
        steps = super().legal(position)
        board, cells, own = position.board, position.cells, self.own(position)
        shots = [
            f"{board.names[square]} (0 0 d)"
            for square in board.squares
            if cells[square] not in (own, ".")
            and any(
                "".join(self.line(position, square, way)) == f".{own}{own}"
                for way in (*STEPS, (1, 1), (-1, 1), (-1, -1), (1, -1))
            )
        ]
        return [*steps, *shots] if self.winner(position) is None else []

    def line(self, position, square, way):
        """What lies on the next three squares, as far as there are such."""
        for _ in range(3):
            square = position.board.step(square, *way)
            if square is None:
                return
            yield position.cells[square]


class Knights(Strange):
    """Men leap as knights onto empty squares."""

    name = "knights"
    rows = ("bbbbb", ".....", ".....", ".....", ".....", "wwwww")

    def steps(self, position):
        board, cells, own = position.board, position.cells, self.own(position)
        return [
            (square, leap, target)
            for square in board.squares
            if cells[square] == own
            for leap in LEAPS
            if (target := board.step(square, *leap)) is not None and cells[target] == "."
        ]


class Hobbled(Knights):
    """Horses: a piece next to where they start, on the long way, hobbles them."""

    name = "hobbled"

    def allowed(self, position, steps):
        board, cells = position.board, position.cells
        legs = {(x, y): (int(x / 2), int(y / 2)) for x, y in LEAPS}
        return [step for step in steps if cells[board.step(step[0], *legs[step[1]])] == "."]
