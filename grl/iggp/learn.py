"""From a task to a program: each target predicate is defined by itself, within its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grl.iggp.data import Task
from grl.iggp.definition import Definition
from grl.iggp.schedule import learn_all
from grl.iggp.tables import Bools, Ints
from grl.iggp.target import make_target
from grl.iggp.terms import Key
from grl.iggp.world import World, make_world
from grl.progress import Progress, silent

DEFAULT_LIMIT = 50.0
STAGE = "seconds of the time limit"
_SPARE = 0.05
"""The share of the time after which the best so far is written down again."""
LONG = 1e6
"""More seconds are no limit that anybody waits for."""


@dataclass(frozen=True)
class LearnedProgram:
    """The program, the wrong (state, candidate) pairs in training, and the predictions by target.

    `predicted` holds for each target predicate a row a state and a column a candidate that was
    learned from; `columns` says which of the file's candidates of that predicate they are.
    `interrupted` says that the search was broken off and this is the best so far.
    """

    text: str
    errors: int
    predicted: dict[Key, Bools]
    columns: dict[Key, Ints]
    interrupted: bool = False


def learn_program(
    task: Task,
    *,
    seconds: float = DEFAULT_LIMIT,
    seed: int = 0,
    progress: Progress = silent,
    kept: Callable[[LearnedProgram], None] | None = None,
) -> LearnedProgram:
    """Learn a definition of the target over background and statics, within `seconds`.

    The same task and seed give the same program when the time suffices. `progress` counts the
    seconds of the limit that are used; `kept` hears of the best program so far, early and
    from then on a few dozen times.
    """
    began = time.monotonic()
    limit = int(seconds) if seconds < LONG else None

    told = began
    definitions: dict[Key, Definition] = {}

    def step() -> None:
        nonlocal told
        now = time.monotonic()
        progress(STAGE, int(min(seconds, now - began)), limit)
        if kept is not None and definitions and now - told > _SPARE * (now - began):
            kept(_program(world, {key: d.best_so_far() for key, d in definitions.items()}, True))
            told = time.monotonic()

    world = make_world(task)
    keys = sorted(world.targets, key=lambda key: (world.labels[key].size, key))
    interrupted = False
    try:
        definitions |= {key: Definition(make_target(world, key, seed, step)) for key in keys}
        learn_all(list(definitions.values()), began + seconds)
    except KeyboardInterrupt:
        interrupted = True
        for definition in definitions.values():
            definition.take_what_there_is()
    return _program(world, definitions, interrupted)


def _program(
    world: World, definitions: Mapping[Key, Definition], interrupted: bool
) -> LearnedProgram:
    head: list[str] = []
    lines: dict[str, None] = {}
    for definition in definitions.values():
        lines.update(dict.fromkeys(definition.lines()))
    predicted = {key: definition.predicted() for key, definition in definitions.items()}
    errors = sum(int((predicted[key] != world.labels[key]).sum()) for key in definitions)
    if errors or interrupted:
        accuracy = _balanced_accuracy([(predicted[key], world.labels[key]) for key in definitions])
        head.append(f"% not proven: balanced accuracy {accuracy:.4f} on the training states")
    empty = [f"#defined {name}/{arity}." for name, arity in definitions]
    return LearnedProgram(
        "\n".join([*head, *empty, *lines, ""]), errors, predicted, world.columns, interrupted
    )


def _balanced_accuracy(tables: Sequence[tuple[Bools, Bools]]) -> float:
    """The mean of the rates of true positives and negatives, over what was said and what is so."""
    rates = []
    for sign in (True, False):
        number = sum(int((truth == sign).sum()) for _, truth in tables)
        right = sum(int(((said == truth) & (truth == sign)).sum()) for said, truth in tables)
        if number:
            rates.append(right / number)
    return sum(rates) / len(rates) if rates else 1.0


__all__ = ["DEFAULT_LIMIT", "LearnedProgram", "learn_program"]
