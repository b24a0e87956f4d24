"""How players look at the board, and that features mean the same to each of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from learned import record
from lessons import games_of, taught
from scored_games import BLACK, Homely
from shorthand import lacks

import grl
from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.compare import compare_game
from grl.games import Game, load
from grl.logic.contents import contents_by_player
from grl.logic.perspectives import (
    SYMMETRIES,
    fits,
    frames_of,
    possible_frames,
    seen_from,
    turned,
    turned_back,
)
from grl.model import Feature
from grl.rules.endings.features import pieces_counted, pieces_placed
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.quantities import number_features
from grl.rules.features.terms import asked_of
from grl.rules.features.vocabulary import (
    ROUNDS,
    Words,
    attacked,
    landings,
    meetings,
    shape_features,
    turn_features,
)
from grl.rules.play.referee import candidate_of
from grl.rules.templates.evaluation import compile_turn_feature
from grl.rules.templates.positions import compile_position
from grl.trail import Past, Trail
from grl.turn import Letter, Segment, Turn, play

boards = st.builds(Board, st.integers(1, 7), st.integers(1, 7))
names = st.sampled_from(sorted(SYMMETRIES))


@given(boards, names)
def test_a_symmetry_that_fits_sees_every_square_once(board: Board, name: str) -> None:
    seen = {seen_from(board, name, square) for square in board.squares}
    whole = {(x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1)}
    assert (seen == whole) == fits(board, name)


@given(boards, names, st.data())
def test_squares_and_displacements_are_seen_alike(
    board: Board, name: str, data: st.DataObject
) -> None:
    one, other = (data.draw(st.sampled_from(list(board.squares))) for _ in range(2))
    (y1, x1), (y2, x2) = divmod(one, board.width), divmod(other, board.width)
    if fits(board, name):
        (sx1, sy1), (sx2, sy2) = (seen_from(board, name, s) for s in (one, other))
        assert turned(name, x2 - x1, y2 - y1) == (sx2 - sx1, sy2 - sy1)


@given(names, st.integers(-9, 9), st.integers(-9, 9))
def test_turning_back_undoes_turning(name: str, dx: int, dy: int) -> None:
    assert turned_back(name, *turned(name, dx, dy)) == (dx, dy)
    assert turned(name, *turned_back(name, dx, dy)) == (dx, dy)
    twice = turned(name, *turned(name, dx, dy))
    assert twice == ((-dx, -dy) if name in ("quarter", "back-quarter") else (dx, dy))


def test_the_symmetries_are_those_of_a_square() -> None:
    images = {tuple(turned(name, *d) for d in ((1, 0), (0, 1))) for name in SYMMETRIES}
    assert len(images) == len(SYMMETRIES) == 8
    assert turned("quarter", *turned("back-quarter", 3, 5)) == (3, 5)
    assert seen_from(Board(8, 8), "turn", Square(0)) == (8, 8)
    assert seen_from(Board(8, 6), "flip", Square(0)) == (1, 6)
    assert seen_from(Board(8, 6), "mirror", Square(0)) == (8, 1)


# Which symmetry relates the players of a game.


@pytest.mark.parametrize(
    ("spec", "frames"),
    [
        ("checkers", ["identity", "turn"]),
        ("checker-bt", ["identity", "turn"]),
        ("breakthrough", ["identity", "flip"]),
        ("chess-bt", ["identity", "flip"]),
        ("five-field-kono", ["identity", "flip"]),
        ("connect-four", ["identity", "identity"]),
        ("nine-mens-morris", ["identity", "identity"]),
        ("asalto", ["identity", "identity"]),
        ("peg-solitaire", ["identity"]),
    ],
)
def test_frames_of_reference_games(spec: str, frames: list[str]) -> None:
    initial = load(spec).initial
    assert frames_of(initial) == dict(zip(initial.equipment.players, frames, strict=True))


FOUR = {key: Piece(key, Player(f"player {key}"), "man") for key in "abcd"}


def placed(rows: list[str], keys: str = "ab", **more: str) -> dict[str, str]:
    """Frames of a game that begins so, by the key of a player's men."""
    holes = frozenset(Square(i) for i, c in enumerate("".join(reversed(rows))) if c == "#")
    pieces = {key: FOUR[key] for key in keys}
    for key, like in more.items():
        pieces[key] = Piece(key, pieces[like].player, "king")
    players = tuple(pieces[key].player for key in keys)
    assert all(players)
    equipment = Equipment(Board(len(rows[0]), len(rows), holes), players, pieces)  # type: ignore[arg-type]
    initial = make_position(equipment, rows, str(players[0]))
    return {key: frames_of(initial)[pieces[key].player] for key in keys}  # type: ignore[index]


