"""From trace files to a rulebook: the only place where the learners meet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from math import isinf
from typing import Any

from grl.board import Equipment, Player, Position
from grl.errors import LearnError
from grl.locm.machines import learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.model import Model
from grl.progress import Progress, silent
from grl.rulebook import Rulebook
from grl.sgrl.evidence import Evidence
from grl.sgrl.learn import Learned, learn_automata
from grl.traces import Traces

Source = str | os.PathLike[str] | Traces


def learn(
    sources: Source | Iterable[Source],
    *,
    positions: int | None = None,
    seed: int = 0,
    skip_bad: bool = False,
    symmetry: bool = True,
    locm: bool = True,
    progress: Progress = silent,
) -> Rulebook:
    """A rulebook from the records of one game.

    `sources` are paths of trace files or open `Traces`, whose order doesn't matter. With
    `positions` only that many decisions, drawn by `seed`, are learned from. With `skip_bad`
    broken games are kept up to their first bad ply. `symmetry` lets mirror images share their
    evidence, `locm` turns the machines that order a turn on. Raises `TraceError` for a broken
    file and `LearnError` for files of different games or without a single turn.
    """
    files = list(_open(sources, skip_bad, progress))
    if not files:
        raise LearnError("no trace file to learn from", expected="at least one")
    files.sort(key=lambda traces: str(traces.path))
    header = files[0].header
    evidence = Evidence()
    games = 0
    for traces in files:
        _check_same_game(files[0], traces)
        for play in traces:
            games += 1
            for ply in play.plies:
                evidence.observe(ply)
    if not evidence.decisions:
        raise LearnError(
            "the records hold no turn",
            found=f"{games} games in {', '.join(str(traces.path) for traces in files)}",
            expected="at least one turn",
        )
    if positions is not None:
        evidence = evidence.sample(positions, seed)
    learned = learn_automata(evidence, header.equipment, symmetry=symmetry, progress=progress)
    progress("turns: machines", 0, None)
    machines = learn_machines(observe_plans(evidence, header.equipment)) if locm else []
    model = Model(
        game=header.game,
        equipment=header.equipment,
        initial=_initial(files),
        automata=tuple(item.dfa for item in learned),
        machines=tuple(machines),
        passes=_passes(evidence),
        segments=_segments(evidence),
        report=_report(evidence, games, sum(len(traces.bad) for traces in files), learned),
    )
    return Rulebook(model)


def _open(
    sources: Source | Iterable[Source], skip_bad: bool, progress: Progress
) -> Iterator[Traces]:
    for source in [sources] if isinstance(sources, str | os.PathLike | Traces) else sources:
        if isinstance(source, Traces):
            yield source
        else:
            yield Traces.open(source, skip_bad=skip_bad, progress=progress)


def _check_same_game(first: Traces, other: Traces) -> None:
    ours, theirs = first.header.equipment, other.header.equipment
    for part in ("board", "players", "pieces", "stocked"):
        if getattr(ours, part) != getattr(theirs, part):
            raise LearnError(
                f"{other.path} and {first.path} are records of different games: their {part} differ"
            )


def _initial(files: list[Traces]) -> Position:
    """The initial position of the headers; where they differ the least, in whatever order."""
    return min((traces.header.initial for traces in files), key=lambda p: (p.outcome, p.cells))


def observe_plans(evidence: Evidence, equipment: Equipment) -> Plans:
    """Every known turn as a plan."""
    plans = Plans()
    writer = PlanWriter(equipment)
    for decision, turns in evidence.decisions.items():
        for text, count in turns.items():
            written = writer.write(decision, text)
            if written is not None:
                plans.observe(*written, count)
    return plans


def _passes(evidence: Evidence) -> dict[Player, str]:
    """Who was seen to pass, and whether only for want of another turn."""
    passes: dict[Player, str] = {}
    for decision, turns in evidence.decisions.items():
        if "pass" in turns:
            free = not decision.complete or len(turns) > 1
            if free or decision.mover not in passes:
                passes[decision.mover] = "free" if free else "forced"
    return passes


def _segments(evidence: Evidence) -> int:
    return max(
        1 + max((text.count("; ") for text in turns), default=0)
        for turns in evidence.decisions.values()
    )


def _report(evidence: Evidence, games: int, bad: int, learned: list[Learned]) -> Mapping[str, Any]:
    return {
        "games": games,
        "bad": bad,
        "decisions": len(evidence.decisions),
        "complete": sum(decision.complete for decision in evidence.decisions),
        "turns": sum(sum(turns.values()) for turns in evidence.decisions.values()),
        "automata": [
            {
                "key": str(item.dfa.key),
                "states": item.dfa.size,
                "words": item.words,
                "sightings": item.confidence.sightings,
                "pooled": item.confidence.pooled,
                "images": item.images,
                "bits": round(item.bits, 1),
                "silence": round(item.silence, 1),
                "margin": None
                if isinf(item.confidence.margin)
                else round(item.confidence.margin, 1),
                "support": item.confidence.support,
                "doubt": round(item.confidence.doubt, 1),
                "weakest": item.confidence.weakest,
                "open": list(item.confidence.open),
                "sure": item.confidence.sure,
            }
            for item in learned
        ],
    }
