"""Small games in which pieces are captured by what a turn brings about, each in its own way.

They are here to be learned. Nothing in grl was written with them in mind.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import ClassVar

from lessons import games_of, taught
from made_once import made_once
from reversing_game import COMPASS, Reversing

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game
from grl.rulebook import Rulebook

WHITE, BLACK = Player("white"), Player("black")
STRAIGHT = [(dx, dy) for dx, dy in COMPASS if 0 in (dx, dy)]
ASLANT = [(dx, dy) for dx, dy in COMPASS if 0 not in (dx, dy)]


class Capturing(Game):
    """Players have one type of piece; an ending is decided before anybody looks for turns."""

    provenance = "made up for tests"
    keys: ClassVar[dict[Player, str]] = {WHITE: "w", BLACK: "b"}
    kind: ClassVar[str]
    start: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        board = Board(len(self.start[0]), len(self.start))
        self.equipment = Equipment(board, tuple(self.keys), self.pieces())
        self.initial = make_position(self.equipment, self.start, WHITE)

    def pieces(self) -> dict[str, Piece]:
        """The pieces by key."""
        return {key: Piece(key, player, self.kind) for player, key in self.keys.items()}

    def legal(self, position: Position) -> list[str]:
        return [] if self.decided(position) else list(self.turns(position))

    def is_terminal(self, position: Position) -> bool:
        return self.decided(position) or next(iter(self.turns(position)), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        return self.result(position)

    def decided(self, position: Position) -> bool:  # noqa: ARG002
        """Whether the game is over though there may be turns."""
        return False

    def result(self, position: Position) -> dict[Player, int]:
        """The goals of a terminal position: the player to move has lost."""
        return {player: 100 * (player != position.to_move) for player in self.keys}

    @abstractmethod
    def turns(self, position: Position) -> Iterator[str]:
        """The turns of a position that is not decided."""

    def theirs(self, position: Position) -> str:
        """The key of the opponent's pieces."""
        return self.keys[self.equipment.next_player(position.to_move)]


class Enclosing(Capturing):
    """Pieces move like rooks and remove what they enclose.

    An opponent's piece between the piece that has moved and another one of the mover, on a rank or
    a file, is removed: `c1 (0 1 e) (0 1 e); d3 (0 0 d)`. Who has fewer than three pieces, or can't
    move, loses.
    """

    name = "enclosing"
    kind = "guard"
    start = ("b.b.b", ".b.b.", ".....", ".w.w.", "w.w.w")
    edge: ClassVar[bool] = False
    """Whether the edge of the board helps to enclose."""

    def fate(self, position: Position) -> str:  # noqa: ARG002
        """What becomes of a piece that is enclosed."""
        return "(0 0 d)"

    def decided(self, position: Position) -> bool:
        return min(position.cells.count(key) for key in self.keys.values()) < 3

    def result(self, position: Position) -> dict[Player, int]:
        few = [p for p, key in self.keys.items() if position.cells.count(key) < 3]
        losers = few or [position.to_move]
        return {player: 100 * (player not in losers) for player in self.keys}

    def turns(self, position: Position) -> Iterator[str]:
        board, cells = position.board, position.cells
        mine = self.keys[position.to_move]
        for square in board.squares:
            for dx, dy in STRAIGHT if cells[square] == mine else ():
                text, target = board.names[square], board.step(square, dx, dy)
                while target is not None and cells[target] == ".":
                    text += f" ({dx} {dy} e)"
                    yield self.taking(position, text, square, target)
                    target = board.step(target, dx, dy)

    def taking(self, position: Position, text: str, origin: Square, target: Square) -> str:
        """A turn with what it takes."""
        names, fate = position.board.names, self.fate(position)
        taken = self._enclosed(position, origin, target)
        return "; ".join([text, *(f"{names[s]} {fate}" for s in taken)])

    def _enclosed(self, position: Position, origin: Square, target: Square) -> Iterator[Square]:
        board, cells = position.board, position.cells
        for dx, dy in STRAIGHT:
            near = board.step(target, dx, dy)
            if near is None or cells[near] != self.theirs(position):
                continue
            far = board.step(near, dx, dy)
            helped = self.edge if far is None else cells[far] == self.keys[position.to_move]
            if helped and far != origin:
                yield near


