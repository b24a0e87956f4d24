"""Ten learned models under the tests of OpenSpiel, PettingZoo and Gymnasium.

Nine games are learned from the shipped records, one from records of its reference. A line says how
many actions a model has and how many the longest turn met took, how many actions a second random
games make through OpenSpiel, and which tests passed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from absl import flags
from demo import ROOT, TASKS

import grl
from grl.games import load
from grl.generate import generate
from grl.traces import header_dict, write_traces

WORK = ROOT / "build" / "bench" / "environments"
FURTHER = ("checker-bt", 60)
"""A game without shipped records, and the games that it is learned from."""
GAMES, LENGTH, STATES = 4, 200, 20
HEAD = ("game", "actions", "a turn", "planes", "actions/s", "random", "replayed", "api", "env")


def models() -> dict[str, Path]:
    """The ten models' files, learned where they are not there yet."""
    WORK.mkdir(parents=True, exist_ok=True)
    found = {}
    for task in TASKS:
        path = found[task.name] = WORK / f"{task.name}.grl.json"
        if not path.exists():
            grl.learn(task.path, positions=task.positions).save(path)
    name, number = FURTHER
    path = found[name] = WORK / f"{name}.grl.json"
    if not path.exists():
        game, traces = load(name), WORK / f"{name}.jsonl"
        write_traces(traces, header_dict(game), generate(game, number, all_moves=True, seed=1))
        grl.learn(traces).save(path)
    return found


def row(name: str, path: Path) -> Sequence[str]:
    """What is found of a model."""
    import pyspiel

    from grl.environments import spiel

    game = spiel.load(path, max_game_length=LENGTH)
    node, longest = game.actions.initial, 0
    began, played = time.perf_counter(), 0
    for seed in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            node = state.node
            longest = max(longest, len(node.begun) + 1)
            state.apply_action(legal[(seed * 7919 + played * 104729) % len(legal)])
            played += 1
    rate = played / (time.perf_counter() - began)
    tests: tuple[Callable[[], object], ...] = (
        lambda: pyspiel.random_sim_test(game, num_sims=GAMES, serialize=True, verbose=False),
        lambda: _replayed(path),
        lambda: _asked(game),
        lambda: _environment(path, len(game.actions.players)),
    )
    return (
        name,
        f"{game.num_distinct_actions():,}",
        str(longest),
        str(game.observation_tensor_shape()[0]),
        f"{rate:,.0f}",
        *(_passed(test) for test in tests),
    )


def _passed(test: Callable[[], object]) -> str:
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            _silent_errors(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            test()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:60]}"
    return "passed"


@contextlib.contextmanager
def _silent_errors() -> Iterator[None]:
    """OpenSpiel's C++ prints every error that its tests ask for."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _replayed(path: Path) -> None:
    """A playthrough is written, and comes out the same when it is replayed."""
    from open_spiel.python.algorithms import generate_playthrough

    string = f"python_grl(model={path},max_game_length={LENGTH})"
    written = WORK / "playthrough.txt"
    written.write_text(generate_playthrough.playthrough(string, None, seed=1), encoding="utf-8")
    expected, actual = generate_playthrough.replay(str(written))
    assert expected == actual, "the playthrough differs"


def _asked(game: Any) -> None:
    """OpenSpiel's tests of the interface, on states of random play."""
    from open_spiel.integration_tests import api_test
    from open_spiel.python.algorithms import sample_some_states

    base = api_test.EnforceAPIOnPartialTreeBase
    states = sample_some_states.sample_some_states(game, max_states=STATES)
    for name in dir(base):
        if name.startswith("test_"):
            case = base(name)
            case.game, case.game_name, case.game_type = game, "python_grl", game.get_type()
            case.some_states = states
            getattr(case, name)()


def _environment(path: Path, players: int) -> None:
    """PettingZoo's test, or Gymnasium's of a game for one player."""
    if players == 1:
        from gymnasium.utils.env_checker import check_env

        from grl.environments.single import SingleEnv

        check_env(SingleEnv(str(path)), skip_render_check=True)
        return
    from pettingzoo.test import api_test

    from grl.environments import aec

    api_test(aec.env(path, most_actions=LENGTH), num_cycles=LENGTH)


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a test failed."""
    parser = argparse.ArgumentParser(prog="environments", description=__doc__)
    parser.parse_args(arguments)

    flags.FLAGS.mark_as_parsed()
    rows: list[tuple[str, ...]] = [HEAD]
    for name, path in models().items():
        rows.append(tuple(row(name, path)))
    widths = [max(len(line[place]) for line in rows) for place in range(len(HEAD))]
    for line in rows:
        cells = [cell.rjust(width) for cell, width in zip(line[1:5], widths[1:5], strict=True)]
        cells += [cell.ljust(width) for cell, width in zip(line[5:], widths[5:], strict=True)]
        print("  ".join([line[0].ljust(widths[0]), *cells]).rstrip())
    return 0 if all(cell == "passed" for line in rows[1:] for cell in line[5:]) else 1
