"""From trace files to a rulebook: the only place where the learners meet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isinf
from pathlib import Path
from typing import Any

from grl.board import Board, Equipment, Player, Position
from grl.drivers import read_on_cluster, read_resumably
from grl.engine.generator import QuickGenerator
from grl.errors import LearnError, SearchError
from grl.fingerprints import ALL
from grl.locm.machines import learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.model import Machine, Model
from grl.moves.binding import with_binding
from grl.progress import Progress, Stopped, TimeLimit, silent, within
from grl.records import Records
from grl.resources import rare_collections
from grl.rulebook import Rulebook
from grl.rules.endings.pool import Pool
from grl.rules.learn.crossing_rule import bounded
from grl.rules.learn.effects import LearnedEffects, choices, learn_effects, without_further
from grl.rules.learn.rule_layer import learn_rules
from grl.rules.learn.sowing import alike, learn_sowing, takings_of
from grl.sgrl.evidence import Evidence, decision_of
from grl.sgrl.learn import Learned, learn_automata
from grl.sgrl.noise import NOISY_SHARE, Cleaned, clean
from grl.sgrl.promotions import Zones, promoted_early, spelled_early, zones_of
from grl.shards import Shard, observe
from grl.traces import Traces
from grl.verdict import verdict_of

Source = str | os.PathLike[str] | Traces


@rare_collections()
def learn(
    sources: Source | Iterable[Source],
    *,
    positions: int | None = None,
    seed: int = 0,
    skip_bad: bool = False,
    symmetry: bool = True,
    locm: bool = True,
    rules: bool = True,
    noise: bool = False,
    prove_minimal: bool = False,
    jobs: int = 1,
    scheduler: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
    pool: Callable[[Pool], None] | None = None,
) -> Rulebook:
    """A rulebook from the records of one game.

    `sources` are paths of trace files or open `Traces`, whose order doesn't matter. With
    `positions` only that many decisions, drawn by `seed`, are learned from. With `skip_bad`
    broken games are kept up to their first bad ply. `symmetry` lets mirror images share their
    evidence, `locm` turns the machines that order a turn on, `rules` the learning of restrictions,
    endings and who moves next. With `noise` turns that look like
    slips are set aside and listed in the report. `prove_minimal` adds to the report whether
    clingo proved each automaton minimal. `pool` hears of the features and positions
    from which endings were learned, once they are. The files are read by `jobs` processes; the
    model is the same whatever their number. `scheduler` is the address of a Dask scheduler whose
    workers read instead. In the folder `resume` is kept what was read, so that a call after a break
    goes on. After `time_limit` seconds learning ends, each part with the best that it has found by
    then, and the report names those `ended` early; so it is where `progress` is a `TimeLimit` that
    is asked to stop. Raises `TraceError` for a broken file and `LearnError`
    for files of different games or without a single turn.
    """
    if time_limit is not None:
        progress = TimeLimit(time_limit, progress)
    files = list(_open(sources, skip_bad, progress))
    if not files:
        raise LearnError("no trace file to learn from", expected="at least one")
    files.sort(key=lambda traces: str(traces.path))
    equipment = files[0].header.equipment
    for traces in files:
        _check_same_game(files[0], traces)
    folder = None if resume is None else Path(resume)
    if scheduler is not None:
        shard = read_on_cluster(files, scheduler, folder, progress)
    elif folder is not None:
        shard = read_resumably(files, jobs, folder, progress)
    else:
        shard = observe(files, jobs, progress)
    evidence = shard.evidence.settled()
    if not evidence.decisions:
        raise LearnError(
            "the records hold no turn",
            found=f"{shard.games} games in {', '.join(str(traces.path) for traces in files)}",
            expected="at least one turn",
        )
    if positions is not None:
        evidence = evidence.sample(positions, seed)
    cleaned = clean(evidence, equipment) if noise else Cleaned(evidence, {}, searched=False)
    zones = zones_of(cleaned.evidence, equipment.board)
    evidence = promoted_early(cleaned.evidence, equipment.board, zones)
    read = _Read(files, shard, cleaned, equipment, zones)
    options = _Options(positions, symmetry, locm, rules, noise, prove_minimal, progress, pool)
    brought = learn_effects(evidence, equipment)
    try:
        return _rulebook(read, evidence, brought, options)
    except SearchError:
        # Rests that no effect fits are no choices either: there would be too many.
        alone = without_further(evidence)
        if not alone.unexplained:
            raise
        return _rulebook(read, evidence, alone, options)


@dataclass(frozen=True)
class _Read:
    """What was read of a game."""

    files: Sequence[Traces]
    shard: Shard
    cleaned: Cleaned
    equipment: Equipment
    zones: Zones
    """Where pieces are promoted on their way."""


@dataclass(frozen=True)
class _Options:
    """What `learn` was asked for."""

    positions: int | None
    symmetry: bool
    locm: bool
    rules: bool
    noise: bool
    prove_minimal: bool
    progress: Progress
    pool: Callable[[Pool], None] | None


def _rulebook(
    read: _Read, evidence: Evidence, brought: LearnedEffects, options: _Options
) -> Rulebook:
    """The rulebook in which turns bring about that.

    Raises `SearchError` where turns that were taken for choices have too many ways to go on.
    """
    shard, cleaned, equipment, progress = read.shard, read.cleaned, read.equipment, options.progress
    known = brought.effects or brought.first
    counting = None if known else learn_sowing(evidence, equipment)
    if counting is not None:
        equipment = replace(equipment, sowing=counting.sowing)
        brought = LearnedEffects(counting.effects, counting.unexplained)
        evidence = takings_of(evidence)
    elif brought.cut:
        evidence = choices(evidence, brought.first)
    learned = learn_automata(
        evidence,
        equipment,
        symmetry=options.symmetry,
        prove=options.prove_minimal,
        progress=progress,
    )
    automata = [item.dfa for item in learned]
    if counting is not None:
        automata, learned = alike(learned, equipment)
    # A turn that takes up a number has one segment, and of some numbers there is no record.
    ordered = options.locm and counting is None
    machines = _machines(evidence, equipment, progress) if ordered else []
    report: dict[str, Any] = {
        "games": shard.games,
        "bad": len(shard.bad),
        "decisions": len(evidence.decisions),
        "complete": sum(decision.complete for decision in evidence.decisions),
        "turns": sum(sum(turns.values()) for turns in evidence.decisions.values()),
        "automata": [_report(item, _slips(shard, cleaned) <= NOISY_SHARE) for item in learned],
    }
    if shard.evidence.bound < ALL:
        report["read"] = shard.turns
    if brought.unexplained:
        report["effects"] = {"unexplained": brought.unexplained}
    if options.noise:
        report["noise"] = {
            "share": round(cleaned.share, 5),
            "suspicious": _suspicious(read.files, cleaned),
        }
    model = Model(
        game=read.files[0].header.game,
        equipment=equipment,
        initial=replace(_initial(read.files), equipment=equipment),
        automata=tuple(automata),
        machines=tuple(machines),
        passes=_passes(evidence),
        segments=_segments(evidence),
        effects=brought.effects,
    )
    model = with_binding(model, evidence)
    if options.rules and (brought.effects or not brought.unexplained):
        model = bounded(model, evidence)
        kept = _respelled(_without(shard.records, cleaned), equipment.board, read.zones)
        if options.positions is not None:
            kept.limit = min(kept.limit, options.positions)
        generator = QuickGenerator(model, locm=options.locm)
        whole = options.positions is None
        found = learn_rules(model, generator, kept, progress, beyond=whole)
        model = replace(model, rules=found.rules, passes=found.passes, crossings=None)
        report |= found.report
        if options.pool is not None and found.pool is not None:
            options.pool(found.pool)
    if isinstance(progress, TimeLimit) and progress.ended:
        report["ended"] = list(progress.ended)
    report["verdict"] = verdict_of(replace(model, report=report)).to_dict()
    return Rulebook(replace(model, report=report), locm=options.locm)


def _without(records: Records, cleaned: Cleaned) -> Records:
    """The records without the moments in which turns were set aside."""
    bad = {(d.mover, d.cells, d.stock) for d in cleaned.removed}
    if not bad:
        return records
    return records.without(lambda at: (at.to_move, at.cells, at.stock) in bad)


def _respelled(records: Records, board: Board, zones: Zones) -> Records:
    """The records with pieces promoted where they come to their zones."""
    if not zones:
        return records
    return records.respelled(
        lambda at, text: spelled_early(at.to_move, at.cells, text, zones, board)
    )


def _slips(shard: Shard, cleaned: Cleaned) -> float:
    """A share of turns that are slips, at the least, where they were looked for.

    A slip that looks like any other turn is often followed by a turn that doesn't fit, which
    breaks the game.
    """
    turns = sum(sum(turns.values()) for turns in cleaned.evidence.decisions.values())
    return max(cleaned.share, len(shard.bad) / max(turns, 1) if cleaned.searched else 0.0)


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


def _initial(files: Sequence[Traces]) -> Position:
    """The initial position of the headers; where they differ the least, in whatever order."""
    return min((traces.header.initial for traces in files), key=lambda p: (p.outcome, p.cells))


def _machines(evidence: Evidence, equipment: Equipment, progress: Progress) -> list[Machine]:
    """The machines of whole turns; none where the time is over, for some turns might lack."""
    try:
        return learn_machines(observe_plans(evidence, equipment, within(progress, "machines")))
    except Stopped:
        return []


def observe_plans(evidence: Evidence, equipment: Equipment, progress: Progress = silent) -> Plans:
    """Every known turn as a plan."""
    plans = Plans()
    writer = PlanWriter(equipment)
    for number, (decision, turns) in enumerate(evidence.decisions.items()):
        progress("machines of whole turns", number, len(evidence.decisions))
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


def _report(item: Learned, low_noise: bool) -> dict[str, Any]:
    """What the model file says of one automaton; `low_noise` when the records hold little noise."""
    sure = item.confidence
    report: dict[str, Any] = {
        "key": str(item.dfa.key),
        "states": item.dfa.size,
        "words": item.words,
        "sightings": sure.sightings,
        "pooled": sure.pooled,
        "images": item.images,
        "bits": round(item.bits, 1),
        "silence": round(item.silence, 1),
        "margin": None if isinf(sure.margin) else round(sure.margin, 1),
        "support": sure.support,
        "games": sure.games,
        "least_games": sure.least,
        "weakest": sure.weakest,
        "doubt": round(sure.doubt, 1),
        "open": list(sure.open),
        "sure": sure.sure and low_noise,
    }
    if item.minimality is not None:
        report["minimal"] = item.minimality.proven
        report["refused"] = item.minimality.refused
        report["refused_bits"] = round(item.minimality.bits, 2)
    return report


def _suspicious(files: Sequence[Traces], cleaned: Cleaned) -> list[str]:
    """Where the turns set aside stand: game, ply and turn; found by reading the files again."""
    listed = []
    for traces in files if cleaned.removed else []:
        for play in traces:
            for number, ply in enumerate(play.plies, 1):
                decision = decision_of(ply)
                bad = cleaned.removed.get(decision, {})
                listed += [
                    f"game {play.id}, ply {number}: {text}"
                    for text in sorted(bad)
                    if text == ply.turn or text in (ply.legal or ())
                ]
    return sorted(listed)
