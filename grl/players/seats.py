"""Players as people name them: ``random``, ``mtdf:seconds=1``, ``uct:nodes=5000``, ``person``,
``swift:nodes=1000,evaluation=fuzzy``, ``strategy:FILE``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from grl.board import Player
from grl.engine.engine import State
from grl.errors import GrlError
from grl.players import AGENTS, agent
from grl.players.evaluations import NAMES, NONE, Judging
from grl.players.interface import Agent, Answer, Budget, Game
from grl.players.strategy import read_strategy

PERSON = "person"
CHANCE = "random"
STRATEGY = "strategy"
SECONDS = 1.0
"""What a player may think about a turn where nobody says otherwise."""
FORM = "NAME, NAME:KEY=VALUE,… with seconds, nodes, depth or evaluation as KEY, or strategy:FILE"


@dataclass(frozen=True)
class Seat:
    """A player with its budget; `agent` is None for a person. `spec` is the text it was read
    from; where that names a file `digest` stands for what is in it."""

    spec: str
    agent: Agent | None
    budget: Budget
    digest: str = ""

    @property
    def identity(self) -> str:
        """A text that differs for any other player."""
        return f"{self.spec} {self.digest}".rstrip()

    def choose(self, game: Game, state: State, seed: int) -> Answer:
        """The turn of a seat that is no person's."""
        assert self.agent is not None
        return self.agent.choose(game, state, self.budget, seed)


def seat(text: str, *, person: bool = False) -> Seat:
    """The seat that a text names, a person's only where `person` says so.

    Without a budget a player has `SECONDS`. Raises `GrlError` for any other text.
    """
    name, _, rest = text.strip().partition(":")
    if name == PERSON and person:
        if rest:
            raise GrlError("a person has no budget", found=text)
        return Seat(PERSON, None, Budget())
    if name == STRATEGY:
        return _strategy(text.strip(), rest)
    if name not in AGENTS:
        names = [*([PERSON] if person else []), *AGENTS, f"{STRATEGY}:FILE"]
        raise GrlError(f"there is no player {name!r}", expected=f"one of {', '.join(names)}")
    budget, judged = _options(rest, text) if rest else (Budget(), NONE)
    if judged != NONE and name == CHANCE:
        raise GrlError(f"{CHANCE} has no use for an evaluation", found=text)
    if budget == Budget():
        budget = Budget(seconds=SECONDS)
    return Seat(text.strip(), agent(name) if judged == NONE else Judging(name, judged), budget)


def _strategy(text: str, file: str) -> Seat:
    """The seat of a strategy, which takes what time it needs."""
    if not file:
        raise GrlError("a strategy without a file", found=text, expected=f"{STRATEGY}:FILE")
    agent = read_strategy(Path(file))
    return Seat(text, agent, Budget(), sha256(agent.program.encode()).hexdigest()[:16])


def seats(text: str) -> list[Seat]:
    """Several seats with commas between them: ``random,uct:nodes=5000,depth=9,mtdf``."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in part and ":" not in part:
            parts[-1] += "," + part
        else:
            parts.append(part)
    return [seat(part) for part in parts]


def seating(
    players: Sequence[Player], named: Sequence[str], others: Mapping[Player, Seat]
) -> dict[Player, Seat]:
    """Who sits where: `others`, but for the seats that texts such as ``white=mtdf`` name."""
    found = dict(others)
    for text in named:
        player, _, spec = text.partition("=")
        if player not in players:
            raise GrlError(
                "there is no such seat", found=text, expected=f"PLAYER=SPEC, {', '.join(players)}"
            )
        found[Player(player)] = seat(spec, person=True)
    return found


def _options(rest: str, text: str) -> tuple[Budget, str]:
    """The budget and the evaluation that ``seconds=1,depth=4,evaluation=fuzzy`` spells."""
    seconds: float | None = None
    judged = NONE
    whole: dict[str, int] = {}
    for part in rest.split(","):
        key, _, value = part.partition("=")
        if key == "seconds" and (number := _number(value)) is not None:
            seconds = number
        elif key in ("nodes", "depth") and value.isascii() and value.isdigit() and int(value[:18]):
            whole[key] = int(value[:18])
        elif key == "evaluation" and value in NAMES:
            judged = value
        elif key == "evaluation":
            raise GrlError(
                f"there is no evaluation {value!r}", expected=f"one of {', '.join(NAMES)}"
            )
        else:
            raise GrlError("not a player", found=repr(text[:80]), expected=FORM)
    return Budget(whole.get("nodes"), seconds, whole.get("depth")), judged


def _number(text: str) -> float | None:
    """A time from its text; None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number > 0 else None
