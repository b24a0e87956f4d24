"""What child processes do for a page: learn from files, ask, play many games.

Everything here is called in a process of its own; arguments and results can be pickled.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grl.ask import Answer, EndOfAnswers, Question, Session
from grl.children import Report
from grl.compare import compare_traces
from grl.errors import GrlError
from grl.learning import learn
from grl.model import Model
from grl.players.arena import Contest, Record, matches, openings, played
from grl.players.ratings import standings
from grl.rulebook import Rulebook, load
from grl.rules.english.sentences import sentences
from grl.serve.book import PARTS
from grl.serve.seating import bounded
from grl.tally import Comparison
from grl.tracejson import describe
from grl.traces import Traces

MOST_GAMES = 200_000
"""That are imported from one file."""
UNLISTED = frozenset({"acf", "pdn", "sgf"})
"""Notations of which the legal turns are not recorded: there are too many, or nobody lists them."""
COMPARED = 400
"""Positions of the records on which models are compared."""
SHOWN = 3
"""Differences that are shown with their positions."""


@dataclass(frozen=True)
class Source:
    """A file to learn from: its kind, as `grl.serve.uploads` has it, and the name it came by."""

    kind: str
    path: Path
    name: str
    game: str = ""
    """What game it is, where the notation doesn't say."""


def taught(
    sources: Sequence[Source], folder: Path, beside: Path | None, report: Report[Any]
) -> dict[str, Any]:
    """Learn a model from files, write it to ``model.grl.json`` in a folder, and say what is new."""
    traces = [
        _traces_of(source, folder, number, beside, report) for number, source in enumerate(sources)
    ]
    rulebook = learn(traces, skip_bad=True, progress=report.progress)
    path = folder / "model.grl.json"
    rulebook.save(path)
    data: dict[str, Any] = {"path": str(path), "game": rulebook.model.game}
    verdict = rulebook.model.report.get("verdict")
    if isinstance(verdict, dict):
        data["verdict"] = verdict.get("line")
    data["games"] = rulebook.model.report.get("games")
    if beside is not None:
        data["changes"] = changes(load(beside), rulebook, traces, report)
    return data


def _traces_of(
    source: Source, folder: Path, number: int, beside: Path | None, report: Report[Any]
) -> Path:
    """A trace file with the games of a source; raises `GrlError` where there are none."""
    if source.kind == "traces":
        return source.path
    from grl.importers.formats import NOTATIONS, Wishes, written

    notation = NOTATIONS[source.kind]
    start = None
    if "start" in notation.takes:
        assert beside is not None
        start = folder / "start.json"
        old = load(beside).model
        start.write_text(json.dumps(describe(old.game, old.equipment, old.initial)), "utf-8")
    varies = "variant" in notation.takes  # the rules of a library, by their name there
    game = source.game or None
    wishes = Wishes(
        game=game if "game" in notation.takes and not varies else None,
        variant=game if varies else None,
        start=start,
        all_moves="all_moves" in notation.takes and source.kind not in UNLISTED,
    )
    common = {"keep_beginnings": False, "strict": False, "progress": report.progress}
    path = folder / f"imported-{number}.jsonl"
    written(path, notation.make([source.path], wishes, common), MOST_GAMES)
    return path


def changes(
    old: Rulebook, new: Rulebook, traces: Sequence[Path], report: Report[Any]
) -> dict[str, Any]:
    """What is new in a model: sentences that came and went, automata, and who fits the records."""
    data: dict[str, Any] = {"sentences": [], "automata": [], "records": {}}
    for part in PARTS:
        before, after = _said(old.model, part), _said(new.model, part)
        data["sentences"] += [{"sign": "-", "text": s} for s in before if s not in after]
        data["sentences"] += [{"sign": "+", "text": s} for s in after if s not in before]
    sizes = {str(dfa.key): dfa.size for dfa in old.model.automata}
    now = {str(dfa.key): dfa.size for dfa in new.model.automata}
    data["automata"] = [
        {"key": key, "before": sizes.get(key), "after": now.get(key)}
        for key in dict.fromkeys([*sizes, *now])
        if sizes.get(key) != now.get(key)
    ]
    for name, rulebook in (("before", old), ("after", new)):
        try:
            data["records"][name] = _fit(rulebook, traces, report)
        except GrlError as error:
            data["records"][name] = {"error": str(error)}
    return data


def _said(model: Model, part: str) -> list[str]:
    if model.rules is None:
        return []
    return sentences(model.equipment, PARTS[part], getattr(model.rules, part))


