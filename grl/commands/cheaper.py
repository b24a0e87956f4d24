"""``grl rules --prove``: whether endings that cost less agree with the same positions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import bar
from grl.errors import GrlError, Place
from grl.showing import count

if TYPE_CHECKING:
    from grl.model import Model
    from grl.progress import Progress
    from grl.records import Records
    from grl.rules.endings.proof import Proof

NO = 1
WIDTH = 100


def run(model: Model, traces: Sequence[Path], seconds: float | None, as_json: bool) -> int:
    """Prints what there is to say; the exit status."""
    from grl.rules.endings.proof import prove_endings

    with bar() as progress:
        records = _read(model, list(_files(traces)), progress)
        proof = prove_endings(model, records, limit=seconds, progress=progress)
    if proof is None:
        if as_json:
            click.echo(json.dumps({"status": "nothing to prove"}))
        else:
            click.echo(
                "nothing to prove: the model has no endings, or no game of the records ended"
            )
        return NO
    click.echo(
        json.dumps(_data(proof, model)) if as_json else "\n".join(_lines(proof, model, seconds))
    )
    return int(bool(proof.cheaper) or not proof.proven)


def _files(traces: Sequence[Path]) -> Iterator[Path]:
    """The files, with those of folders."""
    for path in traces:
        found = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
        if not found:
            raise GrlError(
                "no trace file in this folder", place=Place(file=str(path)), expected="*.jsonl"
            )
        yield from found


def _read(model: Model, files: Sequence[Path], progress: Progress) -> Records:
    from grl.records import Records
    from grl.traces import Traces

    records = Records()
    for file in files:
        traces = Traces.open(file, progress=progress)
        if traces.header.equipment != model.equipment:
            raise GrlError(
                "records of another game",
                place=Place(file=str(file)),
                expected=f"board, players and pieces of {model.game}",
            )
        for play in traces:
            records.observe(play)
    return records


def _price(cost: int) -> str:
    from grl.rules.search.cover import UNIT

    return f"{cost / UNIT:g}"


def _lines(proof: Proof, model: Model, seconds: float | None) -> Iterator[str]:
    from grl.model import Literal
    from grl.rules.english.sentences import phrase, sentences
    from grl.rules.search.cheaper import LONGEST

    yield (
        f"{count(proof.rules, 'ending')} at a cost of {_price(proof.cost)}, on "
        f"{count(proof.positions, 'position')}, {proof.terminal:,} of them terminal"
    )
    if proof.aside:
        yield f"left aside: {count(proof.aside, 'position')} that the endings get wrong"
    if proof.idle:
        yield f"left aside: {count(proof.idle, 'ending')} that no position speaks for"
    for feature in proof.unpriced:
        said = phrase(model.equipment, "ending", Literal(feature, True))
        yield f"not among the features of the learner, and taken for the cheapest: {said}"
    pool = f"{proof.features:,} features, with up to {LONGEST} literals a rule"
    if proof.cheaper:
        yield f"cheaper, at {_price(proof.found)}:"
        for number, (rule, sentence) in enumerate(
            zip(proof.cheaper, sentences(model.equipment, "ending", proof.cheaper), strict=True), 1
        ):
            text = f"{number}. {sentence} ({count(rule.support, 'position')})"
            yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="     ")
    if proof.proven:
        yield f"none cheaper{' than these' if proof.cheaper else ''}: proven over {pool}"
    else:
        within = "" if seconds is None else f" within {seconds:g} s"
        yield (
            f"not decided{within} whether there are cheaper ones over {pool}; "
            f"none costs less than {_price(proof.bound)}"
        )


def _data(proof: Proof, model: Model) -> dict[str, Any]:
    from grl.rules.english.sentences import sentences
    from grl.rules.search.cover import UNIT

    said = sentences(model.equipment, "ending", proof.cheaper)
    status = "cheaper" if proof.cheaper else "none cheaper" if proof.proven else "not decided"
    return {
        "status": status,
        "proven": proof.proven,
        "positions": proof.positions,
        "terminal": proof.terminal,
        "aside": proof.aside,
        "idle": proof.idle,
        "features": proof.features,
        "cost": proof.cost / UNIT,
        "found": proof.found / UNIT,
        "bound": proof.bound / UNIT,
        "cheaper": [
            {"sentence": sentence, "value": list(rule.value), "support": rule.support}
            for rule, sentence in zip(proof.cheaper, said, strict=True)
        ],
    }
