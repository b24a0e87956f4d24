"""OpenSpiel's, PettingZoo's and Gymnasium's own tests on learned models, and their games beside."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from learned import learned, name_of

from grl import games
from grl.errors import GrlError, IllegalTurn, MissingExtra
from grl.turn import Turn, play

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is missing")
pytest.importorskip("pettingzoo", reason="the extra pettingzoo is missing")

from absl import flags  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402

from grl.environments import aec, single, spiel  # noqa: E402

SPECS = (
    "tic-tac-toe",
    "connect-four",
    "breakthrough:width=6,height=6",
    "checkers",
    "amazons:width=6,height=6",
    "peg-solitaire",
)
LENGTH = 60


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The path of a learned model's file."""
    folder = tmp_path_factory.mktemp("models")

    @cache
    def path_of(spec: str) -> Path:
        path = folder / f"{name_of(spec)}.grl.json"
        learned(spec).save(path)
        return path

    return path_of


# OpenSpiel ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_open_spiel_plays_it_at_random_and_reads_it_back(spec: str, saved: Any) -> None:
    game = pyspiel.load_game(f"python_grl(model={saved(spec)},max_game_length={LENGTH})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", ["tic-tac-toe", "amazons:width=6,height=6", "peg-solitaire"])
def test_a_playthrough_is_the_same_when_it_is_replayed(
    spec: str, saved: Any, tmp_path: Path
) -> None:
    # Importing it loads all of the library's games: only where it is needed.
    generate_playthrough = importlib.import_module(
        "open_spiel.python.algorithms.generate_playthrough"
    )
    flags.FLAGS.mark_as_parsed()
    string = f"python_grl(model={saved(spec)},max_game_length={LENGTH})"
    written = generate_playthrough.playthrough(string, None, seed=1)
    path = tmp_path / "playthrough.txt"
    path.write_text(written)
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual
    assert "IsTerminal() = True" in written


def test_what_open_spiel_asks_of_every_game_holds(
    saved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_some_states = importlib.import_module("open_spiel.python.algorithms.sample_some_states")
    spiel_api = importlib.import_module("open_spiel.integration_tests.api_test")
    for spec in ("breakthrough:width=6,height=6", "checkers"):
        game = spiel.load(saved(spec), max_game_length=LENGTH)
        base = spiel_api.EnforceAPIOnPartialTreeBase
        names = [name for name in dir(base) if name.startswith("test_")]
        assert len(names) >= 4
        for name in names:
            case = base(name)
            case.game, case.game_name, case.game_type = game, "python_grl", game.get_type()
            case.some_states = sample_some_states.sample_some_states(game, max_states=20)
            monkeypatch.setattr(type(case), "setUpClass", lambda: None)
            case.debug()


@pytest.mark.parametrize(
    ("spec", "theirs", "action"),
    [
        ("connect-four", "connect_four", lambda text: ord(text[0]) - ord("a")),
        ("tic-tac-toe", "tic_tac_toe", lambda text: 3 * (3 - int(text[1])) + ord(text[0]) - 97),
    ],
)
def test_a_learned_game_goes_as_open_spiels_own(
    spec: str, theirs: str, action: Any, saved: Any
) -> None:
    game, own, chance = spiel.load(saved(spec)), pyspiel.load_game(theirs), Random(2)
    assert game.get_type().utility == own.get_type().utility
    for _ in range(15):
        state, other = game.new_initial_state(), own.new_initial_state()
        while not other.is_terminal():
            assert state.current_player() == other.current_player()
            names = {number: state.action_to_string(number) for number in state.legal_actions()}
            known = {action(name): number for number, name in names.items()}
            assert sorted(known) == other.legal_actions()
            chosen = chance.choice(other.legal_actions())
            state.apply_action(known[chosen])
            other.apply_action(chosen)
        assert state.is_terminal()
        assert state.returns() == other.returns()


def test_a_game_that_is_broken_off_is_drawn(saved: Any) -> None:
    game = spiel.load(saved("checkers"), max_game_length=3)
    state = game.new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == [0.0, 0.0]


def test_a_file_that_is_no_model_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "no.grl.json").write_text("{}")
    with pytest.raises(GrlError, match="format"):
        spiel.load(tmp_path / "no.grl.json")
    with pytest.raises(GrlError, match="needs a model"):
        spiel.GrlGame({})


