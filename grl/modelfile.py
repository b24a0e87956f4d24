"""The model file, ``.grl.json``: plain data with a format version, written whole or not at all.

Equal models give equal bytes. A file is data and is never executed; its size and shape are
checked before anything is built from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from grl.board import EMPTY, Board, Equipment, Piece, Player, Square, make_position
from grl.errors import GrlError, ModelError, Place
from grl.formats import typed, wrong
from grl.inputs import read_bounded
from grl.limits import (
    MAX_COUNT,
    MAX_DEPTH,
    MAX_NAME,
    MAX_SEGMENTS,
    MAX_STATES,
    MAX_TRANSITIONS,
)
from grl.logic.changes import MOVED, effect_term
from grl.model import AutomatonKey, Dfa, Effect, Machine, Model, Role, StateId, Tie
from grl.outputs import write_whole
from grl.rulesfile import listed, read_rules, rules_data
from grl.sowingfile import counting, sowing_data
from grl.turn import parse_letter

FORMAT = "grl-model/8"
PASSES = {"forced", "free"}
MAX_BYTES = 64 * 1024 * 1024

_Name = Annotated[str, Meta(max_length=MAX_NAME)]
_Owner = Annotated[Player, Meta(max_length=MAX_NAME)]
_Size = Annotated[int, Meta(ge=1, le=MAX_STATES)]
_Argument = Annotated[int, Meta(ge=1)]


class _Board(Struct):
    width: int
    height: int
    arcs: list[tuple[str, str]] | None


class _Piece(Struct):
    player: Player | None
    type: _Name


class _Initial(Struct):
    to_move: _Name
    rows: list[str]
    reserve: dict[str, dict[str, Any]]


class _Dfa(Struct):
    mover: Player
    holds: str
    role: str
    states: _Size
    transitions: list[tuple[StateId, str, StateId]]
    accepting: frozenset[StateId]
    continuing: frozenset[StateId]


_Tie = tuple[str, _Argument, str, _Argument]


class _Machine(Struct, rename={"size": "states"}):
    mover: Player
    piece: str
    sort: _Name
    size: _Size
    transitions: tuple[tuple[StateId, str, int, StateId], ...]
    initial: frozenset[StateId]
    final: frozenset[StateId]
    whole: bool
    ties: list[_Tie]
    binding: bool = True
    idle_ties: list[_Tie] = []


class _Effect(Struct):
    where: Any
    becomes: str
    to: Any = None


class _Version(Struct):
    format: str


class _Model(Struct):
    game: _Name
    board: _Board
    players: tuple[_Owner, ...]
    pieces: dict[str, Any]
    initial: _Initial
    stocked: frozenset[tuple[Player, str]]
    automata: list[_Dfa]
    machines: list[_Machine]
    passes: dict[Player, str]
    segments: Annotated[int, Meta(ge=1, le=MAX_SEGMENTS)]
    report: dict[str, Any]
    effects: list[_Effect] = []
    sowing: Any = None
    rules: Any = None


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
        "effects": [_effect_data(effect) for effect in model.effects],
        **({} if equipment.sowing is None else {"sowing": sowing_data(equipment.sowing, board)}),
        "rules": None if model.rules is None else rules_data(model.rules),
        "report": dict(model.report),
    }


def _effect_data(effect: Effect) -> dict[str, Any]:
    to = {"to": listed(effect.to)} if effect.to else {}
    return {"where": listed(effect.where), "becomes": effect.becomes, **to}


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
        "binding": machine.binding,
        "idle_ties": [list(tie) for tie in machine.idle_ties],
    }


def from_data(data: object) -> Model:
    """The model that plain data describe; raises `ModelError`, or an error of a part of it."""
    version = typed(data, _Version).format
    if version != FORMAT:
        raise ModelError(
            "unknown format of model",
            found=repr(version[:40]),
            expected=repr(FORMAT),
            hint="another version of grl wrote it; learn it again from its records",
        )
    form = typed(data, _Model)
    equipment = _equipment(form)
    if form.sowing is not None:
        equipment = counting(equipment, form.sowing)
    automata = [_dfa(dfa, f"automata[{i}]", equipment) for i, dfa in enumerate(form.automata)]
    automata.sort(key=lambda dfa: dfa.key)
    for one, other in pairwise(automata):
        if one.key == other.key:
            raise ModelError(f"the automaton of {one.key} is there twice")
    _check_report(form.report, "report", MAX_DEPTH)
    items = form.report.get("automata", [])
    if not isinstance(items, list) or not all(map(_is_automaton_report, items)):
        raise ModelError("field report.automata is wrong", expected="what grl learn writes")
    machines = [_machine(x, f"machines[{i}]", equipment) for i, x in enumerate(form.machines)]
    transitions = sum(len(dfa.transitions) for dfa in automata)
    transitions += sum(len(machine.transitions) for machine in machines)
    if transitions > MAX_TRANSITIONS:
        raise ModelError(
            "the automata and machines are too large",
            found=f"{transitions:,} transitions",
            expected=f"at most {MAX_TRANSITIONS:,}",
        )
    if not (form.passes.keys() <= set(equipment.players) and {*form.passes.values()} <= PASSES):
        raise wrong("passes", "players, each 'forced' or 'free'", form.passes)
    start = form.initial
    return Model(
        game=form.game,
        equipment=equipment,
        initial=make_position(equipment, start.rows, start.to_move, start.reserve),
        automata=tuple(automata),
        machines=tuple(machines),
        passes=form.passes,
        segments=form.segments,
        effects=tuple(
            _effect(each, equipment, f"effects[{i}]") for i, each in enumerate(form.effects)
        ),
        rules=None if form.rules is None else read_rules(form.rules, equipment),
        report=form.report,
    )


def _effect(form: _Effect, equipment: Equipment, field: str) -> Effect:
    where = effect_term(form.where, form.becomes, equipment, field).data
    if form.becomes != MOVED:
        return Effect(where, form.becomes)
    return Effect(where, MOVED, effect_term(form.to, MOVED, equipment, field, "to").data)


def _is_automaton_report(item: object) -> bool:
    """Whether an entry says of which automaton it is, and whether that is sure."""
    if not isinstance(item, dict):
        return False
    return isinstance(item.get("key"), str) and isinstance(item.get("sure"), bool)


def _check_report(value: object, where: str, depth: int) -> None:
    """Raises `ModelError` where a report nests deeper or counts further than learning does."""
    if isinstance(value, dict | list):
        if depth == 0:
            raise wrong(where, f"at most {MAX_DEPTH} levels", value)
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            _check_report(item, where if depth < MAX_DEPTH else f"{where}.{key}"[:80], depth - 1)
    elif isinstance(value, int) and abs(value) > MAX_COUNT:
        raise wrong(where, f"numbers up to {MAX_COUNT:,}", value)


def _equipment(form: _Model) -> Equipment:
    width, height, arcs = form.board.width, form.board.height, form.board.arcs
    holes = frozenset(
        Square((height - 1 - i) * width + x)
        for i, row in enumerate(form.initial.rows)
        for x, cell in enumerate(row)
        if cell == "#"
    )
    board = Board(width, height, holes)
    if arcs is not None:
        links = frozenset((board.square(a), board.square(b)) for a, b in arcs)
        board = Board(width, height, holes, links)
    pieces = {}
    for key, data in form.pieces.items():
        piece = typed(data, _Piece, f"pieces.{key}")
        pieces[key] = Piece(key, piece.player, piece.type)
    if not all(player in form.players and key in pieces for player, key in form.stocked):
        raise wrong("stocked", "pairs of player and piece", sorted(form.stocked))
    return Equipment(board, form.players, pieces, form.stocked)


def _known(value: str, known: Iterable[str], where: str) -> None:
    if value not in known:
        raise wrong(where, f"one of {', '.join(map(repr, known))}", value)


def _states(states: Iterable[StateId], size: int, where: str) -> None:
    for state in states:
        if not 0 <= state < size:
            raise wrong(where, f"a state from 0 to {size - 1}", state)


def _dfa(form: _Dfa, where: str, equipment: Equipment) -> Dfa:
    _known(form.role, [*map(str, Role)], f"{where}.role")
    _known(form.mover, equipment.players, f"{where}.mover")
    _known(form.holds, [EMPTY, *equipment.pieces], f"{where}.holds")
    _states(form.accepting, form.states, f"{where}.accepting")
    _states(form.continuing, form.states, f"{where}.continuing")
    transitions = []
    for number, (source, text, target) in enumerate(form.transitions):
        field = f"{where}.transitions[{number}]"
        _states((source, target), form.states, field)
        letter = parse_letter(text)
        if letter.piece and letter.piece not in equipment.pieces:
            raise wrong(field, "a letter with a known piece", text)
        transitions.append((source, letter, target))
    key = AutomatonKey(form.mover, form.holds, Role(form.role))
    return Dfa(key, form.states, tuple(transitions), form.accepting, form.continuing)


def _machine(form: _Machine, where: str, equipment: Equipment) -> Machine:
    _known(form.mover, equipment.players, f"{where}.mover")
    _known(form.piece, [EMPTY, *equipment.pieces], f"{where}.piece")
    _states(form.initial, form.size, f"{where}.initial")
    _states(form.final, form.size, f"{where}.final")
    for number, (source, _, _, target) in enumerate(form.transitions):
        _states((source, target), form.size, f"{where}.transitions[{number}]")
    ties, idle = (tuple(Tie(*tie) for tie in each) for each in (form.ties, form.idle_ties))
    return Machine(**asdict(form) | {"ties": ties, "idle_ties": idle})
