"""Players: values against plain minimax on the rules, learned models against references."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from learned import learned
from race import Race

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.engine.engine import State
from grl.games import Game, load
from grl.players import AGENTS, agent
from grl.players.interface import (
    WIN,
    Agent,
    Answer,
    Budget,
    GameOver,
    final_value,
    plies_to_end,
    spoken,
)
from grl.players.minimax import Search
from grl.players.ordering import named
from grl.players.referees import Refereed
from grl.players.uct import Uct

TIC_TAC_TOE = "tic-tac-toe"
SMALL = "connect-four:width=4,height=3,line=3"
PLAIN = Search(None, prune=False, order=False, table=False, deepen=False, zero_window=False)
SEARCHES = {
    "negamax": PLAIN,
    "alpha-beta": Search(None, order=False, table=False, deepen=False, zero_window=False),
    "ordered": Search(None, table=False, zero_window=False),
    "remembering": Search(None, zero_window=False),
    "at once": Search(None, deepen=False),
    "all": Search(),
}


class Trio(Game):
    """Three players put stones in a row; who gets two of one's own side by side has won."""

    name = "trio"
    provenance = "made up for tests"

    def __init__(self) -> None:
        players = tuple(map(Player, ("a", "b", "c")))
        pieces = {key.upper(): Piece(key.upper(), key, "stone") for key in players}
        self.equipment = Equipment(Board(8, 1), players, pieces)
        self.initial = make_position(self.equipment, ["........"], players[0])

    def winner(self, position: Position) -> str:
        pairs = (one for one, other in pairwise(position.cells) if one == other != ".")
        return next(pairs, "").lower()

    def is_terminal(self, position: Position) -> bool:
        return "." not in position.cells or bool(self.winner(position))

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        piece, names = position.to_move.upper(), position.board.names
        return [f"{names[s]} (0 0 a {piece})" for s, x in enumerate(position.cells) if x == "."]

    def goals(self, position: Position) -> dict[Player, int]:
        won = self.winner(position)
        players = self.equipment.players
        return {player: (100 if player == won else 0) if won else 33 for player in players}


def worth(game: Game, position: Position, me: Player) -> tuple[int, int]:
    """What a position is worth to `me` if all others play against it: result and plies, by the
    rules alone. The larger, the better for `me`: a win sooner, a loss later."""
    if game.is_terminal(position):
        goals = game.goals(position)
        best = max((goal for player, goal in goals.items() if player != me), default=50)
        return (goals[me] > best) - (goals[me] < best), 0
    found = [worth(game, game.play(position, turn), me) for turn in game.legal(position)]
    rank = {result: result * (1000 - plies) for result, plies in found}
    choose = max if position.to_move == me else min
    result, plies = choose(found, key=lambda each: each[0] * (1000 - each[1]))
    assert result in rank
    return result, plies + 1 if result else 0


def value_of(result: int, plies: int) -> int:
    return result * (WIN - plies)


def late_positions(game: Game, stones: range, n: int, seed: int) -> Iterator[Position]:
    """Positions of random games after so many plies, in which the game goes on."""
    chance = random.Random(seed)
    while n:
        position = game.initial
        for _ in range(chance.choice(stones)):
            if not game.is_terminal(position):
                position = game.play(position, chance.choice(game.legal(position)))
        if not game.is_terminal(position):
            n -= 1
            yield position


CASES = (
    (load(TIC_TAC_TOE), range(3, 8)),
    (load(SMALL), range(3, 9)),
    (Race(), range(2, 5)),
    (Trio(), range(2, 6)),
)


@pytest.mark.parametrize(("game", "stones"), CASES, ids=[game.name for game, _ in CASES])
def test_searches_find_what_plain_minimax_on_the_rules_finds(game: Game, stones: range) -> None:
    played = Refereed(game, remembers=False)
    for position in late_positions(game, stones, 5, seed=1):
        expected = value_of(*worth(game, position, position.to_move))
        state = played.state(position)
        for name, search in SEARCHES.items():
            answer = search.choose(played, state, Budget(), seed=3)
            assert (answer.value, answer.proven) == (expected, True), (name, position)
            after = state.play(answer.number).position()
            kept = value_of(*worth(game, after, position.to_move))
            assert kept - (kept > 0) + (kept < 0) == expected, (name, position)


def test_uct_proves_what_plain_minimax_finds() -> None:
    for game, stones in CASES[:3]:
        played = Refereed(game, remembers=False)
        for position in late_positions(game, stones[1:], 6, seed=2):
            result, _ = worth(game, position, position.to_move)
            answer = Uct().choose(played, played.state(position), Budget(nodes=60_000), seed=1)
            assert answer.proven
            assert (answer.value > 0) - (answer.value < 0) == result, position


def test_tic_tac_toe_is_a_draw() -> None:
    engine = learned(TIC_TAC_TOE).engine()
    answer = Search().choose(engine, engine.initial, Budget())
    assert (answer.value, answer.proven, answer.depth, len(answer.line)) == (0, True, 9, 9)


