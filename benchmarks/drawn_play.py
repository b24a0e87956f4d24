"""A game that plays by drawn rules, and those rules in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from drawn_parts import (
    DIAGONALS,
    ORTHOGONALS,
    Direction,
    NoTurn,
    Option,
    PieceType,
    Restriction,
    Ride,
    Rule,
    View,
)

from grl.board import (
    EMPTY,
    HOLE,
    Board,
    Equipment,
    Piece,
    Player,
    Position,
    Square,
    Stock,
    make_position,
)
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

WHITE, BLACK = Player("white"), Player("black")
STONE = "x"
MOST_PLIES = 150
ENDGAMES = 40


@dataclass(frozen=True)
class Rules:
    """A game made of its parts.

    `setup` holds white's pieces by square; black's stand half a turn away. `hand` is how many of a
    type each player has to place, None where they don't run out. With `hand_first` nobody moves
    with pieces in hand. Whoever ends a turn in the pattern `mill` removes an opposing piece. With
    `again` a player who has taken a piece moves once more.
    """

    board: Board
    types: tuple[PieceType, ...]
    setup: tuple[tuple[Square, str], ...] = ()
    hand: tuple[tuple[str, int | None], ...] = ()
    hand_first: bool = False
    mill: tuple[Direction, ...] = ()
    again: bool = False
    restrictions: tuple[Restriction, ...] = ()
    endings: tuple[Rule, ...] = ()
    no_turn: NoTurn = field(default_factory=lambda: NoTurn(0, 100))


class DrawnGame(Game):
    """A game by `Rules`; lower case is white's, capitals are black's, `x` is nobody's."""

    name = "drawn"
    provenance = "drawn by a seed"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = rules.board
        self.types = {t.key: t for t in rules.types}
        pieces = {t.key: Piece(t.key, WHITE, t.name) for t in rules.types}
        pieces |= {t.key.upper(): Piece(t.key.upper(), BLACK, t.name) for t in rules.types}
        if any(t.shoots for t in rules.types):
            pieces[STONE] = Piece(STONE, None, "stone")
        counted = {key: n for key, n in rules.hand if n is not None}
        reserve: dict[str, dict[str, int]] = {
            WHITE: dict(counted),
            BLACK: {key.upper(): n for key, n in counted.items()},
        }
        stocked = frozenset((Player(p), key) for p, keys in reserve.items() for key in keys)
        self.equipment = Equipment(self.board, (WHITE, BLACK), pieces, stocked)
        cells = [HOLE if s in self.board.holes else EMPTY for s in range(self.board.size)]
        for square, key in rules.setup:
            cells[square] = key
            cells[self.board.size - 1 - square] = key.upper()
        rows = self.board.rows("".join(cells))
        self.initial = make_position(self.equipment, rows, WHITE, reserve if counted else None)
        self._near = {
            s: tuple(t for d in ORTHOGONALS if (t := _plain_step(self.board, s, d)) is not None)
            for s in self.board.squares
        }
        self._memo: list[tuple[Position, list[Option]]] = []
        """The last two positions asked for: turns of one are mostly tried one after the other."""

    # What restrictions and endings ask.

    def own(self, player: Player) -> frozenset[str]:
        return frozenset(k for k, piece in self.equipment.pieces.items() if piece.player == player)

    def other(self, player: Player) -> Player:
        return BLACK if player == WHITE else WHITE

    def keys_of(self, kind: PieceType, player: Player) -> str:
        return kind.key if player == WHITE else kind.key.upper()

    def far(self, player: Player, square: Square) -> int:
        rank = square // self.board.width
        return rank if player == WHITE else self.board.height - 1 - rank

    def near(self, square: Square) -> Sequence[Square]:
        return self._near[square]

    def options(self, position: Position, player: Player) -> list[Option]:
        """All that a player's pieces could do, restrictions aside."""
        found: dict[tuple[Square, str, Stock], Option] = {}
        options = [*self._placements(position, player)]
        if not (self.rules.hand_first and self._holds(position, player)):
            for square in self.board.squares:
                kind = self.types.get(position.cells[square].lower())
                if kind is not None and position.cells[square] == self.keys_of(kind, player):
                    options += self._moves(position, player, square, kind)
        for option in options:
            for whole in self._with_removals(option, player):
                found.setdefault((whole.origin, whole.cells, whole.stock), whole)
        return list(found.values())

    # The game.

    def legal(self, position: Position) -> list[str]:
        return [option.text for option in self._legal(position)]

    def is_terminal(self, position: Position) -> bool:
        return not self._legal(position)

    def ending(self, position: Position) -> str:
        rule, _ = self._over(position)
        if rule is None and self._legal(position):
            raise _goes_on()
        return "no turn" if rule is None else rule.name

    def goals(self, position: Position) -> dict[Player, int]:
        rule, holders = self._over(position)
        if rule is None:
            if self._legal(position):
                raise _goes_on()
            said = self.rules.no_turn
            return {
                p: said.mover if p == position.to_move else said.rest
                for p in self.equipment.players
            }
        if len(holders) > 1 and rule.holder != rule.rest:
            return dict.fromkeys(self.equipment.players, 50)
        return {p: rule.holder if p in holders else rule.rest for p in self.equipment.players}

    def next_player(self, position: Position, turn: Turn) -> Player:
        other = self.other(position.to_move)
        if self.rules.again:
            text = str(turn)
            if any(o.text == text and o.taken for o in self._legal(position)):
                return position.to_move
        return other

    def endgames(self) -> list[Position]:
        """Positions a few plies before the ends of random games."""
        chance = Random("endgames")
        found: dict[object, Position] = {}
        for _ in range(2 * ENDGAMES):
            line = playout(self, chance)
            if not self.is_terminal(line[-1]) or len(line) < 3:
                continue
            start = replace(
                line[max(0, len(line) - 2 - chance.randrange(3))], moved=frozenset(), last=None
            )
            if not self.is_terminal(start):
                found[start.outcome] = start
            if len(found) == ENDGAMES:
                break
        return list(found.values())

    def _over(self, position: Position) -> tuple[Rule | None, list[Player]]:
        for rule in self.rules.endings:
            holders = rule.holds(self, position)
            if holders:
                return rule, holders
        return None, []

    def _legal(self, position: Position) -> list[Option]:
        found = next((each for each in self._memo if each[0] == position), None)
        if found is None:
            options = [] if self._over(position)[0] else self.options(position, position.to_move)
            for restriction in self.rules.restrictions:
                options = restriction.keep(self, position, options)
            found = position, options
        self._memo = [found, *(each for each in self._memo if each is not found)][:2]
        return found[1]

    def felt(self, position: Position) -> set[str]:
        """The restrictions that forbid something here."""
        found: set[str] = set()
        options = self.options(position, position.to_move)
        for restriction in self.rules.restrictions:
            kept = restriction.keep(self, position, options)
            if len(kept) < len(options):
                found.add(restriction.said)
            options = kept
        return found

    def _holds(self, position: Position, player: Player) -> bool:
        return any(n for owner, _, n in position.stock if owner == player)

    def _placements(self, position: Position, player: Player) -> Iterator[Option]:
        for kind, number in self.rules.hand:
            key = self.keys_of(self.types[kind], player)
            stock = position.stock
            if number is not None:
                if not any(n for p, k, n in stock if (p, k) == (player, key)):
                    continue
                stock = tuple((p, k, n - ((p, k) == (player, key))) for p, k, n in stock)
            for square in self.board.squares:
                if position.cells[square] == EMPTY:
                    cells = _put(position.cells, {square: key})
                    text = f"{self.board.names[square]} (0 0 a {key})"
                    yield Option(text, square, square, cells, stock, frozenset())

    def _moves(
        self, position: Position, player: Player, square: Square, kind: PieceType
    ) -> Iterator[Option]:
        lifted = list(_put(position.cells, {square: EMPTY}))
        turned = 1 if player == WHITE else -1
        view = self.equipment.views[player]
        key = position.cells[square]
        for word in kind.words:
            for path in word.paths(self.board, lifted, view, square, turned):
                text = self.board.names[square] + path.letters
                becomes = key
                if kind.promotes and self.far(player, path.end) == self.board.height - 1:
                    becomes = self.keys_of(self.types[kind.promotes], player)
                    text += f" (0 0 a {becomes})"
                changes = dict.fromkeys(path.taken, EMPTY) | {path.end: becomes}
                cells = _put("".join(lifted), changes)
                option = Option(text, square, path.end, cells, position.stock, path.taken)
                yield from self._with_shots(option, kind, view) if kind.shoots else [option]

    def _with_shots(self, option: Option, kind: PieceType, view: View) -> Iterator[Option]:
        ride = Ride(ORTHOGONALS + DIAGONALS, kind.shoots, quiet=True, captures=False)
        for path in ride.paths(self.board, list(option.cells), view, option.end, 1):
            yield option._replace(
                text=f"{option.text} (0 0 a {STONE}){path.letters}",
                cells=_put(option.cells, {path.end: STONE}),
            )

    def _with_removals(self, option: Option, player: Player) -> list[Option]:
        """The option, or where it ends in a mill one for each opposing piece that it may remove."""
        if not self._in_mill(option, player):
            return [option]
        theirs = self.own(self.other(player))
        return [
            option._replace(
                text=f"{option.text}; {self.board.names[s]} (0 0 d)",
                cells=_put(option.cells, {s: EMPTY}),
                taken=option.taken | {s},
            )
            for s in self.board.squares
            if option.cells[s] in theirs
        ] or [option]

    def _in_mill(self, option: Option, player: Player) -> bool:
        keys, mill = self.own(player), self.rules.mill
        y, x = divmod(option.end, self.board.width)
        for ax, ay in mill:
            squares = [_square(self.board, x + dx - ax, y + dy - ay) for dx, dy in mill]
            if all(s is not None and option.cells[s] in keys for s in squares):
                return True
        return False


