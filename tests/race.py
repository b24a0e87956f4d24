"""A tiny game for tests, under any names, and rulebooks made from it with planted mistakes."""

from __future__ import annotations

from dataclasses import replace

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import IllegalTurn
from grl.games import Game
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.rulebook import Rulebook
from grl.turn import Letter, Turn, play


class Race(Game):
    """Runners step ahead and capture obliquely; who reaches the far rank or blocks wins."""

    name = "race"
    provenance = "made up"

    def __init__(
        self,
        players: tuple[str, str] = ("white", "black"),
        keys: str = "rR",
        types: tuple[str, str] = ("runner", "runner"),
        width: int = 3,
    ) -> None:
        first, second = map(Player, players)
        pieces = {
            keys[0]: Piece(keys[0], first, types[0]),
            keys[1]: Piece(keys[1], second, types[1]),
        }
        self.keys = keys
        self.equipment = Equipment(Board(width, 4), (first, second), pieces)
        rows = [keys[1] * width, "." * width, "." * width, keys[0] * width]
        self.initial = make_position(self.equipment, rows, first)

    def legal(self, position: Position) -> list[str]:
        if self._arrived(position):
            return []
        board, white = position.board, position.to_move == self.equipment.players[0]
        own, other, up = (*self.keys, 1) if white else (*self.keys[::-1], -1)
        turns = []
        for square in board.squares:
            if position.cells[square] == own:
                for dx, on, content in ((-1, "p", other), (0, "e", "."), (1, "p", other)):
                    target = board.step(square, dx, up)
                    if target is not None and position.cells[target] == content:
                        turns.append(f"{board.names[square]} ({dx} {up} {on})")
        return turns

    def _arrived(self, position: Position) -> str:
        top, bottom = position.rows[0], position.rows[-1]
        return self.keys[0] if self.keys[0] in top else self.keys[1] * (self.keys[1] in bottom)

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        first, second = self.equipment.players
        arrived = self._arrived(position)
        won = arrived == self.keys[0] if arrived else position.to_move == second
        return {first: 100 * won, second: 100 * (not won)}

    def endgames(self) -> list[Position]:
        first, second = self.keys
        blank = "." * self.equipment.board.width
        rows = [blank, first + blank[1:], second + blank[1:], blank]
        return [make_position(self.equipment, rows, self.equipment.players[0])]


class Lingering(Race):
    """The same race; whoever reaches the far rank would be to move again."""

    def next_player(self, position: Position, turn: Turn) -> Player:
        arrives = self._arrived(play(position, turn))
        return position.to_move if arrives else super().next_player(position, turn)


def race_model(game: Race | None = None, sideways: bool = False) -> Model:
    """What a perfect learner finds in races; `sideways` adds a step that the game lacks."""
    game = game or Race()
    automata = []
    for player, key, up in zip(game.equipment.players, game.keys, (1, -1), strict=True):
        letters = [Letter(0, up, "e"), Letter(-1, up, "p"), Letter(1, up, "p")]
        if sideways:
            letters.append(Letter(1, 0, "e"))
        automata.append(
            Dfa(
                AutomatonKey(player, key, Role.FIRST),
                2,
                tuple((StateId(0), letter, StateId(1)) for letter in sorted(letters)),
                frozenset({StateId(1)}),
            )
        )
    return Model("race", game.equipment, game.initial, tuple(automata))


class Knowing(Rulebook):
    """A rulebook that knows all of a race, endings too."""

    def __init__(self, game: Race | None = None) -> None:
        self.game = game or Race()
        super().__init__(race_model(self.game))
        self.knows_terminal = self.knows_goals = True

    def legal(self, position: Position) -> list[Turn]:
        return [Turn.parse(text) for text in self.game.legal(position)]

    def is_terminal(self, position: Position) -> bool:
        return self.game.is_terminal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        return self.game.goals(position)


class Forgetful(Knowing):
    """Never moves the runner on c1."""

    def legal(self, position: Position) -> list[Turn]:
        return [turn for turn in super().legal(position) if turn.origin != "c1"]


class Astray(Knowing):
    """Leaves the runner of a1 a square further than the turn says."""

    def play(self, position: Position, turn: Turn | str) -> Position:
        after = super().play(position, turn)
        if str(turn) != "a1 (0 1 e)":
            return after
        cells = list(after.cells)
        cells[3], cells[6] = ".", "r"
        return replace(after, cells="".join(cells))


class Stubborn(Knowing):
    """Says that it is the same player's turn again."""

    def play(self, position: Position, turn: Turn | str) -> Position:
        return replace(super().play(position, turn), to_move=position.to_move)


class Respelling(Knowing):
    """Spells every step ahead as a turn of two letters that leads to the same square."""

    def legal(self, position: Position) -> list[Turn]:
        return [self._respelled(turn, position) for turn in super().legal(position)]

    def _respelled(self, turn: Turn, position: Position) -> Turn:
        letter = turn.segments[0].letters[0]
        square = position.board.square(turn.segments[0].origin)
        x, file = square % 3, turn.segments[0].origin
        aside = 1 if x < 2 else -1
        beside = position.board.step(square, aside, 0)
        if letter.on != "e" or beside is None or position.cells[beside] != ".":
            return turn
        return Turn.parse(f"{file} ({aside} 0 e) ({-aside} {letter.dy} e)")


class Doubling(Knowing):
    """Generates its first turn twice."""

    def legal(self, position: Position) -> list[Turn]:
        turns = super().legal(position)
        return [*turns[:1], *turns]


class Blind(Knowing):
    """Takes no position for terminal and gives the goals the wrong way round."""

    def is_terminal(self, position: Position) -> bool:  # noqa: ARG002
        return False

    def goals(self, position: Position) -> dict[Player, int]:
        return {player: 100 - goal for player, goal in super().goals(position).items()}


class Hasty(Knowing):
    """Takes every position for terminal."""

    def is_terminal(self, position: Position) -> bool:  # noqa: ARG002
        return True


class Waiting(Knowing):
    """Says of every ending that whoever would be to move has lost."""

    def goals(self, position: Position) -> dict[Player, int]:
        return {player: 100 * (player != position.to_move) for player in super().goals(position)}


class Rejecting(Knowing):
    """Can't generate turns at all."""

    def legal(self, position: Position) -> list[Turn]:  # noqa: ARG002
        raise IllegalTurn("no turn can be made")
