"""Proofs that two game descriptions, as answer set programs, say the same of every state."""

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