def test_frames_follow_from_where_pieces_begin() -> None:
    assert placed(["b.a"]) == {"a": "identity", "b": "turn"}
    assert placed(["..b", "...", "a.."])["b"] == "turn"
    assert placed(["..b", ".bb", "aa.", "a.."])["b"] == "turn"
    assert placed(["bb.", "b..", "a..", "aa."])["b"] == "flip"
    assert placed(["a.b", "aab"])["b"] == "identity", "no symmetry relates them"
    assert placed(["bb.", "b..", "a..", "aak"], k="a")["b"] == "identity", "types count"
    assert placed(["bbK", "b..", "a..", "aak"], k="a", K="b")["b"] == "flip"


def test_ends_may_show_how_players_look_whom_no_symmetry_relates() -> None:
    assert set(frames_of(Homely().initial).values()) == {"identity"}
    assert not list(possible_frames(load("checkers").initial)), "one relates these"

    learned = taught(Homely(), games_of(Homely(), 24, endgames=0.0))

    assert learned.model.rules is not None
    assert learned.model.rules.frames[BLACK] in ("flip", "turn")
    compared = compare_game(learned, Homely(), positions=200, seed=3, endings=60)
    assert compared.same, compared


def test_four_players_around_a_board_each_have_their_side() -> None:
    found = placed(["..cc.", "b....", "b...d", "....d", ".aa.."], "abcd")
    assert found["a"] == "identity"
    assert len(set(found.values())) == 4
    wide = placed(["..cc..", "b.....", "b....d", ".....d", ".aa..."], "abcd")
    assert wide["b"] == wide["d"] == "identity", "quarter turns don't fit a board that is wide"


def test_a_symmetry_that_keeps_the_holes_comes_before_others() -> None:
    assert placed(["bb.", "...", "aa."])["b"] == "flip"
    assert placed(["bb.", "..#", "aa."])["b"] == "flip"
    assert placed(["bbb", "...", "aaa"])["b"] == "flip"
    assert placed(["bbb", "#..", ".#.", "..#", "aaa"])["b"] == "turn"
    assert placed(["bb#", "...", "aa."])["b"] == "flip", "no symmetry keeps the hole"
    assert placed(["#..", "...", "..."])["b"] == "identity", "nor do pieces say more"


# Features are the same to both players: a position turned to the other's view, with the sides
# changed, has the same features. Turns and positions are carried over here by hand.


