"""What LOCM says of turns: the machines and ties that order them, asked for each action.

Those are asked that bind (`grl.moves.binding`); where automata don't say how segments follow one
another, all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grl.board import Player
from grl.locm.actions import Action, Pending
from grl.model import Machine, Model, StateId, Tie


class Progress(NamedTuple):
    """How far a turn has come.

    `states` has the state of each zero machine, None before the first action that it sees; `last`
    the actions so far that ties speak of, each the last time it occurred, the most recent first.
    """

    states: tuple[StateId | None, ...] = ()
    pending: Pending | None = None
    last: tuple[Action, ...] = ()


class Order(NamedTuple):
    """What LOCM says of the turns of one piece: zero machines, and ties by their second action."""

    zero: tuple[Machine, ...]
    ties: Mapping[str, tuple[Tie, ...]]
    remembered: frozenset[str]

    @property
    def began(self) -> Progress:
        """Before the first action."""
        return Progress((None,) * len(self.zero))


def orders(model: Model, *, idle: bool = False) -> dict[tuple[Player, str], Order]:
    """What binds turns, by mover and by what the turn's origin holds; with `idle` all there is."""
    found: dict[tuple[Player, str], tuple[list[Machine], list[Tie]]] = {}
    for machine in model.machines:
        zero, ties = found.setdefault((machine.mover, machine.piece), ([], []))
        zero += [machine] if machine.sort == "zero" and (machine.binding or idle) else []
        ties += [*machine.ties, *(machine.idle_ties if idle else ())]
    return {key: order_of(*each) for key, each in found.items() if idle or any(each)}


def order_of(zero: Iterable[Machine], ties: Iterable[Tie]) -> Order:
    """Some zero machines and ties together."""
    by_name: dict[str, list[Tie]] = {}
    for tie in ties:
        by_name.setdefault(tie.after, []).append(tie)
    remembered = {
        name for tied in by_name.values() for tie in tied for name in (tie.before, tie.after)
    }
    return Order(
        tuple(zero), {k: tuple(tied) for k, tied in by_name.items()}, frozenset(remembered)
    )


def followed(
    order: Order | None,
    progress: Progress,
    actions: Iterable[Action],
    pending: Pending | None,
) -> Progress | None:
    """The progress after `actions`, or None where a machine or a tie doesn't allow them."""
    if order is None:
        return Progress((), pending)
    states, last = progress.states, progress.last
    for action in actions:
        if not _tied(order, last, action):
            return None
        moved = [
            machine.after(state, action.name)
            if machine.whole or action.name in machine.actions
            else state
            for machine, state in zip(order.zero, states, strict=True)
        ]
        for machine, state in zip(order.zero, moved, strict=True):
            if state is None and (machine.whole or action.name in machine.actions):
                return None
        states = tuple(moved)
        if action.name in order.remembered:
            last = (action, *(a for a in last if a.name != action.name))
    return Progress(states, pending, last)


def _tied(order: Order, last: tuple[Action, ...], action: Action) -> bool:
    """Whether `action` takes up the squares that earlier actions left it."""
    ties = order.ties.get(action.name)
    if not ties:
        return True
    for before in last:
        for tie in ties:
            if tie.before == before.name and tie.broken(before.args, action.args):
                return False
        if before.name == action.name:
            break
    return True


def completed(order: Order | None, progress: Progress) -> bool:
    """Whether a turn may end here; a machine that saw no action has no objection."""
    return order is None or all(
        state in machine.final or (state is None and not machine.whole)
        for machine, state in zip(order.zero, progress.states, strict=True)
    )
