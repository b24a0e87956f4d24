"""A game that follows from drawn rules: brute force over all pieces, ways and restrictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from grl.board import EMPTY, HOLE, Equipment, Player, Position, Square, Stock, make_position
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn, play

from . import closings, recalling
from .control import Twice
from .endings import Ending
from .rules import Rules
from .table import STONE, Candidate, PieceType, Spot, Way
from .words import FirstStride

RECALLING = (
    *(recalling.AnotherPiece, recalling.InTouch, recalling.NoRecapture, recalling.NoReturn),
    *(recalling.NotVacated, recalling.NoUndo, recalling.Opening),
    *(closings.Passed, closings.Quiet, closings.Repeated, closings.Turns),
    *(Twice, FirstStride),
)
MOST_PLIES = 200
ENDGAMES = 40


class SecondGame(Game):
    """A game by `Rules`."""

    name = "drawn2"
    provenance = "drawn by a seed"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = table = rules.table
        counted = [(seat, key, n) for seat, key, n in rules.hand if n is not None]
        reserve: dict[str, dict[str, int]] = {}
        for seat, key, n in counted:
            reserve.setdefault(table.players[seat], {})[key] = n
        stocked = frozenset((table.players[seat], key) for seat, key, _ in counted)
        stones = rules.aftermath is not None or STONE in dict(rules.start).values()
        board = table.field.board
        self.equipment = Equipment(board, table.players, table.pieces(stones=stones), stocked)
        cells = [HOLE if s in board.holes else EMPTY for s in range(board.size)]
        for square, key in rules.start:
            cells[square] = key
        rows = board.rows("".join(cells))
        self.initial = make_position(self.equipment, rows, table.players[0], reserve)
        self._endless = {
            seat: [key for who, key, n in rules.hand if who == seat and n is None]
            for seat, _ in enumerate(table.players)
        }
        self._known: tuple[Position, list[Candidate]] | None = None

    # What restrictions and endings ask.

    def in_hand(self, stock: Stock, seat: int) -> int | None:
        if self._endless[seat]:
            return None
        return sum(n for player, _, n in stock if player == self.table.players[seat])

    def raw(self, position: Position, seat: int) -> list[Candidate]:
        found: dict[object, Candidate] = {}
        for candidate in self._candidates(position, seat):
            for whole in self._with_takings(candidate, position, seat):
                changed = (whole.cells, whole.stock) != (position.cells, position.stock)
                if changed:
                    found.setdefault((whole.origin, whole.cells, whole.stock), whole)
        return list(found.values())

    def options(self, position: Position, seat: int) -> list[Candidate]:
        player = self.table.players[seat]
        here = position if position.to_move == player else replace(position, to_move=player)
        if self._known is not None and self._known[0] is here:
            return self._known[1]
        options = self.raw(here, seat)
        for restriction in self.rules.restrictions:
            options = restriction.keep(self, here, options)
        self._known = here, options
        return options

    def attacked(self, position: Position, cells: str, stock: Stock, seat: int) -> set[Square]:
        there = replace(position, cells=cells, stock=stock)
        return {
            square
            for other, _ in enumerate(self.table.players)
            if other != seat
            for candidate in self.raw(there, other)
            for square in candidate.taken
        }

    # The game.

    def legal(self, position: Position) -> list[str]:
        if self._over(position) is not None:
            return []
        turns = [option.text for option in self.options(position, self._mover(position))]
        if self.rules.passing == "free" or (self.rules.passing == "forced" and not turns):
            turns.append("pass")
        return turns

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def ending(self, position: Position) -> str:
        over = self._over(position)
        if over is not None:
            return over[0].name
        if self.legal(position):
            raise GameError("the game is not over", expected="a terminal position")
        return "no turn"

    def goals(self, position: Position) -> dict[Player, int]:
        over = self._over(position)
        if over is None:
            self.ending(position)
            found = self.rules.no_turn.goals(self, position)
        else:
            found = over[0].result.goals(self, position, over[1])
        return dict(zip(self.table.players, found, strict=True))

    def next_player(self, position: Position, turn: Turn) -> Player:
        return self.play(position, turn).to_move

    def play(self, position: Position, turn: str | Turn) -> Position:
        after = play(position, Turn.parse(turn) if isinstance(turn, str) else turn)
        again = self.rules.control.again(self, position, after)
        return replace(after, to_move=position.to_move) if again else after

    def endgames(self) -> list[Position]:
        """Positions a few plies before the ends of random games; none where the past counts."""
        if recalls(self.rules):
            return []
        chance = Random("endgames")
        found: dict[object, Position] = {}
        for _ in range(2 * ENDGAMES):
            line = playout(self, chance)
            if len(line) > 2 and self.is_terminal(line[-1]):
                start = line[max(0, len(line) - 2 - chance.randrange(3))]
                start = replace(start, moved=frozenset(), last=None, trail=None)
                if not self.is_terminal(start):
                    found[start.outcome] = start
            if len(found) == ENDGAMES:
                break
        return list(found.values())

    def _mover(self, position: Position) -> int:
        return self.table.seat(position.to_move)

    def _over(self, position: Position) -> tuple[Ending, Sequence[int]] | None:
        for ending in self.rules.endings:
            if holders := ending.holders(self, position):
                return ending, holders
        return None

    # All that pieces can do.

    def _candidates(self, position: Position, seat: int) -> Iterator[Candidate]:
        yield from self._placings(position, seat)
        if self.rules.placing.first and self.in_hand(position.stock, seat):
            return
        table = self.table
        movable = table.own(seat) | table.free
        for square in table.where(position.cells, movable):
            key = position.cells[square]
            lifted = list(position.cells)
            lifted[square] = EMPTY
            spot = Spot(lifted, square, key, seat, square not in position.moved)
            for word in table.kinds[key].words:
                for way in word.ways(table, spot):
                    yield from self._moves(position, spot, way)

    def _placings(self, position: Position, seat: int) -> Iterator[Candidate]:
        player = self.table.players[seat]
        counted = [key for owner, key, n in position.stock if owner == player and n]
        squares = self._free_squares(position, seat)
        for key in [*self._endless[seat], *counted]:
            stock = _stock(position.stock, player, key, -1) if key in counted else position.stock
            for square in squares:
                text = f"{self.table.name(square)} (0 0 a {key})"
                cells = _put(position.cells, {square: key})
                yield Candidate(text, square, square, key, cells, stock, frozenset(), True)

    def _free_squares(self, position: Position, seat: int) -> list[Square]:
        placing, cells, field = self.rules.placing, position.cells, self.table.field
        free = [s for s in field.squares if cells[s] == EMPTY]
        if placing.where == "zone" and placing.zone is not None:
            return [s for s in free if s in placing.zone.squares[seat]]
        if placing.where == "rests":
            below = {s: field.near.get((s, (0, -1))) for s in free}
            return [s for s, b in below.items() if b is None or cells[b] != EMPTY]
        meant = {"own": "w", "opposing": "p", "any": "wpn"}.get(placing.where)
        if meant is None:
            return free

        def touches(square: Square) -> bool:
            return any(self.table.on(cells[near], seat) in meant for near in field.around(square))

        return [s for s in free if touches(s)] or free

    def _moves(self, position: Position, spot: Spot, way: Way) -> Iterator[Candidate]:
        """A way as turns: the piece may change its type, and stones may be left behind."""
        table = self.table
        taken = frozenset((*way.gone, *way.later, *way.flipped))
        for letters, key in self._changes(spot, way, taken=bool(taken)):
            cells = dict.fromkeys((*way.gone, *way.later), EMPTY) | dict(way.put)
            cells[spot.at] = dict(way.put).get(spot.at, EMPTY)
            if way.end is not None:
                cells[way.end] = key
            after = _put(position.cells, cells)
            stock = position.stock
            caught = ""
            for square in (*way.gone, *way.later) if self.rules.prisoners else ():
                prisoner = self._prisoner(position.cells[square], spot.seat)
                if prisoner:
                    caught += f" (0 0 r {prisoner})"
                    stock = _stock(stock, table.players[spot.seat], prisoner, 1)
            head = f"{table.name(spot.at)}{way.letters}{caught}{letters}"
            tail = way.tail + "".join(f"; {table.name(s)} (0 0 d)" for s in way.later)
            for shot, segment, place in self._stones(after, spot, way):
                text = head + shot + tail + segment
                cells_after = _put(after, place)
                yield Candidate(
                    text, spot.at, way.end, key, cells_after, stock, taken, placed=False
                )

    def _changes(self, spot: Spot, way: Way, *, taken: bool) -> Iterator[tuple[str, str]]:
        kind = self.table.kinds[spot.key]
        change = kind.change
        reached = (
            change is not None
            and way.end is not None
            and (change.zone is None or way.end in change.zone.squares[spot.seat])
            and (taken or not change.capturing)
        )
        if change is None or not reached or change.optional:
            yield "", spot.key
        if change is not None and reached:
            into = self._key(change.into, spot.seat)
            yield f" (0 0 a {into})", into

    def _key(self, letter: str, seat: int) -> str:
        kind = next(kind for kind in self.table.types if kind.letter == letter)
        return self.table.key(kind, seat)

    def _prisoner(self, key: str, seat: int) -> str:
        """As what a piece joins the hand: as it is, or as the first type that may turn into it."""
        kinds: list[PieceType] = list(self.table.types)
        kind = self.table.kinds.get(key)
        for other in kinds:
            if kind is not None and other.change is not None and other.change.into == kind.letter:
                kind = other
                break
        if kind is None or kind.royal or not kind.seats:
            return ""
        return self.table.key(kind, seat)

    def _stones(
        self, cells: str, spot: Spot, way: Way
    ) -> Iterator[tuple[str, str, dict[Square, str]]]:
        """Letters of the first segment, further segments and stones that come to lie somewhere."""
        aftermath, field = self.rules.aftermath, self.table.field
        if aftermath is None or way.end is None:
            yield "", "", {}
        elif aftermath.how == "trail":
            if cells[spot.at] == EMPTY:
                yield "", f"; {self.table.name(spot.at)} (0 0 a {STONE})", {spot.at: STONE}
            else:
                yield "", "", {}
        elif aftermath.how == "block":
            for square in field.around(way.end):
                if cells[square] == EMPTY:
                    yield "", f"; {self.table.name(square)} (0 0 a {STONE})", {square: STONE}
        else:
            for direction in field.compass:
                letters, here = f" (0 0 a {STONE})", way.end
                for number, square in enumerate(field.ray(way.end, direction), 1):
                    if number > aftermath.reach or cells[square] != EMPTY:
                        break
                    letters += field.step(here, square, "e")
                    here = square
                    yield letters, "", {square: STONE}

    def _with_takings(self, candidate: Candidate, position: Position, seat: int) -> list[Candidate]:
        on = self.rules.takes_on
        if on != "all" and candidate.placed != (on == "placings"):
            return [candidate]
        found = [candidate]
        for taking in self.rules.takings:
            found = [
                self._taken(done, squares, seat, flips=taking.flips)
                for done in found
                for squares in taking.sets(self.table, done.cells, done, seat)
            ]
        return found

    def _taken(
        self, done: Candidate, squares: Iterable[Square], seat: int, *, flips: bool
    ) -> Candidate:
        table, text, stock = self.table, done.text, done.stock
        changes: dict[Square, str] = {}
        own = sorted(table.own(seat))
        for square in squares:
            key = done.cells[square]
            if flips:
                changes[square] = table.mine(done.key if done.key in own else own[0], key)
                text += f"; {table.name(square)} (0 0 a {changes[square]})"
                continue
            changes[square] = EMPTY
            text += f"; {table.name(square)} (0 0 d)"
            prisoner = self._prisoner(key, seat) if self.rules.prisoners else ""
            if prisoner:
                text += f" (0 0 r {prisoner})"
                stock = _stock(stock, table.players[seat], prisoner, 1)
        return done._replace(
            text=text,
            cells=_put(done.cells, changes),
            stock=stock,
            taken=done.taken | frozenset(changes),
        )


def _put(cells: str, changes: dict[Square, str]) -> str:
    changed = list(cells)
    for square, cell in changes.items():
        changed[square] = cell
    return "".join(changed)


def _stock(stock: Stock, player: Player, key: str, by: int) -> Stock:
    """The stock with so many more of a player's pieces, which it lists."""
    return tuple(
        (owner, piece, n + by if (owner, piece) == (player, key) else n)
        for owner, piece, n in stock
    )


def recalls(rules: Rules) -> bool:
    """Whether a rule asks for the game so far, or for which pieces have moved."""
    words = [word for kind in rules.table.types for word in kind.words]
    parts = [*rules.restrictions, *(ending.when for ending in rules.endings), rules.control]
    return any(isinstance(part, RECALLING) for part in [*parts, *words])


def playout(game: Game, chance: Random, most: int = MOST_PLIES) -> list[Position]:
    """The positions of one random game, broken off after `most` plies."""
    line = [game.initial]
    while len(line) <= most and (turns := game.legal(line[-1])):
        line.append(game.play(line[-1], chance.choice(turns)))
    return line
