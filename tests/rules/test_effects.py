"""Effects: what a turn brings about without a choice is learned, carried out, saved and refused."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations, product
from math import inf
from pathlib import Path

import pytest
from capturing_games import (
    Clinging,
    Demoting,
    EdgeEnclosing,
    Enclosing,
    Jumping,
    Keeping,
    Marching,
    Pinching,
    Shoving,
    Surrounding,
    Trading,
    Unarmed,
    Winning,
    lesson,
)
from classical_boards import the
from effect_terms import CLOSERS, DIRECTIONS, LENGTHS, effect
from lessons import games_of, taught
from reversing_game import Reversing

import grl
from grl.board import Board, Equipment, Piece, Player, Square, make_position
from grl.compare import compare_game
from grl.errors import ModelError
from grl.explain import Verdict, explain
from grl.fresh import fresh_positions
from grl.games import Game, load
from grl.logic.ops.places import BOARD_FILE, taken
from grl.logic.ops.sets import EITHER
from grl.logic.rows import Ground, Walked
from grl.logic.terms import LARGEST, make
from grl.model import Effect
from grl.modelfile import from_data, to_data
from grl.moves import search
from grl.rulebook import Rulebook
from grl.rules.english.effects import effect_sentence, effect_sentences
from grl.rules.features.vocabulary import words_of
from grl.rules.learn import effects
from grl.rules.learn.effects import (
    MOST_FIRST,
    Sample,
    choices,
    first_of_each_sort,
    learn_effects,
    net_changes,
)
from grl.rules.play.effects import EffectGenerator, parted
from grl.rules.play.referee import candidate_of
from grl.rulesfile import listed
from grl.sgrl.evidence import Decision, Evidence
from grl.traces import header_dict, write_traces
from grl.turn import Letter, Turn, play

TURNED = effect(("enclosed", "around", "any", "own"), "own:disc")

SURROUNDED = Effect(
    (
        "without",
        ("lies", "opposing"),
        ("group", "orthogonal", ("near", "orthogonal", ("lies", "empty")), ("lies", "opposing")),
    ),
    "removed",
)
"""Groups without an empty neighbour; only those beside the end of a turn can have lost theirs."""

GAMES: dict[type[Game], Effect] = {
    Reversing: TURNED,
    Enclosing: effect(("enclosed", "orthogonal", "one", "own"), "removed"),
    EdgeEnclosing: effect(("enclosed", "orthogonal", "one", "own or edge"), "removed"),
    Surrounding: SURROUNDED,
    Jumping: effect(("passed",), "removed"),
    Shoving: Effect(("some_way", "onward", ("ahead", ("square", "captured"))), "pushed"),
}
"""What brings about what."""


@pytest.mark.parametrize("kind", GAMES)
def test_games_with_effects_are_learned_exactly(kind):
    game, learned = kind(), lesson(kind)

    assert learned.model.effects == (GAMES[kind],)
    found = compare_game(learned, game, positions=60, endings=10)
    assert found.same, found
    assert found.turns > 125
    assert learned.perft(learned.initial, 3) == game.perft(game.initial, 3)


def test_what_a_turn_takes_is_said_by_what_effects_change() -> None:
    assert words_of(lesson(Enclosing).model).changed == (taken,)
    assert words_of(lesson(Keeping).model).changed == (taken,)
    (turned,) = words_of(lesson(Clinging).model).changed
    assert turned.data == lesson(Clinging).model.effects[0].where


def test_rules_speak_of_what_effects_change_and_of_what_rivals_touch() -> None:
    game, learned = Clinging(), lesson(Clinging)
    found = compare_game(learned, game, 150, 3, endings=0)

    assert found.turns > 500
    assert (found.missing, found.surplus, found.elsewhere) == (0, 0, 0), found.examples
    assert learned.model.rules is not None
    bodies = [str(rule.body) for rule in learned.model.rules.restrictions]
    assert len(bodies) == 2
    assert any("('rival_has', 'any', ('some', 'before', ('both', ('square'" in x for x in bodies)
    assert any("('crowd', 'orthogonal', 2, ('lies', 'opposing'))" in x for x in bodies)


def test_effects_may_follow_one_another():
    """What is pinched is asked of the board on which the rows that were enclosed lie no more."""
    game, learned = Pinching(), lesson(Pinching)

    (found,) = learned.model.effects
    assert "without" in json.dumps(found.where)
    assert " are removed; then, all opposing guards" in " ".join(effect_sentences(learned.model))
    compared = compare_game(learned, game, positions=60, endings=0)
    assert compared.same, compared
    assert learned.perft(learned.initial, 3) == game.perft(game.initial, 3)


def test_what_moves_may_decide_whether_it_takes():
    found = evidence_of(Unarmed(), 30)
    learned = learn_effects(found, Unarmed().equipment)

    assert learned.unexplained == 0
    assert effect_sentence(learned.effects[0], Unarmed().equipment) == (
        "With a turn, if its end holds a leaper of the mover, all opposing pieces that its first "
        "segment passes over are removed."
    )


def test_what_changes_sides_and_what_is_put_back_are_effects_of_their_own():
    """Each of them says no type, though pieces of both types change, in either way."""
    learned = lesson(Trading)

    assert {effect.becomes for effect in learned.model.effects} == {"same", "pushed"}
    compared = compare_game(learned, Trading(), positions=60, endings=0)
    assert compared.turns > 200
    assert (compared.missing, compared.surplus, compared.elsewhere) == (0, 0, 0), compared
    assert learned.perft(learned.initial, 3) == Trading().perft(Trading().initial, 3)


@pytest.mark.parametrize("name", ["chomp", "nim"])
def test_what_lies_to_a_side_of_the_turn_may_be_removed(name):
    """Above and right of the piece that is eaten; right of the stick that is taken, in its row."""
    game = the(name)
    found = evidence_of(game, 30)
    learned = learn_effects(found, game.equipment)

    assert learned.unexplained == 0
    (effect,) = learned.effects
    assert "anywhere" in effect_sentence(effect, game.equipment)
    compared = compare_game(taught(game, games_of(game, 30)), game, positions=60, endings=0)
    assert compared.turns > 200
    assert compared.same


def test_segments_with_too_many_ways_to_go_on_are_unexplained(monkeypatch):
    """Each man's step is a segment; as choices they would be of every number and order."""
    monkeypatch.setattr(search, "MAX_STATES", 5_000)
    game = Marching()
    learned = taught(game, games_of(game, 20, endgames=0.2, max_plies=30))

    assert learned.model.rules is None
    verdict = learned.model.report["verdict"]
    assert verdict["turns"] > 100
    assert not verdict["exact"]
    assert all(len(turn.segments) == 1 for turn in learned.legal(learned.initial))


