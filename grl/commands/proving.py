"""``grl compare --prove``: a proof that two descriptions of a game agree, or where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import bar

if TYPE_CHECKING:
    from grl.proving import Claim, Counterexample, Proof

NO = 1
LISTED = 12


def run(
    learned: Path,
    reference: Path,
    invariants: Path | None,
    mapping: Path | None,
    constants: tuple[str, ...],
    seconds: float | None,
    as_json: bool,
) -> int:
    """Prove that `learned` is `reference`, and print the claims; the exit status."""
    if invariants is None:
        raise click.UsageError("--prove needs --invariants: what holds in every state")
    if learned.suffix == ".json":
        raise click.UsageError("--prove compares logic programs: give the model as one")
    from grl.las.syntax import read_text
    from grl.proving import mapped, parse, prove

    chosen = dict(map(_constant, constants))
    description = parse(read_text(learned), str(learned))
    if mapping is not None:
        description = mapped(description, parse(read_text(mapping), str(mapping)))
    with bar() as progress:
        proof = prove(
            description,
            parse(read_text(reference), str(reference)),
            parse(read_text(invariants), str(invariants), invariants=True),
            constants=chosen,
            time_limit=seconds,
            progress=progress,
        )
    if as_json:
        click.echo(json.dumps(proof.to_dict()))
    else:
        click.echo(f"{learned} against {reference}" + "".join(f", {one}" for one in constants))
        click.echo("\n".join(report(proof)))
    return 0 if proof.proven else NO


def _constant(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals and value):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="-c")
    return name, value


def report(proof: Proof) -> Iterator[str]:
    """A proof for people, line by line."""
    wide = max(len(claim.name) for claim in proof.claims) + 10
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
        yield "not decided within the time limit"


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
        where = [one.number for one in term.arguments[:2] if one.type.name == "Number"]
        if len(term.arguments) == 3 and len(where) == 2:
            boards.setdefault(term.name, {})[where[0], where[1]] = str(term.arguments[2])
        else:
            others.append(text)
    for name, cells in boards.items():
        xs, ys = ({at[axis] for at in cells} for axis in (0, 1))
        yield f"{name}(X,Y,C), X from {min(xs)} to {max(xs)}, Y from {max(ys)} down to {min(ys)}:"
        for y in sorted(ys, reverse=True):
            yield "  " + " ".join(cells.get((x, y), "-") for x in sorted(xs))
    yield from others
