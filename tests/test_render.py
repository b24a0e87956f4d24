"""Pictures of automata and machines: dot text, places, labels, files, engines."""

from __future__ import annotations

import builtins
import html
import math
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import FrozenInstanceError, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from race import race_model

from grl.board import Board, Equipment, Piece, Player, make_position
from grl.errors import GrlError, MissingExtra
from grl.model import AutomatonKey, Dfa, Machine, Model, Role, StateId, Tie
from grl.render import dot_of_dfa, dot_of_machine, dot_texts, engines, render_model
from grl.render.compass import places
from grl.render.legends import machine_legend, plan_legend
from grl.render.words import letter_lines, player_colour
from grl.turn import Letter

WHITE, BLACK = Player("white"), Player("black")
ROOK_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, -1), (-1, 1))

EQUIPMENT = Equipment(
    Board(8, 8),
    (WHITE, BLACK),
    {
        "R": Piece("R", WHITE, "rook"),
        "Q": Piece("Q", WHITE, "queen"),
        "m": Piece("m", WHITE, "man"),
        "k": Piece("k", WHITE, "king"),
        "M": Piece("M", BLACK, "man"),
        "x": Piece("x", None, "arrow"),
    },
)


def step(dx: int, dy: int, on: str) -> Letter:
    return Letter(dx, dy, on)


def appears(piece: str) -> Letter:
    return Letter(0, 0, "a", piece)


REMOVE = Letter(0, 0, "d")


def automaton(
    transitions: Iterable[tuple[int, Letter, int]],
    accepting: Iterable[int],
    key: AutomatonKey,
    continuing: Iterable[int] = (),
) -> Dfa:
    """A DFA from plain numbers, as large as its largest state."""
    edges = tuple((StateId(s), letter, StateId(t)) for s, letter, t in transitions)
    ends = frozenset(map(StateId, accepting))
    more = frozenset(map(StateId, continuing))
    size = 1 + max((state for s, _, t in edges for state in (s, t)), default=0)
    return Dfa(key, size, tuple(sorted(edges)), ends, more)


def slider(directions: Iterable[tuple[int, int]], piece: str) -> Dfa:
    """Any number of empty squares in one direction, perhaps a capture at their end."""
    edges = []
    arms = list(directions)
    sink = len(arms) + 1
    for state, (dx, dy) in enumerate(arms, 1):
        edges += [(0, step(dx, dy, "e"), state), (state, step(dx, dy, "e"), state)]
        edges += [(0, step(dx, dy, "p"), sink), (state, step(dx, dy, "p"), sink)]
    return automaton(edges, range(1, sink + 1), AutomatonKey(WHITE, piece, Role.FIRST))


def amazon() -> Dfa:
    arms = ROOK_STEPS + BISHOP_STEPS
    edges = []
    for state, (dx, dy) in enumerate(arms, 1):
        edges += [(0, step(dx, dy, "e"), state), (state, step(dx, dy, "e"), state)]
        edges += [(state, appears("x"), 9)]
    return automaton(edges, [9], AutomatonKey(WHITE, "Q", Role.FIRST))


def jumper(directions: Iterable[tuple[int, int]], piece: str) -> Dfa:
    """A step, or jumps over opponents that are removed."""
    edges = []
    arms = list(directions)
    landed = 2 * len(arms) + 2
    for number, (dx, dy) in enumerate(arms):
        over, removed = 2 + 2 * number, 3 + 2 * number
        edges += [(0, step(dx, dy, "e"), 1)]
        edges += [(0, step(dx, dy, "p"), over), (landed, step(dx, dy, "p"), over)]
        edges += [(over, REMOVE, removed), (removed, step(dx, dy, "e"), landed)]
    return automaton(
        edges, [1, landed], AutomatonKey(WHITE, piece, Role.FIRST), continuing=[landed]
    )


def pawn() -> Dfa:
    edges = [(0, step(0, 1, "e"), 1), (0, step(-1, 1, "p"), 2), (0, step(1, 1, "p"), 2)]
    edges += [(1, step(0, 1, "e"), 2), (1, appears("Q"), 3), (2, appears("Q"), 3)]
    return automaton(edges, [1, 2, 3], AutomatonKey(WHITE, "m", Role.FIRST))


