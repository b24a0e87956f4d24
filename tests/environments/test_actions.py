"""Turns as numbers: every legal turn has its actions, and an action means one thing everywhere."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from learned import learned
from random_models import random_model, walks

from grl import games
from grl.engine.engine import State
from grl.environments.actions import Action, Actions, Trie
from grl.environments.nodes import ActionGame, open_game
from grl.environments.planes import Planes
from grl.errors import GrlError, IllegalTurn
from grl.rulebook import Rulebook
from grl.turn import Turn, play

SEEDS = range(10)


def leaves(trie: Trie, before: tuple[Action, ...] = ()) -> Iterator[tuple[tuple[Action, ...], int]]:
    """All turns of a trie: their actions and their numbers."""
    for action, found in trie.items():
        if isinstance(found, int):
            yield (*before, action), found
        else:
            assert len(found) > 1
            yield from leaves(found, (*before, action))


def settled(actions: Actions, state: State, word: tuple[Action, ...], number: int) -> None:
    """Holds what the actions of a turn say to what it does, carried out by the reference."""
    position = state.position()
    turn = Turn.parse(state.turns()[number])
    after = play(position, turn)
    begins = True
    for action in word:
        text = actions.text(action)
        if text == "pass":
            assert not turn.segments
        elif ":" in text and not text.startswith("hand"):
            square, content = text.split(":")
            assert after.cells[position.board.square(square)] == content
        elif "-" in text or "=" in text:
            if begins:
                assert text.replace("=", "-").split("-")[0] == turn.origin
            begins = False


def test_every_turn_of_a_random_model_has_actions_of_its_own() -> None:
    alike = 0
    for seed in SEEDS:
        rulebook = Rulebook(random_model(seed), compiled=False)
        actions = Actions(rulebook.model)
        alike += actions.alike
        texts = [actions.text(action) for action in range(actions.size)]
        assert len(set(texts)) == len(texts)
        engine = rulebook.engine()
        for position in islice(walks(rulebook, seed), 8):
            state = engine.state(position)
            found = list(leaves(actions.trie(state))) if state.count() else []
            assert sorted(number for _, number in found) == list(range(state.count()))
            assert all(0 <= action < actions.size for word, _ in found for action in word)
            for word, number in found:
                settled(actions, state, word, number)
    assert 0 < alike < len(SEEDS)


@pytest.mark.parametrize(
    ("spec", "size", "most"),
    [
        ("connect-four", 7 * 6 * 2 + 1, 1),  # a disc of either player on each square; stop
        ("tic-tac-toe", 9 * 2 + 1, 1),
        ("peg-solitaire", 76 + 1, 1),  # 76 jumps fit on the English board
        ("breakthrough:width=6,height=6", 2 * (30 + 2 * 25) + 1, 1),
        # Queens on 6 x 6 go 580 ways, and an arrow may fly as many.
        ("amazons:width=6,height=6", 2 * 580 + 1, 2),
    ],
)
def test_the_actions_of_known_games_are_as_many_as_their_moves(
    spec: str, size: int, most: int
) -> None:
    game = ActionGame(learned(spec))
    assert game.actions.size == size
    node, longest = game.initial, 0
    for ply in range(40):
        if node.over:
            break
        longest = max(longest, len(node.begun) + 1)
        node = node.play(node.legal()[ply * 7919 % len(node.legal())])
    assert longest == most


def test_jumps_without_end_are_as_few_actions_as_pairs_of_squares() -> None:
    game = ActionGame(learned("checkers"))
    assert len(game.actions.legs) < 32 * 64
    rows = ["........", "..M.M...", "........", "..M.M...", "...k....", *["........"] * 3]
    state = game.engine.state(game.rulebook.position(rows, "white"))
    found = dict(leaves(game.actions.trie(state)))
    # Four men stand in a square: the king goes round them either way and may not stop on its way;
    # where both ways end alike they are one turn.
    ends = {word: Turn.parse(state.turns()[number]) for word, number in found.items()}
    assert all(str(turn).count("(0 0 d)") == 4 for turn in ends.values())
    assert {game.actions.text(word[0]) for word in ends} == {"d4"}


def test_games_by_actions_are_games_of_the_reference() -> None:
    spec = "checkers"
    game, reference = ActionGame(learned(spec)), games.load(spec)
    chance = np.random.default_rng(3)
    for _ in range(4):
        node, position = game.initial, reference.initial
        for _ in range(60):
            known = {Turn.parse(turn).effect(position): turn for turn in reference.legal(position)}
            over = reference.is_terminal(position)
            assert node.over == over
            if over:
                assert node.returns() == [g / 50 - 1 for g in reference.goals(position).values()]
                break
            word = node
            while (turn := word.turn(action := int(chance.choice(word.legal())))) is None:
                word = word.play(action)
            position = play(position, Turn.parse(known[Turn.parse(turn).effect(position)]))
            node = word.play(action)
            assert node.state.cells == position.cells


def test_nodes_are_values() -> None:
    game = ActionGame(learned("amazons:width=6,height=6"))
    node = game.initial.play(game.initial.legal()[3])
    assert node.begun
    assert game.initial.begun == ()
    assert copy.deepcopy(node) is node
    again = pickle.loads(pickle.dumps(node))
    assert (again.begun, again.legal(), str(again)) == (node.begun, node.legal(), str(node))
    assert str(node).endswith(f"{game.actions.text(node.begun[0])} so far")
    with pytest.raises(IllegalTurn, match="action 99999 is not legal"):
        node.play(99999)
    with pytest.raises(GrlError, match="no such action"):
        game.actions.text(game.actions.size)


def test_planes_show_the_board_the_mover_and_what_was_chosen() -> None:
    game = ActionGame(learned("amazons:width=6,height=6"))
    planes = Planes(game)
    node = game.initial
    rows = game.rulebook.initial.rows
    found = planes.of(node)
    assert found.shape == planes.shape == (len(planes.names), 6, 6)
    for place, name in enumerate(planes.names):
        if name.startswith("piece "):
            shown = [[float(cell == name[-1]) for cell in row] for row in rows]
            assert found[place].tolist() == shown
    assert found[planes.names.index(f"{game.players[0]} to move")].all()
    assert not found[-3:].any()
    action = node.legal()[0]
    start, end = game.actions.squares(action) or (0, 0)
    begun = planes.of(node.play(action))
    assert begun[-2].sum() == begun[-1].sum() == 1
    assert begun[-2, 5 - start // 6, start % 6] == begun[-1, 5 - end // 6, end % 6] == 1
    after = node.play(action)
    after = after.play(after.legal()[0])
    changed = planes.of(after)[planes.names.index("changed")]
    cells = zip("".join(rows), "".join(after.state.position().rows), strict=True)
    assert changed.ravel().tolist() == [float(one != other) for one, other in cells]
    assert planes.of(after)[planes.names.index(f"{game.players[1]} to move")].all()


def test_a_game_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "model.grl.json"
    learned("tic-tac-toe").save(path)
    first = open_game(path)
    assert open_game(path) is first
    path.unlink()
    learned("connect-four").save(path)
    assert open_game(path).name == "connect-four"
    with pytest.raises(GrlError, match="can't be read"):
        open_game(path.with_name("missing"))
