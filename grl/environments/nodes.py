"""A game in actions: states with the part of a turn that is chosen already, and what may follow."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from grl.engine.engine import State
from grl.environments.actions import Action, Actions, Trie
from grl.errors import GrlError, IllegalTurn, Place
from grl.rulebook import Rulebook, load, utility

MOST_ACTIONS = 1_000
"""Where nobody says otherwise a game is broken off after so many actions."""


class ActionGame:
    """A model on its fast engine, played by actions."""

    def __init__(self, rulebook: Rulebook, path: Path | None = None) -> None:
        self.rulebook, self.path = rulebook, path
        self.name = rulebook.model.game
        self.players = tuple(map(str, rulebook.model.equipment.players))
        self.actions = Actions(rulebook.model)
        self.engine = rulebook.engine()

    def __reduce__(self) -> tuple[Any, ...]:
        """Read again where it was read from a file, else made from the model."""
        if self.path is not None:
            return open_game, (self.path,)
        return ActionGame, (self.rulebook,)

    @cached_property
    def initial(self) -> Node:
        """Where a game begins."""
        return Node(self, self.engine.initial)

    @cached_property
    def total(self) -> float | None:
        """What the utilities of all players add up to, from -1 to 1 each; None where that differs.

        A player alone has nothing that adds up.
        """
        rules = self.rulebook.model.rules
        endings = rules.endings if rules is not None else ()
        if len(self.players) < 2 or any(rule.counted for rule in endings):
            return None
        totals = {sum(map(utility, rule.fixed)) for rule in endings}
        if len(totals) > 1:
            return None
        return totals.pop() if totals else 0.0


class Node:
    """A state of a game in actions: immutable, to be shared and copied freely.

    `state` is the engine's at the beginning of the turn, `begun` the actions of the turn chosen so
    far, and `before` the state of the turn before.
    """

    __slots__ = ("_trie", "before", "begun", "game", "line", "state")

    def __init__(
        self,
        game: ActionGame,
        state: State,
        before: str | None = None,
        begun: tuple[Action, ...] = (),
        trie: Trie | None = None,
    ) -> None:
        self.game, self.state, self.before, self.begun = game, state, before, begun
        self._trie = trie

    @property
    def trie(self) -> Trie:
        """What may be chosen next."""
        if self._trie is None:
            self._trie = self.game.actions.trie(self.state)
        return self._trie

    @property
    def over(self) -> bool:
        """Whether the game is over by the rules."""
        return not self.begun and self.state.over

    @property
    def mover(self) -> int:
        """The place of the player to move."""
        return self.state.mover

    def legal(self) -> list[Action]:
        """The legal actions in ascending order; none where the game is over."""
        return sorted(self.trie)

    def play(self, action: Action) -> Node:
        """The node after an action; raises `IllegalTurn` for one that is not legal."""
        found = self.trie.get(action)
        if found is None:
            raise IllegalTurn(
                f"action {action} is not legal here",
                expected=f"one of the {len(self.trie)} legal actions",
                place=Place(rows=tuple(self.state.position().rows)),
            )
        if isinstance(found, int):
            return Node(self.game, self.state.play(found), self.state.cells)
        return Node(self.game, self.state, self.before, (*self.begun, action), found)

    def turn(self, action: Action) -> str | None:
        """The turn that an action completes, as text; None where a further action is needed."""
        found = self.trie.get(action)
        return self.state.turns()[found] if isinstance(found, int) else None

    def returns(self) -> list[float]:
        """The utilities of all players, -1 to 1, where the game is over.

        Before its end, where it is broken off, and where the model knows no goals, each has an
        equal share of what they add up to.
        """
        goals = self.state.goals() if self.over else {}
        players = self.game.players
        if not goals:
            return [(self.game.total or 0.0) / len(players)] * len(players)
        return [utility(goal) for goal in goals.values()]

    def __str__(self) -> str:
        text = str(self.state.position())
        chosen = " ".join(map(self.game.actions.text, self.begun))
        return f"{text}, {chosen} so far" if chosen else text

    def __deepcopy__(self, _: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as plain data: the position, with its game before, and the actions since."""
        position = self.state.position().to_dict(trail=True)
        return partial(_restored, self.game), (position, self.before, self.begun)


def _restored(
    game: ActionGame, position: Mapping[str, Any], before: str | None, begun: tuple[Action, ...]
) -> Node:
    node = Node(game, game.engine.state(game.rulebook.position(**position)), before)
    for action in begun:
        node = node.play(action)
    return node


def open_game(model: str | os.PathLike[str]) -> ActionGame:
    """The game of a model file, read once as long as the file stays as it is; raises `GrlError`."""
    path = Path(model).resolve()
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise GrlError(
            "the model can't be read", found=error.strerror or "", place=Place(file=str(model))
        ) from None
    return _opened(path, changed)


@lru_cache(maxsize=32)
def _opened(path: Path, changed: int) -> ActionGame:
    """The game of a file that was changed last at a time, which makes it another one."""
    del changed
    return ActionGame(load(path), path)


def game_of(model: ActionGame | Rulebook | str | os.PathLike[str]) -> ActionGame:
    """The game of a model, or of a model file."""
    if isinstance(model, ActionGame):
        return model
    return ActionGame(model) if isinstance(model, Rulebook) else open_game(model)
