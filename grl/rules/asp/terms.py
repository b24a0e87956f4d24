"""What terms rest on in programs with features: the worlds that `grl.logic.asp` writes of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grl.errors import ModelError
from grl.logic.asp import Atom

if TYPE_CHECKING:
    from grl.rules.asp.definitions import Definitions


class Static:
    """What a program says of the board, for `grl.logic.asp`: the same whatever rows are."""

    mover = "mover(W,M)"
    """The literal that binds M to who looks at the board."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions

    def numbered(self, seat: int, square: str, scale: str, number: str) -> str:
        """The literals: file, rank or ring of a square as the player at a seat sees it."""
        place = self.definitions.at("P", square, scale, number)
        return place if scale == "ring" else f"{self.mover}, seat(M,{seat},P), {place}"

    def cell(self, square: str, file: int | str | None, rank: int | str | None) -> str:
        """The literal: a square is on this file and rank, on any where it is None."""
        return f"square({square},{'X' if file is None else file},{'Y' if rank is None else rank})"

    def shifted(self, view: str, dx: int, dy: int, one: str = "S", other: str = "T") -> str:
        """The literals: a square is so far from another one."""
        if view == "board":
            return f"{self.definitions.away(dx, dy)}({one},{dx},{dy},{other})"
        return f"{self.mover}, {self.toward(dx, dy)}(M,{one},{other})"

    def near(self, nearness: str) -> str:
        """The static relation of neighbours."""
        return self.definitions.near(nearness)

    def zone(self, zone: str) -> str:
        """The static relation of the squares of a zone."""
        names, squares = self.definitions.names.squares, self.definitions.setting.zone(zone)
        facts = " ".join(f"zone_{zone}({names[square]})." for square in squares)
        return self.definitions.define(f"zone_{zone}", "", facts or f"#defined zone_{zone}/1.")

    def line(self) -> str:
        """The static relation of a direction, a square and the next one."""
        return self.definitions.line()

    def bearing(self) -> str:
        """The static relation of the directions between squares."""
        return self.definitions.bearing()

    def tally(self, name: str, key: str, domain: str, counted: str) -> str:
        """The predicate of a key and how many squares S satisfy the literal `counted`."""
        return self.definitions.tally(name, key, domain, counted)

    def define(self, name: str, comment: str, rules: str) -> str:
        """Note a static relation."""
        return self.definitions.define(name, comment, rules)

    def toward(self, dx: int, dy: int) -> str:
        """The static relation of a player and two squares, so far apart as the player sees it."""
        self.definitions.seen()
        name = f"toward_{dx}_{dy}".replace("-", "m")
        return self.definitions.define(
            name,
            f"The square {dx} files and {dy} ranks away, as each player sees it.",
            f"{name}(M,S,R) :- seen(M,S,X,Y), seen(M,R,X+{dx},Y+{dy}).",
        )


class Boards(Static):
    """Boards W before turns U or after them, or boards alone; who is to move there looks."""

    def __init__(self, definitions: Definitions, when: str) -> None:
        super().__init__(definitions)
        self.when = when

    def row(self, of_turn: bool) -> str:
        """The variables of a row: a position, and a turn where that matters."""
        return "W,U" if of_turn or self.when == "after" else "W"

    def given(self, row: str) -> str:
        """The literals that bind the variables of a row."""
        return self.definitions.given(row)

    def holds(self, square: str, content: str) -> str:
        """The literals: a square holds a content."""
        cell = f"cell(W,{square}"
        if self.when == "after":
            cell = f"{self._left()}(W,U,{square}"
        if content == "empty":
            return f"{cell},empty)"
        return f"{cell},C), {self.mover}, {self.definitions.of(content, 'M', 'C')}"

    def _left(self) -> str:
        return self.definitions.define(
            "leaves",
            "The board after a turn.",
            "leaves(W,T,S,C) :- changed(W,T,S,C).\n"
            "leaves(W,T,S,C) :- option(W,T), cell(W,S,C), not altered(W,T,S).",
        )

    def role(self, role: str, square: str) -> str:
        """The literal: a square plays a role in the turn."""
        return self.definitions.role(role, square, "U")

    def last(self, role: str, back: int, square: str) -> str:
        """The literal: a square played a role in the turn so many plies ago."""
        self.definitions.recall(role, back)
        extra = "" if self.when != "after" else "option(W,U), "
        return f"{extra}last(W,{role},{back},{square})"

    def moved(self, square: str) -> str:
        """The literal: the piece on a square has moved before."""
        self.definitions.needs.add("moved")
        extra = "" if self.when != "after" else "option(W,U), "
        return f"{extra}moved(W,{square})"

    def touched(self, head: Atom, sort: str, seat: int, level: int) -> str:
        """The rules for the squares that turns of a player touch, were it theirs.

        What is asked of positions is asked wherever features are, see `Definitions.position`.
        """
        if level:
            raise ModelError(
                "turns that restrictions leave can't be asked for in a logic program",
                expected="rules that ask for pseudo-legal turns",
                hint="grl rules prints what the model says",
            )
        world, needs = "W", self.definitions.needs
        if self.when == "after":
            world, players = "after(W,U)", len(self.definitions.setting.equipment.players)
            seat = (seat - 1) % players
            needs |= {"after", f"reply {seat} after"}
        elif self.when == "before":
            needs.add(f"reply {seat} now")
        seen = f"seen({world},{seat})"
        if sort == "reachable":
            needs.add("halt")
            return f"{head('S')} :- {self.given(head.row)}, reply_halt({seen},S)."
        needs.add("threats")
        return (
            f"{head('S')} :- {self.given(head.row)}, reply_turn({seen},T), "
            f"reply_changed({seen},T,S,C), not cell({world},S,C)."
        )

    def path(self, head: Atom, *, twice: bool = False) -> str:
        """The rules for the squares that the hand passes, or passes more than once."""
        passage = "repassage" if twice else "passage"
        self.definitions.needs |= {passage, "opening"}
        return f"{head('S')} :- {passage}(W,U,S)."

    def taken(self, head: Atom) -> str:
        """The rules for the squares on which the turn removes pieces."""
        self.definitions.needs.add("removal")
        return f"{head('S')} :- removal(W,U,S)."
