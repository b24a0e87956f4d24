"""Model files: what is written is read back, and nothing else is taken for a model."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from learned import ENOUGH, learned, learned_from
from race import race_model

import grl
from grl.board import Board, Equipment, Player, Square, make_position
from grl.errors import GrlError, ModelError
from grl.limits import MAX_STATES
from grl.model import Model
from grl.modelfile import MAX_BYTES, from_data, read_model, to_data, write_model


def same(one: Model, two: Model) -> bool:
    """Equality with what positions leave out of theirs."""
    return one == two and one.initial.equipment == two.initial.equipment


@pytest.mark.parametrize("spec", ENOUGH)
def test_a_learned_model_is_read_back_equal(spec: str, tmp_path: Path) -> None:
    model = learned(spec).model
    path = tmp_path / "model.grl.json"
    write_model(model, path)
    assert same(read_model(path), model)
    again = tmp_path / "again.grl.json"
    write_model(read_model(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_links_reserves_and_segments_are_read_back(tmp_path: Path) -> None:
    model = learned_from("nine_mens_morris.jsonl.gz").model
    path = tmp_path / "model.grl.json"
    write_model(model, path)
    back = read_model(path)
    assert same(back, model)
    assert back.equipment.board.links == model.equipment.board.links
    assert back.equipment.board.holes
    assert back.initial.reserve == {"white": {"W": 9}, "black": {"B": 9}}
    assert back.segments == 2


def test_arcs_passes_and_odd_names_are_read_back(tmp_path: Path) -> None:
    model = race_model()
    arcs = frozenset({(Square(0), Square(3)), (Square(3), Square(6))})
    board = Board(3, 4, frozenset(), arcs)
    equipment = Equipment(board, model.equipment.players, model.equipment.pieces)
    odd = replace(
        model,
        game='Läufer "\\ ⚑',
        equipment=equipment,
        initial=make_position(equipment, model.initial.rows, "black"),
        automata=tuple(sorted(model.automata, key=lambda dfa: dfa.key)),
        passes={Player("white"): "forced", Player("black"): "free"},
        report={"note": ["ü", None, 1.5]},
    )
    path = tmp_path / "model.grl.json"
    write_model(odd, path)
    assert same(read_model(path), odd)
    assert not same(read_model(path), model)


def test_a_read_model_plays_as_the_learned_one() -> None:
    rulebook = learned("checkers")
    back = grl.Rulebook(from_data(json.loads(json.dumps(to_data(rulebook.model)))))
    assert back.perft(back.initial, 3) == rulebook.perft(rulebook.initial, 3) > 0


# Broken files.


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """A small model with machines as plain data."""
    text = json.dumps(to_data(learned("tic-tac-toe").model))
    plain = json.loads(text)
    assert isinstance(plain, dict)
    return plain


def refused(path: Path, content: str | bytes) -> str:
    """The error for a file with this content: one line with the file's name."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ModelError) as caught:
        grl.load(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    assert len(text) < 600
    return text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "broken.grl.json"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not json",
        "\xff\xfe",
        b"\xff\xfe\x00",
        "[]",
        "null",
        "3",
        '"grl-model/8"',
        "{}",
        "{" * 50,
        "[" * 100_000,
        '{"format":' * 100_000,
        '{"format": "grl-model/8"}',
        '{"format": 1}',
        '{"format": "grl-model/8", "initial": ' + "1" * 5000 + "}",
    ],
)
def test_what_is_no_model_is_refused(content: str | bytes, path: Path) -> None:
    refused(path, content)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(share: float, path: Path, data: dict[str, Any]) -> None:
    text = json.dumps(data)
    assert "not a model file" in refused(path, text[: int(len(text) * share)])


def test_another_format_is_refused_with_a_hint(path: Path, data: dict[str, Any]) -> None:
    text = refused(path, json.dumps({**data, "format": "grl-model/99"}))
    assert "grl-model/99" in text
    assert "grl-model/8" in text
    assert "learn it again" in text


