"""``grl compare --prove``: a proof that two descriptions of a game agree, or where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import bar
from grl.commands.limits import ended_by

if TYPE_CHECKING:
    from grl.children import Report
    from grl.proving import Claim, Counterexample, Proof
    from grl.resources import Bounds

NO = 1
UNDECIDED = "not decided within the limits"
UNBEGUN = {"proven": False, "claims": [], "finished": False}
LISTED = 12


def run(
    learned: Path,
    reference: Path,
    invariants: Path | None,
    mapping: Path | None,
    constants: tuple[str, ...],
    limits: Bounds,
    as_json: bool,
) -> int:
    """Prove that `learned` is `reference`, and print the claims; the exit status."""
    if invariants is None:
        raise click.UsageError("--prove needs --invariants: what holds in every state")
    if learned.suffix == ".json":
        raise click.UsageError("--prove compares logic programs: give the model as one")
    from grl.supervise import supervised

    asked = _Asked(learned, reference, invariants, mapping, dict(map(_constant, constants)))
    with bar() as progress:
        ended = supervised(partial(_work, asked), limits, progress=progress)
    if ended.by == "interrupt":
        raise KeyboardInterrupt
    found = ended.result or ended.best or _Said(("", UNDECIDED), UNBEGUN)
    if as_json:
        click.echo(json.dumps(found.data))
    else:
        click.echo(f"{learned} against {reference}" + "".join(f", {one}" for one in constants))
        click.echo("\n".join(found.lines))
        if ended.by not in ("itself", "time"):
            click.echo(f"{ended_by(ended.by)} ended the search", err=True)
    return 0 if found.data["proven"] else NO


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    learned: Path
    reference: Path
    invariants: Path
    mapping: Path | None
    constants: Mapping[str, str]


@dataclass(frozen=True)
class _Said:
    """A proof as it is printed, and as JSON."""

    lines: tuple[str, ...]
    data: dict[str, Any]


def _said(proof: Proof) -> _Said:
    return _Said(tuple(report(proof)), proof.to_dict())


def _work(asked: _Asked, report: Report[_Said]) -> _Said:
    """Proves; done in a child process."""
    from grl.las.syntax import read_text
    from grl.proving import mapped, parse, prove

    for name, value in asked.constants.items():
        _check_term(name, value)
    description = parse(read_text(asked.learned), str(asked.learned))
    if asked.mapping is not None:
        mapping = parse(read_text(asked.mapping), str(asked.mapping))
        description = mapped(description, mapping)
    proof = prove(
        description,
        parse(read_text(asked.reference), str(asked.reference)),
        parse(read_text(asked.invariants), str(asked.invariants), invariants=True),
        constants=asked.constants,
        time_limit=report.left(),
        progress=report.progress,
        kept=lambda one: report.keep(_said(one)),
    )
    return _said(proof)


def _constant(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals and value):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="-c")
    return name, value


def _check_term(name: str, value: str) -> None:
    """Raises `GrlError` where clingo would break over the value of a constant."""
    import clingo

    from grl.errors import GrlError
    from grl.las.tokens import check_text

    try:
        check_text(value, None)
        clingo.parse_term(value, logger=lambda _code, _message: None)
    except (GrlError, RuntimeError) as error:
        why = error.message if isinstance(error, GrlError) else "not a term"
        raise GrlError(
            f"the constant {name}: {why}", expected="a term of clingo", found=value[:40]
        ) from None


def report(proof: Proof) -> Iterator[str]:
    """A proof for people, line by line."""
    wide = max((len(claim.name) for claim in proof.claims), default=0) + 10
    for claim in proof.claims:
        what = f"  helper {claim.name}" if claim.helper else f"  {claim.name}"
        yield f"{what:<{wide}}  {_verdict(claim):<24}  {claim.seconds:6.1f} s"
    for claim in proof.claims:
        if claim.counterexample is not None and not claim.helper:
            yield ""
            yield from _counterexample(claim, claim.counterexample)
    yield ""
    if proof.proven:
        yield "proven: no difference in any state that satisfies the invariants"
    elif any(claim.holds is False for claim in proof.claims if not claim.helper):
        yield "refuted"
    else:
        yield UNDECIDED


def _verdict(claim: Claim) -> str:
    if claim.holds is None:
        return "not decided"
    if "/" in claim.name:
        return "the same" if claim.holds else "differs"
    return "yes" if claim.holds else "no"


def _counterexample(claim: Claim, found: Counterexample) -> Iterator[str]:
    if found.true:
        yield f"{claim.name}: a state that satisfies the invariants"
        yield from (f"  {line}" for line in _fluents(found.true))
    else:
        yield f"{claim.name}:"
    if found.does:
        yield f"  after {', '.join(found.does)}"
    for line in found.broken:
        yield "  leads out of base/1" if not line else f"  breaks the invariant of line {line}"
    for side, atoms in (("reference", found.missing), ("learned", found.surplus)):
        if atoms:
            yield f"  only the {side} program has"
            yield from (f"    {atom}" for atom in atoms[:LISTED])
            if len(atoms) > LISTED:
                yield f"    … and {len(atoms) - LISTED:,} more"


def _fluents(true: tuple[str, ...]) -> Iterator[str]:
    """The fluents of a state: those of a board by rank, the highest first, then the others."""
    import clingo

    boards: dict[str, dict[tuple[int, int], str]] = {}
    others: list[str] = []
    for text in true:
        term = clingo.parse_term(text)
        arguments = term.arguments if term.type.name == "Function" else []
        where = [one.number for one in arguments[:2] if one.type.name == "Number"]
        if len(arguments) == 3 and len(where) == 2:
            boards.setdefault(term.name, {})[where[0], where[1]] = str(arguments[2])
        else:
            others.append(text)
    for name, cells in boards.items():
        xs, ys = ({at[axis] for at in cells} for axis in (0, 1))
        yield f"{name}(X,Y,C), X from {min(xs)} to {max(xs)}, Y from {max(ys)} down to {min(ys)}:"
        for y in sorted(ys, reverse=True):
            yield "  " + " ".join(cells.get((x, y), "-") for x in sorted(xs))
    yield from others
