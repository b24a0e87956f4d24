"""The features that terms give in ASP, as in `grl.rules.features.terms`, and what terms rest on."""

from __future__ import annotations

from functools import partial
from typing import Final

from grl.logic.asp import NAMES, Atom, Writer
from grl.logic.ops.counts import no_rules
from grl.model import Feature
from grl.rules.asp.definitions import Definer, Definitions
from grl.rules.asp.naming import NOBODY, constant
from grl.rules.features.terms import SUMS, TERM_TEMPLATES, more_of, terms_in


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

    def cell(self, square: str, file: int, rank: int) -> str:
        """The literal: a square is the one on this file and rank."""
        return f"square({square},{file},{rank})"

    def shifted(self, view: str, dx: int, dy: int) -> str:
        """The literals: square T is so far from square S."""
        if view == "board":
            return f"{self.definitions.away(dx, dy)}(S,{dx},{dy},T)"
        return f"{self.mover}, {self.toward(dx, dy)}(M,S,T)"

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
        self.definitions.lines()
        rules = [f"way({name},S,T) :- ahead(S,{name},T)." for name in NAMES[:4]]
        rules += [f"way({NAMES[i + 4]},S,T) :- behind(S,{NAMES[i]},T)." for i in range(4)]
        return self.definitions.define("way", "The next square in a direction.", "\n".join(rules))

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

    def owned(self, content: str, mover: str, piece: str) -> str:
        """The literal: a piece is of a content as a player sees it."""
        owner, _, kind = content.partition(":")
        names = self.definitions.names
        of_type = f"piece(C,{{}},{names.type.get(kind, constant(kind)) if kind else '_'})"
        rules = {
            "own": f"player(M), {of_type.format('M')}",
            "opposing": f"player(M), player(P), {of_type.format('P')}, P != M",
            "neutral": f"player(M), {of_type.format(NOBODY)}",
        }
        if owner not in rules:
            rules[owner] = f"seat(M,{owner[4:]},P), {of_type.format('P')}"
        name = f"is_{owner}_{constant(kind)}" if kind else f"is_{owner}"
        self.definitions.define(name, "", f"{name}(M,C) :- {rules[owner]}.")
        return f"{name}({mover},{piece})"


class _Turns(Static):
    """Boards W before turns U or after them, or boards alone; who is to move there looks."""

    def __init__(self, definitions: Definitions, when: str) -> None:
        super().__init__(definitions)
        self.when = when

    def row(self, of_turn: bool) -> str:
        """The variables of a row: a position, and a turn where that matters."""
        return "W,U" if of_turn or self.when == "after" else "W"

    def given(self, row: str) -> str:
        """The literals that bind the variables of a row."""
        return "position(W)" if row == "W" else "option(W,U)"

    def holds(self, square: str, content: str) -> str:
        """The literals: a square holds a content."""
        cell = f"cell(W,{square}"
        if self.when == "after":
            cell = f"{self._left()}(W,U,{square}"
        if content == "empty":
            return f"{cell},empty)"
        return f"{cell},C), {self.mover}, {self.owned(content, 'M', 'C')}"

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

    def path(self, head: Atom) -> str:
        """The rules for the squares that the hand passes."""
        self.definitions.needs |= {"passage", "opening"}
        return f"{head('S')} :- passage(W,U,S)."

    def taken(self, head: Atom) -> str:
        """The rules for the squares on which the turn removes pieces."""
        self.definitions.needs.add("removal")
        return f"{head('S')} :- removal(W,U,S)."


def _rules(name: str, t: Definitions, head: str, when: str, *arguments: object) -> str:
    feature: Feature = (name, when, *arguments)
    if name in SUMS:
        no_rules()
    one, *others = terms_in(feature)
    world = _Turns(t, when)
    row = "W" if when == "now" else "W,U"
    writer = t.writers.setdefault(when, Writer(world, f"{when}_set"))
    atoms = []
    for term in (one, *others):
        known = set(writer.blocks)
        atoms.append(writer.define(term))
        for part, (atom, text) in writer.blocks.items():
            if part not in known:
                t.define(atom.name, f"{atom.name}: {part}", text)
    given = world.given(row)
    if name == "some":
        return f"{head}({row}) :- {given}, {atoms[0]('S')}."
    totals = [
        t.tally(f"{atom.name}_size", atom.row, world.given(atom.row), atom("S")) for atom in atoms
    ]
    left = f"{totals[0]}({atoms[0].row},N)"
    if name == "size":
        return f"{head}({row}) :- {given}, {left}, N {arguments[1]} {arguments[2]}."
    other = f"{given}, {totals[1]}({atoms[1].row},K)"
    if not (more := more_of(feature)):
        return f"{head}({row}) :- {other}, {left}, N {arguments[1]} K."
    # A rule for each number: not all exports know sums.
    return "\n".join(
        f"{head}({row}) :- {other}, {totals[0]}({atoms[0].row},{number}), "
        f"{number + more} {arguments[1]} K."
        for number in range(max(0, len(t.setting.board.squares) - more) + 1)
    )


TERM_RULES: Final[dict[str, Definer]] = {
    name: partial(_rules, name) for name in sorted(TERM_TEMPLATES)
}