def zero_machine() -> Machine:
    edges = [(0, "move_queen", 0, 0), (0, "appear_arrow", 0, 1), (0, "moveAndRemove_man", 0, 2)]
    edges += [(2, "moveAndRemove_man", 0, 2), (2, "move_man", 0, 1), (2, "appear_queen", 0, 1)]
    return machine("zero", edges, [0], [1, 2])


def man_machine() -> Machine:
    edges = [(0, "moveAndRemove_man", 1, 1), (1, "moveAndRemove_man", 2, 0)]
    edges += [(0, "move_man", 1, 1), (1, "move_man", 2, 0)]
    return machine("square", edges, [], [])


def machine(
    sort: str,
    edges: Iterable[tuple[int, str, int, int]],
    initial: Iterable[int],
    final: Iterable[int],
) -> Machine:
    transitions = tuple((StateId(s), action, at, StateId(t)) for s, action, at, t in edges)
    size = 1 + max(state for s, _, _, t in transitions for state in (s, t))
    return Machine(
        WHITE,
        "m",
        sort,
        size,
        transitions,
        frozenset(map(StateId, initial)),
        frozenset(map(StateId, final)),
    )


def long_chain() -> Dfa:
    edges = [(state, step(1, 1, "e" if state % 3 else "p"), state + 1) for state in range(39)]
    edges += [(state, step(-1, 0, "w"), state - 7) for state in range(8, 39, 5)]
    return automaton(edges, [39], AutomatonKey(BLACK, "M", Role.FIRST))


def single() -> Dfa:
    return automaton([], [0], AutomatonKey(WHITE, "Q", Role.APPEARED))


def model_of(
    automata: Iterable[Dfa], machines: Iterable[Machine] = (), equipment: Equipment = EQUIPMENT
) -> Model:
    rows = ["." * equipment.board.width] * equipment.board.height
    initial = make_position(equipment, rows, equipment.players[0])
    return Model("a game", equipment, initial, tuple(automata), tuple(machines))


def whole_model() -> Model:
    automata = (
        slider(ROOK_STEPS, "R"),
        slider(BISHOP_STEPS + ROOK_STEPS, "k"),
        amazon(),
        jumper(BISHOP_STEPS, "k"),
        jumper(((1, 1), (-1, 1)), "m"),
        pawn(),
        single(),
        long_chain(),
        automaton([(0, REMOVE, 1)], [1], AutomatonKey(WHITE, "M", Role.LATER), [1]),
        automaton([(0, appears("x"), 1)], [1], AutomatonKey(BLACK, ".", Role.FIRST)),
    )
    return model_of(automata, (zero_machine(), man_machine()))


def parsed(text: str) -> Any:
    return pytest.importorskip("pygraphviz").AGraph(string=text)


@cache
def text_of(dfa: Dfa) -> str:
    """The dot text of an automaton, whose arrows take a while to lay out."""
    return dot_of_dfa(dfa, EQUIPMENT).text


def lines_of(label: str) -> list[str]:
    """The lines that a person reads on an HTML-like label."""
    broken = re.sub(r"<BR[^>]*>|</TR>", "\n", label)
    return [
        html.unescape(line).strip()
        for line in re.sub(r"<[^<>]+>", "", broken).strip("<>").split("\n")
        if line.strip()
    ]


def letters_on(graph: Any) -> dict[tuple[str, str], set[str]]:
    """The letters on every arrow of a drawn automaton, without the start's."""
    return {
        (edge[0], edge[1]): set(re.findall(r"\([^()]*\)", " ".join(lines_of(edge.attr["label"]))))
        for edge in graph.edges()
        if not edge[0].startswith("start")
    }


def expected_letters(dfa: Dfa) -> dict[tuple[str, str], set[str]]:
    arrows: dict[tuple[str, str], set[str]] = {}
    for source, letter, target in dfa.transitions:
        arrows.setdefault((f"s{source}", f"s{target}"), set()).add(str(letter))
    return arrows


