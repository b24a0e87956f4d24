"""Learned models as environments of PettingZoo, in which agents take turns.

An observation is a dict: ``observation``, an array as `grl.environments.planes` has it, and
``action_mask``, with a 1 for each action that is legal for the agent who is to move.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from grl.environments.nodes import MOST_ACTIONS, ActionGame, game_of
from grl.environments.planes import Planes
from grl.errors import MissingExtra
from grl.rulebook import Rulebook

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise MissingExtra(
        "models as environments of PettingZoo need the package pettingzoo",
        found=str(error),
        hint="pip install 'grl[pettingzoo]'",
    ) from None

Source = ActionGame | Rulebook | str | os.PathLike[str]


def env(model: Source, *, most_actions: int = MOST_ACTIONS, render_mode: str | None = None) -> Any:
    """The environment of a model, or of a model file; truncated after so many actions.

    With the usual wrappers: an agent whose action is illegal gets -1 and the game is over.
    """
    inner = wrappers.TerminateIllegalWrapper(
        raw_env(model, most_actions=most_actions, render_mode=render_mode), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801
    """The environment alone: an illegal action raises `IllegalTurn`."""

    def __init__(
        self, model: Source, *, most_actions: int = MOST_ACTIONS, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = game_of(model)
        self.planes = Planes(self.game)
        self.most_actions, self.render_mode = most_actions, render_mode
        self.metadata = {
            "name": f"grl_{self.game.name}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = list(self.game.players)
        self.node, self.played = self.game.initial, 0
        size = self.game.actions.size
        self.action_spaces = {agent: Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0.0, 1.0, self.planes.shape, np.float32),
                    "action_mask": Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions, the same for all agents."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; only the one to move has legal actions."""
        mask = np.zeros(self.game.actions.size, dtype=np.int8)
        if agent == self.agent_selection and self.agents and not self._done():
            mask[self.node.legal()] = 1
        return {"observation": self.planes.of(self.node), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; there is no chance in it, so `seed` changes nothing."""
        del seed, options
        self.agents = list(self.possible_agents)
        self.node, self.played = self.game.initial, 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self.agent_selection = self.possible_agents[self.node.mover]

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; raises `IllegalTurn`."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.node, self.played = self.node.play(int(action or 0)), self.played + 1
        if self._done():
            self.rewards = dict(zip(self.possible_agents, self.node.returns(), strict=True))
            over = self.node.over
            self.terminations = dict.fromkeys(self.agents, over)
            self.truncations = dict.fromkeys(self.agents, not over)
        self.agent_selection = self.possible_agents[self.node.mover]
        self._accumulate_rewards()

    def _done(self) -> bool:
        return self.node.over or self.played >= self.most_actions

    def render(self) -> str:
        """The board as text."""
        return str(self.node)

    def close(self) -> None:
        """Nothing is open."""
