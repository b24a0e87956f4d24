"""Why a turn is legal or not, by the automata, machines and rules that decide it.

`explain` asks about one turn and `outlook` about a whole position; an `Explainer` answers many
questions about one model. Answers are values which say themselves as text or plain data: how
automata spell the turn on the board, and the rule that forbids it with what it found there.

Read `grl.explain.answer` first, then `grl.explain.spelling`.
"""

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