def test_a_file_that_is_too_large_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_BYTES >= 1 << 20
    monkeypatch.setattr("grl.modelfile.MAX_BYTES", 1000)
    assert "too large" in refused(path, " " * 1001)


def changed(data: dict[str, Any], *keys: str | int, to: object) -> str:
    """The model's text with one value replaced."""
    copied = copy.deepcopy(data)
    place: Any = copied
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    return json.dumps(copied)


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("automata", 0, "states"), 10**9, "states"),
        (("automata", 0, "states"), MAX_STATES + 1, "states"),
        (("automata", 0, "states"), 0, "states"),
        (("automata", 0, "states"), -1, "states"),
        (("automata", 0, "states"), True, "states"),
        (("automata", 0, "states"), "2", "states"),
        (("machines", 0, "states"), 10**30, "states"),
        (("automata", 0, "transitions", 0, 2), 2, "state"),
        (("automata", 0, "transitions", 0, 0), -1, "state"),
        (("automata", 0, "transitions", 0, 1), "(0 0 a Z)", "piece"),
        (("automata", 0, "transitions", 0, 1), "(0 0 e)", "letter"),
        (("automata", 0, "transitions", 0, 1), "up", "letter"),
        (("automata", 0, "transitions", 0, 1), 7, "automata[0].transitions[0][1]"),
        (("automata", 0, "transitions", 0), [0, "(1 0 e)"], "a list of length 3"),
        (("automata", 0, "accepting"), [5], "state"),
        (("automata", 0, "accepting"), 1, "accepting"),
        (("automata", 0, "role"), "second", "role"),
        (("automata", 0, "mover"), "nobody", "mover"),
        (("automata", 0, "holds"), "Z", "holds"),
        (("automata", 0, "holds"), "xo", "holds"),
        (("automata",), {}, "automata"),
        (("machines", 0, "transitions", 0, 3), 9, "state"),
        (("machines", 0, "transitions", 0, 1), 9, "machines[0].transitions[0][1]"),
        (("machines", 0, "transitions", 0, 2), True, "machines[0].transitions[0][2]"),
        (("machines", 0, "mover"), "nobody", "mover"),
        (("machines", 0, "piece"), "Z", "piece"),
        (("machines", 0, "initial"), [None], "machines[0].initial[0]"),
        (("board", "width"), 0, "board"),
        (("board", "width"), 10**9, "board"),
        (("board", "height"), 4, "rows"),
        (("board", "height"), "3", "height"),
        (("board", "arcs"), [["a1"]], "arcs"),
        (("board", "arcs"), [["a1", "z9"]], "z9"),
        (("board", "arcs"), [["a1", 2]], "board.arcs[0][1]"),
        (("board", "arcs"), [["a1", []]], "board.arcs[0][1]"),
        (("players",), [], "players"),
        (("players",), ["x", "x"], "players"),
        (("players",), "xo", "players"),
        (("pieces", "x", "player"), "nobody", "nobody"),
        (("pieces", "x", "type"), None, "type"),
        (("pieces", "##"), {"player": None, "type": "t"}, "key"),
        (("initial", "rows"), ["...", "..Z", "..."], "Z"),
        (("initial", "rows"), ["...", "...", ".."], "row"),
        (("initial", "rows"), [1, 2, 3], "rows"),
        (("initial", "to_move"), "z", "to move"),
        (("initial", "reserve"), {"x": {"x": -1}}, "reserve"),
        (("initial", "reserve"), {"x": 3}, "reserve"),
        (("initial", "reserve"), [], "reserve"),
        (("stocked",), [["x"]], "stocked"),
        (("stocked",), [["nobody", "x"]], "stocked"),
        (("stocked",), [["x", "Z"]], "stocked"),
        (("segments",), 0, "segments"),
        (("segments",), 1.5, "segments"),
        (("passes",), {"x": "sometimes"}, "passes"),
        (("passes",), {"nobody": "free"}, "passes"),
        (("game",), None, "game"),
        (("report",), [], "report"),
    ],
)
def test_a_wrong_value_is_refused_by_name(
    keys: tuple[str | int, ...], value: object, message: str, path: Path, data: dict[str, Any]
) -> None:
    assert message in refused(path, changed(data, *keys, to=value))


