"""Learning under a limit of time, and what is left of it when somebody interrupts it."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from learned import record

import grl
from grl import progress
from grl.cli import INTERRUPTED, main
from grl.model import Rule
from grl.progress import AFTER_STOP, SHARES, Stopped, TimeLimit, late, within
from grl.rules.search.lists import ListLearner
from grl.rules.search.refine import Attempt, Theory, by_level, refine
from grl.traces import Traces

STAGES = sorted(SHARES, key=SHARES.__getitem__)


class Clock:
    """Stands for the module `time`; every look at it takes a second, or it is set."""

    def __init__(self, *, runs: bool = False) -> None:
        self.now, self.step = 0.0, float(runs)

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(progress, "time", found)
    return found


def test_a_stage_ends_when_its_share_is_over(clock: Clock) -> None:
    limit = TimeLimit(100)
    movement, endings = within(limit, "movement"), within(limit, "endings")
    clock.now = 100 * SHARES["movement"] + 1

    assert not late(endings, "endings: rounds", 1, None)
    with pytest.raises(Stopped):
        movement("movement: m", 0, 1)
    limit("what no stage keeps", 0, None)
    assert list(limit.ended) == ["movement"]

    clock.now = 100
    assert late(endings, "endings: rounds", 2, None)
    assert list(limit.ended) == ["movement", "endings"]


def test_without_a_limit_no_stage_ends(clock: Clock) -> None:
    limit = TimeLimit()
    clock.now = 1e9

    assert not any(late(within(limit, stage), stage, 0, None) for stage in STAGES)
    assert not limit.ended


def test_who_asks_to_stop_waits_for_little_more(clock: Clock) -> None:
    reported = []
    limit = TimeLimit(None, lambda *report: reported.append(report))
    assert not limit.begun
    assert not late(within(limit, "restrictions"), "restrictions: rounds", 1, 2)
    assert limit.begun
    assert reported == [("restrictions: rounds", 1, 2)]
    clock.now = 1_000
    limit.stop()
    clock.now += 0.01

    assert late(within(limit, "restrictions"), "restrictions: rounds", 2, 2)
    later = STAGES[STAGES.index("restrictions") + 1 :]
    assert not any(late(within(limit, stage), stage, 0, None) for stage in later)
    clock.now += AFTER_STOP
    assert all(late(within(limit, stage), stage, 0, None) for stage in later)


def test_a_limit_within_a_limit_ends_with_either(clock: Clock) -> None:
    outer = TimeLimit(100)
    inner = TimeLimit(1_000, outer)
    assert not late(within(inner, "endings"), "endings: rounds", 1, None)

    outer.stop()
    clock.now += 0.01

    assert late(within(inner, "endings"), "endings: rounds", 2, None)
    assert list(inner.ended) == list(outer.ended) == ["endings"]


def test_any_other_hook_is_left_as_it_is() -> None:
    assert within(progress.silent, "endings") is progress.silent


def stopping(theories: list[Theory]):
    """Makes one theory after the other, and has no time for more."""
    left = iter(theories)

    def made(_: int) -> Theory:
        for theory in left:
            return theory
        raise Stopped

    return made


def test_what_was_found_in_time_is_kept() -> None:
    good, bad = Theory((Rule((), None, 1),), 1, 2.0), Theory((), 3, 1.0)

    found, _ = by_level(stopping([bad, good]), range(3), lambda *_: False)
    assert found is good
    with pytest.raises(Stopped):
        by_level(stopping([]), range(3), lambda *_: False)

    made = stopping([bad, good])

    def attempts(_, revision: int):
        yield Attempt(made(revision), 1.0)

    kept, wrong = refine([1], attempts, lambda theory: [2] * theory.unexplained, 9)
    assert (kept, wrong) == (good, 1)
    made = stopping([])
    with pytest.raises(Stopped):
        refine([1], attempts, lambda theory: [2] * theory.unexplained, 9)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record("checkers", tmp_path_factory.mktemp("records") / "games.jsonl", 12)


@pytest.mark.parametrize("seconds", [1, 30, 100, 400, 1_500])
def test_whenever_learning_ends_the_automata_know_every_recorded_turn(
    records: Path, seconds: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(progress, "time", Clock(runs=True))

    rulebook = grl.learn(records, time_limit=seconds)
    monkeypatch.undo()

    rulebook.save(tmp_path / "model.grl.json")
    again = grl.load(tmp_path / "model.grl.json")
    ended = again.model.report["ended"]
    assert ended
    assert not again.model.report["verdict"]["exact"]
    assert set(ended) <= set(again.model.report["verdict"]["open"]) <= {*ended, *open_of(again)}
    assert "more time" in again.model.report["verdict"]["needs"]
    assert missing(grl.Rulebook(replace(again.model, rules=None)), records) == 0


def test_what_was_ended_is_named_without_rules_as_well(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "time", Clock(runs=True))

    report = grl.learn(records, rules=False, time_limit=1).model.report

    assert report["ended"]
    assert set(report["ended"]) <= set(report["verdict"]["open"])


def open_of(rulebook: grl.Rulebook) -> set[str]:
    """What may be open for want of records, whatever the time."""
    keys = {str(dfa.key) for dfa in rulebook.model.automata}
    return keys | {"restrictions", "endings", "who moves next", "passes"}


def missing(rulebook: grl.Rulebook, path: Path) -> int:
    """How many turns listed in records, of some positions, the rulebook lacks."""
    lacking = 0
    for play in Traces.open(path):
        for ply in play.plies[::9]:
            position = rulebook.position(**ply.position.to_dict())
            effects = {turn.effect(position) for turn in rulebook.legal(position)}
            listed = map(grl.Turn.parse, ply.legal)
            lacking += sum(turn.effect(position) not in effects for turn in listed)
    return lacking


def test_time_enough_changes_nothing(records: Path, tmp_path: Path) -> None:
    limited, free = tmp_path / "limited.json", tmp_path / "free.json"
    grl.learn(records, time_limit=3_600).save(limited)
    grl.learn(records).save(free)

    assert limited.read_bytes() == free.read_bytes()
    assert "ended" not in json.loads(free.read_text())["report"]


@pytest.mark.parametrize("interrupts", [1, 2])
def test_one_interrupt_ends_learning_and_two_leave_no_model(
    interrupts: int, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, learn, number = signal.getsignal(signal.SIGINT), grl.learn, count()

    def interrupted(*args, progress: TimeLimit, **options):
        def hook(stage: str, *_: object) -> None:
            if stage == "restrictions: rounds" and next(number) == 0:
                for _ in range(interrupts):
                    signal.raise_signal(signal.SIGINT)
                    time.sleep(0.001)

        progress._progress = hook
        return learn(*args, progress=progress, **options)

    monkeypatch.setattr(grl, "learn", interrupted)
    model = tmp_path / "model.grl.json"
    done = CliRunner().invoke(main, ["learn", str(records), "-o", str(model)])

    assert signal.getsignal(signal.SIGINT) is before
    if interrupts == 1:
        assert done.exit_code == 0
        assert "grl: ending with what was found; interrupt again to give up" in done.stderr
        assert "restrictions" in grl.load(model).model.report["ended"]
        assert done.stdout.splitlines()[-1].startswith("not exact: ")
    else:
        assert done.exit_code == INTERRUPTED
        assert not model.exists()


def test_rules_found_before_stay_where_time_cuts_a_search_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner: ListLearner[Any] = object.__new__(ListLearner)
    nothing = SimpleNamespace(rules=())
    before, more = SimpleNamespace(rules=(Rule(()),)), SimpleNamespace(rules=(Rule(()), Rule(())))

    monkeypatch.setattr(learner, "_greedy", lambda: nothing)
    assert learner._again(before) is before
    monkeypatch.setattr(learner, "_greedy", lambda: more)
    assert learner._again(before) is more
