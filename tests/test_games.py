"""What every registered reference game must keep to, whoever wrote it."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Collection, Iterator

import pytest
from perft_tables import Table, tables

from grl.board import Position, make_position
from grl.errors import GameError, GrlError, IllegalTurn
from grl.games import Game, available, factory, load, outcomes
from grl.turn import Turn

VARIANTS = [
    "connect-four:width=5,height=4",
    "connect-four:width=3,height=3,line=3",
    "breakthrough:width=6,height=6",
    "breakthrough:width=2,height=4",
    "amazons:width=6,height=6",
    "amazons:width=5,height=4",
    "checkers:continuing=1",
    "checker-bt:capturing=1",
    "nine-mens-morris:flying=1",
    "fifteen-puzzle:width=3,height=2",
    "go:size=3,superko=0",
    "kalah:houses=6,seeds=4",
    "abalone:side=4",
    "chess:check=0,castling=0,archbishops=4,sidestep=1,drops=1",
]
GAMES = [*available(), *VARIANTS]

ALL_DEPTHS = "GRL_PERFT_ALL"
MOST_COUNTED = 80_000
MOST_PLAYED = 8_000

PLAYOUTS = 3
MOST_PLIES = 400

Met = list[tuple[Position, list[str]]]


def perft_cases() -> Iterator[tuple[Table, int, int]]:
    """Table, depth and count; without the environment variable only what is counted quickly."""
    for name in available():
        for table in tables(name):
            played = 0
            for depth, count in enumerate(table.counts, 1):
                if os.environ.get(ALL_DEPTHS) or (count <= MOST_COUNTED and played <= MOST_PLAYED):
                    yield table, depth, count
                played += count


def playout(game: Game, seed: int, start: Position | None = None) -> Iterator[Position]:
    """The positions of one random game, the last one included."""
    return (position for position, _ in choices(game, seed, start))


def choices(
    game: Game, seed: int, start: Position | None = None
) -> Iterator[tuple[Position, list[str]]]:
    """The same with the legal turns of each."""
    chance = random.Random(seed)
    position = game.initial if start is None else start
    for ply in range(MOST_PLIES + 1):
        turns = game.legal(position)
        yield position, turns
        if not turns or ply == MOST_PLIES:
            return
        position = game.play(position, chance.choice(turns))


def sample(game: Game, endgames: list[Position]) -> list[Position]:
    """Positions from openings, random games and endgames, the same every time."""
    positions = [game.initial]
    for seed in range(2):
        line = list(playout(game, seed))
        positions += line[1 :: max(1, len(line) // 5)]
        positions.append(line[-1])
    return positions + endgames[::12]


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(scope="module")
def endgames(game: Game) -> list[Position]:
    return game.endgames()


@pytest.fixture(scope="module")
def sampled(game: Game, endgames: list[Position]) -> Met:
    """The positions of the sample with their legal turns."""
    return [(position, game.legal(position)) for position in sample(game, endgames)]


@pytest.fixture(scope="module")
def met(game: Game, endgames: list[Position]) -> Met:
    """Positions of whole random games from the start and the endgames, with their legal turns."""
    starts = [game.initial, *endgames]
    return [
        one
        for seed in range(PLAYOUTS)
        for start in starts[:: 2 if seed == 0 else 15]
        for one in choices(game, seed, start)
    ]


def test_all_of_the_projects_own_games_are_registered() -> None:
    own = {
        "tic-tac-toe",
        "connect-four",
        "breakthrough",
        "checkers",
        "amazons",
        "peg-solitaire",
        "checker-bt",
        "chess-bt",
        "five-field-kono",
        "nine-mens-morris",
        "asalto",
        "fifteen-puzzle",
        "eight-puzzle",
        "graph-game",
        "go",
        "brandub",
        "kalah",
        "brazilian-draughts",
        "gorogoro",
        "small-xiangqi",
        "abalone",
        "arimaa-steps",
        "chess",
        "buttons-and-lights",
    }
    assert own <= set(available())


def test_the_name_is_the_one_it_is_registered_under() -> None:
    assert {name: factory(name).name for name in available()} == {n: n for n in available()}


def test_it_says_where_its_rules_come_from(game: Game) -> None:
    assert game.provenance.strip()
    assert "\n" not in game.provenance


def test_positions_survive_the_way_through_plain_data(game: Game, sampled: Met) -> None:
    for position, _ in sampled:
        plain = json.loads(json.dumps(position.to_dict()))
        assert make_position(game.equipment, **plain) == position


def test_the_game_begins_with_a_choice(game: Game) -> None:
    assert game.initial.last is None
    assert not game.initial.moved
    assert not game.is_terminal(game.initial)
    assert game.legal(game.initial)


def test_legal_turns_are_texts_that_parse_and_print_back(sampled: Met) -> None:
    for _, turns in sampled:
        for text in turns:
            assert str(Turn.parse(text)) == text


def test_legal_turns_fit_the_position_and_no_two_are_one(game: Game, sampled: Met) -> None:
    for position, turns in sampled:
        assert len(set(turns)) == len(turns)
        assert len(outcomes(game, position)) == len(turns)


def test_every_turn_but_a_pass_changes_the_board_and_is_remembered(
    game: Game, sampled: Met
) -> None:
    for position, turns in sampled:
        for text in turns[::7]:
            after = game.play(position, text)
            assert text == "pass" or after.cells != position.cells
            assert after.last == text
            assert after.to_move in game.equipment.players


def test_play_takes_parsed_turns_too_and_leaves_the_position_alone(
    game: Game, sampled: Met
) -> None:
    for position, turns in sampled:
        before = position.to_dict()
        for text in turns[::7]:
            assert game.play(position, text) == game.play(position, Turn.parse(text))
        assert position.to_dict() == before


def test_a_turn_that_does_not_fit_is_refused(game: Game) -> None:
    hole_or_beyond = f"{game.equipment.board.names[-1]} (1 1 e)"
    with pytest.raises(IllegalTurn):
        game.play(game.initial, hole_or_beyond)


def test_a_second_copy_of_the_game_gives_the_same_answers(
    request: pytest.FixtureRequest, game: Game, sampled: Met, endgames: list[Position]
) -> None:
    other = load(request.node.callspec.params["game"])
    assert game.initial == other.initial
    assert endgames == other.endgames()
    for position, turns in sampled[::2]:
        assert turns == game.legal(position) == other.legal(position)
        assert game.is_terminal(position) == other.is_terminal(position)


def test_a_game_is_over_exactly_when_there_is_no_turn(game: Game, met: Met) -> None:
    for position, turns in met:
        assert game.is_terminal(position) == (not turns)


def test_goals_are_given_at_the_end_and_only_there(game: Game, met: Met) -> None:
    ended = 0
    for position, turns in met:
        if not turns:
            ended += 1
            goals = game.goals(position)
            assert list(goals) == list(game.equipment.players)
            assert all(isinstance(g, int) and 0 <= g <= 100 for g in goals.values())
        else:
            with pytest.raises(GameError):
                game.goals(position)
    assert ended


def test_endgames_are_valid_open_positions_without_repetition(
    game: Game, endgames: list[Position]
) -> None:
    assert len({p.outcome for p in endgames}) == len(endgames)
    for position in endgames:
        assert make_position(game.equipment, **position.to_dict()) == position
        assert not game.is_terminal(position)


@pytest.mark.parametrize(
    ("table", "depth", "count"), [pytest.param(*c, id=f"{c[0].spec}-{c[1]}") for c in perft_cases()]
)
def test_perft_agrees_with_its_table(table: Table, depth: int, count: int) -> None:
    game = load(table.spec)
    assert game.perft(table.start(game), depth) == count


@pytest.mark.parametrize("name", list(available()))
def test_perft_tables_say_where_they_come_from(name: str) -> None:
    found = tables(name)
    if not found and not factory(name).__module__.startswith("grl_games."):
        pytest.skip(f"the package of {name} ships no perft.json")
    assert found[0].spec == name
    assert all(table.provenance and load(table.spec) for table in found)


def test_perft_to_depth_0_counts_the_position_itself() -> None:
    game = load("checkers")
    assert game.perft(game.initial, 0) == 1


@pytest.mark.parametrize(
    "spec",
    [
        "chess-with-dice",
        "checkers:width=8",
        "connect-four:width",
        "connect-four:width=x",
        "connect-four:width=-3",
        "connect-four:width=5,width=5",
        "connect-four:width=0",
        "connect-four:width=65",
        "connect-four:line=8",
        "connect-four:line=1",
        "breakthrough:height=3",
        "breakthrough:width=1",
        "amazons:width=3",
        "amazons:height=3",
        "amazons:width=" + "9" * 5000,
        "checkers:continuing=2",
        "checker-bt:capturing=2",
        "checker-bt:width=8",
        "chess-bt:width=8",
        "five-field-kono:width=5",
        "nine-mens-morris:flying=2",
        "asalto:officers=2",
        "fifteen-puzzle:width=1",
        "fifteen-puzzle:height=7",
        "eight-puzzle:width=7",
        "graph-game:width=4",
        "go:size=20",
        "small-xiangqi:width=9",
        "gorogoro:width=9",
        "brazilian-draughts:size=9",
        "kalah:houses=0",
        "kalah:houses=6,seeds=6",
        "brandub:width=9",
        "abalone:side=5",
        "abalone:lost=6",
        "abalone:lost=0",
        "arimaa-steps:steps=4",
        "chess:archbishops=5",
        "chess:repetition=1",
    ],
)
def test_bad_names_and_options_are_refused_with_what_is_expected(spec: str) -> None:
    with pytest.raises(GameError) as caught:
        load(spec)
    assert caught.value.expected


def test_options_from_python_are_checked_too() -> None:
    with pytest.raises(GrlError, match="whole number from 4 to 64"):
        factory("amazons")(width="10")


def test_an_underscore_in_a_name_is_a_hyphen() -> None:
    assert load("tic_tac_toe").name == "tic-tac-toe"


def test_tic_tac_toe_has_its_well_known_numbers_of_games_and_positions() -> None:
    game = load("tic-tac-toe")
    counts = []
    games = 0
    states = 1
    results: Counter[tuple[int, ...]] = Counter()
    layer: dict[Position, int] = {game.initial: 1}
    while layer:
        following: dict[Position, int] = {}
        counts.append(0)
        for position, ways in layer.items():
            turns = game.legal(position)
            counts[-1] += ways * len(turns)
            if not turns:
                games += ways
                results[tuple(game.goals(position).values())] += ways
            for turn in turns:
                after = game.play(position, turn)
                plain = make_position(game.equipment, after.rows, after.to_move)
                following[plain] = following.get(plain, 0) + ways
        layer = following
        states += len(layer)
    assert tuple(counts[:-1]) == tables("tic-tac-toe")[0].counts
    assert (games, states) == (255_168, 5_478)
    assert results == {(100, 0): 131_184, (0, 100): 77_904, (50, 50): 46_080}


def ends(game: Game) -> Counter[tuple[int, ...]]:
    """How random games from the endgames end."""
    found: Counter[tuple[int, ...]] = Counter()
    for seed, start in enumerate(game.endgames()):
        for position in playout(game, seed, start):
            if game.is_terminal(position):
                found[tuple(game.goals(position).values())] += 1
    return found


def test_peg_solitaire_endgames_end_with_one_peg_and_with_more() -> None:
    found = ends(load("peg-solitaire"))
    assert found[(100,)] >= 5
    assert found[(0,)] >= 5


def test_connect_four_endgames_reach_draws() -> None:
    assert ends(load("connect-four"))[50, 50] >= 3


def test_breakthrough_endgames_reach_the_capture_of_the_last_pawn() -> None:
    game = load("breakthrough")
    captured_all = 0
    for seed, start in enumerate(game.endgames()):
        last = list(playout(game, seed, start))[-1]
        captured_all += "w" not in last.cells or "b" not in last.cells
    assert captured_all >= 5


def test_checkers_endgames_reach_blocks_and_the_capture_of_the_last_piece() -> None:
    game = load("checkers")
    blocked = captured_all = 0
    endgames = game.endgames()
    for seed in range(5):
        for start in endgames:
            last = list(playout(game, seed, start))[-1]
            if game.is_terminal(last):
                own = "mk" if last.to_move == "white" else "MK"
                gone = not set(own) & set(last.cells)
                captured_all += gone
                blocked += not gone
    assert captured_all >= 10
    assert blocked >= 5


def test_checkers_endgames_stand_on_dark_squares_and_no_man_on_its_far_rank() -> None:
    game = load("checkers")
    for position in game.endgames():
        for square, piece in enumerate(position.cells):
            y, x = divmod(square, 8)
            if piece != ".":
                assert (x + y) % 2 == 0
            assert (piece, y) not in {("m", 7), ("M", 0)}


Cause = tuple[str, tuple[int, ...]]


def causes(spec: str, expected: Collection[Cause]) -> Counter[Cause]:
    """What is to be seen at the ends of random games from the endgames, with the goals.

    One from each, and then up to two more as long as something expected was seen less than thrice.
    """
    game = load(spec)
    found: Counter[Cause] = Counter()
    endgames = game.endgames()
    for seed in range(3):
        for start in endgames:
            last = list(playout(game, seed, start))[-1]
            if game.is_terminal(last):
                found[CAUSES[game.name](last), tuple(game.goals(last).values())] += 1
        if all(found[one] >= 3 for one in expected):
            break
    return found


def far_rank(position: Position, keys: str) -> str:
    arrived = set(keys) & set(position.cells[-8:]) or set(keys.swapcase()) & set(position.cells[:8])
    return "arrived" if arrived else "no turn"


def kono_end(position: Position) -> str:
    edges = [(rows[0], rows[1][0] + rows[1][4]) for rows in (position.rows, position.rows[::-1])]
    return "home" if ("mmmmm", "mm") in edges[:1] or ("MMMMM", "MM") in edges[1:] else "no turn"


def morris_end(position: Position) -> str:
    return "two men" if min(position.cells.count(key) for key in "mM") == 2 else "no turn"


def asalto_end(position: Position) -> str:
    if position.cells.count("s") < 9:
        return "too few soldiers"
    return "fortress" if "".join(row[2:5] for row in position.rows[:3]) == "s" * 9 else "no turn"


CAUSES = {
    "checker-bt": lambda position: far_rank(position, "m"),
    "chess-bt": lambda position: far_rank(position, "PN"),
    "five-field-kono": kono_end,
    "nine-mens-morris": morris_end,
    "asalto": asalto_end,
    "fifteen-puzzle": lambda _: "in order",
    "eight-puzzle": lambda _: "in order",
}
WON, LOST, DRAWN = (100, 0), (0, 100), (50, 50)
RACE = [("arrived", WON), ("arrived", LOST), ("no turn", WON), ("no turn", LOST)]
MORRIS = [("two men", WON), ("two men", LOST), ("no turn", WON), ("no turn", LOST)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("checker-bt", RACE),
        ("checker-bt:capturing=1", RACE),
        ("chess-bt", RACE),
        ("five-field-kono", [("home", WON), ("home", LOST), ("no turn", DRAWN)]),
        ("nine-mens-morris", MORRIS),
        ("nine-mens-morris:flying=1", MORRIS),
        (
            "asalto",
            [
                ("fortress", WON),
                ("no turn", WON),
                ("too few soldiers", LOST),
                ("no turn", LOST),
            ],
        ),
        ("fifteen-puzzle", [("in order", (100,))]),
        ("eight-puzzle", [("in order", (100,))]),
    ],
)
def test_random_games_from_the_endgames_reach_every_kind_of_ending(
    spec: str, expected: list[Cause]
) -> None:
    found = causes(spec, expected)
    assert set(found) == set(expected)
    assert min(found.values()) >= 3


def test_the_graph_game_ends_in_the_hole_or_in_victory() -> None:
    game = load("graph-game")
    ends = Counter(
        (last.rows[0], game.goals(last)["player"])
        for seed in range(20)
        for last in [list(playout(game, seed))[-1]]
    )
    assert set(ends) == {("i...", 0), ("...i", 100)}


CIRCLE = [
    "........",
    "........",
    "...M.M..",
    "........",
    "...M.M..",
    "....k...",
    "........",
    "........",
]


def test_a_king_that_circles_either_way_round_has_one_turn() -> None:
    game = load("checkers")
    turns = game.legal(make_position(game.equipment, CIRCLE, "white"))
    assert [t.count("(0 0 d)") for t in turns] == [4]


def test_a_jump_goes_on_while_it_can_and_promotion_ends_it() -> None:
    game = load("checkers")
    rows = [
        "........",
        "..M.M...",
        ".m......",
        "........",
        "........",
        "........",
        "........",
        "m.......",
    ]
    assert game.legal(make_position(game.equipment, rows, "white")) == [
        "b6 (1 1 p) (0 0 d) (1 1 e) (0 0 a k)"
    ]
    rows = [
        "........",
        "........",
        "........",
        "....M...",
        "........",
        "..M.....",
        ".m......",
        "........",
    ]
    assert game.legal(make_position(game.equipment, rows, "white")) == [
        "b2 (1 1 p) (0 0 d) (1 1 e) (1 1 p) (0 0 d) (1 1 e)"
    ]


def test_a_man_crowned_in_a_jump_goes_on_as_a_king_where_the_option_says_so() -> None:
    rows = [
        "........",
        "..M.M...",
        ".m......",
        "........",
        "........",
        "........",
        "........",
        "m.......",
    ]
    game = load("checkers:continuing=1")
    position = make_position(game.equipment, rows, "white")
    (turn,) = game.legal(position)
    assert turn == ("b6 (1 1 p) (0 0 d) (1 1 e) (0 0 a k) (0 0 d) (1 -1 p) (0 0 d) (1 -1 e)")
    after = game.play(position, turn)
    assert after.rows == ["........"] * 2 + [".....k.."] + ["........"] * 4 + ["m......."]
    rows[1] = "..M....."
    (turn,) = game.legal(make_position(game.equipment, rows, "white"))
    assert turn == "b6 (1 1 p) (0 0 d) (1 1 e) (0 0 a k)"


def test_a_man_of_checker_bt_may_stop_after_any_jump_or_not_jump() -> None:
    rows = [
        "........",
        "........",
        "........",
        "....M...",
        "........",
        "..M.....",
        ".m......",
        "........",
    ]
    game = load("checker-bt")
    assert game.legal(make_position(game.equipment, rows, "white")) == [
        "b2 (-1 1 e)",
        "b2 (1 1 p) (1 1 e)",
        "b2 (1 1 p) (1 1 e) (1 1 p) (1 1 e)",
    ]
    game = load("checker-bt:capturing=1")
    assert game.legal(make_position(game.equipment, rows, "white"))[1:] == [
        "b2 (1 1 p) (0 0 d) (1 1 e)",
        "b2 (1 1 p) (0 0 d) (1 1 e) (1 1 p) (0 0 d) (1 1 e)",
    ]


def test_two_ways_round_are_one_turn_where_nothing_is_removed() -> None:
    rows = [
        "........",
        "........",
        "........",
        "..M.M...",
        "........",
        "..M.M...",
        "...m....",
        "........",
    ]
    for spec, ways in (("checker-bt", 1), ("checker-bt:capturing=1", 2)):
        game = load(spec)
        position = make_position(game.equipment, rows, "white")
        ends = [game.play(position, turn).cells.index("m") for turn in game.legal(position)]
        assert ends.count(position.board.square("d6")) == ways


def test_a_king_of_chess_bt_may_be_left_to_be_taken() -> None:
    game = load("chess-bt")
    rows = [
        "r...k...",
        "........",
        "........",
        "........",
        "........",
        "........",
        "....P...",
        "K......R",
    ]
    position = game.play(make_position(game.equipment, rows, "white"), "e2 (0 1 e)")
    taken = game.play(position, "a8" + " (0 -1 e)" * 6 + " (0 -1 p)")
    assert "K" not in taken.cells
    assert not game.is_terminal(taken)


def morris(spec: str, rows: list[str], hands: tuple[int, int] = (0, 0)) -> list[str]:
    game = load(spec)
    reserve = {"white": {"m": hands[0]}, "black": {"M": hands[1]}}
    return game.legal(make_position(game.equipment, rows, "white", reserve))


def test_a_closed_mill_takes_a_man_from_outside_mills_while_there_is_one() -> None:
    rows = [
        "M##M##M",
        "#M#.#.#",
        "##...##",
        "...#...",
        "##...##",
        "#.#.#.#",
        "m##m##.",
    ]
    turns = morris("nine-mens-morris", rows, (1, 0))
    assert [t for t in turns if ";" in t] == ["g1 (0 0 a m); b6 (0 0 d)"]
    rows[1] = "#.#.#.#"
    turns = morris("nine-mens-morris", rows, (1, 0))
    assert [t for t in turns if ";" in t] == [
        f"g1 (0 0 a m); {square} (0 0 d)" for square in ("a7", "d7", "g7")
    ]


def test_two_mills_at_once_take_one_man() -> None:
    rows = [
        "m##.##.",
        "#M#.#M#",
        "##...##",
        "m..#...",
        "##...##",
        "#.#.#.#",
        ".##m##m",
    ]
    turns = morris("nine-mens-morris", rows, (1, 1))
    assert [t for t in turns if t.startswith("a1")] == [
        "a1 (0 0 a m); b6 (0 0 d)",
        "a1 (0 0 a m); f6 (0 0 d)",
    ]


def test_three_men_fly_only_where_the_option_says_so() -> None:
    rows = [
        "m##.##m",
        "#.#.#.#",
        "##...##",
        "...#...",
        "##...##",
        "#M#M#.#",
        "M##M##m",
    ]
    plain = morris("nine-mens-morris", rows)
    assert sorted(plain) == [
        "a7 (0 -3 e)",
        "a7 (3 0 e)",
        "g1 (0 3 e)",
        "g7 (-3 0 e)",
        "g7 (0 -3 e)",
    ]
    flying = morris("nine-mens-morris:flying=1", rows)
    assert set(plain) < set(flying)
    assert "a7 (@c3 e)" in flying
    assert len({turn.partition(";")[0] for turn in flying}) == 3 * 17
    rows[3] = "..m#..."
    assert not any("@" in turn for turn in morris("nine-mens-morris:flying=1", rows))


def test_soldiers_never_step_back_nor_away_from_the_middle() -> None:
    game = load("asalto")
    rows = [
        "##...##",
        "##O.O##",
        "ss...ss",
        "....s..",
        "......s",
        "##ss.##",
        "##sss##",
    ]
    turns = game.legal(make_position(game.equipment, rows, "soldiers"))
    by_square = {t: [u.partition(" ")[2] for u in turns if u.startswith(t)] for t in ("b5", "e4")}
    assert by_square == {"b5": ["(1 0 e)"], "e4": ["(0 1 e)", "(-1 0 e)"]}


def test_officers_jump_on_as_they_like_and_only_along_lines() -> None:
    game = load("asalto")
    rows = [
        "##...##",
        "##...##",
        "s.s....",
        "..O.s.O",
        "ss.....",
        "##sss##",
        "##sss##",
    ]
    turns = game.legal(make_position(game.equipment, rows, "officers"))
    assert [t for t in turns if "d" in t.partition(" ")[2]] == [
        "c4 (0 1 p) (0 0 d) (0 1 e)",
    ]
    rows[1] = "##s..##"
    rows[3] = "...Os.O"
    turns = game.legal(make_position(game.equipment, rows, "officers"))
    assert [t for t in turns if "d" in t.partition(" ")[2]] == [
        "d4 (1 0 p) (0 0 d) (1 0 e)",
    ]


@pytest.mark.parametrize("width", range(2, 7))
@pytest.mark.parametrize("height", range(2, 7))
def test_every_sliding_puzzle_can_be_solved(width: int, height: int) -> None:
    game = load(f"fifteen-puzzle:width={width},height={height}")
    cells = list("".join(game.initial.rows))
    order = [*list(game.equipment.pieces), "."]
    way = sum(divmod(cells.index("."), width)) - (width + height - 2)
    exchanges = 0
    for i, wanted in enumerate(order):
        at = cells.index(wanted)
        exchanges += at != i
        cells[i], cells[at] = cells[at], cells[i]
    assert exchanges % 2 == way % 2


def test_an_arrow_may_fly_over_and_onto_the_square_just_left() -> None:
    game = load("amazons:width=4,height=4")
    rows = ["QQxx", "xxxx", "xxxx", "qq.x"]
    turns = game.legal(make_position(game.equipment, rows, "white"))
    assert turns == ["b1 (1 0 e) (0 0 a x) (-1 0 e)"]
    rows = ["QQxx", "xxxx", "xxxx", ".q.x"]
    turns = game.legal(make_position(game.equipment, rows, "white"))
    assert "b1 (1 0 e) (0 0 a x) (-1 0 e) (-1 0 e)" in turns


def test_amazons_start_as_published() -> None:
    ten = load("amazons").initial
    names = ten.board.names
    white = {names[i] for i, c in enumerate(ten.cells) if c == "q"}
    black = {names[i] for i, c in enumerate(ten.cells) if c == "Q"}
    assert white == {"d1", "g1", "a4", "j4"}
    assert black == {"d10", "g10", "a7", "j7"}
    six = load("amazons:width=6,height=6").initial
    assert six.rows == [".Q..Q.", "Q....Q", "......", "......", "q....q", ".q..q."]
