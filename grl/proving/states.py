"""What a game description says of one state, by running it as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import clingo

from grl.las.clock import grounded
from grl.proving.programs import RELATIONS, Program, Signature


def relations(
    program: Program,
    true: Iterable[str],
    does: Iterable[str] = (),
    constants: Mapping[str, str] | None = None,
) -> dict[str, frozenset[str]]:
    """The atoms of each relation in a state of fluents `true` after moves `does`, all as text.

    A move is an atom, ``does(P,M)``. Raises `grl.las.TaskError` where clingo can't ground the
    program.
    """
    ctl = _run(program, true, does, constants)
    return {signature[0]: _atoms(ctl, signature) for signature in RELATIONS}


def derived(
    program: Program,
    signature: Signature,
    true: Iterable[str],
    does: Iterable[str] = (),
    constants: Mapping[str, str] | None = None,
) -> frozenset[str]:
    """The atoms of one predicate, as in `relations`."""
    return _atoms(_run(program, true, does, constants), signature)


def _run(
    program: Program,
    true: Iterable[str],
    does: Iterable[str],
    constants: Mapping[str, str] | None,
) -> clingo.Control:
    facts = [f"true({fluent})." for fluent in true] + [f"{move}." for move in does]
    text = "\n".join([*map(str, program.constants), *map(str, program.rules), *facts])
    return grounded(text, *consts(constants))


def _atoms(ctl: clingo.Control, signature: Signature) -> frozenset[str]:
    found = ctl.symbolic_atoms.by_signature(*signature)
    return frozenset(str(one.symbol) for one in found)


def consts(constants: Mapping[str, str] | None) -> list[str]:
    """The options that set constants of a program."""
    return [f"-c{name}={value}" for name, value in (constants or {}).items()]
