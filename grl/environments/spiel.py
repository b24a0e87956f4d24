"""Learned models as games of OpenSpiel: ``pyspiel.load_game("python_grl(model=FILE)")``.

Importing this module registers the game. `load` spares whoever calls it the string.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from grl.environments.nodes import MOST_ACTIONS, ActionGame, Node, open_game
from grl.environments.planes import Planes
from grl.errors import GrlError, MissingExtra

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise MissingExtra(
        "models as games of OpenSpiel need the package open_spiel",
        found=str(error),
        hint="pip install 'grl[openspiel]'",
    ) from None

NAME = "python_grl"
MOST_PLAYERS = 8
_PARAMETERS = {"model": "", "max_game_length": MOST_ACTIONS}


def load(model: str | os.PathLike[str], max_game_length: int = MOST_ACTIONS) -> Any:
    """The game of a model file; it is broken off, and drawn, after so many actions.

    Raises `GrlError` where the file is no model.
    """
    return pyspiel.load_game(NAME, {"model": os.fspath(model), "max_game_length": max_game_length})


def _game_type(name: str, players: int | None, total: float | None) -> Any:
    """What OpenSpiel wants to know of the kind of game; `players` None is any number of them."""
    utilities = pyspiel.GameType.Utility
    constant = utilities.ZERO_SUM if total == 0 else utilities.CONSTANT_SUM
    return pyspiel.GameType(
        short_name=NAME,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utilities.GENERAL_SUM if total is None else constant,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players or MOST_PLAYERS,
        min_num_players=players or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
    )


class GrlGame(pyspiel.Game):  # type: ignore[misc]
    """A model as OpenSpiel sees it."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        if not chosen["model"]:
            raise GrlError(f"{NAME} needs a model", expected=f"{NAME}(model=FILE)")
        self.actions: ActionGame = open_game(chosen["model"])
        self.planes = Planes(self.actions)
        players, total = len(self.actions.players), self.actions.total
        super().__init__(
            _game_type(f"{self.actions.name}, learned by grl", players, total),
            pyspiel.GameInfo(
                num_distinct_actions=self.actions.actions.size,
                max_chance_outcomes=0,
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=total,
                max_game_length=chosen["max_game_length"],
            ),
            dict(params or {}),
        )

    def new_initial_state(self, state: object = None) -> GrlState:
        """Where a game begins; states from outside can't be given."""
        if state is not None:
            raise GrlError("a game begins at its beginning", found=repr(state)[:40])
        return GrlState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What makes tensors and strings of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return GrlObserver(self.planes)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GrlState(pyspiel.State):  # type: ignore[misc]
    """A state; `node` is its immutable content."""

    def __init__(self, game: GrlGame) -> None:
        super().__init__(game)
        self.node: Node = game.actions.initial
        self._left = game.max_game_length()

    def current_player(self) -> int:
        """The place of the player to move among the players."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.node.mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal() if player == self.node.mover else []

    def _apply_action(self, action: int) -> None:
        self.node = self.node.play(action)
        self._left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.node.game.actions.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over, or broken off."""
        return self._left <= 0 or self.node.over

    def returns(self) -> list[float]:
        """-1 to 1 for each player once the game is over."""
        if not self.is_terminal():
            return [0.0] * len(self.node.game.players)
        return self.node.returns()

    def __str__(self) -> str:
        return str(self.node)


class GrlObserver:
    """States as tensors and strings, the same for all players."""

    def __init__(self, planes: Planes) -> None:
        self._planes = planes
        self.tensor = np.zeros(int(np.prod(planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(planes.shape)}

    def set_from(self, state: GrlState, player: int) -> None:
        """Write a state into `tensor`, and so into `dict`."""
        del player
        self.dict["observation"][:] = self._planes.of(state.node)

    def string_from(self, state: GrlState, player: int) -> str:
        """A state as text."""
        del player
        return str(state.node)


pyspiel.register_game(_game_type("A game learned by grl", None, None), GrlGame)
