"""Features as answer set programs: for reading, export and proof.

`Definitions` gives the name of a predicate for a feature and collects its definition, which the
feature's template writes, and all that this rests on, each once. A feature of positions is a
predicate ``f(W)`` over positions W, one of turns a predicate ``f(W,T)``. They rest on these:

===========================  =====================================================================
``square(S,X,Y)``            square S lies on file X and rank Y, both from 1
``player(M)``                a player; ``seat(M,K,N)``: N comes K places after M in turn order
``piece(C,M,T)``             piece C of type T belongs to M, or to ``nobody``
``succ(N,M)``                M is N + 1, from 0 on
``position(W)``              W is a position: ``now``; or ``after(W,T)`` and ``midway(W,P)``, with
                             the next player to move
``cell(W,S,C)``              S holds C there, a piece or ``empty``; ``mover(W,M)``: M is to move
``hand(W,M,C,N)``            M has N of C in hand
``option(W,T)``              T is a turn of W, pseudo-legal or a pass
``changed(W,T,S,C)``         turn T leaves C on square S, which it touches; ``altered(W,T,S)``
``start(W,T,I,S)``           segment I of T begins on S; ``end(W,T,I,S)``
``drop(W,T,S)``             the first piece that appears in T does so on S; ``taken(W,T,S)``
``letter(W,T,L)``            T has letter L; ``kind(L,K)``: of kind K, as in `letter` features
``segments(W,T,N)``          T has N segments; ``steps(W,T,N)``: the hand makes N steps
``opening(W,T,P)``           P is the first segment of T; ``part(W,T,P)``: T goes on after P
``breaks(W,T,P)``            T may be broken off after P, of its first segment
``lead(W,T,L)``              L is the first letter of T
``meets(W,T,N,S)``           the Nth piece that T comes to, by what is chosen, lies on S
``moved(W,S)``               the piece on S has moved; ``last(W,I,K,S)``: I is start1 or end1 of the
                             turn K plies ago, or, K being 0, of the mover's last one;
                             ``passed(W,N)``: the last N turns were passes
===========================  =====================================================================

Arithmetic stays in rules that depend on no position; with `chains` counts do without aggregates
too, so that what comes out is Datalog with negation.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Set
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from grl.asp.reader import read_literal
from grl.asp.terms import Function, Variable, substitution
from grl.board import Player
from grl.errors import ModelError
from grl.logic.asp import NAMES, Atom, Writer
from grl.logic.contents import NOTHING, is_content, owner_in, seat_of, type_in
from grl.logic.geometry import ADJACENCY
from grl.logic.grid import DIRECTIONS
from grl.logic.perspectives import SYMMETRIES
from grl.logic.terms import OWN, Term
from grl.model import Feature
from grl.rules.asp.naming import NOBODY, Names, constant
from grl.rules.asp.terms import Boards
from grl.rules.english.sentences import English
from grl.rules.features.cases import Setting
from grl.rules.features.terms import asked_of
from grl.rules.features.turn_squares import FIRST_OF
from grl.rules.templates import POSITIONS, RELATIONS, TURNS
from grl.rules.templates.template import Template

LONGEST_NAME = 60


class Block(NamedTuple):
    """A predicate's definition with a comment."""

    name: str
    comment: str
    rules: str