@pytest.mark.parametrize(
    "spec", [TIC_TAC_TOE, "connect-four", "breakthrough:width=6,height=6", "checkers"]
)
@pytest.mark.parametrize("name", [name for name in AGENTS if name not in ("swift", "solver")])
def test_a_learned_model_is_played_as_the_reference_is(spec: str, name: str) -> None:
    player = agent(name)
    games = learned(spec).engine(), Refereed(load(spec), remembers=False)
    states: list[State] = [game.initial for game in games]
    for ply in range(8):
        first, second = (
            player.choose(game, state, Budget(nodes=120), seed=ply)
            for game, state in zip(games, states, strict=True)
        )
        assert _compared(first) == _compared(second)
        states = [
            state.play(answer.number) for state, answer in zip(states, (first, second), strict=True)
        ]
        assert states[0].cells == states[1].cells
        if states[0].over:
            break


def test_two_ways_round_to_one_effect_have_one_name() -> None:
    """A king takes four men in a circle: model and reference each list another way round."""
    game, model = load("checkers"), learned("checkers")
    rows = [
        ".M.M.M.M",
        "M.M.M.M.",
        "...M...M",
        "........",
        "...m.m..",
        "........",
        "...m.m..",
        "....K...",
    ]
    position = make_position(game.equipment, rows, "black")
    states = (
        Refereed(game, remembers=False).state(position),
        model.engine().state(model.position(rows, "black")),
    )
    spelled = [set(state.turns()) for state in states]
    assert spelled[0] != spelled[1]
    names = [named(state) for state in states]
    assert [name for name, _ in names[0]] == [name for name, _ in names[1]]
    for (name, one), (_, other) in zip(*names, strict=True):
        assert states[0].play(one).cells == states[1].play(other).cells, name


def _compared(answer: Answer) -> tuple[object, ...]:
    return answer.turn, answer.value, answer.line, answer.nodes, answer.depth, answer.proven


@pytest.mark.parametrize("name", AGENTS)
def test_whatever_the_budget_a_legal_turn_and_a_line_come_back(name: str) -> None:
    engine = learned("connect-four").engine()
    state = engine.initial.play(3)
    player: Agent = agent(name)
    budgets = Budget(nodes=0), Budget(nodes=1), Budget(seconds=0), Budget(stop=lambda: True)
    for budget in (*budgets, Budget(nodes=500)):
        answer = player.choose(engine, state, budget, seed=1)
        assert state.turns()[answer.number] == answer.turn == answer.line[0]
        after = state
        for turn in answer.line:
            after = after.play(after.turns().index(turn))
    again = player.choose(engine, state, Budget(nodes=500), seed=1)
    assert _compared(again) == _compared(answer)


@pytest.mark.parametrize("name", AGENTS)
def test_where_the_game_is_over_no_turn_is_chosen(name: str) -> None:
    engine = learned(TIC_TAC_TOE).engine()
    state = engine.initial
    while not state.over:
        state = state.play(0)
    with pytest.raises(GameOver):
        agent(name).choose(engine, state, Budget(nodes=10))


def test_nodes_are_bounded_by_the_budget() -> None:
    played = Refereed(load("connect-four"), remembers=False)
    for name in ("negamax", "alphabeta", "mtdf", "uct"):
        answer = agent(name).choose(played, played.initial, Budget(nodes=300))
        assert 250 < answer.nodes <= 300
    engine = learned("connect-four").engine()
    for name in ("swift", "solver"):
        answer = agent(name).choose(engine, engine.initial, Budget(nodes=30_000))
        assert 25_000 < answer.nodes <= 30_000


def test_an_evaluation_decides_where_the_game_is_not_over() -> None:
    def left(state: State, seat: int) -> float:
        """Likes its own pieces on the first file."""
        piece = "xo"[seat]
        return state.cells[:: state.position().board.width].count(piece) / 10

    engine = learned("connect-four").engine()
    for name in ("negamax", "alphabeta", "mtdf"):
        answer = agent(name, left).choose(engine, engine.initial, Budget(depth=1))
        assert (answer.turn[:2], spoken(answer.value), answer.proven) == ("a1", "+0.10", False)
    answer = agent("uct", left).choose(engine, engine.initial, Budget(nodes=200))
    assert answer.turn.startswith("a1")


def test_values_say_who_wins_and_when() -> None:
    players = tuple(map(Player, "ab"))
    goals = dict(zip(players, (100, 0), strict=True))
    assert [final_value(goals, players, seat) for seat in (0, 1)] == [WIN, -WIN]
    assert final_value(dict.fromkeys(players, 50), players, 0) == 0
    assert 0 < final_value(dict(zip(players, (75, 25), strict=True)), players, 0) < WIN // 2
    assert final_value({}, players, 0) == 0
    assert final_value({players[0]: 100}, players[:1], 0) == WIN
    assert (plies_to_end(WIN - 5), plies_to_end(7 - WIN), plies_to_end(9_999)) == (5, 7, None)
    assert (spoken(WIN - 5), spoken(7 - WIN), spoken(0)) == ("wins in 5", "loses in 7", "0")