@pytest.mark.parametrize("dfa", whole_model().automata, ids=lambda dfa: f"{dfa.key}/{dfa.size}")
def test_a_drawn_automaton_has_its_states_arrows_and_letters(dfa: Dfa) -> None:
    graph = parsed(text_of(dfa))
    states = [node for node in graph.nodes() if not node.startswith("start")]
    assert set(states) == {f"s{state}" for state in range(dfa.size)}
    assert len(states) == dfa.size
    assert len(graph.edges()) == 1 + len(expected_letters(dfa))
    assert letters_on(graph) == expected_letters(dfa)
    doubled = {node for node in states if node.attr["peripheries"] == "2"}
    assert doubled == {f"s{state}" for state in dfa.accepting}
    dashed = {node for node in states if "dashed" in (node.attr["style"] or "")}
    assert dashed == {f"s{state}" for state in dfa.continuing}
    starts = [edge for edge in graph.edges() if edge[0].startswith("start")]
    assert [edge[1] for edge in starts] == ["s0"]
    assert graph.get_node(starts[0][0]).attr["shape"] == "point"


@pytest.mark.parametrize("drawn", [zero_machine(), man_machine()], ids=["zero", "square"])
def test_a_drawn_machine_has_its_actions_and_marks(drawn: Machine) -> None:
    graph = parsed(dot_of_machine(drawn, EQUIPMENT).text)
    expected: dict[tuple[str, str], set[str]] = {}
    for source, action, at, target in drawn.transitions:
        name = f"{action}.{at}" if at else action
        expected.setdefault((f"s{source}", f"s{target}"), set()).add(name)
    found = {
        (edge[0], edge[1]): set(" ".join(lines_of(edge.attr["label"])).split())
        for edge in graph.edges()
        if not edge[0].startswith("start")
    }
    assert found == expected
    starts = {edge[1] for edge in graph.edges() if edge[0].startswith("start")}
    assert starts == {f"s{state}" for state in drawn.initial}
    doubled = {node for node in graph.nodes() if node.attr["peripheries"] == "2"}
    assert doubled == {f"s{state}" for state in drawn.final}


def test_the_caption_says_mover_piece_and_role() -> None:
    graphs = [parsed(drawn.text) for drawn in dot_texts(whole_model(), routed=False)]
    captions = [lines_of(graph.graph_attr["label"]) for graph in graphs]
    assert captions[0] == ["white: rook (R)", "starts the turn"]
    assert captions[6] == ["white: queen (Q)", "has just appeared"]
    assert captions[8][:2] == ["white: man (M) of black", "starts a later segment"]
    assert captions[9] == ["black: an empty square", "starts the turn"]
    assert captions[10][:2] == ["white: man (m)", "LOCM zero machine"]


def test_the_legend_of_a_machine_puts_its_marks_and_labels_into_words() -> None:
    squares = [(0, "move_queen", 2, 1), (1, "appear_arrow", 1, 2), (2, "move_arrow", 13, 0)]
    graph = parsed(dot_of_machine(machine("square", squares, [0, 2], [1]), EQUIPMENT).text)
    assert lines_of(graph.graph_attr["label"])[2:] == [
        "several arrows from nowhere: what happens to a square in a turn may begin in any of these "
        "states",
        "double ring: what happens to a square in a turn may end here",
        "appear_arrow.1: the square where an arrow appears",
        "move_arrow.13: 1st and 3rd square of a move of an arrow: where it comes from",
        "move_queen.2: 2nd square of a move of a queen: where it goes",
    ]
    turn = [(0, "move_and_remove_man", 0, 1), (1, "keep", 0, 1), (1, "odd", 0, 1)]
    graph = parsed(dot_of_machine(machine("zero", turn, [0], []), EQUIPMENT).text)
    assert lines_of(graph.graph_attr["label"])[2:] == [
        "arrow from nowhere: the turn begins here",
        "keep: what is taken goes into the reserve",
        "move_and_remove_man: a man moves onto a piece, which is removed",
        "odd: odd",
    ]


def test_the_legend_of_a_machine_says_what_it_forbids() -> None:
    idle = replace(machine("zero", [(0, "keep", 0, 1)], [0], [1]), binding=False)
    assert machine_legend(idle)[-1] == "it describes the turns seen and forbids none"
    tied = replace(
        machine("square", [(0, "keep", 1, 1)], [0], [1]), ties=(Tie("move_king", 2, "keep", 1),)
    )
    assert machine_legend(tied)[-1] == "keep.1 has to be move_king.2 before it"


