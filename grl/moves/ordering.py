"""Zero machines and ties within a position's planning problem.

A letter that completes an action of the turn's plan leaves that action *due* and takes ``quiet``
away, which every further letter needs. What is due is noted by a chain of small actions, one for
each thing that LOCM says of it: that the earlier actions tied to it left it these squares, where
each zero machine goes, and which squares to remember. The last one gives ``quiet`` back. Where
something doesn't fit the chain stops, and the turn with it. A chain leaves no choice, so it makes
turns longer and no further ones; one long action would need a variant for every combination, and
more squares than a planner can ground.

Machines and ties belong to what the turn's origin holds, so there is a chain for each of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grl.board import Player
from grl.locm.domain import Argument, Atom, Fact, Schema
from grl.model import Model, Role, Tie
from grl.moves.turn_order import order_of, orders

SQUARE = "square"
QUIET = Atom("quiet", ())
ENDED = Atom("ended", ())


class Way(NamedTuple):
    """One way through a stage of a chain; `squares` counts its arguments."""

    squares: int
    needs: tuple[Atom, ...] = ()
    deletes: tuple[Atom, ...] = ()
    adds: tuple[Atom, ...] = ()


Stage = Sequence[Way]


class Ordering:
    """What LOCM says of the mover's turns. Without any machine, actions are not written at all."""

    def __init__(self, model: Model, mover: Player) -> None:
        found = orders(model)
        self.on = any(player == mover for player, _ in found)
        self.number = {
            holds: number
            for number, holds in enumerate(
                dfa.key.holds
                for dfa in model.automata
                if dfa.key.mover == mover and dfa.key.role is Role.FIRST
            )
        }
        each = [found.get((mover, holds), order_of((), ())) for holds in self.number]
        self.zero = [order.zero for order in each]
        self.ties = [tuple(tie for ties in order.ties.values() for tie in ties) for order in each]
        self.tied: dict[str, set[int]] = {}
        """The argument positions of each action, from 1, that some tie speaks of."""
        for tie in (tie for ties in self.ties for tie in ties):
            self.tied.setdefault(tie.before, set()).add(tie.first)
            self.tied.setdefault(tie.after, set()).add(tie.second)
        self._actions: set[str] = set()

    def facts(self) -> Iterator[Fact]:
        """What holds before the turn."""
        yield (QUIET.predicate,)
        for number in self.number.values():
            for at in range(len(self.zero[number])):
                yield (_state(number, at, None).predicate,)
            for tie in self.ties[number]:
                yield (_since(number, tie, no=True).predicate,)
                yield (_unset(number, tie.before, tie.first).predicate,)

    def turn(self, holds: str) -> Atom:
        """That the turn began where this lies."""
        return Atom(f"turn_{self.number[holds]}", ())

    def due(self, action: str, *args: Argument) -> list[Atom]:
        """What a letter that completes an action adds: the first stage of its chain."""
        if not self.on:
            return [QUIET]
        self._actions.add(action)
        tied = self.tied.get(action, set())
        named = [Atom(_argument(i), (arg,)) for i, arg in enumerate(args, 1) if i in tied]
        return [Atom(f"due_{action}_0", ()), *named]

    def closing(self) -> Atom:
        """What holds when the hand was put down for good."""
        return Atom("closing_0", ()) if self.on else ENDED

    def schemas(self) -> Iterator[Schema]:
        """The chains of all actions that were `due` somewhere, and of the end of the turn."""
        if not self.on:
            return
        for holds, number in self.number.items():
            turn = self.turn(holds)
            for action in sorted(self._actions):
                stages = [*self._checks(number, action), *self._memories(number, action)]
                last = self._noted(number, action)
                yield from _chain(turn, f"note_{number}", f"due_{action}", [*stages, [last]])
            yield from _chain(turn, f"close_{number}", "closing", [*self._ends(number)])

    def _checks(self, number: int, action: str) -> Iterator[Stage]:
        """The squares that earlier actions left it, and where the zero machines go."""
        for tie in self.ties[number]:
            if tie.after == action:
                left = _argument(tie.second), _was(number, tie.before, tie.first)
                same = (_since(number, tie), *(Atom(name, (0,)) for name in left))
                yield [Way(1, same), Way(0, (_since(number, tie, no=True),))]
        for at, machine in enumerate(self.zero[number]):
            if machine.whole or action in machine.actions:
                yield [
                    _moved(_state(number, at, before), _state(number, at, target))
                    for source, name, _, target in machine.transitions
                    if name == action
                    for before in ([source, None] if source in machine.initial else [source])
                ]

    def _memories(self, number: int, action: str) -> Iterator[Stage]:
        """Its squares are remembered where a tie begins in them, and forgotten otherwise."""
        begun = {tie.first for tie in self.ties[number] if tie.before == action}
        for position in sorted(self.tied.get(action, ())):
            given = Atom(_argument(position), (0,))
            if position not in begun:
                yield [Way(1, (given,), (given,))]
                continue
            was = Atom(_was(number, action, position), (0,))
            unset = _unset(number, action, position)
            yield [Way(0, (unset,), (unset,)), Way(1, (was,), (was,))]
            yield [Way(1, (given,), (given,), (was,))]

    def _noted(self, number: int, action: str) -> Way:
        """What later actions may ask: whether they are the first since this one."""
        ties = self.ties[number]
        begun = [tie for tie in ties if tie.before == action]
        over = [tie for tie in ties if tie.after == action != tie.before]
        adds = [_since(number, tie) for tie in begun]
        adds += [_since(number, tie, no=True) for tie in over]
        deletes = [_since(number, tie, no=True) for tie in begun]
        deletes += [_since(number, tie) for tie in over]
        return Way(0, (), tuple(dict.fromkeys(deletes)), tuple(dict.fromkeys([*adds, QUIET])))

    def _ends(self, number: int) -> Iterator[Stage]:
        """Each zero machine is where a turn may end; one that saw nothing has no objection."""
        for at, machine in enumerate(self.zero[number]):
            unseen = [] if machine.whole else [None]
            states = [_state(number, at, state) for state in [*sorted(machine.final), *unseen]]
            yield [Way(0, (state,)) for state in states]
        yield [Way(0, (), (), (ENDED,))]


