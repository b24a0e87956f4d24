"""Learned models of games for one player as environments of Gymnasium.

``gymnasium.make("grl.environments.single:grl/Single-v0", model=FILE)``, or `SingleEnv` itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.environments.nodes import MOST_ACTIONS, ActionGame, game_of
from grl.environments.planes import Array, Planes
from grl.errors import GrlError, MissingExtra
from grl.rulebook import Rulebook

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ImportError as error:
    raise MissingExtra(
        "models as environments of Gymnasium need the package gymnasium",
        found=str(error),
        hint="pip install 'grl[pettingzoo]'",
    ) from None

NAME = "grl/Single-v0"


class SingleEnv(gymnasium.Env[Array, np.int64]):
    """A game for one player. The reward comes with the end: the goal, from -1 to 1.

    `action_masks` and ``info["action_mask"]`` say what is legal. An illegal action ends the game
    with -1 and ``info["illegal"]``, which names it. Raises `GrlError` for a game of several
    players.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        model: ActionGame | Rulebook | str,
        *,
        most_actions: int = MOST_ACTIONS,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(model)
        if len(self.game.players) != 1:
            raise GrlError(
                f"{self.game.name} is no game for one player",
                found=", ".join(self.game.players),
                expected="one player",
                hint="grl.environments.aec has games of several players for PettingZoo",
            )
        self.planes = Planes(self.game)
        self.most_actions, self.render_mode = most_actions, render_mode
        self.observation_space = Box(0.0, 1.0, self.planes.shape, np.float32)
        self.action_space = Discrete(self.game.actions.size)
        self.node, self.played = self.game.initial, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin a game; there is no chance in it, so `seed` changes nothing."""
        super().reset(seed=seed, options=options)
        self.node, self.played = self.game.initial, 0
        return self.planes.of(self.node), self._info()

    def step(self, action: np.int64 | int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play an action: observation, reward, whether the game is over, or broken off, info."""
        if int(action) not in self.node.trie:
            said = self.game.actions.text(int(action))
            return self.planes.of(self.node), -1.0, True, False, self._info() | {"illegal": said}
        self.node, self.played = self.node.play(int(action)), self.played + 1
        over = self.node.over
        reward = self.node.returns()[0] if over else 0.0
        broken_off = not over and self.played >= self.most_actions
        return self.planes.of(self.node), reward, over, broken_off, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        mask = np.zeros(self.game.actions.size, dtype=np.bool_)
        mask[self.node.legal()] = True
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def render(self) -> str:
        """The board as text."""
        return str(self.node)


gymnasium.register(NAME, entry_point=f"{__name__}:{SingleEnv.__name__}")