def test_the_legend_of_a_machine_of_plans_explains_a_label() -> None:
    assert plan_legend(["load.2", "board.1"], {0}, {1}, zero=False) == (
        "arrow from nowhere: an object's part in a plan begins here",
        "double ring: an object's part in a plan may end here",
        "board.1: it is argument 1 of board",
    )
    assert plan_legend(["load"], {0, 1}, (), zero=True) == (
        "several arrows from nowhere: a plan may begin in any of these states",
    )


def test_the_legend_appears_only_where_another_segment_may_follow() -> None:
    with_legend = dot_of_dfa(jumper(BISHOP_STEPS, "k"), EQUIPMENT).text
    without = dot_of_dfa(slider(ROOK_STEPS, "R"), EQUIPMENT).text
    assert "another segment may follow" in with_legend
    assert "another segment may follow" not in without


def test_a_rook_is_a_cross() -> None:
    at = places(slider(ROOK_STEPS, "R"))
    assert at is not None
    assert at.at[0] == (0, 0)
    for (x, y), (dx, dy) in zip(at.at[1:5], ROOK_STEPS, strict=True):
        assert (x / math.hypot(x, y), y / math.hypot(x, y)) == (dx, dy)


def test_removing_a_piece_leads_on_in_the_direction_of_the_step() -> None:
    at = places(jumper(((1, 1), (-1, 1)), "m"))
    assert at is not None
    for number, (dx, dy) in enumerate(((1, 1), (-1, 1))):
        over, removed = at.at[2 + 2 * number], at.at[3 + 2 * number]
        assert (math.copysign(1, over[0]), math.copysign(1, over[1])) == (dx, dy)
        assert math.atan2(*over) == pytest.approx(math.atan2(*removed))
        assert math.hypot(*removed) > math.hypot(*over)


def test_where_a_piece_goes_on_in_all_directions_lies_across_from_the_start() -> None:
    laid = places(jumper(BISHOP_STEPS, "k"))
    assert laid is not None
    assert laid.straight
    start, landed = laid.at[0], laid.at[10]
    assert start[1] == landed[1]
    arms = [laid.at[2 + 2 * number] for number in range(4)]
    assert len({x for x, _ in arms}) == 1
    assert all(start[0] < x < landed[0] for x, _ in laid.at[2:10])
    upper = [y for (_, y), (_, dy) in zip(arms, BISHOP_STEPS, strict=True) if dy > 0]
    lower = [y for (_, y), (_, dy) in zip(arms, BISHOP_STEPS, strict=True) if dy < 0]
    assert min(upper) > 0 > max(lower)


def officer() -> Dfa:
    return jumper(ROOK_STEPS + BISHOP_STEPS, "k")


@pytest.mark.parametrize(
    "dfa", [jumper(BISHOP_STEPS, "k"), officer(), amazon()], ids=["king", "officer", "amazon"]
)
def test_no_arrow_goes_around_the_page(dfa: Dfa) -> None:
    laid = places(dfa)
    assert laid is not None
    graph = parsed(text_of(dfa))
    (left, right), (low, high) = ((min(v), max(v)) for v in zip(*laid.at, strict=True))
    for edge in graph.edges():
        for x, y in along(edge.attr["pos"]):
            assert left - 160 < x < right + 160
            assert low - 160 < y < high + 160


def test_a_loop_stays_beside_its_state() -> None:
    graph = parsed(text_of(amazon()))
    loops = [edge for edge in graph.edges() if edge[0] == edge[1]]
    assert len(loops) == 8
    for edge in loops:
        centre = pair(graph.get_node(edge[0]).attr["pos"])
        assert all(math.dist(centre, point) < 70 for point in along(edge.attr["pos"]))


@pytest.mark.parametrize("dfa", [single(), pawn(), long_chain()], ids=["single", "pawn", "chain"])
def test_layers_are_used_where_directions_say_nothing(dfa: Dfa) -> None:
    assert places(dfa) is None
    assert dot_of_dfa(dfa, EQUIPMENT).layout == "dot"


