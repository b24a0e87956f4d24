"""What rules ask of squares, as checks of Regular Boardgames: a walk that fails elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from grl.board import EMPTY, Board, Player, Position, Square
from grl.errors import ModelError
from grl.export.regular import FAILS, HOLDS, either, then
from grl.logic.contents import keys_of
from grl.logic.geometry import AXES
from grl.logic.grid import WAYS_OF
from grl.logic.ops import OPERATORS as TERMS
from grl.logic.rows import Rows
from grl.logic.terms import Term, read_term
from grl.model import Feature, Model
from grl.rules.features.cases import PositionCase, Setting

ANY = "(next* + back*)"
"""From wherever one is to any square."""
OTHER = "(next next* + back back*)"
GIVEN = frozenset({"zone", "line", "ring", "cell"})
"""Operators whose squares depend on no position."""


class NotRegular(ModelError):
    """What a model says that these checks can't; the message names it."""


class Squares:
    """Names of pieces, squares and directions of a model, and checks of squares.

    `labels` collects the arrows between squares that the checks use: from the name of an arrow to
    its displacement, or to the squares that it leads from, each to itself.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.equipment = model, model.equipment
        frames = model.rules.frames if model.rules else dict.fromkeys(model.equipment.players, "")
        frames = {player: frame or "identity" for player, frame in frames.items()}
        self.setting = Setting(model.equipment, frames, lambda _: ())
        self.labels: dict[str, tuple[int, int] | frozenset[Square]] = {}
        self.players = _names(model.equipment.players)
        pieces = sorted(model.equipment.pieces.values(), key=lambda piece: piece.key)
        words = {piece.key: f"{piece.player or ''} {piece.type}" for piece in pieces}
        taken = [*self.players.values(), "e", "next", "back"]
        self.pieces = {EMPTY: "e", **_names(words, words, taken)}

    def content(self, keys: Iterable[str]) -> str:
        """A check of what the square holds."""
        found = [self.pieces[key] for key in sorted(keys)]
        return "{" + ", ".join(found) + "}" if found else FAILS

    def step(self, dx: int, dy: int) -> str:
        """The arrow of a displacement; what fails everywhere where no two squares lie so."""
        board = self.equipment.board
        if all(board.step(square, dx, dy) is None for square in board.squares):
            return FAILS
        across = f"{'right' if dx > 0 else 'left'}{abs(dx)}" if dx else ""
        along = f"{'up' if dy > 0 else 'down'}{abs(dy)}" if dy else ""
        self.labels[f"{across}{along}"] = (dx, dy)
        return f"{across}{along}"

    def holding(self, what: object, player: Player) -> frozenset[str]:
        """The pieces that a word of a feature names when a player is to move."""
        return self.setting.keys(player, str(what))

    def term(self, data: Feature) -> Term:
        """The term that data stand for."""
        return read_term(data, TERMS, self.equipment)

    def some(self, term: Term, player: Player, end: str | None = None) -> str:
        """A check that a term denotes some square.

        `end` is the role of the square where one is, and what it denotes is met by going there.
        Raises `NotRegular`.
        """
        if term.operator.name == "both":
            one, other = (part for part in term.arguments if isinstance(part, Term))
            for point, rest in ((one, other), (other, one)):
                way = self._way(point, end)
                if way is not None:
                    return then(way, self.check(rest, player))
        way = self._way(term, end)
        return way if way is not None else then(ANY, self.check(term, player))

    def _way(self, term: Term, end: str | None) -> str | None:
        """The way from where one is to a point; None for what is no such point."""
        match term.operator.name, term.arguments:
            case "square", (role,) if role == end:
                return HOLDS
            case "shift", ("board", int(dx), int(dy), Term() as inner):
                way = self._way(inner, end)
                return None if way is None else then(way, self.step(dx, dy))
        return None

    def check(self, term: Term, player: Player) -> str:
        """A check that the square where one is belongs to a term; raises `NotRegular`."""
        arguments: tuple[Any, ...] = term.arguments
        match term.operator.name, arguments:
            case "lies", (str(content),):
                return self.content(keys_of(self.equipment, player, content))
            case "both", (one, other):
                return then(self.check(one, player), self.check(other, player))
            case "either", (one, other):
                return either([self.check(one, player), self.check(other, player)])
            case "without", (one, other):
                return then(self.check(one, player), f"{{! {self.check(other, player)}}}")
            case "shift", ("board", dx, dy, inner):
                return f"{{? {then(self.step(-dx, -dy), self.check(inner, player))}}}"
            case "lined", (ways, int(number), inner) if ways != "onward":
                return self._lined(ways, number, self.check(inner, player))
            case name, _ if name in GIVEN:
                return self._given(term, player)
        raise NotRegular(f"no check for '{term}'")

    def _lined(self, ways: str, number: int, check: str) -> str:
        """So many squares in a row, the one where one is among them."""
        found = []
        for dx, dy in (AXES[way] for way in WAYS_OF[ways] if way < len(AXES)):
            there, back = self.step(dx, dy), self.step(-dx, -dy)
            for before in range(number):
                ways_there = [then(*[there, check] * (number - 1 - before))]
                ways_back = [then(*[back, check] * before)]
                parts = [f"{{? {way}}}" for way in (*ways_there, *ways_back) if way != HOLDS]
                found.append(then(*parts))
        return then(check, either(found))

    def _given(self, term: Term, player: Player) -> str:
        """An arrow from each of some fixed squares to itself."""
        position: Position = self.model.initial
        case = PositionCase(self.setting, position.cells, position.stock, player)
        rows = Rows(self.equipment, self.setting.grid, [case.ground()])
        squares = frozenset(Square(int(s)) for s in rows.squares(term)[0].nonzero()[0])
        for name, known in self.labels.items():
            if known == squares:
                return name
        name = f"zone{sum(isinstance(known, frozenset) for known in self.labels.values()) + 1}"
        self.labels[name] = squares
        return name

    def board(self) -> list[str]:
        """The board as a graph: each square with what it holds at first, and its arrows."""
        board: Board = self.equipment.board
        cells = self.model.initial.cells
        lines = []
        for place, square in enumerate(board.squares):
            arrows = {}
            for name, what in self.labels.items():
                if isinstance(what, frozenset):
                    if square in what:
                        arrows[name] = square
                elif (target := board.step(square, *what)) is not None:
                    arrows[name] = target
            if place + 1 < len(board.squares):
                arrows["next"] = board.squares[place + 1]
            if place:
                arrows["back"] = board.squares[place - 1]
            shown = ", ".join(f"{name}: {board.names[at]}" for name, at in sorted(arrows.items()))
            lines.append(f"    {board.names[square]} [{self.pieces[cells[square]]}] {{{shown}}}")
        return lines


def _names(
    words: Iterable[str], texts: dict[str, str] | None = None, taken: Iterable[str] = ()
) -> dict[str, str]:
    """A name of letters and digits for each word, no two alike."""
    used, found = set(taken), {}
    for word in words:
        parts = re.findall(r"[A-Za-z0-9]+", word if texts is None else texts[word])
        name = "".join([part[:1].upper() + part[1:] for part in parts]) or "Thing"
        name = name[:1].lower() + name[1:]
        name = name if name[0].isalpha() else f"n{name}"
        number, chosen = 1, name
        while chosen in used or re.fullmatch(r"[a-z]{1,2}[0-9]+", chosen):
            number += 1
            chosen = f"{name}N{number}"
        used.add(chosen)
        found[word] = chosen
    return found