@pytest.mark.parametrize(
    ("kind", "becomes"), [(Keeping, "kept"), (Winning, "won"), (Demoting, "won:guard")]
)
def test_what_is_taken_may_be_kept_in_the_hand(kind: type[Game], becomes: str) -> None:
    game, learned = kind(), lesson(kind)

    assert [each.becomes for each in learned.model.effects] == [becomes]
    found = compare_game(learned, game, positions=60, endings=10)
    assert found.same, found
    assert learned.perft(learned.initial, 3) == game.perft(game.initial, 3)


A, B = Player("a"), Player("b")


def stones(width: int) -> Equipment:
    """White and black stones on a single rank."""
    pieces = {"w": Piece("w", A, "stone"), "b": Piece("b", B, "stone")}
    return Equipment(Board(width, 1), (A, B), pieces)


STONES, FIVE = stones(4), stones(5)


def men_and_kings() -> Equipment:
    pieces = {
        key: Piece(key, player, kind)
        for player, keys in ((A, "mk"), (B, "MK"))
        for key, kind in zip(keys, ("man", "king"), strict=True)
    }
    return Equipment(Board(7, 1), (A, B), pieces)


def records(turns: Mapping[str, list[str]], *, complete: bool = True) -> Evidence:
    """The turns of player `a` on some boards of a single rank."""
    return Evidence(
        {
            Decision(A, cells, (), complete): dict.fromkeys(texts, 1)
            for cells, texts in turns.items()
        }
    )


