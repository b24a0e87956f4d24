"""The model file, ``.grl.json``: plain data with a format version, written whole or not at all.

Equal models give equal bytes. A file is data and is never executed; its size and shape are
checked before anything is built from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from grl.board import EMPTY, Board, Equipment, Piece, Player, Square, make_position
from grl.errors import GrlError, ModelError, Place
from grl.inputs import read_bounded
from grl.limits import (
    MAX_COUNT,
    MAX_DEPTH,
    MAX_NAME,
    MAX_SEGMENTS,
    MAX_STATES,
    MAX_TRANSITIONS,
)
from grl.logic.changes import effect_term
from grl.model import AutomatonKey, Dfa, Effect, Machine, Model, Role, StateId, Tie
from grl.outputs import write_whole
from grl.rulesfile import listed, read_rules, rules_data
from grl.turn import Letter, parse_letter

FORMAT = "grl-model/3"
"""A file of the first version differs in its effects alone."""
MAX_BYTES = 64 * 1024 * 1024


def write_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write `model` to `path`, replacing a file only once the new one is complete.

    Raises `ModelError` where the file system refuses.
    """
    text = json.dumps(to_data(model), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    try:
        write_whole(path, text)
    except OSError as error:
        raise ModelError(
            f"can't write the file: {error.strerror or error}", place=Place(file=os.fspath(path))
        ) from None


def read_model(path: str | os.PathLike[str]) -> Model:
    """The model in a file; raises `ModelError` for anything that is not one."""
    name = os.fspath(path)
    try:
        content = read_bounded(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise ModelError(
            f"can't read the file: {reason or error}", place=Place(file=name)
        ) from None
    if len(content) > MAX_BYTES:
        raise ModelError(
            "model file too large",
            place=Place(file=name),
            expected=f"at most {MAX_BYTES // 2**20} MiB",
        )
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ModelError(
            f"not a model file: {error}", place=Place(file=name), expected="JSON in UTF-8"
        ) from None
    try:
        return from_data(data)
    except GrlError as error:
        raise ModelError(
            error.message,
            place=error.at(file=name).place,
            found=error.found,
            expected=error.expected,
            hint=error.hint,
        ) from None


def to_data(model: Model) -> dict[str, Any]:
    """`model` as plain data."""
    equipment, board = model.equipment, model.equipment.board
    links = (
        None
        if board.links is None
        else [[board.names[a], board.names[b]] for a, b in sorted(board.links)]
    )
    return {
        "format": FORMAT,
        "game": model.game,
        "board": {"width": board.width, "height": board.height, "arcs": links},
        "players": list(equipment.players),
        "pieces": {
            key: {"player": piece.player, "type": piece.type}
            for key, piece in equipment.pieces.items()
        },
        "initial": model.initial.to_dict(),
        "stocked": [list(pair) for pair in sorted(equipment.stocked)],
        "automata": [_dfa_data(dfa) for dfa in model.automata],
        "machines": [_machine_data(machine) for machine in model.machines],
        "passes": dict(model.passes),
        "segments": model.segments,
        "effects": [
            {"where": listed(effect.where), "becomes": effect.becomes} for effect in model.effects
        ],
        "rules": None if model.rules is None else rules_data(model.rules),
        "report": dict(model.report),
    }


def _dfa_data(dfa: Dfa) -> dict[str, Any]:
    return {
        "mover": dfa.key.mover,
        "holds": dfa.key.holds,
        "role": dfa.key.role.value,
        "states": dfa.size,
        "transitions": [[s, str(letter), t] for s, letter, t in dfa.transitions],
        "accepting": sorted(dfa.accepting),
        "continuing": sorted(dfa.continuing),
    }


def _machine_data(machine: Machine) -> dict[str, Any]:
    return {
        "mover": machine.mover,
        "piece": machine.piece,
        "sort": machine.sort,
        "states": machine.size,
        "transitions": [list(transition) for transition in machine.transitions],
        "initial": sorted(machine.initial),
        "final": sorted(machine.final),
        "whole": machine.whole,
        "ties": [list(tie) for tie in machine.ties],
    }


class _Reader:
    """Typed access to a JSON object; every failure names the field and what it should hold."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise _wrong(where, "an object", data)
        self.data: Mapping[str, Any] = data
        self.where = where

    def get(self, key: str, kind: type | tuple[type, ...], expected: str) -> Any:
        name = f"{self.where}.{key}" if self.where else key
        if key not in self.data:
            raise ModelError(f"field {name} is missing", expected=expected)
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise _wrong(name, expected, value)
        return value

    def text(self, key: str) -> str:
        value = str(self.get(key, str, "a string"))
        if len(value) > MAX_NAME:
            name = f"{self.where}.{key}" if self.where else key
            raise _wrong(name, f"a string of at most {MAX_NAME} characters", value)
        return value

    def number(self, key: str) -> int:
        return int(self.get(key, int, "a whole number"))

    def items(self, key: str) -> Sequence[Any]:
        return list(self.get(key, list, "a list"))

    def states(self, key: str, size: int) -> frozenset[StateId]:
        return frozenset(_state(x, size, f"{self.where}.{key}") for x in self.items(key))


def _wrong(field: str, expected: str, found: object) -> ModelError:
    message = f"field {field} is wrong" if field else "not a model"
    return ModelError(message, expected=expected, found=repr(found)[:80])


def _state(value: object, size: int, where: str) -> StateId:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < size:
        raise _wrong(where, f"a state from 0 to {size - 1}", value)
    return StateId(value)


def from_data(data: object) -> Model:
    """The model that plain data describe; raises `ModelError`, or an error of a part of it."""
    top = _Reader(data, "")
    version = top.text("format")
    if version != FORMAT:
        raise ModelError(
            "unknown format of model",
            found=repr(version[:40]),
            expected=f"{FORMAT!r}",
            hint="another version of grl wrote it; learn it again from its records",
        )
    initial = _Reader(top.get("initial", dict, "a position"), "initial")
    rows = initial.items("rows")
    equipment = _equipment(top, rows)
    reserve = initial.get("reserve", dict, "an object")
    if not all(isinstance(counts, dict) for counts in reserve.values()):
        raise _wrong("initial.reserve", "counts of pieces for each player", reserve)
    automata = tuple(
        sorted(
            (_dfa(x, f"automata[{i}]", equipment) for i, x in enumerate(top.items("automata"))),
            key=lambda dfa: dfa.key,
        )
    )
    for one, other in pairwise(automata):
        if one.key == other.key:
            raise ModelError(f"the automaton of {one.key} is there twice")
    segments = top.number("segments")
    if not 1 <= segments <= MAX_SEGMENTS:
        raise _wrong("segments", f"a number from 1 to {MAX_SEGMENTS}", segments)
    report = top.get("report", dict, "an object")
    _check_report(report, "report", MAX_DEPTH)
    items = report.get("automata", [])
    if not isinstance(items, list) or not all(map(_is_automaton_report, items)):
        raise ModelError("field report.automata is wrong", expected="what grl learn writes")
    machines = tuple(
        _machine(x, f"machines[{i}]", equipment) for i, x in enumerate(top.items("machines"))
    )
    transitions = sum(len(dfa.transitions) for dfa in automata)
    transitions += sum(len(machine.transitions) for machine in machines)
    if transitions > MAX_TRANSITIONS:
        raise ModelError(
            "the automata and machines are too large",
            found=f"{transitions:,} transitions",
            expected=f"at most {MAX_TRANSITIONS:,}",
        )
    return Model(
        game=top.text("game"),
        equipment=equipment,
        initial=make_position(equipment, rows, initial.text("to_move"), reserve),
        automata=automata,
        machines=machines,
        passes=_passes(top, equipment),
        segments=segments,
        effects=tuple(
            _effect(x, f"effects[{i}]", equipment)
            for i, x in enumerate(top.items("effects") if "effects" in top.data else ())
        ),
        rules=None if top.data.get("rules") is None else read_rules(top.data["rules"], equipment),
        report=report,
    )


def _is_automaton_report(item: object) -> bool:
    """Whether an entry says of which automaton it is, and whether that is sure."""
    if not isinstance(item, dict):
        return False
    return isinstance(item.get("key"), str) and isinstance(item.get("sure"), bool)


def _check_report(value: object, where: str, depth: int) -> None:
    """Raises `ModelError` where a report nests deeper or counts further than learning does."""
    if isinstance(value, dict | list):
        if depth == 0:
            raise _wrong(where, f"at most {MAX_DEPTH} levels", value)
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            _check_report(item, where if depth < MAX_DEPTH else f"{where}.{key}"[:80], depth - 1)
    elif isinstance(value, int) and abs(value) > MAX_COUNT:
        raise _wrong(where, f"numbers up to {MAX_COUNT:,}", value)


def _equipment(top: _Reader, rows: Sequence[Any]) -> Equipment:
    reader = _Reader(top.get("board", dict, "an object"), "board")
    width, height = reader.number("width"), reader.number("height")
    if not all(isinstance(row, str) for row in rows):
        raise _wrong("initial.rows", "a list of strings", rows)
    holes = frozenset(
        Square((height - 1 - i) * width + x)
        for i, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell == "#"
    )
    board = Board(width, height, holes)
    arcs = reader.get("arcs", (list, type(None)), "a list of pairs of squares, or null")
    if arcs is not None:
        if not all(isinstance(arc, list) and len(arc) == 2 for arc in arcs):
            raise _wrong("board.arcs", "pairs of squares", arcs)
        board = Board(
            width, height, holes, frozenset((board.square(a), board.square(b)) for a, b in arcs)
        )
    pieces = {}
    for key, value in top.get("pieces", dict, "an object").items():
        piece = _Reader(value, f"pieces.{key}")
        player = piece.get("player", (str, type(None)), "a player or null")
        pieces[key] = Piece(key, player, piece.text("type"))
    players = top.items("players")
    if not all(isinstance(player, str) and len(player) <= MAX_NAME for player in players):
        raise _wrong("players", f"strings of at most {MAX_NAME} characters", players)
    stocked = top.items("stocked")
    if not all(
        isinstance(pair, list) and len(pair) == 2 and pair[0] in players and pair[1] in list(pieces)
        for pair in stocked
    ):
        raise _wrong("stocked", "pairs of player and piece", stocked)
    return Equipment(
        board,
        tuple(Player(player) for player in players),
        pieces,
        frozenset((Player(player), str(piece)) for player, piece in stocked),
    )


def _passes(top: _Reader, equipment: Equipment) -> dict[Player, str]:
    passes = top.get("passes", dict, "an object")
    for player, kind in passes.items():
        if player not in equipment.players or kind not in ("forced", "free"):
            raise _wrong("passes", "players, each 'forced' or 'free'", passes)
    return {Player(player): str(kind) for player, kind in passes.items()}


def _mover(reader: _Reader, equipment: Equipment) -> Player:
    mover = reader.text("mover")
    if mover not in equipment.players:
        raise _wrong(f"{reader.where}.mover", f"one of {list(equipment.players)}", mover)
    return Player(mover)


def _cell(reader: _Reader, key: str, equipment: Equipment) -> str:
    cell = reader.text(key)
    if cell != EMPTY and cell not in equipment.pieces:
        raise _wrong(f"{reader.where}.{key}", f"'.' or one of {' '.join(equipment.pieces)}", cell)
    return cell


def _dfa(data: object, where: str, equipment: Equipment) -> Dfa:
    reader = _Reader(data, where)
    size = _size(reader)
    role = reader.text("role")
    if role not in {r.value for r in Role}:
        raise _wrong(f"{where}.role", f"one of {', '.join(Role)}", role)
    mover = _mover(reader, equipment)
    holds = _cell(reader, "holds", equipment)
    transitions = []
    for item in reader.items("transitions"):
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[1], str):
            raise _wrong(f"{where}.transitions", "triples of state, letter, state", item)
        source, text, target = item
        letter: Letter = parse_letter(text)
        if letter.piece and letter.piece not in equipment.pieces:
            raise _wrong(f"{where}.transitions", "a letter with a known piece", text)
        transitions.append((_state(source, size, where), letter, _state(target, size, where)))
    return Dfa(
        AutomatonKey(mover, holds, Role(role)),
        size,
        tuple(transitions),
        reader.states("accepting", size),
        reader.states("continuing", size),
    )


def _machine(data: object, where: str, equipment: Equipment) -> Machine:
    reader = _Reader(data, where)
    size = _size(reader)
    transitions = []
    for item in reader.items("transitions"):
        if (
            not isinstance(item, list)
            or len(item) != 4
            or not isinstance(item[1], str)
            or not isinstance(item[2], int)
        ):
            raise _wrong(f"{where}.transitions", "state, action, position, state", item)
        source, action, position, target = item
        transitions.append(
            (_state(source, size, where), action, position, _state(target, size, where))
        )
    return Machine(
        _mover(reader, equipment),
        _cell(reader, "piece", equipment),
        reader.text("sort"),
        size,
        tuple(transitions),
        reader.states("initial", size),
        reader.states("final", size),
        bool(reader.get("whole", bool, "true or false")),
        tuple(_tie(item, f"{where}.ties") for item in reader.items("ties")),
    )


def _effect(data: object, where: str, equipment: Equipment) -> Effect:
    reader = _Reader(data, where)
    becomes = reader.text("becomes")
    return Effect(effect_term(reader.data.get("where"), becomes, equipment, where).data, becomes)


def _tie(item: object, where: str) -> Tie:
    expected = "action, position, action, position"
    if not isinstance(item, list) or len(item) != 4:
        raise _wrong(where, expected, item)
    before, first, after, second = item
    named = isinstance(before, str) and isinstance(after, str)
    if not named or not all(type(at) is int and at > 0 for at in (first, second)):
        raise _wrong(where, expected, item)
    return Tie(before, first, after, second)


def _size(reader: _Reader) -> int:
    size = reader.number("states")
    if not 1 <= size <= MAX_STATES:
        raise _wrong(f"{reader.where}.states", f"a number from 1 to {MAX_STATES}", size)
    return size
