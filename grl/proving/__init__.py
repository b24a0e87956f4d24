"""Proofs that two game descriptions, as answer set programs, say the same of every state.

Comparison by samples may miss the state that matters. `prove` lets clingo look for a state, within
invariants that are proven first, in which two programs differ in legal moves, next states, ends or
goals; without one they agree, and with one it is shown, a `Counterexample`.

Read `grl.proving.programs` first for what programs may be, then `grl.proving.prove`.
"""

from grl.proving.programs import Program, ProofError, mapped, parse
from grl.proving.prove import Claim, Counterexample, Proof, prove
from grl.proving.states import relations

__all__ = [
    "Claim",
    "Counterexample",
    "Program",
    "Proof",
    "ProofError",
    "mapped",
    "parse",
    "prove",
    "relations",
]