def _fit(rulebook: Rulebook, traces: Sequence[Path], report: Report[Any]) -> dict[str, Any]:
    """How a model fits records, on some of their positions."""
    found: list[Comparison] = [
        compare_traces(rulebook, Traces.open(path), COMPARED, report.progress) for path in traces
    ]
    return {
        "positions": sum(each.positions for each in found),
        "turns": sum(each.turns for each in found),
        "missing": sum(each.missing for each in found),
        "surplus": sum(each.surplus for each in found),
        "endings": sum(ending.met for each in found for ending in each.endings),
        "recognised": sum(ending.recognised or 0 for each in found for ending in each.endings),
        "examples": [
            {
                "rows": list(example.rows),
                "to_move": example.to_move,
                "missing": list(example.missing[:SHOWN]),
                "surplus": list(example.surplus[:SHOWN]),
            }
            for each in found
            for example in each.examples
        ][:SHOWN],
    }


def solved(source: Source, report: Report[Any]) -> dict[str, Any]:
    """The hypothesis of an ILASP task."""
    from grl.las.solve import solve
    from grl.las.syntax import read
    from grl.las.task import Limits

    task = read(source.path, limits=Limits(), allow_files=False)
    outcome = solve(task, time_limit=report.left(), progress=report.progress)
    if outcome.rules is None:
        return {"hypothesis": [], "satisfiable": not outcome.unsatisfiable, "cost": None}
    return {
        "hypothesis": [str(line) for line in outcome.program()],
        "satisfiable": True,
        "cost": outcome.cost,
        "proven": outcome.proven,
    }


@dataclass(frozen=True)
class Dialogue:
    """A dialogue between lessons: records, the file of answers, and the model that they made."""

    records: tuple[Path, ...]
    answers: Path
    model: Path
    passed: int = 0
    """Questions that were passed over: the next one is drawn otherwise."""


def question(dialogue: Dialogue, report: Report[Any]) -> dict[str, Any]:
    """Learn from records and answers, and the next question; ``over`` where none is left."""
    asked: list[Question] = []

    def hear(one: Question) -> Answer | None:
        asked.append(one)
        raise EndOfAnswers

    session = Session(
        list(dialogue.records),
        dialogue.answers,
        rulebook=load(dialogue.model),
        seed=dialogue.passed,
        progress=report.progress,
    )
    session.round(hear, 1)
    session.rulebook.save(dialogue.model)
    if not asked:
        return {"over": True}
    one = asked[0]
    return {
        "over": False,
        "position": one.position.to_dict(),
        "cells": one.position.cells,
        "to_move": one.position.to_move,
        "reason": one.reason,
        "offered": list(one.offered),
        "turns": list(one.turns),
        "doubtful": sorted(one.doubtful),
        "ended": one.over,
        "goals": {str(player): goal for player, goal in one.goals.items()},
    }


@dataclass(frozen=True)
class Series:
    """Many games between two players."""

    model: Path
    players: tuple[str, str]
    named: Sequence[str]
    """The same as `grl.serve.seating.Players` names them."""
    games: int
    opening: int
    plies: int
    seed: int


def batch(series: Series, report: Report[Any]) -> dict[str, Any]:
    """Play a series; what came of the games so far is kept on the way."""
    rulebook = load(series.model)
    engine = rulebook.engine()
    if len(engine.equipment.players) != 2:
        raise GrlError("not a game for two", expected="a model of a game with two players")
    contest = Contest(
        engine,
        rulebook.model.game,
        [bounded(spec) for spec in series.named],
        series.opening,
        series.seed,
        series.plies,
    )
    starts = openings(contest, (series.games + 1) // 2)
    records: list[Record] = []
    for match in matches(2, series.games):
        records.append(played(contest, match, starts[match.opening]))
        report.progress("games", len(records), series.games)
        if len(records) < series.games:
            report.keep(_table(series, records, whole=False))
    return _table(series, records, whole=True)


def _table(series: Series, records: Sequence[Record], *, whole: bool) -> dict[str, Any]:
    (standing,) = standings(series.players, records)
    course, points = [], 0.0
    for record in records:
        points += record.points if record.seats[0] == 0 else 1 - record.points
        course.append(round(points, 1))
    data = asdict(standing) | {
        "share": standing.share,
        "games": len(records),
        "course": course,
        "cut": sum(record.cut for record in records),
        "plies": [len(record.turns) for record in records],
        "first": [
            sum(each.points for each in records if each.seats[0] == place) for place in (0, 1)
        ],
        "players": list(series.players),
    }
    if whole:
        data["records"] = [
            {
                "number": each.number,
                "began": each.seats[0],
                "points": each.points,
                "cut": each.cut,
                "turns": list(each.turns),
            }
            for each in records
        ]
    return data


__all__ = ["Dialogue", "Series", "Source", "batch", "changes", "question", "solved", "taught"]
