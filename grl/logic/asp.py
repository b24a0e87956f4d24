"""Terms as logic programs: every operator gives its rules, and `Writer` names the predicates.

A term's predicate has the row as its first arguments, ``W,U`` say, then, where the term is
directed, a direction D, then a square. Definitions of the board that rules rest on are asked of
whoever writes the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grl.logic.grid import WAYS_OF
from grl.logic.terms import Term

NAMES = (
    *("east", "north", "northeast", "southeast"),
    *("west", "south", "southwest", "northwest"),
)
"""Of the directions, in their order."""


class World(Protocol):
    """What a program says of rows and of the board."""

    def row(self, of_turn: bool) -> str:
        """The variables of a row, of what belongs to a turn or to a board alone."""

    def given(self, row: str) -> str:
        """The literals that bind the variables of a row."""

    def holds(self, square: str, content: str) -> str:
        """The literals: a square holds a content, as the mover sees it."""

    def role(self, role: str, square: str) -> str:
        """The literal: a square plays a role in the turn."""

    def last(self, role: str, back: int, square: str) -> str:
        """The literal: a square played a role in the turn so many plies ago."""

    def moved(self, square: str) -> str:
        """The literal: the piece on a square has moved before."""

    def path(self, head: Atom, *, twice: bool = False) -> str:
        """The rules for the squares that the hand passes, or passes more than once."""

    def taken(self, head: Atom) -> str:
        """The rules for the squares on which the turn removes pieces."""

    def touched(self, head: Atom, sort: str, seat: int, level: int) -> str:
        """The rules for the squares that turns of a player touch, ``threatened`` or
        ``reachable``."""

    def near(self, nearness: str) -> str:
        """The predicate of two squares that are neighbours."""

    def line(self) -> str:
        """The predicate of a direction, a square and the next one."""

    def zone(self, zone: str) -> str:
        """The predicate of the squares of a zone."""

    def numbered(self, seat: int, square: str, scale: str, number: str) -> str:
        """The literals: file, rank or ring of a square as the player at a seat sees it."""

    def cell(self, square: str, file: int | str | None, rank: int | str | None) -> str:
        """The literal: a square is on this file and rank, given or variables; on any where it is
        None."""

    def shifted(self, view: str, dx: int, dy: int, one: str = "S", other: str = "T") -> str:
        """The literals: a square is so far from another one."""

    def bearing(self) -> str:
        """The predicate of two squares and files and ranks from one to the other, in lowest
        terms."""

    def tally(self, name: str, key: str, domain: str, counted: str) -> str:
        """The predicate of a key and how many squares S satisfy the literal `counted`."""

    def define(self, name: str, comment: str, rules: str) -> str:
        """Note a predicate of the board, unless it is known; gives its name back."""


@dataclass(frozen=True)
class Atom:
    """A term's predicate; called with a square it is a literal."""

    name: str
    row: str
    directed: bool

    def __call__(self, square: str) -> str:
        return f"{self.name}({self.row},{'D,' if self.directed else ''}{square})"


class Writer:
    """Writes terms, each once, as predicates with names that begin with `prefix`."""

    def __init__(self, world: World, prefix: str) -> None:
        self.world, self.prefix = world, prefix
        self.blocks: dict[Term, tuple[Atom, str]] = {}

    def define(self, term: Term) -> Atom:
        """The atom of a term, whose rules are in `blocks` now with those that they rest on."""
        for each in term.terms():
            if each not in self.blocks:
                name = f"{self.prefix}_{len(self.blocks) + 1}"
                head = Atom(name, self.world.row(each.of_turn), each.directed)
                parts = [self.blocks[a][0] if isinstance(a, Term) else a for a in each.arguments]
                self.blocks[each] = head, each.operator.rules(self, head, *parts)
        return self.blocks[term][0]

    def text(self) -> str:
        """All rules, those of a term after the term itself as a comment."""
        return "\n".join(
            f"% {atom.name}: {term}\n{rules}" for term, (atom, rules) in self.blocks.items()
        )

    # What operators ask for, beside the world -------------------------------------------------

    def brink(self) -> str:
        """The predicate of a direction and a square with none next."""
        line, directions = self.world.line(), self.directions()
        return self.world.define(
            "brink",
            "No square is next in a direction.",
            f"brink(D,S) :- {directions}(D), square(S,_,_), not inner(D,S).\n"
            f"inner(D,S) :- {line}(D,S,_).",
        )

    def directions(self) -> str:
        """The predicate of all directions."""
        rules = f"direction_name({'; '.join(NAMES)})."
        return self.world.define("direction_name", "", rules)

    def ways(self, ways: str) -> str:
        """The literal that binds a direction of those that are meant."""
        if ways == "onward":
            far = self.beyond()
            start, end = self.world.role("start1", "A"), self.world.role("end1", "B")
            return f"{start}, {end}, {far}(D,A,B)"
        name = f"ways_{ways}"
        among = "; ".join(NAMES[d] for d in WAYS_OF[ways])
        return f"{self.world.define(name, '', f'{name}({among}).')}(D)"

    def beyond(self) -> str:
        """The predicate of a direction and two squares, the second in line with the first."""
        line = self.world.line()
        return self.world.define(
            "beyond",
            "A straight line leads from a square to another.",
            f"beyond(D,S,T) :- {line}(D,S,T).\n"
            f"beyond(D,S,R) :- beyond(D,S,T), {line}(D,T,R), S != R.",
        )

    def inline(self) -> str:
        """The predicate of a direction and two squares in line, either being ahead."""
        ahead = self.beyond()
        pairs = "; ".join(f"{NAMES[d]},{NAMES[(d + 4) % 8]}" for d in range(8))
        return self.world.define(
            "inline",
            "Squares in line with each other.",
            f"against({pairs}).\ninline(D,S,T) :- {ahead}(D,S,T).\n"
            f"inline(D,S,T) :- against(D,E), {ahead}(E,S,T).",
        )

    def bound(self, head: Atom, *used: Atom) -> str:
        """Literals more that bind the row and direction of a head, where no atom in use does."""
        found = ""
        if all(atom.row != head.row for atom in used):
            found += f", {self.world.given(head.row)}"
        if head.directed and not any(atom.directed for atom in used):
            found += f", {self.directions()}(D)"
        return found