def test_a_white_pawn_grows_upwards() -> None:
    graph = parsed(dot_of_dfa(pawn(), EQUIPMENT).text)
    assert graph.graph_attr["rankdir"] == "BT"


@pytest.mark.parametrize(
    "dfa",
    [slider(ROOK_STEPS + BISHOP_STEPS, "k"), amazon(), officer()],
    ids=["slider", "amazon", "officer"],
)
def test_no_arrow_runs_through_a_state_that_is_not_its_own(dfa: Dfa) -> None:
    graph = parsed(text_of(dfa))
    centres = {node: pair(node.attr["pos"]) for node in graph.nodes() if node.startswith("s")}
    centres = {node: at for node, at in centres.items() if not node.startswith("start")}
    for edge in graph.edges():
        for point in along(edge.attr["pos"]):
            for node, centre in centres.items():
                assert node in edge or math.dist(point, centre) > 16.2


@pytest.mark.parametrize("dfa", [slider(ROOK_STEPS, "R"), amazon()], ids=["rook", "amazon"])
def test_no_two_labels_lie_on_one_another(dfa: Dfa) -> None:
    graph = parsed(text_of(dfa))
    boxes = []
    for edge in graph.edges():
        if edge.attr["lp"]:
            lines = lines_of(edge.attr["label"])
            x, y = pair(edge.attr["lp"])
            boxes.append((x, y, 5.5 * max(map(len, lines)), 12 * len(lines)))
    assert len(boxes) == len(expected_letters(dfa))
    for number, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, other_width, other_height in boxes[:number]:
            apart = abs(x - other_x) >= (width + other_width) / 2
            assert apart or abs(y - other_y) >= (height + other_height) / 2