class Twins:
    """A game of two with a symmetry, whose turns come from its reference."""

    def __init__(self, spec: str) -> None:
        self.game: Game = load(spec)
        self.equipment = self.game.equipment
        self.frames = frames_of(self.game.initial)
        self.setting = Setting(self.equipment, self.frames, self.generator)
        self.setting.stuck = self.stuck
        one, other = self.equipment.players
        self.other = {one: other, other: one}
        self.name = self.frames[other]
        self.board = self.equipment.board
        place = {seen_from(self.board, self.name, s): s for s in self.board.squares}
        self.square = {s: place[seen_from(self.board, "identity", s)] for s in self.board.squares}
        pieces = self.equipment.pieces.values()
        self.key = {
            piece.key: next(
                other.key
                for other in pieces
                if other.type == piece.type
                and other.player == (piece.player and self.other[piece.player])
            )
            for piece in pieces
        }
        self.positions = list(islice(walk(self.game, Random(11)), 4, 60, 5))
        self.words = self.words_met()

    def generator(self, position: Position) -> list:
        return [
            candidate_of(position, turn, play(position, turn))
            for turn in map(Turn.parse, self.game.legal(position))
            if turn.segments
        ]

    def stuck(self, case: PositionCase, seat: int) -> bool:
        mover = self.setting.seat(case.to_move, seat)
        return not self.generator(replace(case.position(), to_move=mover))

    def words_met(self) -> Words:
        letters = [
            letter
            for position in self.positions
            for candidate in self.generator(position)
            for segment in candidate.turn.segments
            for letter in segment.letters
        ]
        return Words(
            frozenset("fly" if x.fly else x.on for x in letters),
            frozenset("fly" if x.fly else x.on for x in letters),
            frozenset(x.piece for x in letters if x.on == "a"),
            frozenset(x.piece for x in letters if x.on == "r"),
            max(len(c.turn.segments) for p in self.positions for c in self.generator(p)),
            any(x.on == "a" for x in letters),
            effects=False,
            leaps=any(max(abs(x.dx), abs(x.dy)) > 1 for x in letters),
        )

    def turned(self, position: Position) -> Position:
        """The same seen by the other player, who has the sides changed."""
        trail = position.trail
        return Position(
            self.equipment,
            self.turned_cells(position.cells),
            self.other[position.to_move],
            self.turned_stock(position.stock),
            frozenset(self.square[s] for s in position.moved),
            self.turned_text(position.last),
            None if trail is None else Trail(map(self.turned_past, trail)),
        )

    def turned_past(self, past: Past) -> Past:
        return Past(
            self.turned_cells(past.cells),
            self.other[past.to_move],
            self.turned_stock(past.stock),
            self.turned_text(past.turn),
        )

    def turned_cells(self, cells: str) -> str:
        found = list(cells)
        for square, image in self.square.items():
            found[image] = self.key.get(cells[square], cells[square])
        return "".join(found)

    def turned_stock(self, stock):
        return tuple(sorted((self.other[p], self.key[key], n) for p, key, n in stock))

    def turned_text(self, turn: str | None) -> str | None:
        return turn if turn in (None, "pass") else str(self.turned_turn(Turn.parse(turn)))

    def turned_turn(self, turn: Turn) -> Turn:
        def named(square: str) -> str:
            return self.board.names[self.square[self.board.square(square)]]

        def letter(x: Letter) -> Letter:
            dx, dy = turned_back(self.name, x.dx, x.dy)
            return x._replace(dx=dx, dy=dy, piece=self.key.get(x.piece, x.piece))

        return Turn(
            tuple(
                Segment(
                    named(s.origin), tuple(map(letter, s.letters)), tuple(map(named, s.targets))
                )
                for s in turn.segments
            )
        )

    def relative(self, feature: Feature) -> bool:
        """Whether a feature is meant to say the same to both players."""
        flat = list(leaves(feature))
        absolute = "mover" in flat or any(str(x).startswith("=") and x != "=" for x in flat)
        if self.name != "identity":
            absolute |= "board" in flat and "shift" in flat
        if self.name == "flip":
            absolute |= "rising" in flat or "falling" in flat
        return not absolute

    def position_features(self) -> list[Feature]:
        setting = self.setting
        whats = ["empty", *contents_by_player(setting.equipment)]
        cases = [PositionCase.of(setting, p) for p in self.positions]
        found = [
            *(p.feature for p in number_features(setting, cases, hands=True)),
            *(p.feature for p in pieces_placed(setting)),
            *(p.feature for p in pieces_counted(setting)),
            *(p.feature for p in meetings(setting)),
            *(p.feature for p in landings(setting)),
            *(lacks(seat, ((1, 1, what),)) for what in whats for seat in (0, 1)),
            *(lacks(seat, ((2, 1, whats[1]), (3, 2, "empty"))) for seat in (0, 1)),
            *(attacked(what, seat) for what in whats for seat in (0, 1)),
            ("stuck", 0),
            ("stuck", 1),
            ("passes", 1),
        ]
        return list(filter(self.relative, dict.fromkeys(found)))

    def turn_features(self) -> list[Feature]:
        setting, words = self.setting, self.words
        plain = [p.feature for i in range(ROUNDS) for p in turn_features(setting, words, i)]
        dear = [f for f in plain if f[0] in ("before", "after")]
        shapes = [p.feature for p in shape_features(setting, words)]
        rivals = [
            (relation, scope, shape)
            for relation in ("rival_has", "rival_lacks")
            for scope in ("any", "start")
            for shape in shapes
        ]
        more = [("more", scope, "opposing") for scope in ("any", "start")]
        cheap = [f for f in plain if f not in dear]
        return list(filter(self.relative, [*cheap, *rivals, *more, ("prefix",)]))