class Definitions:
    """What has been defined so far for one game's features, in the order of need.

    `stock` lists the reserves there are by player and key.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        chains: bool = False,
        stock: Iterable[tuple[Player, str]] = (),
    ) -> None:
        self.setting = setting
        self.chains = chains
        self.names = Names(setting.equipment)
        self.english = English(setting.equipment)
        self.stock = sorted(stock or setting.equipment.stocked)
        self.blocks: dict[object, Block] = {}
        self.needs: set[str] = set()
        self.shifts: set[tuple[int, int]] = set()
        self._writers: dict[str, Writer] = {}
        self._taken: dict[str, object] = {}

    def text(self) -> str:
        """All definitions; what has a comment of its own stands in a paragraph of its own."""
        found = ""
        for block in self.blocks.values():
            rules = block.rules.strip()
            if block.name == "away":
                shifts = "; ".join(f"{dx},{dy}" for dx, dy in sorted(self.shifts))
                rules = f"shift({shifts}).\n{rules}"
            said = _comment(block.comment)
            if rules:
                found += f"\n\n{said}\n{rules}" if said else f"\n{rules}"
        return found.strip()

    def position(self, feature: Feature, world: str = "now") -> str:
        """The predicate ``f(W)`` of a feature of positions.

        It is asked of those before turns, `now`, or of those ``after`` them or ``midway``.
        """
        self.needs |= {f"reply {seat} {world}" for seat, _ in asked_of(feature)}
        return self._feature("position", feature, POSITIONS)

    def turn(self, feature: Feature, alive: str = "turn") -> str:
        """The predicate ``f(W,T)`` of a feature of turns.

        Relations between turns look at the turns in ``alive(W,T)``.
        """
        if feature[0] in RELATIONS:
            return self._feature("turn", feature, RELATIONS, alive)
        return self._feature("turn", feature, TURNS)

    def _feature(
        self, sort: str, feature: Feature, templates: Mapping[str, Template], *alive: str
    ) -> str:
        key = (sort, feature, *alive)
        found = self.blocks.get(key)
        if found is not None:
            return found.name
        define = templates[feature[0]].rules if feature[0] in templates else None
        if define is None:
            raise ModelError(f"no definition in ASP of the feature {feature[0]!r}")
        suffix = [name for name in alive if name != "turn"]
        name = self.name(key, "_".join([self.spelt(feature), *suffix]))
        rules = define(self, name, *alive, *feature[1:])
        said = self.english.position if sort == "position" else self.english.turn
        self.blocks[key] = Block(name, f"{name}: {said(feature, True)}.", rules)
        return name

    def name(self, key: object, wanted: str) -> str:
        """`wanted` as a predicate's name, made short, and numbered where another has it."""
        plain = constant(wanted)[:LONGEST_NAME].strip("_")
        name, number = plain, 1
        while self._taken.setdefault(name, key) != key:
            number += 1
            name = f"{plain}_{number}"
        return name

    def spelt(self, feature: Feature) -> str:
        """A readable name: the template and its arguments."""
        words: list[str] = []
        for argument in feature:
            if isinstance(argument, tuple):
                if argument and isinstance(argument[0], str):
                    words.append(self.spelt(argument))
                else:
                    words.append(str(len(argument)))
            elif isinstance(argument, int):
                words.append(str(argument).replace("-", "m"))
            elif argument in ("=", "<"):
                words.append("is" if argument == "=" else "below")
            elif argument is not feature[0] and is_content(self.setting.equipment, argument):
                words.append(self.names.content(argument))
            else:
                words.append(str(argument))
        return "_".join(words)

    def define(self, name: str, comment: str, rules: str) -> str:
        """Note a predicate that features rest on, unless it is known; gives its name back."""
        if name not in self.blocks:
            self.blocks[name] = Block(name, comment, _dedented(rules))
            self._taken[name] = name
        return name

    def known(self, name: str) -> bool:
        """Whether a predicate that features rest on is defined."""
        return name in self.blocks

    # Terms -----------------------------------------------------------------------------------

    def atom(self, when: str, term: Term) -> Atom:
        """The atom of a term on boards ``before`` or ``after`` turns, or ``now``."""
        writer = self._writers.setdefault(when, Writer(Boards(self, when), f"{when}_set"))
        known = set(writer.blocks)
        found = writer.define(term)
        for part, (atom, text) in writer.blocks.items():
            if part not in known:
                self.define(atom.name, f"{atom.name}: {part}", text)
        return found

    def given(self, row: str) -> str:
        """The literals that bind the variables of a row: of a position, or with a turn."""
        return "position(W)" if row == "W" else "option(W,U)"

    # Contents --------------------------------------------------------------------------------

    def of(self, content: str, mover: str, cell: str) -> str:
        """The literal: what is in a cell is of a content in the eyes of a player."""
        if _is_fixed(content):
            return f"{cell} = {self.names.content(content)}"
        return f"{self._class(content)}({mover},{cell})"

    def _class(self, content: str) -> str:
        name, kind = self.names.content(content), self.names.kind(type_in(content))
        seat = seat_of(content, len(self.names.player))
        if owner_in(content) == "neutral":
            rule = f"player(M), piece(C,{NOBODY},{kind})"
        elif seat is None:
            rule = f"player(M), player(P), piece(C,P,{kind}), P != M"
        elif seat == 0:
            rule = f"piece(C,M,{kind}), player(M)"
        else:
            rule = f"seat(M,{seat},P), piece(C,P,{kind})"
        return self.define(name, "", f"{name}(M,C) :- {rule}.")

    def on(self, content: str, position: str, square: str) -> str:
        """The literal: a square holds a content in a position, as its mover sees it."""
        if _is_fixed(content):
            return f"cell({position},{square},{self.names.content(content)})"
        kind = self._class(content)
        name = f"{kind}_on"
        self.define(
            name,
            "",
            f"{name}(W,S) :- mover(W,M), cell(W,S,C), {kind}(M,C).",
        )
        return f"{name}({position},{square})"

    def recall(self, role: str, back: int) -> None:
        """Ask for a square of the turn so many plies ago, and so of those after it; or for one of
        the last turn of the player to move."""
        self.needs |= {f"last {role} {each}" for each in range(1, back + 1) or [OWN]}
        self.needs.add(role.removesuffix("1"))

    def role(self, role: str, square: str = "S", turn: str = "T") -> str:
        """The literal: a square plays a role in a turn."""
        if role in FIRST_OF:
            self.needs.add(role)
            return f"{role}(W,{turn},{square})"
        if role == "captured":
            self.needs |= {"start", "end"}
            landed = "end(W,T,1,S), cell(W,S,C), C != empty, not start(W,T,1,S)"
            self.define(
                "captured",
                "The first segment of a turn ends on S, where a piece lay.",
                f"captured(W,T,S) :- {landed}.",
            )
            return f"captured(W,{turn},{square})"
        sort = "start" if role[0] == "s" else "end"
        self.needs.add(sort)
        return f"{sort}(W,{turn},{role[-1]},{square})"

    # The board -------------------------------------------------------------------------------

    def away(self, dx: int, dy: int) -> str:
        """The static relation ``away(S,DX,DY,T)``, defined for this displacement as well."""
        self.define("away", "", "away(S,X,Y,T) :- shift(X,Y), square(S,A,B), square(T,A+X,B+Y).")
        self.shifts.add((dx, dy))
        return "away"

    def seen(self) -> str:
        """The static relation ``seen(M,S,X,Y)``: file and rank as player M looks at the board."""
        width, height = self.setting.board.width, self.setting.board.height
        rules = []
        for player, frame in self.setting.frames.items():
            a, b, c, d = SYMMETRIES[frame]
            x = _along((a, "X", width), (b, "Y", width))
            y = _along((c, "X", height), (d, "Y", height))
            rules.append(f"seen({self.names.player[player]},S,{x},{y}) :- square(S,X,Y).")
        if set(self.setting.frames.values()) == {"identity"}:
            rules = ["seen(M,S,X,Y) :- player(M), square(S,X,Y)."]
        return self.define("seen", "File and rank as each player sees the board.", "\n".join(rules))

    def at(self, player: str, square: str, line: str, number: str) -> str:
        """The literal: file, rank, diagonal or colour of a square as a player sees it; its ring."""
        width, height = self.setting.board.width, self.setting.board.height
        numbered = {
            "colour": (r"(X+Y)\2+1", "Dark squares (1) and light ones, as each player sees them."),
            "wing": (f"|2*X-{width + 1}|/2+1", "How far files are from the middle, where it is 1."),
            "rising": (f"X-Y+{height}", "Rising diagonals, for each player from the far left on."),
            "falling": ("X+Y-1", "Falling diagonals, for each player from the near left on."),
        }
        if line in numbered:
            self.seen()
            number_of, said = numbered[line]
            self.define(line, said, f"{line}(M,S,{number_of}) :- seen(M,S,X,Y).")
            return f"{line}({player},{square},{number})"
        if line != "ring":
            self.seen()
            place = f"{number},_" if line == "file" else f"_,{number}"
            return f"seen({player},{square},{place})"
        names, rings = (
            self.names.squares,
            self.setting.grid.numbers(self.names.equipment.players[0], line).tolist(),
        )
        facts = [f"{names[s]},{rings[s]}" for s in self.setting.board.squares]
        self.define(
            "ring", "How far from the edge squares are, which is ring 1.", _facts("ring", facts)
        )
        return f"ring({square},{number})"

    def near(self, adjacency: str) -> str:
        """The static relation ``near_…(S,T)``: T is a neighbour of S."""
        name = f"near_{adjacency}"
        if adjacency == "links":
            self.link()
            return self.define(name, "", f"{name}(S,T) :- link(S,T).")
        for dx, dy in ADJACENCY[adjacency]:
            self.away(dx, dy)
        facts = "; ".join(f"{dx},{dy}" for dx, dy in ADJACENCY[adjacency])
        return self.define(
            name, "", f"{adjacency}({facts}).\n{name}(S,T) :- {adjacency}(X,Y), away(S,X,Y,T)."
        )

    def link(self) -> str:
        """The static relation ``link(S,T)`` of a board with links."""
        links = sorted(self.setting.board.links or ())
        names = self.names.squares
        return self.define(
            "link",
            "Steps go along links only.",
            _facts("link", [f"{names[a]},{names[b]}" for a, b in links]),
        )

    def bearing(self) -> str:
        """The static relation ``bearing(S,T,X,Y)``: the direction from S to T in lowest terms."""
        width, height = self.setting.board.width, self.setting.board.height
        ways = [
            f"{dx},{dy}"
            for dy in range(1 - height, height)
            for dx in range(1 - width, width)
            if gcd(dx, dy) == 1
        ]
        rule = (
            f"bearing(S,T,X,Y) :- direction(X,Y), square(S,A,B), square(T,A+X*N,B+Y*N), "
            f"N = 1..{max(width, height) - 1}."
        )
        return self.define("bearing", "Directions.", f"direction({'; '.join(ways)}).\n{rule}")

    def line(self) -> str:
        """The static relation ``way(D,S,T)``: T is the next square from S in a direction."""
        if self.setting.board.links is None:
            for dx, dy in DIRECTIONS:
                self.away(dx, dy)
            ways = (f"{name},{dx},{dy}" for name, (dx, dy) in zip(NAMES, DIRECTIONS, strict=True))
            rules = f"compass({'; '.join(ways)}).\nway(D,S,T) :- compass(D,X,Y), away(S,X,Y,T)."
        else:
            names, ahead = self.names.squares, self.setting.grid.ahead.tolist()
            rules = _facts(
                "way",
                [
                    f"{name},{names[s]},{names[t]}"
                    for name, following in zip(NAMES, ahead, strict=True)
                    for s, t in enumerate(following)
                    if t < self.setting.size
                ],
            )
        return self.define("way", "The next square in a direction.", rules)

    def follows(self) -> str:
        """The static relation ``follows(S,T)``: T is the next square in the order of squares."""
        squares = [self.names.squares[s] for s in self.setting.board.squares]
        pairs = [f"{a},{b}" for a, b in pairwise(squares)]
        return self.define("follows", "The squares in a row.", _facts("follows", pairs))

    def follows_way(self) -> str:
        """The static relation ``follows_way(D,S,E,T)``: of a direction and a square what is next,
        squares of a direction first."""
        self.follows()
        squares = self.setting.board.squares
        first, last = (self.names.squares[squares[i]] for i in (0, -1))
        turns = _facts("turns", [f"{a},{b}" for a, b in pairwise(NAMES)])
        numbers = _facts("succ", [f"{n},{n + 1}" for n in range(len(squares) * len(NAMES))])
        return self.define(
            "follows_way",
            "Squares by direction, one after another; there are as many numbers.",
            f"direction_name({'; '.join(NAMES)}).\n{turns}\n{numbers}\n"
            "follows_way(D,S,D,T) :- direction_name(D), follows(S,T).\n"
            f"follows_way(D,{last},E,{first}) :- turns(D,E).",
        )

    # Counts ----------------------------------------------------------------------------------

    def tally(
        self, name: str, key: str, domain: str, counted: str, *, directed: bool = False
    ) -> str:
        """The predicate ``name(key,N)``: N squares S satisfy the literal `counted`.

        `key` are the variables that `domain` binds. With `directed` directions D are counted, too.
        """
        here, there = ("D,S", "E,R") if directed else ("S", "R")
        if not self.chains:
            return self.define(
                name, "", f"{name}({key},N) :- {domain}, N = #count{{{here} : {counted}}}."
            )
        follows = self.follows_way() if directed else self.follows()
        first, last = (self.names.squares[self.setting.board.squares[i]] for i in (0, -1))
        way = {"D": Function(NAMES[0])} if directed else {}
        onward = {"D": Variable("E")} if directed else {}
        literal = read_literal(counted)
        at_first = literal.replaced(substitution({"S": Function(first), **way}))
        at_next = literal.replaced(substitution({"S": Variable("R"), **onward}))
        if directed:
            first, last = f"{NAMES[0]},{first}", f"{NAMES[-1]},{last}"
        upto = f"{name}_upto({key}"
        return self.define(
            name,
            f"{name}: counted from square to square.",
            f"""
            {upto},{first},0) :- {domain}, not {at_first}.
            {upto},{first},1) :- {domain}, {at_first}.
            {upto},{there},N) :- {upto},{here},N), {follows}({here},{there}), not {at_next}.
            {upto},{there},K) :- {upto},{here},N), {follows}({here},{there}), succ(N,K), {at_next}.
            {name}({key},N) :- {upto},{last},N).
            """,
        )

    def numbers(self) -> str:
        """The static relation ``number(N)``: 0 and what ``succ`` reaches."""
        return self.define("number", "", "number(0). number(N) :- succ(_,N).")