class EdgeEnclosing(Enclosing):
    """The same, but the edge of the board helps to enclose."""

    name = "edge-enclosing"
    edge = True


class Pinching(Enclosing):
    """Two ways to take, one after the other, on ranks and files.

    Removed are opponents in a row between the piece that has moved and another one of the mover;
    and then, on the board that this leaves, two opponents on either side of it.
    """

    name = "pinching"
    start = ("bbbb.", "bb.b.", ".....", ".w.ww", ".wwww")

    def _enclosed(self, position: Position, origin: Square, target: Square) -> Iterator[Square]:
        board, cells = position.board, list(position.cells)
        cells[origin], cells[target] = ".", self.keys[position.to_move]
        taken: set[Square] = set()
        for dx, dy in STRAIGHT:
            row, at = [], board.step(target, dx, dy)
            while at is not None and cells[at] == self.theirs(position):
                row.append(at)
                at = board.step(at, dx, dy)
            if at is not None and cells[at] == self.keys[position.to_move]:
                taken.update(row)
        for square in taken:
            cells[square] = "."
        for dx, dy in STRAIGHT[:2]:
            sides = [board.step(target, dx, dy), board.step(target, -dx, -dy)]
            pair = [each for each in sides if each is not None]
            if [cells[each] for each in pair] == [self.theirs(position)] * 2:
                taken.update(pair)
        yield from sorted(taken)


class Keeping(Enclosing):
    """The same as enclosing, but what is taken is kept in the hand: `d3 (0 0 d) (0 0 r b)`. Who
    holds two wins."""

    name = "keeping"

    def __init__(self) -> None:
        super().__init__()
        hands = {player: {self.kept(player): 0} for player in self.keys}
        stocked = frozenset((player, key) for player, held in hands.items() for key in held)
        self.equipment = replace(self.equipment, stocked=stocked)
        self.initial = make_position(self.equipment, self.start, WHITE, hands)

    def kept(self, player: Player) -> str:
        """The key of what a player keeps."""
        return self.keys[self.equipment.next_player(player)]

    def fate(self, position: Position) -> str:
        return f"(0 0 d) (0 0 r {self.kept(position.to_move)})"

    def decided(self, position: Position) -> bool:
        return any(self._held(position, player) > 1 for player in self.keys)

    def result(self, position: Position) -> dict[Player, int]:
        winners = [player for player in self.keys if self._held(position, player) > 1]
        if not winners:
            return super(Enclosing, self).result(position)
        return {player: 100 * (player in winners) for player in self.keys}

    def _held(self, position: Position, player: Player) -> int:
        return position.reserve[player][self.kept(player)]


class Winning(Keeping):
    """What is taken joins the mover's own pieces, `d3 (0 0 d) (0 0 r w)`, and comes back on to any
    empty square, which takes as well. Who has fewer than three pieces on the board loses."""

    name = "winning"

    def kept(self, player: Player) -> str:
        return self.keys[player]

    def turns(self, position: Position) -> Iterator[str]:
        yield from super().turns(position)
        mover = position.to_move
        for square in position.board.squares if self._held(position, mover) else ():
            if position.cells[square] == ".":
                text = f"{position.board.names[square]} (0 0 a {self.keys[mover]})"
                yield self.taking(position, text, square, square)

    def decided(self, position: Position) -> bool:
        return Enclosing.decided(self, position)

    def result(self, position: Position) -> dict[Player, int]:
        return Enclosing.result(self, position)