def _chain(turn: Atom, name: str, token: str, stages: Sequence[Stage]) -> Iterator[Schema]:
    """The actions of a chain; `token` with a number says how far it has come."""
    for at, stage in enumerate(stages):
        here = Atom(f"{token}_{at}", ())
        onward = (Atom(f"{token}_{at + 1}", ()),) if at + 1 < len(stages) else ()
        for count, way in enumerate(stage):
            yield Schema(
                f"{name}_{token}_{at}_{count}",
                (SQUARE,) * way.squares,
                (here, turn, *way.needs),
                (here, *way.deletes),
                (*onward, *way.adds),
            )


def _moved(before: Atom, after: Atom) -> Way:
    """A machine goes from one state to another, or stays."""
    return Way(0, (before,), *(((before,), (after,)) if before != after else ()))


def _state(number: int, at: int, state: int | None) -> Atom:
    return Atom(f"order_{number}_{at}_{'none' if state is None else state}", ())


def _since(number: int, tie: Tie, *, no: bool = False) -> Atom:
    """Whether `before` of the tie has come since the last `after`."""
    return Atom(f"{'not_' if no else ''}since_{number}_{tie.before}_{tie.after}", ())


def _was(number: int, action: str, position: int) -> str:
    return f"was_{number}_{action}_{position}"


def _unset(number: int, action: str, position: int) -> Atom:
    return Atom(f"not_{_was(number, action, position)}", ())


def _argument(position: int) -> str:
    return f"argument_{position}"