OTHELLO = [4, 12, 56, 244, 1396]
"""Numbers of sequences of turns from the initial position, as published for 8 x 8 squares."""


def test_othello_learned_from_beginnings_of_games_counts_as_published():
    game = Reversing(8)
    learned = taught(game, games_of(game, 8, endgames=0.0, max_plies=20))

    depths = range(1, len(OTHELLO) + 1)
    assert [game.perft(game.initial, depth) for depth in depths] == OTHELLO
    assert [learned.perft(learned.initial, depth) for depth in depths] == OTHELLO


@pytest.fixture(scope="module")
def reversing() -> Rulebook:
    """Learned from the turns played alone, on the smallest board."""
    game = Reversing(4)
    return taught(game, games_of(game, 40, all_moves=False, endgames=0.5))


def test_the_turns_played_show_an_effect_as_well(reversing):
    """Turns are held to the reference; draws are too rare here for the endings to be sure."""
    assert reversing.model.effects == (TURNED,)
    game = Reversing(4)
    met = [
        (p, legal) for p, legal in fresh_positions(game, 150, 1, 0) if legal not in ([], ["pass"])
    ]
    assert len(met) > 100
    for position, legal in met:
        here = reversing.position(**position.to_dict())
        found = {str(turn) for turn in reversing.legal(here)}
        assert {tuple(sorted(t.split("; "))) for t in found} == {
            tuple(sorted(t.split("; "))) for t in legal
        }


def evidence_of(game: Game, n: int, *, all_moves: bool = True, max_plies: int = 60) -> Evidence:
    """What generated records of a game show of its turns."""
    found = Evidence()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        plays = games_of(game, n, all_moves=all_moves, endgames=0.0, max_plies=max_plies)
        write_traces(path, header_dict(game), plays)
        for play in grl.Traces.open(path):
            for ply in play.plies:
                found.observe(ply)
    return found


@pytest.mark.parametrize("kind", [kind for kind in GAMES if kind is not Shoving])
def test_the_turns_played_alone_show_every_effect(kind):
    """Where each changes one square nobody can say that another was not open to choice."""
    game = kind()
    found = evidence_of(game, 40, all_moves=False)

    assert learn_effects(found, game.equipment).effects == (GAMES[kind],)
    firsts = [text for turns in choices(found).decisions.values() for text in turns]
    assert not any("; " in text for text in firsts)


@pytest.mark.parametrize("all_moves", [True, False])
def test_a_piece_that_a_mill_takes_is_a_choice(all_moves):
    game = load("nine-mens-morris")
    found = evidence_of(game, 10, all_moves=all_moves)

    assert any("; " in text for turns in found.decisions.values() for text in turns)
    assert learn_effects(found, game.equipment).effects == ()


def test_castling_is_no_effect():
    """A later segment that moves a piece is more than a change of its square."""
    king, rook = Piece("K", A, "king"), Piece("R", A, "rook")
    equipment = Equipment(Board(4, 1), (A, B), {"K": king, "R": rook, "p": Piece("p", B, "pawn")})
    castling = "a1 (1 0 e) (1 0 e); d1 (-1 0 w) (-1 0 e)"
    found = records({"K..R": [castling, "a1 (1 0 e)"]})

    assert learn_effects(found, equipment).effects == ()


def test_rests_that_fit_no_description_are_left_as_they_are():
    """A piece two squares to the right of the one placed goes, and no other does."""
    gone = {"..b.": ["a1 (0 0 a w); c1 (0 0 d)", "b1 (0 0 a w)"]}
    here = {".b..": ["a1 (0 0 a w)", "c1 (0 0 a w)"]}
    assert learn_effects(records(gone | here), STONES).effects == ()