def _plain_step(board: Board, square: Square, step: Direction) -> Square | None:
    """The square there, links or no links."""
    y, x = divmod(square, board.width)
    return _square(board, x + step[0], y + step[1])


def _square(board: Board, x: int, y: int) -> Square | None:
    inside = 0 <= x < board.width and 0 <= y < board.height
    square = Square(y * board.width + x)
    return square if inside and square not in board.holes else None


def _put(cells: str, changes: dict[Square, str]) -> str:
    changed = list(cells)
    for square, cell in changes.items():
        changed[square] = cell
    return "".join(changed)


def _goes_on() -> GameError:
    return GameError("the game is not over", expected="a terminal position")


def playout(game: Game, chance: Random) -> list[Position]:
    """The positions of one random game, broken off after `MOST_PLIES`."""
    line = [game.initial]
    while len(line) <= MOST_PLIES and (turns := game.legal(line[-1])):
        line.append(game.play(line[-1], chance.choice(turns)))
    return line


def described(game: DrawnGame) -> list[str]:
    """The rules of a game, a sentence a line."""
    rules = game.rules
    board = rules.board
    holes = f", without {named(board, board.holes)}" if board.holes else ""
    links = ", steps along lines only" if board.links is not None else ""
    lines = [f"board {board.width} x {board.height}{holes}{links}"]
    for kind in rules.types:
        ways = [word.said() for word in kind.words]
        ways += (
            [f"becomes {game.types[kind.promotes].name} on the far rank"] if kind.promotes else []
        )
        ways += [f"shoots a stone up to {kind.shoots} squares away"] if kind.shoots else []
        ways += ["is royal"] if kind.royal else []
        lines.append(f"{kind.name} {kind.key}: " + ("; ".join(ways) or "stays where it is"))
    if rules.setup:
        lines.append("white begins on " + " ".join(f"{k}{board.names[s]}" for s, k in rules.setup))
    for key, number in rules.hand:
        many = "as many as wanted" if number is None else str(number)
        lines.append(f"to be placed: {many} of {game.types[key].name}")
    if rules.hand_first:
        lines.append("nobody moves with pieces in hand")
    if rules.mill:
        offsets = " ".join(f"({dx},{dy})" for dx, dy in rules.mill)
        lines.append(f"who ends a turn in the pattern {offsets} removes an opposing piece")
    if rules.again:
        lines.append("who takes a piece moves again")
    lines += [restriction.said for restriction in rules.restrictions]
    lines += [
        f"it ends ({rule.name}) with {rule.said}: {rule.holder}, the other {rule.rest}"
        for rule in rules.endings
    ]
    lines.append(f"a player without a turn: {rules.no_turn.mover}, the other {rules.no_turn.rest}")
    return lines


def named(board: Board, squares: Iterable[Square]) -> str:
    """The names of squares, in order."""
    return " ".join(board.names[s] for s in sorted(squares))
