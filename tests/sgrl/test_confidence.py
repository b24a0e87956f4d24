"""What is called sure: not from one game, not without occasions, not what rules may have hidden."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from learned import record
from lessons import games_of
from strange_games import NoEcho

import grl
from grl.games import Game, load
from grl.progress import silent
from grl.sgrl import confidence
from grl.sgrl.collect import collect
from grl.sgrl.confidence import FEW_GAMES, _mark_is_open, _open_segments
from grl.sgrl.learn import cheapest
from grl.sgrl.pool import pools
from grl.sgrl.walk import PooledNode
from grl.sgrl.words import END, NEXT
from grl.shards import observe
from grl.traces import header_dict, write_traces
from grl.turn import Letter


def automata(game: Game, path: Path, n: int, **options) -> list[dict]:
    write_traces(path, header_dict(game), games_of(game, n, endgames=0.0, **options))
    return grl.learn(path, rules=False, locm=False).model.report["automata"]


def test_a_few_games_are_needed_however_many_turns_they_have(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    for n in (1, FEW_GAMES - 1, FEW_GAMES):
        found = automata(game, tmp_path / f"{n}.jsonl", n)
        assert {item["games"] for item in found} == {n}
        assert all(item["sure"] == (n >= FEW_GAMES) for item in found)
        assert all(item["support"] >= 4 for item in found)


def test_a_game_recorded_twice_is_one_game(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    plays = games_of(game, 2, endgames=0.0)
    write_traces(tmp_path / "g.jsonl", header_dict(game), [*plays, *plays, *plays])
    report = grl.learn(tmp_path / "g.jsonl", rules=False).model.report
    assert report["games"] == 6
    assert {item["games"] for item in report["automata"]} == {2}


def test_a_piece_that_never_met_another_might_take_it_or_jump_over_it(tmp_path: Path) -> None:
    found = automata(NoEcho(), tmp_path / "short.jsonl", 12, max_plies=2)
    for item in found:
        assert not item["sure"]
        assert any(" p)" in word for word in item["open"])
    longer = automata(NoEcho(), tmp_path / "long.jsonl", 30)
    assert all(item["sure"] for item in longer)


@pytest.mark.parametrize(("spec", "jumps"), [("checkers", True), ("nine-mens-morris", False)])
def test_prefixes_that_are_left_out_change_nothing(
    spec: str, jumps: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = grl.Traces.open(record(spec, tmp_path / "games.jsonl", 8))
    evidence = observe([traces], 1, silent).evidence.settled()
    pooled = pools(collect(evidence, traces.header.equipment), traces.header.equipment)
    learned = {key: cheapest(pool) for key, pool in pooled.items()}

    def found() -> list[confidence.Confidence]:
        return [
            confidence.confidence(each.automaton, each.pool, 1.0, onto="ewp")
            for each in learned.values()
        ]

    bounded = found()
    left_out = []
    monkeypatch.setattr(PooledNode, "most_surprise", lambda _: float("inf"))
    never_fits = confidence._never_fits

    def never(*asked) -> bool:
        left_out.append(never_fits(*asked))
        return False

    monkeypatch.setattr(confidence, "_never_fits", never)
    assert found() == bounded
    assert any(left_out) == jumps
    assert any(each.doubt for each in bounded)


def pool_of(seen: int, *marks: Letter) -> SimpleNamespace:
    word = (Letter(1, 0, "e"), END)
    node = SimpleNamespace(sightings=lambda: (1.0 * seen, seen), seen=True)
    return SimpleNamespace(alphabet=[*marks], words=[word], node=lambda _: node)


def test_another_segment_may_follow_where_it_follows_others_until_many_turns_were_over() -> None:
    assert list(_open_segments(pool_of(50, END), 0.1)) == ["another segment"]
    assert list(_open_segments(pool_of(2_000, END), 0.1)) == []
    assert list(_open_segments(pool_of(50, END), 0.0)) == []
    assert list(_open_segments(pool_of(50, END, NEXT), 0.1)) == []


def test_how_often_a_turn_goes_on_is_judged_by_how_often_others_of_the_piece_do() -> None:
    often, seldom = Letter(1, 0, "e"), Letter(0, 1, "e")
    counts = {(often, END): 90, (often, NEXT): 10}

    def pool(seen: int) -> SimpleNamespace:
        numbers = {**counts, (seldom, END): seen}
        nodes = {
            word: SimpleNamespace(sightings=lambda n=n: (1.0, n), seen=True)
            for word, n in numbers.items()
        }
        return SimpleNamespace(words=list(numbers), node=nodes.__getitem__)

    for seen, is_open in ((60, True), (6_000, False)):
        found = pool(seen)
        prefix = SimpleNamespace(child=lambda mark, found=found: found.node((seldom, mark)))
        assert _mark_is_open(NEXT, END, found, [prefix]) == is_open
