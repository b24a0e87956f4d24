"""Regular Boardgames, read and played: a small interpreter that knows nothing of models.

It knows the part of the language without macros and with boards as graphs. A move is what a player
does between two switches; equal results from equal first squares are one move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

TOKEN = re.compile(r"->>|->|==|!=|<=|>=|\{\?|\{!|\{\$|\[\$|[A-Za-z][A-Za-z0-9]*|[0-9]+|\S")

KEEPER = ">"
"""Who moves between the players; it never has a choice."""


@dataclass(frozen=True)
class State:
    """What lies where, the variables, where one is in the rules and on the board, and who moves.

    `board` has a character a square, `Rules.sign` of its piece: texts keep their hash.
    """

    board: str
    values: tuple[int, ...]
    node: int
    at: int
    player: str


@dataclass
class Rules:
    """A game: the arrows of the board, and the rules as a graph of actions."""

    players: list[str]
    pieces: list[str]
    names: list[str]
    squares: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    arrows: list[dict[str, int]] = field(default_factory=list)
    edges: dict[int, list[tuple[Any, int]]] = field(default_factory=dict)
    nodes: int = 0

    def initial(self) -> State:
        """The state before the first action."""
        return State("".join(map(self.sign, self.first)), (0,) * len(self.names), 0, 0, KEEPER)

    def sign(self, piece: str) -> str:
        """The character of a piece on a board."""
        return chr(ord("0") + self.pieces.index(piece))

    # Playing ----------------------------------------------------------------------------------

    def moves(self, state: State) -> dict[tuple[int | None, str], State]:
        """What a player may do: by the square of the first change and the board that is left."""
        found = {}
        waiting: list[tuple[State, int | None]] = [(state, None)]
        met = set(waiting)
        while waiting:
            here, origin = waiting.pop()
            for action, target in self.edges.get(here.node, ()):
                for after, changed in self.act(here, action, target):
                    first = origin if origin is not None or changed is None else changed
                    if action[0] == "switch":
                        found[first, after.board] = after
                    elif (after, first) not in met:
                        met.add((after, first))
                        waiting.append((after, first))
        return found

    def settle(self, state: State) -> State:
        """The state in which a player is to move, or from which the keeper can't go on."""
        while state.player == KEEPER:
            following = {(s.board, s.values, s.node): s for s in self.moves(state).values()}
            assert len(following) <= 1, "the keeper has a choice"
            if not following:
                break
            state = next(iter(following.values()))
        return state

    def act(self, here: State, action: Any, target: int) -> Iterator[tuple[State, int | None]]:
        """What an action leads to, with the square it changes."""
        kind, what = action
        going = (here.board, here.values, target, here.at, here.player)
        if kind == "shift":
            to = self.arrows[here.at].get(what)
            if to is not None:
                yield State(*going[:3], to, here.player), None
        elif kind == "nothing" or (kind == "on" and here.board[here.at] in what):
            yield State(*going), None
        elif kind == "off":
            board = here.board[: here.at] + what + here.board[here.at + 1 :]
            yield State(board, *going[1:]), here.at
        elif kind == "set":
            name, value = what
            values = list(here.values)
            values[self.names.index(name)] = self.value(here, value)
            yield State(here.board, tuple(values), *going[2:]), None
        elif kind == "compare":
            one, sign, other = what
            a, b = self.value(here, one), self.value(here, other)
            if {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[
                sign
            ]:
                yield State(*going), None
        elif kind == "pattern":
            wanted, start, end = what
            if self.passes(here, start, end) == wanted:
                yield State(*going), None
        elif kind == "switch":
            yield State(*going[:4], what), None

    def passes(self, here: State, start: int, end: int) -> bool:
        """Whether a pattern can be walked from a state."""
        waiting = [State(here.board, here.values, start, here.at, here.player)]
        met = set(waiting)
        while waiting:
            state = waiting.pop()
            if state.node == end:
                return True
            for action, target in self.edges.get(state.node, ()):
                for after, _ in self.act(state, action, target):
                    if after not in met:
                        met.add(after)
                        waiting.append(after)
        return False

    def value(self, here: State, terms: list[tuple[int, str]]) -> int:
        """A sum: numbers, variables, and how many of a piece are on the board."""
        total = 0
        for sign, word in terms:
            if word.isdigit():
                total += sign * int(word)
            elif word in self.names:
                total += sign * here.values[self.names.index(word)]
            else:
                total += sign * here.board.count(self.sign(word))
        return total

    def scores(self, state: State) -> dict[str, int]:
        """The players' variables."""
        return {name: state.values[self.names.index(name)] for name in self.players}


class Reader:
    """Reads the sections of a file."""

    def __init__(self, text: str) -> None:
        bare = re.sub(r"//[^\n]*", "", text)
        parts = dict(re.findall(r"#(\w+) =(.*?)(?=#\w+ =|\Z)", bare, re.DOTALL))
        players, pieces, variables = (
            re.findall(r"[A-Za-z]\w*", re.sub(r"\(\d+\)", "", parts[name]))
            for name in ("players", "pieces", "variables")
        )
        self.rules = Rules(players, pieces, [*players, *variables])
        found = re.findall(r"(\w+) \[(\w+)\] \{([^}]*)\}", parts["board"])
        self.rules.squares = [name for name, *_ in found]
        self.rules.first = [piece for _, piece, _ in found]
        number = {name: place for place, name in enumerate(self.rules.squares)}
        for *_, arrows in found:
            leads = re.findall(r"(\w+): (\w+)", arrows)
            self.rules.arrows.append({label: number[name] for label, name in leads})
        self.tokens = TOKEN.findall(parts["rules"])
        self.place = 0
        start, _ = self.sum()
        assert self.place == len(self.tokens)
        assert start is not None
        self.rules.edges[0] = [(("nothing", None), start)]

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        assert not expected or token == expected, (expected, self.tokens[self.place :][:8])
        self.place += 1
        return token

    def node(self) -> int:
        self.rules.nodes += 1
        return self.rules.nodes

    def link(self, start: int, end: int, action: Any = ("nothing", None)) -> None:
        self.rules.edges.setdefault(start, []).append((action, end))

    def sum(self) -> tuple[int, int]:
        start, end = self.node(), self.node()
        while True:
            one, other = self.sequence()
            self.link(start, one)
            self.link(other, end)
            if self.peek() != "+":
                return start, end
            self.take("+")

    def sequence(self) -> tuple[int, int]:
        start = end = self.node()
        while self.peek() not in ("", "+", ")", "}"):
            one, other = self.element()
            if self.peek() == "*":
                self.take("*")
                loop = self.node()
                self.link(loop, one)
                self.link(other, loop)
                one = other = loop
            self.link(end, one)
            end = other
        return start, end

    def element(self) -> tuple[int, int]:
        token = self.take()
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        return self.action(token)

    def action(self, token: str) -> tuple[int, int]:
        start, end = self.node(), self.node()
        if token in ("{?", "{!"):
            one, other = self.sum()
            self.take("}")
            self.link(start, end, ("pattern", (token == "{?", one, other)))
        elif token == "{$":
            left = self.total()
            sign = self.take()
            self.link(start, end, ("compare", (left, sign, self.total())))
            self.take("}")
        elif token == "[$":
            name = self.take()
            self.take("=")
            self.link(start, end, ("set", (name, self.total())))
            self.take("]")
        elif token == "{":
            names = []
            while self.peek() != "}":
                names.append(self.take())
                if self.peek() == ",":
                    self.take(",")
            self.take("}")
            assert set(names) <= set(self.rules.pieces)
            self.link(start, end, ("on", frozenset(map(self.rules.sign, names))))
        elif token == "[":
            self.link(start, end, ("off", self.rules.sign(self.take())))
            self.take("]")
        elif token == "->>":
            self.link(start, end, ("switch", KEEPER))
        elif token == "->":
            name = self.take()
            assert name in self.rules.players
            self.link(start, end, ("switch", name))
        else:
            known = {name for arrows in self.rules.arrows for name in arrows}
            assert token in known, token
            self.link(start, end, ("shift", token))
        return start, end

    def total(self) -> list[tuple[int, str]]:
        found = [(1, self.take())]
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            found.append((sign, self.take()))
        return found


def read(text: str) -> Rules:
    """The game of a file."""
    return Reader(text).rules