@pytest.mark.parametrize("key", ["format", "game", "board", "players", "pieces", "initial"])
def test_a_missing_part_is_refused_by_name(key: str, path: Path, data: dict[str, Any]) -> None:
    less = {k: v for k, v in data.items() if k != key}
    assert key in refused(path, json.dumps(less))


def test_two_transitions_by_one_letter_and_two_automata_for_one_key_are_refused(
    path: Path, data: dict[str, Any]
) -> None:
    transition = data["automata"][0]["transitions"][0]
    doubled = changed(data, "automata", 0, "transitions", to=[transition, [*transition[:2], 0]])
    assert "two transitions" in refused(path, doubled)
    twice = changed(data, "automata", to=[*data["automata"], data["automata"][0]])
    assert "twice" in refused(path, twice)


def places(value: object, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value within plain data."""
    if keys:
        yield keys
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*keys, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, (*keys, i))


ODD: list[object] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "#",
    "\n",
    [],
    [[]],
    {},
    {"x": []},
    "é" * 99,
]


def test_whatever_stands_anywhere_gives_a_model_or_a_clear_error(data: dict[str, Any]) -> None:
    """Every value in turn becomes something else; only `GrlError` may come of it, or a model."""
    accepted = 0
    refusals = []
    for keys in places(data):
        if keys[0] == "report":
            continue
        for odd in ODD:
            try:
                model = from_data(json.loads(changed(data, *keys, to=odd)))
                rulebook = grl.Rulebook(model)
            except GrlError as error:
                refusals.append(str(error))
                continue
            accepted += 1
            to_data(model)
            rulebook.legal(model.initial)
    assert len(refusals) > 5 * accepted > 0
    assert not [text for text in refusals if len(text.splitlines()) != 1]


def test_a_deeply_nested_report_is_no_crash(path: Path, data: dict[str, Any]) -> None:
    nested = json.dumps(data).replace(
        '"report": {', '"report": {"deep": ' + "[" * 900 + "]" * 900 + ", "
    )
    refused(path, nested)
    refused(path, nested.replace("[" * 900, "[" * 90_000).replace("]" * 900, "]" * 90_000))


@pytest.mark.parametrize("automata", [3, [4], [{"key": "white r first"}], [{"sure": True}]])
def test_a_report_on_automata_says_of_which_and_whether_sure(
    automata: object, path: Path, data: dict[str, Any]
) -> None:
    data["report"]["automata"] = automata
    refused(path, json.dumps(data))


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.grl\.json"):
        grl.load(tmp_path / "nowhere.grl.json")


# Writing.


def test_a_model_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.grl.json"
    write_model(race_model(), path)
    before = path.read_bytes()
    for target in ("os.replace", "json.dumps", "os.chmod", "os.fdopen"):
        with monkeypatch.context() as patched:

            def fail(*_: object, **__: object) -> None:
                raise OSError("no room left")

            patched.setattr(target, fail)
            with pytest.raises((ModelError, OSError), match="no room left"):
                write_model(learned("tic-tac-toe").model, path)
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == [path.name], target
    write_model(learned("tic-tac-toe").model, path)
    assert path.read_bytes() != before


def test_an_interrupted_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_model(race_model(), tmp_path / "model.grl.json")
    assert list(tmp_path.iterdir()) == []


def test_equal_models_give_equal_bytes_and_a_file_that_others_may_read(tmp_path: Path) -> None:
    one, two = tmp_path / "one.grl.json", tmp_path / "two.grl.json"
    model = race_model()
    pieces = dict(reversed(model.equipment.pieces.items()))
    board, players = model.equipment.board, model.equipment.players
    write_model(model, one)
    write_model(replace(model, equipment=Equipment(board, players, pieces)), two)
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes().endswith(b"}\n")
    assert one.stat().st_mode & 0o777 == 0o644