def pair(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def along(spline: str) -> list[tuple[float, float]]:
    """Points on an edge's cubic pieces."""
    control = [pair(part) for part in spline.split()[1:]]
    assert len(control) % 3 == 1
    points = []
    for first in range(0, len(control) - 1, 3):
        for step_number in range(21):
            t = step_number / 20
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            piece = control[first : first + 4]
            points.append(
                (
                    sum(w * x for w, (x, _) in zip(weights, piece, strict=True)),
                    sum(w * y for w, (_, y) in zip(weights, piece, strict=True)),
                )
            )
    return points


def test_letters_are_grouped_by_content_round_the_compass() -> None:
    letters = [step(dx, dy, on) for on in "pe" for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    assert letter_lines(letters) == (
        "→ (1 0 e)  ↑ (0 1 e)",
        "← (-1 0 e)  ↓ (0 -1 e)",
        "→ (1 0 p)  ↑ (0 1 p)",
        "← (-1 0 p)  ↓ (0 -1 p)",
    )
    assert letter_lines([REMOVE, Letter(0, 0, "e", fly=True), appears("Q")]) == (
        "(0 0 a Q)",
        "(0 0 d)",
        "(@ e)",
    )


def test_many_letters_on_one_arrow_stay_compact() -> None:
    letters = [step(dx, dy, "e") for dx in range(-4, 5) for dy in range(-4, 5) if dx or dy]
    lines = letter_lines(letters)
    assert len(lines) <= 16
    assert max(map(len, lines)) <= 80
    assert set(re.findall(r"\([^()]*\)", " ".join(lines))) == set(map(str, letters))


def test_players_have_colours_of_their_own() -> None:
    players = tuple(map(Player, "abcdef"))
    equipment = Equipment(Board(2, 2), players, {})
    assert len({player_colour(equipment, player) for player in players}) == 6
    assert player_colour(EQUIPMENT, WHITE) == player_colour(equipment, players[0])


def test_the_same_model_gives_the_same_bytes() -> None:
    small = model_of([slider(ROOK_STEPS, "R"), pawn()], [zero_machine()])
    assert [drawn.text for drawn in dot_texts(small)] == [
        drawn.text for drawn in dot_texts(replace(small))
    ]


ODD_KEYS = "\"\\<&>{|'é♜"


def odd_model() -> Model:
    odd = Player('wh"ite/..')
    pieces = {key: Piece(key, odd, f"../{key}\n<b> & \\N") for key in ODD_KEYS}
    equipment = Equipment(Board(2, 2), (odd,), pieces)
    automata = [
        automaton([(0, appears(key), 1)], [1], AutomatonKey(equipment.players[0], key, Role.FIRST))
        for key in ODD_KEYS
    ]
    return model_of(automata, equipment=equipment)


def test_odd_keys_are_escaped() -> None:
    for key, drawn in zip(ODD_KEYS, dot_texts(odd_model()), strict=True):
        graph = parsed(drawn.text)
        assert letters_on(graph) == {("s0", "s1"): {f"(0 0 a {key})"}}
        assert f"({key})" in lines_of(graph.graph_attr["label"])[0]


def test_odd_keys_reach_the_picture(tmp_path: Path) -> None:
    need_an_engine()
    for key, path in zip(ODD_KEYS, render_model(odd_model(), tmp_path).paths, strict=True):
        assert f"(0 0 a {key})" in words_of(path)


def test_names_are_readable_unique_and_safe(tmp_path: Path) -> None:
    paths = render_model(whole_model(), tmp_path, "dot").paths
    assert [path.name for path in paths] == [
        "white-rook-first.gv",
        "white-king-first.gv",
        "white-queen-first.gv",
        "white-king-first-2.gv",
        "white-man-first.gv",
        "white-man-first-2.gv",
        "white-queen-appeared.gv",
        "black-man-first.gv",
        "white-black-man-later.gv",
        "black-empty-first.gv",
        "white-man-locm-zero.gv",
        "white-man-locm-square.gv",
    ]
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_no_name_leaves_the_folder(tmp_path: Path) -> None:
    paths = render_model(odd_model(), tmp_path / "pictures", "dot").paths
    assert len({path.name.casefold() for path in paths}) == len(ODD_KEYS)
    assert all(re.fullmatch(r"[\w-]+\.gv", path.name) for path in paths)
    assert {path.parent for path in paths} == {tmp_path / "pictures"}


def need_an_engine() -> None:
    if not engines.available():
        pytest.skip("no Graphviz on this machine")


def words_of(path: Path) -> str:
    """The text of an SVG picture."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = ("".join(item.itertext()) for item in root.iter("{http://www.w3.org/2000/svg}text"))
    return "\n".join(texts).replace("\xa0", " ")


def small_model() -> Model:
    return model_of([slider(ROOK_STEPS, "R"), pawn()], [man_machine()])


def test_an_svg_holds_every_letter(tmp_path: Path) -> None:
    need_an_engine()
    model = small_model()
    rendered = render_model(model, tmp_path, "svg")
    assert rendered.note is None
    for dfa, path in zip(model.automata, rendered.paths, strict=False):
        shown = set(re.findall(r"\([^()\n]*\)", words_of(path)))
        assert {str(letter) for _, letter, _ in dfa.transitions} <= shown
    assert "moveAndRemove_man.1" in words_of(rendered.paths[2])


MAGIC: Mapping[str, bytes] = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.mark.parametrize("suffix", MAGIC)
def test_without_a_dot_program_pygraphviz_draws(
    suffix: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pygraphviz")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    rendered = render_model(small_model(), tmp_path, suffix)
    assert rendered.note is None
    assert len(rendered.paths) == 3
    for path in rendered.paths:
        assert path.suffix == f".{suffix}"
        assert path.read_bytes().startswith(MAGIC[suffix])


def program(folder: Path, script: str) -> str:
    path = folder / "dot"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_a_dot_program_comes_first_and_gets_layout_and_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path, 'echo "$@"; cat')
    monkeypatch.setattr(shutil, "which", lambda name: path if name == "dot" else None)
    rendered = render_model(small_model(), tmp_path / "out", "png")
    texts = [file.read_text(encoding="utf-8") for file in rendered.paths]
    assert [text.split("\n")[0] for text in texts] == ["-Knop2 -Tpng", "-Kdot -Tpng", "-Kdot -Tpng"]
    assert texts[1].split("\n", 1)[1] == dot_of_dfa(pawn(), EQUIPMENT).text


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_where_dot_fails_pygraphviz_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pygraphviz")
    path = program(tmp_path, "exit 1")
    monkeypatch.setattr(shutil, "which", lambda _: path)
    (picture,) = render_model(model_of([pawn()]), tmp_path / "out", "png").paths
    assert picture.read_bytes().startswith(MAGIC["png"])


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_a_format_that_no_engine_knows_is_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path, "echo 'Format: \"pdf\" not recognized' >&2; exit 1")
    monkeypatch.setattr(shutil, "which", lambda _: path)
    forget_pygraphviz(monkeypatch)
    with pytest.raises(MissingExtra) as caught:
        render_model(small_model(), tmp_path / "out", "pdf")
    assert "can't write pdf" in str(caught.value)
    assert "not recognized" in str(caught.value)
    assert "pip install 'grl[render]'" in str(caught.value)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_broken_pygraphviz_is_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pygraphviz")
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == "pygraphviz":
            raise ImportError("libgvc.so: cannot open shared object file")
        return real(name, *rest)

    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"libgvc\.so"):
        render_model(small_model(), tmp_path, "svg")


def forget_pygraphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


def test_without_graphviz_the_dot_text_is_written_and_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    forget_pygraphviz(monkeypatch)
    rendered = render_model(small_model(), tmp_path, "svg")
    assert [path.suffix for path in rendered.paths] == [".gv"] * 3
    assert rendered.note == (
        "No Graphviz was found, so .gv files were written instead of svg; to get pictures, "
        "install the Graphviz programs, or: pip install 'grl[render]'."
    )


def test_dot_text_needs_no_graphviz_and_no_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "available", lambda: pytest.fail("looked for Graphviz"))
    rendered = render_model(small_model(), tmp_path, "dot")
    assert rendered.note is None
    assert rendered.paths[1].read_text(encoding="utf-8") == dot_of_dfa(pawn(), EQUIPMENT).text
    with pytest.raises(FrozenInstanceError):
        rendered.note = "changed"  # type: ignore[misc]


def test_dot_text_is_written_without_looking_for_ways_of_arrows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grl.render.dot.route", lambda *_: pytest.fail("looked for ways"))
    dfa = slider(ROOK_STEPS, "R")
    (path,) = render_model(model_of([dfa]), tmp_path, "dot").paths
    graph = parsed(path.read_text(encoding="utf-8"))
    assert graph.graph_attr["layout"] == "neato"
    assert letters_on(graph) == expected_letters(dfa)
    assert graph.get_node("s0").attr["pos"] == "0,0!"
    assert all(node.attr["pos"].endswith("!") for node in graph.nodes())


def test_files_are_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (path,) = render_model(model_of([pawn()]), tmp_path, "dot").paths
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(GrlError, match="No space left on device"):
        render_model(model_of([pawn()]), tmp_path, "dot")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text(encoding="utf-8") == "old"


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(GrlError, match="taken"):
        render_model(small_model(), tmp_path / "taken", "dot")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    unknown: Any = "jpeg"
    with pytest.raises(GrlError, match="expected one of svg, png, pdf, dot"):
        render_model(small_model(), tmp_path, unknown)


def test_progress_counts_the_pictures(tmp_path: Path) -> None:
    calls: list[Sequence[object]] = []
    render_model(small_model(), tmp_path, "dot", lambda *call: calls.append(call))
    assert calls == [("render", done, 3) for done in range(4)]


def test_what_has_too_many_arrows_for_a_picture_is_written_as_text(tmp_path: Path) -> None:
    model = race_model()
    steps = [
        (StateId(a), Letter(x, y, "e"), StateId((a + 5 * x + y) % 40))
        for a in range(40)
        for x in (1, 2, 3)
        for y in (1, 2)
    ]
    vast = replace(model.automata[0], size=40, transitions=tuple(steps))
    rendered = render_model(replace(model, automata=(vast, model.automata[1])), tmp_path)
    if not engines.available():
        pytest.skip("no Graphviz here: everything is written as text")
    assert [path.suffix for path in rendered.paths] == [".gv", ".svg"]
    assert rendered.note is not None
    assert rendered.note.startswith("1 of 2 have too many arrows")