def enclosed_records(number: int) -> dict[str, list[str]]:
    """Boards of one rank on which `a` encloses a run of stones from the left."""
    chance = random.Random(number)
    found: dict[str, list[str]] = {}
    while len(found) < number:
        cells = f".{''.join(chance.choices('.wbb', k=5))}.."
        run = len(cells[1:]) - len(cells[1:].lstrip("b"))
        closed = cells[run + 1] == "w"
        gone = "".join(f"; {chr(97 + i)}1 (0 0 d)" for i in range(1, run + 1)) if closed else ""
        found[cells] = [f"a1 (0 0 a w){gone}"]
    return found


EIGHT = stones(8)


def test_one_record_against_an_effect_is_enough():
    enclosed = enclosed_records(60)
    (effect,) = learn_effects(records(enclosed), EIGHT).effects

    at = next(cells for cells, (text,) in enclosed.items() if ";" in text)
    spared = enclosed | {at: ["a1 (0 0 a w)"]}
    assert learn_effects(records(spared), EIGHT).effects != (effect,)


def test_what_few_records_show_is_no_effect():
    """A term can be found for next to nothing; it has to save more than it costs."""
    enclosed = {".bw.....": ["a1 (0 0 a w); b1 (0 0 d)"], ".b......": ["a1 (0 0 a w)"]}
    assert learn_effects(records(enclosed), EIGHT).effects == ()
    assert learn_effects(records(enclosed | enclosed_records(60)), EIGHT).effects != ()


def test_a_single_change_after_a_turn_played_may_be_a_choice():
    """Where only the turns played are known, one piece taken with each says nothing."""
    found = enclosed_records(60)
    single = {cells: turns for cells, turns in found.items() if turns[0].count(";") <= 1}
    assert any(";" in text for (text,) in single.values())
    assert learn_effects(records(single, complete=False), EIGHT).effects == ()
    assert learn_effects(records(found, complete=False), EIGHT).effects != ()


@pytest.mark.parametrize(("held", "turns"), [(1, 0), (2, 1)])
def test_pieces_that_take_the_place_of_others_come_from_the_reserve(held, turns):
    reserved = replace(STONES, stocked=frozenset({(A, "w")}))
    position = make_position(reserved, [".bw."], A, {A: {"w": held}})
    turned = effect(("enclosed", "orthogonal", "any", "own"), "own:stone")
    first = Turn.parse("a1 (0 0 a w)")
    generator = EffectGenerator(
        reserved, (turned,), lambda p: [candidate_of(p, first, play(p, first))]
    )

    found = generator.spellings(position)
    assert [str(one.turn) for one in found] == ["a1 (0 0 a w); b1 (0 0 a w)"] * turns
    assert [one.cells for one in found] == ["www."] * turns


@pytest.mark.parametrize("kinds", ["M", "MK"])
def test_pieces_keep_their_type_when_they_change_sides(kinds):
    """A man that is put down beside others makes them the mover's."""
    equipment = men_and_kings()
    found = {}
    for cells in map("".join, product(f".mk{kinds}", repeat=6)):
        gone = [
            f"; {'abcdefg'[i]}1 (0 0 a {cells[i - 1].lower()})"
            for i in (1, 2, 3, 4, 5, 6)
            if i == 1 and cells[i - 1] in kinds
        ]
        found[f".{cells}"] = ["a1 (0 0 a m)" + "".join(gone)]
    (effect,) = learn_effects(records(found), equipment).effects

    assert effect.becomes == ("own:man" if kinds == "M" else "same")


def test_a_model_file_keeps_effects(reversing, tmp_path):
    path = tmp_path / "model.grl.json"
    reversing.save(path)
    again = grl.load(path)

    assert again.model == reversing.model
    assert json.loads(path.read_text(encoding="utf-8"))["effects"] == [
        {"where": listed(TURNED.where), "becomes": "own:disc"}
    ]
    assert again.perft(again.initial, 4) == Reversing(4).perft(Reversing(4).initial, 4)


def nested(depth: int) -> list:
    """A term that is deep."""
    return ["end"] if depth == 0 else ["near", "around", nested(depth - 1)]


