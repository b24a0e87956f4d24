"""Why a turn is legal or not, by the automata, machines and rules that decide it."""

from __future__ import annotations

from grl.explain.answer import Explainer, Explanation, Forbidden, Outlook, Verdict, explain, outlook
from grl.explain.rulings import Finding, Ruling
from grl.explain.spelling import Spelling, Step, Stretch

__all__ = [
    "Explainer",
    "Explanation",
    "Finding",
    "Forbidden",
    "Outlook",
    "Ruling",
    "Spelling",
    "Step",
    "Stretch",
    "Verdict",
    "explain",
    "outlook",
]