def _along(*parts: tuple[int, str, int]) -> str:
    """The term for a coordinate as a player sees it."""
    for sign, variable, length in parts:
        if sign:
            return variable if sign > 0 else f"{length + 1}-{variable}"
    raise AssertionError("a symmetry's row is never zero")


def _is_fixed(content: str) -> bool:
    """Whether a content is the same whoever looks."""
    return content == NOTHING or content[0] == "="


def _facts(name: str, arguments: Iterable[str]) -> str:
    """Facts, several a line."""
    lines, line = [], ""
    for fact in (f"{name}({a})." for a in arguments):
        if len(line) + len(fact) > 96:
            lines.append(line)
            line = ""
        line = f"{line} {fact}".strip()
    return "\n".join([*lines, line]) if line else "\n".join(lines)


def _dedented(rules: str) -> str:
    """Rules without the indentation that they have in Python."""
    return textwrap.dedent(rules).strip()


def _comment(text: str) -> str:
    return "\n".join(f"% {line}" for line in textwrap.wrap(text, 96)) if text else ""


def recalled(needs: Set[str]) -> list[tuple[str, int]]:
    """The squares of earlier turns that are asked for, each with the plies since."""
    return [(role, back) for role, back in _recalled(needs) if back != OWN]


def recalled_own(needs: Set[str]) -> list[str]:
    """The squares of each player's last turn that are asked for."""
    return [role for role, back in _recalled(needs) if back == OWN]


def _recalled(needs: Set[str]) -> list[tuple[str, int]]:
    found = (need.split() for need in needs if need.startswith("last "))
    return sorted((role, int(back)) for _, role, back in found)


def passed(needs: Set[str]) -> list[int]:
    """Of how many turns it is asked whether all were passes, in order."""
    return sorted(int(need.split()[1]) for need in needs if need.startswith("passed "))
