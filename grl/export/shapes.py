"""What can be said of a model's turns whatever lies on the board: how long they are, and twins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from grl.board import EMPTY, Player, Square
from grl.errors import ModelError
from grl.later import Later
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.turn import Kind, Letter

nx = Later("networkx")
Node = tuple[AutomatonKey, StateId, Square]
MOST_STEPS = 400_000
LONGEST = 300
"""Letters walked in search of twins, and letters of one turn; of more it is assumed: there are."""
START = StateId(0)
Contents = frozenset[str]
"""What a square may hold, as far as is known: keys of pieces, and ``.``."""


class Shapes:
    """The ways in which hands can go about a model's board."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.board = model.equipment.board
        self._steps = 0

    def onward(self, dfa: Dfa, state: StateId, square: Square) -> Iterator[tuple[Letter, Node]]:
        """Each letter from a state, and where it leads."""
        for letter, target in dfa.successors[state]:
            if letter.fly:
                for other in self.board.squares:
                    if other != square:
                        yield letter, (dfa.key, target, other)
            elif letter.kind is Kind.APPEAR:
                heir = AutomatonKey(dfa.key.mover, letter.piece, Role.APPEARED)
                if heir in self.model.automaton:
                    yield letter, (heir, START, square)
            elif letter.kind in (Kind.REMOVE, Kind.RESERVE):
                yield letter, (dfa.key, target, square)
            else:
                there = self.board.step(square, letter.dx, letter.dy)
                if there is not None:
                    yield letter, (dfa.key, target, there)

    @cached_property
    def graph(self) -> Any:
        """The squares and states, joined by letters."""
        graph = nx.MultiDiGraph()
        for dfa in self.model.automata:
            for state in dfa.successors:
                for square in self.board.squares:
                    for letter, target in self.onward(dfa, state, square):
                        graph.add_edge((dfa.key, state, square), target, on=letter.on)
        return graph

    def _joined(self, kinds: str) -> Any:
        """The graph of the letters of these kinds alone."""
        return nx.DiGraph((a, z) for a, z, on in self.graph.edges(data="on") if on in kinds)

    @cached_property
    def endless(self) -> bool:
        """Whether a hand can go in a circle."""
        return not nx.is_directed_acyclic_graph(self.graph)

    @cached_property
    def circular(self) -> frozenset[Node]:
        """Where a hand can come by again without having changed anything, by steps over pieces.

        Raises `ModelError` where it can do so without passing over any piece: too many words.
        """
        quiet = self._joined("ewpnar")
        circles = [part for part in nx.strongly_connected_components(quiet) if len(part) > 1]
        circle = {node: number for number, part in enumerate(circles) for node in part}
        if not nx.is_directed_acyclic_graph(self._joined("ear")) or any(
            on in "ar" and a in circle and circle[a] == circle.get(z)
            for a, z, on in self.graph.edges(data="on")
        ):
            raise ModelError(
                f"the model of {self.model.game} can't be written as a program",
                found="an automaton whose words go round in a circle and remove nothing",
                expected="pieces that get nowhere twice in a turn unless they remove something "
                "or pass over other pieces",
            )
        return frozenset(circle)

    def _quiet(self) -> int:
        """The most letters in a row that remove nothing and come to no state and square twice."""
        if not self.circular:
            return int(nx.dag_longest_path_length(self._joined("ewpnar")))
        free = int(nx.dag_longest_path_length(self._joined("ear")))
        entries = max(
            len({(z, letter.on) for _, letter, z in dfa.transitions if letter.on in "wpn"})
            for dfa in self.model.automata
        )
        over = "".join({on for _, _, on in self.graph.edges(data="on") if on in "wpn"})
        return entries * self._most(over) * (free + 1) + free

    def longest(self) -> int:
        """No turn from the initial position has more letters, segments' beginnings counted too."""
        quiet = self._quiet()
        if self.endless:
            most = self._removals()
            word = most * (quiet + 1) + quiet
        else:
            word = nx.dag_longest_path_length(nx.DiGraph(self.graph))
        return int(self.model.segments * (word + 2))

    def _removals(self) -> int:
        """How many pieces one word can remove: an opponent's only, where each was stepped on."""
        if not any(
            letter.kind is Kind.REMOVE
            for dfa in self.model.automata
            for _, letter, _ in dfa.transitions
        ):
            return 0
        sure = all(self._after_opponents(dfa) for dfa in self.model.automata)
        return self._most("p" if sure else "wpn")

    def _most(self, kinds: str) -> int:
        """How many pieces of these kinds a player sees in the initial position and in reserve."""
        keys = [*self.model.initial.cells]
        keys += [key for _, key, count in self.model.initial.stock for _ in range(count)]
        views = self.model.equipment.views.values()
        return max(sum(view.get(key, "") in [*kinds] for key in keys) for view in views)

    @staticmethod
    def _after_opponents(dfa: Dfa) -> bool:
        into: dict[StateId, set[str]] = {}
        for _, letter, target in dfa.transitions:
            into.setdefault(target, set()).add(letter.on)
        removing = [source for source, letter, _ in dfa.transitions if letter.kind is Kind.REMOVE]
        return all(source != START and into.get(source) == {"p"} for source in removing)

    def twins(self) -> bool:
        """Whether two turns from one square may leave the same on some board.

        What effects bring about is not looked at: any two words may come to the same by them.
        """
        if self.endless or self.longest() > LONGEST:
            return True
        self._steps = 0
        for dfa in self.model.automata:
            if dfa.key.role is not Role.FIRST:
                continue
            for square in self.board.squares:
                left_by: dict[object, list[dict[Square, Contents]]] = {}
                for left_so, seen in self._turns(dfa, square):
                    others = left_by.setdefault(() if self.model.effects else left_so, [])
                    if any(_agree(seen, other) for other in others):
                        return True
                    others.append(seen)
                if self._steps > MOST_STEPS:
                    return True
        return False

    def _turns(self, dfa: Dfa, square: Square) -> Iterator[tuple[object, dict[Square, Contents]]]:
        """What all words from a square leave, each with what the board must hold for it."""
        yield from self._begun(dfa, square, {}, {}, 1)

    def _begun(
        self,
        dfa: Dfa,
        square: Square,
        put: dict[Square, str],
        seen: dict[Square, Contents],
        number: int,
    ) -> Iterator[tuple[object, dict[Square, Contents]]]:
        holds = dfa.key.holds
        if square in put:
            if put[square] != holds:
                return
        elif square in seen and holds not in seen[square]:
            return
        else:
            seen = {**seen, square: frozenset({holds})}
        if holds == EMPTY:
            yield from self._walks(dfa, START, square, "", False, put, seen, number)
            return
        bare = {**put, square: EMPTY}
        for letter, target in dfa.successors[START]:
            if letter.kind is Kind.REMOVE:
                yield from self._walks(dfa, target, square, "", True, bare, seen, number)
        yield from self._walks(dfa, START, square, holds, True, bare, seen, number)

    def _walks(
        self,
        dfa: Dfa,
        state: StateId,
        square: Square,
        held: str,
        acted: bool,
        put: dict[Square, str],
        seen: dict[Square, Contents],
        number: int,
    ) -> Iterator[tuple[object, dict[Square, Contents]]]:
        self._steps += 1
        if self._steps > MOST_STEPS:
            return
        down = {**put, square: held} if held else put
        if acted and state in dfa.accepting:
            yield tuple(sorted(down.items())), seen
        if acted and state in dfa.continuing and number < self.model.segments:
            for heir in self.model.automata:
                if heir.key.role is Role.LATER and heir.key.mover == dfa.key.mover:
                    for other in self.board.squares:
                        yield from self._begun(heir, other, down, seen, number + 1)
        for letter, (key, target, there) in self.onward(dfa, state, square):
            heir = self.model.automaton[key]
            after, known, hand = put, seen, held
            if letter.kind in (Kind.STEP, Kind.REMOVE):
                wanted = self._contents[
                    dfa.key.mover, "wpn" if letter.kind is Kind.REMOVE else letter.on
                ]
                if there in put:
                    if put[there] not in wanted:
                        continue
                else:
                    wanted &= seen.get(there, wanted)
                    if not wanted:
                        continue
                    known = {**seen, there: wanted}
            if letter.kind is Kind.REMOVE:
                after = {**put, there: EMPTY}
            elif letter.kind is Kind.APPEAR:
                after = {**put, there: held} if held else put
                hand = letter.piece
            done = acted or letter.kind is not Kind.STEP
            yield from self._walks(heir, target, there, hand, done, after, known, number)

    @cached_property
    def _contents(self) -> dict[tuple[Player, str], Contents]:
        """What a square may hold that a player sees as of a kind, or as a piece of any kind."""
        return {
            (player, kinds): frozenset(key for key, kind in view.items() if kind in kinds)
            for player, view in self.model.equipment.views.items()
            for kinds in ("e", "w", "p", "n", "wpn")
        }


def _agree(one: dict[Square, Contents], other: dict[Square, Contents]) -> bool:
    """Whether one board may satisfy both."""
    return all(
        not contents.isdisjoint(other[square])
        for square, contents in one.items()
        if square in other
    )
