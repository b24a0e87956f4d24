"""The part of Ludii's language that exports use, read and played; it knows nothing of models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

WAYS = {
    "N": (0, 1), "NE": (1, 1), "E": (1, 0), "SE": (1, -1),
    "S": (0, -1), "SW": (-1, -1), "W": (-1, 0), "NW": (-1, 1),
}  # fmt: skip
Cells = dict[tuple[int, int], str]


def parse(text: str) -> Any:
    """An expression as nested lists; braces are lists that begin with ``{``."""
    tokens = re.findall(r'"[^"]*"|[(){}]|[^\s(){}]+', text)
    stack: list[list[Any]] = [[]]
    for token in tokens:
        if token in "({":
            stack.append(["{"] if token == "{" else [])
        elif token in ")}":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip('"') if token.startswith('"') else token)
    ((found,),) = stack
    return found


def part(expression: Any, name: str) -> Any:
    """The part of an expression that begins with a name."""
    return next((each for each in expression if isinstance(each, list) and each[0] == name), None)


class Ludii:
    """A game: what stands where is a piece's name with the number of its player."""

    def __init__(self, text: str) -> None:
        game = parse(text)
        assert game[0] == "game"
        self.players = int(part(game, "players")[1])
        equipment = part(game, "equipment")[1][1:]
        shape = part(equipment, "board")[1]
        assert shape[0] == "rectangle"
        self.height, self.width = int(shape[1]), int(shape[2])
        self.pieces = {}
        for one in equipment:
            if one[0] == "piece":
                number = 0 if one[2] == "Neutral" else int(one[2][1:])
                self.pieces[f"{one[1]}{number}"] = (number, one[3] if len(one) > 3 else None)
        rules = part(game, "rules")
        self.play = part(rules, "play")[1]
        self.ends = part(rules, "end")[1][1:]
        self.start: Cells = {}
        for _, name, squares in part(rules, "start")[1][1:] if part(rules, "start") else ():
            for square in squares[1:]:
                self.start[self.at(square)] = name

    def at(self, name: str) -> tuple[int, int]:
        return ord(name[0]) - ord("A"), int(name[1:]) - 1

    def who(self, cells: Cells, at: tuple[int, int]) -> int | None:
        """The player of what stands somewhere; None for an empty square."""
        return self.pieces[cells[at]][0] if at in cells else None

    def moves(self, cells: Cells, mover: int) -> Iterator[Cells]:
        """The boards to which the mover may go, some perhaps more than once."""
        yield from self.some(self.play, cells, mover, None)

    def some(self, move: Any, cells: Cells, mover: int, at: Any) -> Iterator[Cells]:
        match move:
            case ["if", ["is", "Mover", who], then, other]:
                chosen = then if who == f"P{mover}" else other
                yield from self.some(chosen, cells, mover, at)
            case ["or", ["{", *parts]] | ["or", *parts]:
                for each in parts:
                    yield from self.some(each, cells, mover, at)
            case ["forEach", "Piece"]:
                for place in list(cells):
                    owner, how = self.pieces[cells[place]]
                    if owner == mover and how is not None:
                        yield from self.some(how, cells, mover, place)
            case ["move", "Add", ["piece", name], ["to", ["sites", "Empty"]]]:
                for x in range(self.width):
                    for y in range(self.height):
                        if (x, y) not in cells:
                            yield {**cells, (x, y): name}
            case ["move", kind, ["directions", ["{", *ways]], *rest]:
                for way in ways:
                    yield from getattr(self, kind.lower())(WAYS[way], rest, cells, mover, at)
            case _:
                raise AssertionError(f"not understood: {move}")

    def next(self, at: tuple[int, int], way: tuple[int, int]) -> tuple[int, int] | None:
        x, y = at[0] + way[0], at[1] + way[1]
        return (x, y) if 0 <= x < self.width and 0 <= y < self.height else None

    def step(self, way: Any, rest: Any, cells: Cells, mover: int, at: Any) -> Iterator[Cells]:
        to = self.next(at, way)
        condition = rest[0][1:]
        assert rest[0][0] == "to"
        assert condition[0] == "if:"
        if to is not None and self.holds(condition[1], cells, mover, to):
            assert to not in cells or ["apply", ["remove", ["to"]]] in rest[0]
            yield self.moved(cells, at, to)

    def slide(self, way: Any, rest: Any, cells: Cells, mover: int, at: Any) -> Iterator[Cells]:
        to = self.next(at, way)
        while to is not None and to not in cells:
            yield self.moved(cells, at, to)
            to = self.next(to, way)
        if to is not None and rest and self.holds(rest[0][2], cells, mover, to):
            yield self.moved(cells, at, to)

    def hop(self, way: Any, rest: Any, cells: Cells, mover: int, at: Any) -> Iterator[Cells]:
        over = self.next(at, way)
        to = None if over is None else self.next(over, way)
        if over is not None and to is not None:
            between, target = rest
            taken = self.holds(between[2], cells, mover, over)
            if taken and self.holds(target[2], cells, mover, to):
                left = self.moved(cells, at, to)
                del left[over]
                yield left

    @staticmethod
    def moved(cells: Cells, at: Any, to: Any) -> Cells:
        left = dict(cells)
        left[to] = left.pop(at)
        return left

    def holds(self, condition: Any, cells: Cells, mover: int, at: Any) -> bool:
        match condition:
            case ["or", *parts]:
                return any(self.holds(each, cells, mover, at) for each in parts)
            case ["is", "Empty", _]:
                return at not in cells
            case ["is", "Enemy", ["who", "at:", _]]:
                return self.who(cells, at) not in (None, 0, mover)
            case ["is", "Friend", ["who", "at:", _]]:
                return self.who(cells, at) == mover
        raise AssertionError(f"not understood: {condition}")

    # Ends -------------------------------------------------------------------------------------

    def result(self, cells: Cells, mover: int, last: Any) -> str | None:
        """Win, Loss or Draw of the player who has moved to `last`; None while the game goes on."""
        for _, condition, (_, _, found) in self.ends:
            if self.true(condition, cells, mover, last):
                return str(found)
        return None

    def true(self, condition: Any, cells: Cells, mover: int, last: Any) -> bool:
        following = mover % self.players + 1
        match condition:
            case ["not", inner]:
                return not self.true(inner, cells, mover, last)
            case ["and", ["{", *parts]] | ["and", *parts]:
                return all(self.true(each, cells, mover, last) for each in parts)
            case ["or", ["{", *parts]]:
                return any(self.true(each, cells, mover, last) for each in parts)
            case ["no", "Moves", "Next"]:
                return next(self.moves(cells, following), None) is None
            case ["is", "Next", who]:
                return bool(who == f"P{following}")
            case ["is", "Line", number]:
                return self.lined(cells, last, int(number))
            case [op, ["count", "Pieces", who], number]:
                player = mover if who == "Mover" else following
                count = sum(self.pieces[name][0] == player for name in cells.values())
                return count == int(number) if op == "=" else count < int(number)
            case [">", ["count", "Sites", "in:", ["intersection", _, ["sites", squares]]], "0"]:
                return any(self.who(cells, self.at(name)) == mover for name in squares[1:])
        raise AssertionError(f"not understood: {condition}")

    def lined(self, cells: Cells, last: Any, number: int) -> bool:
        for way in ("N", "NE", "E", "SE"):
            count = 1
            for sign in (1, -1):
                step = (sign * WAYS[way][0], sign * WAYS[way][1])
                at = self.next(last, step)
                while at is not None and self.who(cells, at) == self.who(cells, last):
                    count, at = count + 1, self.next(at, step)
            if count >= number:
                return True
        return False