class Demoting(Winning):
    """Captains move and take like guards, and what was one joins the taker's hand as a guard."""

    name = "demoting"
    start = ("b.b.B", ".B.b.", ".....", ".w.W.", "W.w.w")

    def pieces(self) -> dict[str, Piece]:
        captains = {
            key.upper(): Piece(key.upper(), player, "captain") for player, key in self.keys.items()
        }
        return super().pieces() | captains

    def turns(self, position: Position) -> Iterator[str]:
        yield from super().turns(replace(position, cells=position.cells.lower()))

    def decided(self, position: Position) -> bool:
        return super().decided(replace(position, cells=position.cells.lower()))

    def result(self, position: Position) -> dict[Player, int]:
        return super().result(replace(position, cells=position.cells.lower()))


class Surrounding(Capturing):
    """Stones as in Go: opponents' groups without a liberty are removed.

    `c3 (0 0 a w); c4 (0 0 d); d4 (0 0 d)`. A stone may not be placed where its own group then has
    no liberty. Positions may come again. Who can't place a stone loses.
    """

    name = "surrounding"
    kind = "stone"
    start = ("....",) * 4

    def turns(self, position: Position) -> Iterator[str]:
        board, mine = position.board, self.keys[position.to_move]
        for square in board.squares:
            if position.cells[square] != ".":
                continue
            cells = list(position.cells)
            cells[square] = mine
            taken: set[Square] = set()
            for near in self._near(board, square):
                if cells[near] == self.theirs(position):
                    group = self._group(board, cells, near)
                    if not self._breathes(board, cells, group):
                        taken |= group
            for each in taken:
                cells[each] = "."
            if self._breathes(board, cells, self._group(board, cells, square)):
                text = f"{board.names[square]} (0 0 a {mine})"
                yield "; ".join([text, *(f"{board.names[s]} (0 0 d)" for s in sorted(taken))])

    def _near(self, board: Board, square: Square) -> list[Square]:
        found = (board.step(square, dx, dy) for dx, dy in STRAIGHT)
        return [near for near in found if near is not None]

    def _group(self, board: Board, cells: list[str], square: Square) -> set[Square]:
        group, open_ = {square}, [square]
        while open_:
            new = [s for s in self._near(board, open_.pop()) if cells[s] == cells[square]]
            open_ += [s for s in new if s not in group]
            group |= set(new)
        return group

    def _breathes(self, board: Board, cells: list[str], group: set[Square]) -> bool:
        return any(cells[s] == "." for each in group for s in self._near(board, each))


class Clinging(Surrounding):
    """Stones are placed beside an opponent's where that is possible, and turn what they enclose.

    Turned is a single opponent between the stone and another one of the mover; no turn is legal
    that would turn a stone with two of its own beside it. When the board is full the larger group
    wins; who can't place a stone before loses.
    """

    name = "clinging"
    start = ("b..w", "....", "....", "w..b")

    def turns(self, position: Position) -> Iterator[str]:
        board, cells = position.board, position.cells
        empty = [square for square in board.squares if cells[square] == "."]
        beside = [s for s in empty if self._beside(position, s, self.theirs(position))]
        mine = self.keys[position.to_move]
        for square in beside or empty:
            turned = self._enclosed(position, square)
            if all(self._beside(position, s, self.theirs(position)) < 2 for s in turned):
                text = f"{board.names[square]} (0 0 a {mine})"
                yield "; ".join([text, *(f"{board.names[s]} (0 0 a {mine})" for s in turned)])

    def _enclosed(self, position: Position, square: Square) -> list[Square]:
        board, cells = position.board, position.cells
        found = []
        for dx, dy in STRAIGHT:
            near, far = board.step(square, dx, dy), board.step(square, 2 * dx, 2 * dy)
            if near is not None and far is not None and cells[near] == self.theirs(position):
                found += [near] * (cells[far] == self.keys[position.to_move])
        return sorted(found)

    def _beside(self, position: Position, square: Square, key: str) -> int:
        return sum(position.cells[s] == key for s in self._near(position.board, square))

    def decided(self, position: Position) -> bool:
        return "." not in position.cells

    def result(self, position: Position) -> dict[Player, int]:
        if not self.decided(position):
            return super().result(position)
        board, cells = position.board, list(position.cells)
        largest = {
            player: max(
                (len(self._group(board, cells, s)) for s in board.squares if cells[s] == key),
                default=0,
            )
            for player, key in self.keys.items()
        }
        return {
            player: 50 if len({*largest.values()}) == 1 else 100 * (mine == max(largest.values()))
            for player, mine in largest.items()
        }