def walk(game: Game, chance: Random) -> Iterator[Position]:
    """The positions of random games in which somebody is to move, without end."""
    while True:
        position = game.initial
        for _ in range(60):
            turns = game.legal(position)
            if not turns:
                break
            yield position
            position = game.play(position, chance.choice(turns))


def leaves(feature: object):
    if isinstance(feature, tuple):
        for item in feature:
            yield from leaves(item)
    else:
        yield feature


GAMES = (
    "checkers",
    "breakthrough:width=5,height=6",
    "five-field-kono",
    "nine-mens-morris",
    "connect-four:width=5,height=4",
    "amazons:width=5,height=5",
)


@cache
def twins(spec: str) -> Twins:
    return Twins(spec)


@pytest.mark.parametrize("spec", GAMES)
def test_turning_to_the_other_view_and_back_is_nothing(spec: str) -> None:
    at = twins(spec)
    for position in at.positions:
        assert at.turned(at.turned(position)) == position
        mirrored = {str(at.turned_turn(c.turn)) for c in at.generator(position)}
        assert mirrored == {str(c.turn) for c in at.generator(at.turned(position))}


@pytest.mark.parametrize("spec", GAMES)
def test_features_of_positions_say_the_same_to_both_players(spec: str) -> None:
    at = twins(spec)
    met = set()
    # What turns touch is asked once of a case, whatever the features.
    cases = [
        (position, *(PositionCase.of(at.setting, p) for p in (position, at.turned(position))))
        for position in at.positions
    ]
    for feature in at.position_features():
        test = compile_position(at.setting, feature)
        for position, case, image in cases:
            value = test(case)
            assert value == test(image), (feature, position.rows, position.to_move)
            asks = bool(asked_of(feature))
            met.add((feature[0], asks, value))
    assert len(met) > 8


@pytest.mark.parametrize("spec", GAMES)
def test_features_of_turns_say_the_same_to_both_players(spec: str) -> None:
    at = twins(spec)
    tests: list[tuple[Feature, Callable[..., bool]]] = [
        (feature, compile_turn_feature(at.setting, feature)) for feature in at.turn_features()
    ]
    met = set()
    for position in at.positions[::4]:
        candidates = at.generator(position)[:40]
        image = at.turned(position)
        turn_list = TurnList(PositionCase.of(at.setting, position), candidates)
        mirrored = [at.turned_turn(c.turn) for c in candidates]
        other = TurnList(
            PositionCase.of(at.setting, image),
            [candidate_of(image, turn, play(image, turn)) for turn in mirrored],
        )
        for feature, test in tests:
            values = [test(case) for case in turn_list.survivors]
            images = [test(case) for case in other.survivors]
            assert values == images, (feature, position.rows, position.to_move)
            met.update((feature[0], value) for value in values)
    assert len(met) > 15


def test_what_is_absolute_differs_between_the_players() -> None:
    """The features left out above are left out for a reason."""
    at = twins("checkers")
    for feature in (("mover", "white"), ("size", "now", ("lies", "=m"), "<", 12)):
        test = compile_position(at.setting, feature)
        assert any(
            test(PositionCase.of(at.setting, p)) != test(PositionCase.of(at.setting, at.turned(p)))
            for p in at.positions
        )


def test_what_one_symmetry_was_tried_with_is_gone_before_the_next_is_tried(
    tmp_path: Path,
) -> None:
    path = record("nine-mens-morris", tmp_path / "games.jsonl", 4)
    alive: list[int] = []

    def count(stage: str, done: int, total: int | None) -> None:  # noqa: ARG001
        if stage == "symmetries: restrictions":
            alive.append(sum(isinstance(each, TurnCase) for each in gc.get_objects()))
        if stage == "turns of positions":
            raise InterruptedError

    with pytest.raises(InterruptedError):
        grl.learn(path, progress=count)
    assert len(alive) > 2
    assert max(alive) == alive[0]  # what other tests left may go, and nothing comes