# PettingZoo --------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("spec", SPECS)
def test_petting_zoo_accepts_it(spec: str) -> None:
    api_test(aec.env(learned(spec), most_actions=LENGTH), num_cycles=80)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_masks_and_rewards_are_the_references() -> None:
    spec, chance = "breakthrough:width=6,height=6", Random(4)
    reference, zoo = games.load(spec), aec.env(learned(spec))
    position = reference.initial
    zoo.reset()
    for agent in zoo.agent_iter():
        seen, reward, over, broken_off, _ = zoo.last()
        assert over == reference.is_terminal(position)
        if over:
            assert not seen["action_mask"].any()
            assert reward == reference.goals(position)[agent] / 50 - 1
            zoo.step(None)
            continue
        assert not broken_off
        assert agent == position.to_move
        turns = [Turn.parse(turn) for turn in reference.legal(position)]
        actions = seen["action_mask"].nonzero()[0].tolist()
        assert len(actions) == len(turns)
        chosen = chance.choice(actions)
        named = zoo.unwrapped.node.turn(chosen)
        assert named is not None
        position = play(position, Turn.parse(named))
        zoo.step(chosen)
    assert reference.is_terminal(position)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_illegal_action_ends_the_game_or_raises() -> None:
    zoo = aec.env(learned("tic-tac-toe"))
    zoo.reset()
    legal = zoo.unwrapped.node.legal()
    illegal = next(n for n in range(zoo.unwrapped.game.actions.size) if n not in legal)
    agent = zoo.agent_selection
    zoo.step(illegal)
    assert zoo.unwrapped.rewards[agent] == -1
    assert all(zoo.unwrapped.terminations.values())
    bare = aec.raw_env(learned("tic-tac-toe"))
    bare.reset()
    with pytest.raises(IllegalTurn):
        bare.step(illegal)


# Gymnasium ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_gymnasium_accepts_a_game_for_one_player(saved: Any) -> None:
    path = str(saved("peg-solitaire"))
    made = single.gymnasium.make(f"{single.__name__}:{single.NAME}", model=path)
    check_env(made.unwrapped, skip_render_check=True)


def test_one_player_plays_to_the_end_or_breaks_off() -> None:
    chance = Random(1)
    env = single.SingleEnv(learned("peg-solitaire"))
    _, info = env.reset()
    over = False
    while not over:
        action = chance.choice(info["action_mask"].nonzero()[0].tolist())
        _, reward, over, broken_off, info = env.step(action)
        assert not broken_off
    reference = games.load("peg-solitaire")
    position = env.node.state.position()
    assert reference.is_terminal(position)
    assert reward == next(iter(reference.goals(position).values())) / 50 - 1
    short = single.SingleEnv(learned("peg-solitaire"), most_actions=1)
    _, info = short.reset()
    assert short.step(int(info["action_mask"].argmax()))[1:4] == (0.0, False, True)
    _, info = short.reset()
    *_, said = short.step(int(info["action_mask"].argmin()))
    assert said["illegal"] == short.game.actions.text(0)


def test_a_game_of_two_is_none_for_one() -> None:
    with pytest.raises(GrlError, match="tic-tac-toe is no game for one player"):
        single.SingleEnv(learned("tic-tac-toe"))


@pytest.mark.parametrize(
    ("module", "package"),
    [("spiel", "pyspiel"), ("aec", "pettingzoo"), ("single", "gymnasium")],
)
def test_a_missing_package_is_named(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"grl.environments.{module}")
    with pytest.raises(MissingExtra, match="pip install"):
        importlib.import_module(f"grl.environments.{module}")
