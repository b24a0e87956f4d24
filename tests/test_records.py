"""Records as a sample that merges: whatever the parts and their order, the same is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_game import MadeUp

from grl.board import Player, make_position
from grl.games import load
from grl.generate import generate
from grl.records import APART, FURTHER, Moment, Records
from grl.replay import Play, Ply
from grl.traces import Traces, header_dict, write_traces
from grl.trail import Past, Trail

SOURCES = {
    "made-up": (25, True, 40, 0.6),
    "tic-tac-toe": (40, True, None, 0.0),
    "tic-tac-toe, single moves": (40, False, None, 0.0),
    "nine-mens-morris": (6, True, 40, 0.5),
}
BOUNDS = [(10**6, 10**6), (30, 7), (1, 1)]


@cache
def plays(source: str) -> tuple[Play, ...]:
    """Games of a source; those of `made-up` let a player move twice."""
    n, all_moves, most, endgames = SOURCES[source]
    game = MadeUp() if source == "made-up" else load(source.partition(",")[0])
    made = generate(game, n, all_moves=all_moves, seed=2, max_plies=most, endgames=endgames)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        write_traces(path, header_dict(game), made)
        return tuple(Traces.open(path))


def records(games, limit: int = 10**6, end_limit: int = 10**6) -> Records:
    found = Records(limit, end_limit)
    for play in games:
        found.observe(play)
    return found


def kept(found: Records) -> tuple[object, ...]:
    return found.sorted_moments(), sorted(found.further(), key=rank), found.sorted_ends()


def rank(moment: Moment) -> float:
    return moment.rank


def room(found: Records, limit: int) -> int:
    """How many moments there may be by a bound for each class."""
    classes = {number for number, *_ in found.moments}
    return sum(limit * (FURTHER if number >= APART else 1) for number in classes)


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=12)
@given(chance=st.randoms(use_true_random=False), parts=st.integers(1, 6))
def test_parts_merged_in_any_order_are_the_whole(
    source: str, bounds: tuple[int, int], chance: Random, parts: int
) -> None:
    games = list(plays(source))
    whole = records(games, *bounds)
    chance.shuffle(games)
    heaps = [records(games[i::parts], *bounds) for i in range(parts)]
    while len(heaps) > 1:
        one = heaps.pop(chance.randrange(len(heaps)))
        heaps[chance.randrange(len(heaps))].merge(one)
    assert kept(heaps[0]) == kept(whole)


@pytest.mark.parametrize("source", SOURCES)
def test_the_bound_holds_and_keeps_the_beginning_of_all(source: str) -> None:
    everything = records(plays(source))
    moments, _, ends = kept(everything)
    bounded = records(plays(source), 30, 7)
    found = bounded.sorted_moments()
    assert len(found) <= 30 < len(moments)
    highest = max(moment.rank for moment in found)
    assert {moment.position.outcome for moment in found} >= {
        moment.position.outcome for moment in moments if moment.rank < highest
    }
    assert len(bounded.moments) <= room(everything, 30)
    if len(ends) > 7:
        assert len(bounded.ends) == 7
        assert set(bounded.sorted_ends()) < set(ends)


def test_behind_the_sample_there_are_further_moments_where_one_turn_is_known() -> None:
    games = plays("tic-tac-toe, single moves")
    everything = records(games)
    assert not list(everything.further())
    bounded = records(games, 30, 7)
    sample, further = bounded.sorted_moments(), list(bounded.further())
    assert len(sample) == 30
    assert len(further) == 4 * 30
    assert max(map(rank, sample)) < min(map(rank, further))
    positions = {moment.position.outcome: moment for moment in everything.sorted_moments()}
    for moment in further:
        known = positions[moment.position.outcome]
        assert moment.turns <= known.turns
        assert len(moment.position.trail or ()) == 9 - moment.position.cells.count(".")
    assert not list(records(plays("tic-tac-toe"), 30, 7).further())


def test_no_more_than_twice_the_bound_is_held_on_the_way() -> None:
    found = Records(10, 5)
    for play in plays("tic-tac-toe"):
        found.observe(play)
        assert len(found.moments) <= room(found, 20)
        assert len(found.ends) <= 10


def test_merging_with_nothing_changes_nothing() -> None:
    found = records(plays("tic-tac-toe"))
    before = kept(found)
    found.merge(Records())
    assert kept(found) == before
    empty = Records()
    empty.merge(found)
    assert kept(empty) == before


def test_a_moment_holds_all_legal_turns_and_who_followed() -> None:
    followers: dict[object, set] = {}
    legal = {}
    for play in plays("made-up"):
        for ply, after in zip(play.plies, [*play.plies[1:], None], strict=True):
            here = followers.setdefault(ply.position.outcome, set())
            legal[ply.position.outcome] = set(ply.legal or ())
            if after is not None:
                here.add((ply.turn, after.by))
    moments = records(plays("made-up")).sorted_moments()
    assert {m.position.outcome for m in moments} == set(legal)
    for moment in moments:
        assert moment.complete
        assert moment.turns == legal[moment.position.outcome]
        assert moment.followers <= followers[moment.position.outcome]
    assert any(follower == m.position.to_move for m in moments for _, follower in m.followers)


def test_lists_of_legal_turns_that_differ_with_the_game_so_far_are_all_kept() -> None:
    play = plays("tic-tac-toe")[0]
    ply = play.plies[1]
    first = replace(play, plies=(ply,))
    listed = replace(ply, legal=frozenset(sorted(ply.legal)[1:]))
    other = replace(ply.position, last="b2 (0 0 a o)")

    same = records([first, replace(first, plies=(replace(ply, position=other),))])
    differs = records([first, replace(first, plies=(replace(listed, position=other),))])

    assert len(same.sorted_moments()) == 1
    lists = {frozenset(ply.legal), listed.legal}
    assert {moment.turns for moment in differs.sorted_moments()} == lists


def test_single_moves_of_a_position_add_up() -> None:
    start = records(plays("tic-tac-toe, single moves")).sorted_moments()
    first = [m for m in start if m.position == plays("tic-tac-toe")[0].plies[0].position]
    played = {play.plies[0].turn for play in plays("tic-tac-toe, single moves")}
    assert [m.turns for m in first] == [played]
    assert not first[0].complete


def test_an_end_has_the_position_its_goals_and_the_way_there() -> None:
    ends = {end.last.position.outcome: end for end in records(plays("made-up")).sorted_ends()}
    over = [play for play in plays("made-up") if play.end == "terminal"]
    assert set(ends) == {play.final.outcome for play in over}
    assert 0 < len(over) < len(plays("made-up"))
    for play in over:
        end = ends[play.final.outcome]
        assert dict(end.goals) == play.goals
        assert end.last.before is not None
        ways = {(p.plies[-1].position, p.plies[-1].turn) for p in over if p.final == play.final}
        assert (end.last.before, end.last.turn) in ways or len(ways) > 1


def test_of_several_ways_to_an_end_the_same_is_kept_whatever_the_order(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    orders = ("a1 b1 a2 b2 a3", "a1 b2 a2 b1 a3", "a2 b1 a1 b2 a3")
    made = [
        {
            "id": order,
            "turns": [{"turn": f"{s} (0 0 a {'xo'[i % 2]})"} for i, s in enumerate(order.split())],
            "end": "terminal",
            "goals": {"x": 100, "o": 0},
        }
        for order in orders
    ]
    write_traces(tmp_path / "ways.jsonl", header_dict(game), made)
    games = list(Traces.open(tmp_path / "ways.jsonl"))
    assert len({(play.plies[-1].position, play.final) for play in games}) > 1
    found = {tuple(records(each).sorted_ends()) for each in permutations(games)}
    assert len(found) == 1


def test_games_that_were_stopped_have_no_end() -> None:
    stopped = [replace(play, end="stopped", goals=None) for play in plays("tic-tac-toe")]
    found = records(stopped)
    assert found.sorted_ends() == []
    assert found.sorted_moments() == records(plays("tic-tac-toe")).sorted_moments()


X, O = Player("x"), Player("o")  # noqa: E741


def judged(win: int, draw: int) -> list[Play]:
    """One and the same game, so often with the one result and with the other."""
    play = plays("tic-tac-toe")[0]
    return [
        *[replace(play, goals={X: 100, O: 0})] * win,
        *[replace(play, goals={X: 50, O: 50})] * draw,
    ]


@pytest.mark.parametrize(
    ("win", "draw", "goals"),
    [(2, 1, (100, 0)), (1, 2, (50, 50)), (1, 0, (100, 0)), (3, 3, (100, 0))],
)
def test_of_goals_that_disagree_most_records_decide(
    win: int, draw: int, goals: tuple[int, int]
) -> None:
    games = judged(win, draw)
    for order in (games, games[::-1]):
        (end,) = records(order).sorted_ends()
        assert end.goals == ((X, goals[0]), (O, goals[1]))
        one, other = records(order[::2]), records(order[1::2])
        one.merge(other)
        assert one.sorted_ends() == [end]


def ways_to_a_position():
    """One position at the end of two games, in which different turns are legal."""
    game = load("go:size=2")
    here = make_position(game.equipment, ["x.", ".."], "white")
    pasts = [Past("....", "black", (), text) for text in ("a2 (0 0 a x)", "pass")]
    for past, legal in zip(pasts, (("pass",), ("b1 (0 0 a o)", "pass")), strict=True):
        position = replace(here, last="pass", trail=Trail([past]))
        yield Play(past.turn, 1, (Ply(position, "pass", legal),), position, "terminal", {})


def test_legal_turns_that_differ_with_the_game_so_far_stay_apart():
    records = Records()
    for play in ways_to_a_position():
        records.observe(play)

    assert sorted(len(moment.turns) for moment in records.sorted_moments()) == [1, 2]


def test_of_two_games_that_come_to_one_position_the_order_decides_nothing():
    kept = set()
    for plays in permutations(ways_to_a_position()):
        records = Records()
        for play in plays:
            ply = play.plies[0]
            same = replace(play, plies=(replace(ply, legal=None),))
            records.observe(same)
        (moment,) = records.sorted_moments()
        (end,) = records.sorted_ends()
        kept.add((tuple(moment.position.trail), tuple(end.last.before.trail)))
    assert len(kept) == 1
