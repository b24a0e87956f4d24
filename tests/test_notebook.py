"""What a model offers people in Python: pictures in notebooks, English, random games."""

from __future__ import annotations

import doctest
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from learned import learned, name_of

import grl
from grl import games
from grl.board import Board, Equipment, Piece, Player, make_position
from grl.cli import main
from grl.model import AutomatonKey, Dfa, Role, StateId
from grl.render import engines
from grl.rulebook import Rulebook
from grl.traces import Traces, header_dict
from grl.turn import Letter, Turn

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
SPECS = ("connect-four", "peg-solitaire", "breakthrough:width=6,height=6")


@pytest.fixture(autouse=True)
def no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a notebook needs no Graphviz")

    monkeypatch.setattr(engines, "available", refuse)
    monkeypatch.setattr(engines, "draw", refuse)


def texts(svg: str) -> list[str]:
    """The texts of a picture, which has to be well-formed."""
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [item.text or "" for item in root.iter() if item.tag.endswith("text")]


def test_the_picture_of_an_automaton_has_every_state_and_every_letter() -> None:
    automata = learned("breakthrough:width=6,height=6").model.automata
    for dfa in automata:
        shown = texts(dfa._repr_svg_() or "")
        assert [text for text in shown if text.isdigit()] == [str(s) for s in range(dfa.size)]
        for source in range(dfa.size):
            for letter, _ in dfa.successors[StateId(source)]:
                assert any(str(letter) in text for text in shown)


def test_the_picture_of_a_machine_has_its_states_and_actions() -> None:
    for machine in learned("breakthrough:width=6,height=6").model.machines:
        shown = texts(machine._repr_svg_() or "")
        assert [text for text in shown if text.isdigit()] == [str(s) for s in range(machine.size)]
        assert all(any(action in text for text in shown) for action in machine.actions)


def test_the_picture_of_a_position_has_its_pieces_and_that_of_a_model_both() -> None:
    rulebook = learned("peg-solitaire")
    cells = "".join(rulebook.initial.rows)
    of_position = texts(rulebook.initial._repr_svg_() or "")
    for key in rulebook.model.equipment.pieces:
        assert of_position.count(key) == cells.count(key) > 0
    of_model = texts(rulebook._repr_svg_() or "")
    assert of_model[0] == rulebook.model.game
    assert of_model[1 : 1 + len(of_position)] == of_position
    assert rulebook.model._repr_svg_() == rulebook._repr_svg_()


def test_what_is_too_large_for_a_picture_has_none() -> None:
    key = AutomatonKey(Player("w"), "m", Role.FIRST)
    steps = tuple((StateId(n), Letter(0, n + 1, "e"), StateId(n + 1)) for n in range(60))
    assert Dfa(key, 61, steps, frozenset({StateId(60)}))._repr_svg_() is None
    equipment = Equipment(Board(60, 60), (Player("w"),), {"m": Piece("m", Player("w"), "m")})
    assert make_position(equipment, ["." * 60] * 60, "w")._repr_svg_() is None


@pytest.mark.parametrize("spec", SPECS)
def test_a_random_game_is_one_of_the_reference(spec: str, tmp_path: Path) -> None:
    rulebook, game = learned(spec), games.load(spec)
    played = rulebook.random_game(7)
    assert played == rulebook.random_game(7)
    assert played.turns != rulebook.random_game(8).turns
    assert len(played.positions) == len(played.turns) + 1
    for position, turn, after in zip(
        played.positions, played.turns, played.positions[1:], strict=False
    ):
        known = {other.effect(position) for other in map(Turn.parse, game.legal(position))}
        assert turn.effect(position) in known
        assert rulebook.play(position, turn) == after
    last = played.positions[-1]
    assert game.is_terminal(last)
    assert played.goals == game.goals(last)
    assert rulebook.returns(last) == [goal / 50 - 1 for goal in game.goals(last).values()]
    header = header_dict(game)
    pieces = {key: (piece["player"], piece["type"]) for key, piece in header["pieces"].items()}
    with grl.TraceWriter(
        tmp_path / "played.jsonl",
        game=name_of(spec),
        players=header["players"],
        pieces=pieces,
        rows=header["initial"]["rows"],
    ) as writer:
        writer.add(played.turns, goals=played.goals)
    (read,) = Traces.open(tmp_path / "played.jsonl")
    assert [ply.turn for ply in read.plies] == list(map(str, played.turns))


def test_a_game_is_broken_off_where_it_is_told_to() -> None:
    played = learned("checkers").random_game(1, most=5)
    assert len(played.turns) == 5
    assert played.goals is None
    assert learned("checkers").returns(played.positions[-1]) == [0.0, 0.0]


def test_whether_a_turn_is_legal_is_answered_without_an_error() -> None:
    rulebook = learned("checkers")
    assert rulebook.is_legal(rulebook.initial, rulebook.legal(rulebook.initial)[0])
    assert not rulebook.is_legal(rulebook.initial, "a1 (1 1 e)")


def test_a_model_describes_itself_as_the_command_does(tmp_path: Path) -> None:
    rulebook: Rulebook = learned("connect-four")
    rulebook.save(tmp_path / "model.grl.json")
    printed = CliRunner().invoke(main, ["rules", str(tmp_path / "model.grl.json")]).output
    assert rulebook.describe() + "\n" == printed
    assert "the square below its end is empty" in rulebook.describe()


def test_the_page_shows_what_python_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    learned("tic-tac-toe").save("model.grl.json")
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 5
    assert not found.failed
