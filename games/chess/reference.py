"""Chess by the FIDE laws, and some of its variants as options.

Three rules of draws are options because perft tables and most records do without them:
`repetition` (a position has occurred so many times, 3 by the laws), `quiet` (so many plies without
a capture or a move of a pawn, 100 by the laws) and `material` (neither can mate).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random

from grl.board import EMPTY, Board, Player, Position, Square, make_position

from ..common import (
    BLACK,
    DIAGONALS,
    REMOVE_TEXT,
    WHITE,
    appear_text,
    check_option,
    make_equipment,
    not_over,
    ray,
    shared_goals,
    step_text,
)
from .armies import ARCHBISHOP, AROUND, LEAPS, SIDE, SIZE, Army, make_army
from .draws import earlier, may_castle_alike, no_mate_left, plies_without_progress
from .rare import KINDS, Drawn, Kind, barren, crowded, near_the_end, wandering

START = ("rnbqkbnr", "pppppppp", *["." * SIDE] * 4, "PPPPPPPP", "RNBQKBNR")
TYPES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
REPLACED = ("", "N", "B", "R", "Q")
"""What archbishops stand in for, by the value of the option."""
PROMOTED = {"N": "H", "B": "L", "R": "T", "Q": "D", ARCHBISHOP: "C"}
"""Keys of promoted pieces where captured pieces change sides: once captured they are pawns."""
OTHER = {WHITE: BLACK, BLACK: WHITE}
SWITCHES = ("material", "castling", "check", "sidestep", "drops")
MOST = {"repetition": 100, "quiet": 1_000, "archbishops": len(REPLACED) - 1}
ENDGAMES = 48
HANDS, HELD, NEW = 0.5, 0.25, 0.2
"""Where captured pieces are dropped, in drawn positions: how often players hold any, and each kind,
and how often a piece is a promoted one."""

Move = tuple[Square, Square, str, Square | None]
"""From where, to where, the turn, and where a pawn is taken in passing. A drop ends where it
begins."""


class Chess(Drawn):
    """White's pieces are upper case, black's lower case; white begins."""

    name = "chess"
    provenance = (
        "the FIDE Laws of Chess of 2023; draws by repetition, without progress and for want of "
        "material are options, and need no claim"
    )
    notations = ("pgn",)

    def __init__(
        self,
        repetition: int = 0,
        quiet: int = 0,
        material: int = 0,
        castling: int = 1,
        check: int = 1,
        archbishops: int = 0,
        sidestep: int = 0,
        drops: int = 0,
    ) -> None:
        numbers = {"repetition": repetition, "quiet": quiet, "archbishops": archbishops}
        for name, value in numbers.items():
            check_option(self.name, name, value, 0, MOST[name])
        switches = (material, castling, check, sidestep, drops)
        for name, value in zip(SWITCHES, switches, strict=True):
            check_option(self.name, name, value, 0, 1)
        if repetition == 1:
            check_option(self.name, "repetition", repetition, 2, MOST["repetition"])
        self.repetition, self.quiet, self.material = repetition, quiet, bool(material)
        self.check, self.drops = bool(check), bool(drops)
        board = Board(SIDE, SIDE)
        out = REPLACED[archbishops]
        self._as_here = str.maketrans(out + out.lower(), "Aa" if out else "")
        kinds = {key: kind for key, kind in TYPES.items() if key != out}
        if out:
            kinds[ARCHBISHOP] = "archbishop"
        new = {PROMOTED[key] if drops else key: key for key in "QRBNA" if key in kinds}
        moves_like = {key: key for key in kinds} | new
        types = {key: kinds.get(key) or f"promoted {kinds[k]}" for key, k in moves_like.items()}
        held = [key for key in kinds if key != "K"] if drops else []
        pieces: dict[str, tuple[Player | None, str]] = {k: (WHITE, t) for k, t in types.items()}
        pieces |= {key.lower(): (BLACK, kind) for key, kind in types.items()}
        stocked = [(WHITE, key) for key in held] + [(BLACK, key.lower()) for key in held]
        self.equipment = make_equipment(board, (WHITE, BLACK), pieces, stocked)
        self.initial = make_position(
            self.equipment, [row.translate(self._as_here) for row in START], WHITE
        )
        self._taken = dict.fromkeys(pieces, "")
        if drops:
            for key, kind in moves_like.items():
                plain = kind if key == kind else "P"
                self._taken[key] = f" (0 0 r {plain.lower()})"
                self._taken[key.lower()] = f" (0 0 r {plain})"
        self._rays = [[(d in DIAGONALS, ray(board, s, d)) for d in AROUND] for s in board.squares]
        self._leaps, self._around = (
            [[t for d in steps if (t := board.step(s, *d)) is not None] for s in board.squares]
            for steps in (LEAPS, AROUND)
        )
        self._armies = {}
        for player in (WHITE, BLACK):
            case = str.upper if player == WHITE else str.lower
            # Nothing takes a king where check counts, not even in a position from outside.
            safe = {case("k").swapcase(): "king"} if check else {}
            self._armies[player] = make_army(
                board,
                {**self.equipment.views[player], **safe},
                {case(key): kind for key, kind in moves_like.items()},
                [case(key) for key in new],
                white=player == WHITE,
                castling=bool(castling),
                sidestep=bool(sidestep),
            )
        self._doubles = {
            turn: (target, Square((start + target) // 2))
            for army in self._armies.values()
            for start, moves in enumerate(army.pawns)
            for line in moves.steps
            for target, turn in line[1:]
        }

    def legal(self, position: Position) -> list[str]:
        return [] if self._drawn(position) else list(self._turns(position))

    def is_terminal(self, position: Position) -> bool:
        return bool(self._drawn(position)) or next(self._turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        ending, winner = self.ending(position), None
        if ending == "mate":
            winner = OTHER[position.to_move]
        elif ending == "king taken":
            left = [player for player, army in self._armies.items() if army.king in position.cells]
            winner = left[0] if len(left) == 1 else None
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if next(self._turns(position), None) is not None:
            drawn = self._drawn(position)
            if not drawn:
                raise not_over(position)
            return drawn
        if self._king_taken(position.cells):
            return "king taken"
        return "mate" if self.in_check(position, position.to_move) else "stalemate"

    def endgames(self) -> list[Position]:
        """Lone kings about to be mated or left without a turn, and others of the `rare` ones."""
        return list(self._endgames)

    def rare(self, chance: Random) -> Position:
        """Few pieces about to castle, to take in passing, to be promoted, to mate or stalemate.

        Or a king in check. Where games are drawn by repetition, by a count or for want of material,
        some are about to be. The trail leads there where the game before it matters. Where captured
        pieces are dropped, promoted ones are about to take and to be taken.
        """
        drawn = (wandering,) if self.repetition or self.quiet else ()
        bare = (barren,) if self.material else ()
        taking = (crowded,) if self.drops else ()
        return self._rare(chance, (*KINDS, *drawn, *bare, *taking))

    @cached_property
    def _endgames(self) -> list[Position]:
        chance = Random(8)
        found: dict[object, Position] = {}
        while len(found) < ENDGAMES:
            kinds = (near_the_end,) if len(found) % 3 else KINDS
            start = replace(self._rare(chance, kinds), moved=frozenset(), last=None, trail=None)
            if not self.is_terminal(start):
                found[start.outcome] = start
        return list(found.values())

    def _rare(self, chance: Random, kinds: Sequence[Kind]) -> Position:
        while True:
            position = chance.choice(kinds)(self, chance)
            if position is not None and not self.is_terminal(position):
                return position

    def with_pieces(
        self, cells: Sequence[str], mover: Player, chance: Random | None = None
    ) -> Position | None:
        """The position with these pieces, archbishops for what they stand in for.

        None where the player who has just moved is in check, which play never leads to. Where
        captured pieces are dropped some may have been promoted, and others be in hand.
        """
        rows = "".join(cells).translate(self._as_here)
        hands: dict[str, dict[str, int]] = {}
        if self.drops and chance is not None:
            rows = "".join(self._perhaps_promoted(cell, chance) for cell in rows)
            if chance.random() < HANDS:
                for player, key in sorted(self.equipment.stocked):
                    held = chance.randint(1, 2) if chance.random() < HELD else 0
                    hands.setdefault(player, {})[key] = held
        board = self.equipment.board
        position = make_position(self.equipment, board.rows(rows), mover, hands)
        return None if self.in_check(position, OTHER[mover]) else position

    def _perhaps_promoted(self, cell: str, chance: Random) -> str:
        new = PROMOTED.get(cell.upper())
        if new is None or chance.random() >= NEW:
            return cell
        return new if cell.isupper() else new.lower()

    def in_check(self, position: Position, player: Player) -> bool:
        """Whether the king of a player is attacked, where that counts."""
        king = position.cells.find(self._armies[player].king) if self.check else -1
        foe = self._armies[OTHER[player]]
        return king >= 0 and self._attacked(position.cells, Square(king), foe)

    def _turns(self, position: Position) -> Iterator[str]:
        """The legal turns, whatever the rules of draws say."""
        cells = position.cells
        if self._king_taken(cells):
            return
        army, foe = self._armies[position.to_move], self._armies[OTHER[position.to_move]]
        king = Square(cells.find(army.king)) if self.check else Square(-1)
        checked = king >= 0 and self._attacked(cells, king, foe)
        pinned = self._pinned(cells, king, army, foe) if king >= 0 else set()
        for origin, target, turn, passing in self._moves(position, army, foe, checked):
            careful = checked or passing is not None or origin == king or origin in pinned
            if king >= 0 and careful:
                after = list(cells)
                if passing is not None:
                    after[passing] = EMPTY
                after[origin] = EMPTY
                # Any own piece will do: whatever stands there, it is in the way.
                after[target] = army.pawn
                if self._attacked(after, target if origin == king else king, foe):
                    continue
            yield turn

    def _moves(self, position: Position, army: Army, foe: Army, checked: bool) -> Iterator[Move]:
        """The turns of all pieces; whether the king is left in check is not looked at."""
        cells, view, taken = position.cells, army.view, self._taken
        for index, key in enumerate(cells):
            if view[key] != "w":
                continue
            square = Square(index)
            if key == army.pawn:
                yield from self._pawn_moves(cells, square, army)
                continue
            for line in army.lines[key][square]:
                for target, quiet, capture in line:
                    content = view[cells[target]]
                    if content == "e":
                        yield square, target, quiet, None
                        continue
                    if content == "p":
                        yield square, target, capture + taken[cells[target]], None
                    break
        if position.last in self._doubles:
            yield from self._in_passing(position, army, foe)
        if not checked:
            yield from self._castlings(position, army, foe)
        if self.drops:
            yield from self._drops(position, army)

    def _pawn_moves(self, cells: str, square: Square, army: Army) -> Iterator[Move]:
        moves = army.pawns[square]
        for line in moves.steps:
            for target, turn in line:
                if cells[target] != EMPTY:
                    break
                for appear in army.promotions if target in army.far else ("",):
                    yield square, target, turn + appear, None
        for target, turn in moves.takes:
            if army.view[cells[target]] == "p":
                for appear in army.promotions if target in army.far else ("",):
                    yield square, target, turn + self._taken[cells[target]] + appear, None

    def _in_passing(self, position: Position, army: Army, foe: Army) -> Iterator[Move]:
        """Pawns that take the one that has just made a double step, as after a single one."""
        cells = position.cells
        pawn, target = self._doubles[position.last or ""]
        if cells[pawn] != foe.pawn or cells[target] != EMPTY:
            return
        ahead = step_text((0, (target - pawn) // SIDE), "e")
        for square in army.strikes[target]:
            if cells[square] == army.pawn:
                take = step_text((pawn - square, 0), "p") + self._taken[foe.pawn] + REMOVE_TEXT
                yield square, target, position.board.names[square] + take + ahead, pawn

    def _castlings(self, position: Position, army: Army, foe: Army) -> Iterator[Move]:
        cells, moved = position.cells, position.moved
        for king, rook, passed, target, free, turn in army.castlings:
            if (
                cells[king] == army.king
                and cells[rook] == army.rook
                and king not in moved
                and rook not in moved
                and all(cells[square] == EMPTY for square in free)
                and not (self.check and self._attacked(cells, passed, foe))
            ):
                yield king, target, turn, None

    def _drops(self, position: Position, army: Army) -> Iterator[Move]:
        for owner, key, count in position.stock:
            if count and owner == position.to_move:
                squares = range(SIDE, SIZE - SIDE) if key == army.pawn else range(SIZE)
                for square in squares:
                    if position.cells[square] == EMPTY:
                        turn = position.board.names[square] + appear_text(key)
                        yield Square(square), Square(square), turn, None

    def _attacked(self, cells: Sequence[str], square: Square, foe: Army) -> bool:
        """Whether a piece of `foe` attacks the square."""
        for slanting, squares in self._rays[square]:
            for at in squares:
                if cells[at] != EMPTY:
                    if cells[at] in (foe.diagonal if slanting else foe.straight):
                        return True
                    break
        return (
            any(cells[at] in foe.leapers for at in self._leaps[square])
            or any(cells[at] == foe.king for at in self._around[square])
            or any(cells[at] == foe.pawn for at in foe.strikes[square])
        )

    def _pinned(self, cells: str, king: Square, army: Army, foe: Army) -> set[Square]:
        """Where own pieces stand that alone keep a piece from attacking the king."""
        found = set()
        for slanting, squares in self._rays[king]:
            met = [at for at in squares if cells[at] != EMPTY][:2]
            if len(met) < 2 or army.view[cells[met[0]]] != "w":
                continue
            if cells[met[1]] in (foe.diagonal if slanting else foe.straight):
                found.add(met[0])
        return found

    def _king_taken(self, cells: str) -> bool:
        return not self.check and not ("K" in cells and "k" in cells)

    def _drawn(self, position: Position) -> str:
        """The rule by which the game is drawn, whatever turns there are; empty where none is."""
        if self.material and no_mate_left(position):
            return "no mate left"
        if self.quiet and plies_without_progress(position, self.quiet) == self.quiet:
            return "no progress"
        if self.repetition and self._times(position) >= self.repetition:
            return "repetition"
        return ""

    def _times(self, position: Position) -> int:
        """How often the position has occurred, with the same castlings and captures in passing."""
        castlings = [way for army in self._armies.values() for way in army.castlings]
        return 1 + sum(
            may_castle_alike(position, number, castlings) and not self._passing_at(position, number)
            for number in earlier(position)
        )

    def _passing_at(self, position: Position, number: int) -> bool:
        """Whether a pawn could be taken in passing in this position of the trail."""
        trail = position.trail
        if not number or trail is None or trail[number - 1].turn not in self._doubles:
            return False
        then = replace(position, last=trail[number - 1].turn, trail=None)
        return any(REMOVE_TEXT in turn for turn in self._turns(then))
