"""What machines and ties say of a path, asked once for each letter of a tree."""

from __future__ import annotations

from grl.locm.actions import Action, Pending
from grl.moves.search import Order, Progress


def followed(
    order: Order | None,
    progress: Progress,
    actions: tuple[Action, ...],
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
    for before in last:
        for tie in order.ties.get(action.name, ()):
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