class Jumping(Capturing):
    """Pieces step ahead, or jump on and on over opponents, who leave the board at the end.

    `c3 (1 1 p) (1 1 e); d4 (0 0 d)`. Steps go straight or aslant ahead, jumps aslant in any
    direction, none twice over the same piece. A turn may stop after any jump. Who can't move loses.
    """

    name = "jumping"
    kind = "leaper"
    start = ("b.b.b.", ".b.b.b", "......", "......", "w.w.w.", ".w.w.w")

    def turns(self, position: Position) -> Iterator[str]:
        board, cells = position.board, position.cells
        ahead = 1 if position.to_move == WHITE else -1
        for square in board.squares:
            if cells[square] != self.keys[position.to_move]:
                continue
            for dx in (-1, 0, 1):
                target = board.step(square, dx, ahead)
                if target is not None and cells[target] == ".":
                    yield f"{board.names[square]} ({dx} {ahead} e)"
            yield from self._jumps(position, square, square, board.names[square], [])

    def _jumps(
        self, position: Position, origin: Square, square: Square, text: str, over: list[Square]
    ) -> Iterator[str]:
        board, cells = position.board, position.cells
        for dx, dy in ASLANT:
            near, far = board.step(square, dx, dy), board.step(square, 2 * dx, 2 * dy)
            if near is None or far is None or near in over:
                continue
            if cells[near] == self.theirs(position) and (cells[far] == "." or far == origin):
                longer, taken = f"{text} ({dx} {dy} p) ({dx} {dy} e)", [*over, near]
                yield "; ".join([longer, *(f"{board.names[s]} (0 0 d)" for s in sorted(taken))])
                yield from self._jumps(position, origin, far, longer, taken)


class Unarmed(Jumping):
    """The same as jumping, but one piece of each player takes nothing where it jumps."""

    name = "unarmed"
    start = ("b.B.b.", ".b.b.b", "......", "......", "w.w.W.", ".w.w.w")

    def pieces(self) -> dict[str, Piece]:
        heads = {key.upper(): Piece(key.upper(), p, "head") for p, key in self.keys.items()}
        return super().pieces() | heads

    def turns(self, position: Position) -> Iterator[str]:
        """Those of jumping; a head's are over where it has come to rest."""
        for text in super().turns(replace(position, cells=position.cells.lower())):
            origin = position.board.square(text.split(" ", 1)[0])
            yield text.split(";")[0] if position.cells[origin].isupper() else text


class Shoving(Capturing):
    """Men and towers step along ranks and files, and shove what stands in their way one square on.

    An opponent's piece is shoved onto an empty square, `c2 (0 1 p); c4 (0 0 a B)`, or off the
    board, `c4 (0 1 p)`. Who has fewer than three pieces, or can't move, loses.
    """

    name = "shoving"
    kind = "man"
    start = ("Bb.bB", "..b..", ".....", "..w..", "Ww.wW")

    def pieces(self) -> dict[str, Piece]:
        towers = {key.upper(): Piece(key.upper(), p, "tower") for p, key in self.keys.items()}
        return super().pieces() | towers

    def decided(self, position: Position) -> bool:
        return min(position.cells.lower().count(key) for key in self.keys.values()) < 3

    def result(self, position: Position) -> dict[Player, int]:
        few = [p for p, key in self.keys.items() if position.cells.lower().count(key) < 3]
        losers = few or [position.to_move]
        return {player: 100 * (player not in losers) for player in self.keys}

    def turns(self, position: Position) -> Iterator[str]:
        board, cells = position.board, position.cells
        mine = self.keys[position.to_move]
        for square in board.squares:
            for dx, dy in STRAIGHT if cells[square].lower() == mine else ():
                target = board.step(square, dx, dy)
                if target is None or cells[target].lower() == mine:
                    continue
                if cells[target] == ".":
                    yield f"{board.names[square]} ({dx} {dy} e)"
                    continue
                text, behind = f"{board.names[square]} ({dx} {dy} p)", board.step(target, dx, dy)
                if behind is None:
                    yield text
                elif cells[behind] == ".":
                    yield f"{text}; {board.names[behind]} (0 0 a {cells[target]})"


