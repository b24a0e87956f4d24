"""Long work reports how far it is, under names that say what is being done."""

from __future__ import annotations

from pathlib import Path

from learned import learned, record
from race import Race, race_model

import grl
from grl.compare import compare_game
from grl.rulebook import Rulebook


class Heard:
    """A hook that keeps what it hears."""

    def __init__(self) -> None:
        self.stages: dict[str, list[tuple[int, int | None]]] = {}

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        self.stages.setdefault(stage, []).append((done, total))


def test_learning_reports_every_part(tmp_path: Path) -> None:
    heard = Heard()
    grl.learn(record("connect-four:width=4,height=4", tmp_path / "t.jsonl", 5), progress=heard)
    said = " ".join(heard.stages)
    for part in ("reading traces", "movement", "machines", "turns of positions", "restrictions"):
        assert part in said
    rows = heard.stages["restrictions: features of turns"]
    assert rows[-1][0] == rows[-1][1]


def test_counting_and_comparing_report() -> None:
    heard = Heard()
    rulebook = learned("tic-tac-toe")
    rulebook.perft(rulebook.initial, 3, progress=heard)
    assert heard.stages["first turns"] == [(n, 9) for n in range(9)]
    compare_game(Rulebook(race_model()), Race(), 20, progress=heard)
    assert heard.stages["comparing"][-1][1] == 20
    assert heard.stages["games played for further endings"]