def doubled(depth: int) -> list:
    """A term that is large."""
    inner = ["end"] if depth == 0 else doubled(depth - 1)
    return inner if depth == 0 else ["both", inner, inner]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("everything", r"effects\[0\]"),
        ({"where": "enclosed"}, r"effects\[0\]\.where"),
        ({"where": []}, r"effects\[0\]\.where"),
        ({"where": [["end"]]}, r"effects\[0\]\.where"),
        ({"becomes": None}, r"effects\[0\]\.becomes"),
        ({"where": ["nearby"]}, r"effects\[0\]\.where"),
        ({"where": ["end", "around"]}, r"effects\[0\]\.where"),
        ({"where": ["near", "around"]}, r"effects\[0\]\.where"),
        ({"where": ["moved"]}, r"effects\[0\]\.where"),
        ({"where": ["line", "rank", 0, "=", 1]}, r"effects\[0\]\.where"),
        ({"where": ["shift", "seen", 0, 1, ["path"]]}, r"effects\[0\]\.where"),
        ({"where": ["near", "links", ["end"]]}, r"effects\[0\]\.where"),
        ({"where": ["near", ["end"], "around"]}, r"effects\[0\]\.where"),
        ({"where": ["lies", "opposing:king"]}, r"effects\[0\]\.where"),
        ({"where": ["lies", 5]}, r"effects\[0\]\.where"),
        ({"where": ["ahead", ["end"]]}, r"effects\[0\]\.where"),
        ({"where": ["some_way", "up", ["ahead", ["end"]]]}, r"effects\[0\]\.where"),
        ({"where": nested(30)}, r"effects\[0\]\.where"),
        ({"where": doubled(9)}, r"effects\[0\]\.where"),
        ({"becomes": "stone"}, r"effects\[0\]\.becomes"),
        ({"becomes": "opposing:stone"}, r"effects\[0\]\.becomes"),
    ],
)
def test_a_broken_effect_is_refused_by_name(reversing, change, field, tmp_path):
    data = to_data(reversing.model)
    (effect,) = data["effects"]
    data["effects"] = [change if isinstance(change, str) else effect | change]
    path = tmp_path / "model.grl.json"
    path.write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(ModelError, match=f"{field} is wrong"):
        grl.load(path)


@pytest.mark.parametrize("effects", ["none", 5, None, {"where": ["passed"]}])
def test_effects_are_a_list(reversing, effects):
    with pytest.raises(ModelError, match="field effects is wrong"):
        from_data(to_data(reversing.model) | {"effects": effects})


def test_a_model_of_before_has_no_effects(reversing):
    data = to_data(replace(reversing.model, effects=()))
    del data["effects"]
    assert from_data(data).effects == ()


OFFSETS = {
    "orthogonal": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "diagonal": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}
OFFSETS["around"] = OFFSETS["orthogonal"] + OFFSETS["diagonal"]
OFFSETS["rising"] = [*OFFSETS["orthogonal"], (1, 1), (-1, -1)]
OFFSETS["falling"] = [*OFFSETS["orthogonal"], (1, -1), (-1, 1)]
Grid = dict[tuple[int, int], str]
"""What lies where, by file and rank; holes are left out."""


def told_again(grid: Grid, end: tuple[int, int], name: str, kind: str, *more: str) -> set:
    """Where opponents' stones `b` go, once a stone `w` stands on `end`."""
    x, y = end
    if name == "around":
        return {(x + dx, y + dy) for dx, dy in OFFSETS[kind] if grid.get((x + dx, y + dy)) == "b"}
    if name == "breathless":
        return {
            stone
            for stone in chained(grid, {end}, kind, "b") - {end}
            if not any(
                grid.get((sx + dx, sy + dy)) == "."
                for sx, sy in chained(grid, {stone}, kind, "b")
                for dx, dy in OFFSETS[kind]
            )
        }
    length, closer = more
    found = set()
    for dx, dy in OFFSETS[kind]:
        count = next(n for n in range(1, 9) if grid.get((x + n * dx, y + n * dy)) != "b")
        behind = grid.get((x + count * dx, y + count * dy))
        closed = behind == "w" or (closer == "own or edge" and behind is None)
        if closed and (length == "any" or count == 2):
            found |= {(x + n * dx, y + n * dy) for n in range(1, count)}
    return found