class Trading(Shoving):
    """Men and towers step along ranks and files, or change places with a piece of the other type.

    What is enclosed then, between the piece's end and another piece of the mover on a rank or file,
    changes sides and keeps its type: `c2 (0 1 w); c2 (0 0 a W); d3 (0 0 a w)`.
    """

    name = "trading"

    def turns(self, position: Position) -> Iterator[str]:
        board, cells, names = position.board, position.cells, position.board.names
        mine, theirs = self.keys[position.to_move], self.theirs(position)
        for square in board.squares:
            for dx, dy in STRAIGHT if cells[square].lower() == mine else ():
                target = board.step(square, dx, dy)
                if target is None or cells[target] == cells[square]:
                    continue
                if cells[target].lower() not in (".", mine):
                    continue
                text = f"{names[square]} ({dx} {dy} e)"
                if cells[target] != ".":
                    text = f"{names[square]} ({dx} {dy} w); {names[square]} (0 0 a {cells[target]})"
                for x, y in STRAIGHT:
                    between, far = board.step(target, x, y), board.step(target, 2 * x, 2 * y)
                    if between is None or far is None or cells[between].lower() != theirs:
                        continue
                    if cells[far].lower() == mine:
                        turned = mine if cells[between].islower() else mine.upper()
                        text += f"; {names[between]} (0 0 a {turned})"
                yield text


class Marching(Capturing):
    """All men of the mover that can step ahead do so, straight on or all to one side: as many
    segments as there are such men. Who gets a man to the far side wins."""

    name = "marching"
    kind = "man"
    start = ("bbbbbbbb", "........", "........", "........", "........", "wwwwwwww")

    def turns(self, position: Position) -> Iterator[str]:
        board, mine = position.board, self.keys[position.to_move]
        ahead = 1 if position.to_move == WHITE else -1
        for aside in (-1, 0, 1):
            men = [
                board.names[square]
                for square in board.squares
                if position.cells[square] == mine
                and (target := board.step(square, aside, ahead)) is not None
                and position.cells[target] == "."
            ]
            if men:
                yield "; ".join(f"{name} ({aside} {ahead} e)" for name in men)

    def decided(self, position: Position) -> bool:
        return "w" in position.rows[0] or "b" in position.rows[-1]


LESSONS: dict[type[Game], tuple[int, int]] = {
    Reversing: (10, 100),
    Enclosing: (12, 60),
    EdgeEnclosing: (12, 60),
    Keeping: (20, 40),
    Winning: (30, 40),
    Demoting: (30, 40),
    Surrounding: (10, 40),
    Jumping: (10, 60),
    Pinching: (4, 60),
    Clinging: (12, 40),
    Shoving: (12, 200),
    Trading: (30, 40),
}
"""How many plays such games are learned from, half of them near an end, and of how many plies."""


@cache
def lesson(kind: type[Game]) -> Rulebook:
    """What is learned of such a game: what its turns bring about, and all the rest, exactly."""

    def learn() -> Rulebook:
        n, plies = LESSONS[kind]
        return taught(kind(), games_of(kind(), n, endgames=0.5, max_plies=plies))

    return made_once(f"{kind.__name__} from {LESSONS[kind]}", learn)