def chained(grid: Grid, seeds: set[tuple[int, int]], kind: str, stone: str) -> set:
    """The seeds with all stones that chains of neighbours join to them."""
    near = {(x + dx, y + dy) for x, y in seeds for dx, dy in OFFSETS[kind]}
    grown = seeds | {at for at in near if grid.get(at) == stone}
    return seeds if grown == seeds else chained(grid, grown, kind, stone)


DESCRIPTIONS = [
    *(("enclosed", *words) for words in product(DIRECTIONS, LENGTHS, CLOSERS)),
    *product(("breathless", "around"), ("orthogonal", "around", "rising", "falling")),
]


@pytest.mark.parametrize("where", DESCRIPTIONS, ids=" ".join)
def test_squares_are_those_of_a_second_telling(where):
    chance = random.Random(str(where))
    changed = 0
    for _ in range(30):
        cells = chance.choices(".wb", (3, 3, 5), k=20)
        holes = frozenset(Square(s) for s in chance.sample(range(20), 2))
        board = Board(5, 4, holes)
        equipment = Equipment(board, (A, B), STONES.pieces)
        rows = board.rows("".join("#" if s in holes else c for s, c in enumerate(cells)))
        position = make_position(equipment, rows, A)
        empty = [s for s in board.squares if position.cells[s] == "."]
        first = [Turn.parse(f"{board.names[s]} (0 0 a w)") for s in empty]
        generator = EffectGenerator(
            equipment,
            (effect(where, "removed"),),
            lambda p, first=first: [candidate_of(p, turn, play(p, turn)) for turn in first],
        )
        for square, whole in zip(empty, generator.spellings(position), strict=True):
            grid = {(s % 5, s // 5): position.cells[s] for s in board.squares}
            end = (square % 5, square // 5)
            wanted = told_again(grid | {end: "w"}, end, *where)
            found = [board.square(segment.origin) for segment in whole.turn.segments[1:]]
            assert sorted((s % 5, s // 5) for s in found) == sorted(wanted)
            assert all(whole.cells[s] == "." for s in found)
            changed += len(found)
    assert changed > 5


def test_long_rests_that_no_term_describes_are_said_to_be_unexplained(tmp_path):
    """What goes is drawn by lot, the same for the same first segment."""
    found = {}
    for cells in map("".join, product(".b", repeat=7)):
        lot = random.Random(cells)
        gone = [i for i, key in enumerate(cells, 1) if key == "b" and lot.random() < 0.5]
        rest = "".join(f"; {'abcdefgh'[i]}1 (0 0 d)" for i in gone)
        found[f".{cells}"] = [f"a1 (0 0 a w){rest}"]
    learned = learn_effects(records(found), EIGHT)

    assert learned.effects == ()
    assert learned.unexplained == sum(";" in text for (text,) in found.values())
    assert learned.cut
    path = tmp_path / "lots.jsonl"
    header = {
        "format": "grl-trace/1",
        "game": "lots",
        "board": {"width": 8, "height": 1},
        "players": ["a", "b"],
        "pieces": {
            "w": {"player": "a", "type": "stone"},
            "b": {"player": "b", "type": "stone"},
        },
        "initial": {"to_move": "a", "rows": ["........"]},
    }
    plays = [
        {
            "id": f"g{n}",
            "initial": {"to_move": "a", "rows": [cells]},
            "turns": [{"turn": turns[0], "legal": turns}],
            "end": "stopped",
        }
        for n, (cells, turns) in enumerate(found.items())
    ]
    write_traces(path, header, plays)
    model = grl.learn([path]).model
    assert model.rules is None
    assert model.report["verdict"]["turns"] == learned.unexplained
    assert not model.report["verdict"]["exact"]


def test_effects_follow_choices_of_several_segments(tmp_path):
    """A piece is pushed and the pusher follows: two choices; what a trap then takes is none."""
    game = load("arimaa-steps")
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), games_of(game, 4, endgames=0.0, max_plies=60, seed=2))
    rulebook = grl.learn(path, rules=False)

    trapped = 0
    for position, legal in fresh_positions(game, 20, 5, endings=0):
        here = rulebook.position(**position.to_dict())
        whole = {str(parted(turn)[0]): str(turn) for turn in rulebook.legal(here)}
        for text in legal:
            chosen, rest = parted(Turn.parse(text))
            assert whole.get(str(chosen), text) == text
            if rest and str(chosen) in whole and len(chosen.segments) > 1:
                trapped += 1
                found = explain(rulebook, here, str(chosen))
                assert found.verdict is Verdict.EFFECT
                assert found.reason == f"Its choices bring about {'; '.join(map(str, rest))}."
    assert trapped


@pytest.mark.parametrize("kinds", [3, 9])
def test_of_many_sorts_of_change_fewer_turns_each_are_looked_at_first(kinds: int) -> None:
    keys = "abcdefghi"[:kinds]
    gone, ground = Letter(0, 0, "d"), Ground(Player("x"), keys)
    still = Walked(lambda _: None, list, list)
    sorts = [some for number in range(1, 4) for some in combinations(range(kinds), number)]
    samples = [
        Sample(f"{some} {number}", ground, still, "", {Square(each): gone for each in some})
        for some in sorts
        for number in range(150)
    ]
    chosen = Counter(frozenset(sample.rest) for sample in first_of_each_sort(samples))
    assert set(chosen) == set(map(frozenset, sorts))
    assert len(set(chosen.values())) == 1
    assert (sum(chosen.values()) == len(samples)) == (len(samples) <= MOST_FIRST)
    assert MOST_FIRST - len(sorts) < sum(chosen.values()) <= MOST_FIRST or kinds == 3


def test_of_very_many_turns_without_a_rest_some_are_enough(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(effects, "MOST_PLAIN", 200)
    game, path = Enclosing(), tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), games_of(game, 12, endgames=0.5, max_plies=60))
    learned = grl.learn([path])

    assert learned.model.effects == (GAMES[Enclosing],)
    assert compare_game(learned, game, positions=60, endings=10).same


@pytest.mark.parametrize(
    ("rest", "changed"),
    [
        ("c1 (0 0 a p); b2 (0 0 d)", {"c1", "b2"}),
        ("c1 (0 0 a p); c1 (0 0 d)", set()),
        ("b2 (0 0 a p); b2 (0 0 a q)", set()),
        ("b2 (0 0 d); b2 (0 0 a p)", {"b2"}),
        ("c1 (0 0 a p); c1 (0 0 d) (0 0 r p)", {"c1"}),
    ],
)
def test_what_a_rest_undoes_is_no_change(rest: str, changed: set[str]) -> None:
    """What is pushed onto a square and taken there leaves it as it was, unless it is kept."""
    board = Board(3, 3)
    segments = Turn.parse(f"a1 (0 1 e); {rest}").segments[1:]
    found = net_changes(board, "....q....", segments)
    assert {board.names[square] for square in found} == changed


def test_parts_that_are_too_large_together_say_nothing(monkeypatch):
    """Each is a term; the squares of both contents in one would be of too many operators."""
    files = (make(BOARD_FILE, number) for number in range(1, LARGEST // 3))
    whole = effects._Fit(reduce(partial(make, EITHER), files), 0, 1.0)
    monkeypatch.setattr(effects._Seeker, "_holding", lambda *_: True)
    monkeypatch.setattr(effects._Seeker, "fit", lambda *_: whole)
    some = [effects.Sample("", Ground(A, "." * 8), Walked(lambda _: None, list), "", {})]

    assert effects._Seeker(EIGHT).fit_by_content(some, "removed") == effects._Fit(None, 1, inf)
